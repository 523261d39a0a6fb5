"""How much waits in a journal that nobody has open, without opening it as its own: nothing in it is checked, mended or
set aside. For the shops that are not in the window."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import apsw

from petstore_desktop.store.sqlite import connect, told


def open_changes(path: Path) -> int:
    """How many changes are open: to be sent, or waiting for a person. Raises StorageError."""
    if not path.exists():
        return 0
    with told(path), closing(connect(path, apsw.SQLITE_OPEN_READWRITE)) as connection:
        row = connection.execute("SELECT count(*) FROM open_change").fetchone()
    count = 0 if row is None else row[0]
    return count if isinstance(count, int) else 0
