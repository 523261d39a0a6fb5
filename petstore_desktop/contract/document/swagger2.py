"""A Swagger 2.0 document as the OpenAPI 3.0 document that says the same.

Only what binding reads is converted. Schemas stay where they are (`#/definitions/Pet`), so that references to them go
on leading there. The rules are those of the Swagger 2.0 specification: Parameter, Response, Security Scheme Object.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from petstore_desktop.contract.document.reading import (
    MAX_ENDPOINTS,
    MAX_MEMBERS,
    METHODS,
    Document,
    Node,
    as_list,
    as_map,
    as_text,
)
from petstore_desktop.contract.scalars import scalar_text

_JSON = "application/json"
_FORMS = ("multipart/form-data", "application/x-www-form-urlencoded")
_BESIDE_SCHEMA = frozenset({"name", "in", "required", "description", "collectionFormat"})
"""What a parameter says of itself; all else says what its values are."""
_MOST_SERVERS = 8


def is_swagger2(root: Node) -> bool:
    """Whether a document says that it is one; an unquoted version in YAML arrives as a number."""
    return "openapi" not in root and scalar_text(root.get("swagger")).startswith("2")


def converted(root: Node) -> Mapping[str, object]:
    """The document in the form of OpenAPI 3.0."""
    reader = Document(root)
    kept = {name: value for name, value in root.items() if name not in ("swagger", "paths", "securityDefinitions")}
    schemes = {name: _scheme(reader.follow(one)) for name, one in as_map(root.get("securityDefinitions")).items()}
    paths = islice(as_map(root.get("paths")).items(), MAX_ENDPOINTS)
    return {
        **kept,
        "openapi": "3.0.3",
        "servers": [{"url": address} for address in _servers(root)],
        "components": {"securitySchemes": schemes},
        "paths": {path: _path(reader, reader.follow(node)) for path, node in paths},
    }


def _servers(root: Node) -> Iterator[str]:
    """Where the service lies: without a host relative to the document, without a scheme in that of the document."""
    host, base = as_text(root.get("host")), as_text(root.get("basePath")).rstrip("/")
    if not host:
        yield from [base] if base else ()
        return
    schemes = [as_text(scheme) for scheme in as_list(root.get("schemes"))[:_MOST_SERVERS]]
    yield from (f"{scheme}://{host}{base}" if scheme else f"//{host}{base}" for scheme in schemes or [""])


def _scheme(scheme: Node) -> Node:
    if scheme.get("type") == "basic":
        return {"type": "http", "scheme": "basic"}
    return scheme


def _path(reader: Document, node: Node) -> Node:
    shared = as_list(node.get("parameters"))[:MAX_MEMBERS]
    rest = {name: value for name, value in node.items() if name not in ("parameters", *METHODS)}
    operations = {method: as_map(node[method]) for method in METHODS if isinstance(node.get(method), Mapping)}
    return {**rest, **{method: _operation(reader, one, shared) for method, one in operations.items()}}


def _operation(reader: Document, node: Node, shared: Sequence[object]) -> Node:
    found: dict[tuple[str, str], Node] = {}
    for value in (*shared, *as_list(node.get("parameters"))[:MAX_MEMBERS]):  # its own override those of the path
        parameter = reader.follow(value)
        found[as_text(parameter.get("in")), as_text(parameter.get("name"))] = parameter
    made: dict[str, object] = {**node, "parameters": [_parameter(p) for p in found.values() if not _in_body(p)]}
    body = _body(reader, node, [p for p in found.values() if _in_body(p)])
    if body is not None:
        made["requestBody"] = body
    media = _media(reader, node, "produces")
    answers = islice(as_map(node.get("responses")).items(), MAX_MEMBERS)
    made["responses"] = {status: _answer(reader.follow(answer), media) for status, answer in answers}
    return made


def _in_body(parameter: Node) -> bool:
    return parameter.get("in") in ("body", "formData")


def _parameter(parameter: Node) -> Node:
    said = {name: value for name, value in parameter.items() if name in _BESIDE_SCHEMA}
    several = parameter.get("collectionFormat")
    explode = {} if several is None else {"explode": several == "multi"}
    return {**said, **explode, "schema": _without_place(parameter)}


def _without_place(parameter: Node) -> Node:
    return {name: value for name, value in parameter.items() if name not in _BESIDE_SCHEMA}


def _body(reader: Document, node: Node, parts: Sequence[Node]) -> Node | None:
    whole = next((part for part in parts if part.get("in") == "body"), None)
    if whole is not None:
        return {
            "required": whole.get("required") is True,
            "content": {name: {"schema": whole.get("schema")} for name in _media(reader, node, "consumes")},
        }
    if not parts:
        return None
    fields = {as_text(part.get("name")): _without_place(part) for part in parts}
    required = [as_text(part.get("name")) for part in parts if part.get("required") is True]
    schema = {"type": "object", "properties": fields, "required": required}
    said = [name for name in _media(reader, node, "consumes") if name in _FORMS]
    return {"content": {name: {"schema": schema} for name in said or [_FORMS[1]]}}


def _answer(answer: Node, media: Sequence[str]) -> Node:
    schema = answer.get("schema")
    return answer if schema is None else {**answer, "content": {name: {"schema": schema} for name in media}}


def _media(reader: Document, node: Node, word: str) -> Sequence[str]:
    """The media types of an operation's bodies or answers, else of the document's."""
    said = as_list(node.get(word)) or as_list(reader.root.get(word))
    return [name for name in said[:MAX_MEMBERS] if isinstance(name, str)] or [_JSON]
