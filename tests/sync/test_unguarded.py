"""Writes that no ETag guards: what a colleague did since a person looked is merged or a conflict, never lost unseen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from petstore_desktop.clock import unique
from petstore_desktop.domain.changes import AddStock, ChangeState, Delete, NewChange, SetFields
from petstore_desktop.domain.commands import PriceBatch, Refresh, Retry
from petstore_desktop.domain.records import Order, Pet, Ref, Resource
from petstore_desktop.sync.wire.events import BatchPriced
from tests.support.book_shop import BookShop
from tests.support.other_shop import OtherShop
from tests.support.other_shop_books import Books
from tests.support.other_shop_ways import Ways
from tests.support.session import Watched
from tests.support.slow_shop import SlowShop
from tests.support.virtual_desk import VirtualDesk
from tests.support.virtual_time import VirtualTime

PUT = {"bindings": {"pets.change": "PUT /pets/{petId}"}}


def a_desk(
    loop: VirtualTime, folder: Path, service: str = "full", **connection: object
) -> tuple[SlowShop, VirtualDesk]:
    shop = SlowShop(loop, folder / "shop", service=service)
    desk = VirtualDesk(loop, shop, folder / "desk", per_minute=60_000, per_day=6_000_000, **connection)
    desk.wait_idle()
    return shop, desk


def a_pet(desk: VirtualDesk, nth: int = 0) -> Pet:
    pet = desk.rows[Resource.PETS][sorted(desk.rows[Resource.PETS], key=str)[nth]]
    assert isinstance(pet, Pet)
    return pet


def wire(pet: Pet, **more: object) -> dict[str, object]:
    return {"id": pet.id, "name": pet.name, "categoryId": pet.category_id, "status": pet.status, **more}


def pet_in(shop: SlowShop, pet: Pet) -> dict[str, Any]:
    record = shop.record("pets", pet.id)
    assert record is not None
    return record


def ref_of(pet: Pet) -> Ref:
    return Ref(Resource.PETS, pet.id)


@pytest.mark.parametrize("connection", [{}, PUT], ids=["PATCH", "PUT"])
def test_a_rename_keeps_what_a_colleague_set_meanwhile(loop: VirtualTime, tmp_path: Path, connection: Any) -> None:
    shop, desk = a_desk(loop, tmp_path, **connection)
    pet = a_pet(desk)
    loop.run_for(3_600.0)
    shop.somebody_else("pets", **wire(pet, status="sold", categoryId=2, chip="0815"))
    before = len(shop.served)
    ids = desk.apply(NewChange(ref_of(pet), SetFields({"name": "Rex"}), {"name": pet.name}))
    desk.wait_for(ids, ChangeState.DONE)
    assert pet_in(shop, pet) == wire(pet, name="Rex", status="sold", categoryId=2, chip="0815")
    assert [one.method for one in shop.served[before:]] == (["GET", "PUT", "GET"] if connection else ["GET", "PATCH"])


@pytest.mark.parametrize("connection", [{}, PUT], ids=["PATCH", "PUT"])
def test_on_the_same_field_it_is_a_conflict(loop: VirtualTime, tmp_path: Path, connection: Any) -> None:
    shop, desk = a_desk(loop, tmp_path, **connection)
    pet = a_pet(desk)
    shop.somebody_else("pets", **wire(pet, name="Bello"))
    loop.run_for(60.0)
    ids = desk.apply(NewChange(ref_of(pet), SetFields({"name": "Rex"}), {"name": pet.name}))
    desk.wait_for(ids, ChangeState.CONFLICT)
    reason = desk.changes[ids[0]].reason
    assert reason is not None
    assert dict(reason.theirs) == {"name": "Bello"}
    assert shop.writes() == []
    desk.submit(Retry(ids))
    desk.wait_for(ids, ChangeState.DONE)
    assert pet_in(shop, pet)["name"] == "Rex"


@pytest.mark.parametrize(
    ("failures", "state"), [(1, ChangeState.DONE), (3, ChangeState.DONE), (99, ChangeState.REFUSED)]
)
def test_a_look_that_the_service_fails_at_is_tried_again_and_told_where_that_goes_on(
    loop: VirtualTime, tmp_path: Path, failures: int, state: ChangeState
) -> None:
    shop, desk = a_desk(loop, tmp_path)
    pet = a_pet(desk)
    loop.run_for(60.0)
    shop.control("answer-next", next=failures, status=500, body='{"message": "no luck"}')
    ids = desk.apply(NewChange(ref_of(pet), SetFields({"name": "Rex"}), {"name": pet.name}))
    desk.wait_for(ids, state)
    if state is ChangeState.REFUSED:
        reason = desk.changes[ids[0]].reason
        assert reason is not None
        assert (reason.code, reason.status) == ("service-failed", 500)
        assert shop.writes() == []
        shop.control("answer-next", next=0, status=500)
        desk.submit(Retry(ids))
        desk.wait_for(ids, ChangeState.DONE)
    assert pet_in(shop, pet)["name"] == "Rex"


def test_a_booking_rests_on_the_look_that_left_with_it_not_on_a_list_before(loop: VirtualTime, tmp_path: Path) -> None:
    shop, desk = a_desk(loop, tmp_path)
    pet = a_pet(desk).id
    shop.somebody_else("inventory", petId=pet, quantity=10, status="available")
    loop.run_for(60.0)
    reads = len(shop.served)
    desk.submit(Refresh((Resource.INVENTORY,)))
    desk.wait(lambda: len(shop.served) > reads and desk.idle, "the list is read")
    assert desk.rows[Resource.INVENTORY][pet].quantity == 10
    shop.somebody_else("inventory", petId=pet, quantity=9, status="available")
    ids = desk.apply(NewChange(Ref(Resource.INVENTORY, pet), AddStock(1), {"quantity": 10}))
    desk.wait_for(ids, ChangeState.DONE)
    assert shop.rows("SELECT quantity FROM inventory WHERE pet_id = ?", pet) == [(10,)]
    assert [(one.method, one.number) for one in shop.served[-2:]] == [("GET", pet), ("PATCH", pet)]


def test_a_price_told_right_after_a_list_is_true_a_while_later(loop: VirtualTime, tmp_path: Path) -> None:
    shop, desk = a_desk(loop, tmp_path)
    stock = {key: item.quantity for key, item in desk.rows[Resource.INVENTORY].items()}
    changes = [NewChange(Ref(Resource.INVENTORY, key), AddStock(1), {"quantity": now}) for key, now in stock.items()]
    desk.submit(PriceBatch(unique(), tuple(changes)))
    desk.wait(lambda: desk.of(BatchPriced), "it has a price")
    price = desk.of(BatchPriced)[-1].price
    loop.run_for(20.0)  # for which a person reads it
    before = len(shop.served)
    desk.wait_for(desk.apply(*changes), ChangeState.DONE)
    assert price is not None
    assert price.requests == len(shop.served) - before


def test_a_second_edit_does_not_rest_on_the_answer_to_the_first(loop: VirtualTime, tmp_path: Path) -> None:
    shop, desk = a_desk(loop, tmp_path)
    pet = a_pet(desk)
    first = desk.apply(NewChange(ref_of(pet), SetFields({"name": "Rex"}), {"name": pet.name}))
    desk.wait_for(first, ChangeState.DONE)
    shop.somebody_else("pets", **wire(pet, name="Bello"))
    second = desk.apply(NewChange(ref_of(pet), SetFields({"name": "Rexi"}), {"name": "Rex"}))
    desk.wait_for(second, ChangeState.CONFLICT)
    assert pet_in(shop, pet)["name"] == "Bello"


def free_pet(shop: SlowShop, desk: VirtualDesk) -> Pet:
    [(id_,)] = shop.rows("SELECT id FROM pets WHERE id NOT IN (SELECT pet_id FROM orders) ORDER BY id LIMIT 1")
    pet = desk.rows[Resource.PETS][id_]
    assert isinstance(pet, Pet)
    return pet


def seen(pet: Pet) -> dict[str, Any]:
    return {"name": pet.name, "category_id": pet.category_id, "status": pet.status}


def test_a_deletion_of_what_a_colleague_changed_is_a_conflict_until_a_person_decides(
    loop: VirtualTime, tmp_path: Path
) -> None:
    shop, desk = a_desk(loop, tmp_path)
    pet = free_pet(shop, desk)
    shop.somebody_else("pets", **wire(pet, name="Not to be sold!"))
    loop.run_for(60.0)
    ids = desk.apply(NewChange(ref_of(pet), Delete(), seen(pet)))
    desk.wait_for(ids, ChangeState.CONFLICT)
    assert shop.writes() == []
    desk.submit(Retry(ids))
    desk.wait_for(ids, ChangeState.DONE)
    assert shop.rows("SELECT id FROM pets WHERE id = ?", pet.id) == []


def test_a_deletion_of_what_is_as_it_was_seen_or_gone_already_is_done(loop: VirtualTime, tmp_path: Path) -> None:
    shop, desk = a_desk(loop, tmp_path)
    pet = free_pet(shop, desk)
    loop.run_for(60.0)
    ids = desk.apply(NewChange(ref_of(pet), Delete(), seen(pet)))
    desk.wait_for(ids, ChangeState.DONE)
    assert [one.method for one in shop.writes()] == ["DELETE"]
    pet = free_pet(shop, desk)
    shop.control("remove", pets=[pet.id])
    loop.run_for(60.0)
    ids = desk.apply(NewChange(ref_of(pet), Delete(), seen(pet)))
    desk.wait_for(ids, ChangeState.DONE)
    assert [one.method for one in shop.writes()] == ["DELETE"]


def test_an_order_is_cancelled_upon_a_look_at_the_list_where_there_is_nothing_else(
    loop: VirtualTime, tmp_path: Path
) -> None:
    shop, desk = a_desk(loop, tmp_path, "default")
    orders = [one for one in desk.rows[Resource.ORDERS].values() if isinstance(one, Order) and not one.complete]
    moved, same = orders[:2]
    record = shop.record("store/orders", moved.id)
    assert record is not None
    shop.somebody_else("orders", **record | {"complete": True})
    loop.run_for(60.0)
    before = shop.asked("store/orders")
    base = [{name: getattr(one, name) for name in ("pet_id", "quantity", "ship_date", "complete")} for one in orders]
    ids = desk.apply(
        NewChange(Ref(Resource.ORDERS, moved.id or 0), Delete(), base[0]),
        NewChange(Ref(Resource.ORDERS, same.id or 0), Delete(), base[1]),
    )
    desk.wait_for(ids[:1], ChangeState.CONFLICT)
    desk.wait_for(ids[1:], ChangeState.DONE)
    assert shop.asked("store/orders") == before + 2  # before both, and whether it is gone


# ---------------------------------------------------------------- looks that are old when they come


def book(desk: VirtualDesk, delta: int, nth: int = 0) -> tuple[int, tuple[int, ...]]:
    pet = sorted(desk.rows[Resource.INVENTORY], key=str)[nth]
    assert isinstance(pet, int)
    quantity = getattr(desk.rows[Resource.INVENTORY][pet], "quantity", None)
    return pet, desk.apply(NewChange(Ref(Resource.INVENTORY, pet), AddStock(delta), {"quantity": quantity}))


def sells_after_a_look(shop: SlowShop, pet: int, after_s: float) -> None:
    """Whenever the list was shown, somebody sells one a little later."""

    def comes(request: httpx.Request) -> None:
        if request.method == "GET" and request.url.path.startswith("/v1/inventory"):
            shop.loop.call_later(after_s, shop.sells, pet, 1)

    shop.before = comes


def test_a_list_that_takes_eleven_seconds_is_no_look_and_a_person_is_told(loop: VirtualTime, tmp_path: Path) -> None:
    shop, desk = a_desk(loop, tmp_path, "default")
    shop.pace.list_s = 11.0
    looks = shop.asked("inventory")
    pet = min(desk.rows[Resource.INVENTORY], key=str)
    assert isinstance(pet, int)
    sells_after_a_look(shop, pet, 6.0)
    loop.run_for(60.0)
    _, ids = book(desk, 12)
    _, others = book(desk, 5, nth=1)
    desk.wait_for((*ids, *others), ChangeState.REFUSED)
    reason = desk.changes[ids[0]].reason
    assert reason is not None
    assert reason.code == "look-too-slow"
    assert shop.writes() == []
    assert shop.asked("inventory") - looks <= 4
    shop.before = lambda _: None
    loop.run_for(600.0)
    quantity = shop.stock(pet)
    desk.submit(Retry(ids))  # somebody knows what that means
    desk.wait_for(ids, ChangeState.DONE)
    assert shop.stock(pet) == quantity + 12


def test_where_the_list_is_slow_a_record_is_read_by_itself(loop: VirtualTime, tmp_path: Path) -> None:
    shop, desk = a_desk(loop, tmp_path)
    pet = a_pet(desk)
    shop.pace.list_s = 11.0
    loop.run_for(3_600.0)
    ids = desk.apply(NewChange(ref_of(pet), SetFields({"name": "Rex"}), {"name": pet.name}))
    desk.wait_for(ids, ChangeState.DONE)
    look, write = shop.served[-2:]
    assert (look.number, write.method) == (pet.id, "PATCH")
    assert write.at - look.at < 5.0


@pytest.mark.parametrize("look_s", [0.0, 4.0])
def test_a_connection_that_takes_too_long_sends_the_write_back_to_look_again(
    loop: VirtualTime, tmp_path: Path, look_s: float
) -> None:
    shop, desk = a_desk(loop, tmp_path)
    pet = min(desk.rows[Resource.INVENTORY], key=str)
    assert isinstance(pet, int)
    shop.pace.connect_s, shop.pace.look_s = 6.0 - look_s, look_s
    sells_after_a_look(shop, pet, 5.5)
    loop.run_for(60.0)
    _, ids = book(desk, 12)
    desk.wait_for(ids, ChangeState.REFUSED)
    assert shop.writes() == []
    reason = desk.changes[ids[0]].reason
    assert reason is not None
    assert reason.code == "look-too-slow"


def test_a_connection_that_takes_too_long_once_costs_one_more_look(loop: VirtualTime, tmp_path: Path) -> None:
    shop, desk = a_desk(loop, tmp_path)
    shop.pace.connect_s = 6.0
    loop.run_for(60.0)
    pet, ids = book(desk, 12)
    quantity = shop.stock(pet)
    shop.sells(pet, 1)
    loop.run_for(5.0)
    shop.pace.connect_s = 0.1
    desk.wait_for(ids, ChangeState.DONE)
    assert shop.stock(pet) == quantity + 11
    assert len(shop.writes()) == 1


def test_what_a_list_showed_while_the_connection_was_made_is_not_written_over(
    loop: VirtualTime, tmp_path: Path
) -> None:
    shop, desk = a_desk(loop, tmp_path)
    shop.pace.connect_s = 3.0
    loop.run_for(60.0)
    pet, ids = book(desk, 12)
    quantity = shop.stock(pet)
    loop.run_for(1.0)
    shop.sells(pet, 1)
    desk.submit(Refresh((Resource.INVENTORY,)))
    desk.wait_for(ids, ChangeState.DONE)
    assert shop.stock(pet) == quantity + 11


def test_what_a_list_showed_meanwhile_is_not_written_over_where_a_person_sent_it_without_a_look(
    loop: VirtualTime, tmp_path: Path
) -> None:
    shop, desk = a_desk(loop, tmp_path, "default")
    shop.pace.list_s = 11.0
    loop.run_for(60.0)
    pet, ids = book(desk, 12)
    desk.wait_for(ids, ChangeState.REFUSED)
    shop.pace.list_s, shop.pace.connect_s = 0.1, 6.0
    quantity = shop.stock(pet)
    desk.submit(Retry(ids))
    loop.run_for(1.0)
    shop.sells(pet, -50)
    desk.submit(Refresh((Resource.INVENTORY,)))
    desk.wait_for(ids, ChangeState.DONE)
    assert shop.stock(pet) == quantity + 62


# ---------------------------------------------------------------- a whole record is put


class Summaries(Books):
    """A list shows less of each record than the record's own operation."""

    def listed(self, collection: str) -> list[dict[str, Any]]:
        return [{name: value for name, value in one.items() if name != "chip"} for one in super().listed(collection)]


