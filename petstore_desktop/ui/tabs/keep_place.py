"""Keeps the rows on the screen where they are while others come and go above them."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPersistentModelIndex
from PySide6.QtWidgets import QAbstractItemView, QTableView


class KeepPlace(QObject):
    """Remembers the first row on the screen before a change and puts it back to where it was."""

    def __init__(self, view: QTableView) -> None:
        super().__init__(view)
        self._view = view
        self._top: QPersistentModelIndex | None = None
        self._offset = 0
        model = view.model()
        for before in (model.rowsAboutToBeInserted, model.rowsAboutToBeRemoved):
            before.connect(self._remember)
        model.layoutAboutToBeChanged.connect(self._remember)
        for after in (model.rowsInserted, model.rowsRemoved):
            after.connect(self._restore)
        model.layoutChanged.connect(self._restore)

    def _remember(self, *_: object) -> None:
        self._top = None
        if self._view.verticalScrollBar().value() == 0:
            return  # at the very top one wants to see what comes first
        index = self._view.indexAt(self._view.rect().topLeft())
        if index.isValid():
            self._top = QPersistentModelIndex(index)
            self._offset = self._view.visualRect(index).top()

    def _restore(self, *_: object) -> None:
        if self._top is None or not self._top.isValid():
            return
        index = self._view.model().index(self._top.row(), 0)
        self._top = None
        bar = self._view.verticalScrollBar()
        if self._view.verticalScrollMode() is QAbstractItemView.ScrollMode.ScrollPerItem:
            bar.setValue(index.row())
        else:
            bar.setValue(self._view.verticalHeader().sectionPosition(index.row()) - self._offset)
