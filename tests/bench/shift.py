"""What a day's work costs in requests: the real program below its window before the real demo shop, in virtual time
(tests/support/virtual_time.py). The shop counts the requests. What a person does is done on the desk, and said to the
sync part as the window says it (tests/support/clerk.py).

The day: eight hours on the Free plan (60 a minute, 1,000 a day) in a shop of 1,000 pets; on this computer are the lists
of the evening before. Somebody has 35 jobs (tests/bench/_jobs.py), in an order and at times that the seed decides: to
answer a question (a filter, three details, mostly a live check), to receive goods (six bookings), to count a shelf
(seven counts), to change the states of four pets (at once, or one by one), to look after orders (four looked up, two
completed or cancelled), to keep the catalogue. That is 100 changes and 10 live checks, on all four lists; before five
of the jobs comes F5. Nothing is touched between the jobs, over two coffee breaks and lunch. The shop's till sells
something every ten minutes or so meanwhile.

The shift: 3 filters, 5 details, 20 changes of status, 10 orders looked up, 30 stock edits (20 bookings, 10 counts) and
a reload, on the Free plan, an act every four seconds: by somebody who knows the shop. The lists on this computer are of
the evening before; each fits on one page. `shift at leisure` is the same at ten seconds an act, which no goal is set
for: the longer it takes, the more often the screen is refreshed meanwhile.

What is promised of the screen (refresh_plan.py): while somebody is there, a list of n pages is at most n x 144 s
old on this plan. A list that comes onto the screen older than that, or is on it when somebody comes back, is read at
once; for that, SETTLE_S are allowed.
"""

from __future__ import annotations

import math
import random
import re
import statistics
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from petstore_desktop.demo.books.database import INVENTORY, ORDERS
from petstore_desktop.domain.changes import ChangeState
from petstore_desktop.domain.quota import SentRequest
from petstore_desktop.domain.records import Resource
from petstore_desktop.sync.wire.events import RequestsSent
from tests.bench._busy import busy_core
from tests.bench._jobs import the_day, the_shift
from tests.bench._report import Goal, Metric, Report, arguments, say
from tests.bench.gate import MEMORY
from tests.support.clerk import Clerk
from tests.support.virtual_shop import VirtualShop
from tests.support.virtual_time import VirtualTime

RUNS = 3
DAY_BOUND, SHIFT_BOUND = 399, 58
PER_MINUTE, PER_DAY = 60, 1_000
NIGHT_S = 15 * 3_600.0
WORKING_MIN = ((0, 90), (105, 195), (240, 360), (375, 470))
"""When somebody works, in minutes of the day."""
HOURS_S = 8 * 3_600.0
TILL_S = 600.0
PACE_S, LEISURE_S = 4.0, 10.0
"""Seconds from one act of the shift to the next."""
REFRESHED = 5
SETTLE_S = 10.0
EACH_S = 144.0
"""How old a list may become on the screen for each of its pages."""
PAGE = 500
"""Records on a page."""
SETTLED = (ChangeState.DONE, ChangeState.CONFLICT)
WHO = ("person", "changes", "refresh on the screen", "refresh elsewhere")
"""For whom a request was, by its class."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one run came to. `spent`: requests by class, and by what was asked; `unknown`: by how many the shop counted
    others than the program; `left`: changes neither done nor met by somebody else's; `late`: seconds by which what was
    on the screen was older than promised, at worst; `ages`: how old it was, every few seconds."""

    requests: int
    spent: Counter[str]
    unknown: int
    changes: int
    left: int
    conflicts: int
    late: float
    ages: list[float] = field(default_factory=list[float])


