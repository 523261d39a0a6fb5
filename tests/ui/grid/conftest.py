"""The kit's tables under the light theme."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.grid.table_view import TableView
from tests.ui.grid.shop import make_table
from tests.ui.light import controller

__all__ = ["controller", "table"]


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
