"""Where the program keeps its files: the data folder, and in it one folder for each connection."""

from __future__ import annotations

import errno
import json
import re
import unicodedata
import zlib
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, cast

from msgspec import Struct

from petstore_desktop import __version__
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.held_files import move
from petstore_desktop.platform_support import (
    brief_lock,
    make_private_directory,
    storage_code,
    sync_directory,
    write_whole,
)
from petstore_desktop.regular_files import Identity, named_path, read_regular

VERSION: Final = 2
"""The version of the data folder, raised with each change that an older program would not understand: a new schema of a
database, or another meaning of a file."""

_RESERVED: Final = frozenset(
    {"con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(10))}
)
"""Names that Windows keeps for devices."""
_SLUG: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LONGEST_SLUG: Final = 80


def slug(name: str) -> str:
    """A name as a folder is called: lower-case ASCII letters, digits and hyphens, the same on every system.

    Where letters get lost on the way a digest of the whole name is added, so that two names seldom meet.
    """
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name.strip()).casefold())
    signs = (sign for sign in folded if not unicodedata.combining(sign))
    plain = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in signs)
    short = "-".join(part for part in plain.split("-") if part)[:40].rstrip("-")
    if short and short not in _RESERVED and len(short) == len(name.strip()):
        return short
    return f"{short or 'shop'}-{zlib.crc32(name.strip().encode('utf-8', 'surrogatepass')):08x}"


def is_slug(text: str) -> bool:
    """Whether `slug` may have made this: what comes from a file is joined to a path only then."""
    return len(text) <= _LONGEST_SLUG and _SLUG.fullmatch(text) is not None and text not in _RESERVED


def data_directory(override: str | None) -> Path:
    """The folder for everything that the program keeps: what `--data-dir` says, else the system's place for it."""
    if override is not None:
        return named_path(override)
    from platformdirs import user_data_path  # only where it is needed: it costs start-up time

    return user_data_path("petstore-desktop", appauthor=False)


@contextmanager
def storage_errors(path: Path) -> Generator[None]:
    """Raise an error of the system inside as a StorageError that names this file."""
    try:
        yield
    except OSError as error:
        raise StorageError(storage_code(error), path=str(path), why=error.strerror or str(error)) from error


MOST_OWN: Final = 256 * 1024 * 1024
"""Bytes that are read of a file of JSON that this program has written: no such file is larger."""
_LOCK: Final = "files.lock"
_PARTS: Final = ("", "-wal", "-shm")
"""What belongs to a database; any other file is its first part alone."""


def looking(path: Path) -> AbstractContextManager[None]:
    """While this lasts no program moves this file away, nor a part of it. Raises OSError."""
    return brief_lock(path.parent / _LOCK, alone=False)


def replacing(path: Path) -> AbstractContextManager[None]:
    """While this lasts no program looks at this file, or puts another in its place. Raises OSError."""
    return brief_lock(path.parent / _LOCK, alone=True)


def identity_of(path: Path) -> Identity | None:
    """Which file is there, or which log where the file itself is gone; None where there is neither. Raises OSError."""
    for part in _PARTS[:2]:
        with suppress(FileNotFoundError):
            found = path.with_name(path.name + part).stat()
            return found.st_dev, found.st_ino
    return None


def set_aside(path: Path, looked_at: Identity | None) -> Path | None:
    """Rename the damaged file that was looked at to `<name>.damaged-<UTC stamp>`, with its log where it is a database;
    returns its new path. None where another program has done that meanwhile: what is there now is not the file that was
    looked at. Raises StorageError."""
    with storage_errors(path), replacing(path):
        return rename_damaged(path) if looked_at is not None and identity_of(path) == looked_at else None


def rename_damaged(path: Path) -> Path:
    """As `set_aside`, for whoever is `replacing` the file. Raises OSError."""
    first = path.with_name(f"{path.name}.damaged-{datetime.now(UTC).strftime('%Y%m%dT%H%M%SZ')}")
    target, count = first, 1
    while any(target.with_name(target.name + part).exists() for part in _PARTS):
        count += 1
        target = first.with_name(f"{first.name}-{count}")
    for part in _PARTS:
        with suppress(FileNotFoundError):
            move(path.with_name(path.name + part), target.with_name(target.name + part))
    sync_directory(path.parent)
    return target


