"""The whole program below its window at the best-known example service, judged by the service's own books."""

from __future__ import annotations

from pathlib import Path

import pytest

from petstore_desktop.contract.binding.bind import bind
from petstore_desktop.contract.cache import from_json, to_json
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.changes import ChangeState, Create, Delete, NewChange, SetFields
from petstore_desktop.domain.commands import CheckLive, Refresh, UseKey
from petstore_desktop.domain.records import FieldValue, LocalId, Ref, Resource, StatusCount
from petstore_desktop.sync.wire.events import CountsRead, KeyWanted, Trouble
from tests.support import petstore_document
from tests.support.petstore import Petstore, a_pet
from tests.support.virtual_desk import VirtualDesk
from tests.support.virtual_time import VirtualTime


@pytest.fixture(params=[3, 2])
def shop(loop: VirtualTime, request: pytest.FixtureRequest) -> Petstore:
    return Petstore(loop, version=request.param)


@pytest.fixture
def desk(loop: VirtualTime, shop: Petstore, tmp_path: Path) -> VirtualDesk:
    desk = VirtualDesk(loop, shop, tmp_path / "desk", per_minute=60_000, per_day=6_000_000)
    desk.wait_idle()
    return desk


def pet(number: int) -> Ref:
    return Ref(Resource.PETS, number)


@pytest.mark.parametrize("document", [petstore_document.openapi3(), petstore_document.swagger2()], ids=["3", "2"])
def test_what_is_offered(document: dict[str, object]) -> None:
    contract = bind(document, source="published", address="http://127.0.0.1:9/v1")
    bound = {op.value: f"{one.method} {one.path}" for op, one in contract.operations.items()}
    assert bound == {
        "categories.list": "GET /pet/findByStatus",
        "pets.list": "GET /pet/findByStatus",
        "pets.read": "GET /pet/{petId}",
        "pets.create": "POST /pet",
        "pets.change": "PUT /pet",
        "pets.delete": "DELETE /pet/{petId}",
        "orders.read": "GET /store/order/{orderId}",
        "orders.create": "POST /store/order",
        "orders.cancel": "DELETE /store/order/{orderId}",
    }
    assert contract.operations[Op.PETS_LIST].statuses == ("available", "pending", "sold")
    assert contract.statuses[Resource.ORDERS] == ("placed", "approved", "delivered")
    assert from_json(to_json(contract)).statuses == contract.statuses


@pytest.mark.parametrize("status", [{"required": False}, {"schema": {"type": "string", "enum": ["available", "sold"]}}])
def test_a_list_of_one_status_is_asked_for_each_whether_it_says_that_it_must_or_not(status: dict[str, object]) -> None:
    contract = bind(petstore_document.openapi3(**status), source="published", address="http://127.0.0.1:9/v1")
    assert contract.operations[Op.PETS_LIST].statuses[-1] == "sold"


def test_all_pets_of_all_statuses_are_read_each_status_once(shop: Petstore, desk: VirtualDesk) -> None:
    assert set(desk.rows[Resource.PETS]) == set(shop.pets)
    asked = [one for one in shop.asked if "findByStatus" in one]
    assert asked == [f"/v1/pet/findByStatus?status={word}" for word in petstore_document.STATUSES]


def test_what_the_lists_of_all_statuses_do_not_show_is_gone(
    loop: VirtualTime, shop: Petstore, desk: VirtualDesk
) -> None:
    del shop.pets[6]
    shop.pets[4]["status"] = "sold"
    loop.run_for(3_600.0)
    desk.wait_idle()
    assert set(desk.rows[Resource.PETS]) == {1, 2, 3, 4, 5, 7}
    assert getattr(desk.rows[Resource.PETS][4], "status", None) == "sold"


