"""Opens SQLite files so that committed data is on the disk, and turns failures into StorageError.

Every StorageError from this package carries `path` and one of these codes:
    disk-full     there is no room; nothing of the transaction is kept
    read-only     the file or its folder cannot be written
    not-a-file    there is a folder, a pipe, a device or a link that leads nowhere
    locked        another program holds the file
    damaged       the content is not what was written
    too-new       a later version of the program wrote it (`version`, `known`)
    migration-failed  it could not be brought to this version, and is as it was (`why`)
    io-error      the disk failed
    cannot-open   anything else that keeps the file from being opened (`why`)
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias, TypeVar

import apsw
from msgspec import Struct

from petstore_desktop.data_folder import identity_of, looking, rename_damaged, replacing
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.platform_support import make_private_directory, sync_directory, write_whole
from petstore_desktop.regular_files import Identity
from petstore_desktop.store.sqlite.migrations import migrate, version_of
from petstore_desktop.store.sqlite.typed_apsw import Connection, Reading, Value, Values, connect, number, numbers, told
from petstore_desktop.store.sqlite.wal_check import breaks_off, content_of, hides_commits

T = TypeVar("T")

COPY = "-copy"
"""The suffix of a copy of a database that is still in use."""
_CACHE = -512
"""KiB of a durable file that are kept in memory, with SQLite's sign for KiB: it is mostly written at its end."""


class DatabaseKind(Struct, frozen=True):
    """Describes one kind of database: schema, checks and durability.

    `application_id` marks its files (int32, not 0); `steps` are the statements of each schema version, oldest first.
    `durable`: a commit outlasts a power cut. `exclusive`: no other connection may open it. `busy_ms`: how long to wait
    for another one's lock. `checked`: all of it is looked at when it is opened; else damage is told where it is met.
    `audit` looks at the rows of a database of the newest version: it raises ValueError or apsw.CorruptError for a row
    that is not as the program wrote it.
    """

    application_id: int
    steps: Sequence[Sequence[str]]
    durable: bool = True
    exclusive: bool = False
    busy_ms: int = 500
    checked: bool = True
    audit: Callable[[Connection], None] | None = None


Rescue: TypeAlias = Callable[[Connection, Path], None]
"""Takes over into a new database what the damaged one before it, at this path now, still tells."""


