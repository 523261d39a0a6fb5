"""Whole lists as they were at a moment, out of the history: judges compare them with what they know."""

from __future__ import annotations

from collections.abc import Mapping

from petstore_desktop.domain.changes import Fields
from petstore_desktop.domain.records import Key, Resource
from petstore_desktop.domain.seen_changes import What
from petstore_desktop.store.history.reader import PastReader
from petstore_desktop.store.history.rows import CHANGE_COLUMNS, fields_of, stored_fields
from petstore_desktop.store.mirror.rows import key_of
from petstore_desktop.store.sqlite.typed_apsw import Connection, Value


def state_at(reader: PastReader, time: float) -> Mapping[Resource, Mapping[Key, Fields]]:
    """All records as they were last shown by then: those of now, every later change undone."""
    with reader._reading() as connection:
        state: dict[tuple[Value, Value], dict[str, Value]] = {}
        if connection is not None:
            for resource, key, fields in connection.execute("SELECT resource, key, fields FROM shown"):
                state[resource, key] = stored_fields(str(fields))
            _roll_back(connection, state, time)
        found: dict[Resource, dict[Key, Fields]] = {resource: {} for resource in Resource}
        for (kind, key), fields in state.items():
            resource = Resource(str(kind))
            found[resource][key_of(key)] = fields_of(resource, fields)
        return found


def _roll_back(connection: Connection, state: dict[tuple[Value, Value], dict[str, Value]], time: float) -> None:
    last = "coalesce((SELECT max(id) FROM change WHERE seen_by <= ?), 0)"
    query = f"SELECT {CHANGE_COLUMNS} FROM change WHERE id > {last} ORDER BY id DESC"
    for row in connection.execute(query, (time,)):
        at = row[0], row[1]
        if row[2] == What.NEW.value:
            state.pop(at, None)
        elif row[2] == What.GONE.value:
            state[at] = stored_fields(str(row[9]))
        elif at in state:
            state[at][str(row[4])] = row[5]
