"""Copies the rows of a mirror into a new one that belongs to another address."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import Resource
from petstore_desktop.store.mirror.mirror import Mirror
from petstore_desktop.store.mirror.rows import CONTENT, SCHEMA_VERSION
from petstore_desktop.store.mirror.schema import KIND
from petstore_desktop.store.sqlite.database import Database
from petstore_desktop.store.sqlite.typed_apsw import Connection, name_of, number, told


def copy_rows(source: Path, target: Path, address: str, etag: str | None) -> None:
    """Copy the rows, when each list was read, and the service's own counts; nothing that names the address of the
    source. `etag`: what each row gets as its ETag, `{table}` standing for the first letter of its table; None for none.
    The file may be in use. Blocks. Raises StorageError.
    """
    with closing(Mirror(target)) as made:
        made.belong_to(address, emptied=False)
    with closing(Database(target, KIND)) as database, told(target):
        connection = database.connection
        connection.execute("ATTACH ? AS source", (name_of(source),))
        try:
            if number(connection, "PRAGMA source.user_version") != SCHEMA_VERSION:
                raise StorageError("cannot-open", path=str(source), why="another version wrote it")
            connection.execute("BEGIN IMMEDIATE")
            for resource in Resource:
                _copy(connection, resource, None if etag is None else etag.format(table=resource.value[0]))
            _copy_plainly(
                connection, "fact", ("resource", "as_of", "requests", "cut_at", "set_aside", "reasons", "missing")
            )
            _copy_plainly(connection, "status_count", ("status", "counted", "shown", "as_of"))
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            connection.execute("DETACH source")


def _copy(connection: Connection, resource: Resource, etag: str | None) -> None:
    names = ", ".join(("key", *CONTENT[resource], "seen_at"))
    connection.execute(
        f"INSERT INTO main.{resource.value} ({names}, etag, sequence, changed) "
        f"SELECT {names}, ?, 0, 0 FROM source.{resource.value} ORDER BY key",
        (etag,),
    )


def _copy_plainly(connection: Connection, table: str, columns: Iterable[str]) -> None:
    names = ", ".join(columns)
    connection.execute(f"INSERT INTO main.{table} ({names}) SELECT {names} FROM source.{table}")


def count_slashed(path: Path) -> int:
    """Count the records whose ids have a slash: a service that has each id as one step of its paths cannot be asked for
    one of them. Raises StorageError."""
    with closing(Database(path, KIND)) as database:
        return sum(
            database.number(f"SELECT count(*) FROM {resource.value} WHERE key LIKE 'text:%/%'") for resource in Resource
        )
