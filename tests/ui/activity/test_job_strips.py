"""A job above the list: how far it has come, and what one can do to it; and what undo and redo say."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.batches import Price
from petstore_desktop.domain.changes import AddStock, Change, ChangeState, Delete, NewChange, Reason, SetFields
from petstore_desktop.domain.quota import GatePhase, GateView, Quota, Window
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.sync.wire.events import GateMoved, LoadEnded, QuotaMoved, Undone
from petstore_desktop.ui.activity.waiting_page import JobStrip, JobStrips
from petstore_desktop.ui.status.toast import Toast
from petstore_desktop.ui.text.changes.batches import undone_words
from petstore_desktop.ui.widgets.dialogs import Dialog
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.recording_shop import CONNECTION, NOON, RecordingShop

SOLD = tuple(NewChange(Ref(Resource.PETS, pet), SetFields({"status": "sold"}), {"status": "x"}) for pet in (1234, 940))
SINGLE = (NewChange(Ref(Resource.INVENTORY, 1234), AddStock(12), {"quantity": 24}),)


@pytest.fixture
def strips(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> JobStrips:
    """A job of which one half is sent and the other refused, and one that waits."""
    shop.price_of = lambda _: Price(0, ahead=1, seconds=90.0, ends={"batch-1": 90.0})
    window.show_tab("activity")
    for changes in (SOLD, SOLD):
        shop.asked.append(("", ""))
        shop.act(*changes)
    shop.move(1, ChangeState.DONE)
    shop.move(2, ChangeState.REFUSED, Reason("bad", "no", 400))
    jobs = window.activity().waiting.jobs
    qtbot.waitUntil(lambda: len(visible(jobs)) == 2)
    return jobs


def visible(jobs: JobStrips) -> list[JobStrip]:
    return [strip for strip in jobs.strips if strip.isVisible()]


def buttons(strip: JobStrip) -> dict[str, QPushButton]:
    return {one.objectName(): one for one in strip.findChildren(QPushButton) if one.isVisible()}


def test_a_job_says_how_far_it_has_come_and_offers_what_can_be_done(strips: JobStrips) -> None:
    stuck, going = visible(strips)
    assert stuck.accessibleName() == "2 pets: sold: 1 of 2 sent, 1 needs attention"
    assert set(buttons(stuck)) == {"retryJob"}
    assert going.accessibleName().startswith("2 pets: sold: 0 of 2 sent")
    assert set(buttons(going)) == {"pauseJob", "firstJob", "cancelJob"}
    assert buttons(going)["pauseJob"].accessibleName() == "Pause: 2 pets: sold"


def test_while_nothing_is_sent_a_job_says_when_it_goes_on_and_why(
    qtbot: QtBot, strips: JobStrips, shop: RecordingShop
) -> None:
    shop.events.tell(GateMoved(CONNECTION, GateView(GatePhase.BANNED, NOON, NOON + 2880, "too many", 403)))
    said = "2 pets: sold: 0 of 2 sent, goes on after 14:10 (the key is banned)"
    qtbot.waitUntil(lambda: visible(strips)[1].accessibleName() == said)
    assert visible(strips)[0].accessibleName() == "2 pets: sold: 1 of 2 sent, 1 needs attention", "a person has to act"


def test_what_became_of_it_unknown_a_job_is_neither_paused_nor_stopped(
    qtbot: QtBot, strips: JobStrips, shop: RecordingShop
) -> None:
    for change in (3, 4):
        shop.move(change, ChangeState.UNCERTAIN)
    qtbot.waitUntil(lambda: not buttons(visible(strips)[1]))
    assert visible(strips)[1].accessibleName() == "2 pets: sold: 0 of 2 sent, 2 unconfirmed"


def test_each_button_works_by_keyboard(qtbot: QtBot, strips: JobStrips, shop: RecordingShop) -> None:
    stuck, going = visible(strips)
    batch = going.job.batch if going.job else ""
    for name, command in (
        ("firstJob", "first"),
        ("pauseJob", "pause"),
        ("resumeJob", "resume"),
        ("cancelJob", "cancel"),
    ):
        qtbot.waitUntil(lambda name=name: name in buttons(going))
        button = buttons(going)[name]
        button.setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.keyClick(button, Qt.Key.Key_Space)
        assert shop.asked_for("steer_batch")[-1] == (batch, command)
    toast = strips.window().findChild(Toast)
    assert toast is not None
    toast.undoRequested.emit()
    assert len(shop.asked_for("take_back")) == 1  # the stop, and not what was sent
    buttons(stuck)["retryJob"].click()
    assert shop.asked_for("retry") == [(2,)]


def test_a_paused_job_says_so_on_its_strip_and_on_its_lines(
    qtbot: QtBot, strips: JobStrips, window: MainWindow
) -> None:
    buttons(visible(strips)[1])["pauseJob"].click()
    qtbot.waitUntil(lambda: "paused" in visible(strips)[1].accessibleName())
    model = window.activity().waiting.model
    states = [model.sentence(model.line(row)) for row in range(model.rowCount())]
    assert any("Its job is paused" in state for state in states)


def test_the_strips_belong_to_what_waits_and_go_when_all_is_over(
    qtbot: QtBot, strips: JobStrips, window: MainWindow, shop: RecordingShop
) -> None:
    window.show_activity("requests")
    assert not strips.isVisible()
    window.show_activity("waiting")
    assert strips.isVisible()
    for change in (2, 3, 4):
        shop.move(change, ChangeState.DONE)
    qtbot.waitUntil(lambda: not strips.isVisible())


def test_undo_takes_what_is_sent_and_redo_does_it_again(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    shop.act(*SOLD)
    for change in (1, 2):
        shop.move(change, ChangeState.DONE)
    undo, redo = window.parts.actions["undo"], window.parts.actions["redo"]
    qtbot.waitUntil(undo.isEnabled)
    assert undo.text() == "&Undo 2 pets: sold"
    assert not redo.isEnabled()
    batch = shop.journal[1].batch
    window.activateWindow()
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert shop.asked_for("undo_batch") == [(batch, ())]
    moved = shop.batches_moved()
    shop.events.tell(Undone(CONNECTION, batch, "u", sends=2), type(moved)(CONNECTION, moved.batches, (), (batch,)))
    qtbot.waitUntil(lambda: redo.text() == "&Redo 2 pets: sold")
    toast = window.after_paint.notifier.toast
    assert toast.words() == "Undone: 2 pets: sold"
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyRelease(window, Qt.Key.Key_Shift)  # else Qt takes Ctrl and Shift for held down from now on
    assert shop.asked_for("redo_batch") == [batch]
    shop.events.tell(shop.saved(SOLD, "u"))
    for change in sorted(shop.journal)[-2:]:
        shop.move(change, ChangeState.DONE)
    qtbot.waitUntil(lambda: toast.words() == "Undone: 2 pets: sold, sent")


def test_an_undo_that_costs_much_is_asked_about_as_any_batch_is(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    shop.events.tell(QuotaMoved(CONNECTION, Quota(day=Window(1000, 7, NOON + 3600, False))))
    shop.price_of = lambda _: Price(6, today=6, leaves_of_day=1, day_limit=1000)
    shop.accept = True
    shop.act(*SOLD)
    qtbot.waitUntil(window.parts.actions["undo"].isEnabled)
    window.parts.actions["undo"].trigger()
    assert shop.asked_for("undo_batch") == []

    def question() -> list[Dialog]:
        return [one for one in window.findChildren(Dialog) if one.objectName() == "priceDialog"]

    qtbot.waitUntil(lambda: len(question()) == 1)
    question()[0].accept()
    assert len(shop.asked_for("undo_batch")) == 1


def test_what_an_undo_did_is_said_with_what_cannot_come_back_and_why() -> None:
    change = Change(1, "b", NOON, Ref(Resource.ORDERS, 1), Delete(), {}, ChangeState.DONE, NOON)
    lost = ((change, "undo-order-cancelled"),)
    said = undone_words(
        Undone(
            CONNECTION, "b", "u", discarded=1, sends=2, waits=1, anew=(Ref(Resource.CATEGORIES, 3),), impossible=lost
        ),
        "5 changes",
    )
    assert said == (
        "Undone: 5 changes, 2 changes to send, 1 follows when the service has answered, 1 comes back with a new "
        "id, 1 cannot be undone: a deleted order stays deleted"
    )
    pets = (Ref(Resource.PETS, 3), Ref(Resource.PETS, 4))
    again = undone_words(Undone(CONNECTION, "b", "u", sends=2, anew=pets), "2 pets: deleted", sent=True)
    assert again == "Undone: 2 pets: deleted, sent, 2 come back with new ids and without their stock"
    assert undone_words(Undone(CONNECTION, "b", "u", impossible=lost), "Order 1") == (
        "Cannot be undone: Order 1 (a deleted order stays deleted)"
    )
    assert undone_words(Undone(CONNECTION, "b", "", impossible=lost, redo=True), "new order 1").startswith(
        "Cannot be redone: new order 1 ("
    )
    assert undone_words(Undone(CONNECTION, "b", "", redo=True), "order 1") == "There is nothing left of it to redo"
    assert undone_words(Undone(CONNECTION, "b", "u", discarded=3), "3 pets: sold") == (
        "Undone: 3 pets: sold, nothing was sent"
    )


@pytest.mark.parametrize(
    ("back", "said"),
    [
        ([Ref(Resource.PETS, 1422)], "without its stock, 1 order still names the old id"),
        ([Ref(Resource.PETS, 1422), Ref(Resource.PETS, 1234)], "without their stock, 2 orders still name the old id"),
        ([Ref(Resource.CATEGORIES, 3)], "with a new id, 1 pet still names the old id"),
        ([Ref(Resource.CATEGORIES, 3), Ref(Resource.PETS, 1422)], "their stock, 1 order still names the old id"),
    ],
)
def test_an_undo_says_what_names_a_record_that_comes_back_under_a_new_id(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, back: list[Ref], said: str
) -> None:
    """The pet was back, and nobody said that its order had lost it."""
    shop.events.tell(LoadEnded(CONNECTION, Resource.ORDERS, NOON))
    shop.events.tell(Undone(CONNECTION, "b", "u", sends=len(back), anew=tuple(back), count=len(back)))
    toast = window.after_paint.notifier.toast
    qtbot.waitUntil(lambda: toast.words().endswith(said))


def test_closing_says_that_a_paused_job_stays_paused(
    qtbot: QtBot, strips: JobStrips, window: MainWindow, shop: RecordingShop
) -> None:
    buttons(visible(strips)[1])["pauseJob"].click()
    qtbot.waitUntil(lambda: "paused" in visible(strips)[1].accessibleName())
    shop.act(*SINGLE)
    qtbot.waitUntil(lambda: window.shop.desk.outbox.unsent == 3)
    window.close()
    (dialog,) = [one for one in window.findChildren(Dialog) if one.objectName() == "closingDialog"]
    said = " ".join(label.text() for label in dialog.findChildren(QLabel))
    assert "1 change is saved on this computer. It goes out at the next start" in said
    assert "2 changes are saved on this computer and stay paused until you resume them." in said
