"""Which records are new or look otherwise since a moment, told from the numbers that each change of the mirror has. A
row keeps the number of the `put` that last changed its content (`changed`), also where the change was our own. Of each
quarter of an hour the first such number is noted (`mark`), since local midnights are at such in every zone. What the
first whole walk of a resource brought is new to us only, and no change: it counts from the end of that on (`known`).
Of each change the content before it is kept (`former`): a row that was changed and changed back is no change.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, cast

from petstore_desktop.domain.records import Key, Resource, Row
from petstore_desktop.store.mirror.rows import CONTENT, key_of
from petstore_desktop.store.sqlite.typed_apsw import Connection

QUARTER_S: Final = 900
_KEPT: Final = 8 * 24 * 4
"""How many quarters of an hour are kept: a week and a day, plus a clock change."""

STEP: Final = (
    "CREATE TABLE mark (quarter INTEGER PRIMARY KEY, sequence INTEGER NOT NULL) STRICT",
    "CREATE TABLE known (resource TEXT PRIMARY KEY, sequence INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    "INSERT INTO known SELECT resource, (SELECT sequence FROM counter) FROM fact",
)


def _content(names: Iterable[str], row: str) -> str:
    return f"json_array({', '.join(f'{row}.{name}' for name in names)})"


FORMER: Final = (
    "CREATE TABLE former (resource TEXT, key ANY, was INTEGER, changed INTEGER, content TEXT) STRICT",
    "CREATE INDEX former_of ON former (resource, key)",
)


def former_trigger(resource: Resource, fields: Iterable[str]) -> str:
    """SQL of the trigger that stores in `former` the old values of a changed row."""
    return (
        f"CREATE TRIGGER {resource.value}_former AFTER UPDATE OF changed ON {resource.value} "
        "WHEN old.changed IS NOT new.changed BEGIN INSERT INTO former "
        f"VALUES ('{resource.value}', new.key, old.changed, new.changed, {_content((*fields, 'extra'), 'old')}); END"
    )


def mark(connection: Connection, rows: Iterable[Row], put: int) -> None:
    """Note the first `put` number of each quarter of an hour; all rows are of one answer."""
    row = next(iter(rows), None)
    if row is not None:
        connection.execute("INSERT OR IGNORE INTO mark VALUES (?, ?)", (int(row.seen_at // QUARTER_S), put))


def know(connection: Connection, resource: Resource, sequence: int, now: float) -> None:
    """Note that a list was read completely: rows with higher numbers are changes from now on."""
    connection.execute("INSERT OR IGNORE INTO known VALUES (?, ?)", (resource.value, sequence))
    connection.execute("DELETE FROM mark WHERE quarter < ?", (int(now // QUARTER_S) - _KEPT,))
    connection.execute("DELETE FROM former WHERE changed < (SELECT min(sequence) FROM mark)")


def changed_keys(connection: Connection, since: float) -> dict[Resource, frozenset[Key]]:
    """The keys of records new or changed since then (UTC epoch seconds, a full quarter of an hour)."""
    first = connection.execute(
        "SELECT min(sequence) FROM mark WHERE quarter >= ?", (int(since // QUARTER_S),)
    ).fetchone()
    start = None if first is None else cast("int | None", first[0])
    if start is None:
        return {}
    found: dict[Resource, frozenset[Key]] = {}
    for resource in Resource:
        rows = connection.execute(
            f"SELECT key FROM {resource.value} AS now, known "
            "WHERE known.resource = ?1 AND changed >= ?2 AND changed > known.sequence AND NOT EXISTS "
            "(SELECT 1 FROM former WHERE former.resource = ?1 AND former.key = now.key "
            "AND former.was < max(?2, known.sequence + 1) AND former.changed >= max(?2, known.sequence + 1) "
            f"AND former.content = {_content(CONTENT[resource], 'now')})",
            (resource.value, start),
        )
        found[resource] = frozenset(key_of(key) for (key,) in rows)
    return found
