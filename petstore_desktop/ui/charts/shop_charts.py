"""The shop as charts: orders day by day, last week and this one; and the categories with the most that is low."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import QDate, QLocale

from petstore_desktop.desk.today.orders import OrderDay, OrderNumbers
from petstore_desktop.desk.today.stock import CategoryStock
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.charts.canvas import BarLook
from petstore_desktop.ui.charts.category_bars import CategoryBars
from petstore_desktop.ui.charts.day_bars import DayBars, DayHeading
from petstore_desktop.ui.charts.plot import ChartSlot, SlotPart
from petstore_desktop.ui.text.times import date_text, full_day
from petstore_desktop.ui.text.translate import locale, number, tr

_WEEK = 7
EARLIER = "earlier"
"""The key of the bar of what is overdue longer than the days tell."""


def day_plot(numbers: OrderNumbers) -> DayBars:
    """Last week and this one as bars, with what is overdue longer before them."""
    earlier = (_earlier_slot(numbers.earlier),) if numbers.earlier.waiting else ()
    return DayBars(
        tr("Orders by ship date, last week and this week"),
        tr("Ship date"),
        (
            (tr("Complete"), BarLook.DONE),
            (tr("Overdue"), BarLook.OVERDUE),
            (tr("Due today"), BarLook.DUE),
            (tr("To come"), BarLook.COMING),
        ),
        (*earlier, *(_day_slot(day, numbers.today) for day in numbers.days)),
        _headings(numbers, len(earlier)),
        len(earlier),
    )


def _look(day: date, today: date) -> BarLook:
    return BarLook.OVERDUE if day < today else BarLook.DUE if day == today else BarLook.COMING


def _counted(look: BarLook, n: int) -> str:
    """`2 overdue`."""
    if look is BarLook.DONE:
        return tr("{n} complete", "", n)
    if look is BarLook.OVERDUE:
        return tr("{n} overdue", "", n)
    return tr("{n} due today", "", n) if look is BarLook.DUE else tr("{n} to come", "", n)


def _day_slot(day: OrderDay, today: date) -> ChartSlot:
    on = day.day or today
    parts = ((BarLook.DONE, day.complete), (_look(on, today), day.waiting))
    kept = tuple(SlotPart(look, n) for look, n in parts if n)
    counts = tr(", ", "between names").join(_counted(part.look, part.n) for part in kept)
    spoken = date_text(on, "dddd MMMM")
    weekday = locale().toString(QDate(on.year, on.month, on.day), "ddd")
    letter = locale().standaloneDayName(on.isoweekday(), QLocale.FormatType.NarrowFormat)
    return ChartSlot(
        on,
        tr("Today") if on == today else tr("{weekday} {day}", weekday=weekday, day=number(on.day)),
        tr("{day}: {counts}", day=spoken, counts=counts) if kept else tr("{day}: no orders", day=spoken),
        full_day(on),
        kept,
        number(on.day),
        narrow=tr("{weekday} {day}", weekday=letter, day=number(on.day)),
        is_now=on == today,
        has_rows=bool(kept),
    )


def _earlier_slot(earlier: OrderDay) -> ChartSlot:
    word = tr("Earlier")
    said = tr("{day}: {counts}", day=word, counts=_counted(BarLook.OVERDUE, earlier.waiting))
    return ChartSlot(EARLIER, word, said, word, (SlotPart(BarLook.OVERDUE, earlier.waiting),))


def _headings(numbers: OrderNumbers, first: int) -> tuple[DayHeading, ...]:
    weeks = ((tr("Last week"), numbers.days[:_WEEK]), (tr("This week"), numbers.days[_WEEK:]))
    return tuple(
        DayHeading(first + at * _WEEK, words, _week_counts(days, numbers.today))
        for at, (words, days) in enumerate(weeks)
    )


def _week_counts(days: tuple[OrderDay, ...], today: date) -> tuple[tuple[BarLook, str], ...]:
    sums: dict[BarLook, int] = dict.fromkeys((BarLook.DONE, BarLook.OVERDUE, BarLook.DUE, BarLook.COMING), 0)
    for day in days:
        sums[BarLook.DONE] += day.complete
        sums[_look(day.day or today, today)] += day.waiting
    return tuple((look, _counted(look, n)) for look, n in sums.items() if n)


# ---- the stock


def category_plot(categories: tuple[CategoryStock, ...]) -> CategoryBars:
    """The categories with the most that is low, as bars."""
    return CategoryBars(
        tr("Low stock by category"),
        tr("Category"),
        ((tr("Low"), BarLook.LOW), (tr("Not low"), BarLook.REST)),
        tuple(map(_slot, categories)),
    )


def _slot(one: CategoryStock) -> ChartSlot:
    name = plain(one.name) or tr("No category")
    low, total = number(one.low), number(one.total)
    parts = (SlotPart(BarLook.LOW, one.low), SlotPart(BarLook.REST, one.total - one.low))
    return ChartSlot(
        one.key,
        name,
        tr("{name}: {low} of {total} low", name=isolate(name), low=low, total=total),
        name,
        tuple(part for part in parts if part.n),
        figure=tr("{low} of {total}", low=low, total=total),
        strong=low,
    )
