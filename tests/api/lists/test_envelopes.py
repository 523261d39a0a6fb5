"""A list is found in the envelopes that services put around it, and so is what they say of its length."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from petstore_desktop.api.lists.envelope import read_listing, unwrap_one
from petstore_desktop.domain.errors import AnswerUnusable
from petstore_desktop.domain.records import Resource
from tests.api.lists.test_lists import ids_of
from tests.api.speaking import Service, offering, pets, talk, told, walk

PETS = Resource.PETS
TWO = pets(1, 2)

NEXT: dict[str, tuple[Any, str]] = {
    "hydra": (
        {"hydra:member": TWO, "hydra:totalItems": 3, "hydra:view": {"@id": "/p", "hydra:next": "/v1/pets?p=2"}},
        "/v1/pets?p=2",
    ),
    "hydra without its prefix": ({"member": TWO, "totalItems": 3, "view": {"next": "/v1/pets?p=2"}}, "/v1/pets?p=2"),
    "OData 2": ({"d": {"results": TWO, "__next": "/v1/pets?p=2"}}, "/v1/pets?p=2"),
    "links in the envelope": ({"pets": {"data": TWO, "links": {"next": "/v1/pets?p=2"}}}, "/v1/pets?p=2"),
    "a response in a response": ({"response": {"pets": TWO, "next": "/v1/pets?p=2"}}, "/v1/pets?p=2"),
}
TOTALS: dict[str, Any] = {
    "data with a list": {"code": 200, "message": "ok", "data": {"list": TWO, "total": 3}},
    "payload": {"payload": {"content": TWO, "totalElements": 3}},
    "result": {"result": {"items": TWO, "total": 3}, "errors": []},
    "rows beside another list": {"rows": TWO, "tags": ["a"], "total": 3},
    "mongoose": {"docs": TWO, "totalDocs": 3},
}


@pytest.mark.parametrize("name", NEXT)
def test_what_follows_is_found_beside_the_list_in_its_envelope(name: str) -> None:
    first, following = NEXT[name]
    assert (read_listing(PETS, first).items, read_listing(PETS, first).next) == (TWO, following)
    service = told({"": first, "p=2": {"data": pets(3)}})
    pages = talk(service, lambda client: walk(client, PETS), offering())
    assert (ids_of(pages), pages[-1].cut_at) == ([1, 2, 3], None)


@pytest.mark.parametrize("name", TOTALS)
def test_a_list_that_is_shorter_than_its_envelope_says_is_not_taken_for_the_whole(name: str) -> None:
    pages = talk(told({"": TOTALS[name]}), lambda client: walk(client, PETS), offering())
    assert (ids_of(pages), pages[-1].total, pages[-1].cut_at) == ([1, 2], 3, 2)


@pytest.mark.parametrize("name", TOTALS)
def test_pages_that_the_document_names_are_read_as_far_as_the_envelope_counts(name: str) -> None:
    answers = {"limit=2": TOTALS[name], "limit=2&page=2": {"data": {"list": pets(3), "total": 3}}}
    pages = talk(told(answers), lambda client: walk(client, PETS), offering("limit", "page"))
    assert (ids_of(pages), pages[-1].cut_at) == ([1, 2, 3], None)


FAILED: dict[str, Any] = {
    "GraphQL": {"data": None, "errors": [{"message": "timeout"}]},
    "errors beside an empty list": {"data": [], "errors": [{"message": "timeout"}]},
    "no success": {"success": False, "data": [], "message": "database is down"},
    "the Error object": {"code": "internal", "message": "oops", "status": 500, "data": None},
    "a status beside an empty list": {"statusCode": 503, "pets": []},
    "an error beside some": {"error": "shard 2 does not answer", "data": TWO},
}
PARTS: dict[str, Any] = {
    "a total as text": {"data": TWO, "total": "35"},
    "a total with a fraction": {"data": TWO, "total": 35.0},
    "more as text": {"data": TWO, "hasMore": "true"},
    "truncated": {"data": TWO, "truncated": True},
    "incomplete results": {"items": TWO, "incomplete_results": True},
    "timed out": {"timed_out": True, "hits": 2, "data": TWO},
}


@pytest.mark.parametrize("name", FAILED)
def test_a_good_answer_that_says_it_failed_is_no_list(name: str) -> None:
    """As it was found: each pet of a shop was called gone after such an answer."""
    with pytest.raises(AnswerUnusable) as met:
        talk(told({"": FAILED[name]}), lambda client: walk(client, PETS), offering())
    assert met.value.code == "error-inside"


@pytest.mark.parametrize("name", PARTS)
def test_an_answer_that_says_it_is_a_part_is_not_taken_for_the_whole(name: str) -> None:
    pages = talk(told({"": PARTS[name]}), lambda client: walk(client, PETS), offering())
    assert ids_of(pages) == [1, 2]
    assert pages[-1].cut_at is not None


def test_partial_content_is_not_taken_for_the_whole() -> None:
    part = Service(lambda _: httpx.Response(206, json=TWO))
    pages = talk(part, lambda client: walk(client, PETS), offering())
    assert (ids_of(pages), pages[-1].cut_at) == ([1, 2], 2)


def test_one_record_alone_in_an_object_is_it_whatever_that_calls_it() -> None:
    """Rails answers with `{"stock_item": {...}}`: "pet_id is missing" was said of it."""
    entry = {"id": 51, "pet_id": 1, "on_hand": 5}
    names = frozenset({"pet_id", "on_hand"})
    assert unwrap_one(Resource.INVENTORY, {"stock_item": entry}, names) == entry
    assert unwrap_one(Resource.INVENTORY, {"stock_item": entry, "meta": {"pet_id": 1}}, names) != entry
