"""Stocktake in the window: scans and numbers, what is hidden, what is offered, and how a count ends."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from petstore_desktop.desk.stocktake.count import Progress
from petstore_desktop.desk.stocktake.drafts import Scope
from petstore_desktop.desk.values.text import LocaleForms, Separators
from petstore_desktop.domain.changes import AddStock, ChangeState, Create, NewChange
from petstore_desktop.domain.codes import Codes
from petstore_desktop.domain.records import InventoryItem, LocalId, Pet, Ref, Resource, Row
from petstore_desktop.domain.seen_changes import SeenChange, What, Who
from petstore_desktop.sync.wire.events import ChangesMoved, Link, LinkMoved, LoadEnded, LoadMoved, RowsChanged
from petstore_desktop.ui.context.scans import Scan
from petstore_desktop.ui.preview.preview_dialog import PreviewDialog
from petstore_desktop.ui.stocktake.progress import CountProgress
from petstore_desktop.ui.stocktake.stocktake_page import CODES, COUNTED, TO_COUNT, VARIANCES, StocktakePage
from petstore_desktop.ui.stocktake.stocktake_texts import preview_note
from petstore_desktop.ui.text.changes.history import source_words
from petstore_desktop.ui.widgets.labels import PlainLabel
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.recording_shop import CONNECTION, NOON, RecordingShop

KOI, BUDGIE = 1234, 877


def figures(page: StocktakePage) -> dict[object, tuple[int, int | None]]:
    return {pet: (line.counted, line.difference) for pet, line in page.count.lines.items()}


def bare(text: str) -> str:
    """Without bidi isolates."""
    return text.translate({0x2068: None, 0x2069: None})


def type_number(page: StocktakePage, number: str) -> None:
    QTest.keyClicks(page.field, number)
    QTest.keyClick(page.field, Qt.Key.Key_Return)


def shown(page: StocktakePage, place: int) -> list[list[str]]:
    """The texts of a page's rows."""
    model = page.models[place]
    return [[model.cell(row, column).text for column in range(model.columnCount())] for row in range(model.count())]


def counted_all(page: StocktakePage) -> None:
    """The Koi is one more, the budgerigar as it should be."""
    page.take_scan(str(KOI))
    type_number(page, "25")
    page.take_scan(str(BUDGIE))
    type_number(page, "3")


def look_is_answered(shop: RecordingShop) -> None:
    at = shop.clock.now().wall
    shop.events.tell(
        LoadMoved(CONNECTION, Resource.INVENTORY, 0, None), LoadEnded(CONNECTION, Resource.INVENTORY, at + 1)
    )


def preview_of(window: MainWindow) -> PreviewDialog:
    (dialog,) = [one for one in window.findChildren(QDialog) if one.isVisible()]
    assert isinstance(dialog, PreviewDialog)
    return dialog


def test_a_number_in_the_field_is_entered_by_the_next_scan(page: StocktakePage) -> None:
    page.take_scan(str(KOI))
    QTest.keyClicks(page.field, "12")
    page.take_scan(str(BUDGIE))
    page.take_scan(str(BUDGIE))
    assert page.field.text() == ""
    assert figures(page) == {KOI: (12, -12), BUDGIE: (2, -1)}
    assert [row[0] for row in shown(page, COUNTED)] == ["Budgerigar, sky blue", "Koi"]
    assert [row[0] for row in shown(page, TO_COUNT)] == ["<b>bold</b>"]


def test_a_name_that_is_typed_is_neither_lost_nor_is_the_count_closed_over_it(
    page: StocktakePage, window: MainWindow
) -> None:
    counted_all(page)
    QTest.keyClicks(page.field, "Guppy")
    page.go()
    assert page.field.text() == "Guppy" and not page.count.ended
    assert window.after_paint.notifier.toast.words().startswith("Not booked yet: ")


