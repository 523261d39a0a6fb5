"""Buttons that do not fit side by side stand below each other, and none runs past the edge."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.details.details_pane import DetailsPane

LTR, RTL = Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft


@pytest.mark.parametrize("direction", [LTR, RTL])
def test_no_button_of_the_details_runs_past_the_edge(qtbot: QtBot, direction: Qt.LayoutDirection) -> None:
    pane = DetailsPane()
    pane.setLayoutDirection(direction)
    qtbot.addWidget(pane)
    pane.resize(640, 500)
    pane.show()
    actions = [QAction("Mark complete", pane), QAction("Cancel order (experimental)", pane)]
    for action, key in zip(actions, ("Alt+2", "Alt+3"), strict=True):
        action.setShortcut(key)
    pane.set_actions(actions, "1 request each.")
    for width, rows in ((640, 1), (300, 2), (170, 2)):
        pane.resize(width, 500)
        first, second = pane.findChildren(QPushButton)[-2:]
        qtbot.waitUntil(lambda rows=rows, a=first, b=second: (a.y() == b.y()) is (rows == 1))
        for button in (first, second):
            left = button.mapTo(pane, button.rect().topLeft()).x()
            assert left >= 0
            assert left + button.width() <= width
