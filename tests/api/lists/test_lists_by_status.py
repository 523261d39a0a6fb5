"""A list that is read as one of each status is walked to the end of each, in every form of paging, also when it is
taken up again."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from petstore_desktop.contract.model import Contract
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.records import Resource
from tests.api.lists.test_lists import ids_of
from tests.api.speaking import Service, offering, pets, talk, told, walk

PETS = Resource.PETS
TOTAL = {"X-Total-Count": "3"}

FORMS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "link header": (
        ("limit", "status"),
        {
            "limit=2&status=in%3Astore": (pets(1, 2), {"Link": '</v1/pets?more=1>; rel="next"'}),
            "more=1": pets(3),
            "limit=2&status=gone": pets(4, 5),
        },
    ),
    "cursor": (
        ("limit", "cursor", "status"),
        {
            "limit=2&status=in%3Astore": {"data": pets(1, 2), "nextCursor": "b:c"},
            "limit=2&status=in%3Astore&cursor=b%3Ac": {"data": pets(3), "nextCursor": None},
            "limit=2&status=gone": {"data": pets(4, 5), "nextCursor": None},
        },
    ),
    "page numbers, each status with a total": (
        ("limit", "page", "status"),
        {
            "limit=2&status=in%3Astore": (pets(1, 2), TOTAL),
            "limit=2&status=in%3Astore&page=2": (pets(3), TOTAL),
            "limit=2&status=gone": (pets(4, 5), {"X-Total-Count": "2"}),
            "limit=2&status=gone&page=2": [],
        },
    ),
    "offsets without a total": (
        ("limit", "offset", "status"),
        {
            "limit=2&status=in%3Astore": pets(1, 2),
            "limit=2&status=in%3Astore&offset=2": pets(3),
            "limit=2&status=gone": pets(4, 5),
            "limit=2&status=gone&offset=2": [],
        },
    ),
    "pages that only the answer counts, from 0": (
        ("limit", "status"),
        {
            "limit=2&status=in%3Astore": {"content": pets(1, 2), "number": 0, "totalPages": 2},
            "limit=2&status=in%3Astore&page=1": {"content": pets(3), "number": 1, "totalPages": 2},
            "limit=2&status=gone": {"content": pets(4, 5), "number": 0, "totalPages": 1},
        },
    ),
}


def split(*query: str) -> Contract:
    """The list is read once for each of two statuses."""
    contract = offering(*query)
    changed = replace(contract.operations[Op.PETS_LIST], statuses=("in:store", "gone"))
    return replace(contract, operations={**contract.operations, Op.PETS_LIST: changed})


@pytest.mark.parametrize("form", FORMS)
def test_each_status_is_read_to_its_end(form: str) -> None:
    query, answers = FORMS[form]
    service = told(answers)
    pages = talk(service, lambda client: walk(client, PETS), split(*query))
    assert ids_of(pages) == [1, 2, 3, 4, 5]
    assert [str(request.url.query, "ascii") for request in service.requests] == list(answers)
    assert (pages[-1].last, pages[-1].cut_at) == (True, None)


@pytest.mark.parametrize("form", FORMS)
def test_a_walk_is_taken_up_within_a_status(form: str) -> None:
    query, answers = FORMS[form]
    pages = talk(told(answers), lambda client: walk(client, PETS), split(*query))

    def answer(request: httpx.Request) -> httpx.Response:
        body = answers.get(request.url.query.decode(), [])
        body, headers = body if isinstance(body, tuple) else (body, {})
        return httpx.Response(200, json=body, headers=headers)

    for number, page in enumerate(pages[:-1]):
        start = page.cursor
        left = talk(Service(answer), lambda client, start=start: walk(client, PETS, start=start), split(*query))
        assert (ids_of(left), left[-1].cut_at) == (ids_of(pages[number + 1 :]), None)


def test_the_total_of_one_status_is_not_that_of_the_list() -> None:
    """A shop with many available pets and ten sold ones is not endless, and not `20100 of 10` either."""
    answers = {"status=in%3Astore": pets(*range(20_100)), "status=gone": (pets(30_000), {"X-Total-Count": "1"})}
    pages = talk(told(answers), lambda client: walk(client, PETS), split("status"))
    assert len(ids_of(pages)) == 20_101
    assert {page.total for page in pages} == {None}
    assert pages[-1].cut_at is None


def test_a_full_status_without_pages_is_cut() -> None:
    answers = {"limit=2&status=in%3Astore": pets(1, 2), "limit=2&status=gone": pets(3)}
    pages = talk(told(answers), lambda client: walk(client, PETS), split("limit", "status"))
    assert ids_of(pages) == [1, 2, 3]
    assert pages[-1].cut_at is not None


def test_a_status_that_ends_before_its_total_is_cut() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        first = "page" not in request.url.params and request.url.params["status"] == "gone"
        total = "7" if request.url.params["status"] == "gone" else "0"
        return httpx.Response(200, json=pets(1) if first else [], headers={"X-Total-Count": total})

    pages = talk(Service(answer), lambda client: walk(client, PETS), split("page", "status"))
    assert (ids_of(pages), pages[-1].cut_at) == ([1], 1)
