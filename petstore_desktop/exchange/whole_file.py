"""A file that gets its name only when it is whole: until then it lies beside its place under a name of its own."""

from __future__ import annotations

import itertools
import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from io import BufferedWriter
from pathlib import Path

from petstore_desktop.clock import unique
from petstore_desktop.data_folder import storage_errors
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.held_files import move, remove
from petstore_desktop.platform_support import RefusalKept, sync_directory
from petstore_desktop.regular_files import place_to_write


class WholeFile:
    """`target` is where it is to be, `file` what is written until `keep`: to write to it never fails, so that whoever
    does ends in order. What the system refuses is raised at the end of `told`, and by `keep`."""

    def __init__(self, target: Path) -> None:
        """Raises StorageError, also for what is there and is no file."""
        with _told(target):
            self.target = place_to_write(target)
            self._part = self.target.with_name(f".{self.target.name}.{unique()}")
            self._raw = RefusalKept(self._part, "xb")
        self.file = BufferedWriter(self._raw)

    @contextmanager
    def told(self) -> Generator[None]:
        """What the system refuses inside, of this file or another, is raised as a StorageError that names this one."""
        with _told(self.target):
            yield
            self._refuse()

    def keep(self) -> None:
        """Move the finished file to its place, synced, replacing what is there. Raises StorageError."""
        with self.told():
            self.file.flush()
            self._refuse()
            os.fsync(self._raw.fileno())
            self.file.close()
            self._refuse()
            move(self._part, self.target)
            sync_directory(self.target.parent)

    def discard(self) -> None:
        """Leave nothing behind; after `keep` it has no effect."""
        self.file.close()
        with suppress(NotADirectoryError):
            remove(self._part)

    def _refuse(self) -> None:
        if self._raw.refused is not None:
            raise self._raw.refused


@contextmanager
def _told(target: Path) -> Generator[None]:
    with storage_errors(target):
        try:
            yield
        except FileNotFoundError as error:
            raise StorageError("folder-missing", path=str(target.parent), why=error.strerror) from error


def keep_whole(target: Path, content: bytes, *, over: bool, make_folder: bool = False) -> Path:
    """Write a file whole or not at all; where it is. Unless it may be written `over`, one that is there already stays,
    and the new one gets a number in its name. `make_folder`: also the folder that it is to be in. Raises
    StorageError."""
    place = target if over else _free(target)
    if make_folder:
        with _told(place):
            place.parent.mkdir(exist_ok=True)
    file = WholeFile(place)
    try:
        file.file.write(content)
        file.keep()
    finally:
        file.discard()
    return place


def _free(target: Path) -> Path:
    return next(
        place
        for count in itertools.count(1)
        if not (place := target if count == 1 else target.with_name(f"{target.stem} ({count}){target.suffix}")).exists()
    )
