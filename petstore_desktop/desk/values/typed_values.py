"""Days as people type them: `1.11.2026`, `2026-11-01`, `11/1`, a month, a year, `today`, `this week`.
A service's address while it is typed: what is wrong with its form, as far as more typing cannot mend it."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Mapping
from datetime import date, timedelta

from petstore_desktop.api.address import clean_base_url
from petstore_desktop.desk.values.text import LocaleForms, as_typed, fold
from petstore_desktop.domain.errors import BadInput

_WEEK = 7
PARTS = re.compile("[\\s./\\-,\u060c\u200e\u200f\u061c\u2066-\u2069年月日()（）]+")
"""What stands between the numbers of a day: also Arabic and Chinese signs, and marks of direction that were copied."""
_NAMED_PARTS = re.compile(r"(?:(\d{4})年)?(?:(\d{1,2})月)?(?:(\d{1,2})日)?(?:\(?([月火水木金土日])(?:曜日?)?\)?)?")
_WEEKDAYS = "月火水木金土日"
_BETWEEN = re.compile(r"(?<=\d)[^\d]+(?=\d)")
OTHER_CALENDARS = frozenset((*range(1300, 1600), *range(2400, 2700), *range(5600, 5900)))
"""Years that are meant in another calendar than the service's: 1448 after the Hijra, 1405 in Persia, 2569 in Thailand,
5787 in the Jewish one."""
NO_YEAR = "--"
"""What a day begins with that has no year and is written the same everywhere: `--11-10` (ISO 8601 of 2000)."""
_NEUTRAL = re.compile(rf"[0-9]{{4}}(-[0-9]{{2}}){{0,2}}|{NO_YEAR}[0-9]{{2}}-[0-9]{{2}}")


def is_neutral_day(said: str) -> bool:
    """Whether a day, month or year is written so that it is the same in every country."""
    return _NEUTRAL.fullmatch(said) is not None


def has_year(numbers: list[str]) -> bool:
    """Whether the numbers of a day say its year."""
    return len(numbers) == len("dmy") or any(len(part) == len("2026") for part in numbers)


def numbers_of(said: str) -> list[str]:
    """The parts of a typed day, as far as marks stand between them."""
    return [part for part in PARTS.split(fold(said).replace("1er", "1")) if part]  # as French writes it


def named_parts(said: str) -> tuple[int | None, int | None, int | None, int | None] | None:
    """Year, month, day and weekday where the signs of East Asia name them, whatever the order here; None without such
    signs. Raises ValueError for what is no day, such as a year of an era."""
    bare = "".join(as_typed(fold(said)).split())
    if not set(bare) & set("年月日"):
        return None
    found = _NAMED_PARTS.fullmatch(bare)
    if found is None:
        raise ValueError(said)
    year, month, day = (int(part) if part else None for part in found.groups()[:3])
    return year, month, day, _WEEKDAYS.index(found[4]) if found[4] else None


def refuse_mixed(said: str) -> None:
    """Raise ValueError where numbers stand apart by several kinds of marks: `3.-5.12.` are two days."""
    if len({"".join(mark.split()) for mark in _BETWEEN.findall(as_typed(said))}) > 1:
        raise ValueError(said)


def days_said(said: str, today: date, here: LocaleForms) -> tuple[date, date]:
    """The first and the last local day of this text. A day without a year is in this year. Raises ValueError if it is
    not a day."""
    words = fold(" ".join(said.split()))
    words = here.day_words.get(words, words)
    if words in DAY_WORDS:
        return DAY_WORDS[words](today, here.first_weekday)
    days = _days_said(said, words, today, here)
    if days[0].year in OTHER_CALENDARS:
        raise ValueError(said)
    return days


def one_day_said(text: str, today: date, here: LocaleForms) -> date | None:
    """The one day that this text says: `7.11.`, `7 nov`, `today`; None for all others, and for a number alone."""
    if len(numbers_of(text)) < len("dm") and fold(text.strip()) not in here.day_words:
        return None
    try:
        first, last = days_said(text, today, here)
    except ValueError:
        return None
    return first if first == last else None


def _days_said(said: str, words: str, today: date, here: LocaleForms) -> tuple[date, date]:
    if (named := named_parts(words)) is not None:
        year, month, day, weekday = named
        if (day and not month) or not (year or month):
            raise ValueError(said)
        only = None if not day else date(year or today.year, month or 1, day)
        if weekday is not None and (only is None or only.weekday() != weekday):
            raise ValueError(said)
        return (only, only) if only else month_or_year(year or today.year, month or 0)
    parts = numbers_of(words)
    numbers = [part for part in parts if part.isascii() and part.isdigit() and len(part) <= len("2026")]
    if numbers != parts:
        first, last = here.read_days(said, today)
        if first != last:
            return first, last
        if not numbers:  # `fri`: a filter has no coming days
            raise ValueError(said)
        named_day = first if has_year(numbers) else first.replace(year=today.year)
        return named_day, named_day
    if not numbers:
        raise ValueError(said)
    refuse_mixed(words.removeprefix(NO_YEAR))
    return _days_of(numbers, "-" in words, today, "ymd" if words.startswith(NO_YEAR) else here.day_order)


def _days_of(numbers: list[str], has_hyphens: bool, today: date, order: str) -> tuple[date, date]:
    if len(numbers[0]) == len("2026"):
        order = "ymd"
        if len(numbers) < len(order):
            return month_or_year(*map(int, numbers))
    if len(numbers) == len("my") and len(numbers[1]) == len("2026"):
        return month_or_year(*map(int, reversed(numbers)))
    if len(numbers) == len("dm"):
        numbers, order = [*numbers, str(today.year)], f"{order.replace('y', '')}y"
    if len(numbers) != len(order):
        raise ValueError(numbers)
    found = dict(zip(order, numbers, strict=True))
    is_short = len(found["y"]) == 2
    if not is_short and len(found["y"]) != len("2026"):
        raise ValueError(numbers)
    if is_short and has_hyphens and order != "ymd":  # 26-11-03 is most likely no day of 2003
        raise ValueError(numbers)
    day = date(int(found["y"]) + (2000 if is_short else 0), int(found["m"]), int(found["d"]))
    return day, day


def month_or_year(year: int, month: int = 0) -> tuple[date, date]:
    """The first and the last day of a year, or of a month of it."""
    if not month:
        return date(year, 1, 1), date(year, 12, 31)
    return date(year, month, 1), _end_of_month(date(year, month, 1))


def _end_of_month(day: date) -> date:
    return day.replace(day=monthrange(day.year, day.month)[1])


def _week(today: date, first_weekday: int, weeks: int) -> tuple[date, date]:
    begin = today - timedelta((today.weekday() - first_weekday) % _WEEK) + timedelta(_WEEK * weeks)
    return begin, begin + timedelta(_WEEK - 1)


def _months_back(today: date, months: int) -> tuple[date, date]:
    begin = today.replace(day=1)
    for _ in range(months):
        begin = (begin - timedelta(1)).replace(day=1)
    return begin, _end_of_month(begin)


DAY_WORDS: Mapping[str, Callable[[date, int], tuple[date, date]]] = {
    "today": lambda today, _first: (today, today),
    "yesterday": lambda today, _first: (today - timedelta(1), today - timedelta(1)),
    "tomorrow": lambda today, _first: (today + timedelta(1), today + timedelta(1)),
    "this week": lambda today, first: _week(today, first, 0),
    "last week": lambda today, first: _week(today, first, -1),
    "next week": lambda today, first: _week(today, first, 1),
    "this month": lambda today, _first: _months_back(today, 0),
    "week": lambda today, first: _week(today, first, 0),
    "last month": lambda today, _first: _months_back(today, 1),
}
"""Words for days: the first and the last day that each stands for, by today and the weekday that a week begins with."""


_SCHEMES = ("https://", "http://")


def completed(text: str) -> str:
    """The address as it is meant: without space around it, and with https:// where no scheme was typed."""
    text = text.strip()
    return text if not text or "://" in text else f"https://{text}"


def problem(text: str, *, typing: bool = False) -> str:
    """The code of the error in it, empty if there is none; `typing`: it is not finished yet."""
    text = text.strip()
    if typing and any(scheme.startswith(text.lower()) for scheme in _SCHEMES):
        return ""
    try:
        clean_base_url(completed(text))
    except BadInput as error:
        # A host that is being typed is no loopback address yet: http://l
        return "" if typing and error.code == "address-insecure" and _may_become_loopback(text) else error.code
    return ""


def _may_become_loopback(text: str) -> bool:
    host = text.partition("://")[2]
    return any(own.startswith(host) for own in ("localhost", "127.0.0.1", "[::1]"))
