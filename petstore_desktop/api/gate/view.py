"""The gate as a person may see it."""

from __future__ import annotations

from msgspec.structs import replace

from petstore_desktop.api.gate.limits.windows import free, frees_at, returns, spent_until
from petstore_desktop.api.gate.model import MAIN, GateState
from petstore_desktop.api.gate.request_order import changes_held
from petstore_desktop.api.headers.limit_headers import LimitSpan
from petstore_desktop.clock import Instant
from petstore_desktop.domain.quota import GatePhase, GateView, Hold, Quota, Window

ASKS_ABOVE = 86_400.0
"""A pause of more seconds than this is obeyed, and a person is asked."""

SAME_MOMENT = 1.0
"""Seconds by which a shown moment may move before it is shown anew."""

A_MOMENT = 2.0
"""Seconds for which it is not told that changes wait: of a pace of one a second that would come and go."""

SAME_SKEW = 2.0


def phase_at(state: GateState, now: float) -> GatePhase:
    """The gate's state at this moment."""
    if MAIN in state.locked:
        return GatePhase.LOCKED
    spent = spent_until(state, now)
    if state.closure is not None:
        waiting = spent is not None or now < state.closure.until
        return state.closure.phase if waiting else GatePhase.PROBING
    return GatePhase.OPEN if spent is None else GatePhase.SPENT


def view_of(state: GateState, now: Instant) -> GateView:
    """The view; moments are told by this computer's wall clock as it stands now."""
    phase = phase_at(state, now.steady)
    status, reason, raw = _why(state)
    length = state.closure and state.closure.length
    return GateView(
        phase=phase,
        since=None if phase is GatePhase.OPEN else _wall(state.since, now),
        until=_wall(_until(state, phase, now.steady), now),
        reason=reason,
        status=status,
        raw=raw,
        persisted=state.persisted,
        ask_person=phase in (GatePhase.PAUSED, GatePhase.BANNED) and (length or 0.0) > ASKS_ABOVE,
        length=length,
        longer=state.closure and state.closure.longer,
        hold=_hold(state, now) if phase in (GatePhase.OPEN, GatePhase.SPENT) else None,
    )


def _hold(state: GateState, now: Instant) -> Hold | None:
    held = changes_held(state, now.steady)
    if held is None or (held.at is not None and held.at - now.steady <= A_MOMENT):
        return None
    return Hold(held.by, _wall(held.at, now))


def _why(state: GateState) -> tuple[int | None, str | None, str | None]:
    """Status, message and text of the answer that brought the present state."""
    locked = state.locked.get(MAIN)
    if locked is not None:
        return locked.status, locked.message, locked.raw
    closure = state.closure
    return (None, None, None) if closure is None else (closure.status, closure.reason, closure.raw)


def quota_of(state: GateState, now: Instant) -> Quota:
    """Both windows and the clock's skew."""
    shown = state.shown_quota.skew
    skew = state.skew
    if skew is not None:
        skew = shown if shown is not None and abs(shown - skew) <= SAME_SKEW else float(round(skew))
    return Quota(_window(state, LimitSpan.MINUTE, now), _window(state, LimitSpan.DAY, now), skew)


def with_returns(quota: Quota, state: GateState, now: Instant) -> Quota:
    """The windows with when what we count ourselves comes back: for who is told of them, not at each step."""

    def told(window: Window, span: LimitSpan) -> Window:
        if not window.own_count:
            return window
        back = returns(state.window(span), now.steady)
        return replace(window, returns=tuple((now.wall + at - now.steady, count) for at, count in back))

    return replace(quota, minute=told(quota.minute, LimitSpan.MINUTE), day=told(quota.day, LimitSpan.DAY))


def same_view(one: GateView, other: GateView) -> bool:
    """Whether a person would see no difference."""
    same = replace(one, since=other.since, until=other.until, length=other.length, hold=other.hold) == other
    return same and _close(one.until, other.until) and _close(one.since, other.since) and _same_hold(one, other)


def _same_hold(one: GateView, other: GateView) -> bool:
    if one.hold is None or other.hold is None:
        return one.hold is other.hold
    return one.hold.by is other.hold.by and _close(one.hold.until, other.hold.until)


def same_quota(one: Quota, other: Quota) -> bool:
    """Whether a person would see no difference."""
    pairs = ((one.minute, other.minute), (one.day, other.day))
    return one.skew == other.skew and all(
        (a.limit, a.remaining, a.own_count) == (b.limit, b.remaining, b.own_count) and _close(a.resets_at, b.resets_at)
        for a, b in pairs
    )


def _until(state: GateState, phase: GatePhase, now: float) -> float | None:
    if phase in (GatePhase.OPEN, GatePhase.PROBING, GatePhase.LOCKED):
        return None
    moments = [spent_until(state, now), state.closure and state.closure.until]
    return max((moment for moment in moments if moment is not None), default=None)


def _window(state: GateState, span: LimitSpan, now: Instant) -> Window:
    window = state.window(span)
    limit, left = free(state, span, now.steady)
    if window.spoken:
        return Window(window.limit, window.remaining, _wall(window.resets_at, now), others=window.others)
    if limit is None:
        return Window()
    next_at = frees_at(state, span, 1, now.steady) if left == 0 else None
    return Window(limit, left, _wall(next_at, now), own_count=True)


def _wall(steady: float | None, now: Instant) -> float | None:
    return None if steady is None else now.wall + (steady - now.steady)


def _close(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return abs(one - other) < SAME_MOMENT
