"""Receive goods in the window: scans and numbers, unknown codes, booking, what is left and found again."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from petstore_desktop.desk.receiving import pasted_lines
from petstore_desktop.domain.batches import Price
from petstore_desktop.domain.changes import AddStock, ChangeState, Create, NewChange
from petstore_desktop.domain.codes import Codes, label_code
from petstore_desktop.domain.commands import Apply, Command, Draft
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.quota import Link, Quota
from petstore_desktop.domain.quota import Window as QuotaWindow
from petstore_desktop.domain.records import InventoryItem, LocalId, Ref, Resource
from petstore_desktop.sync.wire.events import ChangesMoved, DraftsMoved, LinkMoved, NotSaved, QuotaMoved
from petstore_desktop.ui.context.navigation import StationLine
from petstore_desktop.ui.context.scans import Scan, ScanMark
from petstore_desktop.ui.context.tab_specs import TABS
from petstore_desktop.ui.receiving.receive_page import AT, COUNT, PET, STOCK, ReceivePage
from petstore_desktop.ui.widgets.dialogs import Dialog, ErrorDialog
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.recording_shop import CONNECTION, NOON, RecordingShop

Key, Control = Qt.Key, Qt.KeyboardModifier.ControlModifier
EAN = "4006381333931"


def open_station(window: MainWindow, qtbot: QtBot) -> ReceivePage:
    window.parts.actions["receive"].trigger()
    page = window.page()
    assert isinstance(page, ReceivePage)
    qtbot.waitUntil(page.field.hasFocus)
    return page


@pytest.fixture
def applied(shop: RecordingShop, monkeypatch: pytest.MonkeyPatch) -> list[Apply]:
    """The batches that were handed over."""
    batches: list[Apply] = []
    submit = shop.submit

    def note(command: Command) -> None:
        if isinstance(command, Apply):
            batches.append(command)
        submit(command)

    monkeypatch.setattr(shop, "submit", note)
    return batches


@pytest.fixture
def desk(window: MainWindow, applied: list[Apply], qtbot: QtBot) -> ReceivePage:
    return open_station(window, qtbot)


def enter(desk: ReceivePage, text: str) -> None:
    QTest.keyClicks(desk.field, text)
    QTest.keyClick(desk.field, Key.Key_Return)


def rows(desk: ReceivePage) -> list[tuple[str, str]]:
    return [
        (desk.model.cell(row, PET).text.translate({0x2068: None, 0x2069: None}), desk.model.cell(row, COUNT).text)
        for row in range(desk.model.count())
    ]


def test_a_scan_a_number_and_ctrl_enter_book_pieces_as_one_batch(desk: ReceivePage, applied: list[Apply]) -> None:
    desk.take_scan(label_code(1234))
    enter(desk, "6")
    desk.take_scan("877")
    assert rows(desk) == [("Budgerigar, sky blue", "+1"), ("Koi", "+6")]
    stock = desk.model.cell(1, STOCK)
    assert (stock.base, stock.result) == ("24", "30")
    assert desk.foot.primary.words() == "Book 2 lines"
    QTest.keyClicks(desk.note.field.edit, "Delivery 4711")
    QTest.keyClick(desk.field, Key.Key_Return, Control)
    (batch,) = applied
    assert {(one.ref, one.intent) for one in batch.changes} == {
        (Ref(Resource.INVENTORY, 1234), AddStock(6)),
        (Ref(Resource.INVENTORY, 877), AddStock(1)),
    }
    assert batch.source == "receive:Delivery 4711"
    assert {draft.form.rpartition(":")[2] for draft in batch.drafts} == {"p1234", "p877"}
    assert rows(desk) == [] and not desk.foot.primary.isEnabled()
    QTest.keyClick(desk.field, Key.Key_Return, Control)
    assert len(applied) == 1, "nothing is left to book"


def test_a_number_that_is_typed_is_taken_before_booking(desk: ReceivePage, applied: list[Apply]) -> None:
    desk.take_scan("1234")
    QTest.keyClicks(desk.field, "12")
    QTest.keyClick(desk.field, Key.Key_Return, Control)
    assert [one.intent for one in applied[0].changes] == [AddStock(12)]


@pytest.mark.parametrize("typed", ["bud", "no such pet", label_code(877)])
def test_what_asks_for_a_pet_is_neither_booked_unseen_nor_lost(
    desk: ReceivePage, window: MainWindow, applied: list[Apply], typed: str
) -> None:
    desk.take_scan("1234")
    QTest.keyClicks(desk.field, typed)
    QTest.keyClick(desk.field, Key.Key_Return, Control)
    toast = window.after_paint.notifier.toast
    assert toast.isVisible() and toast.words().startswith("Not booked yet: ")
    assert (desk.field.text(), rows(desk), applied) == (typed, [("Koi", "+1")], [])


def test_a_number_that_no_line_can_have_is_not_booked_as_another(
    desk: ReceivePage, window: MainWindow, applied: list[Apply]
) -> None:
    desk.take_scan("1234")
    QTest.keyClicks(desk.field, "=99999999999")
    QTest.keyClick(desk.field, Key.Key_Return, Control)
    assert window.after_paint.notifier.toast.words().startswith("Enter a number from 0 to ")
    assert (rows(desk), applied) == ([("Koi", "+1")], [])


def test_a_number_that_is_typed_counts_when_the_next_scan_comes_before_enter(desk: ReceivePage) -> None:
    desk.take_scan("1234")
    QTest.keyClicks(desk.field, "12")
    desk.take_scan("877")
    assert rows(desk) == [("Budgerigar, sky blue", "+1"), ("Koi", "+12")]
    assert not desk.field.text()


def test_a_name_is_searched_and_the_same_pet_again_adds(desk: ReceivePage, qtbot: QtBot) -> None:
    enter(desk, "budg")
    qtbot.waitUntil(lambda: rows(desk) == [("Budgerigar, sky blue", "+1")])
    enter(desk, "4")
    desk.take_scan("877")
    assert rows(desk) == [("Budgerigar, sky blue", "+5")]
    assert desk.last.accessibleName()


def test_a_number_is_never_a_pet_whose_id_only_begins_so(desk: ReceivePage) -> None:
    enter(desk, "12")
    assert rows(desk) == []
    enter(desk, "87")
    assert rows(desk) == []
    desk.clear_field()
    enter(desk, "1234")
    assert rows(desk) == [("Koi", "+1")]


def test_the_pet_of_a_code_is_no_longer_asked_for_when_its_line_is_taken_out(desk: ReceivePage) -> None:
    desk.take_scan("7777788888")
    line = desk.model.rows[0]
    desk.ask_pet_of(line.code)
    assert "7777788888" in desk.hint.text()
    desk.delivery.drop(line.place)
    assert "7777788888" not in desk.hint.text()
    enter(desk, "koi")
    assert rows(desk) == [("Koi", "+1")]
    desk.take_scan("7777788888")
    assert len(desk.delivery.codes) == 1, "nothing was taught"


def test_rows_are_changed_by_a_number_and_taken_out_by_delete(desk: ReceivePage, qtbot: QtBot) -> None:
    desk.take_scan("1234")
    desk.take_scan("877")
    QTest.keyClick(desk.field, Key.Key_Down)
    desk.list.show_row(1)
    QTest.keyClicks(desk.list, "9")
    editor = QApplication.focusWidget()
    assert editor is not None
    QTest.keyClick(editor, Key.Key_Return)
    assert ("Koi", "+9") in rows(desk)
    row = [name for name, _ in rows(desk)].index("Koi")
    desk.list.show_row(row)
    QTest.keyClick(desk.list, Key.Key_Delete)
    assert rows(desk) == [("Budgerigar, sky blue", "+1")]
    desk.list.setFocus()
    QTest.keyClick(desk.list, Key.Key_Z, Control)
    assert ("Koi", "+9") in rows(desk)


def test_an_unknown_code_is_the_first_row_and_blocks_nothing_until_its_pet_is_chosen(
    desk: ReceivePage, shop: RecordingShop, qtbot: QtBot
) -> None:
    desk.take_scan(EAN)
    enter(desk, "3")
    desk.take_scan("1234")
    assert rows(desk) == [(f"No pet: {EAN}", "+3"), ("Koi", "+1")]
    assert desk.model.cell(0, AT).text == "Choose its pet"
    assert desk.foot.primary.words() == "Book 1 line"
    desk.list.pressed_on.emit(desk.model.index(0, AT))
    assert EAN in desk.hint.text()
    enter(desk, "budg")
    qtbot.waitUntil(lambda: ("Budgerigar, sky blue", "+3") in rows(desk))
    assert shop.views.codes == Codes({EAN: (877,)})
    desk.take_scan(EAN)
    assert ("Budgerigar, sky blue", "+4") in rows(desk)
    desk.undo_button.click()
    desk.undo_button.click()
    assert (f"No pet: {EAN}", "+3") in rows(desk)
    assert shop.views.codes == Codes()


def test_escape_gives_up_the_question_before_it_leaves_the_desk(desk: ReceivePage, window: MainWindow) -> None:
    desk.take_scan(EAN)
    desk.list.pressed_on.emit(desk.model.index(0, AT))
    QTest.keyClick(desk.field, Key.Key_Escape)
    assert EAN not in desk.hint.text() and window.page() is desk
    enter(desk, "3")
    assert rows(desk) == [(f"No pet: {EAN}", "+3")]
    QTest.keyClick(desk.field, Key.Key_Escape)
    assert window.tab() is not None


def test_the_price_says_what_it_leaves_and_what_holds_it_up(
    desk: ReceivePage, shop: RecordingShop, qtbot: QtBot
) -> None:
    shop.price_of = lambda changes: Price(len(changes), seconds=130.0, leaves_of_day=745, day_limit=1000)
    desk.take_scan("1234")
    said = "1 request, about 2 min, leaves 745 of 1,000 today"
    qtbot.waitUntil(lambda: desk.foot.price.text() == said)
    shop.events.tell(LinkMoved(CONNECTION, Link.OFFLINE, NOON))
    said = "1 request, waits until the service can be reached, leaves 745 of 1,000 today"
    qtbot.waitUntil(lambda: said in desk.foot.price.text())
    QTest.keyClick(desk.field, Key.Key_Z, Control)
    assert not desk.foot.price.isVisible(), "nothing to book costs nothing"


def test_a_batch_that_costs_much_is_asked_about_as_a_whole(
    desk: ReceivePage, shop: RecordingShop, applied: list[Apply], window: MainWindow, qtbot: QtBot
) -> None:
    shop.price_of = lambda changes: Price(len(changes), seconds=9_000.0, leaves_of_day=0, day_limit=2, days=1)
    shop.events.tell(QuotaMoved(CONNECTION, Quota(day=QuotaWindow(1000, 1, NOON + 60))))
    qtbot.wait(50)
    desk.take_scan("1234")
    desk.take_scan("877")
    QTest.keyClick(desk.field, Key.Key_Return, Control)
    qtbot.waitUntil(lambda: any(one.isVisible() for one in window.findChildren(Dialog)))
    (dialog,) = (one for one in window.findChildren(Dialog) if one.isVisible())
    assert len(rows(desk)) == 2 and not applied, "until it is agreed to nothing is handed over"
    dialog.accept()
    (batch,) = applied
    assert len(batch.changes) == len(batch.drafts) == 2


def test_a_disk_that_takes_nothing_is_said_at_the_foot(desk: ReceivePage, shop: RecordingShop, qtbot: QtBot) -> None:
    desk.take_scan("1234")
    (line,) = desk.delivery.entries()
    shop.events.tell(DraftsMoved(CONNECTION, unsaved=(line.form,)))
    qtbot.waitUntil(lambda: desk.foot.safe.text().startswith("Not saved"))
    desk.take_scan("1234")
    qtbot.waitUntil(lambda: desk.foot.safe.text().startswith("Saved as you scan"))


def test_two_pets_with_one_code_are_offered_and_the_scan_is_not_lost(
    desk: ReceivePage, shop: RecordingShop, qtbot: QtBot
) -> None:
    desk.desk.codes = Codes({EAN: (1234, 877)})
    desk.take_scan(EAN)
    assert rows(desk) == [(f"No pet: {EAN}", "+1")]
    assert [ref.key for ref in desk.suggestions.model.rows] == [1234, 877]
    QTest.keyClick(desk.field, Key.Key_Down)
    QTest.keyClick(desk.field, Key.Key_Return)
    assert rows(desk) == [("Budgerigar, sky blue", "+1")]
    assert desk.desk.codes == Codes({EAN: (1234, 877)}), "both have the code still"


def test_a_pet_without_stock_is_not_booked_and_says_so(desk: ReceivePage) -> None:
    desk.take_scan("1422")
    assert desk.model.cell(0, STOCK).text == "no stock entry"
    assert desk.foot.primary.words() == "Book" and not desk.foot.primary.isEnabled()


def test_what_is_left_is_found_again_by_another_window(
    desk: ReceivePage, window: MainWindow, shop: RecordingShop, qtbot: QtBot
) -> None:
    desk.take_scan("1234")
    desk.take_scan(EAN)
    QTest.keyClick(desk.field, Key.Key_Escape)
    assert window.tab() is not None and not window.parts.scans.taken
    again = open_station(window, qtbot)
    assert again is not desk
    assert rows(again) == [(f"No pet: {EAN}", "+1"), ("Koi", "+1")]
    assert window.parts.scans.taken


def test_a_batch_that_could_not_be_written_stands_there_again(
    desk: ReceivePage, applied: list[Apply], shop: RecordingShop, qtbot: QtBot
) -> None:
    desk.take_scan("1234")
    shop.accept = False
    QTest.keyClick(desk.field, Key.Key_Return, Control)
    (batch,) = applied
    assert rows(desk) == []
    shop.events.tell(NotSaved(CONNECTION, batch.batch, StorageError("disk-full", path="journal.sqlite3")))
    qtbot.waitUntil(lambda: rows(desk) == [("Koi", "+1")])


def test_a_batch_that_could_not_be_written_is_booked_from_its_page_alone(
    desk: ReceivePage, applied: list[Apply], shop: RecordingShop, window: MainWindow, qtbot: QtBot
) -> None:
    desk.take_scan("1234")
    shop.accept = False
    QTest.keyClick(desk.field, Key.Key_Return, Control)
    (first,) = applied
    shop.events.tell(NotSaved(CONNECTION, first.batch, StorageError("disk-full", path="journal.sqlite3")))
    qtbot.waitUntil(lambda: rows(desk) == [("Koi", "+1")])
    desk.take_scan("1234")
    qtbot.waitUntil(lambda: bool(window.findChildren(ErrorDialog)))
    (dialog,) = window.findChildren(ErrorDialog)
    gone = QSignalSpy(dialog.destroyed)
    shop.accept = True
    QTest.keyClick(dialog, Key.Key_Return)
    qtbot.waitUntil(lambda: gone.count() == 1)
    assert applied == [first] and rows(desk) == [("Koi", "+2")]
    QTest.keyClick(desk.field, Key.Key_Return, Control)
    qtbot.waitUntil(lambda: len(applied) == 2)
    assert [change.intent for change in applied[1].changes] == [AddStock(2)]


def test_an_id_or_label_typed_in_full_counts_as_a_scan_and_a_long_number_as_an_unknown_code(
    desk: ReceivePage, qtbot: QtBot
) -> None:
    enter(desk, "1234")
    enter(desk, label_code(1234))
    assert rows(desk) == [("Koi", "+2")]
    enter(desk, "987654321")
    qtbot.waitUntil(lambda: len(rows(desk)) == 2)
    enter(desk, "#877")
    qtbot.waitUntil(lambda: len(rows(desk)) == 3)
    assert rows(desk) == [
        ("No pet: 987654321", "+1"),
        ("Budgerigar, sky blue", "+1"),
        ("Koi", "+2"),
    ]
    enter(desk, "nobody")
    qtbot.wait(50)
    assert len(rows(desk)) == 3


def test_an_id_that_was_mistyped_is_no_thousand_pieces(desk: ReceivePage, window: MainWindow, qtbot: QtBot) -> None:
    enter(desk, "1234")
    enter(desk, "1045")
    assert rows(desk) == [("Koi", "+1")] and desk.field.text() == ""
    assert window.after_paint.notifier.toast.words() == "No pet has the id 1045. To enter that many pieces, type =1045."
    enter(desk, "=1045")
    assert rows(desk) == [("Koi", "+1,045")]


def test_in_a_narrow_window_the_note_is_a_field_alone(desk: ReceivePage, window: MainWindow, qtbot: QtBot) -> None:
    desk.take_scan(EAN)
    window.resize(700, 560)
    qtbot.waitUntil(lambda: not desk.note.field.label.isVisible())
    assert desk.note.field.edit.placeholderText() == "Supplier note"
    assert not desk.hint.isVisible()
    desk.list.pressed_on.emit(desk.model.index(0, AT))
    assert desk.hint.isVisible(), "what is asked is shown all the same"


def test_in_a_low_window_the_note_stands_beside_the_field_and_below_it_again_in_a_high_one(
    desk: ReceivePage, window: MainWindow, qtbot: QtBot
) -> None:
    def apart() -> int:
        return desk.note.mapTo(desk, QPoint(0, 0)).y() - desk.field.mapTo(desk, QPoint(0, 0)).y()

    window.resize(800, 460)
    qtbot.waitUntil(lambda: abs(apart()) < desk.field.height() and desk.note.width() > 100)
    assert desk.field.width() > desk.note.width()
    window.resize(800, 800)
    qtbot.waitUntil(lambda: apart() >= desk.field.height())


def test_where_a_name_has_no_room_the_stock_gives_way(desk: ReceivePage, qtbot: QtBot) -> None:
    desk.take_scan("1234")
    for width, hidden in ((500, True), (700, False)):
        desk.list.resized.emit(width)
        assert desk.list.isColumnHidden(STOCK) is hidden


def test_the_note_is_kept_for_the_next_delivery_of_the_day_and_not_for_another(
    desk: ReceivePage, window: MainWindow, shop: RecordingShop, qtbot: QtBot
) -> None:
    desk.note.field.edit.setFocus()
    QTest.keyClicks(desk.note.field.edit, "4711")
    desk.take_scan("1234")
    QTest.keyClick(desk.field, Key.Key_Return, Control)
    QTest.keyClick(desk.field, Key.Key_Escape)
    qtbot.waitUntil(lambda: "receive-note" in shop.desk.drafts)
    again = open_station(window, qtbot)
    assert again.note.text() == "4711"
    QTest.keyClick(again.field, Key.Key_Escape)
    shop.clock.advance(86_400)
    shop.desk.expire()
    assert open_station(window, qtbot).note.text() == ""


def test_labels_are_offered_for_what_came_with_as_many_copies(
    desk: ReceivePage, window: MainWindow, qtbot: QtBot
) -> None:
    lines = (StationLine(Ref(Resource.PETS, 1234), 6),)
    desk.take_scan("1234")
    enter(desk, "6")
    assert desk.label_lines() == lines
    QTest.keyClick(desk.field, Key.Key_Return, Control)
    assert desk.label_lines() == lines, "also after they were booked"
    given: list[object] = []
    window.parts.navigation.hosted.connect(given.append)
    window.parts.actions["labels"].trigger()
    assert given == [("labels", lines)]


def test_then_print_labels_opens_labels_with_these_lines_and_is_remembered(
    desk: ReceivePage, window: MainWindow, qtbot: QtBot
) -> None:
    given: list[object] = []
    window.parts.navigation.hosted.connect(given.append)
    assert desk.labels.isVisible()
    QTest.mouseClick(desk.labels, Qt.MouseButton.LeftButton)
    desk.take_scan("877")
    QTest.keyClick(desk.field, Key.Key_Return, Control)
    assert given == [("labels", (StationLine(Ref(Resource.PETS, 877), 1),))]
    again = open_station(window, qtbot)
    qtbot.waitUntil(again.labels.isChecked)


@pytest.mark.parametrize("scanned", ["1234", ""])
def test_tab_goes_over_the_desk_as_it_is_read(desk: ReceivePage, scanned: str) -> None:
    if scanned:
        desk.take_scan(scanned)
    seen: list[str] = []
    focused: QWidget | None = desk.field
    while focused is not None and focused.objectName() not in seen and desk.isAncestorOf(focused):
        seen.append(focused.objectName())
        QTest.keyClick(focused, Key.Key_Tab)
        focused = QApplication.focusWidget()
    assert focused is not None and focused.objectName() == "shopButton", "from the last on to the window"
    assert seen == [
        "scanField",
        "pasteLines",
        *(["deskUndo"] if scanned else []),
        "deskClose",
        "receiveLines",
        *(["receiveList"] if scanned else []),
        "supplierNote",
        "thenLabels",
        *(["deskPrimary"] if scanned else []),
    ]


def test_scans_come_to_the_open_desk_whatever_has_the_keyboard_and_to_the_window_after_it(
    desk: ReceivePage, window: MainWindow
) -> None:
    marks: list[ScanMark] = []
    window.parts.scans.marked.connect(marks.append)
    QTest.keyClicks(desk.field, "12")
    window.parts.scans.came(Scan("1234", 0.0))
    desk.note.field.setFocus()
    window.parts.scans.came(Scan("1234", 1.0))
    window.tabs.setFocus()
    window.parts.scans.came(Scan(EAN, 2.0))
    assert rows(desk) == [(f"No pet: {EAN}", "+1"), ("Koi", "+2")]
    assert [mark.outcome for mark in marks] == ["found", "found", "unknown"]
    QTest.keyClick(desk.field, Key.Key_Escape)
    window.parts.scans.came(Scan("1234", 3.0))
    assert window.tab() is not None, "the pet’s stock, as without a desk"
    assert rows(open_again(window)) == [(f"No pet: {EAN}", "+1"), ("Koi", "+2")]


@pytest.mark.parametrize("tab", [name for name in TABS if name != "inventory"])
def test_a_scan_on_another_tab_leads_to_the_stock_and_not_into_a_hidden_delivery(
    desk: ReceivePage, window: MainWindow, tab: str
) -> None:
    """A delivery that was left open on the Inventory tab grew by what was scanned on another, typed number and all."""
    window.parts.scans.came(Scan("1234", 0.0))
    QTest.keyClicks(desk.field, "22")
    window.show_tab(tab)
    marks: list[ScanMark] = []
    window.parts.scans.marked.connect(marks.append)
    window.parts.scans.came(Scan(EAN, 1.0))
    assert [mark.outcome for mark in marks] == ["unknown"] and window.after_paint.scanning.which.isVisible()
    assert rows(desk) == [("Koi", "+1")] and desk.field.text() == "22"
    window.parts.scans.came(Scan("877", 2.0))
    assert marks[-1].outcome == "found"
    shown = window.tab()
    assert shown is not None and shown.current_ref() == Ref(Resource.INVENTORY, 877)
    assert rows(open_again(window)) == [("Koi", "+1")]


def open_again(window: MainWindow) -> ReceivePage:
    window.parts.actions["receive"].trigger()
    page = window.page()
    assert isinstance(page, ReceivePage)
    return page


def test_pasted_lines_become_lines(desk: ReceivePage) -> None:
    text = "Item\tPieces\n1234\t6\nKoi\t+2\n4006381333931;3\r\n877\n1234\t0\n\n"
    assert pasted_lines(desk.desk, text, 100).lines == [
        ("1234", 1234, 6),
        ("Koi", 1234, 2),
        (EAN, None, 3),
        ("877", 877, 1),
    ]
    QApplication.clipboard().setText(text)
    QTest.keyClick(desk.field, Key.Key_V, Control)
    assert rows(desk) == [(f"No pet: {EAN}", "+3"), ("Budgerigar, sky blue", "+1"), ("Koi", "+8")]


@pytest.mark.usefixtures("nothing_goes_by_itself")
def test_what_a_desk_says_goes_with_what_it_is_about(
    desk: ReceivePage, window: MainWindow, shop: RecordingShop, qtbot: QtBot
) -> None:
    """The plate "Koi +1" stood over a scan that was undone, over a line that was booked, and over a closed desk; "still
    in the field" over an empty one; and the station named a stock that had moved."""
    desk.take_scan("1234")
    plate = window.after_paint.scanning.marks.plate
    assert plate is not None and plate.isVisible()
    window.parts.actions["undo"].trigger()
    qtbot.waitUntil(lambda: not plate.isVisible())
    assert not desk.last.shown()
    desk.take_scan("1234")
    assert plate.isVisible()
    desk.go()
    qtbot.waitUntil(lambda: not plate.isVisible())
    desk.take_scan("877")
    assert plate.isVisible()
    QTest.keyClick(desk.field, Key.Key_Escape)
    qtbot.waitUntil(lambda: not plate.isVisible())


