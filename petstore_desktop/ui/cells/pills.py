"""A record's state, a person's change, and a stock figure with both, as widgets for panes and dialogs."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from petstore_desktop.ui.base.theme import Theme, Tone, current
from petstore_desktop.ui.text.cell import Cell, spoken
from petstore_desktop.ui.widgets.labels import set_tip
from petstore_desktop.ui.widgets.paint import (
    PILL_HEIGHT,
    baseline,
    chip_width,
    draw_chip,
    draw_icon,
    draw_pill,
    draw_text,
    pill_width,
)


class _Painted(QWidget):
    """A fixed-size painted word: not focusable, named for a screen reader."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def is_rtl(self) -> bool:
        """Whether the layout runs from right to left."""
        return self.layoutDirection() == Qt.LayoutDirection.RightToLeft

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class Pill(_Painted):
    """The state of a record: icon and word on its tint."""

    def __init__(self, text: str = "", icon: str = "", tone: Tone = "done", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.set_pill(text, icon, tone)

    def set_pill(self, text: str, icon: str, tone: Tone) -> None:
        """Show another state."""
        self._pill: tuple[str, str, Tone] = (text, icon, tone)
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        theme = current()
        return QSize(pill_width(theme, self._pill[0], self._pill[1]), theme.height(PILL_HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        text, icon, tone = self._pill
        draw_pill(painter, current(), 0, self.height() / 2, text, icon, tone, self.is_rtl())
        painter.end()


class StockLine(_Painted):
    """``24 [+12] → 36`` from the left; without a change only the figure."""

    def __init__(self, cell: Cell, header: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cell = cell
        self.setAccessibleName(spoken(cell, header))
        set_tip(self, cell.tip)

    def sizeHint(self) -> QSize:
        theme, cell = current(), self._cell
        width = theme.advance(cell.result or cell.text, 13, 500, True)
        if cell.chip:
            width += theme.advance(cell.base, 13, 400, True) + 8 + chip_width(theme, cell.chip) + 6 + 14 + 6
        return QSize(round(width) + 2, theme.height(PILL_HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current()
        painter = QPainter(self)
        self._paint(painter, theme)
        painter.end()

    def _paint(self, painter: QPainter, theme: Theme) -> None:
        cell, base, middle = self._cell, baseline(theme, 0, self.height()), self.height() / 2
        bad = cell.mark in ("refused", "conflict")
        tone: Tone = cell.tone
        if not cell.chip:
            draw_text(painter, theme, 0, base, cell.text, theme.tone(tone), tnum=True)
            return
        rtl, width = self.is_rtl(), self.width()
        x = 0.0

        def place(item: float) -> float:
            return width - x - item if rtl else x

        item = theme.advance(cell.base, 13, 400, True)
        draw_text(painter, theme, place(item), base, cell.base, theme.tone("muted"), tnum=True)
        x += item + 8
        item = chip_width(theme, cell.chip)
        draw_chip(painter, theme, place(item), middle, cell.chip, "bad" if bad and tone == "bad" else "accent")
        x += item + 6
        draw_icon(painter, "arrow", place(14), middle - 7, theme.tone("muted"), 14, rtl)
        x += 14 + 6
        item = theme.advance(cell.result, 13, 500, True)
        draw_text(painter, theme, place(item), base, cell.result, theme.tone(tone), 13, 500, True)
