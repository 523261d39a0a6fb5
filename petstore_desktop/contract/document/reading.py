"""Lenient reading of an OpenAPI document: missing or malformed parts are empty, never an exception.

Only internal references (`#/...`) are followed, and only so deep; everything odd is remembered in `warnings`. Files
beside a local document are made part of it before (see `local_file`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TypeAlias, TypeVar, cast
from urllib.parse import unquote

from msgspec import Struct, field

Node: TypeAlias = Mapping[str, object]
Found = TypeVar("Found")

MAX_DEPTH = 24
"""How many references, or schemas inside schemas, are followed before the reader gives up on that branch."""

MAX_FOLDED = 100_000
"""Schemas that are folded in all: a few references that lead to each other many times over would take for ever."""

MAX_PROPERTIES = 1_000_000
"""Properties that they bring along in all, those of a schema once for each that includes it."""
MAX_MEMBERS = 200
"""Parameters of a path or an operation, and answers of one: YAML may lend the same list to every path."""
MAX_REFERENCE = 2_000
"""Letters of a reference."""

NOT_FOLLOWED = "x-not-followed"
"""Where `local` puts why references to files were not followed."""

MAX_ENDPOINTS = 5_000
MAX_WARNINGS = 100
_WARNING_LENGTH = 300
_PATH_LENGTH = 500

_BARE = frozenset({"string", "integer", "number", "boolean"})
_TYPES = _BARE | {"object", "array", "file"}
"""JSON Schema's, without null, and Swagger 2.0's."""

METHODS = ("get", "post", "put", "patch", "delete")
_EMPTY: Node = {}


def as_map(value: object) -> Node:
    """`value` if it is a mapping, else an empty one."""
    return cast("Node", value) if isinstance(value, Mapping) else _EMPTY


def as_list(value: object) -> Sequence[object]:
    """`value` if it is a list, else an empty one."""
    return cast("Sequence[object]", value) if isinstance(value, list) else ()


def as_text(value: object) -> str:
    """`value` if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


class Shape(Struct, frozen=True):
    """A schema with references, `allOf` and variants folded together. `type` is empty where nothing is said of it."""

    type: str = ""
    properties: Mapping[str, Node] = field(default_factory=dict[str, Node])
    required: tuple[str, ...] = ()
    items: object = None
    closed: bool = False
    is_map: bool = False
    """`additionalProperties` holds a schema: the object is a dictionary."""


class Endpoint(Struct, frozen=True):
    """One method of one path, as written, with the parameters of the path folded in.

    `server`: the path below the origin at which it lies, None where that is as for all others; `elsewhere`: the server
    on another origin where alone it is; `always_query`, `always_headers`: what every request to it has
    in its query and among its headers; `missing`: place and name of what it demands and nobody has said, or nothing;
    `asked`: the parameters whose values a person gives, or has to.
    """

    method: str
    path: str
    node: Node
    path_node: Node
    parameters: tuple[Node, ...]
    server: str | None = None
    elsewhere: str = ""
    always_query: Mapping[str, str] = field(default_factory=dict[str, str])
    always_headers: Mapping[str, str] = field(default_factory=dict[str, str])
    missing: tuple[str, str] = ("", "")
    asked: tuple[Node, ...] = ()

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


