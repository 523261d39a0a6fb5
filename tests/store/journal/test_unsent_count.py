"""A look at a journal that nobody has open: it says what waits there, or that it is damaged, and changes nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from petstore_desktop.domain.changes import AddStock, NewChange
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import Pet, Ref, Resource, Row
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal.salvage import salvaged
from petstore_desktop.store.journal.unsent_count import open_changes, pet_names, unsure_changes
from petstore_desktop.store.mirror.mirror import Mirror

EDITS = 20


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """The journal of a program that was killed after 20 edits."""
    journal = Journal(tmp_path / "first" / "journal.db")
    for pet in range(EDITS):
        ref = Ref(Resource.INVENTORY, pet)
        journal.append(f"b{pet}", [NewChange(ref, AddStock(pet + 1), {"quantity": 4})], 1.0)
    path = tmp_path / "killed" / "journal.db"
    path.parent.mkdir()
    left_by_a_kill(tmp_path / "first" / "journal.db", path)
    journal.close()
    return path


def left_by_a_kill(live: Path, path: Path) -> None:
    for suffix in ("", "-wal"):
        shutil.copyfile(live.with_name(live.name + suffix), path.with_name(path.name + suffix))


def contents(path: Path) -> dict[str, bytes]:
    return {part.name: part.read_bytes() for part in path.parent.iterdir()}


def flip(path: Path, at: int) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte ^ 0x10]))


def test_what_a_killed_program_left_is_counted_and_stays_as_it_is(killed: Path) -> None:
    before = contents(killed)
    assert (open_changes(killed), unsure_changes(killed)) == (EDITS, 0)
    assert contents(killed) == before


def test_a_damaged_log_is_told_and_nothing_behind_the_damage_is_forgotten(killed: Path) -> None:
    log = killed.with_name("journal.db-wal")
    flip(log, log.stat().st_size // 2)
    before = contents(killed)
    with pytest.raises(StorageError) as caught:
        open_changes(killed)
    assert caught.value.code == "damaged"
    assert contents(killed) == before
    journal = Journal(killed)
    assert journal.set_aside is not None
    assert len(salvaged(journal.set_aside).changes) == EDITS
    journal.close()


def test_a_log_whose_file_is_gone_is_damage_and_not_nothing(killed: Path) -> None:
    killed.unlink()
    with pytest.raises(StorageError) as caught:
        open_changes(killed)
    assert caught.value.code == "damaged"
    assert [part.name for part in killed.parent.iterdir()] == ["journal.db-wal"]


def test_a_closed_journal_is_counted_without_a_file_beside_it(killed: Path) -> None:
    Journal(killed).close()
    before = contents(killed)
    assert open_changes(killed) == EDITS
    assert contents(killed) == before


def test_a_journal_that_was_begun_and_not_made_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "journal.db").touch()
    assert open_changes(tmp_path / "journal.db") == 0
    assert open_changes(tmp_path / "none.db") == 0
    assert contents(tmp_path / "journal.db") == {"journal.db": b""}


def test_a_broken_page_is_told(killed: Path) -> None:
    Journal(killed).close()
    with killed.open("r+b") as file:
        file.seek(4096 * 3)
        file.write(b"\xa5" * 4096)
    with pytest.raises(StorageError) as caught:
        open_changes(killed)
    assert caught.value.code == "damaged"


def test_a_mirror_that_was_left_by_a_kill_is_asked_for_names_and_stays_as_it_is(tmp_path: Path) -> None:
    mirror = Mirror(tmp_path / "first" / "mirror.db")
    mirror.put(Resource.PETS, [Row(1, Pet(1, "Koi", None, "sold"), 1.0)], mirror.begin_read())
    path = tmp_path / "killed" / "mirror.db"
    path.parent.mkdir()
    left_by_a_kill(tmp_path / "first" / "mirror.db", path)
    before = contents(path)
    assert pet_names(path, [1, 2]) == {1: "Koi"}
    assert contents(path) == before
    mirror.close()
