"""What a body must have beside the fields of records, and nobody is asked for, gets a value that its type takes."""

from __future__ import annotations

import json

import pytest

from petstore_desktop.contract.binding.load import load
from petstore_desktop.contract.operations import Op


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string"}, ""),
        ({"type": "string", "format": "decimal", "pattern": r"^-?\\d{0,8}(?:\\.\\d{0,2})?$"}, "0"),
        ({"type": "number"}, 0),
        ({"type": "string", "default": "9.50", "format": "decimal"}, "9.50"),
    ],
)
def test_a_required_price_gets_what_its_type_takes(schema: dict[str, object], value: object) -> None:
    pet = {
        "type": "object",
        "required": ["name", "price"],
        "properties": {"id": {"type": "integer", "readOnly": True}, "name": {"type": "string"}, "price": schema},
    }
    content = {"application/json": {"schema": pet}}
    listed = {"application/json": {"schema": {"type": "array", "items": pet}}}
    paths = {
        "get": {"responses": {"200": {"description": "", "content": listed}}},
        "post": {"requestBody": {"content": content}, "responses": {"201": {"description": "", "content": content}}},
    }
    document = {"openapi": "3.0.3", "info": {"title": "Pets", "version": "1"}, "paths": {"/pets": paths}}
    contract = load(json.dumps(document).encode(), source="published")
    assert dict(contract.operations[Op.PET_CREATE].fills) == {"price": value}
