"""Painting that the delegate and the widgets share: text on the row's baseline, icons, pills, chips, rings.

All positions are logical pixels. A `Brush` mirrors them for right-to-left layouts; functions take the left edge, and
mirroring is the caller's (QStyle.visualRect). The text itself is always drawn in its own direction.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from math import ceil
from typing import cast

from msgspec import Struct
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QGlyphRun,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QWidget

from petstore_desktop.ui.base import icons
from petstore_desktop.ui.base.theme import Theme, Tone, current

PILL_HEIGHT = 20
CHIP_PAD = 6
_PILL_LEFT, _PILL_GAP, _PILL_RIGHT = 6, 5, 10
_PILL_LIMIT = 512
_KEPT_DIRECTIONS = 4096
_GLYPHS_LIMIT = 4096
_ENDLESS = 1e6
"""Pixels of a line that no text fills."""
_ISOLATED = re.compile("\u2068[^\u2068\u2069]*\u2069")
_FROM_RIGHT = re.compile("[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufeff]")
_LTR, _RTL = Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft


class Brush(Struct):
    """Paints texts and icons on one line of a rectangle. Positions are as if laid out from left to right; where `rtl`,
    they are mirrored. `base`: the baseline of the texts; `middle`: the height that icons are centred on."""

    painter: QPainter
    theme: Theme
    rect: QRect
    rtl: bool
    base: int
    middle: float

    def at(self, x: float, width: float) -> float:
        """Left edge on screen of something `width` wide that begins `x` pixels from the leading edge."""
        if not self.rtl:
            return x
        return self.rect.left() + self.rect.right() + 1 - x - width

    def text(
        self, x: float, text: str, color: QColor, size: float = 13, weight: int = 400, tnum: bool = False
    ) -> float:
        """Draw text that begins at `x`; returns its width."""
        width = self.theme.advance(text, size, weight, tnum)
        draw_text(self.painter, self.theme, self.at(x, width), self.base, text, color, size, weight, tnum)
        return width

    def ending(
        self, x: float, text: str, color: QColor, size: float = 13, weight: int = 400, tnum: bool = True
    ) -> float:
        """Draw text that ends at `x`; returns its width."""
        width = self.theme.advance(text, size, weight, tnum)
        draw_text(self.painter, self.theme, self.at(x - width, width), self.base, text, color, size, weight, tnum)
        return width

    def figures(
        self, left: float, right: float, text: str, color: QColor, size: float = 13, weight: int = 400
    ) -> float:
        """Draw a number between two edges so that its ones stand below those of other rows: always at the right on the
        screen. Returns its width."""
        if self.rtl:
            return self.text(left, text, color, size, weight, True)
        return self.ending(right, text, color, size, weight)

    def icon(self, name: str, x: float, color: QColor, side: int) -> None:
        """Draw an icon that begins at `x`."""
        draw_icon(self.painter, name, self.at(x, side), self.middle - side / 2, color, side, self.rtl)

    def ring(self, color: QColor, radius: float, width: float = 0, inset: float = 0) -> None:
        """Draw a ring inside the edge of the rectangle; without a width, as what has the keyboard has it."""
        draw_ring(self.painter, self.rect, color, radius, width, inset)

    def plane(self, color: QColor, radius: float) -> None:
        """Fill the rectangle, its corners rounded."""
        fill_round(self.painter, self.rect.toRectF(), radius, color)

    def panel(self, color: QColor, radius: float) -> None:
        """Fill the rectangle, and outline it in high contrast, where its ground is that of all others."""
        fill_panel(self.painter, self.theme, self.rect.toRectF(), radius, color)

    def unread(self) -> None:
        """Draw a dashed line at the bottom: what is written above it cannot be read."""
        pen = QPen(self.theme.tone("bad"), 2, Qt.PenStyle.DashLine, Qt.PenCapStyle.FlatCap)
        self.painter.setPen(pen)
        y = self.rect.bottom() - 3
        self.painter.drawLine(self.rect.left() + 6, y, self.rect.right() - 6, y)

    def row(self, selected: bool, hovered: bool) -> None:
        """Fill the rectangle as a row of a list of choices; what follows is painted in the colours for it."""
        if selected:
            self.plane(self.theme.color("select"), 4)
            self.theme = self.theme.selected
        elif hovered:
            self.plane(self.theme.color("hover"), 4)


@contextmanager
def brush_on(widget: QWidget) -> Generator[Brush]:
    """A brush for the whole of a widget that paints itself."""
    painter = QPainter(widget)
    try:
        yield line_brush(painter, widget.rect(), is_rtl(widget))
    finally:
        painter.end()


def line_brush(painter: QPainter, rect: QRect, rtl: bool) -> Brush:
    """A brush for one line of text in the middle of `rect`."""
    theme, top, height = current(), rect.top(), rect.height()
    return Brush(painter, theme, rect, rtl, baseline(theme, top, height), top + height / 2)


def is_rtl(widget: QWidget) -> bool:
    """Whether the widget's layout runs from right to left."""
    return widget.layoutDirection() == _RTL


