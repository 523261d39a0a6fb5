"""Windows as the gate tells them, made from what a person sees of them."""

from __future__ import annotations

import math

from petstore_desktop.domain.quota import (
    AFTER_RESET_S,
    BUCKETS,
    LENGTHS,
    LimitSpan,
    Plan,
    Quota,
    RateWindows,
    Window,
    WindowCount,
)

UNKNOWN = Window()


def told(now: float, minute: Window = UNKNOWN, day: Window = UNKNOWN, *, steady: float = 0.0) -> Quota:
    """Both windows at `now` (UTC epoch seconds), which is that steady second. Of our own count, all that is used comes
    back at one moment."""
    spans, ahead = {LimitSpan.MINUTE: minute, LimitSpan.DAY: day}, now - steady
    own = {span: window.limit if window.own_count else None for span, window in spans.items()}
    counts = {span.value: _count(LENGTHS[span], window, steady, ahead) for span, window in spans.items()}
    plan = Plan("own", own[LimitSpan.MINUTE], own[LimitSpan.DAY])
    return Quota(minute, day, None, RateWindows(plan, **counts, ahead=ahead))


def _count(length: float, window: Window, now: float, ahead: float) -> WindowCount:
    ends = None if window.resets_at is None else window.resets_at - ahead
    if not window.own_count:
        spoken, opens_at = window != UNKNOWN, None if ends is None else ends + AFTER_RESET_S
        return WindowCount(length, window.limit, window.remaining, ends, opens_at, spoken=spoken, others=window.others)
    used = (window.limit or 0) - (window.remaining or 0)
    back = math.ceil(((now + length if ends is None else ends) - length) / (length / BUCKETS)) - 1
    return WindowCount(length, sends=((back, used),) if used else ())