def refuse_newer(data: Path) -> None:
    """Raise StorageError `too-new` for the data folder of a later program, which is only read here."""
    version = _version(data)
    if version > VERSION:
        raise StorageError("too-new", path=str(data), version=version, known=VERSION)


def upgrade(data: Path) -> None:
    """Mark the data folder as one of this version; the caller holds it. What an older program has in files of JSON is
    copied to `before-v<version>` first; the databases are copied when they are upgraded themselves. A kill leaves the
    mark as it was. Raises StorageError: `too-new`, or that of a full disk; nothing is changed then."""
    refuse_newer(data)
    if _version(data) == VERSION:
        return
    with storage_errors(data):
        _copy_json(data, data / f"before-v{VERSION}")
        mark = {"version": VERSION, "program": __version__}
        write_whole(data / _MARK, f"{json.dumps(mark)}\n".encode("ascii"))


_MARK: Final = "data-version.json"


def _version(data: Path) -> int:
    """What the mark says; 0 where there is none that can be read."""
    with suppress(OSError, ValueError, RecursionError):
        mark = json.loads(read_regular(data / _MARK, MOST_OWN))
        version = cast("dict[str, object]", mark).get("version") if isinstance(mark, dict) else None
        return version if isinstance(version, int) else 0
    return 0


def _copy_json(data: Path, target: Path) -> None:
    """Copy each file of JSON, in place of what an attempt left that did not come to its end. Raises OSError; no copy is
    left then."""
    files = sorted((*data.glob("*.json"), *data.glob("connections/*/*.json")))
    if not files:
        return
    import shutil  # late: few starts upgrade anything

    shutil.rmtree(target, ignore_errors=True)
    try:
        for file in files:
            place = target / file.relative_to(data)
            make_private_directory(place.parent)
            with _without_others():
                write_whole(place, read_regular(file, MOST_OWN))
    except OSError:
        shutil.rmtree(target, ignore_errors=True)
        raise


@contextmanager
def _without_others() -> Generator[None]:
    """What is no file of this program's stays where it is: a folder, a pipe, what is too large."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.EISDIR, errno.EFBIG, errno.ELOOP):
            raise


class Places(Struct, frozen=True):
    """The files of one data directory. Nothing here makes them."""

    data: Path

    @property
    def preferences(self) -> Path:
        """Settings, connections, window state."""
        return self.data / "preferences.json"

    @property
    def log(self) -> Path:
        """The log."""
        return self.data / "log" / "petstore.log"

    @property
    def gates(self) -> Path:
        """Pauses and quota of every origin and key."""
        return self.data / "gates.db"

    def connection(self, slug: str) -> Path:
        """The folder of one connection. Raises StorageError for a name that is no folder of its own there."""
        if not is_slug(slug):
            raise StorageError("cannot-open", path=str(self.data / "connections"), why=f"not a folder: {slug!r}")
        return self.data / "connections" / slug

    def mirror(self, slug: str) -> Path:
        """The file of the mirror: what its service said last."""
        return self.connection(slug) / "mirror.db"

    def history(self, slug: str) -> Path:
        """The file of the history: what was seen to change at its service."""
        return self.connection(slug) / "history.db"

    def journal(self, slug: str) -> Path:
        """The file of the journal: what people did there, sent or not."""
        return self.connection(slug) / "journal.db"

    def requests(self, slug: str) -> Path:
        """The file of the request log: the latest requests to this service."""
        return self.connection(slug) / "requests.db"

    def minimums(self, slug: str, address: str) -> Path:
        """The least stock that a person wants at the service at this address."""
        return self.connection(slug) / f"minimums-{zlib.crc32(address.encode()):08x}.json"

    def codes(self, slug: str, address: str) -> Path:
        """The bar codes that a person taught for the pets of the service at this address."""
        return self.connection(slug) / f"codes-{zlib.crc32(address.encode()):08x}.json"

    def acts(self, slug: str, address: str) -> Path:
        """What was done to these two and to the views, for Undo."""
        return self.connection(slug) / f"acts-{zlib.crc32(address.encode()):08x}.json"

    def profile(self, slug: str) -> Path:
        """The profile of its service, where it was connected with one."""
        return self.connection(slug) / "profile.toml"

    def contract(self, slug: str) -> Path:
        """What its service offers, as last bound."""
        return self.connection(slug) / "contract.json"
