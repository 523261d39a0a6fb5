"""Everything that was done: looked up, opened, taken back, sent again, written to a file."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QDate, Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.changes import AddStock, ChangeState, Create, NewChange, Reason, SetFields
from petstore_desktop.domain.commands import Decision
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.sync.wire.events import DecisionsMoved
from petstore_desktop.ui.activity.changes_model import CHANGE, RECORD, STATE, TIME, WHAT
from petstore_desktop.ui.activity.changes_page import ChangesPage
from petstore_desktop.ui.questions.raw_answer import RawDialog
from petstore_desktop.ui.records.record_dialogs import RecordDialog
from petstore_desktop.ui.widgets.chooser import DayMenu
from petstore_desktop.ui.widgets.dialogs import Dialog
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.conftest import OpenWindow, tab_of
from tests.ui.past_shop import PastShop
from tests.ui.recording_shop import CONNECTION, NOON, small_shop

DAY = 86_400.0
KOI, BUDGIE, SNAKE = (Ref(Resource.PETS, key) for key in (1234, 877, 1422))
STOCK = Ref(Resource.INVENTORY, 1234)
NO = Reason("bad", "no such category", 400, '{"code":"bad"}')


def sold(*refs: Ref) -> list[NewChange]:
    return [NewChange(ref, SetFields({"status": "sold"}), {"status": "available"}) for ref in refs]


@pytest.fixture
def shop(british: None, tmp_path: Path) -> Iterator[PastShop]:
    """Three days: a booking, an import of four of which one was refused, an edit that waits."""
    shop = PastShop(tmp_path)
    for resource, records in small_shop().items():
        shop.see(resource, *records, at=NOON - 5 * DAY)
    booked = shop.act(NOON - 2 * DAY, NewChange(STOCK, AddStock(12), {"quantity": 24}), tell=False)
    shop.end(booked, ChangeState.DONE, NOON - 2 * DAY + 60, tell=False)
    batch = shop.act(NOON - DAY, *sold(KOI, BUDGIE, SNAKE, Ref(Resource.PETS, 5)), batch="import")
    shop.end(batch[:3], ChangeState.DONE, NOON - DAY + 60)
    shop.end(batch[3:], ChangeState.REFUSED, NOON - DAY + 61, NO)
    shop.act(NOON - 60, NewChange(KOI, SetFields({"name": "Koi, large"}), {"name": "Koi"}))
    yield shop
    shop.close()


@pytest.fixture
def page(qtbot: QtBot, open_window: OpenWindow, shop: PastShop) -> ChangesPage:
    window = open_window()
    shop.tell_ready()
    for resource, records in small_shop().items():
        shop.tell_rows(resource, records)
    qtbot.waitUntil(lambda: tab_of(window).table.row_count == 4)
    window.parts.actions["showChanges"].trigger()
    page = window.activity().changes
    qtbot.waitUntil(lambda: page.model.rowCount() == 3 and page.counts == "6 changes")
    return page


def window_of(page: ChangesPage) -> MainWindow:
    window = page.window()
    assert isinstance(window, MainWindow)
    return window


def column(page: ChangesPage, number: int) -> list[str]:
    return [page.model.index(row, number).data() for row in range(page.model.rowCount())]


def open_batch(qtbot: QtBot, page: ChangesPage, row: int = 1) -> None:
    count = page.model.rowCount()
    page.view.selectRow(row)
    page.view.setFocus()
    qtbot.keyClick(page.view, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.model.rowCount() > count)


def test_each_act_is_a_line_the_newest_first_and_a_batch_is_one(page: ChangesPage) -> None:
    assert column(page, RECORD) == ["Koi", "4 pets", "Koi"]
    assert column(page, WHAT) == ["Name", "Status", "In stock +12"]
    assert column(page, CHANGE) == ["Koi", "", "24"]
    assert column(page, TIME) == ["13:21", "Yesterday 13:22", "Wed 19 Nov 13:22"]
    assert column(page, STATE)[1:] == ["1 refused, 3 sent", "Sent Wed 19 Nov 13:23."]
    assert column(page, STATE)[0].startswith("Saved on this computer 13:21.")
    spoken = page.model.index(2, CHANGE).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "24, changes to 36"


def test_a_change_of_several_fields_reads_as_words_without_marks(
    qtbot: QtBot, page: ChangesPage, shop: PastShop
) -> None:
    shop.act(NOON - 30, NewChange(BUDGIE, SetFields({"name": "A\u202eb", "status": "sold"}), {"name": "Budgie"}))
    qtbot.waitUntil(lambda: page.model.rowCount() == 4)
    said = column(page, CHANGE)[0]
    assert said == "Name: A‹202E›b, Status: sold"


def test_a_batch_opens_to_its_rows_and_closes_again_by_keyboard(qtbot: QtBot, page: ChangesPage) -> None:
    open_batch(qtbot, page)
    assert column(page, RECORD) == [
        "Koi",
        "4 pets",
        "(no name)",
        "Ball python, pastel",
        "Budgerigar, sky blue",
        *["Koi"] * 2,
    ]
    assert column(page, TIME)[2:6] == [""] * 4
    assert page.model.index(2, STATE).data() == "Refused: “no such category”. Your change is kept here."
    qtbot.keyClick(page.view, Qt.Key.Key_Space)
    assert page.model.rowCount() == 3


def test_the_list_is_narrowed_down_to_a_record_a_state_and_days(qtbot: QtBot, page: ChangesPage) -> None:
    page.bar.search.setText("BUDGÉ")
    qtbot.waitUntil(lambda: page.counts == "1 of 6 changes")
    assert column(page, RECORD) == ["Budgerigar, sky blue"]
    page.bar.show_record("#1422")
    qtbot.waitUntil(lambda: column(page, RECORD) == ["Ball python, pastel"])
    page.bar.clear()
    page.bar.states.menu_of_choices().actions()[3].trigger()
    qtbot.waitUntil(lambda: page.counts == "1 of 6 changes")
    assert page.bar.states.words() == "Refused"
    assert page.bar.states.accessibleName() == "Status: Refused"
    page.bar.clear()
    page.bar.days.menu_of_choices().actions()[2].trigger()
    qtbot.waitUntil(lambda: column(page, RECORD) == ["4 pets"])
    assert page.counts == "4 of 6 changes"


@pytest.mark.qt_log_ignore("does not support grabbing the keyboard")  # of open menus: offscreen has none to grab
def test_one_day_is_picked_in_a_calendar(qtbot: QtBot, page: ChangesPage) -> None:
    page.bar.days.menu_of_choices().actions()[5].trigger()
    (menu,) = [one for one in QApplication.topLevelWidgets() if isinstance(one, DayMenu) and one.isVisible()]
    menu.calendar.clicked.emit(QDate(2025, 11, 19))
    qtbot.waitUntil(lambda: column(page, WHAT) == ["In stock +12"])
    assert page.bar.days.words() == "Wed 19 Nov"


def test_where_nothing_fits_one_click_shows_all_again(qtbot: QtBot, page: ChangesPage) -> None:
    page.bar.search.setText("zebra")
    qtbot.waitUntil(lambda: page.counts == "0 of 6 changes")
    assert page.currentWidget() is page.empty
    assert page.empty.accessibleName() == "No matching change"
    assert page.empty.accessibleDescription() == "None of 6 changes matches."
    page.clear.trigger()
    qtbot.waitUntil(lambda: page.model.rowCount() == 3)
    qtbot.keyClick(page.bar.search, Qt.Key.Key_Down)
    assert page.view.currentIndex().row() == 0


def test_a_selected_line_stays_selected_while_it_fits(qtbot: QtBot, page: ChangesPage) -> None:
    page.view.selectRow(2)
    for text, rows in (("koi", 3), ("24", 0), ("", 3)):
        page.bar.search.setText(text)
        qtbot.waitUntil(lambda rows=rows: page.model.rowCount() == rows and not page.reading.is_reading)
        assert [index.row() for index in page.view.selectionModel().selectedRows()] == ([2] if text == "koi" else [])


def test_from_right_to_left_a_row_is_entered_too(qtbot: QtBot, page: ChangesPage) -> None:
    page.window().setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    page.bar.search.setFocus()
    qtbot.keyClick(page.bar.search, Qt.Key.Key_Return)
    assert [index.row() for index in page.view.selectionModel().selectedRows()] == [0]


def test_enter_waits_for_what_is_still_read(qtbot: QtBot, page: ChangesPage, shop: PastShop) -> None:
    shop.held = True
    page.bar.search.setFocus()
    qtbot.keyClicks(page.bar.search, "1422")
    qtbot.keyClick(page.bar.search, Qt.Key.Key_Return)
    assert page.bar.search.hasFocus()
    shop.let_go()
    qtbot.waitUntil(lambda: page.view.hasFocus() and page.view.currentIndex().row() == 0)
    assert column(page, RECORD) == ["Ball python, pastel"]


@pytest.mark.qt_log_ignore("does not support grabbing the keyboard")  # of open menus: offscreen has none to grab
def test_the_choosers_open_by_keyboard(qtbot: QtBot, page: ChangesPage) -> None:
    page.bar.states.setFocus()
    qtbot.keyClick(page.bar.states, Qt.Key.Key_Down)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert [action.isChecked() for action in menu.actions()] == [True] + [False] * 6
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return):
        qtbot.keyClick(menu, key)
    assert page.bar.states.words() == "Sent"
    qtbot.waitUntil(lambda: page.counts == "4 of 6 changes")


def test_esc_in_the_list_takes_the_filter_away(qtbot: QtBot, page: ChangesPage) -> None:
    page.bar.search.setText("1422")
    qtbot.waitUntil(lambda: page.model.rowCount() == 1)
    page.view.setFocus()
    qtbot.keyClick(page.view, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: page.model.rowCount() == 3)


def test_a_whole_batch_is_taken_back_or_single_rows_of_it(qtbot: QtBot, page: ChangesPage, shop: PastShop) -> None:
    page.view.selectRow(1)
    page.undo.trigger()
    assert shop.asked_for("undo_batch") == [("import", ())]
    open_batch(qtbot, page)
    page.view.selectRow(3)
    page.undo.trigger()
    assert shop.asked_for("undo_batch")[1:] == [("import", (4,))]
    page.view.selectRow(2)
    assert not page.undo.isEnabled(), "a refused change is discarded"
    assert page.discard.isEnabled()


def test_what_was_refused_is_sent_again_discarded_mended_or_looked_into(
    qtbot: QtBot, page: ChangesPage, shop: PastShop
) -> None:
    page.view.selectRow(1)
    page.retry.trigger()
    assert shop.asked_for("retry") == [(5,)]
    page.discard.trigger()
    (question,) = [one for one in page.window().findChildren(Dialog) if one.objectName() == "discardDialog"]
    question.reject()
    assert not page.raw.isEnabled()
    open_batch(qtbot, page)
    page.view.selectRow(2)
    page.raw.trigger()
    (raw,) = page.window().findChildren(RawDialog)
    assert raw.text.toPlainText() == '{"code":"bad"}'
    raw.reject()


def test_a_single_row_that_was_discarded_is_brought_back(qtbot: QtBot, page: ChangesPage, shop: PastShop) -> None:
    open_batch(qtbot, page)
    shop.settle([5], ChangeState.DISCARDED, NOON)
    page.view.selectRow(2)
    qtbot.waitUntil(lambda: not page.discard.isEnabled())
    assert not page.undo.isEnabled(), "nobody knows what it was"
    shop.events.tell(DecisionsMoved(CONNECTION, (Decision("away", NOON, (4, 5)),)))
    qtbot.waitUntil(page.undo.isEnabled)
    page.undo.trigger()
    assert shop.asked_for("take_back") == [("away", (5,))]
    assert shop.asked_for("undo_batch") == []


def test_a_line_leads_to_its_record_and_into_its_cell(qtbot: QtBot, page: ChangesPage) -> None:
    open_batch(qtbot, page)
    page.view.selectRow(4)
    page.go.trigger()
    assert tab_of(window_of(page)).current_ref() == BUDGIE


def test_what_was_refused_is_mended_where_its_record_is(qtbot: QtBot, page: ChangesPage, shop: PastShop) -> None:
    page.view.selectRow(0)
    assert not page.edit.isEnabled(), "what waits is discarded, not mended"
    shop.end([6], ChangeState.REFUSED, NOON, NO)
    qtbot.waitUntil(page.edit.isEnabled)
    page.edit.trigger()
    tab = tab_of(window_of(page))
    assert tab.current_ref() == KOI
    (dialog,) = page.window().findChildren(RecordDialog)
    dialog.reject()


def test_what_moves_meanwhile_is_shown_in_its_place(qtbot: QtBot, page: ChangesPage, shop: PastShop) -> None:
    open_batch(qtbot, page)
    page.view.selectRow(4)
    shop.settle([5], ChangeState.DONE, NOON)
    qtbot.waitUntil(lambda: column(page, STATE)[1:3] == ["4 sent", "Sent 13:22."])
    assert page.view.currentIndex().row() == 4
    shop.act(NOON, *sold(BUDGIE), batch="new")
    qtbot.waitUntil(lambda: column(page, RECORD)[0] == "Budgerigar, sky blue")
    qtbot.waitUntil(lambda: page.counts == "7 changes")
    assert page.view.selectionModel().selectedRows()[0].row() == 5


def test_what_no_longer_fits_goes_and_what_fits_now_comes(qtbot: QtBot, page: ChangesPage, shop: PastShop) -> None:
    page.bar.states.menu_of_choices().actions()[3].trigger()
    qtbot.waitUntil(lambda: page.counts == "1 of 6 changes")
    shop.end([6], ChangeState.REFUSED, NOON, NO)
    qtbot.waitUntil(lambda: column(page, RECORD) == ["Koi", "(no name)"])
    shop.settle([5], ChangeState.DONE, NOON)
    qtbot.waitUntil(lambda: column(page, RECORD) == ["Koi"])
    qtbot.waitUntil(lambda: page.counts == "1 of 6 changes")


def test_a_long_list_is_read_as_one_scrolls_each_line_once(qtbot: QtBot, page: ChangesPage, shop: PastShop) -> None:
    for n in range(250):
        shop.act(NOON - 50 + n / 10, *sold(KOI), batch=f"more-{n}", tell=False)
    page.reading.start()
    qtbot.waitUntil(lambda: page.counts == "256 changes")
    assert page.model.rowCount() == 100
    for rows in (200, 253):
        page.view.scrollToBottom()
        qtbot.waitUntil(lambda rows=rows: page.model.rowCount() == rows)
    ids = [page.model.line(row).id for row in range(page.model.rowCount())]
    assert ids == sorted(set(ids), reverse=True)


def test_what_moves_below_all_that_was_read_is_read_in_its_turn(
    qtbot: QtBot, page: ChangesPage, shop: PastShop
) -> None:
    for n in range(150):
        shop.act(NOON - 50 + n / 10, *sold(KOI), batch=f"more-{n}", tell=False)
    page.bar.states.menu_of_choices().actions()[1].trigger()
    qtbot.waitUntil(lambda: page.counts == "151 of 156 changes" and page.model.rowCount() == 100)
    shop.settle([5], ChangeState.QUEUED, NOON)
    qtbot.waitUntil(lambda: page.counts == "152 of 156 changes")
    assert page.model.rowCount() == 100
    page.view.scrollToBottom()
    qtbot.waitUntil(lambda: page.model.rowCount() == 152)
    assert [page.model.line(row).id for row in (150, 151)] == [6, 5]


def test_an_answer_to_an_older_filter_is_not_shown(qtbot: QtBot, page: ChangesPage, shop: PastShop) -> None:
    shop.held = True
    page.bar.show_record("877")
    page.bar.show_record("1422")
    shop.let_go()
    qtbot.waitUntil(lambda: page.counts == "1 of 6 changes")
    assert column(page, RECORD) == ["Ball python, pastel"]


@pytest.mark.parametrize("suffix", ["csv", "json"])
def test_what_the_filter_shows_is_written_to_a_file_every_row_of_it(
    qtbot: QtBot, page: ChangesPage, tmp_path: Path, suffix: str
) -> None:
    page.bar.show_record("1234")
    qtbot.waitUntil(lambda: page.counts == "3 of 6 changes")
    path = tmp_path / f"koi.{suffix}"
    with qtbot.waitSignal(window_of(page).parts.said) as said:
        dialog = page.exports.ask()
        assert isinstance(dialog, QFileDialog)
        dialog.fileSelected.emit(str(path))
    dialog.reject()
    assert said.args[0].text.replace("\u2068", "").replace("\u2069", "") == f"3 changes are in koi.{suffix}"
    if suffix == "json":
        assert json.loads(path.read_text("ascii"))["count"] == 3
        return
    with path.open(encoding="utf-8-sig", newline="") as file:
        head, *rows, end = csv.reader(file)
    assert head[:5] == ["Time", "Record", "Id", "Name", "What"]
    assert [row[2:7] for row in rows] == [
        ["1234", "Koi", "Name", "Koi", "Koi, large"],
        ["1234", "Koi", "Status", "available", "sold"],
        ["1234", "Koi", "In stock", "24", "36"],
    ]
    assert end == ["3 of 6 changes"]


def test_a_file_that_cannot_be_written_is_said_with_what_to_do(qtbot: QtBot, page: ChangesPage, tmp_path: Path) -> None:
    page.exports.write(str(tmp_path / "gone" / "koi.csv"))
    qtbot.waitUntil(lambda: bool(page.window().findChildren(RawDialog)))
    (dialog,) = page.window().findChildren(RawDialog)
    assert dialog.windowTitle().replace("\u2068", "").startswith(f"There is no such folder: {tmp_path / 'gone'}")
    dialog.reject()


def test_a_journal_that_cannot_be_read_is_named(qtbot: QtBot, page: ChangesPage, shop: PastShop) -> None:
    with shop.log.transaction() as connection:
        connection.execute("UPDATE change SET intent = 'rubbish'")
    page.reading.start()
    qtbot.waitUntil(lambda: page.empty.accessibleName() == "The changes cannot be read")
    assert "journal.db is damaged" in page.empty.accessibleDescription().replace("\u2069", "")
    assert page.currentWidget() is page.empty
    assert not page.bar.buttons[2].isEnabled()


def test_with_nothing_done_it_says_so(qtbot: QtBot, open_window: OpenWindow, british: None, tmp_path: Path) -> None:
    fresh = PastShop(tmp_path / "fresh")
    window = open_window(fresh)
    window.parts.actions["showChanges"].trigger()
    page = window.activity().changes
    qtbot.waitUntil(lambda: page.empty.accessibleName() == "No changes yet")
    fresh.act(NOON, NewChange(Ref(Resource.PETS, LocalId("ab")), Create({"name": "<b>Axolotl</b>"})))
    qtbot.waitUntil(lambda: column(page, RECORD) == ["<b>Axolotl</b>"])
    assert column(page, WHAT) == ["Create"]
    fresh.close()


def test_the_model_keeps_qts_rules(qtmodeltester: ModelTester, qtbot: QtBot, page: ChangesPage, shop: PastShop) -> None:
    qtmodeltester.check(page.model)
    open_batch(qtbot, page)
    shop.act(NOON, *sold(BUDGIE), batch="new")
    qtbot.waitUntil(lambda: page.model.rowCount() == 8)
    page.model.close(2)
    qtmodeltester.check(page.model)