def fill_widget(widget: QWidget, token: str, edge: Qt.Edge | None = None) -> None:
    """Fill the whole of a widget that paints itself with the colour of a token. `edge`: where another plane begins; in
    high contrast a line says so."""
    with brush_on(widget) as brush:
        brush.painter.fillRect(brush.rect, brush.theme.color(token))
        if edge is not None and brush.theme.high_contrast:
            y = 0 if edge is Qt.Edge.TopEdge else widget.height() - 1
            brush.painter.fillRect(0, y, widget.width(), 1, brush.theme.color("line"))


class Plane:
    """The first base, before Qt's, of a widget that is a plane in one colour, with or without round corners and a rim.
    `edge`: see `fill_widget`."""

    ground = "content"
    rim = ""
    corner = 0
    edge: Qt.Edge | None = None

    def paintEvent(self, event: QPaintEvent) -> None:
        widget = cast("QWidget", self)
        # A window's corners too: not every screen can show through.
        if not self.corner or (
            widget.isWindow() and not widget.testAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        ):
            fill_widget(widget, self.ground, self.edge)
        if not self.corner:
            return
        with brush_on(widget) as brush:
            if self.rim:
                brush.plane(brush.theme.color(self.ground), self.corner)
                brush.ring(brush.theme.color(self.rim), self.corner, 1)
            else:
                brush.panel(brush.theme.color(self.ground), self.corner)


class Raised(Plane):
    """The same, of one that lies above others."""

    ground, rim, corner = "raised", "line", 8


def baseline(theme: Theme, top: float, height: float) -> int:
    """The baseline all sizes of text in a row share: that of the body font, centred by its capitals."""
    return round(top + (height + theme.caps()) / 2)


def reads_rtl(text: str) -> bool:
    """Whether the first strong letter of `text` belongs to a script written from right to left. A name in an isolate
    says nothing of the sentence around it, unless there is no other letter (Unicode UAX 9, P2)."""
    around = _ISOLATED.sub("", text) if "\u2068" in text else text
    for char in around if "\u200f" in around or any(map(str.isalpha, around)) else text:
        if _FROM_RIGHT.match(char):
            return True
        if char.isalpha():
            return False
    return False


@lru_cache(_KEPT_DIRECTIONS)
def own_direction(text: str) -> Qt.LayoutDirection:
    """The direction in which `text` itself is read, whatever the layout's is."""
    return _RTL if not text.isascii() and reads_rtl(text) else _LTR


