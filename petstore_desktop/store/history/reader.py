"""Answers questions about what was seen to change, on any thread, beside the writer of history.db."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Final, cast

import apsw

from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import Key, LocalId, Ref, Resource, key_from_text
from petstore_desktop.domain.seen_changes import DayTotals, SeenChange, Span
from petstore_desktop.store.history.net import net_changes
from petstore_desktop.store.history.rows import CHANGE_COLUMNS, change_of, moment_of, stored_fields
from petstore_desktop.store.history.schema import SCHEMA_VERSION
from petstore_desktop.store.mirror.rows import key_of, key_value
from petstore_desktop.store.sqlite.typed_apsw import Connection, Value, Values, connect, number, told

MOST_OF_ONE: Final = 1_000
"""How many changes of one record are told."""
_BUSY_MS: Final = 200
_NAMED: Final = {  # house: whole-table - an order has no name
    Resource.PETS.value: Resource.PETS.value,
    Resource.INVENTORY.value: Resource.PETS.value,
    Resource.CATEGORIES.value: Resource.CATEGORIES.value,
}
"""Where the name of a record is found."""


_CAME: Final = "SELECT DISTINCT resource, key FROM change WHERE id > ? AND id <= ? AND what <> 'changed'"
"""The records that came or went between two ids."""
_OF_ALL: Final = f"SELECT id, {CHANGE_COLUMNS} FROM change WHERE id > ? AND id <= ? ORDER BY id"
_OF_ONE: Final = (
    f"SELECT id, {CHANGE_COLUMNS} FROM change WHERE +id > ? AND +id <= ? AND resource = ? AND key = ? ORDER BY id"
)
_FEW: Final = 500
"""Records that are looked up one by one, rather than all changes read."""
_OF_FIELDS: Final = (
    "WITH ends AS (SELECT min(id) AS low, max(id) AS high, min(seen_after) AS since, "
    "iif(min(who) = max(who), min(who), 'both') AS whos FROM change "
    "WHERE id > ? AND id <= ? GROUP BY resource, key, field) "
    "SELECT last.id, last.resource, last.key, last.what, whos, last.field, first.before, last.after, "
    "since, last.seen_by, NULL FROM ends CROSS JOIN change AS first ON first.id = low "
    "CROSS JOIN change AS last ON last.id = high WHERE first.before IS NOT last.after"
)
"""Each field's first old and last new value between two ids, where they differ."""


