"""What can still be read of a damaged journal: the changes that were waiting, as far as they are whole.

Works on a copy, row by row: what one damaged page hides is skipped, and what lies on the others is found by its key.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, cast

import apsw

from petstore_desktop.domain.changes import Change, ChangeState
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.store.journal import Journal
from petstore_desktop.store.journal_rows import ATTEMPT_COLUMNS, attempt_of, change_of
from petstore_desktop.store.peek import copied
from petstore_desktop.store.sqlite import Connection, Value, Values, connect
from petstore_desktop.store.wal import committed, frames

_PAGE: Final = 4096
_PAGES: Final = slice(28, 32)
"""Where the first page says how many there are (sqlite.org, "Database File Format", 1.3)."""
_MOST_MISSES: Final = 20_000
"""Keys in a row that cannot be read, after which there is no more: a page holds a few hundred at most."""
_NO_END: Final[Values] = (None,) * 6


@dataclass(slots=True)
class _Read:
    """The rows of a table that could be read, by key; `whole`: all of them."""

    rows: dict[Value, list[Values]] = field(default_factory=dict[Value, list[Values]])
    whole: bool = True


def unsent(path: Path) -> tuple[tuple[Change, str], ...]:
    """The changes in a damaged journal that are not known to be over, oldest first, each with the name that its record
    had ("" where that is not known). Raises StorageError where even a copy cannot be made.

    One of which the last attempt cannot be read is told as it was before that.
    """
    with copied(path) as copy:
        _replay(copy)
        found = _unsent(copy)
        if found is None:
            _graft(copy, copy.with_name("fresh.db"))
            found = _unsent(copy)
    return tuple(found or ())


def _unsent(copy: Path) -> list[tuple[Change, str]] | None:
    """None where nothing holds the file together."""
    try:
        with _opened(copy) as connection:
            connection.execute("SELECT 1 FROM change, attempt, attempt_change, open_change LIMIT 0").fetchall()
            changes = _read(connection, "id, batch, at, resource, key, intent, base, before", "change", "id")
            waiting = _read(connection, "change_id", "open_change", "change_id")
            ties = _read(connection, "change_id, attempt_id", "attempt_change", "change_id")
            attempts = _read(connection, ATTEMPT_COLUMNS, "attempt a", "a.id")
    except apsw.Error:
        return None
    told: list[tuple[Change, str]] = []
    for id_, (row, *_) in sorted(changes.rows.items(), key=lambda item: cast("int", item[0])):
        if waiting.whole and id_ not in waiting.rows:
            continue
        tried = [attempts.rows[tie[1]][0] for tie in ties.rows.get(id_, ()) if tie[1] in attempts.rows]
        with suppress(ValueError):  # neither was this written by us
            change = _change(row, tried)
            if change.state.is_open or id_ in waiting.rows:
                told.append((change, _name(row[-1])))
    return told


def _change(row: Values, tried: Iterable[Values]) -> Change:
    """`row` as it lies in `change`, `tried` as ATTEMPT_COLUMNS. Raises ValueError."""
    attempts = sorted(map(attempt_of, tried), key=lambda attempt: attempt.id)
    change = change_of((*row[:-1], None, None, row[2], *_NO_END))
    if not attempts:
        return change
    last = attempts[-1]
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
    """Forward by key; where that fails, on from the next key."""
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
        except apsw.Error:
            found.whole = False
            at += 1
            if next(misses) > _MOST_MISSES:
                return found


def _replay(copy: Path) -> None:
    """Bring all into the file that its log holds, also what SQLite would not read: what is behind a broken place, and
    what belongs to a file that is gone."""
    log = copy.with_name(f"{copy.name}-wal")
    pages, size = committed(frames(log)) if log.exists() else ({}, 0)
    if not pages:
        return
    copy.touch()
    with copy.open("r+b") as file:
        file.truncate(max(size * _PAGE, copy.stat().st_size))
        for page, data in pages.items():
            file.seek((page - 1) * _PAGE)
            file.write(data)
    log.unlink()


def _graft(copy: Path, fresh: Path) -> None:
    """Give a file whose first page is lost that of a new journal, whose tables begin at the same pages."""
    with suppress(StorageError):
        Journal(fresh).close()
        page = bytearray(fresh.read_bytes()[:_PAGE])
        page[_PAGES] = (copy.stat().st_size // _PAGE).to_bytes(4, "big")
        with copy.open("r+b") as file:
            file.write(page)


@contextmanager
def _opened(path: Path) -> Generator[Connection]:
    connection = connect(path, apsw.SQLITE_OPEN_READWRITE)
    try:
        yield connection
    finally:
        connection.close()
