"""The table of records is walked and selected like a spreadsheet."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.base.colours import LIGHT
from petstore_desktop.ui.grid.editors import CellEditor
from petstore_desktop.ui.grid.grid_view import GridView
from petstore_desktop.ui.grid.selection import selected_block, selected_rows
from tests.ui.grid.shop import CATEGORY, GUTTER, NAME, STATUS, STOCK, cell_image, colors, make_table

Key = Qt.Key
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def grid(qtbot: QtBot) -> GridView:
    """The table of `shop` as a grid, on screen, with the focus; the current cell is Betta's category."""
    made = make_table(GridView())
    assert isinstance(made, GridView)
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    made.activateWindow()
    made.setFocus()
    qtbot.waitUntil(made.hasFocus)
    made.setCurrentIndex(made.model().index(1, CATEGORY))
    return made


def place(grid: GridView) -> tuple[int, int]:
    return grid.currentIndex().row(), grid.currentIndex().column()


def chosen(grid: GridView) -> tuple[list[int], tuple[int, ...]]:
    """Rows and columns of the selected block."""
    block = selected_block(grid)
    assert block is not None
    return list(block.rows), block.columns


def editor(grid: GridView) -> QLineEdit:
    (found,) = [one for one in grid.viewport().findChildren(QLineEdit) if one.isVisible()]
    return found


def value(grid: GridView, row: int, column: int) -> object:
    return grid.model().index(row, column).data(Qt.ItemDataRole.EditRole)


def test_shift_and_arrows_select_a_block_and_control_goes_to_the_edge(qtbot: QtBot, grid: GridView) -> None:
    qtbot.keyClick(grid, Key.Key_Down, SHIFT)
    qtbot.keyClick(grid, Key.Key_Right, SHIFT)
    assert chosen(grid) == ([1, 2], (CATEGORY, STATUS))
    qtbot.keyClick(grid, Key.Key_Right, SHIFT | CONTROL)
    assert chosen(grid) == ([1, 2], (CATEGORY, STATUS, STOCK))
    qtbot.keyClick(grid, Key.Key_Up, CONTROL)
    assert (place(grid), chosen(grid)) == ((0, STOCK), ([0], (STOCK,)))
    qtbot.keyClick(grid, Key.Key_Left, CONTROL)
    assert place(grid) == (0, NAME)
    qtbot.keyClick(grid, Key.Key_End)
    assert place(grid) == (0, STOCK)
    qtbot.keyClick(grid, Key.Key_End, CONTROL)
    assert place(grid) == (2, STOCK)
    qtbot.keyClick(grid, Key.Key_Home)
    assert place(grid) == (2, NAME)
    qtbot.keyClick(grid, Key.Key_Home, CONTROL)
    assert place(grid) == (0, NAME)
    qtbot.keyClick(grid, Key.Key_Down, SHIFT | CONTROL)
    assert chosen(grid) == ([0, 1, 2], (NAME,))


def test_a_click_in_the_gutter_takes_the_row_and_shift_and_drag_take_more(qtbot: QtBot, grid: GridView) -> None:
    def spot(row: int, column: int) -> QPoint:
        return grid.visualRect(grid.model().index(row, column)).center()

    left, view = Qt.MouseButton.LeftButton, grid.viewport()
    qtbot.mouseClick(view, left, pos=spot(0, GUTTER))
    assert chosen(grid) == ([0], (NAME, CATEGORY, STATUS, STOCK))
    qtbot.mouseClick(view, left, SHIFT, pos=spot(1, GUTTER))
    assert chosen(grid)[0] == [0, 1]
    qtbot.keyClick(grid, Key.Key_Down, SHIFT)
    assert chosen(grid) == ([0, 1, 2], (NAME, CATEGORY, STATUS, STOCK))
    qtbot.mouseClick(view, left, pos=spot(2, STATUS))
    assert chosen(grid) == ([2], (STATUS,))
    qtbot.mouseClick(view, left, CONTROL, pos=spot(0, CATEGORY))
    assert selected_rows(grid) == [0, 2]


def test_whole_rows_and_whole_columns_grow_from_what_is_selected(qtbot: QtBot, grid: GridView) -> None:
    grid.select_rows()
    assert chosen(grid) == ([1], (NAME, CATEGORY, STATUS, STOCK))
    qtbot.keyClick(grid, Key.Key_Down, SHIFT)
    assert chosen(grid) == ([1, 2], (NAME, CATEGORY, STATUS, STOCK))
    qtbot.keyClick(grid, Key.Key_Up)
    assert chosen(grid)[1] == (CATEGORY,)
    grid.select_columns()
    assert chosen(grid) == ([0, 1, 2], (CATEGORY,))


