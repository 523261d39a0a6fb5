"""How long the gate waits: the only place where a wait gets its length. Numbers are seconds unless said otherwise."""

from __future__ import annotations

from enum import Enum, auto

JITTER = (1.0, 2.0)
"""Added to every wait. Never under a second: a reset in whole seconds may be rounded down by the service."""

BLIND_FIRST, BLIND_MOST = 60.0, 3_600.0
BAN_FIRST, BAN_MOST = 3_600.0, 86_400.0
TOLD_FIRST = 1.0
LOST_PROBE_MOST = 60.0
GOOD_ANSWERS = 10
"""So many answers without a limit between them, and the doublings are forgotten."""


class Wait(Enum):
    """Why nothing leaves."""

    LIMITED = auto()
    BANNED = auto()
    SPENT = auto()
    LOST_PROBE = auto()


def pause_length(
    wait: Wait, *, retry_after: float | None, reset_in: float | None, strikes: int, jitter: float
) -> float:
    """Seconds for which nothing leaves, counted from the moment the answer came.

    The longest of what the service said (`retry_after`, `reset_in`; None where it said nothing usable) and our own
    back-off, plus the jitter; what the service said is never shortened or capped. `strikes` counts, from 1, how often
    in a row the service refused (specification, "Limits", rule 2; RFC 9110, 10.2.3).
    """
    told = [seconds for seconds in (retry_after, reset_in) if seconds is not None]
    # A ban ends when its own Retry-After says so; the reset of a window, which every answer has, says nothing of it.
    knows = retry_after is not None if wait is Wait.BANNED else bool(told)
    return max([own_back_off(wait, told=knows, strikes=strikes), *told]) + own_jitter(jitter)


def own_jitter(jitter: float) -> float:
    """What is added to every wait: what chance gave, and never less than the least."""
    return max(jitter, JITTER[0])


def own_back_off(wait: Wait, *, told: bool, strikes: int) -> float:
    """Our part of the wait: doubled with each strike; long where the service told nothing, short where it did."""
    if wait is Wait.SPENT and told:
        return 0.0
    if wait is Wait.LOST_PROBE:
        return _doubled(TOLD_FIRST, LOST_PROBE_MOST, strikes)
    if wait is Wait.BANNED:
        return 0.0 if told else _doubled(BAN_FIRST, BAN_MOST, strikes)
    return _doubled(TOLD_FIRST if told else BLIND_FIRST, BLIND_MOST, strikes)


def _doubled(first: float, most: float, strikes: int) -> float:
    return min(first * 2.0 ** min(max(strikes, 1) - 1, 32), most)
