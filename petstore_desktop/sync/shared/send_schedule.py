"""When requests of one class leave, as the gate will let them. Pure. Times are seconds from now unless they say
otherwise."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable

from msgspec.structs import replace

from petstore_desktop.domain.quota import (
    AFTER_RESET_S,
    BUCKETS,
    LENGTHS,
    ROUNDING,
    SPANS,
    GatePhase,
    GateView,
    LimitSpan,
    Quota,
    RateWindows,
    RequestClass,
    WindowCount,
    count_unspoken,
    roll,
)

MINUTE_S, DAY_S = LENGTHS[LimitSpan.MINUTE], LENGTHS[LimitSpan.DAY]


class Departures:
    """When requests of one class leave, if nothing else does: the gate's own windows as time goes on, with each request
    `each_s` seconds after the one before.

    `last`: when the latest left; `days`: how often a spent day had to be waited for; `today`: how many left before.
    """

    def __init__(self, quota: Quota, cls: RequestClass, now: float, start: float, each_s: float) -> None:
        self.at = start
        self.last = start
        self.today = 0
        self.each_s = each_s
        self._cls = cls
        self._began = now - quota.rates.ahead
        self._rates = quota.rates.with_windows(lambda window: _on_the_mean(window, self._began))
        self._spans = [span for span in SPANS if quota.rates.limit(span) is not None]
        self._room = 0
        """So many may leave at any time from now on, whatever opens meanwhile."""
        self._leaving, self._since = 0, start
        """So many have left since then, one after the other, and are not counted yet."""
        # A day that is used up already is waited for too, where a pause lasts until its end.
        self.days = int(self._day_ready(1, 0.0) > 0.0 and self._day_ready(1, start) <= start)

    @property
    def ever(self) -> bool:
        """Whether the windows let anything leave at all."""
        return all((self._rates.limit(span) or 0) > self._rates.leaves(span, self._cls) for span in self._spans)

    def ready(self, cost: int) -> float:
        """When `cost` requests may leave together."""
        if cost <= self._room:
            return self.at
        self._count()
        at = self.at
        while (later := max((self._ready(span, cost, at) for span in self._spans), default=at)) > at:
            at = later  # what is free in one window then may not be in the other any more
        if at == self.at:
            self._room = self._free()
        return at

    def wait(self, cost: int) -> None:
        """Let time pass until `cost` requests may leave together."""
        at = self.ready(cost)
        if at > self.at:
            self.days += self._day_ready(cost, self.at) > self.at
            self.at = self._since = at
            self._room = self._free()

    def most(self, wanted: int) -> int:
        """How many of so many requests may leave at this moment."""
        if wanted > self._room:
            self._count()
            self._room = self._free()
        return min(wanted, self._room)

    def leave(self, count: int) -> None:
        """Count this many requests as sent at this moment, one after the other."""
        if not self.days:
            self.today += count
        self._leaving += count
        self._room -= count
        self.last = self.at + (count - 1) * self.each_s
        self.at += count * self.each_s

    def _count(self) -> None:
        if self._leaving:
            first, count, each_s = self._began + self._since, self._leaving, self.each_s
            self._rates = self._each_limited(lambda window: _taken(window, count, first, each_s))
        self._leaving, self._since = 0, self.at

    def _free(self) -> int:
        rates, steady = self._rolled(self.at), self._began + self.at
        room = [(rates.free(span, steady) or 0) - rates.leaves(span, self._cls) for span in self._spans]
        return min(room, default=_UNLIMITED)

    def _ready(self, span: LimitSpan, cost: int, at: float) -> float:
        room_at = self._rolled(at).room_at(span, self._cls, cost, self._began + at)
        return math.inf if room_at is None else max(at, room_at - self._began)

    def _day_ready(self, cost: int, at: float) -> float:
        return self._ready(LimitSpan.DAY, cost, at) if LimitSpan.DAY in self._spans else at

    def _rolled(self, at: float) -> RateWindows:
        now = self._began + at
        return self._each_limited(lambda window: roll(window, now))

    def _each_limited(self, change: Callable[[WindowCount], WindowCount]) -> RateWindows:
        """The windows, with this done to each that limits anything."""
        rates = self._rates
        for span in self._spans:
            before = rates.window(span)
            after = change(before)
            if after is not before:
                rates = rates.with_window(span, after)
        return rates


_UNLIMITED = 2**62


def _on_the_mean(window: WindowCount, now: float) -> WindowCount:
    """What a service leaves open of a window: all is taken to be left, and a begun one to end a length from now."""
    if not window.spoken or window.limit is None:
        return window
    remaining, opens_at = window.limit if window.remaining is None else window.remaining, window.opens_at
    if opens_at is None and remaining < window.limit:
        opens_at = now + window.length + AFTER_RESET_S
    return replace(window, remaining=remaining, opens_at=opens_at)


def _taken(window: WindowCount, count: int, first: float, each_s: float) -> WindowCount:
    """So many leave, the first of them then, and nothing else is known of them but that the first in a window that is
    over shows that."""
    if not window.spoken:
        return _counted_here(window, count, first, each_s)
    while count:
        window = roll(window, first)
        if window.resets_at is not None and first >= window.resets_at + ROUNDING:
            window = window.rolled
        window = count_unspoken(window, 1, first + AFTER_RESET_S)
        here = _before(window.opens_at, first, each_s, count)
        window = count_unspoken(window, here - 1, first + AFTER_RESET_S)
        count -= here
        first += here * each_s
    return window


def _before(end: float | None, first: float, each_s: float, count: int) -> int:
    """How many of so many leave before a window ends, one at least."""
    return count if end is None or not each_s else max(1, min(count, math.ceil((end - first) / each_s)))


def _counted_here(window: WindowCount, count: int, first: float, each_s: float) -> WindowCount:
    """Our own count with these; see `count_send`."""
    width = window.length / BUCKETS
    added = Counter(int((first + number * each_s) // width) for number in range(count)) if each_s else None
    added = added or {int(first // width): count}
    sends = dict.fromkeys(added, 0)
    last = max(added)
    sends |= {bucket: sent for bucket, sent in window.sends if bucket >= last - BUCKETS}
    for bucket, sent in added.items():
        sends[bucket] += sent
    return replace(window, sends=tuple(sorted(item for item in sends.items() if item[0] >= last - BUCKETS)))


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


def leave_all(requests: int, leaving: Departures, together: int = 1) -> None:
    """Let so many requests leave, one after the other, each time so many `together` at least."""
    while requests > 0:
        leaving.wait(together)
        going = leaving.most(requests) // together * together
        going = max(together, going)  # one may: it can be the one that shows that a window is over
        leaving.leave(going)
        requests -= going
