"""Leaving a record or a list alone for a while after something went wrong with it, so that it cannot use up the quota.

When the service or the line fails, the gate waits, for all; this is for what goes wrong again and again while all else
goes well.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct

from petstore_desktop.api.gate.back_off import doubled
from petstore_desktop.clock import Clock
from petstore_desktop.domain.records import Ref

FIRST_S = 2.0
LONGEST_S = 300.0

Thing = TypeVar("Thing")


class _InARow(Struct, frozen=True):
    """So often something has gone wrong in a row, the last time `at`; it is left alone `until` then (steady s)."""

    times: int
    at: float
    until: float


class BackOff(Generic[Thing]):
    """What went wrong how often in a row. The wait doubles each time, from 2 s to 5 min. `real` gives what a thing is
    known as by now: a record that was created here gets another ref."""

    def __init__(self, clock: Clock, real: Callable[[Thing], Thing] = lambda thing: thing) -> None:
        self._clock = clock
        self._real = real
        self._failed: dict[Thing, _InARow] = {}

    def failed(self, thing: Thing, *, free: int = 0) -> int:
        """It went wrong once more; returns how often in a row. `free`: after so many of these it may be tried again at
        once, since a 412, or a look before a write, is no failure of the service."""
        thing, now = self._real(thing), self._clock.now().steady
        times = 1 + (self._failed[thing].times if thing in self._failed else 0)
        wait_s = doubled(FIRST_S, LONGEST_S, times - free) if times > free else 0.0
        self._failed[thing] = _InARow(times, now, now + wait_s)
        return times

    def went_well(self, *things: Thing) -> None:
        """They went well, or somebody acted on them: no wait any more."""
        for thing in things:
            self._failed.pop(self._real(thing), None)

    def begin_anew(self) -> None:
        """Everything may be tried again at once."""
        self._failed.clear()

    def is_held(self, thing: Thing) -> bool:
        """Whether to leave it alone now."""
        failed = self._failed.get(self._real(thing))
        return failed is not None and self._clock.now().steady < failed.until

    def last_at(self, thing: Thing) -> float | None:
        """The steady second at which it went wrong last, None if it did not."""
        failed = self._failed.get(self._real(thing))
        return None if failed is None else failed.at

    def shortest(self) -> float | None:
        """Seconds until the next may be tried again, None where none is held."""
        now = self._clock.now().steady
        ahead = [failed.until - now for failed in self._failed.values() if failed.until > now]
        return min(ahead) + 0.01 if ahead else None


class Act(Enum):
    """What is done to a record, each of which may go wrong by itself."""

    WRITE = auto()
    LOOK = auto()
    """To see what became of a write, or what the next one rests on."""
    LOOK_IN_TIME = auto()
    """One that the write after it can rest on."""


RecordBackOff: TypeAlias = BackOff[tuple[Act, Ref]]
