from __future__ import annotations

from collections.abc import Iterator

import pytest

from petstore_desktop.domain.batches import Batch, BatchKind, ChangeFilter
from petstore_desktop.domain.changes import AddStock, ChangeState, Create, Delete, NewChange
from petstore_desktop.domain.records import LocalId, Pet, Ref, Resource
from petstore_desktop.store.journal import archive as module
from petstore_desktop.store.journal.archive import Archive
from petstore_desktop.store.journal.batches import Batches, UndoWrites
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal.reader import JournalReading
from petstore_desktop.store.journal.rows import Outcome

STOCK = Ref(Resource.INVENTORY, 5)
DAY = 86_400.0
NOW = 1_000 * DAY
LONG_AGO = NOW - 91 * DAY


@pytest.fixture
def archive(journal: Journal) -> Iterator[Archive]:
    archive = Archive(journal)
    yield archive
    archive.close()


def act(journal: Journal, batch: str, at: float, *outcomes: str) -> list[int]:
    """One change for each outcome; an empty one stays queued."""
    changes = journal.append(batch, [NewChange(STOCK, AddStock(1)) for _ in outcomes], at)
    for change, outcome in zip(changes, outcomes, strict=True):
        if outcome:
            attempt = journal.begin_attempt([change.id], "{}", {"quantity": 4}, {"quantity": 5}, at + 1)
            journal.end_attempt(attempt, Outcome(ChangeState(outcome)), at + 2)
    return [change.id for change in changes]


def store_all(archive: Archive, **limits) -> None:
    while archive.store_away(NOW, **limits):
        pass


def ids_in(archive: Archive) -> list[int]:
    if archive.database is None:
        return []
    rows, _ = JournalReading(archive.database).window(ChangeFilter())
    return sorted(row.id for row in rows)


def ids_left(journal: Journal) -> list[int]:
    return sorted(row.id for row in JournalReading(journal).window(ChangeFilter())[0])


def test_what_ended_90_days_ago_moves_and_can_be_read_as_it_was(journal, archive) -> None:
    old = act(journal, "old", LONG_AGO, "done", "done")
    before, attempts = journal.changes(old), journal.attempts(old[0])
    new = act(journal, "new", NOW - DAY, "done")
    store_all(archive)
    assert (ids_in(archive), ids_left(journal)) == (old, new)
    rows, _ = JournalReading(archive.database).window(ChangeFilter())
    assert sorted((row.change() for row in rows), key=lambda change: change.id) == list(before)
    assert archive.bring_back("old")
    assert journal.attempts(old[0]) == attempts


def test_of_many_the_newest_stay_however_old_the_others_are(journal, archive) -> None:
    ids = [act(journal, f"b{n}", NOW - 5.0, "done")[0] for n in range(12)]
    store_all(archive, most=3, keep=4)
    assert (ids_in(archive), ids_left(journal)) == (ids[:8], ids[8:])


def test_nothing_moves_that_waits_for_anything(journal, archive) -> None:
    for outcome in ("", "refused", "conflict", "uncertain", "queued"):
        act(journal, f"open-{outcome}", LONG_AGO, "done", outcome)
    sending = act(journal, "sending", LONG_AGO, "")
    journal.begin_attempt(sending, "{}", {}, {}, LONG_AGO)
    late = act(journal, "late", LONG_AGO, "")
    journal.discard(late, NOW - DAY)
    pending = act(journal, "pending", LONG_AGO, "done")
    Batches(journal).write(Batch("u", NOW, BatchKind.UNDO), UndoWrites(waits=pending), NOW)
    there = ids_left(journal)
    store_all(archive)
    assert ids_left(journal) == there
    assert not archive.path.exists()


def test_what_made_a_record_stays_so_that_later_changes_find_it(journal, archive) -> None:
    local = LocalId.new()
    (made,) = journal.append("made", [NewChange(Ref(Resource.PETS, local), Create({"name": "Rex"}))], LONG_AGO)
    attempt = journal.begin_attempt([made.id], "{}", {}, {}, LONG_AGO)
    journal.end_attempt(attempt, Outcome(ChangeState.DONE, None, 77), LONG_AGO)
    store_all(archive)
    assert journal.local_ids() == {local: 77}
    assert ids_in(archive) == []