def draw_text(
    painter: QPainter,
    theme: Theme,
    x: float,
    base: float,
    text: str,
    color: QColor,
    size: float = 13,
    weight: int = 400,
    tnum: bool = False,
) -> None:
    """Draw one run with its left edge at `x` and its baseline at `base`, in the text's own direction.

    A text that is drawn again is not laid out again: its glyphs are kept. Drawing them takes half the time of
    `drawText`; a pixmap of them would be no faster to draw, three times as slow to make, and one for each colour.
    """
    painter.setPen(color)
    runs = _glyphs(theme, text, size, weight, tnum)
    if runs is None:
        painter.setFont(theme.font(size, weight, tnum))
        painter.setLayoutDirection(own_direction(text))
        painter.drawText(QPointF(round(x), base), text)
        return
    for run in runs:
        painter.drawGlyphRun(QPointF(round(x), base), run)


def _glyphs(theme: Theme, text: str, size: float, weight: int, tnum: bool) -> Sequence[QGlyphRun] | None:
    """The glyphs of a text that was drawn before, from its left end on its baseline; None = draw it as text."""
    kept, key = theme.glyphs, (text, size, weight, tnum)
    if kept is None:
        return None
    found = kept.get(key, ())
    if found:
        return found
    if found is not None or own_direction(text) is _RTL:
        if len(kept) >= _GLYPHS_LIMIT:
            kept.clear()
        kept[key] = None  # most names are drawn once, and laying a text out for its glyphs costs more than drawing it
        return None
    runs = kept[key] = _laid_out(text, theme.font(size, weight, tnum))
    return runs


def _laid_out(text: str, font: QFont) -> list[QGlyphRun]:
    layout = QTextLayout(text, font)
    layout.setCacheEnabled(False)
    option = QTextOption()
    option.setTextDirection(_LTR)
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    layout.setTextOption(option)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(_ENDLESS)
    line.setPosition(QPointF(0, -line.ascent()))
    layout.endLayout()
    return layout.glyphRuns()


MOST_SHOWN = 4_000


def elided(theme: Theme, text: str, room: float, size: float = 13, weight: int = 400, tnum: bool = False) -> str:
    """`text`, or its beginning with an ellipsis where `room` pixels are too few. No more of it is measured than any
    screen shows: a name of a million letters would take 12 ms at each paint."""
    begin = text[:MOST_SHOWN]
    if theme.advance(begin, size, weight, tnum) <= room:
        return text if len(text) <= MOST_SHOWN else f"{begin}…"
    return theme.metrics(size, weight, tnum).elidedText(begin, Qt.TextElideMode.ElideRight, room)


def device_ratio(painter: QPainter) -> float:
    """Device pixels for each logical one, of a painter that is not scaled by itself.

    Not asked of `painter.device()`: the first object of Qt's own making that Python looks at costs 8 ms, and the first
    paint is early enough for that to be seen.
    """
    return painter.deviceTransform().m11()


def draw_icon(
    painter: QPainter, name: str, x: float, y: float, color: QColor, size: int = 16, rtl: bool = False
) -> None:
    """Draw an icon with its top left corner at (x, y), on whole device pixels."""
    dpr = device_ratio(painter)
    image = icons.pixmap(name, color, size, dpr, rtl and name in icons.DIRECTED)
    painter.drawPixmap(QPointF(round(x * dpr) / dpr, round(y * dpr) / dpr), image)


