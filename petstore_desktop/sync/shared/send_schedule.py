"""When requests of one class leave, as the gate will let them. Pure. Times are seconds from now unless they say
otherwise."""

from __future__ import annotations

import math
from collections import deque

from msgspec import Struct

from petstore_desktop.api.gate.limits.windows import BUCKETS
from petstore_desktop.domain.quota import GatePhase, GateView, Quota, RequestClass, Window, reserve

MINUTE_S, DAY_S = 60.0, 86_400.0
AFTER_RESET_S = 0.5
"""The gate opens up to a second after the moment that the service named (`api/back_off`, ROUNDING); so on the mean."""


class _Share(Struct):
    """What one class may take of a window: `left` until it `opens` again, then `share` in each `length`."""

    left: int
    share: int
    opens: float
    length: float

    def free(self, at: float) -> int:
        return self.share if at >= self.opens else self.left

    def ready(self, cost: int, at: float) -> float:
        """From when on there are so many; of more than there ever are, all of them."""
        return at if self.free(at) >= min(cost, self.share) else self.opens

    def reserve(self, count: int, at: float) -> None:
        if at >= self.opens:
            self.left, self.opens = self.share, at + self.length
        self.left -= count


class _OwnCount(Struct):
    """The same of a window that we count ourselves: `left` now, below none where others' reserve is used; and each
    request comes `back` a `length` after it left."""

    left: int
    share: int
    back: deque[tuple[float, int]]
    length: float

    def free(self, at: float) -> int:
        return self.left + sum(count for then, count in self.back if then <= at)

    def ready(self, cost: int, at: float) -> float:
        """See `_Share`."""
        free = self.free(at)
        if free >= min(cost, self.share):
            return at
        for then, count in self.back:
            free += count if then > at else 0
            if then > at and free >= min(cost, self.share):
                return then
        return math.inf

    def reserve(self, count: int, at: float) -> None:
        while self.back and self.back[0][0] <= at:
            self.left += self.back.popleft()[1]
        self.left -= count
        then = at + self.length
        if self.back and self.back[-1][0] > then - self.length / BUCKETS:  # as the gate counts them
            count += self.back.pop()[1]
        self.back.append((then, count))


class Departures:
    """When requests of one class leave, if nothing else does: as the gate lets them, and `each_s` seconds apart.

    `last`: when the latest left; `days`: how often a spent day had to be waited for; `today`: how many left before.
    """

    def __init__(self, quota: Quota, cls: RequestClass, now: float, start: float, each_s: float) -> None:
        self.at = start
        self.last = start
        self.today = 0
        self._each_s = each_s
        self._day = day = _share(quota.day, cls, DAY_S, now)
        # A day that is used up already is waited for too, where a pause lasts until its end.
        self.days = int(day is not None and day.ready(1, 0.0) > 0.0 and day.ready(1, start) <= start)
        minute = _share(quota.minute, cls, MINUTE_S, now)
        self._shares = tuple(share for share in (minute, self._day) if share is not None)

    @property
    def ever(self) -> bool:
        """Whether the windows let anything leave at all."""
        return all(share.share > 0 for share in self._shares)

    def ready(self, cost: int) -> float:
        """When `cost` requests may leave together."""
        at = self.at
        while (later := max((share.ready(cost, at) for share in self._shares), default=at)) > at:
            at = later  # what is free in one window then may not be in the other any more
        return at

    def wait(self, cost: int) -> None:
        """Let time pass until `cost` requests may leave together."""
        at = self.ready(cost)
        if self._day is not None and self._day.ready(cost, self.at) > self.at:
            self.days += 1
        self.at = at

    def most(self, wanted: int) -> int:
        """How many of so many requests may leave at this moment."""
        return min([wanted, *(share.free(self.at) for share in self._shares)])

    def leave(self, count: int) -> None:
        """Count this many requests as sent at this moment, one after the other."""
        if not self.days:
            self.today += count
        for share in self._shares:
            share.reserve(count, self.at)
        self.last = self.at + (count - 1) * self._each_s
        self.at += count * self._each_s


def _share(window: Window, cls: RequestClass, length: float, now: float) -> _Share | _OwnCount | None:
    """The class's part of a window; None for a window without a known limit."""
    if window.limit is None:
        return None
    kept = reserve(cls, window.limit)
    used = sum(count for _, count in window.returns)
    if window.own_count and used >= window.limit - (window.remaining or 0):
        back = deque((max(0.0, at - now), count) for at, count in window.returns)
        return _OwnCount(window.limit - used - kept, window.limit - kept, back, length)
    period = length if window.own_count else length + AFTER_RESET_S
    remaining = window.limit if window.remaining is None else window.remaining
    if window.resets_at is not None:
        opens = max(0.0, window.resets_at - now) + period - length
    else:
        # A whole window begins with its first request; when a begun one ends is unknown: a length from now at most.
        opens = 0.0 if remaining >= window.limit else period
    return _Share(max(0, remaining - kept), window.limit - kept, opens, period)


def departures(quota: Quota, view: GateView, cls: RequestClass, now: float, each_s: float) -> Departures | None:
    """What leaves from now (UTC epoch seconds) on; None where that is unknown, or nothing will."""
    start = _opens_in(view, cls, now)
    if start is None:
        return None
    leaving = Departures(quota, cls, now, start, each_s)
    return leaving if leaving.ever else None


def _opens_in(view: GateView, cls: RequestClass, now: float) -> float | None:
    """In how many seconds a pause, a spent window, a ban or what holds back changes is over."""
    if view.hold is not None and cls is RequestClass.CHANGES:
        return None if view.hold.until is None else max(0.0, view.hold.until - now)
    if view.phase in (GatePhase.OPEN, GatePhase.PROBING):
        return 0.0
    if view.phase is GatePhase.LOCKED or view.until is None:
        return None
    return max(0.0, view.until - now)


def finish_time(
    requests: int, quota: Quota, view: GateView, cls: RequestClass, now: float, each_s: float = 0.0
) -> float | None:
    """In how many seconds the last of so many requests leaves; None where that is unknown (no key, a window of none).

    First what is left of this window without the class's reserve, then whole windows and days; a pause, a spent window
    or a ban is waited for before. `now`: UTC epoch seconds; `each_s`: seconds from one request to the next.
    """
    leaving = departures(quota, view, cls, now, each_s)
    if leaving is None:
        return None
    leave_all(requests, leaving)
    return leaving.last


def leave_all(requests: int, leaving: Departures) -> None:
    """Let so many requests leave, one after the other."""
    while requests > 0:
        leaving.wait(1)
        going = leaving.most(requests)
        leaving.leave(going)
        requests -= going
