"""A list on paper: its name, filters, age and size, then the rows, with the header on each page.

All lengths are points (1/72 inch). The paper is white whatever the window's theme is, and nothing is told by colour.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from PySide6.QtCore import QLineF, QMarginsF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QPageLayout, QPageSize, QPainter, QPen

from petstore_desktop.ui.text.translate import locale, number, tr

MARGIN = 36.0
_ROW, _HEAD, _FOOT, _GAP, _PAD = 17.0, 19.0, 24.0, 10.0, 5.0
_TITLE, _BODY, _SMALL = 15, 9, 8
_INK, _GREY, _LINE = "#000000", "#555555", "#BBBBBB"


@dataclass(frozen=True, slots=True)
class PaperColumn:
    """A column: its header, the points that it needs, the side that its values stand at, and whether it takes what
    room is left."""

    words: str
    width: float
    right: bool
    takes_rest: bool = False


@dataclass(frozen=True, slots=True)
class Paper:
    """The contents of a report. `lines` stand below the title, `foot` at the bottom of each page; `row` gives the texts
    of one row, one for each column, when it is painted."""

    title: str
    lines: tuple[str, ...]
    foot: str
    columns: Sequence[PaperColumn]
    count: int
    row: Callable[[int], Sequence[str]]


class PrintedReport:
    """Lays a list out on sheets of one size; pages are painted one by one, so that others may have their turn."""

    def __init__(self, paper: Paper, sheet: QRectF) -> None:
        """`sheet`: what may be painted on, from its top left corner."""
        self._paper, self._sheet = paper, sheet
        self._top = _line(_TITLE) + len(paper.lines) * _line(_BODY) + _GAP
        room = sheet.height() - _FOOT - _HEAD
        self._first = max(1, int((room - self._top) // _ROW))
        self._other = max(1, int(room // _ROW))
        self._widths = _shared([(column.width, column.takes_rest) for column in paper.columns], sheet.width())

    @property
    def pages(self) -> int:
        """How many there are; a list without rows has one too."""
        return 1 + max(0, math.ceil((self._paper.count - self._first) / self._other))

    def rows_of(self, page: int) -> range:
        """Which rows stand on a page; the first page is 0."""
        start = 0 if page == 0 else self._first + (page - 1) * self._other
        return range(start, min(start + (self._other if page else self._first), self._paper.count))

    def paint(self, painter: QPainter, page: int) -> None:
        """Paint one page; the painter counts in points."""
        top = self._sheet.top()
        if page == 0:
            top = self._paint_top(painter, top)
        top = self._paint_header(painter, top)
        for row in self.rows_of(page):
            self._paint_row(painter, self._paper.row(row), top, _font(_BODY), _INK)
            top += _ROW
            _rule(painter, self._sheet, top)
        self._paint_foot(painter, page)

    def _paint_top(self, painter: QPainter, top: float) -> float:
        lines = ((self._paper.title, _font(_TITLE, bold=True), _INK, _line(_TITLE)), *(
            (line, _font(_BODY), _GREY, _line(_BODY)) for line in self._paper.lines
        ))  # fmt: skip
        for words, font, ink, height in lines:
            rect = QRectF(self._sheet.left(), top, self._sheet.width(), height)
            _write(painter, rect, words, font, ink, right=_rtl())
            top += height
        return top + _GAP

    def _paint_header(self, painter: QPainter, top: float) -> float:
        words = [column.words for column in self._paper.columns]
        self._paint_row(painter, words, top, _font(_SMALL, bold=True), _GREY)
        _rule(painter, self._sheet, top + _HEAD, _INK)
        return top + _HEAD

    def _paint_row(self, painter: QPainter, texts: Sequence[str], top: float, font: QFont, ink: str) -> None:
        at = 0.0
        for column, width, text in zip(self._paper.columns, self._widths, texts, strict=True):
            left = self._sheet.right() - at - width if _rtl() else self._sheet.left() + at
            rect = QRectF(left + _PAD, top, width - 2 * _PAD, _ROW)
            _write(painter, rect, text, font, ink, right=column.right != _rtl())
            at += width

    def _paint_foot(self, painter: QPainter, page: int) -> None:
        rect = QRectF(self._sheet.left(), self._sheet.bottom() - _ROW, self._sheet.width(), _ROW)
        said = tr("page {page} of {pages}", page=number(page + 1), pages=number(self.pages))
        _write(painter, rect, said, _font(_SMALL), _GREY, right=not _rtl())
        _write(painter, rect.adjusted(0, 0, -80, 0), self._paper.foot, _font(_SMALL), _GREY, right=_rtl())


def _shared(needs: Sequence[tuple[float, bool]], room: float) -> list[float]:
    """Divide the page's width among the columns: each gets what it needs, flexible ones the rest; if there is too
    little, all shrink in proportion."""
    whole = sum(need for need, _ in needs) or 1.0
    flexible = sum(takes for _, takes in needs)
    if whole >= room or not flexible:
        return [need * room / whole for need, _ in needs]
    return [need + (room - whole) / flexible if takes else need for need, takes in needs]


def text_width(text: str) -> float:
    """What a value needs in a column, in points."""
    return QFontMetricsF(_font(_BODY)).horizontalAdvance(text) + 2 * _PAD


def page_layout(width: float) -> QPageLayout:
    """The paper size of the person's country, upright if the columns (this many points) fit."""
    imperial = locale().measurementSystem() is locale().MeasurementSystem.ImperialUSSystem
    size = QPageSize(QPageSize.PageSizeId.Letter if imperial else QPageSize.PageSizeId.A4)
    room = size.sizePoints().width() - 2 * MARGIN
    upright = width <= room
    turn = QPageLayout.Orientation.Portrait if upright else QPageLayout.Orientation.Landscape
    return QPageLayout(size, turn, QMarginsF(MARGIN, MARGIN, MARGIN, MARGIN))


def sheet_of(layout: QPageLayout) -> QRectF:
    """What may be painted on, in points, its top left corner at 0, 0."""
    rect = layout.paintRect(QPageLayout.Unit.Point)
    return QRectF(0, 0, rect.width(), rect.height())


def _write(painter: QPainter, rect: QRectF, text: str, font: QFont, ink: str, *, right: bool) -> None:
    painter.setFont(font)
    painter.setPen(QColor(ink))
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    flags = int(side | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute) | int(Qt.TextFlag.TextSingleLine)
    painter.drawText(rect, flags, _fitted(text, QFontMetricsF(font), rect.width()))


def _fitted(text: str, metrics: QFontMetricsF, room: float) -> str:
    """A text as far as it fits; an id at its end stays whole, for it tells two of one name apart."""
    if metrics.horizontalAdvance(text) <= room:
        return text
    name, mark, number = text.rpartition(" (#")
    tail = mark + number if name and number.endswith(")") else ""
    head = text.removesuffix(tail) if tail else text
    return metrics.elidedText(head, Qt.TextElideMode.ElideRight, room - metrics.horizontalAdvance(tail)) + tail


def _rule(painter: QPainter, sheet: QRectF, y: float, ink: str = _LINE) -> None:
    painter.setPen(QPen(QColor(ink), 0.5))
    painter.drawLine(QLineF(sheet.left(), y, sheet.right(), y))


@cache
def _font(size: int, *, bold: bool = False) -> QFont:
    """In pixels: the painter's are points."""
    font = QFont(QGuiApplication.font())
    font.setPixelSize(size)
    font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def _line(size: int) -> float:
    return math.ceil(size * 1.5)


def _rtl() -> bool:
    return QGuiApplication.layoutDirection() is Qt.LayoutDirection.RightToLeft
