"""What must stay readable: tool tips, long ids, and words in line with each other."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.errors import KeyringError
from petstore_desktop.domain.records import InventoryItem, Order, Pet, Ref, Resource
from petstore_desktop.sync.wire.events import KeyWanted
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.form import FormDialog
from petstore_desktop.ui.widgets.labels import LINK_PAD, LinkLabel
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import go_to, spoken_words, stock_tab, type_in_cell
from tests.ui.conftest import tab_of
from tests.ui.recording_shop import CONNECTION, RecordingShop
from tests.ui.records.test_record_dialogs import opened

BIG = 9_223_372_036_854_775_807


def test_a_tool_tip_has_no_dots_before_its_key(window: MainWindow) -> None:
    window.show_tab("orders")
    go_to(tab_of(window), 1198, "id")
    assert window.parts.actions["cancelOrder"].toolTip().splitlines()[0] == "Cancel order (Alt+3)"


def test_a_link_below_the_fields_of_a_form_is_in_line_with_their_words(qtbot: QtBot) -> None:
    dialog, field, link = FormDialog("Print"), FormField("File"), LinkLabel("Browse…")
    qtbot.addWidget(dialog)
    dialog.lay_out(field, accept="Print")
    dialog.add_link(link)
    dialog.show()

    def left(widget: QWidget) -> int:
        return widget.mapTo(dialog, QPoint(0, 0)).x()

    assert left(link) + LINK_PAD == left(field.label)


def test_a_link_too_narrow_for_its_words_keeps_the_id(qtbot: QtBot) -> None:
    link = LinkLabel()
    qtbot.addWidget(link)
    link.set_text("Budgerigar, sky blue, from the second litter", " (#1234567)")
    assert link.words() == "\u2068Budgerigar, sky blue, from the second litter\u2069 (#1234567)"
    cut = link.fitting(150)
    assert cut.startswith("\u2068Bud")
    assert cut.endswith("…\u2069 (#1234567)")
    assert link.fitting(1000) == link.words()


def test_the_longest_id_leaves_the_title_its_room(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    tab = tab_of(window)
    shop.tell_rows(Resource.PETS, [Pet(BIG, "Budgerigar, sky blue", 1, "sold")])
    qtbot.waitUntil(lambda: tab.table.cell_of(BIG, "name").text.startswith("Budgerigar"))
    tab.show_ref(Ref(Resource.PETS, BIG))
    (title,) = [one for one in tab.side.pane.findChildren(QLabel) if one.text() == "Budgerigar, sky blue"]
    qtbot.waitUntil(lambda: title.width() >= title.fontMetrics().horizontalAdvance(title.text()))
    (age,) = [one for one in tab.side.pane.findChildren(QLabel) if one.text().endswith(f", #{BIG}")]
    assert age.width() >= age.fontMetrics().horizontalAdvance(age.text())
    live = tab.side.pane.findChild(LinkLabel, "checkLive")
    assert live is not None
    assert live.width() >= live.sizeHint().width()
    tab.show_ref(Ref(Resource.PETS, 1234))
    assert "#1234" in spoken_words(tab.side.pane)


def test_an_id_column_is_as_wide_as_the_longest_id(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    tab = tab_of(window)
    number = [one.id for one in tab.table.columns].index("id")
    wanted = tab.view.fontMetrics().horizontalAdvance(str(BIG))
    qtbot.waitUntil(lambda: tab.view.columnWidth(number) >= wanted)
    shop.tell_rows(Resource.ORDERS, [Order(-BIG, 1, 1, None, False)])
    qtbot.waitUntil(lambda: -BIG in shop.desk.shop.stores[Resource.ORDERS])
    window.show_tab("orders")  # its rows came before it was first shown
    qtbot.waitUntil(lambda: tab_of(window).view.columnWidth(1) >= tab.view.fontMetrics().horizontalAdvance(str(-BIG)))


def test_a_width_that_a_person_chose_stays(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    window.show_tab("orders")
    tab = tab_of(window)
    tab.header.resizeSection(1, 80)
    shop.tell_rows(Resource.ORDERS, [Order(BIG, 1, 1, None, False)])
    shop.tell_rows(Resource.INVENTORY, [InventoryItem(BIG, 1, "sold")])
    qtbot.waitUntil(lambda: BIG in shop.desk.shop.stores[Resource.INVENTORY])
    assert tab.view.columnWidth(1) == 80


@pytest.mark.usefixtures("idle_soon")
@pytest.mark.parametrize("code", ["keyring-absent", "keyring-locked", "keyring-silent"])
def test_without_a_keyring_the_key_dialog_says_one_thing_about_where_the_key_is(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, code: str
) -> None:
    shop.events.tell(KeyWanted(CONNECTION, KeyringError(code)))
    qtbot.waitUntil(lambda: window.findChild(QWidget, "keyDialog") is not None)
    said = spoken_words(opened(window, "keyDialog"))
    assert said.count("held in memory") == 1
    assert "goes into this computer’s keyring" not in said


def test_where_the_keyring_did_nothing_wrong_the_key_is_to_go_into_it(window: MainWindow) -> None:
    window.parts.actions["changeKey"].trigger()
    said = spoken_words(opened(window, "keyDialog"))
    assert said.count("goes into this computer’s keyring") == 1
    assert "memory" not in said


def test_a_badge_that_goes_leaves_no_hole(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    tab = stock_tab(window)
    go_to(tab, 1234, "stock")
    bar, status = window.status.bar, window.status
    qtbot.waitUntil(lambda: status.selection.x() > status.state.geometry().right())
    before = (status.state.x(), status.selection.x())
    type_in_cell(qtbot, tab, "+12")
    qtbot.waitUntil(lambda: status.unsent.isVisible() and status.selection.x() > before[1])
    shop.discard((1,))
    qtbot.waitUntil(lambda: (status.state.x(), status.selection.x()) == before)
    assert bar.isVisible()


def test_the_ring_around_the_connection_does_not_touch_its_words(window: MainWindow) -> None:
    state = window.status.state
    room = state.sizeHint().width() - current().advance(state.words(), 12, state.weight, True)
    ring = 2
    assert room >= current().scaled(14) + 6 + 2 * (ring + 3)
