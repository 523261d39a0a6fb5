from __future__ import annotations

import random

from msgspec.structs import replace

from petstore_desktop.desk.changes.outbox_lines import in_order, place
from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.desk.values.cells import Chip
from petstore_desktop.domain.batches import JOB, SINGLE, Batch, BatchFacts
from petstore_desktop.domain.changes import AddStock, Change, ChangeState, Create, Delete, Reason, SetFields, SetStock
from petstore_desktop.domain.commands import Decision
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.sync.wire.events import BatchesMoved, DecisionsMoved
from tests.desk.shopkit import NOON, Journal, small_shop

KOI = Ref(Resource.PETS, 1234)
STOCK = Ref(Resource.INVENTORY, 1234)


def test_lines_come_in_the_order_of_sending_each_with_its_chip() -> None:
    desk = small_shop()
    journal = Journal(desk)
    journal.act(STOCK, AddStock(12))
    journal.act(STOCK, SetStock(40))
    journal.act(KOI, SetFields({"category_id": 2}))
    journal.act(Ref(Resource.ORDERS, 1), SetFields({"complete": True}))
    journal.act(Ref(Resource.PETS, LocalId("x")), Create({"name": "Guppy", "category_id": 1}))
    journal.act(Ref(Resource.ORDERS, 2), Delete())
    lines = desk.outbox.lines()
    assert [(line.title, line.ref_id, line.field) for line in lines] == [
        ("Koi", "1234", "stock"),
        ("Koi", "1234", "stock"),
        ("Koi", "1234", "category_id"),
        ("", "1", "complete"),
        ("Guppy", "", "create"),
        ("", "2", "delete"),
    ]
    assert [line.chip for line in lines] == [
        Chip("add", 12),
        Chip("set", 40),
        Chip("value", text="Birds"),
        Chip("value", text="complete"),
        Chip("create"),
        Chip("delete"),
    ]


def test_counts_tell_what_waits_from_what_needs_a_person() -> None:
    desk = small_shop()
    journal = Journal(desk)
    for state in (ChangeState.QUEUED, ChangeState.SENDING, ChangeState.REFUSED):
        journal.act(STOCK, AddStock(1), state)
    journal.act(KOI, SetFields({"name": "x"}), ChangeState.CONFLICT)
    journal.act(KOI, SetFields({"name": "y"}), ChangeState.UNCERTAIN)
    journal.act(KOI, SetFields({"name": "z"}), ChangeState.DONE)
    outbox = desk.outbox
    assert (outbox.unsent, outbox.refused, outbox.needs_person) == (3, 1, 2)
    assert len(outbox.open) == 5


def test_what_the_program_settles_by_a_look_needs_nobody_until_no_look_can() -> None:
    desk = small_shop()
    journal = Journal(desk)
    change = journal.act(KOI, SetFields({"name": "y"}), ChangeState.UNCERTAIN)
    assert (desk.outbox.unsent, desk.outbox.needs_person) == (1, 0)
    journal.move(change, ChangeState.UNCERTAIN, Reason("cannot-look", "", 403))
    assert (desk.outbox.unsent, desk.outbox.needs_person) == (0, 1)


def test_a_decision_can_be_taken_back_sent_or_not_until_its_change_is_stuck_anew() -> None:
    desk = small_shop()
    journal = Journal(desk)
    one = journal.act(KOI, SetFields({"name": "x"}), ChangeState.CONFLICT)
    two = journal.act(STOCK, SetStock(40), ChangeState.CONFLICT)
    for change in (one, two):
        journal.move(change, ChangeState.QUEUED)
    decisions = (Decision("first", 1.0, (one.id,)), Decision("second", 2.0, (two.id,)))
    apply_event(desk, DecisionsMoved("shop", decisions))
    assert list(desk.outbox.decisions) == ["first", "second"]
    journal.move(one, ChangeState.SENDING)
    assert list(desk.outbox.decisions) == ["first", "second"]
    journal.move(one, ChangeState.CONFLICT)
    assert list(desk.outbox.decisions) == ["second"]


