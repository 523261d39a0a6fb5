"""What a profile names is sent, and nothing else."""

from __future__ import annotations

import json

import httpx

from petstore_desktop.api.client import BY_PERSON, Client
from petstore_desktop.contract.profile.reading import contract_of
from petstore_desktop.domain.records import Ref, Resource
from tests.api.speaking import Service, rows_of, talk, walk

JSON_API = b"""
profile = 1
title = "Rails JSON:API"
[inventory]
fields = { pet_id = "relationships.pet.data.id", quantity = "attributes.quantity" }
shows = ["id", "type", "attributes", "relationships"]
list = "GET /stock-items"
[inventory.change]
call = "PATCH /stock-items/{id}"
hole = "id"
media = "application/vnd.api+json"
at = { quantity = "attributes.quantity" }
envelope = "data"
fills = '{"type": "stock-items"}'
body = ["type!: string", "id!: string", "attributes!: object", "attributes.quantity!: integer"]
"""
ENTRY = {
    "type": "stock-items",
    "id": "503",
    "attributes": {"quantity": 13},
    "relationships": {"pet": {"data": {"type": "pets", "id": "3"}}},
}


def test_a_change_of_stock_has_no_field_that_the_profile_does_not_name() -> None:
    """`"petId": "3"` went along."""

    def serve(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"data": ENTRY if request.method == "PATCH" else [ENTRY]})

    async def act(client: Client) -> None:
        [row] = rows_of(await walk(client, Resource.INVENTORY))
        await client.change(Ref(Resource.INVENTORY, row.key), {"quantity": 18}, BY_PERSON, whole=row.record)

    service = Service(serve)
    talk(service, act, contract_of(JSON_API))
    asked = service.requests[-1]
    assert asked.url.path.endswith("/stock-items/503")
    sent = {"type": "stock-items", "id": "503", "attributes": {"quantity": 18}}
    assert json.loads(asked.content) == {"data": sent}
