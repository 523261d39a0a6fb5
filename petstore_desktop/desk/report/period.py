"""The days that a report is about: a week or month by the calendar, or any two days."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta, tzinfo
from enum import StrEnum

from msgspec import Struct

from petstore_desktop.desk.values.typed_values import DAY_WORDS


class PeriodKind(StrEnum):
    """Which days a person asked for."""

    THIS_WEEK = "this week"
    LAST_WEEK = "last week"
    THIS_MONTH = "this month"
    LAST_MONTH = "last month"
    DAYS = "days"


class Period(Struct, frozen=True):
    """From one day to another, both included."""

    kind: PeriodKind
    first: date
    last: date

    def holds(self, day: date) -> bool:
        """Whether it is one of its days."""
        return self.first <= day <= self.last

    def moments(self, zone: tzinfo | None) -> tuple[float, float]:
        """When it begins and when it ends (UTC epoch seconds), at midnight in the local zone (None: the computer's)."""
        return _midnight(self.first, zone), _midnight(_after(self.last), zone)


def period_of(kind: PeriodKind, today: date, first_weekday: int) -> Period:
    """The week or month in which today is, or the one before. `first_weekday`: on which day weeks begin (0 is Monday);
    any two days are at first those of this week up to today."""
    week = DAY_WORDS["this week"](today, first_weekday)
    first, last = (week[0], today) if kind is PeriodKind.DAYS else DAY_WORDS[kind](today, first_weekday)
    return Period(kind, first, last)


def _next_month(first: date) -> date:
    return (first + timedelta(days=31)).replace(day=1)


def _after(day: date) -> date:
    return day if day == date.max else day + timedelta(days=1)


def _midnight(day: date, zone: tzinfo | None) -> float:
    return datetime.combine(day, time.min, zone).timestamp()


class Unit(StrEnum):
    """What one bar of a chart over time stands for."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


_MOST_SLOTS = 35
"""Bars that have room beside each other: a month of days."""


def slots_of(period: Period, first_weekday: int) -> tuple[Unit, tuple[Period, ...]]:
    """The bars of a chart over a period: its days, or where those are too many, its weeks, months or years; the first
    and the last one may be shorter."""
    for unit in Unit:
        parts = tuple(_parts(period, unit, first_weekday))
        if len(parts) <= _MOST_SLOTS or unit is Unit.YEAR:
            return unit, parts
    raise AssertionError("years are the last unit")


def _parts(period: Period, unit: Unit, first_weekday: int) -> list[Period]:
    found: list[Period] = []
    day = period.first
    while day <= period.last and len(found) <= _MOST_SLOTS:
        end = min(_end(day, unit, first_weekday), period.last)
        found.append(Period(period.kind, day, end))
        if end == date.max:
            break
        day = end + timedelta(days=1)
    return found


def _end(day: date, unit: Unit, first_weekday: int) -> date:
    if unit is Unit.DAY:
        return day
    if unit is Unit.WEEK:
        return day + timedelta(days=6 - (day.weekday() - first_weekday) % 7)
    if unit is Unit.MONTH:
        return _next_month(day.replace(day=1)) - timedelta(days=1)
    return day.replace(month=12, day=31)
