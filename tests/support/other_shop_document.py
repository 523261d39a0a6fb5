"""The OpenAPI 3.1 document of the other shop (other_shop.py), as YAML, with marks of its own vendor."""

from __future__ import annotations

import datetime
from typing import Any

import yaml

from tests.support.other_shop_ways import PAGE, Ways

Node = dict[str, Any]
_SCHEMAS = {"kinds": "Kind", "animals": "Animal", "sales-orders": "SalesOrder", "stock-levels": "StockLevel"}
_HOLES = {"kinds": "kindId", "animals": "animalId", "sales-orders": "number", "stock-levels": "animalId"}
_STATUS = {"type": ["string", "null"], "examples": ["available"]}


def document_of(ways: Ways) -> bytes:
    """The document that fits these ways."""
    paths: Node = {}
    for name in _SCHEMAS:
        paths[f"/{name}"] = _collection(name, ways)
        paths[f"/{name}/{{{_HOLES[name]}}}"] = _item(name, ways)
    schemes = _schemes(ways)
    document = {
        "openapi": "3.1.0",
        "info": {
            "title": "Menagerie",
            "version": 2026.1,
            "x-owner": {"team": "till", "since": datetime.date(2019, 4, 1)},
        },
        "jsonSchemaDialect": "https://spec.openapis.org/oas/3.1/dialect/base",
        "servers": [{"url": ways.base}],
        "tags": [{"name": "Empty parent"}, {"name": "All of it"}],
        "security": [{name: []} for name in schemes],
        "paths": {"x-generated": True, **paths},
        "components": {"schemas": _schemas(ways), **({"securitySchemes": schemes} if schemes else {})},
    }
    return yaml.dump(document, sort_keys=False, allow_unicode=True, Dumper=_Plain).encode()


class _Plain(yaml.SafeDumper):
    """Writes everything out, with no anchors."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def _schemes(ways: Ways) -> Node:
    match ways.auth:
        case "bearer" | "basic":
            return {"till": {"type": "http", "scheme": ways.auth}}
        case "header":
            return {"till": {"type": "apiKey", "in": "header", "name": "X-Menagerie-Key"}}
        case "query":
            return {"till": {"type": "apiKey", "in": "query", "name": "access_key"}}
        case _:
            return {}


def _collection(name: str, ways: Ways) -> Node:
    found: Node = {
        "get": {
            "operationId": f"List all {name}",
            "tags": ["All of it"],
            "parameters": _paging(ways),
            "responses": {200: _content(_list(name, ways)), 429: {"description": "too many"}},
        }
    }
    if name in ("kinds", "animals"):
        answer = {"id": _id(ways)} if ways.created == "id" else None
        schema = _reference(name) if ways.created == "whole" else {"type": "object", "properties": answer or {}}
        plain = {201: {"description": "made"}} if ways.created in ("nothing", "location") else {201: _content(schema)}
        found["post"] = {"requestBody": _content(_reference(name)), "responses": plain, "x-badges": [{"name": "Beta"}]}
    return found


def _item(name: str, ways: Ways) -> Node:
    found: Node = {
        "parameters": [{"name": _HOLES[name], "in": "path", "required": True, "schema": _id(ways)}],
        "get": {"responses": {200: _content(_reference(name)), 404: {"description": "unknown"}}},
        ways.change.lower(): {
            "requestBody": _content(_reference(name), ways.change),
            "responses": {
                200: _content(_reference(name)),
                **({412: {"description": "it has moved"}} if ways.etags else {}),
            },
        },
    }
    if name != "stock-levels":
        found["delete"] = {"responses": {204: {"description": "gone"}}}
    if name == "sales-orders":
        found["delete"] |= {"x-stability-level": "beta", "deprecated": True, "x-sunset": datetime.date(2041, 5, 1)}
    return found


def _paging(ways: Ways) -> list[Node]:
    size = {"type": "integer", "minimum": 1, "maximum": PAGE}
    whole = {"type": "integer", "minimum": 0}
    by: dict[str, dict[str, Node]] = {
        "cursor": {"limit": size, "cursor": {"type": "string"}},
        "page": {"page": {"type": "integer", "minimum": 1}, "pageSize": size},
        "offset": {"offset": whole, "limit": size},
        "link": {"per_page": size},
        "all": {},
    }
    return [{"name": name, "in": "query", "schema": schema} for name, schema in by[ways.paging].items()]


def _list(name: str, ways: Ways) -> Node:
    rows: Node = {"type": "array", "items": _reference(name)}
    if ways.paging in ("link", "all"):
        return rows
    beside: Node = (
        {"nextCursor": {"type": ["string", "null"]}} if ways.paging == "cursor" else {"total": {"type": "integer"}}
    )
    return {"type": "object", "required": ["data"], "properties": {"data": rows, **beside}}


def _content(schema: Node, method: str = "") -> Node:
    kind = "application/merge-patch+json" if method == "PATCH" else "application/json"
    return {"description": "…", "content": {kind: {"schema": schema}}}


def _reference(name: str) -> Node:
    return {"$ref": f"#/components/schemas/{_SCHEMAS[name]}"}


def _id(ways: Ways, *, own: bool = False) -> Node:
    kind: Node = {"type": "integer", "format": "int64"} if ways.ids == "number" else {"type": "string", "maxLength": 40}
    return {**kind, "readOnly": True} if own else kind


def _schemas(ways: Ways) -> Node:
    text, whole = {"type": "string"}, {"type": "integer"}
    own, link = _id(ways, own=True), _id(ways)
    return {
        "Kind": _object({"id": own, "name": text, "description": {"type": ["string", "null"]}}, "name"),
        "Animal": _object({"id": own, "name": text, "categoryId": link, "status": _STATUS}, "name", "categoryId"),
        "SalesOrder": _object(
            {
                "id": own,
                "petId": link,
                "quantity": whole,
                "shipDate": {"type": "string", "format": "date-time"},
                "complete": {"type": "boolean"},
            }
        ),
        "StockLevel": _object({"petId": own, "quantity": whole, "status": _STATUS}, "quantity"),
    }


def _object(properties: Node, *required: str) -> Node:
    found: Node = {"type": "object", "properties": properties, "x-table": "menagerie"}
    return {**found, "required": list(required)} if required else found
