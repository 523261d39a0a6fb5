"""Converts rows of the history's tables to fields and changes, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final, cast

from petstore_desktop.domain.changes import Fields
from petstore_desktop.domain.records import (
    FIELD_SPECS,
    FIELDS,
    FieldKind,
    FieldValue,
    LocalId,
    Record,
    Ref,
    Resource,
    calendar_moment,
)
from petstore_desktop.domain.seen_changes import SeenChange, What, Who
from petstore_desktop.store.mirror.rows import key_of
from petstore_desktop.store.sqlite.typed_apsw import Value, Values

CHANGE_COLUMNS: Final = "resource, key, what, who, field, before, after, seen_after, seen_by, fields"
"""The columns of a SELECT for `change_of`, in order."""
_FLAGS: Final[Mapping[Resource, frozenset[str]]] = {
    resource: frozenset(spec.name for spec in specs if spec.kind is FieldKind.FLAG)
    for resource, specs in FIELD_SPECS.items()
}
_RESOURCES: Final = {resource.value: resource for resource in Resource}
_WHATS: Final = {what.value: what for what in What}
_WHOS: Final = {who.value: who for who in Who}


def plain_fields(resource: Resource, record: Record) -> dict[str, Value]:
    """The known fields of a record as the history stores them."""
    return {name: plain_value(getattr(record, name)) for name in FIELDS[resource]}


def plain_value(value: FieldValue) -> Value:
    """A value as the history stores it: flags as 0 and 1."""
    if isinstance(value, bool):
        return int(value)
    return None if isinstance(value, LocalId) else value


def text_of(fields: Mapping[str, Value]) -> str:
    """Stored fields as one text."""
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def stored_fields(text: str) -> dict[str, Value]:
    """The inverse of `text_of`. Raises ValueError."""
    found: object = json.loads(text)
    if not isinstance(found, dict):
        raise ValueError(f"no fields: {text[:40]!r}")
    return cast("dict[str, Value]", found)


def fields_of(resource: Resource, stored: Mapping[str, Value]) -> Fields:
    """Stored fields as records have them; without those that the program does not know."""
    return {name: value_of(resource, name, value) for name, value in stored.items() if name in FIELDS[resource]}


def value_of(resource: Resource, field: str, value: Value) -> FieldValue:
    """A stored value as records have it."""
    if field in _FLAGS[resource] and value is not None:
        return bool(value)
    return cast("FieldValue", value)


def moment_of(value: Value) -> float:
    """A stored time (UTC epoch seconds), within what calendars have. Raises ValueError for what is no number."""
    if not isinstance(value, (int, float)):
        raise ValueError(f"no time: {value!r}")
    return calendar_moment(value)


def change_of(row: Values, title: str = "") -> SeenChange:
    """Convert a row of CHANGE_COLUMNS. Raises ValueError or KeyError for what this program never writes."""
    kind, key, what, who, field, before, after, seen_after, seen_by, fields = row
    resource, name = _RESOURCES[str(kind)], str(field)
    return SeenChange(
        Ref(resource, key_of(key)),
        _WHATS[str(what)],
        _WHOS[str(who)],
        name,
        value_of(resource, name, before),
        value_of(resource, name, after),
        moment_of(seen_after),
        moment_of(seen_by),
        {} if fields is None else fields_of(resource, stored_fields(str(fields))),
        title,
    )