def test_a_put_whose_document_names_one_field_sends_the_whole_record(tmp_path: Path) -> None:
    with OtherShop(Ways(change="PUT", ids="number", paging="all")) as shop:
        document = yaml.safe_load(shop.document)
        document["paths"]["/animals/{animalId}"]["put"]["requestBody"]["content"]["application/json"]["schema"] = {
            "type": "object",
            "properties": {"name": {"type": "string"}},
        }
        shop.document = yaml.safe_dump(document).encode()
        with Watched(tmp_path, url=shop.url, key=shop.key) as desk:
            desk.wait_loaded(Resource.PETS)
            before = dict(shop.books.held["animals"][1_005])
            ids = desk.apply(NewChange(Ref(Resource.PETS, 1_005), SetFields({"name": "Rex"}), {"name": before["name"]}))
            desk.wait_for(ids, ChangeState.DONE)
            assert shop.books.held["animals"][1_005] == before | {"name": "Rex"}
        assert shop.complaints == []


def test_a_put_goes_back_with_what_the_record_itself_shows_where_the_list_shows_less(tmp_path: Path) -> None:
    with OtherShop(Ways(change="PUT", ids="number", paging="all", etags=True)) as shop:
        shop.books = Summaries("number")
        with Watched(tmp_path, url=shop.url, key=shop.key) as desk:
            desk.wait_loaded(Resource.PETS)
            before = dict(shop.books.held["animals"][1_005])
            ids = desk.apply(NewChange(Ref(Resource.PETS, 1_005), SetFields({"name": "Rex"}), {"name": before["name"]}))
            desk.wait_for(ids, ChangeState.DONE)
            assert shop.books.held["animals"][1_005] == before | {"name": "Rex"}
        assert shop.complaints == []


