"""The shop's books: four tables of records in SQLite, each change numbered.

A record is a JSON object. Its ordinary fields stand in columns, so that the books can be read and judged from outside
while the shop runs; `raw` holds the record's JSON text where the columns alone would not give it back exactly (null,
of another type, or unknown). `version` is the number of the change that wrote the row, unique within a table.
"""

from __future__ import annotations

import json
import re
import secrets
import sqlite3
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1

Record = dict[str, Any]
_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,18}")
LONGEST_ID = 200


class RecordId:
    """The type of an id: a whole number, or a text that is not written as one."""


def id_of(text: str) -> int | str | None:
    """The id that a text stands for: a number where it is written as one; None for what can be no id."""
    if _NUMBER.fullmatch(text) and INT64_MIN <= int(text) <= INT64_MAX:
        return int(text)
    return text if 0 < len(text) <= LONGEST_ID else None


@dataclass(frozen=True)
class TableSpec:
    """A table's name, its fields (JSON name to column and type), and the field that addresses a record."""

    name: str
    columns: Mapping[str, tuple[str, type]]
    key: str

    @cached_property
    def key_column(self) -> str:
        """The column of the addressing field."""
        return self.columns[self.key][0]

    @cached_property
    def select(self) -> str:
        """SELECT of all that a StoredRow needs; a condition can follow."""
        names = ", ".join(column for column, _ in self.columns.values())
        return f"SELECT row, version, raw, {names} FROM {self.name} WHERE "

    @cached_property
    def upsert(self) -> str:
        """INSERT OR REPLACE with row, version, raw and the columns."""
        names = ", ".join(column for column, _ in self.columns.values())
        places = ", ?" * len(self.columns)
        return f"INSERT OR REPLACE INTO {self.name}(row, version, raw, {names}) VALUES (?, ?, ?{places})"

    def schema(self) -> str:
        """CREATE TABLE of this table."""
        types = {RecordId: "", int: "INTEGER", str: "TEXT", bool: "INTEGER"}
        columns = [
            f"{column} {types[kind]}{' UNIQUE' if name == self.key else ''}"
            for name, (column, kind) in self.columns.items()
        ]
        return (
            f"CREATE TABLE IF NOT EXISTS {self.name}(row INTEGER PRIMARY KEY, {', '.join(columns)}, "
            "version INTEGER NOT NULL, raw TEXT)"
        )


PETS = TableSpec(
    "pets",
    {"id": ("id", RecordId), "name": ("name", str), "categoryId": ("category_id", RecordId), "status": ("status", str)},
    "id",
)
CATEGORIES = TableSpec(
    "categories", {"id": ("id", RecordId), "name": ("name", str), "description": ("description", str)}, "id"
)
ORDERS = TableSpec(
    "orders",
    {
        "id": ("id", RecordId),
        "petId": ("pet_id", RecordId),
        "quantity": ("quantity", int),
        "shipDate": ("ship_date", str),
        "complete": ("complete", bool),
    },
    "id",
)
INVENTORY = TableSpec(
    "inventory", {"petId": ("pet_id", RecordId), "quantity": ("quantity", int), "status": ("status", str)}, "petId"
)
TABLES = {table.name: table for table in (PETS, CATEGORIES, ORDERS, INVENTORY)}


@dataclass(slots=True)
class StoredRow:
    """A stored record: its place in the table, the number of the change that wrote it, and its JSON text."""

    row: int
    version: int
    text: str

    @property
    def record(self) -> Record:
        """The record as an object."""
        return parsed(self.text)


def parsed(text: str) -> Record:
    """The record that a JSON text stands for; an empty one where that is not an object."""
    try:
        value: object = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType] (any JSON object)


def dumps(value: object) -> str:
    """Compact JSON in plain UTF-8."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _fits(value: object, kind: type) -> bool:
    if kind is RecordId and type(value) is str:
        return id_of(value) == value
    kind = int if kind is RecordId else kind
    if type(value) is not kind:
        return False
    return not isinstance(value, int) or INT64_MIN <= value <= INT64_MAX


def split(table: TableSpec, record: Mapping[str, Any]) -> tuple[list[Any], str | None]:
    """A record's column values, and its JSON text where they are not the whole of it."""
    values = [record.get(name) if _fits(record.get(name), kind) else None for name, (_, kind) in table.columns.items()]
    fitting = {name for name, value in zip(table.columns, values, strict=True) if value is not None}
    raw = None if fitting == set(record) else dumps(record)
    key = list(table.columns).index(table.key)
    if values[key] is None:
        values[key] = _spelled_id(record.get(table.key))
    return values, raw


def _spelled_id(value: object) -> int | str | None:
    """What an id written as a string stands for, where that is a number."""
    return id_of(value) if isinstance(value, str) else None


