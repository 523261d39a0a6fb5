"""Leaving a record or a list alone for a while after something went wrong with it, so that it cannot use up the quota.

When the service or the line fails, the gate waits, for all; this is for what goes wrong again and again while all else
goes well.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from petstore_desktop.api.gate.back_off import doubled
from petstore_desktop.clock import Clock

FIRST_S = 2.0
LONGEST_S = 300.0

Thing = TypeVar("Thing")


class Holds(Generic[Thing]):
    """The wait doubles with each failure of a thing, from 2 s to 5 min; the first one may be free. `real` gives what it
    is known as by now: a record that was created here gets another ref."""

    def __init__(self, clock: Clock, real: Callable[[Thing], Thing] = lambda thing: thing) -> None:
        self._clock = clock
        self._real = real
        self._held: dict[Thing, tuple[int, float]] = {}

    def hold(self, thing: Thing, *, first_free: bool = True) -> None:
        """It went wrong once more. `first_free`: the first repetition may come at once, since a 412, or a look before
        a write, is no failure of the service."""
        thing = self._real(thing)
        times, _ = self._held.get(thing, (0 if first_free else 1, 0.0))
        wait = 0.0 if times == 0 else doubled(FIRST_S, LONGEST_S, times)
        self._held[thing] = (times + 1, self._clock.now().steady + wait)

    def release(self, thing: Thing) -> None:
        """It went well, or somebody acted on it: no wait any more."""
        self._held.pop(self._real(thing), None)

    def is_held(self, thing: Thing) -> bool:
        """Whether to leave it alone now."""
        held = self._held.get(self._real(thing))
        return held is not None and self._clock.now().steady < held[1]

    def shortest(self) -> float | None:
        """Seconds until the next may be tried again, None where none is held."""
        now = self._clock.now().steady
        ahead = [until - now for _, until in self._held.values() if until > now]
        return min(ahead) + 0.01 if ahead else None
