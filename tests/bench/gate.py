"""How close to the shop's limits the program sends, without ever passing them: the real gate and engine before the real
demo shop, in virtual time (tests/support/virtual_time.py), a request 40 ms there and back.

A desk that has read its lists is handed a batch of status changes, one request each. How long it takes is set against
the least that anybody could take who sends one write at a time and leaves its reserve to the person:

- The shop's own two windows are replayed as its ledger keeps them, from the state that they are in when the batch
  comes: a window begins with its first request and lasts its whole length.
- Of a window that has answered (limit - reserve) requests, of whatever kind, nothing more is taken: the rest is the
  person's. The reserve is 10 % of the limit, at least 5 (packaging/ARCHITECTURE.md).
- The next write arrives one round trip after the one before, or, where a window's share is used up, at the very moment
  at which that window ends.
- A 429 that the shop made up comes at the same write (the 17th that arrives, say) as it came for the program, and lasts
  for exactly as many seconds as its Retry-After said.

Nothing in this knows what the gate adds: rounding of headers, jitter, the one question after a pause. Of the program's
time 2 s are forgiven for each made-up pause; the rest, divided by the least, may be at most 1.04: the end of a minute
is told in whole seconds, and whoever waits for the latest that was told, and a little more, is 2 s late in 60.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import httpx

from petstore_desktop.demo.books.quota import QuotaWindow
from petstore_desktop.domain.changes import ChangeState, NewChange, SetFields
from petstore_desktop.domain.records import Ref, Resource
from tests.bench._busy import busy_core
from tests.bench._report import Goal, Metric, Report, arguments, say
from tests.support.virtual_desk import VirtualDesk
from tests.support.virtual_shop import VirtualShop
from tests.support.virtual_time import VirtualTime

RUNS = 3
LATENCY_S = 0.04
QUIET_S = 300.0
"""Seconds between the first reading and the batch: the minute's window is over by then."""
LONGEST_S = 30 * 86_400.0
BOUND, FORGIVEN_S = 1.04, 2.0
NEXT = {"available": "pending", "pending": "sold", "sold": "available"}
WRITES = ("POST", "PUT", "PATCH", "DELETE")
MEMORY = Path("/dev/shm")
"""Where a disk costs no time: what is measured here is virtual."""


@dataclass(frozen=True, slots=True)
class Case:
    """So many changes at so many requests a minute and a day; `busy`: the chance that a write is answered 429, with a
    Retry-After within `waits`."""

    name: str
    changes: int
    per_minute: int
    per_day: int = 1_000_000
    busy: float = 0.0
    waits: tuple[int, int] = (30, 300)


CASES = (
    Case("500 at 60/min", 500, 60),
    Case("1,000 at 300/min", 1_000, 300),
    Case("1,500 at 60/min and 1,000/day", 1_500, 60, 1_000),
    Case("500 at 60/min, Retry-After 30-300 s", 500, 60, busy=0.02),
)


@dataclass(slots=True)
class Moody:
    """A shop that answers a write 429 now and then. `pauses`: seconds, by the number of the write that arrived."""

    shop: VirtualShop
    case: Case
    chance: random.Random
    arrived: int = 0
    pauses: dict[int, int] = field(default_factory=dict)
    times: list[tuple[float, float]] = field(default_factory=list)

    def __call__(self, request: httpx.Request) -> None:
        """A request comes in."""
        now = self.shop.loop.wall
        if request.method not in WRITES:
            return
        self.arrived += 1
        if self.chance.random() < self.case.busy and not self.explains(now):
            seconds = self.chance.randint(*self.case.waits)
            self.pauses[self.arrived] = seconds
            self.times.append((now, now + seconds))
            self.shop.control("pause", seconds=seconds)

    def explains(self, at: float) -> bool:
        """Whether a 429 at this time is the shop's own whim."""
        return any(start <= at < end for start, end in self.times)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one run of a case came to; times in virtual seconds, but `real`."""

    took: float
    least: float
    pauses: int
    own_429: int
    inside: int
    wrong: int
    real: float

    @property
    def over(self) -> float:
        """Seconds over the least, those forgiven taken off."""
        return self.took - FORGIVEN_S * self.pauses - self.least

    @property
    def ratio(self) -> float:
        """The program's time over the least."""
        return 1.0 + self.over / self.least


def least(changes: int, windows: Sequence[QuotaWindow], began: float, pauses: dict[int, int]) -> float:
    """The least seconds for so many changes that are there at `began` (epoch seconds), as the module says. `windows`
    as they are then; `pauses` by the number of the write that meets it."""
    windows = [replace(window) for window in windows]
    at, arrived, done = began + LATENCY_S / 2, 0, 0
    while True:
        at = max([at, *(window.ends for window in windows if _is_used_up(window, at))])
        arrived += 1
        if arrived in pauses:
            at += pauses[arrived]
            continue
        for window in windows:
            window.roll(at)
            window.used += 1
        done += 1
        if done == changes:
            return at + LATENCY_S / 2 - began
        at += LATENCY_S


