"""What was begun at a desk and is not booked yet stands in the status bar, and leads back to it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.commands import KeepDraft
from petstore_desktop.ui.receiving.receive_page import ReceivePage
from petstore_desktop.ui.status.status_line import StatusLine
from petstore_desktop.ui.stocktake.stocktake_page import StocktakePage
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.recording_shop import RecordingShop


def test_lines_of_a_delivery_that_are_not_booked(qtbot: QtBot, window: MainWindow) -> None:
    badge = window.status.delivery
    window.parts.actions["receive"].trigger()
    page = window.page()
    assert isinstance(page, ReceivePage) and not badge.isVisible()
    page.take_scan("1234")
    page.take_scan("877")
    qtbot.waitUntil(lambda: badge.words() == "Delivery: 2 lines")
    window.show_tab("pets")
    badge.click()
    assert window.page() is page
    QTest.keyClick(page.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not badge.isVisible())


def test_a_count_that_goes_on(qtbot: QtBot, window: MainWindow) -> None:
    badge = window.status.count
    window.parts.actions["stocktake"].trigger()
    page = window.page()
    assert isinstance(page, StocktakePage)
    page.take_scan("1234")
    qtbot.waitUntil(badge.isVisible)
    assert badge.words() == "Stocktake begun"
    window.show_tab("pets")
    badge.click()
    assert window.page() is page
    page.count.close()
    qtbot.waitUntil(lambda: not badge.isVisible())


def test_what_is_left_from_yesterday_is_there_from_the_start(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    line = KeepDraft("receive:b:p1234", {"count": "2", "typed": "", "at": "1.0"})
    shop.keep_drafts((line, KeepDraft("receive-note", {"note": "x"}), KeepDraft("newPet", {"name": "Koi"})))
    qtbot.waitUntil(lambda: "newPet" in shop.desk.drafts)
    again = StatusLine(shop, window.parts.actions, window)
    assert again.delivery.words() == "Delivery: 1 line"
    assert again.count.isHidden()
