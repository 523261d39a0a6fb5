"""Reckoning with the two windows: what the service said of them, and our own count of the one it does not speak of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from petstore_desktop.api import back_off
from petstore_desktop.api.back_off import Wait
from petstore_desktop.api.gate_model import Account, Flight, GateState
from petstore_desktop.api.limit_headers import AnswerFacts, Span, WindowFacts
from petstore_desktop.domain.quota import Plan

LONGEST_MINUTE = 90.0
"""Seconds. A reset further away than this belongs to the longer window."""

BUCKETS = 240
"""Our own count forgets a send this many parts of the window's length after it, at most one part late, never early."""

SAME_RESET = 2.0
"""Seconds by which two answers of one window may differ in the distance to its reset."""

_LIMITS_OF_A_DAY = 10_000
"""Where a service names no reset, a limit from here on is taken for a day's (specification, "Rate limits by plan")."""


def take_statements(
    state: GateState, answer: AnswerFacts, flight: Flight | None, now: float, jitter: float
) -> GateState:
    """Believe what the service says of its windows: it always wins over our own count."""
    for facts in answer.limits.windows:
        if facts.limit is None and facts.remaining is None:
            continue
        state = _take(state, facts, flight, now, jitter)
    return state


def _take(state: GateState, facts: WindowFacts, flight: Flight | None, now: float, jitter: float) -> GateState:
    span = facts.span or infer_span(facts, state.day, state.plan)
    account = state.minute if span is Span.MINUTE else state.day
    overlapped = flight is None or flight.statements != state.statements
    if (overlapped and _older_window(account, facts, now)) or (facts.remaining and _is_spent(account, now)):
        return replace(state, heard=True)
    told = _stated(account, facts, overlapped, now, jitter)
    if span is Span.MINUTE:
        return replace(state, minute=told, heard=True)
    mistaken = state.minute.spoken and facts.span is None and state.minute.limit == facts.limit
    minute = Account(state.minute.length, sends=state.minute.sends) if mistaken else state.minute
    return replace(state, minute=minute, day=told, heard=True)


def infer_span(facts: WindowFacts, day: Account, plan: Plan | None) -> Span:
    """Which window an answer means that does not say so: by the plan, the reset's distance, and what was known before.

    1000 is Free's day and Business's minute, and in its last minute a day's reset is as near as a minute's.
    """
    if plan is not None and facts.limit is not None and plan.per_minute != plan.per_day:
        if facts.limit == plan.per_minute:
            return Span.MINUTE
        if facts.limit == plan.per_day:
            return Span.DAY
    if facts.reset_in is None:
        return Span.DAY if (facts.limit or 0) >= _LIMITS_OF_A_DAY else Span.MINUTE
    known_day = day.spoken and facts.limit is not None and facts.limit == day.limit
    return Span.DAY if known_day or facts.reset_in > LONGEST_MINUTE else Span.MINUTE


def _stated(account: Account, facts: WindowFacts, overlapped: bool, now: float, jitter: float) -> Account:
    remaining = facts.remaining
    resets_at = None if facts.reset_in is None else now + facts.reset_in
    wait = back_off.pause_length(Wait.SPENT, retry_after=None, reset_in=facts.reset_in, strikes=1, jitter=jitter)
    opens_at = now + wait
    if account.spoken and _same_window(account, facts, resets_at):
        if remaining is None:
            remaining = account.remaining
        elif overlapped and account.remaining is not None:
            # Two answers crossed: whichever says less was counted later.
            remaining = min(remaining, account.remaining)
        if account.remaining == 0 and account.opens_at is not None:
            opens_at = max(opens_at, account.opens_at)
    return replace(
        account,
        limit=facts.limit if facts.limit is not None else (account.limit if account.spoken else None),
        remaining=remaining,
        resets_at=resets_at,
        opens_at=opens_at,
        mark=facts.mark,
        spoken=True,
    )


def _same_window(account: Account, facts: WindowFacts, resets_at: float | None) -> bool:
    if account.mark is not None and facts.mark is not None:
        return account.mark == facts.mark
    if account.resets_at is None or resets_at is None:
        return account.resets_at is resets_at
    return abs(account.resets_at - resets_at) <= SAME_RESET


