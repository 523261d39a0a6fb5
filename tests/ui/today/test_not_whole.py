"""What is not here, or here in part only, is said to be so: no page calls it nothing, empty, or a number."""

from __future__ import annotations

import re

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.counts import Gaps
from petstore_desktop.domain.errors import Unreachable
from petstore_desktop.domain.quota import GatePhase, GateView, Link
from petstore_desktop.domain.records import Category, InventoryItem, Order, Pet, Record, Ref, Resource
from petstore_desktop.domain.seen_changes import Span
from petstore_desktop.sync.wire.events import GateMoved, LinkMoved, LoadEnded, LoadFailed, LoadMoved, MirrorRead
from petstore_desktop.ui.context.navigation import ListTarget
from petstore_desktop.ui.text.orders import order_sentence
from petstore_desktop.ui.today.section import TodaySection
from petstore_desktop.ui.today.today_page import TodayPage
from petstore_desktop.ui.window.main_window import MainWindow
from petstore_desktop.ui.window.today import last_here
from tests.ui.conftest import OpenWindow, tab_of
from tests.ui.recording_shop import CONNECTION, NOON, RecordingShop

PETS, ORDERS, STOCK = Resource.PETS, Resource.ORDERS, Resource.INVENTORY
RECORDS: dict[Resource, list[Record]] = {
    Resource.CATEGORIES: [Category(1, "Fish")],
    PETS: [Pet(1, "Koi", 1, "sold"), Pet(2, "Guppy", 7, "available")],
    STOCK: [InventoryItem(1, 3), InventoryItem(2, -1)],
    ORDERS: [Order(1, 99, 1, "2026-11-07T09:00:00Z", False)],
}


def shown_today(qtbot: QtBot, window: MainWindow) -> TodayPage:
    window.parts.actions["todayTab"].trigger()
    page = window.page()
    assert isinstance(page, TodayPage)
    qtbot.waitUntil(lambda: bool(page.sentence.words()))
    return page


@pytest.mark.parametrize("offline", [True, False])
def test_a_shop_that_was_never_read_is_not_called_empty(
    qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow, offline: bool
) -> None:
    window = open_window()
    shop.tell_ready()
    shop.events.tell(*(MirrorRead(CONNECTION, one, 0, None) for one in Resource))
    if offline:
        shop.events.tell(LinkMoved(CONNECTION, Link.OFFLINE, NOON, Unreachable("no-network")))
    shop.events.tell(*(LoadFailed(CONNECTION, one, Unreachable("no-network")) for one in Resource))
    page = shown_today(qtbot, window)
    qtbot.waitUntil(lambda: "has not been read" in page.sentence.words())
    assert not said_of_nothing(page)
    assert page.orders.empty.text() == "Not counted, because not all of it is here: Orders."


def test_while_the_shop_is_read_and_nothing_may_be_asked_it_is_said_when_that_goes_on(
    qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow
) -> None:
    """It said "Reading the shop" for a day."""
    window = open_window()
    shop.tell_ready()
    shop.events.tell(*(MirrorRead(CONNECTION, one, 0, None) for one in Resource), LoadMoved(CONNECTION, PETS, 40, 431))
    page = shown_today(qtbot, window)
    qtbot.waitUntil(lambda: page.sentence.words() == "Reading the shop: 40")
    spent = GateView(GatePhase.PAUSED, NOON, NOON + 25_920, "too many requests", 429, "HTTP 429", length=25_920.0)
    shop.events.tell(GateMoved(CONNECTION, spent))
    said = "Reading the shop: 40 · goes on after 20:34 (the day is used up)"
    qtbot.waitUntil(lambda: page.sentence.words() == said)
    shop.events.tell(GateMoved(CONNECTION, GateView()))
    qtbot.waitUntil(lambda: page.sentence.words() == "Reading the shop: 40")


def test_a_shop_that_was_read_and_has_nothing_is_called_empty(
    qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow
) -> None:
    window = open_window()
    shop.tell_ready()
    shop.events.tell(*(LoadEnded(CONNECTION, one, NOON) for one in Resource))
    page = shown_today(qtbot, window)
    qtbot.waitUntil(lambda: page.sentence.words() == "This shop is empty. Add its first pet under Pets.")


