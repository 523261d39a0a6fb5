"""Every form of paging that services are known for is walked to its end, also from where an earlier walk stopped."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from petstore_desktop.domain.records import Resource
from tests.api.lists.test_lists import ids_of
from tests.api.speaking import Service, offering, pets, talk, told, walk

PETS = Resource.PETS

PAGED: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "link header": (
        ("limit",),
        {
            "limit=2": (pets(1, 2), {"Link": '<?limit=2&after=2>; rel="next", </v1/pets>; rel="first"'}),
            "limit=2&after=2": (pets(3, 4), {"Link": "</v1/pets?last=1>; rel=next"}),
            "last=1": pets(5, 6),
        },
    ),
    "nextCursor": (
        ("limit", "cursor"),
        {
            "limit=2": {"data": pets(1, 2), "nextCursor": "/b+="},
            "limit=2&cursor=%2Fb%2B%3D": {"data": pets(3, 4), "nextCursor": "c"},
            "limit=2&cursor=c": {"data": pets(5, 6), "nextCursor": None},
        },
    ),
    "endCursor with hasNextPage": (
        ("first", "after"),
        {
            "first=2": {"pets": pets(1, 2), "pageInfo": {"endCursor": "x", "hasNextPage": True}},
            "first=2&after=x": {"pets": pets(3, 4, 5, 6), "pageInfo": {"endCursor": "y", "hasNextPage": False}},
        },
    ),
    "next as an address": (
        (),
        {
            "": {"items": pets(1, 2, 3), "next": "http://127.0.0.1:9/v1/pets?page=2"},
            "page=2": {"items": pets(4, 5, 6), "next": None},
        },
    ),
    "links with href": (
        (),
        {
            "": {"data": pets(1, 2, 3), "_links": {"next": {"href": "/v1/pets?p=2"}}},
            "p=2": {"data": pets(4, 5, 6), "_links": {}},
        },
    ),
    "next as the parameters of its address": (
        (),
        {
            "": {"success": True, "count": 3, "pagination": {"next": {"page": 2, "limit": 3}}, "data": pets(1, 2, 3)},
            "page=2&limit=3": {"success": True, "count": 3, "pagination": {"prev": {"page": 1}}, "data": pets(4, 5, 6)},
        },
    ),
    "page numbers": (
        ("page", "pageSize"),
        {
            "pageSize=2": pets(1, 2),
            "pageSize=2&page=2": pets(3, 4),
            "pageSize=2&page=3": pets(5, 6),
            "pageSize=2&page=4": [],
        },
    ),
    "page numbers with a total": (
        ("page", "pageSize"),
        {
            "pageSize=2": (pets(1, 2, 3), {"X-Total-Count": "6"}),
            "pageSize=2&page=2": (pets(4, 5, 6), {"X-Total-Count": "6"}),
        },
    ),
    "nextPage as a number": (
        ("page", "limit"),
        {
            "limit=2": {"data": pets(1, 2, 3), "nextPage": 7},
            "limit=2&page=7": {"data": pets(4, 5, 6), "nextPage": None, "hasMore": False},
        },
    ),
    "offsets, with a page of its own that is shorter than the document says": (
        ("offset", "limit"),
        {
            "limit=2": {"data": pets(1), "total": 6, "hasMore": True},
            "limit=2&offset=1": {"data": pets(2, 3), "total": 6, "hasMore": True},
            "limit=2&offset=3": {"data": pets(4, 5, 6), "total": 6, "hasMore": False},
        },
    ),
    "offsets, of which only the answer speaks": (
        ("limit",),
        {
            "limit=2": {"data": pets(1), "offset": 0, "total": 6, "hasMore": True},
            "limit=2&offset=1": {"data": pets(2, 3, 4, 5, 6), "offset": 1, "total": 6, "hasMore": False},
        },
    ),
    "pages, of which only the answer speaks": (
        ("limit",),
        {
            "limit=2": {"data": pets(1), "pagination": {"page": 0, "total": 6}},
            "limit=2&page=1": {"data": pets(2, 3, 4, 5, 6), "pagination": {"page": 1, "total": 6}},
        },
    ),
    "a total of the page alone, with word that there is more": (
        ("page", "limit"),
        {
            "limit=2": {"data": pets(1, 2, 3), "total": 3, "hasMore": True},
            "limit=2&page=2": {"data": pets(4, 5, 6), "total": 3, "hasMore": False},
        },
    ),
    "Spring: a page that is said to be the last, and counts from 0": (
        ("page", "size"),
        {
            "size=2": {"content": pets(1, 2), "number": 0, "totalPages": 3, "totalElements": 6, "last": False},
            "size=2&page=1": {"content": pets(3, 4), "number": 1, "totalPages": 3, "totalElements": 6, "last": False},
            "size=2&page=2": {"content": pets(5, 6), "number": 2, "totalPages": 3, "totalElements": 6, "last": True},
        },
    ),
    "Spring, HAL: page with a number and totalPages": (
        ("page", "size"),
        {
            "size=2": {"_embedded": {"petList": pets(1, 2, 3)}, "page": {"size": 2, "totalPages": 2, "number": 0}},
            "size=2&page=1": {"_embedded": {"petList": pets(4, 5, 6)}, "page": {"totalPages": 2, "number": 1}},
        },
    ),
    "a count of pages alone": (
        ("page", "per_page"),
        {
            "per_page=2": {"pets": pets(1, 2), "meta": {"current_page": 1, "last_page": 3}},
            "per_page=2&page=2": {"pets": pets(3, 4), "meta": {"current_page": 2, "last_page": 3}},
            "per_page=2&page=3": {"pets": pets(5, 6), "meta": {"current_page": 3, "last_page": 3}},
        },
    ),
    "a count that is of all records": (
        ("offset", "limit"),
        {
            "limit=2": {"results": pets(1, 2, 3), "count": 6},
            "limit=2&offset=3": {"results": pets(4, 5, 6), "count": 6},
        },
    ),
    "a count that is of the page": (
        ("offset", "limit"),
        {
            "limit=2": {"results": pets(1, 2, 3), "count": 3},
            "limit=2&offset=3": {"results": pets(4, 5, 6), "count": 3},
            "limit=2&offset=6": {"results": [], "count": 0},
        },
    ),
    "OData": (
        ("$top", "$skip"),
        {
            "%24top=2": {"value": pets(1, 2, 3), "@odata.count": 6, "@odata.nextLink": "/v1/pets?$skip=3"},
            "$skip=3": {"value": pets(4, 5, 6), "@odata.count": 6},
        },
    ),
    "JSON:API": (
        ("page[number]", "page[size]"),
        {
            "page%5Bsize%5D=2": {
                "data": pets(1, 2, 3),
                "links": {"self": "/v1/pets", "next": "/v1/pets?page[number]=2"},
            },
            "page[number]=2": {"data": pets(4, 5, 6), "links": {"next": None, "last": "/v1/pets?page[number]=2"}},
        },
    ),
    "offsets that follow what came": (
        ("offset", "limit"),
        {
            "limit=2": (pets(1, 2), {"Content-Range": "items 0-1/6"}),
            "limit=2&offset=2": (pets(3, 4), {"Content-Range": "items 2-3/6"}),
            "limit=2&offset=4": (pets(5, 6), {"Content-Range": "items 4-5/6"}),
        },
    ),
}


@pytest.mark.parametrize("name", PAGED)
def test_every_form_of_paging_is_walked_to_its_end(name: str) -> None:
    query, answers = PAGED[name]
    service = told(answers)
    pages = talk(service, lambda client: walk(client, PETS), offering(*query))
    assert ids_of(pages) == [1, 2, 3, 4, 5, 6]
    assert len(service.requests) == len(answers)
    assert [page.last for page in pages] == [False] * (len(pages) - 1) + [True]
    assert pages[-1].cut_at is None


@pytest.mark.parametrize("name", PAGED)
def test_a_walk_is_taken_up_where_it_stopped(name: str) -> None:
    query, answers = PAGED[name]
    whole = talk(told(answers), lambda client: walk(client, PETS), offering(*query))

    def answer(request: httpx.Request) -> httpx.Response:
        body = answers.get(request.url.query.decode(), [])
        body, headers = body if isinstance(body, tuple) else (body, {})
        return httpx.Response(200, json=body, headers=headers)

    service = Service(answer)
    rest = talk(service, lambda client: walk(client, PETS, start=whole[0].cursor), offering(*query))
    assert ids_of(rest) == ids_of(whole[1:])
    assert rest[-1].cut_at is None
    # Where only a count over the whole walk told the end, a resumed one needs another page to see it.
    assert len(service.requests) <= len(answers)
