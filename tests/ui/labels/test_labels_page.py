"""The Labels page: opened for selected pets and with lines, its choices kept, the sheet by keys, PDF and printer."""

from __future__ import annotations

from functools import partial
from gc import collect
from pathlib import Path
from typing import cast

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt, QTimer
from PySide6.QtPrintSupport import QPrinter, QPrinterInfo
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from petstore_desktop.domain.records import Category, Pet, Ref, Resource
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.context.navigation import StationLine
from petstore_desktop.ui.labels.label_painter import LabelOutput
from petstore_desktop.ui.labels.label_settings import OwnSizeDialog
from petstore_desktop.ui.labels.labels_page import LabelsPage
from petstore_desktop.ui.status.toast import toast_room
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.labels.labelkit import decoded, pdf_pages
from tests.ui.recording_shop import RecordingShop

KOI, BIRD = Ref(Resource.PETS, 1234), Ref(Resource.PETS, 877)
RECEIVED = (StationLine(KOI, 6), StationLine(BIRD, 2))
Key = Qt.Key


@pytest.fixture(autouse=True)
def no_printers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine's printers are nobody's business; most tests have none."""
    monkeypatch.setattr(QPrinterInfo, "availablePrinterNames", lambda: list[str]())


@pytest.fixture
def page(qtbot: QtBot, window: MainWindow) -> LabelsPage:
    """Labels of what was received."""
    return opened(qtbot, window, RECEIVED)


def opened(qtbot: QtBot, window: MainWindow, lines: tuple[StationLine, ...] = ()) -> LabelsPage:
    """The page, once it has looked for printers and judged the labels."""
    window.parts.navigation.open_station("labels", lines)
    page = window.page()
    assert isinstance(page, LabelsPage)
    turn(qtbot)
    if page.job.order:
        qtbot.waitUntil(lambda: bool(page.settings.names_check.words.text()))
    return page


def turn(qtbot: QtBot) -> None:
    """All that is to come at once has come: a timer that is begun now ends after those that were begun before it."""
    came: list[bool] = []
    QTimer.singleShot(1, lambda: came.append(True))
    qtbot.waitUntil(lambda: bool(came))


def names_of(page: LabelsPage) -> list[str]:
    """Whose labels are printed, in order."""
    return [page.job.pets[at].name for at in page.job.order]


def test_the_key_makes_labels_for_the_selected_pets(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    window.show_tab("pets")
    tab = window.tab()
    assert tab is not None
    tab.view.selectAll()
    QTest.keyClick(tab.view, Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    page = window.page()
    assert isinstance(page, LabelsPage)
    assert len(page.job.order) == 4 and "Koi" in names_of(page)
    assert page.heading.text() == "4 labels for 4 pets, 1 sheet"
    assert page.settings.copies.value() == "each"
    assert page.price.text() == "0 requests"
    assert {name for name, _ in shop.asked} == {"watch"}, "what every tab that is shown asks for"


def test_the_pets_of_selected_stock_entries_get_labels_too(qtbot: QtBot, window: MainWindow) -> None:
    window.show_tab("inventory")
    tab = window.tab()
    assert tab is not None
    tab.view.selectAll()
    window.parts.actions["labels"].trigger()
    page = window.page()
    assert isinstance(page, LabelsPage)
    assert sorted(names_of(page)) == ["<b>bold</b>", "Budgerigar, sky blue", "Koi"]


def test_what_was_received_gets_as_many_labels(qtbot: QtBot, page: LabelsPage) -> None:
    assert page.settings.copies.value() == "received"
    assert names_of(page) == ["Koi"] * 6 + ["Budgerigar, sky blue"] * 2
    assert page.heading.text() == "8 labels for 2 pets, 1 sheet"
    page.settings.copies.set_value("stock")
    assert names_of(page) == ["Koi"] * 24 + ["Budgerigar, sky blue"] * 3
    page.settings.copies.set_value("each")
    QTest.keyClicks(page.settings.count.edit, "2")  # after the 1
    assert len(page.job.order) == 24
    page.settings.count.edit.setText("")
    QTest.keyClicks(page.settings.count.edit, "x")
    assert "whole number" in page.settings.count.note.text() and len(page.job.order) == 24
    for written, labels in (("１２", 24), ("\u200f\u0661\u0662", 24), ("1,000", 2_000), ("1,001", 2_000)):
        page.settings.count.edit.setText("")
        page.settings.count.edit.insert(written)
        assert (len(page.job.order), bool(page.settings.count.note.text())) == (labels, written == "1,001")


def test_without_pets_it_says_where_they_are_chosen(qtbot: QtBot, window: MainWindow) -> None:
    page = opened(qtbot, window)
    assert page.heading.text() == "No pets chosen"
    assert not page.pdf_button.isEnabled() and "Ctrl+L" in page.plane.hint.text()
    assert page.choose_button.hasFocus()
    page.choose_button.click()
    assert window.shown() == "pets"


def test_the_first_place_is_chosen_on_the_sheet_by_keys_and_by_a_click(qtbot: QtBot, page: LabelsPage) -> None:
    preview = page.plane.preview
    preview.setFocus()
    for key in (Key.Key_Down, Key.Key_Right, Key.Key_Up, Key.Key_Up, Key.Key_Down, Key.Key_Return):
        QTest.keyClick(preview, key)
    assert page.job.start == 4, "one down, one right; it does not leave the sheet"
    assert page.settings.start.value() == "4"
    point = preview.place_rect(20).center().toPoint()
    QTest.mouseClick(preview, Qt.MouseButton.LeftButton, pos=point)
    assert page.job.start == 20 and page.heading.text().endswith("2 sheets")
    assert preview.accessibleName() == "Preview: Sheet 1 of 2, starts at label 21"
    QTest.keyClick(preview, Key.Key_PageDown)
    assert preview.page == 1 and page.plane.page.text() == "Sheet 2 of 2"


def test_choices_are_kept_for_the_next_time(qtbot: QtBot, window: MainWindow, page: LabelsPage) -> None:
    page.settings.sheet.set_value("a4-2x7")
    page.settings.set_start(3)
    page.settings.parts["own_line"].setChecked(True)
    QTest.keyClicks(page.settings.line.edit, "Riverside")
    page.settings.code.segments()[1].setFocus()
    QTest.keyClick(page.settings.code.segments()[1], Key.Key_Space)
    page.closed.emit()
    again = opened(qtbot, window, (StationLine(KOI, 1),))
    assert again is not page
    job = again.job
    assert (job.sheet.columns, job.start, job.own_line, job.kind) == (2, 3, "Riverside", "qr")
    assert again.settings.copies.value() == "each", "nothing was received this time"


def test_another_sheet_has_its_own_first_place(qtbot: QtBot, page: LabelsPage) -> None:
    page.settings.set_start(5)
    page.settings.sheet.set_value("roll-62")
    assert page.job.start == 0 and not page.settings.start.isVisible()
    page.settings.sheet.set_value("a4-3x8")
    assert page.job.start == 5


def test_an_own_size_is_judged_kept_changed_and_deleted(qtbot: QtBot, page: LabelsPage) -> None:
    page.settings.sheet.set_value("own")
    dialog = own_dialog()
    dialog.fields["label_width"].set_text("90")
    dialog.accept()
    assert "270 mm" in dialog.fields["label_width"].note.text() and dialog.isVisible()
    dialog.fields["columns"].set_text("2")
    dialog.accept()
    assert page.job.sheet.label_width == 90 and page.job.sheet.columns == 2
    assert page.settings.sheet.box.currentText() == "Own size, 2 × 8, 90 × 37 mm"
    page.settings.edit_own.click()
    dialog = own_dialog()
    dialog.findChild(type(page.settings.edit_own), "deleteOwnSize").click()
    assert page.settings.sheet.value() == "a4-3x8"


def own_dialog() -> OwnSizeDialog:
    """The open dialog."""
    (dialog,) = [one for one in QApplication.topLevelWidgets() if isinstance(one, OwnSizeDialog) and one.isVisible()]
    return dialog


def test_checks_say_what_to_do(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    shop.tell_rows(Resource.PETS, [Pet("123e4567-e89b-12d3-a456-426614174000", "W" * 300, 1, "available")])
    page = opened(qtbot, window, (StationLine(Ref(Resource.PETS, "123e4567-e89b-12d3-a456-426614174000"), 1),))
    checks, cut = page.settings, "1 name is too long, and is cut. Choose larger labels."
    qtbot.waitUntil(lambda: checks.names_check.words.text() == cut)
    assert checks.code_check.words.text() == "1 code has no room on its label. Choose QR, or larger labels."
    checks.switch_code.click()
    qtbot.waitUntil(lambda: checks.code_check.words.text() == "Squares of 0.5 mm: safe for hand scanners")
    assert page.job.kind == "qr" and not checks.switch_code.isVisible()
    numbered = opened(qtbot, window, (StationLine(KOI, 1),))
    assert numbered.job.kind == "code128", "each kind of id has its own"
    assert numbered.settings.code_check.words.text() == "Bars of 0.5 mm: safe for hand scanners"


def test_names_follow_what_moves_at_the_desk(qtbot: QtBot, page: LabelsPage, shop: RecordingShop) -> None:
    shop.tell_rows(Resource.CATEGORIES, [Category(1, "Pond")])
    shop.tell_rows(Resource.PETS, [Pet(1234, "Ghost koi", 1, "available")])
    qtbot.waitUntil(lambda: page.job.pets[0].name == "Ghost koi" and page.job.pets[0].category == "Pond")


def test_a_pdf_is_written_where_the_person_wants_it(
    qtbot: QtBot, window: MainWindow, page: LabelsPage, tmp_path: Path
) -> None:
    assert not page.print_button.isEnabled(), "no printer"
    QTest.keyClick(page.settings.sheet.box, Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    file = tmp_path / "labels.pdf"
    dialog = cast("QFileDialog", window.findChild(QFileDialog, "labelsFileDialog"))
    dialog.fileSelected.emit(str(file))
    dialog.close()
    qtbot.waitUntil(lambda: file.exists() and not page.output.busy)
    (sheet,) = pdf_pages(file.read_bytes())
    assert decoded(sheet.picture(300)) == sorted([page.job.pets[0].code] * 6 + [page.job.pets[1].code] * 2)


def test_escape_ends_the_painting_and_then_the_page(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    page = opened(qtbot, window, (StationLine(KOI, 4_000),))
    written: list[bytes] = []
    page.output.pdf(page.job, "Labels", written.append)
    assert page.cancel_button.isVisible() and page.cancel_button.hasFocus()
    assert page.price.text() == "0 of 4,000 labels"
    QTest.keyClick(page.cancel_button, Key.Key_Escape)
    assert not page.output.busy and not page.cancel_button.isVisible()
    turn(qtbot)
    assert written == [] and window.page() is page
    QTest.keyClick(page.pdf_button, Key.Key_Escape)
    assert window.tab() is not None


def test_a_page_that_is_closed_while_it_paints_ends_the_painting_first(qtbot: QtBot, window: MainWindow) -> None:
    page = opened(qtbot, window, (StationLine(KOI, 9_000),))
    written: list[bytes] = []
    page.output.pdf(page.job, "Labels", written.append)
    none_yet = page.price.text()
    qtbot.waitUntil(lambda: page.price.text() != none_yet)
    assert page.output.busy
    page.closed.emit()
    assert not page.output.busy
    turn(qtbot)
    assert written == [] and window.tab() is not None


def test_what_is_deleted_while_it_paints_ends_the_painting_first(qtbot: QtBot, page: LabelsPage) -> None:
    owner, written = QWidget(), list[bytes]()
    painted = list[int]()
    output = LabelOutput(owner, lambda done, _: painted.append(done), lambda _: None)
    output.pdf(replace(page.job, order=[0] * 9_000), "Labels", written.append)
    qtbot.waitUntil(lambda: bool(painted) and painted[-1] > 0)
    delete(owner)  # with a painter on its device Qt would crash here, or at the next collection
    collect()
    turn(qtbot)
    assert written == []


def test_received_to_a_pdf_takes_three_keys(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    window.show_tab("inventory")
    tab = window.tab()
    assert tab is not None
    tab.view.selectAll()
    QTest.keyClick(tab.view, Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClick(focus, Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    dialog = cast("QFileDialog", window.findChild(QFileDialog, "labelsFileDialog"))
    dialog.setDirectory(str(tmp_path))
    QTest.keyClick(dialog, Key.Key_Return)
    qtbot.waitUntil(lambda: [file.suffix for file in tmp_path.iterdir()] == [".pdf"])


def test_a_printer_gets_the_labels_and_the_next_ones_begin_after_them(
    qtbot: QtBot, window: MainWindow, page: LabelsPage, tmp_path: Path
) -> None:
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setResolution(600)
    printer.setOutputFileName(str(tmp_path / "printed.pdf"))
    page.settings.set_start(20)
    codes = sorted(page.job.pets[at].code for at in page.job.order)
    page.output.print(printer, page.job, lambda: page.printed(page.job))
    qtbot.waitUntil(lambda: not page.output.busy)
    first, second = pdf_pages((tmp_path / "printed.pdf").read_bytes())
    assert sorted(decoded(first.picture(300)) + decoded(second.picture(300))) == codes
    assert page.job.start == 4


def test_messages_stand_above_the_buttons_at_the_foot(qtbot: QtBot, window: MainWindow, page: LabelsPage) -> None:
    window.parts.say(Message("Koi: +12, sent"))
    room, foot = toast_room(window.pages)
    assert foot.height() > page.print_button.height() and room.contains(foot)
    toast = window.after_paint.notifier.toast
    assert toast.isVisible() and not toast.geometry().intersects(foot)


def test_with_a_printer_printing_is_the_first_way(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QPrinterInfo, "availablePrinterNames", lambda: ["Zebra"])
    page = opened(qtbot, window, RECEIVED)
    assert page.print_button.isEnabled() and page.print_button.words() == "Print 8 labels"
    assert page.try_button.isEnabled()


def test_enter_does_what_the_filled_button_does(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    page = opened(qtbot, window, RECEIVED)
    assert not page.print_button.isEnabled(), "there is no printer: the filled one writes a PDF"
    focus = QApplication.focusWidget()
    assert focus is not None and page.isAncestorOf(focus)
    QTest.keyClick(focus, Key.Key_Return)
    dialog = cast("QFileDialog", window.findChild(QFileDialog, "labelsFileDialog"))
    dialog.setDirectory(str(tmp_path))
    QTest.keyClick(dialog, Key.Key_Return)
    qtbot.waitUntil(lambda: [file.suffix for file in tmp_path.iterdir()] == [".pdf"])


@pytest.mark.parametrize("modifier", [Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier])
def test_enter_on_a_button_does_what_that_button_does(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch, modifier: Qt.KeyboardModifier
) -> None:
    monkeypatch.setattr(QPrinterInfo, "availablePrinterNames", lambda: ["Zebra"])
    page = opened(qtbot, window, RECEIVED)
    pressed: list[str] = []

    def press(name: str, *_: object) -> None:
        pressed.append(name)

    for button in (page.try_button, page.print_button, page.pdf_button):
        button.clicked.disconnect()
        button.clicked.connect(partial(press, button.objectName()))
    page.try_button.setFocus()
    QTest.keyClick(page.try_button, Key.Key_Enter, modifier)
    assert pressed == [page.try_button.objectName()]
