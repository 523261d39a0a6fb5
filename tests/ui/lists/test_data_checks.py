"""Lists that are filtered by a data check: what they say, and how what is found is corrected in place."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from petstore_desktop.contract.operations import VERBS, Verb
from petstore_desktop.domain.changes import SetFields, SetStock
from petstore_desktop.domain.records import InventoryItem, Pet, Ref, Resource, Row
from petstore_desktop.sync.wire.events import ContractRead, LoadEnded, RowsChanged, RowsSeen
from petstore_desktop.ui.context.actions import ROW_MENUS
from petstore_desktop.ui.lists.resource_tab import ResourceTab
from petstore_desktop.ui.preview.preview_dialog import PreviewDialog
from petstore_desktop.ui.records.record_dialogs import BulkEditDialog
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.conftest import OpenWindow, tab_of
from tests.ui.recording_shop import CONNECTION, RecordingShop, full_contract, small_shop
from tests.ui.records.test_record_dialogs import opened
from tests.ui.window.test_menus import double_letters, menus_of

PETS, STOCK = Resource.PETS, Resource.INVENTORY
Key, Mods = Qt.Key, Qt.KeyboardModifier


def press(key: Qt.Key, modifier: Qt.KeyboardModifier = Mods.NoModifier) -> None:
    """A key goes where the keyboard is."""
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClick(focus, key, modifier)


def shows(window: MainWindow, qtbot: QtBot, check_id: str) -> ResourceTab:
    """The list as the built-in view of a check shows it."""
    view = next(one for one in window.parts.views.all() if one.id.endswith(f".{check_id}"))
    window.parts.views.open(view)
    tab = window.tab()
    assert tab is not None
    qtbot.waitUntil(lambda: not tab.table.is_working)
    return tab


@pytest.fixture
def checked(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> MainWindow:
    """Two sold pets with stock, a stock below zero, and two pets without a category."""
    shop.tell_rows(
        PETS,
        [
            Pet(71, "Ada", 1, "sold"),
            Pet(72, "Bea", 1, "sold"),
            Pet(73, "Cleo", None, "available"),
            Pet(74, "Dot", 99, "available"),
        ],
    )
    shop.tell_rows(STOCK, [InventoryItem(71, 3), InventoryItem(72, 1), InventoryItem(73, -4)])
    tab = tab_of(window)
    qtbot.waitUntil(lambda: tab.table.position(74) >= 0)
    return window


def test_sold_pets_with_stock_are_set_to_zero_in_one_batch(
    qtbot: QtBot, checked: MainWindow, shop: RecordingShop
) -> None:
    action = checked.parts.actions["stockToZero"]
    assert not action.isVisible(), "the whole list is not about that"
    tab = shows(checked, qtbot, "sold-with-stock")
    assert {71, 72} <= set(tab.table.keys())
    assert (action.isVisible(), action.isEnabled()) == (True, True)
    assert action.text() == "Set all stock shown to &0…"
    button = next(one for one in tab.bar.buttons if one.objectName() == "stockToZeroButton")
    assert button.isVisible()
    action.trigger()
    preview = opened(checked, "previewDialog")
    assert isinstance(preview, PreviewDialog)
    qtbot.waitUntil(lambda: preview.view.hasFocus() and preview.primary.isEnabled())
    press(Key.Key_Return, Mods.ControlModifier)
    (changes,) = shop.asked_for("apply")
    assert {change.ref for change in changes} == set(map(partial(Ref, STOCK), tab.table.keys()))
    assert {change.intent for change in changes} == {SetStock(0)}
    qtbot.waitUntil(lambda: set(tab.table.greyed_rows()) == set(range(tab.table.row_count)))
    action.trigger()
    assert not [one for one in checked.findChildren(PreviewDialog) if one.isVisible()], "nothing is left to correct"
    tab.table.refresh()
    tab.refresh_state()
    qtbot.waitUntil(lambda: "No sold pet has stock" in tab.state.instead.page.accessibleName())


def test_several_selected_rows_are_corrected_alone(qtbot: QtBot, checked: MainWindow) -> None:
    tab = shows(checked, qtbot, "sold-with-stock")
    tab.view.selectAll()
    action = checked.parts.actions["stockToZero"]
    qtbot.waitUntil(lambda: action.text() == "Set stock to &0…")
    tab.view.clearSelection()
    qtbot.waitUntil(lambda: action.text() == "Set all stock shown to &0…")


def test_stock_below_zero_is_set_to_zero(qtbot: QtBot, checked: MainWindow, shop: RecordingShop) -> None:
    tab = shows(checked, qtbot, "below-zero")
    assert tab.table.keys() == [73]
    checked.parts.actions["stockToZero"].trigger()
    preview = opened(checked, "previewDialog")
    assert isinstance(preview, PreviewDialog)
    qtbot.waitUntil(lambda: preview.view.hasFocus() and preview.primary.isEnabled())
    press(Key.Key_Return, Mods.ControlModifier)
    ((change,),) = shop.asked_for("apply")
    assert (change.ref, change.intent) == (Ref(STOCK, 73), SetStock(0))


def test_pets_without_a_category_get_one(qtbot: QtBot, checked: MainWindow, shop: RecordingShop) -> None:
    tab = shows(checked, qtbot, "without-category")
    found = set(tab.table.keys())
    assert {73, 74} <= found
    assert checked.parts.actions["giveCategory"].text() == "P&ut all shown into a category…"
    checked.parts.actions["giveCategory"].trigger()
    dialog = opened(checked, "bulkEditDialog")
    assert isinstance(dialog, BulkEditDialog)
    category = dialog.fields["category"]
    qtbot.waitUntil(lambda: (focus := QApplication.focusWidget()) is not None and category.isAncestorOf(focus))
    press(Key.Key_F)
    press(Key.Key_Return)
    preview = opened(checked, "previewDialog")
    assert isinstance(preview, PreviewDialog)
    qtbot.waitUntil(lambda: preview.view.hasFocus() and preview.primary.isEnabled())
    press(Key.Key_Return, Mods.ControlModifier)
    (changes,) = shop.asked_for("apply")
    assert {change.ref.key for change in changes} == found
    assert all(change.intent == SetFields({"category_id": 1}) for change in changes)


@pytest.mark.parametrize("check_id", ["sold-with-stock", "without-category", "below-zero"])
def test_no_letter_means_two_things_in_a_menu_that_corrects(qtbot: QtBot, checked: MainWindow, check_id: str) -> None:
    tab = shows(checked, qtbot, check_id)
    assert tab.table.row_count
    assert {name: double for name, menu in menus_of(checked) if (double := double_letters(menu))} == {}


def test_where_the_service_takes_no_stock_the_action_says_why(
    qtbot: QtBot, checked: MainWindow, shop: RecordingShop
) -> None:
    contract = full_contract()
    reading = {op: one for op, one in contract.operations.items() if VERBS[op] is Verb.LIST}
    shop.events.tell(ContractRead(CONNECTION, replace(contract, operations=reading)))
    tab = shows(checked, qtbot, "sold-with-stock")
    action = checked.parts.actions["stockToZero"]
    qtbot.waitUntil(lambda: action.isVisible() and not action.isEnabled())
    assert "does not offer this" in action.toolTip()
    assert "stockToZero" in ROW_MENUS[PETS]
    assert tab.table.row_count >= 2, "what is found is shown all the same"


def test_a_check_that_cannot_be_made_says_why(qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow) -> None:
    window = open_window()
    shop.tell_ready()
    shop.tell_rows(PETS, small_shop()[PETS])
    qtbot.waitUntil(lambda: tab_of(window).table.row_count > 0)
    tab = shows(window, qtbot, "without-category")
    page = tab.state.instead.page
    qtbot.waitUntil(lambda: page.isVisible() and "This cannot be checked now" in page.accessibleName())
    assert tab.state.facts().silence == "The categories are not all on this computer, and all are needed to tell."


def test_a_check_of_what_was_named_after_its_list_was_read_does_not_say_that_all_is_well(
    qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow
) -> None:
    window = open_window()
    shop.tell_ready()
    shop.tell_rows(PETS, small_shop()[PETS])
    now = shop.clock.now().wall
    shop.events.tell(RowsSeen(CONNECTION, PETS, now))
    shop.events.tell(RowsChanged(CONNECTION, STOCK, (Row(9_999, InventoryItem(9_999, 2), now + 1),)))
    shop.events.tell(LoadEnded(CONNECTION, STOCK, now + 1))
    qtbot.waitUntil(lambda: tab_of(window).table.row_count > 0)
    tab = shows(window, qtbot, "stock-without-pet")
    page = tab.state.instead.page
    qtbot.waitUntil(lambda: page.isVisible() and "This cannot be checked now" in page.accessibleName())
    said = "Some name pets that may be newer than the list of pets. Refresh the pets to tell."
    assert tab.state.facts().silence == said
    assert "searched" not in page.accessibleName()
    shop.events.tell(RowsSeen(CONNECTION, PETS, now + 2))
    qtbot.waitUntil(lambda: tab.table.keys() == [9_999])
