"""One order of undo: the key takes back what was done last, wherever that is kept, and the menu names it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.desk.changes.done_acts import DoneActs
from petstore_desktop.domain.batches import Batch, BatchFacts
from petstore_desktop.domain.changes import ChangeState, Delete, NewChange
from petstore_desktop.domain.commands import Decision
from petstore_desktop.domain.low_stock import Minimums
from petstore_desktop.domain.own_acts import OwnActs
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.sync.wire.events import BatchesMoved, DecisionsMoved
from petstore_desktop.ui.receiving.receive_page import ReceivePage
from petstore_desktop.ui.status.toast import Toast
from petstore_desktop.ui.widgets.dialogs import Dialog
from petstore_desktop.ui.widgets.labels import LinkLabel
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import go_to, stock_tab, type_in_cell
from tests.ui.conftest import OpenWindow, tab_of
from tests.ui.recording_shop import CONNECTION, RecordingShop
from tests.ui.records.test_minimum_stock import select, set_minimum, toast
from tests.ui.views.test_views import save_as

Key = Qt.Key
_CTRL, _SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def book(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    """+12 on the Koi, which is sent."""
    tab = stock_tab(window)
    go_to(tab, 1234, "stock")
    type_in_cell(qtbot, tab, "+12")
    qtbot.waitUntil(lambda: not window.parts.edits.unsaved)
    shop.move(max(shop.journal), ChangeState.DONE)
    qtbot.waitUntil(lambda: "+12" in undo_text(window))


def undo_text(window: MainWindow, name: str = "undo") -> str:
    action = window.parts.actions[name]
    return action.text().translate({0x2068: None, 0x2069: None}) if action.isEnabled() else ""


def press(qtbot: QtBot, window: MainWindow, *, redo: bool = False) -> None:
    tab = tab_of(window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    tab.view.setFocus()
    qtbot.keyClick(tab.view, Key.Key_Z, _CTRL | _SHIFT if redo else _CTRL)


def test_undo_after_a_minimum_takes_the_minimum_and_then_the_booking_before_it(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    book(qtbot, window, shop)
    select(window, 1234)
    set_minimum(window, "5")
    assert "Minimum stock" in undo_text(window) and "Koi" in undo_text(window)
    press(qtbot, window)
    assert shop.views.minimums == Minimums()
    assert shop.asked_for("undo_batch") == []
    assert "+12" in undo_text(window)
    assert "Minimum stock" in undo_text(window, "redo")
    press(qtbot, window, redo=True)
    assert shop.views.minimums == Minimums({1234: 5})
    press(qtbot, window)
    press(qtbot, window)
    assert len(shop.asked_for("undo_batch")) == 1


def test_undo_after_a_booking_takes_the_booking_though_a_minimum_was_set_before(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    stock_tab(window)
    select(window, 877)
    set_minimum(window, "5")
    book(qtbot, window, shop)
    assert "+12" in undo_text(window)
    press(qtbot, window)
    assert len(shop.asked_for("undo_batch")) == 1
    assert shop.views.minimums == Minimums({877: 5})


def test_the_toast_of_a_minimum_and_the_key_take_it_back_once(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    book(qtbot, window, shop)
    select(window, 1234)
    set_minimum(window, "5")
    select(window, 877)
    set_minimum(window, "2")
    assert toast(window).isVisible()
    toast(window).undoRequested.emit()
    assert shop.views.minimums == Minimums({1234: 5})
    press(qtbot, window)
    assert shop.views.minimums == Minimums()
    assert shop.asked_for("undo_batch") == []


def test_a_deleted_view_and_a_renamed_one_are_brought_back_by_the_key_in_their_order(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab_of(window).set_filter("koi")
    save_as(window, "Only koi")
    tab_of(window).set_filter("budge")
    save_as(window, "Only budge")
    views = window.parts.views
    koi = next(one for one in views.all() if one.name == "Only koi")
    views.delete(koi)
    views.rename(next(one for one in views.all() if one.name == "Only budge"), "Budgies")
    assert "renaming of the view Only budge" in undo_text(window)
    press(qtbot, window)
    assert [one.name for one in views.all() if not one.shipped] == ["Only budge"]
    assert "Only koi" in undo_text(window)
    press(qtbot, window)
    assert [one.name for one in views.all() if not one.shipped] == ["Only koi", "Only budge"]
    press(qtbot, window, redo=True)
    assert [one.name for one in views.all() if not one.shipped] == ["Only budge"]
    select(window, 877)
    set_minimum(window, "5")
    press(qtbot, window)
    press(qtbot, window)
    assert [one.name for one in views.all() if not one.shipped] == ["Only koi", "Only budge"]


def test_undo_waits_for_an_act_that_is_not_in_the_journal_yet(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    select(window, 1234)
    set_minimum(window, "5")
    shop.accept = False
    window.parts.actions["setSold"].trigger()
    press(qtbot, window)
    assert shop.views.minimums == Minimums({1234: 5}), "the later act is not known yet"
    (batch,) = window.parts.edits.unsaved
    changes = window.parts.edits.unsaved[batch].changes
    shop.accept = True
    shop.events.tell(shop.saved(changes, batch), shop.batches_moved())
    qtbot.waitUntil(lambda: len(shop.asked_for("undo_batch")) == 1)
    assert shop.views.minimums == Minimums({1234: 5})


@pytest.mark.parametrize("restart", [False, True], ids=["another window", "restart"])
def test_another_window_and_the_next_run_undo_and_redo_minimums_and_views_in_their_order(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, open_window: OpenWindow, restart: bool
) -> None:
    """Ctrl+Z took the booking that had been sent before them."""
    book(qtbot, window, shop)
    select(window, 1234)
    set_minimum(window, "5")
    save_as(window, "Only koi")
    window.parts.views.delete(next(one for one in window.parts.views.all() if one.name == "Only koi"))
    select(window, 877)
    set_minimum(window, "2")
    press(qtbot, window)
    window.close_now = True
    window.close()
    if restart:
        begin_again(shop)
    again = open_window()
    qtbot.waitUntil(lambda: "Only koi" in undo_text(again))
    assert "Minimum stock" in undo_text(again, "redo")
    assert not any(said.isVisible() for said in again.findChildren(Toast))
    press(qtbot, again, redo=True)
    assert shop.views.minimums == Minimums({1234: 5, 877: 2})
    press(qtbot, again)
    press(qtbot, again)
    assert shop.views.minimums == Minimums({1234: 5})
    assert "Only koi" in [one.name for one in again.parts.views.all()]
    assert "Minimum stock" in undo_text(again)
    press(qtbot, again)
    assert shop.views.minimums == Minimums() and shop.asked_for("undo_batch") == []
    assert "+12" in undo_text(again)
    press(qtbot, again)
    assert len(shop.asked_for("undo_batch")) == 1


def begin_again(shop: RecordingShop) -> None:
    """What Undo knows is what was kept of it."""
    shop.desk.done = DoneActs(shop.desk.outbox, shop.desk.now)


def test_after_a_restart_what_was_set_otherwise_since_is_left_as_it_is(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, open_window: OpenWindow
) -> None:
    book(qtbot, window, shop)
    select(window, 1234)
    set_minimum(window, "5")
    window.close_now = True
    window.close()
    begin_again(shop)
    shop.views.minimums = Minimums({1234: 6})
    again = open_window()
    qtbot.waitUntil(lambda: "+12" in undo_text(again))
    assert shop.views.minimums == Minimums({1234: 6})


def test_until_the_acts_of_earlier_runs_are_read_the_key_takes_nothing(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    book(qtbot, window, shop)
    select(window, 1234)
    set_minimum(window, "5")
    window.close_now = True
    window.close()
    begin_again(shop)
    asked: list[Callable[[OwnActs, None], None]] = []
    monkeypatch.setattr(shop.views, "read_acts", asked.append)
    again = open_window()
    qtbot.waitUntil(lambda: bool(asked))
    assert undo_text(again) == "&Undo" and shop.desk.done.soon(), "it is not known what"
    press(qtbot, again)
    assert shop.asked_for("undo_batch") == [] and shop.views.minimums == Minimums({1234: 5})
    asked[0](shop.views.acts, None)
    assert "Minimum stock" in undo_text(again)


def cancel(qtbot: QtBot, window: MainWindow, shop: RecordingShop, order: int) -> Toast:
    """Cancel an order, which is sent; the toast about it."""
    window.parts.edits.apply((NewChange(Ref(Resource.ORDERS, order), Delete()),))
    qtbot.waitUntil(lambda: not window.parts.edits.unsaved)
    shown = toast(window)
    qtbot.waitUntil(lambda: "deleted, saved on this computer" in shown.words())
    assert offers(shown), "what is not sent yet can be undone"
    shop.move(max(shop.journal), ChangeState.DONE)
    qtbot.waitUntil(lambda: "deleted, sent" in shown.words())
    return shown


def offers(shown: Toast) -> bool:
    return any(link.isVisible() and bool(link.words()) for link in shown.findChildren(LinkLabel))


def question(window: MainWindow) -> Dialog | None:
    return next((one for one in window.findChildren(Dialog) if one.objectName() == "goPastDialog"), None)


def test_a_cancelled_order_offers_no_undo_and_the_key_does_not_reach_past_it(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    book(qtbot, window, shop)
    shown = cancel(qtbot, window, shop, 2)
    assert not offers(shown), "it stays cancelled"
    qtbot.waitUntil(lambda: undo_text(window) == "&Undo…")
    press(qtbot, window)
    asked = question(window)
    assert asked is not None
    assert "Cannot be undone: " in asked.accessibleDescription()
    assert "(a deleted order stays deleted)" in asked.accessibleDescription()
    assert shop.asked_for("undo_batch") == []
    asked.reject()
    qtbot.waitUntil(lambda: question(window) is None)
    assert shop.asked_for("undo_batch") == []
    press(qtbot, window)
    asked = question(window)
    assert asked is not None
    asked.accept()
    qtbot.waitUntil(lambda: len(shop.asked_for("undo_batch")) == 1)
    (taken,) = shop.asked_for("undo_batch")
    assert shop.journal[min(shop.journal)].batch in str(taken)


def test_where_nothing_was_done_before_it_the_key_says_that_it_cannot_be_undone(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    shown = cancel(qtbot, window, shop, 2)
    press(qtbot, window)
    qtbot.waitUntil(lambda: "(a deleted order stays deleted)" in shown.words())
    assert question(window) is None and shop.asked_for("undo_batch") == []


def test_past_a_cancelled_order_comes_the_minimum_that_was_set_before_it(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    select(window, 877)
    set_minimum(window, "5")
    cancel(qtbot, window, shop, 2)
    press(qtbot, window)
    asked = question(window)
    assert asked is not None and shop.views.minimums == Minimums({877: 5})
    asked.accept()
    qtbot.waitUntil(lambda: shop.views.minimums == Minimums())


def test_a_new_act_after_it_is_undone_and_then_the_key_stops_again(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    book(qtbot, window, shop)
    cancel(qtbot, window, shop, 2)
    book(qtbot, window, shop)
    press(qtbot, window)
    assert question(window) is None and len(shop.asked_for("undo_batch")) == 1


def test_what_was_redone_comes_before_what_the_journal_redid_after_it(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    """A minimum after a booking: both undone, both redone, the minimum is the latest again."""
    book(qtbot, window, shop)
    select(window, 1234)
    set_minimum(window, "5")
    done = shop.desk.done
    press(qtbot, window)
    shop.clock.advance(60)
    again = replace(shop.journal[1], id=2, batch="again", at=shop.clock.now().wall)
    facts = BatchFacts(Batch("again", again.at), 1, {again.state: 1}, again, True, 1)
    shop.events.tell(BatchesMoved(CONNECTION, (facts,), ("again",)))
    qtbot.waitUntil(lambda: (next_ := done.next()) is not None and next_.id == "again")
    press(qtbot, window, redo=True)
    assert "Minimum stock" in undo_text(window), "it was done again after that batch"


def test_the_toast_of_a_booking_is_there_only_as_long_as_the_key_takes_the_booking(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    window.parts.actions["receive"].trigger()
    page = window.page()
    assert isinstance(page, ReceivePage)
    page.take_scan("1234")
    assert undo_text(window) == "&Undo line of Koi (#1234) in the delivery"
    page.go()
    shown = toast(window)
    qtbot.waitUntil(lambda: "saved on this computer" in shown.words())
    qtbot.waitUntil(lambda: "+1" in undo_text(window))
    assert offers(shown) and shown.key() != ""
    page.take_scan("877")
    assert not shown.isVisible(), "the key takes the scan"
    press_at(qtbot, window, page.field)
    assert shop.asked_for("undo_batch") == [] and page.delivery.lines == {}
    press_at(qtbot, window, page.field)
    assert len(shop.asked_for("undo_batch")) == 1


def test_the_toast_names_the_key_only_while_the_key_does_not_act_on_a_text(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    """It said Ctrl+Z while a text field had the keyboard, where the key takes back what was typed."""
    book(qtbot, window, shop)
    shown, view = toast(window), tab_of(window).view
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    view.setFocus()
    qtbot.waitUntil(lambda: offers(shown) and shown.key() != "")
    window.palette_field.setFocus()
    qtbot.waitUntil(lambda: shown.key() == "")
    assert offers(shown), "the link does it wherever the keyboard is"
    view.setFocus()
    qtbot.waitUntil(lambda: shown.key() != "")
    window.parts.actions["receive"].trigger()
    page = window.page()
    assert isinstance(page, ReceivePage)
    page.field.setFocus()
    page.take_scan("1234")
    page.go()
    qtbot.waitUntil(lambda: offers(shown) and shown.key() != "")
    page.field.setText("8")
    qtbot.waitUntil(lambda: shown.key() == "")


def test_a_scan_is_undone_at_its_desk_only_and_redone_there(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    select(window, 877)
    set_minimum(window, "5")
    window.parts.actions["receive"].trigger()
    page = window.page()
    assert isinstance(page, ReceivePage)
    page.take_scan("1234")
    window.show_tab("pets")
    assert "Minimum stock" in undo_text(window)
    window.parts.actions["receive"].trigger()
    press_at(qtbot, window, page.field)
    assert page.delivery.lines == {} and shop.views.minimums == Minimums({877: 5})
    press_at(qtbot, window, page.field, redo=True)
    assert [(line.pet, line.counted) for line in page.delivery.lines.values()] == [(1234, 1)]
    assert page.delivery.in_hand == ("line", 1234)
    window.show_tab("pets")
    select(window, 1234)
    set_minimum(window, "7")
    window.parts.actions["receive"].trigger()
    press_at(qtbot, window, page.field)
    assert shop.views.minimums == Minimums({877: 5}), "what was done last comes first, at a desk too"
    press_at(qtbot, window, page.field)
    assert page.delivery.lines == {}
    press_at(qtbot, window, page.field)
    assert shop.views.minimums == Minimums()


def press_at(qtbot: QtBot, window: MainWindow, field: QWidget, *, redo: bool = False) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    field.setFocus()
    qtbot.keyClick(field, Key.Key_Z, _CTRL | _SHIFT if redo else _CTRL)


def test_right_after_a_discard_the_key_waits_for_it_and_takes_nothing_else(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    window.parts.actions["setSold"].trigger()
    select(window, 1234)
    window.parts.actions["setSold"].trigger()
    qtbot.waitUntil(lambda: bool(shop.journal) and not window.parts.edits.unsaved)
    shop.accept = False
    window.parts.edits.discard((1,))
    shown = toast(window)
    assert "discarded" in shown.words() and shown.key() != ""
    press(qtbot, window)
    assert shop.asked_for("undo_batch") == [], "what it takes is not written yet"
    ((ids,),) = [shop.asked_for("discard")]
    act = shop.desk.done.next()
    assert act is not None and not act.written
    shop.events.tell(DecisionsMoved(CONNECTION, (Decision(act.id, shop.clock.now().wall, ids),)))
    qtbot.waitUntil(lambda: shop.asked_for("take_back") == [act.id])
