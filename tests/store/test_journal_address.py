"""A journal belongs to one service: at another address another one is opened, and at the old one it is there again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from petstore_desktop.domain.changes import AddStock, NewChange
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.store import journal_address
from petstore_desktop.store.journal.archive import Archive
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal.salvage import address_in
from petstore_desktop.store.journal.schema import KIND
from petstore_desktop.store.journal.unsent_count import address_of, open_changes
from petstore_desktop.store.journal_address import journals_elsewhere, open_journal
from petstore_desktop.store.sqlite.database import log_of, told_mark

OLD, NEW = "https://old:443/v1", "https://new:443/v1"


def book(journal: Journal, batch: str) -> None:
    journal.append(batch, [NewChange(Ref(Resource.INVENTORY, 7), AddStock(1))], 1.0)


def batches(journal: Journal) -> list[str]:
    return [change.batch for change in journal.open_changes()]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal of the old address, in which something waits, with an archive."""
    found = tmp_path / "journal.db"
    journal = open_journal(found, OLD).journal
    book(journal, "old")
    archive = Archive(journal)
    archive.store_away(1e9)
    archive.close()
    journal.close()
    return found


def test_at_another_address_nothing_of_the_old_one_is_there_and_all_of_it_is_kept(path: Path) -> None:
    opened = open_journal(path, NEW)
    assert (opened.moved, batches(opened.journal), opened.journal.address) == (True, [], NEW)
    (kept,) = journals_elsewhere(path)
    assert (address_of(kept), open_changes(kept)) == (OLD, 1)
    opened.journal.close()


def test_back_at_the_old_address_everything_is_there_again(path: Path) -> None:
    archive = Archive(Journal(path)).path
    had = archive.exists()
    journal = open_journal(path, NEW).journal
    assert not archive.exists()
    book(journal, "new")
    journal.close()
    back = open_journal(path, OLD)
    assert (back.moved, batches(back.journal), archive.exists()) == (True, ["old"], had)
    back.journal.close()
    again = open_journal(path, NEW).journal
    assert batches(again) == ["new"]
    again.close()


def test_at_its_own_address_a_journal_stays_where_it_is(path: Path) -> None:
    opened = open_journal(path, OLD)
    assert (opened.moved, batches(opened.journal), journals_elsewhere(path)) == (False, ["old"], [])
    opened.journal.close()


def test_a_journal_of_an_earlier_version_is_taken_for_that_of_the_address_it_is_opened_at(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    old = apsw.Connection(str(path))
    for step in KIND.steps[:3]:
        for statement in step:
            old.execute(statement)
    old.execute(f"PRAGMA application_id={KIND.application_id}")
    old.execute("PRAGMA user_version=3")
    old.execute("INSERT INTO change VALUES (1, 'early', 1.0, 'inventory', '7', '{\"kind\":\"delete\"}', '{}', NULL)")
    old.execute("INSERT INTO open_change VALUES (1)")
    old.close()
    assert address_of(path) == ""
    opened = open_journal(path, OLD)
    assert (opened.moved, batches(opened.journal), opened.journal.address) == (False, ["early"], OLD)
    opened.journal.close()
    moved = open_journal(path, NEW)
    assert batches(moved.journal) == []
    moved.journal.close()


@pytest.mark.parametrize("after", [1, 2, 3, 4])
def test_a_kill_between_any_two_moves_of_a_file_loses_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    class Killed(BaseException):
        pass

    left = after
    rename = Path.rename

    def dying(self: Path, target: Path) -> Path:
        nonlocal left
        left -= 1
        if not left:
            raise Killed
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", dying)
    address = OLD
    for address in (NEW, OLD, NEW):
        try:
            open_journal(path, address).journal.close()
        except Killed:
            break
    monkeypatch.undo()
    there = open_journal(path, address).journal
    assert batches(there) == (["old"] if address == OLD else [])
    there.close()
    back = open_journal(path, OLD).journal
    assert batches(back) == ["old"]
    back.close()


def test_a_log_that_cannot_be_folded_in_keeps_the_journal_where_it_is(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_address, "size_of", lambda _: 1)
    with pytest.raises(StorageError):
        open_journal(path, NEW)
    monkeypatch.undo()
    journal = open_journal(path, OLD).journal
    assert batches(journal) == ["old"]
    journal.close()


def test_a_journal_whose_address_is_damaged_is_not_taken_for_another_services(path: Path) -> None:
    damaged = apsw.Connection(str(path))
    damaged.execute("UPDATE origin SET address = 'https://olf:443/v1'")
    damaged.close()
    opened = open_journal(path, OLD)
    assert (opened.moved, journals_elsewhere(path)) == (False, [])
    assert opened.journal.set_aside is not None
    opened.journal.close()


def ends_early(path: Path) -> None:
    """A start at the new address ends before it has said of what address its journal is."""
    Journal(path).close()


def leaves_nothing(path: Path) -> None:
    path.touch()


def is_damaged(path: Path) -> None:
    open_journal(path, NEW).journal.close()
    path.write_bytes(b"\xa5" * 8192)


@pytest.mark.parametrize("happens", [ends_early, leaves_nothing, is_damaged])
def test_back_at_the_old_address_its_journal_comes_back_whatever_became_of_the_new_ones(
    path: Path, happens: Callable[[Path], None]
) -> None:
    open_journal(path, NEW).journal.close()
    path.unlink()
    happens(path)
    for moved in (True, False):
        back = open_journal(path, OLD)
        assert (back.moved, batches(back.journal)) == (moved, ["old"])
        back.journal.close()


def test_the_copy_of_a_torn_journal_is_looked_at_where_that_journal_is(path: Path) -> None:
    copy = path.with_name("journal.db.damaged-20260101T000000Z-copy")
    parts = (copy, log_of(copy))
    for part in parts:
        part.write_bytes(b"as it was")
    for address, here in ((NEW, False), (OLD, True), (NEW, False)):
        open_journal(path, address).journal.close()
        assert [part.exists() for part in parts] == [here, here]
    told_mark(journals_elsewhere(path)[0].with_name(copy.name)).touch()
    open_journal(path, OLD).journal.close()
    assert not copy.exists()


def test_an_archive_whose_journal_was_lost_is_not_that_of_another_address(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    journal = open_journal(path, OLD).journal
    book(journal, "old")
    journal.discard([change.id for change in journal.open_changes()], 1.0)
    archive = Archive(journal)
    archive.store_away(1e9)
    archive.close()
    journal.close()
    path.unlink()
    lost = open_journal(path, NEW).journal
    strange = Archive(lost)
    assert not strange.bring_back("old")
    strange.close()
    lost.close()
    back = open_journal(path, OLD).journal
    found = Archive(back)
    assert found.bring_back("old")
    found.close()
    back.close()


def test_an_address_that_is_no_text_any_more_is_not_read(path: Path) -> None:
    damaged = path.read_bytes()
    assert OLD.encode() in damaged
    path.write_bytes(damaged.replace(OLD.encode(), b"\xf7" + OLD.encode()[1:]))
    assert address_in(path) == ""
