"""What happened to one record, in its details: own changes and those of others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.changes import AddStock, ChangeState, NewChange, SetFields
from petstore_desktop.domain.commands import ReadHistory
from petstore_desktop.domain.records import InventoryItem, Pet, Ref, Resource
from petstore_desktop.ui.cells.pane_parts import ChangeRow
from petstore_desktop.ui.details.details_side import _STAYS_MS, FEW
from petstore_desktop.ui.widgets.labels import LinkLabel, PlainLabel
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.conftest import OpenWindow, tab_of
from tests.ui.past_shop import PastShop
from tests.ui.recording_shop import NOON, small_shop

DAY = 86_400.0
KOI, BUDGIE = Ref(Resource.PETS, 1234), Ref(Resource.PETS, 877)
STOCK = Ref(Resource.INVENTORY, 1234)


@pytest.fixture
def shop(british: None, tmp_path: Path) -> Iterator[PastShop]:
    """Booked yesterday; this morning somebody else sold it, and took some away."""
    shop = PastShop(tmp_path)
    for resource, records in small_shop().items():
        shop.see(resource, *records, at=NOON - 5 * DAY)
    booked = shop.act(NOON - DAY, NewChange(STOCK, AddStock(12), {"quantity": 24}), tell=False)
    shop.end(booked, ChangeState.DONE, NOON - DAY + 60, tell=False)
    shop.see(Resource.PETS, Pet(1234, "Koi", 1, "sold"), at=NOON - 3600)
    shop.see(Resource.INVENTORY, InventoryItem(1234, 20, "sold"), at=NOON - 1800)
    yield shop
    shop.close()


@pytest.fixture
def window(qtbot: QtBot, open_window: OpenWindow, shop: PastShop) -> MainWindow:
    window = open_window()
    shop.tell_ready()
    for resource, records in small_shop().items():
        shop.tell_rows(resource, records)
    qtbot.waitUntil(lambda: tab_of(window).table.row_count == 4)
    return window


def history(window: MainWindow) -> list[str]:
    """The sentences below "History"."""
    section = tab_of(window).findChild(object, "historySection")
    assert section is not None
    return [said(row) for row in section.findChildren(ChangeRow)]


def said(row: ChangeRow) -> str:
    return " ".join(label.text() for label in row.findChildren(object) if hasattr(label, "text") and label.text())


def link(window: MainWindow) -> LinkLabel:
    found = window.findChildren(LinkLabel, "allChanges")
    return found[-1]


def test_own_changes_and_those_of_others_stand_in_the_order_of_time(qtbot: QtBot, window: MainWindow) -> None:
    window.parts.navigation.open(KOI)
    qtbot.waitUntil(lambda: len(history(window)) == 3)
    stock, status, booked = history(window)
    assert stock.startswith("In stock 24 20 Somebody else changed it between Sun 16 Nov 13:22 and 12:52.")
    assert "Sun 16 Nov" in stock
    assert status.startswith("Status available sold Somebody else changed it between Sun 16 Nov 13:22 and 12:22.")
    assert booked == "In stock 24 36 Sent yesterday 13:23."


def test_a_record_that_nobody_touched_has_none_and_says_so_when_asked(qtbot: QtBot, window: MainWindow) -> None:
    window.parts.navigation.open(BUDGIE)
    qtbot.waitUntil(lambda: window.shop.asked_for("read_history") == [BUDGIE])
    assert history(window) == []
    window.parts.actions["history"].trigger()
    qtbot.waitUntil(lambda: len(history(window)) == 1)
    assert history(window)[0].startswith("No history")


def test_history_opens_the_details_and_gives_it_the_keyboard(qtbot: QtBot, window: MainWindow) -> None:
    window.parts.navigation.open(KOI)
    tab_of(window).show_details(False)
    assert window.parts.actions["history"].isEnabled()
    window.parts.actions["history"].trigger()
    qtbot.waitUntil(lambda: len(history(window)) == 3 and link(window).hasFocus())
    link(window).click()
    changes = window.activity().changes
    qtbot.waitUntil(lambda: changes.counts == "1 change" and changes.isVisible())
    assert changes.bar.text() == "#1234"


def test_a_long_history_begins_short_and_opens_in_its_place(qtbot: QtBot, window: MainWindow, shop: PastShop) -> None:
    for n in range(6):
        shop.see(Resource.PETS, Pet(1234, f"Koi {n}", 1, "sold"), at=NOON - 100 + n)
    window.parts.navigation.open(KOI)
    qtbot.waitUntil(lambda: len(history(window)) == FEW)
    assert link(window).text() == "4 more"
    link(window).click()
    qtbot.waitUntil(lambda: len(history(window)) == 9)
    window.parts.navigation.open(BUDGIE)
    window.parts.navigation.open(KOI)
    qtbot.waitUntil(lambda: len(history(window)) == FEW)


def test_what_ends_meanwhile_joins_the_history(qtbot: QtBot, window: MainWindow, shop: PastShop) -> None:
    window.parts.navigation.open(KOI)
    qtbot.waitUntil(lambda: len(history(window)) == 3)
    ids = shop.act(NOON, NewChange(KOI, SetFields({"name": "Koi, large"}), {"name": "Koi"}))
    shop.end(ids, ChangeState.DONE, NOON)
    qtbot.waitUntil(lambda: shop.desk.next_expiry() is not None)
    shop.clock.advance(60)  # until then it is said once, with the changes
    window.after_paint.bridge.changed.emit(shop.desk.expire())
    qtbot.waitUntil(lambda: len(history(window)) == 4)
    assert history(window)[0] == "Name Koi Koi, large Sent 13:22."


def test_the_link_keeps_the_keyboard_while_nothing_new_is_known(
    qtbot: QtBot, window: MainWindow, shop: PastShop
) -> None:
    window.parts.navigation.open(KOI)
    window.parts.actions["history"].trigger()
    qtbot.waitUntil(lambda: len(history(window)) == 3 and link(window).hasFocus())
    asked = len(shop.asked_for("read_history"))
    shop.submit(ReadHistory(KOI))
    shop.tell_rows(Resource.CATEGORIES, [])
    qtbot.waitUntil(lambda: len(shop.asked_for("read_history")) > asked and not shop.events.waiting)
    assert link(window).hasFocus()


def test_walking_along_the_rows_asks_about_the_one_that_one_stays_on(
    qtbot: QtBot, window: MainWindow, shop: PastShop
) -> None:
    for ref in (KOI, BUDGIE, KOI, BUDGIE):
        window.parts.navigation.open(ref)
    qtbot.waitUntil(lambda: bool(shop.asked_for("read_history")))
    assert shop.asked_for("read_history") == [BUDGIE]


def test_who_looks_elsewhere_at_once_finds_the_history_when_back(qtbot: QtBot, window: MainWindow) -> None:
    window.parts.navigation.open(KOI)
    window.show_tab("orders")
    qtbot.wait(2 * _STAYS_MS)  # what is hidden is not asked about
    assert window.shop.asked_for("read_history") == []
    window.show_tab("pets")
    qtbot.waitUntil(lambda: len(history(window)) == 3)


def test_long_names_stand_whole_so_that_old_and_new_differ(qtbot: QtBot, window: MainWindow, shop: PastShop) -> None:
    old, new = "Bantam, Sebright, silver, from the north", "Bantam, Sebright, golden, from the north"
    shop.see(Resource.PETS, Pet(1234, old, 1, "sold"), at=NOON - 200)
    shop.see(Resource.PETS, Pet(1234, new, 1, "sold"), at=NOON - 100)
    window.parts.navigation.open(KOI)
    qtbot.waitUntil(lambda: any("golden" in one for one in history(window)))
    (row,) = [row for row in window.findChildren(ChangeRow) if f"{old} {new}" in said(row)]
    for label in row.findChildren(PlainLabel):
        assert label.wordWrap() or label.width() >= label.fontMetrics().horizontalAdvance(label.text())
        qtbot.waitUntil(lambda label=label: label.height() >= label.heightForWidth(label.width()))
    assert row.accessibleName() == f"Name: {old}, then {new}"
    assert f"{old}, then {new}" in row.toolTip()
