"""Ctrl+V of many cells in the window of the grid's bench: until the preview is painted with its rows."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.bench._grid_child import Work

ROWS, TIMES = 500, 5
LIMIT_S = 10.0
COLUMNS = ("category", "status", "stock")


def paste(work: Work) -> None:
    """Three columns of so many rows, several times; the first loads the preview, as it does for a person."""
    from PySide6.QtCore import QItemSelectionModel
    from PySide6.QtGui import QGuiApplication

    view, model = work.tab.view, work.tab.model
    columns = [column.id for column in work.table.columns]
    place = columns.index(COLUMNS[0])
    assert tuple(columns[place : place + len(COLUMNS)]) == COLUMNS
    for time_ in range(TIMES):
        cells = (("Birds", ("available", "sold")[(n + time_) % 2], f"={(7 * n + time_) % 400}") for n in range(ROWS))
        QGuiApplication.clipboard().setText("\n".join(map("\t".join, cells)))
        work.window.activateWindow()
        view.setFocus()
        clear = QItemSelectionModel.SelectionFlag.ClearAndSelect
        view.selectionModel().setCurrentIndex(model.index(time_ * ROWS, place), clear)
        work.settle()
        _once(work)


def _once(work: Work) -> None:
    from PySide6.QtCore import QEvent, QObject, Qt
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    from petstore_desktop.ui.preview.preview_dialog import PreviewDialog

    begun, longest = time.perf_counter(), 0.0
    QTest.keyClick(work.tab.view, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    work.note("paste: the key itself", time.perf_counter() - begun)
    dialog = next((one for one in QApplication.topLevelWidgets() if isinstance(one, PreviewDialog)), None)
    assert dialog is not None, "the paste opened no preview"
    model = dialog.model

    class Eye(QObject):
        """Sees the paint that shows rows."""

        seen = False

        def eventFilter(self, _: QObject, event: QEvent) -> bool:
            self.seen |= event.type() == QEvent.Type.Paint and model.rowCount() > 0
            return False

    eye = Eye(dialog)
    dialog.view.viewport().installEventFilter(eye)
    while not eye.seen and time.perf_counter() - begun < LIMIT_S:
        turn = time.perf_counter()
        work.turn()
        longest = max(longest, time.perf_counter() - turn)
    work.note(f"paste of {ROWS} x {len(COLUMNS)} cells: key to the preview painted", time.perf_counter() - begun)
    work.note("paste: longest turn", longest)
    dialog.view.viewport().removeEventFilter(eye)
    dialog.reject()
    work.settle()