def test_each_scan_is_one_draft_and_another_window_goes_on_where_it_was(
    page: StocktakePage, window: MainWindow, shop: RecordingShop, qtbot: QtBot
) -> None:
    page.take_scan(str(KOI))
    page.take_scan(str(KOI))
    type_number(page, "9")
    kept = [form.rpartition(":")[2] for form, _ in shop.asked_for("keep_draft")]
    assert kept == ["head", "1234", "1234", "1234"]
    page.closed.emit()
    assert not isinstance(window.page(), StocktakePage)
    window.parts.actions["stocktake"].trigger()
    again = window.page()
    assert isinstance(again, StocktakePage)
    assert figures(again) == {KOI: (9, -15)}
    again.undo_button.click()
    assert figures(again) == {KOI: (2, -22)}


def test_a_scan_on_another_tab_counts_nothing_in_a_count_that_was_left_open(
    page: StocktakePage, window: MainWindow
) -> None:
    window.parts.scans.came(Scan(str(KOI), 0.0))
    window.show_tab("orders")
    window.parts.scans.came(Scan(str(KOI), 1.0))
    assert figures(page) == {KOI: (1, -23)}
    shown = window.tab()
    assert shown is not None and shown.current_ref() == Ref(Resource.INVENTORY, KOI)


def test_a_blind_count_hides_what_is_expected_until_the_next_scan(page: StocktakePage) -> None:
    page.blind.setChecked(True)
    page.take_scan(str(KOI))
    assert shown(page, COUNTED) == [["Koi", "1", "hidden", "", "counting"]]
    assert shown(page, VARIANCES) == []
    page.take_scan(str(BUDGIE))
    assert shown(page, COUNTED)[1][1:4] == ["1", "24", "−23"]
    assert [row[1] for row in shown(page, VARIANCES)] == ["Koi"]


def test_an_unknown_code_is_kept_and_comes_to_the_pet_that_is_chosen(
    page: StocktakePage, window: MainWindow, shop: RecordingShop, qtbot: QtBot
) -> None:
    page.take_scan("4006381333931")
    page.take_scan("4006381333931")
    assert shown(page, CODES)[0][:2] == ["4006381333931", "2"]
    page.ask_pet("4006381333931")
    field = window.findChild(QLineEdit, "whichPetField")
    assert field is not None
    QTest.keyClicks(field, "koi")
    QTest.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(page.count.lines))
    assert shop.desk.codes is not None
    assert shop.desk.codes.of("4006381333931") == (KOI,)
    assert figures(page) == {KOI: (2, -22)}
    assert shown(page, CODES) == []


def test_a_code_of_two_pets_is_offered(page: StocktakePage, shop: RecordingShop) -> None:
    shop.desk.codes = Codes({"4006381333931": (KOI, BUDGIE)})
    page.take_scan("4006381333931")
    assert page.suggestions.model.rows == (Ref(Resource.PETS, KOI), Ref(Resource.PETS, BUDGIE))
    QTest.keyClick(page.field, Qt.Key.Key_Down)
    QTest.keyClick(page.field, Qt.Key.Key_Return)
    assert figures(page) == {BUDGIE: (1, -2)}
    assert shown(page, CODES) == []


def test_a_number_after_a_code_of_no_pet_or_of_two_is_the_codes(page: StocktakePage, shop: RecordingShop) -> None:
    shop.desk.codes = Codes({"4006381333931": (KOI, BUDGIE)})
    page.take_scan(str(KOI))
    type_number(page, "24")
    for code in ("4006381333931", "96385074"):
        page.take_scan(code)
        type_number(page, "12")
        assert figures(page) == {KOI: (24, 0)}
    assert [row[:2] for row in shown(page, CODES)] == [["96385074", "12"], ["4006381333931", "12"]]
    stored = {form.rpartition(":")[2]: content for form, content in shop.asked_for("keep_draft")}
    assert stored["4006381333931"]["scans"] == stored["96385074"]["scans"] == "12"


