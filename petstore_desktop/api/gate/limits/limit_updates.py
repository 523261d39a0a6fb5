"""What the service says of its windows, believed with care: answers cross, come late, and leave things out."""

from __future__ import annotations

import math
from collections.abc import Collection

from msgspec.structs import replace

from petstore_desktop.api.gate import back_off
from petstore_desktop.api.gate.back_off import Wait
from petstore_desktop.api.gate.limits.windows import with_others
from petstore_desktop.api.gate.model import Flight, GateState
from petstore_desktop.api.headers.limit_headers import AnswerFacts, WindowFacts
from petstore_desktop.domain.quota import ROUNDING, LimitSpan, Plan, WindowCount, less

LONGEST_MINUTE = 90.0
"""Seconds. A reset further away than this belongs to the longer window."""

SAME_RESET = 2.0
"""Seconds by which two answers of one window may differ in the distance to its reset."""

_LIMITS_OF_A_DAY = 10_000
"""Where a service names no reset, a limit from here on is taken for a day's (specification, "Rate limits by plan")."""


def take_statements(state: GateState, answer: AnswerFacts, flight: Flight | None, now: float) -> GateState:
    """Believe what the service says of its windows: it always wins over our own count."""
    told = [
        facts for facts in answer.limits.windows if not facts.other and (facts.limit or facts.remaining is not None)
    ]
    spans = infer_spans(told, state.day, state.plan)
    for span in dict.fromkeys(spans):
        # Of several that are taken for one window, the one with the least left is heeded.
        facts = min((one for one, its in zip(told, spans, strict=True) if its is span), key=_left)
        taken = _take(state, facts, span, flight, now)
        if (
            span is LimitSpan.DAY
            and taken is not state
            and len(told) == 1
            and _is_taken_for_the_minute(state.minute, facts)
        ):
            taken = replace(taken, minute=WindowCount(state.minute.length, sends=state.minute.sends))
        state = taken
    return state


def _left(facts: WindowFacts) -> float:
    return math.inf if facts.remaining is None else facts.remaining


def _is_taken_for_the_minute(minute: WindowCount, facts: WindowFacts) -> bool:
    """Whether the minute's stored values were really the day's, met in the day's last minute."""
    return minute.spoken and facts.span is None and facts.limit is not None and minute.limit == facts.limit


def _take(state: GateState, facts: WindowFacts, span: LimitSpan, flight: Flight | None, now: float) -> GateState:
    window = state.window(span)
    met = window if flight is None else flight.met.get(span)
    if met is not None and (_older_window(met, facts, now) or (facts.remaining != 0 and _is_shut(window, now))):
        return state
    state = _met_by_others(state, span, facts, flight, now)
    return replace(state.with_window(span, _stated(window, facts, met, now)), heard=True)


def _is_shut(window: WindowCount, now: float) -> bool:
    """Whether nothing is left of it, and the service did not say until when: answers to what left before do not open
    it."""
    opens_at = window.opens_at if window.resets_at is None else None
    return window.remaining == 0 and opens_at is not None and now < opens_at


def _met_by_others(state: GateState, span: LimitSpan, facts: WindowFacts, mine: Flight | None, now: float) -> GateState:
    """Those still on their way may have been counted before this answer was made, or after it."""

    def met(flight: Flight) -> Flight:
        if mine is not None and flight.ask.ticket == mine.ask.ticket:
            return flight  # the second request of a pair leaves after the answer to the first
        return replace(flight, met={**flight.met, span: _met(flight.met.get(span), facts, now)})

    return replace(state, flights=tuple(map(met, state.flights)))


def _met(before: WindowCount | None, facts: WindowFacts, now: float) -> WindowCount:
    """What a request on its way has met so far: the latest window, and the least that was said to be left of it."""
    told = WindowCount(0.0, remaining=facts.remaining, resets_at=_resets_at(facts, now), mark=facts.mark)
    if before is None:
        return told
    if _older_window(before, facts, now):
        return before
    if not _same_window(before, facts, told.resets_at):
        return told
    known = before if facts.reset_in is None else told
    if facts.remaining is None:
        return replace(known, remaining=less(before.remaining, 1))
    return replace(known, remaining=_crossed(told.remaining, before.remaining))


