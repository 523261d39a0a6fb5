"""Bursts of changes that nobody at the window made are painted once; what a person does is painted at once."""

from __future__ import annotations

from typing import Any, cast

import pytest
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.desk.desk import Changed
from petstore_desktop.domain.records import Pet, Resource
from petstore_desktop.ui.window import paint_pace
from petstore_desktop.ui.window.paint_pace import PaintPace
from tests.ui.conftest import OpenWindow
from tests.ui.recording_shop import RecordingShop

LONG_S, SHORT_S = 10_000.0, 0.02
"""A pace that no test lives to see the end of, and one whose end comes by itself."""


class Clock:
    """The pace's clock, which stands still until a test moves it: how long the machine takes decides nothing."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class Bell(QObject):
    """What a bridge tells a pace."""

    taking = Signal()
    changed = Signal(object)
    taken = Signal()


class Rows(QWidget):
    """Shows what changes, and counts how often it is painted. Nothing but a test has it painted."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self._bell = Bell(self)
        self.pace = PaintPace(self, cast("Any", self._bell))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def event(self, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return super().event(event)

    def bring(self) -> None:
        """The service shows something else."""
        self._bell.taking.emit()
        self.update()
        self._bell.changed.emit(Changed())
        self._bell.taken.emit()
        QApplication.processEvents()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """What changes by itself is painted seldom, by this clock."""
    clock = Clock()
    monkeypatch.setattr(paint_pace, "monotonic", clock)
    monkeypatch.setattr(paint_pace, "PACE_S", LONG_S)
    return clock


@pytest.fixture
def rows(qtbot: QtBot, clock: Clock) -> Rows:
    """They have just been painted, for the first time that counts."""
    rows = Rows()
    qtbot.addWidget(rows)
    rows.show()
    rows.activateWindow()
    qtbot.waitUntil(lambda: rows.count > 0 and rows.hasFocus())
    QApplication.processEvents()
    rows.count = 0
    rows.update()
    QApplication.processEvents()
    assert rows.count == 1
    return rows


def test_a_burst_of_changes_is_held_back_and_painted_once(rows: Rows) -> None:
    for _ in range(5):
        rows.bring()
    assert rows.count == 1
    rows.pace.release()
    QApplication.processEvents()
    assert rows.count == 2


def test_what_is_held_back_is_painted_by_itself(qtbot: QtBot, rows: Rows, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paint_pace, "PACE_S", SHORT_S)
    rows.bring()
    qtbot.waitUntil(lambda: rows.count == 2)


def test_a_key_is_painted_at_once_with_all_that_was_held_back(rows: Rows) -> None:
    rows.bring()
    assert rows.count == 1
    QTest.keyClick(rows, Qt.Key.Key_Down)
    QApplication.processEvents()
    assert rows.count == 2


def test_what_was_to_be_painted_before_the_changes_is_not_held_back_by_them(rows: Rows) -> None:
    rows.update()
    rows.bring()
    assert rows.count == 2


def test_a_change_long_after_the_last_paint_is_painted_at_once(rows: Rows, clock: Clock) -> None:
    clock.now += LONG_S
    rows.bring()
    assert rows.count == 2


def test_the_window_is_painted_at_this_pace(
    qtbot: QtBot, open_window: OpenWindow, shop: RecordingShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    for name in ("begin", "note", "end"):
        monkeypatch.setattr(PaintPace, name, lambda *_, name=name: told.append(name))
    window = open_window()
    qtbot.waitUntil(lambda: window.after_paint.pace is not None)
    told.clear()
    shop.tell_rows(Resource.PETS, [Pet(1, "Koi", 1, "available")])
    qtbot.waitUntil(lambda: told[:3] == ["begin", "note", "end"])