def _older_window(account: Account, facts: WindowFacts, now: float) -> bool:
    """Whether an answer that was long on its way speaks of a window that ended before the one known now."""
    if account.mark is not None and facts.mark is not None:
        return facts.mark < account.mark
    if account.resets_at is None or facts.reset_in is None:
        return False
    return now + facts.reset_in < account.resets_at - SAME_RESET


def _is_spent(account: Account, now: float) -> bool:
    """Nothing is left until a moment the service named: what left before and says otherwise does not count."""
    return account.spoken and account.remaining == 0 and account.opens_at is not None and now < account.opens_at


def count_send(account: Account, cost: int, now: float) -> Account:
    """`cost` requests leave; our own count is kept even while the service speaks, for it may fall silent."""
    bucket = int(now // (account.length / BUCKETS))
    oldest = bucket - BUCKETS - 1
    kept = tuple(entry for entry in account.sends if oldest <= entry[0] < bucket)
    last = sum(count for number, count in account.sends if number >= bucket)
    return replace(account, sends=(*kept, (bucket, last + cost)))


def take_back_send(account: Account, cost: int, left: float) -> Account:
    """`cost` requests that were counted at `left` did not leave after all."""
    bucket = int(left // (account.length / BUCKETS))
    sends = ((number, count - cost if number == bucket else count) for number, count in account.sends)
    return replace(account, sends=tuple(entry for entry in sends if entry[1] > 0))


def count_unspoken(account: Account, cost: int) -> Account:
    """`cost` requests ended without a word about the window: they may have been counted."""
    if not account.spoken or account.remaining is None:
        return account
    return replace(account, remaining=max(0, account.remaining - cost))


def roll(account: Account, now: float) -> Account:
    """Take a window whose end has passed to be full again, until the service says otherwise."""
    if account.opens_at is None or now < account.opens_at:
        return account
    return replace(account, remaining=account.limit, resets_at=None, opens_at=None, mark=None)


def own_limit(plan: Plan | None, span: Span) -> int | None:
    """The plan's limit, for where the service itself does not speak of the window."""
    if plan is None:
        return None
    return plan.per_minute if span is Span.MINUTE else plan.per_day


def free(state: GateState, span: Span, now: float) -> tuple[int | None, int | None]:
    """(limit, requests that may leave now); None where unknown. What is in flight is taken off, counted or not."""
    account = state.minute if span is Span.MINUTE else state.day
    if account.spoken:
        on_the_way = sum(flight.cost for flight in state.flights)
        return account.limit, None if account.remaining is None else max(0, account.remaining - on_the_way)
    limit = own_limit(state.plan, span)
    return limit, None if limit is None else max(0, limit - sum(count for _, count in _counted(account, now)))


def frees_at(state: GateState, span: Span, wanted: int, now: float) -> float | None:
    """Steady second at which `wanted` requests are free, if nothing else leaves; None where unknown."""
    account = state.minute if span is Span.MINUTE else state.day
    _, left = free(state, span, now)
    if left is None or left >= wanted:
        return now
    if account.spoken:
        return account.opens_at
    for bucket, count in _counted(account, now):
        left += count
        if left >= wanted:
            return _forgotten_at(account, bucket)
    return None


def _counted(account: Account, now: float) -> Iterator[tuple[int, int]]:
    return ((bucket, count) for bucket, count in account.sends if now < _forgotten_at(account, bucket))


def _forgotten_at(account: Account, bucket: int) -> float:
    return (bucket + 1) * (account.length / BUCKETS) + account.length


def forget_if_spent(state: GateState, span: Span, now: float) -> Account:
    """The window with what was known of it taken away, if it had nothing left."""
    account = state.minute if span is Span.MINUTE else state.day
    if _spent_until(state, span, now) is None:
        return account
    return replace(account, remaining=None, resets_at=None, opens_at=None, mark=None, sends=())


def spent_until(state: GateState, now: float) -> float | None:
    """When a window with nothing left opens; None while both have something left."""
    moments = [_spent_until(state, span, now) for span in Span]
    return max((moment for moment in moments if moment is not None), default=None)


def _spent_until(state: GateState, span: Span, now: float) -> float | None:
    account = state.minute if span is Span.MINUTE else state.day
    if account.spoken:
        return account.opens_at if account.remaining == 0 else None
    _, left = free(state, span, now)
    return frees_at(state, span, 1, now) if left == 0 else None
