"""The tables of a new file are made once in a process, and copied into each further one (those of the mirror take ten
milliseconds, and nearly every test opens one).

How they are made is the matter of tests/store, and of programs that a test starts.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import apsw

from petstore_desktop.store.sqlite.migrations import migrate
from petstore_desktop.store.sqlite.typed_apsw import Connection

_made: dict[Sequence[Sequence[str]], apsw.Connection] = {}
_one_at_a_time = threading.Lock()


def made_once(connection: Connection, path: Path, application_id: int, steps: Sequence[Sequence[str]]) -> None:
    """As `migrate`."""
    if connection.pragma("schema_version"):
        migrate(connection, path, application_id, steps)
        return
    with _one_at_a_time:
        if steps not in _made:
            migrate(connection, path, application_id, steps)
            _made[steps] = copy = apsw.Connection(":memory:")
            _copy(connection, copy)
        else:
            _copy(_made[steps], connection)


def _copy(source: Connection | apsw.Connection, target: Connection | apsw.Connection) -> None:
    with target.backup("main", source, "main") as backup:
        backup.step()
