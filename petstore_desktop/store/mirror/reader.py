"""Reads mirror.db beside its writer, on any thread: the first rows for the first paint, and all of them as a stream."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple, cast

import apsw

from petstore_desktop.domain.records import Key, Resource, Row, RowBlock, ServiceId, StatusCounts
from petstore_desktop.store.mirror.rows import (
    CONTENT,
    ROW_COLUMNS,
    SCHEMA_VERSION,
    SORTABLE,
    ListStatus,
    block_of,
    counts_of,
    facts_of,
    key_of,
    key_value,
    reader_of,
)
from petstore_desktop.store.sqlite.typed_apsw import Connection, Value, Values, connect, told

_NOTHING: Final = ListStatus(0, None)
_BUSY_MS: Final = 200
BLOCK_ROWS: Final = 1_000
"""Rows in one block: read within 1 ms."""
FEW_CATEGORIES: Final = 200
"""How many rows are read for the first paint."""
_NAMES: Final = {  # house: whole-table - categories name no record
    Resource.PETS: (Resource.CATEGORIES, "category_id", "changed"),
    Resource.ORDERS: (Resource.PETS, "pet_id", "changed"),
    Resource.INVENTORY: (Resource.PETS, "key", "born"),
}
"""By list: the one whose records it names, the column that names them, and the one with the number of the answer since
which at the latest it names them."""


class FirstScreen(NamedTuple):
    """Rows for the first paint, and how many rows of each resource refer to each of them."""

    rows: dict[Resource, list[Row]]
    counts: dict[Resource, dict[Key, int]]


def _named(rows: Sequence[Row], name: str) -> list[Key]:
    """The records that these rows refer to."""
    return list({key for row in rows if (key := getattr(row.record, name)) is not None})


class MirrorReader:
    """One read-only connection, for one thread at a time. A mirror that does not exist yet is empty, and so is that of
    another service than the one at `address`, if that is given.

    Each method raises StorageError. It never mends or sets aside anything: that is the writer's.
    """

    __slots__ = ("_address", "_connection", "_path")

    def __init__(self, path: Path, address: str | None = None) -> None:
        """Remember where the mirror is; the file is opened when it is first read."""
        self._path = path
        self._address = address
        self._connection: Connection | None = None

    def first(self, resource: Resource, n: int, order: str = "key") -> list[Row]:
        """The first `n` rows, sorted by a column (names by their letters, case ignored); missing values last.

        Raises ValueError for a column that is not of this resource.
        """
        if order not in SORTABLE[resource]:
            raise ValueError(f"{resource} cannot be sorted by {order!r}")
        query = (
            f"SELECT {ROW_COLUMNS[resource]} FROM {resource.value} "
            f"ORDER BY {order} {SORTABLE[resource][order]}NULLS LAST, key LIMIT ?"
        )
        return list(map(reader_of(resource), self._rows(query, (n,))))

    def some(self, resource: Resource, keys: Sequence[Key]) -> list[Row]:
        """The rows of these keys, as far as there are any, in no order."""
        query = f"SELECT {ROW_COLUMNS[resource]} FROM {resource.value} WHERE key IN (SELECT value FROM json_each(?))"
        rows = self._rows(query, (json.dumps([key_value(key) for key in keys]),))
        return list(map(reader_of(resource), rows))

    def counts(self, resource: Resource, name: str, keys: Sequence[Key]) -> dict[Key, int]:
        """Count the rows with each of these keys in the field `name`, which has an index."""
        query = (
            f"SELECT {name}, count(*) FROM {resource.value} "
            f"WHERE {name} IN (SELECT value FROM json_each(?)) GROUP BY {name}"
        )
        rows = self._rows(query, (json.dumps([key for key in keys if isinstance(key, ServiceId)]),))
        return dict(cast("Iterator[tuple[Key, int]]", rows))

    def first_screen(self, resource: Resource, keys: Sequence[Key]) -> FirstScreen:
        """The rows of these keys, and the values of other lists that a table shows beside them."""
        found = FirstScreen({resource: self.some(resource, keys)}, {})
        match resource:
            case Resource.PETS:
                found.rows[Resource.INVENTORY] = self.some(Resource.INVENTORY, keys)
                found.counts[Resource.ORDERS] = self.counts(Resource.ORDERS, "pet_id", keys)
            case Resource.ORDERS:
                found.rows[Resource.PETS] = self.some(Resource.PETS, _named(found.rows[resource], "pet_id"))
            case Resource.INVENTORY:
                found.rows[Resource.PETS] = self.some(Resource.PETS, keys)
            case Resource.CATEGORIES:
                found.counts[Resource.PETS] = self.counts(Resource.PETS, "category_id", keys)
        if resource is not Resource.CATEGORIES:
            named = _named(found.rows.get(Resource.PETS, ()), "category_id")
            found.rows[Resource.CATEGORIES] = self._categories(named)
        return found

    def _categories(self, named: Sequence[Key]) -> list[Row]:
        """These categories, or all if they are few: a new pet needs them to choose from right after the start."""
        rows = self.first(Resource.CATEGORIES, FEW_CATEGORIES)
        known = {row.key for row in rows}
        return [*rows, *self.some(Resource.CATEGORIES, [key for key in named if key not in known])]

    def stream(self, resource: Resource, size: int = 500) -> Iterator[list[Row]]:
        """All rows by key, in lists of `size`, as they were when it began. Read it to its end or close it.

        While it is open the writer's log grows, since it cannot be folded into the file.
        """
        with closing(self._rows(f"SELECT {ROW_COLUMNS[resource]} FROM {resource.value} ORDER BY key")) as rows:
            while found := list(map(reader_of(resource), islice(rows, size))):
                yield found

    def blocks(self, resource: Resource, size: int = BLOCK_ROWS) -> Iterator[RowBlock]:
        """The same as columns, at a tenth of the cost. Equal status words are one object."""
        words: dict[Value, Value] = {}
        query = f"SELECT key, {', '.join(CONTENT[resource])}, seen_at FROM {resource.value} ORDER BY key"
        with closing(self._rows(query)) as rows:
            while found := list(islice(rows, size)):
                yield block_of(resource, found, words)

    def facts(self, resource: Resource) -> ListStatus:
        """How many rows there are, and when they were last walked."""
        with told(self._path):
            connection = self._open()
            return _NOTHING if connection is None else facts_of(connection, resource)

    def named_later(self, resource: Resource) -> tuple[tuple[Key, float], ...]:
        """What rows of this list name, and what is not here though its own list was read: those that were named only
        after that reading began, each with when it was last named (UTC epoch seconds). They may have been made since.

        No walk that swept a list left a row with a lower number than its own, so the lowest is not above its.
        """
        if resource not in _NAMES:
            return ()
        target, column, since = _NAMES[resource]
        named = (
            column
            if column == "key"
            else f"CASE typeof({column}) WHEN 'text' THEN 'text:' || {column} ELSE {column} END"
        )
        query = (
            f"SELECT {named} AS named, max(seen_at) FROM {resource.value} "
            f"WHERE {since} > coalesce((SELECT min(walk) FROM {target.value}), -1) AND named IS NOT NULL "
            f"AND named NOT IN (SELECT key FROM {target.value}) "
            "AND EXISTS (SELECT 1 FROM fact WHERE resource = ?) GROUP BY named"
        )
        rows = cast("Iterator[tuple[int | str, float]]", self._rows(query, (target.value,)))
        return tuple((key_of(key), at) for key, at in rows)

    def has_text_ids(self, resource: Resource) -> bool:
        """Whether the service names any record of this list by a text."""
        query = f"SELECT 1 FROM {resource.value} WHERE key >= 'text:' AND key < 'text;' LIMIT 1"
        return bool(list(self._rows(query)))

    def status_counts(self) -> StatusCounts | None:
        """The service's own count of its pets; None where it has told none."""
        with told(self._path):
            connection = self._open()
            return None if connection is None else counts_of(connection)

    def changed_since(self, since: float) -> dict[Resource, frozenset[Key]]:
        """The records new or changed since then (UTC epoch seconds), see `observed_changes`."""
        from petstore_desktop.store.mirror.observed_changes import changed_keys  # late: asked for after the first paint

        with told(self._path):
            connection = self._open()
            return {} if connection is None else changed_keys(connection, since)

    def close(self) -> None:
        """Close the file; a later call opens it again."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _rows(self, query: str, bindings: Sequence[Value] = ()) -> Generator[Values]:
        """The rows of a SELECT, none where there is no mirror. Read them to their end or close it."""
        with told(self._path):
            connection = self._open()
            if connection is not None:
                cursor = connection.execute(query, bindings)
                try:
                    yield from cursor
                finally:
                    cursor.close()

    def _open(self) -> Connection | None:
        if self._connection is None and self._path.exists():
            connection = connect(self._path, apsw.SQLITE_OPEN_READONLY)
            try:
                connection.set_busy_timeout(_BUSY_MS)
                if connection.pragma("user_version") == SCHEMA_VERSION and self._is_meant(connection):
                    self._connection = connection
            finally:
                if self._connection is not connection:
                    connection.close()  # its writer has not laid it out yet, or another version did
        return self._connection

    def _is_meant(self, connection: Connection) -> bool:
        said = connection.execute("SELECT address FROM origin").fetchone()
        return self._address is None or said is None or said[0] == self._address
