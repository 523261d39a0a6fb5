"""Dialogs that make, change and delete records."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLabel
from pytestqt.qtbot import QtBot

from petstore_desktop.contract.model import Contract, Operation
from petstore_desktop.contract.operations import Op
from petstore_desktop.desk.load_state import LoadState
from petstore_desktop.domain.batches import Price
from petstore_desktop.domain.changes import AddStock, Create, Delete, SetFields
from petstore_desktop.domain.counts import Gaps
from petstore_desktop.domain.quota import Link
from petstore_desktop.domain.records import InventoryItem, JsonValue, Pet, Ref, Resource
from petstore_desktop.sync.wire.events import LinkMoved
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.records.record_dialogs import NewPetDialog, RecordDialog
from petstore_desktop.ui.widgets.dialogs import PriceLine
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.conftest import OpenWindow, tab_of
from tests.ui.recording_shop import CONNECTION, NOON, RecordingShop, full_contract, small_shop

KOI = Ref(Resource.PETS, 1234)


def opened(window: MainWindow, name: str) -> QDialog:
    """The dialog of this name that is on the screen."""
    (dialog,) = [one for one in window.findChildren(QDialog) if one.objectName() == name and one.isVisible()]
    return dialog


def words(dialog: QDialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel))


def test_a_litter_is_one_batch_of_one_creation_for_each_line(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    qtbot.keyClick(tab_of(window).view, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    dialog = opened(window, "newPetDialog")
    assert isinstance(dialog, NewPetDialog)
    dialog.category.set_value("2")
    dialog.names.setPlainText("Ada\n\n  Grace \nالعربية 🐟")
    assert dialog.primary.words() == "Add 3 pets"
    qtbot.waitUntil(dialog.isActiveWindow)
    qtbot.keyClick(dialog.names, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    (changes,) = shop.asked_for("apply")
    assert [change.intent for change in changes] == [
        Create({"name": name, "status": "available", "category_id": 2}) for name in ("Ada", "Grace", "العربية 🐟")
    ]
    tab = tab_of(window)
    qtbot.waitUntil(lambda: tab.table.row_count == 7)


def test_a_litter_has_its_stock_of_each_pet(window: MainWindow, shop: RecordingShop) -> None:
    dialog = new_pets(window)
    dialog.category.set_value("1")
    dialog.names.setPlainText("Koi A\nKoi B")
    dialog.stock.set_text("some")
    dialog.accept()
    assert dialog.isVisible() and shop.asked_for("apply") == [], "that is no number"
    dialog.stock.set_text("3")
    dialog.accept()
    (batch,) = shop.asked_for("apply")
    made = [one.ref.key for one in batch if one.ref.resource is Resource.PETS]
    booked = {one.ref.key: one.intent for one in batch if one.ref.resource is Resource.INVENTORY}
    assert len(made) == 2 and booked == dict.fromkeys(made, AddStock(3))


def test_where_pets_have_no_stock_of_their_own_none_is_asked_for(
    qtbot: QtBot, open_window: OpenWindow, shop: RecordingShop
) -> None:
    window = open_window()
    shop.tell_ready()
    for resource, records in small_shop().items():
        shop.tell_rows(resource, [] if resource is Resource.INVENTORY else records)
    qtbot.waitUntil(lambda: tab_of(window).table.row_count == 4)
    assert new_pets(window).stock.isHidden()


def test_without_a_name_no_pet_can_be_added(window: MainWindow, shop: RecordingShop) -> None:
    window.parts.actions["newPet"].trigger()
    dialog = opened(window, "newPetDialog")
    assert isinstance(dialog, NewPetDialog)
    dialog.names.setPlainText("  \n ")
    assert not dialog.primary.isEnabled()
    dialog.reject()
    assert shop.asked_for("apply") == []


def test_editing_a_pet_sends_only_what_changed(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    tab_of(window).show_ref(KOI)
    window.parts.actions["edit"].trigger()
    dialog = opened(window, "editPetDialog")
    assert isinstance(dialog, RecordDialog)
    assert dialog.name.text() == "Koi"
    assert dialog.choices["status"].value() == "available"
    dialog.choices["status"].set_value("sold")
    dialog.accept()
    ((change,),) = shop.asked_for("apply")
    assert change.intent == SetFields({"status": "sold"})


def test_an_empty_name_is_refused_in_words(window: MainWindow, shop: RecordingShop) -> None:
    tab_of(window).show_ref(KOI)
    window.parts.actions["edit"].trigger()
    dialog = opened(window, "editPetDialog")
    assert isinstance(dialog, RecordDialog)
    dialog.name.set_text("   ")
    dialog.accept()
    assert dialog.isVisible()
    assert "Enter a name." in words(dialog)
    dialog.reject()
    assert shop.asked_for("apply") == []


def test_a_category_is_made_with_its_description(window: MainWindow, shop: RecordingShop) -> None:
    window.parts.actions["newCategory"].trigger()
    dialog = opened(window, "categoryDialog")
    assert isinstance(dialog, RecordDialog)
    dialog.name.set_text("Pond fish")
    dialog.texts["description"].set_text("Koi and such")
    dialog.accept()
    ((change,),) = shop.asked_for("apply")
    assert change.intent == Create({"name": "Pond fish", "description": "Koi and such"})


def test_deleting_lists_what_depends_on_it_and_keeping_does_nothing(window: MainWindow, shop: RecordingShop) -> None:
    tab_of(window).show_ref(KOI)
    window.parts.actions["delete"].trigger()
    dialog = opened(window, "deleteDialog")
    assert "1 order" in words(dialog)
    assert "24 in stock" in words(dialog)
    assert "The service may delete its stock and orders too, and undo does not bring those back:" in words(dialog)
    dialog.reject()
    assert shop.asked_for("apply") == []
    window.parts.actions["delete"].trigger()
    opened(window, "deleteDialog").accept()
    ((change,),) = shop.asked_for("apply")
    assert change.intent == Delete()


def test_deleting_a_category_says_that_its_pets_may_go_with_all_that_is_theirs(window: MainWindow) -> None:
    """A service took 7 pets, their stock and an order with a category, of which the question said that they stay."""
    window.parts.navigation.open(Ref(Resource.CATEGORIES, 1))
    window.parts.actions["delete"].trigger()
    said = words(opened(window, "deleteDialog"))
    lost = "The service may delete its pets too, with stock and orders, and undo does not bring those back."
    assert lost in said
    assert "Pets that stay name a deleted category:" in said


def test_deleting_says_which_lists_may_have_more_that_belongs_to_it(window: MainWindow, shop: RecordingShop) -> None:
    tab_of(window).show_ref(KOI)
    shop.desk.set_load(Resource.ORDERS, LoadState("ready", as_of=1.0, gaps=Gaps(1)))
    window.parts.actions["delete"].trigger()
    said = words(opened(window, "deleteDialog"))
    assert "More may belong to it, because not all of it was read: Orders." in said
    assert "1+ orders" in said


def test_deleting_one_pet_says_what_it_costs_as_deleting_several_does(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    shop.price_of = lambda _: Price(3, looks=2)
    tab_of(window).show_ref(KOI)
    window.parts.actions["delete"].trigger()
    price = opened(window, "deleteDialog").findChild(PriceLine)
    assert price is not None
    qtbot.waitUntil(price.isVisible)
    assert price.accessibleName().startswith("3 requests")


def test_deleting_several_pets_speaks_of_them_all_and_names_the_stock_of_each(window: MainWindow) -> None:
    tab_of(window).view.selectAll()
    window.parts.actions["delete"].trigger()
    said = words(opened(window, "deleteDialog"))
    assert "undo adds these 4 again with new ids. The service may delete their stock and orders too" in said
    assert "(#1234): 1 order, 24 in stock" in said


def test_the_question_about_many_pets_has_room_for_all_it_says_in_a_low_window_however_long_their_names_are(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    shop.price_of = lambda _: Price(3_000, looks=2_000, seconds=4_000.0, leaves_of_day=100, day_limit=5_000, days=2)
    names = [f"African dwarf frog, albino, returned by the first owner of the {n}th litter" for n in range(30)]
    shop.tell_rows(Resource.PETS, [Pet(5_000 + n, name, 1, "sold") for n, name in enumerate(names)])
    shop.tell_rows(Resource.INVENTORY, [InventoryItem(5_000 + n, n) for n in range(30)])
    shop.desk.set_load(Resource.ORDERS, LoadState("ready", as_of=1.0, gaps=Gaps(1)))
    tab = tab_of(window)
    qtbot.waitUntil(lambda: tab.table.row_count == 34)
    tab.view.selectAll()
    window.parts.actions["delete"].trigger()
    dialog = opened(window, "deleteDialog")
    price = dialog.findChild(PriceLine)
    assert price is not None
    qtbot.waitUntil(price.isVisible)
    assert "30 in stock" not in words(dialog) and "1 in stock" in words(dialog)
    needed = dialog.sizeHint().height()
    assert needed <= current().scaled(480), "a screen of 600 has less for it, and text may be larger"
    qtbot.waitUntil(lambda: dialog.height() >= needed)


def test_what_cannot_be_taken_back_is_said_before_it_is_done(window: MainWindow, shop: RecordingShop) -> None:
    tab_of(window).show_ref(KOI)
    for contract, made, deleted in (
        (full_contract(), "", "adds it again with a new id"),
        (full_contract(Op.CATEGORY_DELETE), "once sent, this cannot be undone", "a new id"),
    ):
        shop.desk.set_contract(contract)
        window.parts.actions["newCategory"].trigger()
        dialog = opened(window, "categoryDialog")
        assert (made or "1 request.") in words(dialog)
        assert ("cannot be undone" in words(dialog)) is bool(made)
        dialog.reject()
        dialog.deleteLater()
        window.parts.actions["delete"].trigger()
        assert deleted in words(opened(window, "deleteDialog"))
        opened(window, "deleteDialog").reject()
    shop.desk.set_contract(full_contract(Op.PET_CREATE))
    window.parts.actions["delete"].trigger()
    assert "After that this service cannot restore it" in words(opened(window, "deleteDialog"))


def test_cancelling_an_order_names_it(window: MainWindow, shop: RecordingShop) -> None:
    window.show_tab("orders")
    tab_of(window).show_ref(Ref(Resource.ORDERS, 1198))
    window.parts.actions["cancelOrder"].trigger()
    dialog = opened(window, "cancelOrderDialog")
    assert "Delete order 1198?" in words(dialog)
    assert "The service is told to delete the order, not to mark it as cancelled." in words(dialog)
    dialog.accept()
    ((change,),) = shop.asked_for("apply")
    assert (change.ref, change.intent) == (Ref(Resource.ORDERS, 1198), Delete())


def new_pets(window: MainWindow) -> NewPetDialog:
    window.parts.actions["newPet"].trigger()
    dialog = opened(window, "newPetDialog")
    assert isinstance(dialog, NewPetDialog)
    return dialog


def test_what_a_service_demands_besides_is_named_where_a_pet_is_made(window: MainWindow, shop: RecordingShop) -> None:
    contract = full_contract()
    fills: dict[str, JsonValue] = {
        "photoUrls": [],
        "shelf": {},
        "kind": "dog\u202e",
        "note": "",
        "old": False,
        "x": None,
    }
    create = replace(contract.operations[Op.PET_CREATE], fills={"photoUrls": []})
    shop.desk.set_contract(replace(contract, operations={**contract.operations, Op.PET_CREATE: create}))
    dialog = new_pets(window)
    assert "The service also demands \u2068photoUrls\u2069; it gets an empty list." in words(dialog)
    dialog.reject()
    create = replace(create, fills=fills)
    shop.desk.set_contract(replace(contract, operations={**contract.operations, Op.PET_CREATE: create}))
    dialog = new_pets(window)
    said = words(dialog)
    assert "\u202e" not in said
    assert "it gets an empty list, an empty object, “\u2068dog" in said
    assert "an empty text, “\u2068false\u2069”, nothing." in said
    dialog.reject()


def test_new_pets_begin_with_their_names(qtbot: QtBot, window: MainWindow) -> None:
    dialog = new_pets(window)
    qtbot.waitUntil(dialog.names.hasFocus)
    assert (dialog.windowTitle(), dialog.primary.words()) == ("New pets", "Add pets")
    qtbot.keyClicks(dialog.names, "Ada")
    assert dialog.primary.words() == "Add 1 pet"
    qtbot.keyClick(dialog.names, Qt.Key.Key_Tab)
    assert dialog.category.box.hasFocus()
    dialog.reject()


def test_new_pets_are_of_the_selected_pets_category(window: MainWindow) -> None:
    tab_of(window).show_ref(Ref(Resource.PETS, 1422))
    dialog = new_pets(window)
    assert dialog.category.value() == "3"
    dialog.reject()


def test_new_pets_are_of_the_one_category_that_the_filter_leaves(qtbot: QtBot, window: MainWindow) -> None:
    tab_of(window).set_filter("budge")
    dialog = new_pets(window)
    assert dialog.category.value() == "2"
    dialog.reject()


def test_with_nothing_selected_no_category_is_guessed_and_add_says_so(window: MainWindow, shop: RecordingShop) -> None:
    dialog = new_pets(window)
    assert dialog.category.value() == ""
    assert dialog.category.box.placeholderText() == "Choose a category"
    dialog.names.setPlainText("Ada")
    dialog.accept()
    assert dialog.isVisible()
    assert "Choose a category." in words(dialog)
    assert shop.asked_for("apply") == []
    dialog.category.set_value("2")
    dialog.accept()
    assert len(shop.asked_for("apply")) == 1


def test_new_pets_are_selected_and_shown_wherever_they_were_made(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    window.show_tab("inventory")
    window.parts.actions["newPet"].trigger()
    dialog = opened(window, "newPetDialog")
    assert isinstance(dialog, NewPetDialog)
    dialog.category.set_value("2")
    dialog.names.setPlainText("Ada\nGrace\nZorro")
    dialog.primary.click()
    qtbot.waitUntil(lambda: window.shown() == "pets")
    tab = tab_of(window)
    qtbot.waitUntil(lambda: {shop.desk.title(ref) for ref in tab.selected_refs()} == {"Ada", "Grace", "Zorro"})
    assert all(tab.view.visualRect(tab.model.index_of(ref.key)).isValid() for ref in tab.selected_refs())


def test_a_new_category_is_selected_and_shown(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    window.parts.actions["newCategory"].trigger()
    dialog = opened(window, "categoryDialog")
    assert isinstance(dialog, RecordDialog)
    dialog.name.set_text("Amphibians")
    dialog.accept()
    qtbot.waitUntil(lambda: window.shown() == "categories")
    tab = tab_of(window)
    qtbot.waitUntil(lambda: [shop.desk.title(ref) for ref in tab.selected_refs()] == ["Amphibians"])


def empty_shop(qtbot: QtBot, open_window: OpenWindow, shop: RecordingShop, contract: Contract) -> NewPetDialog:
    """The dialog for new pets in a shop in which there is nothing yet."""
    window = open_window()
    shop.tell_ready(contract)
    for resource in Resource:
        shop.tell_rows(resource, [])
    qtbot.waitUntil(window.parts.actions["newPet"].isEnabled)
    window.parts.actions["newPet"].trigger()
    dialog = opened(window, "newPetDialog")
    assert isinstance(dialog, NewPetDialog)
    return dialog


def pet_creation(*required: str) -> Operation:
    fields = ("name", "category_id", "status")
    return Operation(Op.PET_CREATE, "POST", "/pets", body_fields=fields, required_fields=required)


def with_pets(contract: Contract, *required: str) -> Contract:
    return replace(contract, operations={**contract.operations, Op.PET_CREATE: pet_creation(*required)})


def test_without_categories_the_first_one_is_made_with_the_pets(
    qtbot: QtBot, open_window: OpenWindow, shop: RecordingShop
) -> None:
    dialog = empty_shop(qtbot, open_window, shop, full_contract())
    assert not dialog.category.isVisible()
    assert dialog.first_category.isVisible()
    dialog.names.setPlainText("Ada\nGrace")
    dialog.accept()
    assert dialog.isVisible() and "ategory" in words(dialog)
    assert shop.asked_for("apply") == []
    dialog.first_category.set_text("Fish")
    dialog.accept()
    ((category, *pets),) = shop.asked_for("apply")
    assert category.intent == Create({"name": "Fish"})
    assert [pet.intent.fields["category_id"] for pet in pets] == [category.ref.key] * 2


def test_without_categories_a_pet_may_have_none_where_the_service_lets_it(
    qtbot: QtBot, open_window: OpenWindow, shop: RecordingShop
) -> None:
    dialog = empty_shop(qtbot, open_window, shop, with_pets(full_contract(Op.CATEGORY_CREATE), "name"))
    assert not dialog.first_category.isVisible()
    assert "There are no categories; the pets get none." in words(dialog)
    dialog.names.setPlainText("Ada")
    dialog.accept()
    ((pet,),) = shop.asked_for("apply")
    assert pet.intent == Create({"name": "Ada", "status": "available"})


def test_where_no_category_can_be_made_and_each_pet_needs_one_it_is_said(
    qtbot: QtBot, open_window: OpenWindow, shop: RecordingShop
) -> None:
    contract = with_pets(full_contract(Op.CATEGORY_CREATE), "name", "category_id")
    dialog = empty_shop(qtbot, open_window, shop, contract)
    dialog.names.setPlainText("Ada")
    assert not dialog.primary.isEnabled()
    assert "this service cannot add one" in words(dialog)
    dialog.accept()
    assert shop.asked_for("apply") == []


def test_letters_that_begin_no_category_make_no_pet(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    dialog = new_pets(window)
    qtbot.keyClicks(dialog.category.box, "Fino")
    dialog.names.setPlainText("Nala")
    dialog.accept()
    assert dialog.isVisible() and "Fino" in dialog.wrong.text()
    assert shop.asked_for("apply") == []
    dialog.reject()


def test_what_the_service_does_not_take_is_not_asked_for(window: MainWindow, shop: RecordingShop) -> None:
    contract = full_contract()
    named = {
        op: replace(contract.operations[op], body_fields=("name",), required_fields=("name",))
        for op in (Op.PET_CREATE, Op.PET_CHANGE)
    }
    shop.desk.set_contract(replace(contract, operations={**contract.operations, **named}))
    dialog = new_pets(window)
    assert not (dialog.category.isVisible() or dialog.first_category.isVisible() or dialog.status.isVisible())
    dialog.names.setPlainText("Ada")
    dialog.accept()
    ((pet,),) = shop.asked_for("apply")
    assert pet.intent == Create({"name": "Ada"})
    tab_of(window).show_ref(KOI)
    window.parts.actions["edit"].trigger()
    edit = opened(window, "editPetDialog")
    assert isinstance(edit, RecordDialog)
    assert edit.name.isEnabled()
    for field in edit.choices.values():
        assert not field.isEnabled()
        assert "but not this one" in field.toolTip() == field.box.accessibleDescription()
    edit.reject()


def test_what_is_sent_at_once_is_not_said_to_be_undone_until_it_is_sent(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    window.show_tab("orders")
    tab_of(window).show_ref(Ref(Resource.ORDERS, 1198))
    for link in (Link.LIVE, Link.OFFLINE):
        shop.events.tell(LinkMoved(CONNECTION, link, NOON))
        qtbot.waitUntil(lambda link=link: shop.desk.link is link)
        window.parts.actions["cancelOrder"].trigger()
        dialog = opened(window, "cancelOrderDialog")
        assert ("Ctrl+Z" in words(dialog)) is (link is Link.OFFLINE)
        assert ("This cannot be undone" in words(dialog)) is (link is Link.LIVE)
        dialog.reject()
        dialog.deleteLater()
