"""The demo shop without ETags in virtual time, behind a network on which connections and answers take their time.

shop = SlowShop(loop, tmp_path)
shop.pace.list_s = 11.0         # from now on the answer to a list takes so long
shop.served[-1].before          # what there was under the path before the last request was served
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from petstore_desktop.demo.books.database import INVENTORY, ORDERS, PETS
from tests.support.virtual_shop import Line, VirtualShop
from tests.support.virtual_time import VirtualTime

WRITES = ("POST", "PUT", "PATCH", "DELETE")
TABLES = {"pets": PETS, "inventory": INVENTORY, "store/orders": ORDERS}
Json = dict[str, Any]


@dataclass(slots=True)
class Pace:
    """Seconds that a connection for a write takes, and the answers to a list and to a read of one record."""

    connect_s: float = 0.0
    list_s: float = 0.0
    look_s: float = 0.0
    anew: Callable[[Pace], None] = lambda _: None
    """Called with each request that leaves."""


@dataclass(slots=True)
class Served:
    """One request: when it left, was served, and its answer heard (virtual epoch seconds), and what there was then
    under its path."""

    left: float
    at: float
    key: str
    method: str
    kind: str
    number: int | None
    body: bytes
    status: int
    before: Json | None
    after: Json | None
    heard: float = math.inf


@dataclass(slots=True)
class Place:
    """One desk's way to the shop, with a key of its own."""

    shop: SlowShop
    key: str
    url: str = field(init=False)

    def __post_init__(self) -> None:
        self.url = self.shop.url

    def line(self) -> SlowLine:
        return SlowLine(self.shop)


class SlowLine(Line):
    """Such a network."""

    service: SlowShop

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        pace = self.service.pace
        pace.anew(pace)
        last = request.url.path.rpartition("/")[2]
        answer_s = 0.0 if request.method in WRITES else pace.look_s if last.isdigit() else pace.list_s
        if request.method in WRITES:
            await asyncio.sleep(pace.connect_s)
        response = await super().handle_async_request(request)
        await asyncio.sleep(answer_s)
        request.extensions["served"].heard = self.service.loop.wall
        return response


class SlowShop(VirtualShop):
    """Such a shop, and what it saw. It has no limits that anybody would meet."""

    def __init__(self, loop: VirtualTime, folder: Path, **options: Any) -> None:
        super().__init__(loop, folder, rpm=60_000, rpd=6_000_000, **options)
        self.control("etags", on=False)
        self.pace = Pace()
        self.served: list[Served] = []
        self._one = asyncio.Lock()

    def line(self) -> SlowLine:
        return SlowLine(self)

    def place(self, key: str) -> Place:
        """Let one more desk in."""
        self.shop.add_key(key)
        return Place(self, key)

    async def serve(self, request: httpx.Request, left: float) -> httpx.Response:
        kind, _, last = request.url.path.removeprefix("/v1/").rpartition("/")
        kind, number = (kind, int(last)) if last.isdigit() else (f"{kind}/{last}".strip("/"), None)
        async with self._one:
            before, at = self.record(kind, number), self.loop.wall
            response = await super().serve(request, left)
            key = request.headers.get("authorization", "").removeprefix("Bearer ")
            what = (request.method, kind, number, await request.aread(), response.status_code)
            served = Served(left, at, key, *what, before, self.record(kind, number))
        self.served.append(served)
        request.extensions["served"] = served
        return response

    def record(self, kind: str, number: int | None) -> Json | None:
        """What there is now."""
        row = self.shop.database.get(TABLES[kind], number) if kind in TABLES and number is not None else None
        return None if row is None else row.record

    def writes(self) -> list[Served]:
        """Each that came, done or not."""
        return [one for one in self.served if one.method in WRITES]

    def asked(self, kind: str) -> int:
        """How often a list was read."""
        return sum(one.method == "GET" and (one.kind, one.number) == (kind, None) for one in self.served)

    def somebody_else(self, kind: str, **record: object) -> None:
        """Somebody at another desk leaves the record like this."""
        self.control("rows", **{kind: [record]})
