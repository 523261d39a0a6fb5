"""Ctrl+K: one field for views, actions and records, by keyboard and mouse."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QLabel, QListView, QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.errors import NotFound
from petstore_desktop.domain.records import Order, Pet, Ref, Resource
from petstore_desktop.domain.seen_changes import SeenChange, What, Who
from petstore_desktop.sync.wire.events import Checked
from petstore_desktop.ui.cells.cell_model import CellModel, KeyRole
from petstore_desktop.ui.palette.palette import PalettePopup
from petstore_desktop.ui.palette.palette_texts import PaletteLine
from petstore_desktop.ui.text.cell import CellRole
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import go_to
from tests.ui.conftest import tab_of
from tests.ui.recording_shop import CONNECTION, NOON, RecordingShop, full_contract

Key = Qt.Key
ISOLATES = {0x2068: None, 0x2069: None}
LTR = Qt.LayoutDirection.LeftToRight


class Hands:
    """Types into the palette of a window and reads what it answers."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self.qtbot, self.window, self.field = qtbot, window, window.palette_field

    def ask(self, text: str) -> list[str]:
        """Ctrl+K and a text; the ids of all answers."""
        self.qtbot.keyClick(self.window, Key.Key_K, Qt.KeyboardModifier.ControlModifier)
        self.qtbot.waitUntil(self.is_open)
        self.qtbot.keyClicks(self.field, text)
        self.qtbot.waitUntil(lambda: not self.popup().is_searching)
        return self.ids()

    def popup(self) -> PalettePopup:
        found = self.window.findChild(PalettePopup, "palettePopup")
        assert found is not None
        return found

    def press(self, key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        self.qtbot.keyClick(self.field, key, held)

    def is_open(self) -> bool:
        found = self.window.findChild(QWidget, "palettePopup")
        return found is not None and found.isVisible()

    def list(self) -> QListView:
        found = self.window.findChild(QListView, "paletteList")
        assert found is not None
        return found

    def ids(self) -> list[str]:
        model = self.list().model()
        return [model.index(row, 0).data(KeyRole) for row in range(model.rowCount())]

    def usable(self, ids: list[str]) -> list[bool]:
        """Whether each action can be used; pages of the manual stand behind them, as soon as they are read."""
        return [self.answer(one).enabled for one in ids if one.startswith("action:")]

    def current(self) -> str:
        return self.list().currentIndex().data(KeyRole)

    def answer(self, id_: str) -> PaletteLine:
        model = self.list().model()
        return next(
            a
            for row in range(model.rowCount())
            if (a := model.index(row, 0).data(CellRole)) and model.index(row, 0).data(KeyRole) == id_
        )


@pytest.fixture
def hands(qtbot: QtBot, window: MainWindow) -> Hands:
    return Hands(qtbot, window)


def test_the_palette_opens_with_what_can_be_gone_to_and_esc_goes_back(hands: Hands, window: MainWindow) -> None:
    tab = tab_of(window)
    go_to(tab, 1234, "name")
    tab.view.setFocus()
    assert hands.ask("")[0].startswith("view:")
    assert hands.field.hasFocus()
    hands.press(Key.Key_Escape)
    assert not hands.is_open()
    assert tab.view.hasFocus()
    tab.bar.filter.setFocus()
    hands.ask("koi")
    hands.press(Key.Key_Escape)
    assert (tab.bar.filter.hasFocus(), hands.field.text()) == (True, "")


def test_a_view_opens_with_the_keyboard_in_its_rows(hands: Hands, window: MainWindow) -> None:
    assert hands.ask("over")[0] == "view:orders.overdue"
    hands.press(Key.Key_Return)
    tab = tab_of(window)
    assert tab.resource is Resource.ORDERS
    assert dict(tab.table.column_filters) == {"ship_date": "overdue"}
    assert tab.view.hasFocus()
    assert hands.ask("pend")[0] == "view:pets.pending"
    assert hands.answer("view:pets.pending").key == "Ctrl+2"


def test_an_order_opens_by_its_id_with_the_sentence_to_read_out(hands: Hands, window: MainWindow) -> None:
    window.parts.details_wanted = False
    assert hands.ask("1198") == ["orders:1198", "pets:1198"]
    answer = hands.answer("orders:1198")
    assert answer.extra.translate(ISOLATES) == "2 Koi, Tue 18 Nov, open, 3 days late"
    hands.press(Key.Key_Return)
    tab = tab_of(window)
    assert tab.current_ref() == Ref(Resource.ORDERS, 1198)
    said = [label.text() for label in tab.side.findChildren(QLabel)]
    assert any("is not fulfilled yet and is 3 days late" in words for words in said), said
    assert "live, 13:22:00" in said


def test_an_order_is_found_by_the_name_of_its_pet_however_fast_enter_comes(hands: Hands, window: MainWindow) -> None:
    hands.ask("")
    hands.qtbot.keyClicks(hands.field, "o:koi")
    hands.press(Key.Key_Return)
    hands.qtbot.waitUntil(lambda: tab_of(window).current_ref() == Ref(Resource.ORDERS, 1198))


def test_what_is_not_here_is_looked_up_at_the_shop(hands: Hands, window: MainWindow, shop: RecordingShop) -> None:
    hands.ask("7777")
    assert hands.answer("orders:7777").title == "Look up order #7777 at the shop"
    assert hands.answer("orders:7777").extra == "1 request"
    hands.press(Key.Key_Return)
    assert shop.asked_for("check_live") == [Ref(Resource.ORDERS, 7777)]
    shop.tell_rows(Resource.ORDERS, [Order(7777, 1234, 1, None, False)])
    hands.qtbot.waitUntil(lambda: tab_of(window).current_ref() == Ref(Resource.ORDERS, 7777))


def test_whoever_looks_up_what_the_service_does_not_have_stays_where_they_were(
    hands: Hands, window: MainWindow, shop: RecordingShop
) -> None:
    tab, order = tab_of(window), Ref(Resource.ORDERS, 7777)
    go_to(tab, 1234, "name")
    hands.ask("7777")
    hands.press(Key.Key_Return)
    shop.events.tell(Checked(CONNECTION, order, NotFound(status=404, message="no", operation="orders.read")))
    toast = window.after_paint.notifier.toast
    hands.qtbot.waitUntil(lambda: toast.words() == "There is no order 7777 at the service")
    assert (tab_of(window), tab.current_ref()) == (tab, Ref(Resource.PETS, 1234))
    shop.tell_rows(Resource.ORDERS, [Order(7777, 1234, 1, None, False)])
    hands.qtbot.waitUntil(lambda: 7777 in shop.desk.shop.stores[Resource.ORDERS])
    assert tab_of(window) is tab


@pytest.mark.parametrize(
    ("who", "words"),
    [
        (Who.HERE, "Order 7777 was deleted here (13:21)"),
        (Who.ELSEWHERE, "Order 7777 was removed elsewhere (noticed 13:21)"),
    ],
)
@pytest.mark.parametrize("looked_up", [True, False])
def test_of_an_order_that_has_gone_it_is_said_how(
    hands: Hands, window: MainWindow, shop: RecordingShop, who: Who, words: str, looked_up: bool
) -> None:
    """Of an order that was just cancelled here a caller was told "There is no order 7777 at the service"."""
    order, toast = Ref(Resource.ORDERS, 7777), window.after_paint.notifier.toast
    gone = SeenChange(order, What.GONE, who, "", None, None, NOON - 90, NOON - 60, {}, "")
    shop.past.single = {order: [gone]}
    if looked_up:
        shop.events.tell(Checked(CONNECTION, order, NotFound(status=404, message="no", operation="orders.read")))
    else:
        assert "orders:7777" in hands.ask("7777")
        assert hands.answer("orders:7777").title == words
        hands.press(Key.Key_Return)
        if who is Who.HERE:
            assert window.shown() == "activity"
            return
    hands.qtbot.waitUntil(lambda: toast.words() == words)


def test_an_order_that_has_come_back_is_not_said_to_be_gone(hands: Hands, shop: RecordingShop) -> None:
    order = Ref(Resource.ORDERS, 7777)
    lives = [(What.NEW, NOON - 30), (What.GONE, NOON - 60)]
    shop.past.single = {
        order: [SeenChange(order, what, Who.HERE, "", None, None, at - 1, at, {}, "") for what, at in lives]
    }
    hands.ask("7777")
    assert hands.answer("orders:7777").title == "Look up order #7777 at the shop"


def test_what_the_service_cannot_look_up_is_not_offered(hands: Hands, shop: RecordingShop) -> None:
    shop.tell_ready(full_contract(Op.ORDER_READ, Op.ORDERS_LIST, Op.PET_READ))
    hands.qtbot.waitUntil(lambda: not shop.desk.allowed("look-up-orders").ok)
    assert "orders:7777" not in hands.ask("7777")


def test_an_action_acts_on_what_was_selected_and_one_that_cannot_says_why(
    hands: Hands, window: MainWindow, shop: RecordingShop
) -> None:
    tab = tab_of(window)
    go_to(tab, 1234, "name")
    tab.view.setFocus()
    hands.ask("set sold")
    hands.press(Key.Key_Return)
    (changes,) = shop.asked_for("apply")
    assert changes[0].ref == Ref(Resource.PETS, 1234)
    hands.ask("mark complete")
    answer = hands.answer("action:completeOrder")
    assert (answer.enabled, answer.extra, answer.key) == (False, "Only in Orders.", "Alt+2")
    hands.press(Key.Key_Return)
    assert hands.is_open()
    hands.press(Key.Key_Escape)
    assert "redo" in hands.ask("redo")[0]
    assert hands.answer("action:redo").extra == "There is nothing to redo."
    hands.press(Key.Key_Escape)


def test_arrows_walk_and_control_enter_shows_the_rows_around(hands: Hands, window: MainWindow) -> None:
    ids = hands.ask("b")
    hands.press(Key.Key_Down)
    assert hands.current() == ids[1]
    hands.press(Key.Key_PageDown)
    hands.press(Key.Key_PageDown)
    assert hands.current() == ids[min(len(ids) - 1, 25)]
    hands.press(Key.Key_Up)
    hands.press(Key.Key_Escape)
    hands.ask("p:b")
    hands.press(Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert tab_of(window).table.filter_text == "b"
    hands.ask("c:fish")
    hands.press(Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert (tab_of(window).resource, tab_of(window).table.row_count) == (Resource.PETS, 2)


def test_a_click_opens_the_palette_and_another_an_answer(hands: Hands, window: MainWindow, qtbot: QtBot) -> None:
    tab = tab_of(window)
    tab.view.setFocus()
    qtbot.mouseClick(hands.field, Qt.MouseButton.LeftButton)
    assert hands.is_open()
    qtbot.keyClicks(hands.field, "p:koi")
    place = hands.list().visualRect(hands.list().model().index(0, 0)).center()
    qtbot.mouseClick(hands.list().viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert tab.current_ref() == Ref(Resource.PETS, 1234)
    assert not hands.is_open()
    qtbot.mouseClick(hands.field, Qt.MouseButton.LeftButton)
    tab.view.setFocus(Qt.FocusReason.MouseFocusReason)
    assert not hands.is_open()


def test_answers_are_spoken_whole_and_names_are_plain_text(hands: Hands, shop: RecordingShop) -> None:
    shop.tell_rows(Resource.PETS, [Pet(66, "evil\u202ekoi", 1, None)])
    hands.qtbot.waitUntil(lambda: 66 in shop.desk.shop.stores[Resource.PETS])
    hands.ask("koi")
    said = {
        id_: hands.list().model().index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole)
        for row, id_ in enumerate(hands.ids())
    }
    assert said["pets:1234"].translate(ISOLATES) == "Koi, pet 1234, available, in stock 24"
    assert "\u202e" not in said["pets:66"]
    assert hands.field.accessibleDescription() == said["pets:1234"]
    hands.press(Key.Key_Escape)
    hands.ask("bold")
    assert hands.answer("pets:9223372036854775807").title == "<b>bold</b>"
    interface = QAccessible.queryAccessibleInterface(hands.list())
    assert interface.role() is QAccessible.Role.List
    assert interface.child(0).text(QAccessible.Text.Name).translate(ISOLATES).startswith("<b>bold")


def test_what_was_used_last_comes_first_when_nothing_is_typed(hands: Hands) -> None:
    hands.ask("1245")
    hands.press(Key.Key_Return)
    hands.ask("low")
    hands.press(Key.Key_Return)
    assert hands.ask("")[:2] == ["view:inventory.low", "orders:1245"]


def test_rows_that_come_while_it_is_open_are_found_and_the_choice_stays(hands: Hands, shop: RecordingShop) -> None:
    hands.ask("p:b")
    hands.press(Key.Key_Down)
    chosen = hands.current()
    shop.tell_rows(Resource.PETS, [Pet(5, "B", 1, "sold")])
    hands.qtbot.waitUntil(lambda: "pets:5" in hands.ids())
    assert hands.current() == chosen


def test_nothing_found_is_said(hands: Hands, window: MainWindow) -> None:
    assert hands.ask("xyzzy") == []
    label = window.findChild(QLabel, "paletteNothing")
    assert label is not None
    assert "Nothing found for" in label.text()
    assert "xyzzy" in label.text()


def test_in_a_small_window_the_field_is_an_icon_until_it_is_used(
    hands: Hands, window: MainWindow, qtbot: QtBot
) -> None:
    assert not hands.field.is_small()
    window.resize(1024, 600)
    qtbot.waitUntil(hands.field.is_small)
    assert hands.field.accessibleName() == "Search or jump to"
    hands.ask("koi")
    assert hands.field.width() > 100
    popup = window.findChild(QWidget, "palettePopup")
    assert popup is not None
    assert window.rect().contains(popup.geometry())
    hands.press(Key.Key_Escape)
    qtbot.waitUntil(hands.field.is_small)


@pytest.mark.parametrize("direction", [LTR, Qt.LayoutDirection.RightToLeft])
def test_the_list_stays_under_the_field_in_both_directions(
    hands: Hands, window: MainWindow, direction: Qt.LayoutDirection
) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    QGuiApplication.setLayoutDirection(direction)
    try:
        field = hands.field
        hands.qtbot.waitUntil(lambda: (field.mapTo(window, QPoint(0, 0)).x() < 400) is (direction is not LTR))
        hands.ask("koi")
        popup = window.findChild(QWidget, "palettePopup")
        assert popup is not None
        edge = hands.field.mapTo(window, QPoint(0, 0)).x()
        if direction is LTR:
            assert popup.geometry().right() == edge + hands.field.width() - 1
        else:
            assert popup.geometry().left() == edge
        assert not popup.grab().isNull()
    finally:
        QGuiApplication.setLayoutDirection(LTR)


def test_the_model_holds_what_qt_expects(hands: Hands) -> None:
    hands.ask("")
    model = hands.list().model()
    assert isinstance(model, CellModel)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    hands.qtbot.keyClicks(hands.field, "koi")
    hands.press(Key.Key_Backspace)
    tester.deleteLater()


def test_lists_make_nothing_ready_while_names_are_searched_or_read(hands: Hands) -> None:
    hands.ask("k")
    popup, model, told = hands.popup(), tab_of(hands.window).model, list[object]()
    popup.worked.connect(told.append)
    hands.qtbot.keyClicks(hands.field, "o")
    assert told[-1] is True
    hands.qtbot.waitUntil(lambda: told[-1] is False)
    model.let_wait(True)
    hands.press(Key.Key_Escape)
    hands.ask("koi")
    hands.press(Key.Key_Escape)
    assert told[-1] is False
    tab_of(hands.window).table.set_filter("koi")  # what somebody waits for goes on all the same
    hands.qtbot.waitUntil(lambda: not tab_of(hands.window).table.is_working)


def test_actions_show_no_marks_of_direction_and_one_that_cannot_be_used_is_never_first(
    hands: Hands, window: MainWindow, shop: RecordingShop
) -> None:
    go_to(tab_of(window), 1234, "name")
    window.parts.actions["setSold"].trigger()
    hands.qtbot.waitUntil(lambda: "Koi" in window.parts.actions["undo"].text())
    hands.ask("undo")
    assert hands.answer("action:undo").title == "Undo Status of Koi (#1234)"
    hands.press(Key.Key_Escape)
    ids = hands.ask("view")
    usable = hands.usable(ids)
    assert False in usable and usable == sorted(usable, reverse=True)
    assert hands.current() == ids[0]
    hands.press(Key.Key_Escape)
    window.show_tab("categories")
    usable = hands.usable(hands.ask("set"))
    assert False in usable and usable == sorted(usable, reverse=True)


@pytest.mark.parametrize("typed", ["categories", "orders", "pets"])
def test_the_whole_name_of_a_tab_leads_to_it(hands: Hands, typed: str) -> None:
    assert hands.ask(typed)[0] == f"action:{typed}Tab"


def test_details_have_a_key_that_opens_no_editor_and_the_palette_shows_it(hands: Hands, window: MainWindow) -> None:
    tab = tab_of(window)
    go_to(tab, 1234, "name")
    tab.view.setFocus()
    shown = tab.side.isVisible()
    hands.ask("details")
    assert hands.answer("action:details").key == "Ctrl+I"
    hands.press(Key.Key_Escape)
    for expected in (not shown, shown):
        hands.qtbot.keyClick(tab.view, Key.Key_I, Qt.KeyboardModifier.ControlModifier)
        assert (tab.side.isVisible(), tab.view.edit_open()) == (expected, False)


def test_a_new_stock_entry_is_found_with_the_reason_why_there_is_none(hands: Hands, window: MainWindow) -> None:
    window.show_tab("inventory")
    hands.ask("new stock")
    answer = hands.answer("action:newStock")
    assert (answer.enabled, answer.key) == (False, "Ctrl+N")
    assert answer.extra == "A stock entry comes with its pet: add the pet."


@pytest.mark.parametrize("key", [Key.Key_1, Key.Key_2, Key.Key_3])
def test_a_key_for_rows_does_nothing_to_those_that_the_search_covers(
    hands: Hands, window: MainWindow, shop: RecordingShop, key: Qt.Key
) -> None:
    """Alt+1 set the order behind "Nothing found" to open, and it was sent."""
    tab = tab_of(window)
    go_to(tab, 1234, "name")
    tab.view.setFocus()
    assert hands.ask("xyzzy") == []
    assert hands.is_open()
    hands.press(key, Qt.KeyboardModifier.AltModifier)
    assert hands.is_open()
    hands.press(Key.Key_Escape)
    assert shop.asked_for("apply") == []
