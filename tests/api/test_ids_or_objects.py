"""A document that leaves open whether a field is an id or the record that it names (`oneOf`, as Directus has it): an id
is sent, and what records show is read. The name of a category went along, and would have been written to it."""

from __future__ import annotations

import json

import httpx
import pytest

from petstore_desktop.api.client import BY_PERSON, Client
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.records import Pet, Resource
from tests.api.speaking import Service, rows_of, talk, walk
from tests.contract.documents import answer, body, bound, list_of, ref

EITHER = """
components:
  schemas:
    Kind: {{type: object, properties: {{id: {{type: integer}}, name: {{type: string}}}}}}
    Pet: {{type: object, properties: {{id: {{type: integer}}, name: {{type: string}}, status: {{type: string}},
      category: {{{word}: [{{type: integer, nullable: true}}, {{$ref: '#/components/schemas/Kind'}}]}}}}}}
"""
PATHS = f"""
  /pets: {{get: {{{answer(list_of("Pet"))}}}, post: {{{body(ref("Pet"))}, {answer(ref("Pet"), "201")}}}}}
  /categories: {{get: {{{answer(list_of("Kind"))}}}}}"""


@pytest.mark.parametrize("word", ["oneOf", "anyOf"])
@pytest.mark.parametrize("shown", [2, {"id": 2, "name": "Cats"}], ids=["id", "object"])
def test_an_id_is_sent_and_what_records_show_is_read(word: str, shown: object) -> None:
    pet = {"id": 1, "name": "Rex", "status": "sold", "category": shown}

    def serve(request: httpx.Request) -> httpx.Response:
        made = request.method == "POST"
        return httpx.Response(201, json={**pet, "id": 2}) if made else httpx.Response(200, json=[pet])

    async def act(client: Client) -> object:
        pages = await walk(client, Resource.PETS)
        await client.create(Resource.PETS, {"name": "Tom", "category_id": 2, "status": "sold"}, BY_PERSON)
        return [row.record for row in rows_of(pages)]

    service = Service(serve)
    contract = bound(PATHS, EITHER.format(word=word))
    [read] = talk(service, act, contract)
    assert isinstance(read, Pet)
    assert read.category_id == 2
    assert Op.PET_CREATE in contract.operations
    assert json.loads(service.requests[-1].content)["category"] == 2
