"""A coming day as people type it: `fri`, `+3`, `27.11.`, `27 nov`, `tomorrow`, or the number of a day."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date, timedelta

from msgspec import Struct, field

from petstore_desktop.desk.values.text import DayOrder, LocaleForms, fold
from petstore_desktop.desk.values.typed_values import (
    OTHER_CALENDARS,
    days_said,
    month_or_year,
    named_parts,
    numbers_of,
    refuse_mixed,
)

_WEEK, _MONTHS = 7, 12
_HALF_A_YEAR = 183
_DIGITS_OF_YEAR = 4
_LONGEST = 60
_STEP = re.compile(r"([+\-\u2212\u2013\u30fc])\s*(\d{1,4})\s*(\D*)")


class DayNames(Struct, frozen=True):
    """What a language calls days: of each weekday (Monday first) and month its names, words for days near to today with
    how many days they are ahead, and for `+3 days`. All without case and accents, as `fold` has them."""

    weekdays: tuple[tuple[str, ...], ...] = ()
    months: tuple[tuple[str, ...], ...] = ()
    near: Mapping[str, int] = field(default_factory=dict[str, int])
    joining: frozenset[str] = frozenset({"de", "del"})
    """What stands between the parts of a day; these in Spanish."""
    units: Mapping[str, int] = field(default_factory=dict[str, int])
    """Words for days and weeks, each with its number of days."""


ENGLISH = DayNames(
    tuple((name,) for name in ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")),
    tuple(
        (name,)
        for name in (
            *("january", "february", "march", "april", "may", "june"),
            *("july", "august", "september", "october", "november", "december"),
        )
    ),
    {"today": 0, "tomorrow": 1, "yesterday": -1, "day after tomorrow": 2},
    units={"": 1, "d": 1, "day": 1, "days": 1, "w": _WEEK, "week": _WEEK, "weeks": _WEEK},
)


def typed_day(text: str, today: date, order: DayOrder, names: DayNames = ENGLISH) -> date:
    """The local day of a typed text. Names are known by their beginning, in the person's language (`names`) and in
    English; a weekday is the next one after today; a day without its year is in this year, unless that was over half a
    year ago. Raises ValueError for what is no day, or may be several."""
    words = fold(" ".join(text.split()))
    if not words or len(words) > _LONGEST:
        raise ValueError(text[:_LONGEST])
    try:
        found = _stepped(words, today, names) or _named(words, today, (names, ENGLISH))
        found = found or _dated(words, today, order, names)
    except OverflowError as error:  # beyond the calendar
        raise ValueError(text) from error
    if found is None or found.year in OTHER_CALENDARS:
        raise ValueError(text)
    return found


def typed_days(text: str, today: date, order: DayOrder, names: DayNames = ENGLISH) -> tuple[date, date]:
    """The first and the last day of a typed month (`november`, `nov 2026`; without its year in this one), or of a day.
    Raises ValueError as `typed_day` does."""
    parts = [part for part in numbers_of(text) if part not in names.joining]
    years = [part for part in parts if part.isdigit() and len(part) == _DIGITS_OF_YEAR]
    named, numbers = " ".join(part for part in parts if not part.isdigit()), sum(map(str.isdigit, parts))
    is_name = _is_name(named, names.months)
    if named and numbers == len(years) <= 1 and (is_name or (len(named) > 2 and not _weekdays(named, names))):
        month = _month(named, names)
        if month is not None:
            return month_or_year(int(years[0]) if years else today.year, month)
    day = typed_day(text, today, order, names)
    return day, day


def _is_name(word: str, named: Iterable[Sequence[str]]) -> bool:
    return any(word in names for names in named)


def _stepped(words: str, today: date, names: DayNames) -> date | None:
    """`+3`, `-1`, `+2w`."""
    step = _STEP.fullmatch(words)
    unit = None if step is None else {**ENGLISH.units, **names.units}.get(step[3].strip(" ."))
    if step is None or unit is None:
        return None
    days = int(step[2]) * unit
    return today + timedelta(days if step[1] == "+" else -days)


def _named(words: str, today: date, languages: Iterable[DayNames]) -> date | None:
    """A weekday, or a word such as `tomorrow`: what the first language knows, it alone explains."""
    word = words.strip(" .,")
    for language in languages:
        days = {_until(day, today) for day in _found(word, language.weekdays)}
        if word in language.near:
            days = {language.near[word]}
        elif not _is_name(word, language.weekdays):
            days |= {days for name, days in language.near.items() if name.startswith(word)}
        if len(days) > 1:
            raise ValueError(words)
        if days and word:
            return today + timedelta(days.pop())
    return None


def _until(weekday: int, today: date) -> int:
    """In how many days this weekday comes next; today's own is in a week."""
    return (weekday - today.weekday() - 1) % _WEEK + 1


