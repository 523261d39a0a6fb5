"""Checks, when a journal is opened, that each row that a start needs is as it was written.

SQLite's own check finds broken pages. It does not find a flipped bit in a text, in a number, or in the list of what is
open, and a row that cannot be read would end every start.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from petstore_desktop.domain.batches import BatchKind
from petstore_desktop.store.journal.rows import (
    ATTEMPT_COLUMNS,
    CREATING,
    SUMMED_COLUMNS,
    attempt_of,
    change_alone,
    is_whole,
)
from petstore_desktop.store.sqlite.typed_apsw import Connection, Value, Values

_TIES: Final = "SELECT t.attempt_id FROM attempt_change t JOIN open_change o ON o.change_id = t.change_id"
_NEEDED: Final = (
    "SELECT change_id FROM open_change UNION SELECT t.change_id FROM attempt_change t "
    f"WHERE t.attempt_id IN ({CREATING})"
)
"""The rows to check: open changes, and creations (later changes find their record's id by them)."""
_CHANGES: Final = f"SELECT {SUMMED_COLUMNS}, sum FROM ({_NEEDED}) n LEFT JOIN change c ON c.id = n.change_id"
_ATTEMPTS: Final = f"SELECT {ATTEMPT_COLUMNS}, sum FROM attempt a WHERE a.id IN ({_TIES} UNION {CREATING})"
_UNLIKE: Final = """
    SELECT last.id FROM (
        SELECT c.id AS id, max(t.attempt_id) AS attempt
        FROM change c LEFT JOIN attempt_change t ON t.change_id = c.id GROUP BY c.id
    ) last
    LEFT JOIN attempt a ON a.id = last.attempt LEFT JOIN open_change o ON o.change_id = last.id
    WHERE (coalesce(a.outcome, '') IN ('done', 'discarded')) = (o.change_id IS NOT NULL)
        OR (a.id IS NULL) = (last.attempt IS NOT NULL)
    LIMIT 1
"""
"""Changes that are in the list of open ones but not open by their state, or the reverse, or that lack their attempt."""


_TABLES: Final = {
    "batch": "number, id, at, kind, undoes, redoes, paused, priority, after",
    "undone": "change_id, by, opposite",
    "pending": "change_id, what, by",
    "decision": "attempt_id, decision, at",
    "draft": "form, at, content",
    "made": "change_id, record",
}


def audit(connection: Connection) -> None:
    """Check the rows that a start needs. Raises ValueError for the first damaged row, apsw.SQLError for a damaged
    table."""
    for *values, found in connection.execute(_CHANGES):
        _compare(values, found, change_alone)
    for *values, found in connection.execute(_ATTEMPTS):
        _compare(values, found, attempt_of)
    for address, found in connection.execute("SELECT address, sum FROM origin"):
        _compare([address], found, str)
    for table, columns in _TABLES.items():
        connection.execute(f"SELECT {columns} FROM {table} LIMIT 0").fetchall()
    for (kind,) in connection.execute("SELECT kind FROM batch"):
        BatchKind(str(kind))
    if (unlike := connection.execute(_UNLIKE).fetchone()) is not None:
        raise ValueError(f"change {unlike[0]} is open and over")


def _compare(row: list[Value], found: Value, read: Callable[[Values], object]) -> None:
    """Compare a row with its checksum; rows of earlier versions have none and are only read."""
    if found is None:
        read(tuple(row))
    elif not is_whole(row, found):
        raise ValueError(f"row {row[0]} is not as it was written")
