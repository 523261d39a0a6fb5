"""Swagger 2.0 documents mean the same as the OpenAPI 3.0 documents that say the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from petstore_desktop.contract.binding.load import load, load_file
from petstore_desktop.contract.document.reading import Document, as_list, as_map
from petstore_desktop.contract.document.swagger2 import converted, is_swagger2
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.errors import DocumentUnusable

PAWS = Path(__file__).parents[1] / "documents" / "swagger-2.json"


def test_parameters_bodies_and_servers_are_read() -> None:
    contract = load_file(str(PAWS))
    pets, new = contract.operations[Op.PETS_LIST], contract.operations[Op.PET_CREATE]
    assert contract.servers == ("https://paws.example/shop",)
    assert (pets.query, pets.page_limit) == (("limit",), 50)
    assert new.body_fields == ("name", "categoryId", "status")
    assert new.required_fields == ("name", "categoryId")
    assert new.content_type == "application/json"


@pytest.mark.parametrize(
    ("said", "servers"),
    [
        ({}, []),
        ({"basePath": "/v2"}, ["/v2"]),
        ({"host": "a.example", "basePath": "/v2"}, ["//a.example/v2"]),
        ({"host": "a.example", "schemes": ["http", "https"]}, ["http://a.example", "https://a.example"]),
        ({"host": 7, "basePath": ["/"], "schemes": "https"}, []),
    ],
)
def test_host_base_path_and_schemes_are_servers(said: dict[str, object], servers: list[str]) -> None:
    found = as_list(converted({"swagger": "2.0", **said})["servers"])
    assert [as_map(server)["url"] for server in found] == servers


def test_form_fields_are_a_body_and_lists_in_a_query_say_how_they_are_written() -> None:
    root = {
        "swagger": 2.0,
        "paths": {
            "/pets": {
                "get": {
                    "parameters": [
                        {
                            "name": "status",
                            "in": "query",
                            "required": True,
                            "type": "array",
                            "items": {"type": "string", "enum": ["a", "b"]},
                            "collectionFormat": "multi",
                        }
                    ]
                },
                "post": {"parameters": [{"name": "name", "in": "formData", "type": "string", "required": True}]},
            }
        },
    }
    assert is_swagger2(root)
    document = Document(converted(root))
    listing, form = document.endpoints()
    assert listing.parameters[0]["explode"] is True
    assert document.shape(listing.parameters[0]["schema"]).type == "array"
    media, body = document.body(form)
    assert media == "application/x-www-form-urlencoded"
    assert document.shape(body).required == ("name",)


@pytest.mark.parametrize(
    "damage",
    [
        {"paths": []},
        {"paths": {"/weather": {"get": {"parameters": {}, "responses": []}}}},
        {"paths": {"/weather": {"get": {"parameters": [7, None, {"$ref": "#/parameters/none"}]}}}},
        {"paths": {"/pets": {"$ref": "#/paths/~1pets"}}},
        {"paths": {7: {"get": {}}}},
        {"definitions": {"Pet": {"$ref": "#/definitions/Pet"}}, "securityDefinitions": {"x": "y"}},
    ],
)
def test_a_damaged_document_is_refused_in_words(damage: dict[str, object]) -> None:
    with pytest.raises(DocumentUnusable):
        load(json.dumps({"swagger": "2.0", "info": {"title": "x"}, **damage}).encode(), source="chosen")