class ShopDatabase:
    """The open books. Used by one thread; every change is one transaction."""

    def __init__(self, path: Path | None) -> None:
        self._sql = sqlite3.connect(":memory:" if path is None else str(path), isolation_level=None)
        if path is not None:
            self._sql.execute("PRAGMA journal_mode=WAL")
            self._sql.execute("PRAGMA synchronous=NORMAL")
        for table in TABLES.values():
            self._sql.execute(table.schema())
        self._sql.execute("CREATE INDEX IF NOT EXISTS pets_category ON pets(category_id)")
        self._sql.execute("CREATE INDEX IF NOT EXISTS orders_pet ON orders(pet_id)")
        self._sql.execute("CREATE TABLE IF NOT EXISTS meta(name TEXT PRIMARY KEY, value)")
        self._sql.execute("INSERT OR IGNORE INTO meta VALUES ('tag', ?)", (secrets.token_hex(3),))
        self.tag = str(self.meta("tag"))

    def close(self) -> None:
        """Close the file."""
        self._sql.close()

    @contextmanager
    def transaction(self) -> Generator[None]:
        """All changes within, or none."""
        self._sql.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._sql.execute("ROLLBACK")
            raise
        self._sql.execute("COMMIT")

    def meta(self, name: str) -> Any:
        """A value of the shop itself; None where there is none."""
        found = self._sql.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return None if found is None else found[0]

    def set_meta(self, name: str, value: object) -> None:
        """Keep a value of the shop itself."""
        self._sql.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))

    def empty(self) -> bool:
        """Whether the shop was never filled."""
        return self.meta("seeded") is None

    def clear(self) -> None:
        """Remove every record and start with a new tag, so that no validator of before matches."""
        for table in TABLES.values():
            self._sql.execute(f"DELETE FROM {table.name}")
        self._sql.execute("DELETE FROM meta")
        self.tag = secrets.token_hex(3)
        self.set_meta("tag", self.tag)

    def fill(self, table: TableSpec, records: Iterable[Mapping[str, Any]]) -> None:
        """Write the first records of a table, in this order."""
        rows: list[list[Any]] = []
        for number, record in enumerate(records, 1):
            values, raw = split(table, record)
            rows.append([number, 1, raw, *values])
        self._sql.executemany(table.upsert, rows)
        self.set_meta(f"{table.name}.revision", 1)

    def revision(self, table: TableSpec) -> int:
        """The number of a table's last change."""
        return int(self.meta(f"{table.name}.revision") or 0)

    def get(self, table: TableSpec, key: int | str) -> StoredRow | None:
        """The record with this id."""
        found = self._sql.execute(f"{table.select}{table.key_column} = ?", (key,)).fetchone()
        return None if found is None else self._row(table, found)

    def at(self, table: TableSpec, place: int) -> StoredRow | None:
        """The record at a place, counted from 0, in the order of their making; below 0: the one changed last."""
        condition, value = ("1 ORDER BY row LIMIT 1 OFFSET ?", place) if place >= 0 else ("version = ? LIMIT 1", None)
        value = self.revision(table) if value is None else value
        found = self._sql.execute(table.select + condition, (value,)).fetchone()
        return None if found is None else self._row(table, found)

    def page(self, table: TableSpec, after: int, limit: int, where: Mapping[str, Any] | None = None) -> list[StoredRow]:
        """Up to `limit` records behind the row `after`, in the order of their making; `where` compares columns."""
        condition, values = _condition(where)
        query = f"{table.select}row > ? AND {condition} ORDER BY row LIMIT ?"
        return [self._row(table, found) for found in self._sql.execute(query, (after, *values, limit))]

    def count(self, table: TableSpec, where: Mapping[str, Any] | None = None) -> int:
        """How many records there are."""
        condition, values = _condition(where)
        found = self._sql.execute(f"SELECT count(*) FROM {table.name} WHERE {condition}", values).fetchone()
        return int(found[0])

    def new_id(self, table: TableSpec) -> int:
        """An id that no record of the table had before, near the ordinary ones (not the ten-digit ones)."""
        new = self._last_id(table) + 1
        self.set_meta(f"{table.name}.last_id", new)
        return new

    def _last_id(self, table: TableSpec) -> int:
        highest = self._sql.execute(f"SELECT max(id) FROM {table.name} WHERE id < 1000000000").fetchone()[0] or 1000
        return max(int(highest), int(self.meta(f"{table.name}.last_id") or 0))

    def put(self, table: TableSpec, record: Mapping[str, Any], text: str | None = None) -> StoredRow:
        """Write a record in place of the one with its id, or as a new one; `text` is served instead of the record."""
        values, raw = split(table, record)
        revision = self._bump(table)
        key = values[list(table.columns).index(table.key)]
        place = self._sql.execute(f"SELECT row FROM {table.name} WHERE {table.key_column} = ?", (key,)).fetchone()
        row = None if place is None else place[0]
        stored = self._sql.execute(table.upsert, (row, revision, raw if text is None else text, *values))
        return StoredRow(int(stored.lastrowid or 0), revision, text or dumps(record))

    def remove(self, table: TableSpec, key: int | str) -> bool:
        """Remove a record; whether there was one. Its id is not given again."""
        if "id" in table.columns:
            self.set_meta(f"{table.name}.last_id", self._last_id(table))
        gone = self._sql.execute(f"DELETE FROM {table.name} WHERE {table.key_column} = ?", (key,)).rowcount
        if gone:
            self._bump(table)
        return bool(gone)

    def _bump(self, table: TableSpec) -> int:
        revision = self.revision(table) + 1
        self.set_meta(f"{table.name}.revision", revision)
        return revision

    def _row(self, table: TableSpec, found: tuple[Any, ...]) -> StoredRow:
        row, version, raw, *values = found
        if raw is not None:
            return StoredRow(row, version, raw)
        record = {
            name: bool(value) if kind is bool else value
            for (name, (_, kind)), value in zip(table.columns.items(), values, strict=True)
            if value is not None
        }
        return StoredRow(row, version, dumps(record))


def _condition(where: Mapping[str, Any] | None) -> tuple[str, tuple[Any, ...]]:
    if not where:
        return "1", ()
    return " AND ".join(f"{column} = ?" for column in where), tuple(where.values())
