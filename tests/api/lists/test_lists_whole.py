"""Whatever a service says of its pages, every record is read, or the list says that it is not whole."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.api.client import Client
from petstore_desktop.api.lists.paging import MOST_EMPTY
from petstore_desktop.domain.records import Resource
from tests.api.speaking import Service, offering, pets, rows_of, talk, told, walk

PETS = Resource.PETS


class Pages:
    """A service of numbered pages. `cap`: the longest page, whatever is asked for; `total`: what it says of the length
    of the whole list, of the number of records and that of this page."""

    def __init__(self, count: int, cap: int, first: int, total: str) -> None:
        self.records, self.cap, self.first, self.total = pets(*range(1, count + 1)), cap, first, total
        self.asked: list[str] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        said = dict(request.url.params)
        self.asked.append(request.url.query.decode())
        size = min(self.cap, int(said.get("limit", self.cap)))
        begin = (int(said.get("page", self.first)) - self.first) * size
        rows = self.records[max(0, begin) : begin + size]
        headers = {"all": len(self.records), "page": len(rows), "nothing": 0}
        told = {} if self.total == "none" else {"X-Total-Count": str(headers[self.total])}
        return httpx.Response(200, json=rows, headers=told)


@given(
    count=st.integers(0, 70),
    cap=st.sampled_from([3, 7, 10, 12, 20, 25]),
    limit=st.sampled_from([None, 3, 10, 20, 100]),
    first=st.sampled_from([0, 1]),
    tells=st.booleans(),
    sized=st.booleans(),
    total=st.sampled_from(["none", "all", "page", "nothing"]),
)
def test_numbered_pages_are_read_to_the_end_or_the_list_says_that_it_is_cut(
    count: int, cap: int, limit: int | None, first: int, tells: bool, sized: bool, total: str
) -> None:
    service = Pages(count, cap, first, total)
    query = ("limit", "page") if sized else ("page",)
    contract = offering(*query, limit=limit if sized else None, first_page=first if tells else None)
    got = talk(Service(service), lambda client: walk(client, PETS), contract)
    found = [row.key for row in rows_of(got)]
    assert len(found) == len(set(found))
    whole = found == list(range(1, count + 1))
    unseen = total == "page" and cap in (3, 7, 12) and not (sized and limit == 3)  # its first page says it is all
    assert whole or got[-1].cut_at is not None or unseen, service.asked
    assert len(service.asked) <= count // min(cap, limit or cap) + 3


def test_records_that_are_left_out_of_a_page_do_not_end_the_list() -> None:
    """A service that hides some records after it has cut its pages: the first page of 100 had 98, and was the last."""

    def hidden(request: httpx.Request) -> httpx.Response:
        page = int(request.url.params.get("page", 1))
        numbers = [number for number in range(100 * page - 99, min(100 * page, 244) + 1) if number % 50]
        return httpx.Response(200, json=pets(*numbers))

    got = talk(Service(hidden), lambda client: walk(client, PETS), offering("limit", "page", limit=100, first_page=1))
    assert [row.key for row in rows_of(got)] == [number for number in range(1, 245) if number % 50]


@pytest.mark.parametrize("status", [200, 400, 404, 416, 422])
def test_one_more_page_tells_whether_a_short_one_was_the_last(status: int) -> None:
    def few(request: httpx.Request) -> httpx.Response:
        if "page" in request.url.params:
            return httpx.Response(status, json=[] if status == 200 else {"detail": "There is no such page."})
        return httpx.Response(200, json=pets(*range(1, 13)))

    async def both(client: Client) -> list[Any]:
        return [await walk(client, PETS), await walk(client, PETS)]

    service = Service(few)
    for got in talk(service, both, offering("limit", "page", limit=100, first_page=1)):
        assert [row.key for row in rows_of(got)] == list(range(1, 13))
        assert got[-1].cut_at is None


@pytest.mark.parametrize("total", ["1", "0", "2"])
def test_a_total_that_is_the_length_of_a_page_does_not_end_the_list(total: str) -> None:
    headers = {"X-Total-Count": total}
    answers: dict[str, Any] = {
        "limit=2": (pets(1, 2), headers),
        "limit=2&page=2": (pets(3, 4), headers),
        "limit=2&page=3": (pets(5), headers),
    }
    got = talk(told(answers), lambda client: walk(client, PETS), offering("limit", "page"))
    assert [row.key for row in rows_of(got)] == [1, 2, 3, 4, 5]
    assert got[-1].cut_at is None


def test_a_total_that_is_right_costs_no_further_request() -> None:
    service = told({"limit=2": (pets(1, 2), {"X-Total-Count": "3"}), "limit=2&page=2": (pets(3), {})})
    got = talk(service, lambda client: walk(client, PETS), offering("limit", "page"))
    assert [row.key for row in rows_of(got)] == [1, 2, 3]
    assert len(service.requests) == 2


def test_pages_without_a_record_may_come_before_the_end_but_not_for_ever() -> None:
    few: dict[str, Any] = {"": {"data": [], "next": "0"}, f"cursor={MOST_EMPTY - 1}": {"data": pets(7)}}
    few |= {f"cursor={number}": {"data": [], "next": str(number + 1)} for number in range(MOST_EMPTY - 1)}
    got = talk(told(few), lambda client: walk(client, PETS), offering("cursor", limit=None))
    assert ([row.key for row in rows_of(got)], got[-1].cut_at) == ([7], None)
    endless = {"": {"data": [], "next": "0"}}
    endless |= {f"cursor={number}": {"data": [], "next": str(number + 1)} for number in range(99)}
    service = told(endless)
    got = talk(service, lambda client: walk(client, PETS), offering("cursor", limit=None))
    assert (rows_of(got), got[-1].cut_at, len(service.requests)) == ([], 0, MOST_EMPTY + 1)


class Framework:
    """Pages as Django REST framework makes them: a count, the addresses of the next and the previous page or null, and
    404 for a page that is not there. `tells`: whether it ever names what follows; `size`: of its pages."""

    def __init__(self, count: int, size: int, *, tells: bool = True) -> None:
        self.records, self.size, self.tells = pets(*range(1, count + 1)), size, tells
        self.asked: list[str] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request.url.query.decode())
        page, size = int(request.url.params.get("page", 1)), int(request.url.params.get("page_size", self.size))
        rows = self.records[(page - 1) * size : page * size]
        if not rows and page > 1:
            return httpx.Response(404, json={"detail": "Invalid page."})
        more = self.tells and page * size < len(self.records)
        following = str(request.url.copy_merge_params({"page": str(page + 1)})) if more else None
        count = len(self.records) if self.tells else len(rows)
        return httpx.Response(200, json={"count": count, "next": following, "previous": None, "results": rows})


@pytest.mark.parametrize(("count", "requests"), [(12, 1), (20, 3), (250, 3), (0, 1)])
def test_a_page_that_says_that_nothing_follows_is_the_last_one(count: int, requests: int) -> None:
    """A list of one page was asked for its second, which is not there, and was never whole."""
    service = Framework(count, 20)
    got = talk(
        Service(service), lambda client: walk(client, PETS), offering("page", "page_size", limit=None, first_page=None)
    )
    assert [row.key for row in rows_of(got)] == list(range(1, count + 1))
    assert got[-1].cut_at is None
    assert len(service.asked) == requests, service.asked


def test_where_nothing_ever_stands_in_the_place_of_what_follows_the_pages_are_counted() -> None:
    service = Framework(230, 20, tells=False)
    got = talk(
        Service(service), lambda client: walk(client, PETS), offering("page", "page_size", limit=None, first_page=None)
    )
    assert [row.key for row in rows_of(got)] == list(range(1, 231))
    assert got[-1].cut_at is None