def facts(change: Change, total: int = 1, *, paused: bool = False, alike: bool = True, **counts: int) -> BatchFacts:
    """How far the batch of this change has come; `counts` by state."""
    batch = Batch(change.batch, change.at, paused=paused, priority=SINGLE if total == 1 else JOB)
    states = {ChangeState(name): count for name, count in counts.items()} or {ChangeState.QUEUED: total}
    return BatchFacts(batch, total, states, change, alike, total)


def test_undo_names_the_latest_batch_sent_or_not_and_redo_what_was_undone() -> None:
    desk = small_shop()
    journal = Journal(desk)
    assert desk.done.next() is None
    first = journal.act(STOCK, AddStock(12), ChangeState.DONE)
    one = journal.act(KOI, SetFields({"status": "sold"}), batch="bulk")
    apply_event(desk, BatchesMoved("shop", (facts(first), facts(one, 2)), ("bulk", first.batch), ()))
    target = desk.done.next()
    assert target is not None
    assert (target.id, target.count, target.what.code) == ("bulk", 2, "undo.alike")
    apply_event(desk, BatchesMoved("shop", (facts(one, 2, alike=False),), (first.batch,), ("bulk",)))
    target, again = desk.done.next(), desk.done.next(redo=True)
    assert target is not None
    assert again is not None
    assert (target.id, target.what.code) == (first.batch, "undo.stock")
    assert (target.what.params["title"], target.what.params["chip"]) == ("Koi", Chip("add", 12))
    assert (again.id, again.what.code) == ("bulk", "undo.many")
    apply_event(desk, BatchesMoved("shop", (replace(facts(one, 9), redoable=4),), (), ("bulk",)))
    again = desk.done.next(redo=True)
    assert again is not None
    assert (again.count, again.what.params["count"]) == (4, 4)


def test_at_a_desk_with_lines_of_an_earlier_run_undo_takes_nothing_older_unasked() -> None:
    """After a restart Ctrl+Z in a count took back a whole import that had been sent before it."""
    desk = small_shop()
    imported = Journal(desk).act(STOCK, AddStock(12), ChangeState.DONE)
    apply_event(desk, BatchesMoved("shop", (facts(imported),), (imported.batch,), ()))
    desk.done.stands("stocktake", "the lines", imported.at + 60.0)
    assert next_id(desk) == imported.batch
    desk.done.here = lambda: "stocktake"
    act = desk.done.next()
    assert act is not None and (act.what, act.stays) == ("the lines", "undo-before-start")
    further = desk.done.further_back()
    assert further is not None and further.id == imported.batch, "the question names what was done before"
    desk.done.go_past(act)
    assert next_id(desk) == imported.batch
    desk.done.stands("stocktake", "the lines", imported.at - 60.0)
    assert next_id(desk) == imported.batch
    desk.done.forget("stocktake")
    assert next_id(desk) == imported.batch


def next_id(desk: Desk) -> str:
    act = desk.done.next()
    return "" if act is None else act.id


def test_undo_names_what_is_gone_as_it_was_called() -> None:
    desk = small_shop()
    gone = Journal(desk).act(Ref(Resource.PETS, 1294), Delete(), ChangeState.DONE)
    apply_event(desk, BatchesMoved("shop", (replace(facts(gone), named="Angelfish"),), (gone.batch,), ()))
    target = desk.done.next()
    assert target is not None
    assert (target.what.code, target.what.params["title"]) == ("undo.delete", "Angelfish")
    assert desk.outbox.named(gone) == "Angelfish"


def test_a_decision_that_came_after_the_latest_batch_is_what_undo_takes() -> None:
    desk = small_shop()
    journal = Journal(desk)
    change = journal.act(KOI, SetFields({"name": "x"}))
    apply_event(desk, BatchesMoved("shop", (facts(change),), (change.batch,)))
    for at, wanted in ((NOON + 1, True), (NOON - 1, False)):
        apply_event(desk, DecisionsMoved("shop", (Decision("one", at, (change.id,)),)))
        target = desk.done.next()
        assert target is not None
        assert target.decision is wanted


