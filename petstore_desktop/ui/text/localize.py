"""How numbers and days are written where the person is, and what is sorted and found by that."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import date
from functools import cache, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCollator, QDate, QLocale, Qt

from petstore_desktop.desk.values.collation import Collation
from petstore_desktop.desk.values.text import DayOrder, LocaleForms, Separators, fold
from petstore_desktop.ui.text.translate import DAY_WORDS, SPECIALS, STATUSES, day_words_said, locale, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.values.day_words import DayNames

_WEEKDAYS, _MONTHS = range(1, 8), range(1, 13)
_QUOTED = re.compile("'([^']+)'")
"""Words of a format that stand for themselves."""


def day_names() -> DayNames:
    """The names of days in the person's language; English ones are known beside them."""
    from petstore_desktop.desk.values.day_words import ENGLISH, DayNames  # late: few days are typed so
    from petstore_desktop.desk.values.typed_values import PARTS

    here, forms = locale(), (QLocale.FormatType.LongFormat, QLocale.FormatType.ShortFormat)
    weekdays = tuple(_folded([here.dayName(n, form) for form in forms]) for n in _WEEKDAYS)
    months = tuple(_folded([here.monthName(n, form) for form in forms]) for n in _MONTHS)
    today, yesterday, tomorrow, *_ = map(fold, day_words_said().split("   "))
    near = {today: 0, tomorrow: 1, yesterday: -1, fold(tr("day after tomorrow")): 2}
    kinds = fold(tr("d day days|w week weeks", "words after +3; those for days and for weeks")).split("|")
    units = {word: days for words, days in zip(kinds, (1, 7), strict=True) for word in words.split()}
    between = PARTS.split(fold(" ".join(_QUOTED.findall(here.dateFormat(forms[0])))))
    between += [part for names in weekdays for name in names for part in PARTS.split(name)[1:]]  # sexta-feira
    return DayNames(weekdays, months, near, ENGLISH.joining.union(between), units)


def _folded(names: Iterable[str]) -> tuple[str, ...]:
    said = (fold(name).strip(" .") for name in names)
    return tuple(dict.fromkeys(name for name in said if name))


def day_in_numbers(value: date, with_year: bool = True) -> str:
    """A day as it is typed here, in numbers: with all four digits of the year."""
    form = re.sub("y+", "yyyy", locale().dateFormat(QLocale.FormatType.ShortFormat))
    form = form if with_year else re.sub(r"(\.)?[^dM.]*y+[^dM]*", r"\1", form)
    said = locale().toString(QDate(value.year, value.month, value.day), form)
    return said.replace("\u200f", "")  # no key writes this mark, and with it the same day is read from the other side


def _named_days(order: DayOrder, names: Callable[[], DayNames], text: str, today: date) -> tuple[date, date]:
    from petstore_desktop.desk.values.day_words import typed_days  # late: few days are typed so

    return typed_days(text, today, order, names())


def _day_order(here: QLocale) -> DayOrder:
    """In which order a short date is written here: by the first letter of each part of its format."""
    form = here.dateFormat(QLocale.FormatType.ShortFormat).lower()
    places = sorted("dmy", key=form.find)
    return "ymd" if places[0] == "y" else "mdy" if places[0] == "m" else "dmy"


def separators(here: QLocale) -> Separators:
    """How a locale writes numbers."""
    group = here.groupSeparator()
    return Separators(group, here.decimalPoint(), here.toString(100_000).count(group) == len("00"))


@cache
def _collation(language: str) -> Collation:
    """The order of names in a language (BCP 47), for all windows that speak it."""
    collator = QCollator(QLocale(language))
    collator.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    collator.setNumericMode(True)
    return Collation(collator.sortKey)


def localize(desk: Desk) -> None:
    """Separators of numbers, the order of names, and the words that the filter finds. Before a table is opened."""
    here = locale()
    QLocale.setDefault(here)  # for widgets that format by themselves, where no locale is set at all
    words = day_words_said().split("   ")
    known = {fold(own): word for own, word in zip((*DAY_WORDS, *words), DAY_WORDS * 2, strict=False)}
    first = here.firstDayOfWeek().value - 1
    named = partial(_named_days, _day_order(here), cache(day_names))
    desk.shop.here = LocaleForms(separators(here), _day_order(here), first, known, day_in_numbers, named)
    desk.shop.collation = _collation(here.bcp47Name())
    desk.shop.forget_order()
    late = " ".join((tr("late"), tr("Late"), tr("Overdue"), "overdue"))
    desk.shop.vocabulary = {**{name: word() for name, word in STATUSES.items()}, "late": late}
    special = {code: said().partition("  ")[0] for code, said in SPECIALS.items()}
    desk.shop.filter_words = {**special, **dict(zip(DAY_WORDS, words, strict=False))}
