"""Typing in a real window while scans are recognised: it arrives where it was typed, and no scan is made of it."""

from __future__ import annotations

from typing import cast

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.codes import label_code
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.ui.widgets.dialogs import ask_file
from petstore_desktop.ui.widgets.searched_choice import SearchedChoice
from petstore_desktop.ui.window.main_window import MainWindow
from tests.support.keyboard import Keyboard, settle
from tests.ui.acting import column, go_to, stock_tab
from tests.ui.conftest import tab_of
from tests.ui.recording_shop import RecordingShop

EAN = "4006381333931"
KOI = 1234


def open_dialog(window: MainWindow, action: str, qtbot: QtBot) -> QWidget:
    window.parts.actions[action].trigger()
    qtbot.waitUntil(lambda: QApplication.activeModalWidget() is not None)
    dialog = QApplication.activeModalWidget()
    assert dialog is not None
    qtbot.waitUntil(lambda: QApplication.activeWindow() is dialog)
    return dialog


def choose_by_letter(box: QComboBox, keys: Keyboard, window: MainWindow, qtbot: QtBot) -> None:
    """Python must not know the list that Qt makes: the program does not know it either."""
    wanted = next(n for n in range(box.count()) if n != box.currentIndex())
    letter = box.itemText(wanted)[0].lower()
    first = next(n for n in range(box.count()) if box.itemText(n)[:1].lower() == letter and n != box.currentIndex())
    box.setFocus()
    box.showPopup()
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None)
    keys.rest(3_000)
    keys.type(letter, 40)
    settle(window)
    keys.type("\n", 40)
    settle(window)
    assert box.currentIndex() == first and QApplication.activePopupWidget() is None


@pytest.mark.qt_log_ignore("does not support grabbing the keyboard")  # of open lists: offscreen has none to grab
@pytest.mark.parametrize("kind", [QComboBox, SearchedChoice])
def test_a_letter_finds_its_choice_in_an_open_drop_down_list(
    window: MainWindow, keys: Keyboard, kind: type[QComboBox], qtbot: QtBot
) -> None:
    box = kind(window)
    box.addItems(["Apple", "Banana", "Cherry"])
    box.show()
    choose_by_letter(box, keys, window, qtbot)
    box.deleteLater()


@pytest.mark.qt_log_ignore("does not support grabbing the keyboard")
@pytest.mark.parametrize("action", ["preferences", "newPet", "connectionSettings"])
def test_a_letter_finds_its_choice_in_the_lists_of_dialogs(
    window: MainWindow, keys: Keyboard, action: str, qtbot: QtBot
) -> None:
    dialog = open_dialog(window, action, qtbot)
    boxes = [one for one in dialog.findChildren(QComboBox) if one.isVisible() and one.isEnabled() and one.count() > 1]
    for box in boxes:
        choose_by_letter(box, keys, window, qtbot)
    assert boxes
    dialog.close()


@pytest.mark.qt_log_ignore("does not support grabbing the keyboard")
@pytest.mark.parametrize("kind", [QComboBox, SearchedChoice])
def test_a_word_finds_its_choice_in_an_open_drop_down_list_however_fast(
    window: MainWindow, keys: Keyboard, scans: list[str], kind: type[QComboBox], qtbot: QtBot
) -> None:
    for gap in (5, 20, 40, 60):
        box = kind(window)
        box.addItems(["Rabbit", "Robin", "Rover"])
        box.show()
        box.setFocus()
        box.showPopup()
        qtbot.waitUntil(box.view().isVisible)
        keys.rest(3_000)
        keys.type("rove", gap)
        settle(window)
        assert box.view().currentIndex().row() == 2
        box.hidePopup()
        box.deleteLater()
    assert scans == []


