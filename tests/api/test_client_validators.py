"""The ETags of whole lists, and of the records in them."""

from __future__ import annotations

import httpx
import pytest
from msgspec.structs import replace

from petstore_desktop.contract.model import Operation
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.errors import AnswerUnusable
from petstore_desktop.domain.records import Pet, Resource
from tests.api.speaking import Service, offering, pets, rows_of, talk, told, walk

PETS = Resource.PETS
MOVED = "http://127.0.0.1:10/v1"


def versioned(request: httpx.Request) -> httpx.Response:
    """Every list of this service is at its first version, however it is asked for."""
    if request.headers.get("if-none-match") == '"v1"':
        return httpx.Response(304)
    return httpx.Response(200, json=pets(1), headers={"ETag": '"v1"'})


def test_an_unchanged_list_brings_no_rows_and_says_so() -> None:
    service = Service(versioned)
    (page,) = talk(service, lambda client: walk(client, PETS), offering())
    assert (page.etag is None, page.not_modified) == (False, False)
    (again,) = talk(service, lambda client: walk(client, PETS, etag=page.etag), offering())
    assert (again.not_modified, again.rows, again.last) == (True, (), True)


def test_the_etag_of_one_address_is_not_sent_to_another() -> None:
    service = Service(versioned)
    (page,) = talk(service, lambda client: walk(client, PETS), offering("limit", limit=100))
    (other,) = talk(service, lambda client: walk(client, PETS, etag=page.etag), offering("limit", limit=500))
    assert not other.not_modified
    (moved,) = talk(
        service, lambda client: walk(client, PETS, etag=page.etag), offering("limit", limit=100), base=MOVED
    )
    assert moved.not_modified, "a service on another port is the same service"


def test_only_a_walk_from_the_beginning_asks_whether_the_list_has_changed() -> None:
    service = Service(versioned)
    (page,) = talk(service, lambda client: walk(client, PETS), offering("cursor"))
    talk(service, lambda client: walk(client, PETS, etag=page.etag, start="cursor:x"), offering("cursor"))
    assert [request.headers.get("if-none-match") for request in service.requests] == [None, None]


def test_a_list_of_several_pages_has_no_etag_and_its_other_pages_are_asked_for_in_full() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        more = {} if "cursor" in request.url.params else {"next": "a"}
        ids = pets(2) if "cursor" in request.url.params else pets(1)
        return httpx.Response(200, json={"data": ids, **more}, headers={"ETag": '"v1"'})

    service = Service(answer)
    pages = talk(service, lambda client: walk(client, PETS, etag='"v0" /v1/pets'), offering("cursor"))
    assert [page.etag for page in pages] == [None, None]
    assert [request.headers.get("if-none-match") for request in service.requests] == ['"v0"', None]


def test_not_modified_that_nobody_asked_for_is_no_list() -> None:
    with pytest.raises(AnswerUnusable):
        talk(lambda _: httpx.Response(304), lambda client: walk(client, PETS), offering())


@pytest.mark.parametrize("tag", ['W/"1"', '"a,b=c/d"', '""'])
def test_every_form_of_entity_tag_is_sent_back_as_it_came(tag: str) -> None:
    service = Service(lambda _: httpx.Response(200, json=pets(1), headers={"ETag": tag}))
    (page,) = talk(service, lambda client: walk(client, PETS), offering())
    talk(service, lambda client: walk(client, PETS, etag=page.etag), offering())
    assert service.requests[-1].headers["if-none-match"] == tag


@pytest.mark.parametrize("tag", ["v1", '"', '"a b"', '"a"b"', 'w/"1"', '"\u00e9"', ""])
def test_what_is_no_entity_tag_is_not_kept(tag: str) -> None:
    headers = [(b"ETag", tag.encode())]
    service = Service(lambda _: httpx.Response(200, json=pets(1), headers=headers))
    (page,) = talk(service, lambda client: walk(client, PETS), offering())
    assert page.etag is None


@pytest.mark.parametrize(("conditional", "kept"), [(True, ['"a"', None]), (False, [None, None])])
def test_rows_of_a_list_keep_their_etags_where_a_change_can_be_guarded_by_them(
    conditional: bool, kept: list[str | None]
) -> None:
    """And nowhere else; in neither case does the validator become one of the record's fields."""
    change = Operation(Op.PET_CHANGE, "PATCH", "/pets/{id}", conditional=conditional)
    contract = offering()
    contract = replace(contract, operations={**contract.operations, Op.PET_CHANGE: change})
    listed = [{"@odata.etag": '"a"', **pets(1)[0]}, *pets(2)]
    rows = rows_of(talk(told({"": listed}), lambda client: walk(client, PETS), contract))
    assert [row.etag for row in rows] == kept
    assert [row.record for row in rows] == [Pet(1, "pet 1"), Pet(2, "pet 2")]