@pytest.mark.parametrize("cut", [{ORDERS}, {PETS}, {PETS, ORDERS, STOCK}])
def test_of_a_list_that_is_cut_nothing_is_counted_and_nothing_is_called_unchanged(
    qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow, cut: set[Resource]
) -> None:
    window = open_window()
    shop.tell_ready()
    for resource, records in RECORDS.items():
        shop.tell_rows(resource, records)
        shop.events.tell(LoadEnded(CONNECTION, resource, NOON, Gaps(len(records) if resource in cut else None)))
    shop.past.spanned = Span(NOON - 900_000, NOON, frozenset(cut))
    last_here(window).since = NOON - 3 * 86_400
    page = shown_today(qtbot, window)
    qtbot.waitUntil(lambda: page.sentence.words() == "No change is known since Tuesday 13:22.")
    qtbot.waitUntil(lambda: all(said(one) or one.buttons() for one in (page.orders, page.stock)))
    for section, lists in ((page.orders, {ORDERS}), (page.stock, {STOCK, PETS})):
        if lists & cut:
            assert said(section).startswith("Not counted, because not all of it is here: ")
            assert not section.buttons() and not re.search(r"\d", said(section))
        else:
            assert section.buttons()
    qtbot.waitUntil(lambda: "Not checked, because not all of it is here: " in said(page.worth))
    assert "not known" in said(page.since)
    assert not said_of_nothing(page)


def test_which_orders_are_open_is_not_known_where_they_have_a_word_for_their_status_alone(
    qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow
) -> None:
    """It said "No open orders" and "No order is overdue" of three that were PLACED a month ago."""
    window = open_window()
    shop.tell_ready()
    placed = [Order(one, 1, 2, "2025-10-20T09:00:00Z", status="PLACED") for one in (1, 2, 3)]
    for resource, records in {**RECORDS, ORDERS: placed}.items():
        shop.tell_rows(resource, records)
        shop.events.tell(LoadEnded(CONNECTION, resource, NOON))
    page = shown_today(qtbot, window)
    untold = "The service does not say which orders are open, and so not which are overdue."
    qtbot.waitUntil(lambda: said(page.orders) == untold)
    assert not said_of_nothing(page) and "overdue" not in page.sentence.words()
    for filters in ({"ship_date": "overdue"}, {"state": "open"}):
        window.parts.navigation.open_list(ListTarget(ORDERS, filters=filters))
        qtbot.waitUntil(lambda filters=filters: tab_of(window).table.column_filters == filters)
        state = tab_of(window).state
        qtbot.waitUntil(lambda state=state: "This cannot be checked now" in state.instead.page.accessibleName())
        assert state.facts().silence == untold
    details = shop.desk.details(Ref(ORDERS, 2))
    assert details is not None and details.sentence is not None
    said_of_one = "The order for 2 Koi is “PLACED”, says the service."
    assert re.sub("[\u2068\u2069]", "", order_sentence(details.sentence)) == said_of_one


def said(section: TodaySection) -> str:
    return f"{section.note.text()} {section.empty.text()}".strip()


def said_of_nothing(page: QWidget) -> list[str]:
    """All that is shown and says that there is nothing."""
    words = [widget.accessibleName() for widget in page.findChildren(QWidget) if widget.isVisible()]
    return [one for one in words if re.search(r"Nothing|No open|No stock|is empty", one)]


def test_what_a_check_finds_is_not_counted_while_a_list_that_it_reads_is_here_in_part(
    qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow
) -> None:
    """Else the count would climb with each page that comes."""
    window = open_window()
    shop.tell_ready()
    for resource, records in RECORDS.items():
        shop.tell_rows(resource, records, done=resource is not STOCK)
    shop.tell_rows(ORDERS, [Order(2, 1, 9, "2026-11-07T09:00:00Z", False)])
    shop.events.tell(LoadMoved(CONNECTION, STOCK, 2, 900))
    page, by_stock = shown_today(qtbot, window), {"worth.more-than-stock", "worth.sold-with-stock"}

    def found() -> set[str]:
        return {button.line.key for button in page.worth.buttons()}

    qtbot.waitUntil(lambda: "worth.no-such-pet" in found())
    assert not by_stock & found()
    shop.events.tell(LoadEnded(CONNECTION, STOCK, NOON))
    qtbot.waitUntil(lambda: by_stock <= found())
