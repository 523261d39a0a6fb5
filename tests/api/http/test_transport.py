"""Connections are closed with the transport, at whatever moment that is."""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter

import pytest

from petstore_desktop.api.http.transport import Exchange, Request, Transport
from petstore_desktop.domain.errors import Interrupted, Unreachable
from tests.support.patience import PATIENCE_S

TURNS = 40
"""So many turns of the loop, and more, a request needs until its head has gone."""


class Silent:
    """A server that takes connections, says nothing, and knows which of them are open."""

    def __init__(self) -> None:
        self.open = 0
        self.closed = asyncio.Event()

    async def serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        self.open += 1
        try:
            while await reader.read(4096):
                pass
        except ConnectionError:
            pass
        finally:
            writer.close()
            self.open -= 1
            self.closed.set()

    async def all_closed(self) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while self.open:
                self.closed.clear()
                await self.closed.wait()


async def close_after(turns: int, scheme: str) -> None:
    silent = Silent()
    server = await asyncio.start_server(silent.serve, "127.0.0.1", 0)
    base = f"{scheme}://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    transport = Transport(base, "test/1")
    sends = [asyncio.create_task(transport.send(Request(m, f"{base}/pets"), Exchange())) for m in ("GET", "POST")]
    for _ in range(turns):
        await asyncio.sleep(0)
    await transport.aclose()
    for task in sends:
        with pytest.raises((Interrupted, Unreachable)):
            await task
    await transport.aclose()
    await silent.all_closed()
    server.close()


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_close_in_the_middle_of_a_request_leaves_no_connection_open(scheme: str) -> None:
    for turns in range(TURNS):
        asyncio.run(close_after(turns, scheme))


class Baker:
    """A server that sets cookies with each answer, in every way, and knows what it was told."""

    def __init__(self) -> None:
        self.heads: list[str] = []

    async def serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        self.heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
        cookies = (
            "a=1",
            "b=2; Path=/",
            "c=3; Path=/v1; HttpOnly; SameSite=None",
            "d=4; Domain=127.0.0.1; Max-Age=99999",
        )
        head = ["HTTP/1.1 200 OK", "Content-Length: 2", "Connection: close", *(f"Set-Cookie: {one}" for one in cookies)]
        writer.write(("\r\n".join(head) + "\r\n\r\n{}").encode())
        await writer.drain()
        writer.close()


async def told_of_cookies() -> list[str]:
    baker = Baker()
    server = await asyncio.start_server(baker.serve, "127.0.0.1", 0)
    base = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    transport = Transport(base, "test/1")
    for number, method in enumerate(["GET", "POST", "GET", "PUT", "GET", "DELETE"]):
        key = {"Authorization": f"Bearer key-{number // 2}"}
        await transport.send(Request(method, f"{base}/pets", key), Exchange())
    await transport.aclose()
    server.close()
    return baker.heads


def test_no_cookie_is_kept_from_one_request_to_the_next() -> None:
    heads = asyncio.run(told_of_cookies())
    assert len(heads) == 6
    assert [head for head in heads if "cookie" in head.lower()] == []


def test_what_a_cache_on_the_way_has_kept_is_asked_of_the_service_itself() -> None:
    heads = asyncio.run(told_of_cookies())
    assert all("cache-control: no-cache" in head.lower() for head in heads)


async def sent_with_a_cookie() -> list[str]:
    baker = Baker()
    server = await asyncio.start_server(baker.serve, "127.0.0.1", 0)
    base = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    transport = Transport(base, "test/1")
    for key in ("first", "second"):
        await transport.send(Request("GET", f"{base}/pets", {"Cookie": f"session={key}"}), Exchange())
    await transport.aclose()
    server.close()
    return [line for head in baker.heads for line in head.split("\r\n") if line.lower().startswith("cookie")]


def test_a_key_that_is_sent_as_a_cookie_travels_alone() -> None:
    assert asyncio.run(sent_with_a_cookie()) == ["Cookie: session=first", "Cookie: session=second"]
