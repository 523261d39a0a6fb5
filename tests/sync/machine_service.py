"""The service of the engine's machine: the demo shop's own records behind a door that bans.

Its windows and pauses are those of the model in tests/api/gate_machine/service.py, judged at the first byte of each
request. Requests wait until a move answers them; what was done is counted here, by the service's own books.
"""

from __future__ import annotations

import asyncio
import contextvars
import functools
import json
import math
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol

import httpx
from starlette.applications import Starlette

from petstore_desktop.demo.books.database import CATEGORIES, INVENTORY, ORDERS, PETS, ShopDatabase
from petstore_desktop.demo.books.quota import Rules
from petstore_desktop.demo.books.shop import Shop, seed
from petstore_desktop.demo.operations.service import make_service
from tests.support.virtual_desk import Network
from tests.sync.machine_history import Json, Served

TODAY = date(2025, 11, 21)
PETS_THERE = 12
TABLES = {"pets": PETS, "categories": CATEGORIES, "inventory": INVENTORY, "store/orders": ORDERS}


@functools.cache
def _application(service: str) -> Starlette:
    return make_service(Shop(service, ShopDatabase(None), Rules(1, 1), float))


class Books:
    """The records of one service, and what came of every write that was done.

    `effects`: by how much this desk's writes moved each stock; `late`: writes of which no answer will come and that
    may still be done; `moved_late`: the stocks that such a one reached; `now`: the service's seconds.
    """

    def __init__(self, service: str, now: Callable[[], float]) -> None:
        self._now = now
        self.database = ShopDatabase(None)
        seed(self.database, PETS_THERE, TODAY)
        self._app = _application(service)
        self._app.state.shop = Shop(service, self.database, Rules(1, 1), float)
        self.effects: Counter[int] = Counter()
        self.pets = self.with_stock()
        self.moved_late: set[int] = set()
        self.late: list[tuple[httpx.Request, Json | None]] = []
        self._was: dict[str, list[tuple[float, Json | None]]] = {}

    def record(self, path: str) -> Json | None:
        """What there is now under a path of the service."""
        kind, _, key = path.removeprefix("/v1/").rpartition("/")
        row = self.database.get(TABLES[kind], int(key)) if kind in TABLES and key.isdigit() else None
        return None if row is None else row.record

    def between(self, path: str, since: float, until: float) -> list[Json | None]:
        """What there was under a path then."""
        was = self._was.get(path)
        if was is None:
            return [self.record(path)]
        first = max((index for index, (at, _) in enumerate(was) if at < since), default=0)
        return [record for at, record in was[first:] if at <= until]

    @contextmanager
    def _noting(self, path: str) -> Generator[list[Json | None]]:
        """What there was under a path before; afterwards, and what there is after it."""
        seen = [self.record(path)]
        yield seen
        seen.append(self.record(path))
        was = self._was.setdefault(path, [(-math.inf, seen[0])])
        if seen[1] != seen[0]:
            was.append((self._now(), seen[1]))

    def with_stock(self) -> list[int]:
        """The pets that have a stock entry."""
        return [row.record["petId"] for row in self.database.page(INVENTORY, 0, 100)]

    def categories(self) -> list[int]:
        return [row.record["id"] for row in self.database.page(CATEGORIES, 0, 100)]

    def stock(self, pet: int) -> int:
        """What there is of a pet now."""
        row = self.database.get(INVENTORY, pet)
        return 0 if row is None else row.record["quantity"]

    def somebody_else_books(self, pet: int, delta: int) -> None:
        """Another desk moves a stock."""
        row = self.database.get(INVENTORY, pet)
        assert row is not None
        with self._noting(f"/v1/inventory/{pet}"), self.database.transaction():
            self.database.put(INVENTORY, row.record | {"quantity": row.record["quantity"] + delta})

    def somebody_else_renames(self, pet: int, name: str) -> None:
        """Another desk gives a pet a name."""
        row = self.database.get(PETS, pet)
        if row is not None:
            with self._noting(f"/v1/pets/{pet}"), self.database.transaction():
                self.database.put(PETS, row.record | {"name": name})

    def somebody_else_removes(self, pet: int) -> None:
        """Another desk deletes a pet, and with it its stock."""
        with self._noting(f"/v1/pets/{pet}"), self._noting(f"/v1/inventory/{pet}"), self.database.transaction():
            self.database.remove(PETS, pet)
            self.database.remove(INVENTORY, pet)

    async def serve(self, request: httpx.Request) -> httpx.Response:
        """Do what is asked for, and note it."""
        left = request.extensions.get("left")
        if left is None:
            return await self._do(request)
        with self._noting(request.url.path) as seen:
            answer = await self._do(request)
        before, after = seen
        if request.method == "POST":
            after = json.loads(await answer.aread()) if answer.is_success else None
        if answer.is_success:
            left.served.append(Served(self._now(), before, after))
            self._count(request.url.path, before, after)
        return answer

    async def _do(self, request: httpx.Request) -> httpx.Response:
        return await httpx.ASGITransport(self._app).handle_async_request(request)

    def _count(self, path: str, before: Json | None, after: Json | None) -> None:
        pet = pet_of_stock(path)
        if pet is not None and before is not None and after is not None:
            self.effects[pet] += after["quantity"] - before["quantity"]

    def comes_late(self, request: httpx.Request) -> None:
        """A write is on its way still."""
        request.extensions["left"].late = True
        self.late.append((request, self.record(request.url.path)))

    async def what_is_late_arrives(self) -> None:
        """It is done all the same; where nothing guards it, only if nobody has written since: against more than that
        nobody can do anything."""
        late, self.late = self.late, []
        for request, record in late:
            if "if-match" in request.headers or record == self.record(request.url.path):
                await self.serve(request)
                if (pet := pet_of_stock(request.url.path)) is not None:
                    self.moved_late.add(pet)


