"""What a broken, slow or hostile server can do, over a real socket: a clear error, and the gate is told the truth."""

from __future__ import annotations

import asyncio
import gzip
import logging
import socket
import traceback
import zlib
from asyncio import StreamReader, StreamWriter
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import httpx
import pytest

from petstore_desktop.api import client as client_module
from petstore_desktop.api.client import Client
from petstore_desktop.api.http import transport as transport_module
from petstore_desktop.api.http.body import ERROR_CAP, LIST_CAP, RECORD_CAP
from petstore_desktop.api.http.gateway import Sending
from petstore_desktop.domain.errors import (
    AnswerUnusable,
    Interrupted,
    KeyRejected,
    RateLimited,
    Refused,
    ShopError,
    Unreachable,
)
from petstore_desktop.domain.quota import GatePhase, RequestClass
from petstore_desktop.domain.records import Ref, Resource
from tests.api.speaking import BY_PERSON, KEY, rows_of, socket_server, speaking, walk
from tests.support.patience import PATIENCE_S

PET = Ref(Resource.PETS, 5)
Answering = Callable[[StreamReader, StreamWriter], Coroutine[Any, Any, None]]
DEADLINE = 0.3


def says(*parts: bytes) -> Answering:
    """A server that sends these bytes and closes."""

    async def answer(_: StreamReader, writer: StreamWriter) -> None:
        for part in parts:
            writer.write(part)
            await writer.drain()

    return answer


def head(status: str = "200 OK", *headers: str, length: int | None = None) -> bytes:
    lines = [f"HTTP/1.1 {status}", *headers, *([] if length is None else [f"Content-Length: {length}"])]
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode()


async def read_pet(client: Client) -> object:
    return await client.read(PET, BY_PERSON)


async def create_pet(client: Client) -> object:
    return await client.create(Resource.PETS, {"name": "Rex"}, BY_PERSON)


async def list_pets(client: Client) -> object:
    return rows_of(await walk(client, Resource.PETS))


def after(
    answer: Answering, act: Callable[[Client], Awaitable[object]], deadline_s: float = PATIENCE_S
) -> tuple[ShopError, GatePhase]:
    """The error that an operation ends with, and what the gate makes of it."""

    async def run() -> tuple[ShopError, GatePhase]:
        async with socket_server(answer) as base, speaking(None, base=base, deadline_s=deadline_s) as client:
            with pytest.raises(ShopError) as caught:
                await act(client)
            return caught.value, client.admission.view.phase

    return asyncio.run(run())


FAULTS: dict[str, tuple[Answering, type[ShopError], str]] = {
    "closes without a word": (says(), Interrupted, "interrupted"),
    "speaks no HTTP": (says(b"220 mail.example ESMTP\r\n\r\n"), Interrupted, "interrupted"),
    "sends a header of 1 MB": (says(head("200 OK", "X: " + "a" * 2**20, length=0)), Interrupted, "interrupted"),
    "breaks off in mid-body": (says(head(length=100), b'{"id": 5, "na'), Interrupted, "interrupted"),
    "sends bad gzip": (
        says(head("200 OK", "Content-Encoding: gzip", length=9), b"not gzip!"),
        AnswerUnusable,
        "bad-encoding",
    ),
    "sends half a gzip": (
        says(head("200 OK", "Content-Encoding: gzip"), gzip.compress(b'{"id": 5}' * 99)[:-9]),
        AnswerUnusable,
        "cut-short",
    ),
    "sends an encoding nobody asked for": (
        says(head("200 OK", "Content-Encoding: br", length=2), b"ab"),
        AnswerUnusable,
        "bad-encoding",
    ),
    "sends a page for browsers": (
        says(head("200 OK", "Content-Type: text/html", length=6), b"<html>"),
        AnswerUnusable,
        "not-json",
    ),
    "sends bad UTF-8": (says(head(length=3), b'"\xff"'), AnswerUnusable, "bad-text"),
    "sends nothing": (says(head(length=0)), AnswerUnusable, "empty"),
    "redirects": (
        says(head("302 Found", "Location: https://elsewhere.example/", length=0)),
        AnswerUnusable,
        "redirected",
    ),
    "fails": (says(head("500 Oops", length=0)), ShopError, "service-failed"),
}


@pytest.mark.parametrize("act", [read_pet, list_pets])
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_while_reading_is_one_clear_error_that_names_the_operation(
    fault: str, act: Callable[[Client], Awaitable[object]]
) -> None:
    answer, kind, code = FAULTS[fault]
    error, phase = after(answer, act)
    assert isinstance(error, kind)
    assert error.code == code
    assert error.params["operation"] in ("pets.read", "pets.list")
    assert phase is GatePhase.OPEN


@pytest.mark.parametrize("fault", ["closes without a word", "breaks off in mid-body"])
def test_a_fault_while_writing_leaves_it_unknown_whether_it_was_done(fault: str) -> None:
    answer, _, _ = FAULTS[fault]
    error, _ = after(answer, create_pet)
    assert isinstance(error, Interrupted)


