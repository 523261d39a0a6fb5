from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Barrier

import apsw
import pytest

from petstore_desktop.domain.changes import AddStock, NewChange
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal.schema import KIND as JOURNAL
from petstore_desktop.store.mirror.schema import KIND as MIRROR
from petstore_desktop.store.sqlite.database import Database, DatabaseKind
from tests.program.small_disk import small_disk
from tests.store.failing_disk import failing_disk
from tests.support.kill_hard import kill_hard

ROOT = Path(__file__).parents[3]
NOBODY = 65534
"""The user who owns nothing, on every Linux."""
NOTES = DatabaseKind(application_id=77, steps=(("CREATE TABLE note (text TEXT)",),))
NOTES_2 = DatabaseKind(application_id=77, steps=(*NOTES.steps, ("ALTER TABLE note ADD COLUMN at REAL",)))


def write(path: Path, *texts: str, kind: DatabaseKind = NOTES) -> None:
    database = Database(path, kind)
    with database.transaction() as connection:
        connection.executemany("INSERT INTO note (text) VALUES (?)", [(text,) for text in texts])
    database.close()


def read(path: Path, kind: DatabaseKind = NOTES) -> list[object]:
    database = Database(path, kind)
    with database.reading() as connection:
        texts = [text for (text,) in connection.execute("SELECT text FROM note ORDER BY rowid")]
    database.close()
    return texts


@pytest.mark.parametrize(
    ("kind", "synchronous", "locking"), [(JOURNAL, 2, "exclusive"), (MIRROR, 1, "normal")], ids=["journal", "mirror"]
)
def test_a_database_is_opened_as_durable_as_its_kind_asks(tmp_path, kind, synchronous, locking):
    database = Database(tmp_path / "some.db", kind)
    pragma = database.connection.pragma
    assert pragma("journal_mode") == "wal"
    assert pragma("synchronous") == synchronous
    assert pragma("locking_mode") == locking
    assert pragma("fullfsync") == (1 if kind is JOURNAL else 0)
    assert pragma("application_id") == kind.application_id
    database.close()


def test_two_that_open_a_new_database_at_one_moment_both_open_it(tmp_path):
    """SQLite lets nobody wait for the one that first writes how a file is kept."""

    def opened(path: Path) -> bool:
        together.wait()
        database = Database(path, NOTES)
        database.close()
        return database.is_new

    together = Barrier(4)
    with ThreadPoolExecutor(4) as threads:
        for number in range(60):
            paths = [tmp_path / f"{number}" / "notes.db"] * 4
            assert sorted(threads.map(opened, paths)) == [False, False, False, True]


def test_files_are_for_their_owner_only(tmp_path):
    path = tmp_path / "data" / "shop" / "some.db"
    database = Database(path, MIRROR)
    with database.transaction() as connection:
        connection.execute("UPDATE counter SET sequence = 7")
    if os.name == "posix":
        assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {0o600}
        assert len(list(path.parent.iterdir())) == 4  # with its log and its index, and the lock of the folder
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert stat.S_IMODE(path.parent.parent.stat().st_mode) == 0o700
    database.close()
    assert path.exists()


@pytest.mark.parametrize(
    "content", [b"not a database at all, just words\n" * 100, b"SQLite format 3\0" + b"\xff" * 5000]
)
def test_a_file_that_is_no_database_is_set_aside_and_named(tmp_path, content):
    path = tmp_path / "notes.db"
    path.write_bytes(content)
    database = Database(path, NOTES)
    assert database.set_aside is not None
    assert database.set_aside.name.startswith("notes.db.damaged-")
    assert database.set_aside.read_bytes() == content
    database.close()
    assert read(path) == []


def test_a_database_with_broken_pages_is_set_aside_whole(tmp_path):
    path = tmp_path / "notes.db"
    write(path, *(f"{n}" * 200 for n in range(2_000)))
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 8192] = b"\xa5" * 8192
    path.write_bytes(content)
    database = Database(path, NOTES)
    assert database.set_aside is not None
    assert database.set_aside.read_bytes() == content
    database.close()


