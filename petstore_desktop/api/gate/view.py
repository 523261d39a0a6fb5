"""The gate as a person may see it."""

from __future__ import annotations

from msgspec.structs import replace

from petstore_desktop.api.gate.limits.windows import spent_until
from petstore_desktop.api.gate.model import MAIN, GateState
from petstore_desktop.api.gate.request_order import changes_held
from petstore_desktop.clock import Instant
from petstore_desktop.domain.quota import GatePhase, GateView, Hold, LimitSpan, Quota, Window, WindowCount

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
    """Both windows, the clock's skew, and all that the windows are reckoned with."""
    shown = state.shown_quota.skew
    skew = state.skew
    if skew is not None:
        skew = shown if shown is not None and abs(shown - skew) <= SAME_SKEW else float(round(skew))
    ahead = now.wall - now.steady
    minute, day = (state.view(span, now.steady, ahead) for span in (LimitSpan.MINUTE, LimitSpan.DAY))
    return Quota(minute, day, skew, state.told(ahead))


def same_view(one: GateView, other: GateView) -> bool:
    """Whether a person would see no difference."""
    same = replace(one, since=other.since, until=other.until, length=other.length, hold=other.hold) == other
    return same and _close(one.until, other.until) and _close(one.since, other.since) and _same_hold(one, other)


def _same_hold(one: GateView, other: GateView) -> bool:
    if one.hold is None or other.hold is None:
        return one.hold is other.hold
    return one.hold.by is other.hold.by and _close(one.hold.until, other.hold.until)


def same_quota(one: Quota, other: Quota) -> bool:
    """Whether a person would see no difference, nor is anything else to be expected of the windows."""
    ends = [(a.resets_at, b.resets_at) for a, b in zip(_told(one), _told(other), strict=True)]
    return _numbers(one) == _numbers(other) and all(_close(*pair) for pair in ends)


def _told(quota: Quota) -> tuple[Window | WindowCount, ...]:
    return quota.minute, quota.day, quota.rates.hour


def _numbers(quota: Quota) -> tuple[object, ...]:
    numbers = [(window.limit, window.remaining) for window in _told(quota)]
    return quota.skew, quota.minute.own_count, quota.day.own_count, quota.rates.second.limit, *numbers


def _until(state: GateState, phase: GatePhase, now: float) -> float | None:
    if phase in (GatePhase.OPEN, GatePhase.PROBING, GatePhase.LOCKED):
        return None
    moments = [spent_until(state, now), state.closure and state.closure.until]
    return max((moment for moment in moments if moment is not None), default=None)


def _wall(steady: float | None, now: Instant) -> float | None:
    return None if steady is None else now.wall + (steady - now.steady)


def _close(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return abs(one - other) < SAME_MOMENT