def test_scans_of_a_code_of_two_pets_are_kept_and_all_go_to_the_pet_that_is_chosen(
    page: StocktakePage, shop: RecordingShop
) -> None:
    shop.desk.codes = Codes({"4006381333931": (KOI, BUDGIE)})
    for _ in range(5):
        page.take_scan("4006381333931")
    page.take_scan(str(KOI))
    assert [row[:2] for row in shown(page, CODES)] == [["4006381333931", "5"]]
    page.lists[CODES].pressed_on.emit(page.codes.index(0, 0))
    QTest.keyClick(page.field, Qt.Key.Key_Down)
    QTest.keyClick(page.field, Qt.Key.Key_Return)
    assert figures(page) == {KOI: (1, -23), BUDGIE: (5, 2)}
    assert shown(page, CODES) == []
    page.undo_button.click()
    assert figures(page) == {KOI: (1, -23)}
    assert [row[:2] for row in shown(page, CODES)] == [["4006381333931", "5"]]


def test_a_recount_begins_anew(page: StocktakePage) -> None:
    page.take_scan(str(KOI))
    type_number(page, "20")
    QTest.keyClick(page.lists[COUNTED], Qt.Key.Key_Delete)
    assert figures(page) == {}
    type_number(page, "24")
    assert figures(page) == {KOI: (24, 0)}


def test_without_variances_nothing_is_sent(page: StocktakePage, shop: RecordingShop, qtbot: QtBot) -> None:
    page.take_scan(str(BUDGIE))
    type_number(page, "3")
    assert (page.foot.primary.words(), page.foot.primary.accessibleDescription()) == ("Finish: nothing to send", "")
    QTest.keyClick(page.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: page.count.ended)
    assert shop.asked_for("apply") == []
    assert page.foot.primary.words() == "New count"