def renamed(desk: VirtualDesk, number: int) -> tuple[int, ...]:
    return desk.apply(NewChange(Ref(Resource.PETS, number), SetFields({"name": "Rex"}), {"name": "Koi"}))


WAS = {"name": "Koi", "categoryId": 3, "status": "sold", "chip": "0815", "photoUrls": ["a"]}


def test_a_put_after_a_list_that_shows_less_waits_for_a_person(loop: VirtualTime, tmp_path: Path) -> None:
    shop = BookShop(loop, put=True, reads=False, hidden=("chip", "photoUrls"))
    number = shop.add(**WAS)
    desk = VirtualDesk(loop, shop, tmp_path)
    desk.wait_idle()
    ids = renamed(desk, number)
    desk.wait_for(ids, ChangeState.REFUSED)
    reason = desk.changes[ids[0]].reason
    assert reason is not None
    assert (reason.code, reason.message) == ("list-shows-less", "chip, photoUrls")
    assert shop.written == []
    loop.run_for(60.0)
    shop.pets[number]["status"] = "available"
    desk.submit(Retry(ids))  # somebody knows what that means
    desk.wait_for(ids, ChangeState.DONE)
    assert shop.pets[number] == {"id": number, "name": "Rex", "categoryId": 3, "status": "available"}