class Database:
    """One open connection. `set_aside` names the damaged file that was renamed to make room for this one, if any;
    `is_new`: there was nothing, not even a damaged file; `looked_at`: which file it is."""

    __slots__ = ("_kind", "connection", "is_new", "looked_at", "path", "set_aside")

    def __init__(self, path: Path, kind: DatabaseKind, rescue: Rescue | None = None) -> None:
        """Open, check and migrate; a file that is not whole is set aside, and others see the new one only after its
        `rescue`. Raises StorageError, with `opening` set."""
        self.path = path
        self._kind = kind
        self.set_aside: Path | None = None
        self.is_new = False
        try:
            with told(path):
                make_private_directory(path.parent)
                self.connection = self._opened(kind, rescue)
                self.looked_at: Identity | None = identity_of(path)
        except StorageError as error:
            error.params["opening"] = True
            raise

    def _opened(self, kind: DatabaseKind, rescue: Rescue | None) -> Connection:
        """Nobody moves the file away while it is opened; a damaged one is moved away, and a new one made, only while
        nobody opens it (SQLite lets nobody wait for the one that makes it), and only where it is still the one that was
        looked at: another program may have put a new one in its place."""
        path = self.path
        while True:
            with looking(path):
                looked_at, self.is_new = identity_of(path), _is_empty(path)
                if not self.is_new:
                    with suppress(*_DAMAGE):
                        return _open(path, kind)
            with replacing(path):
                if identity_of(path) != looked_at or _is_empty(path) is not self.is_new:
                    continue
                if self.is_new:
                    with suppress(*_DAMAGE):
                        return _open(path, kind)
                self.set_aside = rename_damaged(path)
                connection = _open(path, kind)
                try:
                    if rescue is not None:
                        rescue(connection, self.set_aside)
                except BaseException:
                    _let_go(connection)
                    raise
                return connection

    @contextmanager
    def transaction(self) -> Generator[Connection]:
        """A transaction: committed (and, for durable kinds, synced) when the block ends, else rolled back.

        Raises StorageError, and keeps nothing then; with `unsure` set where the disk may keep it all the same.
        """
        connection, committing = self.connection, False
        try:
            with told(self.path):
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield connection
                    committing = True
                    connection.execute("COMMIT")
                except BaseException:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                    raise
        except StorageError as error:
            if committing and self._kind.durable and not _emptied(connection):
                error.params["unsure"] = True
            raise

    def reading(self) -> Reading:
        """A block with the connection, for SELECTs. Its errors, and a ValueError for bad rows, become StorageError."""
        return Reading(self.path, self.connection)

    def read(self, make: Callable[[Values], T], query: str, bindings: Sequence[Value] = ()) -> list[T]:
        """The rows of a SELECT, each converted by `make`. Raises StorageError, also for a ValueError of `make`."""
        with self.reading() as connection:
            return [make(row) for row in connection.execute(query, bindings)]

    def rows(self, query: str, bindings: Sequence[Value] = ()) -> list[Values]:
        """The rows of a SELECT. Raises StorageError."""
        with self.reading() as connection:
            return connection.execute(query, bindings).fetchall()

    def row(self, query: str, bindings: Sequence[Value] = ()) -> Values | None:
        """The first row of a SELECT. Raises StorageError."""
        with self.reading() as connection:
            return connection.execute(query, bindings).fetchone()

    def number(self, query: str, bindings: Sequence[Value] = ()) -> int:
        """The integer in the first row of a SELECT; 0 without a row or a value. Raises StorageError."""
        with self.reading() as connection:
            return number(connection, query, bindings)

    def numbers(self, query: str, bindings: Sequence[Value] = ()) -> list[int]:
        """The integers that a SELECT returns, one in each row. Raises StorageError."""
        with self.reading() as connection:
            return numbers(connection, query, bindings)

    def close(self) -> None:
        """Close; a second call does nothing."""
        with told(self.path):
            self.connection.close()

    def abandon(self) -> None:
        """Close without writing anything more to the file."""
        with told(self.path):
            _let_go(self.connection)


class Damaged(apsw.CorruptError):
    """The check of a database found damage."""


_DAMAGE = (apsw.CorruptError, apsw.NotADBError)


def _keep_copy(path: Path, content: bytes) -> None:
    """Copy a database whose last commit may be lost, with its log, to `<name>.damaged-<UTC stamp>-copy`. Raises
    OSError."""
    target = path.with_name(f"{path.name}.damaged-{datetime.now(UTC).strftime('%Y%m%dT%H%M%S%fZ')}{COPY}")
    write_whole(log_of(target), content_of(log_of(path)))
    write_whole(target, content)


def not_yet_told(path: Path) -> list[Path]:
    """The damaged databases set aside here, oldest first, that a person has not been told of: they lack a `told_mark`.
    Some have only a log. Raises OSError."""
    found = sorted(path.parent.glob(f"{path.name}.damaged-*")) if path.parent.is_dir() else []
    whole = (re.fullmatch(r"(.*\.damaged-[^.]+?)(-wal|-shm)?", part.name) for part in found)
    names = dict.fromkeys(match[1] for match in whole if match is not None)
    asides = [path.with_name(name) for name in names]
    return [aside for aside in asides if not told_mark(aside).exists()]


def told_mark(aside: Path) -> Path:
    """The file that says that a person was told of this damaged database."""
    return aside.with_name(f"{aside.name}.told")


