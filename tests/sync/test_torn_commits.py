"""The last commit in the log of a killed program is damaged: the rest goes on, and what it held is listed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from petstore_desktop.domain.changes import AddStock, NewChange
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.store.journal import Journal
from petstore_desktop.sync.salvaged import asides

EDITS = 5
FRAME, HEAD = 4096 + 24, 32


@pytest.fixture
def killed(tmp_path: Path) -> tuple[Path, int]:
    """The journal of a program that was killed after some edits, and where in its log the last of them begins."""
    journal = Journal(tmp_path / "live" / "journal.db")
    begins = 0
    for pet in range(EDITS):
        begins = (tmp_path / "live" / "journal.db-wal").stat().st_size
        journal.append(f"b{pet}", [NewChange(Ref(Resource.INVENTORY, pet), AddStock(1), {"quantity": 4})], 1.0)
    path = tmp_path / "killed" / "journal.db"
    path.parent.mkdir()
    for suffix in ("", "-wal"):
        shutil.copyfile(tmp_path / "live" / f"journal.db{suffix}", path.with_name(f"journal.db{suffix}"))
    journal.close()
    return path, begins


def test_wherever_the_last_commit_is_damaged_its_edit_is_here_or_listed(
    killed: tuple[Path, int], tmp_path: Path
) -> None:
    path, begins = killed
    size = path.with_name("journal.db-wal").stat().st_size
    assert size - begins >= 2 * FRAME
    listed_at = 0
    for number, at in enumerate(range(begins + 3, size, 211)):
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
        said = asides(journal)
        journal.close()
        listed: set[int] = set()
        for error in said:
            entries = json.loads(Path(str(error.params["list"])).with_suffix(".json").read_text())["entries"]
            listed |= {entry["id"] for entry in entries}
        assert here | listed == set(range(1, EDITS + 1)), at
        assert not here & listed
        listed_at += bool(listed)
        left = {part.name for part in folder.iterdir()} - {"journal.db"}
        assert bool(left) == bool(listed)
        shutil.rmtree(folder)
    assert listed_at > 0
