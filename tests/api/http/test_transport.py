"""Connections are closed with the transport, at whatever moment that is."""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter

import pytest

from petstore_desktop.api.http.transport import Exchange, Request, Transport
from petstore_desktop.domain.errors import Interrupted, Unreachable

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
        async with asyncio.timeout(5):
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


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_close_in_the_middle_of_a_request_leaves_no_connection_open(scheme: str) -> None:
    for turns in range(TURNS):
        asyncio.run(close_after(turns, scheme))