def test_a_shift_that_comes_when_the_wait_is_just_over_keeps_nothing_back(
    window: MainWindow, keys: Keyboard, qtbot: QtBot
) -> None:
    field = QLineEdit(window)
    field.show()
    field.setFocus()
    wait = window.after_paint.scanning.keys.findChild(QTimer)
    assert wait is not None

    def press_shift() -> None:
        for kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            keys.send(kind, "", key=Qt.Key.Key_Shift)

    wait.timeout.connect(press_shift)
    keys.type("a", 40)
    qtbot.waitUntil(lambda: field.text() == "a")
    field.deleteLater()


def test_scans_go_on_when_a_dialog_was_closed_during_which_one_came(
    window: MainWindow, keys: Keyboard, qtbot: QtBot
) -> None:
    for _ in range(2):
        dialog = open_dialog(window, "newPet", qtbot)
        keys.type(label_code(KOI) + "\n", 5)
        settle(window)
        plate = window.after_paint.scanning.marks.plate
        assert plate is not None and plate.parentWidget() is dialog and plate.mark.outcome == "unknown"
        dialog.close()
        dialog.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        window.activateWindow()
        qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
        keys.rest()
        keys.type(label_code(KOI) + "\n", 5)
        settle(window)
        plate = window.after_paint.scanning.marks.plate
        assert plate is not None and plate.isVisible() and plate.mark.outcome == "found"
        keys.rest()


def test_the_question_which_pet_outlives_what_had_the_keyboard(window: MainWindow, keys: Keyboard) -> None:
    tab = stock_tab(window)
    field = QLineEdit(window)
    field.show()
    field.setFocus()
    keys.type(EAN + "\n", 5)
    settle(window)
    which = window.after_paint.scanning.which
    assert which.isVisible()
    field.deleteLater()
    QCoreApplication.sendPostedEvents(field, QEvent.Type.DeferredDelete.value)
    QTest.keyClick(which.field, Qt.Key.Key_Escape)
    assert not which.isVisible() and tab.isVisible()


# -- what types as fast as a scanner


@pytest.mark.parametrize(
    ("text", "gaps"),
    [(EAN, (1, 5, 15, 30, 40, 60)), *((text, (1, 30)) for text in ("Best regards,", "https://petstore.example/v1"))],
)
def test_what_a_program_types_into_a_field_arrives_there(
    window: MainWindow, keys: Keyboard, scans: list[str], text: str, gaps: tuple[int, ...]
) -> None:
    window.show_tab("pets")
    tab = tab_of(window)
    for gap in gaps:
        tab.set_filter("")
        tab.focus_filter()
        keys.rest()
        keys.type(text, gap)
        settle(window)
        keys.rest(600)
        keys.type("!", gap)
        settle(window)
        assert tab.bar.filter.text() == text + "!" and scans == [], gap


def test_a_code_that_some_pet_has_needs_no_end_in_a_field(window: MainWindow, keys: Keyboard, scans: list[str]) -> None:
    window.show_tab("pets")
    tab = tab_of(window)
    tab.focus_filter()
    for code in (label_code(KOI), str(KOI)):
        keys.rest()
        keys.type(code, 5)
        settle(window)
    assert scans == [label_code(KOI), str(KOI)] and tab.bar.filter.text() == ""


def test_a_password_manager_types_a_key_that_no_plate_shows(
    window: MainWindow, keys: Keyboard, scans: list[str], qtbot: QtBot
) -> None:
    dialog = open_dialog(window, "connectionSettings", qtbot)
    (field,) = [one for one in dialog.findChildren(QLineEdit) if one.echoMode() is not QLineEdit.EchoMode.Normal][:1]
    field.setFocus()
    field.clear()
    keys.type("s3cret-Key-9", 5)
    settle(window)
    assert field.text() == "s3cret-Key-9"
    keys.rest()
    keys.type("and-more\n", 5)
    settle(window)
    plate = window.after_paint.scanning.marks.plate
    assert plate is not None and "••••" in plate.mark.words and "more" not in plate.mark.words
    assert field.text() == "s3cret-Key-9" and field.hasFocus() and dialog.isVisible() and scans == []
    dialog.close()