def pet_of_stock(path: str) -> int | None:
    """The pet whose stock is under a path of the service, if any is."""
    kind, _, key = path.removeprefix("/v1/").partition("/")
    return int(key) if kind == "inventory" and key else None


@dataclass(slots=True)
class Reply:
    """What a request is answered. `status` None: what the books say, once it is done. `lost`: nothing at all comes;
    `torn`: the head comes, and not the whole body; `late`: it may be done when nobody reckons with it any more."""

    status: int | None
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes | None = None
    lost: bool = False
    torn: bool = False
    done: bool = False
    late: bool = False


@dataclass(slots=True)
class Pending:
    """A request on its way: its connection is being made, or it waits for its answer."""

    request: httpx.Request
    task: asyncio.Task[Any] | None
    connected: asyncio.Future[None]
    reply: asyncio.Future[Reply]
    sent: bool = False


class Judge(Protocol):
    """Hears of each request in turn; raises httpx.ConnectError where one may not be sent at all."""

    books: Books

    def comes(self, request: httpx.Request) -> int: ...
    def pending(self, number: int) -> Pending: ...
    def turns_back(self, number: int, *, failed: bool) -> None: ...
    def arrives(self, number: int) -> None: ...
    def is_given_up(self, number: int) -> bool: ...


class Wire(Network):
    """The network of one life of a desk."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.cut = False

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Make a connection, send, wait for what a move answers."""
        if self.cut:
            raise httpx.ConnectError("no way out", request=request)
        number = self.judge.comes(request)
        pending = self.judge.pending(number)
        trace = request.extensions["trace"]
        try:
            await trace("connection.connect_tcp.started", {})
            if not pending.connected.done():
                await pending.connected
            await trace("http11.send_request_headers.started", {})
        except BaseException as error:
            self.judge.turns_back(number, failed=isinstance(error, httpx.ConnectError | asyncio.CancelledError))
            raise
        pending.sent = True
        self.judge.arrives(number)
        try:
            reply = await pending.reply
        except asyncio.CancelledError:
            if self.judge.is_given_up(number):  # it is done all the same, though nobody waits for the answer
                contextvars.Context().run(asyncio.create_task, self.judge.books.serve(request))
            elif "left" in request.extensions:
                self.judge.books.comes_late(request)
            raise
        return await self._answer(request, reply)

    async def _answer(self, request: httpx.Request, reply: Reply) -> httpx.Response:
        made = await self.judge.books.serve(request) if reply.done else httpx.Response(500)
        if reply.late and "left" in request.extensions:
            self.judge.books.comes_late(request)
        if reply.lost:
            raise httpx.ReadError("the line broke", request=request)
        status = made.status_code if reply.status is None else reply.status
        body = await made.aread() if reply.body is None else reply.body
        headers = [*made.headers.multi_items(), *reply.headers] if reply.status is None else reply.headers
        raw = [(name.encode(), value.encode()) for name, value in headers if name.lower() != "content-length"]
        return httpx.Response(status, headers=raw, stream=_Body(body, torn=reply.torn))


class _Body(httpx.AsyncByteStream):
    """A body; of a torn one the second half does not come."""

    def __init__(self, body: bytes, *, torn: bool) -> None:
        self._body, self._torn = body, torn

    async def __aiter__(self) -> Any:
        yield self._body[: len(self._body) // 2] if self._torn else self._body
        if self._torn:
            raise httpx.ReadError("the line broke within the body")
