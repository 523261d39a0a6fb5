"""Views in the window: opened by keys, saved, changed, arranged, remembered."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QDialog, QMenu
from pytestqt.qtbot import QtBot

from petstore_desktop.desk.jump.views import SavedView
from petstore_desktop.domain.records import Key, Resource
from petstore_desktop.ui.grid.selection import selected_count
from petstore_desktop.ui.status.toast import Toast
from petstore_desktop.ui.views.views_menu import ViewNameDialog
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.conftest import OpenWindow, tab_of
from tests.ui.recording_shop import RecordingShop, small_shop

CTRL = Qt.KeyboardModifier.ControlModifier


def shown(window: MainWindow) -> list[str]:
    return list(map(str, tab_of(window).table.keys()))


def title(window: MainWindow) -> str:
    return tab_of(window).bar.title()


def press(qtbot: QtBot, window: MainWindow, key: Qt.Key) -> None:
    qtbot.keyClick(window, key, CTRL)


def name_dialog(window: MainWindow) -> ViewNameDialog:
    (dialog,) = [one for one in window.findChildren(ViewNameDialog) if one.isVisible()]
    return dialog


def save_as(window: MainWindow, name: str) -> None:
    window.parts.actions["saveView"].trigger()
    dialog = name_dialog(window)
    dialog.name.edit.setText(name)
    dialog.button.click()


def test_the_first_nine_views_open_by_their_keys_from_any_tab(qtbot: QtBot, window: MainWindow) -> None:
    press(qtbot, window, Qt.Key.Key_2)
    assert (title(window), shown(window)) == ("Pending", ["877"])
    window.show_tab("activity")
    press(qtbot, window, Qt.Key.Key_4)
    assert (title(window), shown(window)) == ("Overdue orders", ["1198"])
    press(qtbot, window, Qt.Key.Key_5)
    assert title(window) == "Open orders"
    qtbot.waitUntil(lambda: shown(window) == ["1198", "1245", "1247"])
    press(qtbot, window, Qt.Key.Key_6)
    assert (title(window), shown(window)) == ("This week", ["1198", "1245"])
    press(qtbot, window, Qt.Key.Key_1)
    assert (title(window), len(shown(window))) == ("All pets", 4)
    assert tab_of(window).view.hasFocus()


def test_a_view_changed_by_hand_says_so_and_leads_back_or_is_saved(qtbot: QtBot, window: MainWindow) -> None:
    press(qtbot, window, Qt.Key.Key_2)
    tab_of(window).set_filter("nobody")
    assert title(window) == "Pending, changed"
    window.parts.actions["backToView"].trigger()
    assert (title(window), shown(window)) == ("Pending", ["877"])
    tab_of(window).set_filter("budgerigar")
    window.parts.actions["saveHere"].trigger()
    assert title(window) == "Pending"
    press(qtbot, window, Qt.Key.Key_1)
    assert title(window) == "All pets"
    press(qtbot, window, Qt.Key.Key_2)
    assert tab_of(window).table.filter_text == "budgerigar"


def test_typing_a_filter_into_the_whole_list_leaves_its_name(window: MainWindow) -> None:
    tab_of(window).set_filter("koi")
    assert title(window) == "All pets"


def test_a_view_is_saved_under_a_name_and_replaced_with_a_word(window: MainWindow) -> None:
    tab = tab_of(window)
    tab.set_filter("koi")
    save_as(window, "Only koi")
    tab.columns.set_shown("orders", False)
    assert title(window) == "Only koi, changed"
    window.parts.actions["saveHere"].trigger()
    assert title(window) == "Only koi"
    window.parts.actions["saveView"].trigger()
    dialog = name_dialog(window)
    assert dialog.button.words() == "Replace"
    dialog.name.edit.setText("all pets")
    dialog.button.click()
    assert dialog.isVisible(), "the whole list is not replaced"
    dialog.reject()
    views = window.parts.views
    views.open(views.all()[0])
    assert dict(tab.columns.hideable())["orders"] is True, "its columns were only its own"
    views.open([view for view in views.all() if not view.is_check][-1])
    assert dict(tab.columns.hideable())["orders"] is False


def test_views_are_renamed_moved_and_deleted_and_the_toast_brings_them_back(qtbot: QtBot, window: MainWindow) -> None:
    tab_of(window).set_filter("koi")
    save_as(window, "Only koi")
    actions = window.parts.actions
    actions["renameView"].trigger()
    dialog = name_dialog(window)
    dialog.name.edit.setText("pending")
    dialog.button.click()
    assert dialog.isVisible(), "there is a view of that name"
    dialog.name.edit.setText("Koi & more")
    dialog.button.click()
    assert title(window) == "Koi & more"
    for _ in range(4):
        actions["moveViewUp"].trigger()
    assert not actions["moveViewUp"].isEnabled()
    press(qtbot, window, Qt.Key.Key_1)
    press(qtbot, window, Qt.Key.Key_2)
    assert title(window) == "Koi & more"
    actions["deleteView"].trigger()
    assert title(window) == "All pets"
    assert "Koi & more" not in [view.name for view in window.parts.views.all()]
    window.findChildren(Toast)[0].undoRequested.emit()
    assert title(window) == "Koi & more"


def test_what_was_open_saved_and_moved_is_there_after_a_restart(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, open_window: OpenWindow
) -> None:
    tab_of(window).set_filter("koi")
    save_as(window, "Only koi")
    window.parts.actions["moveViewUp"].trigger()
    window.close()
    kept = json.loads(json.dumps(shop.state))
    kept["views"]["own"].append({"name": "From a later version", "list": "toys"})

    other = RecordingShop(state=kept)
    again = open_window(other)
    assert title(again) == "Only koi", "before anything is read"
    for resource, records in small_shop().items():
        other.tell_rows(resource, records)
    qtbot.waitUntil(lambda: shown(again) == ["1234"])
    names = [view.name for view in again.parts.views.view_list.of(Resource.PETS) if not view.is_check]
    assert names[-2] == "Only koi"
    again.parts.actions["moveViewUp"].trigger()
    again.close()
    assert other.state["views"]["own"][-1]["list"] == "toys", "what cannot be read is kept"


@pytest.mark.qt_log_ignore("grabbing the keyboard")  # of open menus: offscreen has none to grab
def test_the_name_opens_a_menu_with_the_views_of_its_list_their_keys_and_counts(
    qtbot: QtBot, window: MainWindow
) -> None:
    tab = tab_of(window)
    tab.bar.titleClicked.emit()
    (menu,) = [one for one in window.findChildren(QMenu, "viewsMenu") if one.isVisible()]
    pending = next(one for one in menu.actions() if one.text().startswith("Pending"))
    qtbot.waitUntil(lambda: pending.text() == "Pending (1)")
    assert pending.shortcut().toString() == "Ctrl+2"
    assert not any("orders" in one.text() for one in menu.actions())
    (checks,) = [one.menu() for one in menu.actions() if one.menu() is not None]
    assert [one.text().partition(" (")[0] for one in checks.actions()] == [
        "Sold pets with stock",
        "Pets without a category",
        "Pets of the same name",
    ]
    menu.close()
    assert pending.text() == "Pending"
    assert not [one for one in window.findChildren(QDialog) if one.isVisible()]


@pytest.mark.qt_log_ignore("grabbing the keyboard")  # of open menus: offscreen has none to grab
def test_what_changed_today_is_counted_once_it_is_known(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Callable[[dict[Resource, frozenset[Key]]], None]] = []
    monkeypatch.setattr(window.shop.views, "changed_since", lambda _, done: asked.append(done))
    tab_of(window).bar.titleClicked.emit()
    (menu,) = [one for one in window.findChildren(QMenu, "viewsMenu") if one.isVisible()]
    texts = {action.text().partition(" (")[0]: action for action in menu.actions()}
    qtbot.waitUntil(lambda: texts["Pending"].text() == "Pending (1)")
    assert texts["Changed today"].text() == "Changed today"
    (told,) = asked
    told({Resource.PETS: frozenset({877})})
    qtbot.waitUntil(lambda: texts["Changed today"].text() == "Changed today (1)")
    menu.close()


def test_in_a_narrow_window_keys_make_way_for_the_name_and_the_counts_and_words_stay(
    qtbot: QtBot, window: MainWindow
) -> None:
    bar = tab_of(window).bar
    edit = next(button for button in bar.buttons if button.objectName() == "editButton")
    window.resize(1280, 800)
    window.parts.details_wanted = False
    tab_of(window).refresh_state()
    qtbot.waitUntil(lambda: bar.width() > 1200 and edit.width() == edit.width_at(0))
    window.resize(780, 600)
    qtbot.waitUntil(lambda: edit.width() == edit.width_at(1))
    name = bar.findChild(QAbstractButton, "viewName")
    assert isinstance(name, QAbstractButton) and name.width() >= name.sizeHint().width()
    window.resize(640, 600)
    bar.set_title("A view with a name for which there is no room at all")
    refresh = next(button for button in bar.buttons if button.objectName() == "refreshButton")
    qtbot.waitUntil(lambda: not refresh.isVisible())  # it is in More actions: words go last
    assert edit.width() == edit.width_at(1)
    assert edit.accessibleName() == "Edit" and "Edit" in edit.toolTip()


def test_escape_takes_away_what_was_typed_over_a_view_and_never_the_filter_of_the_view(
    qtbot: QtBot, window: MainWindow
) -> None:
    press(qtbot, window, Qt.Key.Key_2)
    tab = tab_of(window)
    qtbot.keyClick(tab.view, Qt.Key.Key_F, CTRL)
    qtbot.keyClicks(tab.bar.filter, "budge")
    qtbot.keyClick(tab.bar.filter, Qt.Key.Key_Return)
    assert (tab.table.filter_text, dict(tab.table.column_filters)) == ("budge", {"status": "pending"})
    qtbot.keyClick(tab.view, Qt.Key.Key_Escape)
    assert (tab.table.filter_text, dict(tab.table.column_filters)) == ("", {"status": "pending"})
    assert tab.side.isVisible()
    for _ in range(3):
        qtbot.keyClick(tab.view, Qt.Key.Key_Escape)
    assert not tab.side.isVisible()
    assert (title(window), shown(window)) == ("Pending", ["877"])


@pytest.mark.parametrize(
    ("name", "key", "rows", "elsewhere"),
    [
        ("orders", Qt.Key.Key_5, 3, "pets"),
        ("orders", Qt.Key.Key_5, 2, "activity"),
        ("pets", Qt.Key.Key_2, 1, "inventory"),
    ],
)
def test_a_view_that_is_open_on_another_tab_is_opened_with_the_rows_that_were_selected_there(
    qtbot: QtBot, window: MainWindow, name: str, key: Qt.Key, rows: int, elsewhere: str
) -> None:
    press(qtbot, window, key)
    tab = tab_of(window)
    qtbot.waitUntil(lambda: tab.table.row_count >= rows)
    tab.view.setCurrentIndex(tab.model.index(0, tab.model.home_column))
    for _ in range(rows - 1):
        qtbot.keyClick(tab.view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    before = [ref.key for ref in tab.selected_refs()]
    assert len(before) == rows
    window.show_tab(elsewhere)
    press(qtbot, window, key)
    assert window.shown() == name
    assert [ref.key for ref in tab.selected_refs()] == before
    assert selected_count(tab.view) == rows
    assert window.parts.actions["completeOrder" if name == "orders" else "setPending"].isEnabled()


def test_an_empty_list_promises_esc_only_where_esc_takes_the_filter_away(qtbot: QtBot, window: MainWindow) -> None:
    def clear() -> Button:
        return next(one for one in tab_of(window).view.findChildren(Button) if one.isVisible())

    press(qtbot, window, Qt.Key.Key_3)
    assert (title(window), shown(window)) == ("Low stock", [])
    qtbot.waitUntil(lambda: clear().isVisible())
    assert clear().key() == ""
    qtbot.keyClick(tab_of(window).view, Qt.Key.Key_Tab)
    assert clear().hasFocus()
    qtbot.keyClick(clear(), Qt.Key.Key_Space)
    assert shown(window) != []
    press(qtbot, window, Qt.Key.Key_1)
    tab_of(window).set_filter("xyzzy")
    qtbot.waitUntil(lambda: clear().key() == "Esc")
    qtbot.keyClick(tab_of(window).view, Qt.Key.Key_Escape)
    assert len(shown(window)) == 4


def test_a_view_that_was_kept_as_it_was_typed_is_not_changed_and_escape_goes_on(window: MainWindow) -> None:
    views, tab = window.parts.views, tab_of(window)
    old = SavedView("Old", Resource.PETS, filters={"status": "pend"}, id="own:old")
    views.use(views.view_list.with_view(old))
    views.open(old)
    assert shown(window) == ["877"]
    assert not views.is_changed(tab)
    tab.show_details(True)
    tab.view.escaped.emit()
    assert tab.side.isHidden()


def test_the_whole_list_is_sorted_as_it_was_after_a_view_with_a_sort_of_its_own(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.show_tab("inventory")
    tab = tab_of(window)
    plain = tab.table.sort
    press(qtbot, window, Qt.Key.Key_3)
    assert (title(window), tab.table.sort) == ("Low stock", (("stock", False),))
    window.parts.views.open(window.parts.views.whole(Resource.INVENTORY))
    assert (title(window), tab.table.sort) == ("All stock", plain)
    tab.sort("category", True)
    mine = tab.table.sort
    press(qtbot, window, Qt.Key.Key_3)
    window.parts.views.open(window.parts.views.whole(Resource.INVENTORY))
    assert tab.table.sort == mine, "as a person sorted it"
