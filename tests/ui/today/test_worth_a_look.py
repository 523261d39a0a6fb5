"""Worth a look on Today: what the data checks find, the rows behind each count, and putting one away."""

from __future__ import annotations

from typing import cast

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from petstore_desktop.desk.changes.done_acts import DoneActs
from petstore_desktop.desk.data_checks import BY_ID
from petstore_desktop.domain.records import Category, InventoryItem, Order, Pet, Record, Resource, Row
from petstore_desktop.sync.wire.events import LoadEnded, RowsChanged, RowsSeen
from petstore_desktop.ui.context.tab_specs import TODAY
from petstore_desktop.ui.today.section import LineButton
from petstore_desktop.ui.today.today_page import TodayPage
from petstore_desktop.ui.today.worth_a_look import WorthLine, WorthSection
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.conftest import OpenWindow, tab_of
from tests.ui.recording_shop import CONNECTION, RecordingShop

DAY = "2026-11-07T09:00:00Z"
PETS, ORDERS, STOCK = Resource.PETS, Resource.ORDERS, Resource.INVENTORY
RECORDS: dict[Resource, list[Record]] = {
    Resource.CATEGORIES: [Category(1, "Fish")],
    PETS: [Pet(1, "Koi", 1, "sold"), Pet(2, "Guppy", 1, "sold"), Pet(3, "Koi", 1, "available"), Pet(4, "Tit", 7)],
    STOCK: [InventoryItem(1, 3), InventoryItem(2, 1), InventoryItem(3, -1), InventoryItem(4, 5)],
    ORDERS: [Order(1, 99, 1, DAY, False), Order(2, 4, 9, DAY, False), Order(3, 4, 9, DAY, True)],
}


@pytest.fixture
def worth(qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow) -> WorthSection:
    """The section of a shop in which something is wrong."""
    window = open_window()
    shop.tell_ready()
    for resource, records in RECORDS.items():
        shop.tell_rows(resource, records)
    section = open_today(qtbot, window)
    qtbot.waitUntil(lambda: len(section.buttons()) == 6)
    return section


def open_today(qtbot: QtBot, window: MainWindow) -> WorthSection:
    window.parts.actions["todayTab"].trigger()
    page = window.page()
    assert isinstance(page, TodayPage)
    return page.worth


def said(section: WorthSection) -> list[str]:
    return [button.line.spoken for button in section.buttons()]


def put_away(section: WorthSection, shop: RecordingShop) -> dict[str, int]:
    """The checks that are put away, with how much each found."""
    window = section.window()
    assert isinstance(window, MainWindow)
    window.state.save()
    return cast("dict[str, int]", shop.state["checks"])


def line(section: WorthSection, check_id: str) -> LineButton:
    return next(one for one in section.buttons() if one.line.key == f"worth.{check_id}")


def test_each_check_that_finds_something_is_a_line_with_its_count(worth: WorthSection) -> None:
    assert worth.isVisible()
    assert said(worth) == [
        "2 sold pets still have stock",
        "1 order is for a pet that does not exist",
        "1 pet without a category",
        "2 pets with the name of another one of their category",
        "1 open order for more than is in stock",
        "1 stock entry below zero",
    ]


