"""What a service offers, as a page: each operation, why it is not offered, its marks; and binding one by hand."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Mapping
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QDialog, QFileDialog, QPlainTextEdit
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from petstore_desktop.contract.binding.bind import bind
from petstore_desktop.contract.binding.load import default, load, load_file
from petstore_desktop.contract.contract_files import survey_of
from petstore_desktop.contract.lifecycle.sunset import Notice, heard, with_operation
from petstore_desktop.contract.model import Contract
from petstore_desktop.contract.operations import Op
from petstore_desktop.contract.profile.writing import followed, text_of
from petstore_desktop.contract.survey import Survey, from_json, to_json
from petstore_desktop.shop import background
from petstore_desktop.ui.service.operations import HOW, MARKS, OPS, THROUGH, WHAT, OperationsDialog, OperationsModel
from petstore_desktop.ui.widgets.button import Button
from tests.contract.documents import document
from tests.support import petstore_document
from tests.support.patience import PATIENCE_S
from tests.ui.acting import spoken_words
from tests.ui.conftest import OpenWindow
from tests.ui.recording_shop import RecordingShop
from tests.ui.records.test_record_dialogs import opened

DOCUMENTS = Path(__file__).parents[2] / "contract" / "documents"
LOOK_ALIKES = DOCUMENTS / "look-alikes.yaml"


def shop_of(contract: Contract, bindings: Mapping[str, object] | None = None) -> RecordingShop:
    shop = RecordingShop(survey=contract.survey or Survey(), bindings=bindings or {})
    shop.desk.set_contract(contract)
    if contract.source == "default":
        shop.try_bindings = lambda bindings: default(bindings).survey
    return shop


def show(qtbot: QtBot, shop: RecordingShop) -> OperationsDialog:
    dialog = OperationsDialog(shop)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: dialog.model.rowCount() > 0)
    return dialog


def go_to(dialog: OperationsDialog, op: Op) -> None:
    dialog.view.setCurrentIndex(dialog.model.index(OPS.index(op), WHAT))


def row(dialog: OperationsDialog, op: Op) -> list[str]:
    return [str(dialog.model.index(OPS.index(op), column).data()) for column in (WHAT, HOW, THROUGH, MARKS)]


def choices(dialog: OperationsDialog) -> list[str]:
    box = dialog.choice.box
    return [box.itemText(number) for number in range(box.count())]


def choose(qtbot: QtBot, dialog: OperationsDialog, op: Op, times: int) -> None:
    """By keyboard: Enter goes from the row to its choice, Down takes the next one."""
    go_to(dialog, op)
    qtbot.keyClick(dialog.view, Qt.Key.Key_Return)
    assert dialog.choice.box.hasFocus()
    for _ in range(times):
        qtbot.keyClick(dialog.choice.box, Qt.Key.Key_Down)


def test_every_operation_is_a_row_in_plain_words_with_its_marks(qtbot: QtBot) -> None:
    dialog = show(qtbot, shop_of(load_file(str(DOCUMENTS / "marks.yaml"))))
    assert dialog.model.rowCount() == len(Op)
    assert row(dialog, Op.PETS_LIST) == ["List pets", "offered", "GET /pets", "deprecated, until 30 Jun 2027"]
    assert row(dialog, Op.PET_READ)[MARKS] == "deprecated, until 1 Jul 2027, experimental"
    assert row(dialog, Op.PET_CREATE)[MARKS] == "beta"
    assert row(dialog, Op.STOCK_CHANGE) == ["Change stock", "not offered", "–", ""]
    assert len({row(dialog, op)[WHAT] for op in Op}) == len(Op)
    assert dialog.accessibleDescription().startswith("12 of 18 operations can be used.")


def test_the_selected_operation_says_why_it_is_not_offered_and_what_it_could_be(qtbot: QtBot) -> None:
    dialog = show(qtbot, shop_of(load_file(str(LOOK_ALIKES))))
    go_to(dialog, Op.CATEGORIES_LIST)
    assert dialog.words.text().endswith("\u2068GET /categories\u2069 was not taken: its answer looks like orders.")
    assert choices(dialog)[0] == "Automatic"
    assert "careful: its answer looks like orders" in choices(dialog)[1]
    go_to(dialog, Op.PETS_LIST)
    assert "it requires a value for “\u2068status\u2069”" in dialog.words.text()
    go_to(dialog, Op.PET_DELETE)
    assert dialog.words.text() == "The service’s document has no operation for this."
    assert not dialog.choice.box.isEnabled()
    go_to(dialog, Op.ORDER_READ)
    assert "GET /orders/{id}" in dialog.words.text()
    assert dialog.choice.box.accessibleName() == "Use for “Look up one order”"


def test_a_list_that_is_made_of_what_the_pets_show_is_offered_and_says_so(qtbot: QtBot) -> None:
    contract = bind(petstore_document.openapi3(), source="published", address="http://127.0.0.1:9/v1")
    assert from_json(to_json(contract.survey or Survey())) == contract.survey
    dialog = show(qtbot, shop_of(contract))
    assert row(dialog, Op.CATEGORIES_LIST)[1:3] == ["read from pets", "GET /pet/findByStatus"]
    go_to(dialog, Op.CATEGORIES_LIST)
    assert dialog.words.text().startswith("The service has no list of categories. The program takes them from the pets")
    assert dialog.accessibleDescription().startswith("9 of 18 operations can be used.")


def test_an_operation_is_bound_by_hand_with_the_keyboard_and_kept_with_what_was_bound_before(qtbot: QtBot) -> None:
    contract = load_file(str(LOOK_ALIKES), bindings={"orders.list": "GET /orders"})
    shop = shop_of(contract, {"orders.list": "GET /orders", "pets.fly": "GET /pets"})
    dialog = show(qtbot, shop)
    choose(qtbot, dialog, Op.CATEGORIES_LIST, 1)
    assert row(dialog, Op.CATEGORIES_LIST)[1:3] == ["chosen by you", "GET /categories"]
    qtbot.mouseClick(dialog.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert shop.asked_for("bind_operations") == [{"categories.list": "GET /categories", "orders.list": "GET /orders"}]


@pytest.mark.qt_log_ignore("grabbing the keyboard", r"raise\(\)")  # of open lists: offscreen has none to grab
def test_enter_in_the_choice_opens_its_list_and_saves_nothing(qtbot: QtBot) -> None:
    shop = shop_of(default())
    dialog = show(qtbot, shop)
    choose(qtbot, dialog, Op.PETS_LIST, 1)
    box = dialog.choice.box
    qtbot.keyClick(box, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: box.view().isVisible())
    assert dialog.isVisible() and not shop.asked_for("bind_operations")


def question_of(qtbot: QtBot, dialog: OperationsDialog) -> QDialog:
    qtbot.waitUntil(lambda: dialog.findChild(QDialog, "lostOperationsDialog") is not None)
    question = dialog.findChild(QDialog, "lostOperationsDialog")
    assert question is not None
    return question


def test_a_choice_with_which_fewer_operations_can_be_used_is_saved_only_after_a_question(qtbot: QtBot) -> None:
    shop = shop_of(default())
    dialog = show(qtbot, shop)
    go_to(dialog, Op.PETS_LIST)
    (at,) = [number for number, words in enumerate(choices(dialog)) if "GET /inventory" in words]
    choose(qtbot, dialog, Op.PETS_LIST, at)
    wanted = {"pets.list": "GET /inventory"}
    left = (default(wanted).survey or Survey()).bound
    assert left < len(Op)
    dialog.accept()
    question = question_of(qtbot, dialog)
    assert question.accessibleDescription().startswith(f"{left} of 18 operations can be used with this choice.")
    assert "Add a pet" in spoken_words(question)
    question.reject()
    assert dialog.isVisible() and not shop.asked_for("bind_operations")
    qtbot.waitUntil(lambda: not isValid(question))
    dialog.accept()
    question_of(qtbot, dialog).accept()
    assert shop.asked_for("bind_operations") == [wanted]
    assert not dialog.isVisible()


def test_a_choice_whose_effect_is_not_known_is_asked_about_too(qtbot: QtBot) -> None:
    shop = shop_of(default())

    def unknown(bindings: Mapping[str, str]) -> None:
        assert bindings

    shop.try_bindings = unknown
    dialog = show(qtbot, shop)
    choose(qtbot, dialog, Op.PETS_LIST, 1)
    dialog.accept()
    assert "is not known" in question_of(qtbot, dialog).accessibleDescription()
    assert not shop.asked_for("bind_operations")


def test_the_program_is_let_choose_again(qtbot: QtBot) -> None:
    bindings = {"orders.list": "GET /orders"}
    shop = shop_of(load_file(str(LOOK_ALIKES), bindings=bindings), bindings)
    dialog = show(qtbot, shop)
    assert row(dialog, Op.ORDERS_LIST)[HOW] == "chosen by you"
    go_to(dialog, Op.ORDERS_LIST)
    qtbot.keyClick(dialog.view, Qt.Key.Key_Return)
    qtbot.keyClick(dialog.choice.box, Qt.Key.Key_Home)
    assert row(dialog, Op.ORDERS_LIST)[HOW] == "automatic"
    dialog.accept()
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert shop.asked_for("bind_operations") == [{}]


def test_a_choice_that_is_taken_back_and_a_cancelled_page_change_nothing(qtbot: QtBot) -> None:
    shop = shop_of(load_file(str(LOOK_ALIKES)))
    dialog = show(qtbot, shop)
    choose(qtbot, dialog, Op.CATEGORIES_LIST, 1)
    qtbot.keyClick(dialog.choice.box, Qt.Key.Key_Up)
    assert row(dialog, Op.CATEGORIES_LIST)[HOW] == "not offered"
    dialog.accept()
    other = show(qtbot, shop)
    choose(qtbot, other, Op.CATEGORIES_LIST, 1)
    other.view.setFocus()
    qtbot.keyClick(other.view, Qt.Key.Key_Escape)
    assert not other.isVisible()
    assert shop.asked_for("bind_operations") == []


def test_a_choice_that_the_document_no_longer_serves_is_named(qtbot: QtBot) -> None:
    bindings = {"pets.list": "GET /gone", "orders.read": "GET /gone/{id}"}
    dialog = show(qtbot, shop_of(load_file(str(LOOK_ALIKES), bindings=bindings), bindings))
    go_to(dialog, Op.PETS_LIST)
    assert "You chose \u2068GET /gone\u2069, which the document no longer has" in dialog.words.text()
    assert row(dialog, Op.ORDER_READ)[HOW] == "offered, not by your choice"


def test_what_answers_said_since_counts_as_a_mark(qtbot: QtBot) -> None:
    contract = default()
    ends = heard(contract.operations[Op.ORDERS_LIST], Notice(sunset="2028-02-29"), 0.0)
    shop = shop_of(with_operation(contract, ends))
    assert row(show(qtbot, shop), Op.ORDERS_LIST)[MARKS] == "deprecated, until 29 Feb 2028"


def test_the_remarks_on_the_document_can_be_read(qtbot: QtBot) -> None:
    dialog = show(qtbot, shop_of(load_file(str(LOOK_ALIKES))))
    assert dialog.remarks.words() == "6 remarks on the document"
    dialog.remarks.click()
    raw = dialog.findChild(QDialog, "rawDialog")
    assert raw is not None
    assert raw.isVisible()
    text = raw.findChild(QPlainTextEdit)
    assert text is not None
    assert "PATCH /inventory/{petId} is not used" in text.toPlainText()
    raw.reject()
    assert not show(qtbot, shop_of(default())).remarks.isVisible()


def test_words_of_a_document_cannot_pass_for_ours(qtbot: QtBot) -> None:
    odd = (
        "  /pets/{a}\u202e: {get: {summary: '<b>x</b>\u202e" + "y" * 900 + "'}}\n  /pets: {get: {summary: '<b>\u202e'}}"
    )
    dialog = show(qtbot, shop_of(load(document(odd), source="published")))
    go_to(dialog, Op.PETS_LIST)
    assert "\u202e" not in dialog.words.text()
    assert "<b>" in dialog.words.text()
    go_to(dialog, Op.PET_READ)
    assert len(dialog.words.text()) < 600


def test_a_page_that_is_closed_before_it_is_read_does_no_harm(qtbot: QtBot) -> None:
    shop, over = shop_of(default()), threading.Event()
    survey = shop.survey

    def read() -> Survey:
        over.wait(PATIENCE_S)
        return survey

    shop.read_operations = read
    dialog = OperationsDialog(shop)
    reading = weakref.ref(background.at_work[-1])
    dialog.deleteLater()
    qtbot.waitUntil(lambda: not isValid(dialog))
    over.set()
    qtbot.waitUntil(lambda: reading() is None)


@pytest.mark.parametrize("contract", [default(), None])
def test_the_rows_keep_the_rules_of_item_models(contract: Contract | None) -> None:
    model = OperationsModel(contract)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show_found(default().survey or Survey())
    model.choose({Op.PETS_LIST: "GET /pets", Op.PET_READ: ""})
    for number in range(model.rowCount()):
        for column in range(model.columnCount()):
            assert model.index(number, column).data(Qt.ItemDataRole.AccessibleTextRole) is not None
    model.show_found(Survey())
    assert model.rowCount() == 0
    tester.deleteLater()


def test_the_page_opens_from_the_menu_and_from_the_settings(qtbot: QtBot, open_window: OpenWindow) -> None:
    window = open_window(shop_of(default()))
    window.parts.actions["operations"].trigger()
    page = opened(window, "operationsDialog")
    qtbot.waitUntil(lambda: page.accessibleDescription() != "One moment.")
    page.reject()
    window.parts.actions["connectionSettings"].trigger()
    settings = opened(window, "connectionDialog")
    button = settings.findChild(Button, "operationsButton")
    assert button is not None
    button.click()
    opened(window, "operationsDialog").reject()
    assert settings.isVisible()


def test_how_the_service_is_followed_is_saved_as_a_profile(qtbot: QtBot, tmp_path: Path) -> None:
    contract = load_file(str(LOOK_ALIKES))
    dialog, file = show(qtbot, shop_of(contract)), tmp_path / "shop.toml"
    button = dialog.findChild(Button, "profileButton")
    assert button is not None
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    asked = dialog.findChild(QFileDialog, "profileFileDialog")
    assert asked is not None
    asked.fileSelected.emit(str(file))
    qtbot.waitUntil(file.exists)
    qtbot.waitUntil(lambda: "shop.toml" in spoken_words(dialog))
    assert load_file(str(file)).operations == followed(contract).operations


def test_a_connection_that_follows_a_profile_says_so_and_offers_no_other_choice(qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "shop.toml"
    file.write_text(text_of(default()), encoding="utf-8")
    contract = load_file(str(file))
    shop = shop_of(contract)
    shop.survey = survey_of(tmp_path / "contract.json", contract)
    dialog = show(qtbot, shop)
    assert "follows a profile" in spoken_words(dialog)
    go_to(dialog, Op.PETS_LIST)
    assert not dialog.choice.box.isEnabled()
    assert row(dialog, Op.PETS_LIST)[2] == "GET /pets"
    assert dialog.words.text() == "The profile says so."
    assert "GET /pets" in choices(dialog)[0]
    assert "Automatic" not in choices(dialog)[0]
