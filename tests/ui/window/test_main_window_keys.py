"""The window by keyboard: typing, undo, filter, copying, menus, and the ways between records."""

from __future__ import annotations

from itertools import product

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QToolTip
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.changes import AddStock, NewChange, SetFields
from petstore_desktop.domain.records import InventoryItem, Pet, Ref, Resource
from petstore_desktop.sync.wire.events import BatchesMoved
from petstore_desktop.ui.context.action_set import keys_of
from petstore_desktop.ui.context.actions import ACTIONS
from petstore_desktop.ui.lists.resource_tab import ResourceTab
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import column, editor_of, go_to, spoken_words, stock_tab, type_in_cell
from tests.ui.conftest import tab_of
from tests.ui.recording_shop import CONNECTION, RecordingShop

Key = Qt.Key
KOI = Ref(Resource.PETS, 1234)
BIG = 9_223_372_036_854_775_807


def test_typing_plus_twelve_and_enter_books_twelve_once_and_goes_down(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = stock_tab(window)
    go_to(tab, 1234, "stock")
    row = tab.view.currentIndex().row()
    type_in_cell(qtbot, tab, "+12")
    ((change,),) = shop.asked_for("apply")
    assert change.ref == Ref(Resource.INVENTORY, 1234)
    assert change.intent == AddStock(12)
    assert tab.view.currentIndex().row() == min(row + 1, tab.model.rowCount() - 1)
    qtbot.waitUntil(lambda: window.status.unsent.isVisible())
    assert window.status.unsent.words() == "1 unsent"
    assert tab.model.index_of(1234, column(tab, "stock")).data() == "36"


def test_undo_names_its_target_and_takes_the_unsent_change_back(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = stock_tab(window)
    go_to(tab, 1234, "stock")
    type_in_cell(qtbot, tab, "+12")
    undo = window.parts.actions["undo"]
    qtbot.waitUntil(lambda: "+12" in undo.text() and undo.isEnabled())
    assert "Koi" in undo.text()
    qtbot.keyClick(tab.view, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert [ids for _, ids in shop.asked_for("undo_batch")] == [()]
    qtbot.waitUntil(lambda: not undo.isEnabled())
    assert tab.model.index_of(1234, column(tab, "stock")).data() == "24"


def test_escape_closes_the_editor_then_the_filter_then_the_details(qtbot: QtBot, window: MainWindow) -> None:
    tab = stock_tab(window)
    tab.set_filter("koi")
    go_to(tab, 1234, "stock")
    assert tab.side.isVisible()
    qtbot.keyClicks(tab.view, "9")
    qtbot.keyClick(editor_of(tab), Key.Key_Escape)
    assert not tab.view.edit_open()
    assert tab.table.filter_text == "koi"
    qtbot.keyClick(tab.view, Key.Key_Escape)
    assert tab.table.filter_text == ""
    assert tab.side.isVisible()
    qtbot.keyClick(tab.view, Key.Key_Escape)
    assert not tab.side.isVisible()


def test_the_filter_counts_and_says_when_nothing_fits(qtbot: QtBot, window: MainWindow) -> None:
    tab = tab_of(window)
    qtbot.keyClick(tab.view, Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(tab.bar.filter, "koi")
    assert tab.table.row_count == 1
    assert "1 of 4, as of 13:22" in spoken_words(tab)
    qtbot.keyClicks(tab.bar.filter, "zzz")
    assert tab.state.instead.page.isVisible()
    assert "No pet matches" in tab.state.instead.page.accessibleName()
    qtbot.keyClick(tab.bar.filter, Key.Key_Escape)
    assert tab.table.row_count == 4
    assert not tab.state.instead.page.isVisible()


def test_space_opens_and_closes_the_details_and_arrows_change_them(qtbot: QtBot, window: MainWindow) -> None:
    tab = tab_of(window)
    go_to(tab, 1234, "id")
    assert tab.side.isVisible()
    qtbot.keyClick(tab.view, Key.Key_Space)
    assert not tab.side.isVisible()
    qtbot.keyClick(tab.view, Key.Key_Space)
    assert tab.side.ref == KOI
    qtbot.keyClick(tab.view, Key.Key_Up)
    qtbot.waitUntil(lambda: tab.side.ref == tab.current_ref() != KOI)


def test_ids_and_tags_are_copied_letter_by_letter(qtbot: QtBot, window: MainWindow) -> None:
    tab = tab_of(window)
    go_to(tab, BIG, "name")
    window.parts.actions["copy"].trigger()
    assert QGuiApplication.clipboard().text() == "<b>bold</b>"
    window.parts.actions["copyId"].trigger()
    assert QGuiApplication.clipboard().text() == str(BIG)
    tab.view.selectAll()
    window.parts.actions["copy"].trigger()
    qtbot.waitUntil(lambda: len(QGuiApplication.clipboard().text().splitlines()) == 4)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert f"{BIG}\t<b>bold</b>\tFish\ton loan\t1240\t" in lines


def test_no_key_is_given_twice_where_both_could_act(window: MainWindow) -> None:
    for resource in Resource:
        keys: dict[str, str] = {}
        for spec in ACTIONS:
            if spec.only and resource not in spec.only:
                continue
            for one in window.parts.actions[spec.name].shortcuts():
                text = one.toString()
                assert text not in keys, (text, spec.name, keys[text])
                keys[text] = spec.name


def test_alt_digits_set_the_status_of_pets_and_complete_orders(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    go_to(tab_of(window), 1234, "id")
    qtbot.keyClick(tab_of(window).view, Key.Key_3, Qt.KeyboardModifier.AltModifier)
    window.show_tab("orders")
    go_to(tab_of(window), 1198, "id")
    qtbot.keyClick(tab_of(window).view, Key.Key_2, Qt.KeyboardModifier.AltModifier)
    sold, complete = shop.asked_for("apply")
    assert sold[0].intent == SetFields({"status": "sold"})
    assert complete[0].intent == SetFields({"complete": True})


def test_an_answer_that_comes_while_one_types_changes_nothing_in_the_editor(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = stock_tab(window)
    go_to(tab, 1234, "stock")
    qtbot.keyClicks(tab.view, "+")
    qtbot.keyClicks(editor_of(tab), "1")
    shop.tell_rows(Resource.INVENTORY, [InventoryItem(1234, 20, "available"), InventoryItem(5, 1, "sold")])
    qtbot.waitUntil(lambda: tab.table.row_count == 4)
    assert editor_of(tab).text() == "+1"
    qtbot.keyClicks(editor_of(tab), "2")
    qtbot.keyClick(editor_of(tab), Key.Key_Return)
    qtbot.waitUntil(lambda: bool(shop.asked_for("apply")))
    ((change,),) = shop.asked_for("apply")
    assert (change.ref.key, change.intent) == (1234, AddStock(12))


def test_tab_walks_from_the_tabs_through_filter_actions_rows_and_details(qtbot: QtBot, window: MainWindow) -> None:
    window.parts.navigation.open(KOI)
    window.tabs.setFocus()
    seen: list[str] = []
    while len(seen) < 30:
        focus = QApplication.focusWidget()
        assert focus is not None
        seen.append(focus.objectName())
        qtbot.keyClick(focus, Key.Key_Tab)
    wanted = [
        "tabs",
        "paletteField",
        "menuButton",
        "filterField",
        "newButton",
        "petsTable",
        "checkLive",
        "connectionState",
        "quotaMeter",
    ]
    places = [seen.index(name) for name in wanted]
    assert places == sorted(places)


def test_links_lead_to_records_and_back(qtbot: QtBot, window: MainWindow) -> None:
    window.parts.navigation.open(KOI)
    window.parts.navigation.open(Ref(Resource.ORDERS, 1198))
    assert window.shown() == "orders"
    assert tab_of(window).current_ref() == Ref(Resource.ORDERS, 1198)
    qtbot.keyClick(tab_of(window).view, Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert tab_of(window).current_ref() == KOI
    qtbot.keyClick(tab_of(window).view, Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert tab_of(window).current_ref() == Ref(Resource.ORDERS, 1198)


def test_a_shortcut_with_alt_does_not_open_the_menu_bar(qtbot: QtBot, window: MainWindow) -> None:
    view = tab_of(window).view
    qtbot.keyPress(view, Key.Key_Alt)
    qtbot.keyClick(view, Key.Key_O, Qt.KeyboardModifier.AltModifier)
    qtbot.keyRelease(view, Key.Key_Alt)
    assert window.shown() == "orders"
    assert not window.menuBar().isVisible()


@pytest.mark.qt_log_ignore("does not support grabbing the keyboard")  # of open menus: offscreen has none to grab
def test_the_button_opens_all_menus_as_often_as_it_is_pressed(qtbot: QtBot, window: MainWindow) -> None:
    titles = [action.text() for action in window.menuBar().actions()]
    for _ in range(3):
        window.menus.button.click()
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        assert [action.text() for action in menu.actions()] == titles
        assert all(action.menu().actions() for action in menu.actions())
        with qtbot.waitSignal(menu.destroyed):
            menu.close()
    assert all(menu.actions() for menu in window.menus.menus.values())


def test_no_key_means_two_things(window: MainWindow) -> None:
    for resource in Resource:
        here = [window.parts.actions[spec.name] for spec in ACTIONS if not spec.only or resource in spec.only]
        keys = [key.toString() for action in here for key in action.shortcuts()]
        assert sorted(keys) == sorted(set(keys)), resource
    deletes = QKeySequence.keyBindings(QKeySequence.StandardKey.Delete)  # some desktops have several
    for key in deletes:
        assert keys_of(QKeySequence.StandardKey.Delete, {key.toString()}) == [one for one in deletes if one != key]


@pytest.mark.qt_log_ignore("does not support grabbing the keyboard")  # of open menus: offscreen has none to grab
def test_the_menu_bar_gives_the_focus_back_when_it_goes(qtbot: QtBot, window: MainWindow) -> None:
    view = tab_of(window).view
    view.setFocus()
    qtbot.keyClick(view, Key.Key_F10)
    assert window.menuBar().isVisible()
    qtbot.keyClick(window, Key.Key_Escape)
    assert not window.menuBar().isVisible()
    assert window.focusWidget() is view
    qtbot.keyClick(view, Key.Key_F10)
    dialog = QDialog(window)
    dialog.open()
    qtbot.waitUntil(lambda: not window.menuBar().isVisible())
    dialog.close()
    window.activateWindow()
    qtbot.waitUntil(view.hasFocus)


def test_what_is_said_of_a_cell_goes_when_the_columns_move(qtbot: QtBot, window: MainWindow) -> None:
    tab = tab_of(window)
    go_to(tab, 1234, "name")
    tab.view.edit_cell()
    editor_of(tab).clear()
    qtbot.keyClick(editor_of(tab), Key.Key_Return)
    qtbot.waitUntil(QToolTip.isVisible)
    tab.header.moveSection(tab.header.visualIndex(column(tab, "stock")), 1)
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_a_refresh_keeps_the_rows_on_the_screen_where_they_are(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = tab_of(window)
    shop.tell_rows(Resource.PETS, [Pet(n, f"Guppy {n}", 1, "sold") for n in range(10_000, 10_200)])
    qtbot.waitUntil(lambda: tab.table.row_count == 204)
    go_to(tab, 10_100, "name")
    tab.view.scrollTo(tab.view.currentIndex(), tab.view.ScrollHint.PositionAtCenter)
    before = tab.view.visualRect(tab.view.currentIndex()).top()
    shop.tell_rows(Resource.PETS, [Pet(n, f"Aardvark {n}", 1, "sold") for n in range(20_000, 20_050)])
    qtbot.waitUntil(lambda: tab.table.row_count == 254)
    assert tab.current_ref() == Ref(Resource.PETS, 10_100)
    assert abs(tab.view.visualRect(tab.view.currentIndex()).top() - before) <= 1


def test_f2_edits_the_cell_that_has_the_ring_and_no_other(qtbot: QtBot, window: MainWindow) -> None:
    tab = stock_tab(window)
    go_to(tab, 1234, "pet")
    qtbot.keyClick(tab.view, Key.Key_F2)
    assert tab.view.currentIndex().column() == column(tab, "pet")
    assert not tab.view.edit_open()
    go_to(tab, 1234, "stock")
    qtbot.keyClick(tab.view, Key.Key_F2)
    assert editor_of(tab).isVisible()
    qtbot.keyClick(editor_of(tab), Key.Key_Escape)


def test_a_pet_found_by_filter_is_booked_by_typing_at_once(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    qtbot.keyClick(tab_of(window).view, Key.Key_I, Qt.KeyboardModifier.AltModifier)
    tab = tab_of(window)
    qtbot.keyClick(tab.view, Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(tab.bar.filter, "budge")
    qtbot.keyClick(tab.bar.filter, Key.Key_Return)
    assert tab.view.currentIndex().column() == column(tab, "stock")
    type_in_cell(qtbot, tab, "+12")
    ((change,),) = shop.asked_for("apply")
    assert (change.ref.key, change.intent) == (877, AddStock(12))


def test_the_stock_list_is_entered_at_the_quantity(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.keyClick(tab_of(window).view, Key.Key_I, Qt.KeyboardModifier.AltModifier)
    tab = tab_of(window)
    assert tab.view.hasFocus()
    assert not tab.view.currentIndex().isValid()  # nobody chose a row: what is typed must not change the first one
    qtbot.keyClick(tab.view, Key.Key_Down)
    assert tab.current_ref() is not None
    assert tab.view.currentIndex().column() == column(tab, "stock")


def test_the_list_of_pets_is_entered_at_the_name(qtbot: QtBot, window: MainWindow) -> None:
    tab = tab_of(window)
    qtbot.keyClick(tab.view, Key.Key_Down)
    assert tab.view.currentIndex().column() == column(tab, "name")


@pytest.mark.parametrize(
    ("tab_name", "cells"), [("inventory", ("pet", "category", "to_order")), ("pets", ("id", "orders", "gutter"))]
)
def test_a_quantity_typed_on_a_cell_that_is_only_read_edits_nothing(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, tab_name: str, cells: tuple[str, ...]
) -> None:
    window.show_tab(tab_name)
    tab = tab_of(window)
    tab.view.setFocus()
    for cell, typed in product(cells, ("+12", "-3", "=5", "7")):
        go_to(tab, 1234, cell)
        qtbot.keyClicks(tab.view, typed)
        assert not tab.view.edit_open(), (cell, typed)
        assert tab.view.currentIndex().column() == column(tab, cell), (cell, typed)
    assert shop.asked_for("apply") == []


def test_letters_on_a_cell_that_is_only_read_open_nothing(qtbot: QtBot, window: MainWindow) -> None:
    tab = stock_tab(window)
    go_to(tab, 1234, "pet")
    qtbot.keyClicks(tab.view, "a")
    assert not tab.view.edit_open()
    assert tab.view.currentIndex().column() == column(tab, "pet")


def test_each_press_of_undo_counts_however_fast_they_come(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = stock_tab(window)
    for pet, text in ((1234, "+12"), (877, "+5"), (1234, "+1")):
        go_to(tab, pet, "stock")
        type_in_cell(qtbot, tab, text)
    undo = window.parts.actions["undo"]
    qtbot.waitUntil(lambda: "+1 " in undo.text())
    for _ in range(3):
        qtbot.keyClick(tab.view, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    batches = [change.batch for change in shop.journal.values()]
    qtbot.waitUntil(lambda: [batch for batch, _ in shop.asked_for("undo_batch")] == batches[::-1])
    qtbot.waitUntil(lambda: not undo.isEnabled())


def test_undo_that_is_pressed_before_it_is_known_what_it_takes_waits_for_that(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    undo = window.parts.actions["undo"]
    assert not undo.isEnabled()
    shop.events.tell(BatchesMoved(CONNECTION, (), looking=True))
    qtbot.waitUntil(undo.isEnabled)
    qtbot.keyClick(window, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert not shop.asked_for("undo_batch")
    batch = shop.act(NewChange(Ref(Resource.INVENTORY, 1234), AddStock(3)))
    qtbot.waitUntil(lambda: shop.asked_for("undo_batch") == [(batch, ())])


class Paints(QObject):
    """What else the window says at each paint of a list that shows a change as saved."""

    def __init__(self, window: MainWindow, tab: ResourceTab) -> None:
        super().__init__(window)
        self._window, self._tab = window, tab
        self._row = tab.view.currentIndex().row()
        self.said: list[tuple[bool, bool]] = []
        tab.view.viewport().installEventFilter(self)

    def eventFilter(self, _: QObject, event: QEvent) -> bool:
        model, window = self._tab.model, self._window
        if event.type() == QEvent.Type.Paint and model.cell(model.index(self._row, 0)).mark == "unsent":
            self.said.append((window.parts.actions["undo"].isEnabled(), window.status.unsent.isVisible()))
        return False


def test_what_is_saved_is_marked_before_all_else_is_brought_up_to_date_and_can_be_undone_by_then(
    qtbot: QtBot, window: MainWindow
) -> None:
    tab = stock_tab(window)
    go_to(tab, 1234, "stock")
    paints = Paints(window, tab)
    type_in_cell(qtbot, tab, "+12")
    qtbot.waitUntil(window.status.unsent.isVisible)
    assert paints.said[0] == (True, False)
