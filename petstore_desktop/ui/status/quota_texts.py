"""Texts for the requests left: how long they last, what used them, which side counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from petstore_desktop.desk.price import Forecast, Outlook, forecast_of, usage_of
from petstore_desktop.domain.quota import Quota, Window
from petstore_desktop.ui.status.quota_meter import MeterReading, left_words
from petstore_desktop.ui.status.quota_popup import QuotaWords, WindowWords
from petstore_desktop.ui.text.pause import paused_words
from petstore_desktop.ui.text.status import is_unknown, unknown_words
from petstore_desktop.ui.text.times import clock_difference, moment, near_moment
from petstore_desktop.ui.text.translate import number, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk

_CLOCKS_DIFFER_S = 60.0
"""Warn in the popup earlier than in the status bar."""
_DAY_S = 86_400.0


def forecast_words(forecast: Forecast, now: float) -> tuple[str, str]:
    """`until 17:40` for the meter itself, empty where the day lasts; and `Lasts until 17:40 at this pace.`, empty where
    it is unknown."""
    if forecast.outlook is Outlook.LASTS:
        return "", tr("Enough for today at this pace.")
    if forecast.outlook is Outlook.ENDS and forecast.at is not None:
        time = moment(forecast.at, now)
        return tr("until {time}", time=time), tr("Lasts until {time} at this pace.", time=time)
    return "", ""


def forecast_now(desk: Desk, now: float) -> tuple[str, str]:
    """The same for the day's rest at a desk. While most of the day is left, what an hour took says little: the meter
    stays calm, and its tool tip says it."""
    day, (ends, lasts) = desk.known_quota().day, forecast_words(forecast_of(desk, now), now)
    is_calm = day.limit is not None and day.remaining is not None and 2 * day.remaining > day.limit
    return "" if is_calm else ends, lasts


def quota_details(desk: Desk, now: float) -> QuotaWords:
    """What the meter tells when it is opened."""
    quota = desk.known_quota()
    ends, lasts = forecast_now(desk, now) if quota.day.remaining else ("", "")
    windows = (
        _window(tr("Minute"), MeterReading(quota.minute), _full_at(quota.minute, now)),
        _window(tr("Day"), MeterReading(quota.day, ends=ends), lasts, _full_at(quota.day, now)),
    )
    return QuotaWords(
        tr("Requests left"),
        paused_words(desk.send_block(), now),
        windows,
        _used_title(quota.day, now),
        _used(desk, now),
        tuple(_notes(quota)),
        tr("Show each request"),
    )


def _full_at(window: Window, now: float) -> str:
    at = window.resets_at
    if at is None or at <= now:
        return ""
    time = near_moment(at, now)
    full, next_one = tr("Full again at {time}.", time=time), tr("The next one is free at {time}.", time=time)
    return next_one if window.own_count else full


def _window(name: str, reading: MeterReading, *notes: str) -> WindowWords:
    window, said = reading.window, [note for note in notes if note]
    if is_unknown(window):
        said = [tr("The service has not said how many.")]
    elif window.own_count:
        said.append(tr("Counted here: the service does not say."))
    return WindowWords(name, left_words(window), reading, tuple(said))  # when it ends is said in a note of its own


def _used_title(day: Window, now: float) -> str:
    """A day that the service keeps may begin at another hour than ours; ours are the last 24 hours."""
    if day.own_count:
        return tr("Used in the last 24 hours")
    if day.resets_at is None:
        return tr("Used today")
    return tr("Used since {time}", time=moment(day.resets_at - _DAY_S, now))


def _used(desk: Desk, now: float) -> tuple[tuple[str, str], ...]:
    usage = usage_of(desk, now)
    lines = [
        (tr("Person"), number(usage.person)),
        (tr("Changes"), number(usage.changes)),
        (tr("Refresh", "what requests were used for"), number(usage.refresh)),
    ]
    if usage.others is not None:
        lines.append((tr("Others with the same key"), number(usage.others)))
    return tuple(lines)


def _notes(quota: Quota) -> list[str]:
    notes: list[str] = []
    if quota.minute.own_count or quota.day.own_count:
        notes.append(tr("≈ does not count others with the same key."))
    if is_unknown(quota.minute) or is_unknown(quota.day):
        notes.append(unknown_words(quota))
    ahead = clock_difference(quota.skew, _CLOCKS_DIFFER_S)
    if ahead:
        notes.append(tr("Times are this computer’s; the service’s clock is {ahead}.", ahead=ahead))
    return notes
