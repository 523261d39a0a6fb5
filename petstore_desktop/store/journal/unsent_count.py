"""Reads databases that no program has open, and changes nothing: no file is written, made or removed beside them.

Commits that a killed program left in a log are read in a copy. Damage is reported, never repaired or ignored.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Generator, Iterable
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Final, cast

import apsw

from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import ServiceId
from petstore_desktop.regular_files import copy_regular
from petstore_desktop.store.journal.schema import KIND as JOURNAL
from petstore_desktop.store.mirror.rows import key_of, key_value
from petstore_desktop.store.mirror.schema import KIND as MIRROR
from petstore_desktop.store.sqlite.database import DatabaseKind, audit, check, log_of, size_of
from petstore_desktop.store.sqlite.migrations import version_of
from petstore_desktop.store.sqlite.typed_apsw import Connection, connect, number, told
from petstore_desktop.store.sqlite.wal_check import content_of, hides_commits

MOST_COPIED: Final = 4 << 30
"""Bytes of a database that is read in a copy; what is larger is none of this program's."""
_ADDRESSED: Final = 5
"""The first version of journal.db that keeps an address."""
_OPEN: Final = "SELECT count(*) FROM open_change"
_UNSURE: Final = (
    "SELECT count(*) FROM (SELECT max(t.attempt_id) AS last FROM open_change o "
    "JOIN attempt_change t ON t.change_id = o.change_id GROUP BY o.change_id) JOIN attempt a ON a.id = last "
    "WHERE a.outcome IS NULL OR a.outcome = 'uncertain'"
)


def open_changes(path: Path) -> int:
    """Count the open changes of a journal: unsent, or waiting for a person. Raises StorageError, `damaged` if the
    journal is."""
    return _count(path, _OPEN)


def unsure_changes(path: Path) -> int:
    """Count the open changes that may have arrived, including those being sent when the program ended. Raises
    StorageError."""
    return _count(path, _UNSURE)


def address_of(path: Path) -> str:
    """Read the service's address of a journal; empty if it has none. Raises StorageError."""
    with _opened(path, JOURNAL) as connection:
        known = connection is not None and version_of(connection, path, len(JOURNAL.steps)) >= _ADDRESSED
        row = connection.execute("SELECT address FROM origin").fetchone() if connection is not None and known else None
    return "" if row is None else str(row[0])


def pet_names(path: Path, pets: Iterable[ServiceId]) -> dict[ServiceId, str]:
    """Read the names of these pets from a mirror, as far as it has them. Raises StorageError."""
    query = "SELECT key, name FROM pets WHERE key IN (SELECT value FROM json_each(?)) AND name IS NOT NULL"
    with _opened(path, MIRROR) as connection:
        rows = (
            []
            if connection is None
            else connection.execute(query, (json.dumps([key_value(pet) for pet in pets]),)).fetchall()
        )
    return {cast("ServiceId", key_of(key)): name for key, name in rows if isinstance(name, str)}


@contextmanager
def copied(path: Path) -> Generator[Path]:
    """Copy a database and its log to a temporary folder. Raises StorageError: `locked` if it changes meanwhile."""
    parts = [part for part in (path, log_of(path)) if part.exists()]
    scratch = tempfile.TemporaryDirectory(prefix="reading-", dir=path.parent, ignore_cleanup_errors=True)
    with told(path), scratch as folder:
        before = [_mark(part) for part in parts]
        for part in parts:
            copy_regular(part, Path(folder) / part.name, MOST_COPIED)
        if before != [_mark(part) for part in parts]:
            raise StorageError("locked", path=str(path))
        yield Path(folder) / path.name


def _mark(part: Path) -> tuple[int, int]:
    now = part.stat()
    return now.st_size, now.st_mtime_ns


def _count(path: Path, query: str) -> int:
    with _opened(path, JOURNAL) as connection:
        return 0 if connection is None else number(connection, query)


@contextmanager
def _opened(path: Path, kind: DatabaseKind) -> Generator[Connection | None]:
    """Open and check a copy of a database; None if it is missing or empty."""
    with told(path):
        if size_of(log_of(path)):
            with copied(path) as copy, _checked(copy, apsw.SQLITE_OPEN_READWRITE, kind) as connection:
                yield connection
        elif size_of(path):
            with _checked(path, apsw.SQLITE_OPEN_READONLY, kind) as connection:
                yield connection
        else:
            yield None


@contextmanager
def _checked(path: Path, flags: int, kind: DatabaseKind) -> Generator[Connection | None]:
    """Raises apsw.CorruptError and StorageError `too-new`."""
    if not size_of(path):
        raise apsw.CorruptError("there is a log and no file")
    if kind.exclusive and hides_commits(log_of(path), partial(content_of, path)):
        raise apsw.CorruptError("the log is broken before its end")
    with closing(connect(path, flags, unchanging=flags == apsw.SQLITE_OPEN_READONLY)) as connection:
        check(connection, kind)
        version = version_of(connection, path, len(kind.steps))
        if version == len(kind.steps):
            audit(connection, kind)
        yield connection if version else None
