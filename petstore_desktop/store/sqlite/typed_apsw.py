"""The part of apsw that this package uses, with types: apsw's own stub needs `collections.abc.Buffer` (Python 3.12).

And its errors in our own words (the codes: see `database`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol, TypeAlias, cast

import apsw

from petstore_desktop.domain.errors import StorageError
from petstore_desktop.platform_support import storage_code
from petstore_desktop.regular_files import refuse_other_kinds

_CODES: tuple[tuple[type[apsw.Error], str], ...] = (
    (apsw.FullError, "disk-full"),
    (apsw.ReadOnlyError, "read-only"),
    (apsw.PermissionsError, "read-only"),
    (apsw.BusyError, "locked"),
    (apsw.LockedError, "locked"),
    (apsw.CorruptError, "damaged"),
    (apsw.NotADBError, "damaged"),
    (apsw.IOError, "io-error"),
    (apsw.CantOpenError, "cannot-open"),
)

_NO_ROOM = 4_874  # SQLITE_IOERR_SHMSIZE, which the stub does not know
"""The extended code where there is no room for the file that the readers of a log share, which a start makes first."""

Value: TypeAlias = int | float | str | bytes | None
Values: TypeAlias = tuple[Value, ...]


class Cursor(Protocol):
    """What a statement returns."""

    def __iter__(self) -> Iterator[Values]: ...
    def fetchall(self) -> list[Values]: ...
    def fetchone(self) -> Values | None: ...
    def close(self) -> None: ...


class Backup(Protocol):
    """A copy under way."""

    def __enter__(self) -> Backup: ...
    def __exit__(self, *_: object) -> bool | None: ...
    def step(self, npages: int = -1) -> bool: ...


class Connection(Protocol):
    """One open database."""

    @property
    def in_transaction(self) -> bool: ...
    def execute(self, statements: str, bindings: Sequence[Value] = (), /) -> Cursor: ...
    def executemany(self, statements: str, sequenceofbindings: Iterable[Sequence[Value]], /) -> Cursor: ...
    def pragma(self, name: str, /) -> Value: ...
    def changes(self) -> int: ...
    def last_insert_rowid(self) -> int: ...
    def readonly(self, name: str, /) -> bool: ...
    def config(self, op: int, /, *args: int) -> int: ...
    def set_busy_timeout(self, milliseconds: int, /) -> None: ...
    def backup(self, databasename: str, sourceconnection: Connection, sourcedatabasename: str, /) -> Backup: ...
    def serialize(self, name: str, /) -> bytes: ...
    def close(self) -> None: ...


def connect(path: Path, flags: int, *, careful: bool = False, unchanging: bool = False) -> Connection:
    """Open a file with SQLITE_OPEN_* flags. Raises apsw.Error, and OSError for what is no file.

    `unchanging`: no program writes to it meanwhile, and it has no log; nothing is locked or made beside it.

    `careful`: a power cut may spoil what lies beside a write in its sector (sqlite.org, "Powersafe Overwrite"); without
    that SQLite takes the disk's word that it does not, and writes less.
    """
    refuse_other_kinds(path)  # SQLite would wait for what a pipe says
    wanted = [word for word, given in (("psow=0", careful), ("immutable=1", unchanging)) if given]
    name = f"{path.absolute().as_uri()}?{'&'.join(wanted)}" if wanted else name_of(path)
    return cast("Connection", cast("object", apsw.Connection(name, flags=flags | apsw.SQLITE_OPEN_URI)))


def name_of(path: Path) -> str:
    """What a file is called here and in ATTACH. A folder's name may be bytes that are no text: SQLite takes those in an
    address alone."""
    with suppress(UnicodeEncodeError):
        str(path).encode()
        return str(path)
    return path.absolute().as_uri()


def number(connection: Connection, query: str, bindings: Sequence[Value] = ()) -> int:
    """The integer in the first row of a SELECT; 0 without a row or a value."""
    row = connection.execute(query, bindings).fetchone()
    return row[0] if row is not None and isinstance(row[0], int) else 0


def numbers(connection: Connection, query: str, bindings: Sequence[Value] = ()) -> list[int]:
    """The integers that a statement returns, one in each row."""
    return [id_ for (id_,) in connection.execute(query, bindings) if isinstance(id_, int)]


class ErrorsTold:
    """A block in which errors of SQLite and of the system become StorageError; programming errors pass as they are.

    No generator: a query takes little longer than one.
    """

    __slots__ = ("_path",)

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> object:
        return None

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if error is not None and (said := self._meant(error)) is not None:
            raise said from error

    def _meant(self, error: BaseException) -> StorageError | None:
        """What to say instead of this error; None where it passes."""
        path = str(self._path)
        if isinstance(error, apsw.SQLError | apsw.ConstraintError | apsw.MisuseError | apsw.ThreadingViolationError):
            # The program writes no malformed JSON.
            return StorageError("damaged", path=path, why=str(error)) if "malformed JSON" in str(error) else None
        if isinstance(error, apsw.Error):
            code = next((code for kind, code in _CODES if isinstance(error, kind)), "cannot-open")
            if getattr(error, "extendedresult", 0) == _NO_ROOM:
                code = "disk-full"
            return StorageError(code, path=path, why=str(error))
        if isinstance(error, OSError):
            return StorageError(storage_code(error), path=path, why=error.strerror or str(error))
        return None


def told(path: Path) -> ErrorsTold:
    """A block for what is done to this file."""
    return ErrorsTold(path)


class Reading(ErrorsTold):
    """The same, of SELECTs: a ValueError for invalid rows becomes one too. Gives the connection."""

    __slots__ = ("_connection",)

    def __init__(self, path: Path, connection: Connection) -> None:
        super().__init__(path)
        self._connection = connection

    def __enter__(self) -> Connection:
        return self._connection

    def _meant(self, error: BaseException) -> StorageError | None:
        if isinstance(error, ValueError):
            return StorageError("damaged", path=str(self._path), why=str(error))
        return super()._meant(error)
