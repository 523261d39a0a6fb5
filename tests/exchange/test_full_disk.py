"""A disk that fills while a file is written: that is said, the file that was there stays, and nothing else does."""

from __future__ import annotations

import gc
import tempfile
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import Category, Resource, Row
from petstore_desktop.exchange.changes_file import ChangesFile
from petstore_desktop.exchange.counted_file import CountedFile
from petstore_desktop.exchange.records_file import Format, RecordsFile
from petstore_desktop.exchange.records_table import RecordNames, cells
from petstore_desktop.exchange.whole_file import keep_whole
from petstore_desktop.platform_support import write_whole
from petstore_desktop.shop.own_files import write_views
from tests.program.small_disk import SmallDisk, small_disk

pytestmark = [
    pytest.mark.posix("a small disk can be mounted"),
    pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning"),
]

MANY, FEW = 9_000, 3
"""More rows than the disk holds, and so few that the system is only asked for room at their end."""


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    with small_disk(tmp_path / "small", "256k") as disk:
        disk.need()
        yield disk


def counted(file: CountedFile, count: int, write: Callable[[CountedFile, int], None]) -> None:
    try:
        for number in range(count):
            write(file, number)
        file.finish(count)
    finally:
        file.discard()


def records(format_: Format) -> Callable[[Path, int], None]:
    def write(file: CountedFile, number: int) -> None:
        name = sha256(str(number).encode()).hexdigest()  # nothing that a workbook could press together
        row = Row(number, Category(number, name), 0.0)
        file.write([cells(Resource.CATEGORIES, row, RecordNames())])

    return lambda path, count: counted(RecordsFile(path, Resource.CATEGORIES, format_), count, write)


def changes(path: Path, count: int) -> None:
    def write(file: CountedFile, number: int) -> None:
        assert isinstance(file, ChangesFile)
        file.write_unreadable(number, 0.0, "a record", "a text" * 9)

    counted(ChangesFile(path, {}), count, write)


WRITERS: dict[str, Callable[[Path, int], None]] = {
    "csv": records("csv"),
    "json": records("json"),
    "xlsx": records("xlsx"),
    "changes": changes,
    "at once": lambda path, count: keep_whole(path, b"x" * 99 * count, over=True) and None,
    "views": lambda path, count: write_views(path, ["x" * 99] * count),
}


def left_of(disk: SmallDisk) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in disk.folder.iterdir() if path.name != "ballast"}


@pytest.mark.parametrize("count", [MANY, FEW])
@pytest.mark.parametrize("kind", WRITERS)
def test_a_disk_that_fills_while_a_file_is_written_is_said_and_the_old_file_is_all_that_is_there(
    kind: str, count: int, disk: SmallDisk
) -> None:
    """The new one lay there half, under a hidden name, and kept the disk full."""
    (disk.folder / "old").write_bytes(b"precious")
    if count == FEW:
        disk.fill()
    with pytest.raises(StorageError, match="disk-full") as caught:
        WRITERS[kind](disk.folder / "old", count)
    assert caught.value.params["path"] == str(disk.folder / "old")
    del caught
    gc.collect()
    assert left_of(disk) == {"old": b"precious"}


def test_so_is_one_of_the_temporary_folder_where_a_sheet_lies_at_first(
    disk: SmallDisk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(disk.folder))
    disk.fill()
    (tmp_path / "out").mkdir()
    with pytest.raises(StorageError, match="disk-full"):
        WRITERS["xlsx"](tmp_path / "out" / "new.xlsx", MANY)
    assert list((tmp_path / "out").iterdir()) == []


def test_a_file_of_the_program_itself_stays_as_it_was(disk: SmallDisk) -> None:
    (disk.folder / "old").write_bytes(b"precious")
    disk.fill()
    with pytest.raises(OSError, match="No space left"):
        write_whole(disk.folder / "old", b"x" * 300)
    assert left_of(disk) == {"old": b"precious"}