def _is_used_up(window: QuotaWindow, at: float) -> bool:
    reserve = max(-(-window.limit // 10), 5)
    return window.remaining(at) <= reserve


def run(case: Case, seed: int, folder: Path) -> Outcome:
    """Hand a batch to a desk that knows the shop's plan, and see how it is sent."""
    real, chance = time.monotonic(), random.Random(seed)
    loop = VirtualTime()
    rules = {"rpm": case.per_minute, "rpd": case.per_day, "ban_at": 1}
    shop = VirtualShop(loop, folder / "shop", pets=case.changes * 11 // 10, latency_s=LATENCY_S, **rules)
    plan = {"per_minute": case.per_minute, "per_day": case.per_day}
    desk = VirtualDesk(loop, shop, folder / "desk", chance=random.Random(seed), **plan)
    desk.wait_idle()
    loop.run_for(QUIET_S + chance.random())
    pets = [(pet, status) for pet, status in shop.rows("SELECT id, status FROM pets ORDER BY id") if status in NEXT]
    del pets[case.changes :]
    shop.before = moody = Moody(shop, case, chance)
    before, began = len(shop.log_lines()), loop.wall
    windows = [replace(window) for window in (shop.account.ledger.minute, shop.account.ledger.day)]
    changes = [
        NewChange(Ref(Resource.PETS, pet), SetFields({"status": NEXT[status]}), {"status": status})
        for pet, status in pets
    ]
    desk.wait_for(desk.apply(*changes), ChangeState.DONE, LONGEST_S)
    took = loop.wall - began
    lines = shop.log_lines()[before:]
    outcome = Outcome(
        took,
        least(case.changes, windows, began, moody.pauses),
        len(moody.pauses),
        sum(line["status"] == 429 and not moody.explains(line["time"]) for line in lines),
        sum(line["inside_pause"] or line["status"] == 403 for line in lines),
        _not_exactly_once(shop, pets, [line for line in lines if line["method"] in WRITES]),
        time.monotonic() - real,
    )
    desk.close()
    shop.close()
    loop.close()
    return outcome


def _not_exactly_once(shop: VirtualShop, pets: Sequence[tuple[int, str]], writes: Sequence[dict[str, object]]) -> int:
    """How many of the changes are not in the shop, or were written there more than once, or by nobody's wish."""
    now = dict(shop.rows("SELECT id, status FROM pets"))
    done = Counter(line["path"] for line in writes if line["status"] == 200)
    wanted = {f"/v1/pets/{pet}": NEXT[status] for pet, status in pets}
    missing = sum(now[pet] != NEXT[status] for pet, status in pets)
    return missing + sum(done[path] != 1 for path in wanted) + sum(path not in wanted for path in done)


def report(found: dict[Case, list[Outcome]]) -> Report:
    """Put the runs together; each goal is about the worst of a case's runs."""
    result = Report("gate", runs=max(map(len, found.values())))
    for case, runs in found.items():
        name = case.name
        result.metrics[f"{name}: took"] = Metric("virtual s", [one.took for one in runs])
        result.metrics[f"{name}: least"] = Metric("virtual s", [one.least for one in runs])
        result.metrics[f"{name}: pauses"] = Metric("pauses", [one.pauses for one in runs])
        result.metrics[f"{name}: over the least"] = Metric("virtual s", [one.over for one in runs])
        result.metrics[f"{name}: computing"] = Metric("s", [one.real for one in runs])
        result.ratios[f"{name}: time over the least"] = max(one.ratio for one in runs)
        result.goals[f"{name}: time over the least"] = Goal(BOUND, max(one.ratio for one in runs))
        result.goals[f"{name}: 429 caused by us"] = Goal(0, max(one.own_429 for one in runs))
        result.goals[f"{name}: sent inside a pause"] = Goal(0, max(one.inside for one in runs))
        result.goals[f"{name}: changes not done exactly once"] = Goal(0, max(one.wrong for one in runs))
    return result


def short(folder: Path) -> Report:
    """Return what one run of each case that is over within a day shows."""
    cases = [case for case in CASES if case.per_day >= case.changes]
    return report({case: [run(case, 0, folder / f"gate-{number}")] for number, case in enumerate(cases)})


def main(argv: list[str]) -> int:
    """Measure, print, and return the exit code."""
    args = arguments(argv, "How close to a shop's limits the program sends. Each run has its seed.", RUNS)
    found: dict[Case, list[Outcome]] = {case: [] for case in CASES}
    with busy_core(args.busy), tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        for case in CASES:
            for seed in range(args.runs):
                one = run(case, seed, Path(folder) / f"{case.changes}-{case.per_minute}-{case.busy}-{seed}")
                found[case].append(one)
                say(f"{case.name}, seed {seed}: {one.ratio:.4f}, {one.took:.1f} s, least {one.least:.1f} s")
    return report(found).finish(one_line=args.json, busy=args.busy)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
