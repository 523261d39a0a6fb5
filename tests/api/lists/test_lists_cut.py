"""A list that ends before its end does not count as complete."""

from __future__ import annotations

from typing import Any

import pytest

from petstore_desktop.domain.records import Resource
from tests.api.speaking import offering, pets, rows_of, talk, told, walk

PETS = Resource.PETS


@pytest.mark.parametrize(
    ("query", "answers"),
    [
        ((), {"": {"data": pets(1, 2, 3), "hasMore": True}}),
        (("cursor",), {"": {"data": pets(1, 2, 3), "hasMore": True, "next": None}}),
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