@pytest.mark.parametrize("hidden", [(), ("chip", "photoUrls")])
@pytest.mark.parametrize("reads", [True, False])
def test_a_put_loses_nothing_where_its_record_is_shown_whole(
    loop: VirtualTime, tmp_path: Path, hidden: tuple[str, ...], reads: bool
) -> None:
    shop = BookShop(loop, put=True, reads=reads, hidden=hidden if reads else ())
    number = shop.add(**WAS)
    desk = VirtualDesk(loop, shop, tmp_path)
    desk.wait_idle()
    desk.wait_for(renamed(desk, number), ChangeState.DONE)
    assert shop.pets[number] == {**WAS, "id": number, "name": "Rex"}


def test_a_deletion_does_not_ask_about_what_the_list_never_shows(loop: VirtualTime, tmp_path: Path) -> None:
    shop = BookShop(loop, hidden=("chip",))
    number = shop.add(**WAS)
    desk = VirtualDesk(loop, shop, tmp_path)
    desk.wait_idle()
    loop.run_for(60.0)
    ids = desk.apply(NewChange(Ref(Resource.PETS, number), Delete(), {"name": "Koi"}))
    desk.wait_for(ids, ChangeState.DONE)


@pytest.mark.parametrize("tight_s", [15.0, 900.0])
def test_a_change_whose_looks_were_too_old_for_the_limits_leaves_once_they_are_wide_or_a_person_is_told(
    loop: VirtualTime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tight_s: float
) -> None:
    """It was looked at for ever, and nobody told."""
    shop, desk = a_desk(loop, tmp_path, "default")
    serve, narrow = shop.serve, True

    async def tight(request: httpx.Request, left: float) -> httpx.Response:
        answer = await serve(request, left)
        if narrow and request.method == "GET":
            answer.headers["X-RateLimit-Remaining"] = "0"
            answer.headers["X-RateLimit-Reset"] = str(int(loop.wall) + 8)
        return answer

    monkeypatch.setattr(shop, "serve", tight)
    loop.run_for(60.0)
    pet, ids = book(desk, 12)
    quantity = shop.stock(pet)
    loop.run_for(tight_s)
    assert shop.writes() == []
    reason = desk.changes[ids[0]].reason
    assert (None if reason is None else reason.code) == (None if tight_s < 60.0 else "look-too-slow")
    narrow = False
    if reason is not None:
        desk.submit(Retry(ids))
    desk.wait_for(ids, ChangeState.DONE)
    assert shop.stock(pet) == quantity + 12
