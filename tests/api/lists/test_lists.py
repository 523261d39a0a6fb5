from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from petstore_desktop.api.client import Client
from petstore_desktop.api.lists.json_splitter import ROWS
from petstore_desktop.api.lists.pages import Page
from petstore_desktop.contract.binding.load import default
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.errors import AnswerUnusable, NotOffered
from petstore_desktop.domain.records import ContentId, Resource
from tests.api.speaking import BY_PERSON, Service, offering, pets, rows_of, talk, told, walk

PETS = Resource.PETS


def ids_of(pages: list[Page]) -> list[object]:
    return [row.key for row in rows_of(pages)]


@pytest.mark.parametrize(
    "body",
    [
        pets(1, 2),
        {"data": pets(1, 2)},
        {"items": pets(1, 2), "meta": {"total": 2}},
        {"results": pets(1, 2), "count": 2},
        {"pets": pets(1, 2), "warnings": []},
        {"data": {"items": pets(1, 2)}},
        {"_embedded": {"pets": pets(1, 2)}},
        {"herd": pets(1, 2), "ok": True},
    ],
)
def test_a_list_is_found_in_every_envelope(body: Any) -> None:
    service = told({"": body})
    pages = talk(service, lambda client: walk(client, PETS), offering())
    assert ids_of(pages) == [1, 2]
    assert [(page.last, page.cut_at, page.cursor) for page in pages] == [(True, None, None)]


def test_an_empty_list_is_one_last_empty_page() -> None:
    for body in ([], {"data": []}, {"data": None}):
        (page,) = talk(told({"": body}), lambda client: walk(client, PETS), offering())
        assert (page.rows, page.last, page.cut_at) == ((), True, None)


@pytest.mark.parametrize("body", [{}, {"a": [], "b": []}, 7, "pets", {"data": {"id": 1}}])
def test_what_holds_no_list_is_one_clear_error(body: Any) -> None:
    with pytest.raises(AnswerUnusable) as caught:
        talk(told({"": body}), lambda client: walk(client, PETS), offering())
    assert (caught.value.code, caught.value.params["operation"]) == ("not-a-list", "pets.list")


@pytest.mark.parametrize(
    "start", ["", "rubbish", "page:x", "url://elsewhere.example/x", "url:http://e.example/", "status:"]
)
def test_a_place_that_cannot_be_taken_up_starts_the_walk_anew_on_our_own_origin(start: str) -> None:
    service = Service(lambda _: httpx.Response(200, json=pets(1)))
    talk(service, lambda client: walk(client, PETS, start=start), offering())
    assert {request.url.host for request in service.requests} == {"127.0.0.1"}
    assert len(service.requests) == 1


@pytest.mark.parametrize(
    "target",
    [
        "https://127.0.0.1:9/v1/pets?x=1",
        "http://127.0.0.1:10/v1/pets",
        "http://elsewhere.example/",
        "//elsewhere.example/",
        "http://u@127.0.0.1:9/",
        "ftp://127.0.0.1:9/",
        "http://[::1/",
    ],
)
def test_a_next_address_on_another_origin_is_never_followed(target: str) -> None:
    for answer in ((pets(1), {"Link": f"<{target}>; rel=next"}), {"data": pets(1), "next": target}):
        service = told({"": answer})
        pages = talk(service, lambda client: walk(client, PETS), offering())
        assert ids_of(pages) == [1]
        assert pages[-1].cut_at == 1, "the walk did not see the end, so it must not count as complete"
        assert len(service.requests) == 1


