"""File > Report: the dialog with its preview, the PDF that comes out of it, and what it says without a history."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import Order, Pet, Ref, Resource
from petstore_desktop.domain.seen_changes import DayTotals, SeenChange, Span, What, Who
from petstore_desktop.ui.report.report_dialog import ReportDialog
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.window.main_window import MainWindow
from tests.support.pdf_text import PdfReader
from tests.ui.acting import spoken_words
from tests.ui.recording_shop import NOON, RecordingShop

Key = Qt.Key
MONDAY = NOON - 4 * 86_400


def dialogs() -> list[ReportDialog]:
    return [one for one in QApplication.topLevelWidgets() if isinstance(one, ReportDialog) and one.isVisible()]


def opened(qtbot: QtBot, window: MainWindow, action: str = "report") -> ReportDialog:
    window.parts.actions[action].trigger()
    (found,) = dialogs()
    qtbot.waitUntil(lambda: " page" in spoken_words(found))
    return found


def saved(qtbot: QtBot, dialog: ReportDialog, path: Path) -> PdfReader:
    dialog.path.edit.setText(str(path))
    qtbot.keyClick(dialog, Key.Key_Return)
    qtbot.waitUntil(lambda: not dialogs())
    return PdfReader(path.read_bytes())


@pytest.fixture
def history(shop: RecordingShop) -> RecordingShop:
    """A history from the Tuesday before last week on."""
    shop.past.spanned = Span(NOON - 10 * 86_400, NOON)
    shop.past.days = (
        DayTotals(date(2025, 11, 14), {"available": 7, "sold": 2}, {1: 40, None: 3}, 5, 2, 1, 0),
        DayTotals(date(2025, 11, 19), {"available": 6, "sold": 3}, {1: 30, None: 3}, 4, 1, None, 1),
    )
    koi = Ref(Resource.PETS, 1234)
    shop.past.changes = (
        SeenChange(koi, What.CHANGED, Who.ELSEWHERE, "status", "available", "sold", MONDAY, MONDAY + 60, {}, "Koi"),
    )
    return shop


def test_the_report_of_this_week_says_figures_and_changes_in_text_that_can_be_read_back(
    qtbot: QtBot, window: MainWindow, history: RecordingShop, tmp_path: Path
) -> None:
    dialog = opened(qtbot, window)
    assert dialog.path.text().endswith("Report 2025-11-17 - 2025-11-23.pdf")
    pdf = saved(qtbot, dialog, tmp_path / "week.pdf")
    first = pdf.words()[0]
    assert pdf.title == "Report, Mon 17 Nov 2025 – Sun 23 Nov 2025"
    assert "Riverside Pets\nMon 17 Nov 2025 – Sun 23 Nov 2025\n" in first
    assert "Before: Fri 14 Nov 2025\nNow\nChange" in first
    assert "Pets sold\n1\n1 elsewhere" in first
    assert "page 1 of " in first
    assert "printed Fri 21 Nov 2025, 13:22" in first
    assert any("Koi (#1234)\nStatus\navailable\nsold\nelsewhere" in page for page in pdf.words())
    assert pdf.fonts and all(pdf.embedded)


def test_what_is_asked_of_the_past_is_the_chosen_period(
    qtbot: QtBot, window: MainWindow, history: RecordingShop
) -> None:
    dialog = opened(qtbot, window, "reportLastWeek")
    begins = MONDAY // 86_400 * 86_400 - 7 * 86_400
    told = [one for one in history.past.asked if one[0] == "changes_between"]
    assert told == [("changes_between", NOON - 10 * 86_400, begins + 7 * 86_400)]  # the history begins in that week
    dialog.reject()


def test_a_figure_that_the_history_does_not_carry_is_never_0(
    qtbot: QtBot, window: MainWindow, history: RecordingShop, tmp_path: Path
) -> None:
    dialog = opened(qtbot, window, "reportLastMonth")
    first = saved(qtbot, dialog, tmp_path / "month.pdf").words()[0]
    assert "The history begins on Tue 11 Nov 2025, 13:22: nothing is known of these days." in first
    assert first.count("known") == 1  # one sentence says it, instead of every line
    assert "\nPets\n" not in first
    assert "\n0\n" not in first


def test_a_damaged_history_costs_only_what_was_before(
    qtbot: QtBot, window: MainWindow, history: RecordingShop, tmp_path: Path
) -> None:
    history.past.trouble = StorageError("damaged")
    dialog = opened(qtbot, window)
    assert "The history cannot be read" in spoken_words(dialog)
    first = saved(qtbot, dialog, tmp_path / "week.pdf").words()[0]
    assert "There is no history yet" in first or "not known" in first


def test_two_days_are_typed_as_in_filters_and_what_is_none_is_said(
    qtbot: QtBot, window: MainWindow, history: RecordingShop
) -> None:
    dialog = opened(qtbot, window)
    dialog.days.set_value("days")
    assert dialog.first.edit.isVisible()
    dialog.first.edit.setText("1.11.2025")
    dialog.last.edit.setText("yesterday")
    dialog.last.edit.editingFinished.emit()
    qtbot.waitUntil(lambda: "Sat 1 Nov 2025 – Thu 20 Nov 2025" in dialog.windowTitle())
    dialog.last.edit.setText("soon")
    dialog.last.edit.editingFinished.emit()
    assert "Enter a day" in spoken_words(dialog)
    dialog.last.edit.setText("31.10.2025")
    dialog.last.edit.editingFinished.emit()
    assert "before the first day" in spoken_words(dialog)
    qtbot.keyClick(dialog, Key.Key_Return)
    assert dialogs() == [dialog]
    dialog.reject()


def test_enter_before_the_report_is_made_saves_it_when_it_is(
    qtbot: QtBot, window: MainWindow, history: RecordingShop, tmp_path: Path
) -> None:
    window.parts.actions["reportThisWeek"].trigger()
    (dialog,) = dialogs()
    dialog.path.edit.setText(str(tmp_path / "week.pdf"))
    qtbot.keyClick(dialog, Key.Key_Return)
    qtbot.waitUntil(lambda: not dialogs())
    assert len(PdfReader((tmp_path / "week.pdf").read_bytes()).pages()) >= 2


def test_escape_while_it_is_made_ends_it(qtbot: QtBot, window: MainWindow, history: RecordingShop) -> None:
    window.parts.actions["reportThisWeek"].trigger()
    (dialog,) = dialogs()
    qtbot.keyClick(dialog, Key.Key_Escape)
    qtbot.waitUntil(lambda: not dialogs())


def test_the_days_of_last_time_are_chosen_again(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    dialog = opened(qtbot, window, "reportLastMonth")
    saved(qtbot, dialog, tmp_path / "month.pdf")
    again = opened(qtbot, window)
    assert again.days.value() == "last month"
    again.reject()


def test_names_of_the_shop_are_plain_text_and_all_stays_on_the_sheet(
    qtbot: QtBot, window: MainWindow, history: RecordingShop, tmp_path: Path
) -> None:
    evil = f"<b>Bold</b>&amp;\u202e {'long ' * 60}"
    history.tell_rows(Resource.PETS, [Pet(77, evil, None, "sold")])
    history.tell_rows(Resource.ORDERS, [Order(990, 77, 1, "2025-11-18T10:00:00Z", False)])
    history.connection = type(history.connection)(evil, "x", "https://shop.example/v1", "free")
    qtbot.waitUntil(lambda: 77 in history.desk.shop.stores[Resource.PETS])
    pdf = saved(qtbot, opened(qtbot, window), tmp_path / "week.pdf")
    wide, high = pdf.sheet
    assert any("<b>Bold</b>&amp;" in page for page in pdf.words())
    for run in (run for page in pdf.pages() for run in page):
        assert 0 < run.size < 20
        assert 35 <= run.x <= run.end <= wide - 35
        assert 35 <= run.y <= high - 35
    assert any("... (#77)" in page for page in pdf.words())


def test_the_paper_is_that_of_the_country(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> None:
    before = QLocale()
    try:
        QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
        pdf = saved(qtbot, opened(qtbot, window), tmp_path / "letter.pdf")
    finally:
        QLocale.setDefault(before)
    assert pdf.sheet == (612, 792)
    assert "Mon, Nov 17, 2025" in pdf.words()[0]


def test_keys_turn_the_pages_of_the_preview(qtbot: QtBot, window: MainWindow, history: RecordingShop) -> None:
    dialog = opened(qtbot, window)
    preview = dialog.preview
    assert preview.accessibleName().startswith("Preview: page 1 of ")
    qtbot.keyClick(preview, Key.Key_PageDown)
    assert preview.page == 1
    assert "page 2 of" in spoken_words(dialog)
    qtbot.keyClick(preview, Key.Key_Home)
    assert preview.page == 0
    qtbot.keyClick(preview, Key.Key_End)
    assert preview.accessibleName() == f"Preview: page {preview.page + 1} of {preview.page + 1}"
    dialog.reject()


def test_paper_names_days_with_their_date(
    qtbot: QtBot, window: MainWindow, history: RecordingShop, tmp_path: Path
) -> None:
    order = {"pet_id": 1234, "quantity": 3, "ship_date": "2025-11-22T10:00:00Z", "complete": False}
    placed = SeenChange(
        Ref(Resource.ORDERS, 1101), What.NEW, Who.ELSEWHERE, "", None, None, MONDAY, MONDAY + 60, order, ""
    )
    history.past.changes = (placed,)
    pages = saved(qtbot, opened(qtbot, window), tmp_path / "week.pdf").words()
    assert any("3, to ship on Sat 22 Nov 2025" in page for page in pages)


def test_on_the_first_days_the_report_begins_where_the_history_does(
    qtbot: QtBot, window: MainWindow, history: RecordingShop, tmp_path: Path
) -> None:
    history.past.spanned = Span(MONDAY, NOON)
    history.past.days = (DayTotals(date(2025, 11, 19), {"available": 6, "sold": 3}, {1: 30, None: 3}, 4, 1, 2, 1),)
    first = saved(qtbot, opened(qtbot, window), tmp_path / "week.pdf").words()[0]
    assert "What changed is known since Mon 17 Nov 2025, 13:22, when the history on this computer begins." in first
    assert "From Mon 17 Nov 2025, 13:22\nNow\nChange" in first
    assert "available\n7\n" in first
    assert "sold\n2\n" in first
    assert first.count("not known") == 3  # how much stock was low or none left, and which orders were overdue


def test_the_keyboard_stays_with_the_pages_at_the_last_one(
    qtbot: QtBot, window: MainWindow, history: RecordingShop
) -> None:
    dialog = opened(qtbot, window)
    button = dialog.findChild(Button, "nextPage")
    assert button is not None
    button.setFocus()
    for _ in range(9):
        qtbot.keyClick(QApplication.focusWidget(), Key.Key_Space)
    assert not button.isEnabled()
    assert dialog.preview.hasFocus()
    assert dialogs() == [dialog]
    dialog.reject()