def _found(word: str, named: Sequence[Sequence[str]]) -> list[int]:
    """Which of these begin with a word; where it is the whole name of one, that alone."""
    whole = [place for place, names in enumerate(named) if word in names]
    return whole or [place for place, names in enumerate(named) if any(name.startswith(word) for name in names)]


def _dated(words: str, today: date, order: DayOrder, names: DayNames) -> date | None:
    """A day by its numbers, or with the name of its month."""
    if (signed := named_parts(words)) is not None:
        return _of_signs(signed, today)
    parts = [part for part in numbers_of(words) if part not in names.joining]
    for end in (0, -1):
        if len(parts) > 2 and not parts[end].isdigit() and (weekdays := _weekdays(parts[end], names)):
            del parts[end]
            found = _of_parts(words, parts, today, order, names)
            return found if found is None or found.weekday() in weekdays else None
    if len(parts) == 2 and not parts[0].isdigit() and _found(parts[0], names.weekdays):
        return None  # Tuesday or March: `mar. 1`
    return _of_parts(words, parts, today, order, names)


def _of_signs(signed: tuple[int | None, int | None, int | None, int | None], today: date) -> date | None:
    year, month, day, weekday = signed
    if day is None or (year and not month):
        return None
    found = date(year, month or 1, day) if year else _in_year(day, month, today) if month else _of_month(day, today)
    return found if found is None or weekday in (None, found.weekday()) else None


def _of_parts(words: str, parts: list[str], today: date, order: DayOrder, names: DayNames) -> date | None:
    named = " ".join(part for part in parts if not part.isdigit())
    if not named:
        refuse_mixed(words)
        return _numbered("-".join(parts) if "-" in words else " ".join(parts), parts, today, order)
    numbers = [part for part in parts if part.isdigit()]
    if not 1 <= len(numbers) <= 2:
        return None
    month = _month(named, names)
    if len(numbers[0]) == _DIGITS_OF_YEAR:
        numbers.reverse()
    if month is None or (len(numbers) > 1 and len(numbers[1]) != _DIGITS_OF_YEAR):
        return None
    day = int(numbers[0])
    return _in_year(day, month, today) if len(numbers) == 1 else date(int(numbers[1]), month, day)


def _weekdays(word: str, names: DayNames) -> list[int]:
    return _found(word, names.weekdays) or _found(word, ENGLISH.weekdays)


def _month(word: str, names: DayNames) -> int | None:
    """The one month whose name begins so."""
    found = _found(word, names.months) or _found(word, ENGLISH.months)
    return found[0] % _MONTHS + 1 if len(found) == 1 else None


def _numbered(words: str, parts: Sequence[str], today: date, order: DayOrder) -> date | None:
    short = [part for part in parts if len(part) < _DIGITS_OF_YEAR]
    if len(parts) == 1 and short and len(parts[0]) <= 2:
        return _of_month(int(parts[0]), today)
    if len(parts) == 2 and len(short) == 2:
        said = dict(zip(order.replace("y", ""), map(int, parts), strict=True))
        return _in_year(said["d"], said["m"], today)
    first, last = days_said(words, today, LocaleForms(day_order=order))
    return first if first == last else None


def _of_month(day: int, today: date) -> date | None:
    """The next day of this number: today, later in this month, or in the first month that has it."""
    begin = today.replace(day=1)
    for _ in range(_MONTHS):
        with suppress(ValueError):
            if begin.replace(day=day) >= today:
                return begin.replace(day=day)
        begin = (begin + timedelta(32)).replace(day=1)
    return None


def _in_year(day: int, month: int, today: date) -> date | None:
    """This day of this year, or of the next one if it was long ago or is not in this year's calendar."""
    for year in (today.year, today.year + 1):
        with suppress(ValueError):
            found = date(year, month, day)
            if (today - found).days <= _HALF_A_YEAR:
                return found
    return None
