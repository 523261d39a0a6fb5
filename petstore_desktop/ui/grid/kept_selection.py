"""Keeps what is selected while rows change their order. Qt does that too, but asks the model about every cell, which
takes a minute where a million rows are selected."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractItemModel,
    QItemSelection,
    QItemSelectionModel,
    QObject,
    QPersistentModelIndex,
    Signal,
)
from PySide6.QtWidgets import QTableView

from petstore_desktop.ui.grid.selection import RowSet, selected_rows

MOST = 2000
"""The most selected rows that stay selected when the order changes; of more only the current cell does, because each
row's new place must be looked up."""
_Flag = QItemSelectionModel.SelectionFlag


class KeptSelection(QObject):
    """For one view and model.

    Signals:
        dropped: object: how many rows were selected, of which only the current cell still is.
    """

    dropped = Signal(object)

    def __init__(self, view: QTableView, model: QAbstractItemModel) -> None:
        super().__init__(view)
        self._view, self._model = view, model
        self._kept: list[tuple[int, int, list[QPersistentModelIndex]]] = []
        """First and last column, and a cell of each row."""
        self._taken = False
        self._lost = 0
        """How many selected rows were too many to keep."""
        model.layoutChanged.connect(self._give_back)

    def remember(self) -> None:
        """The order is about to change; to be called before Qt's own selection hears of it."""
        picked = self._view.selectionModel()
        if self._view.model() is not self._model or not picked.hasSelection():
            return
        ranges = [picked.selection().at(number) for number in range(picked.selection().count())]
        whole = self._model.rowCount() * self._model.columnCount()
        if len(ranges) == 1 and ranges[0].width() * ranges[0].height() == whole:
            return  # everything stays selected: Qt looks at no cell then
        count = len(selected_rows(self._view))
        self._lost = count if count > MOST else 0
        self._kept = []
        for one in () if self._lost else ranges:
            cells = (self._model.index(row, one.left()) for row in range(one.top(), one.bottom() + 1))
            self._kept.append((one.left(), one.right(), list(map(QPersistentModelIndex, cells))))
        self._taken = True
        picked.blockSignals(True)
        picked.clearSelection()
        picked.blockSignals(False)

    def _give_back(self) -> None:
        kept, self._kept = self._kept, []
        taken, self._taken = self._taken, False
        chosen = QItemSelection()
        for left, right, cells in kept:
            for first, last in RowSet((cell.row(), cell.row()) for cell in cells if cell.isValid()).spans:
                chosen.select(self._model.index(first, left), self._model.index(last, right))
        if taken:
            now = self._view.currentIndex()
            if chosen.isEmpty() and now.isValid():
                chosen.select(now, now)
            self._view.selectionModel().select(chosen, _Flag.ClearAndSelect)
            if self._lost:
                self.dropped.emit(self._lost)