def test_two_damaged_files_in_a_second_both_stay(tmp_path):
    path = tmp_path / "notes.db"
    seen = set()
    for n in range(3):
        path.write_bytes(b"damage %d " % n * 1000)
        database = Database(path, NOTES)
        assert database.set_aside is not None
        seen.add(database.set_aside.read_bytes()[:8])
        database.close()
    assert seen == {b"damage 0", b"damage 1", b"damage 2"}


def test_another_programs_database_is_not_written_to(tmp_path):
    path = tmp_path / "notes.db"
    write(path, "theirs", kind=DatabaseKind(application_id=99, steps=NOTES.steps))
    database = Database(path, NOTES)
    assert database.set_aside is not None
    database.close()
    assert read(database.set_aside, DatabaseKind(application_id=99, steps=NOTES.steps)) == ["theirs"]


def test_an_undamaged_database_is_not_set_aside(tmp_path):
    path = tmp_path / "notes.db"
    write(path, "mine")
    database = Database(path, NOTES)
    assert database.set_aside is None
    database.close()
    assert read(path) == ["mine"]


def test_a_newer_schema_is_reached_after_a_copy_of_the_old(tmp_path):
    path = tmp_path / "notes.db"
    write(path, "old")
    assert read(path, NOTES_2) == ["old"]
    write(path, "new", kind=NOTES_2)
    assert read(path, NOTES_2) == ["old", "new"]
    assert read(path.with_name("notes.db.before-v2")) == ["old"]


def test_a_migration_that_fails_leaves_the_old_version(tmp_path):
    path = tmp_path / "notes.db"
    write(path, "old")
    broken = DatabaseKind(application_id=77, steps=(*NOTES.steps, ("ALTER TABLE note ADD COLUMN at REAL", "NO SQL")))
    with pytest.raises(StorageError) as caught:
        Database(path, broken)
    assert caught.value.code == "migration-failed"
    assert caught.value.params["path"] == str(path)
    assert read(path) == ["old"]
    assert read(path.with_name("notes.db.before-v2")) == ["old"]
    assert read(path, NOTES_2) == ["old"]


def test_a_database_of_a_later_program_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "notes.db"
    write(path, "later", kind=NOTES_2)
    with pytest.raises(StorageError) as caught:
        Database(path, NOTES)
    assert caught.value.code == "too-new"
    assert (caught.value.params["version"], caught.value.params["known"]) == (2, 1)
    assert read(path, NOTES_2) == ["later"]


def test_a_folder_that_cannot_be_made_is_said(tmp_path):
    (tmp_path / "file").write_text("in the way")
    path = tmp_path / "file" / "shop" / "some.db"
    with pytest.raises(StorageError) as caught:
        Database(path, NOTES)
    assert caught.value.code == "cannot-open"
    assert caught.value.params["path"] == str(path)


def test_a_folder_in_the_place_of_the_file_is_said(tmp_path):
    (tmp_path / "some.db").mkdir()
    with pytest.raises(StorageError) as caught:
        Database(tmp_path / "some.db", NOTES)
    assert caught.value.code == "not-a-file"


def test_a_full_database_says_so_and_keeps_nothing_of_the_transaction(tmp_path):
    path = tmp_path / "notes.db"
    write(path, "kept")
    database = Database(path, NOTES)
    database.connection.execute("PRAGMA max_page_count = 5")
    with pytest.raises(StorageError) as caught, database.transaction() as connection:
        connection.executemany("INSERT INTO note (text) VALUES (?)", [("x" * 3000,)] * 20)
    assert caught.value.code == "disk-full"
    assert caught.value.params["path"] == str(path)
    with database.transaction() as connection:
        connection.execute("INSERT INTO note (text) VALUES ('small')")
    database.close()
    assert read(path) == ["kept", "small"]


