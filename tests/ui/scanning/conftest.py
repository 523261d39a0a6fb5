"""A window that is scanned into."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.window.main_window import MainWindow
from tests.support.keyboard import Keyboard


@pytest.fixture
def keys(window: MainWindow, qtbot: QtBot) -> Keyboard:
    assert window.after_paint.scanning
    qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
    return Keyboard()


@pytest.fixture
def scans(window: MainWindow) -> list[str]:
    """What is scanned, while a desk takes the scans."""
    found: list[str] = []
    window.parts.scans.go_to(lambda: found.append)
    return found
