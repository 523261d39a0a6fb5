"""Why something waits, by its cause: the same words wherever it is said. What the banner says of it is in pause.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from petstore_desktop.domain.quota import Cause
from petstore_desktop.domain.send_block import SendBlock
from petstore_desktop.ui.base.theme import Tone
from petstore_desktop.ui.text.times import moment, near_moment
from petstore_desktop.ui.text.translate import sentences, tr


class WaitWords(Struct, frozen=True):
    """What is said of one cause: `why` in brackets; of an unsent change when it was `saved` and goes out, or waits
    `until` a moment that is known; in the status bar how long yet, and how bad it is."""

    why: Callable[[], str]
    saved: Callable[[str], str]
    badge: Callable[[str], str]
    until: Callable[[str, str], str] | None = None
    tone: Tone = "wait"


WAITS: Mapping[Cause, WaitWords] = {
    Cause.MINUTE: WaitWords(
        lambda: tr("the minute is used up"),
        lambda time: tr("Saved on this computer {time}. Goes out with the next minute’s requests.", time=time),
        lambda left: tr("minute used up for {left}", left=left),
    ),
    Cause.DAY: WaitWords(
        lambda: tr("the day is used up"),
        lambda time: tr("Saved on this computer {time}. Goes out with the next day’s requests.", time=time),
        lambda left: tr("day used up for {left}", left=left),
        lambda time, until: tr(
            "Saved on this computer {time}. Goes out after {until}, with the next day’s requests.",
            time=time,
            until=until,
        ),
    ),
    Cause.SHARE: WaitWords(
        lambda: tr("the rest of today’s requests is kept for your changes"),
        lambda time: tr(
            "Saved on this computer {time}. Waits: the rest of today’s requests is kept for you.", time=time
        ),
        lambda _: tr("changes wait for the next day"),
        lambda time, until: tr(
            "Saved on this computer {time}. Goes out after {until}: the rest of today’s requests is kept for you.",
            time=time,
            until=until,
        ),
    ),
    Cause.ASKED: WaitWords(
        lambda: tr("the service asked to wait"),
        lambda time: tr("Saved on this computer {time}. Goes out when the pause is over.", time=time),
        lambda left: tr("paused {left}", left=left),
    ),
    Cause.BUSY: WaitWords(
        lambda: tr("the service takes no requests just now"),
        lambda time: tr("Saved on this computer {time}. Goes out when the service takes requests again.", time=time),
        lambda left: tr("service busy for {left}", left=left),
    ),
    Cause.UNTOLD: WaitWords(
        lambda: tr("no requests are left"),
        lambda time: tr("Saved on this computer {time}. Goes out when the service has requests left again.", time=time),
        lambda left: tr("none left, next try in {left}", left=left),
    ),
    Cause.BANNED: WaitWords(
        lambda: tr("the key is banned"),
        lambda time: tr("Saved on this computer {time}. Goes out when the ban is over.", time=time),
        lambda left: tr("key banned for {left}", left=left),
        lambda time, until: tr(
            "Saved on this computer {time}. Goes out after {until}, when the ban is over.", time=time, until=until
        ),
        tone="bad",
    ),
    Cause.PROBING: WaitWords(
        lambda: tr("a test request checks whether sending may resume"),
        lambda time: tr("Saved on this computer {time}. Goes out after one test request.", time=time),
        lambda _: tr("testing once"),
    ),
    Cause.LOCKED: WaitWords(
        lambda: tr("there is no key that works"),
        lambda time: tr("Saved on this computer {time}. Goes out once there is a key that works.", time=time),
        lambda _: tr("key not accepted"),
        tone="bad",
    ),
    Cause.NO_KEY: WaitWords(
        lambda: tr("there is no key that works"),
        lambda time: tr(
            "Saved on this computer {time}. There is no key yet, so nothing is sent (File > Change key).", time=time
        ),
        lambda _: tr("needs a key"),
        tone="bad",
    ),
    Cause.OFFLINE: WaitWords(
        lambda: tr("there is no network, or the service is away"),
        lambda time: tr("Saved on this computer {time}. Waits for the network.", time=time),
        lambda _: "",  # the status bar says since when
    ),
}
"""All but the turns of changes, which have sentences of their own: see `wait_words`."""


def saved_words(time: str, blocked: SendBlock, now: float) -> str:
    """Of an unsent change that something stops: when it was saved, and when it goes out."""
    wait = WAITS.get(blocked.cause)
    if wait is None:
        waits = wait_sentence(blocked.cause, blocked.until, now)
        return sentences(tr("Saved on this computer {time}.", time=time), waits)
    if wait.until is not None and blocked.until is not None:
        return wait.until(time, moment(blocked.until, now))
    return wait.saved(time)


def wait_words(cause: Cause, until: float | None, now: float) -> str:
    """`waits for the minute’s requests, until 14:16:05`: a part of a line."""
    if until is None:
        return {
            Cause.MINUTE_SHARE: tr("waits for the minute’s requests"),
            Cause.SHARE: tr("waits for the next day’s requests"),
        }.get(cause, tr("waits for its turn"))
    time = near_moment(until, now)
    return {
        Cause.MINUTE_SHARE: tr("waits for the minute’s requests, until {time}", time=time),
        Cause.SHARE: tr("waits for the next day’s requests, until {time}", time=time),
    }.get(cause, tr("waits for its turn, until {time}", time=time))


def wait_sentence(cause: Cause, until: float | None, now: float) -> str:
    """`Waits for the minute’s requests, until 14:16:05.`"""
    if until is None:
        return {
            Cause.MINUTE_SHARE: tr("Waits for the minute’s requests."),
            Cause.SHARE: tr("Waits for the next day’s requests."),
        }.get(cause, tr("Waits for its turn."))
    time = near_moment(until, now)
    return {
        Cause.MINUTE_SHARE: tr("Waits for the minute’s requests, until {time}.", time=time),
        Cause.SHARE: tr("Waits for the next day’s requests, until {time}.", time=time),
    }.get(cause, tr("Waits for its turn, until {time}.", time=time))


def kept_words(cause: Cause) -> str:
    """What the requests are kept for that changes may not take; why it is not their turn."""
    return {
        Cause.MINUTE_SHARE: tr("The last requests of the minute are kept for what you ask for, and to read lists."),
        Cause.SHARE: tr("The rest of today’s requests is kept for you."),
    }.get(cause, tr("The service takes requests only so quickly, or has just failed."))
