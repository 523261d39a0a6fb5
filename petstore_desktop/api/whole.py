"""What was read of a record beside the program's own fields, as a body has it; and what of all that was shown of the
record a body lacks, which the service would lose. Pure.

Answers may keep in an inner object (`attributes`) what a body has beside one another, or the other way round. A field
goes from the one to the other where the document says that the body has a field of that name and type there; it is
never guessed that it may be put there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import cast

from petstore_desktop.contract.fields.seen import in_values
from petstore_desktop.contract.model import Operation
from petstore_desktop.contract.operations import FieldMap, Path, put_at, value_at
from petstore_desktop.domain.records import ALL_SPECS, Extra, JsonValue, Record, plain

_NUMBERS = frozenset({"integer", "number"})
_EMPTY: tuple[object, ...] = (None, "", [], {})


def may_go(operation: Operation, name: str) -> bool:
    """Whether the document lets a field into the body."""
    return name in operation.body_fields or not (operation.closed or name in operation.read_only_fields)


def put_extra(operation: Operation, body: dict[str, object], extra: Extra, reads: FieldMap) -> None:
    """Put what else was read of a record where the body has it. `reads`: where answers have the program's fields."""
    for path, value in _items(operation, extra, reads):
        place = _place(operation, path, value)
        if place is not None:
            put_at(body, place, value)


def lost(
    operation: Operation,
    body: Mapping[str, object],
    extra: Extra,
    reads: FieldMap,
    whole: Record | None,
    wanted: Collection[str] = (),
) -> list[str]:
    """The names of what was shown of a record, and is not in a body that takes its place, but for what is `wanted` of
    it. An empty value is as good as
    none, what describes another record follows from that one's id, and what the document keeps out of the body is the
    service's own."""
    described = reads.references(operation.op.resource) - reads.rooms(operation.op.resource)
    gone = [
        ".".join(path)
        for path, value in _items(operation, extra, reads)
        if path[0] not in described
        and value not in _EMPTY
        and _is_kept_in(operation, path)
        and not _is_in(operation, body, path, value)
    ]
    inner = (item for name, item in extra.items() if isinstance(item, dict) and name not in described)
    shown = {plain(name) for item in inner for name, value in item.items() if value not in _EMPTY}
    gone += [path[-1] for path in _declared(operation) if plain(path[-1]) in shown and not _has(body, path)]
    if whole is None:
        return gone
    for spec in ALL_SPECS[operation.op.resource][1:]:
        read, written = reads.path(spec), operation.writes.path(spec)
        is_shown = read and spec.name not in wanted and getattr(whole, spec.name) not in (None, "")
        if not is_shown or not _is_kept_in(operation, written or read):
            continue
        if not any(_has(body, path) for path in (written, read) if path):
            gone.append(".".join(read))
    return gone


def unshown(body: Mapping[str, object], extra: Extra, names: tuple[str, ...]) -> list[str]:
    """Those of these names of a body that it lacks and that nothing was shown of."""
    known = {plain(name) for name in (*body, *extra)}
    return [name for name in names if plain(name) not in known]


def _declared(operation: Operation) -> Iterator[Path]:
    """The fields that the document gives a body, at its top and in an object that holds a record's own."""
    yield from ((name,) for name in operation.body_fields)
    rooms = operation.writes.rooms(operation.op.resource)
    paths = (tuple(name.split(".")) for name in operation.body_types)
    yield from (path for path in paths if len(path) > 1 and path[0] in rooms and path[:-1] == path[:1])


def _items(operation: Operation, extra: Extra, reads: FieldMap) -> Iterator[tuple[Path, JsonValue]]:
    """Every field with the way to it: those in an object that holds a record's own fields one by one. Where answers
    have a field of the program's that the body has elsewhere, nothing is left."""
    resource = operation.op.resource
    rooms = reads.rooms(resource)
    elsewhere = reads.begins(resource) - operation.writes.begins(resource) - {*operation.body_fields}
    for name, value in extra.items():
        if name in rooms and isinstance(value, dict):
            yield from (((name, inner), item) for inner, item in value.items())
        elif name not in elsewhere:
            yield (name,), value


def _place(operation: Operation, path: Path, value: JsonValue) -> Path | None:
    """Where the body has a field, None where it has no place for it."""
    rooms = operation.writes.rooms(operation.op.resource)
    in_room, name = len(path) > 1, path[-1]
    if in_room and (path[0] in rooms or path[0] in operation.body_fields):
        return path
    if not in_room and name in operation.body_fields:
        return path
    others = [(room, name) for room in rooms] if not in_room else [(name,)]
    told = next((other for other in others if _is_told(operation, other, value)), None)
    if told is not None or in_room:
        return told
    return path if may_go(operation, name) else None


def _is_told(operation: Operation, path: Path, value: JsonValue) -> bool:
    """Whether the document says that the body has a field there, of the type of this value."""
    kind = operation.body_types.get(".".join(path))
    known = in_values((value,)).type
    return kind is not None and (not kind or not known or kind == known or {kind, known} <= _NUMBERS)


def _is_kept_in(operation: Operation, path: Path) -> bool:
    """Whether the document lets a field of this name into the body, at its top or where it was read."""
    return may_go(operation, path[0]) and may_go(operation, path[-1])


def _is_in(operation: Operation, body: Mapping[str, object], path: Path, value: JsonValue) -> bool:
    place = _place(operation, path, value)
    return place is not None and _holds(value_at(body, place), value)


def _holds(there: object, value: object) -> bool:
    """Whether all of a value is there; in an object there may be more."""
    if isinstance(value, Mapping) and isinstance(there, Mapping):
        mine, theirs = cast("Mapping[str, object]", value), cast("Mapping[str, object]", there)
        return all(_holds(theirs.get(name), item) for name, item in mine.items())
    return there == value or value in _EMPTY


def _has(body: Mapping[str, object], path: Path) -> bool:
    """Whether something stands there, null too: that is what a person wanted."""
    inner = value_at(body, path[:-1])
    return isinstance(inner, Mapping) and path[-1] in inner
