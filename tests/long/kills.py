"""Never lost, never twice: the program is killed a thousand times while people work, before a network that fails.

Each run is one of `tests.support.killing`; one in ten kills the real window first, and each tenth start finds one
byte of the journal or its log damaged. Two workers, each with shops of its own, new ones after some runs. The counts at
the end say how often the program was killed where.
"""

from __future__ import annotations

import itertools
import math
import os
import random
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from tests.long._running import Run, run_from, say
from tests.support.killed_child import POINTS, REPAIRS
from tests.support.killing import CHOOSING, KILLS, LEAST_SAVED, WINDOWS, Ground
from tests.support.killing_judge import LISTED, Tally, Violation

FULL_RUNS, FULL_HITS = 1_000, 10
WORKERS = 2
RUNS_OF_A_SHOP = 20
WINDOW_EVERY = 10
SERVICES = ("full", CHOOSING, "full", "default")
"""`default` offers nine operations alone."""
LEAST_DONE = 0.6
"""Of what was acknowledged, so much at least must be done at the end; what is listed for a person is the exception."""


@dataclass(frozen=True, slots=True)
class Share:
    """Some runs, by their seeds, on one shop of this service. The first of them are killed at KILLS from `at` on."""

    seeds: range
    at: int
    service: str
    ends: float
    """Monotonic second after which no run begins."""


Played: TypeAlias = "tuple[Tally, list[str]]"


def main(argv: list[str]) -> int:
    """Return 0 if nothing was found, enough was done, and, of the whole count, each point was hit often enough."""
    if not hasattr(os, "fork"):
        say("kills: this needs a system on which a process can fork")
        return 2
    run = run_from(argv, "kills")
    total, found = Tally(), list[str]()
    with ProcessPoolExecutor(WORKERS) as pool:
        for shares in _rounds(run):
            for tally, violations in pool.map(play, shares):
                total.add(tally)
                found += violations
            if found:
                break
    for violation in found:
        say(violation)
    return int(tell(total, full=run.full) or bool(found))


def _rounds(run: Run) -> Iterator[list[Share]]:
    """What the workers do at a time, while there is time. The shops are SERVICES, one after the other."""
    first = random.Random(run.seed).randrange(10**6)
    for number in itertools.count():
        begins = number * WORKERS * RUNS_OF_A_SHOP
        if not run.wants_more(begins, FULL_RUNS):
            return
        yield [
            Share(
                range(first + begins + place * RUNS_OF_A_SHOP, first + begins + (place + 1) * RUNS_OF_A_SHOP),
                begins + place * RUNS_OF_A_SHOP,
                SERVICES[(number * WORKERS + place) % len(SERVICES)],
                math.inf if run.full else run.ends,
            )
            for place in range(WORKERS)
        ]


def play(share: Share) -> Played:
    """The counts of some runs, and what was found in them."""
    total, found = Tally(), list[str]()
    with tempfile.TemporaryDirectory(prefix="kills-") as folder, _ground(folder, share) as ground:
        for number, seed in enumerate(share.seeds):
            if number and time.monotonic() > share.ends:
                break
            first = KILLS[(share.at + number) % len(KILLS)]
            try:
                total.add(ground.run(seed, window=number % WINDOW_EVERY == 0, first=first))
            except Violation as violation:
                found.append(str(violation))
            except Exception:  # noqa: BLE001 -- said with the rest; the runs before it count
                found.append(f"seed {seed}: {traceback.format_exc()}")
    return total, found


def _ground(folder: str, share: Share) -> Ground:
    return Ground(Path(folder) / "g", share.service, moves=True)


def tell(total: Tally, *, full: bool) -> bool:
    """Say the counts; return whether they are bad."""
    for point in (*KILLS, *REPAIRS, *WINDOWS):
        say(f"killed {total.kills[point]:5}  {point}")
    for fault, count in total.faults.most_common():
        say(f"requests {count:6}  {fault}")
    for state, count in total.states.most_common():
        say(f"acknowledged edits {count:6}  {state}")
    for reason, count in total.reasons.most_common():
        say(f"listed {count:5}  {reason}")
    for outcome, count in total.damaged.most_common():
        say(f"damaged bytes {count:5}  {outcome}")
    windows = sum(total.kills[end] for end in WINDOWS)
    say(f"{total.runs} runs, {total.acknowledged} acknowledged edits, {total.least} at least in a run")
    say(f"{total.kills.total()} kills, {windows} of them of the window")
    say(f"{total.visits} visits to another service, {total.chosen} creations with an id of ours")
    say(f"{total.colleague} times a colleague booked between two lives where a booking was on its way")
    listed = sum(total.states[state] for state in LISTED)
    say(f"{total.states['done']} done, {listed} listed with a reason")
    unknown = total.passed - set(POINTS)
    if unknown:
        say(f"nobody kills the program {', '.join(sorted(unknown))}")
    missed = [point for point in KILLS if total.kills[point] < FULL_HITS] if full else []
    if missed:
        say(f"killed fewer than {FULL_HITS} times: {', '.join(missed)}")
    tame = full and not (total.visits and total.chosen and total.colleague)
    few = tame or total.least < LEAST_SAVED or windows * WINDOW_EVERY < total.runs
    return bool(missed or unknown) or few or total.states["done"] < LEAST_DONE * total.acknowledged


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
