"""Reads the unsent changes out of a damaged journal, as far as they are intact.

Works on a copy, row by row: what one damaged page hides is skipped, and what lies on the others is found by its key.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, cast

import apsw
from msgspec import Struct, field
from msgspec.structs import replace

from petstore_desktop.domain.changes import Change, ChangeState
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.held_files import remove
from petstore_desktop.regular_files import read_start
from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.journal.rows import (
    ATTEMPT_COLUMNS,
    SUMMED_COLUMNS,
    Attempt,
    attempt_of,
    change_alone,
    is_whole,
)
from petstore_desktop.store.journal.unsent_count import copied
from petstore_desktop.store.sqlite.typed_apsw import Connection, Value, Values, connect
from petstore_desktop.store.sqlite.wal_check import committed, frames

_PAGE: Final = 4096
_PAGES: Final = slice(28, 32)
"""Offset of the page count in the first page (sqlite.org, "Database File Format", 1.3)."""
_MOST_MISSES: Final = 20_000
"""After how many unreadable keys in a row reading stops: a page holds a few hundred at most."""
_TABLES: Final = (
    (SUMMED_COLUMNS, "change"),
    ("change_id", "open_change"),
    ("change_id, attempt_id", "attempt_change"),
    (ATTEMPT_COLUMNS, "attempt a"),
)
_AS_BYTES: Final = "id, at, CAST(resource AS BLOB), CAST(key AS BLOB), CAST(intent AS BLOB)"
_YEAR_9999: Final = 253_000_000_000.0
"""UTC epoch seconds; later times have no date."""


class _Read(Struct):
    """The readable rows of a table, by key; `whole`: all rows were readable."""

    rows: dict[Value, list[Values]] = field(default_factory=dict[Value, list[Values]])
    whole: bool = True


_UNREADABLE = (apsw.Error, UnicodeDecodeError)
"""What reading a damaged file raises: any text in it may be none."""


class LostChange(Struct, frozen=True):
    """An unsent change that cannot be read. `at`: when it was made (UTC epoch seconds), `record` and `text`: the
    readable parts of its row."""

    id: int
    at: float | None = None
    record: str = ""
    text: str = ""


class Salvaged(Struct, frozen=True):
    """The unsent changes of a damaged journal, oldest first: `changes`, each with its record's name then ("" if
    unknown), and the unreadable ones. `whole`: there were no others."""

    changes: tuple[tuple[Change, str], ...] = ()
    lost: tuple[LostChange, ...] = ()
    whole: bool = False


def salvaged(path: Path) -> Salvaged:
    """Read the changes of a damaged journal that are not known to be closed. Raises StorageError if no copy can be
    made.

    A change whose last attempt cannot be read is given the state that it had before that attempt.
    """
    with copied(path) as copy:
        _replay(copy)
        found = _salvaged(copy)
        if found is None:
            _graft(copy, copy.with_name("fresh.db"))
            found = _salvaged(copy)
    return found or Salvaged()


def address_in(path: Path) -> str:
    """Read the address of the service that a damaged journal was written for; empty where it cannot be read."""
    with suppress(StorageError), copied(path) as copy:
        _replay(copy)
        address = _address(copy)
        if not address:
            _graft(copy, copy.with_name("fresh.db"))
            address = _address(copy)
        return address
    return ""


def _address(copy: Path) -> str:
    with suppress(*_UNREADABLE), _opened(copy) as connection:
        for address, checksum in connection.execute("SELECT address, sum FROM origin"):
            return str(address) if is_whole((address,), checksum) else ""
    return ""


def attempts_after(path: Path, last: int) -> dict[int, tuple[Values | None, set[int]]]:
    """The attempts of a damaged journal with ids above `last`: as ATTEMPT_COLUMNS (None: that cannot be read), and the
    changes that each is about, which stand both in a table and in its index. Raises StorageError."""
    rows: dict[int, Values] = {}
    ties: dict[int, set[int]] = {}
    with copied(path) as copy:
        _replay(copy)
        with _opened(copy) as connection:
            with suppress(*_UNREADABLE):
                query = f"SELECT {ATTEMPT_COLUMNS}, sum FROM attempt a WHERE id > ?"
                for row in connection.execute(query, (last,)):
                    if is_whole(row[:-1], row[-1]):
                        rows[cast("int", row[0])] = row[:-1]
            for where in (
                "WHERE +attempt_id > ? ORDER BY change_id",
                "INDEXED BY change_of_attempt WHERE attempt_id > ?",
            ):
                query = f"SELECT attempt_id, change_id FROM attempt_change {where}"  # the table, and its index
                with suppress(*_UNREADABLE):
                    for attempt, change in connection.execute(query, (last,)):
                        ties.setdefault(cast("int", attempt), set()).add(cast("int", change))
    return {attempt: (rows.get(attempt), changes) for attempt, changes in sorted(ties.items())}


def _salvaged(copy: Path) -> Salvaged | None:
    """The same, from an opened copy; None if the file is no database any more."""
    try:
        with _opened(copy) as connection:
            for columns, table in _TABLES:
                connection.execute(f"SELECT {columns} FROM {table} LIMIT 0")
            known = {name for (name,) in connection.execute("SELECT name FROM pragma_table_info('change')")}
            columns = f"{SUMMED_COLUMNS}, {'sum' if 'sum' in known else 'NULL'}"
            changes = _read(connection, columns, "change", "id")
            waiting, ties, attempts = (_read(connection, *table, table[0].split(",")[0]) for table in _TABLES[1:])
            rest = {} if changes.whole else _read(connection, _AS_BYTES, "change", "id").rows
    except _UNREADABLE:
        return None
    return _sorted_out(changes, waiting, ties, attempts, rest)


def _sorted_out(
    changes: _Read, waiting: _Read, ties: _Read, attempts: _Read, rest: Mapping[Value, list[Values]]
) -> Salvaged:
    """Select the unsent changes. If attempts may be missing, the table of open changes decides; else that table or a
    change's own attempts do. `rest`: the parts of changes readable only as bytes."""
    sure = waiting.whole and not (ties.whole and attempts.whole)
    found: list[tuple[Change, str]] = []
    lost: list[LostChange] = []
    for id_ in sorted(cast("set[int]", changes.rows.keys() | waiting.rows.keys() | rest.keys())):
        listed = id_ in waiting.rows
        if sure and not listed:
            continue
        rows = changes.rows.get(id_, [()])
        row = next((one for one in rows if one and is_whole(one[:-1], one[-1])), rows[0])
        tried = [attempts.rows[tie[1]][0] for tie in ties.rows.get(id_, ()) if tie[1] in attempts.rows]
        try:
            change = _change(row, tried)
        except ValueError:  # neither was this written by us
            if listed or not waiting.whole:
                lost.append(_lost(id_, (row[2], *row[3:6]) if row else rest.get(id_, [()])[0][1:]))
            continue
        if change.state.is_open or listed:
            found.append((change, _name(row[7])))
    return Salvaged(tuple(found), tuple(lost), changes.whole and waiting.whole)


