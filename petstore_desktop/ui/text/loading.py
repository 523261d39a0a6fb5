"""Words for a list that waits to be read, and for what the rest of a long reading costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from petstore_desktop.desk.load_state import Costs, Waits
from petstore_desktop.domain.quota import ONLY_CHANGES, Cause
from petstore_desktop.domain.send_block import SendBlock
from petstore_desktop.ui.text.times import clock_time, moment
from petstore_desktop.ui.text.translate import tr

_TO_THE_SECOND_S = 600.0
"""A moment so near is told to the second."""


def waits_words(waits: Waits, unsent: int, now: float) -> str:
    """When the list is read next, and why not now: `next reading at 14:03:10 (the minute is used up)`. `unsent` changes
    go before the reading of lists."""
    first = tr("your changes go first") if unsent else ""
    why = _IN_A_LINE[waits.why]() if waits.why in _IN_A_LINE else first
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
    why = _IN_A_LINE[blocked.cause]()
    if blocked.until is None:
        return tr("waits ({why})", why=why)
    return tr("goes on after {time} ({why})", time=moment(blocked.until, now), why=why)


_IN_A_LINE: Mapping[Cause | None, Callable[[], str]] = {
    Cause.MINUTE: lambda: tr("the minute is used up"),
    Cause.DAY: lambda: tr("the day is used up"),
    Cause.SHARE: lambda: tr("the rest of today’s requests is kept for your changes"),
    Cause.ASKED: lambda: tr("the service asked to wait"),
    Cause.BUSY: lambda: tr("the service takes no requests just now"),
    Cause.UNTOLD: lambda: tr("no requests are left"),
    Cause.BANNED: lambda: tr("the key is banned"),
    Cause.PROBING: lambda: tr("a test request checks whether sending may resume"),
    Cause.LOCKED: lambda: tr("there is no key that works"),
    Cause.NO_KEY: lambda: tr("there is no key that works"),
    Cause.OFFLINE: lambda: tr("there is no network, or the service is away"),
}
"""Why a list, or a batch, waits, where it is not the turn of changes."""