def test_the_row_of_the_only_selected_cell_is_tinted_and_of_a_block_only_the_cells(
    qtbot: QtBot, grid: GridView
) -> None:
    assert LIGHT["select"] in colors(cell_image(grid, 1, NAME))
    assert LIGHT["select"] not in colors(cell_image(grid, 0, NAME))
    qtbot.keyClick(grid, Key.Key_Down, SHIFT)
    assert LIGHT["select"] not in colors(cell_image(grid, 1, NAME))
    assert LIGHT["select"] in colors(cell_image(grid, 1, CATEGORY))
    assert LIGHT["select"] in colors(cell_image(grid, 2, CATEGORY))


def test_enter_and_tab_walk_round_inside_a_block_with_and_without_an_editor(qtbot: QtBot, grid: GridView) -> None:
    qtbot.keyClick(grid, Key.Key_Down, SHIFT)
    qtbot.keyClick(grid, Key.Key_Right, SHIFT)
    block = chosen(grid)
    walked = [place(grid)]
    for key in (Key.Key_Return, Key.Key_Return, Key.Key_Tab, Key.Key_Tab, Key.Key_Tab):
        qtbot.keyClick(grid, key)
        walked.append(place(grid))
    assert walked == [(2, STATUS), (1, CATEGORY), (2, CATEGORY), (2, STATUS), (1, CATEGORY), (1, STATUS)]
    qtbot.keyClick(grid, Key.Key_Tab, SHIFT)
    qtbot.keyClicks(grid, "B")
    qtbot.keyClicks(editor(grid), "irds")
    qtbot.keyClick(editor(grid), Key.Key_Return)
    assert (value(grid, 1, CATEGORY), place(grid), chosen(grid)) == ("Birds", (2, CATEGORY), block)


def test_enter_after_tabs_returns_to_the_column_where_they_began(qtbot: QtBot, grid: GridView) -> None:
    qtbot.keyClicks(grid, "F")
    qtbot.keyClick(editor(grid), Key.Key_Tab)
    assert place(grid) == (1, STATUS)
    qtbot.keyClick(grid, Key.Key_Tab)
    assert place(grid) == (1, STOCK)
    qtbot.keyClicks(grid, "7")
    qtbot.keyClick(editor(grid), Key.Key_Return)
    assert place(grid) == (2, CATEGORY)
    assert value(grid, 1, STOCK) == "7"


def test_shift_enter_goes_up_and_arrows_end_what_was_typed(qtbot: QtBot, grid: GridView) -> None:
    qtbot.keyClicks(grid, "G")
    qtbot.keyClick(editor(grid), Key.Key_Return, SHIFT)
    assert (value(grid, 1, CATEGORY), place(grid)) == ("G", (0, CATEGORY))
    qtbot.keyClick(grid, Key.Key_Return, SHIFT)
    assert place(grid) == (0, CATEGORY)
    qtbot.keyClicks(grid, "H")
    qtbot.keyClick(editor(grid), Key.Key_Down)
    assert (value(grid, 0, CATEGORY), place(grid)) == ("H", (1, CATEGORY))


def test_f2_edits_at_the_end_and_typing_replaces(qtbot: QtBot, grid: GridView) -> None:
    grid.edit_cell()
    opened = editor(grid)
    assert isinstance(opened, CellEditor)
    assert (opened.selectedText(), opened.cursorPosition(), opened.typed) == ("", len("Fish"), False)
    qtbot.keyClicks(opened, "es")
    qtbot.keyClick(opened, Key.Key_Down)
    assert grid.edit_open()  # in an editor that was opened to change a text, arrows stay in it
    qtbot.keyClick(opened, Key.Key_Return)
    assert value(grid, 1, CATEGORY) == "Fishes"
    qtbot.keyClick(grid, Key.Key_Delete)
    QApplication.processEvents()
    assert not grid.edit_open()
    assert value(grid, 2, CATEGORY) == "Fish"


def test_the_selection_follows_its_rows_through_another_order(grid: GridView) -> None:
    model = grid.model()
    assert isinstance(model, QStandardItemModel)
    grid.selectAll()
    grid.setCurrentIndex(model.index(0, CATEGORY))
    model.sort(STOCK, Qt.SortOrder.DescendingOrder)
    row = grid.currentIndex().row()
    assert chosen(grid) == ([row], (CATEGORY,))


def test_after_enter_at_the_lower_edge_the_list_follows(qtbot: QtBot, grid: GridView) -> None:
    grid.resize(760, 110)
    QApplication.processEvents()
    qtbot.keyClicks(grid, "A")
    qtbot.keyClick(editor(grid), Key.Key_Return)
    assert place(grid) == (2, CATEGORY)
    room = grid.viewport().rect()
    qtbot.waitUntil(lambda: room.contains(grid.visualRect(grid.currentIndex())))


def test_the_room_of_the_scroll_bar_stays_so_that_no_column_moves_when_the_rows_are_few(
    qtbot: QtBot, grid: GridView
) -> None:
    grid.resize(grid.width(), 60)
    qtbot.waitUntil(grid.verticalScrollBar().isEnabled)
    room = grid.viewport().width()
    grid.resize(grid.width(), 2000)
    qtbot.waitUntil(lambda: not grid.verticalScrollBar().isEnabled())
    assert grid.viewport().width() == room
