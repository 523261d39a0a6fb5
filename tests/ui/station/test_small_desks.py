"""At 1024 x 600 with text at 200 % the list of a desk shows six rows, and all of the station is there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.records import InventoryItem, Pet, Resource
from petstore_desktop.ui.base import theme
from petstore_desktop.ui.grid.table_view import TableView
from petstore_desktop.ui.station.station_page import StationPage
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.recording_shop import RecordingShop

PETS, LEAST = range(10_000, 10_012), 6


@pytest.fixture
def large_text(qapp: QApplication) -> Iterator[None]:
    """Text at 200 %."""
    before = qapp.font()
    font = qapp.font()
    font.setPointSizeF(2 * font.pointSizeF())
    qapp.setFont(font)
    theme._applied.clear()
    yield
    qapp.setFont(before)
    theme._applied.clear()


def rows_seen(desk: StationPage) -> float:
    (view,) = [one for one in desk.findChildren(TableView) if one.isVisible() and one.model().rowCount() > LEAST]
    return view.viewport().height() / view.rowHeight(0)


@pytest.mark.parametrize("which", ["receive", "stocktake"])
def test_a_desk_in_a_small_window_with_large_text_shows_six_rows_and_keeps_the_keyboard(
    large_text: None, window: MainWindow, shop: RecordingShop, qtbot: QtBot, which: str
) -> None:
    """It showed 3.5 of them, below a head, the field, and the words of the pages, each in a row of its own."""
    shop.tell_rows(Resource.PETS, [Pet(n, f"Guppy {n}", 1, "available") for n in PETS], done=False)
    shop.tell_rows(Resource.INVENTORY, [InventoryItem(n, 5, "available") for n in PETS], done=False)
    qtbot.waitUntil(lambda: PETS[-1] in shop.desk.shop.stores[Resource.INVENTORY])
    window.resize(1024, 600)
    window.parts.actions[which].trigger()
    desk = window.page()
    assert isinstance(desk, StationPage)
    for pet in PETS:
        desk.take_scan(str(pet))
    qtbot.waitUntil(lambda: rows_seen(desk) >= LEAST)
    qtbot.waitUntil(desk.field.hasFocus)
    parts: list[QWidget] = [desk.field, desk.head.close_button, desk.foot.primary, *desk.pages.words()]
    for part in parts:
        assert part.isVisible() and desk.rect().contains(
            part.rect().translated(part.mapTo(desk, part.rect().topLeft()))
        )
    assert desk.field.width() > 300
    window.resize(1366, 768)
    qtbot.waitUntil(
        lambda: desk.field.parentWidget() is not desk.head and desk.head.height() == theme.current().height(46)
    )
    assert desk.field.hasFocus() and rows_seen(desk) >= LEAST
