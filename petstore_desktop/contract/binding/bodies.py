"""What a request's body is made of: where each field of a record has its place in it, and what it must hold beside
them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from petstore_desktop.contract import params
from petstore_desktop.contract.binding.kinds import holds_one, in_schema
from petstore_desktop.contract.document.reading import Document, Node, Shape, as_text
from petstore_desktop.contract.fields.likeness import map_of, names_of, sure_words
from petstore_desktop.contract.fields.seen import Seen
from petstore_desktop.contract.operations import ATTRIBUTES, SAME, FieldMap, Path
from petstore_desktop.contract.scalars import kept_value
from petstore_desktop.domain.records import ALL_SPECS, FieldKind, FieldSpec, JsonValue, Resource

_NUMBERS = frozenset({"decimal", "number", "double", "float", "int32", "int64"})
"""Formats of texts that are numbers (`price: "9.50"`): an empty one is none."""
_EMPTY: Mapping[str, JsonValue] = {"string": "", "integer": 0, "number": 0, "boolean": False, "array": [], "object": {}}
_FILL_DEPTH = 4
_TYPES: Mapping[str, Resource] = {"category_id": Resource.CATEGORIES, "pet_id": Resource.PETS}


class Body(Struct, frozen=True):
    """The schema of a request's body. `envelope`: the one name under which the record stands in it, empty for none;
    `shape` of the record."""

    shape: Shape = field(default_factory=Shape)
    envelope: str = ""
    seen: Seen = field(default_factory=Seen)
    fields: FieldMap = SAME

    def has(self, spec: FieldSpec) -> bool:
        """Whether it has a place for the field."""
        path = self.fields.path(spec)
        return bool(path) and path[0] in self.shape.properties

    @property
    def types(self) -> dict[str, str]:
        """The types of its fields, by the names on the way joined by dots."""
        return dict(_types(self.seen, ""))

    def texts(self, resource: Resource) -> tuple[str, ...]:
        """Where it wants ids and numbers as texts, the names on the way joined by dots."""
        return texts_in(resource, self.seen, self.fields)

    def days(self, resource: Resource) -> tuple[str, ...]:
        """The fields whose moments it wants as days without a time."""
        moments = (spec for spec in ALL_SPECS[resource] if spec.kind is FieldKind.MOMENT)
        return tuple(spec.name for spec in moments if self.seen.at(self.fields.path(spec)).day)


def _types(seen: Seen, begin: str) -> Iterator[tuple[str, str]]:
    for name, node in seen.fields.items():
        yield begin + name, node.type
        yield from _types(node, f"{begin}{name}.")


def body_of(document: Document, schema: object, resource: Resource) -> Body:
    """Read the schema of a body that concerns records of this kind."""
    shape = document.shape(schema)
    seen = in_schema(document, shape)
    envelope = _envelope(document, shape, seen, resource)
    if envelope:
        shape = document.shape(shape.properties[envelope])
        seen = in_schema(document, shape)
    key = map_of(resource, seen, told=True).path(ALL_SPECS[resource][0])
    sent = seen.sent(key[:1])
    return Body(shape, envelope, sent, map_of(resource, sent, told=True))


def _envelope(document: Document, shape: Shape, seen: Seen, resource: Resource) -> str:
    values = Seen("", {name: node for name, node in seen.fields.items() if name == ATTRIBUTES or node.type != "object"})
    if any(names_of(values) & sure_words(resource, spec.name) for spec in ALL_SPECS[resource] if _tells(spec.kind)):
        return ""
    held = (name for name in shape.properties if holds_one(name, resource))
    return next((name for name in held if document.shape(shape.properties[name]).properties), "")


def _tells(kind: FieldKind) -> bool:
    return kind is not FieldKind.ID


def category_in(seen: Seen, path: Path) -> FieldMap | None:
    """Where the fields of a category lie in the object that describes a pet's own, as the `path` to its id leads
    there; None where there is no such object, or no name in it."""
    if path[-2:-1] == (ATTRIBUTES,):
        return None  # the object holds the pet's own fields
    seen = seen.at(path[:-1])
    key, name, *_ = ALL_SPECS[Resource.CATEGORIES]
    own = {} if path[-1:] == (key.wire,) else {key.name: path[-1:]}
    fields = map_of(Resource.CATEGORIES, seen, told=True, before=own)
    return fields if len(path) > 1 and fields.path(name)[:1] and fields.path(name)[0] in seen.fields else None


def category_name(body: Body, resource: Resource) -> Path:
    """Where the name of a pet's category lies in a body, empty where it has no place for one."""
    spec = next((spec for spec in ALL_SPECS[resource] if spec.name == "category_id"), None)
    path = () if spec is None else body.fields.path(spec)
    found = category_in(body.seen, path)
    return () if found is None else (*path[:-1], *found.path(ALL_SPECS[Resource.CATEGORIES][1]))


