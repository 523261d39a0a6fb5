"""Small OpenAPI documents, written for these tests after the ways in which services differ."""

from __future__ import annotations

from petstore_desktop.contract.binding.load import load
from petstore_desktop.contract.model import Contract

SCHEMAS = """
components:
  schemas:
    NewPet: {type: object, required: [name, categoryId], properties: {name: {type: string},
      categoryId: {type: integer, format: int64}, status: {type: string, enum: [available, pending, sold]}}}
    Pet: {allOf: [{$ref: '#/components/schemas/NewPet'}, {type: object, required: [id],
      properties: {id: {type: integer, format: int64}}}]}
    Category: {type: object, properties: {id: {type: integer}, name: {type: string}, description: {type: string}}}
    Order: {type: object, properties: {id: {type: integer}, petId: {type: integer}, quantity: {type: integer},
      shipDate: {type: string, format: date-time}, complete: {type: boolean}}}
    InventoryItem: {type: object, properties: {petId: {type: integer}, quantity: {type: integer},
      status: {type: string}}}
    InventoryUpdate: {type: object, required: [quantity], properties: {quantity: {type: integer}}}
"""


def document(paths: str, schemas: str = SCHEMAS, head: str = "openapi: 3.0.3", more: str = "") -> bytes:
    """A YAML document with these paths."""
    return f"{head}\ninfo: {{title: Shop, version: 1.0.0}}\npaths:\n{paths}\n{schemas}\n{more}".encode()


def bound(paths: str, schemas: str = SCHEMAS, head: str = "openapi: 3.0.3", more: str = "") -> Contract:
    """What the program makes of such a document."""
    return load(document(paths, schemas, head, more), source="chosen")


def answer(schema: str, status: str = "200") -> str:
    """A `responses` entry, as YAML in one line."""
    return f"responses: {{{status}: {{description: ok, content: {{application/json: {{schema: {schema}}}}}}}}}"


def body(schema: str, media: str = "application/json") -> str:
    """A `requestBody` entry, as YAML in one line."""
    return f"requestBody: {{content: {{{media}: {{schema: {schema}}}}}}}"


def ref(name: str) -> str:
    """A reference to one of SCHEMAS."""
    return f"{{$ref: '#/components/schemas/{name}'}}"


def list_of(name: str) -> str:
    """A bare array of one of SCHEMAS."""
    return f"{{type: array, items: {ref(name)}}}"
