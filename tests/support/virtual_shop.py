"""The real demo shop in virtual time: its application in the desk's own loop, with a network between them.

    shop = VirtualShop(loop, tmp_path, rpm=60, rpd=1000)
    shop.control("pause", seconds=120)
    shop.log_lines()[-1]["inside_pause"]
    shop.rows("SELECT quantity FROM inventory WHERE pet_id = ?", 1001)

A request takes `latency_s` there and back. The shop judges with what its sender could know: a request that left before
an answer could have reached it is on the way, not an offence.
"""

from __future__ import annotations

import asyncio
import contextvars
import io
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from email.utils import formatdate
from itertools import count
from pathlib import Path
from typing import Any, NoReturn

import httpx

from petstore_desktop.demo.books.database import ShopDatabase
from petstore_desktop.demo.books.quota import Rules
from petstore_desktop.demo.books.shop import Shop, seed
from petstore_desktop.demo.connections import Connections
from petstore_desktop.demo.control import ACTIONS, make_control
from petstore_desktop.demo.door import Door
from petstore_desktop.demo.operations.answers import TAG_FIELD
from petstore_desktop.demo.operations.service import make_service
from tests.support.virtual_time import VirtualTime

_OF_THE_BODY = ("content-length", "content-encoding", "etag")

URL = "http://127.0.0.1:9/v1"
KEY = "key-of-the-virtual-shop"


class LineLost(Exception):
    """The shop closes the connection without an answer."""


class _Connections(Connections):
    """Each request is a connection of its own, by a number: when what it could know of had been answered."""

    def __init__(self) -> None:
        super().__init__()
        self._knew: dict[int, float] = {}
        self._numbers = count(1)

    def open(self, knew: float) -> int:
        number = next(self._numbers)
        self._knew[number] = knew
        return number

    def times(self, scope: Any) -> tuple[float, float]:
        return self._knew[scope["client"][1]], 0.0

    def answered(self, scope: Any, now: float, key: str | None) -> None:
        self._knew.pop(scope["client"][1], None)

    def others(self, scope: Any, key: str | None, now: float) -> bool:
        return False

    async def cut(self, scope: Any, receive: Any) -> NoReturn:
        raise LineLost


class VirtualShop:
    """One demo shop. `before` is called with each request when it arrives, before the shop sees it."""

    def __init__(
        self,
        loop: VirtualTime,
        folder: Path,
        *,
        service: str = "full",
        pets: int = 40,
        latency_s: float = 0.04,
        rpm: int = 60,
        rpd: int = 1_000,
        key: str = KEY,
        **rules: float,
    ) -> None:
        self.loop, self.key, self.url, self.latency_s = loop, key, URL, latency_s
        self.before: Callable[[httpx.Request], None] = lambda _: None
        self._path = folder / "shop.db"
        self._log = io.StringIO()
        folder.mkdir(parents=True, exist_ok=True)
        database = ShopDatabase(self._path)
        seed(database, pets, datetime.fromtimestamp(loop.wall, UTC).date())
        self.shop = Shop(service, database, Rules(rpm, rpd, **rules), lambda: loop.wall)
        self.account = self.shop.add_key(key)
        self._connections = _Connections()
        self._door = Door(self.shop, make_service(self.shop), make_control(self.shop), self._connections, self._log)

    def line(self) -> Line:
        """A network between one desk and this shop."""
        return Line(self)

    def control(self, action: str, **body: object) -> None:
        """Turn one of the control switches."""
        ACTIONS[action](self.shop, body)

    def log_lines(self) -> list[dict[str, Any]]:
        """Every request so far, oldest first: time, method, path, status, inside_pause and more."""
        return [json.loads(line) for line in self._log.getvalue().splitlines()]

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """What the shop's own database holds: tables pets, categories, orders and inventory."""
        with closing(sqlite3.connect(f"{self._path.as_uri()}?mode=ro", uri=True)) as database:
            return database.execute(sql, values).fetchall()

    def close(self) -> None:
        """Close its database."""
        self.shop.database.close()

    async def serve(self, request: httpx.Request, left: float) -> httpx.Response:
        """Answer a request that left at this epoch second. Raises LineLost."""
        self.before(request)
        number = self._connections.open(left - self.latency_s / 2)
        inner = httpx.ASGITransport(self._door, client=("virtual", number))
        response = await inner.handle_async_request(request)
        response.headers["Date"] = formatdate(self.loop.wall, usegmt=True)
        return response


class Line(httpx.AsyncBaseTransport):
    """The network between one desk and a service. What is on its way arrives even if the desk dies meanwhile."""

    def __init__(self, service: VirtualShop) -> None:
        self.service = service
        self.cut = False
        """No connection is made any more."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Carry one request there and its answer back."""
        if self.cut:
            raise httpx.ConnectError("no way out", request=request)
        # As httpcore says it, so that the gate is asked right before the first byte.
        await request.extensions["trace"]("http11.send_request_headers.started", {})
        journey = contextvars.Context().run(asyncio.create_task, self._carry(request, self.service.loop.wall))
        journey.add_done_callback(lambda done: done.cancelled() or done.exception())  # also where nobody waits any more
        try:
            return await asyncio.shield(journey)
        except LineLost:
            raise httpx.RemoteProtocolError("the line is lost", request=request) from None

    async def _carry(self, request: httpx.Request, left: float) -> httpx.Response:
        await asyncio.sleep(self.service.latency_s / 2)
        response = await self.service.serve(request, left)
        await asyncio.sleep(self.service.latency_s / 2)
        return response


def with_body(answer: httpx.Response, said: object) -> httpx.Response:
    """The answer with another JSON body, and without the headers that tell of the one it had."""
    kept = [(name, value) for name, value in answer.headers.items() if name not in _OF_THE_BODY]
    return httpx.Response(answer.status_code, headers=kept, content=b"" if said is None else json.dumps(said).encode())


def without_versions(records: list[dict[str, object]]) -> list[dict[str, object]]:
    """The records of a list without what tells their versions."""
    return [{name: value for name, value in record.items() if name != TAG_FIELD} for record in records]
