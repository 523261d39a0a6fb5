"""What stays where it is when rows go."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.grid.scroll_anchor import KeepPlace


@pytest.fixture
def view(qtbot: QtBot) -> QTableView:
    """Five rows, whole rows selected, kept in place."""
    made = QTableView()
    qtbot.addWidget(made)
    made.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
    model = QStandardItemModel(made)
    for name in "abcde":
        model.appendRow([QStandardItem(name), QStandardItem(name.upper())])
    made.setModel(model)
    KeepPlace(made)
    return made


@pytest.fixture(params=list(QTableView.ScrollMode))
def long_view(qtbot: QtBot, request: pytest.FixtureRequest) -> QTableView:
    """A hundred rows, scrolled to the middle, the fourth one on the screen current."""
    made = QTableView()
    qtbot.addWidget(made)
    made.setVerticalScrollMode(request.param)
    model = QStandardItemModel(made)
    for number in range(100):
        model.appendRow([QStandardItem(str(number))])
    made.setModel(model)
    made.resize(300, 300)
    KeepPlace(made)
    with qtbot.waitExposed(made):
        made.show()
    made.scrollTo(model.index(50, 0), QTableView.ScrollHint.PositionAtTop)
    made.setCurrentIndex(model.index(made.rowAt(0) + 4, 0))
    return made


def place_of(view: QTableView, row: str) -> int:
    """Where a row stands on the screen, in pixels."""
    (index,) = view.model().match(view.model().index(0, 0), 0, row)
    return view.visualRect(index).top()


def test_the_current_row_stays_where_rows_above_it_come_and_go(long_view: QTableView) -> None:
    model, current = long_view.model(), long_view.currentIndex().data()
    before, first = place_of(long_view, current), long_view.rowAt(0)
    model.removeRow(first + 2)  # between the first row on the screen and the current one
    assert place_of(long_view, current) == before
    model.removeRow(long_view.rowAt(0))  # the first row itself
    assert place_of(long_view, current) == before
    model.removeRow(3)
    assert place_of(long_view, current) == before
    model.insertRow(long_view.rowAt(0) + 1, QStandardItem("new"))
    assert place_of(long_view, current) == before


def test_without_a_current_row_on_the_screen_the_first_one_stays(long_view: QTableView) -> None:
    model = long_view.model()
    long_view.selectionModel().setCurrentIndex(model.index(5, 0), long_view.selectionModel().SelectionFlag.NoUpdate)
    first = long_view.model().index(long_view.rowAt(0), 0).data()
    before = place_of(long_view, first)
    model.removeRow(2)
    assert place_of(long_view, first) == before
    model.removeRow(long_view.rowAt(0) + 2)
    assert place_of(long_view, first) == before


def selected(view: QTableView) -> list[str]:
    """What the selected rows hold."""
    return [index.data() for index in view.selectionModel().selectedRows()]


def test_when_the_selected_row_goes_the_next_one_is_selected(view: QTableView) -> None:
    view.setCurrentIndex(view.model().index(1, 1))
    assert selected(view) == ["b"]
    view.model().removeRow(1)
    assert selected(view) == ["c"]
    assert view.currentIndex().column() == 1


def test_when_the_last_row_goes_the_one_before_is_selected(view: QTableView) -> None:
    view.setCurrentIndex(view.model().index(4, 0))
    view.model().removeRow(4)
    assert selected(view) == ["d"]


def test_when_another_row_goes_the_selection_stays(view: QTableView) -> None:
    view.setCurrentIndex(view.model().index(3, 0))
    view.model().removeRow(1)
    assert selected(view) == ["d"]


def test_a_current_row_that_nobody_selected_selects_nothing(view: QTableView) -> None:
    view.selectionModel().setCurrentIndex(view.model().index(1, 0), view.selectionModel().SelectionFlag.NoUpdate)
    view.model().removeRow(1)
    assert selected(view) == []
