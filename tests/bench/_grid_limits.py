"""What nobody can be quicker than here, in the process of the grid's bench: numpy's search and sort over the same
names, and a bare QTableView that paints cells of the same texts and widths."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.bench._grid_child import Work

TIMES, SCREENS = 5, 100
SEARCH, SORT, SCROLL = "limit: numpy's search", "limit: numpy's sort", "limit: a bare table's repaint"


def measure(work: Work) -> None:
    """Note all three, several times."""
    import numpy as np

    from tests.bench._grid_child import PHRASES
    from tests.bench._grid_rows import pets

    names = [pet.name.casefold() for pet in pets(work.pets)]
    encoded, texts = np.array([name.encode() for name in names]), np.array(names)
    for _ in range(TIMES):
        for phrase in PHRASES:
            begun = time.perf_counter()
            np.flatnonzero(np.strings.find(encoded, phrase.encode()) >= 0)
            work.note(SEARCH, time.perf_counter() - begun)
        begun = time.perf_counter()
        np.argsort(texts, kind="stable")
        work.note(SORT, time.perf_counter() - begun)
    _scroll(work)


def _scroll(work: Work) -> None:
    """Page after page of a table beside the window, as large as the window's."""
    from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QObject, Qt
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QTableView

    model, columns, rows = work.tab.model, work.tab.model.columnCount(), work.tab.model.rowCount()
    shown = min(rows, 2 * SCREENS)
    role = Qt.ItemDataRole.DisplayRole
    cells = [[model.index(row, column).data(role) for column in range(columns)] for row in range(shown)]

    class Model(QAbstractTableModel):
        """Cells that are ready, again and again."""

        def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008 -- Qt's own default
            return 0 if parent.isValid() else rows

        def columnCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008 -- Qt's own default
            return 0 if parent.isValid() else columns

        def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
            return cells[index.row() % shown][index.column()] if role == Qt.ItemDataRole.DisplayRole else None

    class Eye(QObject):
        """Counts the paints."""

        paints = 0

        def eventFilter(self, _: QObject, event: QEvent) -> bool:
            self.paints += event.type() == QEvent.Type.Paint
            return False

    view, bare, eye = work.tab.view, QTableView(), Eye()
    bare_model = Model()
    bare.setModel(bare_model)
    bare.resize(view.size())
    for column in range(columns):
        bare.setColumnWidth(column, view.columnWidth(column))
    bare.verticalHeader().setDefaultSectionSize(view.rowHeight(0))
    bare.show()
    bare.viewport().installEventFilter(eye)
    work.turn()
    for _ in range(SCREENS):
        before, begun = eye.paints, time.perf_counter()
        QTest.keyClick(bare, Qt.Key.Key_PageDown)
        while eye.paints == before and time.perf_counter() - begun < 1:
            work.turn()
        work.note(SCROLL, time.perf_counter() - begun)
    bare.close()
    bare.setModel(None)