def test_the_rows_behind_each_line_are_as_many_as_it_says(qtbot: QtBot, worth: WorthSection) -> None:
    window = worth.window()
    assert isinstance(window, MainWindow)
    for button in worth.buttons():
        check_id, count = button.line.key.removeprefix("worth."), int(button.line.head)
        button.setFocus()
        QTest.keyClick(button, Qt.Key.Key_Return)
        tab = tab_of(window)
        assert tab.resource is BY_ID[check_id].resource
        assert (tab.table.row_count, dict(tab.table.column_filters)) == (count, {"gutter": check_id})
        QTest.keyClick(window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
        assert window.shown() == TODAY and button.hasFocus()


def test_a_check_that_is_put_away_comes_back_when_more_is_found(
    qtbot: QtBot, worth: WorthSection, shop: RecordingShop
) -> None:
    sold = line(worth, "sold-with-stock")
    sold.setFocus()
    QTest.keyClick(sold, Qt.Key.Key_Delete)
    assert "2 sold pets still have stock" not in said(worth)
    assert worth.buttons()[0].hasFocus(), "the keyboard is on the next line"
    shop.tell_rows(STOCK, [InventoryItem(1, 0)])
    qtbot.waitUntil(lambda: put_away(worth, shop) == {"sold-with-stock": 1})
    assert not any("sold" in one for one in said(worth)), "fewer are no news"
    shop.tell_rows(STOCK, [InventoryItem(1, 2)])
    qtbot.waitUntil(lambda: "2 sold pets still have stock" in said(worth))


def test_putting_away_is_kept_for_this_connection_and_undone(
    qtbot: QtBot, worth: WorthSection, shop: RecordingShop
) -> None:
    window = worth.window()
    assert isinstance(window, MainWindow)
    QTest.keyClick(line(worth, "below-zero"), Qt.Key.Key_Delete)
    QTest.keyClick(line(worth, "same-name"), Qt.Key.Key_Delete)
    window.state.save()
    assert shop.state["checks"] == {"below-zero": 1, "same-name": 2}
    window.parts.actions["undo"].trigger()
    assert "2 pets with the name of another one of their category" in said(worth)
    assert "1 stock entry below zero" not in said(worth)


def test_what_was_put_away_in_an_earlier_run_is_brought_back_before_today_is_shown_again(
    qtbot: QtBot, worth: WorthSection, shop: RecordingShop, open_window: OpenWindow
) -> None:
    window = worth.window()
    assert isinstance(window, MainWindow)
    window.show_tab("pets")
    QTest.keyClick(line(worth, "below-zero"), Qt.Key.Key_Delete)
    window.close_now = True
    window.close()
    shop.desk.done = DoneActs(shop.desk.outbox, shop.desk.now)
    again = open_window()
    qtbot.waitUntil(lambda: "Put away" in again.parts.actions["undo"].text())
    again.parts.actions["undo"].trigger()
    again.state.save()
    assert shop.state["checks"] == {}
    section = open_today(qtbot, again)
    qtbot.waitUntil(lambda: "1 stock entry below zero" in said(section))


@pytest.mark.qt_log_ignore("grabbing the keyboard")  # of open menus: offscreen has none to grab
def test_the_context_menu_puts_away_too(qtbot: QtBot, worth: WorthSection) -> None:
    button = line(worth, "without-category")
    QApplication.sendEvent(button, QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(4, 4), QPoint(4, 4)))
    (menu,) = [one for one in button.findChildren(QMenu) if one.isVisible()]
    assert isinstance(button, WorthLine)
    assert [action.text() for action in menu.actions()] == ["&Show them", "&Put away"]
    menu.actions()[1].trigger()
    menu.close()
    assert "1 pet without a category" not in said(worth)


def test_the_section_is_absent_once_all_is_clean_or_put_away(
    qtbot: QtBot, worth: WorthSection, shop: RecordingShop
) -> None:
    while worth.buttons():
        QTest.keyClick(worth.buttons()[0], Qt.Key.Key_Delete)
    assert not worth.isVisible()
    assert put_away(worth, shop)["below-zero"] == 1
    shop.tell_rows(STOCK, [InventoryItem(2, 0), InventoryItem(3, 0)])
    qtbot.waitUntil(lambda: "below-zero" not in put_away(worth, shop))
    assert not worth.isVisible()


def test_nothing_is_said_of_lists_that_are_not_read_yet(
    qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window()
    shop.tell_ready()
    shop.tell_rows(ORDERS, RECORDS[ORDERS])
    shop.tell_rows(PETS, RECORDS[PETS], done=False)
    shown, show = list[int](), WorthSection.set_lines
    monkeypatch.setattr(WorthSection, "set_lines", lambda self, lines: (shown.append(len(lines)), show(self, lines)))
    section = open_today(qtbot, window)
    qtbot.waitUntil(lambda: bool(shown))
    assert not any("exist" in one for one in said(section))
    shop.tell_rows(PETS, RECORDS[PETS])
    qtbot.waitUntil(lambda: "1 order is for a pet that does not exist" in said(section))


def test_a_check_that_is_not_sure_of_all_rows_says_so(
    qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow
) -> None:
    window = open_window()
    shop.tell_ready()
    shop.tell_rows(PETS, RECORDS[PETS])
    now = shop.clock.now().wall
    shop.events.tell(RowsSeen(CONNECTION, PETS, now))
    shop.events.tell(RowsChanged(CONNECTION, STOCK, (Row(98, InventoryItem(98, 2), now + 1),)))
    shop.events.tell(LoadEnded(CONNECTION, STOCK, now + 1))
    section = open_today(qtbot, window)
    words = "Some records name others that are not here: they may be new. Refresh to be sure: Pets."
    qtbot.waitUntil(lambda: words in section.empty.text())
    assert not any("stock entr" in one and "without" in one for one in said(section))
    shop.events.tell(RowsSeen(CONNECTION, PETS, now + 2), LoadEnded(CONNECTION, PETS, now + 2))
    qtbot.waitUntil(lambda: "1 stock entry without a pet" in said(section))
    assert words not in section.empty.text()
