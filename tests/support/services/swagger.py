"""A document in OpenAPI 3 as the same one in Swagger 2.0."""

from __future__ import annotations

import json
from typing import Any, cast

Node = dict[str, Any]
_SHOWN_AT_TOP = ("type", "format", "enum", "default", "minimum", "maximum")


def converted(document: Node) -> Node:
    """The same document in Swagger 2.0."""
    schemes = document["components"]["securitySchemes"]
    paths = {
        path: {method: _operation(one) for method, one in item.items()} for path, item in document["paths"].items()
    }
    found = {
        "swagger": "2.0",
        "info": document["info"],
        "basePath": document["servers"][0]["url"],
        "paths": paths,
        "definitions": document["components"]["schemas"],
        "securityDefinitions": {name: _scheme(one) for name, one in schemes.items()},
    }
    text = json.dumps(found).replace("#/components/schemas/", "#/definitions/")
    return cast("Node", json.loads(text.replace('"nullable"', '"x-nullable"')))


def _operation(one: Node) -> Node:
    parameters = [_parameter(parameter) for parameter in one["parameters"]]
    found = {name: value for name, value in one.items() if name != "requestBody"}
    media = _media(one.get("requestBody", {}))
    if media:
        parameters.append({"name": "body", "in": "body", "required": True, "schema": media[1]})
        found["consumes"] = [media[0]]
    answers = {status: _answer(answer) for status, answer in one["responses"].items()}
    shown = next((_media(answer) for answer in one["responses"].values() if _media(answer)), None)
    return {**found, "parameters": parameters, "responses": answers, **({"produces": [shown[0]]} if shown else {})}


def _media(node: Node) -> tuple[str, Node] | None:
    return next(((name, one["schema"]) for name, one in node.get("content", {}).items()), None)


def _answer(answer: Node) -> Node:
    media = _media(answer)
    return {"description": answer["description"], **({"schema": media[1]} if media else {})}


def _parameter(parameter: Node) -> Node:
    schema = parameter["schema"]
    rest = {name: value for name, value in parameter.items() if name != "schema"}
    return {**rest, **{name: schema[name] for name in _SHOWN_AT_TOP if name in schema}}


def _scheme(one: Node) -> Node:
    if one["type"] == "http":  # Swagger 2.0 knows no bearer
        return {"type": "apiKey", "in": "header", "name": "Authorization", "x-prefix": "Bearer"}
    return one
