"""The list of a desk: rows of painted cells, one of whose columns is typed into."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QWidget

from petstore_desktop.ui.base.building import named
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.cells.cell_model import CellModel
from petstore_desktop.ui.grid.table_view import TableView


class StationList(TableView):
    """The rows of one page of a desk.

    Signals:
        removeWanted(int): Delete on a row.
        pressed_on(QModelIndex): a cell was clicked, or Enter or Space pressed on one that is not typed into.
        leftUpwards(): Up on the first row: back to the field.
    """

    removeWanted = Signal(object)
    pressed_on = Signal(object)
    leftUpwards = Signal()

    def __init__(self, name: str, words: str, model: CellModel[Any], home_column: int, parent: QWidget) -> None:
        super().__init__(parent)
        named(self, name, words).setModel(model)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.home_column = home_column
        self.rows.name_column = 0
        self.rows.cell_at = lambda index: model.cell(index.row(), index.column())
        self.header.setSectionsClickable(False)
        self.header.setSectionsMovable(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.openRequested.connect(self.pressed_on)
        self.detailsRequested.connect(lambda: self.pressed_on.emit(self.currentIndex()))

    def set_widths(self, widths: dict[int, int], stretched: int) -> None:
        """Fix the columns to these widths at base 13; the `stretched` one takes the rest."""
        for column, width in widths.items():
            self.header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            self.header.resizeSection(column, current().scaled(width))
        self.header.setSectionResizeMode(stretched, QHeaderView.ResizeMode.Stretch)

    def show_row(self, row: int) -> None:
        """Make a row the current one, and keep it in sight."""
        model = self.model()
        if 0 <= row < model.rowCount():
            self.setCurrentIndex(model.index(row, max(self.home_column, 0)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index, plain = self.currentIndex(), not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if plain and index.isValid() and not self.edit_open():
            if event.key() == Qt.Key.Key_Delete:
                self.removeWanted.emit(index.row())
                return
            if event.key() == Qt.Key.Key_Up and index.row() == 0:
                self.leftUpwards.emit()
                return
        super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index: QModelIndex = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and index.isValid():
            self.pressed_on.emit(index)
