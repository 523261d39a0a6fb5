"""What answers, and requests that came to nothing, do to one window; and when the gate's windows are used up."""

from __future__ import annotations

import math

from msgspec.structs import replace

from petstore_desktop.api.gate.model import GateState
from petstore_desktop.domain.quota import BUCKETS, SPANS, LimitSpan, WindowCount

ROUNDED = 5.0
"""Seconds by which a window may have begun earlier than its told end says."""
REMEMBERED = 0.75
"""So much of what others took of a window counts in the next one, before answers show it."""


def take_back_send(window: WindowCount, cost: int, left: float) -> WindowCount:
    """`cost` requests that were counted at `left` did not leave after all."""
    bucket = int(left // (window.length / BUCKETS))
    sends = ((number, count - cost if number == bucket else count) for number, count in window.sends)
    return replace(window, sends=tuple(sends))


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


def forget_if_spent(state: GateState, span: LimitSpan, now: float) -> WindowCount:
    """Clear the stored values of a window that had nothing left."""
    window = state.window(span)
    if _spent_until(state, span, now) is None:
        return window
    return replace(window, remaining=None, resets_at=None, opens_at=None, mark=None, sends=(), others=0, before=0)


def spent_until(state: GateState, now: float) -> float | None:
    """When the last of the windows with nothing left opens; None while all have something left."""
    ends = [_spent_until(state, span, now) for span in SPANS]
    return max((end for end in (state.spent, *ends) if end is not None), default=None)


def told_spent_until(state: GateState) -> float | None:
    """The same of the windows that the service itself says are used up, whatever our own count says."""
    told = [window.opens_at for window in state.windows if window.spoken and window.remaining == 0]
    return max((end for end in (state.spent, *told) if end is not None), default=None)


def _spent_until(state: GateState, span: LimitSpan, now: float) -> float | None:
    window = state.window(span)
    if window.spoken:
        return window.opens_at if window.remaining == 0 else None
    return state.frees_at(span, 1, now) if state.free(span, now) == 0 else None
