"""A list of choices under a field, each painted as one line. The keyboard stays in the field, and the keys for the
list come from there."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeAlias, TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from petstore_desktop.ui.base.building import named
from petstore_desktop.ui.base.theme import to_say
from petstore_desktop.ui.cells.cell_model import CellColumn, CellModel, Index, itself
from petstore_desktop.ui.text.cell import Cell, CellRole
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.paint import Brush, line_brush

Row = TypeVar("Row")
Draw: TypeAlias = Callable[[Brush, Any, bool], object]
"""Paints a line of this list on the brush, which is chosen or not."""


class LineList(QListView, Generic[Row]):
    """Rows on a plane of this colour. `line` puts one into words: a `title`, and all of it in one sentence (`spoken`);
    `draw` paints these, in a row of this `height`; `key`: see `CellModel`."""

    def __init__(
        self,
        name: str,
        plane: QPalette.ColorRole,
        line: Callable[[Row], Any],
        draw: Draw,
        height: Callable[[], int],
        key: Callable[[Row], Hashable] = itself,
    ) -> None:
        super().__init__()
        named(self, name, tr("Found"))
        self.lines = CellModel[Row](self, key)
        self.lines.columns = (
            CellColumn(
                "",
                lambda row: Cell(text=line(row).title, tip=line(row).spoken),
                said=lambda row: to_say(line(row).spoken),
                painted=line,
            ),
        )
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.viewport().setBackgroundRole(plane)  # opaque: what lies below is not painted
        self.setModel(self.lines)
        self.setItemDelegate(_Painted(self, draw, height))

    def go_to(self, row: int) -> str:
        """Make a row the current one, or none; returns what a screen reader says of it."""
        index = self.lines.index(row, 0)
        self.setCurrentIndex(index)
        return str(index.data(Qt.ItemDataRole.AccessibleTextRole) or "")

    def beside(self, by: int) -> int:
        """The row so many further on, as far as there are some; -1 where there are none."""
        return min(max(self.currentIndex().row() + by, 0), self.lines.count() - 1)


class _Painted(QStyledItemDelegate):
    """One line each; right-to-left layouts are mirrored."""

    def __init__(self, view: QListView, draw: Draw, height: Callable[[], int]) -> None:
        super().__init__(view)
        self._draw, self._height = draw, height

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, self._height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        brush = line_brush(painter, option.rect, option.direction == Qt.LayoutDirection.RightToLeft)
        brush.row(chosen, bool(option.state & QStyle.StateFlag.State_MouseOver))
        self._draw(brush, index.data(CellRole), chosen)
        painter.restore()
