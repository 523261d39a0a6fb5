"""How much waits in a journal that nobody has open, without opening it as its own: nothing in it is checked, mended or
set aside. For the shops that are not in the window."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Final

import apsw

from petstore_desktop.store.sqlite import connect, told

_OPEN: Final = "SELECT count(*) FROM open_change"
_UNSURE: Final = (
    "SELECT count(*) FROM (SELECT max(t.attempt_id) AS last FROM open_change o "
    "JOIN attempt_change t ON t.change_id = o.change_id GROUP BY o.change_id) JOIN attempt a ON a.id = last "
    "WHERE a.outcome IS NULL OR a.outcome = 'uncertain'"
)


def open_changes(path: Path) -> int:
    """How many changes are open: to be sent, or waiting for a person. Raises StorageError."""
    return _count(path, _OPEN)


def unsure_changes(path: Path) -> int:
    """Of how many of these nobody knows whether they arrived: what was on its way when the program ended is among them.
    Raises StorageError."""
    return _count(path, _UNSURE)


def pet_names(path: Path, pets: Iterable[int]) -> dict[int, str]:
    """The names of these pets in a mirror, as far as it knows them. Raises StorageError."""
    if not path.exists():
        return {}
    query = "SELECT key, name FROM pets WHERE key IN (SELECT value FROM json_each(?)) AND name IS NOT NULL"
    with told(path), closing(connect(path, apsw.SQLITE_OPEN_READWRITE)) as connection:
        rows = connection.execute(query, (json.dumps(list(pets)),)).fetchall()
    return {key: name for key, name in rows if isinstance(key, int) and isinstance(name, str)}


def _count(path: Path, query: str) -> int:
    if not path.exists():
        return 0
    with told(path), closing(connect(path, apsw.SQLITE_OPEN_READWRITE)) as connection:
        row = connection.execute(query).fetchone()
    count = 0 if row is None else row[0]
    return count if isinstance(count, int) else 0