class Document:
    """One OpenAPI document. `warnings` grows while it is read."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self.warnings: list[str] = []
        self.is_cut = False
        """It has more operations than were looked at."""
        self._folded = self._properties = 0
        self._known: dict[tuple[object, ...], tuple[object, object]] = {}
        """Results of `once` by the place of a part in memory; it is kept too, so that nothing else takes that place."""

    def warn(self, words: str) -> None:
        """Remember an oddity once; of very many the first."""
        words = words if len(words) <= _WARNING_LENGTH else f"{words[:_WARNING_LENGTH]}…"
        if len(self.warnings) < MAX_WARNINGS and words not in self.warnings:
            self.warnings.append(words)

    def follow(self, value: object) -> Node:
        """`value`, or what its `$ref` leads to; keys beside a `$ref` win over the target's (OpenAPI 3.1)."""
        beside: dict[str, object] = {}
        node = as_map(value)
        for _ in range(MAX_DEPTH):
            reference = node.get("$ref")
            if not isinstance(reference, str):
                return {**node, **beside} if beside else node
            beside = {**{key: item for key, item in node.items() if key != "$ref"}, **beside}
            if len(reference) > MAX_REFERENCE:
                self.warn(f"a reference is too long: {reference[:_WARNING_LENGTH]}")
                return beside
            if not reference.startswith("#"):
                if NOT_FOLLOWED not in self.root:  # else it is said there, with the reason
                    self.warn(f"a reference outside of the document is not followed: {reference}")
                return beside
            node = self._target(reference)
        self.warn("a reference leads round in a circle")
        return beside

    def _target(self, reference: str) -> Node:
        place: object = self.root if reference in ("#", "#/") or reference.startswith("#/") else None
        for part in reference[2:].split("/") if len(reference) > 2 else ():
            name = unquote(part).replace("~1", "/").replace("~0", "~")
            place = _step(place, name)
        if place is None:
            self.warn(f"a reference leads nowhere: {reference}")
        return as_map(place)

    def endpoints(self) -> Iterator[Endpoint]:
        """Every method of every path, in the document's order."""
        count = 0
        for path, value in as_map(self.root.get("paths")).items():
            if not path.startswith("/"):  # extensions (`x-...`) live here too
                continue
            if len(path) > _PATH_LENGTH or not path.isprintable() or " " in path:
                self.warn(f"a path cannot be used: {path}")
                continue
            path_node = self.follow(value)
            for method in METHODS:
                if isinstance(path_node.get(method), Mapping):
                    count += 1
                    if count > MAX_ENDPOINTS:
                        self.is_cut = True
                        self.warn(f"only the first {MAX_ENDPOINTS} operations were looked at")
                        return
                    node = as_map(path_node[method])
                    yield Endpoint(method.upper(), path, node, path_node, self._parameters(path_node, node))

    def _parameters(self, path_node: Node, node: Node) -> tuple[Node, ...]:
        """An operation's own parameters override those of the path with the same name and place."""
        found: dict[tuple[str, str], Node] = {}
        for holder in (path_node, node):
            for value in as_list(holder.get("parameters"))[:MAX_MEMBERS]:
                parameter = self.follow(value)
                for part in self._parts(parameter):
                    found[as_text(part.get("in")), as_text(part.get("name"))] = part
        found.pop(("", ""), None)
        return tuple(found.values())

    def _parts(self, parameter: Node) -> Iterator[Node]:
        """A parameter of a query that is an object travels as its fields (OpenAPI 3, Style Values): Spring's pages."""
        shape = self.shape(parameter.get("schema")) if parameter.get("in") == "query" else Shape()
        exploded = parameter.get("explode", True) is True and parameter.get("style", "form") == "form"
        if not (shape.properties and exploded):
            yield parameter
            return
        for name, schema in islice(shape.properties.items(), MAX_MEMBERS):
            yield {"name": name, "in": "query", "required": name in shape.required, "schema": schema}

    def body(self, endpoint: Endpoint) -> tuple[str, object]:
        """Media type and schema of the request body; `("", None)` without one. Where it may be a list of records or
        one, it is one."""
        media, schema = _json_schema(as_map(self.follow(endpoint.node.get("requestBody")).get("content")))
        return media, self.once(lambda: self._one_record(schema), schema, "one")

    def _one_record(self, schema: object) -> object:
        """The schema without those of its variants that are lists, where others are objects."""
        node = self.follow(schema)
        for word in ("oneOf", "anyOf"):
            kinds = [(part, self.shape(part).type) for part in as_list(node.get(word))]
            if {"array", "object"} <= {kind for _, kind in kinds}:
                return {**node, word: [part for part, kind in kinds if kind != "array"]}
        return schema

    def answer(self, endpoint: Endpoint) -> object:
        """The schema of the successful answer, or None."""
        responses = dict(_responses(endpoint))
        good = sorted(status for status in responses if status[:1] == "2") or ["default"]
        for status in good:
            schema = _json_schema(as_map(self.follow(responses.get(status)).get("content")))[1]
            if schema is not None:
                return schema
        return None

    def promised(self, endpoint: Endpoint) -> object:
        """The schema of what every successful answer has; None where one of them may have nothing."""
        good = [value for status, value in _responses(endpoint) if str(status)[:1] == "2"]
        schemas = [_json_schema(as_map(self.follow(value).get("content")))[1] for value in good]
        return schemas[0] if schemas and None not in schemas else None

    def statuses(self, endpoint: Endpoint) -> frozenset[str]:
        """The statuses that the operation is documented to answer with."""
        return frozenset(status for status, _ in _responses(endpoint))

    def choices(self, schema: object) -> Sequence[object]:
        """The values of which it is one, empty for any."""
        node = self.follow(schema)
        parts = (self.follow(part) for word in ("allOf", "oneOf", "anyOf") for part in as_list(node.get(word)))
        return next((found for one in (node, *parts) if (found := as_list(one.get("enum")))), ())

    def shape(self, schema: object) -> Shape:
        """Fold one schema, once. Of variants (`oneOf`, `anyOf`) all properties count, the null variant does not."""
        return self.once(lambda: self._folding(schema, 0), schema, "shape")

    def once(self, find: Callable[[], Found], part: object, *key: object) -> Found:
        """Return the result of `find` for a part of the document, computed once for each key: large documents refer to
        the same schemas many thousand times."""
        place = (id(part), *key)
        if place not in self._known:
            self._known[place] = (part, find())
        return cast("Found", self._known[place][1])

    def forget(self) -> None:
        """Let go of what was found, bit by bit: all at once would hold up every other thread."""
        while self._known:
            self._known.popitem()

    def _folding(self, schema: object, depth: int) -> Shape:
        self._folded += 1
        too_much = self._folded > MAX_FOLDED or self._properties > MAX_PROPERTIES
        if too_much:
            self.warn("the schemas are too tangled to be read to the end")
        if depth > MAX_DEPTH or too_much:
            return Shape()
        node = self.follow(schema)
        properties = {name: as_map(value) for name, value in as_map(node.get("properties")).items()}
        self._properties += len(properties)
        required = [name for name in as_list(node.get("required")) if isinstance(name, str)]
        kind, items = _type(node), node.get("items")
        extra = node.get("additionalProperties")
        closed, is_map = extra is False, isinstance(extra, Mapping)
        for word in ("allOf", "oneOf", "anyOf"):
            for part in as_list(node.get(word)):
                inner = self._folding(part, depth + 1)
                if inner.properties:
                    self._properties += len(properties) + len(inner.properties)
                    properties = {**inner.properties, **properties}
                required += inner.required if word == "allOf" else ()
                kind = kind or inner.type
                items = items if items is not None else inner.items
                closed, is_map = closed or inner.closed, is_map or inner.is_map
        if kind in _BARE:  # an id, or the record that it names where one asks for it: an id is what is sent
            properties = {}
        if not kind:
            kind = "object" if properties else "array" if items is not None else ""
        return Shape(kind, properties, tuple(dict.fromkeys(required)), items, closed, is_map)


def _responses(endpoint: Endpoint) -> Iterator[tuple[str, object]]:
    return islice(as_map(endpoint.node.get("responses")).items(), MAX_MEMBERS)


def _step(place: object, name: str) -> object:
    """One step of a JSON pointer (RFC 6901): into a mapping, or a list by its number."""
    listed = as_list(place)
    if listed:
        return listed[int(name)] if name.isascii() and name.isdigit() and int(name) < len(listed) else None
    return as_map(place).get(name)


def _type(node: Node) -> str:
    """The schema's type; of a 3.1 list of types the first that is not null. A word that is none says nothing."""
    kind = node.get("type")
    return next((name for name in (kind, *as_list(kind)) if isinstance(name, str) and name in _TYPES), "")


def _json_schema(content: Node) -> tuple[str, object]:
    """The JSON-like media type of a `content` object with its schema; any type if none is JSON."""
    names = list(content)
    # Plain JSON first: a document that also offers JSON Patch or XML is then still asked in the simplest way.
    names.sort(
        key=lambda name: (name.split(";")[0].strip() != "application/json", "json-patch" in name, "json" not in name)
    )
    for name in names:
        media = as_map(content.get(name))
        return name, media.get("schema")
    return "", None