def test_a_batch_stays_as_long_as_what_took_it_back_and_goes_with_it(journal, archive) -> None:
    batches = Batches(journal)
    old = act(journal, "old", LONG_AGO, "done")
    (back,) = batches.write(
        Batch("undo", NOW, BatchKind.UNDO, undoes="old"),
        UndoWrites(undone=old, send=[(NewChange(STOCK, AddStock(-1)), old)], before=[None]),
        NOW,
    )
    journal.settle([back.id], Outcome(ChangeState.DONE), NOW)
    store_all(archive)
    assert ids_left(journal) == [*old, back.id]
    while archive.store_away(NOW + 100 * DAY):
        pass
    assert (ids_in(archive), ids_left(journal)) == ([*old, back.id], [])
    assert batches.find(["undo"]) == {}


def test_what_was_stored_away_can_be_brought_back_and_undone(journal, archive) -> None:
    old = act(journal, "old", LONG_AGO, "done", "done")
    before = journal.changes(old)
    store_all(archive)
    assert not archive.bring_back("never heard of")
    assert archive.bring_back("old")
    assert journal.batch("old") == before
    assert ids_in(archive) == []
    Batches(journal).write(Batch("undo", NOW, BatchKind.UNDO, undoes="old"), UndoWrites(undone=old), NOW)
    assert Batches(journal).taken("undo") == before


def test_attempts_that_batches_share_stay_with_the_one_that_stays(journal, archive) -> None:
    (old,) = act(journal, "old", LONG_AGO, "")
    (young,) = act(journal, "young", NOW - DAY, "")
    attempt = journal.begin_attempt([old, young], "{}", {}, {}, LONG_AGO)
    journal.end_attempt(attempt, Outcome(ChangeState.DONE), LONG_AGO)
    store_all(archive)
    assert (ids_in(archive), ids_left(journal)) == ([old], [young])
    assert journal.changes([young])[0].state is ChangeState.DONE
    assert [row.state for row in JournalReading(archive.database).window(ChangeFilter())[0]] == [ChangeState.DONE]


class Killed(BaseException):
    """The program ended here."""


def test_an_end_between_the_copy_and_the_taking_out_leaves_all_and_the_next_time_goes_on(
    journal, archive, monkeypatch
) -> None:
    old = act(journal, "old", LONG_AGO, "done", "done")

    def die(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(module, "_take_out", die)
        with pytest.raises(Killed):
            archive.store_away(NOW)
    assert ids_in(archive) == ids_left(journal) == old
    archive.close()
    again = Archive(journal)
    again.store_away(NOW)
    assert (ids_in(again), ids_left(journal)) == (old, [])
    again.close()


def test_another_journals_archive_is_kept_beside_a_new_one(journal, journal_path) -> None:
    act(journal, "first", LONG_AGO, "done")
    with_first = Archive(journal)
    store_all(with_first)
    with_first.close()
    journal.close()
    journal_path.unlink()
    second = Journal(journal_path)
    ids = act(second, "second", LONG_AGO, "done")
    archive = Archive(second)
    store_all(archive)
    assert ids_in(archive) == ids
    assert [change.batch for change in _batches_of(archive)] == ["second"]
    archive.close()
    archive.path.unlink()
    archive.path.with_name("journal-archive-1.db").rename(archive.path)
    first = Archive(second)
    assert [change.batch for change in _batches_of(first)] == ["first"]
    first.close()
    second.close()


def _batches_of(archive: Archive):
    return [row.change() for row in JournalReading(archive.database).window(ChangeFilter())[0]]


def test_every_table_of_the_journal_moves_or_is_known_to_stay(journal) -> None:
    rows = journal.connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
    tables = {name for (name,) in rows if not name.startswith("sqlite_")}
    moved = {table for table, _ in module._MOVED}
    assert tables - moved == {"open_change", "pending", "draft", "origin"}


def test_a_deletion_moves_with_the_record_that_it_took_and_comes_back_with_it(journal, archive) -> None:
    """What it took is kept beside it, and held the deletion in the journal: nothing was stored away any more."""
    koi = Pet(5, "Koi", 1, "available")
    (gone,) = journal.append("gone", [NewChange(Ref(Resource.PETS, 5), Delete())], LONG_AGO)
    attempt = journal.begin_attempt([gone.id], "{}", {}, {}, LONG_AGO, deletes=koi)
    journal.end_attempt(attempt, Outcome(ChangeState.DONE), LONG_AGO)
    old = act(journal, "old", LONG_AGO, "done")
    before = journal.rows("SELECT * FROM made")
    assert before
    store_all(archive)
    assert (ids_in(archive), ids_left(journal)) == ([gone.id, *old], [])
    assert journal.rows("SELECT * FROM made") == []
    assert archive.bring_back("gone")
    assert journal.rows("SELECT * FROM made") == before
