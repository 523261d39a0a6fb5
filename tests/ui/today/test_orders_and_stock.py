"""Orders and Stock on Today: what their lines and charts say, and that the rows behind each are as many as it says."""

from __future__ import annotations

import re
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.low_stock import Minimums
from petstore_desktop.domain.records import InventoryItem, Order, Ref, Resource
from petstore_desktop.domain.seen_changes import Span
from petstore_desktop.ui.context.tab_specs import TODAY
from petstore_desktop.ui.lists.resource_tab import ResourceTab
from petstore_desktop.ui.today.section import names_words
from petstore_desktop.ui.today.today_page import TodayPage
from petstore_desktop.ui.window.main_window import MainWindow
from tests.desk.today.demo_desk import orders_of, stock_of
from tests.ui.conftest import OpenWindow, tab_of
from tests.ui.recording_shop import RecordingShop
from tests.ui.today.monday_shop import MONDAY, fill, monday_shop

Key = Qt.Key
DAY = 86_400.0


@pytest.fixture
def monday() -> RecordingShop:
    """The shop of the design's pictures, not read yet."""
    return monday_shop()


@pytest.fixture
def window(qtbot: QtBot, monday: RecordingShop, open_window: OpenWindow) -> MainWindow:
    """The window of that shop, on Today."""
    made = open_window(monday)
    made.parts.actions["todayTab"].trigger()
    fill(monday)
    today = page(made)
    qtbot.waitUntil(lambda: bool(monday.desk.shop.minimums) and today.stock.isVisible())
    again(today)
    return made


def page(window: MainWindow) -> TodayPage:
    """Its page Today."""
    found = window.page()
    assert isinstance(found, TodayPage)
    return found


def later(monday: RecordingShop, today: TodayPage) -> None:
    """Work the page out anew, more than a minute later."""
    monday.clock.advance(61)
    again(today)


def again(today: TodayPage) -> None:
    """Work the page out anew, now."""
    today.renew()
    today.refresh_state()


def said(widget: QWidget) -> str:
    """What a screen reader says of a line or a bar."""
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


def test_the_orders_are_those_of_the_picture(window: MainWindow) -> None:
    orders = page(window).orders
    assert orders.note.text() == "17 open"
    assert [said(button) for button in orders.buttons()] == [
        "Overdue, oldest 16 days: 6, Turkish angora, Zebra danio and 4 more",
        "Due today: 4, Koi, Lovebird and 2 more",
        "This week, today included: 11, Koi, Lovebird and 7 more",
    ]
    slots = [said(slot) for slot in orders.chart.slot_widgets()]
    assert slots[0] == "Earlier: 2 overdue"
    assert slots[5:9] == [
        "Friday 20 November: 8 complete, 2 overdue",
        "Saturday 21 November: 6 complete",
        "Sunday 22 November: no orders",
        "Monday 23 November: 1 complete, 4 due today",
    ]
    assert slots[12] == "Friday 27 November: 2 to come"


def test_the_stock_is_that_of_the_picture(window: MainWindow) -> None:
    stock = page(window).stock
    assert stock.note.text() == "191 stock entries"
    assert [button.line.end for button in stock.buttons()] == ["38", "12"]
    bars = [said(slot).translate({0x2068: None, 0x2069: None}) for slot in stock.chart.slot_widgets()]
    assert bars == [
        "Fish: 14 of 62 low",
        "Small animals: 7 of 26 low",
        "Birds: 6 of 25 low",
        "Reptiles: 4 of 20 low",
        "Pond: 3 of 12 low",
        "Invertebrates: 2 of 12 low",
        "Amphibians: 1 of 10 low",
    ]


@pytest.mark.parametrize(
    ("names", "others", "words"),
    [
        (["Koi", "Guppy"], 0, "Koi, Guppy"),
        (["Koi", "Guppy"], 3, "Koi, Guppy and 3 more"),
        (["Betta, red", "Guppy"], 3, "Betta, red; Guppy; and 3 more"),
        ([], 3, ""),
    ],
)
def test_names_are_told_apart_and_none_stands_for_itself(names: list[str], others: int, words: str) -> None:
    assert names_words(names, others).translate({0x2068: None, 0x2069: None}) == words


def test_the_words_for_those_that_are_not_named_stay_where_names_are_cut(window: MainWindow) -> None:
    overdue = page(window).orders.buttons()[0].line
    assert ("Zebra danio" in overdue.names, overdue.more) == (True, " and 4 more")


def test_categories_without_a_bar_are_counted(window: MainWindow) -> None:
    assert page(window).stock.more.text() == "and 1 more category"


def stops(today: TodayPage) -> list[QWidget]:
    """All lines and bars that lead to a list."""
    return [*today.orders.stops(), *today.stock.stops()]


def has_rows(tab: ResourceTab, count: int) -> bool:
    """Whether a list shows so many rows."""
    return tab.table.row_count == count


def test_behind_every_line_and_bar_are_as_many_rows_as_it_says(qtbot: QtBot, window: MainWindow) -> None:
    today = page(window)
    assert len(stops(today)) == 3 + 15 + 2 + 7
    for at in range(len(stops(today))):
        stop = stops(today)[at]
        words = said(stop)
        stop.setFocus()
        qtbot.keyClick(stop, Key.Key_Return)
        if "no orders" in words:
            assert window.shown() == TODAY
            continue
        counts = re.findall(r": (\d+)|, (\d+) (?!more)", words.replace(" of ", ", "))
        wanted = sum(int(one or other) for one, other in counts[:1] if " low" in words or "more" in words)
        wanted = wanted or sum(int(n) for n in re.findall(r"(\d+) (?:complete|overdue|due today|to come)", words))
        qtbot.waitUntil(partial(has_rows, tab_of(window), wanted))  # a long list is filtered in slices
        qtbot.keyClick(tab_of(window).view, Key.Key_Escape)
        assert window.shown() == TODAY and stops(today)[at].hasFocus(), words


