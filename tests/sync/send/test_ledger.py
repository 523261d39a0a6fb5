"""The journal and the outbox in step: what survives a restart, and what a failing disk does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from petstore_desktop.domain.changes import (
    AddStock,
    Change,
    ChangeState,
    Create,
    Delete,
    NewChange,
    Reason,
    SetFields,
    SetStock,
)
from petstore_desktop.domain.commands import Apply
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal.rows import Outcome
from petstore_desktop.sync.jobs.decisions import Decisions
from petstore_desktop.sync.send.ledger import UNMOVED, Ledger
from petstore_desktop.sync.wire.events import EVENT_CHANGES, ChangesMoved, Event, NotSaved, RowsChanged, Trouble
from tests.store.failing_disk import FailingDisk, failing_disk
from tests.support.manual_clock import ManualClock

STOCK = Ref(Resource.INVENTORY, 7)
OTHER = Ref(Resource.INVENTORY, 8)
LOCAL = LocalId("a")
DONE, QUEUED, UNCERTAIN = ChangeState.DONE, ChangeState.QUEUED, ChangeState.UNCERTAIN


class Desk:
    """A ledger over a real journal, and what it told."""

    def __init__(self, path: Path) -> None:
        self.clock = ManualClock()
        self.told: list[Event] = []
        self.journal = Journal(path)
        self.ledger = Ledger("shop", self.journal, self.clock, self.told.append, lambda _: None)
        self.decisions = Decisions("shop", self.journal, self.ledger, self.clock, self.told.append)
        self.decisions.restore()
        self.ledger.restore()

    def act(self, *changes: NewChange) -> tuple[Change, ...]:
        self.clock.advance(1)
        return self.ledger.apply(Apply(f"batch{self.clock.now().wall}", changes))

    def send(self, *changes: Change, end: ChangeState | None = None, reason: Reason | None = None) -> int:
        """An attempt that took 10 for the base and 22 for the value."""
        self.clock.advance(1)
        attempt = self.ledger.begin(changes, '{"op": "x"}', {"quantity": 10}, {"quantity": 22})
        if end is not None:
            self.ledger.end(attempt, Outcome(end, reason))
        return attempt

    def states(self) -> dict[int, ChangeState]:
        return {change.id: change.state for change in self.ledger.outbox}

    def errors(self) -> list[str]:
        return [event.error.code for event in self.told if isinstance(event, NotSaved | Trouble)]  # the disk's


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def desk(path: Path) -> Iterator[Desk]:
    desk = Desk(path)
    yield desk
    desk.journal.close()


def restarted(desk: Desk, path: Path) -> Desk:
    desk.journal.close()
    return Desk(path)


def test_a_booking_of_unknown_fate_keeps_its_value_over_looks_and_restarts_until_a_person_decides(
    desk: Desk, path: Path
) -> None:
    (booking,) = desk.act(NewChange(STOCK, AddStock(12)))
    assert desk.ledger.pins == {}
    attempt = desk.send(booking, end=UNCERTAIN, reason=Reason("interrupted", ""))
    assert [(pin.attempt, dict(pin.sent.value)) for pin in desk.ledger.pins.values()] == [(attempt, {"quantity": 22})]
    desk.clock.advance(1)
    desk.ledger.settle((booking,), Outcome(QUEUED, UNMOVED))
    desk.send(booking, end=QUEUED, reason=Reason("conflicted", "", 412))  # another try that was surely not done
    again = restarted(desk, path)
    assert [pin.attempt for pin in again.ledger.pins.values()] == [attempt]
    again.clock.advance(60)
    again.ledger.settle((booking,), Outcome(ChangeState.CONFLICT, Reason("moved", "", theirs={"quantity": 3})))
    again.decisions.again((booking.id,))
    assert again.ledger.pins == {}
    last = restarted(again, path)
    assert (last.ledger.pins, last.states()) == ({}, {booking.id: QUEUED})
    last.journal.close()


def test_bookings_of_one_attempt_stay_together_over_a_restart_however_quick_it_all_was(desk: Desk, path: Path) -> None:
    (early,) = desk.act(NewChange(STOCK, AddStock(12)))
    desk.clock.advance(1)
    late, never_sent = desk.ledger.apply(
        Apply("batch", (NewChange(STOCK, AddStock(-1)), NewChange(OTHER, AddStock(1))))
    )
    attempt = desk.ledger.begin((early, late), '{"op": "x"}', {"quantity": 10}, {"quantity": 21})
    desk.ledger.end(attempt, Outcome(UNCERTAIN, Reason("interrupted", "")))
    desk.ledger.settle((early, late), Outcome(QUEUED, UNMOVED))
    again = restarted(desk, path)
    assert {id_: pin.attempt for id_, pin in again.ledger.pins.items()} == {early.id: attempt, late.id: attempt}
    assert again.ledger.pins[late.id].changes == {early.id, late.id}
    assert again.states()[never_sent.id] is QUEUED
    again.journal.close()


def test_what_was_on_the_wire_at_a_kill_is_uncertain_and_pinned(desk: Desk, path: Path) -> None:
    booking, creation = desk.act(
        NewChange(STOCK, AddStock(12)), NewChange(Ref(Resource.PETS, LOCAL), Create({"name": "Koi"}))
    )
    desk.send(booking)
    desk.send(creation)
    again = restarted(desk, path)
    assert again.states() == {booking.id: UNCERTAIN, creation.id: UNCERTAIN}
    assert again.ledger.pins.keys() == {booking.id}
    again.journal.close()


def test_a_person_who_insists_goes_on_from_what_the_conflict_showed(desk: Desk) -> None:
    (count,) = desk.act(NewChange(STOCK, SetStock(40), {"quantity": 10}))
    desk.ledger.settle((count,), Outcome(ChangeState.CONFLICT, Reason("moved", "", theirs={"quantity": 17})))
    desk.decisions.again((count.id,))
    assert [dict(change.base) for change in desk.ledger.outbox] == [{"quantity": 17}]


def test_taking_back_a_creation_takes_back_all_that_was_done_to_it(desk: Desk) -> None:
    pet = Ref(Resource.PETS, LOCAL)
    made, *_ = desk.act(
        NewChange(pet, Create({"name": "Koi"})),
        NewChange(pet, SetFields({"status": "sold"})),
        NewChange(Ref(Resource.INVENTORY, LOCAL), AddStock(3)),
        NewChange(STOCK, AddStock(1)),
    )
    desk.ledger.discard((made.id,))
    assert [change.ref for change in desk.ledger.outbox] == [STOCK]


def test_a_new_act_takes_the_place_of_a_refused_one(desk: Desk) -> None:
    ref = Ref(Resource.PETS, 1)
    (old,) = desk.act(NewChange(ref, SetFields({"name": ""})))
    desk.ledger.settle((old,), Outcome(ChangeState.REFUSED, Reason("refused", "too short", 400)))
    (new,) = desk.act(NewChange(ref, Delete()))
    assert desk.states() == {new.id: QUEUED}


@pytest.mark.parametrize(("source", "stays"), [("", False), ("receive:", True), ("import:st.csv", True)])
def test_a_delivery_does_not_take_the_place_of_a_refused_booking(desk: Desk, source: str, stays: bool) -> None:
    """What is typed over it in its cell does."""
    (old,) = desk.act(NewChange(STOCK, AddStock(-100)))
    desk.ledger.settle((old,), Outcome(ChangeState.REFUSED, Reason("refused", "too few", 400)))
    (new,) = desk.ledger.apply(Apply("delivery", (NewChange(STOCK, AddStock(2)),), source))
    assert desk.states() == ({old.id: ChangeState.REFUSED, new.id: QUEUED} if stays else {new.id: QUEUED})


def test_ids_of_what_was_created_here_are_known_at_once_and_after_a_restart(desk: Desk, path: Path) -> None:
    (made,) = desk.act(NewChange(Ref(Resource.PETS, LOCAL), Create({"name": "Koi"})))
    attempt = desk.send(made)
    desk.ledger.end(attempt, Outcome(DONE, None, 99))
    assert desk.ledger.local_ids == {LOCAL: 99}
    again = restarted(desk, path)
    assert again.ledger.local_ids == {LOCAL: 99}
    again.journal.close()


@pytest.fixture
def disk() -> Iterator[FailingDisk]:
    with failing_disk() as disk:
        yield disk


def test_a_batch_that_the_disk_does_not_take_is_told_as_not_saved(disk: FailingDisk, path: Path) -> None:
    desk = Desk(path)
    disk.fail_writes = apsw.FullError
    assert desk.act(NewChange(STOCK, AddStock(1)), NewChange(STOCK, AddStock(2))) == ()
    disk.fail_writes = None
    assert (desk.errors(), desk.states()) == (["disk-full"], {})
    assert not [event for event in desk.told if isinstance(event, ChangesMoved)]
    desk.journal.close()


def test_an_answer_that_the_disk_does_not_take_is_written_down_later_and_sent_no_more(
    disk: FailingDisk, path: Path
) -> None:
    desk = Desk(path)
    (booking,) = desk.act(NewChange(STOCK, AddStock(12)))
    attempt = desk.send(booking)
    disk.fail_writes = apsw.FullError
    desk.ledger.end(attempt, Outcome(DONE))
    assert (desk.errors(), desk.states()) == (["disk-full"], {booking.id: ChangeState.SENDING})
    assert list(desk.ledger.outbox.heads()) == []  # it is not offered for sending
    disk.fail_writes = None
    desk.ledger.catch_up()
    assert desk.states() == {}
    desk.journal.close()


def test_rows_of_an_answer_that_the_disk_does_not_take_are_told_at_once_and_not_again_later(
    disk: FailingDisk, path: Path
) -> None:
    desk = Desk(path)
    (booking,) = desk.act(NewChange(STOCK, AddStock(12)))
    attempt = desk.send(booking)
    disk.fail_writes = apsw.FullError
    rows = RowsChanged("shop", Resource.INVENTORY, (), (4_711,))
    desk.ledger.end(attempt, Outcome(DONE), rows)
    assert rows in desk.told
    disk.fail_writes = None
    desk.told.clear()
    desk.ledger.catch_up()
    (moved,) = desk.told
    assert isinstance(moved, ChangesMoved)
    assert ([change.state for change in moved.changes], moved.rows) == ([DONE], None)
    desk.journal.close()


def test_many_changes_of_an_earlier_run_are_told_in_parts_in_the_order_of_acting(desk: Desk, path: Path) -> None:
    made = desk.act(*(NewChange(Ref(Resource.INVENTORY, key), AddStock(1)) for key in range(EVENT_CHANGES * 2 + 3)))
    again = restarted(desk, path)
    told = [event.changes for event in again.told if isinstance(event, ChangesMoved)]
    assert [len(changes) for changes in told] == [EVENT_CHANGES, EVENT_CHANGES, 3]
    assert [change.id for changes in told for change in changes] == [change.id for change in made]
    again.journal.close()


def test_what_is_being_sent_cannot_be_discarded_and_that_is_said(desk: Desk) -> None:
    sent, other = desk.act(NewChange(STOCK, AddStock(1)), NewChange(OTHER, AddStock(1)))
    desk.send(sent)
    desk.decisions.let_go((sent.id, other.id), "decision")
    assert desk.errors() == ["being-sent"]
    assert desk.states() == {sent.id: ChangeState.SENDING}
