"""What a batch costs, seen before it is saved."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QItemSelectionModel
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.batches import Price
from petstore_desktop.domain.changes import AddStock, Create, Delete, Intent, NewChange, SetFields
from petstore_desktop.domain.quota import GatePhase, GateView, Window
from petstore_desktop.domain.records import Pet, Ref, Resource
from petstore_desktop.sync.wire.events import GateMoved, QuotaMoved
from petstore_desktop.ui.activity import waiting_page
from petstore_desktop.ui.preview.preview_dialog import PreviewDialog
from petstore_desktop.ui.records.record_dialogs import NewPetDialog
from petstore_desktop.ui.text.prices import batch_title, cost_words, much_words, selection_cost_words
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.dialogs import PriceLine
from petstore_desktop.ui.window.main_window import MainWindow
from tests.support.told_windows import told
from tests.ui.acting import go_to, spoken_words
from tests.ui.conftest import tab_of
from tests.ui.recording_shop import CONNECTION, NOON, RecordingShop

Flag = QItemSelectionModel.SelectionFlag

TODAY = told(NOON, Window(60, 60), Window(1_000, 20, None, own_count=True))
DEAR = Price(4, today=4, leaves_of_day=3, day_limit=1_000, own_count=True)
CHEAP = Price(4, today=4, leaves_of_day=16, day_limit=1_000)


@pytest.fixture
def short_day(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> MainWindow:
    """A window on a day of which little is left."""
    shop.events.tell(QuotaMoved(CONNECTION, TODAY))
    qtbot.waitUntil(lambda: shop.desk.quota == TODAY)
    return window


def dialog(window: MainWindow, name: str) -> QDialog | None:
    shown = [one for one in window.findChildren(QDialog) if one.objectName() == name and one.isVisible()]
    return shown[0] if shown else None


def line(dialog: QDialog) -> str:
    return dialog.findChild(PriceLine).accessibleName()


def press(dialog: QDialog, name: str) -> None:
    dialog.findChild(Button, name).click()


# ---------------------------------------------------------------- before a batch


def test_a_batch_that_takes_more_than_half_of_the_day_is_shown_before_it_is_saved(
    qtbot: QtBot, short_day: MainWindow, shop: RecordingShop
) -> None:
    shop.price_of = lambda _: DEAR
    tab_of(short_day).view.selectAll()
    short_day.parts.actions["setSold"].trigger()
    qtbot.waitUntil(lambda: dialog(short_day, "previewDialog") is not None)
    asked = dialog(short_day, "previewDialog")
    assert isinstance(asked, PreviewDialog)
    assert asked.windowTitle() == "Set 3 pets to sold"
    qtbot.waitUntil(asked.price.much.isVisible)
    assert asked.price.much.text() == "This takes more than half of the requests that are left for today."
    assert line(asked) == "4 requests, leaves ≈ 3 of 1,000 today"
    assert shop.asked_for("apply") == []
    press(asked, "primaryButton")
    (changes,) = shop.asked_for("apply")
    assert {change.ref.key for change in changes} == {1234, 877, 2**63 - 1}


def test_a_batch_that_was_asked_about_is_not_saved_on_cancel(
    qtbot: QtBot, short_day: MainWindow, shop: RecordingShop
) -> None:
    shop.price_of = lambda _: DEAR
    tab_of(short_day).view.selectAll()
    short_day.parts.actions["setSold"].trigger()
    qtbot.waitUntil(lambda: dialog(short_day, "previewDialog") is not None)
    asked = dialog(short_day, "previewDialog")
    assert asked is not None
    press(asked, "cancelButton")
    qtbot.waitUntil(lambda: dialog(short_day, "previewDialog") is None)
    assert shop.asked_for("apply") == []


def test_the_note_of_a_paste_that_was_cancelled_is_not_said_of_the_next_act(
    qtbot: QtBot, short_day: MainWindow, shop: RecordingShop
) -> None:
    shop.price_of = lambda _: DEAR
    tab, toast = tab_of(short_day), short_day.after_paint.notifier.toast
    go_to(tab, 1234, "name")
    QGuiApplication.clipboard().setText("Carp\tBirds\tsold\t7\t9")  # the pet and its stock: two changes
    short_day.parts.actions["paste"].trigger()
    qtbot.waitUntil(lambda: dialog(short_day, "previewDialog") is not None)
    asked = dialog(short_day, "previewDialog")
    assert asked is not None
    assert "Read-only, not changed: Orders." in spoken_words(asked)
    press(asked, "cancelButton")
    qtbot.waitUntil(lambda: dialog(short_day, "previewDialog") is None)
    short_day.parts.actions["delete"].trigger()
    asked = dialog(short_day, "deleteDialog")
    assert asked is not None
    press(asked, "primaryButton")
    qtbot.waitUntil(lambda: "saved on this computer" in toast.words())
    assert toast.words().endswith("saved on this computer")


@pytest.mark.parametrize("price", [CHEAP, None], ids=["costs little", "has no price"])
def test_a_batch_that_turns_out_to_be_cheap_is_saved_without_a_question(
    qtbot: QtBot, short_day: MainWindow, shop: RecordingShop, price: Price | None
) -> None:
    shop.price_of = lambda _: price
    tab_of(short_day).view.selectAll()
    short_day.parts.actions["setSold"].trigger()
    qtbot.waitUntil(lambda: len(shop.asked_for("apply")) == 1)
    assert dialog(short_day, "previewDialog") is None


def test_a_batch_that_cannot_be_dear_waits_for_no_price(window: MainWindow, shop: RecordingShop) -> None:
    tab_of(window).view.selectAll()
    window.parts.actions["setSold"].trigger()
    assert len(shop.asked_for("apply")) == 1


def test_what_waits_for_its_price_is_saved_when_the_window_closes(short_day: MainWindow, shop: RecordingShop) -> None:
    shop.accept = False  # no price comes
    tab_of(short_day).view.selectAll()
    short_day.parts.actions["setSold"].trigger()
    assert shop.asked_for("apply") == []
    short_day.close()
    assert len(shop.asked_for("apply")) == 1


# ---------------------------------------------------------------- what is selected


def said(window: MainWindow) -> str:
    """What the status bar says of the selection, without what it adds up to."""
    parts = window.status.selection.text().split(" · ")
    return " · ".join((parts[0], *(part for part in parts[1:] if part.startswith("Editing these"))))


def test_the_price_of_changing_what_is_selected_stands_beside_its_count(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    shop.price_of = lambda changes: Price(len(changes), seconds=62.0)
    tab = tab_of(window)
    picked, only = tab.view.selectionModel(), Flag.ClearAndSelect | Flag.Rows  # whatever keys were held before
    tab.view.selectAll()
    words = "4 of 4 selected · Editing these costs 4 requests, about 1 min"
    qtbot.waitUntil(lambda: said(window) == words)
    assert {type(change.intent) for change in shop.asked_for("price")[-1]} == {SetFields}
    asked = len(shop.asked_for("price"))
    window.context_changed()  # the same rows are selected
    assert said(window) == words
    picked.select(tab.model.index(0, 0), only)
    assert window.status.selection.text() == "1 of 4 selected"
    tab.view.selectAll()
    picked.select(tab.model.index(1, 0), only)
    tab.view.selectAll()
    qtbot.waitUntil(lambda: said(window) == words)
    assert len(shop.asked_for("price")) == asked + 1, "a selection that goes on is not asked about"


def test_the_price_of_the_selection_follows_what_waits_to_be_sent(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    """31 pets were edited at once, and while the first five left: "5 requests" stayed when all had been sent."""
    shop.price_of = lambda _: Price(1, seconds=1.0)
    tab_of(window).view.selectAll()
    qtbot.waitUntil(lambda: said(window) == "4 of 4 selected · Editing these costs 1 request")
    shop.price_of = lambda changes: Price(len(changes), seconds=1.0)
    window.parts.actions["setSold"].trigger()
    qtbot.waitUntil(lambda: said(window) == "4 of 4 selected · Editing these costs 4 requests")
    shop.price_of = lambda _: Price(0)
    window.parts.actions["setAvailable"].trigger()
    qtbot.waitUntil(lambda: said(window) == "4 of 4 selected")


def test_the_price_of_a_long_selection_is_multiplied(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    shop.price_of = lambda changes: Price(2 * len(changes), seconds=1.0)
    shop.tell_rows(Resource.PETS, [Pet(number, f"Minnow {number}", 1) for number in range(5_000, 6_196)])
    shop.events.tell(QuotaMoved(CONNECTION, told(NOON, Window(60, 60, NOON + 30.0))))
    tab = tab_of(window)
    qtbot.waitUntil(lambda: tab.table.row_count == 1_200)
    tab.view.selectAll()
    words = "1,200 of 1,200 selected · Editing these costs 2,400 requests, about 44 min"
    qtbot.waitUntil(lambda: said(window) == words)
    assert len(shop.asked_for("price")[-1]) == 500


def test_where_the_window_is_too_narrow_the_price_is_in_the_tool_tip(window: MainWindow) -> None:
    tab_of(window).view.selectAll()
    window.status.set_cost("Editing these costs 4 requests")
    assert window.status.selection.text() == "4 of 4 selected · Editing these costs 4 requests"
    long = "Editing these costs very many requests, " * 9
    window.status.set_cost(long)
    assert window.status.selection.text() == "4 of 4 selected"
    assert long in window.status.selection.toolTip()


@pytest.mark.parametrize("price", [None, Price(0, refused=4)], ids=["none", "all refused"])
def test_no_price_is_said_where_there_is_none(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, price: Price | None
) -> None:
    shop.price_of = lambda _: price
    tab_of(window).view.selectAll()
    qtbot.waitUntil(lambda: len(shop.asked_for("price")) == 1)
    qtbot.waitUntil(lambda: not shop.events.waiting)
    assert said(window) == "4 of 4 selected"


# ---------------------------------------------------------------- dialogs


def new_pets(window: MainWindow, *names: str) -> NewPetDialog:
    window.parts.actions["newPet"].trigger()
    shown = dialog(window, "newPetDialog")
    assert isinstance(shown, NewPetDialog)
    shown.category.set_value("2")
    shown.names.setPlainText("\n".join(names))
    return shown


def test_new_pets_show_what_they_cost_from_the_second_one_on(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    shop.price_of = lambda changes: replace(CHEAP, requests=len(changes), leaves_of_day=940)
    shown = new_pets(window, "Ada", "Bob")
    qtbot.waitUntil(shown.price.isVisible)
    assert line(shown) == "2 requests, leaves 940 of 1,000 today"
    assert not shown.price.much.isVisible()
    shown.names.setPlainText("Ada")
    assert not shown.price.isVisible()
    shown.stock.set_text("5")
    shown.stock.changed.emit("5")
    qtbot.waitUntil(shown.price.isVisible)
    assert line(shown) == "2 requests, leaves 940 of 1,000 today", "of a pet and its stock"


def test_pets_that_are_added_before_their_price_is_known_wait_for_it(
    qtbot: QtBot, short_day: MainWindow, shop: RecordingShop
) -> None:
    shop.price_of = lambda _: CHEAP
    shown = new_pets(short_day, "Ada", "Bob", "Cleo", "Dot")
    shown.accept()
    assert shop.asked_for("apply") == []
    qtbot.waitUntil(lambda: len(shop.asked_for("apply")) == 1)
    assert len(shop.asked_for("apply")[0]) == 4
    qtbot.waitUntil(lambda: dialog(short_day, "newPetDialog") is None)


def test_pets_that_cost_much_are_added_once_that_was_seen(
    qtbot: QtBot, short_day: MainWindow, shop: RecordingShop
) -> None:
    shop.price_of = lambda _: DEAR
    shown = new_pets(short_day, "Ada", "Bob", "Cleo", "Dot")
    shown.accept()
    qtbot.waitUntil(shown.price.much.isVisible)
    assert shown.price.much.text() == "This takes more than half of the requests that are left for today."
    assert shop.asked_for("apply") == []
    shown.accept()
    assert len(shop.asked_for("apply")) == 1


def test_several_deletions_say_what_they_cost_with_the_question(
    qtbot: QtBot, short_day: MainWindow, shop: RecordingShop
) -> None:
    shop.price_of = lambda _: DEAR
    tab = tab_of(short_day)
    tab.view.selectAll()
    short_day.parts.actions["delete"].trigger()
    asked = dialog(short_day, "deleteDialog")
    assert asked is not None
    qtbot.waitUntil(lambda: asked.findChild(PriceLine).isVisible())
    assert line(asked) == "4 requests, leaves ≈ 3 of 1,000 today"
    press(asked, "primaryButton")
    assert len(shop.asked_for("apply")) == 1


# ---------------------------------------------------------------- what waits


def test_what_waits_says_what_it_still_costs(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting_page, "_PRICED_MS", 50)
    shop.price_of = lambda _: Price(0, ahead=34, seconds=130.0, leaves_of_day=912, day_limit=1_000)
    window.parts.edits.apply((NewChange(Ref(Resource.INVENTORY, 1234), AddStock(1)),))
    window.parts.actions["showWaiting"].trigger()
    activity = window.pages.currentWidget()
    words = "1 change, 34 requests, about 2 min, leaves 912 of 1,000 today"
    qtbot.waitUntil(lambda: activity.bar._counts.text() == words)
    shop.price_of = lambda _: Price(0, ahead=30, seconds=None)
    shop.events.tell(GateMoved(CONNECTION, GateView(GatePhase.LOCKED)))
    qtbot.waitUntil(lambda: activity.bar._counts.text() == "1 change, 30 requests")
    shop.price_of = lambda _: Price(0)
    shop.events.tell(GateMoved(CONNECTION, GateView()))
    qtbot.waitUntil(lambda: activity.bar._counts.text() == "1 change")


# ---------------------------------------------------------------- words

DAY = Price(2_000, today=840, seconds=90_000.0, leaves_of_day=100, day_limit=1_000, days=1)


def test_a_price_says_how_long_and_what_is_left_as_far_as_that_is_known() -> None:
    assert cost_words(Price(3), NOON) == ()
    assert cost_words(Price(3, seconds=9.0), NOON) == ()
    assert cost_words(Price(3, seconds=21.0), NOON) == ("about 30 s",)
    assert cost_words(Price(3, seconds=45.0), NOON) == ("about 1 min",)
    assert cost_words(DAY, NOON) == ("done 14:22 tomorrow", "leaves 100 of 1,000 today")
    assert cost_words(replace(DAY, seconds=None, own_count=True), NOON) == ("leaves ≈ 100 of 1,000 today",)
    assert selection_cost_words(Price(1, seconds=9.0)) == "Editing these costs 1 request"
    assert selection_cost_words(Price(9_000, seconds=172_799.0)) == "Editing these costs 9,000 requests, about 48 h"
    assert selection_cost_words(Price(9_000, seconds=172_800.0)) == "Editing these costs 9,000 requests, about 2 days"
    assert much_words(DAY).endswith("goes out by itself on the next day.")
    assert much_words(replace(DAY, days=3)).endswith("goes out by itself on the next 3 days.")


def some(resource: Resource, *intents: Intent) -> list[NewChange]:
    return [NewChange(Ref(resource, number), intent) for number, intent in enumerate(intents)]


RENAMED = SetFields({"name": "Z"})


@pytest.mark.parametrize(
    ("changes", "title", "verb"),
    [
        (some(Resource.PETS, RENAMED, RENAMED), "Change 2 pets", "Change 2"),
        (some(Resource.INVENTORY, AddStock(1), AddStock(2)), "Change 2 stock entries", "Change 2"),
        (some(Resource.PETS, Delete(), Delete()), "Delete 2 pets", "Delete 2"),
        (some(Resource.ORDERS, Delete(), Delete()), "Delete 2 orders", "Delete 2"),
        (some(Resource.PETS, Create({}), Create({})), "Add 2 pets", "Add 2"),
        (some(Resource.PETS, RENAMED, Delete()), "Send 2 changes", "Send 2"),
        (some(Resource.PETS, RENAMED) + some(Resource.INVENTORY, AddStock(1)), "Send 2 changes", "Send 2"),
        (some(Resource.PETS, RENAMED) * 2 + some(Resource.PETS, RENAMED), "Change 1 pet", "Change 1"),
    ],
)
def test_a_batch_is_named_by_its_act_and_number(changes: list[NewChange], title: str, verb: str) -> None:
    assert batch_title(changes) == (title, verb)
