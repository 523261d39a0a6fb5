"""Times as people say them: ages, days and durations, by locale and in this computer's own zone."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Final, Literal

from PySide6.QtCore import QDate, QLocale, QTime

from petstore_desktop.domain.records import calendar_moment
from petstore_desktop.ui.text.translate import local_digits, locale, tr

CLOCKS_DIFFER_S: Final = 300.0
"""Seconds from which a difference of the clocks is shown: below, no time on the screen misleads."""
_WEEKDAY: Final = re.compile("d{3,4}[,\u060c.]?\\s*|[,\u060c]?\\s*d{3,4}$")
_DAY: Final = re.compile(r"\bd\b")
_YEAR: Final = re.compile("[,\u060c]?\\s*(?:'[^']*'\\s*)?y{2,4}(?:\\s*'[^']{1,2}'\\.?|[년年]|\\.)?")


def local(epoch_s: float) -> datetime:
    """UTC epoch seconds as this computer's wall clock shows them."""
    return datetime.fromtimestamp(calendar_moment(epoch_s), UTC).astimezone()


def _clock_shape() -> str:
    """How a time of day is written. Who chose another language for the words keeps the hours of the computer: 1 to 12
    with AM and PM, or 0 to 23."""
    short, system, here = QLocale.FormatType.ShortFormat, QLocale.system(), locale()
    shape, own = here.timeFormat(short), system.timeFormat(short)  # where none is set both are as in Britain
    is_known = system.language() != QLocale.Language.C or here.language() == QLocale.Language.English
    if not is_known or ("a" in shape.lower()) == ("a" in own.lower()):
        return shape
    if "a" in own.lower():
        return f"{shape.replace('HH', 'h').replace('H', 'h')} Ap"
    return re.sub(r"\W*[Aa][Pp]?\W*", "", shape).replace("hh", "h").replace("h", "HH")


def clock_time(epoch_s: float, *, seconds: bool = False) -> str:
    """`14:02`, or `14:02:32` with seconds where the locale's short form allows it."""
    moment = local(epoch_s)
    shape = _clock_shape()
    if seconds and "s" not in shape:
        shape = re.sub(r"(\W)mm", r"\1mm\1ss", shape)
    return locale().toString(QTime(moment.hour, moment.minute, moment.second), shape)


def time_of(value: time) -> str:
    """A time of day."""
    return locale().toString(QTime(value.hour, value.minute), _clock_shape())


def day(value: date, today: date) -> str:
    """`Today`, `Tomorrow`, `Tue 18 Nov`; with the year where it is another."""
    near = {0: tr("Today"), 1: tr("Tomorrow"), -1: tr("Yesterday")}.get((value - today).days)
    if near is not None:
        return near
    return dated(value, today, "ddd MMM")


def near_day(days: int | None) -> str:
    """`tomorrow`, inside a line, of a ship date this many days from today; empty where it is farther."""
    near = {0: tr("today", "a ship date"), 1: tr("tomorrow", "a ship date"), -1: tr("yesterday")}
    return near.get(days, "") if days is not None else ""


def dated(value: date, today: date, parts: str) -> str:
    """A date with these parts (see `date_text`), and with the year where it is another than today's."""
    return date_text(value, parts if value.year == today.year else f"{parts} yyyy")


def full_day(value: date) -> str:
    """`Tue 18 Nov 2025`."""
    return date_text(value, "ddd MMM yyyy")


def date_text(value: date, parts: str) -> str:
    """A date with these parts of it beside the day (`ddd` or `dddd`, `MMM` or `MMMM`, `yyyy`), in the order and with
    the signs of the person's locale: `Wed, Sep 2`, `Fr., 4. Sept.`."""
    here, shape = locale(), _shape(locale(), frozenset(parts.split()))
    if value.day == 1 and here.language() == QLocale.Language.French:
        shape = _DAY.sub("d'er'", shape)
    return here.toString(QDate(value.year, value.month, value.day), shape)


def longest_day(width: Callable[[str], float]) -> str:
    """Of the days of another year, as lists show them, one whose words take the most room; `width` measures words."""
    any_year = 2026
    month = max(range(1, 13), key=lambda number: width(date_text(date(any_year, number, 28), "MMM")))
    return max((full_day(date(any_year, month, number)) for number in range(22, 29)), key=width)


def day_and_time_form() -> str:
    """The form of a day and time in a field (as Qt writes it), like that of `full_day` and `clock_time`."""
    day_form = _shape(locale(), frozenset(("ddd", "MMM", "yyyy")))
    time_form = _clock_shape()
    return tr("{day}, {time}", day=day_form, time=time_form)


