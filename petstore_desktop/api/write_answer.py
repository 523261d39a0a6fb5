"""What the answer to a write shows. What that means for the write is in `sync/send/answer_verdict`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from msgspec import Struct

from petstore_desktop.contract.operations import FieldMap, Path
from petstore_desktop.domain.records import ALL_SPECS, Resource, Row, ServiceId

NO_FIELDS: frozenset[str] = frozenset()


class WriteAnswer(Struct, frozen=True):
    """What one answer shows.

    `row`: a record; `fields`: those of its fields that the answer names, null or not; `id`: of what record it is, even
    where it shows nothing else of that (`{"id": 7}`, a Location); `silent`: it says nothing at all, or "ok"; `etag`:
    the version that it names; `alike`: it is read as the record was read before, so that what it lacks is not there.
    """

    row: Row | None = None
    fields: frozenset[str] = NO_FIELDS
    id: ServiceId | None = None
    silent: bool = False
    etag: str | None = None
    alike: bool = False


def named_fields(resource: Resource, value: object, fields: FieldMap) -> frozenset[str]:
    """The fields of a record that stand in its JSON, with a value or with null."""
    ways = {spec.name: fields.path(spec) for spec in ALL_SPECS[resource]}
    return frozenset(name for name, path in ways.items() if path and _is_named(value, path))


def _is_named(value: object, path: Path) -> bool:
    for name in path:
        if value is None:
            return True  # what it lies in is null
        if not isinstance(value, Mapping) or name not in value:
            return False
        value = cast("Mapping[str, object]", value)[name]
    return True
