"""What a chart shows, as data: slots with words and parts, and how a kind of chart places and paints them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Protocol

from msgspec import Struct
from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from petstore_desktop.ui.base.theme import Theme
from petstore_desktop.ui.charts.canvas import BarLook, Canvas, Ink


class SlotPart(Struct, frozen=True):
    """One part of a bar: its look, and how many it stands for."""

    look: BarLook
    n: int


class ChartSlot(Struct, frozen=True):
    """One place of a chart that can be reached, such as a day, with the bar that stands there.

    key: what `Chart.opened` hands on.
    label: the words at the bar; `narrow`, `short`: those where there is less room, and little.
    said: the tool tip, and what a screen reader is told: "Friday 20 November: 8 complete, 2 overdue".
    name: what the first column of the copied numbers calls it, with the year.
    figure: the number at the bar in words, where it is not the count of its parts; `strong`: what of it is emphasised.
    """

    key: Hashable
    label: str
    said: str
    name: str
    parts: tuple[SlotPart, ...] = ()
    short: str = ""
    narrow: str = ""
    figure: str = ""
    strong: str = ""
    is_now: bool = False
    has_rows: bool = True

    def count(self, look: BarLook) -> int:
        """How many a part stands for; 0 without it."""
        return sum(part.n for part in self.parts if part.look is look)

    @property
    def total(self) -> int:
        """How many all parts together stand for."""
        return sum(part.n for part in self.parts)


Columns = tuple[tuple[str, BarLook], ...]
"""Titles of the columns of numbers that are copied, and whose counts stand there."""


class Plot(Protocol):
    """A kind of chart with its data. Positions are as from left to right."""

    @property
    def title(self) -> str:
        """What the chart shows, for screen readers."""
        ...

    @property
    def slots(self) -> Sequence[ChartSlot]:
        """The places that can be reached, in their order."""
        ...

    @property
    def is_list(self) -> bool:
        """Whether the slots stand below each other, so that Up and Down move among them."""
        ...

    def width(self, theme: Theme) -> int:
        """The width at which all of it is as the design has it."""
        ...

    def height(self, theme: Theme, width: int) -> int:
        """The height that it takes at this width."""
        ...

    def places(self, theme: Theme, width: int) -> list[QRect]:
        """The place of each slot, for the pointer and the ring."""
        ...

    def paint(self, canvas: Canvas) -> None:
        """Paint all of it."""
        ...

    def table(self) -> list[list[str | int]]:
        """Titles and rows of the numbers, as they are copied."""
        ...


def paint_plot(plot: Plot, painter: QPainter, rect: QRect, ink: Ink) -> None:
    """Paint a chart on anything, such as a page of a report, in the given ink."""
    painter.save()
    plot.paint(Canvas(painter, rect, ink))
    painter.restore()


def slot_table(first: str, columns: Columns, slots: Sequence[ChartSlot]) -> list[list[str | int]]:
    """The counts of slots as a table, `first` being the title of its first column."""
    rows: list[list[str | int]] = [[first, *(title for title, _ in columns)]]
    rows += [[slot.name, *(slot.count(look) for _, look in columns)] for slot in slots]
    return rows
