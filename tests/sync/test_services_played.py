"""Every kind of act at services that speak in the ways that people know: done once, and nothing else is touched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from petstore_desktop.contract.operations import Verb
from petstore_desktop.domain.changes import ChangeState
from petstore_desktop.domain.commands import Refresh, Retry
from petstore_desktop.domain.records import FIELD_SPECS, Resource
from tests.support.services.named import SCENARIOS
from tests.support.services.scenario import Scenario
from tests.support.services.seat import Seat
from tests.support.services.service import Service
from tests.support.virtual_time import VirtualTime

PETS, CATEGORIES, ORDERS, STOCK = Resource
UNSAID = ("rails-silent", "json-api-silent")
"""Services that publish no document, and want a body as nothing tells."""


def having(*verbs: Verb, of: Resource = PETS) -> pytest.MarkDecorator:
    """The scenarios whose service does all this to a resource."""
    found = [one for one in SCENARIOS.values() if of in one.kinds and {*verbs} <= {*one.kinds[of].verbs}]
    return pytest.mark.parametrize(
        "scenario", [one for one in found if one.change != "POST" or Verb.CHANGE not in verbs], ids=str
    )


@pytest.fixture
def loop() -> Iterator[VirtualTime]:
    loop = VirtualTime()
    yield loop
    loop.close()


@pytest.fixture
def seat(loop: VirtualTime, scenario: Scenario, tmp_path: Path) -> Seat:
    return Seat(loop, Service(scenario, loop), tmp_path / "desk")


def editable(scenario: Scenario, resource: Resource) -> list[str]:
    """The fields that people may change there."""
    kind = scenario.kinds[resource]
    return [spec.name for spec in FIELD_SPECS[resource] if spec.editable and spec.name in kind.fields]


@pytest.mark.parametrize("resource", Resource)
@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=str)
def test_each_field_is_edited_alone_and_undone(seat: Seat, resource: Resource) -> None:
    kind = seat.scenario.kinds.get(resource)
    if kind is None or not {Verb.LIST, Verb.CHANGE} <= {*kind.verbs} or seat.scenario.change == "POST":
        assert seat.contract.find(resource, Verb.CHANGE) is None
        return
    key = seat.keys(resource)[1]
    if seat.scenario.name in UNSAID:
        is_refused(seat, seat.desk.apply(seat.change(resource, key, quantity=41)))
        return
    for field in editable(seat.scenario, resource):
        was = seat.service.value(resource, key, field)
        ids = seat.edit(resource, key, **{field: seat.next_value(resource, key, field)})
        seat.done(ids)
        seat.judge()
        seat.loop.run_for(60)
        seat.expect(resource, key, field, was)
        seat.done(seat.undo(ids))
        seat.judge()


def is_refused(seat: Seat, ids: tuple[int, ...]) -> None:
    """It was refused by the service, which is told in its words, and nothing is changed."""
    seat.over(ids)
    for id_ in ids:
        change = seat.desk.changes[id_]
        assert change.state is ChangeState.REFUSED
        assert change.reason is not None
        assert change.reason.status in (415, 422)
        assert "is wanted" in change.reason.message
    seat.judge()


@having(Verb.LIST, Verb.CHANGE)
def test_a_batch_goes_on_after_a_429_in_its_midst_and_is_undone(seat: Seat) -> None:
    before = seat.service.records.whole()
    field = editable(seat.scenario, PETS)[-1]
    acts = [seat.change(PETS, key, **{field: seat.next_value(PETS, key, field)}) for key in seat.keys(PETS)[:5]]
    for key in seat.keys(PETS)[:5]:
        seat.expect(PETS, key, field, seat.next_value(PETS, key, field))
    ids = seat.desk.apply(*acts)
    seat.desk.wait_for(ids[:1], ChangeState.DONE)
    seat.service.refuse(7)
    seat.done(ids)
    seat.judge()
    seat.expected = before
    seat.loop.run_for(60)
    seat.done(seat.undo(ids))
    seat.judge()


@having(Verb.LIST, Verb.CHANGE)
def test_a_lost_answer_a_kill_and_a_colleague(seat: Seat) -> None:
    one, two, three, *_ = seat.keys(PETS)
    seat.service.lost = 1
    seat.done(seat.edit(PETS, one, name="Ada"))
    ids = seat.edit(PETS, two, name="Bo")
    seat.desk.kill()
    seat.loop.run_for(60)
    seat.desk.start()
    seat.sit_down()
    arrived = lambda: seat.service.value(PETS, two, "name") == "Bo"  # noqa: E731 -- asked twice
    asked = lambda: [one.id for one in seat.desk.changes.values() if one.needs_person]  # noqa: E731 -- the same
    seat.desk.wait(lambda: arrived() or asked(), "it is sent after the start, or a person is asked")
    if asked():  # after a minute no look tells where the service has no versions
        seat.desk.submit(Retry(tuple(asked())))
    seat.desk.wait(arrived, "it is sent")
    seat.desk.wait_idle()
    assert all(seat.desk.state(id_) is ChangeState.DONE for id_ in ids if id_ in seat.desk.changes)
    other = next(field for field in reversed(editable(seat.scenario, PETS)) if field != "name")
    theirs = seat.next_value(PETS, three, other)
    seat.loop.run_for(20)
    seat.service.records.put(PETS, three, other, theirs)
    seat.expect(PETS, three, other, theirs)
    seat.done(seat.edit(PETS, three, name="Cleo"))
    names = [write.path for write in seat.service.written]
    assert len(names) == 3
    seat.judge()


@having(Verb.LIST, Verb.CHANGE)
def test_what_a_colleague_changed_is_a_conflict_and_stays(seat: Seat) -> None:
    key = seat.keys(PETS)[0]
    act = seat.change(PETS, key, name="Ours")
    seat.loop.run_for(20)
    seat.service.records.put(PETS, key, "name", "Theirs")
    seat.expect(PETS, key, "name", "Theirs")
    ids = seat.desk.apply(act)
    seat.over(ids)
    assert [seat.desk.state(id_) for id_ in ids] == [ChangeState.CONFLICT]
    seat.judge()


@having(Verb.LIST, Verb.CREATE)
@pytest.mark.parametrize("lost", [0, 1])
def test_a_pet_is_made_once_and_taken_back(seat: Seat, lost: int) -> None:
    if seat.scenario.name == "petclinic":
        assert seat.contract.find(PETS, Verb.CREATE) is None
        return
    fields = {field: seat.next_value(PETS, seat.keys(PETS)[0], field) for field in editable_of_new(seat)}
    seat.service.lost = lost
    ids = seat.create(PETS, **fields)
    if seat.scenario.name in UNSAID:
        is_refused(seat, ids)
        return
    seat.done(ids)
    key = seat.made(PETS)
    assert {name: seat.service.value(PETS, key, name) for name in fields} == fields
    seat.judge()
    if Verb.DELETE in seat.scenario.kinds[PETS].verbs and not lost:
        seat.done(seat.undo(ids))
        del seat.expected[PETS][key]
        seat.judge()


def editable_of_new(seat: Seat) -> list[str]:
    """The fields that a new pet is given."""
    return [field for field in ("name", "category_id", "status") if field in seat.scenario.kinds[PETS].fields]


@having(Verb.LIST, Verb.CREATE, Verb.DELETE)
def test_a_deleted_pet_comes_back_whole(seat: Seat) -> None:
    key = seat.keys(PETS)[2]
    was = dict(seat.expected[PETS][key])
    ids = seat.delete(PETS, key)
    seat.done(ids)
    seat.judge()
    if seat.contract.find(PETS, Verb.CREATE) is None:
        return
    seat.done(seat.undo(ids))
    back = seat.expected[PETS][new := seat.made(PETS)]
    path = seat.scenario.kinds[PETS].fields["id"]
    assert {**back, path[0]: None} == {**was, path[0]: None}
    assert isinstance(new, type(key))
    seat.judge()


@having(Verb.CREATE, of=ORDERS)
@pytest.mark.parametrize("lost", [0, 1])
def test_an_order_is_placed_once_and_cancelled(seat: Seat, lost: int) -> None:
    seat.service.lost = lost
    ids = seat.create(ORDERS, pet_id=seat.keys(PETS)[0], quantity=2)
    seat.done(ids)
    key = seat.made(ORDERS)
    assert [seat.service.value(ORDERS, key, name) for name in ("pet_id", "quantity")] == [seat.keys(PETS)[0], 2]
    seat.judge()
    seat.loop.run_for(60)
    seat.done(seat.delete(ORDERS, key))
    seat.judge()


@pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=str)
def test_a_list_that_breaks_off_is_read_again_whole(seat: Seat) -> None:
    seat.service.broken = 1
    seat.desk.submit(Refresh((PETS,)))
    seat.loop.run_for(120)
    seat.desk.wait_idle()
    assert len(seat.desk.rows[PETS]) == len(seat.service.kept[PETS])
    seat.judge()
