"""The row of captions: its keys and buttons, and that nothing else gets a key while it listens."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.program.caption_bar import CaptionBar
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.conftest import tab_of

Key = Qt.Key


def test_enter_and_esc_are_its_buttons_while_it_listens_and_the_windows_else(qtbot: QtBot, window: MainWindow) -> None:
    bar, told = CaptionBar(), list[str]()
    window.place_above_tabs(bar, 0)
    bar.nextWanted.connect(lambda: told.append("next"))
    bar.endWanted.connect(lambda: told.append("end"))
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    view = tab_of(window).view
    view.setFocus()
    view.setCurrentIndex(view.model().index(0, 1))
    bar.listen(True)
    for key in (Key.Key_Return, Key.Key_Enter, Key.Key_Space, Key.Key_Escape, Key.Key_Down, Key.Key_A):
        QTest.keyClick(window.windowHandle(), key)
    assert told == ["next", "next", "next", "end"]
    assert view.currentIndex().row() == 0 and not view.edit_open()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(view.model().index(2, 1)).center())
    assert view.currentIndex().row() == 0, "nor a click"
    bar.next.click()
    bar.end.click()
    assert told[4:] == ["next", "end"]
    bar.listen(False)
    QTest.keyClick(window.windowHandle(), Key.Key_Down)
    assert view.currentIndex().row() == 1
    assert told[6:] == []


def test_a_caption_is_read_out(qtbot: QtBot, window: MainWindow) -> None:
    bar = CaptionBar()
    window.place_above_tabs(bar, 0)
    bar.say("Ctrl+Z undoes it, sent or not, tomorrow too.")
    assert bar.words.text() == "Ctrl+Z undoes it, sent or not, tomorrow too."
    assert bar.accessibleName() and bar.next.accessibleName() == "Next" and bar.end.accessibleName() == "End"
