"""Days as people type them: `1.11.2026`, `2026-11-01`, `11/1`, a month, a year, `today`, `this week`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Literal, TypeAlias

from petstore_desktop.desk.values.text import fold

DayOrder: TypeAlias = Literal["dmy", "mdy", "ymd"]
"""In which order day, month and year are written somewhere. A year of four digits in front is always read first."""

_WEEK = 7
_PARTS = re.compile(r"[\s./\-,]+")


def days_said(said: str, today: date, order: DayOrder, first_weekday: int = 0) -> tuple[date, date]:
    """The first and the last local day that this text stands for; `first_weekday` as `date.weekday` counts.

    A day without a year is one of this year. Raises ValueError for what is no day.
    """
    words = fold(" ".join(said.split()))
    if words in DAY_WORDS:
        return DAY_WORDS[words](today, first_weekday)
    numbers = [part for part in _PARTS.split(words) if part]
    if not numbers or not all(part.isascii() and part.isdigit() and len(part) <= len("2026") for part in numbers):
        raise ValueError(said)
    return _days_of(numbers, today, order)


def _days_of(numbers: list[str], today: date, order: str) -> tuple[date, date]:
    if len(numbers[0]) == len("2026"):
        order = "ymd"
        if len(numbers) < len(order):
            return _month_or_year(*map(int, numbers))
    if len(numbers) == len("dm"):
        numbers, order = [*numbers, str(today.year)], f"{order.replace('y', '')}y"
    if len(numbers) != len(order):
        raise ValueError(numbers)
    found = dict(zip(order, numbers, strict=True))
    year = int(found["y"]) + (2000 if len(found["y"]) <= 2 else 0)
    day = date(year, int(found["m"]), int(found["d"]))
    return day, day


def _month_or_year(year: int, month: int = 0) -> tuple[date, date]:
    if not month:
        return date(year, 1, 1), date(year, 12, 31)
    return date(year, month, 1), _end_of_month(date(year, month, 1))


def _end_of_month(day: date) -> date:
    return (day.replace(day=28) + timedelta(4)).replace(day=1) - timedelta(1)


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
