"""A stocktake in a window, scanned into."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.stocktake.stocktake_page import StocktakePage
from petstore_desktop.ui.window.main_window import MainWindow


@pytest.fixture
def page(window: MainWindow, qtbot: QtBot) -> StocktakePage:
    """Stocktake, opened by its key's action."""
    window.parts.actions["stocktake"].trigger()
    found = window.page()
    assert isinstance(found, StocktakePage)
    qtbot.waitUntil(found.field.hasFocus)
    return found
