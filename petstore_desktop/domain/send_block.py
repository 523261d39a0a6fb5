"""Why what waits does not leave: the gate's state and the windows, put together as a person has to know it."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.domain.quota import Cause, GatePhase, GateView, Hold, LimitSpan, Quota, Window, WindowCount

DAY_ABOVE = 5_400.0
"""Seconds. A 429 that brings a longer wait is about the day's requests: a minute's are back sooner, and where the
service names no time the wait is an hour at most. One of more than a day is about something else."""

_MINUTE_MOST = 90.0
"""Seconds that a used-up minute lasts at most (the gate takes a reset further away for the day's)."""

_DAY_MOST = 90_000.0
"""Seconds that a used-up day lasts at most: 24 h, and some for clocks, rounding and our own jitter."""

_SOON_S = 2.0

_UNAVAILABLE, _FIRST_ERROR = 503, 400


class SendBlock(Struct, frozen=True):
    """Something waits. `until`: UTC epoch seconds by this computer's clock, None where unknown; `window` is the
    one whose requests are used up; `skew` is by how many seconds the service's clock is ahead of ours, None where
    unknown."""

    cause: Cause
    gate: GateView
    until: float | None
    window: Window
    skew: float | None
    since: float | None = None
    """When the service could not be reached first (UTC epoch seconds)."""

    @property
    def asks(self) -> bool:
        """Whether a person is to be asked about so long a wait; a whole day is none, if the day's requests are gone."""
        usual = self.cause is Cause.DAY and (self.gate.length or 0.0) <= _DAY_MOST
        return self.gate.ask_person and not usual


def send_block_of(
    gate: GateView, quota: Quota, waiting: int, offline_since: float | None = None, *, keyless: bool = False
) -> SendBlock | None:
    """Why the `waiting` changes, or everything, waits; None where nothing does. `keyless`: no key is there to send
    with, which the gate does not know: nothing gets as far as there."""
    if gate.phase is GatePhase.OPEN:
        if keyless:
            return SendBlock(Cause.NO_KEY, gate, None, Window(), quota.skew)
        if offline_since is not None:
            return SendBlock(Cause.OFFLINE, gate, None, Window(), quota.skew, offline_since)
        return _held(gate, gate.hold, quota) if waiting and gate.hold is not None else None
    if waiting and gate.hold is not None and _is_later(gate.hold, gate):
        return _held(gate, gate.hold, quota)
    cause = _CAUSES.get(gate.phase) or (_spent(gate, quota) if gate.phase is GatePhase.SPENT else _paused(gate, quota))
    window = {Cause.MINUTE: quota.minute, Cause.DAY: quota.day}.get(cause, Window())
    return SendBlock(cause, gate, gate.until, window, quota.skew)


_CAUSES = {GatePhase.BANNED: Cause.BANNED, GatePhase.PROBING: Cause.PROBING, GatePhase.LOCKED: Cause.LOCKED}


def _is_later(hold: Hold, gate: GateView) -> bool:
    """Whether changes wait for longer than all else does."""
    return hold.until is not None and gate.until is not None and hold.until > gate.until + _SOON_S


def _held(gate: GateView, hold: Hold, quota: Quota) -> SendBlock:
    window = {Cause.SHARE: quota.day, Cause.MINUTE_SHARE: quota.minute}.get(hold.by, Window())
    return SendBlock(hold.by, gate, hold.until, window, quota.skew)


def _spent(gate: GateView, quota: Quota) -> Cause:
    """After a restart the windows are unknown, and only the length of the wait tells."""
    if 0 in (quota.minute.remaining, quota.day.remaining):
        return Cause.DAY if quota.day.remaining == 0 else Cause.MINUTE
    length = 0.0 if gate.until is None or gate.since is None else gate.until - gate.since
    return Cause.DAY if length > _MINUTE_MOST else Cause.MINUTE


def _paused(gate: GateView, quota: Quota) -> Cause:
    if gate.status == _UNAVAILABLE:
        return Cause.BUSY
    if gate.status is not None and gate.status < _FIRST_ERROR:
        return Cause.UNTOLD
    about_the_day = quota.day.remaining == 0 or DAY_ABOVE < (gate.length or 0.0) <= _DAY_MOST
    return Cause.DAY if about_the_day else Cause.ASKED


def quota_in(blocked: SendBlock | None, quota: Quota) -> Quota:
    """The windows as they are to be shown: a day that the service calls used up is used up, whatever our own count
    has left of it."""
    if blocked is None or blocked.cause is not Cause.DAY or quota.day.remaining == 0:
        return quota
    rates, until = quota.rates, blocked.until
    opens_at = None if until is None else until - rates.ahead
    spent = WindowCount(rates.day.length, quota.day.limit, 0, opens_at, opens_at, spoken=True)
    return replace(quota, day=Window(quota.day.limit, 0, until), rates=rates.with_window(LimitSpan.DAY, spent))
