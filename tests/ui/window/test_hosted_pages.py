"""A desk of the stock room over the Inventory list: opened, left by other tabs and by Back, and closed."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLineEdit, QVBoxLayout
from pytestqt.qtbot import QtBot

from petstore_desktop.desk.desk import Changed
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.ui.context.navigation import StationLine
from petstore_desktop.ui.context.tab_specs import HostedPage
from petstore_desktop.ui.window.hosted_pages import HOSTED, HostedKind
from petstore_desktop.ui.window.main_window import MainWindow

LINES = (StationLine(Ref(Resource.PETS, 1234), 3),)


class Bench(HostedPage):
    """A desk with a single field, which keeps its text."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[object] = []
        self.told = 0
        self.field = QLineEdit(self)
        QVBoxLayout(self).addWidget(self.field)

    def begin(self, given: object) -> None:
        self.given.append(given)

    def left(self) -> object:
        return self.field.text()

    def focus_list(self) -> None:
        self.field.setFocus()

    def desk_changed(self, moved: Changed) -> None:
        self.told += 1


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Bench]:
    """The desks that were made, which the window has in the place of Labels and of Stocktake."""
    benches: list[Bench] = []

    def make(_: MainWindow) -> HostedPage:
        benches.append(Bench())
        return benches[-1]

    monkeypatch.setitem(HOSTED, "labels", HostedKind("inventory", make))
    monkeypatch.setitem(HOSTED, "stocktake", HostedKind("inventory", make))
    return benches


def test_a_desk_takes_the_plane_of_the_list_with_its_lines_and_escape_gives_it_back(
    qtbot: QtBot, window: MainWindow, made: list[Bench]
) -> None:
    window.parts.navigation.open_station("labels", LINES)
    (bench,) = made
    assert window.shown() == "inventory"
    assert window.page() is bench
    assert window.tab() is None, "actions on rows have no rows"
    assert bench.given == [LINES]
    assert bench.isVisible() and bench.field.hasFocus()
    bench.closed.emit()
    tab = window.tab()
    assert tab is not None and tab.resource is Resource.INVENTORY
    assert tab.isVisible() and tab.view.hasFocus()


def test_other_tabs_and_coming_back_find_it_as_it_was(qtbot: QtBot, window: MainWindow, made: list[Bench]) -> None:
    window.parts.navigation.open_station("labels", LINES)
    (bench,) = made
    window.show_tab("pets")
    told = bench.told
    window.desk_changed(Changed())
    assert bench.told == told + 1, "what moves is told to it meanwhile"
    window.show_tab("inventory")
    assert bench.isVisible() and bench.field.hasFocus()
    window.parts.navigation.open_station("labels")
    assert made == [bench] and bench.given == [LINES], "asked for again without lines it stays as it is"


def test_back_leaves_it_and_forward_brings_it_as_it_was_left(
    qtbot: QtBot, window: MainWindow, made: list[Bench]
) -> None:
    window.show_tab("inventory")
    window.parts.navigation.open_station("labels", LINES)
    made[0].field.setText("half a sheet")
    window.parts.actions["back"].trigger()
    assert window.tab() is not None
    window.parts.actions["forth"].trigger()
    assert window.page() is made[1]
    assert made[1].given == ["half a sheet"]


def test_a_link_to_a_record_of_the_list_leaves_the_desk_and_back_returns_to_it(
    qtbot: QtBot, window: MainWindow, made: list[Bench]
) -> None:
    window.parts.navigation.open_station("labels", LINES)
    window.parts.navigation.open(Ref(Resource.INVENTORY, 1234))
    tab = window.tab()
    assert tab is not None and tab.current_ref() == Ref(Resource.INVENTORY, 1234)
    window.parts.actions["back"].trigger()
    assert window.page() is made[1]


def test_one_desk_takes_the_place_of_another(qtbot: QtBot, window: MainWindow, made: list[Bench]) -> None:
    window.parts.navigation.open_station("stocktake")
    window.parts.navigation.open_station("labels", LINES)
    assert window.page() is made[1]
    window.parts.actions["back"].trigger()
    assert window.page() is made[2], "back at the stocktake"
    made[2].closed.emit()
    assert window.tab() is not None
