"""What waits for the first paint, or is done when nothing else is to do."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.base.first_paint import load_in_turns


def test_what_may_be_opened_soon_is_loaded_a_module_a_turn_as_long_as_its_owner_is_there(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["colorsys", "nturl2path", "sched"]
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    owner = QObject()
    load_in_turns(owner, iter(names))
    assert [name in sys.modules for name in names] == [True, False, False]
    qtbot.waitUntil(lambda: "nturl2path" in sys.modules)
    assert "sched" not in sys.modules
    owner.deleteLater()
    qtbot.wait(60)
    assert "sched" not in sys.modules
