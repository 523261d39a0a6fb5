"""A file that gets its name only when it is whole: until then it lies beside its place under a name of its own."""

from __future__ import annotations

import itertools
import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from petstore_desktop.clock import unique
from petstore_desktop.data_folder import storage_errors
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.held_files import move, remove
from petstore_desktop.platform_support import sync_directory
from petstore_desktop.regular_files import place_to_write


class WholeFile:
    """`part` is where it is written, `target` where it is to be. Nothing is made or changed before `keep`."""

    def __init__(self, target: Path) -> None:
        """Raises StorageError for what is there and is no file."""
        with storage_errors(target):
            self.target = place_to_write(target)
        self.part = self.target.with_name(f".{self.target.name}.{unique()}")

    @contextmanager
    def told(self) -> Generator[None]:
        """What the system refuses inside is raised as a StorageError that names the file."""
        with storage_errors(self.target):
            try:
                yield
            except FileNotFoundError as error:
                raise StorageError("folder-missing", path=str(self.target.parent), why=error.strerror) from error

    def keep(self) -> None:
        """Move the finished file to its place, synced, replacing what is there. Raises OSError."""
        with self.part.open("r+b") as file:  # house: file - our own; Windows syncs only what may be written
            os.fsync(file.fileno())
        move(self.part, self.target)
        sync_directory(self.target.parent)

    def discard(self) -> None:
        """Leave nothing behind; after `keep` it has no effect."""
        with suppress(NotADirectoryError):
            remove(self.part)


def keep_whole(target: Path, content: bytes, *, over: bool, make_folder: bool = False) -> Path:
    """Write a file whole or not at all; where it is. Unless it may be written `over`, one that is there already stays,
    and the new one gets a number in its name. `make_folder`: also the folder that it is to be in. Raises
    StorageError."""
    place = target if over else _free(target)
    file = WholeFile(place)
    try:
        with file.told():
            if make_folder:
                place.parent.mkdir(exist_ok=True)
            file.part.write_bytes(content)  # house: file - our own
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
