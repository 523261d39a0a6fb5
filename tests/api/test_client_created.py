"""Which record was made is told by its own id, never by another's."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from petstore_desktop.contract.binding.load import default
from petstore_desktop.contract.model import Contract, Operation
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.errors import AnswerUnusable
from petstore_desktop.domain.records import Resource
from tests.api.speaking import BY_PERSON, Service, offering, talk, told, walk

ORDERS = Contract({**default().operations, Op.ORDER_CREATE: Operation(Op.ORDER_CREATE, "POST", "/store/orders")})
FIELDS: dict[Resource, Any] = {
    Resource.PETS: {"name": "Koi", "category_id": 3},
    Resource.CATEGORIES: {"name": "Fish"},
    Resource.ORDERS: {"pet_id": 5, "quantity": 1},
}


def made(resource: Resource, body: object, location: str = "") -> int | None:
    headers = {"Location": location} if location else {}
    service = Service(lambda _: httpx.Response(201, json=body, headers=headers))
    created = talk(service, lambda client: client.create(resource, FIELDS[resource], BY_PERSON), ORDERS)
    return created.id


@pytest.mark.parametrize(
    ("resource", "body", "number"),
    [
        (Resource.PETS, {"id": 9}, 9),
        (Resource.PETS, {"petId": 9}, 9),
        (Resource.PETS, {"data": {"id": 9}}, 9),
        (Resource.PETS, {"insertedId": 9}, 9),
        (Resource.PETS, 9, 9),
        (Resource.PETS, {"name": "Koi", "categoryId": 3}, None),
        (Resource.ORDERS, {"orderId": 9, "petId": 5}, 9),
        (Resource.ORDERS, {"petId": 5, "quantity": 1}, None),
        (Resource.CATEGORIES, {"categoryId": 9}, 9),
        (Resource.CATEGORIES, {"petId": 9}, None),
    ],
)
def test_the_id_of_another_record_is_not_the_new_ones(resource: Resource, body: object, number: int | None) -> None:
    assert made(resource, body) == number


@pytest.mark.parametrize(
    ("location", "number"),
    [
        ("/v1/pets/57", 57),
        ("http://127.0.0.1:9/v1/pet/57/", 57),
        ("57", 57),
        ("/v1/jobs/57", None),
        ("http://[::1/57", None),
        ("/v1/pets/57/status", None),
        ("/v1/store/orders/57", None),
    ],
)
def test_a_location_that_leads_elsewhere_names_no_record(location: str, number: int | None) -> None:
    assert made(Resource.PETS, {"ok": True}, location) == number


@pytest.mark.parametrize("name", ["errors", "warnings", "_links"])
def test_a_list_of_what_went_wrong_is_no_empty_list_of_records(name: str) -> None:
    with pytest.raises(AnswerUnusable) as caught:
        talk(told({"": {"ok": False, name: []}}), lambda client: walk(client, Resource.PETS), offering())
    assert caught.value.code == "not-a-list"