def test_a_single_act_goes_before_a_job_and_what_is_paused_comes_last_and_says_so() -> None:
    desk = small_shop()
    journal = Journal(desk)
    jobs = [journal.act(Ref(Resource.PETS, key), SetFields({"status": "sold"}), batch="job") for key in (940, 1129)]
    single = journal.act(STOCK, AddStock(12))
    apply_event(desk, BatchesMoved("shop", (facts(jobs[0], 3, queued=2, done=1),)))
    assert [line.change_id for line in desk.outbox.lines()] == [single.id, jobs[0].id, jobs[1].id]
    assert desk.outbox.next_id == single.id
    journal.move(single, ChangeState.DONE)
    assert desk.outbox.next_id == jobs[0].id
    (job,) = desk.outbox.jobs()
    assert (job.total, job.sent, job.left, job.refused, job.paused, job.stuck) == (3, 1, 2, 0, False, False)
    apply_event(desk, BatchesMoved("shop", (facts(jobs[0], 3, paused=True, queued=1, done=1, refused=1),)))
    assert {line.sentence.code for line in desk.outbox.lines()} == {"change.job-paused"}
    assert desk.outbox.next_id is None
    (job,) = desk.outbox.jobs()
    assert (job.left, job.refused, job.paused) == (1, 1, True)
    apply_event(desk, BatchesMoved("shop", (facts(jobs[0], 3, done=3),)))
    assert desk.outbox.jobs() == ()


def test_what_is_counted_act_by_act_is_what_a_look_at_all_of_them_finds() -> None:
    chance = random.Random(7)
    desk = small_shop()
    journal = Journal(desk)
    known: dict[int, Change] = {}
    for step in range(400):
        act = chance.random()
        if act < 0.4 or not known:
            batch = chance.choice(("job", "other", f"single {step}"))
            change = journal.act(KOI, SetFields({"name": f"Koi {step}"}), batch=batch)
        elif act < 0.9:
            change = journal.move(chance.choice(list(known.values())), chance.choice(list(ChangeState)))
        else:
            change = chance.choice(list(known.values()))
            left = {chance.choice(("queued", "done")): 3}
            moved = facts(change, chance.choice((1, 3)), paused=chance.random() < 0.5, **left)
            apply_event(desk, BatchesMoved("shop", (moved,)))
        known[change.id] = change
        waiting = [one for _, one in sorted(known.items()) if one.state.is_open]
        assert list(desk.outbox.open) == waiting
        ready = [one for one in waiting if place(one, desk.outbox.batches) is not None]
        in_turn = in_order(ready, desk.outbox.batches)
        assert desk.outbox.next_id == (in_turn[0].id if in_turn else None)
        assert desk.outbox.needs_person == sum(one.needs_person for one in waiting)
        assert desk.outbox.refused == sum(one.state is ChangeState.REFUSED for one in waiting)


def test_what_rests_on_a_creation_that_was_refused_says_that_it_waits_for_that() -> None:
    desk = small_shop()
    journal = Journal(desk)
    kind, pet = Ref(Resource.CATEGORIES, LocalId("kind")), Ref(Resource.PETS, LocalId("pet"))
    made = journal.act(kind, Create({"name": "Newts"}))
    journal.act(pet, Create({"name": "Ada", "category_id": kind.key}))
    journal.act(KOI, SetFields({"category_id": kind.key}))
    journal.act(STOCK, AddStock(1))
    assert {line.sentence.code for line in desk.outbox.lines()} == {"change.unsent"}
    journal.move(made, ChangeState.REFUSED, Reason("refused", "no newts", 422))
    said = {line.title: line.sentence.code for line in desk.outbox.lines()}
    assert said == {"Newts": "change.refused", "Ada": "change.behind-another", "Koi": "change.unsent"}
    assert [line.sentence.code for line in desk.outbox.lines() if line.field == "category_id"] == [
        "change.behind-another"
    ]