def test_a_section_waits_until_its_list_is_whole(qtbot: QtBot, monday: RecordingShop, open_window: OpenWindow) -> None:
    made = open_window(monday)
    made.parts.actions["todayTab"].trigger()
    again(page(made))
    assert not page(made).orders.isVisible() and not page(made).stock.isVisible()
    fill(monday)
    qtbot.waitUntil(lambda: page(made).orders.isVisible() and page(made).stock.isVisible())


def test_where_all_is_done_one_sentence_says_so(qtbot: QtBot, window: MainWindow, monday: RecordingShop) -> None:
    keys = [key for key in monday.desk.shop.stores[Resource.ORDERS].keys if isinstance(key, int)]
    monday.tell_rows(Resource.ORDERS, [Order(key, 1, 1, None, True) for key in keys])
    stock = [key for key in monday.desk.shop.stores[Resource.INVENTORY].keys if isinstance(key, int)]
    monday.tell_rows(Resource.INVENTORY, [InventoryItem(key, 50) for key in stock])
    today = page(window)
    qtbot.waitUntil(lambda: not (orders_of(monday.desk).open.n or stock_of(monday.desk).low.n))
    again(today)
    assert (today.orders.empty.text(), today.stock.empty.text()) == ("No open orders", "Nothing is low")
    assert not today.orders.chart.isVisible() and not today.stock.chart.isVisible()
    assert today.orders.stops() == [] and today.stock.stops() == []
    monday.tell_rows(Resource.ORDERS, [Order(keys[0], 1, 1, "2027-03-01", False)])
    monday.desk.set_minimums(Minimums())
    qtbot.waitUntil(lambda: orders_of(monday.desk).open.n == 1)
    again(today)
    assert (today.orders.empty.text(), today.orders.note.text()) == ("", "1 open")
    assert [said(button) for button in today.orders.buttons()] == ["Later: 1, Turkish angora"]
    assert today.stock.empty.text() == "No minimum stock is set"


def test_what_falls_fastest_opens_its_entry(qtbot: QtBot, window: MainWindow, monday: RecordingShop) -> None:
    now = MONDAY.timestamp()
    monday.past.spanned, monday.past.gone = Span(now - 60 * DAY, now), {20: 60, 30: 100}
    today = page(window)
    later(monday, today)
    falls = [button for button in today.stock.buttons() if button.line.icon == "falling"]
    assert [said(button) for button in falls] == [
        "Fish 29: about 14 days left, 100 gone in 28 days, 49 in stock",
        "Fish 19: about 18 days left, 60 gone in 28 days, 39 in stock",
    ]
    assert ("units_gone", now + 61 - 28 * DAY) in monday.past.asked
    qtbot.keyClick(falls[0], Key.Key_Return)
    assert tab_of(window).resource is Resource.INVENTORY
    assert tab_of(window).current_ref() == Ref(Resource.INVENTORY, 30)


def test_with_five_days_of_history_it_says_five_days(window: MainWindow, monday: RecordingShop) -> None:
    now = MONDAY.timestamp()
    monday.past.spanned, monday.past.gone = Span(now - 5.5 * DAY, now), {20: 60}
    later(monday, page(window))
    line = page(window).stock.buttons()[-1].line
    assert line.head == "≈ 3 days left"
    assert line.spoken.endswith("about 3 days left, 60 gone in 5 days, 39 in stock")


def test_a_history_that_cannot_be_read_costs_only_what_falls(window: MainWindow, monday: RecordingShop) -> None:
    monday.past.trouble = StorageError("history-set-aside", path="history.db.damaged")
    later(monday, page(window))
    assert [button.line.end for button in page(window).stock.buttons()] == ["38", "12"]


def test_the_history_is_asked_once_a_minute_however_often_the_page_is_worked_out(
    window: MainWindow, monday: RecordingShop
) -> None:
    asked = monday.past.asked.count(("span",))
    for _ in range(5):
        again(page(window))
    assert monday.past.asked.count(("span",)) == asked
    later(monday, page(window))
    assert monday.past.asked.count(("span",)) == asked + 1


def test_copy_takes_the_chart_that_has_the_keyboard(qtbot: QtBot, window: MainWindow) -> None:
    chart = page(window).stock.chart
    assert chart is not None
    QGuiApplication.clipboard().clear()
    slot = chart.slot_widgets()[0]
    slot.setFocus()
    qtbot.keyClick(slot, Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    mime = QGuiApplication.clipboard().mimeData()
    assert mime.hasImage() and mime.text().splitlines()[:2] == ["Category\tLow\tNot low", "Fish\t14\t48"]


def test_a_line_opens_its_list_under_its_own_name_until_it_is_filtered_otherwise(window: MainWindow) -> None:
    week = next(one for one in page(window).orders.buttons() if one.line.key == "orders.week")
    week.click()
    tab = tab_of(window)
    assert (tab.bar.title(), tab.table.row_count) == ("This week", 11)
    tab.set_filter("koi")
    assert tab.bar.title() == "All orders"
    week.click()
    assert tab.bar.title() == "This week"
    window.parts.views.open(window.parts.views.whole(Resource.ORDERS))
    assert tab.bar.title() == "All orders"
