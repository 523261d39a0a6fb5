"""What waits for the first paint, or is done when nothing else is to do."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
import shiboken6
from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.base.first_paint import after_first_paint, load_in_turns, room_for


def test_what_may_be_opened_soon_is_loaded_a_module_a_turn_as_long_as_its_owner_is_there(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["colorsys", "nturl2path", "sched"]
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    owner = QObject()

    def each() -> Iterator[str]:
        yield names[0]
        QTimer.singleShot(0, lambda: shiboken6.delete(owner))  # before the turn after this one
        yield from names[1:]

    load_in_turns(owner, each())
    assert [name in sys.modules for name in names] == [True, False, False]
    qtbot.waitUntil(lambda: "nturl2path" in sys.modules)
    qtbot.wait(60)
    assert "sched" not in sys.modules


def test_what_several_want_done_after_the_first_paint_is_done_one_after_the_other_a_turn_each(qtbot: QtBot) -> None:
    widget, done, turns = QWidget(), list[str](), list[int]()
    qtbot.addWidget(widget)

    def work(name: str) -> Callable[[], object]:
        def do() -> None:
            done.append(name)
            if name == "b2":
                after_first_paint(widget, work("later"))

        return do

    clock = QTimer(widget, interval=0)
    clock.timeout.connect(lambda: turns.append(len(done)))
    after_first_paint(widget, work("a1"), work("a2"), work("a3"))
    after_first_paint(widget, work("b1"), work("b2"))
    widget.show()
    clock.start()
    qtbot.waitUntil(lambda: len(done) == 6)
    assert done == ["a1", "b1", "a2", "b2", "a3", "later"]
    assert max(after - before for before, after in pairwise(turns)) == 1
    after_first_paint(widget, work("next"))
    widget.repaint()
    qtbot.waitUntil(lambda: done[-1] == "next")


def test_a_key_comes_after_all_of_them(qtbot: QtBot) -> None:
    field, done = QLineEdit(), list[str]()
    qtbot.addWidget(field)
    after_first_paint(field, lambda: done.append(f"a {field.text()}"), lambda: done.append(f"b {field.text()}"))
    after_first_paint(field, lambda: done.append(f"c {field.text()}"))
    field.show()
    QTest.keyClick(field, "x")
    assert (field.text(), done) == ("x", ["a ", "c ", "b "])
    qtbot.wait(10)
    assert len(done) == 3


def test_the_screen_belongs_to_no_widget_whose_room_was_asked_for(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    dialog, screen = QDialog(window), QGuiApplication.primaryScreen()
    for shown in (window, dialog):
        assert not room_for(shown).isEmpty()
        shown.show()
        assert not room_for(shown).isEmpty()
    assert "parent..." not in shiboken6.dump(screen)
