"""A list of which only `Content-Range` says how much of it came: whole once nothing follows, never before."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from petstore_desktop.api.lists.content_range import ContentRange, content_range
from petstore_desktop.contract.model import Contract
from petstore_desktop.domain.records import Resource
from tests.api.speaking import Service, offering, pets, rows_of, talk, told, walk

PETS, CATEGORIES = Resource.PETS, Resource.CATEGORIES


def ranged(begin: int, count: int, total: object) -> tuple[Any, dict[str, str]]:
    """So many pets from the one after `begin` on."""
    said = f"{begin}-{begin + count - 1}" if count else "*"
    return pets(*range(begin + 1, begin + count + 1)), {"Content-Range": f"{said}/{total}"}


def read(service: Service, contract: Contract | None = None, resource: Resource = PETS) -> tuple[int, int | None]:
    """How many records were read, and after how many the list counts as cut."""
    pages = talk(service, lambda client: walk(client, resource), contract)
    assert pages[-1].last
    return len(rows_of(pages)), pages[-1].cut_at


@pytest.mark.parametrize("total", ["*", "33"])
def test_a_list_in_ranges_is_read_to_its_end_where_no_document_names_an_offset(total: str) -> None:
    """PostgREST without a document shows 20 at once: `0-19/*`. It said "20 of 20 pets", whole."""
    service = told({"limit=100": ranged(0, 20, total), "limit=100&offset=20": ranged(20, 13, total),
                    "limit=100&offset=33": ranged(33, 0, "*")})  # fmt: skip
    assert read(service) == (33, None)
    assert len(service.requests) == (3 if total == "*" else 2)


def test_a_short_list_in_ranges_is_whole_once_nothing_follows() -> None:
    service = told({"": ranged(0, 4, "*"), "offset=4": ranged(4, 0, "*")})
    assert read(service, resource=CATEGORIES) == (4, None)


@pytest.mark.parametrize("total", ["*", "33"])
@pytest.mark.parametrize("contract", [None, offering(), offering("page", limit=50), offering("limit")], ids=str)
def test_a_range_of_a_service_that_heeds_no_number_counts_as_cut(total: str, contract: Contract | None) -> None:
    service = Service(lambda _: httpx.Response(200, json=ranged(0, 20, total)[0], headers=ranged(0, 20, total)[1]))
    assert read(service, contract) == (20, 20)


@pytest.mark.parametrize(("status", "cut_at"), [(400, 20), (404, 20), (422, 20), (416, None)])
def test_a_number_that_only_we_ask_for_and_that_is_refused_ends_the_list(status: int, cut_at: int | None) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if "offset" in request.url.params:
            return httpx.Response(status, json={"message": "no such parameter"})
        records, headers = ranged(0, 20, "*")
        return httpx.Response(200, json=records, headers=headers)

    assert read(Service(answer)) == (20, cut_at)


def test_a_last_part_that_says_where_the_list_ends_is_followed_by_nothing() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        records, headers = ranged(20, 13, 33) if "offset" in request.url.params else ranged(0, 20, 33)
        return httpx.Response(206, json=records, headers=headers)

    service = Service(answer)
    assert (read(service), len(service.requests)) == ((33, None), 2)


@pytest.mark.parametrize("more", [{"X-Total-Count": "20"}, {"X-Total-Count": "20", "Content-Range": "bytes 0-899/900"}])
def test_a_total_beside_the_range_counts_and_a_range_of_bytes_says_nothing(more: dict[str, str]) -> None:
    records, headers = ranged(0, 20, "*")
    assert read(told({"limit=100": (records, {**headers, **more})})) == (20, None)
    assert read(told({"limit=100": (records, {"Content-Range": "bytes 0-899/900"})})) == (20, None)


@pytest.mark.parametrize(
    ("said", "read_as"),
    [
        ("0-19/*", ContentRange(0, 19)),
        ("items 0-19/33", ContentRange(0, 19, 33)),
        ("pets=0-4/319", ContentRange(0, 4, 319)),
        ("*/33", ContentRange(total=33)),
        ("*/*", ContentRange()),
        ("0-19", ContentRange(0, 19)),
        ("bytes 0-19/33", None),
        ("Bytes */33", None),
        ("", None),
        ("all of it", None),
    ],
)
def test_a_content_range_is_one_of_records_or_none(said: str, read_as: ContentRange | None) -> None:
    assert content_range(said) == read_as