def test_differences_are_booked_after_one_look_and_end_the_count_with_them(
    page: StocktakePage, window: MainWindow, shop: RecordingShop, qtbot: QtBot
) -> None:
    counted_all(page)
    assert page.foot.primary.words() == "Review 1 variance"
    qtbot.waitUntil(lambda: page.foot.primary.accessibleDescription() == "2 requests")  # the list is read first
    page.go()
    assert shop.asked_for("refresh") == [(Resource.INVENTORY,)]
    look_is_answered(shop)
    qtbot.waitUntil(lambda: bool([one for one in window.findChildren(PreviewDialog) if one.isVisible()]))
    dialog = preview_of(window)
    assert [(row.ref.key, row.ticked) for row in dialog.preview.rows] == [(KOI, True)]
    qtbot.waitUntil(dialog.primary.isEnabled)
    dialog.primary.click()
    ((booked,),) = shop.asked_for("apply")
    assert (booked.ref, booked.intent) == (Ref(Resource.INVENTORY, KOI), AddStock(1))
    assert shop.sources == ["count:All stock"]
    assert bare(source_words(shop.sources[0])) == "Stocktake: All stock"
    qtbot.waitUntil(lambda: page.count.ended)
    assert page.count.head.booked == (KOI,)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(page.field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert len(shop.asked_for("undo_batch")) == 1


@pytest.fixture
def moment_s() -> Iterator[float]:
    """How long two presses count as one: longer than usual, so that a slow machine does not part them."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    before = app.doubleClickInterval()
    app.setDoubleClickInterval(1_000)
    yield 1.0
    app.setDoubleClickInterval(before)


@pytest.mark.parametrize("held", [False, True], ids=["twice", "held"])
def test_a_second_ctrl_enter_in_the_preview_begins_no_new_count(
    page: StocktakePage, window: MainWindow, shop: RecordingShop, qtbot: QtBot, moment_s: float, held: bool
) -> None:
    """It booked and began a new count at once: what was counted left the page, and undo did not bring it back."""
    counted_all(page)
    page.go()
    look_is_answered(shop)
    qtbot.waitUntil(lambda: bool([one for one in window.findChildren(PreviewDialog) if one.isVisible()]))
    dialog = preview_of(window)
    qtbot.waitUntil(dialog.primary.isEnabled)
    again, control = Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier
    QTest.keyClick(dialog.windowHandle(), again, control)
    assert not isValid(dialog) or not dialog.isVisible()
    qtbot.waitUntil(lambda: page.count.ended)
    if held:
        qtbot.wait(round(moment_s * 1_200))
        for kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            QApplication.sendEvent(window.windowHandle(), QKeyEvent(kind, again, control, "\r", autorep=True))
    else:
        QTest.keyClick(window.windowHandle(), again, control)
    assert page.count.ended and len(page.count.lines) == 2
    qtbot.wait(round(moment_s * 1_200))
    QTest.keyClick(window.windowHandle(), again, control)
    assert not page.count.ended and not page.count.lines, "a press of its own does begin one"
    window.parts.actions["undo"].trigger()
    assert page.count.ended and len(shown(page, COUNTED)) == 2, "which undo takes back, and then the booking"
    assert shop.asked_for("undo_batch") == []
    window.parts.actions["undo"].trigger()
    assert len(shop.asked_for("undo_batch")) == 1


def test_what_was_left_out_of_the_preview_or_taken_in_is_so_when_it_is_opened_again(
    page: StocktakePage, window: MainWindow, shop: RecordingShop, qtbot: QtBot
) -> None:
    """After Cancel every line was ticked again as the check left it."""
    shop.events.tell(LinkMoved(CONNECTION, Link.OFFLINE, NOON, None))  # so that no line is sure
    for pet in (KOI, BUDGIE):
        page.take_scan(str(pet))
        type_number(page, "25")
    qtbot.waitUntil(lambda: page.foot.primary.accessibleDescription() == "waits")
    page.go()
    first = preview_of(window)
    assert {row.ref.key: row.ticked for row in first.preview.rows} == {KOI: False, BUDGIE: False}
    rows = {row.ref.key: place for place, row in enumerate(first.preview.rows)}
    first.preview.tick(rows[KOI], True)
    first.preview.tick(rows[BUDGIE], True)
    first.preview.tick(rows[BUDGIE], False)
    first.reject()
    assert [page.variances.is_ticked(pet) for pet in (KOI, BUDGIE)] == [True, False]
    page.go()
    assert {row.ref.key: row.ticked for row in preview_of(window).preview.rows} == {KOI: True, BUDGIE: False}
    preview_of(window).reject()
    page.take_scan(str(KOI))
    page.go()
    assert not any(row.ticked for row in preview_of(window).preview.rows), "it was counted again, and is not sure"


def test_a_line_that_moved_about_when_it_was_counted_is_not_ticked(
    page: StocktakePage, window: MainWindow, shop: RecordingShop, qtbot: QtBot
) -> None:
    counted_all(page)
    ref = Ref(Resource.INVENTORY, KOI)
    sold = SeenChange(ref, What.CHANGED, Who.ELSEWHERE, "quantity", 24, 23, NOON - 60, NOON + 5, {}, "Koi")
    shop.past.single = {ref: (sold,)}
    shop.events.tell(RowsChanged(CONNECTION, Resource.INVENTORY, (Row(KOI, InventoryItem(KOI, 23), NOON + 5),)))
    page.go()
    look_is_answered(shop)
    qtbot.waitUntil(lambda: bool([one for one in window.findChildren(PreviewDialog) if one.isVisible()]))
    dialog = preview_of(window)
    assert [(row.ticked, row.left_out) for row in dialog.preview.rows] == [(False, "count-unclear")]
    assert not dialog.primary.isEnabled()
    assert "recount" in shown(page, VARIANCES)[0][5]


def test_offline_the_lines_are_left_to_the_person(
    page: StocktakePage, window: MainWindow, shop: RecordingShop, qtbot: QtBot
) -> None:
    counted_all(page)
    shop.events.tell(LinkMoved(CONNECTION, Link.OFFLINE, NOON, None))
    qtbot.waitUntil(lambda: page.foot.primary.accessibleDescription() == "waits")
    page.go()
    assert shop.asked_for("refresh") == []
    assert [(row.ticked, row.left_out) for row in preview_of(window).preview.rows] == [(False, "count-unread")]


def test_a_pet_that_is_not_sent_yet_is_judged_without_asking_the_history(
    page: StocktakePage, window: MainWindow, shop: RecordingShop, qtbot: QtBot
) -> None:
    local = LocalId("0" * 32)
    counted_all(page)
    page.take_pet(Ref(Resource.PETS, local))
    page.go()
    look_is_answered(shop)
    qtbot.waitUntil(lambda: bool([one for one in window.findChildren(PreviewDialog) if one.isVisible()]))
    assert page.variances.standings[local].why == "no-entry"
    assert shop.past.asked == [("changes_of", Ref(Resource.INVENTORY, KOI))]
    assert [(row.ref.key, row.ticked) for row in preview_of(window).preview.rows] == [(KOI, True)]


def test_a_pet_that_is_not_to_be_counted_is_not_ticked_and_the_preview_says_what_is_left(
    page: StocktakePage, window: MainWindow, shop: RecordingShop, qtbot: QtBot
) -> None:
    page.cover(Scope("pets", (KOI,), "Pond"))
    for code in (BUDGIE, 4006381333931):
        page.take_scan(str(code))
    page.go()
    look_is_answered(shop)
    qtbot.waitUntil(lambda: bool([one for one in window.findChildren(PreviewDialog) if one.isVisible()]))
    assert [(row.ticked, row.left_out) for row in preview_of(window).preview.rows] == [(False, "count-beside")]
    assert preview_note(page.count, 0) == "1 pet is not counted. 1 code is unknown."


def test_counting_on_while_the_list_is_read_puts_the_review_off(
    page: StocktakePage, window: MainWindow, shop: RecordingShop
) -> None:
    """What is counted during the look was not judged by it."""
    page.take_scan(str(KOI))
    type_number(page, "25")
    page.go()
    page.take_scan(str(BUDGIE))
    type_number(page, "2")
    assert not page.booking.looks
    look_is_answered(shop)
    assert [one for one in window.findChildren(PreviewDialog) if one.isVisible()] == []
    page.go()
    assert len(shop.asked_for("refresh")) == 2


def test_nothing_is_counted_behind_the_preview(
    page: StocktakePage, window: MainWindow, shop: RecordingShop, qtbot: QtBot
) -> None:
    counted_all(page)
    page.go()
    look_is_answered(shop)
    qtbot.waitUntil(lambda: bool([one for one in window.findChildren(PreviewDialog) if one.isVisible()]))
    before = figures(page)
    page.take_scan(str(KOI))
    assert figures(page) == before
    preview_of(window).reject()
    page.take_scan(str(KOI))
    assert figures(page) != before


def test_what_is_typed_after_a_scan_is_for_what_was_scanned(page: StocktakePage, window: MainWindow) -> None:
    page.filter.setFocus()
    window.parts.scans.came(Scan(str(BUDGIE), 0.0))
    assert page.field.hasFocus()


def test_pets_without_a_stock_entry_are_named_and_hold_nothing_up(
    page: StocktakePage, window: MainWindow, shop: RecordingShop, qtbot: QtBot
) -> None:
    newt = Row(5555, Pet(5555, "Newt", "available", None), NOON + 1)
    shop.events.tell(RowsChanged(CONNECTION, Resource.PETS, (newt,)))
    qtbot.waitUntil(lambda: window.shop.desk.shop.name(Resource.PETS, 5555) == "Newt")
    page.take_scan("5555")
    type_number(page, "5")
    assert page.foot.primary.words() == "Finish: nothing to send"
    page.take_scan(str(KOI))
    type_number(page, "20")
    assert page.foot.primary.words().startswith("Review")
    page.go()
    look_is_answered(shop)
    qtbot.waitUntil(lambda: bool([one for one in window.findChildren(PreviewDialog) if one.isVisible()]))
    assert "1 counted pet has no stock entry, and is not booked." in preview_note(page.count, 0)


def test_a_number_with_the_groups_of_the_place_is_no_id_and_a_fraction_counts_nothing(
    page: StocktakePage, shop: RecordingShop
) -> None:
    shop.desk.shop.here = LocaleForms(Separators(".", ","))
    page.take_scan(str(BUDGIE))
    type_number(page, "1.234")
    assert {pet: line.counted for pet, line in page.count.lines.items()} == {BUDGIE: 1234}, "no Koi (#1234)"
    type_number(page, "1,234")
    assert {pet: line.counted for pet, line in page.count.lines.items()} == {BUDGIE: 1234}


def test_the_id_of_another_pet_is_that_pet_and_no_count_of_a_thousand(page: StocktakePage) -> None:
    page.take_scan(str(BUDGIE))
    type_number(page, "2")
    type_number(page, str(KOI))
    assert {pet: line.counted for pet, line in page.count.lines.items()} == {BUDGIE: 2, KOI: 1}
    type_number(page, "7")
    assert page.count.lines[KOI].counted == 7
    type_number(page, "4321")
    assert page.count.lines[KOI].counted == 4321, "no pet has this id"


def test_a_low_window_leaves_out_what_the_list_says_too(page: StocktakePage, window: MainWindow, qtbot: QtBot) -> None:
    page.take_scan(str(BUDGIE))
    for size, shown in (((1280, 800), True), ((700, 460), False), ((700, 760), True)):
        window.resize(*size)
        qtbot.waitUntil(lambda shown=shown: page.last.isVisible() is shown and page.progress.isVisible() is shown)
        assert page.field.height() >= page.field.sizeHint().height()


def test_every_category_has_its_progress_and_of_very_many_the_smallest_are_told_together(qtbot: QtBot) -> None:
    progress = CountProgress()
    qtbot.addWidget(progress)
    progress.show()

    def lines(count: int) -> list[str]:
        groups = [(f"Kind {n}", Progress(1, 30 - n)) for n in range(count)]
        progress.show_progress(Progress(count, sum(one.total for _, one in groups)), groups)
        labels = progress.findChildren(PlainLabel)
        return [
            label.text()
            for label in labels
            if label.isVisible() and ("Kind" in label.text() or "others" in label.text())
        ]

    assert lines(12) == [f"Kind {n} 1 of {30 - n}" for n in range(12)]
    assert lines(15)[-1] == "4 others: 4 of 70"
    assert len(lines(15)) == 12
    assert lines(1) == []
    lines(12)
    progress.set_narrow(True)
    assert lines(12) == []


def test_above_its_list_the_progress_is_one_line(qtbot: QtBot, window: MainWindow, page: StocktakePage) -> None:
    labels = [
        one for one in page.progress.findChildren(PlainLabel) if " of " in one.text() and "counted" not in one.text()
    ]
    assert len(labels) > 1
    for width, narrow in ((1280, False), (800, True), (1280, False)):
        window.resize(width, 800)
        qtbot.waitUntil(lambda narrow=narrow: [label.isHidden() for label in labels] == [narrow] * len(labels))


def test_the_filter_gives_way_to_the_words_of_the_pages(qtbot: QtBot, window: MainWindow, page: StocktakePage) -> None:
    for width in (1024, 1100, 1280):
        window.resize(width, 600)
        qtbot.waitUntil(lambda width=width: page.width() == width)
        words = page.pages.words()
        qtbot.waitUntil(lambda words=words: all(word.width() >= word.sizeHint().width() for word in words))
        assert page.filter.isVisible() and page.filter.width() >= page.filter.minimumSizeHint().width()


def test_what_is_entered_into_a_closed_count_stays_in_the_field_and_is_answered(
    page: StocktakePage, window: MainWindow
) -> None:
    said = list[str]()
    window.parts.scans.marked.connect(lambda mark: said.append(mark.words))
    page.count.head = replace(page.count.head, ended=NOON)
    page.renew()
    assert page.last.hint() == "This count is closed. Begin a new one to count."
    for typed in (str(KOI), "koi", "12"):
        page.field.clear()
        type_number(page, typed)
        assert page.field.text() == typed
    assert said == ["This count is closed. Begin a new one to count."] * 3
    assert figures(page) == {}
    page.go()
    assert page.last.hint() == "Scan the first pet, or type its id or name."
    page.field.clear()
    type_number(page, str(KOI))
    assert (page.field.text(), figures(page)) == ("", {KOI: (1, -23)})


@pytest.mark.usefixtures("nothing_goes_by_itself")
def test_the_plate_of_a_scan_goes_with_it_and_a_closed_count_has_nothing_in_hand(
    page: StocktakePage, window: MainWindow, shop: RecordingShop, qtbot: QtBot
) -> None:
    page.take_scan(str(KOI))
    plate = window.after_paint.scanning.marks.plate
    assert plate is not None and plate.isVisible()
    window.parts.actions["undo"].trigger()
    qtbot.waitUntil(lambda: not plate.isVisible())
    page.take_scan(str(BUDGIE))
    type_number(page, "3")
    page.count.close()
    qtbot.waitUntil(lambda: page.count.ended)
    page.count.take(("line", BUDGIE))  # as where another window closes it
    page.renew()
    assert not page.last.shown()
    page.count.reopen()
    qtbot.waitUntil(lambda: not page.count.ended)
    assert page.last.shown()


def test_what_is_counted_again_is_in_hand_and_said_to_be(page: StocktakePage) -> None:
    page.take_scan(str(KOI))
    QTest.keyClick(page.lists[COUNTED], Qt.Key.Key_Delete)
    assert page.count.pet_in_hand == KOI and page.last.shown()


def test_stock_that_comes_while_it_is_counted_is_to_be_counted_too(
    page: StocktakePage, window: MainWindow, shop: RecordingShop, qtbot: QtBot
) -> None:
    before = page.count.in_all().total
    shop.tell_rows(Resource.PETS, [Pet(5555, "Newt", None, "available")], done=False)
    shop.tell_rows(Resource.INVENTORY, [InventoryItem(5555, 2, "available")], done=False)
    qtbot.waitUntil(lambda: [row[0] for row in shown(page, TO_COUNT)].count("Newt") == 1)
    assert page.count.in_all().total == before + 1


def test_a_pet_made_here_is_counted_on_under_its_number_and_differs_then(
    page: StocktakePage, window: MainWindow, shop: RecordingShop, qtbot: QtBot
) -> None:
    made = LocalId.new()
    window.parts.edits.apply((NewChange(Ref(Resource.PETS, made), Create({"name": "Newt", "status": "available"})),))
    qtbot.waitUntil(lambda: shop.desk.title(Ref(Resource.PETS, made)) == "Newt")
    page.take_pet(Ref(Resource.PETS, made))
    assert figures(page) == {made: (1, None)}
    (create,) = shop.journal.values()
    shop.tell_rows(Resource.INVENTORY, [InventoryItem(5555, 0, "available")], done=False)
    shop.events.tell(ChangesMoved(CONNECTION, (replace(create, state=ChangeState.DONE, result_key=5555),)))
    qtbot.waitUntil(lambda: figures(page) == {5555: (1, None)})
    assert [row[0] for row in shown(page, COUNTED)] == ["Newt"]
    page.take_scan("5555")
    assert figures(page) == {5555: (2, 2)}
    page.undo_button.click()
    page.undo_button.click()
    assert figures(page) == {}
