"""Bounds of history.db, and the files beside it: histories of other addresses, and damaged ones that were set aside."""

from __future__ import annotations

import zlib
from contextlib import suppress
from pathlib import Path
from typing import Final

from petstore_desktop.data_folder import set_aside
from petstore_desktop.held_files import move, remove
from petstore_desktop.regular_files import Identity
from petstore_desktop.store.sqlite.database import Database
from petstore_desktop.store.sqlite.typed_apsw import told

KEPT_ASIDE: Final = 3
"""How many damaged files stay; older ones are deleted."""
_PARTS: Final = ("-wal", "-shm", "")
"""What belongs to a database; the file itself last, as it is what counts."""


def path_for(path: Path, address: str) -> Path:
    """Where the history of an address stands while the connection has another one."""
    return path.with_name(f"{path.stem}-{zlib.crc32(address.encode('utf-8', 'surrogatepass')):08x}{path.suffix}")


def exchange(path: Path, before: str, now: str) -> None:
    """Keep the closed history of the address before, and bring back that of the address now, if there is one. Raises
    StorageError."""
    with told(path):
        _move(path, path_for(path, before))
        if path_for(path, now).exists():
            _move(path_for(path, now), path)


def _move(path: Path, target: Path) -> None:
    for part in _PARTS:
        source = path.with_name(path.name + part)
        if source.exists():
            move(source, target.with_name(target.name + part))


def set_history_aside(path: Path, looked_at: Identity | None) -> Path | None:
    """Set a damaged history aside, and delete all but the last few before it; returns its new path, None where another
    one is there by now. Raises StorageError."""
    aside = set_aside(path, looked_at)
    keep_last_aside(path)
    return aside


def keep_last_aside(path: Path) -> None:
    """Delete all but the last few damaged histories."""
    with suppress(OSError):
        found = [one for one in path.parent.glob(f"{path.name}.damaged-*") if not one.name.endswith(_PARTS[:2])]
        found.sort(key=lambda one: (one.stat().st_mtime_ns, one.name))
        for old in found[:-KEPT_ASIDE]:
            for part in _PARTS:
                remove(old.with_name(old.name + part))


def delete_below(database: Database, id_: int) -> None:
    """Delete the changes before this one; the history begins when the last of them was seen."""
    last = database.row("SELECT seen_by FROM change WHERE id < ? ORDER BY id DESC LIMIT 1", (id_,))
    if last is None:
        return
    with database.transaction() as connection:
        connection.execute("DELETE FROM change WHERE id < ?", (id_,))
        connection.execute(
            "INSERT INTO trimmed VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET until = excluded.until", last
        )


def size(database: Database) -> int:
    """The bytes that a history uses."""
    used = database.number("PRAGMA page_count") - database.number("PRAGMA freelist_count")
    return used * database.number("PRAGMA page_size")