def test_the_station_says_the_stock_as_it_is_now(desk: ReceivePage, shop: RecordingShop, qtbot: QtBot) -> None:
    desk.take_scan("1234")
    shop.tell_rows(Resource.INVENTORY, [InventoryItem(1234, 30, "available")], done=False)
    qtbot.waitUntil(lambda: "In stock 30 31" in said_at(desk))


def said_at(desk: ReceivePage) -> str:
    """What the station says of what is in hand."""
    return " ".join(one.accessibleName() for one in desk.last.findChildren(QWidget) if one.isVisibleTo(desk))


@pytest.mark.usefixtures("nothing_goes_by_itself")
def test_what_was_said_of_the_field_goes_with_what_is_in_it(
    desk: ReceivePage, window: MainWindow, qtbot: QtBot
) -> None:
    desk.take_scan("1234")
    QTest.keyClicks(desk.field, "budg")
    QTest.keyClick(desk.field, Key.Key_Return, Control)
    toast = window.after_paint.notifier.toast
    assert toast.isVisible()
    desk.field.clear()
    qtbot.waitUntil(lambda: not toast.isVisible())
    enter(desk, "1045")
    assert toast.isVisible() and toast.words().startswith("No pet has the id")
    desk.take_scan("877")
    qtbot.waitUntil(lambda: not toast.isVisible())


