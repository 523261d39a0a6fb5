"""A SlowShop on whose network answers are lost: of a write that arrived, or of one that never did.

shop = LossyShop(loop, tmp_path)
shop.lose(arrived=True, down_s=30.0)     # of the next write; then no connection is made for half a minute
shop.in_between = lambda: ...            # what a colleague does right after that write, once
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from petstore_desktop.demo.operations.answers import TAG_FIELD
from tests.support.slow_shop import WRITES, SlowLine, SlowShop
from tests.support.virtual_shop import LineLost
from tests.support.virtual_time import VirtualTime

_OF_THE_BODY = ("content-length", "content-encoding", "etag")


@dataclass(slots=True)
class Loss:
    """What becomes of the next write."""

    arrived: bool
    down_s: float


class LossyLine(SlowLine):
    """Such a network."""

    service: LossyShop

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        if self.service.loop.time() < self.service.down_until:
            raise httpx.ConnectError("no way out", request=request)
        return await super().handle_async_request(request)


class LossyShop(SlowShop):
    """Such a shop. `lost`: how many answers were; `done`: whether the write of the last one was."""

    def __init__(self, loop: VirtualTime, folder: Path, **options: Any) -> None:
        super().__init__(loop, folder, **options)
        self.down_until = 0.0
        self.lost, self.done = 0, False
        self.in_between: Callable[[], None] = lambda: None
        self._losses: list[Loss] = []
        self.bare_lists = False
        """Whether records are shown by lists alone, and those tell no ETags. Before a desk connects."""

    def line(self) -> LossyLine:
        return LossyLine(self)

    def lose(self, *, arrived: bool, down_s: float = 0.0) -> None:
        """Cut the line at the next write, before or after it is done."""
        self._losses.append(Loss(arrived, down_s))

    @property
    def will_lose(self) -> bool:
        """Whether the next write's answer is lost."""
        return bool(self._losses)

    async def serve(self, request: httpx.Request, left: float) -> httpx.Response:
        if self.bare_lists and request.method == "GET":
            return await self._bare(request, left)
        if request.method not in WRITES or not self._losses:
            return await super().serve(request, left)
        loss = self._losses.pop(0)
        self.done = loss.arrived and (await super().serve(request, left)).is_success
        self.lost += 1
        self.down_until = self.loop.time() + loss.down_s
        act, self.in_between = self.in_between, lambda: None
        act()
        raise LineLost

    async def _bare(self, request: httpx.Request, left: float) -> httpx.Response:
        answer = await super().serve(request, left)
        said = json.loads(await answer.aread() or "null")
        if request.url.path.endswith("/openapi.json"):
            for path, item in said["paths"].items():
                if path.endswith("}"):
                    item.pop("get", None)
        elif isinstance(said, list):
            said = [{name: value for name, value in one.items() if name != TAG_FIELD} for one in said]
        kept = [(name, value) for name, value in answer.headers.items() if name not in _OF_THE_BODY]
        body = b"" if said is None else json.dumps(said).encode()
        return httpx.Response(answer.status_code, headers=kept, content=body)

    def stock(self, pet: int) -> int:
        """What there is of a pet now."""
        return self.rows("SELECT quantity FROM inventory WHERE pet_id = ?", pet)[0][0]

    def sells(self, pet: int, count: int) -> None:
        """A colleague takes so many away, or, with a negative number, brings them."""
        self.somebody_else("inventory", petId=pet, quantity=self.stock(pet) - count, status="available")
