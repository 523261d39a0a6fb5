"""A report on sheets of paper: first a page of figures and two charts (orders by ship date, pieces in stock by
category), then the lists (low stock, overdue orders, and the changes), each page with its foot."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field
from msgspec.structs import replace
from PySide6.QtCore import QBuffer, QCoreApplication, QDate, QIODevice, QLocale, QRect, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication

from petstore_desktop.desk.model.shop_model import ShopModel, id_text
from petstore_desktop.desk.report.period import Period, Unit
from petstore_desktop.desk.report.report import CategoryPieces, OrderChart, OrderSlot, Past, Report, report_of
from petstore_desktop.desk.report.shop_now import OrderRow, StockRow, look_at
from petstore_desktop.domain.records import Key, Resource
from petstore_desktop.ui.base.theme import plain
from petstore_desktop.ui.charts.canvas import BarLook, paper_ink
from petstore_desktop.ui.charts.category_bars import CategoryBars
from petstore_desktop.ui.charts.day_bars import DayBars, DayHeading
from petstore_desktop.ui.charts.plot import ChartSlot, Plot, SlotPart, paint_plot
from petstore_desktop.ui.paper.paper_dialog import painted, pdf_writer
from petstore_desktop.ui.paper.printed_list import HEADER, ROW, PaperColumn, RowPainter
from petstore_desktop.ui.paper.sheet import (
    BODY,
    FOOT,
    GREY,
    HEADING,
    INK,
    SMALL,
    TITLE,
    font,
    line_height,
    page_layout,
    reads_left,
    sheet_of,
    text_width,
    wrapped,
    write,
    write_foot,
)
from petstore_desktop.ui.report.report_texts import (
    ShopSaid,
    caution_words,
    days_words,
    figure_table,
    group_row,
    is_part,
    known_words,
    no_changes_words,
    no_stock_words,
    said_of,
    title_words,
)
from petstore_desktop.ui.text.changes.seen import (
    kind_title,
    record_id,
    record_words,
    sum_words,
    untold_words,
    value_pair,
    what_words,
    who_word,
)
from petstore_desktop.ui.text.times import date_text, full_day, late, on_paper
from petstore_desktop.ui.text.translate import DASH, column_title, locale, made_quietly, number, sentences, signed, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.past import SeenGroup
    from petstore_desktop.domain.seen_changes import SeenChange


MOST_ROWS: Final = 300
"""Rows of one list on paper; of more it is said how many there are."""
_LOOKED_AT: Final = 50
_MOST_WIDTH: Final = 150.0
"""Points of a column whose texts can be long."""


class ListSection(Struct, frozen=True):
    """One list. `row` gives the texts of a row when it is painted; `none` is said in the place of rows."""

    title: str
    columns: Sequence[PaperColumn]
    count: int
    row: Callable[[int], Sequence[str]]
    none: str = ""
    more: str = ""


def lists_of(report: Report, shop: ShopModel) -> Iterator[ListSection]:
    """All lists of a report; those of which nothing is known say so."""
    yield _low(report, shop)
    yield _overdue(report, shop)
    yield from _changes(report, shop)


def _section(
    title: str, heads: Sequence[str], sides: str, total: int, row: Callable[[int], Sequence[str]], none: str = ""
) -> ListSection:
    """`sides`: of each column `r` for numbers, `l` for texts, `n` for the name that takes what room is left."""
    count = min(total, MOST_ROWS)
    step = max(1, count // _LOOKED_AT)
    texts = [row(place) for place in range(0, count, step)]
    columns: list[PaperColumn] = []
    for place, (head, side) in enumerate(zip(heads, sides, strict=True)):
        widest = max([text_width(head, SMALL, bold=True), *(text_width(one[place]) for one in texts)])
        columns.append(PaperColumn(head, min(widest, _MOST_WIDTH), side == "r", side == "n"))
    more = tr("The first {n} of {all}.", n=number(count), all=number(total)) if count < total else ""
    return ListSection(title, columns, count, row, none, more)


def pet_words(shop: ShopModel, pet: Key | None) -> str:
    """A pet as `Koi (#1126)`."""
    if pet is None:
        return DASH
    name, id_ = shop.name(Resource.PETS, pet), id_text(pet)
    said = tr("?", "in place of the name of a record that is not there") if name is None else plain(name)
    return tr("{pet} (#{id})", pet=said or tr("(no name)"), id=plain(id_)) if id_ else said


def category_words(shop: ShopModel, category: Key | None) -> str:
    """A category by its name."""
    if category is None:
        return tr("Without a category")
    return plain(shop.name(Resource.CATEGORIES, category) or "") or f"? (#{plain(id_text(category))})"


# ---- low stock


def _low(report: Report, shop: ShopModel) -> ListSection:
    stock = Resource.INVENTORY
    heads = [column_title(stock, name) for name in ("pet", "category", "quantity", "minimum", "to_order")]
    rows = report.low
    if rows is None:
        return ListSection(tr("Low stock now"), (), 0, lambda _: (), tr("Which stock is low is not known."))
    title = tr("Low stock now: {n} pets", "", len(rows), one="Low stock now: {n} pet")
    return _section(title, heads, "nlrrr", len(rows), lambda place: _low_row(shop, rows[place]), tr("No stock is low."))


def _low_row(shop: ShopModel, row: StockRow) -> list[str]:
    numbers = (row.quantity, shop.minimum(row.pet), shop.to_order(row.pet))
    counts = (DASH if count is None else number(count) for count in numbers)
    return [pet_words(shop, row.pet), category_words(shop, row.category), *counts]


# ---- overdue orders


def _overdue(report: Report, shop: ShopModel) -> ListSection:
    orders, rows = Resource.ORDERS, report.overdue
    heads = [tr("Order"), *(column_title(orders, name) for name in ("pet", "quantity", "ship_date", "late"))]
    if rows is None:
        return ListSection(tr("Overdue orders now"), (), 0, lambda _: (), tr("Which orders are overdue is not known."))
    title, none = tr("Overdue orders now: {n}", "", len(rows)), tr("No order is overdue.")
    return _section(title, heads, "lnrlr", len(rows), lambda place: _overdue_row(shop, rows[place]), none)


def _overdue_row(shop: ShopModel, row: OrderRow) -> list[str]:
    return [
        plain(id_text(row.key)) or DASH,
        pet_words(shop, row.pet),
        DASH if row.quantity is None else number(row.quantity),
        DASH if row.day is None else full_day(row.day),
        late(row.days_late or 0),
    ]


# ---- changes


def _changes(report: Report, shop: ShopModel) -> Iterator[ListSection]:
    heads = [tr("First seen"), tr("Record"), tr("What"), tr("Then"), tr("Now"), tr("By")]
    for group in report.groups:
        yield _section(
            tr("{kind}: {sum}", "the title of a list of changes", kind=kind_title(group.kind), sum=sum_words(group)),
            heads,
            "lnllll",
            len(group.changes),
            lambda place, group=group: _change_row(shop, group, place),
        )


def _change_row(shop: ShopModel, group: SeenGroup, place: int) -> list[str]:
    change = group.changes[place]
    then, now = value_pair(shop, change, any_day=True)
    return [on_paper(change.seen_by), _record(shop, change), what_words(change), then, now, who_word(change.who)]


def _record(shop: ShopModel, change: SeenChange) -> str:
    id_ = "" if not record_id(change) else id_text(change.ref.key)
    name = record_words(shop, change)
    return tr("{pet} (#{id})", pet=name, id=plain(id_)) if id_ else name


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


_GAP: Final = 12.0
_INDENT: Final = 10.0
_SCALE: Final = 0.75
"""Charts are designed in pixels of the screen, which are larger than points on paper."""
Paint = Callable[[QPainter, float], object]


class _Sheets(Struct):
    """Puts blocks below each other, and begins a new page where one has no room."""

    room: float
    pages: list[list[tuple[float, Paint]]] = field(default_factory=lambda: [[]])
    at: float = 0.0

    def put(self, height: float, paint: Paint, needs: float = 0.0) -> None:
        """Add a block. `needs`: the height of what must stand on the same page below it."""
        if not self.fits(height + needs):
            self.turn()
        self.pages[-1].append((self.at, paint))
        self.at += height

    def fits(self, height: float) -> bool:
        return self.at == 0 or self.at + height <= self.room

    def turn(self) -> None:
        """Begin a new page."""
        if self.pages[-1]:
            self.pages.append([])
        self.at = 0.0

    def space(self, height: float) -> None:
        if self.at:
            self.at += height


class ReportPages:
    """A report, laid out for sheets of one size; pages are painted one by one."""

    def __init__(self, report: Report, shop: ShopModel, said: ShopSaid, begin: float, sheet: QRectF) -> None:
        """`begin`: the moment at which the period begins (UTC epoch seconds)."""
        self._report, self._shop, self._said, self._begin, self._sheet = report, shop, said, begin, sheet
        self._sheets = _Sheets(sheet.height() - FOOT)
        self.title = title_words(report.period)

    @property
    def pages(self) -> int:
        """How many there are."""
        return len(self._sheets.pages)

    def paint(self, painter: QPainter, page: int) -> None:
        """Paint one page; the painter counts in points."""
        for top, paint in self._sheets.pages[page]:
            paint(painter, self._sheet.top() + top)
        foot = tr("{shop}, printed {time}", shop=self._said.shop, time=on_paper(self._said.made_at))
        write_foot(painter, self._sheet, foot, page, self.pages)

    # -- the first page

    def lay_out(self) -> Iterator[None]:
        """Find the place of everything, with a pause after each part; must be run to its end before anything else."""
        report = self._report
        self._line(self._said.shop, BODY, GREY)
        self._line(days_words(report.period), TITLE, INK, bold=True)
        for words in (*self._said.lines, known_words(report, self._begin)):
            self._text(words)
        self._figures()
        known = report.since is not None or not report.is_over  # else one sentence says that nothing is
        if known:
            self._groups()
        yield
        if report.orders is not None:
            self._chart(orders_plot(report.orders))
            without = report.orders.without_date
            if without:
                self._text(tr("{n} open orders have no date.", "", without, one="{n} open order has no date."))
        if known:
            self._stock()
        self._sheets.turn()
        for section in lists_of(report, self._shop):
            self._list(section)
            yield

    def _figures(self) -> None:
        report = self._report
        heads, lines = figure_table(report)
        if not lines:
            return
        widths = [max(text_width(one, bold=True) for one in texts) for texts in zip(heads, *lines, strict=True)]
        columns = [
            PaperColumn(words, width + _INDENT, right=place > 0, takes_rest=True)
            for place, (words, width) in enumerate(zip(heads, widths, strict=True))
        ]
        rows = RowPainter(columns, self._sheet)
        self._sheets.space(_GAP)
        self._sheets.put(HEADER, rows.header, ROW)
        for figure, texts in zip(report.figures, lines, strict=True):
            bold = not is_part(figure)
            self._sheets.put(ROW, partial(self._figure, rows, texts, bold))

    @staticmethod
    def _figure(rows: RowPainter, texts: Sequence[str], bold: bool, painter: QPainter, top: float) -> None:
        rows.row(painter, texts, top, bold=bold, indent=0 if bold else _INDENT)

    def _groups(self) -> None:
        report = self._report
        self._heading(tr("What changed"), ROW)
        if not report.groups:
            self._text(no_changes_words(report), INK)
            self._text(untold_words(report.span.untold))
            return
        columns = [
            PaperColumn("", 130.0, right=False),
            PaperColumn("", 60.0, right=True),
            PaperColumn("", 110.0, right=True),
            PaperColumn("", 120.0, right=False, takes_rest=True),
        ]
        rows = RowPainter(columns, self._sheet)
        for texts in map(group_row, report.groups):
            self._sheets.put(ROW, lambda painter, top, t=texts: rows.row(painter, t, top))
        self._text(sentences(caution_words(), untold_words(report.span.untold)))

    def _stock(self) -> None:
        self._heading(tr("Pieces in stock by category"), 3 * ROW)
        if self._report.categories:
            self._chart(stock_plot(self._report, self._shop), _GAP / 3)
        else:
            self._text(no_stock_words(self._report), INK)

    def _chart(self, plot: Plot, gap: float = _GAP) -> None:
        ink = paper_ink(rtl=reads_left())
        width = int(self._sheet.width() / _SCALE)
        height = plot.height(ink.theme, width)

        def paint(painter: QPainter, top: float) -> None:
            painter.save()
            painter.translate(self._sheet.left(), top)
            painter.scale(_SCALE, _SCALE)
            paint_plot(plot, painter, QRect(0, 0, width, height), ink)
            painter.restore()

        self._sheets.space(gap)
        self._sheets.put(height * _SCALE, paint)

    # -- the lists

    def _list(self, section: ListSection) -> None:
        rows = RowPainter(section.columns, self._sheet)
        self._heading(section.title, HEADER + ROW)
        if not section.count:
            self._text(section.none, INK)
            return
        self._sheets.put(HEADER, rows.header, ROW)
        for place in range(section.count):
            if not self._sheets.fits(ROW):
                self._sheets.turn()
                self._sheets.put(HEADER, rows.header)
            self._sheets.put(ROW, lambda painter, top, n=place: rows.row(painter, section.row(n), top))
        self._text(section.more)

    # -- texts

    def _heading(self, words: str, needs: float) -> None:
        self._sheets.space(_GAP)
        self._line(words, HEADING, INK, bold=True, needs=needs)

    def _text(self, words: str, ink: str = GREY) -> None:
        """A text of as many lines as it needs; none for an empty one."""
        for line in wrapped(words, font(BODY), self._sheet.width()) if words else ():
            self._line(line, BODY, ink)

    def _line(self, words: str, size: int, ink: str, *, bold: bool = False, needs: float = 0.0) -> None:
        height, sheet = line_height(size), self._sheet

        def paint(painter: QPainter, top: float) -> None:
            rect = QRectF(sheet.left(), top, sheet.width(), height)
            write(painter, rect, words, font(size, bold=bold), ink, right=reads_left())

        self._sheets.put(height, paint, needs)


def make_report(desk: Desk, name: str, period: Period, past: Past, sheet: QRectF) -> Iterator[ReportPages | None]:
    """Look at the shop, count, and lay the report out; a pause is None, and at the end come the pages. `name`: what the
    shop is called."""
    known = frozenset(one for one in Resource if desk.load(one).rows or desk.load(one).as_of is not None)
    past = replace(past, span=replace(past.span, untold=desk.untold(past.span)))
    now = yield from look_at(desk.shop, known)
    report = yield from report_of(period, now, past, desk.shop.here.first_weekday)
    yield None
    begin, _ = period.moments(desk.shop.zone)
    pages = ReportPages(report, desk.shop, said_of(desk, name), begin, sheet)
    yield from pages.lay_out()
    yield pages


def start_without_window() -> QCoreApplication:
    """Make what fonts need, also where there is no display. To be kept as long as something is painted."""
    if sys.platform.startswith("linux"):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    return made_quietly(QApplication)


def pdf_of(desk: Desk, name: str, period: Period, past: Past) -> tuple[int, bytes]:
    """Make a report at once; the number of its pages, and its PDF."""
    layout, memory = page_layout(0), QBuffer()
    (pages,) = (one for one in make_report(desk, name, period, past, sheet_of(layout)) if one is not None)
    memory.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = pdf_writer(memory, pages.title)
    writer.setPageLayout(layout)
    for _ in painted(writer, pages):
        pass
    return pages.pages, bytes(memory.data().data())