def test_a_scan_brings_the_keyboard_back_for_its_number(desk: ReceivePage, window: MainWindow) -> None:
    desk.note.field.edit.setFocus()
    window.parts.scans.came(Scan("1234", 0.0))
    assert desk.field.hasFocus()


def test_the_line_of_a_pet_made_here_is_booked_under_its_number_after_a_restart(
    window: MainWindow, applied: list[Apply], shop: RecordingShop, qtbot: QtBot
) -> None:
    """Its line was named by what this computer had called it, and could not be booked in a later run."""
    made = LocalId("0" * 32)
    form = f"receive:b:plocal:{made.value}"
    draft = Draft(form, NOON, {"count": "3", "typed": "3", "at": "1.0"})
    shop.events.tell(DraftsMoved(CONNECTION, (draft,), numbers={made: 1234}))
    qtbot.waitUntil(lambda: form in shop.desk.drafts)
    desk = open_station(window, qtbot)
    assert rows(desk) == [("Koi", "+3")]
    desk.take_scan("1234")
    assert rows(desk) == [("Koi", "+4")], "of one pet there is one line"
    QTest.keyClick(desk.field, Key.Key_Return, Control)
    (batch,) = applied
    assert [(one.ref, one.intent) for one in batch.changes] == [(Ref(Resource.INVENTORY, 1234), AddStock(4))]
    assert [one.form for one in batch.drafts] == [form]


