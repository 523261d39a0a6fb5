"""The card at the phone: an order's sentence on the clipboard, and a pet's orders as links."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from petstore_desktop.desk.load_state import LoadState
from petstore_desktop.domain.counts import Gaps
from petstore_desktop.domain.records import Order, Ref, Resource
from petstore_desktop.ui.cells.pane_parts import FactRow
from petstore_desktop.ui.widgets.labels import LinkLabel
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import spoken_words
from tests.ui.conftest import tab_of
from tests.ui.recording_shop import RecordingShop
from tests.ui.window.actions.test_keys import said

SENTENCE = "The order for 2 Koi was due on Tuesday 18 November. It is not fulfilled yet and is 3 days late."
KEYS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def card(window: MainWindow) -> None:
    window.show_tab("orders")
    tab_of(window).show_ref(Ref(Resource.ORDERS, 1198))


def test_the_sentence_is_copied_while_the_keyboard_is_on_the_card(qtbot: QtBot, window: MainWindow) -> None:
    card(window)
    tab = tab_of(window)
    button = next(one for one in tab.side.findChildren(QPushButton) if one.isVisible() and one.isEnabled())
    button.setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is button)
    qtbot.keyClick(button, Qt.Key.Key_C, KEYS)
    assert QGuiApplication.clipboard().text() == SENTENCE
    qtbot.waitUntil(lambda: "Sentence copied" in said(window))
    tab.view.setFocus()
    qtbot.keyClick(tab.view, Qt.Key.Key_C, KEYS)
    qtbot.waitUntil(lambda: QGuiApplication.clipboard().text() != SENTENCE)


def test_a_link_on_the_card_copies_it_too_and_names_the_key(qtbot: QtBot, window: MainWindow) -> None:
    card(window)
    link = tab_of(window).side.findChild(LinkLabel, "copySentence")
    assert link is not None
    assert "Ctrl+Shift+C" in link.toolTip()
    QGuiApplication.clipboard().clear()
    link.click()
    assert QGuiApplication.clipboard().text() == SENTENCE
    window.show_tab("pets")
    tab_of(window).show_ref(Ref(Resource.PETS, 1234))
    other = tab_of(window).side.findChild(LinkLabel, "copySentence")
    assert other is None or not other.isVisible()


def test_a_pets_card_lists_its_orders_the_most_urgent_open_one_first(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    koi = [Order(1300 + n, 1234, n, f"2025-12-{n:02}T09:00:00Z", n > 4) for n in range(1, 15)]
    shop.tell_rows(Resource.ORDERS, koi)
    tab = tab_of(window)
    tab.show_ref(Ref(Resource.PETS, 1234))
    wanted = [f"Order {n}" for n in (1198, 1301, 1302, 1303, 1304, 1314, 1313, 1312)]

    def rows() -> list[FactRow]:
        found = tab.side.findChildren(FactRow)
        return [row for row in found if row.isVisible() and row.fact.label.startswith("Order ")]

    qtbot.waitUntil(lambda: [row.fact.label for row in rows()] == wanted)
    assert "Orders of this pet" in spoken_words(tab.side)
    rows()[1].used.emit()
    assert window.shown() == "orders"
    assert tab_of(window).current_ref() == Ref(Resource.ORDERS, 1301)


def test_orders_that_were_not_all_read_are_at_least_so_many_also_on_the_card(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = tab_of(window)
    shop.tell_rows(Resource.ORDERS, [Order(1301, 1234, 1, None, True)])

    def orders(pet: int) -> str:
        tab.show_ref(Ref(Resource.PETS, pet))
        rows = (row for row in tab.side.findChildren(FactRow) if row.isVisible() and row.fact.label == "Orders")
        return next((row.fact.cell.text for row in rows), "")

    qtbot.waitUntil(lambda: orders(1234) == "1 open")
    shop.desk.set_load(Resource.ORDERS, LoadState("ready", as_of=1.0, gaps=Gaps(1)))
    assert orders(1234) == "1+ open"
    shop.desk.set_load(Resource.ORDERS, LoadState("ready", as_of=2.0))
    assert orders(1234) == "1 open"
