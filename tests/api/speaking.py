"""A client that speaks with a service made of one function: the outermost seam of the program."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import httpx
from msgspec.structs import replace

from petstore_desktop.api.client import BY_PERSON, Client
from petstore_desktop.api.gate.admission import Admission
from petstore_desktop.api.http.gateway import Gateway, Sending
from petstore_desktop.api.lists.pages import Page
from petstore_desktop.clock import SystemClock
from petstore_desktop.contract.binding.load import default
from petstore_desktop.contract.model import Contract
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.records import Resource, Row
from tests.api.gate_machine.bench import alone

KEY = "canary-key-4711"
BASE = "http://127.0.0.1:9/v1"

Result = TypeVar("Result")
Handler = Callable[[httpx.Request], httpx.Response]


@dataclass(slots=True)
class Service:
    """Answers with `handler`, and remembers what it was asked."""

    handler: Handler
    requests: list[httpx.Request] = field(default_factory=list[httpx.Request])

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        return self.handler(request)

    @property
    def asked(self) -> list[str]:
        """Method and target of each request, in order."""
        return [f"{request.method} {request.url.raw_path.decode()}" for request in self.requests]


def admission() -> Admission:
    """A real gate that keeps nothing."""
    clock = SystemClock()
    return Admission(clock, random.Random(1), lambda _: None, lambda _: None, gate=alone(clock))


def always(status: int, body: object = None, **headers: str) -> Callable[[httpx.Request], httpx.Response]:
    """A service that has one answer to everything."""
    content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda _: httpx.Response(status, content=content, headers=named)


@asynccontextmanager
async def speaking(
    service: Handler | None, contract: Contract | None = None, key: str | None = KEY, base: str = BASE, **more: Any
) -> AsyncIterator[Client]:
    """A client of the service; without one it uses the network."""
    transport = None if service is None else httpx.MockTransport(service)
    gate = admission()
    gateway = Gateway(base, key, gate, SystemClock(), "test/1", transport=transport, **more)
    client = Client(gateway, contract or default())
    try:
        yield client
    finally:
        gate.close()
        await client.gateway.aclose()


def talk(
    service: Handler | None,
    act: Callable[[Client], Awaitable[Result]],
    contract: Contract | None = None,
    key: str | None = KEY,
    base: str = BASE,
    **more: Any,
) -> Result:
    """Do one thing with a client."""

    async def run() -> Result:
        async with speaking(service, contract, key, base, **more) as client:
            return await act(client)

    return asyncio.run(run())


async def walk(client: Client, resource: Resource, sending: Sending = BY_PERSON, **more: Any) -> list[Page]:
    """All pages of a list."""
    return [page async for page in client.pages(resource, lambda: sending, **more)]


def rows_of(pages: list[Page]) -> list[Row]:
    """All rows of pages."""
    return [row for page in pages for row in page.rows]


def offering(*query: str, limit: int | None = 2, op: Op = Op.PETS_LIST, first_page: int | None = 1) -> Contract:
    """The default contract whose list takes these query parameters."""
    contract = default()
    changed = replace(contract.operations[op], query=query, page_limit=limit, first_page=first_page)
    return replace(contract, operations={**contract.operations, op: changed})


def pets(*ids: int) -> list[dict[str, Any]]:
    """Pets with these ids, as the wire has them."""
    return [{"id": number, "name": f"pet {number}"} for number in ids]


def told(answers: dict[str, Any]) -> Service:
    """A service that answers each query with what is written for it, the rest with an error that no test expects."""

    def answer(request: httpx.Request) -> httpx.Response:
        found = answers[request.url.query.decode()]
        body, headers = found if isinstance(found, tuple) else (found, {})
        return httpx.Response(200, json=body, headers=headers)

    return Service(answer)


@asynccontextmanager
async def socket_server(
    answer: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]],
) -> AsyncIterator[str]:
    """A server that does to each connection whatever `answer` does; gives the base address."""

    serving: set[asyncio.Task[None] | None] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        serving.add(asyncio.current_task())
        try:
            await reader.readuntil(b"\r\n\r\n")
            await answer(reader, writer)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the client has gone, or the test is over
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.close()
        for task in serving:
            if task is not None:
                task.cancel()
        await asyncio.gather(*(task for task in serving if task is not None))
