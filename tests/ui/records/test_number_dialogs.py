"""A record that no list brings is looked up by its id."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from petstore_desktop.contract.model import Contract, Operation
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.errors import NotFound
from petstore_desktop.domain.records import Order, Pet, Ref, Resource
from petstore_desktop.sync.wire.events import Checked
from petstore_desktop.ui.records.number_dialogs import LookUpDialog
from petstore_desktop.ui.text.cell import Cell, CellRole
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.conftest import OpenWindow, tab_of
from tests.ui.lists.test_empty_texts import buttons, page_says
from tests.ui.recording_shop import CONNECTION, RecordingShop
from tests.ui.records.test_record_dialogs import opened

ONLY_TWO = Contract(
    {
        Op.PET_READ: Operation(Op.PET_READ, "GET", "/pets/{petId}", deprecated=True, sunset="2027-06-30"),
        Op.ORDERS_LIST: Operation(Op.ORDERS_LIST, "GET", "/store/orders"),
    }
)


def sparse_window(qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow) -> MainWindow:
    window = open_window()
    shop.tell_ready(ONLY_TWO)
    page_says(qtbot, window, "Riverside Pets does not offer this list")
    return window


def look_up(window: MainWindow, typed: str) -> LookUpDialog:
    window.parts.actions["lookUp"].trigger()
    dialog = opened(window, "lookUpDialog")
    assert isinstance(dialog, LookUpDialog)
    dialog.id.set_text(typed)
    dialog.accept()
    return dialog


def test_where_there_is_no_list_of_pets_the_page_offers_to_look_one_up(
    qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow
) -> None:
    window = sparse_window(qtbot, shop, open_window)
    assert list(buttons(window)) == ["Look up by id", "Operations"]
    next(iter(buttons(window).values())).click()
    dialog = opened(window, "lookUpDialog")
    assert isinstance(dialog, LookUpDialog)
    qtbot.keyClicks(dialog.id.edit, "#12 345")
    qtbot.keyClick(dialog.id.edit, Qt.Key.Key_Return)
    assert shop.asked_for("check_live") == [Ref(Resource.PETS, 12345)]
    shop.tell_rows(Resource.PETS, [Pet(12345, "Koi", None, "sold")], done=False)
    shop.events.tell(Checked(CONNECTION, Ref(Resource.PETS, 12345)))
    tab = tab_of(window)
    qtbot.waitUntil(lambda: tab.current_ref() == Ref(Resource.PETS, 12345))
    counts = tab.bar.findChild(QLabel, "listCounts")
    assert counts is not None
    assert counts.text() == "1, looked up one by one"


def test_where_one_went_just_before_is_no_reason_to_stay_there(
    qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow
) -> None:
    window = sparse_window(qtbot, shop, open_window)
    window.parts.navigation.note_now()
    tab_of(window).set_filter("koi")
    look_up(window, "12345")
    qtbot.waitUntil(lambda: window.parts.navigation.can_go_back)
    shop.tell_rows(Resource.PETS, [Pet(12345, "Koi", None, "sold")], done=False)
    qtbot.waitUntil(lambda: tab_of(window).current_ref() == Ref(Resource.PETS, 12345))


def test_a_list_that_cannot_even_be_looked_into_names_the_page_of_operations(
    qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow
) -> None:
    window = sparse_window(qtbot, shop, open_window)
    window.parts.actions["categoriesTab"].trigger()
    page_says(qtbot, window, "does not offer this list")
    assert list(buttons(window)) == ["Operations"]
    look = window.parts.actions["lookUp"]
    assert not look.isEnabled()
    assert "does not offer this" in look.toolTip()


def test_what_is_no_id_is_said_and_nothing_is_asked(qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow) -> None:
    window = sparse_window(qtbot, shop, open_window)
    for typed in ("", "koi", "1.5", "9223372036854775808", "1" * 5000):
        dialog = look_up(window, typed)
        assert dialog.isVisible()
        assert dialog.id.note.text() == "Enter a whole number as the id."
        dialog.reject()
    look_up(window, "-9223372036854775808")
    assert shop.asked_for("check_live") == [Ref(Resource.PETS, -(2**63))]


def test_a_pet_that_is_not_there_is_told_in_words(qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow) -> None:
    window = sparse_window(qtbot, shop, open_window)
    look_up(window, "5")
    error = NotFound(status=404, message="no such pet", operation="pets.read")
    shop.events.tell(Checked(CONNECTION, Ref(Resource.PETS, 5), error))
    toast = window.after_paint.notifier.toast
    qtbot.waitUntil(lambda: toast.words() == "There is no pet 5 at the service")
    shop.events.tell(Checked(CONNECTION, Ref(Resource.PETS, 6)))
    qtbot.waitUntil(lambda: toast.words() == "The list has no record with the id 6")


def test_the_pet_of_an_order_is_looked_up_when_somebody_goes_there(
    qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow
) -> None:
    window = sparse_window(qtbot, shop, open_window)
    shop.tell_rows(Resource.ORDERS, [Order(1, 77, 2, None, False)])
    window.parts.actions["ordersTab"].trigger()
    tab = tab_of(window)
    qtbot.waitUntil(lambda: tab.table.row_count == 1)
    tab.view.setCurrentIndex(tab.model.index(0, 1))
    qtbot.waitUntil(window.parts.actions["openPet"].isEnabled)
    assert tab.model.index(0, 2).data(CellRole) == Cell(kind="ref", ref_id="77")
    window.parts.actions["openPet"].trigger()
    assert shop.asked_for("check_live") == [Ref(Resource.PETS, 77)]
    assert tab_of(window).resource is Resource.PETS


def test_where_there_is_a_list_nothing_is_looked_up_by_itself(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    window.parts.navigation.open(Ref(Resource.PETS, 4242))
    assert shop.asked_for("check_live") == []
    look_up(window, "4242")
    assert shop.asked_for("check_live") == [Ref(Resource.PETS, 4242)]
