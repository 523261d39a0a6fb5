"""A shop in virtual time whose desk says what changes cost, and then sends them: the price beside what left."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from petstore_desktop.domain.batches import Price
from petstore_desktop.domain.changes import AddStock, Create, Delete, Intent, NewChange, SetFields, SetStock
from petstore_desktop.domain.commands import PriceBatch
from petstore_desktop.domain.quota import RequestClass
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.sync.wire.events import BatchPriced, RequestsSent
from tests.support.virtual_desk import VirtualDesk
from tests.support.virtual_shop import VirtualShop
from tests.support.virtual_time import VirtualTime

PETS, STOCK, CATEGORIES = Resource.PETS, Resource.INVENTORY, Resource.CATEGORIES
TOKENS = count()
MEMORY = Path("/dev/shm")
"""Nothing is lost here: no power cut is played."""


class World:
    """A shop, a desk that has read all of it, and how many requests the shop has seen."""

    def __init__(
        self, folder: Path, *, etags: bool = True, connection: dict[str, Any] | None = None, **shop: Any
    ) -> None:
        self.loop = VirtualTime()
        self.shop = VirtualShop(self.loop, folder / "shop", **{"rpm": 60, "rpd": 10_000, **shop})
        if not etags:
            self.shop.control("etags", on=False)
        self.desk = VirtualDesk(self.loop, self.shop, folder / "desk", **(connection or {}))
        self.desk.wait_idle()
        self.pets: list[int] = [row[0] for row in self.shop.rows("SELECT pet_id FROM inventory ORDER BY pet_id")]

    def price(self, *changes: NewChange) -> Price:
        token = str(next(TOKENS))
        self.desk.submit(PriceBatch(token, changes))
        self.desk.wait(lambda: any(event.token == token for event in self.desk.of(BatchPriced)), "the price is told")
        price = self.desk.of(BatchPriced)[-1].price
        assert price is not None
        return price

    def send(self, *changes: NewChange) -> list[float]:
        """Apply them, and wait until all is sent that waits: the seconds after which each request left."""
        began, before = self.loop.wall, len(self._sent())
        if changes:
            self.desk.apply(*changes)
        self.desk.wait_idle(100_000.0)
        self.loop.run_for(1.0)  # requests are told together
        return [at - began for at in self._sent()[before:]]

    def _sent(self) -> list[float]:
        told = (request for event in self.desk.of(RequestsSent) for request in event.requests)
        return [request.at for request in told if request.cls is RequestClass.CHANGES]


@contextmanager
def world(**shop: Any) -> Iterator[World]:
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        made = World(Path(folder), **shop)
        try:
            yield made
        finally:
            made.desk.kill()
            made.shop.close()
            made.loop.close()


def sell(pet: int) -> NewChange:
    return NewChange(Ref(PETS, pet), SetFields({"status": "sold"}))


def book(pet: int, delta: int = 1) -> NewChange:
    return NewChange(Ref(STOCK, pet), AddStock(delta))


PUT = {"bindings": {"pets.change": "PUT /pets/{petId}"}}
SERVICES: dict[str, dict[str, Any]] = {
    "with ETags": {"service": "full"},
    "without ETags": {"service": "full", "etags": False},
    "stock by list": {"service": "default"},
    "unproven writes": {"service": "full", "etags": False, "connection": PUT},
}
"""With the last, pets are looked at by their list too: a write replaces the whole record."""
BY_LIST = ("stock by list", "unproven writes")
Acts = Sequence[tuple[str, int, Any]]
PAUSE_S, LOOKS = 5.0, 6
"""After so long without a request something was waited for; the looks that serve several writes of a batch."""
PETS_USED = 12
"""Those from this one on are deleted, never changed."""


class Acting:
    """Makes changes of plans at one of the services; what is created is known again by its number."""

    def __init__(self, one: World, service: str) -> None:
        self._one = one
        self.by_list = service in BY_LIST
        changeable = service != "stock by list"
        self._changeable = changeable
        self._litters: dict[int, LocalId] = {}
        self._once: set[tuple[str, int]] = set()

    def changes(self, acts: Acts) -> tuple[NewChange, ...]:
        made: list[NewChange] = []
        for what, number, value in acts:
            if what == "litter":
                made += self._litter(number)
            elif self._goes(what, number):
                made.append(self._act(what, number, value))
        return tuple(made)

    def _goes(self, what: str, number: int) -> bool:
        """A pet is deleted once; where pets cannot be changed, what follows a refused change would wait for ever."""
        kind = "delete" if what == "delete" else "field" if what in ("name", "status") else ""
        if not kind or (kind == "field" and self._changeable):
            return True
        first = (kind, number) not in self._once
        self._once.add((kind, number))
        return first

    def _act(self, what: str, number: int, value: Any) -> NewChange:
        pet = self._one.pets[number]
        intents: dict[str, Callable[[], Intent]] = {
            "book": lambda: AddStock(value),
            "count": lambda: SetStock(value),
            "name": lambda: SetFields({"name": value}),
            "status": lambda: SetFields({"status": value}),
            "delete": Delete,
        }
        return NewChange(Ref(STOCK if what in ("book", "count") else PETS, pet), intents[what]())

    def _litter(self, number: int) -> list[NewChange]:
        """A new category and two pets of it with their stock; later a pet gets another name."""
        if number not in self._litters:
            category, pet = LocalId.new(), LocalId.new()
            self._litters[number] = pet
            other = LocalId.new()
            return [
                NewChange(Ref(CATEGORIES, category), Create({"name": "New"})),
                NewChange(Ref(PETS, pet), Create({"name": "Pup", "category_id": category})),
                NewChange(Ref(PETS, other), Create({"name": "Pip", "category_id": category})),
                NewChange(Ref(STOCK, pet), AddStock(2)),
                NewChange(Ref(STOCK, other), AddStock(2)),
            ]
        if not self._goes("name", -1 - number):
            return []
        return [NewChange(Ref(PETS, self._litters[number]), SetFields({"name": "Rex"}))]


class Tried(NamedTuple):
    """A price, when the requests left, and in how many ways time played a part: what rests on a look that serves
    several writes (a list, what goes with a deletion) may find it a moment too old, or be parted from it by the end of
    the minute. A few looks are made again then, or are saved."""

    price: Price
    left: list[float]
    timed: int

    @property
    def wrong(self) -> int:
        """By how many requests the price was."""
        return abs(len(self.left) - self.price.requests - self.price.ahead)

    @property
    def holds(self) -> bool:
        """Whether it was as exact as it can be."""
        return self.wrong <= self.timed * LOOKS


def tried(one: World, acting: Acting, planned: Acts) -> Tried:
    """Price and send a batch."""
    changes = acting.changes(planned)
    price = one.price(*changes)
    left = one.send(*changes)
    timed = sum(after - before > PAUSE_S for before, after in itertools.pairwise([0.0, *left]))
    timed += acting.by_list or any(what == "delete" for what, _, _ in planned)
    return Tried(price, left, timed)
