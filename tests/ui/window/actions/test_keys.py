"""A key that can do nothing says why, and what is typed goes nowhere but into the cell that has the ring."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.records import Pet, Ref, Resource
from petstore_desktop.ui.context.actions import ACTIONS
from petstore_desktop.ui.context.tab_specs import TABS
from petstore_desktop.ui.status.toast import Toast
from petstore_desktop.ui.window.actions.handlers import RUNS
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import column, go_to, stock_tab
from tests.ui.conftest import OpenWindow, tab_of
from tests.ui.recording_shop import RecordingShop, full_contract, small_shop

Key = Qt.Key
_ALT, _CTRL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier


def said(window: MainWindow) -> str:
    """What the toast says, without its isolates; empty while there is none."""
    (toast,) = window.findChildren(Toast)
    return toast.words().translate({0x2068: None, 0x2069: None}) if toast.isVisible() else ""


def say_nothing(window: MainWindow) -> None:
    """What is said from now on is new."""
    for toast in window.findChildren(Toast):
        toast.hide()
    assert not window.findChildren(Toast) or said(window) == ""


def dialogs(window: MainWindow) -> list[str]:
    return [one.objectName() for one in window.findChildren(QDialog) if one.isVisible()]


def test_a_key_on_a_stock_cell_that_is_only_read_opens_no_other_cell_and_says_so(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = stock_tab(window)
    for name in ("to_order", "pet", "status", "category"):
        words = "Enter the minimum" if name == "to_order" else "cannot be edited here"
        for key in (Key.Key_9, Key.Key_Plus, Key.Key_F2):
            say_nothing(window)
            go_to(tab, 1234, name)
            qtbot.keyClick(tab.view, key)
            assert not tab.view.edit_open(), (name, key)
            assert tab.view.currentIndex().column() == column(tab, name), (name, key)
            assert words in said(window), (name, key)
            assert shop.asked_for("apply") == []


def test_f2_and_letters_on_a_cell_without_an_editor_say_why(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = tab_of(window)
    go_to(tab, 1234, "id")
    qtbot.keyClick(tab.view, Key.Key_F2)
    assert not tab.view.edit_open() and tab.view.currentIndex().column() == column(tab, "id")
    assert "cannot be edited here" in said(window)
    shop.tell_ready(full_contract(Op.PET_CHANGE))
    qtbot.waitUntil(lambda: not window.parts.actions["setPending"].isEnabled())
    go_to(tab, 1234, "name")
    qtbot.keyClicks(tab.view, "x")
    assert "Riverside Pets does not offer this" in said(window)


def test_edit_stock_goes_to_the_quantity_by_its_name(window: MainWindow) -> None:
    tab = stock_tab(window)
    go_to(tab, 1234, "minimum")
    window.parts.actions["editStock"].trigger()
    assert tab.view.edit_open() and tab.view.currentIndex().column() == column(tab, "stock")


NOT_NOW: list[tuple[str, Key, Qt.KeyboardModifier, str]] = [
    ("pets", Key.Key_2, _ALT, "does not offer this"),
    ("pets", Key.Key_E, _CTRL, "does not offer this"),
    ("pets", Key.Key_Delete, Qt.KeyboardModifier.NoModifier, "does not offer this"),
    ("pets", Key.Key_N, _CTRL, "does not offer this"),
    ("pets", Key.Key_F5, Qt.KeyboardModifier.ShiftModifier, ""),
    ("pets", Key.Key_Z, _CTRL, "nothing to undo"),
    ("pets", Key.Key_Left, _ALT, "nothing to go back to"),
    ("categories", Key.Key_N, _CTRL, "does not offer this"),
    ("orders", Key.Key_N, _CTRL, "does not offer this"),
    ("orders", Key.Key_2, _ALT, "does not offer this"),
    ("inventory", Key.Key_2, _ALT, "Only in Pets"),
    ("activity", Key.Key_D, _CTRL, "Only in "),
]


def test_the_key_of_what_cannot_be_done_says_why(qtbot: QtBot, open_window: OpenWindow, shop: RecordingShop) -> None:
    window = open_window()
    shop.tell_ready(full_contract(*(op for op in Op if not op.value.endswith((".list", ".read")))))
    for resource, records in small_shop().items():
        shop.tell_rows(resource, records)
    qtbot.waitUntil(lambda: tab_of(window).table.row_count == 4)
    for name, key, modifier, words in NOT_NOW:
        if window.shown() != name:  # where one went is nothing to go back to before
            window.show_tab(name)
        say_nothing(window)
        tab = window.tab()
        if tab is not None:
            qtbot.waitUntil(lambda tab=tab: tab.table.row_count > 0)
            tab.view.setCurrentIndex(tab.model.index(0, tab.model.home_column))
        qtbot.keyClick(window.focusWidget() or window, key, modifier)
        assert words in said(window), (name, key)
        assert bool(words) == bool(said(window)), (name, key)
        assert dialogs(window) == [], (name, key)


def test_a_key_for_a_view_that_is_not_there_and_for_rows_that_are_not_chosen_says_so(
    qtbot: QtBot, window: MainWindow
) -> None:
    tab = tab_of(window)
    tab.view.clearSelection()
    qtbot.keyClick(tab.view, Key.Key_2, _ALT)
    assert "Select rows first" in said(window)
    views = window.parts.views
    for view in [one for one in views.all() if not one.is_all]:
        views.use(views.view_list.without(view))
    assert len(views.all()) < 9
    qtbot.keyClick(tab.view, Key.Key_9, _CTRL)
    assert "no view" in said(window)


@pytest.mark.parametrize(
    ("name", "opened"), [("pets", "newPetDialog"), ("categories", "categoryDialog"), ("orders", "newOrderDialog")]
)
def test_new_is_what_the_tab_holds(qtbot: QtBot, window: MainWindow, name: str, opened: str) -> None:
    window.show_tab(name)
    tab = tab_of(window)
    qtbot.waitUntil(lambda: tab.table.row_count > 0)
    qtbot.keyClick(tab.view, Key.Key_N, _CTRL)
    assert dialogs(window) == [opened]
    assert window.parts.actions["newCategory"].isEnabled()


def test_in_the_inventory_new_says_that_stock_is_made_with_its_pet(qtbot: QtBot, window: MainWindow) -> None:
    tab = stock_tab(window)
    go_to(tab, 1234, "pet")
    qtbot.keyClick(tab.view, Key.Key_N, _CTRL)
    assert dialogs(window) == []
    assert said(window) == "New stock entry: A stock entry comes with its pet: add the pet."
    action = window.parts.actions["newStock"]
    assert not action.isEnabled() and "A stock entry comes with its pet" in action.toolTip()


def test_new_pet_has_its_key_back_on_the_other_tabs(window: MainWindow) -> None:
    owners = ("newPet", "newCategory", "newOrder", "newStock", "newPet", "newPet")
    for name, owner in zip((*TABS[1:], "pets"), owners, strict=True):
        window.show_tab(name)
        held = [n for n in ("newPet", "newCategory", "newOrder", "newStock") if "Ctrl+N" in keys_of_action(window, n)]
        assert held == [owner]
    assert "Ctrl+Shift+N" in keys_of_action(window, "newCategory")


def keys_of_action(window: MainWindow, name: str) -> list[str]:
    return [key.toString() for key in window.parts.actions[name].shortcuts()]


def test_a_reason_that_names_the_action_is_said_alone(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.keyClick(window.focusWidget() or window, Key.Key_Z, _CTRL)
    assert said(window) == "There is nothing to undo."


def test_each_action_is_carried_out_but_what_the_program_cannot_do() -> None:
    assert set(RUNS) == {spec.name for spec in ACTIONS if not spec.missing}


def test_a_key_that_is_held_acts_once(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    """Held in a list of open orders, Alt+2 would complete one after the other: each time the next row is current."""
    shop.tell_rows(Resource.PETS, [Pet(n, f"Guppy {n}", 1, "pending") for n in range(1, 7)])
    window.parts.views.open(next(one for one in window.parts.views.all() if one.id == "pets.pending"))
    tab = tab_of(window)
    qtbot.waitUntil(lambda: tab.table.row_count == 7)
    go_to(tab, 3, "name")
    tab.view.setFocus()
    for held in (False, True, True, True):
        QTest.simulateEvent(tab.view, True, Key.Key_3, _ALT, "", held)
    qtbot.waitUntil(lambda: bool(shop.asked_for("apply")))
    assert tab.current_ref() != Ref(Resource.PETS, 3)
    assert [change.ref.key for changes in shop.asked_for("apply") for change in changes] == [3]
