"""What a table's keys and editors do."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.base.colours import LIGHT
from petstore_desktop.ui.grid.editors import ChoiceEditor, StockEditor
from petstore_desktop.ui.grid.table_view import TableView
from petstore_desktop.ui.text.cell import Cell
from tests.ui.grid.shop import CATEGORY, NAME, STATUS, STOCK, cell_image, colors, item


def start(qtbot: QtBot, table: TableView, column: int, keys: str) -> None:
    """Put the current cell into row 1 of `column` and type."""
    table.setCurrentIndex(table.model().index(1, column))
    qtbot.keyClicks(table, keys[:1])
    editor = table.findChild(QLineEdit, options=Qt.FindChildOption.FindChildrenRecursively)
    if keys[1:] and editor is not None:
        qtbot.keyClicks(QApplication.focusWidget(), keys[1:])


def stock_editor(table: TableView) -> StockEditor:
    found = table.viewport().findChild(StockEditor)
    assert found is not None
    return found


def value(table: TableView, row: int, column: int) -> object:
    return table.model().index(row, column).data(Qt.ItemDataRole.EditRole)


def test_typing_replaces_enter_commits_and_goes_down(qtbot: QtBot, table: TableView) -> None:
    start(qtbot, table, STOCK, "+24")
    assert stock_editor(table).text() == "+24"
    qtbot.keyClick(stock_editor(table), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not table.edit_open())
    assert value(table, 1, STOCK) == "+24"
    assert (table.currentIndex().row(), table.currentIndex().column()) == (2, STOCK)


def test_tab_commits_and_goes_right_without_opening_the_next(qtbot: QtBot, table: TableView) -> None:
    start(qtbot, table, CATEGORY, "Birds")
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    qtbot.waitUntil(lambda: not table.edit_open())
    assert value(table, 1, CATEGORY) == "Birds"
    assert (table.currentIndex().row(), table.currentIndex().column()) == (1, STATUS)


def test_escape_takes_back_and_stays(qtbot: QtBot, table: TableView) -> None:
    start(qtbot, table, STOCK, "7")
    qtbot.keyClick(stock_editor(table), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not table.edit_open())
    assert value(table, 1, STOCK) == "18"
    assert table.currentIndex().row() == 1


def test_what_is_no_quantity_stays_open_with_words(qtbot: QtBot, table: TableView) -> None:
    start(qtbot, table, STOCK, "7,5")
    editor = stock_editor(table)
    assert not editor.acceptable()
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert table.edit_open()
    assert editor.accessibleDescription() == "Enter a whole number"
    assert LIGHT["bad"] in colors(editor.grab().toImage())
    qtbot.keyClick(editor, Qt.Key.Key_Escape)


def test_below_zero_shows_the_result_in_the_bad_tone_and_may_be_committed(qtbot: QtBot, table: TableView) -> None:
    start(qtbot, table, STOCK, "-130")
    editor = stock_editor(table)
    assert editor.accessibleDescription() == "= -10"
    assert LIGHT["bad"] in colors(editor.grab().toImage())
    assert LIGHT["accent"] in colors(editor.grab().toImage())  # the ring stays calm
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not table.edit_open())
    assert value(table, 1, STOCK) == "-130"


def test_an_untouched_editor_changes_nothing(qtbot: QtBot, table: TableView) -> None:
    table.setCurrentIndex(table.model().index(1, STOCK))
    written: list[object] = []
    table.model().dataChanged.connect(lambda *args: written.append(args))
    qtbot.keyClick(table, Qt.Key.Key_F2)
    qtbot.keyClick(stock_editor(table), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not table.edit_open())
    assert written == []


def test_the_editor_is_named_by_its_column_and_reported(qtbot: QtBot, table: TableView) -> None:
    ended: list[bool] = []
    table.rows.editingEnded.connect(lambda: ended.append(True))
    with qtbot.waitSignal(table.rows.editing) as heard:
        start(qtbot, table, STOCK, "5")
    assert (heard.args[0].row(), heard.args[0].column()) == (1, STOCK)
    assert stock_editor(table).accessibleName() == "In stock"
    assert ended == []
    qtbot.keyClick(stock_editor(table), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: ended == [True])


def test_a_status_is_chosen(qtbot: QtBot, table: TableView) -> None:
    table.setCurrentIndex(table.model().index(1, STATUS))
    table.edit(table.currentIndex())
    editor = table.viewport().findChild(ChoiceEditor)
    assert editor.value() is None
    editor.set_value("available")
    editor.setCurrentIndex(2)
    assert editor.value() == "sold"
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not table.edit_open())
    assert value(table, 1, STATUS) == "sold"


def test_walking_keys_act_on_read_only_cells_only(qtbot: QtBot, table: TableView) -> None:
    table.setCurrentIndex(table.model().index(0, NAME))
    qtbot.keyClick(table, Qt.Key.Key_J)
    assert table.currentIndex().row() == 1
    qtbot.keyClick(table, Qt.Key.Key_K)
    assert table.currentIndex().row() == 0
    with qtbot.waitSignal(table.detailsRequested):
        qtbot.keyClick(table, Qt.Key.Key_Space)
    with qtbot.waitSignal(table.openRequested) as heard:
        qtbot.keyClick(table, Qt.Key.Key_Return)
    assert heard.args[0].column() == NAME
    start(qtbot, table, CATEGORY, "jk ")
    assert QApplication.focusWidget().text() == "jk "
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)


def test_escape_without_an_editor_is_passed_on(qtbot: QtBot, table: TableView) -> None:
    with qtbot.waitSignal(table.escaped):
        qtbot.keyClick(table, Qt.Key.Key_Escape)


def checkable(table: TableView) -> QModelIndex:
    box = item(Cell(kind="check"))
    box.setCheckable(True)
    table.model().setItem(1, CATEGORY, box)
    return table.model().index(1, CATEGORY)


@pytest.mark.parametrize("how", ["space", "click"])
def test_a_check_cell_is_toggled(qtbot: QtBot, table: TableView, how: str) -> None:
    index = checkable(table)
    table.setCurrentIndex(index)
    without = cell_image(table, 1, CATEGORY)
    ways: dict[str, Callable[[], None]] = {
        "space": lambda: qtbot.keyClick(table, Qt.Key.Key_Space),
        "click": lambda: qtbot.mouseClick(
            table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(index).center()
        ),
    }
    ways[how]()
    assert index.data(Qt.ItemDataRole.CheckStateRole) in (2, Qt.CheckState.Checked)
    assert cell_image(table, 1, CATEGORY) != without
    ways[how]()
    assert index.data(Qt.ItemDataRole.CheckStateRole) in (0, Qt.CheckState.Unchecked)


def test_rows_have_no_grid_and_grow_with_the_font(table: TableView) -> None:
    assert not table.showGrid()
    assert table.rowHeight(0) == max(30, round(table.rows.sizeHint(None, table.model().index(0, NAME)).height()))


def test_the_scroll_bar_begins_below_the_header(table: TableView) -> None:
    table.resize(760, 100)
    QApplication.processEvents()
    bar = table.verticalScrollBar()
    assert bar.isVisible()
    assert bar.mapTo(table, QPoint(0, 0)).y() >= table.header.height()
    assert bar.width() == 10


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_a_quantity_and_what_it_comes_to_stand_at_both_ends(qtbot: QtBot, direction: Qt.LayoutDirection) -> None:
    host = QWidget()
    host.setLayoutDirection(direction)
    qtbot.addWidget(host)
    editor = StockEditor(lambda _: ("= 33", False), host)
    editor.resize(200, 30)
    host.show()
    editor.setText("+12")
    middle = editor.width() / 2
    picture = editor.grab().toImage()
    typed = editor.cursorRect().center().x()  # known once it is painted
    assert typed < middle if direction is Qt.LayoutDirection.LeftToRight else typed > middle
    ground = picture.pixelColor(round(middle), 15)
    inked = [x for x in range(6, 194) for y in range(6, 24) if picture.pixelColor(x, y) != ground]
    left, right = [x for x in inked if x < middle], [x for x in inked if x > middle]
    assert left and right, "one of them at each end"
    assert max(left) < middle - 20 and min(right) > middle + 20


@pytest.mark.parametrize("texts", [("＋", "５"), ("１２",), ("١", "٢"), ("-", "３")])
def test_what_an_input_method_writes_at_once_replaces_a_cell_sign_by_sign(
    qtbot: QtBot, table: TableView, texts: tuple[str, ...]
) -> None:
    table.setCurrentIndex(table.model().index(0, STOCK))
    for text in texts:
        event = QInputMethodEvent()
        event.setCommitString(text)
        QApplication.sendEvent(QApplication.focusWidget(), event)
    editor = table.findChild(StockEditor)
    assert isinstance(editor, StockEditor) and editor.text() == "".join(texts)