@pytest.mark.parametrize(
    ("query", "answers"),
    [
        (("cursor",), {"": {"data": pets(1), "next": "a"}, "cursor=a": {"data": pets(2), "next": "a"}}),
        (("cursor",), {"": {"data": pets(1), "next": "a"}, "cursor=a": {"data": pets(1), "next": "b"}}),
        (
            ("cursor",),
            {
                "": {"data": pets(1), "next": "a"},
                "cursor=a": {"data": [], "next": "b"},
                "cursor=b": {"data": [], "next": "a"},
            },
        ),
        (("page",), {"": pets(1, 2, 3), "page=2": pets(1, 2, 3)}),
        ((), {"": (pets(1), {"Link": "</v1/pets>; rel=next"})}),
    ],
)
def test_a_walk_that_goes_in_a_circle_ends_and_does_not_count_as_complete(
    query: tuple[str, ...], answers: dict[str, Any]
) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        found = answers[request.url.query.decode()]
        body, headers = found if isinstance(found, tuple) else (found, {})
        return httpx.Response(200, json=body, headers=headers)

    service = Service(answer)
    pages = talk(service, lambda client: walk(client, PETS), offering(*query))
    assert len(service.requests) <= 3
    assert pages[-1].last
    assert pages[-1].cut_at is not None
    assert len(ids_of(pages)) == len(set(ids_of(pages)))


@pytest.mark.parametrize("cursor", ["\ud800", "x" * 9_000, "/v1/pets?after=\udc00"])
def test_a_cursor_that_fits_into_no_address_ends_the_walk_and_does_not_count_as_complete(cursor: str) -> None:
    body = json.dumps({"data": pets(1, 2), "next": cursor}).encode()
    service = Service(lambda _: httpx.Response(200, content=body))
    pages = talk(service, lambda client: walk(client, PETS), offering("cursor"))
    assert (ids_of(pages), len(service.requests)) == ([1, 2], 1)
    assert (pages[-1].last, pages[-1].cut_at) == (True, 2)


def test_a_list_with_a_limit_alone_that_is_not_full_takes_one_request() -> None:
    service = told({"limit=100": pets(*range(99))})
    (page,) = talk(service, lambda client: walk(client, PETS))
    assert (len(page.rows), page.cut_at, page.last) == (99, None, True)


def test_a_list_as_long_as_its_limit_is_asked_for_by_status_and_united_by_id() -> None:
    service = told(
        {
            "limit=3": pets(1, 2, 3),
            "limit=3&status=available": pets(1, 4, 5),
            "limit=3&status=pending": pets(2),
            "limit=3&status=sold": pets(6, 3),
        }
    )
    pages = talk(service, lambda client: walk(client, PETS), offering("limit", "status", limit=3))
    assert ids_of(pages) == [1, 2, 3, 4, 5, 6]
    assert [page.last for page in pages] == [False, False, False, True]
    assert pages[-1].cut_at == 3


def test_a_total_settles_whether_a_full_list_was_cut() -> None:
    service = told({"limit=3": (pets(1, 2, 3), {"X-Total-Count": "3"})})
    (page,) = talk(service, lambda client: walk(client, PETS), offering("limit", "status", limit=3))
    assert (page.total, page.cut_at) == (3, None)
    service = told({"": (pets(1, 2, 3), {"X-Total-Count": "5"})})
    (page,) = talk(service, lambda client: walk(client, PETS), offering())
    assert (page.total, page.cut_at) == (5, 3)


def test_where_nothing_but_a_limit_is_offered_a_full_list_counts_as_cut() -> None:
    service = told({"limit=3": pets(1, 2, 3)})
    (page,) = talk(service, lambda client: walk(client, PETS), offering("limit", limit=3))
    assert page.cut_at == 3


def test_one_bad_record_is_set_aside_and_the_rest_is_shown() -> None:
    body = [*pets(1), {"id": 2.5, "name": "half"}, *pets(3)]
    (page,) = talk(told({"": body}), lambda client: walk(client, PETS), offering())
    assert [row.key for row in page.rows] == [1, 3]
    assert page.reasons == ("pets, number 2 of its list: id cannot be 2.5",)


def test_a_bad_record_is_named_once_by_its_place_in_the_whole_answer() -> None:
    bad = {"id": 9, "name": 5}
    service = told(
        {
            "limit=2": [*pets(1), bad],
            "limit=2&status=available": [bad],
            "limit=2&status=pending": [],
            "limit=2&status=sold": pets(2),
        }
    )
    pages = talk(service, lambda client: walk(client, PETS), offering("limit", "status"))
    assert [words for page in pages for words in page.reasons] == ["pets 9: name cannot be 5"]
    (*_, page) = talk(told({"": [*pets(*range(600)), {}]}), lambda client: walk(client, PETS), offering())
    assert page.reasons == ("pets, number 601 of its list: id is missing",)


