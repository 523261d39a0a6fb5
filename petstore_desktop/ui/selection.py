"""Which rows of a table are selected, without asking Qt about every cell."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from PySide6.QtCore import QItemSelectionModel, QItemSelectionRange, QTimer
from PySide6.QtWidgets import QTableView


def selected_rows(view: QTableView) -> list[int]:
    """Row numbers in order. Qt's `selectedRows` asks the model for the flags of each cell: slow in a long list."""
    rows: set[int] = set()
    # A list by Qt's word, which its stubs do not say.
    for block in cast("Iterable[QItemSelectionRange]", view.selectionModel().selection()):
        rows.update(range(block.top(), block.bottom() + 1))
    return sorted(rows)


def stand_on_rows(view: QTableView) -> None:
    """Who comes by Tab stands on a row: Qt makes it current without selecting it, and a single row could then not be
    selected by arrow keys at all. Done when all else that moved the current row has done its selecting."""
    picked = view.selectionModel()

    def stand() -> None:
        now = view.currentIndex()
        if now.isValid() and not picked.hasSelection():
            picked.select(now, QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows)

    soon = QTimer(view, interval=0, singleShot=True)
    soon.timeout.connect(stand)
    picked.currentRowChanged.connect(soon.start)
