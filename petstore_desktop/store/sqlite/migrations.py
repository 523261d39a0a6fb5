"""Upgrades a database to the newest schema, one version at a time, after a backup."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import apsw

from petstore_desktop.domain.errors import StorageError
from petstore_desktop.held_files import remove
from petstore_desktop.platform_support import sync_directory
from petstore_desktop.store.sqlite.typed_apsw import Connection, connect


def migrate(connection: Connection, path: Path, application_id: int, steps: Sequence[Sequence[str]]) -> None:
    """Run the steps that `user_version` lacks; all in one transaction, so that a kill leaves the old version whole.

    A database that holds anything is first copied to `<name>.before-v<new version>`. Raises StorageError `too-new`
    for a version that this program does not know: a later program may keep what this one would lose; and
    `migration-failed` where a database that holds anything cannot be changed (a full disk is told as such): it is as it
    was then.
    """
    if not 0 < version_of(connection, path, len(steps)) < len(steps):
        _migrate(connection, path, application_id, steps)
        return
    _copy(connection, path.with_name(f"{path.name}.before-v{len(steps)}"))
    try:
        _migrate(connection, path, application_id, steps)
    except (apsw.SQLError, apsw.ConstraintError) as error:
        raise StorageError("migration-failed", path=str(path), why=str(error)) from error


def _migrate(connection: Connection, path: Path, application_id: int, steps: Sequence[Sequence[str]]) -> None:
    connection.execute("BEGIN IMMEDIATE")  # also takes the lock: of two programs one is told `locked` here
    try:
        version = version_of(connection, path, len(steps))
        for step in steps[version:]:
            for statement in step:
                connection.execute(statement)
        if version < len(steps):
            connection.execute(f"PRAGMA application_id={application_id}")
            connection.execute(f"PRAGMA user_version={len(steps)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def version_of(connection: Connection, path: Path, known: int) -> int:
    """How many steps a database has seen. Raises StorageError `too-new` for more than are `known`."""
    version = connection.pragma("user_version")
    if not isinstance(version, int) or not 0 <= version <= known:
        raise StorageError("too-new", path=str(path), version=version, known=known)
    return version


def _copy(connection: Connection, target: Path) -> None:
    """Back up the committed data. An existing backup is of an interrupted attempt, and is replaced."""
    remove(target)
    target.touch(mode=0o600)
    sync_directory(target.parent)
    with (
        closing(connect(target, apsw.SQLITE_OPEN_READWRITE)) as copy,
        copy.backup("main", connection, "main") as backup,
    ):
        backup.step()
