"""Opens what a path names only where it is a file: a pipe would be waited for without end, a device may have no end,
and to open one may do something. Whatever is read here is bounded, and refused at once or read at once.

Everything in this program that reads a file, or puts one where a person said, goes through here
(`packaging/house_rules.py`).
"""

from __future__ import annotations

import errno
import io
import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeAlias, cast

from petstore_desktop.held_files import opened

Identity: TypeAlias = tuple[int, int]
"""The device and the number that a file has there: another file at the same path has others."""

_FLAGS: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
"""What becomes a pipe between the look and the opening is not waited for either. Some systems lack some of these."""
_KINDS: Final = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def open_regular(path: Path) -> BinaryIO:
    """Open a file for reading, as long as it is now: what is added later is not read. Raises OSError, at once for what
    is no file."""
    _refuse(_looked_at(path))
    descriptor = opened(path, _FLAGS)
    try:
        found = os.fstat(descriptor)
        _refuse(found)
    except OSError:
        os.close(descriptor)
        raise
    return cast("BinaryIO", io.BufferedReader(_AsItWas(io.FileIO(descriptor), found.st_size)))


def named_path(text: str) -> Path:
    """The whole path of what a person typed; `~` is their own folder."""
    path = Path(text)
    with suppress(RuntimeError):  # `~nobody` is a name like any other
        path = path.expanduser()
    return path.absolute()


def read_regular(path: Path, most: int) -> bytes:
    """The bytes of a file. Raises OSError: EFBIG for more than `most`, which is not read then."""
    with open_regular(path) as file:
        _refuse_longer(file, most)
        return file.read()


def read_start(path: Path, most: int) -> bytes:
    """The first bytes of a file, at most so many. Raises OSError."""
    return read_looked_at(path, most)[0]


def read_looked_at(path: Path, most: int) -> tuple[bytes, Identity]:
    """The first bytes of a file, at most so many, and which file it was. Raises OSError."""
    with open_regular(path) as file:
        found = os.fstat(file.fileno())
        return file.read(min(most, found.st_size)), (found.st_dev, found.st_ino)


def copy_regular(path: Path, target: Path, most: int) -> None:
    """Copy a file to where there is none. Raises OSError: EFBIG for more than `most` bytes; nothing is copied then."""
    with open_regular(path) as file:
        _refuse_longer(file, most)
        with target.open("xb") as copy:
            shutil.copyfileobj(file, copy, 1 << 20)


def _refuse_longer(file: BinaryIO, most: int) -> None:
    if os.fstat(file.fileno()).st_size > most:
        raise OSError(errno.EFBIG, f"it is larger than {most} bytes")


def refuse_other_kinds(path: Path) -> None:
    """Raise OSError where something is there that is no file, or a link that leads nowhere; nothing there is fine."""
    with suppress(FileNotFoundError):
        _refuse(_looked_at(path))
        return
    if path.is_symlink():
        raise OSError(errno.EISDIR, "it is a link that leads nowhere")


def place_to_write(path: Path) -> Path:
    """Where a file is to be written that a person wants at this path: where a link leads. Raises OSError for what is
    there and is no file; nothing is opened."""
    refuse_other_kinds(path)
    return path.resolve() if path.is_symlink() else path


def _looked_at(path: Path) -> os.stat_result:
    try:
        return path.stat()
    except ValueError as error:  # a sign that no path has
        raise OSError(errno.EINVAL, "there is no such name") from error


def _refuse(found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        kind = next((words for is_kind, words in _KINDS if is_kind(found.st_mode)), "something else")
        raise OSError(errno.EISDIR, f"it is {kind}, not a file")


class _AsItWas(io.RawIOBase):
    """A file as long as it was when it was opened: one that grows faster than it is read would have no end."""

    def __init__(self, file: io.FileIO, size: int) -> None:
        super().__init__()
        self._file, self._size = file, size

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._file.fileno()

    def readinto(self, buffer: Any, /) -> int:
        return self._file.readinto(memoryview(buffer)[: self._left()])

    def readall(self) -> bytes:
        return self._file.read(self._left())

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        if whence == io.SEEK_END:
            return self._file.seek(self._size + offset)
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def _left(self) -> int:
        return max(0, self._size - self._file.tell())

    def close(self) -> None:
        self._file.close()
        super().close()
