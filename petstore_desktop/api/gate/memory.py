"""What of the gate outlives the process: the pause, the doublings, and the windows.

In a snapshot all times of `payload` are steady seconds of the boot that wrote it; `restore` moves them to the present
boot. Between two boots only the wall clock tells how much time has passed, and not even that if it went back.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any, cast

from msgspec.structs import replace

from petstore_desktop.api.gate.limits.pace import LONGEST_SPAN
from petstore_desktop.api.gate.limits.windows import told_spent_until
from petstore_desktop.api.gate.model import Closure, GateState, Pace
from petstore_desktop.clock import Instant
from petstore_desktop.domain.quota import BUCKETS, GatePhase, GateSnapshot, LimitSpan, Plan, WindowCount

KEPT_EVERY = 10
"""Requests between two snapshots that bring nothing new but our own count."""

UNWRITTEN = KEPT_EVERY + 8
"""Requests that may be missing in the count after a kill: those, and four pairs that left at once."""

_CLOSED = (GatePhase.PAUSED, GatePhase.PROBING, GatePhase.BANNED, GatePhase.SPENT)


def lasting(state: GateState) -> tuple[object, ...]:
    """What must be on disk before anything else leaves; a snapshot is due when it has changed."""
    spent = [window.opens_at for window in state.windows if window.spoken and window.remaining == 0]
    pause = state.closure and (state.closure.phase, state.closure.until, state.closure.length)
    return (
        pause,
        state.strikes,
        state.bans,
        state.limited,
        state.spent,
        *spent,
        state.forbidden,
        state.barred,
        state.sent // KEPT_EVERY,
    )


def snapshot(state: GateState, now: Instant, *, clean: bool = False) -> GateSnapshot:
    """The gate as it is to be kept; `clean` when nothing leaves after it. A lock is not kept: to ask again is safe; nor
    is the end of what our own count has used up: it is reckoned anew from the sends, by the plan of that day."""
    closure = state.closure
    spent = told_spent_until(state)
    until = max((moment for moment in (closure and closure.until, spent) if moment is not None), default=None)
    phase = closure.phase if closure else GatePhase.OPEN if spent is None else GatePhase.SPENT
    rest = 0.0 if until is None else max(0.0, until - now.steady)
    # Of a pause that is over, and be it because a person ended it, nothing is left that could begin anew.
    length = max(rest, closure.length) if closure is not None and closure.until > now.steady else rest
    payload = {
        "steady": now.steady,
        "since": state.since,
        "status": closure and closure.status,
        "reason": closure and closure.reason,
        "raw": closure and closure.raw,
        "strikes": state.strikes,
        "bans": state.bans,
        "limited": state.limited,
        "forbidden": state.forbidden,
        "barred": state.barred,
        "pace": [state.pace.most, state.pace.span, state.pace.until],
        "beyond": 0.0 if closure is None or until is None else until - closure.until,
        "slack": 0 if clean else UNWRITTEN,
        **{span.value: _window_out(state.window(span)) for span in LimitSpan},
    }
    return GateSnapshot(
        phase=phase,
        boot_id=now.boot_id,
        until_steady=until,
        until_wall=None if until is None else now.wall + until - now.steady,
        length=length,
        written_wall=now.wall,
        payload=json.dumps(payload),
    )


def restore(
    snapshot: GateSnapshot | None, plan: Plan | None, now: Instant, pauses: Iterable[GateSnapshot] = ()
) -> GateState:
    """The gate at the start of a process. A pause that was kept goes on, and ends with a probe; of `pauses`, which
    other keys of the same origin met, the longest does."""
    state = GateState(plan=plan)  # which is written down at its first step, so that a kill soon after is known of
    if snapshot is not None:
        state = _restore_own(snapshot, state, now)
    for pause in pauses:
        state = inherit(pause, state, now)
    return state if state.closure else replace(state, opened=now.steady)


def inherit(pause: GateSnapshot, state: GateState, now: Instant) -> GateState:
    """Go on with another key's pause where it is the longer one; its windows were that key's alone. A gate that has
    opened since takes nothing over: its own probe was answered, whatever the file still says."""
    other = _restore_own(pause, GateState(), now)
    if other.closure is None or (state.closure is None and _is_older(pause, other.closure, state.opened, now)):
        return state
    closure, anew = other.closure, not same_boot(pause, now) and went_back(pause, now)
    beyond = 0.0 if anew else _seconds(_payload(pause.payload).get("beyond")) or 0.0
    return take_over(replace(other, closure=replace(closure, until=closure.until - beyond)), state)


def _is_older(pause: GateSnapshot, closure: Closure, opened: float | None, now: Instant) -> bool:
    """Whether a kept pause was over, or was written down, before the gate opened."""
    if opened is None:
        return False
    written = _seconds(_payload(pause.payload).get("steady"))
    return closure.until <= opened or (written is not None and same_boot(pause, now) and written < opened)


def take_over(other: GateState, state: GateState) -> GateState:
    """Go on with what this client has met at the gate of another key of the same origin, in seconds of the same boot:
    its pause where it is the longer one, its doublings, and its slow beginning. Its windows were that key's alone."""
    theirs, mine = other.closure, state.closure
    state = replace(
        state,
        strikes=max(state.strikes, other.strikes),
        bans=max(state.bans, other.bans),
        lost_probes=max(state.lost_probes, other.lost_probes),
        limited=state.limited or other.limited,
        good=min(state.good, other.good),
        ramp=min(state.ramp, other.ramp),
    )
    if theirs is None or theirs.own or theirs.phase is GatePhase.SPENT or (mine and mine.until >= theirs.until):
        return state
    closures = state.closures + 1
    theirs = replace(theirs, number=closures)  # what left before it does not end it
    return replace(state, phase=theirs.phase, closure=theirs, closures=closures, since=other.since)


