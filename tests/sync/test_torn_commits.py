"""The last commit in the log of a killed program is damaged: the rest goes on, and what it held is listed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from petstore_desktop.domain.changes import AddStock, ChangeState, NewChange
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.sync.jobs.salvage_lists import damaged_lists

EDITS = 5
FRAME, HEAD = 4096 + 24, 32
STEP = 2_477
"""Each so many bytes are damaged: each frame in a place or two, the head of the first among them."""


def nothing(_: Journal) -> None:
    """The last commit is an edit."""


def killed_after(tmp_path: Path, last: Callable[[Journal], object]) -> tuple[Path, int]:
    """The journal of a program that was killed after some edits, and where in its log the last commit begins."""
    journal = Journal(tmp_path / "live" / "journal.db")
    log = tmp_path / "live" / "journal.db-wal"
    begins = before = log.stat().st_size
    for pet in range(EDITS):
        before = log.stat().st_size
        journal.append(f"b{pet}", [NewChange(Ref(Resource.INVENTORY, pet), AddStock(1), {"quantity": 4})], 1.0)
    begins = log.stat().st_size
    last(journal)
    begins = begins if log.stat().st_size > begins else before
    path = tmp_path / "killed" / "journal.db"
    path.parent.mkdir()
    for suffix in ("", "-wal"):
        shutil.copyfile(tmp_path / "live" / f"journal.db{suffix}", path.with_name(f"journal.db{suffix}"))
    journal.close()
    return path, begins


def test_wherever_the_last_commit_is_damaged_its_edit_is_here_or_listed(
    tmp_path: Path,
) -> None:
    path, begins = killed_after(tmp_path, nothing)
    size = path.with_name("journal.db-wal").stat().st_size
    assert size - begins >= 2 * FRAME
    listed_at = 0
    for number, at in enumerate(range(begins + 3, size, STEP)):
        folder = tmp_path / f"{number}"
        shutil.copytree(path.parent, folder)
        with (folder / "journal.db-wal").open("r+b") as log:
            log.seek(at)
            byte = log.read(1)[0]
            log.seek(at)
            log.write(bytes([byte ^ 0x20]))
        journal = Journal(folder / "journal.db")
        assert journal.set_aside is None
        here = {change.id for change in journal.open_changes()}
        said = damaged_lists(journal, 9.0)
        journal.close()
        listed: set[int] = set()
        for error in said:
            entries = json.loads(Path(str(error.params["list"])).with_suffix(".json").read_text())["entries"]
            listed |= {entry["id"] for entry in entries}
        assert here | listed == set(range(1, EDITS + 1)), at
        assert not here & listed
        listed_at += bool(listed)
        left = {part.name for part in folder.iterdir()} - {"journal.db", "files.lock"}
        assert bool(left) == bool(listed)
        shutil.rmtree(folder)
    assert listed_at > 0


def send(journal: Journal) -> None:
    journal.begin_attempt([1], "{}", {"quantity": 4}, {"quantity": 5}, 2.0)


def discard(journal: Journal) -> None:
    journal.discard([1], 2.0)


@pytest.mark.parametrize(
    ("last", "fates"),
    [
        (send, {ChangeState.UNCERTAIN, ChangeState.CONFLICT}),
        (discard, {ChangeState.DISCARDED, ChangeState.CONFLICT}),
    ],
)
def test_what_the_damaged_last_commit_says_to_be_sent_or_discarded_is_not_sent_once_more(
    tmp_path: Path, last: Callable[[Journal], object], fates: set[ChangeState]
) -> None:
    path, begins = killed_after(tmp_path, last)
    size = path.with_name("journal.db-wal").stat().st_size
    for number, at in enumerate(range(begins + 3, size, STEP)):
        folder = tmp_path / f"{number}"
        shutil.copytree(path.parent, folder)
        with (folder / "journal.db-wal").open("r+b") as log:
            log.seek(at)
            byte = log.read(1)[0]
            log.seek(at)
            log.write(bytes([byte ^ 0x20]))
        journal = Journal(folder / "journal.db")
        damaged_lists(journal, 9.0)
        journal.recover(10.0)
        (change,) = journal.changes([1])
        journal.close()
        assert change.state in fates, at
        shutil.rmtree(folder)
