"""What is seldom: fields that are null or missing, a pet of a category that is new too, limits in the midst of a list,
deletions of all kinds, and what is done again, at services of every kind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from petstore_desktop.contract.operations import Verb, put_at
from petstore_desktop.domain.changes import AddStock, Create, Delete, NewChange
from petstore_desktop.domain.commands import Redo, Refresh
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.sync.wire.events import Undone
from tests.support.services.named import SCENARIOS
from tests.support.services.scenario import Scenario
from tests.support.services.seat import Seat, as_read
from tests.support.services.service import Service
from tests.support.virtual_time import VirtualTime

PETS, CATEGORIES, ORDERS, STOCK = Resource
SAID = [one for one in SCENARIOS.values() if one.document != "none" and one.change != "POST"]
"""Those whose document says how a change is written."""


def having(*verbs: Verb, of: Resource) -> pytest.MarkDecorator:
    """The scenarios whose service does all this to a resource."""
    found = [one for one in SAID if of in one.kinds and {*verbs} <= {*one.kinds[of].verbs}]
    return pytest.mark.parametrize("scenario", found, ids=str)


@pytest.fixture
def loop() -> Iterator[VirtualTime]:
    loop = VirtualTime()
    yield loop
    loop.close()


@pytest.fixture
def service(loop: VirtualTime, scenario: Scenario) -> Service:
    return Service(scenario, loop)


@having(Verb.CHANGE, of=PETS)
def test_a_field_that_is_null_or_missing_stays_so(loop: VirtualTime, service: Service, tmp_path: Path) -> None:
    fields, pets = service.scenario.kinds[PETS].fields, service.kept[PETS]
    one, two, *_ = pets
    if "category_id" in fields:
        pets[one][fields["category_id"][0]] = None
    if len(fields.get("status", ("", ""))) == 1:
        del pets[two][fields["status"][0]]
        if service.scenario.kinds[PETS].by_status:
            del pets[two]
    seat = Seat(loop, service, tmp_path / "desk")
    for key in (one, two) if two in pets else (one,):
        was = service.kept[PETS][key]
        seat.done(seat.edit(PETS, key, name=f"New {key}"))
        now, named = service.kept[PETS][key], {**was}
        put_at(named, fields["name"], f"New {key}")
        assert {name: value for name, value in now.items() if value is not None} == {
            name: value for name, value in named.items() if value is not None
        }
    if "category_id" in fields:
        category = service.scenario.spelled(CATEGORIES, 2)
        seat.done(seat.edit(PETS, one, category_id=category))
        assert service.value(PETS, one, "category_id") == category
    assert service.complaints == []


@having(Verb.CREATE, of=CATEGORIES)
def test_a_pet_of_a_category_that_is_new_too(loop: VirtualTime, service: Service, tmp_path: Path) -> None:
    seat = Seat(loop, service, tmp_path / "desk")
    if seat.contract.find(PETS, Verb.CREATE) is None:
        assert service.scenario.name == "petclinic"
        return
    coming = LocalId.new()
    kind, pet = Ref(CATEGORIES, coming), Ref(PETS, LocalId.new())
    ids = seat.desk.apply(
        NewChange(kind, Create({"name": "Birds"}), {}),
        NewChange(pet, Create({"name": "Coco", "category_id": coming}), {}),
    )
    seat.done(ids)
    made, new = seat.made(CATEGORIES), seat.made(PETS)
    assert service.value(CATEGORIES, made, "name") == "Birds"
    assert [service.value(PETS, new, name) for name in ("name", "category_id")] == ["Coco", made]
    seat.judge()


@having(Verb.CREATE, Verb.DELETE, Verb.LIST, of=CATEGORIES)
def test_a_category_without_pets_is_deleted_and_comes_back(loop: VirtualTime, service: Service, tmp_path: Path) -> None:
    key = list(service.kept[CATEGORIES])[-1]
    for pet in [k for k in service.kept[PETS] if service.value(PETS, k, "category_id") == key]:
        service.records.delete(PETS, pet)
    seat = Seat(loop, service, tmp_path / "desk")
    was = dict(seat.expected[CATEGORIES][key])
    ids = seat.delete(CATEGORIES, key)
    seat.done(ids)
    seat.judge()
    seat.done(seat.undo(ids))
    back = seat.expected[CATEGORIES][seat.made(CATEGORIES)]
    path = service.scenario.kinds[CATEGORIES].fields["id"]
    assert {**back, path[0]: None} == {**was, path[0]: None}
    seat.judge()


@having(Verb.LIST, Verb.DELETE, of=ORDERS)
def test_a_cancelled_order_is_said_to_stay_so(loop: VirtualTime, service: Service, tmp_path: Path) -> None:
    seat = Seat(loop, service, tmp_path / "desk")
    key = seat.keys(ORDERS)[1]
    ids = seat.delete(ORDERS, key)
    seat.done(ids)
    seat.judge()
    seat.done(seat.undo(ids))
    (told,) = seat.desk.of(Undone)
    assert [code for _, code in told.impossible] == ["undo-order-cancelled"]
    seat.judge()


@having(Verb.LIST, Verb.CHANGE, of=STOCK)
def test_stock_is_booked_once_whoever_books_besides(loop: VirtualTime, service: Service, tmp_path: Path) -> None:
    seat = Seat(loop, service, tmp_path / "desk")
    key = seat.keys(STOCK)[2]
    seat.loop.run_for(90)
    service.records.put(STOCK, key, "quantity", 20)
    seat.expect(STOCK, key, "quantity", 25)
    service.lost = 1
    seat.done(seat.desk.apply(NewChange(Ref(STOCK, as_read(key)), AddStock(5), {"quantity": 9})))
    seat.judge()


@having(Verb.LIST, Verb.CHANGE, of=PETS)
def test_what_was_undone_is_done_again(loop: VirtualTime, service: Service, tmp_path: Path) -> None:
    seat = Seat(loop, service, tmp_path / "desk")
    key = seat.keys(PETS)[3]
    ids = seat.edit(PETS, key, name="Again")
    seat.done(ids)
    seat.loop.run_for(60)
    seat.undo(ids)
    known = set(seat.desk.changes)
    seat.loop.run_for(60)
    seat.desk.submit(Redo(seat.desk.changes[ids[0]].batch))
    seat.desk.wait(lambda: seat.desk.changes.keys() - known, "it is done again")
    seat.done(tuple(seat.desk.changes.keys() - known))
    seat.judge()


NEW = {PETS: {"name": "x"}, CATEGORIES: {"name": "x"}, ORDERS: {"pet_id": 1, "quantity": 1}}


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=str)
def test_what_is_not_offered_is_refused_in_words_and_not_sent(
    loop: VirtualTime, service: Service, tmp_path: Path
) -> None:
    seat = Seat(loop, service, tmp_path / "desk")
    for resource, kind in service.scenario.kinds.items():
        shown = [key for key in service.kept[resource] if as_read(key) in seat.desk.rows[resource]]
        for verb in (Verb.CREATE, Verb.DELETE):
            if seat.contract.find(resource, verb) is not None or not shown or resource is STOCK:
                continue
            assert verb not in kind.verbs or service.scenario.name == "petclinic"
            ref = Ref(resource, LocalId.new()) if verb is Verb.CREATE else seat.ref(resource, shown[-1])
            ids = seat.desk.apply(NewChange(ref, Create(NEW[resource]) if verb is Verb.CREATE else Delete(), {}))
            seat.over(ids)
            assert seat.told(ids[0])[:2] == ("refused", "not-offered")
        if seat.contract.find(resource, Verb.CHANGE) is None and shown and resource in (PETS, CATEGORIES):
            ids = seat.desk.apply(seat.change(resource, shown[0], name="x"))
            seat.over(ids)
            assert seat.told(ids[0])[:2] == ("refused", "not-offered")
    assert service.written == []
    seat.judge()


@having(Verb.LIST, of=PETS)
def test_a_429_in_the_midst_of_a_list_is_heeded(loop: VirtualTime, service: Service, tmp_path: Path) -> None:
    seat = Seat(loop, service, tmp_path / "desk")
    key = seat.keys(PETS)[-1]
    service.records.put(PETS, key, "name", "Theirs")
    seat.expect(PETS, key, "name", "Theirs")
    seat.desk.submit(Refresh((PETS,)))
    seat.loop.run_for(0.1)
    service.refuse(30)
    seat.loop.run_for(120)
    seat.desk.wait_idle()
    assert getattr(seat.desk.rows[PETS][as_read(key)], "name", None) == "Theirs"
    seat.judge()