def test_where_nobody_listens_nothing_was_sent() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    async def run() -> None:
        async with speaking(None, base=f"http://127.0.0.1:{port}/v1") as client:
            with pytest.raises(Unreachable) as caught:
                await create_pet(client)
            assert caught.value.params == {"why": "refused", "operation": "pets.create", "host": f"127.0.0.1:{port}"}

    asyncio.run(run())


@pytest.mark.parametrize(
    ("raised", "kind", "why"),
    [
        (httpx.ConnectTimeout("x"), Unreachable, "timeout"),
        (httpx.ConnectError("x"), Unreachable, "network"),
        (httpx.ProxyError("x"), Unreachable, "proxy"),
        (httpx.ReadTimeout("x"), Interrupted, "timeout"),
        (httpx.WriteError("x"), Interrupted, "broken"),
        (httpx.RemoteProtocolError("x"), Interrupted, "protocol"),
    ],
)
def test_whether_something_was_sent_follows_from_where_it_broke(
    raised: httpx.HTTPError, kind: type[ShopError], why: str
) -> None:
    def answer(_: httpx.Request) -> httpx.Response:
        raise raised

    async def run() -> None:
        async with speaking(answer) as client:
            with pytest.raises(kind) as caught:
                await create_pet(client)
            assert caught.value.params["why"] == why

    asyncio.run(run())


def test_a_server_that_never_answers_is_given_up_at_the_deadline() -> None:
    async def silent(reader: StreamReader, _: StreamWriter) -> None:
        await reader.read()

    error, _ = after(silent, create_pet, DEADLINE)
    assert isinstance(error, Interrupted)
    assert error.params["why"] == "deadline"


def test_a_drip_of_bytes_does_not_stretch_the_deadline() -> None:
    async def drip(_: StreamReader, writer: StreamWriter) -> None:
        writer.write(head())
        while True:
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(0.01)  # the server's own pace, not a wait of the test

    for act in (read_pet, list_pets):
        error, _ = after(drip, act, DEADLINE)
        assert isinstance(error, Interrupted)
        assert error.params["why"] == "deadline"


def test_a_pause_whose_body_never_ends_still_pauses() -> None:
    async def drip(reader: StreamReader, writer: StreamWriter) -> None:
        writer.write(head("429 Too Many Requests", "Retry-After: 7"))
        await reader.read()

    error, phase = after(drip, read_pet, DEADLINE)
    assert isinstance(error, RateLimited)
    assert phase is GatePhase.PAUSED


def test_a_pause_pauses_and_a_rejected_key_locks() -> None:
    error, phase = after(says(head("429 Too Many Requests", "Retry-After: 7", length=0)), read_pet)
    assert (type(error), phase) == (RateLimited, GatePhase.PAUSED)
    error, phase = after(says(head("401 Unauthorized", length=0)), read_pet)
    assert (type(error), phase) == (KeyRejected, GatePhase.LOCKED)


def test_a_large_list_may_take_longer_than_the_deadline_as_long_as_it_flows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport_module, "LIVELY", 1000)

    async def flow(_: StreamReader, writer: StreamWriter) -> None:
        writer.write(head() + b"[")
        for number in range(30):
            writer.write(b'{"id": %d, "name": "%s"},' % (number, b"x" * 2000))
            await writer.drain()
            await asyncio.sleep(0.03)  # the server's own pace, not a wait of the test
        writer.write(b'{"id": 99}]')

    async def run() -> int:
        async with socket_server(flow) as base, speaking(None, base=base, deadline_s=DEADLINE) as client:
            return len(rows_of(await walk(client, Resource.PETS)))

    assert asyncio.run(run()) == 31


