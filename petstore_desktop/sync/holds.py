"""Leaving a record alone for a while after something went wrong with it, so that it cannot use up the quota."""

from __future__ import annotations

from collections.abc import Callable

from petstore_desktop.clock import Clock
from petstore_desktop.domain.records import Ref

FIRST_S = 2.0
LONGEST_S = 300.0


class Holds:
    """The wait doubles with each failure of a record, from 2 s to 5 min; the first one may be free. `real` gives the
    ref under which a record is known by now, if it was created here."""

    def __init__(self, clock: Clock, real: Callable[[Ref], Ref]) -> None:
        self._clock = clock
        self._real = real
        self._held: dict[Ref, tuple[int, float]] = {}

    def hold(self, ref: Ref, *, first_free: bool = True) -> None:
        """It went wrong once more. `first_free`: the first repetition may come at once, since a 412, or a look before
        a write, is no failure of the service."""
        ref = self._real(ref)
        times, _ = self._held.get(ref, (0 if first_free else 1, 0.0))
        wait = 0.0 if times == 0 else min(LONGEST_S, FIRST_S * 2 ** min(times - 1, 10))
        self._held[ref] = (times + 1, self._clock.now().steady + wait)

    def release(self, ref: Ref) -> None:
        """It went well, or somebody acted on it: no wait any more."""
        self._held.pop(self._real(ref), None)

    def is_held(self, ref: Ref) -> bool:
        """Whether to leave it alone now."""
        held = self._held.get(self._real(ref))
        return held is not None and self._clock.now().steady < held[1]

    def shortest(self) -> float | None:
        """Seconds until the next record may be tried again, None where none is held."""
        now = self._clock.now().steady
        ahead = [until - now for _, until in self._held.values() if until > now]
        return min(ahead) + 0.01 if ahead else None
