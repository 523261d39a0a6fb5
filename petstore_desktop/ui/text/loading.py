"""Words for a list that waits to be read, and for what the rest of a long reading costs."""

from __future__ import annotations

from petstore_desktop.desk.load_state import Costs, Waits
from petstore_desktop.domain.quota import GatePhase
from petstore_desktop.domain.send_block import Cause, SendBlock
from petstore_desktop.ui.text.times import clock_time, moment
from petstore_desktop.ui.text.translate import tr

_TO_THE_SECOND_S = 600.0
"""A moment so near is told to the second."""
_OF_A_MINUTE_S = 90.0
"""A share that is used up for longer than this is the day's."""


def waits_words(waits: Waits, blocked: SendBlock | None, unsent: int, now: float) -> str:
    """When the list is read next, and why not now: `next reading at 14:03:10 (the minute is used up)`.
    `blocked` is why nothing leaves at all; `unsent` changes go before the reading of lists."""
    why = _why(waits, blocked, unsent, now)
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


def _why(waits: Waits, blocked: SendBlock | None, unsent: int, now: float) -> str:
    if waits.why is GatePhase.OPEN:
        return _share(waits, unsent, now)
    if waits.why is GatePhase.LOCKED:
        return tr("there is no key that works")
    if blocked is None:
        return ""
    return _cause(blocked)


def goes_on_words(blocked: SendBlock | None, now: float) -> str:
    """When a batch goes on that something stops for longer than to the next minute: `goes on after 14:10 (the key is
    banned)`; empty where its own time says enough."""
    why = "" if blocked is None or blocked.cause is Cause.MINUTE else _cause(blocked)
    if blocked is None or not why:
        return ""
    if blocked.until is None:
        return tr("waits ({why})", why=why)
    return tr("goes on after {time} ({why})", time=moment(blocked.until, now), why=why)


def _cause(blocked: SendBlock) -> str:
    return {
        Cause.MINUTE: tr("the minute is used up"),
        Cause.DAY: tr("the day is used up"),
        Cause.ASKED: tr("the service asked to wait"),
        Cause.BUSY: tr("the service takes no requests just now"),
        Cause.UNTOLD: tr("no requests are left"),
        Cause.BANNED: tr("the key is banned"),
        Cause.PROBING: tr("a test request checks whether sending may resume"),
        Cause.LOCKED: tr("there is no key that works"),
        Cause.NO_KEY: tr("there is no key that works"),
        Cause.OFFLINE: tr("there is no network, or the service is away"),
    }.get(blocked.cause, "")


def _share(waits: Waits, unsent: int, now: float) -> str:
    """The gate is open, but not for this."""
    if waits.until is not None and waits.until - now > _OF_A_MINUTE_S:
        return tr("the rest of today’s requests is kept for your changes")
    return tr("your changes go first") if unsent else ""
