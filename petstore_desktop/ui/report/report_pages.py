"""A report on sheets of paper: first a page of figures and charts, then the lists, each page with its foot."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field
from msgspec.structs import replace
from PySide6.QtCore import QBuffer, QCoreApplication, QIODevice, QRect, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication

from petstore_desktop.desk.report.report import report_of
from petstore_desktop.desk.report.shop_now import look_at
from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.charts.canvas import paper_ink
from petstore_desktop.ui.charts.plot import Plot, paint_plot
from petstore_desktop.ui.paper.paper_dialog import painted, pdf_writer
from petstore_desktop.ui.paper.printed_list import HEADER, ROW, PaperColumn, RowPainter
from petstore_desktop.ui.paper.sheet import (
    BODY,
    FOOT,
    GREY,
    HEADING,
    INK,
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
from petstore_desktop.ui.report.report_charts import orders_plot, stock_plot
from petstore_desktop.ui.report.report_lists import ListSection, lists_of
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
from petstore_desktop.ui.text.changes.seen import untold_words
from petstore_desktop.ui.text.times import on_paper
from petstore_desktop.ui.text.translate import made_quietly, sentences, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.model.shop_model import ShopModel
    from petstore_desktop.desk.report.period import Period
    from petstore_desktop.desk.report.report import Past, Report

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