def test_a_pet_whose_status_no_list_is_asked_for_stays(loop: VirtualTime, shop: Petstore, desk: VirtualDesk) -> None:
    shop.pets[8] = a_pet(8, "Odd", 1, "lost")
    shop.pets[9] = {name: value for name, value in a_pet(9, "Bare", 1, "").items() if name != "status"}
    for number in (8, 9):
        desk.submit(CheckLive(pet(number)))
    desk.wait(lambda: {8, 9} <= set(desk.rows[Resource.PETS]), "both are shown")
    del shop.pets[7]
    loop.run_for(3_600.0)
    desk.wait_idle()
    assert set(desk.rows[Resource.PETS]) == {1, 2, 3, 4, 5, 6, 8, 9}
    del shop.pets[8]
    desk.submit(CheckLive(pet(8)))
    desk.wait(lambda: 8 not in desk.rows[Resource.PETS], "what is gone goes when it is asked for itself")


def test_a_pet_is_deleted(shop: Petstore, desk: VirtualDesk) -> None:
    ids = desk.apply(NewChange(pet(7), Delete(), {}))
    desk.wait_for(ids, ChangeState.DONE)
    assert 7 not in shop.pets
    assert [one[:2] for one in shop.written] == [("DELETE", "/v1/pet/7")]


def test_a_change_is_a_put_of_the_whole_pet_as_it_was_just_read(shop: Petstore, desk: VirtualDesk) -> None:
    before = dict(shop.pets[2])
    shop.pets[2]["status"] = before["status"] = "sold"
    shop.asked.clear()
    ids = desk.apply(NewChange(pet(2), SetFields({"name": "Mia II"}), {"name": "Mia"}))
    desk.wait_for(ids, ChangeState.DONE)
    assert shop.pets[2] == before | {"name": "Mia II"}
    assert shop.asked == ["/v1/pet/2", "/v1/pet/2"], "the second sees that it does what is meant"
    assert [one[:2] for one in shop.written] == [("PUT", "/v1/pet")]


def test_what_a_colleague_changed_meanwhile_is_a_conflict(shop: Petstore, desk: VirtualDesk) -> None:
    shop.pets[2]["name"] = "Bello"
    ids = desk.apply(NewChange(pet(2), SetFields({"name": "Mia II"}), {"name": "Mia"}))
    desk.wait_for(ids, ChangeState.CONFLICT)
    assert shop.written == []


def test_a_change_whose_answer_is_lost_is_done_once(shop: Petstore, desk: VirtualDesk) -> None:
    shop.lost = 1
    ids = desk.apply(NewChange(pet(2), SetFields({"status": "sold"}), {"status": "available"}))
    desk.wait_for(ids, ChangeState.DONE)
    assert shop.pets[2] == a_pet(2, "Mia", 2, "sold")
    assert len(shop.written) == 1


def test_a_new_pet_gets_an_id_chosen_here_and_is_the_same_one_when_sent_again(
    shop: Petstore, desk: VirtualDesk
) -> None:
    shop.lost = 1
    new = Ref(Resource.PETS, LocalId.new())
    fields: dict[str, FieldValue] = {"name": "Odo", "category_id": 1, "status": "available"}
    ids = desk.apply(NewChange(new, Create(fields), {}))
    desk.wait_for(ids, ChangeState.DONE)
    (number,) = shop.pets.keys() - set(range(1, 8))
    assert shop.pets[number]["name"] == "Odo"
    assert shop.pets[number]["photoUrls"] == []
    assert len({body["id"] for _, _, body in shop.written}) == 1


def test_an_order_gets_an_id_chosen_here(shop: Petstore, desk: VirtualDesk) -> None:
    new = Ref(Resource.ORDERS, LocalId.new())
    ids = desk.apply(NewChange(new, Create({"pet_id": 3, "quantity": 2}), {}))
    desk.wait_for(ids, ChangeState.DONE)
    (number,) = shop.orders.keys() - {1}
    assert (shop.orders[number]["petId"], shop.orders[number]["quantity"]) == (3, 2)


def test_categories_are_those_that_the_pets_have_and_cost_no_request(
    loop: VirtualTime, shop: Petstore, desk: VirtualDesk
) -> None:
    assert names(desk) == {1: "Dogs", 2: "Cats", 3: "Rabbits", 4: "Lions"}
    assert len([one for one in shop.asked if "findByStatus" in one]) == 3
    del shop.pets[4]
    shop.pets[3]["category"]["name"] = "Bunnies"
    desk.submit(Refresh((Resource.CATEGORIES,)))
    desk.wait(lambda: names(desk) == {1: "Dogs", 2: "Cats", 3: "Bunnies"}, "the categories are as the pets have them")
    assert len([one for one in shop.asked if "findByStatus" in one]) == 6


