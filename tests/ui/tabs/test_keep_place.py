"""What stays where it is when rows go."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.tabs.keep_place import KeepPlace


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
