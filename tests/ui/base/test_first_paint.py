"""What waits for the first paint, or is done when nothing else is to do."""

from __future__ import annotations

import sys

import pytest
import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.base.first_paint import load_in_turns, room_for


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


def test_the_screen_belongs_to_no_widget_whose_room_was_asked_for(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    dialog, screen = QDialog(window), QGuiApplication.primaryScreen()
    for shown in (window, dialog):
        assert not room_for(shown).isEmpty()
        shown.show()
        assert not room_for(shown).isEmpty()
    assert "parent..." not in shiboken6.dump(screen)
