"""Widgets under the light theme: what a folder's conftest imports, its tests have."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from petstore_desktop.ui.base.theme import ThemeController


@pytest.fixture(autouse=True)
def controller(qapp: QApplication) -> Iterator[ThemeController]:
    """A controller on the light theme; tests may switch it."""
    made = ThemeController(qapp, "light")
    yield made
    made.set_preference("light")
