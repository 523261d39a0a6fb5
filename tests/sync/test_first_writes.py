"""The first write of a kind at a service whose ways nobody has seen: what its answer says is looked at, once."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from petstore_desktop import resources
from petstore_desktop.domain.changes import AddStock, Change, ChangeState, Create, NewChange, SetFields
from petstore_desktop.domain.commands import PriceBatch, Refresh, Retry
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.sync.wire.events import BatchPriced, Trouble
from tests.support.book_shop import BookShop
from tests.support.services.families import FAMILIES
from tests.support.services.seat import Seat
from tests.support.services.service import Service
from tests.support.virtual_desk import VirtualDesk
from tests.support.virtual_shop import VirtualShop
from tests.support.virtual_time import VirtualTime
from tests.sync.test_wrong_answers import Small, stands


class Saying(BookShop):
    """A shop that answers each write as if it had done it, and does `lie` instead, where there is one."""

    def __init__(self, loop: VirtualTime) -> None:
        super().__init__(loop)
        self.lie: dict[str, Any] | None = None
        self.looks: list[str] = []
        self.after_write: Callable[[], dict[str, str]] = dict
        """The headers of answers to writes."""
        self.shows_lie = False
        """Whether its answers show the lie."""
        self.hides = ""
        """A field that no answer has."""

    def answer(self, request: httpx.Request) -> httpx.Response:
        said = self._said(request)
        if request.method != "GET":
            said.headers.update(self.after_write())
        if self.hides and "json" in said.headers.get("content-type", "") and "/pets" in request.url.path:
            body = said.json()
            for pet in body if isinstance(body, list) else [body]:
                pet.pop(self.hides, None)
            said = httpx.Response(said.status_code, json=body)
        return said

    def _said(self, request: httpx.Request) -> httpx.Response:
        place = request.url.path.removeprefix("/v1/")
        if request.method == "GET" and "/" in place:
            self.looks.append(place)
        if request.method in ("GET", "DELETE") or self.lie is None:
            return super().answer(request)
        key = place.rpartition("/")[2]
        number = int(key) if key.isdigit() else max(self.pets, default=0) + 1
        before = dict(self.pets[number]) if number in self.pets else None
        said = super().answer(request)
        number = said.json()["id"]
        if self.lie == {}:
            self.pets.pop(number)
            self.pets.update({} if before is None else {number: before})
        else:
            self.pets[number] = {**(before or {}), **self.pets[number], **self.lie}
        return httpx.Response(said.status_code, json=self.pets[number]) if self.shows_lie else said


class Unpromising(Saying):
    """One whose document does not say what its changes are answered."""

    @property
    def document(self) -> dict[str, Any]:
        document = super().document
        document["paths"]["/pets/{id}"]["patch"]["responses"] = {"200": {"description": ""}}
        return document


def a_desk(loop: VirtualTime, shop: BookShop, folder: Path) -> VirtualDesk:
    for name in ("Ada", "Bo", "Cleo"):
        shop.add(name=name, status="available", chip="900-11", points=5, tested=True)
    desk = VirtualDesk(loop, shop, folder / "desk")
    desk.wait_idle()
    return desk


def rename(desk: VirtualDesk, pet: int, name: str) -> Change:
    seen = desk.rows[Resource.PETS][pet].name
    (id_,) = desk.apply(NewChange(Ref(Resource.PETS, pet), SetFields({"name": name}), {"name": seen}))
    return stands(desk, id_)


def create(desk: VirtualDesk, name: str) -> Change:
    (id_,) = desk.apply(NewChange(Ref(Resource.PETS, LocalId.new()), Create({"name": name}), {}))
    return stands(desk, id_)


def test_each_kind_is_looked_at_once_over_all_starts(loop: VirtualTime, tmp_path: Path) -> None:
    shop = Saying(loop)
    desk = a_desk(loop, shop, tmp_path)
    shop.looks.clear()
    first = min(shop.pets)
    assert rename(desk, first, "Ada II").state is ChangeState.DONE
    made = create(desk, "Koi")
    assert made.state is ChangeState.DONE
    assert shop.looks.count(f"pets/{made.result_key}") == 1
    looked = len(shop.looks)
    desk.close()
    desk.start()
    desk.wait_idle()
    assert create(desk, "Orfe").state is ChangeState.DONE
    assert len(shop.looks) == looked
    desk.close()


@pytest.mark.parametrize(
    ("lie", "outcome"),
    [
        ({"name": "Bo"}, ("refused", "another-value")),
        ({"status": None}, ("refused", "emptied")),
        ({"chip": None}, ("refused", "emptied")),
        ({"points": 0}, ("refused", "emptied")),
        ({"tested": False}, ("refused", "emptied")),
        ({"status": "sold"}, ("refused", "also-changed")),
    ],
)
def test_a_yes_to_a_change_that_did_something_else_is_never_done(
    loop: VirtualTime, tmp_path: Path, lie: dict[str, Any], outcome: tuple[str, str]
) -> None:
    shop = Saying(loop)
    desk = a_desk(loop, shop, tmp_path)
    shop.lie = lie
    first, second = sorted(shop.pets)[:2]
    change = rename(desk, first, "Ada II")
    assert change.reason is not None
    assert (change.state.value, change.reason.code) == outcome
    writes = len(shop.written)
    assert rename(desk, second, "Bo II").state is ChangeState.REFUSED, "nothing more of the kind is sent"
    assert len(shop.written) == writes
    desk.close()


@pytest.mark.parametrize("lie", [{"chip": None}, {"points": 0}, {"tested": False}])
def test_a_change_that_empties_a_field_of_which_the_program_knows_nothing_is_found_each_time(
    loop: VirtualTime, tmp_path: Path, lie: dict[str, Any]
) -> None:
    """As a PATCH of FastAPI without `exclude_unset` does: each answer shows it."""
    shop = Saying(loop)
    desk = a_desk(loop, shop, tmp_path)
    first, second = sorted(shop.pets)[:2]
    assert rename(desk, first, "Ada II").state is ChangeState.DONE
    shop.lie, shop.shows_lie = lie, True
    change = rename(desk, second, "Bo II")
    assert change.reason is not None
    assert (change.state.value, change.reason.code, dict(change.reason.theirs)) == ("refused", "emptied", lie)
    desk.close()


def test_each_word_for_a_status_is_looked_at_once(loop: VirtualTime, tmp_path: Path) -> None:
    """A creation that does not take the status leaves its default, which was the first that was looked at."""
    shop = Saying(loop)
    desk = a_desk(loop, shop, tmp_path)
    states = list[str]()
    for status in ("available", "sold"):
        shop.lie = {"status": "available"}
        made = Create({"name": status, "status": status})
        change = stands(desk, desk.apply(NewChange(Ref(Resource.PETS, LocalId.new()), made, {}))[0])
        states.append("" if change.reason is None else change.reason.code)
    assert states == ["", "another-value"]
    desk.close()


def test_a_yes_to_a_change_that_did_nothing_is_not_done(loop: VirtualTime, tmp_path: Path) -> None:
    shop = Saying(loop)
    desk = a_desk(loop, shop, tmp_path)
    shop.lie = {}
    first = min(shop.pets)
    change = rename(desk, first, "Ada II")
    assert change.reason is not None
    assert (change.state.value, change.reason.code) == ("refused", "stayed")
    assert shop.pets[first]["name"] == "Ada"
    desk.close()


def test_a_field_that_was_never_seen_to_be_set_is_looked_at_like_a_first_write(
    loop: VirtualTime, tmp_path: Path
) -> None:
    shop = Saying(loop)
    desk = a_desk(loop, shop, tmp_path)
    first = min(shop.pets)
    assert rename(desk, first, "Ada II").state is ChangeState.DONE
    shop.lie = {}
    (id_,) = desk.apply(NewChange(Ref(Resource.PETS, first), SetFields({"status": "sold"}), {"status": "available"}))
    change = stands(desk, id_)
    assert change.reason is not None
    assert (change.state.value, change.reason.code) == ("refused", "stayed")
    desk.close()


@pytest.mark.parametrize("promised", [True, False])
def test_a_field_that_no_answer_shows_is_not_called_done(loop: VirtualTime, tmp_path: Path, *, promised: bool) -> None:
    shop = Saying(loop) if promised else Unpromising(loop)
    shop.hides = "status"
    desk = a_desk(loop, shop, tmp_path)
    first, second = sorted(shop.pets)[:2]
    outcomes = list[tuple[str, str]]()
    for pet in (first, second):
        (id_,) = desk.apply(NewChange(Ref(Resource.PETS, pet), SetFields({"status": "sold"}), {"status": None}))
        change = stands(desk, id_)
        assert change.reason is not None
        outcomes.append((change.state.value, change.reason.code))
    assert outcomes == [("refused", "not-shown" if promised else "stayed")] * 2
    desk.close()


def test_a_creation_that_made_nothing_is_asked_about(loop: VirtualTime, tmp_path: Path) -> None:
    shop = Saying(loop)
    desk = a_desk(loop, shop, tmp_path)
    shop.lie = {}
    change = create(desk, "Koi")
    assert change.state is ChangeState.UNCERTAIN
    assert len(shop.posts) == 1
    desk.close()


@pytest.mark.parametrize("anew", [False, True])
def test_a_record_that_was_said_to_be_made_and_is_nowhere_is_told(
    loop: VirtualTime, tmp_path: Path, *, anew: bool
) -> None:
    """Also by the next start: one command sends, and another one reads. A copy may be behind for some seconds."""
    shop = Saying(loop)
    desk = a_desk(loop, shop, tmp_path)
    assert create(desk, "Koi").state is ChangeState.DONE
    shop.lie = {}
    made = create(desk, "Orfe")
    assert made.state is ChangeState.DONE, "the kind was looked at before"
    if anew:
        desk.close()
        desk.start()
    desk.submit(Refresh((Resource.PETS,)))
    desk.wait_idle()
    assert [one.error.code for one in desk.of(Trouble)] == []
    assert made.result_key in desk.rows[Resource.PETS]
    loop.run_for(15.0)
    desk.submit(Refresh((Resource.PETS,)))
    desk.wait(lambda: desk.of(Trouble), "it is told")
    assert [(one.error.code, one.error.params["met"]) for one in desk.of(Trouble)] == [("unkept", 1)]
    assert create(desk, "Schleie").state is ChangeState.UNCERTAIN, "each one after it is looked at"
    desk.close()


def test_the_services_of_the_specification_are_known(loop: VirtualTime, tmp_path: Path) -> None:
    shop = VirtualShop(loop, tmp_path / "shop", service="full", rpm=60_000, rpd=6_000_000)
    desk = VirtualDesk(loop, shop, tmp_path / "desk", per_minute=60_000, per_day=6_000_000)
    desk.wait_idle()
    pet = min(desk.rows[Resource.PETS])
    before = len(shop.log_lines())
    assert rename(desk, pet, "Rex").state is ChangeState.DONE
    assert [line["method"] for line in shop.log_lines()[before:]] == ["PATCH"]
    desk.close()


def test_the_price_of_a_batch_has_the_look_at_its_first_write(loop: VirtualTime, tmp_path: Path) -> None:
    shop = Saying(loop)
    desk = a_desk(loop, shop, tmp_path)
    loop.run_for(60.0)
    changes = [NewChange(Ref(Resource.PETS, pet), SetFields({"status": "sold"})) for pet in shop.pets]
    changes.append(NewChange(Ref(Resource.PETS, LocalId.new()), Create({"name": "Koi"})))
    desk.submit(PriceBatch("price", tuple(changes)))
    desk.wait(lambda: desk.of(BatchPriced), "the price is told")
    price = desk.of(BatchPriced)[-1].price
    assert price is not None
    asked, written = shop.asked, len(shop.written)
    desk.wait_for(desk.apply(*changes), ChangeState.DONE)
    assert price.requests == (shop.asked - asked) + (len(shop.written) - written)
    desk.close()


class Stocking(Small):
    """A service whose stock is read by its list alone, and whose changes of it are answered with nothing. `ways`: what
    it takes the number in the path for."""

    def __init__(self, ways: str) -> None:
        super().__init__(silent=True)
        self.ways = ways

    def answer(self, request: httpx.Request) -> httpx.Response:
        place = request.url.path.removeprefix("/v1")
        if request.method != "PATCH" or not place.startswith("/stock/"):
            return super().answer(request)
        self.written.append(f"PATCH {place}")
        number = int(place.rpartition("/")[2])
        entry = next(one for one in self.stock if one[self.ways] == number)
        entry["quantity"] = json.loads(request.content)["quantity"]
        return httpx.Response(204)


@pytest.mark.parametrize(("ways", "done"), [("petId", True), ("id", False)])
def test_a_booking_that_met_another_pets_entry_is_found_by_the_list(
    loop: VirtualTime, tmp_path: Path, ways: str, done: bool
) -> None:
    """Entry 102 is that of pet 7, and pet 102 has entry 101."""
    service = Stocking(ways)
    desk = VirtualDesk(loop, service, tmp_path / "desk")
    desk.wait_idle()
    stock = {entry["petId"]: entry["quantity"] for entry in service.stock}
    (id_,) = desk.apply(NewChange(Ref(Resource.INVENTORY, 102), AddStock(3), {"quantity": 10}))
    change = stands(desk, id_)
    assert (change.state is ChangeState.DONE) is done
    now = {entry["petId"]: entry["quantity"] for entry in service.stock}
    assert (now[102] == stock[102] + 3) is done
    loop.run_for(600.0)
    assert len(service.written) == 1, "nothing is sent again by itself"
    desk.close()


class Counter(Small):
    """A service that answers each booking with the number as it was sent. `colleague`: what somebody sells right after
    it; `lag_s`: how far its list is behind; `keeps`: what it makes of a number;
    `counts`: it shows single entries, with a version that counts."""

    def __init__(self, loop: VirtualTime, *, counts: bool = False) -> None:
        super().__init__(etags=counts)
        self.counts = counts
        self.version = 1
        self.loop, self.colleague, self.lag_s = loop, 0, 0.0
        self.keeps: Callable[[int], int] = lambda number: number
        self.past = [(-100.0, json.dumps(self.stock))]

    @property
    def document(self) -> dict[str, Any]:
        document = super().document
        if self.counts:
            stock = document["paths"]["/stock/{petId}"]
            stock["get"] = {"responses": stock["patch"]["responses"]}
        return document

    def answer(self, request: httpx.Request) -> httpx.Response:
        place = request.url.path.removeprefix("/v1")
        if request.method == "GET" and place.startswith("/stock/"):
            entry = next(one for one in self.stock if one["petId"] == int(place.rpartition("/")[2]))
            return httpx.Response(200, json=entry, headers={"ETag": f'"{self.version}"'})
        if request.method == "GET" and place == "/stock":
            upto = self.loop.time() - self.lag_s
            shown = [said for at, said in self.past if at <= upto][-1]
            return httpx.Response(200, json=json.loads(shown))
        if request.method != "PATCH" or not place.startswith("/stock/"):
            return super().answer(request)
        self.written.append(f"PATCH {place}")
        entry = next(one for one in self.stock if one["petId"] == int(place.rpartition("/")[2]))
        sent = json.loads(request.content)["quantity"]
        entry["quantity"] = self.keeps(sent) - self.colleague
        self.past.append((self.loop.time(), json.dumps(self.stock)))
        self.version += 1
        said = httpx.Response(200, json={**entry, "quantity": sent}, headers={"ETag": f'"{self.version}"'})
        self.version += self.colleague > 0
        return said if self.counts else httpx.Response(200, json=said.json())

    def at(self, pet: int) -> int:
        return next(one["quantity"] for one in self.stock if one["petId"] == pet)


def book(desk: VirtualDesk, pet: int) -> tuple[str, str]:
    seen = desk.rows[Resource.INVENTORY][pet].quantity
    (id_,) = desk.apply(NewChange(Ref(Resource.INVENTORY, pet), AddStock(3), {"quantity": seen}))
    change = stands(desk, id_)
    return change.state.value, "" if change.reason is None else change.reason.code


def test_a_colleague_who_sells_right_after_a_first_booking_proves_nothing_against_the_service(
    loop: VirtualTime, tmp_path: Path
) -> None:
    service = Counter(loop)
    desk = VirtualDesk(loop, service, tmp_path / "desk")
    desk.wait_idle()
    service.colleague = 4
    assert book(desk, 102) == ("uncertain", "neither")
    service.colleague = 0
    assert book(desk, 103) == ("done", ""), "the kind has not stopped, and is proven by the next"
    service.colleague = 4
    assert book(desk, 7) == ("done", "")
    assert [service.at(pet) for pet in (102, 103, 7)] == [9, 6, 39]
    loop.run_for(600.0)
    assert len(service.written) == 3, "nothing is sent again by itself"
    desk.close()


@pytest.mark.parametrize(
    ("sold", "outcome", "next_one"),
    [(4, ("done", ""), ("done", "")), (0, ("refused", "another-value"), ("refused", "operation-stopped"))],
)
def test_versions_that_count_tell_whether_a_colleague_sold_right_after_a_first_booking(
    loop: VirtualTime, tmp_path: Path, sold: int, outcome: tuple[str, str], next_one: tuple[str, str]
) -> None:
    """Without one, it is the service that has made another number of it."""
    service = Counter(loop, counts=True)
    desk = VirtualDesk(loop, service, tmp_path / "desk")
    desk.wait_idle()
    service.colleague = sold
    service.keeps = lambda number: number if sold else number + 7
    assert book(desk, 102) == outcome
    assert service.at(102) == (9 if sold else 20)
    service.colleague = 0
    assert book(desk, 103) == next_one
    desk.close()


def test_bookings_that_come_to_other_numbers_twice_in_a_row_stop(loop: VirtualTime, tmp_path: Path) -> None:
    """A service that adds what it is sent to what there is, and answers with what it was sent."""
    service = Counter(loop)
    desk = VirtualDesk(loop, service, tmp_path / "desk")
    desk.wait_idle()
    service.keeps = lambda number: 2 * number
    outcomes = [book(desk, pet) for pet in (102, 103, 7)]
    assert outcomes == [("uncertain", "neither"), ("refused", "another-value"), ("refused", "operation-stopped")]
    assert len(service.written) == 2
    desk.close()


@pytest.mark.parametrize(
    ("lag_s", "outcome"), [(6.0, ("done", "")), (9.0, ("done", "")), (30.0, ("uncertain", "as-before"))]
)
def test_a_first_booking_that_a_copy_does_not_show_yet_is_not_refused(
    loop: VirtualTime, tmp_path: Path, lag_s: float, outcome: tuple[str, str]
) -> None:
    service = Counter(loop)
    service.lag_s = lag_s
    desk = VirtualDesk(loop, service, tmp_path / "desk")
    desk.wait_idle()
    assert book(desk, 102) == outcome
    loop.run_for(600.0)
    assert (service.at(102), len(service.written)) == (13, 1)
    desk.close()


def test_a_put_that_empties_a_field_of_which_the_program_knows_nothing_is_found_at_its_first_use(
    loop: VirtualTime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its answer is empty, and what it was sent has that field."""
    family = FAMILIES["aspnet"]
    pets = replace(family.kinds[Resource.PETS], more={("chip",): "900-11"})
    service = Service(replace(family, kinds={**family.kinds, Resource.PETS: pets}, document="none"), loop)
    change_it = service.records.change

    def forgetful(resource: Resource, key: int | str, body: Any) -> None:
        change_it(resource, key, body)
        service.kept[resource][key]["chip"] = None

    monkeypatch.setattr(service.records, "change", forgetful)
    profile = str(resources.path("profiles", "aspnet.toml"))
    seat = Seat(loop, service, tmp_path / "desk", profile)
    first, second = (int(key) for key in seat.keys(Resource.PETS)[:2])
    change = rename(seat.desk, first, "Rex II")
    assert change.reason is not None
    assert (change.state, change.reason.code, dict(change.reason.theirs)) == (
        ChangeState.REFUSED, "emptied", {"chip": None},
    )  # fmt: skip
    assert service.written[-1].body["chip"] == "900-11"
    assert rename(seat.desk, second, "Mia II").state is ChangeState.REFUSED, "nothing more of the kind is sent"
    assert len(service.written) == 1
    seat.desk.submit(Retry((change.id,)))
    seat.desk.wait_idle()
    assert stands(seat.desk, change.id).state is ChangeState.DONE
    assert service.value(Resource.PETS, first, "name") == "Rex II"


def test_where_no_look_can_be_made_now_the_answer_counts_and_the_next_is_looked_at(
    loop: VirtualTime, tmp_path: Path
) -> None:
    shop = Saying(loop)
    desk = a_desk(loop, shop, tmp_path)
    shop.looks.clear()
    first, second = sorted(shop.pets)[:2]
    shop.after_write = lambda: {"X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "40"}
    began = loop.time()
    assert rename(desk, first, "Ada II").state is ChangeState.DONE
    assert loop.time() - began < 5
    before = [f"pets/{first}"]
    assert shop.looks == before, "the look before the write, which nothing else guards"
    shop.after_write = dict
    loop.run_for(120.0)
    assert rename(desk, second, "Bo II").state is ChangeState.DONE
    assert shop.looks == [*before, f"pets/{second}", f"pets/{second}"]
    desk.close()
