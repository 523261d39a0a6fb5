"""The window says what it shows, and whether somebody sees it: once for each change."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.context.tab_specs import ACTIVITY, TODAY
from petstore_desktop.ui.window import presence
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.conftest import tab_of
from tests.ui.recording_shop import RecordingShop

PETS, ORDERS = (Resource.PETS,), (Resource.ORDERS,)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever does nothing for a tenth of a second is away."""
    monkeypatch.setattr(presence, "AWAY_MS", 100)
    monkeypatch.setattr(presence, "LOOK_MS", 20)


def told(shop: RecordingShop) -> list[tuple[tuple[Resource, ...], bool]]:
    return shop.asked_for("watch")


def test_each_tab_is_told_when_it_is_shown_and_nothing_twice(window: MainWindow, shop: RecordingShop) -> None:
    assert told(shop) == [(PETS, True)]
    for name in ("pets", "orders", "orders", ACTIVITY, TODAY, "pets"):
        window.show_tab(name)
    everything = tuple(Resource)  # what Today says is of all lists: its "as of" was that of the one not looked at
    assert told(shop)[1:] == [(ORDERS, True), ((), True), (everything, True), (PETS, True)]
    assert shop.asked_for("refresh") == []


def test_a_minimised_or_hidden_window_shows_nobody_anything(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    window.showMinimized()
    qtbot.waitUntil(lambda: told(shop)[-1] == (PETS, False))
    window.showNormal()
    qtbot.waitUntil(lambda: told(shop)[-1] == (PETS, True))
    window.hide()
    qtbot.waitUntil(lambda: told(shop)[-1] == (PETS, False))
    window.show()
    qtbot.waitUntil(lambda: told(shop)[-1] == (PETS, True))
    assert len(told(shop)) == 5


@pytest.mark.usefixtures("hasty")
def test_who_does_nothing_is_away_until_the_first_key_or_move(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    qtbot.waitUntil(lambda: told(shop)[-1] == (PETS, False))
    window.show_tab("orders")  # a program may do that
    assert told(shop)[-1] == (ORDERS, False)
    QTest.mouseMove(tab_of(window).view.viewport(), QPoint(9, 9))
    qtbot.waitUntil(lambda: told(shop)[-1] == (ORDERS, True))
    qtbot.waitUntil(lambda: told(shop)[-1] == (ORDERS, False))
    qtbot.keyClick(tab_of(window).view, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: told(shop)[-1] == (ORDERS, True))
    assert len(told(shop)) <= 7


@pytest.mark.usefixtures("hasty")
def test_who_goes_on_working_is_there(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    looks = 0

    def work() -> bool:
        nonlocal looks
        looks += 1
        qtbot.keyClick(tab_of(window).view, Qt.Key.Key_Down)
        return looks >= 40

    qtbot.waitUntil(work)  # looks every 10 ms
    assert told(shop) == [(PETS, True)]
