"""New order: a pet by name or id, how many, when, the sentence with its warnings, and one batch that is saved."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from petstore_desktop.contract.model import Operation
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.changes import Create, SetFields
from petstore_desktop.domain.records import Order, Pet, Ref, Resource
from petstore_desktop.ui.ordering.new_order_dialog import NewOrderDialog
from petstore_desktop.ui.records.record_dialogs import NewPetDialog
from petstore_desktop.ui.text.cell import CellRole
from petstore_desktop.ui.text.translate import speak
from petstore_desktop.ui.widgets.labels import PlainLabel
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import spoken_words
from tests.ui.conftest import OpenWindow, tab_of
from tests.ui.recording_shop import RecordingShop, full_contract, small_shop
from tests.ui.records.test_form_drafts import kept, left_over, question

KOI, BUDGERIGAR, PYTHON = (Ref(Resource.PETS, key) for key in (1234, 877, 1422))


def opened(window: MainWindow, action: str = "newOrder", tab: str = "orders", at: Ref | None = None) -> NewOrderDialog:
    """The dialog that an action opens in a tab, at a record."""
    window.show_tab(tab)
    if at is not None:
        tab_of(window).show_ref(at)
    window.parts.actions[action].trigger()
    (dialog,) = [one for one in window.findChildren(NewOrderDialog) if one.isVisible()]
    while QApplication.activeWindow() is not dialog:
        dialog.activateWindow()
        QTest.qWait(5)
    return dialog


def keys(text: str, *after: Qt.Key) -> None:
    """Type where the focus is, and wait until what is typed was searched to the end."""
    target = QApplication.focusWidget()
    assert target is not None
    QTest.keyClicks(target, text)
    searches = [one for one in target.window().findChildren(QTimer) if not one.interval()]
    while any(one.isActive() for one in searches):
        QApplication.processEvents()
    for key in after:
        QTest.keyClick(QApplication.focusWidget(), key)


def said(dialog: NewOrderDialog) -> str:
    """What there is to read out and to mind, without isolates."""
    labels = [one for name in ("orderSentence", "orderWarning") for one in dialog.findChildren(PlainLabel, name)]
    words = [label.text() for label in labels if label.isVisible()]
    return " | ".join(words).replace("\u2068", "").replace("\u2069", "")


def orders_made(shop: RecordingShop) -> list[dict[str, object]]:
    """The fields of all orders that were applied."""
    batches = shop.asked_for("apply")
    return [dict(one.intent.fields) for batch in batches for one in batch if isinstance(one.intent, Create)]


def test_an_order_is_written_as_one_types_and_placed_with_ctrl_enter(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    dialog = opened(window)
    assert said(dialog) == "Which pet?"
    assert not dialog.primary.isEnabled()
    keys("koi")
    assert said(dialog) == "1 Koi (#1234), without a ship date. In stock 24, 2 on order."
    keys("", Qt.Key.Key_Return)
    keys("3", Qt.Key.Key_Return)
    keys("tue")
    assert said(dialog) == "3 Koi (#1234), to ship on Tue 25 Nov. In stock 24, 2 on order."
    QTest.keyClick(dialog, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    ((change,),) = shop.asked_for("apply")
    assert change.ref.resource is Resource.ORDERS
    assert orders_made(shop) == [
        {"pet_id": 1234, "quantity": 3, "ship_date": "2025-11-25T00:00:00+00:00", "complete": False}
    ]
    assert not dialog.isVisible()


def test_ordering_more_than_is_there_asks_nothing_and_says_so(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    dialog = opened(window, tab="pets", at=KOI)
    assert QApplication.focusWidget() is dialog.quantity.edit
    keys("25", Qt.Key.Key_Return)
    assert said(dialog) == "25 Koi (#1234), without a ship date. | Only 24 in stock."
    keys("-3")
    assert said(dialog).endswith("to ship on Tue 18 Nov. | Only 24 in stock. Tue 18 Nov was 3 days ago.")
    dialog.quantity.set_text("23")
    assert "| In stock 24, but 2 are on order. Tue 18 Nov was 3 days ago." in said(dialog)
    dialog.quantity.set_text("25")
    dialog.accept()
    assert orders_made(shop)[0]["quantity"] == 25
    assert not [one for one in window.findChildren(QDialog) if one.isVisible()]


@pytest.mark.parametrize(("typed", "key"), [("877", 877), ("#1422", 1422), ("ball", 1422), ("sky", 877)])
def test_a_pet_is_found_by_its_id_or_a_word_of_its_name(window: MainWindow, typed: str, key: int) -> None:
    dialog = opened(window)
    keys(typed)
    assert dialog.pet.pet == Ref(Resource.PETS, key)


def test_up_and_down_choose_and_matched_letters_stand_out(window: MainWindow) -> None:
    dialog = opened(window)
    keys("b")
    lines = [dialog.pet.model.index(row, 0).data(CellRole) for row in range(dialog.pet.model.rowCount())]
    assert [line.title for line in lines] == ["Ball python, pastel", "Budgerigar, sky blue", "<b>bold</b>"]
    assert [line.spans for line in lines] == [((0, 1),), ((0, 1),), ((1, 1),)]
    keys("", Qt.Key.Key_Down)
    assert dialog.pet.pet == BUDGERIGAR
    keys("", Qt.Key.Key_Up)
    assert dialog.pet.pet == PYTHON
    assert said(dialog).startswith("1 Ball python, pastel (#1422), without a ship date. | This pet is sold.")


def test_how_many_is_written_as_numbers_are_here_from_the_start(app: QApplication, window: MainWindow) -> None:
    speak(app, "ar_EG")
    dialog = opened(window)
    assert dialog.quantity.text() == "\u0661"
    dialog.pet.set_pet(KOI)
    assert "\u0661" in said(dialog)


def test_what_comes_later_does_not_take_the_place_of_the_chosen_pet(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    dialog = opened(window)
    keys("ko")
    assert dialog.pet.pet == KOI
    shop.tell_rows(Resource.PETS, [Pet(1, "Ko", 1, "available")])
    qtbot.waitUntil(lambda: dialog.pet.model.rowCount() == 2)
    assert dialog.pet.pet == KOI
    keys("i")
    assert dialog.pet.pet == KOI


def test_an_order_that_comes_in_meanwhile_counts(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    dialog = opened(window, tab="pets", at=KOI)
    shop.tell_rows(Resource.ORDERS, [Order(5000, 1234, 20, None, False)])
    qtbot.waitUntil(lambda: "In stock 24, 22 on order." in said(dialog))


def test_nothing_found_leads_to_a_new_pet_which_is_then_ordered(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    dialog = opened(window)
    keys("Zorro")
    qtbot.waitUntil(lambda: "No pet is called that." in spoken_words(dialog))
    assert said(dialog) == "Which pet?"
    assert dialog.pet.make.isVisible()
    dialog.pet.make.click()
    (pet,) = [one for one in window.findChildren(NewPetDialog) if one.isVisible()]
    assert pet.typed() == ["Zorro"]
    pet.category.set_value("1")
    pet.accept()
    qtbot.waitUntil(lambda: said(dialog).startswith("1 Zorro, without a ship date."))
    dialog.accept()
    ((made,), (order,)) = shop.asked_for("apply")
    assert order.intent.fields["pet_id"] == made.ref.key


def test_what_cannot_be_read_is_asked_for_in_its_field(window: MainWindow, shop: RecordingShop) -> None:
    dialog = opened(window, tab="pets", at=KOI)
    for typed in ("", "0", "1.5", "many", "9" * 30):
        dialog.quantity.set_text(typed)
        dialog.accept()
        assert dialog.isVisible()
        assert QApplication.focusWidget() is dialog.quantity.edit
    dialog.quantity.set_text("1")
    dialog.day.edit.setText("someday")
    assert "to ship on …" in said(dialog)
    dialog.accept()
    assert "Enter a day: fri, +3, tomorrow, 27/11" in dialog.wrong.text()
    assert shop.asked_for("apply") == []


def test_what_is_wrong_stays_said_while_rows_move(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    dialog = opened(window, tab="pets", at=KOI)
    dialog.day.edit.setText("someday")
    dialog.accept()
    shop.tell_rows(Resource.ORDERS, [Order(5000, 1234, 20, None, False)])
    qtbot.waitUntil(lambda: "22 on order" in said(dialog))
    assert dialog.wrong.isVisible()
    dialog.day.edit.clear()
    assert not dialog.wrong.isVisible()


def test_a_day_is_written_out_when_the_field_is_left(window: MainWindow) -> None:
    dialog = opened(window, tab="pets", at=KOI)
    dialog.day.setFocus()
    keys("wed")
    assert dialog.day.note.text() == "Wed 26 Nov 2025, in 5 days"
    keys("", Qt.Key.Key_Return)
    assert (dialog.day.edit.text(), dialog.day.note.text()) == ("Wed 26 Nov 2025", "in 5 days")
    dialog.day.setFocus()
    keys("", Qt.Key.Key_Down)
    assert dialog.day.text() == "2025-11-27"
    dialog.day.edit.clear()
    keys("", Qt.Key.Key_Up)
    assert (dialog.day.text(), dialog.day.note.text()) == ("2025-11-21", "today")


def test_reserving_sets_the_pet_aside_and_orders_it_in_one_batch(window: MainWindow, shop: RecordingShop) -> None:
    dialog = opened(window, "reserve", tab="pets", at=KOI)
    assert said(dialog).endswith("In stock 24, 2 on order. The pet becomes pending.")
    dialog.accept()
    ((aside, order),) = shop.asked_for("apply")
    assert (aside.ref, aside.intent) == (KOI, SetFields({"status": "pending"}))
    assert aside.base == {"status": "available"}
    assert isinstance(order.intent, Create)


def test_a_pet_that_is_set_aside_already_is_only_ordered(window: MainWindow, shop: RecordingShop) -> None:
    dialog = opened(window, "reserve", tab="pets", at=BUDGERIGAR)
    assert "It is pending already." in said(dialog)
    dialog.accept()
    ((order,),) = shop.asked_for("apply")
    assert isinstance(order.intent, Create)


def test_what_is_half_filled_is_kept_and_a_day_means_the_same_tomorrow(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    dialog = opened(window)
    keys("koi", Qt.Key.Key_Return)
    keys("7", Qt.Key.Key_Return)
    keys("tue")
    qtbot.waitUntil(lambda: bool(kept(shop)))
    full = {"pet": "1234", "quantity": "7", "ship_date": "2025-11-25"}
    qtbot.waitUntil(lambda: kept(shop)[-1][1] is not None and full.items() <= (kept(shop)[-1][1] or {}).items())
    dialog.reject()
    question(window).accept()
    assert kept(shop)[-1] == ("new-order", None)
    left_over(qtbot, shop, "new-order", full)
    again = opened(window)
    assert "Your draft of" in spoken_words(again)
    assert said(again) == "7 Koi (#1234), to ship on Tue 25 Nov. In stock 24, 2 on order."


def test_the_draft_of_one_pet_is_not_offered_for_another(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    left_over(qtbot, shop, "new-order:1234", {"pet": "1234", "quantity": "7"})
    dialog = opened(window, tab="pets", at=BUDGERIGAR)
    assert (dialog.pet.pet, dialog.quantity.text()) == (BUDGERIGAR, "1")


def test_a_service_gets_only_what_it_takes(qtbot: QtBot, open_window: OpenWindow) -> None:
    few = Operation(
        Op.ORDER_CREATE, "POST", "/orders", body_fields=("petId", "status"), required_fields=("petId", "status")
    )
    shop, contract = RecordingShop(), full_contract()
    window = open_window(shop)
    shop.tell_ready(replace(contract, operations={**contract.operations, Op.ORDER_CREATE: few}))
    for resource, records in small_shop().items():
        shop.tell_rows(resource, records)
    shop.tell_rows(Resource.ORDERS, [Order(9, 877, None, None, None, "placed")])
    qtbot.waitUntil(lambda: 9 in shop.desk.shop.stores[Resource.ORDERS])
    dialog = opened(window, tab="pets", at=KOI)
    assert not dialog.quantity.isVisible()
    assert not dialog.day.isVisible()
    assert dialog.status.value() == "placed"
    assert said(dialog).startswith("One order for Koi (#1234).")
    dialog.accept()
    assert orders_made(shop) == [{"pet_id": 1234, "status": "placed"}]


def test_where_no_order_can_be_placed_the_key_says_why(qtbot: QtBot, open_window: OpenWindow) -> None:
    shop = RecordingShop()
    window = open_window(shop)
    shop.tell_ready(full_contract(Op.ORDER_CREATE))
    for resource, records in small_shop().items():
        shop.tell_rows(resource, records)
    qtbot.waitUntil(lambda: KOI.key in shop.desk.shop.stores[Resource.PETS])
    tab_of(window).show_ref(KOI)
    for action in ("newOrder", "reserve"):
        assert not window.parts.actions[action].isEnabled()
        assert "does not offer this" in window.parts.actions[action].toolTip()


def test_ctrl_n_in_orders_is_a_new_order_and_in_pets_a_pet(window: MainWindow) -> None:
    window.show_tab("orders")
    assert window.parts.actions["newOrder"].shortcut().toString() == "Ctrl+N"
    window.show_tab("pets")
    assert window.parts.actions["newOrder"].shortcut().toString() == "Ctrl+Shift+O"
    assert window.parts.actions["newPet"].shortcut().toString() == "Ctrl+N"
