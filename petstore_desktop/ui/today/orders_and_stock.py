"""The orders and the stock in numbers, each with a chart: overdue, due today, this week, without a date; low, none
left, and what falls fastest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from petstore_desktop.desk.today.standing import has_an_end
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.records import Key, Ref, Resource
from petstore_desktop.domain.seen_changes import Span
from petstore_desktop.ui.base.building import add, in_row
from petstore_desktop.ui.base.theme import Tone, isolate, plain
from petstore_desktop.ui.context.navigation import ListTarget
from petstore_desktop.ui.text.times import late
from petstore_desktop.ui.text.translate import counted, number, tr
from petstore_desktop.ui.today.section import PAD, Due, Line, TodaySection, names_parts, not_counted_words
from petstore_desktop.ui.widgets.labels import PlainLabel, say

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.today.orders import OrderNumbers
    from petstore_desktop.desk.today.rows import RowCount
    from petstore_desktop.desk.today.stock import FallingStock, StockNumbers
    from petstore_desktop.shop.past import PastQuestions
    from petstore_desktop.ui.charts.chart import Chart


class OrdersSection(TodaySection):
    """The orders as lines and as a chart. `open_rows` opens the list of orders with filters."""

    def __init__(self, desk: Desk, open_rows: Callable[[ListTarget], object]) -> None:
        super().__init__("orders", tr("Orders"))
        self._desk, self._open_rows = desk, open_rows
        self._behind: Mapping[object, Mapping[str, str]] = {}
        self.chart: Chart | None = None
        """Made when there is something to show: nothing of it is needed before the first paint."""

    def refresh(self) -> None:
        """Show the orders as they are now; nothing of a list that is being read first, or that the service has
        not got; of one that is not here whole, that nothing is counted."""
        known = has_an_end(self._desk, Resource.ORDERS)
        self.due = None
        self.setVisible(known)
        if not known:
            return
        from petstore_desktop.desk.today.orders import order_numbers  # after the first paint
        from petstore_desktop.desk.today.rows import NotCounted

        numbers = order_numbers(self._desk.shop)
        if isinstance(numbers, NotCounted):
            self.set_note("")
            self.set_lines((), not_counted_words(numbers))
            if self.chart is not None:
                self.chart.hide()
            return
        n = numbers.overdue.n
        words = tr("{n} orders are overdue", "", n, one="{n} order is overdue")
        self.due = Due(n, words, lambda: self._open(numbers.overdue.filters))
        self.set_note(tr("{n} open", "", numbers.open.n) if numbers.open.n else "")
        empty = tr("Nothing is due this week") if numbers.open.n else tr("No open orders")
        self.set_lines(self._lines_of(numbers), empty)
        self._show_chart(numbers)

    def _show_chart(self, numbers: OrderNumbers) -> None:
        from petstore_desktop.ui.charts.chart import Chart  # after the first paint
        from petstore_desktop.ui.charts.shop_charts import EARLIER, day_plot

        days = (numbers.earlier, *numbers.days)
        self._behind = {EARLIER if one.day is None else one.day: one.filters for one in days}
        shown = any(one.complete or one.waiting for one in days)
        if self.chart is None and shown:
            self.chart = Chart(day_plot(numbers), "today.orders.days")
            self.chart.opened.connect(self._open_bar)
            add(self.body, in_row(None, self.chart, margins=(PAD, 4, PAD, 0)))
        elif self.chart is not None and shown:
            self.chart.show_plot(day_plot(numbers))
        if self.chart is not None:
            self.chart.setVisible(shown)

    def stops(self) -> list[QWidget]:
        """The lines, and the days of the chart."""
        return [*super().stops(), *(self.chart.slot_widgets() if self.chart and not self.chart.isHidden() else ())]

    def _open_bar(self, key: object) -> None:
        self._open(self._behind[key])

    def _open(self, filters: Mapping[str, str], name: str = "") -> None:
        self._open_rows(ListTarget(Resource.ORDERS, filters=filters, name=name))

    def _lines_of(self, numbers: OrderNumbers) -> list[Line]:
        most = max(count.n for count in _counts(numbers)) or 1
        oldest = tr("oldest {days}", days=late(numbers.oldest_days))
        lines = [
            self._line("overdue", "overdue", tr("Overdue"), numbers.overdue, most, "bad", oldest),
            self._line("due", "open", tr("Due today"), numbers.due, most, "accent"),
            self._line("week", "calendar", tr("This week"), numbers.this_week, most, "muted", tr("today included")),
            self._line("later", "calendar", tr("Later", "orders due after this week"), numbers.later, most, "muted"),
            self._line("undated", "unknown", tr("Without a ship date"), numbers.undated, most, "muted"),
        ]
        return [line for line in lines if line is not None]

    def _line(
        self, key: str, icon: str, head: str, count: RowCount, most: int, tone: Tone, note: str = ""
    ) -> Line | None:
        if not count.n:
            return None
        named, more = names_parts([plain(name) for name in count.names], count.others)
        names, late_ = named + more, tone == "bad"
        about = tr("{head}, {note}", head=head, note=note) if note else head
        return Line(
            f"orders.{key}",
            tr("{head}: {n}, {names}", "", count.n, head=about, names=names) if names else _bare(about, count.n),
            lambda: self._open(count.filters, head),
            icon,
            icon_tone=tone,
            head=head,
            note=note,
            note_tone="bad" if late_ else "muted",
            names=named,
            more=more,
            end=number(count.n),
            end_tone="bad" if late_ else None,
            bar=(count.n / most, _BARS.get(tone, "accent")),
        )


def _counts(numbers: OrderNumbers) -> tuple[RowCount, ...]:
    return numbers.overdue, numbers.due, numbers.this_week, numbers.later, numbers.undated


_BARS: Mapping[Tone, str] = {"bad": "bad"}


def _bare(head: str, n: int) -> str:
    return tr("{head}: {n}", "", n, head=head)


_INDENT = 24
_DAY_S = 86_400.0
_ASK_EVERY_S = 60.0
"""Seconds between two questions to the history: what falls moves slowly, and the page is worked out anew often."""


class StockSection(TodaySection):
    """The stock as lines and as bars. `open_rows` opens the list of the stock with filters, `open_record` one entry."""

    def __init__(
        self,
        desk: Desk,
        past: PastQuestions,
        open_rows: Callable[[ListTarget], object],
        open_record: Callable[[Ref], object],
    ) -> None:
        super().__init__("stock", tr("Stock"))
        self._desk, self._past = desk, past
        self._open_rows, self._open_record = open_rows, open_record
        self._asked = -_ASK_EVERY_S
        self._gone: tuple[Mapping[Key, int], Span] = ({}, Span(None, None))
        self._behind: Mapping[object, Mapping[str, str]] = {}
        self.more = PlainLabel("", "muted", 12)
        self.more.hide()
        self.chart: Chart | None = None
        """Made when there is something to show: nothing of it is needed before the first paint."""

    def refresh(self) -> None:
        """Show the stock as it is now, and ask the history what falls."""
        known = has_an_end(self._desk, Resource.INVENTORY, Resource.PETS)
        self.setVisible(known)
        if not known:
            return
        self._show()
        now = self._desk.now()
        if not 0 <= now - self._asked < _ASK_EVERY_S:
            self._asked = now
            self._past.span(self._ask)

    def stops(self) -> list[QWidget]:
        """The lines, and the bars of the categories."""
        return [*super().stops(), *(self.chart.slot_widgets() if self.chart and not self.chart.isHidden() else ())]

    def _ask(self, span: Span | ShopError) -> None:
        """What fell since the history began, or in the days that count."""
        from petstore_desktop.desk.today.stock import history_days  # after the first paint

        if isinstance(span, Span) and (days := history_days(span, self._desk.now())):
            since = self._desk.now() - days * _DAY_S
            self._past.units_gone(since, partial(self._take, span))

    def _take(self, span: Span, gone: Mapping[Key, int] | ShopError) -> None:
        if not isinstance(gone, ShopError) and self._gone != (gone, span):
            self._gone = (gone, span)
            self._show()

    def _show(self) -> None:
        from petstore_desktop.desk.today.rows import NotCounted
        from petstore_desktop.desk.today.stock import stock_numbers  # after the first paint

        numbers = stock_numbers(self._desk.shop)
        self.due = None
        if isinstance(numbers, NotCounted):
            self.set_note("")
            self.set_lines((), not_counted_words(numbers))
            say(self.more, "")
            if self.chart is not None:
                self.chart.hide()
            return
        if self._desk.shop.minimums:
            n = numbers.low.n
            words = tr("{n} pets are low", "", n, one="{n} pet is low")
            self.due = Due(n, words, lambda: self._open(numbers.low.filters))
        self.set_note(counted(Resource.INVENTORY, numbers.entries) if numbers.entries else "")
        self.set_lines(self._lines_of(numbers), self._nothing(numbers))
        self._show_chart(numbers)

    def _show_chart(self, numbers: StockNumbers) -> None:
        from petstore_desktop.ui.charts.chart import Chart  # after the first paint
        from petstore_desktop.ui.charts.shop_charts import category_plot

        self._behind = {one.key: one.filters for one in numbers.categories}
        shown = bool(numbers.categories)
        if self.chart is None and shown:
            self.chart = Chart(category_plot(numbers.categories), "today.stock.categories")
            self.chart.opened.connect(self._open_bar)
            add(self.body, in_row(None, self.chart, margins=(PAD + _INDENT, 4, PAD, 0)))
            add(self.body, in_row(None, self.more, "stretch", margins=(PAD + _INDENT, 4, PAD, 0)))
        elif self.chart is not None and shown:
            self.chart.show_plot(category_plot(numbers.categories))
        if self.chart is not None:
            self.chart.setVisible(shown)
        left = numbers.more_categories
        say(self.more, tr("and {n} more categories", "", left, one="and {n} more category") if left else "")

    def _open_bar(self, key: object) -> None:
        self._open(self._behind[key])

    def _open(self, filters: Mapping[str, str], name: str = "") -> None:
        self._open_rows(ListTarget(Resource.INVENTORY, filters=filters, name=name))

    def _nothing(self, numbers: StockNumbers) -> str:
        if not numbers.entries:
            return tr("No stock")
        return tr("Nothing is low") if self._desk.shop.minimums else tr("No minimum stock is set")

    def _lines_of(self, numbers: StockNumbers) -> list[Line]:
        most = max(numbers.low.n, numbers.none_left.n)
        from petstore_desktop.desk.today.stock import falling  # after the first paint

        lines = [
            self._line("low", "low", tr("Low"), numbers.low, most, "wait"),
            self._line("none", "none-left", tr("None left"), numbers.none_left, most, "muted"),
        ]
        gone, span = self._gone
        falls = falling(self._desk.shop, gone, span, self._desk.now())
        return [*(line for line in lines if line is not None), *map(self._falling, falls)]

    def _line(self, key: str, icon: str, head: str, count: RowCount, most: int, tone: Tone) -> Line | None:
        if not count.n:
            return None
        named, more = names_parts([plain(name) for name in count.names], count.others)
        names = named + more
        return Line(
            f"stock.{key}",
            tr("{head}: {n}, {names}", "", count.n, head=head, names=names)
            if names
            else tr("{head}: {n}", "", count.n, head=head),
            lambda: self._open(count.filters, head),
            icon,
            icon_tone=tone,
            head=head,
            names=named,
            more=more,
            end=number(count.n),
            bar=(count.n / most, "amber"),
        )

    def _falling(self, one: FallingStock) -> Line:
        name = isolate(plain(one.name))
        lasts = tr("about {n} days left", "", one.lasts, one="about {n} day left")
        days = tr("{n} days", "", one.days, one="{n} day")
        gone = tr("{n} gone in {days}, {left} in stock", "", one.gone, days=days, left=number(one.left))
        return Line(
            f"stock.falls.{one.pet}",
            tr("{name}: {lasts}, {gone}", name=name, lasts=lasts, gone=gone),
            lambda: self._open_record(Ref(Resource.INVENTORY, one.pet)),
            "falling",
            icon_tone="muted",
            head=tr("≈ {n} days left", "", one.lasts, one="≈ {n} day left"),
            names=name,
        )
