"""requests.db: the requests of one connection, for display. Disposable, and bounded by number and age.

It is for display only, so it may lag: whoever writes gathers the requests of about half a second into one transaction,
and a kill or a power cut takes the last of them along. The gate does not rest on it: what must never be lost about a
pause or a quota is in gates.db.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import apsw

from petstore_desktop.domain.quota import RequestClass, SentRequest
from petstore_desktop.store.sqlite.database import Database, DatabaseKind
from petstore_desktop.store.sqlite.typed_apsw import Value, Values, connect, told

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


class SendLog:
    """The writer of one connection's log. Used by one thread; `earlier` by any. Each method raises StorageError."""

    __slots__ = ("_database", "_found", "_untrimmed")

    def __init__(self, path: Path, now: float) -> None:
        """Open or create it, and delete rows that are too old at `now` (UTC epoch seconds)."""
        self._database = Database(path, _KIND)
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM sent WHERE at < ?", (now - LONGEST_S,))
            last = connection.execute("SELECT max(id) FROM sent").fetchone()
        self._found = last[0] if last is not None and isinstance(last[0], int) else 0
        self._untrimmed = 0

    @property
    def set_aside(self) -> Path | None:
        """The damaged log that was renamed to make room for this new one, to be shown to the person."""
        return self._database.set_aside

    def add(self, requests: Sequence[SentRequest]) -> None:
        """Add these requests, oldest first, and delete old ones now and then."""
        with self._database.transaction() as connection:
            connection.executemany(_INSERT, map(_values, requests))
            self._untrimmed += len(requests)
            if self._untrimmed >= _TRIM_EVERY:
                self._untrimmed = 0
                connection.execute("DELETE FROM sent WHERE id <= ?", (connection.last_insert_rowid() - MOST,))

    def earlier(self, size: int) -> Iterator[tuple[SentRequest, ...]]:
        """The requests in the file when it was opened, in tuples of `size`: the newest tuple first, each oldest first.

        Reads over a connection of its own. Read it to its end or close it.
        """
        path, end = self._database.path, self._found
        with told(path):
            connection = connect(path, apsw.SQLITE_OPEN_READONLY)
            try:
                while end > 0:
                    rows = connection.execute(
                        f"SELECT {_COLUMNS}, id FROM sent WHERE id <= ? ORDER BY id DESC LIMIT ?", (end, size)
                    ).fetchall()
                    if not rows:
                        return
                    end = _whole(rows[-1][-1]) - 1
                    yield tuple(_request(row) for row in reversed(rows))
            finally:
                connection.close()

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        self._database.close()


def _values(sent: SentRequest) -> tuple[Value, ...]:
    return (
        sent.at,
        int(sent.cls),
        sent.method,
        sent.path,
        sent.status,
        sent.waited_s,
        sent.took_s,
        sent.lost,
        int(sent.probe),
    )


def _request(row: Values) -> SentRequest:
    at, cls, method, path, status, waited, took, lost, probe, _ = row
    return SentRequest(
        at=_number(at),
        cls=RequestClass(_whole(cls)),
        method=str(method),
        path=str(path),
        status=None if status is None else _whole(status),
        waited_s=_number(waited),
        took_s=_number(took),
        lost=str(lost),
        probe=bool(probe),
    )


def _whole(value: Value) -> int:
    return value if isinstance(value, int) else 0


def _number(value: Value) -> float:
    return value if isinstance(value, float) else float(_whole(value))
