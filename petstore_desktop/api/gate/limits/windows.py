"""The windows, from a second's to a day's: requests left, and our own count of one that the service does not report."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec.structs import replace

from petstore_desktop.api.gate.model import GateState, WindowCount
from petstore_desktop.api.headers.limit_headers import LimitSpan
from petstore_desktop.domain.quota import Plan

SPANS = tuple(LimitSpan)
BUCKETS = 240
"""Our own count forgets a send this many parts of the window's length after it, at most one part late, never early."""


ROUNDED = 5.0
"""Seconds by which a window may have begun earlier than its told end says."""
_RETURNS = 60
"""In so many parts at most it is told when requests of our own count are free again."""
REMEMBERED = 0.75
"""So much of what others took of a window counts in the next one, before answers show it."""


def count_send(window: WindowCount, cost: int, now: float) -> WindowCount:
    """`cost` requests leave; our own count is kept even while the service speaks, for it may fall silent."""
    bucket = int(now // (window.length / BUCKETS))
    kept = [entry for entry in window.sends if bucket - BUCKETS <= entry[0] < bucket]
    last = sum([count for number, count in window.sends if number >= bucket])
    return replace(window, sends=(*kept, (bucket, last + cost)))


def take_back_send(window: WindowCount, cost: int, left: float) -> WindowCount:
    """`cost` requests that were counted at `left` did not leave after all."""
    bucket = int(left // (window.length / BUCKETS))
    sends = ((number, count - cost if number == bucket else count) for number, count in window.sends)
    return replace(window, sends=tuple(sends))


def less(remaining: int | None, cost: int) -> int | None:
    """The requests left after `cost` more: never below 0, by which a used up window is known."""
    return None if remaining is None else max(0, remaining - cost)


def count_unspoken(window: WindowCount, cost: int, now: float) -> WindowCount:
    """`cost` requests ended without a word about the window: they may have been counted.

    If they are the first of a window whose end is not known, it ends a whole length after them at the latest.
    """
    if not window.spoken or window.remaining is None:
        return window
    opens_at = now + window.length if window.opens_at is None else window.opens_at
    return replace(window, remaining=less(window.remaining, cost), opens_at=opens_at)


def with_others(known: WindowCount, told: WindowCount) -> WindowCount:
    """The window that an answer has spoken of, with what others have taken of it. `known`: as it was before."""
    if told.limit is None or told.remaining is None or told.resets_at is None:
        return told
    began = told.resets_at - told.length - ROUNDED  # what we sent right at its beginning was not sent by others
    own = sum(count for bucket, count in told.sends if (bucket + 1) * (told.length / BUCKETS) > began)
    is_new = known.resets_at is None or told.resets_at - known.resets_at > told.length / 2
    before = known.others if is_new else known.before
    taken = max(0, told.limit - told.remaining - own)
    return replace(told, others=max(taken, math.floor(REMEMBERED * before)), before=before)


def roll(window: WindowCount, now: float) -> WindowCount:
    """Take a window whose end has passed to be full again, until the service says otherwise."""
    if window.opens_at is None or now < window.opens_at:
        return window
    return replace(window, remaining=window.limit, resets_at=None, opens_at=None, mark=None)


def own_limit(plan: Plan | None, span: LimitSpan) -> int | None:
    """The plan's limit, for where the service itself does not speak of the window."""
    if plan is None or span not in (LimitSpan.MINUTE, LimitSpan.DAY):
        return None
    return plan.per_minute if span is LimitSpan.MINUTE else plan.per_day


def free(state: GateState, span: LimitSpan, now: float) -> tuple[int | None, int | None]:
    """(limit, requests that may be sent now); None if unknown. Requests in flight are subtracted, counted or not."""
    window = state.window(span)
    if window.spoken:
        on_the_way = sum(flight.cost for flight in state.flights)
        return window.limit, None if window.remaining is None else max(0, window.remaining - on_the_way)
    limit = own_limit(state.plan, span)
    return limit, None if limit is None else max(0, limit - sum(count for _, count in _counted(window, now)))


def frees_at(state: GateState, span: LimitSpan, wanted: int, now: float) -> float | None:
    """Steady second at which `wanted` requests are free, if nothing else leaves; None where unknown."""
    window = state.window(span)
    _, left = free(state, span, now)
    if left is None or left >= wanted:
        return now
    if window.spoken:
        return window.opens_at
    for bucket, count in _counted(window, now):
        left += count
        if left >= wanted:
            return _forgotten_at(window, bucket)
    return None


def returns(window: WindowCount, now: float) -> list[tuple[float, int]]:
    """When how many requests of our own count are free again, the soonest first."""
    counted = [(_forgotten_at(window, bucket), count) for bucket, count in _counted(window, now)]
    size = -(-len(counted) // _RETURNS) or 1
    parts = (counted[begin : begin + size] for begin in range(0, len(counted), size))
    return [(part[-1][0], sum(count for _, count in part)) for part in parts]


def _counted(window: WindowCount, now: float) -> Iterator[tuple[int, int]]:
    return ((bucket, count) for bucket, count in window.sends if now < _forgotten_at(window, bucket))


def _forgotten_at(window: WindowCount, bucket: int) -> float:
    return (bucket + 1) * (window.length / BUCKETS) + window.length


def forget_if_spent(state: GateState, span: LimitSpan, now: float) -> WindowCount:
    """Clear the stored values of a window that had nothing left."""
    window = state.window(span)
    if _spent_until(state, span, window, now) is None:
        return window
    return replace(window, remaining=None, resets_at=None, opens_at=None, mark=None, sends=(), others=0, before=0)


def spent_until(state: GateState, now: float) -> float | None:
    """When the last of the windows with nothing left opens; None while all have something left."""
    ends = [_spent_until(state, span, state.window(span), now) for span in SPANS]
    return max((end for end in (state.spent, *ends) if end is not None), default=None)


def told_spent_until(state: GateState) -> float | None:
    """The same of the windows that the service itself says are used up, whatever our own count says."""
    told = [window.opens_at for window in state.windows if window.spoken and window.remaining == 0]
    return max((end for end in (state.spent, *told) if end is not None), default=None)


def _spent_until(state: GateState, span: LimitSpan, window: WindowCount, now: float) -> float | None:
    if window.spoken:
        return window.opens_at if window.remaining == 0 else None
    _, left = free(state, span, now)
    return frees_at(state, span, 1, now) if left == 0 else None