def on_paper(epoch_s: float) -> str:
    """A day and time for paper, which is read on another day."""
    return tr("{day}, {time}", day=full_day(local(epoch_s).date()), time=clock_time(epoch_s))


@cache
def _shape(here: QLocale, parts: frozenset[str]) -> str:
    """The locale's long form of dates (of the CLDR) without the parts that are not wanted."""
    shape = here.dateFormat(QLocale.FormatType.LongFormat)
    if not parts & {"ddd", "dddd"}:
        shape = _WEEKDAY.sub("", shape)
    if "yyyy" not in parts:
        shape = _YEAR.sub("", shape)
    if "dddd" not in parts:
        shape = shape.replace("日dddd", "日(ddd)").replace("dddd", "ddd")
    if "MMMM" not in parts:
        shape = shape.replace("MMMM", "MMM")
        if here.language() == QLocale.Language.Spanish:  # in the CLDR `d MMM y` beside `d 'de' MMMM 'de' y`
            shape = shape.replace(" 'de' ", " ")
    if here.language() == QLocale.Language.English and shape.startswith(("ddd, d ", "dddd, d ")):
        shape = shape.replace(", ", " ", 1)  # as most write it where the day comes first
    return shape.strip(" ,\u060c")


def moment(epoch_s: float, now_s: float) -> str:
    """A time today is the time alone; another day is named."""
    then, today = local(epoch_s), local(now_s).date()
    if then.date() == today:
        return clock_time(epoch_s)
    if then.date() == today - timedelta(days=1):
        return tr("yesterday {time}", time=clock_time(epoch_s))
    if then.date() == today + timedelta(days=1):
        return tr("{time} tomorrow", time=clock_time(epoch_s))
    return tr("{day} {time}", day=day(then.date(), today), time=clock_time(epoch_s))


def near_moment(epoch_s: float, now_s: float) -> str:
    """With seconds where it is less than an hour away."""
    return clock_time(epoch_s, seconds=True) if abs(epoch_s - now_s) < 3600 else moment(epoch_s, now_s)


def as_of(epoch_s: float | None, now_s: float) -> str:
    """How old data are: `as of 14:02`."""
    return tr("never read") if epoch_s is None else tr("as of {time}", time=moment(epoch_s, now_s))


def countdown(seconds: float) -> str:
    """Time left as `0:47` or `12:05`, from an hour on as `7 h 12 min`; rounded up, so that it never says 0 too
    early."""
    left = max(0, math.ceil(seconds))
    return duration(left) if left >= 3600 else local_digits(f"{left // 60}:{left % 60:02}")


def duration(seconds: float) -> str:
    """`12 min`, `7 h 12 min`, from two days on `2 days 3 h`; rounded up."""
    minutes = max(1, math.ceil(seconds / 60))
    if minutes < 60:
        return tr("{n} min", "", minutes)
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        in_hours = tr("{n} h", "", hours)
        return tr("{hours} {minutes}", hours=in_hours, minutes=tr("{n} min", "", minutes)) if minutes else in_hours
    days, hours = divmod(hours + bool(minutes), 24)
    in_days = tr("{n} days", "", days, one="{n} day")
    return tr("{days} {hours}", days=in_days, hours=tr("{n} h", "", hours)) if hours else in_days


def clock_difference(skew: float | None, least_s: float = CLOCKS_DIFFER_S) -> str:
    """`3 h 2 min ahead of this computer’s`; empty where the clocks agree to less than `least_s`, or the difference is
    unknown."""
    if skew is None or abs(skew) < least_s:
        return ""
    length = duration(abs(skew) // 60 * 60)
    if skew > 0:
        return tr("{length} ahead of this computer’s", length=length)
    return tr("{length} behind this computer’s", length=length)


def about(seconds: float) -> str:
    """A forecast in words: `a moment`, `about 30 s`, `about 4 min`, `about 2 h`, `about 3 days`."""
    n, unit = forecast(seconds)
    if unit == "s":
        return tr("about {n} s", "", n)
    if unit == "min":
        return tr("about {n} min", "", n)
    if unit == "h":
        return tr("about {n} h", "", n)
    return tr("about {n} days", "", n) if unit else tr("a moment")


def forecast(seconds: float) -> tuple[int, Literal["", "s", "min", "h", "days"]]:
    """How long it takes, as the window and the commands say it; no unit for a moment."""
    if seconds < 10:
        return 0, ""
    if seconds < 45:
        return 10 * math.ceil(seconds / 10), "s"
    if seconds < 5400:
        return max(1, round(seconds / 60)), "min"
    if seconds < 172_800:
        return max(1, round(seconds / 3600)), "h"
    return round(seconds / 86_400), "days"


def late(days: int) -> str:
    """By how much an order is late."""
    return tr("{n} days", "", days, one="{n} day")