def names(desk: VirtualDesk) -> dict[object, object]:
    """The names of the categories."""
    return {key: getattr(one, "name", None) for key, one in desk.rows[Resource.CATEGORIES].items()}


def test_another_category_of_a_pet_goes_with_its_name(shop: Petstore, desk: VirtualDesk) -> None:
    ids = desk.apply(NewChange(pet(1), SetFields({"category_id": 3}), {"category_id": 1}))
    desk.wait_for(ids, ChangeState.DONE)
    assert shop.pets[1] == a_pet(1, "Rex", 3, "available")
    new = Ref(Resource.PETS, LocalId.new())
    fields: dict[str, FieldValue] = {"name": "Odo", "category_id": 2, "status": "pending"}
    ids = desk.apply(NewChange(new, Create(fields), {}))
    desk.wait_for(ids, ChangeState.DONE)
    (number,) = shop.pets.keys() - set(range(1, 8))
    assert shop.pets[number]["category"] == {"id": 2, "name": "Cats"}


def test_an_order_whose_answer_is_lost_is_looked_for_by_its_id(shop: Petstore, desk: VirtualDesk) -> None:
    shop.lost = 1
    new = Ref(Resource.ORDERS, LocalId.new())
    ids = desk.apply(NewChange(new, Create({"pet_id": 3, "quantity": 2}), {}))
    desk.wait_for(ids, ChangeState.DONE)
    (number,) = shop.orders.keys() - {1}
    assert f"/v1/store/order/{number}" in shop.asked
    assert len(shop.written) == 1


def test_an_order_is_looked_up_by_its_id_with_its_own_status_and_cancelled(
    loop: VirtualTime, shop: Petstore, desk: VirtualDesk
) -> None:
    order = Ref(Resource.ORDERS, 1)
    desk.submit(CheckLive(order))
    desk.wait(lambda: 1 in desk.rows[Resource.ORDERS], "the order is shown")
    assert getattr(desk.rows[Resource.ORDERS][1], "status", None) == "placed"
    loop.run_for(60.0)
    ids = desk.apply(NewChange(order, Delete(), {}))
    desk.wait_for(ids, ChangeState.DONE)
    assert shop.orders == {}


def test_counts_by_status_are_no_list_of_stock(shop: Petstore, desk: VirtualDesk) -> None:
    assert desk.rows[Resource.INVENTORY] == {}
    assert not [one for one in shop.asked if "inventory" in one]


@pytest.fixture
def counting(loop: VirtualTime, shop: Petstore, tmp_path: Path) -> VirtualDesk:
    """A desk at the shop whose count wants no other key than all else."""
    shop.document["paths"]["/store/inventory"]["get"]["security"] = [{"petstore_auth": ["write:pets"]}]
    desk = VirtualDesk(loop, shop, tmp_path / "counting", per_minute=60_000, per_day=6_000_000)
    desk.wait_idle()
    return desk


def test_a_count_that_wants_a_key_of_its_own_waits_for_that_key(
    loop: VirtualTime, shop: Petstore, desk: VirtualDesk
) -> None:
    loop.run_for(3_600.0)
    assert "/v1/store/inventory" not in shop.asked
    assert not desk.of(KeyWanted)
    desk.submit(UseKey("", {"api_key": "a-further-key"}))
    desk.submit(Refresh((Resource.PETS,)))
    desk.wait(lambda: desk.of(CountsRead), "the count is told")


def test_the_service_counts_its_pets_once_after_they_are_read(shop: Petstore, counting: VirtualDesk) -> None:
    desk = counting
    desk.wait(lambda: desk.of(CountsRead), "the count is told")
    assert [one for one in shop.asked if "inventory" in one] == ["/v1/store/inventory"]
    (told,) = desk.of(CountsRead)
    assert told.counts.counts == (
        StatusCount("available", 3, 3), StatusCount("pending", 2, 2), StatusCount("sold", 2, 2),
    )  # fmt: skip
    assert not told.counts.differing


