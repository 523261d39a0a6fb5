"""An act that was said not to be saved does not come back after a kill; where that is not sure, it is said so."""

from __future__ import annotations

import shutil
from pathlib import Path

import apsw
import pytest

from petstore_desktop.domain.changes import AddStock, NewChange
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.store.journal.journal import Journal
from tests.store.failing_disk import FailingDisk, failing_disk


def act(journal: Journal, batch: str, count: int = 1) -> None:
    news = [NewChange(Ref(Resource.INVENTORY, pet), AddStock(1), {"quantity": 4}) for pet in range(count)]
    journal.append(batch, news, 1.0)


def refused(journal: Journal, batch: str, count: int = 1) -> StorageError:
    with pytest.raises(StorageError) as caught:
        act(journal, batch, count)
    return caught.value


def after_a_kill(path: Path, folder: Path) -> set[str]:
    """What the files as they lie hold for the next program."""
    folder.mkdir()
    for suffix in ("", "-wal"):
        shutil.copyfile(path.with_name(path.name + suffix), folder / f"left.db{suffix}")
    journal = Journal(folder / "left.db")
    assert journal.set_aside is None
    found = {change.batch for change in journal.open_changes()}
    journal.close()
    return found


def once(disk: FailingDisk) -> None:
    """The next sync fails, and no other."""
    disk.fail_syncs, disk.failures = apsw.IOError, 1


@pytest.mark.parametrize("before", [0, 1, 5])
def test_after_a_sync_that_failed_once_the_act_is_gone_for_good(tmp_path: Path, before: int) -> None:
    with failing_disk("journal.db-wal") as disk:
        journal = Journal(tmp_path / "journal.db")
        saved = {f"saved {n}" for n in range(before)}
        for batch in sorted(saved):
            act(journal, batch)
        for number, count in enumerate((40, 1, 20)):  # what the longest leaves behind is not found behind the others
            once(disk)
            error = refused(journal, f"refused {number}", count)
            assert (error.code, error.params.get("unsure")) == ("io-error", None)
            assert after_a_kill(tmp_path / "journal.db", tmp_path / f"killed {number}") == saved
        act(journal, "next")
        assert after_a_kill(tmp_path / "journal.db", tmp_path / "killed") == saved | {"next"}
        journal.close()


def test_while_no_sync_succeeds_it_is_said_that_the_act_may_be_saved(tmp_path: Path) -> None:
    with failing_disk("journal.db") as disk:
        journal = Journal(tmp_path / "journal.db")
        act(journal, "saved")
        disk.fail_syncs = apsw.IOError
        assert refused(journal, "unsure").params.get("unsure") is True
        assert {change.batch for change in journal.open_changes()} == {"saved"}
        assert after_a_kill(tmp_path / "journal.db", tmp_path / "killed") >= {"saved"}
        disk.fail_syncs = None
        act(journal, "again")
        assert after_a_kill(tmp_path / "journal.db", tmp_path / "killed again") == {"saved", "again"}
        journal.close()
