"""Fields of records to the bytes of a request, each at its place in the service's own shape."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Final, cast

from msgspec import Struct

from petstore_desktop.api.whole import lost, may_go, put_extra, unshown
from petstore_desktop.contract.model import Operation
from petstore_desktop.contract.operations import OPS, SAME, FieldMap, Path, Verb, put_at, value_at
from petstore_desktop.domain.changes import Fields
from petstore_desktop.domain.records import ALL_SPECS, Extra, FieldKind, FieldSpec, Key, LocalId, Record

_PARTS: Final = ("merge-patch", "vnd.api")
"""Media types whose objects may lack what stays as it is, at any depth (RFC 7396; JSON:API 1.1, 9.2)."""

_ID: Final = "id"
"""JSON:API (1.1, 9.2) wants it in each change, whether a document names it or not."""


class Known(Struct, frozen=True):
    """The record that a request is about, as far as it is known: `whole`, what the service said last; `extra`: fields
    with the names of answers that go along, of one that is made again; `key`: its id; `reads`: where answers have the
    fields; `category`: the name of the category that a pet is to have; `unshown`: the fields of a body that no answer
    shows; `told`: a person knows which fields of the record the request empties."""

    whole: Record | None = None
    extra: Extra | None = None
    key: Key | None = None
    reads: FieldMap = SAME
    category: str = ""
    unshown: tuple[str, ...] = ()
    told: bool = False


class WouldLose(Exception):
    """What was shown of the record, or must be kept, is not in the body. Its text is the names."""


NOTHING: Final = Known()


def encode(operation: Operation, fields: Fields, known: Known = NOTHING) -> bytes:
    """The body of a request: `fields` where the operation has them, ids as texts where the document wants them so.

    Where the operation replaces the whole object, everything that the service said last goes back as it came, unknown
    fields too, except what the document forbids; so it does where a record is made again. Raises WouldLose where
    something of it has no place in the body; ValueError for a LocalId, which has no place on the wire, and where what
    was said last is missing.
    """
    if any(isinstance(value, LocalId) for value in fields.values()):
        raise ValueError("a record that is not created yet has no id to send")
    body = _begun(operation, fields, known)
    specs = {spec.name: spec for spec in ALL_SPECS[operation.op.resource]}
    for name, value in fields.items():
        _put(body, specs[name], operation.writes.path(specs[name]) or (specs[name].wire,), value)
    _put_types(operation, body, fields, known.whole)
    if known.category and operation.category_name and fields.get("category_id") is not None:
        put_at(body, operation.category_name, known.category)
    for names in operation.text_fields:
        path = tuple(names.split("."))
        if isinstance(value := value_at(body, path), int):
            put_at(body, path, str(value))
    if not known.told and (names := _lost(operation, body, fields, known)):
        raise WouldLose(", ".join(names))
    sent = {operation.envelope: body} if operation.envelope else body
    return json.dumps(sent, ensure_ascii=False, allow_nan=False).encode()


def _lost(operation: Operation, body: Mapping[str, object], fields: Fields, known: Known) -> list[str]:
    """What was shown of the record and is not in the body, where that takes the record's place."""
    if operation.op is not OPS[operation.op.resource, Verb.CHANGE]:
        return lost(operation, body, known.extra or {}, known.reads, None)
    if not operation.replaces or known.whole is None:
        return []
    gone = lost(operation, body, known.whole.extra, known.reads, known.whole, fields)
    return [*gone, *(name for name in unshown(body, known.whole.extra, known.unshown) if name not in gone)]


def _put_types(operation: Operation, body: dict[str, object], fields: Fields, whole: Record | None) -> None:
    """Say of what type each other record is that is named, as it was said before, else as the document has it."""
    for spec in (spec for spec in ALL_SPECS[operation.op.resource] if spec.name in operation.types):
        path = (*operation.writes.path(spec)[:-1], "type")
        if fields.get(spec.name) is not None and value_at(body, path) is None:
            said = None if whole is None else value_at(whole.extra, path)
            put_at(body, path, said or operation.types[spec.name])


