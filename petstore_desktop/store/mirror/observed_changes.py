"""What answers showed changed, as mirror.db remembers it: written by its triggers, kept for a while, read by record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, cast

from petstore_desktop.domain.changes import Fields, FieldValue
from petstore_desktop.domain.history import Sighting
from petstore_desktop.domain.records import LocalId, Ref, Resource, Row
from petstore_desktop.store.mirror.rows import key_of, key_value
from petstore_desktop.store.sqlite.typed_apsw import Connection, Value

KEPT: Final = 50_000
"""So many of the newest are kept: as many as half of a large shop brings, changed at once."""
KEPT_S: Final = 400 * 86_400.0
"""Seconds for which one is kept: a year, and the season after it."""


def forget_own(connection: Connection, resource: Resource, rows: Iterable[Row], own: Fields) -> None:
    """These rows have the values `own` by a write of ours: nobody else's change was seen."""
    for row in rows if own else ():
        for field, value in own.items():
            connection.execute(
                "DELETE FROM sighting WHERE resource = ? AND key = ? AND field = ? AND new IS ? AND seen = ?",
                (resource.value, key_value(row.key), field, _plain(value), row.seen_at),
            )


def forget_old(connection: Connection, now: float) -> None:
    """Let go of what is too old, and of the oldest where there are too many. `now`: UTC epoch seconds."""
    connection.execute("DELETE FROM sighting WHERE id <= (SELECT max(id) FROM sighting) - ?", (KEPT,))
    # They come in the order of time, as long as nobody sets the clock: the first young one ends the search.
    connection.execute(
        "DELETE FROM sighting WHERE id < (SELECT id FROM sighting WHERE seen >= ? ORDER BY id LIMIT 1)", (now - KEPT_S,)
    )


def sightings_of(connection: Connection, refs: Sequence[Ref]) -> tuple[Sighting, ...]:
    """Those of some records of the service, the newest first."""
    where = " OR ".join(["(resource = ? AND key = ?)"] * len(refs))
    values: list[Value] = [value for ref in refs for value in (ref.resource.value, key_value(ref.key))]
    rows = connection.execute(
        f"SELECT resource, key, field, old, new, seen, since FROM sighting WHERE {where or '0'} ORDER BY id DESC",
        values,
    ).fetchall()
    told = cast("list[tuple[str, int | str, str, Value, Value, float, float]]", rows)
    return tuple(
        Sighting(Ref(Resource(kind), key_of(key)), field, _value(field, old), _value(field, new), seen, since)
        for kind, key, field, old, new, seen, since in told
    )


def _plain(value: FieldValue) -> Value:
    return None if isinstance(value, LocalId) else value


def _value(field: str, value: Value) -> FieldValue:
    """The tables have no truth values: an order's state is 0 or 1."""
    if field == "complete" and isinstance(value, int):
        return bool(value)
    return cast("FieldValue", value)
