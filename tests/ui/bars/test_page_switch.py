"""The pages of a view as words: one stop of the keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.bars.page_switch import PageSwitch
from petstore_desktop.ui.base.building import in_row, named
from petstore_desktop.ui.station.station_list import StationPages

Key = Qt.Key


def switch_of(made: PageSwitch) -> PageSwitch:
    for name in ("first", "second", "third"):
        made.add_page(name, name)
    return made


def stop_after(key: Qt.Key) -> str:
    """Press it; where the keyboard is then."""
    QTest.keyClick(QApplication.focusWidget(), key)
    return QApplication.focusWidget().objectName()


@pytest.mark.parametrize("make", [PageSwitch, StationPages])
def test_tab_comes_to_the_page_that_is_shown_and_left_and_right_show_others(
    qtbot: QtBot, make: type[PageSwitch]
) -> None:
    window, before, after, switch = QWidget(), QLineEdit(), named(QLineEdit(), "after"), switch_of(make())
    qtbot.addWidget(window)
    in_row(window, before, switch, after)
    chosen: list[object] = []
    switch.choose(1)
    switch.chosen.connect(chosen.append)
    window.show()
    window.activateWindow()
    before.setFocus()
    qtbot.waitUntil(before.hasFocus)
    assert [stop_after(key) for key in (Key.Key_Tab, Key.Key_Tab, Key.Key_Backtab)] == ["second", "after", "second"]
    assert [stop_after(key) for key in (Key.Key_Right, Key.Key_Right, Key.Key_Left)] == ["third", "third", "second"]
    assert (switch.shown(), chosen) == (1, [2, 1])
    assert stop_after(Key.Key_Down) == ("after" if make is StationPages else "second")
