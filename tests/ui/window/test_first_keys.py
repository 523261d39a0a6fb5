"""Keys and clicks that come before the window has all it gets after its first paint."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.domain.changes import AddStock
from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import stock_tab, type_in_cell
from tests.ui.conftest import OpenWindow, tab_of
from tests.ui.recording_shop import RecordingShop, small_shop

Key = Qt.Key
_ALT, _CTRL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier


def unfinished(window: MainWindow) -> bool:
    """Whether the window still lacks what comes after its first paint."""
    return window._after_paint is None


def active(open_window: OpenWindow) -> MainWindow:
    """A window that has the keyboard, and nothing of what comes after its first paint."""
    window = open_window()
    QApplication.processEvents()
    assert window.isActiveWindow()
    return window


@pytest.mark.parametrize(
    ("name", "tab"),
    [("inventoryTab", "inventory"), ("nextTab", "categories"), ("activityTab", "activity"), ("todayTab", "today")],
)
def test_an_action_used_before_its_work_exists_is_done_all_the_same(
    open_window: OpenWindow, name: str, tab: str
) -> None:
    window = open_window()
    assert unfinished(window)
    window.parts.actions[name].trigger()
    assert window.shown() == tab


@pytest.mark.parametrize(
    ("key", "modifier", "tab"),
    [(Key.Key_I, _ALT, "inventory"), (Key.Key_PageDown, _CTRL, "categories"), (Key.Key_T, _ALT, "today")],
)
def test_a_shortcut_pressed_right_after_the_window_is_shown_works(
    qtbot: QtBot, open_window: OpenWindow, key: Key, modifier: Qt.KeyboardModifier, tab: str
) -> None:
    window = active(open_window)
    assert unfinished(window)
    qtbot.keyClick(tab_of(window).view, key, modifier)
    assert window.shown() == tab


def test_a_filter_typed_right_after_the_window_is_shown_is_not_lost(
    qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow
) -> None:
    window = active(open_window)
    assert unfinished(window)
    tab = tab_of(window)
    qtbot.keyClick(tab.view, Key.Key_F, _CTRL)
    qtbot.keyClicks(tab.bar.filter, "koi")
    shop.tell_ready()
    shop.tell_rows(Resource.PETS, small_shop()[Resource.PETS])
    qtbot.waitUntil(lambda: tab.table.total == 4)
    assert tab.table.row_count == 1


def test_a_booking_typed_right_after_the_window_is_shown_is_applied(
    qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow
) -> None:
    shop.tell_ready()
    shop.tell_rows(Resource.INVENTORY, small_shop()[Resource.INVENTORY])
    for event in shop.events.drain(1):
        apply_event(shop.desk, event)  # as rows that were kept from the last run
    window = open_window()
    tab = stock_tab(window)
    assert unfinished(window)
    tab.view.setCurrentIndex(tab.model.index(0, [one.id for one in tab.table.columns].index("stock")))
    type_in_cell(qtbot, tab, "+12")
    assert not unfinished(window)
    ((change,),) = shop.asked_for("apply")
    assert change.intent == AddStock(12)


def test_what_comes_after_the_first_paint_comes_once(
    qtbot: QtBot, open_window: OpenWindow, shop: RecordingShop
) -> None:
    window = open_window()
    window.parts.actions["activityTab"].trigger()
    later = window.after_paint
    QApplication.processEvents()
    qtbot.waitUntil(lambda: window.isActiveWindow())
    assert window.after_paint is later
    assert shop.asked_for("watch") == [((Resource.PETS,), True), ((), True)]
