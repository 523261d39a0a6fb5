"""Where requests go when a document names servers: to the typed origin, and nowhere else."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from msgspec.structs import replace

from petstore_desktop.contract.binding.load import default
from petstore_desktop.contract.binding.places import document_places
from petstore_desktop.domain.records import Ref, Resource
from tests.api.speaking import BY_PERSON, KEY, Service, always, pets, talk, walk

SERVERS = ("https://elsewhere.example/v9", "http://127.0.0.1:9/v3/", "/v4")


@pytest.mark.parametrize(
    ("base", "path"),
    [
        ("http://127.0.0.1:9", "/v3/pets"),
        ("http://127.0.0.1:9/", "/v3/pets"),
        ("http://127.0.0.1:10", "/v4/pets"),
        ("http://127.0.0.1:9/v1", "/v1/pets"),
    ],
)
def test_the_documents_path_is_added_where_the_typed_address_has_none_and_the_key_stays_at_its_origin(
    base: str, path: str
) -> None:
    service = Service(always(200, pets(1)))
    contract = replace(default(), servers=SERVERS)
    talk(service, lambda client: walk(client, Resource.PETS), contract, base=base)
    (request,) = service.requests
    assert request.url.path == path
    assert f"{request.url.scheme}://{request.url.host}:{request.url.port}" == base.rstrip("/").removesuffix("/v1")
    assert request.headers["Authorization"] == f"Bearer {KEY}"


def test_single_records_lie_below_the_same_path_and_the_document_itself_below_the_typed_address() -> None:
    service = Service(always(200, {"id": 7, "name": "Koi", "categoryId": 1}))
    contract = replace(default(), servers=SERVERS)
    base = "http://127.0.0.1:9"
    talk(service, lambda client: client.read(Ref(Resource.PETS, 7), BY_PERSON), contract, base=base)
    talk(service, lambda client: client.fetch_document(), contract, base=base)
    assert service.asked == ["GET /v3/pets/7", *(f"GET {urlsplit(place).path}" for place in document_places(base))]


def test_a_next_page_is_followed_where_the_service_says_on_its_own_origin() -> None:
    first = always(200, {"data": [{"id": 1, "name": "Koi", "categoryId": 1}], "next": "/v3/pets?cursor=b"})
    service = Service(lambda request: (first if "cursor" not in str(request.url) else always(200, []))(request))
    contract = replace(default(), servers=SERVERS)
    talk(service, lambda client: walk(client, Resource.PETS), contract, base="http://127.0.0.1:9")
    assert [line.partition("?")[0] for line in service.asked] == ["GET /v3/pets", "GET /v3/pets"]
