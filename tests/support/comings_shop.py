"""The service of `comings`: its books say what was made and what went, and what looks of each desk could have shown."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import httpx

from petstore_desktop.domain.deletions import STOCK
from petstore_desktop.sync.send.next_step import LOOK_SERVES_S
from tests.support.book_shop import BookShop, Line
from tests.support.virtual_time import VirtualTime

KEYS = ("key-of-the-first-desk", "key-of-the-second-desk")
COLLEAGUE = 2
TRIP_S = 0.079
"""Seconds from serving a look to serving the write that follows at once, at least."""
TURN_S = 0.02
"""A list that comes while something else is sent may be taken in only after that has left."""


@dataclass(slots=True)
class Ended:
    """A pet that a desk deleted, with all that went with it; `unseen`: what came to stand after its last look."""

    desk: int
    number: int
    at: float
    pet: dict[str, Any]
    stock: int
    orders: frozenset[int]
    unseen: frozenset[object]
    own: frozenset[object]


@dataclass(slots=True)
class Place:
    """One desk's way to the books, with a key of its own."""

    shop: Books
    key: str

    @property
    def url(self) -> str:
        return self.shop.url

    def line(self) -> Line:
        return Line(self.shop)


class Books(BookShop):
    """Pets with their stock and orders, which go with them."""

    def __init__(self, loop: VirtualTime, *, client_ids: bool) -> None:
        super().__init__(loop, client_ids=client_ids)
        self.stock: dict[int, int] = defaultdict(int)
        self.orders: dict[int, int] = {}
        self.ended: list[Ended] = []
        self.made: dict[int, list[tuple[float, int]]] = defaultdict(list)
        """When a creation under this number was done, and whose it was."""
        self.wrong: list[str] = []
        self.open = 0
        self._stands: dict[tuple[int, object], tuple[float, int]] = {}
        self.looks: dict[tuple[int, str], list[float]] = defaultdict(list)
        self._just_made: int | None = None

    @property
    def document(self) -> dict[str, Any]:
        said = super().document
        rows = {"inventory": ("petId", "quantity"), "store/orders": ("id", "petId", "quantity")}
        for path, names in {**rows, "categories": ("id", "name", "description")}.items():
            fields = {
                name: {"type": "string" if path == "categories" and name != "id" else "integer"} for name in names
            }
            schema = {"type": "array", "items": {"type": "object", "properties": fields}}
            answer = {"description": "", "content": {"application/json": {"schema": schema}}}
            said["paths"][f"/{path}"] = {"get": {"responses": {"200": answer}}}
        return said

    def stands(self, number: int, what: object, by: int = COLLEAGUE) -> None:
        """From now on this is somebody's."""
        self._stands[number, what] = (self.loop.wall, by)

    def answer(self, request: httpx.Request) -> httpx.Response:
        """Answer one request, and write down what it ended or took the place of."""
        key = request.headers.get("authorization", "").removeprefix("Bearer ")
        desk, path = KEYS.index(key) if key in KEYS else COLLEAGUE, request.url.path.removeprefix("/v1/")
        if request.method == "GET":
            self.looks[desk, path].append(self.loop.wall)
            rows = self._rows(path)
            return super().answer(request) if rows is None else httpx.Response(200, json=rows)
        before = {number: dict(pet) for number, pet in self.pets.items()}
        self._just_made = None
        try:
            return super().answer(request)
        finally:
            for number in before.keys() - self.pets.keys():
                self._gone(desk, number, before[number])
            if self._just_made is not None:
                self.came(desk, self._just_made, before.get(self._just_made))

    def _create(self, body: dict[str, Any]) -> httpx.Response:
        kept = self.taken == "kept" and body.get("id") in self.pets
        answer = super()._create(body)
        # Also where the very same took its place: two pets were to be there, and one is.
        self._just_made = answer.json()["id"] if answer.is_success and not kept else None
        return answer

    def _rows(self, path: str) -> list[dict[str, Any]] | None:
        if path == "inventory":
            return [{"petId": number, "quantity": count} for number, count in self.stock.items()]
        if path == "categories":
            return []  # what is asked to see whether the service is there
        return [{"id": id_, "petId": pet} for id_, pet in self.orders.items()] if path == "store/orders" else None

    def came(self, desk: int, number: int, was: dict[str, Any] | None = None) -> None:
        """Somebody has just made the pet of this number; `was`: what was there."""
        since, _ = self._stands.get((number, "id"), (0.0, COLLEAGUE))
        if was is not None and since >= self._last_look(desk, number, "id"):
            self.open += 1
        elif was is not None:
            self.wrong.append(f"{was} was overwritten by a creation of desk {desk}, which a look of it had shown")
        self.made[number].append((self.loop.wall, desk))
        for name in self.pets[number]:
            self.stands(number, name, desk)

    def _last_look(self, desk: int, number: int, what: object) -> float:
        """When the last look was served that a write served now can rest on, and must, for so long as a look serves. A
        list may be taken in later."""
        list_of = "store/orders" if isinstance(what, int) else "inventory" if what == STOCK else "pets"
        alone = self.looks[desk, f"pets/{number}"] if list_of == "pets" else []
        seen = [*alone, *(at for at in self.looks[desk, list_of] if at + TURN_S <= self.loop.wall - TRIP_S)]
        floor = self.loop.wall - LOOK_SERVES_S - TRIP_S
        return max([floor, *(at for at in seen if at <= self.loop.wall - TRIP_S)])

    def _gone(self, desk: int, number: int, pet: dict[str, Any]) -> None:
        orders = frozenset(id_ for id_, one in self.orders.items() if one == number)
        unseen: set[object] = set()
        for what in (*pet, STOCK, *orders):
            since, _ = self._stands.get((number, what), (0.0, COLLEAGUE))
            if since >= self._last_look(desk, number, what):
                unseen.add(what)
        own = frozenset(what for (one, what), (_, by) in self._stands.items() if one == number and by == desk)
        stock = self.stock.pop(number, 0)
        self.ended.append(Ended(desk, number, self.loop.wall, pet, stock, orders, frozenset(unseen), own))
        for id_ in orders:
            del self.orders[id_]
        for key in [key for key in self._stands if key[0] == number]:
            del self._stands[key]
