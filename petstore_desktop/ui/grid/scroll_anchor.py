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

_NEAR = 10
"""Rows."""


class KeepPlace(QObject):
    """Remembers a row on the screen before a change and puts it back to where it was: the current one, or the first one
    where none is current, or where the current one goes further away from it than some rows. Where the view is at its
    very top it stays there, and shows what comes first, unless `at_top` says that the place is to be kept."""

    def __init__(self, view: QTableView, at_top: Callable[[], bool] = lambda: False) -> None:
        super().__init__(view)
        self._view = view
        self._at_top = at_top
        self._top: QPersistentModelIndex | None = None
        self._current: QPersistentModelIndex | None = None
        self._offsets = (0, 0)
        """Where the first and the current one stood, in pixels."""
        self._apart = 0
        """How many rows were between them."""
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
        view = self._view
        top, current = view.indexAt(view.rect().topLeft()), view.currentIndex()
        if not top.isValid():
            return
        self._top, self._current = QPersistentModelIndex(top), None
        self._offsets = (view.rowViewportPosition(top.row()), view.rowViewportPosition(current.row()))
        if current.isValid() and 0 <= self._offsets[1] < view.viewport().height():
            self._current, self._apart = QPersistentModelIndex(current), current.row() - top.row()

    def _restore(self, *_: object) -> None:
        top, current = self._top, self._current
        if top is None:
            return
        self._top = self._current = None
        # Near: the current row still stands about as far below the first one, if that is still there.
        near = current is not None and abs(current.row() - top.row() - self._apart) <= _NEAR
        if current is not None and current.isValid() and (near or not top.isValid()):
            row, offset, above = current.row(), self._offsets[1], self._apart
        elif top.isValid():
            row, offset, above = top.row(), self._offsets[0], 0
        else:
            return
        self._view.visualRect(self._view.model().index(row, 0))  # lays out what was put off; else all is painted twice
        bar = self._view.verticalScrollBar()
        if self._view.verticalScrollMode() is QAbstractItemView.ScrollMode.ScrollPerItem:
            bar.setValue(row - above)
        else:
            bar.setValue(self._view.verticalHeader().sectionPosition(row) - offset)

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
