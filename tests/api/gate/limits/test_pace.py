"""Alone on its key the gate causes no 429, and wastes next to nothing of what the service allows."""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from email.utils import formatdate

import pytest
from msgspec.structs import replace

from petstore_desktop.api.gate import back_off
from petstore_desktop.api.gate import machine as gate
from petstore_desktop.api.gate.memory import restore
from petstore_desktop.api.gate.model import Admit, Answered, Ask, Event, ProbeWanted, Tick, WakeAt
from petstore_desktop.api.headers.limit_headers import answer_facts
from petstore_desktop.clock import Instant
from petstore_desktop.domain.quota import RequestClass

WALL = 1_763_700_000.5
UNSURE = 3.0
"""Seconds by which the end of a window may be told too late, and one that may have been cut off: a reset that is
rounded up, a Date that is cut off and a second old. One that is really that much longer is told in the same words."""
LONGEST_WAY = 0.1
"""Seconds that a request or an answer is on its way at most."""


@dataclass
class Shop:
    """Windows of 60 s that begin with their first request. Resets are `rounded` to whole seconds, the Date is cut off,
    and is `old` seconds old. `robbery`: the chance that somebody empties a window now."""

    limit: int
    rounded: Callable[[float], int] = math.floor
    old: float = 0.0
    ends: float = 0.0
    used: int = 0
    robbery: float = 0.0
    thief: random.Random = field(default_factory=lambda: random.Random(7))
    refused: int = 0
    told_at: float = 0.0
    early: int = 0
    """Requests inside a pause that left when the 429 had come."""

    def serve(self, now: float) -> tuple[int, dict[str, str]]:
        if now >= self.ends:
            self.ends, self.used = now + 60.0, 0
            self.told_at = self.ends
        self.early += now > self.told_at + 2 * LONGEST_WAY
        if self.thief.random() < self.robbery:
            self.used = self.limit
        headers = {"Date": formatdate(now + WALL - self.old, usegmt=True)}
        if self.used >= self.limit:
            self.refused += 1
            self.told_at = min(self.told_at, now)
            return 429, headers | {"Retry-After": str(int(self.ends - now) + 1)}
        self.used += 1
        left = {"X-RateLimit-Limit": str(self.limit), "X-RateLimit-Remaining": str(self.limit - self.used)}
        return 200, headers | left | {"X-RateLimit-Reset": str(self.rounded(self.ends + WALL))}


@dataclass
class Race:
    """Everything that happens, in virtual time: departures, arrivals at the shop, answers, wake-ups."""

    shop: Shop
    random: random.Random
    now: float = 0.0
    todo: list[tuple[float, int, Event | int | None]] = field(default_factory=list)
    order: int = 0
    asked: dict[int, Ask] = field(default_factory=dict)
    answered: int = 0
    probes: int = 0

    def __post_init__(self) -> None:
        self.state = restore(None, None, self.instant())

    def instant(self) -> Instant:
        return Instant(self.now, self.now + WALL + 4_000.0, "boot-1")  # our wall clock is an hour wrong

    def later(self, at: float, what: Event | int | None) -> None:
        self.order += 1
        heapq.heappush(self.todo, (at, self.order, what))

    def feed(self, event: Event) -> None:
        if isinstance(event, Ask):
            self.asked[event.ticket] = event
        self.state, effects = gate.step(self.state, event, self.instant(), self.random)
        for effect in effects:
            match effect:
                case Admit():
                    self.later(self.now + self.random.uniform(0.01, LONGEST_WAY), effect.ticket)
                case WakeAt():
                    self.later(effect.steady, Tick())
                case ProbeWanted():
                    self.probes += 1
                    self.later(self.now, Ask(100_000 + self.probes, RequestClass.PERSON, False, True))
                case _:
                    pass

    def run(self, done: int) -> float:
        """Seconds until `done` requests were answered with 200."""
        while self.answered < done:
            at, _, what = heapq.heappop(self.todo)
            self.now = max(self.now, at)
            if isinstance(what, int):
                status, headers = self.shop.serve(self.now)
                back = self.now + self.random.uniform(0.01, LONGEST_WAY)
                self.answered += status == 200
                facts = answer_facts(status, headers.items(), wall=back + WALL + 4_000.0)
                self.later(back, Answered(what, facts))
                if status == 429:
                    self.later(back, replace(self.asked[what], ticket=what + 1_000))
            elif what is not None:
                self.feed(what)
        return self.now


@pytest.mark.parametrize("rounded", [math.floor, math.ceil, round])
@pytest.mark.parametrize("old", [0.0, 0.99])
def test_two_hundred_changes_leave_as_fast_as_their_share_of_each_window_allows(
    rounded: Callable[[float], int], old: float
) -> None:
    race = Race(Shop(limit=60, rounded=rounded, old=old), random.Random(1))
    for ticket in range(1, 201):
        race.feed(Ask(ticket, RequestClass.CHANGES, write=True, idempotent=False))
    seconds = race.run(200)
    assert race.shop.refused == 0
    # A window lets 60 - 6 changes leave: 200 need three whole windows, and 38 of a fourth at one write at a time.
    assert 3 * 60.0 <= seconds <= 3 * (60.0 + UNSURE) + 38 * 2 * LONGEST_WAY


@pytest.mark.parametrize("rounded", [math.floor, math.ceil, round])
def test_reads_of_a_person_use_the_whole_window_and_cause_no_429(rounded: Callable[[float], int]) -> None:
    race = Race(Shop(limit=60, rounded=rounded), random.Random(2))
    for ticket in range(1, 301):
        race.feed(Ask(ticket, RequestClass.PERSON, write=False, idempotent=True))
    seconds = race.run(300)
    assert race.shop.refused == 0
    assert 4 * 60.0 <= seconds <= 4 * (60.0 + UNSURE) + 60 * 2 * LONGEST_WAY / 4


def beside_another_client(seed: int) -> Shop:
    race = Race(Shop(limit=20, robbery=0.1), random.Random(seed))
    for ticket in range(1, 101):
        cls = race.random.choice(list(RequestClass))
        race.feed(Ask(ticket, cls, write=cls is RequestClass.CHANGES, idempotent=cls is not RequestClass.CHANGES))
    race.run(100)
    return race.shop


@pytest.mark.parametrize("seed", range(5))
def test_beside_another_client_of_the_key_every_429_is_obeyed_and_all_arrive(seed: int) -> None:
    shop = beside_another_client(seed)
    assert shop.refused >= 3
    assert shop.early == 0


def test_a_gate_that_does_not_wait_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(back_off, "pause_length", lambda *_, **__: 10.0)
    assert beside_another_client(0).early > 0
