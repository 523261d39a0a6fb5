"""Words for a list that waits to be read, and for what the rest of a long reading costs."""

from __future__ import annotations

from petstore_desktop.desk.load_state import Costs, Waits
from petstore_desktop.domain.quota import ONLY_CHANGES, Cause
from petstore_desktop.domain.send_block import SendBlock
from petstore_desktop.ui.text.times import clock_time, moment
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.text.waits import WAITS

_TO_THE_SECOND_S = 600.0
"""A moment so near is told to the second."""


def waits_words(waits: Waits, unsent: int, now: float) -> str:
    """When the list is read next, and why not now: `next reading at 14:03:10 (the minute is used up)`. `unsent` changes
    go before the reading of lists."""
    first = tr("your changes go first") if unsent else ""
    wait = None if waits.why is None else WAITS.get(waits.why)
    why = first if wait is None else wait.why()
    if waits.until is None:
        return tr("the next refresh waits ({why})", why=why) if why else tr("the next refresh waits")
    time = at(waits.until, now)
    return tr("next refresh at {time} ({why})", time=time, why=why) if why else tr("next refresh at {time}", time=time)


def costs_words(costs: Costs, now: float) -> str:
    """`about 990 requests, until 09:40 tomorrow`."""
    requests = tr("about {n} requests", "", costs.requests, one="about {n} request")
    if costs.ends_at is None:
        return requests
    return tr("{requests}, until {time}", requests=requests, time=at(costs.ends_at, now))


def at(epoch_s: float, now: float) -> str:
    """A moment to come: to the second where it is near."""
    return clock_time(epoch_s, seconds=True) if epoch_s - now < _TO_THE_SECOND_S else moment(epoch_s, now)


def goes_on_words(blocked: SendBlock | None, now: float) -> str:
    """When a batch goes on that something stops for longer than to the next minute: `goes on after 14:10 (the key is
    banned)`; empty where its own time says enough."""
    if blocked is None or blocked.cause in (Cause.MINUTE, *ONLY_CHANGES):
        return ""
    why = WAITS[blocked.cause].why()
    if blocked.until is None:
        return tr("waits ({why})", why=why)
    return tr("goes on after {time} ({why})", time=moment(blocked.until, now), why=why)
