"""requests.db: the requests of one connection, for display. Disposable, and bounded by number and age.

It is for display only, so it may lag: the requests of about half a second are written in one transaction, and a kill or
a power cut loses the last of them. The gate does not rest on it: what must never be lost about a
pause or a quota is in gates.db.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final, cast

import apsw
from msgspec.structs import astuple

from petstore_desktop.domain.quota import RequestClass, SentRequest
from petstore_desktop.store.sqlite.database import Database, DatabaseKind
from petstore_desktop.store.sqlite.typed_apsw import Values, connect, number, told

MOST = 20_000
"""How many of the newest rows are kept."""
DAYS = 8
LONGEST_S = DAYS * 86_400.0
_TRIM_EVERY = 256
"""Rows written between two trims by number: each deletes about as many, from the beginning of the table."""

_STEPS = (
    (
        """CREATE TABLE sent (
            id INTEGER PRIMARY KEY,
            at REAL NOT NULL,
            class INTEGER NOT NULL CHECK (class BETWEEN 0 AND 3),
            method TEXT NOT NULL,
            path TEXT NOT NULL,
            status INTEGER,
            waited REAL NOT NULL,
            took REAL NOT NULL,
            lost TEXT NOT NULL,
            probe INTEGER NOT NULL
        ) STRICT""",
    ),
)
_KIND: Final = DatabaseKind(application_id=0x50534452, steps=_STEPS, durable=False, busy_ms=100)  # "PSDR"
_COLUMNS: Final = "at, class, method, path, status, waited, took, lost, probe"
_INSERT: Final = f"INSERT INTO sent ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"


class SendLog(Database):
    """The writer of one connection's log. Used by one thread; `earlier` by any. Each method raises StorageError."""

    __slots__ = ("_found", "_untrimmed")

    def __init__(self, path: Path, now: float) -> None:
        """Open or create it, and delete rows that are too old at `now` (UTC epoch seconds)."""
        super().__init__(path, _KIND)
        with self.transaction() as connection:
            connection.execute("DELETE FROM sent WHERE at < ?", (now - LONGEST_S,))
            self._found = number(connection, "SELECT max(id) FROM sent")
        self._untrimmed = 0

    def add(self, requests: Sequence[SentRequest]) -> None:
        """Add these requests, oldest first, and delete old ones now and then."""
        with self.transaction() as connection:
            connection.executemany(_INSERT, map(astuple, requests))
            self._untrimmed += len(requests)
            if self._untrimmed >= _TRIM_EVERY:
                self._untrimmed = 0
                connection.execute("DELETE FROM sent WHERE id <= ?", (connection.last_insert_rowid() - MOST,))

    def earlier(self, size: int) -> Iterator[tuple[SentRequest, ...]]:
        """The requests in the file when it was opened, in tuples of `size`: the newest tuple first, each oldest first.

        Reads over a connection of its own. Read it to its end or close it.
        """
        end = self._found
        with told(self.path), closing(connect(self.path, apsw.SQLITE_OPEN_READONLY)) as connection:
            while end > 0:
                rows = connection.execute(
                    f"SELECT id, {_COLUMNS} FROM sent WHERE id <= ? ORDER BY id DESC LIMIT ?", (end, size)
                ).fetchall()
                if not rows:
                    return
                end = cast("int", rows[-1][0]) - 1
                yield tuple(_request(row) for row in reversed(rows))


def _request(row: Values) -> SentRequest:
    """Convert a row; the casts hold: the table is STRICT."""
    _, at, cls, method, path, status, waited, took, lost, probe = cast("tuple[Any, ...]", row)
    return SentRequest(at, RequestClass(cls), method, path, status, waited, took, lost, bool(probe))
