"""How often a bench runs: until what it judges stands still."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping

from tests.bench._report import Goal, say

MOVED = 0.05
"""A value stands still that the last run has moved by a smaller share of itself,"""
OF_BOUND = 0.02
"""or of its bound: what is far below it may waver."""
LIMIT_S = 1_800.0
"""After so many seconds no run begins, beyond those that were asked for."""


def rounds(
    least: int, most: int, goals: Callable[[], Mapping[str, Goal]], now: Callable[[], float] = time.monotonic
) -> Iterator[int]:
    """The numbers of the runs, from 0: `least` of them, and further ones, `most` in all, until none of the values that
    are judged (`goals`, after each run) was moved by the last one."""
    began, number = now(), 0
    before: Mapping[str, Goal] = {}
    while True:
        yield number
        number += 1
        found = goals()
        moved = [name for name, goal in found.items() if not stands_still(before.get(name), goal)]
        before = found
        if number < least:
            continue
        if not moved or number >= most or now() - began > LIMIT_S:
            stood = "all medians stand still" if not moved else f"{len(moved)} medians still move: {', '.join(moved)}"
            say(f"{number} runs; {stood}")
            return


def stands_still(before: Goal | None, now: Goal) -> bool:
    """Whether one more run has hardly moved a value."""
    return before is not None and abs(now.value - before.value) <= max(MOVED * abs(before.value), OF_BOUND * now.bound)