def test_an_exclusive_database_is_locked_for_another_program_until_that_one_dies(tmp_path):
    path = tmp_path / "journal.db"
    command = [sys.executable, "-m", "tests.store.appender", str(path), "hold"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"open\n"
        with pytest.raises(StorageError) as caught:
            Database(path, JOURNAL)
        assert caught.value.code == "locked"
        assert caught.value.params["path"] == str(path)
        kill_hard(holder)
    database = Database(path, JOURNAL)
    assert database.set_aside is None
    database.close()


@contextmanager
def somebodys_folder() -> Iterator[Path]:
    """A folder of somebody to whom rights apply. None do to root: who runs the tests as root is nobody meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        root = os.name == "posix" and Path(folder).stat().st_uid == 0
        if root:
            os.chown(folder, NOBODY, NOBODY)
            os.seteuid(NOBODY)
        try:
            yield Path(folder)
        finally:
            if root:
                os.seteuid(0)


def take_rights(folder: Path, read_only: bool) -> None:
    folder.chmod(0o500 if read_only else 0o700)
    for file in folder.iterdir():
        file.chmod(0o400 if read_only else 0o600)


@pytest.mark.posix("the rights of a folder are in its mode")
@pytest.mark.parametrize("by", ["its disk", "its rights"])
def test_a_folder_that_may_not_be_written_is_said_and_what_is_there_stays(tmp_path, by):
    with small_disk(tmp_path / "disk") as disk:
        if by == "its disk" and disk.mounted:
            only_read(disk.folder, disk.protect)
        else:
            with somebodys_folder() as folder:
                only_read(folder, lambda read_only: take_rights(folder, read_only))


def only_read(folder: Path, protect: Callable[[bool], None]) -> None:
    path = folder / "notes.db"
    write(path, "mine")
    protect(True)
    for there in (path, folder / "shop" / "new.db"):
        with pytest.raises(StorageError) as caught:
            Database(there, NOTES)
        assert (caught.value.code, caught.value.params["opening"]) == ("read-only", True)
    protect(False)
    assert read(path) == ["mine"]


@pytest.mark.parametrize("full", ["the disk", "what SQLite takes for it"])
def test_what_a_killed_program_left_can_still_be_read_on_a_full_disk(tmp_path, full):
    with small_disk(tmp_path / "disk", "3m") as disk, failing_disk() as failing:
        path = disk.folder / "notes.db"
        command = [sys.executable, "-m", "tests.store.appender", str(path), "few"]
        with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as appender:
            assert appender.stdout is not None
            appender.stdout.readline()
            kill_hard(appender)
        if full == "the disk" and disk.mounted:
            disk.fill()
        else:
            failing.fail_writes = apsw.FullError
        journal = Journal(path)
        assert journal.open_changes()
        with pytest.raises(StorageError) as caught:
            for _ in range(500):
                journal.append("b", [NewChange(Ref(Resource.INVENTORY, 1), AddStock(1))], 1.0)
        assert caught.value.code == "disk-full"
        disk.empty()
        failing.fail_writes = None
        journal.append("b", [NewChange(Ref(Resource.INVENTORY, 1), AddStock(1))], 1.0)
        journal.close()


@pytest.mark.parametrize("there", [True, False])
def test_a_start_without_free_space_says_that_the_disk_is_full(tmp_path, there):
    """What SQLite keeps beside a file that several may open is made at a start, and has no room either."""
    with small_disk(tmp_path / "disk", "1m") as disk, failing_disk() as failing:
        path = disk.folder / "notes.db"
        if there:
            write(path, "kept")
        if disk.mounted:
            disk.fill()
        else:
            failing.fail_writes = apsw.FullError
        with pytest.raises(StorageError) as caught:
            write(path, "more")
        assert caught.value.code == "disk-full"
        disk.empty()
        failing.fail_writes = None
        write(path, "more")
        assert read(path)[-1] == "more"
