"""What the window says about acts: those that were saved, sent, and lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from petstore_desktop.desk.changes.done_acts import CHECKS, MINIMUMS
from petstore_desktop.domain.changes import ChangeState, NewChange, Reason, SetFields
from petstore_desktop.domain.commands import Apply
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import Pet, Ref, Resource
from petstore_desktop.sync.wire.events import NotSaved, Undone
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.context.tab_specs import HostedPage
from petstore_desktop.ui.status import toast
from petstore_desktop.ui.status.toast import toast_room
from petstore_desktop.ui.widgets.dialogs import ErrorDialog
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import column, go_to, stock_tab, type_in_cell
from tests.ui.conftest import tab_of
from tests.ui.recording_shop import CONNECTION, RecordingShop

FULL = StorageError("disk-full", path="journal.sqlite3")


def error_dialogs(window: MainWindow) -> list[ErrorDialog]:
    return [one for one in window.findChildren(ErrorDialog) if one.isVisible()]


def words(dialog: QDialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisible())


def book(qtbot: QtBot, window: MainWindow, pet: int, text: str) -> None:
    tab = stock_tab(window)
    go_to(tab, pet, "stock")
    type_in_cell(qtbot, tab, text)


def test_each_act_that_a_full_disk_cost_is_named_in_one_dialog(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    shop.accept = False
    book(qtbot, window, 1234, "+7")
    book(qtbot, window, 877, "=5")
    batches = list(window.parts.edits.unsaved)
    shop.events.tell(*(NotSaved(CONNECTION, batch, FULL) for batch in batches))
    qtbot.waitUntil(lambda: bool(error_dialogs(window)))
    (dialog,) = error_dialogs(window)
    said = words(dialog)
    assert "The disk is full" in said
    assert "\u2068Koi\u2069 (#1234): +7" in said
    assert "\u2068Budgerigar, sky blue\u2069 (#877): stock set to 5" in said
    assert "Koi" in dialog.report()
    assert "(#877): stock set to 5" in dialog.report()
    assert not window.parts.edits.unsaved
    dialog.accept()


def test_several_different_changes_are_named_by_the_first_of_them_or_by_what_made_them(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    """The toast, Undo and Redo said "2 changes" of each of them."""
    shown = window.after_paint.notifier.toast
    several = tuple(
        NewChange(Ref(Resource.PETS, pet), SetFields({"status": status}), {"status": "pending"})
        for pet, status in ((1234, "sold"), (877, "available"))
    )
    for source, said in (("", "Koi (#1234): sold and 1 more change"), ("receive:N 7", "Received: N 7, 2 changes")):
        window.parts.edits.apply_now(several, source)
        qtbot.waitUntil(lambda said=said: shown.words().translate(_MARKS) == f"{said}, saved on this computer")
    undo = window.parts.actions["undo"]
    qtbot.waitUntil(lambda: undo.text().translate(_MARKS) == "&Undo Status of Koi (#1234) and 1 more change")


_MARKS = {0x2068: None, 0x2069: None}


def test_an_act_lost_while_the_dialog_is_open_is_added_to_it(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    shop.accept = False
    book(qtbot, window, 1234, "+7")
    (first,) = window.parts.edits.unsaved
    shop.events.tell(NotSaved(CONNECTION, first, FULL))
    qtbot.waitUntil(lambda: bool(error_dialogs(window)))
    (dialog,) = error_dialogs(window)
    height = dialog.height()
    window.parts.edits.apply(shop.asked_for("apply")[0])
    (second,) = window.parts.edits.unsaved
    shop.events.tell(NotSaved(CONNECTION, second, FULL))
    qtbot.waitUntil(lambda: words(dialog).count("+7") == 2)
    assert error_dialogs(window) == [dialog]
    qtbot.waitUntil(lambda: dialog.height() > height)
    dialog.accept()


def test_enter_does_again_what_a_full_disk_cost_until_it_is_saved(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    shop.accept = False
    book(qtbot, window, 1234, "+7")
    book(qtbot, window, 877, "=5")
    acts = shop.asked_for("apply")
    for tries in (1, 2):
        shop.accept = tries == 2
        shop.events.tell(*(NotSaved(CONNECTION, batch, FULL) for batch in list(window.parts.edits.unsaved)))
        qtbot.waitUntil(lambda: bool(error_dialogs(window)))
        (dialog,) = error_dialogs(window)
        qtbot.keyClick(dialog, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda tries=tries: len(shop.asked_for("apply")) == 2 * (1 + tries))
        assert shop.asked_for("apply")[-2:] == acts
    qtbot.waitUntil(lambda: shop.desk.outbox.unsent == 2)
    assert not error_dialogs(window)


@pytest.mark.parametrize("how", ["Esc", "Discard"])
def test_only_who_gives_up_lets_go_what_was_not_saved(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, how: str
) -> None:
    shop.accept = False
    book(qtbot, window, 1234, "+7")
    shop.events.tell(*(NotSaved(CONNECTION, batch, FULL) for batch in list(window.parts.edits.unsaved)))
    qtbot.waitUntil(lambda: bool(error_dialogs(window)))
    (dialog,) = error_dialogs(window)
    gone = QSignalSpy(dialog.destroyed)
    if how == "Esc":
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    else:
        dialog.findChild(QPushButton, "cancelButton").click()
    qtbot.waitUntil(lambda: gone.count() == 1)
    assert len(shop.asked_for("apply")) == 1


def test_a_toast_goes_when_its_act_is_undone_or_another_one_is_done(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    toast, edits = window.after_paint.notifier.toast, window.parts.edits
    book(qtbot, window, 1234, "+7")
    qtbot.waitUntil(lambda: toast.isVisible() and "+7" in toast.words())
    shop.events.tell(Undone(CONNECTION, shop.journal[1].batch, "undo", discarded=1))
    qtbot.waitUntil(lambda: not toast.isVisible())
    shop.events.tell(Undone(CONNECTION, shop.journal[1].batch, "undo", discarded=1, stuck=1))
    qtbot.waitUntil(lambda: toast.isVisible() and toast.words().startswith("Undone: "))  # of one that was refused
    edits.do(MINIMUMS, {"pets/1234": {"minimum": 10, "up_to": None}}, "minimum of Koi", "Minimum of Koi: 10", "saved")
    assert toast.isVisible()
    edits.do(CHECKS, {"below-zero": 1}, "a check")  # nothing is said of it
    assert not toast.isVisible()


def test_what_a_page_says_of_itself_stays_there(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    toast = window.after_paint.notifier.toast
    window.parts.say(Message("Select cells that form a block to copy them.", "warning"))
    QApplication.processEvents()
    window.show_tab("orders")
    assert not toast.isVisible()
    window.parts.say(Message("Koi is no longer there", "info"))
    window.show_tab("pets")  # the same act leads there
    QApplication.processEvents()
    assert toast.isVisible()
    window.parts.say(Message("3 pets are in pets.csv", "export", file="/pets.csv"))
    window.show_tab("inventory")
    assert toast.isVisible(), "the file can be opened from anywhere"


def test_a_toast_about_a_refusal_goes_when_a_person_has_decided(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    toast = window.after_paint.notifier.toast
    book(qtbot, window, 1234, "+7")
    qtbot.waitUntil(lambda: toast.isVisible())
    shop.move(1, ChangeState.REFUSED, Reason("refused", "no"))
    qtbot.waitUntil(lambda: toast.words().startswith("Refused: "))
    shop.move(1, ChangeState.DISCARDED)
    qtbot.waitUntil(lambda: not toast.isVisible())


def toast_rect(window: MainWindow) -> QRect:
    return window.after_paint.notifier.toast.geometry()


def test_the_toast_keeps_clear_of_the_row_that_is_edited_and_follows_it(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = tab_of(window)
    shop.tell_rows(Resource.PETS, [Pet(n, f"Guppy {n}", 1, "sold") for n in range(10_000, 10_100)])
    qtbot.waitUntil(lambda: tab.table.row_count == 104)
    tab.show_ref(tab.table.ref_at(0))
    window.parts.say(Message("Koi: +12, saved on this computer", undo="act"))
    low = toast_rect(window).top()

    def meets_current_row() -> bool:
        return toast_rect(window).intersects(toast_room(window.pages)[1])

    assert not meets_current_row()
    under = next(
        row for row in range(104) if _row_top(window, row) <= low + 10 < _row_top(window, row) + tab.view.rowHeight(row)
    )
    tab.view.setCurrentIndex(tab.model.index(under, column(tab, "name")))
    assert meets_current_row()
    qtbot.waitUntil(lambda: not meets_current_row())
    assert toast_rect(window).bottom() < toast_room(window.pages)[1].top()
    tab.view.edit(tab.view.currentIndex())
    tab.view.setCurrentIndex(tab.model.index(0, column(tab, "name")))
    qtbot.waitUntil(lambda: toast_rect(window).top() == low)


def test_the_toast_keeps_clear_of_the_row_that_was_edited_before_enter_went_on(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = tab_of(window)
    shop.tell_rows(Resource.PETS, [Pet(n, f"Guppy {n}", 1, "sold") for n in range(10_000, 10_100)])
    qtbot.waitUntil(lambda: tab.table.row_count == 104)
    height, bar = tab.view.rowHeight(0), tab.view.verticalScrollBar()
    for edited in range(10, 24):
        tab.view.setCurrentIndex(tab.model.index(edited + 1, column(tab, "name")))  # Enter went on to it
        bar.setValue(0)
        window.parts.say(Message(f"Guppy {edited}: +12, saved on this computer", undo="act"))
        for row in (edited, edited + 1):
            rows = QRect(0, _row_top(window, row), window.width(), height)
            if _row_top(window, row) + height <= window.height() - window.status.bar.height():
                assert not toast_rect(window).intersects(rows), f"{edited} was edited, and row {row} is covered"


def _row_top(window: MainWindow, row: int) -> int:
    view = tab_of(window).view
    return view.viewport().mapTo(window, QPoint(0, view.rowViewportPosition(row))).y()


def test_in_a_low_window_the_toast_covers_no_row(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    tab = tab_of(window)
    shop.tell_rows(Resource.PETS, [Pet(n, f"Guppy {n}", 1, "sold") for n in range(10_000, 10_100)])
    qtbot.waitUntil(lambda: tab.table.row_count == 104)
    window.resize(1024, 600)
    for row in (0, 103):
        tab.view.setCurrentIndex(tab.model.index(row, column(tab, "name")))
        window.parts.say(Message("Koi: +12, saved on this computer", undo="act"))
        rows, toast = toast_room(window.pages)[0], window.after_paint.notifier.toast
        assert toast.isVisible() and window.rect().contains(toast_rect(window))
        assert not toast_rect(window).intersects(rows), f"row {row} is current"


def test_the_toast_stands_in_the_middle_of_the_list(window: MainWindow) -> None:
    tab = tab_of(window)
    go_to(tab, 1234, "name")
    assert tab.side.isVisible()
    window.parts.say(Message("Koi: +12, sent"))
    middle = toast_room(window.pages)[0].center().x()
    assert abs(toast_rect(window).center().x() - middle) <= 1
    assert abs(window.width() // 2 - middle) > 50


@pytest.mark.parametrize("action", ["receive", "stocktake", "labels"])
def test_the_toast_keeps_clear_of_the_price_and_the_button_at_the_foot_of_a_desk(
    qtbot: QtBot, window: MainWindow, action: str
) -> None:
    window.show_tab("inventory")
    go_to(tab_of(window), 1234, "stock")
    window.parts.say(Message("Koi: +12, sent"))
    window.parts.actions[action].trigger()
    page = window.pages.currentWidget()
    assert isinstance(page, HostedPage)
    foot = page.foot_rect().translated(page.mapTo(window, QPoint(0, 0)))
    assert foot.height() > 40
    qtbot.waitUntil(lambda: toast_rect(window).bottom() < foot.top())


def test_one_act_on_several_pets_is_said_as_one_also_when_they_are_sent_one_by_one(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab_of(window).view.selectAll()
    window.parts.actions["setSold"].trigger()
    toast = window.after_paint.notifier.toast
    qtbot.waitUntil(lambda: toast.isVisible() and toast.words() == "3 pets: sold, saved on this computer")
    for change_id in (1, 2):
        shop.move(change_id, ChangeState.DONE)
    qtbot.waitUntil(lambda: shop.desk.outbox.unsent == 1)
    assert toast.words() == "3 pets: sold, saved on this computer"
    shop.move(3, ChangeState.DONE)
    qtbot.waitUntil(lambda: toast.words() == "3 pets: sold, sent")


def test_a_batch_that_was_stopped_with_one_change_on_its_way_is_not_said_to_be_sent(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab_of(window).view.selectAll()
    window.parts.actions["setSold"].trigger()
    toast = window.after_paint.notifier.toast
    qtbot.waitUntil(lambda: toast.words() == "3 pets: sold, saved on this computer")
    shop.move(1, ChangeState.SENDING)
    shop.move(2, ChangeState.DISCARDED)
    shop.move(3, ChangeState.DISCARDED)
    qtbot.waitUntil(lambda: shop.desk.outbox.unsent == 1)
    shop.move(1, ChangeState.DONE)
    qtbot.waitUntil(lambda: toast.words() == "Stopped: 3 pets: sold. 1 of 3 were sent, and stay")


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """What is announced, with its urgency."""
    said: list[tuple[str, str]] = []

    def take(event: QAccessibleEvent) -> None:
        if isinstance(event, QAccessibleAnnouncementEvent):
            said.append((event.politeness().name, event.message()))

    monkeypatch.setattr(QAccessible, "updateAccessibility", take)
    return said


MANY = 100


def _many(shop: RecordingShop) -> list[NewChange]:
    """One act on as many pets."""
    shop.tell_rows(Resource.PETS, [Pet(5_000 + n, f"Guppy {n}", 2, "available") for n in range(MANY)])
    return [
        NewChange(Ref(Resource.PETS, 5_000 + n), SetFields({"status": "sold"}), {"status": "available"})
        for n in range(MANY)
    ]


PAUSE_MS = 7_000_000


@pytest.fixture
def pause(monkeypatch: pytest.MonkeyPatch, window: MainWindow) -> Callable[[], None]:
    """The pause after which the last of many messages is read out is over when this is called, and no toast goes by
    itself: however long the test takes."""
    monkeypatch.setattr(toast, "_SAID_MS", PAUSE_MS)
    monkeypatch.setattr(toast, "_ERRORS_MS", PAUSE_MS)
    shown = toast.Toast.show_message
    monkeypatch.setattr(toast.Toast, "show_message", lambda *given: shown(*given, seconds=PAUSE_MS / 2000))
    notifier = window.after_paint.notifier

    def over() -> None:
        (timer,) = [one for one in notifier.toast.findChildren(QTimer) if one.isActive() and one.interval() == PAUSE_MS]
        timer.stop()
        timer.timeout.emit()

    return over


def timers_are_done(window: MainWindow) -> bool:
    """Whether nothing is to come of itself in the next second."""
    timers = [one for one in window.findChildren(QTimer) if one.isActive() and one.isSingleShot()]
    return all(one.interval() >= 1_000 for one in timers)


def test_a_hundred_changes_that_come_are_one_sentence(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, heard: list[tuple[str, str]], pause: Callable[[], None]
) -> None:
    changes = _many(shop)
    qtbot.waitUntil(lambda: tab_of(window).table.row_count >= MANY and timers_are_done(window))
    assert heard == [], "rows that come are read out to nobody"
    window.parts.edits.send(Apply("b", tuple(changes)))
    qtbot.waitUntil(lambda: bool(heard))
    for n in range(MANY):
        shop.move(n + 1, ChangeState.DONE)
        if n % 10 == 0:
            QApplication.processEvents()
    sent = f"{MANY} pets: sold, sent"
    qtbot.waitUntil(lambda: window.after_paint.notifier.toast.words() == sent)
    pause()
    qtbot.waitUntil(lambda: timers_are_done(window))
    assert heard == [
        ("Polite", f"{MANY} pets: sold, saved on this computer, Undo Ctrl+Z"),
        ("Polite", f"{sent}, Undo Ctrl+Z"),
    ]


def test_of_a_hundred_refusals_the_first_is_read_out_at_once_and_at_the_end_how_many(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, heard: list[tuple[str, str]], pause: Callable[[], None]
) -> None:
    shop.events.tell(shop.saved(_many(shop), "b"))
    for n in range(MANY):
        shop.move(n + 1, ChangeState.REFUSED, Reason("bad", "no such status", 400, "{}"))
        QApplication.processEvents()
    count = f"{MANY} changes need attention"
    qtbot.waitUntil(lambda: window.after_paint.notifier.toast.words() == count)
    assert [urgency for urgency, _ in heard] == ["Assertive"]
    assert heard[0][1].startswith("Refused: “no such status”. Guppy 0")
    pause()
    qtbot.waitUntil(lambda: timers_are_done(window))
    assert heard[1:] == [("Assertive", count)]


def test_an_error_does_not_wait_for_what_was_saved(
    qtbot: QtBot, window: MainWindow, heard: list[tuple[str, str]]
) -> None:
    say = window.after_paint.notifier.show
    say(Message("saved", "saved"))
    say(Message("sent", "sent"))
    say(Message("It went wrong.", "warning"))
    assert heard == [("Polite", "saved"), ("Assertive", "It went wrong.")]
