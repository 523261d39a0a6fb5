"""The kit's tables under the light theme."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.base.theme import ThemeController
from petstore_desktop.ui.grid.table_view import TableView
from tests.ui.grid.shop import make_table


@pytest.fixture(autouse=True)
def controller(qapp: QApplication) -> Iterator[ThemeController]:
    """A controller on the light theme; tests may switch it."""
    made = ThemeController(qapp, "light")
    yield made
    made.set_preference("light")


@pytest.fixture
def table(qtbot: QtBot) -> TableView:
    """The table of `shop` on screen, with the focus."""
    made = make_table()
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    made.activateWindow()
    made.setFocus()
    qtbot.waitUntil(made.hasFocus)
    return made
