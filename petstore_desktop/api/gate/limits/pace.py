"""Learns a limit from refusals when the service tells none: the number of requests that got through before each
refusal, and in what time. Pure.

A learned limit holds for an hour, and only while the service names no window: in any `span` seconds no more than
`most` leave, so that the next burst stops before the refusal. A long wait says nothing of a pace, and teaches none.
"""

from __future__ import annotations

from bisect import bisect_right

from msgspec.structs import replace

from petstore_desktop.api.gate.model import Ask, GateState, Pace
from petstore_desktop.domain.quota import ROUNDING

LOOK_BACK = 60.0
"""Seconds before a refusal that are looked at, and the longest told wait that teaches a pace."""
LONGEST_SPAN = 3 * LOOK_BACK
KNOWN_FOR = 3_600.0
"""Seconds after which a learned limit is forgotten: limits change, and others use the same key."""


def noted(pace: Pace, cost: int, now: float) -> Pace:
    """`cost` requests leave."""
    first = bisect_right(pace.sends, now - max(LOOK_BACK, pace.span))
    return replace(pace, sends=(*pace.sends[first:], *(now,) * cost))


def taken_back(pace: Pace, cost: int) -> Pace:
    """Forget the latest `cost` requests: they were not sent after all."""
    return replace(pace, sends=pace.sends[: max(0, len(pace.sends) - cost)])


def learned(state: GateState, refused: int, wait: float | None, now: float) -> Pace:
    """The pace after a refusal that asked to wait for `wait` seconds; `refused` of the requests that had left did not
    get through."""
    pace = state.pace
    recent = [at for at in pace.sends if now - at < LOOK_BACK]
    through = len(recent) - refused
    if wait is None or wait > LOOK_BACK or through < 1 or is_told(state):
        return replace(pace, sends=())
    span = min(now - recent[0] + wait + ROUNDING, LONGEST_SPAN)
    if now < pace.until:  # it was too quick all the same
        through, span = max(1, min(through, pace.most - 1)), max(span, pace.span)
    return Pace((), through, span, now + KNOWN_FOR)


def is_told(state: GateState) -> bool:
    """Whether the service itself speaks of a window."""
    return any(window.spoken for window in state.windows)


def longest(state: GateState, requests: int, now: float, *, alone: bool) -> float:
    """Seconds from the first to the last of so many requests, if each leaves as soon as the pace lets it; 0 where there
    is none. `alone`: nothing else has left shortly before the first."""
    pace, after = state.pace, requests - 1
    if now >= pace.until or is_told(state):
        return 0.0
    return (after // pace.most if alone else -(-after // pace.most)) * pace.span


def free_at(state: GateState, ask: Ask, now: float) -> float:
    """Steady second from which on the pace lets the request leave."""
    pace = state.pace
    if now >= pace.until or is_told(state):
        return now
    recent = [at for at in pace.sends if now - at < pace.span]
    over = len(recent) + ask.cost - pace.most
    return now if over <= 0 or not recent else recent[min(over, len(recent)) - 1] + pace.span
