"""Bars below each other, one for each category: its name, the low part and the rest, and the counts in words."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import QRect

from petstore_desktop.ui.base.theme import Theme
from petstore_desktop.ui.charts.canvas import Canvas
from petstore_desktop.ui.charts.plot import ChartSlot, Columns, slot_table
from petstore_desktop.ui.text.translate import number

_ROW, _BAR, _APART = 20, 8, 1.5
_NEAR, _FAR = 10, 12
_USUAL_BARS, _NAME_SHARE = 196, 0.4
_LEAST = 2.0


class CategoryBars(Struct, frozen=True):
    """Bars of categories; the longest takes all of the width. `figure` of a slot are the words at the far edge."""

    title: str
    first_column: str
    columns: Columns
    slots: Sequence[ChartSlot]
    is_list: bool = True

    def width(self, theme: Theme) -> int:
        return round(self._names(theme, 10_000) + _NEAR + _USUAL_BARS + _FAR + self._figures(theme))

    def height(self, theme: Theme, width: int) -> int:
        return len(self.slots) * theme.height(_ROW)

    def places(self, theme: Theme, width: int) -> list[QRect]:
        row = theme.height(_ROW)
        return [QRect(0, place * row, width, row) for place in range(len(self.slots))]

    def table(self) -> list[list[str | int]]:
        return slot_table(self.first_column, self.columns, self.slots)

    def paint(self, canvas: Canvas) -> None:
        theme, width = canvas.theme, canvas.rect.width()
        row, names, figures = theme.height(_ROW), self._names(theme, width), self._figures(theme)
        room = max(0.0, width - names - _NEAR - _FAR - figures)
        most = max((slot.total for slot in self.slots), default=0)
        for place, slot in enumerate(self.slots):
            base = place * row + (row + theme.caps()) / 2
            canvas.text(0, base, slot.label, "muted", 12, 400, names)
            self._paint_bar(canvas, slot, names + _NEAR, place * row + row / 2, room / most if most else 0.0)
            self._paint_figure(canvas, slot, width, base)

    def _names(self, theme: Theme, width: int) -> float:
        widest = max((theme.advance(slot.label, 12, 400, True) for slot in self.slots), default=0.0)
        return min(widest + 1, width * _NAME_SHARE)

    def _figures(self, theme: Theme) -> float:
        return max((theme.advance(_figure(slot), 12, 600, True) for slot in self.slots), default=0.0)

    @staticmethod
    def _paint_bar(canvas: Canvas, slot: ChartSlot, x: float, middle: float, each: float) -> None:
        end = x + slot.total * each
        for part in slot.parts:
            wide = min(max(_LEAST, part.n * each), max(_LEAST, end - x))
            canvas.part(canvas.box(x, round(middle - _BAR / 2), wide, _BAR), part.look)
            x += wide + _APART

    @staticmethod
    def _paint_figure(canvas: Canvas, slot: ChartSlot, width: float, base: float) -> None:
        words = _figure(slot)
        before, strong, after = words.partition(slot.strong) if slot.strong else (words, "", "")
        runs = [(run, weight) for run, weight in ((before, 400), (strong, 600), (after, 400)) if run]
        canvas.runs(width, base, words, runs)


def _figure(slot: ChartSlot) -> str:
    return slot.figure or number(slot.total)
