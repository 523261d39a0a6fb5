"""A large list is read while it comes: its first rows before its last are sent, and in little memory."""

from __future__ import annotations

import asyncio
import tracemalloc
from collections.abc import AsyncIterator, Callable

import httpx
import pytest

from petstore_desktop.api.client import Client
from petstore_desktop.api.lists import pages as list_reading
from petstore_desktop.api.lists.pages import Page
from petstore_desktop.domain.errors import AnswerUnusable, Interrupted
from petstore_desktop.domain.records import Resource
from tests.api.speaking import BY_PERSON, offering, speaking

ROWS_EACH = 1_000
PIECES = 20


async def body(pieces: int = PIECES, sent: list[int] | None = None) -> AsyncIterator[bytes]:
    """A list of 100 KB in each piece."""
    yield b"["
    for piece in range(pieces):
        numbers = range(piece * ROWS_EACH, (piece + 1) * ROWS_EACH)
        if sent is not None:
            sent.append(piece)
        yield b"".join(
            b'{"id": %d, "name": "pet number %d", "categoryId": 7, "status": "available", "a": ""},' % (n, n)
            for n in numbers
        )
    yield b'{"id": -1}]'


def test_the_first_rows_come_while_the_rest_is_on_its_way_and_nothing_is_read_ahead() -> None:
    sent: list[int] = []

    async def run() -> list[tuple[int, int]]:
        async with speaking(lambda _: httpx.Response(200, content=body(sent=sent)), offering()) as client:
            return [(len(page.rows), len(sent)) async for page in client.pages(Resource.PETS, lambda: BY_PERSON)]

    seen = asyncio.run(run())
    assert sum(rows for rows, _ in seen) == PIECES * ROWS_EACH + 1
    assert seen[0][1] <= 3
    assert all(pieces <= number // 2 + 3 for number, (_, pieces) in enumerate(seen))


def test_a_list_takes_no_more_memory_when_it_is_longer() -> None:
    async def run(pieces: int) -> int:
        async with speaking(lambda _: httpx.Response(200, content=body(pieces)), offering()) as client:
            tracemalloc.start()
            async for _ in client.pages(Resource.PETS, lambda: BY_PERSON):
                pass
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            return peak

    short, long = asyncio.run(run(5)), asyncio.run(run(PIECES))
    assert long < short + 2**20, "15 more pieces hold 1.5 MB"


def test_whoever_stops_looking_ends_the_request_and_the_gate_is_free_again() -> None:
    async def run() -> int:
        async with speaking(lambda _: httpx.Response(200, content=body()), offering()) as client:
            pages = client.pages(Resource.PETS, lambda: BY_PERSON)
            await anext(pages)
            await pages.aclose()
            assert client.admission.idle
            return len(await rows(client))

    assert asyncio.run(run()) == PIECES * ROWS_EACH + 1


async def rows(client: Client) -> list[object]:
    return [row async for page in client.pages(Resource.PETS, lambda: BY_PERSON) for row in page.rows]


async def broken() -> AsyncIterator[bytes]:
    async for piece in body(4):
        yield piece
        if b'"id": 3999' in piece:
            raise httpx.ReadError("gone")


async def spoilt() -> AsyncIterator[bytes]:
    async for piece in body(4):
        yield piece.replace(b'"id": 3500,', b'"id": 3500:')


@pytest.mark.parametrize(("said", "kind"), [(broken, Interrupted), (spoilt, AnswerUnusable)])
def test_what_came_before_a_fault_is_handed_on_as_part_of_an_unfinished_walk(
    said: Callable[[], AsyncIterator[bytes]], kind: type[Exception]
) -> None:
    async def run() -> list[tuple[int, bool, bool, str | None]]:
        seen: list[tuple[int, bool, bool, str | None]] = []
        async with speaking(lambda _: httpx.Response(200, content=said()), offering()) as client:
            with pytest.raises(kind) as caught:
                async for page in client.pages(Resource.PETS, lambda: BY_PERSON):
                    seen.append((len(page.rows), page.ends, page.last, page.cursor))  # noqa: PERF401 -- it breaks off
            assert caught.value.params["operation"] == "pets.list"
            assert client.admission.idle
        return seen

    seen = asyncio.run(run())
    assert 2_500 <= sum(count for count, *_ in seen) <= 3_500
    assert all((ends, last, cursor) == (False, False, "") for _, ends, last, cursor in seen)


def test_more_records_than_anyone_has_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_reading, "MOST_ROWS", 5_000)

    async def run() -> None:
        async with speaking(lambda _: httpx.Response(200, content=body()), offering()) as client:
            with pytest.raises(AnswerUnusable) as caught:
                await rows(client)
            assert caught.value.code == "endless"

    asyncio.run(run())


def test_of_thousands_of_unreadable_records_a_thousand_are_named_and_the_rest_counted() -> None:
    async def run() -> list[Page]:
        said = b"[" + b"0," * 3_000 + b"0]"
        async with speaking(lambda _: httpx.Response(200, content=said), offering()) as client:
            return [page async for page in client.pages(Resource.PETS, lambda: BY_PERSON)]

    pages = asyncio.run(run())
    assert sum(len(page.reasons) for page in pages) == 1_000
    assert sum(page.set_aside for page in pages) == 3_001