def _open(path: Path, kind: DatabaseKind) -> Connection:
    if kind.exclusive and not size_of(path) and size_of(log_of(path)):
        raise Damaged("there is a log and no file")  # SQLite would delete the log
    _create(path)
    connection = connect(path, apsw.SQLITE_OPEN_READWRITE, careful=kind.durable)
    try:
        connection.set_busy_timeout(kind.busy_ms)
        if connection.readonly("main"):
            raise apsw.ReadOnlyError("opened for reading only")
        _set_pragmas(connection, kind)
        if connection.pragma("application_id") == kind.application_id:
            version_of(connection, path, len(kind.steps))  # before anything is written, and before its schema is judged
        if kind.exclusive and hides_commits(log_of(path), lambda: connection.serialize("main")):
            raise Damaged("the log is broken before its end")
        if kind.exclusive and breaks_off(log_of(path)):
            _keep_copy(path, connection.serialize("main"))
        check(connection, kind)
        if kind.durable:
            _settle(connection)
        migrate(connection, path, kind.application_id, kind.steps)
        audit(connection, kind)
    except BaseException:
        _let_go(connection)
        raise
    return connection


def _let_go(connection: Connection) -> None:
    """Close a possibly damaged file without changing it: a normal close would merge the log into it."""
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    connection.close()


def log_of(path: Path) -> Path:
    """The path of a database's log."""
    return path.with_name(f"{path.name}-wal")


def _is_empty(path: Path) -> bool:
    return not size_of(path) and not size_of(log_of(path))


def size_of(path: Path) -> int:
    """The bytes in a file; 0 where there is none."""
    with suppress(FileNotFoundError):
        return path.stat().st_size
    return 0


def _create(path: Path) -> None:
    """Create the file with mode 0600 before SQLite does; its -wal and -shm files inherit the mode.

    A file that exists is never opened here: closing it would drop this process's POSIX locks on it (sqlite.org,
    "How To Corrupt An SQLite Database File", 2.2).
    """
    if path.exists():
        return
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return  # another program was faster
    sync_directory(path.parent)


def _set_pragmas(connection: Connection, kind: DatabaseKind) -> None:
    synchronous = 2 if kind.durable else 1
    wanted: list[tuple[str, str | int]] = [("locking_mode", "exclusive")] if kind.exclusive else []
    wanted += [("journal_mode", "wal"), ("synchronous", synchronous), ("foreign_keys", 1), ("trusted_schema", 0)]
    if kind.durable:
        wanted += [("fullfsync", 1), ("checkpoint_fullfsync", 1), ("cache_size", _CACHE)]
    for name, value in wanted:
        connection.execute(f"PRAGMA {name}={value}")
        said = connection.pragma(name)
        if said != value:
            raise apsw.CantOpenError(f"{name} is {said!r}, not {value!r}")


def _settle(connection: Connection) -> None:
    """Merge the log of a killed program into the file. Its commits may have been shown to a person without being
    synced, and the next write would begin in its last sector, which a power cut may spoil."""
    with suppress(apsw.FullError):  # where there is no room it can still be read
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _emptied(connection: Connection) -> bool:
    """Merge the committed log into the file and truncate the log; returns whether that was done. A commit whose sync
    failed is still in the log, and the next program would take it as done."""
    try:
        done = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except apsw.Error:
        return False
    return done is not None and done[0] == 0


def check(connection: Connection, kind: DatabaseKind) -> None:
    """Raises Damaged or apsw.Error where it is not a whole database of this kind."""
    mark = connection.pragma("application_id")
    empty = connection.pragma("schema_version") == 0
    if mark != kind.application_id and not (mark == 0 and empty):
        raise Damaged(f"application_id is {mark!r}")
    how = "integrity_check" if kind.exclusive else "quick_check"  # the first compares indexes with their tables too
    said = connection.execute(f"PRAGMA {how}(1)").fetchall() if kind.checked else [("ok",)]
    if said != [("ok",)]:
        raise Damaged(str(said))


def audit(connection: Connection, kind: DatabaseKind) -> None:
    """Raises Damaged where a row of a database of the newest version is not as it was written."""
    if kind.audit is not None:
        try:
            kind.audit(connection)
        except (ValueError, apsw.SQLError) as error:  # a column that it has always had may be called otherwise now
            raise Damaged(str(error)) from error