def _restore_own(snapshot: GateSnapshot, state: GateState, now: Instant) -> GateState:
    payload = _payload(snapshot.payload)
    kept_at = _seconds(payload.get("steady"))
    written = now.steady if kept_at is None else kept_at
    shift = now.steady - written - _elapsed(snapshot, written, now)
    since = _seconds(payload.get("since"))
    state = replace(
        state,
        strikes=_count(payload.get("strikes")),
        bans=_count(payload.get("bans")),
        limited=payload.get("limited") is True,
        forbidden=_texts_in(payload.get("forbidden")),
        barred=_texts_in(payload.get("barred")),
        pace=_pace_in(payload.get("pace"), shift),
        since=now.steady if since is None else since + shift,
    )
    slack = _count(payload.get("slack"))
    for span in LimitSpan:
        window = _window_in(payload.get(span.value), state.window(span), slack, shift, now.steady)
        state = state.with_window(span, window)
    until = restored_until(snapshot, now)
    if snapshot.phase not in _CLOSED or until is None:
        return state
    phase = GatePhase.PAUSED if snapshot.phase is GatePhase.PROBING else snapshot.phase
    length = max(snapshot.length, until - now.steady)
    reason, raw = (text if isinstance(text, str) else None for text in (payload.get("reason"), payload.get("raw")))
    closure = Closure(phase, until, length, _count(payload.get("status")) or None, reason, raw)
    return replace(state, phase=phase, closure=closure)


def restored_until(snapshot: GateSnapshot, now: Instant) -> float | None:
    """The end of a kept pause in steady seconds of this boot.

    On the same boot no clock change moves it. On another boot the wall clock counts; if that went back, the time that
    has passed is unknown, and the pause begins anew.
    """
    if snapshot.until_steady is None or snapshot.until_wall is None:
        return None
    if same_boot(snapshot, now):
        return snapshot.until_steady
    if snapshot.until_wall <= snapshot.written_wall:
        return 0.0  # it was over before this boot, whatever the wall says: no pause of this one gives way to it
    if went_back(snapshot, now):
        return now.steady + snapshot.length
    return now.steady + snapshot.until_wall - now.wall


def same_boot(snapshot: GateSnapshot, now: Instant) -> bool:
    """Whether the snapshot's steady seconds are those of now."""
    return snapshot.boot_id == now.boot_id


def went_back(snapshot: GateSnapshot, now: Instant) -> bool:
    """Whether the wall clock has been set to before the snapshot was written."""
    return now.wall < snapshot.written_wall


def _elapsed(snapshot: GateSnapshot, written: float, now: Instant) -> float:
    passed = now.steady - written if same_boot(snapshot, now) else now.wall - snapshot.written_wall
    return max(0.0, passed)


def _window_out(window: WindowCount) -> dict[str, Any]:
    return {
        "limit": window.limit,
        "remaining": window.remaining,
        "resets_at": window.resets_at,
        "opens_at": window.opens_at,
        "mark": window.mark,
        "spoken": window.spoken,
        "sends": [[bucket * (window.length / BUCKETS), count] for bucket, count in window.sends],
    }


def _window_in(value: object, blank: WindowCount, slack: int, shift: float, now: float) -> WindowCount:
    """A window as kept, in this boot's seconds; `slack` requests may have left after it was written."""
    if not isinstance(value, dict):
        return blank
    snapshot = cast("dict[str, object]", value)
    opens_at = _seconds(snapshot.get("opens_at"))
    resets_at = _seconds(snapshot.get("resets_at"))
    window = replace(
        blank,
        limit=_count(snapshot.get("limit")) or None,
        remaining=_count(snapshot.get("remaining")) or None,  # a window with nothing left is kept as a pause
        resets_at=None if resets_at is None else resets_at + shift,
        opens_at=None if opens_at is None else opens_at + shift,
        mark=_seconds(snapshot.get("mark")),
        spoken=snapshot.get("spoken") is True,
    )
    return replace(window, sends=_sends_in(snapshot.get("sends"), window.length, slack, shift, now))


def _sends_in(value: object, length: float, slack: int, shift: float, now: float) -> tuple[tuple[int, int], ...]:
    sends: dict[int, int] = {}
    for entry in cast("list[object]", value) if isinstance(value, list) else []:
        match entry:
            case [int() | float() as at, int() as count] if abs(now - at - shift) <= 2 * length:
                bucket = int((at + shift) // (length / BUCKETS)) + 1  # rounded to the later one, never forgotten early
                sends[bucket] = sends.get(bucket, 0) + count
            case _:
                pass
    if slack:
        newest = int(now // (length / BUCKETS))
        sends[newest] = sends.get(newest, 0) + slack
    return tuple(sorted(sends.items()))


def _texts_in(value: object) -> tuple[str, ...]:
    texts = cast("list[object]", value) if isinstance(value, list) else []
    return tuple(text for text in texts if isinstance(text, str))


def _pace_in(value: object, shift: float) -> Pace:
    match value:
        case [int() as most, int() | float() as span, int() | float() as until] if most > 0 and span > 0:
            return Pace((), most, min(span, LONGEST_SPAN), until + shift)
        case _:
            return Pace()


def _payload(text: str) -> dict[str, object]:
    try:
        value: object = json.loads(text)
    except ValueError:
        return {}
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _seconds(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None


def _count(value: object) -> int:
    return max(0, value) if isinstance(value, int) else 0
