"""Orders: overdue, due today, this week, without a date, and a chart of last week and this one."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import QDate
from PySide6.QtWidgets import QWidget

from petstore_desktop.desk.today.orders import OrderDay, OrderNumbers, order_numbers
from petstore_desktop.desk.today.standing import is_whole
from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.base.building import in_row
from petstore_desktop.ui.base.theme import Tone, plain
from petstore_desktop.ui.charts.canvas import BarLook
from petstore_desktop.ui.charts.chart import Chart
from petstore_desktop.ui.charts.day_bars import DayBars, DayHeading
from petstore_desktop.ui.charts.plot import ChartSlot, SlotPart
from petstore_desktop.ui.text.times import date_text, full_day, late
from petstore_desktop.ui.text.translate import locale, number, tr
from petstore_desktop.ui.today.section import PAD, Line, TodaySection
from petstore_desktop.ui.today.words import names_words

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.today.rows import RowCount
    from petstore_desktop.ui.today.ways import OpenList

_WEEK = 7
_EARLIER = "earlier"


class OrdersSection(TodaySection):
    """The orders as lines and as a chart. `open_rows` opens the list of orders with filters."""

    def __init__(self, desk: Desk, open_rows: OpenList) -> None:
        super().__init__("orders", tr("Orders"))
        self._desk, self._open_rows = desk, open_rows
        self._behind: Mapping[object, Mapping[str, str]] = {}
        self.chart = Chart(day_plot(order_numbers(desk.shop)), "today.orders.days")
        self.chart.hide()
        self.chart.opened.connect(self._open_bar)
        self.body.addLayout(in_row(None, self.chart, margins=(PAD, 4, PAD, 0)))

    def refresh(self) -> None:
        """Show the orders as they are now; nothing of a list that is not whole, or that the service has not got."""
        load = self._desk.load(Resource.ORDERS)
        known = is_whole(self._desk, Resource.ORDERS) and load.phase != "not-offered"
        self.setVisible(known)
        if not known:
            return
        numbers = order_numbers(self._desk.shop)
        self.set_note(tr("{n} open", "", numbers.open.n) if numbers.open.n else "")
        empty = tr("Nothing is due this week") if numbers.open.n else tr("No open orders")
        self.set_lines(self._lines_of(numbers), empty)
        days = (numbers.earlier, *numbers.days)
        self._behind = {_EARLIER if one.day is None else one.day: one.filters for one in days}
        shown = any(one.complete or one.waiting for one in days)
        self.chart.setVisible(shown)
        if shown:
            self.chart.show_plot(day_plot(numbers))

    def stops(self) -> list[QWidget]:
        """The lines, and the days of the chart."""
        return [*super().stops(), *(self.chart.slot_widgets() if self.chart.isVisibleTo(self) else ())]

    def _open_bar(self, key: object) -> None:
        self._open(self._behind[key])

    def _open(self, filters: Mapping[str, str]) -> None:
        self._open_rows(Resource.ORDERS, filters=filters)

    def _lines_of(self, numbers: OrderNumbers) -> list[Line]:
        most = max(count.n for count in (numbers.overdue, numbers.due, numbers.this_week, numbers.undated)) or 1
        oldest = tr("oldest {days}", days=late(numbers.oldest_days))
        lines = [
            self._line("overdue", "overdue", tr("Overdue"), numbers.overdue, most, "bad", oldest),
            self._line("due", "open", tr("Due today"), numbers.due, most, "accent"),
            self._line("week", "calendar", tr("This week"), numbers.this_week, most, "muted", tr("today included")),
            self._line("undated", "unknown", tr("Without a ship date"), numbers.undated, most, "muted"),
        ]
        return [line for line in lines if line is not None]

    def _line(
        self, key: str, icon: str, head: str, count: RowCount, most: int, tone: Tone, note: str = ""
    ) -> Line | None:
        if not count.n:
            return None
        names, late_ = names_words([plain(name) for name in count.names], count.others), tone == "bad"
        about = tr("{head}, {note}", head=head, note=note) if note else head
        return Line(
            f"orders.{key}",
            tr("{head}: {n}, {names}", "", count.n, head=about, names=names) if names else _bare(about, count.n),
            lambda: self._open(count.filters),
            icon,
            icon_tone=tone,
            head=head,
            note=note,
            note_tone="bad" if late_ else "muted",
            names=names,
            end=number(count.n),
            end_tone="bad" if late_ else None,
            bar=(count.n / most, _BARS.get(tone, "accent")),
        )


_BARS: Mapping[Tone, str] = {"bad": "bad"}


def _bare(head: str, n: int) -> str:
    return tr("{head}: {n}", "", n, head=head)


# ---- the chart


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
    return ChartSlot(
        on,
        tr("Today") if on == today else tr("{weekday} {day}", weekday=weekday, day=number(on.day)),
        tr("{day}: {counts}", day=spoken, counts=counts) if kept else tr("{day}: no orders", day=spoken),
        full_day(on),
        kept,
        number(on.day),
        is_now=on == today,
        has_rows=bool(kept),
    )


def _earlier_slot(earlier: OrderDay) -> ChartSlot:
    word = tr("Earlier")
    said = tr("{day}: {counts}", day=word, counts=_counted(BarLook.OVERDUE, earlier.waiting))
    return ChartSlot(_EARLIER, word, said, word, (SlotPart(BarLook.OVERDUE, earlier.waiting),))


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
