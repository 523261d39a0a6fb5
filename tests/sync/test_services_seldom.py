"""What is seldom, at three services of different kinds: refusals and losses in the midst, a colleague, a kill, fields
that are null or missing, records that need each other, and what is done again. What is usual: test_services.py.

    spring      a PUT of the whole, versions, pages, its own words for a status
    json-api    a PATCH of a part, no versions, fields and references in objects of their own
    petstore-3  a PUT whose path has no id, no versions, a list of pets for each status, ids by who makes a record
    hidden      a PUT of the whole that is answered with nothing, fields of which the document says nothing

And, for what a look proves of a lost answer, at those whose versions come back with the content (hashed), are told by
answers to writes alone (told-by-writes), or whose writes are answered before they are done (accepts).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from petstore_desktop.contract.operations import Verb, put_at
from petstore_desktop.domain.changes import AddStock, ChangeState, Create, Delete, NewChange
from petstore_desktop.domain.commands import Refresh, Retry, Revert
from petstore_desktop.domain.records import FIELD_SPECS, LocalId, Ref, Resource
from petstore_desktop.sync.send import lost_answer
from petstore_desktop.sync.send.lost_answer import LostAnswer
from petstore_desktop.sync.shared.mirror_writer import Records
from petstore_desktop.sync.wire.events import Undone
from tests.support.services.named import SCENARIOS
from tests.support.services.scenario import Scenario
from tests.support.services.seat import Seat, as_read
from tests.support.services.service import Service
from tests.support.virtual_time import VirtualTime

PETS, CATEGORIES, ORDERS, STOCK = Resource


def at(*names: str) -> pytest.MarkDecorator:
    """At these services."""
    return pytest.mark.parametrize("scenario", [SCENARIOS[name] for name in names], ids=str)


@pytest.fixture
def service(loop: VirtualTime, scenario: Scenario) -> Service:
    return Service(scenario, loop)


@pytest.fixture
def seat(loop: VirtualTime, service: Service, tmp_path: Path) -> Seat:
    return Seat(loop, service, tmp_path / "desk")


def editable(scenario: Scenario, resource: Resource) -> list[str]:
    """The fields that people may change there."""
    kind = scenario.kinds[resource]
    return [spec.name for spec in FIELD_SPECS[resource] if spec.editable and spec.name in kind.fields]


@at("spring", "json-api", "petstore-3")
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


@at("spring", "json-api", "petstore-3")
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


def _sets_back(seat: Seat) -> None:
    """A name is given whose answer is lost; before anybody looks, a colleague gives the old one back."""
    key = seat.keys(PETS)[0]
    seat.done(seat.edit(PETS, key, name="Ada"))
    seat.loop.run_for(60)
    seat.service.lost, seat.service.deaf_s, writes = 1, 30.0, len(seat.service.written)
    seat.desk.apply(seat.change(PETS, key, name="Bo"))
    seat.desk.wait(lambda: seat.service.lost == 0, "it is lost")
    assert seat.service.value(PETS, key, "name") == "Bo"
    seat.service.records.put(PETS, key, "name", "Ada")
    _is_sent_once(seat, writes)


def _comes_late(seat: Seat) -> None:
    """A name is given, which the service does a minute after it has said that it would."""
    key, writes = seat.keys(PETS)[0], len(seat.service.written)
    seat.service.late_s = 60.0
    seat.edit(PETS, key, name="Bo")
    seat.desk.wait(lambda: len(seat.service.written) > writes, "it is accepted")
    _is_sent_once(seat, writes)


def _is_sent_once(seat: Seat, before: int) -> None:
    """A person is asked, and until then nothing more is sent."""
    seat.loop.run_for(300)
    assert len(seat.service.written) == before + 1
    assert [change for change in seat.desk.changes.values() if change.needs_person]
    seat.judge()


@at("spring", "hashed", "told-by-writes", "json-api", "accepts")
def test_what_a_colleague_set_back_after_a_lost_answer_is_not_set_again(seat: Seat) -> None:
    _sets_back(seat)


@at("accepts")
def test_what_is_accepted_and_done_later_is_not_sent_again(seat: Seat) -> None:
    _comes_late(seat)


@pytest.mark.parametrize(
    ("scenario", "owner", "name", "instead", "act"),
    [
        (SCENARIOS["hashed"], lost_answer, "is_counted", lambda _: True, _sets_back),
        (SCENARIOS["told-by-writes"], Records, "versioned", lambda *_: True, _sets_back),
        (SCENARIOS["accepts"], LostAnswer, "may_come", property(lambda _: False), _comes_late),
    ],
    ids=["versions come back", "an old version is none of now", "it may come later"],
)
def test_without_the_rule_that_is_found_out(
    seat: Seat, owner: object, name: str, instead: object, act: Callable[[Seat], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner, name, instead)
    with pytest.raises(AssertionError):
        act(seat)


@at("spring", "json-api", "petstore-3")
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


@at("spring", "petstore-3", "django", "no-category", "posts")
def test_a_pet_is_made_once_though_the_answer_is_lost(seat: Seat) -> None:
    """An answer would be the whole record, or its id, or its address, or nothing."""
    names = [field for field in ("name", "category_id", "status") if field in seat.scenario.kinds[PETS].fields]
    fields = {field: seat.next_value(PETS, seat.keys(PETS)[0], field) for field in names}
    seat.service.lost = 1
    seat.done(seat.create(PETS, **fields))
    key = seat.made(PETS)
    assert {name: seat.service.value(PETS, key, name) for name in fields} == fields
    seat.judge()


@at("spring", "json-api", "petstore-3")
def test_an_order_is_placed_once_though_the_answer_is_lost_and_cancelled(seat: Seat) -> None:
    seat.service.lost = 1
    ids = seat.create(ORDERS, pet_id=seat.keys(PETS)[0], quantity=2)
    seat.done(ids)
    key = seat.made(ORDERS)
    assert [seat.service.value(ORDERS, key, name) for name in ("pet_id", "quantity")] == [seat.keys(PETS)[0], 2]
    seat.judge()
    seat.loop.run_for(60)
    seat.done(seat.delete(ORDERS, key))
    seat.judge()


@at("json-api", "mongo", "petstore-3")
def test_a_list_that_breaks_off_is_read_again_whole(seat: Seat) -> None:
    seat.service.broken = 1
    seat.desk.submit(Refresh((PETS,)))
    seat.loop.run_for(120)
    seat.desk.wait_idle()
    assert len(seat.desk.rows[PETS]) == len(seat.service.kept[PETS])
    seat.judge()


@at("spring", "json-api", "petstore-3")
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


@at("spring", "json-api", "hidden")
def test_a_pet_of_a_category_that_is_new_too(loop: VirtualTime, service: Service, tmp_path: Path) -> None:
    seat = Seat(loop, service, tmp_path / "desk")
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


@at("spring", "json-api", "hidden")
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


@at("spring", "json-api", "hidden")
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


@at("spring", "json-api", "hidden")
def test_stock_is_booked_once_whoever_books_besides(loop: VirtualTime, service: Service, tmp_path: Path) -> None:
    seat = Seat(loop, service, tmp_path / "desk")
    key = seat.keys(STOCK)[2]
    seat.loop.run_for(90)
    service.records.put(STOCK, key, "quantity", 20)
    seat.expect(STOCK, key, "quantity", 25)
    service.lost = 1
    seat.done(seat.desk.apply(NewChange(Ref(STOCK, as_read(key)), AddStock(5), {"quantity": 9})))
    seat.judge()


@at("spring", "json-api", "petstore-3")
def test_what_was_undone_is_done_again(loop: VirtualTime, service: Service, tmp_path: Path) -> None:
    seat = Seat(loop, service, tmp_path / "desk")
    key = seat.keys(PETS)[3]
    ids = seat.edit(PETS, key, name="Again")
    seat.done(ids)
    seat.loop.run_for(60)
    seat.undo(ids)
    known = set(seat.desk.changes)
    seat.loop.run_for(60)
    seat.desk.submit(Revert(seat.desk.changes[ids[0]].batch, again=True))
    seat.desk.wait(lambda: seat.desk.changes.keys() - known, "it is done again")
    seat.done(tuple(seat.desk.changes.keys() - known))
    seat.judge()


NEW = {PETS: {"name": "x"}, CATEGORIES: {"name": "x"}, ORDERS: {"pet_id": 1, "quantity": 1}}


@at("petstore-3", "petclinic", "posts", "gitbook")
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


@at("spring", "two-keys", "petstore-3")
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
