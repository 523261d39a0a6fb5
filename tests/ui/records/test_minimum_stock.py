"""Minimum stock, what changed today, and files of views, in the window."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QPlainTextEdit
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.low_stock import Minimums
from petstore_desktop.domain.records import InventoryItem, Resource
from petstore_desktop.ui.records.number_dialogs import MinimumDialog
from petstore_desktop.ui.status.toast import Toast
from petstore_desktop.ui.text.cell import CellRole
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import column, go_to, stock_tab, type_in_cell
from tests.ui.conftest import OpenWindow, tab_of
from tests.ui.recording_shop import RecordingShop, small_shop
from tests.ui.views.test_views import press, save_as, shown, title

STOCK = Resource.INVENTORY


def dialog_of(window: MainWindow) -> MinimumDialog:
    (dialog,) = [one for one in window.findChildren(MinimumDialog) if one.isVisible()]
    return dialog


def set_minimum(window: MainWindow, text: str) -> MinimumDialog:
    window.parts.actions["minimumStock"].trigger()
    dialog = dialog_of(window)
    dialog.least.edit.setText(text)
    dialog.accept()
    return dialog


def toast(window: MainWindow) -> Toast:
    return window.findChildren(Toast)[0]


def select(window: MainWindow, *keys: int) -> None:
    tab = tab_of(window)
    tab.view.clearSelection()
    for key in keys:
        tab.view.selectionModel().select(tab.model.index_of(key), tab.view.selectionModel().SelectionFlag.Select)
    tab.view.selectionModel().setCurrentIndex(
        tab.model.index_of(keys[-1]), tab.view.selectionModel().SelectionFlag.Select
    )


def test_a_minimum_is_set_for_the_selected_pets_kept_and_shown_as_low(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    press(qtbot, window, Qt.Key.Key_3)
    assert (title(window), shown(window)) == ("Low stock", [])
    window.show_tab("pets")
    select(window, 877, 1234)
    dialog = set_minimum(window, "some")
    assert dialog.isVisible(), "that is no number"
    dialog.least.edit.setText("3")
    dialog.accept()
    assert shop.views.minimums == Minimums({877: 3, 1234: 3})
    assert toast(window).words().startswith("Minimum stock of 2 pets: 3")
    column = [one.id for one in tab_of(window).table.columns].index("stock")
    cell = tab_of(window).model.index_of(877, column).data(CellRole)
    assert cell.low and cell.text == "3"
    press(qtbot, window, Qt.Key.Key_3)
    assert shown(window) == ["877"]
    toast(window).undoRequested.emit()
    assert shop.views.minimums == Minimums()
    assert shown(window) == []


def test_minimums_are_typed_and_pasted_in_the_list_and_undone_as_one_act(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    window.resize(1600, 800)
    tab = stock_tab(window)
    qtbot.waitUntil(lambda: not tab.view.isColumnHidden(column(tab, "order_up_to")))
    go_to(tab, 877, "minimum")
    type_in_cell(qtbot, tab, "2+3")
    assert shop.views.minimums == Minimums({877: 5})
    assert toast(window).words().startswith("Minimum stock of ")
    go_to(tab, 877, "order_up_to")
    type_in_cell(qtbot, tab, "4")
    assert shop.views.minimums == Minimums({877: 5}), "that is less than the minimum"
    assert tab.model.kept(tab.model.index_of(877, column(tab, "order_up_to"))) is not None
    go_to(tab, tab.table.key_at(0), "minimum")
    first, second = (key for key in (tab.table.key_at(0), tab.table.key_at(1)) if isinstance(key, int))
    QApplication.clipboard().setText("1\t8\nmany\t40\n")
    qtbot.keyClick(tab.view, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    kept = shop.views.minimums
    assert (kept.pets[first], kept.pets_up_to[first], kept.pets_up_to[second]) == (1, 8, 40)
    assert tab.model.kept(tab.model.index_of(second, column(tab, "minimum"))) is not None
    assert not shop.asked_for("apply"), "nothing is sent"
    window.parts.actions["undo"].trigger()
    qtbot.waitUntil(lambda: shop.views.minimums == Minimums({877: 5}))
    assert toast(window).words().startswith("Undone: "), "nothing else on the screen tells of it"
    window.parts.actions["redo"].trigger()
    qtbot.waitUntil(lambda: shop.views.minimums == kept)
    assert toast(window).words().startswith("Redone: ")


def test_what_is_pasted_where_a_column_is_hidden_for_room_goes_into_no_other(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = stock_tab(window)
    go_to(tab, 877, "order_up_to")
    assert tab.view.isColumnHidden(column(tab, "order_up_to"))
    QApplication.clipboard().setText("1\t8\n")
    qtbot.keyClick(tab.view, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: toast(window).isVisible())
    assert shop.views.minimums == Minimums({}, {}, {877: 1})
    assert not shop.asked_for("apply")


def test_where_no_minimum_is_set_the_list_leads_to_where_one_is_typed(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    press(qtbot, window, Qt.Key.Key_3)
    tab = tab_of(window)
    qtbot.waitUntil(lambda: any(one.text().startswith("Set minimums") for one in tab.findChildren(QAbstractButton)))
    next(one for one in tab.findChildren(QAbstractButton) if one.text().startswith("Set minimums")).click()
    assert tab.view.currentIndex().row() == 0
    assert tab.table.columns[tab.view.currentIndex().column()].id == "minimum"
    type_in_cell(qtbot, tab, "7")
    assert list(shop.views.minimums.pets.values()) == [7]


def test_a_minimum_of_a_category_holds_for_its_pets_and_empty_takes_it_away(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    window.show_tab("categories")
    select(window, 2)
    set_minimum(window, "5")
    assert shop.views.minimums == Minimums({}, {2: 5})
    press(qtbot, window, Qt.Key.Key_3)
    assert shown(window) == ["877"]
    select(window, 877)
    window.parts.actions["minimumStock"].trigger()
    assert dialog_of(window).least.text() == ""
    dialog_of(window).reject()
    window.show_tab("categories")
    set_minimum(window, "")
    assert shop.views.minimums == Minimums()


def test_what_was_kept_is_read_and_what_cannot_be_is_told(qtbot: QtBot, open_window: OpenWindow) -> None:
    shop = RecordingShop()
    shop.views.minimums = Minimums({1234: 24})
    shop.views.trouble = StorageError("minimums-set-aside", path="minimums.json.damaged")
    window = open_window(shop)
    shop.tell_ready()
    for resource, records in small_shop().items():
        shop.tell_rows(resource, records)
    qtbot.waitUntil(lambda: window.parts.shop.desk.shop.is_low(1234, 24))
    qtbot.waitUntil(lambda: "minimums.json.damaged" in toast(window).words())


def test_stock_above_its_minimum_says_nothing(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    shop.desk.set_minimums(Minimums({1234: 5, 877: 2}))
    shop.tell_rows(STOCK, [InventoryItem(1234, 6, "available"), InventoryItem(877, 3, "available")])
    qtbot.waitUntil(lambda: shop.desk.shop.stock(1234).result == 6)
    assert not toast(window).isVisible()
    assert not [one for one in window.findChildren(QDialog) if one.isVisible()]


def test_changed_today_asks_the_mirror_alone_from_midnight_on(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    assert shop.views.asked_since == [], "nobody wants to know"
    shop.views.changed = {Resource.PETS: frozenset({1422}), STOCK: frozenset({877})}
    asked = len(shop.asked)
    press(qtbot, window, Qt.Key.Key_7)
    assert (title(window), sorted(shown(window))) == ("Changed today", ["1422", "877"])
    day = shop.desk.today
    assert shop.views.asked_since == [datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()]
    shop.views.changed = {Resource.PETS: frozenset({1234})}
    shop.tell_rows(Resource.PETS, small_shop()[Resource.PETS])
    qtbot.waitUntil(lambda: shown(window) == ["1234"])
    assert not {"refresh", "check_live"} & {name for name, _ in shop.asked[asked:]}, "that costs requests"


def visible_raw(dialog: QDialog) -> str:
    """The raw text of a dialog as it is seen, names without their isolates."""
    text = dialog.findChild(QPlainTextEdit, "rawAnswer")
    shown = "" if text is None or not text.isVisible() else text.toPlainText()
    return shown.translate({0x2068: None, 0x2069: None})


def test_views_go_to_a_file_and_come_back_from_it(window: MainWindow, shop: RecordingShop) -> None:
    assert not window.parts.actions["exportViews"].isEnabled(), "there is none of one's own"
    tab_of(window).set_filter("koi")
    save_as(window, "Only koi")
    files, views = window.after_paint.views_files, window.parts.views
    files.write("views.json")
    assert toast(window).words().startswith("1 view written to")
    (own,) = [view for view in views.all() if not view.shipped]
    views.delete(own)
    files.read("views.json")
    assert [view.name for view in views.all() if not view.shipped] == ["Only koi"]
    assert "1 view added" in toast(window).words()
    shop.views.files["views.json"] = [*shop.views.files["views.json"], {"name": "Toys", "list": "toys"}]
    files.read("views.json")
    (dialog,) = [one for one in window.findChildren(QDialog) if one.isVisible()]
    assert "1 cannot be used" in dialog.accessibleName()
    assert "View 2 of the file, “Toys”: its list does not exist" in visible_raw(dialog)
    dialog.reject()
    files.read("other.json")
    (dialog,) = [one for one in window.findChildren(QDialog) if one.isVisible()]
    assert "not a complete file of views" in dialog.accessibleName() and "other.json" in dialog.accessibleName()
    assert dialog.accessibleDescription().startswith("Your views are unchanged. Choose a file")
    assert visible_raw(dialog) == ""
    dialog.reject()
