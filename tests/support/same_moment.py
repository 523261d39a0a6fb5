"""Two desks that make new pets at the same moment, at a service that has the client choose the ids.

    found = two_desks_create_at_once(loop, folder, seed=1, each=30)
    assert found.wrong == []

Each pet has a name of its own, so that the service's books tell which of them are there. What is called done is there,
or was replaced after the desk's own last look at it, which is counted; of the rest a person was asked.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from petstore_desktop.domain.changes import Change, ChangeState, Create, NewChange
from petstore_desktop.domain.records import LocalId, Ref, Resource
from tests.support.book_shop import BookShop, Line
from tests.support.virtual_desk import VirtualDesk
from tests.support.virtual_time import VirtualTime


@dataclass(slots=True)
class Found:
    """What came of it. `done` and `asked`: changes; `open`: those called done that were replaced in the time that stays
    open; `wrong`: each breach of what was promised."""

    done: int = 0
    asked: int = 0
    open: int = 0
    wrong: list[str] = field(default_factory=list[str])

    def add(self, other: Found) -> None:
        """Count both as one."""
        self.done, self.asked = self.done + other.done, self.asked + other.asked
        self.open, self.wrong = self.open + other.open, self.wrong + other.wrong

    def __str__(self) -> str:
        return (
            f"{self.done} made, {self.asked} asked about, {self.open} replaced after the look; {len(self.wrong)} lost"
        )


class _Books(BookShop):
    """Its books say which pets were shown while they were there."""

    def __init__(self, loop: VirtualTime) -> None:
        super().__init__(loop, client_ids=True)
        self.seen: set[str] = set()
        """Names of pets that were shown by themselves while they were there."""

    def answer(self, request: httpx.Request) -> httpx.Response:
        """Answer one request, and note which pet it showed by itself."""
        answer = super().answer(request)
        _, _, number = request.url.path.partition("/pets/")
        if request.method == "GET" and number and answer.is_success:
            self.seen.add(answer.json()["name"])
        return answer


@dataclass(slots=True)
class _Place:
    """One desk's way to the books, as slow as it is."""

    shop: _Books
    latency_s: float
    url: str
    key: str

    def answer(self, request: httpx.Request) -> httpx.Response:
        """Answer one request."""
        return self.shop.answer(request)

    def line(self) -> Line:
        """A network between this desk and the service."""
        return Line(self)


def two_desks_create_at_once(
    loop: VirtualTime, folder: Path, *, seed: int, each: int, taken: str = "replaced", latencies: Any = (0.04, 0.04)
) -> Found:
    """Have both make so many pets, and judge. The same seed gives the same run."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("petstore_desktop.clock.os.urandom", random.Random(seed).randbytes)
        shop, chance = _Books(loop), random.Random(seed)
        shop.taken = taken
        shop.add(name="Ada")
        places = [_Place(shop, latency, shop.url, shop.key) for latency in latencies]
        desks = [
            VirtualDesk(loop, place, folder / f"desk{number}", chance=random.Random(seed))
            for number, place in enumerate(places)
        ]
        for desk in desks:
            desk.wait_idle()
        made: list[dict[int, str]] = []
        for number, desk in enumerate(desks):
            names = [f"{one} of desk {number}" for one in range(each)]
            news = (NewChange(Ref(Resource.PETS, LocalId.new()), Create({"name": name})) for name in names)
            made.append(dict(zip(desk.apply(*news), names, strict=True)))
            loop.run_for(0.1 * chance.random())
        for desk, names in zip(desks, made, strict=True):
            desk.wait(lambda desk=desk, names=names: all(_is_over(desk.changes[one]) for one in names), "all is told")
        found = Found()
        for desk, names in zip(desks, made, strict=True):
            for id_, name in names.items():
                _judge(found, shop, desk.changes[id_], name)
            desk.close()
        return found


def _is_over(change: Change) -> bool:
    return change.needs_person or change.state is ChangeState.DONE


def _judge(found: Found, shop: _Books, change: Change, name: str) -> None:
    if change.state is not ChangeState.DONE:
        found.asked += 1
        return
    found.done += 1
    key = change.result_key
    pet = shop.pets.get(key) if isinstance(key, int) else None
    if pet is not None and pet["name"] == name:
        return
    if shop.taken == "replaced" and name in shop.seen:
        found.open += 1
    else:
        found.wrong.append(f"{name} is called done as {key}, which is {pet}")
