"""Columns that are frozen stay at the left while the list scrolls sideways, and are worked in as ever."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QCursor, QImage, QMouseEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.grid.frozen_columns import FrozenColumns
from petstore_desktop.ui.lists.resource_tab import ResourceTab
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import column, editor_of
from tests.ui.conftest import OpenWindow, tab_of
from tests.ui.recording_shop import RecordingShop, small_shop

Key = Qt.Key


@pytest.fixture
def tab(qtbot: QtBot, window: MainWindow) -> ResourceTab:
    """The pets, frozen up to the name, in a window that has no room for all of their columns."""
    window.resize(900, 600)
    QCursor.setPos(window.mapToGlobal(window.rect().bottomRight()))  # another test may have left it over a row
    tab = tab_of(window)
    tab.show_details(False)
    tab.view.setFocus()
    tab.extras.filter_row.focus()
    tab.view.setCurrentIndex(tab.model.index(1, column(tab, "name")))
    for name in ("category", "status", "stock"):
        tab.header.resizeSection(column(tab, name), 320)
    window.parts.actions["freezeColumns"].trigger()
    assert window.parts.actions["letColumnsGo"].isEnabled()
    qtbot.waitUntil(lambda: tab.view.horizontalScrollBar().maximum() > 300)
    tab.view.setFocus()
    return tab


def frozen(tab: ResourceTab) -> QWidget | None:
    """What is painted over the list, if it is."""
    return next((one for one in tab.view.findChildren(FrozenColumns) if one.isVisible()), None)


def picture(tab: ResourceTab) -> QImage:
    """The frozen part as the person sees it, but for its edge."""
    return tab.view.grab(QRect(0, 0, tab.header.frozen_width() - 1, tab.view.height() - 12)).toImage()


def spot(tab: ResourceTab, row: int, name: str) -> QPoint:
    """Where a frozen cell is seen, in the frozen part."""
    view, section = tab.view, column(tab, name)
    x = tab.header.sectionPosition(section) + tab.header.sectionSize(section) // 2
    return QPoint(x, view.viewport().y() + view.rowViewportPosition(row) + view.rowHeight(row) // 2)


def drag_to(widget: QWidget, at: QPoint) -> None:
    """The mouse goes on with its left button held."""
    moved, none, held = QEvent.Type.MouseMove, Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton
    event = QMouseEvent(moved, QPointF(at), QPointF(widget.mapToGlobal(at)), none, held, Qt.KeyboardModifier.NoModifier)
    QCoreApplication.sendEvent(widget, event)


def scroll(qtbot: QtBot, tab: ResourceTab, value: int = 200) -> QWidget:
    tab.view.horizontalScrollBar().setValue(value)
    qtbot.waitUntil(lambda: frozen(tab) is not None)
    found = frozen(tab)
    assert found is not None
    return found


def test_frozen_columns_look_the_same_however_far_the_list_is_scrolled(qtbot: QtBot, tab: ResourceTab) -> None:
    assert frozen(tab) is None, "at the left end they stand there anyway"
    before = picture(tab)
    scroll(qtbot, tab)
    assert picture(tab) == before, "header, filter fields and cells"
    tab.view.setCurrentIndex(tab.model.index(2, column(tab, "id")))
    assert tab.view.horizontalScrollBar().value() == 200 and picture(tab) != before
    moved = picture(tab)
    tab.view.horizontalScrollBar().setValue(0)
    assert frozen(tab) is None and picture(tab) == moved
    tab.columns.freeze("orders")
    assert len(tab.header.frozen()) == 4, "only so many as leave room to the others"
    tab.columns.freeze("")
    assert tab.header.frozen() == [] and tab.header.sectionSize(column(tab, "name")) > 0


def test_the_mouse_works_in_frozen_columns_as_in_any_others(qtbot: QtBot, tab: ResourceTab) -> None:
    over, left = scroll(qtbot, tab), Qt.MouseButton.LeftButton
    qtbot.mouseClick(over, left, pos=spot(tab, 3, "name"))
    assert tab.view.currentIndex() == tab.model.index(3, column(tab, "name"))
    qtbot.mouseClick(over, left, Qt.KeyboardModifier.ShiftModifier, spot(tab, 1, "id"))
    block = tab.view.block()
    assert block is not None and (list(block.rows), len(block.columns)) == ([1, 2, 3], 2)
    qtbot.mouseClick(over, left, pos=spot(tab, 2, "gutter"))
    assert tab.context().selected == 1 and tab.view.currentIndex().row() == 2
    qtbot.mouseClick(over, left, pos=QPoint(spot(tab, 0, "id").x(), 10))
    assert tab.table.sort[0][0] == "id"
    assert tab.view.horizontalScrollBar().value() == 200, "a click scrolls nothing"
    size = tab.header.sectionSize(column(tab, "id"))
    edge = QPoint(tab.header.sectionPosition(column(tab, "name")) - 1, 10)
    qtbot.mousePress(over, left, pos=edge)
    drag_to(over, edge + QPoint(30, 0))
    drag_to(tab.header.viewport(), edge + QPoint(40, 0))
    qtbot.mouseRelease(tab.header.viewport(), left, pos=edge + QPoint(40, 0))
    assert (tab.header.sectionSize(column(tab, "id")), tab.view.horizontalScrollBar().value()) == (size + 40, 0)
    over, row = scroll(qtbot, tab), tab.view.currentIndex().row()
    qtbot.mouseClick(over, left, pos=spot(tab, row, "name"))
    qtbot.mouseDClick(over, left, pos=spot(tab, row, "name"))
    qtbot.waitUntil(lambda: frozen(tab) is None and tab.view.edit_open())


def test_what_is_typed_on_a_frozen_cell_opens_its_editor_where_the_cell_is_seen(qtbot: QtBot, tab: ResourceTab) -> None:
    tab.view.setCurrentIndex(tab.model.index(1, column(tab, "name")))
    scroll(qtbot, tab)
    qtbot.keyClicks(tab.view, "K")
    editor = editor_of(tab)
    qtbot.waitUntil(lambda: frozen(tab) is None)
    assert editor.geometry() == tab.view.visualRect(tab.view.currentIndex()) and editor.x() > 0
    assert editor.text() == "K"
    qtbot.keyClick(editor, Key.Key_Escape)


def test_no_key_leaves_the_current_cell_or_the_filter_field_under_the_frozen_columns(
    qtbot: QtBot, tab: ResourceTab
) -> None:
    view, bar = tab.view, tab.view.horizontalScrollBar()
    for key in (*[Key.Key_Right] * 5, *[Key.Key_Left] * 6):
        qtbot.keyClick(view, key)
        now = view.currentIndex()
        if now.column() not in tab.header.frozen():
            seen = view.visualRect(now)
            assert seen.left() >= tab.header.frozen_width() and seen.right() < view.viewport().width()
    for field in tab.header.fields():
        field.setFocus()
        bar_at, place = bar.value(), field.geometry()
        assert tab.header.viewport().rect().contains(place), (bar_at, place)
        others = [other.geometry() for other in tab.header.fields() if other is not field]
        assert not any(place.intersects(other) for other in others)


def test_what_is_frozen_is_so_in_the_next_window_and_until_it_is_let_go(
    qtbot: QtBot, tab: ResourceTab, window: MainWindow, open_window: OpenWindow, shop: RecordingShop
) -> None:
    tab.header.moveSection(tab.header.visualIndex(column(tab, "status")), 1)
    assert len(tab.header.frozen()) == 4, "a column that is put among them is frozen too"
    window.close()
    other = RecordingShop(state=json.loads(json.dumps(shop.state)))
    again = open_window(other)
    for resource, records in small_shop().items():
        other.tell_rows(resource, records)
    restored = tab_of(again)
    qtbot.waitUntil(lambda: restored.table.row_count == 4)
    assert restored.columns.frozen == "name" and len(restored.header.frozen()) == 4
    again.parts.actions["letColumnsGo"].trigger()
    assert restored.header.frozen() == [] and not again.parts.actions["letColumnsGo"].isEnabled()
