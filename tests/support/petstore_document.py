"""The documents of `petstore`: OpenAPI 3 with one status a list, Swagger 2.0 with several."""

from __future__ import annotations

from typing import Any

STATUSES = ("available", "pending", "sold")
_NUMBER = {"type": "integer", "format": "int64"}
_TEXT = {"type": "string"}
_COUNTS = {"type": "object", "additionalProperties": {"type": "integer", "format": "int32"}}
_AUTH, _KEY = {"petstore_auth": ["write:pets"]}, {"api_key": []}
_OAUTH = {"type": "oauth2", "authorizationUrl": "https://shop.example/oauth"}
_API_KEY = {"type": "apiKey", "name": "api_key", "in": "header"}


def _schemas(root: str) -> dict[str, Any]:
    named = {"type": "object", "properties": {"id": _NUMBER, "name": _TEXT}}
    pet = {
        "id": _NUMBER,
        "category": {"$ref": f"{root}Category"},
        "name": _TEXT,
        "photoUrls": {"type": "array", "items": _TEXT},
        "tags": {"type": "array", "items": {"$ref": f"{root}Tag"}},
        "status": {"type": "string", "description": "Whether it can be bought", "enum": list(STATUSES)},
    }
    order = {
        "id": _NUMBER,
        "petId": _NUMBER,
        "quantity": {"type": "integer", "format": "int32"},
        "shipDate": {"type": "string", "format": "date-time"},
        "status": {"type": "string", "enum": ["placed", "approved", "delivered"]},
        "complete": {"type": "boolean"},
    }
    user = {"id": _NUMBER, "username": _TEXT, "email": _TEXT, "userStatus": {"type": "integer"}}
    return {
        "Category": named,
        "Tag": named,
        "Pet": {"type": "object", "required": ["name", "photoUrls"], "properties": pet},
        "Order": {"type": "object", "properties": order},
        "User": {"type": "object", "properties": user},
    }


def openapi3(**status: Any) -> dict[str, Any]:
    """The document in OpenAPI 3; `status`: what its parameter says besides."""
    scheme = {"type": "oauth2", "flows": {"implicit": {"authorizationUrl": "https://shop.example/oauth", "scopes": {}}}}
    return {
        "openapi": "3.0.4",
        "info": {"title": "Corner Shop 3", "version": "1"},
        "servers": [{"url": "/v1"}],
        "paths": {**_pets3(status), **_store3()},
        "components": {
            "schemas": _schemas("#/components/schemas/"),
            "securitySchemes": {"petstore_auth": scheme, "api_key": _API_KEY},
        },
    }


def _media(schema: dict[str, Any]) -> dict[str, Any]:
    return {"content": {kind: {"schema": schema} for kind in ("application/xml", "application/json")}}


def _of3(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def _done3(schema: dict[str, Any] | None = None) -> dict[str, Any]:
    answer = {"description": "Done"} if schema is None else {"description": "Done", **_media(schema)}
    return {"200": answer, "400": {"description": "Not so"}}


def _id3(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": _NUMBER}


def _pets3(status: dict[str, Any]) -> dict[str, Any]:
    one, pets = _done3(_of3("Pet")), _done3({"type": "array", "items": _of3("Pet")})
    word = {"type": "string", "enum": list(STATUSES), "default": "available"}
    of_status = {"name": "status", "in": "query", "required": True, "schema": word, **status}
    of_tags = {"name": "tags", "in": "query", "required": True, "schema": {"type": "array", "items": _TEXT}}
    form = [{"name": name, "in": "query", "schema": _TEXT} for name in ("name", "status")]
    key = {"name": "api_key", "in": "header", "schema": _TEXT}
    written = {"requestBody": _media(_of3("Pet")), "responses": one, "security": [_AUTH]}
    return {
        "/pet": {"put": written, "post": written},
        "/pet/findByStatus": {"get": {"parameters": [of_status], "responses": pets, "security": [_AUTH]}},
        "/pet/findByTags": {"get": {"parameters": [of_tags], "responses": pets, "security": [_AUTH]}},
        "/pet/{petId}": {
            "get": {"parameters": [_id3("petId")], "responses": one, "security": [_KEY, _AUTH]},
            "post": {"parameters": [_id3("petId"), *form], "responses": one, "security": [_AUTH]},
            "delete": {"parameters": [key, _id3("petId")], "responses": _done3(), "security": [_AUTH]},
        },
    }


def _store3() -> dict[str, Any]:
    one = _done3(_of3("Order"))
    return {
        "/store/inventory": {"get": {"responses": _done3(_COUNTS), "security": [_KEY]}},
        "/store/order": {"post": {"requestBody": _media(_of3("Order")), "responses": one}},
        "/store/order/{orderId}": {
            "get": {"parameters": [_id3("orderId")], "responses": one},
            "delete": {"parameters": [_id3("orderId")], "responses": _done3()},
        },
        "/user": {"post": {"requestBody": _media(_of3("User")), "responses": _done3(_of3("User"))}},
    }


def swagger2() -> dict[str, Any]:
    """The same in Swagger 2.0, whose list takes several statuses at once."""
    return {
        "swagger": "2.0",
        "info": {"title": "Corner Shop 2", "version": "1"},
        "basePath": "/v1",
        "produces": ["application/json"],
        "consumes": ["application/json"],
        "paths": {**_pets2(), **_store2()},
        "definitions": _schemas("#/definitions/"),
        "securityDefinitions": {"petstore_auth": {**_OAUTH, "flow": "implicit", "scopes": {}}, "api_key": _API_KEY},
    }


def _of2(name: str) -> dict[str, Any]:
    return {"$ref": f"#/definitions/{name}"}


def _done2(schema: dict[str, Any]) -> dict[str, Any]:
    return {"200": {"description": "Done", "schema": schema}}


def _id2(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, **_NUMBER}


def _written2(name: str, answers: dict[str, Any]) -> dict[str, Any]:
    body = {"in": "body", "name": "body", "required": True, "schema": _of2(name)}
    return {"parameters": [body], "responses": answers}


def _pets2() -> dict[str, Any]:
    bad, pets = {"400": {"description": "Bad"}}, _done2({"type": "array", "items": _of2("Pet")})
    several = {"in": "query", "required": True, "type": "array", "collectionFormat": "multi"}
    of_status = {"name": "status", **several, "items": {"type": "string", "enum": list(STATUSES)}}
    of_tags = {"name": "tags", **several, "items": _TEXT}
    return {
        "/pet": {"put": {**_written2("Pet", bad), "security": [_AUTH]}, "post": _written2("Pet", bad)},
        "/pet/findByStatus": {"get": {"parameters": [of_status], "responses": pets, "security": [_AUTH]}},
        "/pet/findByTags": {"get": {"parameters": [of_tags], "responses": pets}},
        "/pet/{petId}": {
            "get": {"parameters": [_id2("petId")], "responses": _done2(_of2("Pet")), "security": [_KEY, _AUTH]},
            "delete": {"parameters": [_id2("petId")], "responses": bad},
        },
    }


def _store2() -> dict[str, Any]:
    one = _done2(_of2("Order"))
    return {
        "/store/inventory": {"get": {"responses": _done2(_COUNTS), "security": [_KEY]}},
        "/store/order": {"post": _written2("Order", one)},
        "/store/order/{orderId}": {
            "get": {"parameters": [_id2("orderId")], "responses": one},
            "delete": {"parameters": [_id2("orderId")], "responses": {"404": {"description": "None"}}},
        },
        "/user": {"post": _written2("User", {"default": {"description": "Done"}})},
    }