class Eyes:
    """Looks at how old the list on the screen is."""

    def __init__(self, clerk: Clerk, shop: VirtualShop) -> None:
        self.ages: list[float] = []
        self.late = 0.0
        self._clerk, self._shop = clerk, shop
        self._seen: tuple[Resource | None, bool] = (None, False)
        self._since = 0.0

    def glance(self) -> None:
        """See how old it is now."""
        clerk, now = self._clerk, self._shop.loop.wall
        if self._seen != (clerk.shown, clerk.here):
            self._seen, self._since = (clerk.shown, clerk.here), now
        if clerk.shown is None or not clerk.here or now - self._since < SETTLE_S:
            return
        as_of = clerk.desk.load(clerk.shown).as_of
        age = math.inf if as_of is None else now - as_of
        self.ages.append(age)
        pages = max(1, -(-len(clerk.desk.shop.stores[clerk.shown]) // PAGE))
        self.late = max(self.late, age - pages * EACH_S - SETTLE_S)


class Work:
    """A clerk in a shop, from the evening before on."""

    def __init__(self, seed: int, pets: int, folder: Path) -> None:
        self.chance = random.Random(seed)
        self.loop = VirtualTime()
        self.shop = VirtualShop(self.loop, folder / "shop", pets=pets, rpm=PER_MINUTE, rpd=PER_DAY, ban_at=1)
        self.clerk = Clerk(self.loop, self.shop, folder / "desk", plan="free", chance=random.Random(seed))
        self.clerk.session.wait_idle()
        self.clerk.close()
        self.loop.run_for(NIGHT_S)
        self._before = len(self.shop.log_lines()), len(self._sent())
        self.eyes = Eyes(self.clerk, self.shop)
        self.clerk.glance = self.eyes.glance
        self.clerk.start()
        self._began = self.loop.wall

    def until(self, seconds: float) -> None:
        """Do nothing until so many seconds after the start."""
        self.clerk.wait(max(0.0, self._began + seconds - self.loop.wall))

    def open_till(self) -> None:
        """From now on the shop sells."""
        self.loop.call_later(self.chance.uniform(0.5, 1.5) * TILL_S, self._sell)

    def _sell(self) -> None:
        entries = self.shop.rows("SELECT pet_id, quantity, status FROM inventory WHERE quantity > 0 ORDER BY pet_id")
        pet, quantity, status = self.chance.choice(entries)
        books = self.shop.shop.database
        with books.transaction():
            books.put(INVENTORY, {"petId": pet, "quantity": quantity - 1, "status": status})
            books.put(ORDERS, {"id": books.new_id(ORDERS), "petId": pet, "quantity": 1, "complete": False})
        self.open_till()

    def outcome(self) -> Outcome:
        """Close everything, and count."""
        session = self.clerk.session
        session.wait_idle()
        self.clerk.close()
        lines, sent = self.shop.log_lines()[self._before[0] :], self._sent()[self._before[1] :]
        spent = Counter(f"for {WHO[one.cls]}" for one in sent)
        spent.update(f"{line['method']} {_shape(line['path'])}: {line['status']}" for line in lines)
        states = Counter(change.state for change in session.changes.values())
        self.shop.close()
        self.loop.close()
        return Outcome(
            len(lines),
            spent,
            abs(len(lines) - len(sent)),
            states.total(),
            states.total() - sum(states[state] for state in SETTLED),
            states[ChangeState.CONFLICT],
            self.eyes.late,
            self.eyes.ages,
        )

    def _sent(self) -> list[SentRequest]:
        told = self.clerk.session.of(RequestsSent)
        return [request for event in told if not event.earlier for request in event.requests]


def _shape(path: str) -> str:
    """A path without its ids and pages."""
    return re.sub(r"/\d+", "/{id}", path.removeprefix("/v1").partition("?")[0])


def day(seed: int, folder: Path) -> Outcome:
    """The day, once."""
    work = Work(seed, 1_000, folder)
    clerk, chance = work.clerk, work.chance
    clerk.open(Resource.PETS)
    work.open_till()
    jobs = the_day()
    chance.shuffle(jobs)
    minutes = sorted(chance.uniform(*chance.choice(WORKING_MIN)) for _ in jobs)
    refreshed = set(chance.sample(range(len(jobs)), REFRESHED))
    for number, (minute, job) in enumerate(zip(minutes, jobs, strict=True)):
        work.until(60.0 * minute)
        if number in refreshed:
            clerk.refresh()
        job(clerk, chance)
    work.until(HOURS_S)
    return work.outcome()


def shift(seed: int, folder: Path, pace_s: float = PACE_S) -> Outcome:
    """The shift, once."""
    work = Work(seed, 200, folder)
    the_shift(work.clerk, work.chance, pace_s)
    work.clerk.wait(pace_s)
    return work.outcome()


BENCHES = {
    "day": (day, DAY_BOUND, 100),
    "shift": (shift, SHIFT_BOUND, 50),
    "shift at leisure": (partial(shift, pace_s=LEISURE_S), math.inf, 50),
}
"""What is measured: how, how many requests it may take, and how many changes are in it."""


def report(found: dict[str, list[Outcome]]) -> Report:
    """Put the runs together; each goal is about the worst of them."""
    result = Report("shift", runs=max(map(len, found.values())))
    for name, runs in found.items():
        _, bound, changes = BENCHES[name]
        metrics = result.metrics
        metrics[f"{name}: requests"] = Metric("requests", [one.requests for one in runs])
        for what in sorted({what for one in runs for what in one.spent}):
            metrics[f"{name}: {what}"] = Metric("requests", [one.spent[what] for one in runs])
        metrics[f"{name}: conflicts for a person"] = Metric("changes", [one.conflicts for one in runs])
        metrics[f"{name}: usual age of what is on the screen"] = Metric("s", [statistics.median(o.ages) for o in runs])
        metrics[f"{name}: greatest age of what is on the screen"] = Metric("s", [max(one.ages) for one in runs])
        goals = result.goals
        if bound < math.inf:
            goals[f"{name}: requests"] = Goal(bound, max(one.requests for one in runs))
        goals[f"{name}: older on the screen than promised"] = Goal(0, max(one.late for one in runs))
        goals[f"{name}: requests not accounted for"] = Goal(0, max(one.unknown for one in runs))
        goals[f"{name}: changes not made or not settled"] = Goal(
            0, max(one.left + abs(one.changes - changes) for one in runs)
        )
    return result


def main(argv: list[str]) -> int:
    """Measure, print, and return the exit code."""
    args = arguments(argv, "What a day's work costs in requests. Each run has its seed.", RUNS)
    found: dict[str, list[Outcome]] = {name: [] for name in BENCHES}
    with busy_core(args.busy), tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        for name, (measure, _, _) in BENCHES.items():
            for seed in range(args.runs):
                one = measure(seed, Path(folder) / f"{name}-{seed}")
                found[name].append(one)
                say(f"{name}, seed {seed}: {one.requests} requests, on the screen up to {max(one.ages):.0f} s old")
    return report(found).finish(one_line=args.json, busy=args.busy)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
