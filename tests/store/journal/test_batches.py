"""What the journal says of batches outlasts a restart, and is written with the changes or not at all."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from petstore_desktop.domain.batches import JOB, SINGLE, Batch, BatchKind, ChangeFilter, are_alike
from petstore_desktop.domain.changes import AddStock, ChangeState, Create, NewChange, SetFields
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import LocalId, Pet, Ref, Resource
from petstore_desktop.store.journal.batches import UNDONE, Batches, UndoWrites
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal.reader import JournalReading
from petstore_desktop.store.journal.rows import Outcome
from tests.store.failing_disk import failing_disk

STOCK = [Ref(Resource.INVENTORY, key) for key in range(3)]


def book(journal: Journal, batch: str, count: int = 1, delta: int = 1) -> list[int]:
    acts = [NewChange(ref, AddStock(delta)) for ref in STOCK[:count]]
    return [change.id for change in journal.append(batch, acts, 1.0)]


def send(journal: Journal, ids: list[int], outcome: ChangeState = ChangeState.DONE) -> int:
    attempt = journal.begin_attempt(ids, "{}", {"quantity": 1}, {"quantity": 2}, 2.0)
    journal.end_attempt(attempt, Outcome(outcome), 3.0)
    return attempt


def test_a_batch_of_several_is_a_job_and_one_act_is_not(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    book(journal, "one")
    book(journal, "many", 3)
    batches = Batches(journal)
    assert batches.find(("one", "many")) == {"many": Batch("many", 1.0, priority=JOB)}
    assert batches.one("one") == Batch("one", 1.0, priority=SINGLE)
    assert batches.one("none") is None
    batches.steer(Batch("one", 1.0, paused=True))
    batches.steer(Batch("many", 1.0, priority=5))
    journal.close()
    journal = Journal(tmp_path / "journal.db")
    found = Batches(journal).find(("one", "many"))
    assert (found["one"].paused, found["many"].priority) == (True, 5)
    journal.close()


def test_one_act_keeps_what_made_it_and_goes_before_jobs_all_the_same(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    journal.append("one", [NewChange(STOCK[0], AddStock(6))], 1.0, source="receive:4711")
    assert Batches(journal).one("one") == Batch("one", 1.0, priority=SINGLE, source="receive:4711")
    journal.close()


def test_an_undo_is_written_whole_and_tells_what_it_took(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    done, unsent, going = book(journal, "b", 3)
    send(journal, [done])
    journal.begin_attempt([going], "{}", {}, {}, 2.0)
    batches = Batches(journal)
    undo = Batch("u", 4.0, BatchKind.UNDO, undoes="b")
    opposite = NewChange(STOCK[0], AddStock(-1))
    writes = UndoWrites([unsent], [done, unsent], [going], [(opposite, [done])], [None])
    moved = batches.write(undo, writes, 4.0)
    assert [(change.id, change.state) for change in moved] == [
        (unsent, ChangeState.DISCARDED),
        (going + 1, ChangeState.QUEUED),
    ]
    reason = moved[0].reason
    assert reason is not None
    assert (reason.code, reason.message) == (UNDONE, "u")
    assert batches.taken_of([done, unsent, going]) == {done, unsent}
    assert [change.id for change in batches.taken("u")] == [done, unsent]
    assert batches.pending() == {going: ("undo", "u")}
    assert batches.undo_of("b") == undo
    assert sum(tally.count for tally in batches.tallies("b") if tally.taken) == 3
    filed, _ = JournalReading(journal).window(ChangeFilter(batches=("b",)))
    assert [(one.undone, one.undone_at) for one in filed] == [(True, 4.0)] * 3
    # The opposite is let go before it is sent: what it would have taken back stands, and the undo is redone.
    batches.write(
        Batch("r", 5.0, BatchKind.REDO, "u", "b"), UndoWrites([going + 1], back=[going + 1], forget=[going]), 5.0
    )
    assert batches.taken_of([done, unsent, going]) == {unsent}
    assert (batches.pending(), batches.undo_of("b")) == ({}, None)
    journal.close()


def test_an_undo_that_cannot_be_written_leaves_everything_as_it_was(tmp_path: Path) -> None:
    with failing_disk() as disk:
        journal = Journal(tmp_path / "journal.db")
        ids = book(journal, "b", 2)
        batches = Batches(journal)
        writes = UndoWrites(ids, ids, send=[(NewChange(STOCK[2], AddStock(1)), ids)], before=[None])
        disk.fail_writes = apsw.FullError
        with pytest.raises(StorageError):
            batches.write(Batch("u", 4.0, BatchKind.UNDO, "b"), writes, 4.0)
        disk.fail_writes = None
        assert [change.state for change in journal.open_changes()] == [ChangeState.QUEUED] * 2
        assert (batches.undo_of("b"), batches.taken_of(ids)) == (None, frozenset())
        journal.close()


def test_the_latest_batches_are_found_one_after_another_and_redo_ends_with_the_next_act(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    book(journal, "a", 3)
    second = book(journal, "b")
    batches = Batches(journal)
    found, newest = [], None
    while (before := batches.before(newest)) is not None:
        found.append(before[0])
        newest = before[1]
    assert found == ["b", "a"]
    batches.write(Batch("u", 4.0, BatchKind.UNDO, "b"), UndoWrites(second, second), 4.0)
    assert [undo.id for undo in batches.redoable(5)] == ["u"]
    book(journal, "c")
    assert batches.redoable(5) == []
    journal.close()


def test_what_came_of_a_change_is_told_with_what_was_sent_together_and_the_record_before(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    pet = Pet(1, "Koi", 2, "available")
    ref = Ref(Resource.PETS, 1)
    acts = [NewChange(ref, SetFields({"name": name}), {"name": "Koi"}) for name in ("A", "B")]
    one, two = journal.append("b", acts, 1.0, [pet, None])
    send(journal, [one.id, two.id], ChangeState.UNCERTAIN)
    journal.settle([one.id, two.id], Outcome(ChangeState.DONE), 5.0)
    first, second = Batches(journal).past(journal.changes([one.id, two.id]))
    assert first.before == pet
    assert second.before is None
    assert first.sent is not None
    assert first.sent.value == {"quantity": 2}
    assert [change.id for change in first.together] == [one.id, two.id]
    sample, alike = Batches(journal).sample("b")
    assert sample is not None
    assert (sample.id, alike) == (one.id, False)
    assert (Batches(journal).named(one.id), Batches(journal).named(two.id)) == (pet.name, "")
    journal.close()


def test_several_creations_are_alike_whatever_is_created(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    new = [NewChange(Ref(Resource.PETS, LocalId.new()), Create({"name": name})) for name in ("Olm", "Newt")]
    made = journal.append("pets", new, 1.0)
    assert are_alike(made)
    assert Batches(journal).sample("pets") == (made[0], True)
    mixed = journal.append("mixed", [new[0], NewChange(Ref(Resource.CATEGORIES, LocalId.new()), new[1].intent)], 1.0)
    assert not are_alike(mixed)
    assert Batches(journal).sample("mixed") == (mixed[0], False)
    newest, other = JournalReading(journal).window(ChangeFilter(batches=("pets",)))[0]
    assert newest.act == other.act
    journal.close()
