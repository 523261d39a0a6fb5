"""The demo shop without ETags in virtual time, behind a network on which connections and answers take their time, and
answers to writes are lost.

shop = SlowShop(loop, tmp_path)
shop.pace.list_s = 11.0                  # from now on the answer to a list takes so long
shop.served[-1].before                   # what there was under the path before the last request was served
shop.lose(arrived=True, down_s=30.0)     # the answer to the next write; then no connection is made for half a minute
shop.in_between = lambda: ...            # what a colleague does right after that write, once
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from petstore_desktop.demo.books.database import INVENTORY, ORDERS, PETS
from tests.support.virtual_shop import Line, LineLost, VirtualShop, with_body, without_versions
from tests.support.virtual_time import VirtualTime

WRITES = ("POST", "PUT", "PATCH", "DELETE")
TABLES = {"pets": PETS, "inventory": INVENTORY, "store/orders": ORDERS}
Json = dict[str, Any]


@dataclass(slots=True)
class Pace:
    """Seconds that a connection for a write takes, and the answers to a list, to that of the orders, and to a read of
    one record."""

    connect_s: float = 0.0
    list_s: float = 0.0
    orders_s: float = 0.0
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
        if self.service.loop.time() < self.service.down_until:
            raise httpx.ConnectError("no way out", request=request)
        pace = self.service.pace
        pace.anew(pace)
        last = request.url.path.rpartition("/")[2]
        answer_s = (
            0.0
            if request.method in WRITES
            else pace.look_s
            if last.isdigit()
            else max(pace.list_s, pace.orders_s * (last == "orders"))
        )
        if request.method in WRITES:
            await asyncio.sleep(pace.connect_s)
        response = await super().handle_async_request(request)
        await asyncio.sleep(answer_s)
        request.extensions["served"].heard = self.service.loop.wall
        return response


class SlowShop(VirtualShop):
    """Such a shop, and what it saw. It has no limits that anybody would meet. `lost`: how many answers were; `done`:
    whether the write of the last one was."""

    def __init__(self, loop: VirtualTime, folder: Path, **options: Any) -> None:
        super().__init__(loop, folder, rpm=60_000, rpd=6_000_000, **options)
        self.control("etags", on=False)
        self.pace = Pace()
        self.served: list[Served] = []
        self._one = asyncio.Lock()
        self.down_until = 0.0
        self.lost, self.done = 0, False
        self.in_between: Callable[[], None] = lambda: None
        self._losses: list[tuple[bool, float]] = []
        self.bare_lists = False
        """Whether records are shown by lists alone, and those tell no ETags. Before a desk connects."""

    def line(self) -> SlowLine:
        return SlowLine(self)

    def place(self, key: str) -> Place:
        """Let one more desk in."""
        self.shop.add_key(key)
        return Place(self, key)

    def lose(self, *, arrived: bool, down_s: float = 0.0) -> None:
        """Cut the line at the next write, before or after it is done."""
        self._losses.append((arrived, down_s))

    @property
    def will_lose(self) -> bool:
        """Whether the next write's answer is lost."""
        return bool(self._losses)

    async def serve(self, request: httpx.Request, left: float) -> httpx.Response:
        if request.method not in WRITES or not self._losses:
            response = await self._seen(request, left)
            return await _bare(request, response) if self.bare_lists and request.method == "GET" else response
        arrived, down_s = self._losses.pop(0)
        self.done = arrived and (await self._seen(request, left)).is_success
        self.lost += 1
        self.down_until = self.loop.time() + down_s
        act, self.in_between = self.in_between, lambda: None
        act()
        raise LineLost

    async def _seen(self, request: httpx.Request, left: float) -> httpx.Response:
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

    def stock(self, pet: int) -> int:
        """What there is of a pet now."""
        return self.rows("SELECT quantity FROM inventory WHERE pet_id = ?", pet)[0][0]

    def sells(self, pet: int, count: int) -> None:
        """A colleague takes so many away, or, with a negative number, brings them."""
        self.somebody_else("inventory", petId=pet, quantity=self.stock(pet) - count, status="available")


async def _bare(request: httpx.Request, answer: httpx.Response) -> httpx.Response:
    said = json.loads(await answer.aread() or "null")
    if request.url.path.endswith("/openapi.json"):
        for path, item in said["paths"].items():
            if path.endswith("}"):
                item.pop("get", None)
    elif isinstance(said, list):
        said = without_versions(said)
    return with_body(answer, said)
