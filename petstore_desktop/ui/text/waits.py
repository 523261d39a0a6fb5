"""Why changes wait while the gate is open: the same words wherever it is said."""

from __future__ import annotations

from petstore_desktop.domain.quota import Cause
from petstore_desktop.ui.text.times import near_moment
from petstore_desktop.ui.text.translate import tr


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
