"""The Menu key opens a row's menu below the cell it is about."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.conftest import tab_of


def open_menu() -> QMenu | None:
    popup = QApplication.activePopupWidget()
    return popup if isinstance(popup, QMenu) else None


@pytest.mark.qt_log_ignore("grabbing the keyboard")
@pytest.mark.parametrize("section", [1, 2, 4])
def test_the_menu_key_opens_the_menu_at_the_current_cell(qtbot: QtBot, window: MainWindow, section: int) -> None:
    view = tab_of(window).view
    _ = tab_of(window).extras
    view.setFocus()
    view.setCurrentIndex(view.model().index(2, section))
    # As the platform sends it for the Menu key and Shift+F10.
    asked = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint())
    QApplication.sendEvent(window.windowHandle(), asked)
    qtbot.waitUntil(lambda: open_menu() is not None)
    menu = open_menu()
    assert menu is not None
    cell = view.visualRect(view.currentIndex())
    place = QRect(view.viewport().mapToGlobal(cell.topLeft()), cell.size())
    assert place.adjusted(0, 0, 1, 1).contains(menu.pos()), f"the menu is at {menu.pos()}, the cell at {place}"
    menu.close()
