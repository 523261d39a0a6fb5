"""The OpenAPI 3 or Swagger 2.0 document of a scenario's service."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from petstore_desktop.contract.operations import Path, Verb
from petstore_desktop.domain.records import ALL_SPECS, FieldKind, FieldSpec, Resource
from tests.support.services.keys import schemes_of, wanted_by
from tests.support.services.lists import above, named, page_of
from tests.support.services.scenario import CATEGORY_NAME, PAGING, WORDS, Kind, Route, Scenario, routes, specs_of
from tests.support.services.swagger import converted

Node = dict[str, Any]
NAMES = {Resource.PETS: "Pet", Resource.CATEGORIES: "Category", Resource.ORDERS: "Order", Resource.INVENTORY: "Stock"}
_TYPES: dict[type, str] = {bool: "boolean", int: "integer", float: "number", str: "string"}
_ROWS = "rows"


def document_of(scenario: Scenario) -> Node:
    """The document; empty where the service publishes none."""
    if scenario.document == "none":
        return {}
    paths: Node = {}
    for route in routes(scenario):
        item = paths.setdefault(f"{scenario.scope}{route.path}", {})
        item[route.method.lower()] = _operation(scenario, route)
    found: Node = {
        "openapi": "3.0.3",
        "info": {"title": scenario.name, "version": "1"},
        "servers": [{"url": scenario.base or "/"}],
        "paths": paths,
        "components": {
            "schemas": {
                NAMES[resource]: _record(scenario, resource, kind) for resource, kind in scenario.kinds.items()
            },
            "securitySchemes": schemes_of(scenario),
        },
    }
    return converted(found) if scenario.document == "swagger" else found


# ---------------------------------------------------------------- records


def _record(scenario: Scenario, resource: Resource, kind: Kind, *, of_body: bool = False) -> Node:
    properties: Node = {}
    if of_body and kind.writes:
        fields = {name: path for name, path in {**kind.fields, **kind.writes}.items() if name != CATEGORY_NAME}
        kind = replace(kind, fields=fields, writes={})
    elif kind.own_key:
        properties[kind.own_key] = {**_id(scenario), "readOnly": True}
    for path, spec in specs_of(resource, kind).items():
        _put(properties, path, _field(scenario, resource, kind, spec))
    for path, value in kind.more.items():
        if path[0] in kind.hidden:
            continue
        only = {"enum": [value]} if path[-1] == "type" else {}
        own = {"readOnly": True} if path[0] in kind.own and len(path) == 1 and not scenario.shared else {}
        _put(properties, path, {**_like(value), **only, **own})
        if only and len(path) > 1:
            _at(properties, path[:-1])["required"] = ["type", "id"]
    if CATEGORY_NAME in kind.fields:
        _put(properties, kind.fields[CATEGORY_NAME], {"type": "string"})
    schema: Node = {"type": "object", "properties": properties}
    in_bodies = scenario.in_body and any(
        Verb.CHANGE in one.verbs for one in (scenario.kinds.get(Resource.PETS), kind) if one
    )
    chosen = [kind.fields["id"][0]] if kind.client_ids and not in_bodies and "id" in kind.fields else []
    required = [*dict.fromkeys((*kind.required, *chosen))]
    return {**schema, "required": required} if required else schema


def _put(properties: Node, path: Path, schema: Node) -> None:
    for name in path[:-1]:
        properties = properties.setdefault(name, {"type": "object", "properties": {}})["properties"]
    properties[path[-1]] = schema


def _at(properties: Node, path: Path) -> Node:
    for name in path[:-1]:
        properties = properties[name]["properties"]
    return cast("Node", properties[path[-1]])


def _field(scenario: Scenario, resource: Resource, kind: Kind, spec: FieldSpec) -> Node:
    if spec.kind is FieldKind.ID:
        own = spec is ALL_SPECS[resource][0] and not (
            kind.client_ids or scenario.in_body or resource is Resource.INVENTORY
        )
        shared = scenario.shared or "vnd" in scenario.media
        return {**_id(scenario), **({"readOnly": True} if own and not shared else {})}
    if spec.name == "status":
        words = scenario.order_words if resource is Resource.ORDERS else scenario.statuses
        return {"type": "string", "enum": list(words)} if scenario.told and words else {"type": "string"}
    return {
        FieldKind.NUMBER: {"type": "integer", "format": "int32"},
        FieldKind.FLAG: {"type": "boolean"},
        FieldKind.MOMENT: {"type": "string", "format": "date-time"},
    }.get(spec.kind, {"type": "string"})


def _id(scenario: Scenario) -> Node:
    if scenario.ids == "int":
        return {"type": "integer", "format": "int64"}
    return {"type": "string", "format": "uuid"} if scenario.ids == "uuid" else {"type": "string"}


def _like(value: object) -> Node:
    """The schema of values like this one."""
    if isinstance(value, dict):
        fields = cast("dict[str, object]", value)
        return {"type": "object", "properties": {name: _like(item) for name, item in fields.items()}}
    if isinstance(value, list):
        items = cast("list[object]", value)
        return {"type": "array", "items": _like(items[0]) if items else {"type": "string"}}
    return {"type": _TYPES[type(value)]} if type(value) in _TYPES else {"type": "string", "nullable": True}


# ---------------------------------------------------------------- operations


def _operation(scenario: Scenario, route: Route) -> Node:
    kind = scenario.kinds[route.resource]
    parameters: list[Node] = [
        {"name": one.name, "in": one.place, "required": True, "schema": _given(one.value, told=one.told)}
        for one in scenario.demands
    ]
    for name in _holes(f"{scenario.scope}{route.path}"):
        schema = _id(scenario) if name == "id" else {"type": "string"}
        parameters.append({"name": name, "in": "path", "required": True, "schema": schema})
    if scenario.etags and route.verb in (Verb.CHANGE, Verb.DELETE):
        parameters.append({"name": "If-Match", "in": "header", "schema": {"type": "string"}})
    if route.verb is Verb.LIST:
        parameters += _of_list(scenario, kind)
    found: Node = {"parameters": parameters, "responses": _answers(scenario, route)}
    found["security"] = [{name: [] for name in names}] if (names := wanted_by(scenario, route.resource)) else []
    if route.verb in (Verb.CREATE, Verb.CHANGE):
        media = scenario.patch_media if route.method == "PATCH" else ""
        found["requestBody"] = {"required": True, **_content(scenario, _body(scenario, route), media)}
    return found


def _given(value: str, *, told: bool) -> Node:
    return {"type": "string", "default": value} if told else {"type": "string"}


def _holes(path: str) -> list[str]:
    return [segment[1:-1] for segment in path.split("/") if segment.startswith("{")]


def _of_list(scenario: Scenario, kind: Kind) -> list[Node]:
    size, at, first = PAGING[scenario.paging]
    found: list[Node] = []
    if kind.by_status:
        words = {"type": "string", "enum": list(scenario.statuses)}
        found.append({"name": "status", "in": "query", "required": True, "schema": words})
    if size:
        found.append(
            {"name": size, "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": scenario.page}}
        )
    if at:
        number = {"type": "integer", "minimum": first, "default": first}
        schema = {"type": "string"} if scenario.paging == "cursor" else number
        found.append({"name": at, "in": "query", "schema": schema})
    return found


def _body(scenario: Scenario, route: Route) -> Node:
    """The schema of a request's body."""
    kind = scenario.kinds[route.resource]
    schema = _ref(route.resource)
    if scenario.narrow:
        whole = _record(scenario, route.resource, kind)
        taken = {name: node for name, node in whole["properties"].items() if node.get("readOnly") is not True}
        schema = {**whole, "properties": taken, "additionalProperties": False}
    if kind.required and route.verb is Verb.CHANGE and scenario.change != "PUT":
        schema = {name: value for name, value in _record(scenario, route.resource, kind).items() if name != "required"}
    if kind.writes:
        schema = _record(scenario, route.resource, kind, of_body=True)
        if route.verb is Verb.CHANGE and scenario.change != "PUT":
            schema.pop("required", None)
    name = named(scenario.body, WORDS[route.resource])
    return {"type": "object", "required": [name], "properties": {name: schema}} if name else schema


