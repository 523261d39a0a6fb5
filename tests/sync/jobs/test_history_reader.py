from __future__ import annotations

import asyncio
from pathlib import Path

import apsw
import pytest

from petstore_desktop.clock import SystemClock
from petstore_desktop.data_folder import Places
from petstore_desktop.domain.changes import AddStock, ChangeState, Delete, NewChange
from petstore_desktop.domain.commands import ReadHistory, Revert
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.store.journal.archive import Archive
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal.rows import Outcome
from petstore_desktop.sync.jobs import history_reader as module
from petstore_desktop.sync.jobs.history_reader import Archiver
from petstore_desktop.sync.wire.events import Event, HistoryRead, Trouble, Undone
from tests.store.failing_disk import failing_disk
from tests.support.manual_clock import ManualClock
from tests.support.session import NAME, Watched, quantity
from tests.support.shop import Shop

OLD_S = 100 * 86_400.0


def booked(journal: Journal, batch: str, pet: int, at: float) -> None:
    """A booking of +5 that was sent then."""
    (change,) = journal.append(batch, [NewChange(Ref(Resource.INVENTORY, pet), AddStock(5), {"quantity": 1})], at)
    attempt = journal.begin_attempt([change.id], "{}", {"quantity": 1}, {"quantity": 6}, at)
    journal.end_attempt(attempt, Outcome(ChangeState.DONE), at)


def worked(archiver: Archiver, over) -> None:
    """Let it work until that holds."""

    async def look() -> None:
        while not over():
            await asyncio.sleep(0)
            assert not task.done()

    async def main() -> None:
        nonlocal task
        task = asyncio.create_task(archiver.run())
        await asyncio.wait_for(look(), 10)
        task.cancel()

    task: asyncio.Task[None]
    asyncio.run(main())


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FIRST_S", "PAUSE_S", "AGAIN_S"):
        monkeypatch.setattr(module, name, 0.0)


@pytest.mark.usefixtures("at_once")
def test_what_is_over_for_long_is_stored_away_in_pieces_and_all_else_stays(tmp_path: Path) -> None:
    clock = ManualClock()
    now = clock.now().wall
    journal = Journal(tmp_path / "journal.db")
    for n in range(450):
        booked(journal, f"b{n}", 5, now - OLD_S if n < 410 else now)
    archiver = Archiver(NAME, journal, clock, lambda _: None)
    worked(archiver, lambda: not journal.batch("b409"))
    archiver.close()
    assert [len(journal.batch(f"b{n}")) for n in (0, 200, 409, 410, 449)] == [0, 0, 0, 1, 1]
    journal.close()


@pytest.mark.usefixtures("at_once")
def test_a_disk_that_does_not_take_it_is_told_and_all_stays_in_the_journal(tmp_path: Path) -> None:
    told: list[Event] = []
    clock = ManualClock()
    with failing_disk(only="journal-archive.db") as disk:
        journal = Journal(tmp_path / "journal.db")
        booked(journal, "old", 5, clock.now().wall - OLD_S)
        archiver = Archiver(NAME, journal, clock, told.append)
        disk.fail_writes = apsw.FullError
        worked(archiver, lambda: told)
        assert isinstance(told[0], Trouble)
        assert told[0].error.code == "disk-full"
        assert len(journal.batch("old")) == 1
        disk.fail_writes = None
        worked(archiver, lambda: not journal.batch("old"))
        archiver.close()
        journal.close()


def test_a_batch_that_was_stored_away_can_be_undone(default_shop: Shop, tmp_path: Path) -> None:
    ((pet, before),) = default_shop.rows("SELECT pet_id, quantity FROM inventory WHERE quantity > 5 LIMIT 1")
    path = Places(tmp_path).journal(NAME)
    journal = Journal(path)
    booked(journal, "old", pet, 1_000.0)
    archive = Archive(journal)
    archive.store_away(SystemClock().now().wall)
    archive.close()
    assert not journal.batch("old")
    journal.close()
    with Watched(tmp_path, default_shop) as watched:
        watched.wait_loaded()
        watched.submit(Revert("old", ()))
        watched.wait(lambda: watched.of(Undone), "the undo is told")
        ids = tuple(watched.batches[watched.of(Undone)[0].made])
        watched.wait_for(ids, ChangeState.DONE)
    assert quantity(default_shop, pet) == before - 5


def test_a_deletion_that_was_refused_and_undone_is_not_said_to_be_never_sent(full_shop: Shop, tmp_path: Path) -> None:
    ((category,),) = full_shop.rows("SELECT category_id FROM pets WHERE category_id NOTNULL LIMIT 1")
    with Watched(tmp_path, full_shop) as watched:
        watched.wait_loaded()
        ids = watched.apply(NewChange(Ref(Resource.CATEGORIES, category), Delete()))
        watched.wait_for(ids, ChangeState.REFUSED)
        (batch,) = watched.batches
        watched.submit(Revert(batch, ()))
        watched.wait(lambda: watched.of(Undone), "the undo is told")
        watched.submit(ReadHistory(Ref(Resource.CATEGORIES, category)))
        watched.wait(lambda: watched.of(HistoryRead), "its history is read")
        (entry,) = watched.of(HistoryRead)[0].entries
    assert (entry.change.state, entry.undone, entry.tried) == (ChangeState.DISCARDED, True, "refused")