def bomb(size: int, zeros: bytes = b"\x00" * 2**20) -> bytes:
    """Gzip of so many MB of nothing."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join([*(packer.compress(zeros) for _ in range(size)), packer.flush()])


PETS = b"".join(b'{"id": %d, "name": "%s"},' % (number, b"x" * 8_000) for number in range(2**7))
"""More than 1 MB."""


def bombed(act: Callable[[Client], Awaitable[object]], body: bytes) -> ShopError:
    return after(says(head("200 OK", "Content-Encoding: gzip", length=len(body)), body), act)[0]


@pytest.mark.parametrize(
    ("act", "filling"), [(read_pet, b"\x00" * 2**20), (list_pets, b" " * 2**20), (list_pets, b'"' + b"x" * 2**20)]
)
def test_a_gzip_bomb_that_is_no_record_is_noticed_at_the_cap_of_one(
    act: Callable[[Client], Awaitable[object]], filling: bytes
) -> None:
    body = bomb(RECORD_CAP // 2**20 + 1, filling)
    assert len(body) < 300_000
    error = bombed(act, body)
    assert (error.code, error.params["cap"]) == ("too-large", RECORD_CAP)


def test_a_gzip_bomb_of_good_records_is_noticed_at_the_cap_of_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    assert LIST_CAP == 256 * 1024 * 1024
    monkeypatch.setattr(client_module, "LIST_CAP", LIST_CAP // 16)
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    error = bombed(
        list_pets, b"".join([packer.compress(b"["), *(packer.compress(PETS) for _ in range(17)), packer.flush()])
    )
    assert (error.code, error.params["cap"]) == ("too-large", LIST_CAP // 16)


def test_an_error_with_a_huge_body_is_an_error_all_the_same() -> None:
    body = b"x" * (ERROR_CAP + 1)
    error, _ = after(says(head("400 Bad Request", length=len(body)), body), read_pet)
    assert isinstance(error, Refused)


def test_gzip_in_several_members_and_deflate_are_read() -> None:
    parts = [b'[{"id": 1},', b'{"id": 2}]']
    whole = b"".join(parts)
    bodies = {"gzip": b"".join(gzip.compress(part) for part in parts), "deflate": zlib.compress(whole), "": whole}

    async def run(encoding: str, body: bytes) -> int:
        said = says(head("200 OK", f"Content-Encoding: {encoding}", length=len(body)), body)
        async with socket_server(said) as base, speaking(None, base=base) as client:
            return len(rows_of(await walk(client, Resource.PETS)))

    for encoding, body in bodies.items():
        assert asyncio.run(run(encoding, body)) == 2


def test_giving_up_what_is_on_the_wire_ends_it_as_interrupted_and_a_cancelled_caller_frees_the_gate() -> None:
    async def run() -> None:
        asked = asyncio.Event()

        async def silent(reader: StreamReader, _: StreamWriter) -> None:
            asked.set()
            await reader.read()

        async with socket_server(silent) as base, speaking(None, base=base) as client:
            task = asyncio.ensure_future(create_pet(client))
            await asked.wait()
            client.gateway.cancel_in_flight()
            with pytest.raises(Interrupted) as caught:
                await task
            assert caught.value.params["why"] == "cancelled"
            for _ in range(3):  # one may be in flight before the first headers: a ticket that leaks would block here
                asked.clear()
                task = asyncio.ensure_future(read_pet(client))
                await asyncio.wait_for(asked.wait(), 5)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task

    asyncio.run(run())


def test_nothing_leaves_when_the_gate_closes_while_the_connection_is_made() -> None:
    async def run() -> None:
        heard = bytearray()

        async def listen(reader: StreamReader, writer: StreamWriter) -> None:
            heard.extend(await reader.read())
            writer.close()

        server = await asyncio.start_server(listen, "127.0.0.1", 0)
        base = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        async with speaking(None, base=base) as client:
            ticket = await client.admission.admit(RequestClass.PERSON, write=True, idempotent=False)
            sending = asyncio.ensure_future(
                client.create(Resource.PETS, {"name": "x"}, Sending(RequestClass.PERSON, ticket))
            )
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            client.admission.close()
            with pytest.raises(ShopError) as caught:
                await sending
            assert not isinstance(caught.value, Interrupted)
        server.close()
        assert heard == b""

    asyncio.run(run())


def test_the_key_is_in_no_log_no_error_and_no_traceback(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    said: list[str] = []

    async def echo(_: StreamReader, writer: StreamWriter) -> None:
        body = f'{{"message": "Bearer {KEY}"}}'.encode()
        writer.write(head("400 Bad Request", f"X-Echo: {KEY}", length=len(body)) + body)

    for answer in (echo, *(answer for answer, _, _ in FAULTS.values())):
        error, _ = after(answer, read_pet)
        said += [*traceback.format_exception(error), repr(error), repr(vars(error))]
        said += [repr(link) for link in (error.__cause__, error.__context__)]

    async def run() -> None:
        async with speaking(None) as client:
            said.append(repr(client) + repr(vars(client)) + repr(vars(client.gateway)))

    asyncio.run(run())
    text = "\n".join(said) + caplog.text
    assert "Interrupted" in text
    assert KEY not in text


def test_an_answer_that_comes_twice_is_not_taken_for_that_of_the_next_write() -> None:
    async def run() -> list[object]:
        made = 0

        async def answer(reader: StreamReader, writer: StreamWriter) -> None:
            nonlocal made
            while True:
                made += 1
                body = b'{"id": %d, "name": "Rex"}' % made
                writer.write(b"HTTP/1.1 201 Created\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body) * 2)
                await writer.drain()
                await reader.readuntil(b"\r\n\r\n")

        async with socket_server(answer) as base, speaking(None, base=base) as client:
            return [(await client.create(Resource.PETS, {"name": "Rex"}, BY_PERSON)).id for _ in range(3)]

    assert asyncio.run(run()) == [1, 2, 3]