def met_unspoken(state: GateState, spans: Collection[LimitSpan], cost: int) -> GateState:
    """An answer said nothing of these windows, or none came: to those still on their way less is left all the same."""

    def counted(flight: Flight) -> Flight:
        met = {
            span: replace(window, remaining=less(window.remaining, cost)) if span in spans else window
            for span, window in flight.met.items()
        }
        return replace(flight, met=met) if met else flight

    return replace(state, flights=tuple(map(counted, state.flights)))


def _resets_at(facts: WindowFacts, now: float) -> float | None:
    return None if facts.reset_in is None else now + facts.reset_in


def infer_spans(told: list[WindowFacts], day: WindowCount, plan: Plan | None) -> list[LimitSpan]:
    """Which window each of the told ones is. Of two without a name one is the day: the one that reaches further."""
    spans = [facts.span or infer_span(facts, day, plan) for facts in told]
    if len(told) == 2 and spans[0] is spans[1] and told[0].span is told[1].span is None:
        first, second = ((facts.limit or 0, facts.reset_in or 0.0) for facts in told)
        return [LimitSpan.DAY, LimitSpan.MINUTE] if first > second else [LimitSpan.MINUTE, LimitSpan.DAY]
    return spans


def infer_span(facts: WindowFacts, day: WindowCount, plan: Plan | None) -> LimitSpan:
    """Decide whether an answer's limit is the minute's or the day's if it does not say so: by the plan, the distance of
    the reset, and the stored windows.

    1000 is Free's day and Business's minute, and in its last minute a day's reset is as near as a minute's.
    """
    if plan is not None and facts.limit is not None and plan.per_minute != plan.per_day:
        if facts.limit == plan.per_minute:
            return LimitSpan.MINUTE
        if facts.limit == plan.per_day:
            return LimitSpan.DAY
    if day.spoken and facts.limit is not None and facts.limit == day.limit:
        return LimitSpan.DAY
    if facts.reset_in is None:
        return LimitSpan.DAY if facts.limit is not None and facts.limit >= _LIMITS_OF_A_DAY else LimitSpan.MINUTE
    return LimitSpan.DAY if facts.reset_in > LONGEST_MINUTE else LimitSpan.MINUTE


def _stated(window: WindowCount, facts: WindowFacts, met: WindowCount | None, now: float) -> WindowCount:
    """The window after an answer speaks of it. `met` is what others said of it while the request was on its way."""
    remaining = facts.remaining
    resets_at, mark = _resets_at(facts, now), facts.mark
    opens_at = now + back_off.pause_length(Wait.SPENT, reset_in=facts.opens_in, jitter=ROUNDING)
    if met is not None and _same_window(met, facts, resets_at):
        remaining = _crossed(remaining, met.remaining)
    if window.spoken and _same_window(window, facts, resets_at):
        if facts.remaining is None:
            remaining = less(window.remaining, 1)
        if facts.reset_in is None and window.resets_at is not None:
            # What was known of the end is not forgotten for an answer that does not name it; if that is over by the
            # service's own clock, the window is not, as this answer shows.
            opens_at, mark = window.opens_at or opens_at, window.mark
            resets_at = window.resets_at if window.resets_at > now else opens_at
    stated = replace(
        window,
        limit=facts.limit if facts.limit is not None else (window.limit if window.spoken else None),
        remaining=remaining,
        resets_at=resets_at,
        opens_at=opens_at,
        mark=mark,
        spoken=True,
    )
    return with_others(window, stated)


def _crossed(one: int | None, other: int | None) -> int | None:
    """The requests left after two answers out of order: the smaller number was counted later."""
    known = [count for count in (one, other) if count is not None]
    return min(known, default=None)


def _same_window(window: WindowCount, facts: WindowFacts, resets_at: float | None) -> bool:
    if window.mark is not None and facts.mark is not None:
        return window.mark == facts.mark
    if resets_at is None:
        return True
    return window.resets_at is not None and abs(window.resets_at - resets_at) <= SAME_RESET


def _older_window(window: WindowCount, facts: WindowFacts, now: float) -> bool:
    """Whether an answer that was long on its way speaks of a window that ended before the one known now."""
    if window.mark is not None and facts.mark is not None:
        return facts.mark < window.mark
    known = window.resets_at
    return known is not None and facts.reset_in is not None and now + facts.reset_in < known - SAME_RESET
