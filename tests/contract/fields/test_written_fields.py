"""Which fields of a body are those that answers show: only these are written, and all others go back as they came."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from petstore_desktop.contract.binding.answer_fields import learned
from petstore_desktop.contract.binding.load import load
from petstore_desktop.contract.model import Contract, Operation
from petstore_desktop.contract.operations import NOWHERE, Path, Verb
from petstore_desktop.domain.records import Resource
from tests.contract.documents import answer, body, document

PETS, ORDERS, INVENTORY = Resource.PETS, Resource.ORDERS, Resource.INVENTORY
PLACES = {PETS: "/pets", ORDERS: "/orders", INVENTORY: "/inventory"}
ANIMAL = {"id": 0, "name": "", "status": ""}
ORDER = {"id": 0, "petId": 0, "quantity": 0, "shipDate": "", "complete": False}
OF_TYPE = {int: "integer", str: "string", bool: "boolean"}


def schema(value: object) -> dict[str, object]:
    """The schema of such a value."""
    if isinstance(value, Mapping):
        return {"type": "object", "properties": {name: schema(inner) for name, inner in value.items()}}
    return {"type": OF_TYPE[type(value)]}


def bound(resource: Resource, read: object, sent: object, *, bindings: Mapping[str, str] | None = None) -> Contract:
    """The contract of a service that shows records so, and takes a change so; `read` None: it says nothing of them."""
    shown = "" if read is None else answer(f"{{type: array, items: {json.dumps(schema(read))}}}")
    place = PLACES[resource]
    paths = f"""
  {place}: {{get: {{{shown}}}}}
  {place}/{{id}}: {{patch: {{{body(json.dumps(schema(sent)))}}}}}"""
    return load(document(paths, ""), source="chosen", bindings=bindings or {})


def change_of(contract: Contract, resource: Resource) -> Operation:
    """The operation that changes such records."""
    operation = contract.find(resource, Verb.CHANGE)
    assert operation is not None
    return operation


@pytest.mark.parametrize(
    ("resource", "read", "sent", "field"),
    [
        (PETS, {**ANIMAL, "species": "", "type": ""}, {"name": "", "type": ""}, "category_id"),
        (PETS, {"id": 0, "title": "", "label": "", "status": "", "category": ""}, {"label": "", "status": ""}, "name"),
        (PETS, {**ANIMAL, "nickname": ""}, {"nickname": "", "status": ""}, "name"),
        (PETS, {**ANIMAL, "state": ""}, {"name": "", "state": ""}, "status"),
        (PETS, ANIMAL, {"name": "", "state": ""}, "status"),
        (PETS, {**ANIMAL, "category": ""}, {"name": "", "categoryId": 0}, "category_id"),
        (ORDERS, {**ORDER, "deliveryDate": ""}, {"deliveryDate": "", "complete": False}, "ship_date"),
        (ORDERS, {**ORDER, "closed": False}, {"shipDate": "", "closed": False}, "complete"),
        (INVENTORY, {"petId": 0, "quantity": 0, "units": 0, "status": ""}, {"units": 0}, "quantity"),
    ],
)
def test_a_field_of_a_body_that_may_be_another_one_is_not_written(
    resource: Resource, read: object, sent: object, field: str
) -> None:
    contract = bound(resource, read, sent)
    change = change_of(contract, resource)
    assert contract.doubt(change, field)
    assert change.writes.paths[field] == NOWHERE


@pytest.mark.parametrize(
    ("read", "sent"),
    [
        ({"category": {"id": 0, "name": ""}}, {"category": ""}),
        ({"category": ""}, {"category": 0}),
        ({"category": ""}, {"category": {"id": 0}}),
        ({"categoryId": ""}, {"categoryId": 0}),
    ],
)
def test_a_field_of_another_type_goes_back_where_it_was_read(read: dict[str, object], sent: dict[str, object]) -> None:
    contract = bound(PETS, {**ANIMAL, **read}, {"name": "", **sent})
    change = change_of(contract, PETS)
    assert contract.doubt(change, "category_id")
    assert change.writes.paths.get("category_id", ("categoryId",)) == contract.map(PETS).paths.get(
        "category_id", ("categoryId",)
    )
    assert not change.text_fields


@pytest.mark.parametrize(
    ("read", "sent", "path"),
    [
        ({"category": {"id": 0, "name": ""}}, {"categoryId": 0}, ("categoryId",)),
        ({"category": {"id": 0, "name": ""}}, {"category_id": 0}, ("category_id",)),
        ({"category": {"id": 0, "name": ""}}, {"category": 0}, ("category",)),
        ({"category": 0}, {"category": {"id": 0}}, ("category", "id")),
        ({"category": {"_id": "", "name": ""}}, {"category": ""}, ("category",)),
        ({"kind": {"id": 0}}, {"kindId": 0}, ("kindId",)),
        ({"categoryId": 0}, {"categoryId": ""}, ("categoryId",)),
        ({"kind": 0, "group": 0}, {"group": 0, "kind": 0}, ("kind",)),
        ({}, {"species": ""}, ("species",)),
    ],
)
def test_the_same_word_in_another_spelling_and_a_word_that_means_nothing_else_are_written(
    read: dict[str, object], sent: dict[str, object], path: Path
) -> None:
    contract = bound(PETS, {**ANIMAL, **read}, {"name": "", **sent})
    change = change_of(contract, PETS)
    assert not contract.doubt(change, "category_id")
    assert change.writes.paths.get("category_id", ("categoryId",)) == path
    assert change.text_fields == ((path[0],) if sent[path[0]] == "" else ())


def test_a_field_that_a_person_has_said_the_place_of_is_written() -> None:
    read = {"id": 0, "title": "", "label": "", "status": "", "category": ""}
    contract = bound(PETS, read, {"label": "", "status": ""}, bindings={"pets.name": "label"})
    change = change_of(contract, PETS)
    assert (contract.map(PETS).paths["name"], change.writes.paths["name"]) == (("label",), ("label",))
    assert not contract.doubt(change, "name")


def test_a_body_is_compared_with_the_records_that_come_where_no_document_tells_of_them() -> None:
    contract = bound(PETS, None, {"nickname": "", "status": ""})
    assert not contract.doubt(change_of(contract, PETS), "name")
    seen = learned(contract, PETS, [{"id": 1, "name": "Rex", "nickname": "R", "status": "sold"}])
    assert seen is not None
    assert seen.doubt(change_of(seen, PETS), "name")
    assert learned(seen, PETS, [{"id": 1, "name": "Rex", "nickname": "R", "status": "sold"}]) is None
