"""Where a service has the fields of the program's lists, as a page of the operations; and choosing it by hand."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from petstore_desktop.contract.binding.load import default
from petstore_desktop.contract.model import Contract
from petstore_desktop.contract.operations import NOWHERE, FieldMap
from petstore_desktop.domain.records import Category, Pet, Resource, Row
from petstore_desktop.ui.service.fields import FIELD, FIELDS, HOW, LIST, PLACE, SAMPLE, FieldsModel, FieldsPage
from petstore_desktop.ui.service.operations import OperationsDialog
from tests.ui.recording_shop import RecordingShop

MAPS = {Resource.PETS: FieldMap({"name": ("title",), "category_id": ("category", "id"), "status": NOWHERE}, told=True)}
EXTRA = {"category": {"id": 3, "label": "Dogs"}, "tags": ["old"], "labels": {"en": "Rex"}, "x" * 300: 1}


def shop_of(contract: Contract, bindings: dict[str, object] | None = None) -> RecordingShop:
    shop = RecordingShop(bindings=bindings or {})
    shop.desk.set_contract(contract)
    return shop


@pytest.fixture
def shop() -> RecordingShop:
    shop = shop_of(replace(default(), fields=MAPS))
    rex, tom = Pet(1, "Rex", 3, None, EXTRA), Pet(2, "<b>Tom</b>\u202e" + "x" * 999, 4)
    shop.desk.show_rows(Resource.PETS, (Row(1, rex, 0.0), Row(2, tom, 0.0)))
    shop.desk.show_rows(Resource.CATEGORIES, (Row(3, Category(3, "Dogs"), 0.0),))
    return shop


@pytest.fixture
def dialog(qtbot: QtBot, shop: RecordingShop) -> OperationsDialog:
    dialog = OperationsDialog(shop)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.mouseClick(dialog.turn, Qt.MouseButton.LeftButton)
    return dialog


def at(resource: Resource, name: str) -> int:
    return next(row for row, (one, spec) in enumerate(FIELDS) if one is resource and spec.name == name)


def row(model: FieldsModel, resource: Resource, name: str) -> list[str]:
    return [str(model.index(at(resource, name), column).data()) for column in (LIST, FIELD, HOW, PLACE, SAMPLE)]


def go_to(page: FieldsPage, resource: Resource, name: str) -> None:
    page.view.setCurrentIndex(page.model.index(at(resource, name), FIELD))


def test_each_field_is_a_row_with_its_place_and_a_value_that_was_read(dialog: OperationsDialog) -> None:
    model = dialog.fields.model
    assert row(model, Resource.PETS, "id") == ["Pets", "Id", "as the program names it", "id", "1"]
    assert row(model, Resource.PETS, "name") == ["Pets", "Name", "found", "title", "Rex"]
    assert row(model, Resource.PETS, "category_id") == ["Pets", "Category", "found", "category.id", "3"]
    assert row(model, Resource.PETS, "status") == ["Pets", "Status", "not found", "–", "–"]
    assert row(model, Resource.CATEGORIES, "description")[2] == "not found"
    assert row(model, Resource.ORDERS, "quantity") == ["Orders", "Quantity", "nothing read yet", "quantity", "–"]


def test_another_place_is_chosen_with_the_keyboard_and_kept_as_a_binding(
    qtbot: QtBot, dialog: OperationsDialog, shop: RecordingShop
) -> None:
    page = dialog.fields
    assert page.view.hasFocus()
    go_to(page, Resource.PETS, "category_id")
    assert page.words.text() == "Pets, Category: read from “\u2068category.id\u2069”."
    go_to(page, Resource.PETS, "status")
    assert page.words.text() == "Pets, Status: not found in the service’s records."
    qtbot.keyClick(page.view, Qt.Key.Key_Return)
    box = page.choice.box
    assert box.hasFocus()
    assert box.accessibleName() == "Name in the service for “Status”"
    names = [str(box.itemData(number)) for number in range(box.count())]
    assert names == ["", "id", "title", "category.id", "category.label", "labels.en"]
    qtbot.keyClick(box, Qt.Key.Key_End)
    assert row(page.model, Resource.PETS, "status")[2:] == ["chosen by you", "labels.en", "Rex"]
    assert page.typed.text() == "labels.en"
    dialog.accept()
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert shop.asked_for("bind_operations") == [{"pets.status": "labels.en"}]


def test_a_place_can_be_typed_and_one_that_is_none_is_refused(
    qtbot: QtBot, dialog: OperationsDialog, shop: RecordingShop
) -> None:
    page = dialog.fields
    go_to(page, Resource.PETS, "status")
    page.typed.edit.setFocus()
    qtbot.keyClicks(page.typed.edit, "state.")
    dialog.accept()
    assert dialog.isVisible()
    assert page.typed.note.text() == "Write names with dots between them, such as category.id."
    qtbot.keyClicks(page.typed.edit, "word")
    dialog.accept()
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert shop.asked_for("bind_operations") == [{"pets.status": "state.word"}]


def test_the_program_is_let_choose_again(qtbot: QtBot) -> None:
    by_hand = {"pets.name": "title"}
    shop = shop_of(replace(default(by_hand), fields={Resource.PETS: FieldMap({"name": ("title",)})}), dict(by_hand))
    dialog = OperationsDialog(shop)
    qtbot.addWidget(dialog)
    dialog.show()
    page = dialog.fields
    page.begin()
    assert row(page.model, Resource.PETS, "name")[2:4] == ["chosen by you", "title"]
    go_to(page, Resource.PETS, "name")
    assert page.choice.value() == page.typed.text() == "title"
    page.choice.box.setCurrentIndex(0)
    page.choice.box.activated.emit(0)
    assert row(page.model, Resource.PETS, "name")[2] == "automatic"
    dialog.accept()
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert shop.asked_for("bind_operations") == [{}]


def test_what_was_read_is_shown_plain(dialog: OperationsDialog, shop: RecordingShop) -> None:
    shop.desk.show_rows(Resource.PETS, (), (1,))
    model = FieldsModel(shop, dialog)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, dialog)
    shown = [str(model.index(line, column).data()) for line in range(model.rowCount()) for column in range(5)]
    assert all("\u202e" not in text and len(text) < 200 for text in shown)
    assert len(shown) == 5 * len(FIELDS)


def test_a_guess_is_read_only_until_its_name_is_chosen(qtbot: QtBot) -> None:
    fields = {Resource.PETS: FieldMap({"status": ("state",)}, guessed=("status",))}
    shop = shop_of(replace(default(), fields=fields))
    dialog = OperationsDialog(shop)
    qtbot.addWidget(dialog)
    dialog.show()
    page = dialog.fields
    page.begin()
    assert row(page.model, Resource.PETS, "status")[2:4] == ["a guess, read only", "state"]
    go_to(page, Resource.PETS, "status")
    assert "which is a guess. To change it here, choose the name." in page.words.text()
    page.choice.box.setCurrentIndex(page.choice.box.findData("state"))
    page.choice.box.activated.emit(page.choice.box.currentIndex())
    assert row(page.model, Resource.PETS, "status")[2:4] == ["chosen by you", "state"]
    assert page.words.text() == "Pets, Status: read from “\u2068state\u2069”."
    dialog.accept()
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert shop.asked_for("bind_operations") == [{"pets.status": "state"}]