def test_the_line_of_a_pet_made_here_is_booked_once_the_service_has_numbered_it(
    desk: ReceivePage, window: MainWindow, applied: list[Apply], shop: RecordingShop, qtbot: QtBot
) -> None:
    made = LocalId.new()
    window.parts.edits.apply((NewChange(Ref(Resource.PETS, made), Create({"name": "Newt", "status": "available"})),))
    qtbot.waitUntil(lambda: shop.desk.title(Ref(Resource.PETS, made)) == "Newt")
    desk.take_pet(Ref(Resource.PETS, made))
    assert desk.model.cell(0, STOCK).text == "no stock entry" and not desk.foot.primary.isEnabled()
    (create,) = shop.journal.values()
    shop.tell_rows(Resource.INVENTORY, [InventoryItem(5555, 0, "available")], done=False)
    sent = replace(create, state=ChangeState.DONE, result_key=5555)
    shop.events.tell(ChangesMoved(CONNECTION, (sent,)))
    qtbot.waitUntil(desk.foot.primary.isEnabled)
    desk.take_pet(Ref(Resource.PETS, 5555))
    assert rows(desk) == [("Newt", "+2")]
    desk.undo_button.click()
    desk.undo_button.click()
    assert rows(desk) == []
    desk.take_pet(Ref(Resource.PETS, made))
    QTest.keyClick(desk.field, Key.Key_Return, Control)
    assert [one.ref for one in applied[-1].changes] == [Ref(Resource.INVENTORY, 5555)]


def test_a_desk_that_was_closed_is_told_nothing_more(desk: ReceivePage, window: MainWindow, qtbot: QtBot) -> None:
    delivery = desk.delivery
    QTest.keyClick(desk.field, Key.Key_Escape)
    qtbot.waitUntil(lambda: not isValid(desk))
    delivery.scan(877)
    assert rows(open_station(window, qtbot)) == [("Budgerigar, sky blue", "+1")]
