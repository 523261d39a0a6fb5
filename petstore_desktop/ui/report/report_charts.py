"""The two charts of a report: orders by ship date, and pieces in stock by category."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QDate, QLocale

from petstore_desktop.desk.report.period import Unit
from petstore_desktop.ui.charts.canvas import BarLook
from petstore_desktop.ui.charts.category_bars import CategoryBars
from petstore_desktop.ui.charts.day_bars import DayBars, DayHeading
from petstore_desktop.ui.charts.plot import ChartSlot, SlotPart
from petstore_desktop.ui.report.report_lists import category_words
from petstore_desktop.ui.text.times import date_text, full_day
from petstore_desktop.ui.text.translate import locale, number, signed, tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from petstore_desktop.desk.model.shop_model import ShopModel
    from petstore_desktop.desk.report.period import Period
    from petstore_desktop.desk.report.report import CategoryPieces, OrderChart, OrderSlot, Report

_MOST_CATEGORIES: Final = 8
"""Categories with a bar of their own; all further ones are one bar."""


def orders_plot(chart: OrderChart) -> DayBars:
    """Orders by ship date: complete, overdue, due today, to come."""
    slots = [_slot(chart.unit, one) for one in chart.slots]
    if chart.earlier:
        words = tr("Earlier")
        slots.insert(0, ChartSlot("earlier", words, words, words, (SlotPart(BarLook.OVERDUE, chart.earlier),)))
    counts = tuple(_counts(chart))
    heading = DayHeading(0, tr("Orders by ship date, as they are now"), counts)
    return DayBars(tr("Orders by ship date"), tr("Ship date"), (), slots, (heading,), apart=int(bool(chart.earlier)))


def _counts(chart: OrderChart) -> Iterator[tuple[BarLook, str]]:
    complete, overdue, due, coming = (
        sum(getattr(one, name) for one in chart.slots) for name in ("complete", "overdue", "due", "coming")
    )
    overdue += chart.earlier
    if complete:
        yield BarLook.DONE, tr("{n} complete", "", complete)
    if overdue:
        yield BarLook.OVERDUE, tr("{n} overdue", "", overdue)
    if due:
        yield BarLook.DUE, tr("{n} due today", "", due)
    if coming:
        yield BarLook.COMING, tr("{n} to come", "", coming)


def _slot(unit: Unit, one: OrderSlot) -> ChartSlot:
    looks = (
        (BarLook.DONE, one.complete),
        (BarLook.OVERDUE, one.overdue),
        (BarLook.DUE, one.due),
        (BarLook.COMING, one.coming),
    )
    parts = tuple(SlotPart(look, n) for look, n in looks if n)
    label, short = _labels(unit, one.days)
    return ChartSlot(one.days.first, label, label, full_day(one.days.first), parts, short)


def _labels(unit: Unit, days: Period) -> tuple[str, str]:
    """The words below a bar, and shorter ones."""
    first, here = days.first, locale()
    day = QDate(first.year, first.month, first.day)
    if unit is Unit.MONTH:
        return here.toString(day, "M/yy"), number(first.month)
    if unit is Unit.YEAR:
        return here.toString(day, "yyyy"), here.toString(day, "yy")
    if unit is Unit.WEEK:
        return date_text(first, "MMM"), number(first.day)
    weekday = here.dayName(first.isoweekday(), QLocale.FormatType.ShortFormat)
    return tr("{weekday} {day}", "Mon 16", weekday=weekday, day=number(first.day)), number(first.day)


def stock_plot(report: Report, shop: ShopModel) -> CategoryBars:
    """Pieces by category, with what changed since before the period."""
    rows = report.categories
    shown = rows if len(rows) <= _MOST_CATEGORIES else rows[: _MOST_CATEGORIES - 1]
    slots = [_bar(category_words(shop, one.category), one.pieces, one.before) for one in shown]
    rest = rows[len(shown) :]
    if rest:
        words = tr("{n} other categories", "", len(rest), one="{n} other category")
        slots.append(_bar(words, sum(one.pieces for one in rest), _before(rest)))
    return CategoryBars(tr("Pieces in stock by category"), tr("Category"), (), slots)


def _before(rows: tuple[CategoryPieces, ...]) -> int | None:
    known = [one.before for one in rows if one.before is not None]
    return sum(known) if len(known) == len(rows) else None


def _bar(name: str, pieces: int, before: int | None) -> ChartSlot:
    said = number(pieces)
    if before is not None and before != pieces:
        said = tr(
            "{now} ({change})", "pieces now, and how many more than before", now=said, change=signed(pieces - before)
        )
    parts = (SlotPart(BarLook.REST, pieces),) if pieces > 0 else ()
    return ChartSlot(name, name, name, name, parts, figure=said, strong=number(pieces))
