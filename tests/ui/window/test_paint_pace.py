"""Bursts of changes that nobody at the window made are painted once; what a person does is painted at once."""

from __future__ import annotations

from time import monotonic

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.records import Pet, Resource
from petstore_desktop.ui.window import paint_pace
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.recording_shop import RecordingShop

LONG_S = 0.6
"""A pace so slow that no machine is slower."""


class Paints(QObject):
    """Counts how often a widget is painted."""

    def __init__(self, widget: QObject) -> None:
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, _: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """What changes by itself is painted seldom."""
    monkeypatch.setattr(paint_pace, "PACE_S", LONG_S)


def tell(shop: RecordingShop, number: int) -> None:
    """The service shows another name of the first pet."""
    shop.tell_rows(Resource.PETS, [Pet(1, f"Koi {number}", 1, "available")])
    QApplication.processEvents()


def watched(window: MainWindow, shop: RecordingShop) -> Paints:
    """Counts the paints of the rows, which have just been painted."""
    tab = window.tab()
    assert tab is not None
    QApplication.processEvents()
    paints = Paints(tab.view.viewport())
    window.after_paint.pace.release()
    tab.view.viewport().update()
    QApplication.processEvents()
    assert paints.count == 1
    return paints


def test_a_burst_of_changes_is_painted_once(qtbot: QtBot, window: MainWindow, shop: RecordingShop, slow: None) -> None:
    paints = watched(window, shop)
    begun = monotonic()
    told = 0
    while monotonic() - begun < LONG_S / 2:
        told += 1
        tell(shop, told)
    assert told > 3
    assert paints.count == 1
    qtbot.waitUntil(lambda: paints.count == 2)
    assert monotonic() - begun >= LONG_S / 2


def test_a_key_is_painted_at_once_with_all_that_was_held_back(
    window: MainWindow, shop: RecordingShop, slow: None
) -> None:
    paints, tab = watched(window, shop), window.tab()
    assert tab is not None
    tell(shop, 1)
    assert paints.count == 1
    QTest.keyClick(tab.view, Qt.Key.Key_Down)
    QApplication.processEvents()
    assert paints.count == 2


def test_what_was_to_be_painted_before_the_changes_is_not_held_back_by_them(
    window: MainWindow, shop: RecordingShop, slow: None
) -> None:
    paints, tab = watched(window, shop), window.tab()
    assert tab is not None
    tab.view.viewport().update()
    tell(shop, 1)
    QApplication.processEvents()
    assert paints.count == 2


def test_a_change_long_after_the_last_paint_is_painted_at_once(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, slow: None
) -> None:
    paints = watched(window, shop)
    QTest.qWait(round(LONG_S * 1000) + 50)
    begun, before = monotonic(), paints.count
    tell(shop, 1)
    qtbot.waitUntil(lambda: paints.count > before)
    assert monotonic() - begun < LONG_S
