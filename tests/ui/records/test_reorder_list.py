"""The reorder list in the window: up to which stock is ordered is set beside the minimum, and the list is copied."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.low_stock import Minimums
from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.lists.resource_tab import ResourceTab
from petstore_desktop.ui.records.number_dialogs import MinimumDialog
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import column, go_to, stock_tab
from tests.ui.conftest import tab_of
from tests.ui.recording_shop import RecordingShop
from tests.ui.records.test_minimum_stock import dialog_of, select, toast
from tests.ui.views.test_views import press, shown

STOCK = Resource.INVENTORY
Key, Mods = Qt.Key, Qt.KeyboardModifier
_MARKS = {0x2068: None, 0x2069: None}


def asked(window: MainWindow) -> MinimumDialog:
    window.parts.actions["minimumStock"].trigger()
    return dialog_of(window)


def fill(dialog: MinimumDialog, least: str | None, up_to: str | None) -> MinimumDialog:
    """Type these and press Set; None leaves a field as it is."""
    for field, text in ((dialog.least, least), (dialog.up_to, up_to)):
        if text is not None:
            field.edit.setText(text)
    dialog.accept()
    return dialog


def to_order(window: MainWindow, pet: int) -> str:
    tab = tab_of(window)
    return tab.model.index_of(pet, column(tab, "to_order")).data()


def low_stock(qtbot: QtBot, window: MainWindow) -> ResourceTab:
    """The view of low stock, by its key, in a window that is wide enough for all columns."""
    window.resize(1280, 800)
    press(qtbot, window, Key.Key_3)
    tab = tab_of(window)
    qtbot.waitUntil(lambda: not tab.view.isColumnHidden(column(tab, "minimum")))
    return tab


def said(window: MainWindow) -> str:
    return toast(window).words().translate(_MARKS)


def test_up_to_is_set_beside_the_minimum_kept_shown_and_taken_back_by_one_undo(
    window: MainWindow, shop: RecordingShop
) -> None:
    stock_tab(window)
    select(window, 1234)
    dialog = fill(asked(window), "30", "20")
    assert dialog.isVisible() and "at least the minimum" in dialog.up_to.edit.accessibleDescription()
    fill(dialog, None, "some")
    assert dialog.isVisible()
    fill(dialog, None, "50")
    assert shop.views.minimums == Minimums({1234: 30}, {}, {1234: 50})
    assert to_order(window, 1234) == "26"
    assert said(window).startswith("Minimum stock of Koi (#1234): 30, order up to 50")
    toast(window).undoRequested.emit()
    assert shop.views.minimums == Minimums()
    assert to_order(window, 1234) == "–"
    window.parts.actions["redo"].trigger()
    assert shop.views.minimums == Minimums({1234: 30}, {}, {1234: 50})


def test_several_pets_keep_what_is_left_empty_where_they_differ(window: MainWindow, shop: RecordingShop) -> None:
    shop.desk.set_minimums(Minimums({1234: 5}, {}, {1234: 40, 877: 40}))
    stock_tab(window)
    select(window, 877, 1234)
    dialog = asked(window)
    assert (dialog.least.text(), dialog.up_to.text()) == ("", "40")
    fill(dialog, "", "60")
    assert shop.views.minimums == Minimums({1234: 5}, {}, {1234: 60, 877: 60})
    assert said(window).startswith("Order 2 pets up to 60 in stock")
    dialog = fill(asked(window), "70", None)
    assert dialog.isVisible(), "some of them would be ordered up to less than their minimum"
    fill(dialog, "9", "")
    assert shop.views.minimums == Minimums({1234: 9, 877: 9})


def test_a_category_has_one_for_its_pets_and_the_dialog_of_a_pet_says_it(
    window: MainWindow, shop: RecordingShop
) -> None:
    window.show_tab("categories")
    select(window, 1)
    fill(asked(window), "5", "1,200")
    assert shop.views.minimums == Minimums({}, {1: 5}, {}, {1: 1200})
    stock_tab(window)
    select(window, 1234)
    assert to_order(window, 1234) == "1,176"
    dialog = asked(window)
    notes = [one.edit.accessibleDescription() for one in (dialog.least, dialog.up_to)]
    assert "Empty for the category’s: 5." in notes[0] and "Empty for the category’s: 1,200." in notes[1]
    dialog.reject()


@pytest.mark.parametrize("typed", ["low", " LOW "])
def test_whole_rows_of_low_stock_are_copied_as_id_name_and_to_order_with_titles(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, typed: str
) -> None:
    shop.desk.set_minimums(Minimums({1234: 30, 877: 4}, {}, {1234: 50}))
    tab = low_stock(qtbot, window)
    tab.filters.set_column("stock", typed)
    assert shown(window) == ["877", "1234"]
    asked_before = len(shop.asked)
    qtbot.keyClick(tab.view, Key.Key_A, Mods.ControlModifier)
    qtbot.keyClick(tab.view, Key.Key_C, Mods.ControlModifier)
    pet = shop.desk.shop.name(Resource.PETS, 877)
    qtbot.waitUntil(lambda: QGuiApplication.clipboard().text() == f"Id\tName\tTo order\n877\t{pet}\t1\n1234\tKoi\t26")
    assert said(window) == "2 rows copied with Id, Name and To order."
    assert "<th" in QGuiApplication.clipboard().mimeData().html()
    assert len(shop.asked) == asked_before
    qtbot.keyClick(tab.view, Key.Key_C, Mods.ControlModifier | Mods.ShiftModifier)
    qtbot.waitUntil(lambda: QGuiApplication.clipboard().text().startswith("Pet\tCategory\t"))


def test_cells_of_low_stock_and_rows_of_all_stock_are_copied_as_they_are_shown(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    shop.desk.set_minimums(Minimums({1234: 30}))
    tab = low_stock(qtbot, window)
    go_to(tab, 1234, "to_order")
    qtbot.keyClick(tab.view, Key.Key_C, Mods.ControlModifier)
    qtbot.waitUntil(lambda: QGuiApplication.clipboard().text() == "6")
    first, last = (tab.model.index_of(1234, column(tab, name)) for name in ("minimum", "to_order"))
    select_them = QItemSelectionModel.SelectionFlag.Select
    for index in (first, last):
        tab.view.selectionModel().select(index, select_them)
    qtbot.keyClick(tab.view, Key.Key_C, Mods.ControlModifier)
    qtbot.waitUntil(lambda: QGuiApplication.clipboard().text() == "30\t6")
    tab.filters.set_column("stock", "")
    qtbot.keyClick(tab.view, Key.Key_A, Mods.ControlModifier)
    qtbot.keyClick(tab.view, Key.Key_C, Mods.ControlModifier)
    assert not QGuiApplication.clipboard().text().startswith("Id\t")
    qtbot.waitUntil(lambda: len(QGuiApplication.clipboard().text().splitlines()) == tab.table.row_count)
