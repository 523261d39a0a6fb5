"""A record's state, a person's change, and a stock figure with both, as widgets for panes and dialogs."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from petstore_desktop.ui.base.theme import Tone, current, to_say
from petstore_desktop.ui.text.cell import Cell, chip_tone, spoken
from petstore_desktop.ui.widgets.labels import set_tip
from petstore_desktop.ui.widgets.paint import PILL_HEIGHT, brush_on, chip_width, draw_chip, draw_pill, pill_width


class _Painted(QWidget):
    """A fixed-size painted word: not focusable, named for a screen reader."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class Pill(_Painted):
    """The state of a record: icon and word on its tint."""

    def __init__(self, text: str = "", icon: str = "", tone: Tone = "done") -> None:
        super().__init__()
        self.set_pill(text, icon, tone)

    def set_pill(self, text: str, icon: str, tone: Tone) -> None:
        """Show another state."""
        self._pill: tuple[str, str, Tone] = (text, icon, tone)
        self.setAccessibleName(to_say(text))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        theme = current()
        return QSize(pill_width(theme, self._pill[0], self._pill[1]), theme.height(PILL_HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            draw_pill(brush.painter, brush.theme, 0, brush.middle, *self._pill, brush.rtl)


class StockLine(_Painted):
    """``24 [+12] → 36`` from the left; without a change only the figure."""

    def __init__(self, cell: Cell, header: str = "") -> None:
        super().__init__()
        self._cell = cell
        self.setAccessibleName(to_say(spoken(cell, header)))
        set_tip(self, cell.tip)

    def sizeHint(self) -> QSize:
        theme, cell = current(), self._cell
        width = theme.advance(cell.result or cell.text, 13, 500, True)
        if cell.chip:
            width += theme.advance(cell.base, 13, 400, True) + 8 + chip_width(theme, cell.chip) + 6 + 14 + 6
        return QSize(round(width) + 2, theme.height(PILL_HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        cell, x = self._cell, 0.0
        with brush_on(self) as brush:
            theme, muted, color = brush.theme, brush.theme.tone("muted"), brush.theme.tone(cell.tone)
            if not cell.chip:
                brush.text(0, cell.text, color, tnum=True)
                return
            x += brush.text(x, cell.base, muted, tnum=True) + 8
            chip = chip_width(theme, cell.chip)
            draw_chip(brush.painter, theme, brush.at(x, chip), brush.middle, cell.chip, chip_tone(cell.mark))
            x += chip + 6
            brush.icon("arrow", x, muted, 14)
            brush.text(x + 14 + 6, cell.result, color, 13, 500, True)
