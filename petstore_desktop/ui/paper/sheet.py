"""Paper: its size, fonts and inks, and how one text is written on it.

All lengths are points (1/72 inch). The paper is white whatever the window's theme is, and nothing is told by colour.
"""

from __future__ import annotations

import math
from functools import cache

from PySide6.QtCore import QLineF, QMarginsF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QPageLayout,
    QPageSize,
    QPainter,
    QPen,
    QTextLayout,
    QTextOption,
)

from petstore_desktop.ui.text.translate import locale, number, tr
from petstore_desktop.ui.widgets.labels import to_say

MARGIN = 36.0
TITLE, HEADING, BODY, SMALL = 15, 11, 9, 8
"""Sizes of text."""
INK, GREY, LINE = "#000000", "#555555", "#BBBBBB"
FOOT = 24.0
"""The height of the foot of a page, with the gap above it."""
PAD = 5.0
"""The space at either side of a text in its cell."""
_FOOT_LINE = 17.0
_PAGE_ROOM = 80.0
_ANYWHERE = QTextOption()
_ANYWHERE.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)


def page_layout(width: float) -> QPageLayout:
    """The paper size of the person's country, upright if this many points in width fit."""
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


def write(painter: QPainter, rect: QRectF, text: str, text_font: QFont, ink: str, *, right: bool = False) -> None:
    """Write one line of text in the middle of a rectangle's height, at its physical left or right edge, shortened to
    its width."""
    painter.setFont(text_font)
    painter.setPen(QColor(ink))
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    flags = int(side | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute) | int(Qt.TextFlag.TextSingleLine)
    painter.drawText(rect, flags, fitted(text, QFontMetricsF(text_font), rect.width()))


def fitted(text: str, metrics: QFontMetricsF, room: float) -> str:
    """A text as far as it fits; an id at its end stays whole, for it tells two of one name apart."""
    if metrics.horizontalAdvance(text) <= room:
        return text
    name, mark, digits = text.rpartition(" (")
    tail = mark + digits if name and to_say(digits).startswith("#") and digits.endswith(")") else ""
    head = text.removesuffix(tail) if tail else text
    return metrics.elidedText(head, Qt.TextElideMode.ElideRight, room - metrics.horizontalAdvance(tail)) + tail


def wrapped(text: str, text_font: QFont, room: float, *, anywhere: bool = False) -> list[str]:
    """A text in lines of this width; `anywhere`: a word that is wider is broken too."""
    layout = QTextLayout(text, text_font)
    if anywhere:
        layout.setTextOption(_ANYWHERE)
    units = text.encode("utf-16-le", "surrogatepass")  # Qt counts in these
    lines: list[str] = []
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLineWidth(room)
        first, after = 2 * line.textStart(), 2 * (line.textStart() + line.textLength())
        lines.append(units[first:after].decode("utf-16-le", "replace").strip())
    layout.endLayout()
    return lines


def rule(painter: QPainter, sheet: QRectF, y: float, ink: str = LINE) -> None:
    """Draw a thin line over the width of the sheet."""
    painter.setPen(QPen(QColor(ink), 0.5))
    painter.drawLine(QLineF(sheet.left(), y, sheet.right(), y))


def write_foot(painter: QPainter, sheet: QRectF, words: str, page: int, pages: int) -> None:
    """Write the foot of a page: words at its beginning, and at its end which page it is (the first is 0)."""
    rect = QRectF(sheet.left(), sheet.bottom() - _FOOT_LINE, sheet.width(), _FOOT_LINE)
    said = tr("page {page} of {pages}", page=number(page + 1), pages=number(pages))
    write(painter, rect, said, font(SMALL), GREY, right=not reads_left())
    room = rect.adjusted(_PAGE_ROOM, 0, 0, 0) if reads_left() else rect.adjusted(0, 0, -_PAGE_ROOM, 0)
    write(painter, room, words, font(SMALL), GREY, right=reads_left())


def text_width(text: str, size: int = BODY, *, bold: bool = False) -> float:
    """How wide a text is with the space at its sides."""
    return QFontMetricsF(font(size, bold=bold)).horizontalAdvance(text) + 2 * PAD


@cache
def font(size: int, *, bold: bool = False) -> QFont:
    """The program's font in a size in pixels: the painter's are points."""
    made = QFont(QGuiApplication.font())
    made.setPixelSize(size)
    made.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    made.setFeature(QFont.Tag("tnum"), 1)
    return made


def line_height(size: int) -> float:
    """The height of a line of text of a size."""
    return math.ceil(size * 1.5)


def reads_left() -> bool:
    """Whether the page is laid out from right to left."""
    return QGuiApplication.layoutDirection() is Qt.LayoutDirection.RightToLeft