def _answers(scenario: Scenario, route: Route) -> Node:
    if route.verb is Verb.DELETE:
        return {"204": {"description": "gone"}}
    words = WORDS[route.resource]
    if route.verb is Verb.LIST:
        body, _ = page_of(scenario, words, [_ROWS, _ROWS], {}, "/here")
        return {"200": {"description": "all", **_content(scenario, _with_rows(_like(body), _ref(route.resource)))}}
    if route.verb is Verb.CREATE and scenario.created in ("location", "nothing"):
        return {"201": {"description": "made"}}
    if route.verb is Verb.CREATE and scenario.created == "id":
        schema: Node = {"type": "object", "properties": {"id": _id(scenario)}}
    else:
        schema = _with_one(above(scenario, words, _ROWS), _ref(route.resource))
    status = "201" if route.verb is Verb.CREATE else "200"
    if route.verb is Verb.CHANGE and scenario.changed == "nothing":
        return {"204": {"description": "changed"}}
    return {status: {"description": "one", **_content(scenario, schema)}}


def _with_one(value: object, ref: Node) -> Node:
    """The schema of an answer of one record, with that of the record in its place."""
    if not isinstance(value, dict):
        return ref if value == _ROWS else _like(value)
    fields = cast("dict[str, object]", value)
    return {"type": "object", "properties": {name: _with_one(item, ref) for name, item in fields.items()}}


def _with_rows(schema: Node, ref: Node) -> Node:
    """The schema of a list, with that of its records put in their place."""
    if schema.get("type") == "array" and schema["items"] == {"type": "string"}:
        return {"type": "array", "items": ref}
    inner = {name: _with_rows(node, ref) for name, node in schema.get("properties", {}).items()}
    return {**schema, "properties": inner} if inner else schema


def _content(scenario: Scenario, schema: Node, media: str = "") -> Node:
    return {"content": {media or scenario.media: {"schema": schema}}}


def _ref(resource: Resource) -> Node:
    return {"$ref": f"#/components/schemas/{NAMES[resource]}"}