def texts_in(resource: Resource, seen: Seen, fields: FieldMap) -> tuple[str, ...]:
    """Which ids and numbers of records that look so are texts, the names on the way joined by dots."""
    kinds = (FieldKind.ID, FieldKind.NUMBER)
    paths = (fields.path(spec) for spec in ALL_SPECS[resource] if spec.kind in kinds)
    return tuple(".".join(path) for path in paths if path and seen.at(path).type == "string")


def types_of(body: Body, resource: Resource) -> dict[str, str]:
    """What JSON:API (1.1, 7.3) wants beside the id of another record, by the field that has it: its type, in the word
    of the document."""
    found: dict[str, str] = {}
    for spec in ALL_SPECS[resource][1:]:
        path = body.fields.path(spec)
        if spec.name in _TYPES and path[-2:-1] == ("data",):
            words = body.seen.at((*path[:-1], "type")).words
            found[spec.name] = words[0] if words else _TYPES[spec.name].value
    return found


def fills_of(document: Document, body: Body, resource: Resource) -> dict[str, JsonValue]:
    """What a body must have that is none of the program's fields, with a value for each: its default, else the first
    of those it may have, else an empty one."""
    own = {path for spec in ALL_SPECS[resource] if (path := body.fields.path(spec))}
    fills = _fills(document, body.shape, own, 0)
    if ATTRIBUTES in body.shape.properties and (body.envelope == "data" or "type" in body.shape.properties):
        fills["type"] = fills.get("type") or resource.value  # JSON:API 1.1, 7.2.1: it must have one
    return fills


def steering(fills: Mapping[str, JsonValue]) -> str:
    """The name of the first of these values on which depends what is done, empty for none."""
    for name, value in fills.items():
        if isinstance(value, dict):
            if inner := steering(value):
                return inner
        elif params.steers(name, value, in_record=True):
            return name
    return ""


def _fills(document: Document, shape: Shape, own: set[Path], depth: int) -> dict[str, JsonValue]:
    found: dict[str, JsonValue] = {}
    for name in shape.required if depth < _FILL_DEPTH else ():
        node = document.follow(shape.properties.get(name))
        if (name,) in own or node.get("readOnly") is True:
            continue
        inner = document.shape(node)
        below = {path[1:] for path in own if path[:1] == (name,) and len(path) > 1}
        if inner.type == "object" and inner.properties and "default" not in node:
            more = _fills(document, inner, below, depth + 1)
            if more or not below:
                found[name] = more
        else:
            found[name] = _value(document, node, inner)
    return found


def _value(document: Document, node: Node, shape: Shape) -> JsonValue:
    for said in ("default", "const"):
        if said in node:
            return kept_value(node[said])
    if choices := document.choices(node):
        return kept_value(choices[0])
    return "0" if shape.type == "string" and as_text(node.get("format")) in _NUMBERS else _EMPTY.get(shape.type)
