"""Scans in a real window: whatever has the focus, they count once, and nothing else sees their keys."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPlainTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.codes import Codes, label_code
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.ui.context.scans import Scan
from petstore_desktop.ui.window.main_window import MainWindow
from tests.support.keyboard import Keyboard, settle
from tests.support.scan_fuzz import play, stage
from tests.ui.acting import column, editor_of, go_to, stock_tab
from tests.ui.conftest import OpenWindow, tab_of
from tests.ui.recording_shop import RecordingApp, RecordingShop

EAN = "4006381333931"
KOI = 1234


def _table(window: MainWindow) -> QWidget:
    return stock_tab(window).view


def _cell_editor(window: MainWindow) -> QWidget:
    tab = stock_tab(window)
    go_to(tab, KOI, "stock")
    tab.view.edit_column(column(tab, "stock"))
    return editor_of(tab)


def _filter(window: MainWindow) -> QWidget:
    window.show_tab("pets")
    tab = tab_of(window)
    tab.focus_filter()
    return tab.bar.filter


def _palette(window: MainWindow) -> QWidget:
    window.parts.actions["palette"].trigger()
    return window.palette_field


def _another_tab(window: MainWindow) -> QWidget:
    window.show_tab("activity")
    window.focus_list()
    field = QApplication.focusWidget()
    assert field is not None
    return field


PLACES: dict[str, Callable[[MainWindow], QWidget]] = {
    "table": _table,
    "cell editor": _cell_editor,
    "filter": _filter,
    "palette": _palette,
    "another tab": _another_tab,
}


def state_of(field: QWidget) -> object:
    if not isinstance(field, QLineEdit):
        return None
    return (
        field.text(), field.cursorPosition(), field.selectedText(), field.isUndoAvailable(), field.isRedoAvailable()
    )  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_a_scan_counts_once_and_leaves_what_has_the_focus_alone(
    window: MainWindow, keys: Keyboard, scans: list[str], place: str
) -> None:
    field = PLACES[place](window)
    field.setFocus()
    if isinstance(field, QLineEdit):
        field.setText("")
        QTest.keyClicks(field, "75+x")
        QTest.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(field, "8")
        field.setSelection(0, 1)
    before = state_of(field)
    for gap in (1, 24):
        keys.type(EAN + "\n", gap)
        keys.rest()
        keys.type(label_code(KOI), gap)
        settle(window)
        assert scans == [EAN, label_code(KOI)], gap
        assert state_of(field) == before and field.hasFocus(), gap
        scans.clear()
        keys.rest()


def test_twenty_scans_80_ms_apart_count_once_each(window: MainWindow, keys: Keyboard, scans: list[str]) -> None:
    field = _filter(window)
    for number in range(20):
        keys.type(f"{1000 + number}\n", 5)
        keys.rest(80)
    settle(window)
    assert scans == [str(1000 + number) for number in range(20)]
    assert state_of(field) == ("", 0, "", False, False)


def test_typing_arrives_whole_and_in_order(window: MainWindow, keys: Keyboard, scans: list[str]) -> None:
    field = _filter(window)
    keys.type("koi 12", 40)
    keys.type("abc", 5)
    keys.rest()
    keys.type("de", 40)
    settle(window)
    assert isinstance(field, QLineEdit) and field.text() == "koi 12abcde"
    assert scans == []


def test_another_key_never_overtakes_one_that_is_held(window: MainWindow, keys: Keyboard, scans: list[str]) -> None:
    field = _filter(window)
    keys.type("ab", 5)
    keys.press("\b")
    keys.rest(40)
    keys.type("c", 5)
    assert isinstance(field, QLineEdit) and field.text() == "a", "the last one is still held"
    QApplication.sendEvent(field, _composed("ñ"))
    assert field.text() == "acñ"
    settle(window)
    assert field.text() == "acñ" and scans == []


def _composed(text: str, preedit: str = "") -> QInputMethodEvent:
    event = QInputMethodEvent(preedit, [])
    event.setCommitString(text)
    return event


def test_nothing_is_a_scan_while_an_input_method_composes(window: MainWindow, keys: Keyboard, scans: list[str]) -> None:
    field = _filter(window)
    QApplication.sendEvent(field, _composed("", "n"))
    keys.type("1126", 5)
    QApplication.sendEvent(field, _composed("ñ"))
    settle(window)
    assert scans == []


def test_a_scan_answers_no_question(window: MainWindow, keys: Keyboard, scans: list[str], qtbot: QtBot) -> None:
    box = QMessageBox(QMessageBox.Icon.Question, "Sure?", "Delete all?", parent=window)
    box.addButton("&Yes", QMessageBox.ButtonRole.YesRole)
    box.addButton("&No", QMessageBox.ButtonRole.NoRole)
    box.open()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is box)
    keys.type("YN12Y\n", 5)
    settle(window)
    assert box.isVisible() and scans == ["YN12Y"]
    box.close()


@pytest.mark.qt_log_ignore("does not support grabbing the keyboard")  # of open menus: offscreen has none to grab
def test_a_scan_chooses_nothing_in_a_menu(window: MainWindow, keys: Keyboard, scans: list[str], qtbot: QtBot) -> None:
    menu, done = QMenu(window), []
    menu.addAction("&1 first").triggered.connect(lambda: done.append(1))
    menu.popup(window.mapToGlobal(window.rect().center()))
    qtbot.waitUntil(menu.isVisible)
    keys.type("1126\n", 5)
    settle(window)
    assert scans == ["1126"] and done == [] and not menu.isVisible()


def test_without_a_desk_a_scan_goes_to_the_stock_cell(window: MainWindow, keys: Keyboard, qtbot: QtBot) -> None:
    _filter(window)
    keys.type(label_code(KOI) + "\n", 5)
    settle(window)
    tab = tab_of(window)
    assert tab.resource is Resource.INVENTORY and tab.current_ref() == Ref(Resource.INVENTORY, KOI)
    assert tab.view.currentIndex().column() == column(tab, "stock") and tab.view.hasFocus()
    plate = window.after_paint.scanning.marks.plate
    assert plate is not None and plate.isVisible() and plate.mark.outcome == "found"
    assert "#1234" in plate.accessibleName()


def test_a_scan_books_what_is_typed_in_the_cell_before_and_loses_no_typed_rubbish(
    window: MainWindow, keys: Keyboard, shop: RecordingShop, qtbot: QtBot
) -> None:
    tab = stock_tab(window)
    go_to(tab, 877, "stock")
    for typed, booked in (("+5", 1), ("+x", 1)):
        keys.type(typed, 60)
        settle(window)
        assert editor_of(tab).text() == typed
        keys.rest()
        keys.type(label_code(KOI) + "\n", 5)
        settle(window)
        applied = [what for name, what in shop.asked if name == "apply"]
        assert len(applied) == booked and applied[0][0].ref == Ref(Resource.INVENTORY, 877)
        assert tab.current_ref() == Ref(Resource.INVENTORY, KOI)
        go_to(tab, 877, "stock")
    kept = tab.model.kept(tab.view.currentIndex())
    assert kept is not None and kept.text == "+x", "it stays in its cell, marked"


def test_an_enter_waits_for_the_best_result(
    window: MainWindow, keys: Keyboard, shop: RecordingShop, qtbot: QtBot
) -> None:
    keys.type(EAN + "\n", 5)
    settle(window)
    which = window.after_paint.scanning.which
    QTest.keyClicks(which.field, "koi")
    QTest.keyClick(which.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: shop.views.codes == Codes({EAN: (KOI,)}))


def test_an_unknown_code_is_asked_once_and_remembered(
    window: MainWindow, keys: Keyboard, shop: RecordingShop, qtbot: QtBot
) -> None:
    view = _table(window)
    keys.type(EAN + "\n", 5)
    settle(window)
    which = window.after_paint.scanning.which
    assert which.isVisible() and EAN in which.title.text() and which.field.hasFocus()
    QTest.keyClick(which.field, Qt.Key.Key_Escape)
    assert not which.isVisible() and view.hasFocus() and not shop.views.codes
    keys.rest()
    keys.type(EAN + "\n", 5)
    settle(window)
    QTest.keyClicks(which.field, "koi")
    qtbot.waitUntil(lambda: which.list.model.count() > 0)
    QTest.keyClick(which.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: shop.views.codes == Codes({EAN: (KOI,)}) == shop.desk.codes)
    assert tab_of(window).current_ref() == Ref(Resource.INVENTORY, KOI)
    window.parts.actions["undo"].trigger()
    assert not shop.views.codes and not shop.desk.codes
    window.parts.actions["redo"].trigger()
    window.show_tab("pets")
    keys.rest()
    keys.type(EAN + "\n", 5)
    settle(window)
    assert not which.isVisible() and tab_of(window).current_ref() == Ref(Resource.INVENTORY, KOI)


def test_nobody_is_asked_while_the_pets_are_being_read(
    open_window: OpenWindow, shop: RecordingShop, qtbot: QtBot
) -> None:
    window = open_window()
    assert window.after_paint.scanning
    qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
    Keyboard().type(EAN + "\n", 5)
    settle(window)
    marks, which = window.after_paint.scanning.marks, window.after_paint.scanning.which
    assert marks.plate is not None and "still being read" in marks.plate.mark.words and not which.isVisible()


FIELDS = (QLineEdit, QPlainTextEdit, QComboBox, QAbstractButton)


DIALOGS = ("newPet", "newCategory", "newOrder", "preferences", "lookUp", "connectionSettings")


def test_no_field_of_a_dialog_sees_a_scan(window: MainWindow, keys: Keyboard, scans: list[str], qtbot: QtBot) -> None:
    for action in DIALOGS:
        scans.clear()
        no_field_sees_a_scan(window, keys, scans, action, qtbot)


def no_field_sees_a_scan(window: MainWindow, keys: Keyboard, scans: list[str], action: str, qtbot: QtBot) -> None:
    """None of the dialog that this action opens."""
    window.parts.actions[action].trigger()
    qtbot.waitUntil(lambda: QApplication.activeModalWidget() is not None)
    dialog = QApplication.activeModalWidget()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is dialog)
    fields = [one for kind in FIELDS for one in dialog.findChildren(kind) if one.isVisible() and one.isEnabled()]
    before = [_shown_by(one) for one in fields]
    reached = [one for one in fields if one.focusPolicy() != Qt.FocusPolicy.NoFocus]
    for field in reached:
        field.setFocus()
        keys.rest()
        keys.type("YN 1126o\n", 5)
    settle(window)
    told = [one for one in reached if not (isinstance(one, QLineEdit) and one.echoMode() is not one.EchoMode.Normal)]
    assert scans == ["YN 1126o"] * len(told) and len(told) > 1, f"{action}: what may be a password is told to nobody"
    assert dialog.isVisible() and [_shown_by(one) for one in fields] == before
    dialog.close()


def _shown_by(field: QWidget) -> object:
    if isinstance(field, QComboBox):
        return field.currentIndex()
    if isinstance(field, QAbstractButton):
        return field.isChecked(), field.text()
    assert isinstance(field, QLineEdit | QPlainTextEdit)
    return field.toPlainText() if isinstance(field, QPlainTextEdit) else (field.text(), field.isUndoAvailable())


def test_several_pets_with_one_code_are_offered(window: MainWindow, keys: Keyboard, shop: RecordingShop) -> None:
    others = [key for key in shop.desk.shop.stores[Resource.PETS].keys if isinstance(key, int) and key != KOI]
    shop.desk.codes = Codes({EAN: (others[0], KOI)})
    keys.type(EAN + "\n", 5)
    settle(window)
    which = window.after_paint.scanning.which
    assert which.isVisible() and which.list.model.count() == 2
    QTest.keyClick(which.field, Qt.Key.Key_Down)
    QTest.keyClick(which.field, Qt.Key.Key_Return)
    tab = tab_of(window)
    current = tab.current_ref()
    assert current is not None and current.key == KOI
    assert shop.desk.codes == Codes({EAN: (others[0], KOI)})


def test_a_scan_during_a_question_is_said_and_goes_nowhere(window: MainWindow, keys: Keyboard, qtbot: QtBot) -> None:
    window.show_tab("pets")
    box = QMessageBox(QMessageBox.Icon.Question, "Sure?", "Delete all?", QMessageBox.StandardButton.Yes, window)
    box.open()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is box)
    keys.type(label_code(KOI) + "\n", 5)
    settle(window)
    marks = window.after_paint.scanning.marks
    assert box.isVisible() and window.shown() == "pets"
    assert marks.plate is not None and marks.plate.parentWidget() is box and marks.plate.mark.outcome == "unknown"
    box.close()


def test_switched_off_a_scan_is_typing(window: MainWindow, keys: Keyboard, app_port: RecordingApp) -> None:
    app_port.set_preference("scanner", "off")
    window.after_paint.scanning.renew()
    field = _filter(window)
    keys.type("koi4", 5)
    assert isinstance(field, QLineEdit) and field.text() == "koi4", "not held back either"


def test_sequences_of_all_that_happens_at_a_keyboard_come_out_as_they_were_played(qtbot: QtBot) -> None:
    """`long scans` plays other ones, and more."""
    keys, receiver, found = stage()
    qtbot.addWidget(receiver)
    wrong = [said for seed in range(60) if (said := play(keys, receiver, random.Random(seed), found))]
    assert wrong == []


def test_scanned_text_has_its_time(window: MainWindow, keys: Keyboard, scans: list[str]) -> None:
    came: list[Scan] = []
    window.parts.scans.scanned.connect(came.append)
    keys.type("1126\n", 5)
    settle(window)
    assert [one.text for one in came] == scans == ["1126"] and came[0].at > 0
