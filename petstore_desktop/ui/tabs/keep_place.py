"""Keeps the rows on the screen where they are while others come and go above them, and the selection on the next row
where the selected one goes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import cast

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
)
from PySide6.QtWidgets import QAbstractItemView, QTableView


class KeepPlace(QObject):
    """Remembers the first row on the screen before a change and puts it back to where it was. Where the view is at
    its very top it stays there, and shows what comes first, unless `at_top` says that the place is to be kept."""

    def __init__(self, view: QTableView, at_top: Callable[[], bool] = lambda: False) -> None:
        super().__init__(view)
        self._view = view
        self._at_top = at_top
        self._top: QPersistentModelIndex | None = None
        self._offset = 0
        self._unselected: list[tuple[int, int]] = []
        self._next: QPersistentModelIndex | None = None
        model = view.model()
        for before in (model.rowsAboutToBeInserted, model.rowsAboutToBeRemoved):
            before.connect(self._remember)
        model.layoutAboutToBeChanged.connect(self._remember)
        for after in (model.rowsInserted, model.rowsRemoved):
            after.connect(self._restore)
        model.layoutChanged.connect(self._restore)
        view.selectionModel().selectionChanged.connect(self._selection_changed)
        model.rowsAboutToBeRemoved.connect(self._about_to_go)
        model.rowsRemoved.connect(self._select_next)

    def _remember(self, *_: object) -> None:
        self._top = None
        if self._view.verticalScrollBar().value() == 0 and not self._at_top():
            return
        index = self._view.indexAt(self._view.rect().topLeft())
        if index.isValid():
            self._top = QPersistentModelIndex(index)
            self._offset = self._view.visualRect(index).top()

    def _restore(self, *_: object) -> None:
        if self._top is None or not self._top.isValid():
            return
        index = self._view.model().index(self._top.row(), 0)
        self._top = None
        self._view.visualRect(index)  # lays out what was put off; else all is painted now, and once more after that
        bar = self._view.verticalScrollBar()
        if self._view.verticalScrollMode() is QAbstractItemView.ScrollMode.ScrollPerItem:
            bar.setValue(index.row())
        else:
            bar.setValue(self._view.verticalHeader().sectionPosition(index.row()) - self._offset)

    def _selection_changed(self, _selected: QItemSelection, gone: QItemSelection) -> None:
        parts = cast("Iterable[QItemSelectionRange]", gone)  # the stub does not know that it can be walked
        self._unselected = [(part.top(), part.bottom()) for part in parts]

    def _about_to_go(self, _parent: QModelIndex, first: int, last: int) -> None:
        """The view has heard of it before: what it unselected last are these rows, if they were selected."""
        self._next = None
        if self._view.selectionModel().hasSelection():
            return
        if any(first <= top and bottom <= last for top, bottom in self._unselected):
            model = self._view.model()
            row = last + 1 if last + 1 < model.rowCount() else first - 1
            self._next = QPersistentModelIndex(model.index(row, self._view.currentIndex().column()))

    def _select_next(self, *_: object) -> None:
        """Qt makes a row beside it current, but selects none: the next key would act on nothing."""
        if self._next is not None and self._next.isValid():
            index = self._view.model().index(self._next.row(), self._next.column())
            flags = QItemSelectionModel.SelectionFlag
            whole = self._view.selectionBehavior() is QAbstractItemView.SelectionBehavior.SelectRows
            how = flags.ClearAndSelect | flags.Rows if whole else flags.ClearAndSelect
            self._view.selectionModel().setCurrentIndex(index, how)
        self._next = None
