"""A list that ends before its end does not count as complete."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.records import Resource
from tests.api.speaking import offering, pets, rows_of, talk, told, walk

PETS, STOCK = Resource.PETS, Resource.INVENTORY


@pytest.mark.parametrize(
    ("query", "answers"),
    [
        ((), {"": {"data": pets(1, 2, 3), "hasMore": True}}),
        (("cursor",), {"": {"data": pets(1, 2, 3), "hasMore": True, "next": None}}),
        ((), {"": {"data": pets(1, 2, 3), "pagination": {"next": {"after": {"id": 3}}}}}),
        (("limit",), {"limit=2": {"data": pets(1, 2, 3), "hasMore": True}}),
        (("offset",), {"": {"data": pets(1, 2, 3), "hasMore": True}, "offset=3": {"data": [], "hasMore": True}}),
    ],
)
def test_a_list_that_ends_where_the_service_says_that_there_is_more_does_not_count_as_complete(
    query: tuple[str, ...], answers: dict[str, Any]
) -> None:
    pages = talk(told(answers), lambda client: walk(client, PETS), offering(*query))
    assert [row.key for row in rows_of(pages)] == [1, 2, 3]
    assert (pages[-1].last, pages[-1].cut_at) == (True, 3)


def test_a_short_list_of_which_the_service_says_that_there_is_more_is_asked_for_by_status() -> None:
    service = told(
        {
            "limit=9": {"data": pets(1, 2, 3), "hasMore": True},
            "limit=9&status=available": {"data": pets(1, 4)},
            "limit=9&status=pending": {"data": pets(2)},
            "limit=9&status=sold": {"data": pets(3, 5)},
        }
    )
    pages = talk(service, lambda client: walk(client, PETS), offering("limit", "status", limit=9))
    assert ([row.key for row in rows_of(pages)], pages[-1].cut_at) == ([1, 2, 3, 4, 5], 3)


NEXT = {"Link": '</v1/pets?page=2>; rel="next"'}
ELSEWHERE = {"Link": '<https://elsewhere.example/v1/pets?page=2>; rel="next"'}


def counted(total: int, **more: str) -> dict[str, str]:
    return {"X-Total-Count": str(total), **NEXT, **more}


@pytest.mark.parametrize(
    "answers",
    [
        {"": (pets(1, 2, 3), counted(3)), "page=2": (pets(1, 2, 3), counted(3))},
        {"": (pets(1, 2, 3), counted(3)), "page=2": ([], counted(3))},
        {"": (pets(1, 2, 3), {"X-Total-Count": "3", "Link": '</v1/pets>; rel="next"'})},
        {"": (pets(1, 2, 3), {"X-Total-Count": "3", **ELSEWHERE})},
        {"": ({"data": pets(1, 2, 3), "total": 3}, NEXT), "page=2": ({"data": pets(3), "total": 3}, NEXT)},
        {"": (pets(1, 2), counted(3)), "page=2": (pets(3), counted(3))},
        {"": (pets(1, 2), counted(3)), "page=2": (pets(3), {"X-Total-Count": "3", **ELSEWHERE})},
    ],
)
@pytest.mark.parametrize("query", [(), ("limit",), ("page",), ("limit", "status")])
def test_a_total_that_is_told_and_reached_outweighs_a_link(query: tuple[str, ...], answers: dict[str, Any]) -> None:
    service = told({**answers, **{_asked(query, ask): answer for ask, answer in answers.items()}})
    pages = talk(service, lambda client: walk(client, PETS), offering(*query, limit=9))
    assert [row.key for row in rows_of(pages)] == [1, 2, 3]
    assert (pages[-1].last, pages[-1].cut_at) == (True, None)


def _asked(query: tuple[str, ...], ask: str) -> str:
    """What is asked for first, where the service has a parameter for how many; a link is asked as it is."""
    return ask or ("limit=9" if "limit" in query else "")


def test_a_link_beside_a_reached_total_that_leads_nowhere_ends_the_list() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.query:
            return httpx.Response(404, json={"message": "there is no such page"})
        return httpx.Response(200, json=pets(1, 2, 3), headers=counted(3))

    pages = talk(answer, lambda client: walk(client, PETS), offering())
    assert [row.key for row in rows_of(pages)] == [1, 2, 3]
    assert (pages[-1].last, pages[-1].cut_at) == (True, None)


def test_a_total_that_is_the_length_of_a_page_stands_in_the_way_of_no_link() -> None:
    answers = {
        "": (pets(1, 2, 3), counted(3)),
        "page=2": (pets(4, 5, 6), {"X-Total-Count": "3", "Link": '</v1/pets?page=3>; rel="next"'}),
        "page=3": (pets(7), {"X-Total-Count": "1"}),
    }
    pages = talk(told(answers), lambda client: walk(client, PETS), offering())
    assert [row.key for row in rows_of(pages)] == [1, 2, 3, 4, 5, 6, 7]
    assert (pages[-1].last, pages[-1].cut_at) == (True, None)


def test_a_link_after_which_nothing_new_comes_still_cuts_a_list_of_which_more_was_told() -> None:
    answers = {"": (pets(1, 2, 3), counted(9)), "page=2": (pets(1, 2, 3), counted(9))}
    pages = talk(told(answers), lambda client: walk(client, PETS), offering())
    assert pages[-1].cut_at == 3


def test_a_second_entry_of_a_pet_is_set_aside_and_cuts_no_list() -> None:
    """It said "the service shows at most 37" of 38 entries, which it showed."""
    entries = [{"id": own, "petId": pet, "quantity": own} for own, pet in ((51, 1), (52, 2), (53, 2))]
    again = [*entries[1:], {"id": 54, "petId": 4, "quantity": 5}]
    answers = {"": (entries, counted(4)), "page=2": (again, {"X-Total-Count": "4"})}
    pages = talk(told(answers), lambda client: walk(client, STOCK), offering(op=Op.INVENTORY_LIST))
    assert [row.key for row in rows_of(pages)] == [1, 2, 4]
    assert pages[-1].cut_at is None
    assert sum(page.set_aside for page in pages) == 1
    assert [words for page in pages for words in page.reasons] == [
        "inventory 53: another entry of pet 2, of which 52 is shown"
    ]


def test_pages_of_records_that_cannot_be_read_are_read_to_their_end() -> None:
    """Spring's HAL without ids: "the service shows at most 20", while all 33 had come by the links to the next page."""

    def page(begin: int, count: int, **more: object) -> dict[str, object]:
        records = [{"name": f"pet {number}"} for number in range(begin, begin + count)]
        return {"_embedded": {"pets": records}, "page": {"totalElements": 33}, "_links": more}

    answers = {"": page(0, 20, next={"href": "/v1/pets?page=1"}), "page=1": page(20, 13)}
    pages = talk(told(answers), lambda client: walk(client, PETS), offering())
    assert (pages[-1].last, pages[-1].cut_at, sum(one.set_aside for one in pages)) == (True, None, 33)


def test_records_that_cannot_be_read_and_come_again_are_counted_once_and_end_the_list() -> None:
    """Alike ones of one page are several."""
    same = {"data": [{"name": "a"}, {"name": "a"}, {"name": "b"}], "total": 9}
    pages = talk(told({"": same, "page=2": same}), lambda client: walk(client, PETS), offering("page"))
    assert (pages[-1].last, pages[-1].cut_at, sum(one.set_aside for one in pages)) == (True, 3, 3)
