"""Whoever works through a filtered list need not press Down after each row."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import go_to
from tests.ui.conftest import tab_of
from tests.ui.recording_shop import RecordingShop


def test_an_order_that_is_done_in_a_filtered_list_makes_way_for_the_next(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    window.show_tab("orders")
    tab = tab_of(window)
    tab.filters.use("", {"state": "open"})
    qtbot.waitUntil(lambda: not tab.table.is_working)  # on a busy machine it is not done at once
    tab.view.setCurrentIndex(tab.model.index(0, 2))
    tab.view.setFocus()
    orders = [tab.table.ref_at(row) for row in range(tab.table.row_count)]
    assert len(orders) == 3
    for order, after in zip(orders, [*orders[1:], orders[-1]], strict=True):
        window.parts.actions["completeOrder"].trigger()
        assert shop.asked_for("apply")[-1][0].ref == order
        assert tab.current_ref() == after


def test_in_a_list_that_keeps_it_the_row_stays_current(qtbot: QtBot, window: MainWindow) -> None:
    tab = tab_of(window)
    tab.filters.use("", {"name": "o"})
    qtbot.waitUntil(lambda: not tab.table.is_working)
    go_to(tab, 1234, "name")
    window.parts.actions["setSold"].trigger()
    assert tab.current_ref() == Ref(Resource.PETS, 1234)
