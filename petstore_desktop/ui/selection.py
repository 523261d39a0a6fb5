"""Which rows of a table are selected, without asking Qt about every cell."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from PySide6.QtCore import QItemSelectionRange
from PySide6.QtWidgets import QTableView


def selected_rows(view: QTableView) -> list[int]:
    """Row numbers in order. Qt's `selectedRows` asks the model for the flags of each cell: slow in a long list."""
    rows: set[int] = set()
    # A list by Qt's word, which its stubs do not say.
    for block in cast("Iterable[QItemSelectionRange]", view.selectionModel().selection()):
        rows.update(range(block.top(), block.bottom() + 1))
    return sorted(rows)