def test_what_the_lists_do_not_show_is_counted_and_there_again_at_the_next_start(
    loop: VirtualTime, shop: Petstore, counting: VirtualDesk
) -> None:
    desk = counting
    desk.wait(lambda: desk.of(CountsRead), "the first count is told")
    shop.pets[8] = a_pet(8, "Odd", 1, "lost")
    desk.submit(Refresh((Resource.PETS,)))
    desk.wait(lambda: len(desk.of(CountsRead)) == 2, "the second count is told")
    counts = desk.of(CountsRead)[-1].counts
    assert counts.differing == (StatusCount("lost", 1, 0),)
    desk.kill()
    loop.run_for(60.0)
    before = len(desk.of(CountsRead))
    shop.answers_counts = 500
    desk.start()
    desk.wait(lambda: len(desk.of(CountsRead)) > before, "the kept count is told")
    assert desk.of(CountsRead)[before].counts == counts


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        ({"available": 3, "pending": -1, "sold": "2", "deep": {"a": 1}, "x" * 61: 1, "\n": 2}, {"available": 3}),
        ({"available": 3} | {f"name{n}": n for n in range(100_000)}, None),
        ({"1": 5, "2": 7}, {}),
        (["available"], {}),
        ({"sold": 10**30}, {}),
    ],
)
def test_a_strange_count_is_bounded_and_harms_nothing(
    loop: VirtualTime, tmp_path: Path, answer: object, kept: dict[str, int] | None
) -> None:
    shop = Petstore(loop)
    shop.document["paths"]["/store/inventory"]["get"]["security"] = [{"petstore_auth": ["write:pets"]}]
    shop.answers_counts = answer
    desk = VirtualDesk(loop, shop, tmp_path / "desk", per_minute=60_000, per_day=6_000_000)
    desk.wait_idle()
    desk.wait(lambda: "/v1/store/inventory" in shop.asked, "it is asked")
    loop.run_for(10.0)
    told = [{one.status: one.counted for one in event.counts.counts} for event in desk.of(CountsRead)]
    assert [len(one) for one in told] == [50] if kept is None else told == ([kept] if kept else [])
    assert set(desk.rows[Resource.PETS]) == set(shop.pets)
    assert not desk.of(Trouble)


def test_a_count_that_fails_is_not_asked_for_again_until_a_person_reads_anew(loop: VirtualTime, tmp_path: Path) -> None:
    shop = Petstore(loop)
    shop.document["paths"]["/store/inventory"]["get"]["security"] = [{"petstore_auth": ["write:pets"]}]
    shop.answers_counts = 404
    desk = VirtualDesk(loop, shop, tmp_path / "desk", per_minute=60_000, per_day=6_000_000)
    desk.wait_idle()
    loop.run_for(7_200.0)
    assert sum("sold" in one for one in shop.asked) > 1
    assert shop.asked.count("/v1/store/inventory") == 1
    shop.answers_counts = None
    desk.submit(Refresh((Resource.PETS,)))
    desk.wait(lambda: desk.of(CountsRead), "the count is told")


def test_a_service_with_a_list_of_stock_is_not_asked_for_counts() -> None:
    document = petstore_document.openapi3()
    entry = {"type": "object", "properties": {"petId": {"type": "integer"}, "quantity": {"type": "integer"}}}
    schema = {"type": "array", "items": entry}
    answer = {"200": {"description": "All", "content": {"application/json": {"schema": schema}}}}
    contract = bind(document, source="published", address="http://127.0.0.1:9/v1")
    assert contract.counts is not None
    assert not [words for words in contract.warnings if "/store/inventory" in words]
    assert (contract.counts.path, from_json(to_json(contract)).counts) == ("/store/inventory", contract.counts)
    document["paths"]["/store/stock"] = {"get": {"responses": answer}}
    assert bind(document, source="published", address="http://127.0.0.1:9/v1").counts is None
