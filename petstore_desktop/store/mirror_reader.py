"""Reads mirror.db beside its writer, on any thread: the first rows for the first paint, and all of them as a stream."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import apsw

from petstore_desktop.domain.records import Block, Resource, Row
from petstore_desktop.store.mirror_rows import (
    CONTENT,
    ROW_COLUMNS,
    SCHEMA_VERSION,
    SORTABLE,
    Facts,
    block_of,
    facts_of,
    reader_of,
)
from petstore_desktop.store.sqlite import Connection, Value, connect, told

_NOTHING: Final = Facts(0, None, None)
_BUSY_MS: Final = 200
BLOCK_ROWS: Final = 1_000
"""Rows in one block: read within 1 ms."""


class MirrorReader:
    """One read-only connection, for one thread at a time. A mirror that does not exist yet is empty.

    Each method raises StorageError. It never mends or sets aside anything: that is the writer's.
    """

    __slots__ = ("_connection", "_path")

    def __init__(self, path: Path) -> None:
        """Remember where the mirror is; the file is opened when it is first read."""
        self._path = path
        self._connection: Connection | None = None

    def first(self, resource: Resource, n: int, order: str = "key", descending: bool = False) -> list[Row]:
        """The first `n` rows, sorted by a column (names by their letters, case ignored); missing values last both ways.

        Raises ValueError for a column that is not of this resource.
        """
        if order not in SORTABLE[resource]:
            raise ValueError(f"{resource} cannot be sorted by {order!r}")
        way = "DESC" if descending else "ASC"
        text = "COLLATE NOCASE " if order in ("name", "description", "status") else ""
        read = reader_of(resource)
        with told(self._path):
            connection = self._open()
            if connection is None:
                return []
            rows = connection.execute(
                f"SELECT {ROW_COLUMNS[resource]} FROM {resource.value} "
                f"ORDER BY {order} {text}{way} NULLS LAST, key {way} LIMIT ?",
                (n,),
            )
            return [read(values) for values in rows]

    def stream(self, resource: Resource, size: int = 500) -> Iterator[list[Row]]:
        """All rows by key, in lists of `size`, as they were when it began. Read it to its end or close it.

        While it is open the writer's log grows, since it cannot be folded into the file.
        """
        read = reader_of(resource)
        with told(self._path):
            connection = self._open()
            if connection is None:
                return
            cursor = connection.execute(f"SELECT {ROW_COLUMNS[resource]} FROM {resource.value} ORDER BY key")
            try:
                rows: list[Row] = []
                for values in cursor:
                    rows.append(read(values))
                    if len(rows) >= size:
                        yield rows
                        rows = []
                if rows:
                    yield rows
            finally:
                cursor.close()

    def blocks(self, resource: Resource, size: int = BLOCK_ROWS) -> Iterator[Block]:
        """The same as columns, a tenth of the work. Equal words of a status are one text."""
        words: dict[Value, Value] = {}
        with told(self._path):
            connection = self._open()
            if connection is None:
                return
            cursor = connection.execute(
                f"SELECT key, {', '.join(CONTENT[resource])}, seen_at FROM {resource.value} ORDER BY key"
            )
            try:
                while rows := list(islice(cursor, size)):
                    yield block_of(resource, rows, words)
            finally:
                cursor.close()

    def facts(self, resource: Resource) -> Facts:
        """How many rows there are, and when they were last walked."""
        with told(self._path):
            connection = self._open()
            return _NOTHING if connection is None else facts_of(connection, resource)

    def close(self) -> None:
        """Close the file; a later call opens it anew."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _open(self) -> Connection | None:
        if self._connection is None and self._path.exists():
            connection = connect(self._path, apsw.SQLITE_OPEN_READONLY)
            try:
                connection.set_busy_timeout(_BUSY_MS)
                if connection.pragma("user_version") == SCHEMA_VERSION:
                    self._connection = connection
            finally:
                if self._connection is not connection:
                    connection.close()  # its writer has not laid it out yet, or another version did
        return self._connection
