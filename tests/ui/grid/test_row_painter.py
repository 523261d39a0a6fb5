"""The rows that are painted in one go look as those that Qt has painted cell by cell."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.base.theme import ThemeController
from petstore_desktop.ui.grid.grid_view import GridView
from petstore_desktop.ui.grid.table_view import TableView
from petstore_desktop.ui.text.cell import Cell, CellRole
from tests.ui.grid.shop import make_table

_Flag = QItemSelectionModel.SelectionFlag


def at_rest(_: TableView) -> None:
    """Nothing is selected."""


def current_cell(view: TableView) -> None:
    """One cell is current."""
    view.setCurrentIndex(view.model().index(1, 1))


def block(view: TableView) -> None:
    """Some cells of two rows are selected, and a whole row."""
    model, picked = view.model(), view.selectionModel()
    picked.select(QItemSelection(model.index(0, 1), model.index(1, 2)), _Flag.ClearAndSelect)
    picked.select(model.index(2, 0), _Flag.Select | _Flag.Rows)


def hovered(view: TableView) -> None:
    """The mouse is over the second row."""
    view.entered.emit(view.model().index(1, 1))


def turned(view: TableView) -> None:
    """From right to left."""
    view.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    current_cell(view)


def moved(view: TableView) -> None:
    """Columns in another order, one of them hidden."""
    view.header.moveSection(2, 1)
    view.hideColumn(3)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("state", [at_rest, current_cell, block, hovered, turned, moved])
def test_rows_look_the_same(
    qtbot: QtBot, controller: ThemeController, scheme: str, state: Callable[[TableView], None]
) -> None:
    controller.set_preference("dark" if scheme == "dark" else "light")
    view = make_table(GridView())
    qtbot.addWidget(view)
    with qtbot.waitExposed(view):
        view.show()
    state(view)
    by_qt = seen(view)
    view.cell_at = lambda row, column: cell_of(view, row, column)
    assert seen(view) == by_qt  # laid out
    assert seen(view) == by_qt  # from kept glyphs


def seen(view: TableView) -> QImage:
    """The rows as they are painted."""
    return view.viewport().grab().toImage()


def cell_of(view: TableView, row: int, column: int) -> Cell:
    """The cell of the model."""
    found = view.model().index(row, column).data(CellRole)
    return found if isinstance(found, Cell) else Cell()