def fill_round(painter: QPainter, rect: QRectF, radius: float, color: QColor) -> None:
    """A filled rounded rectangle without an outline."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawRoundedRect(rect, radius, radius)


def fill_panel(painter: QPainter, theme: Theme, rect: QRectF, radius: float, color: QColor) -> None:
    """A filled rounded rectangle, outlined in high contrast."""
    fill_round(painter, rect, radius, color)
    if theme.high_contrast:
        draw_ring(painter, rect, theme.color("text"), radius, 1)


def draw_ring(
    painter: QPainter, rect: QRect | QRectF, color: QColor, radius: float, width: float = 0, inset: float = 0
) -> None:
    """A ring wholly inside `rect`, `inset` away from its edge; without a width, as what has the keyboard has it."""
    width = width or current().ring_width
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(color, width))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    gap = inset + width / 2
    painter.drawRoundedRect(QRectF(rect).adjusted(gap, gap, -gap, -gap), radius, radius)


def pill_width(theme: Theme, text: str, icon: str) -> int:
    """Width of a pill in logical pixels."""
    mark = theme.scaled(14) + _PILL_GAP if icon else _PILL_RIGHT - _PILL_LEFT
    return ceil(_PILL_LEFT + mark + theme.advance(text, 12, 500) + _PILL_RIGHT)


def draw_pill(
    painter: QPainter, theme: Theme, x: float, middle: float, text: str, icon: str, tone: Tone, rtl: bool = False
) -> int:
    """Draw a record's state, centred on the height `middle`; returns its width. Whole pills are kept."""
    dpr = device_ratio(painter)
    key = ("pill", text, icon, tone, dpr, rtl)
    image = theme.pixmaps.get(key)
    if image is None:
        if len(theme.pixmaps) >= _PILL_LIMIT:
            theme.pixmaps.clear()
        image = theme.pixmaps[key] = _pill_pixmap(theme, text, icon, tone, dpr, rtl)
    size = image.deviceIndependentSize()
    painter.drawPixmap(QPoint(round(x), round(middle - size.height() / 2)), image)
    return round(size.width())


def _pill_pixmap(theme: Theme, text: str, icon: str, tone: Tone, dpr: float, rtl: bool) -> QPixmap:
    width, height = pill_width(theme, text, icon), theme.height(PILL_HEIGHT)
    image = QPixmap(round(width * dpr), round(height * dpr))
    image.setDevicePixelRatio(dpr)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    fill_panel(painter, theme, QRectF(0, 0, width, height), height / 2, theme.tint(tone))
    color = theme.tone(tone)
    side = theme.scaled(14)
    text_x = _PILL_LEFT + side + _PILL_GAP if icon else _PILL_RIGHT
    if rtl:
        text_x = width - text_x - theme.advance(text, 12, 500)
    if icon:
        icon_x = width - _PILL_LEFT - side if rtl else _PILL_LEFT
        draw_icon(painter, icon, icon_x, (height - side) / 2, color, side, rtl)
    draw_text(painter, theme, text_x, baseline(theme, 0, height), text, color, 12, 500)
    painter.end()
    return image


def chip_width(theme: Theme, text: str) -> int:
    """Width of a chip in logical pixels."""
    return round(theme.advance(text, 12, 500, True)) + 2 * CHIP_PAD


def draw_chip(
    painter: QPainter, theme: Theme, x: float, middle: float, text: str, tone: Tone = "accent", on_tint: bool = False
) -> int:
    """Draw a person's change as a square chip; `on_tint` = on a tinted cell, where it takes the plain plane."""
    width, height = chip_width(theme, text), theme.height(PILL_HEIGHT)
    top = round(middle - height / 2)
    plane = theme.color("content") if on_tint else theme.tint(tone)
    fill_panel(painter, theme, QRectF(round(x), top, width, height), 4, plane)
    draw_text(painter, theme, x + CHIP_PAD, baseline(theme, top, height), text, theme.tone(tone), 12, 500, True)
    return width


def draw_check(painter: QPainter, theme: Theme, rect: QRect, checked: bool, focused: bool, enabled: bool) -> None:
    """A 16 px check box in the middle of `rect`."""
    side = theme.scaled(16)
    box = QRectF(0, 0, side, side)
    box.moveCenter(QRectF(rect).center())
    box.moveTo(round(box.x()), round(box.y()))
    quiet = "faint" if theme.high_contrast else "control" if checked else "line"
    if checked:
        fill_round(painter, box, 4, theme.color("fill" if enabled else quiet))
        draw_icon(painter, "check", box.x() + 1, box.y() + 1, theme.color("on_fill"), side - 2)
    else:
        fill_round(painter, box, 4, theme.color("content"))
        draw_ring(painter, box, theme.color("control" if enabled else quiet), 3.5, 1)
    if focused:
        draw_ring(painter, box.adjusted(-3, -3, 3, 3), theme.color("accent"), 5)