@pytest.mark.qt_log_ignore("does not support grabbing the keyboard")  # of its completer
def test_a_path_that_is_typed_into_a_file_dialog_arrives_there(
    window: MainWindow, keys: Keyboard, scans: list[str], qtbot: QtBot
) -> None:
    dialog = ask_file(window, "Open", "anyFile", ["All (*)"], bool)
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    qtbot.waitUntil(lambda: QApplication.activeWindow() is dialog)
    dialog.findChildren(QLineEdit)[0].setFocus()
    keys.type("/no/where/pets-2026.csv", 8)
    settle(window)
    assert dialog.findChildren(QLineEdit)[0].text() == "/no/where/pets-2026.csv" and scans == []
    dialog.close()


def test_a_note_of_several_lines_keeps_what_a_program_types(
    window: MainWindow, keys: Keyboard, scans: list[str]
) -> None:
    field = QPlainTextEdit(window)
    field.show()
    field.setFocus()
    keys.type("room 12, second shelf", 5)
    settle(window)
    assert field.toPlainText() == "room 12, second shelf" and scans == []
    field.deleteLater()


# -- what comes after a scan


@pytest.mark.parametrize("end", ["\n", "\t"])
def test_an_enter_that_comes_late_over_bluetooth_edits_nothing(window: MainWindow, keys: Keyboard, end: str) -> None:
    tab = stock_tab(window)
    for late in (20, 60, 200, 480):
        tab.view.setCurrentIndex(tab.model.index(0, 0))
        keys.rest()
        keys.type(label_code(KOI), 5)
        settle(window)
        keys.rest(late - 5)
        keys.press(end)
        settle(window)
        assert not tab.view.edit_open() and tab.view.hasFocus(), late
        assert tab.current_ref() == Ref(Resource.INVENTORY, KOI), late


def test_the_pane_stays_on_a_pet_that_was_scanned_and_booked(
    window: MainWindow, keys: Keyboard, shop: RecordingShop, qtbot: QtBot
) -> None:
    tab = stock_tab(window)
    first = tab.model.ref_at(tab.model.index(0, 0))
    assert isinstance(first.key, int) and tab.model.rowCount() > 1
    keys.type(label_code(first.key) + "\n", 5)
    settle(window)
    for typed in ("+12", "-1"):
        keys.rest(600)
        keys.type(typed, 60)
        settle(window)
        keys.press("\n")
        settle(window)
        qtbot.waitUntil(lambda: not tab.view.edit_open())
        assert tab.current_ref() == first
        assert tab.view.currentIndex().column() == column(tab, "stock") and tab.view.hasFocus()
    booked = [what[0].ref for name, what in shop.asked if name == "apply"]
    assert booked == [first] * 2
    other = tab.model.ref_at(tab.model.index(1, 0))
    go_to(tab, cast("int", other.key), "stock")
    go_to(tab, first.key, "stock")
    keys.rest(600)
    keys.type("+1", 60)
    settle(window)
    keys.press("\n")
    settle(window)
    assert tab.current_ref() == other, "who filled in a column goes on to the next"


def test_a_miss_after_a_pause_takes_back_nothing_that_an_earlier_search_began_from(
    window: MainWindow, keys: Keyboard, qtbot: QtBot
) -> None:
    box = SearchedChoice(window)
    box.addItems(["Rabbit", "Robin", "Rover"])
    box.show()
    box.setFocus()
    box.setCurrentIndex(2)
    keys.type("z", 40)
    settle(window)
    box.blockSignals(True)  # as where the list is filled anew
    box.setCurrentIndex(0)
    box.blockSignals(False)
    keys.rest(3_000)
    keys.type("z", 40)
    settle(window)
    assert box.currentIndex() == 0
    box.deleteLater()