def _begun(operation: Operation, fields: Fields, known: Known) -> dict[str, object]:
    """What goes beside the fields."""
    body: dict[str, object] = {**operation.fills}
    if operation.replaces:
        if known.whole is None:
            raise ValueError("the operation replaces the whole record, and there is none")
        body |= _whole(operation, known.whole, known)
    elif known.whole is not None:
        body |= _beside(operation, fields, known.whole, known.reads)
    put_extra(operation, body, known.extra or {}, known.reads)
    key = ALL_SPECS[operation.op.resource][0]
    path = operation.writes.path(key)
    if known.key is not None and path and (_is_named(operation, path) or path == (_ID,)):
        put_at(body, path, known.key)
    for spec in _changed_references(operation, fields, known.whole):
        put_at(body, operation.writes.path(spec)[:-1], {})  # what else describes the other record is no longer so
    return body


def _is_named(operation: Operation, path: Path) -> bool:
    """Whether a body has a field there, as far as anything says what it has."""
    return not operation.body_fields or path[0] in operation.body_fields


def _beside(operation: Operation, fields: Fields, whole: Record, reads: FieldMap) -> dict[str, object]:
    """What goes beside the fields in a body that has a part of the record."""
    body: dict[str, object] = {}
    if not any(word in operation.content_type for word in _PARTS):
        body |= _opened(operation, fields, whole, reads)
    body |= _required(operation, whole, reads, body)
    if operation.is_json_api and isinstance(said := whole.extra.get("type"), str):
        body["type"] = said
    return body


def _put(body: dict[str, object], spec: FieldSpec, path: Path, value: object) -> None:
    is_no_record = value is None and spec.kind is FieldKind.ID and len(path) > 1
    put_at(body, path[:-1] if is_no_record else path, value)


def _whole(operation: Operation, whole: Record, known: Known) -> dict[str, object]:
    """All that was read of a record, but what the document forbids; its own id is in the path already."""
    resource, allowed = operation.op.resource, operation.body_fields
    specs = ALL_SPECS[resource]
    body: dict[str, object] = {}
    put_extra(operation, body, whole.extra, known.reads)
    for spec, path, value in _values(operation, whole, known.reads):
        own = spec is specs[0]
        if path[0] in allowed or not allowed if own else may_go(operation, path[0]):
            _put(body, spec, path, value)
    return body


def _values(operation: Operation, whole: Record, reads: FieldMap) -> Iterator[tuple[FieldSpec, Path, object]]:
    """The fields of a record that have a place in a body, each with that and its value: null if it came as null. What
    did not come is left out."""
    for spec in ALL_SPECS[operation.op.resource]:
        read, path, value = reads.path(spec), operation.writes.path(spec), getattr(whole, spec.name)
        is_null = value in (None, "") and _is_null(whole.extra, read)
        if path and (value is not None if not is_null else len(path) == 1 or path != read):
            yield spec, path, None if is_null else value


def _is_null(value: object, path: Path) -> bool:
    """Whether null came at the end of the way, or on it."""
    for name in path:
        if not isinstance(value, Mapping) or name not in value:
            return False
        value = cast("Mapping[str, object]", value)[name]
        if value is None:
            return True
    return False


def _opened(operation: Operation, fields: Fields, whole: Record, reads: FieldMap) -> dict[str, object]:
    """The objects in which changed fields lie, with all that they held: a service may put them in the place of its
    own."""
    specs = ALL_SPECS[operation.op.resource]
    ways = [path for spec in specs if spec.name in fields and len(path := operation.writes.path(spec)) > 1]
    tops = {path[0] for path in ways}
    body: dict[str, object] = {name: value for name, value in whole.extra.items() if name in tops}
    for spec, path, value in _values(operation, whole, reads):
        if path[0] in tops:
            _put(body, spec, path, value)
    return body


def _required(operation: Operation, whole: Record, reads: FieldMap, body: Mapping[str, object]) -> dict[str, object]:
    """What every change must have in its body beside what is changed, as it was read."""
    wanted = {*operation.required_fields}.difference(body)
    found: dict[str, object] = {name: whole.extra[name] for name in whole.extra if name in wanted}
    for spec, path, value in _values(operation, whole, reads):
        if path[0] in wanted:
            _put(found, spec, path, value)
    return found


def _changed_references(operation: Operation, fields: Fields, whole: Record | None) -> list[FieldSpec]:
    """The fields that name another record than before, in an object that describes it."""
    if whole is None:
        return []
    return [
        spec
        for spec in ALL_SPECS[operation.op.resource][1:]
        if spec.kind is FieldKind.ID
        and spec.name in fields
        and len(path := operation.writes.path(spec)) > 1
        and "data" not in path
        and fields[spec.name] != getattr(whole, spec.name)
    ]
