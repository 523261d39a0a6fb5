"""Several desks of one shop with one key: the real program below its window, once for each desk, before the real demo
shop at 60 requests a minute, in virtual time.

For an hour somebody books at each desk, with the list of the stock on the screen: 24 bookings a minute among all of
them, however many desks there are. Each desk has its own gate, and knows of the others by the shop's headers alone:
what is missing of a minute beyond its own requests was theirs.
Judged is: that no request comes inside a pause; that each desk's bookings are done within twice the time that they take
on all of them in the middle; that all bookings add up; and what the desks read beside the bookings, against one desk
that does all of it.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from petstore_desktop.domain.changes import Change, ChangeState
from petstore_desktop.domain.quota import RequestClass, SentRequest
from petstore_desktop.domain.records import Resource
from petstore_desktop.sync.wire.events import RequestsSent
from tests.bench._busy import busy_core
from tests.bench._report import Goal, Metric, Report, arguments, say
from tests.bench.gate import MEMORY
from tests.bench.sync import percentile
from tests.support.clerk import Clerk
from tests.support.virtual_shop import VirtualShop
from tests.support.virtual_time import VirtualTime

RUNS = 1
DESKS = (1, 2, 5, 20)
PER_MINUTE, PER_DAY = 60, 1_000_000
PETS = 200
BOOKINGS = 24
"""A minute, among all desks."""
NIGHT_S, HOUR_S, REST_S = 12 * 3_600.0, 3_600.0, 600.0
FAIR, REQUESTS, AT_ONCE_S = 2.0, 1.6, 1.0
AT_EASE = 5
"""So many desks may take REQUESTS times the requests of one."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an hour came to. `waits`: seconds from a booking to its end, by desk; `read`: requests for lists that nobody
    asked for; `inside`: requests inside a pause; `wrong`: pets whose stock is not what all bookings add up to."""

    requests: int
    read: int
    refused: int
    inside: int
    wrong: int
    left: int
    waits: Sequence[Sequence[float]]

    @property
    def unfair(self) -> float:
        """How many times the middle of all waits the desk waits that waits longest; up to a second is no wait."""
        means = [statistics.mean(max(wait, AT_ONCE_S) for wait in one) for one in self.waits]
        return max(means) / statistics.mean(means)


class Booking:
    """Somebody at a desk who books, again and again."""

    def __init__(self, clerk: Clerk, every_s: float, chance: random.Random, booked: dict[int, int]) -> None:
        self._clerk, self._every_s, self._chance, self._booked = clerk, every_s, chance, booked
        self._next()

    def _next(self) -> None:
        self._clerk.loop.call_later(self._chance.uniform(0.5, 1.5) * self._every_s, self._book)

    def _book(self) -> None:
        store = self._clerk.desk.shop.stores[Resource.INVENTORY]
        pet = self._chance.choice([key for key in map(store.keys.__getitem__, store.slots()) if isinstance(key, int)])
        amount = self._chance.randint(1, 9)
        self._clerk.book(pet, f"+{amount}")
        self._booked[pet] = self._booked.get(pet, 0) + amount
        self._next()


def hour(desks: int, seed: int, folder: Path) -> Outcome:
    """One hour with so many desks."""
    loop, chance = VirtualTime(), random.Random(seed)
    shop = VirtualShop(loop, folder / "shop", pets=PETS, rpm=PER_MINUTE, rpd=PER_DAY, ban_at=1)
    plan = {"per_minute": PER_MINUTE, "per_day": PER_DAY}
    clerks = [Clerk(loop, shop, folder / f"desk-{n}", chance=random.Random(seed + n), **plan) for n in range(desks)]
    for clerk in clerks:
        clerk.session.wait_idle()
    loop.run_for(NIGHT_S)
    before, stock = len(shop.log_lines()), dict(shop.rows("SELECT pet_id, quantity FROM inventory"))
    sent = [len(_sent(clerk)) for clerk in clerks]
    booked: dict[int, int] = {}
    for clerk in clerks:
        clerk.open(Resource.INVENTORY)
        Booking(clerk, 60.0 * desks / BOOKINGS, random.Random(chance.random()), booked)
    loop.run_for(HOUR_S)
    lines = shop.log_lines()[before:]
    made = [[*clerk.session.changes.values()] for clerk in clerks]
    loop.run_for(REST_S)
    read = sum(
        one.cls > RequestClass.CHANGES
        for clerk, first in zip(clerks, sent, strict=True)
        for one in _sent(clerk)[first:]
    )
    now = dict(shop.rows("SELECT pet_id, quantity FROM inventory"))
    outcome = Outcome(
        len(lines),
        read,
        sum(line["status"] == 429 for line in lines),
        sum(line["inside_pause"] or line["status"] == 403 for line in lines),
        sum(now[pet] != stock[pet] + amount for pet, amount in booked.items()),
        sum(change.state is not ChangeState.DONE for one in made for change in one),
        [[*map(_wait, one)] for one in made],
    )
    for clerk in clerks:
        clerk.close()
    shop.close()
    loop.close()
    return outcome


def _wait(change: Change) -> float:
    return change.moved_at - change.at


def _sent(clerk: Clerk) -> list[SentRequest]:
    told = clerk.session.of(RequestsSent)
    return [request for event in told if not event.earlier for request in event.requests]


def report(found: dict[int, list[Outcome]]) -> Report:
    """Put the hours together, by how many desks there were; each goal is about the worst of them."""
    result = Report("desks", runs=max(map(len, found.values())))
    alone = statistics.median(one.requests for one in found[1]) if 1 in found else 0
    for desks, hours in found.items():
        name = f"{desks} desks"
        waits = [[wait for one in hour.waits for wait in one] for hour in hours]
        metrics, goals = result.metrics, result.goals
        metrics[f"{name}: requests"] = Metric("requests", [one.requests for one in hours])
        metrics[f"{name}: readings in the background"] = Metric("requests", [one.read for one in hours])
        metrics[f"{name}: answered 429"] = Metric("requests", [one.refused for one in hours])
        metrics[f"{name}: 95 % of bookings done within"] = Metric("s", [percentile(one, 0.95) for one in waits])
        goals[f"{name}: requests inside a pause"] = Goal(0, max(one.inside for one in hours))
        goals[f"{name}: pets whose stock does not add up"] = Goal(0, max(one.wrong for one in hours))
        goals[f"{name}: bookings not done"] = Goal(0, max(one.left for one in hours))
        goals[f"{name}: longest wait of a desk / the middle"] = Goal(FAIR, max(one.unfair for one in hours))
        if alone and desks == AT_EASE:
            ratio = max(one.requests for one in hours) / alone
            result.ratios[f"{name}: requests / 1 desk"] = ratio
            goals[f"{name}: requests / 1 desk"] = Goal(REQUESTS, ratio)
    return result


def main(argv: list[str]) -> int:
    """Measure, print, and return the exit code."""
    args = arguments(argv, "An hour of several desks with one key. Each run has its seed.", RUNS)
    found: dict[int, list[Outcome]] = {desks: [] for desks in DESKS}
    with busy_core(args.busy), tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        for desks in DESKS:
            for seed in range(args.runs):
                one = hour(desks, seed, Path(folder) / f"{desks}-{seed}")
                found[desks].append(one)
                said = f"{one.requests} requests, {one.refused} answered 429, {one.left} bookings not done"
                say(f"{desks} desks, seed {seed}: {said}")
    return report(found).finish(one_line=args.json, busy=args.busy)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