class PastReader:
    """One read-only connection, for one thread at a time. A history that does not exist yet is empty, and so is that of
    another service than the one at `address`, if that is given.

    Each method blocks and raises StorageError. Times are UTC epoch seconds. The state at a moment is that after the
    last change, in the order recorded, that was seen by then: clocks may have been set back.
    """

    __slots__ = ("_address", "_connection", "_path")

    def __init__(self, path: Path, address: str | None = None) -> None:
        """Remember where it is; the file is opened when it is first read."""
        self._path = path
        self._address = address
        self._connection: Connection | None = None

    def span(self) -> Span:
        """From when to when the history tells: since every list that was ever read whole had been."""
        with self._reading() as connection:
            if connection is None:
                return Span(None, None, frozenset(Resource))
            query = "SELECT max(first), max(ended), (SELECT until FROM trimmed) FROM list WHERE first NOT NULL"
            said = cast("Values", connection.execute(query).fetchone())
            first, last, trimmed = (None if one is None else moment_of(one) for one in said)
            told = {row[0] for row in connection.execute("SELECT resource FROM list WHERE first NOT NULL")}
            untold = frozenset(resource for resource in Resource if resource.value not in told)
            return Span(first if first is None or trimmed is None else max(first, trimmed), last, untold)

    def changes_between(self, then: float, now: float) -> list[SeenChange]:
        """One change for each record and field that differs between the two moments, oldest first: made by all who
        changed it between them, since its old value was last said, and seen by the time of its last change."""
        with self._reading() as connection:
            if connection is None:
                return []
            between = (_last_by(connection, then), _last_by(connection, now))
            came = {(row[0], row[1]) for row in connection.execute(_CAME, between)}
            if len(came) > _FEW:
                rows = (row for row in connection.execute(_OF_ALL, between) if (row[1], row[2]) in came)
            else:
                rows = (row for at in came for row in connection.execute(_OF_ONE, (*between, *at)))
            found = net_changes((cast("int", row[0]), row[1:]) for row in rows)
            found += [
                (cast("int", row[0]), row[1:])
                for row in connection.execute(_OF_FIELDS, between)
                if (row[1], row[2]) not in came
            ]
            found.sort(key=lambda one: one[0])
            return _titled(connection, [row for _, row in found])

    def changes_of(self, ref: Ref) -> list[SeenChange]:
        """Each single change of one record (a pet with its stock), newest first, at most MOST_OF_ONE."""
        kinds = [ref.resource.value]
        kinds += [Resource.INVENTORY.value] if ref.resource is Resource.PETS else []
        with self._reading() as connection:
            if connection is None or isinstance(ref.key, LocalId):
                return []
            rows = connection.execute(
                f"SELECT {CHANGE_COLUMNS} FROM change WHERE resource IN (?, ?) AND key = ? ORDER BY id DESC LIMIT ?",
                (kinds[0], kinds[-1], key_value(ref.key), MOST_OF_ONE),
            )
            return _titled(connection, rows.fetchall())

    def totals(self, first: date, last: date) -> list[DayTotals]:
        """The totals of these days, oldest first, as far as there are any."""
        query = (
            "SELECT day, pets, stock, open_orders, overdue, low, none_left FROM day "
            "WHERE day BETWEEN ? AND ? ORDER BY day"
        )
        with self._reading() as connection:
            if connection is None:
                return []
            return [_totals(row) for row in connection.execute(query, (first.isoformat(), last.isoformat()))]

    def units_gone(self, since: float) -> dict[Key, int]:
        """By pet: the pieces by which its stock fell since then, decrease by decrease."""
        with self._reading() as connection:
            if connection is None:
                return {}
            rows = connection.execute(
                "SELECT key, before, after FROM change WHERE id > ? AND resource = ? AND field = 'quantity' "
                "AND after < before",
                (_last_by(connection, since), Resource.INVENTORY.value),
            )
            fell = Counter[Value]()
            for key, before, after in cast("Iterable[tuple[Value, int, int]]", rows):
                fell[key] += before - after  # here, not by SQL: quantities may be as large as int64
            return {key_of(key): pieces for key, pieces in fell.items()}

    def close(self) -> None:
        """Close the file; a later call opens it again."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    @contextmanager
    def _reading(self) -> Generator[Connection | None]:
        """One view of the file as it is now; None where there is none."""
        try:
            with told(self._path):
                connection = self._open()
                if connection is None:
                    yield None
                    return
                connection.execute("BEGIN")
                try:
                    yield connection
                finally:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
        except (ValueError, KeyError, TypeError, AttributeError, apsw.SQLError) as error:
            raise StorageError("damaged", path=str(self._path), why=str(error)) from error

    def _open(self) -> Connection | None:
        if self._connection is None and self._path.exists():
            if not self._path.is_file():
                raise StorageError("cannot-open", path=str(self._path), why="not a file")
            connection = connect(self._path, apsw.SQLITE_OPEN_READONLY)
            try:
                connection.set_busy_timeout(_BUSY_MS)
                version = number(connection, "PRAGMA user_version")
                if version > SCHEMA_VERSION:
                    raise StorageError("too-new", path=str(self._path), version=version, known=SCHEMA_VERSION)
                if version == SCHEMA_VERSION and self._is_meant(connection):
                    self._connection = connection
            finally:
                if self._connection is not connection:
                    connection.close()
        return self._connection

    def _is_meant(self, connection: Connection) -> bool:
        said = connection.execute("SELECT address FROM origin").fetchone()
        return self._address is None or said is None or said[0] == self._address


def _last_by(connection: Connection, time: float) -> int:
    """The last change recorded that was seen by this time; 0 where there is none."""
    return number(connection, "SELECT id FROM change WHERE seen_by <= ? ORDER BY id DESC LIMIT 1", (time,))


def _titled(connection: Connection, rows: Sequence[Values]) -> list[SeenChange]:
    names = _names(connection, rows)
    return [change_of(row, names.get((_NAMED.get(str(row[0])), row[1]), "")) for row in rows]


def _names(connection: Connection, rows: Iterable[Values]) -> dict[tuple[str | None, Value], str]:
    """The names that these records had last, those that are gone too."""
    wanted: dict[str, set[Value]] = {}
    for row in rows:
        kind = _NAMED.get(str(row[0]))
        if kind is not None:
            wanted.setdefault(kind, set()).add(row[1])
    names: dict[tuple[str | None, Value], str] = {}
    for kind, keys in wanted.items():
        shown = (
            "SELECT key, json_extract(fields, '$.name') FROM shown "
            "WHERE resource = ? AND key IN (SELECT value FROM json_each(?))"
        )
        gone = (
            "SELECT key, json_extract(fields, '$.name'), max(id) FROM change "
            "WHERE resource = ? AND what = 'gone' AND key IN (SELECT value FROM json_each(?)) GROUP BY key"
        )
        for query in (shown, gone):
            missing = [key for key in keys if (kind, key) not in names]
            found = connection.execute(query, (kind, json.dumps(missing))) if missing else ()
            names.update(((kind, row[0]), str(row[1] or "")) for row in found)
    return names


def _totals(row: Values) -> DayTotals:
    day, pets, stock, *counts = row
    by_category = None if stock is None else cast("dict[str, int]", stored_fields(str(stock)))
    return DayTotals(
        date.fromisoformat(str(day)),
        None if pets is None else cast("dict[str, int]", stored_fields(str(pets))),
        None if by_category is None else {key_from_text(key) if key else None: n for key, n in by_category.items()},
        *cast("list[int | None]", counts),
    )
