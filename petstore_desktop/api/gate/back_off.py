"""How long the gate waits: the only place where a wait gets its length. Numbers are seconds unless said otherwise."""

from __future__ import annotations

from enum import Enum, auto

from petstore_desktop.domain.quota import ROUNDING

JITTER = (ROUNDING, 2.0)
"""Added to every wait after a refusal, so that not all who were refused come back at once."""

BLIND_FIRST, BLIND_MOST = 60.0, 3_600.0
BAN_FIRST, BAN_MOST = 3_600.0, 86_400.0
TOLD_FIRST = 1.0
LOST_PROBE_MOST = 60.0
FAILURE_FIRST, FAILURE_MOST = 2.0, 60.0
GOOD_ANSWERS = 10
"""After this many answers without a refusal the doubling starts again."""


class Wait(Enum):
    """Why nothing leaves."""

    LIMITED = auto()
    BANNED = auto()
    SPENT = auto()
    LOST_PROBE = auto()


def pause_length(
    wait: Wait, *, retry_after: float | None = None, reset_in: float | None = None, strikes: int = 1, jitter: float
) -> float:
    """Seconds for which nothing leaves, counted from the moment the answer came.

    The longest of what the service said (`retry_after`, `reset_in`; None where it said nothing usable) and our own
    back-off, plus the jitter; what the service said is never shortened or capped. `strikes` counts, from 1, how often
    in a row the service refused (specification, "Limits", rule 2; RFC 9110, 10.2.3). A window that is merely used up is
    no refusal, and gets a jitter of ROUNDING.
    """
    told = [seconds for seconds in (retry_after, reset_in) if seconds is not None]
    # A ban ends when its own Retry-After says so; the reset of a window, which every answer has, says nothing of it.
    knows = retry_after is not None if wait is Wait.BANNED else bool(told)
    return max([own_back_off(wait, told=knows, strikes=strikes), *told]) + own_jitter(jitter)


def own_jitter(jitter: float) -> float:
    """The random addition to every wait, at least the minimum."""
    return max(jitter, JITTER[0])


def own_back_off(wait: Wait, *, told: bool, strikes: int) -> float:
    """Our part of the wait: doubled with each strike; long where the service told nothing, short where it did."""
    if wait is Wait.SPENT and told:
        return 0.0
    if wait is Wait.LOST_PROBE:
        return doubled(TOLD_FIRST, LOST_PROBE_MOST, strikes)
    if wait is Wait.BANNED:
        return 0.0 if told else doubled(BAN_FIRST, BAN_MOST, strikes)
    return doubled(TOLD_FIRST if told else BLIND_FIRST, BLIND_MOST, strikes)


def after_failures(row: int) -> tuple[float, float]:
    """The range of seconds to wait after this many failures in a row; a random value in it keeps clients from coming
    back together (full jitter)."""
    return 0.0, doubled(FAILURE_FIRST, FAILURE_MOST, row)


def doubled(first: float, most: float, times: int) -> float:
    """`first` the first time, twice as much each time after it, `most` at most."""
    return min(first * 2.0 ** min(max(times, 1) - 1, 32), most)