def test_orders_without_an_id_are_kept_by_their_content_each_of_them() -> None:
    body = [{}, {"quantity": 1}, {}, {"id": 4}]
    contract = offering(op=Op.ORDERS_LIST)
    pages = [talk(told({"": body}), lambda client: walk(client, Resource.ORDERS), contract) for _ in range(2)]
    keys = ids_of(pages[0])
    assert [type(key) for key in keys] == [ContentId, ContentId, ContentId, int]
    assert len(set(keys)) == 4
    assert keys == ids_of(pages[1]), "the same order has the same key on every walk"


def test_a_long_answer_comes_in_small_pages_and_lets_others_work_in_between() -> None:
    body = pets(*range(1234))
    turns = 0

    async def act(client: Client) -> list[Page]:
        async def count() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        counting = asyncio.get_running_loop().create_task(count())
        try:
            return await walk(client, PETS)
        finally:
            counting.cancel()

    pages = talk(told({"": body}), act, offering())
    assert [len(page.rows) for page in pages] == [ROWS, ROWS, 234]
    assert [page.last for page in pages] == [page.ends for page in pages] == [False, False, True]
    assert turns >= 3


def test_a_list_that_is_not_offered_is_not_asked_for() -> None:
    contract = default()
    few = replace(contract, operations={Op.ORDERS_LIST: contract.operations[Op.ORDERS_LIST]})
    service = told({})
    with pytest.raises(NotOffered):
        talk(service, lambda client: walk(client, PETS), few)


def test_the_probe_is_one_small_question() -> None:
    asked: list[list[str]] = []
    for op in (Op.CATEGORIES_LIST, Op.PETS_LIST):
        contract = default()
        only = replace(contract, operations={op: contract.operations[op]})
        service = Service(lambda _: httpx.Response(200, json=[]))
        talk(service, _probe, only)
        asked.append(service.asked)
    assert asked == [["GET /v1/categories"], ["GET /v1/pets?limit=1"]]


async def _probe(client: Client) -> None:
    await client.probe()


def test_what_is_called_at_the_start_of_each_request_is_called_before_it() -> None:
    marks: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        marks.append("asked")
        more = {} if "cursor" in request.url.params else {"next": "a"}
        return httpx.Response(200, json={"data": pets(len(marks)), **more})

    start: Callable[[], None] = lambda: marks.append("start")  # noqa: E731  (a name for one line, not a function)
    talk(answer, lambda client: walk(client, PETS, replace(BY_PERSON, on_start=start)), offering("cursor"))
    assert marks == ["start", "asked", "start", "asked"]


@pytest.mark.parametrize(("source", "asked"), [("default", ["limit=2", ""]), ("published", ["limit=2"])])
def test_a_list_is_empty_only_if_it_is_so_without_the_parameters_that_nobody_said_it_has(
    source: str, asked: list[str]
) -> None:
    """json-server takes a parameter that it does not know for a field: no pet has the limit 2."""
    filters = Service(lambda request: httpx.Response(200, json=[] if request.url.params else pets(1, 2)))
    contract = replace(offering("limit"), source=source)
    found = talk(filters, lambda client: walk(client, PETS), contract)
    assert [request.url.query.decode() for request in filters.requests] == asked
    assert ids_of(found) == ([1, 2] if source == "default" else [])
    assert found[-1].last
    empty = Service(lambda _: httpx.Response(200, json=[]))
    assert ids_of(talk(empty, lambda client: walk(client, PETS), contract)) == []
    assert len(empty.requests) == len(asked)
    told_so = Service(lambda _: httpx.Response(200, json=[], headers={"X-Total-Count": "0"}))
    talk(told_so, lambda client: walk(client, PETS), contract)
    assert len(told_so.requests) == 1