def _lost(id_: int, row: Values) -> LostChange:
    """`row`: when it was made, resource, key and intent, as texts or bytes."""
    if not row:
        return LostChange(id_)
    at = row[0] if isinstance(row[0], float) and 0 <= row[0] < _YEAR_9999 else None
    resource, key, intent = (one.decode("utf-8", "replace") if isinstance(one, bytes) else str(one) for one in row[1:])
    return LostChange(id_, at, f"{resource} {key}", intent)


def _change(row: Values, tried: Iterable[Values]) -> Change:
    """`row` as it lies in `change`, its checksum last; `tried` as ATTEMPT_COLUMNS: those that cannot be read are passed
    over. Raises ValueError."""
    if not row or not is_whole(row[:-1], row[-1]):
        raise ValueError("not as it was written")
    change = change_alone(row)
    attempts: list[Attempt] = []
    for one in tried:
        with suppress(ValueError):
            attempts.append(attempt_of(one))
    if not attempts:
        return change
    last = max(attempts, key=lambda attempt: attempt.id)
    state = ChangeState.SENDING if last.outcome is None else last.outcome
    moved_at = last.at if last.ended_at is None else last.ended_at
    return replace(change, state=state, moved_at=moved_at, reason=last.reason, result_key=last.result_key)


def _name(before: object) -> str:
    try:
        record = cast("object", json.loads(before)) if isinstance(before, str) else None
    except ValueError:
        return ""
    name = cast("dict[str, object]", record).get("name") if isinstance(record, dict) else None
    return name if isinstance(name, str) else ""


def _read(connection: Connection, columns: str, table: str, key: str) -> _Read:
    """Read the rows of a table by key, skipping keys that cannot be read."""
    found = _Read()
    query = f"SELECT {columns} FROM {table} WHERE {key} >= ? ORDER BY {key}"
    misses = itertools.count(1)
    at = 0
    while True:
        try:
            for row in connection.execute(query, (at,)):
                id_ = row[0]
                if not isinstance(id_, int):
                    raise apsw.CorruptError("a key is no number")
                if id_ > at:
                    misses = itertools.count(1)
                found.rows.setdefault(id_, []).append(row)
                at = id_
            return found
        except _UNREADABLE:
            found.whole = False
            at += 1
            if next(misses) > _MOST_MISSES:
                return found


def _replay(copy: Path) -> None:
    """Copy every page of the log into the file, including those behind a broken frame or of a lost file, which SQLite
    would not read."""
    log = copy.with_name(f"{copy.name}-wal")
    pages, size = committed(frames(log)) if log.exists() else ({}, 0)
    if not pages:
        return
    copy.touch()
    with copy.open("r+b") as file:  # house: file - our own
        file.truncate(max(size * _PAGE, copy.stat().st_size))
        for page, data in pages.items():
            file.seek((page - 1) * _PAGE)
            file.write(data)
    remove(log)


def _graft(copy: Path, fresh: Path) -> None:
    """Replace a lost first page with that of a new journal, whose tables begin at the same pages."""
    with suppress(StorageError):
        Journal(fresh).close()
        page = bytearray(read_start(fresh, _PAGE))
        page[_PAGES] = (copy.stat().st_size // _PAGE).to_bytes(4, "big")
        with copy.open("r+b") as file:  # house: file - our own
            file.write(page)


@contextmanager
def _opened(path: Path) -> Generator[Connection]:
    connection = connect(path, apsw.SQLITE_OPEN_READWRITE)
    try:
        with suppress(*_UNREADABLE):  # an earlier version has none
            connection.execute("ALTER TABLE attempt ADD COLUMN result_text TEXT")
        yield connection
    finally:
        connection.close()
