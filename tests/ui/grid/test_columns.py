from __future__ import annotations

from datetime import date, timedelta

import pytest
from PySide6.QtCore import QItemSelectionModel
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.records import Order, Pet, Resource
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.cells.cell_paint import paddings
from petstore_desktop.ui.context.tab_specs import TABS
from petstore_desktop.ui.grid.columns import NAME_MIN, NAME_MOST
from petstore_desktop.ui.lists.resource_tab import ResourceTab
from petstore_desktop.ui.text.times import day
from petstore_desktop.ui.text.translate import speak
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import column, go_to
from tests.ui.conftest import OpenWindow, tab_of
from tests.ui.recording_shop import RecordingShop


def on_screen(tab: ResourceTab) -> list[str]:
    """The columns that are shown, in the order on the screen."""
    header = tab.header
    sections = map(header.logicalIndex, range(header.count()))
    return [tab.table.columns[section].id for section in sections if not header.isSectionHidden(section)]


AT_FIRST = ["gutter", "id", "name", "category", "status", "stock", "orders"]


def test_columns_are_moved_sized_hidden_and_fitted_and_all_of_it_is_remembered_until_reset(
    qtbot: QtBot, window: MainWindow
) -> None:
    tab = tab_of(window)
    header, stock = tab.header, column(tab, "stock")
    qtbot.waitUntil(lambda: on_screen(tab) == AT_FIRST)
    header.moveSection(header.visualIndex(stock), 1)
    header.resizeSection(stock, 155)
    tab.columns.set_shown("orders", False)
    moved = ["gutter", "stock", "id", "name", "category", "status"]
    assert on_screen(tab) == moved
    fields = [field.accessibleName() for field in header.fields()]
    assert fields[0].endswith("In stock") and len(fields) == 5
    kept = tab.columns.state()
    tab.columns.reset()
    assert on_screen(tab) == AT_FIRST and header.sectionSize(stock) != 155
    tab.columns.restore(kept)
    assert on_screen(tab) == moved and header.sectionSize(stock) == 155
    tab.columns.fit_contents()
    assert header.sectionSize(stock) == max(tab.view.sizeHintForColumn(stock), header.sectionSizeHint(stock))


def test_a_column_that_is_hidden_leaves_the_current_cell_beside_it(qtbot: QtBot, window: MainWindow) -> None:
    tab = tab_of(window)
    qtbot.waitUntil(lambda: on_screen(tab) == AT_FIRST)
    tab.view.selectAll()
    chosen = len(tab.view.selectionModel().selectedRows())
    current = tab.model.index(1, column(tab, "orders"))
    tab.view.selectionModel().setCurrentIndex(current, QItemSelectionModel.SelectionFlag.NoUpdate)
    tab.columns.set_shown("orders", False)
    assert tab.view.currentIndex() == tab.model.index(1, column(tab, "stock"))
    assert len(tab.view.selectionModel().selectedRows()) == chosen


def test_fitting_the_columns_of_an_empty_list_keeps_their_widths(qtbot: QtBot, window: MainWindow) -> None:
    tab = tab_of(window)
    qtbot.waitUntil(lambda: on_screen(tab) == AT_FIRST)
    tab.filters.use("matches nothing at all", {})
    assert tab.model.rowCount() == 0
    before = [tab.header.sectionSize(number) for number in range(tab.header.count())]
    tab.columns.fit_contents()
    assert [tab.header.sectionSize(number) for number in range(tab.header.count())] == before


def test_the_status_of_orders_is_there_as_soon_as_an_order_has_one(
    qtbot: QtBot, shop: RecordingShop, open_window: OpenWindow
) -> None:
    window = open_window()
    shop.tell_rows(Resource.ORDERS, [Order(990_000, 1, 1)])
    window.show_tab("orders")
    tab = tab_of(window)
    tab.columns.freeze("id")  # none is hidden to fit
    assert "status" not in on_screen(tab)
    assert "status" not in dict(tab.columns.hideable())
    shop.tell_rows(Resource.ORDERS, [Order(990_001, 1, 1, None, None, "approved")])
    qtbot.waitUntil(lambda: "status" in on_screen(tab))
    assert dict(tab.columns.hideable())["status"]


def test_the_gutter_stays_where_it_is(window: MainWindow) -> None:
    tab = tab_of(window)
    tab.columns.restore({"order": ["orders", "gutter", "name"], "widths": {"gone": 5}, "hidden": ["gone"]})
    assert on_screen(tab)[0] == "gutter"
    assert on_screen(tab)[1:3] == ["orders", "name"]


def test_on_a_wide_screen_the_name_takes_no_more_than_it_needs_and_sized_columns_keep_their_width(
    qtbot: QtBot, window: MainWindow
) -> None:
    tab = tab_of(window)
    header, name, category, stock = tab.header, *(column(tab, one) for one in ("name", "category", "stock"))
    tab.show_details(False)
    header.resizeSection(stock, 155)
    window.resize(1024, 600)
    qtbot.waitUntil(lambda: header.length() == tab.view.viewport().width() and tab.view.width() == 1024)
    narrow = header.sectionSize(category)
    window.resize(1920, 900)
    most = current().scaled(NAME_MOST)
    qtbot.waitUntil(lambda: header.sectionSize(name) == most)
    assert header.sectionSize(category) == narrow + round(narrow * 0.5)
    assert header.sectionSize(stock) == 155
    assert "category" not in str(tab.columns.state()["widths"])
    assert header.length() < tab.view.viewport().width()
    window.resize(1024, 600)
    qtbot.waitUntil(lambda: header.length() == tab.view.viewport().width())
    assert header.sectionSize(category) == narrow
    assert current().scaled(NAME_MIN) <= header.sectionSize(name) < most


def test_on_a_wide_screen_the_lines_of_the_rows_go_on_to_the_edge(qtbot: QtBot, window: MainWindow) -> None:
    tab = tab_of(window)
    tab.show_details(False)
    window.resize(1920, 900)
    qtbot.waitUntil(lambda: tab.view.width() == 1920 and tab.header.length() < tab.view.viewport().width())
    image = tab.view.viewport().grab().toImage()
    x, ratio = tab.view.viewport().width() - 5, image.devicePixelRatio()
    hair = QColor(current().color("hair")).name()
    lines = [y for y in range(200) if image.pixelColor(round(x * ratio), round(y * ratio)).name() == hair]
    assert lines == [tab.view.rowViewportPosition(row) + tab.view.rowHeight(row) - 1 for row in range(4)]


def show_again(window: MainWindow) -> None:
    window.show_tab("orders")
    window.show_tab("pets")


def test_a_long_id_that_comes_moves_no_column_of_the_rows_on_the_screen(
    qtbot: QtBot, open_window: OpenWindow, shop: RecordingShop
) -> None:
    window = open_window()
    shop.tell_ready()
    shop.tell_rows(Resource.PETS, [Pet(n, f"Guppy {n}", 1, "pending") for n in range(1000, 1030)], done=False)
    tab = tab_of(window)
    window.resize(1400, 600)
    qtbot.waitUntil(lambda: tab.table.row_count == 30 and tab.view.width() == 1400)
    qtbot.waitUntil(lambda: tab.header.sectionSize(column(tab, "id")) > 0)
    before = tab.header.sectionSize(column(tab, "id"))
    shop.tell_rows(Resource.PETS, [Pet(2**63 - 1, "Guppy", 1, "pending")])
    qtbot.waitUntil(lambda: tab.table.row_count == 31)
    qtbot.wait(20)
    assert tab.header.sectionSize(column(tab, "id")) == before
    assert before < current().scaled(80)
    show_again(window)
    qtbot.waitUntil(lambda: tab.header.sectionSize(column(tab, "id")) > current().scaled(140))


def test_where_room_is_short_one_long_id_costs_no_column(qtbot: QtBot, window: MainWindow, shop: RecordingShop) -> None:
    tab = tab_of(window)
    header, id_ = tab.header, column(tab, "id")
    shop.tell_rows(Resource.PETS, [Pet(n, f"Guppy {n}", 1, "pending") for n in (*range(1, 30), 2**63 - 1)])
    window.resize(1400, 600)
    go_to(tab, 1234, "name")
    tab.show_details(False)
    show_again(window)
    qtbot.waitUntil(lambda: header.sectionSize(id_) > current().scaled(140))
    tab.show_details(True)
    window.resize(1024, 600)
    qtbot.waitUntil(lambda: header.sectionSize(id_) < current().scaled(80))
    assert on_screen(tab) == [one for one in AT_FIRST if one != "orders"]
    assert header.sectionSize(column(tab, "name")) >= current().scaled(NAME_MIN)


def test_ids_that_are_all_long_stay_whole_where_room_is_short(
    qtbot: QtBot, open_window: OpenWindow, shop: RecordingShop
) -> None:
    window = open_window()
    shop.tell_ready()
    shop.tell_rows(Resource.PETS, [Pet(2**62 + n, f"Guppy {n}", None, "pending") for n in range(30)])
    tab = tab_of(window)
    qtbot.waitUntil(lambda: tab.table.row_count == 30)
    go_to(tab, 2**62, "name")
    tab.show_details(True)
    window.resize(1024, 600)
    qtbot.waitUntil(lambda: "orders" not in on_screen(tab))
    assert tab.header.sectionSize(column(tab, "id")) > current().scaled(140)


def test_at_the_width_of_a_laptop_nothing_stays_free_at_the_side(qtbot: QtBot, window: MainWindow) -> None:
    tab = tab_of(window)
    tab.show_details(False)
    for width in (1280, 1360):
        window.resize(width, 700)
        qtbot.waitUntil(lambda width=width: tab.view.width() == width)
        qtbot.waitUntil(lambda: tab.header.length() == tab.view.viewport().width())


def astray(tab: ResourceTab) -> list[str]:
    """The columns whose filter field is not below their words: elsewhere, missing, or there without its column."""
    header, found = tab.header, list[str]()
    for section, one in enumerate(tab.table.columns):
        field = header.field(section)
        left = header.sectionViewportPosition(section)
        right, left = left + header.sectionSize(section), max(left, header.frozen_width())
        if field is None or (not header.isSectionHidden(section) and right - left < 28):
            continue
        below = field.isVisible() and left <= field.x() and field.geometry().right() < right
        if (below and field.width() >= right - left - 24) is header.isSectionHidden(section):
            found.append(f"{one.id}: {field.geometry().getRect()}, its column {left} to {right}")
    return found


@pytest.mark.parametrize("name", TABS[1:-1])
def test_filter_fields_stand_under_their_columns_whatever_is_done_to_those(
    qtbot: QtBot, window: MainWindow, name: str
) -> None:
    window.show_tab(name)
    tab = tab_of(window)
    header, bar = tab.header, tab.view.horizontalScrollBar()
    qtbot.waitUntil(lambda: bool(header.fields()))
    tab.view.setCurrentIndex(tab.model.index(0, tab.model.home_column))

    def holds() -> None:
        QApplication.processEvents()
        qtbot.waitUntil(lambda: astray(tab) == [])

    for width in (1920, 800):
        window.resize(width, 600)
        for details in (True, False):
            tab.show_details(details)
            holds()
    last = header.count() - 1
    for do in (
        lambda: header.resizeSection(last, 300),
        lambda: header.moveSection(header.visualIndex(last), 1),
        lambda: tab.columns.set_shown(tab.table.columns[last].id, False),
        lambda: tab.columns.set_shown(tab.table.columns[last].id, True),
    ):
        do()
        holds()
    tab.columns.freeze("gutter")  # else columns hide rather than scroll
    for section in range(1, header.count()):
        header.resizeSection(section, 500)
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    for value in (bar.maximum() // 3, bar.maximum(), 0):
        bar.setValue(value)
        holds()
    tab.columns.freeze("")
    holds()
    tab.columns.reset()
    holds()


THIS_YEAR_AND_ANOTHER = (date(2026, 1, 1), date(2028, 1, 1))


@pytest.mark.parametrize("language", ("en", "de", "fr", "es", "pt_BR", "ar", "ja"))
def test_every_day_of_the_year_is_shown_whole_in_the_list_of_orders(
    qtbot: QtBot, app: QApplication, shop: RecordingShop, open_window: OpenWindow, language: str
) -> None:
    speak(app, language)
    window = open_window()
    shop.tell_ready()
    window.show_tab("orders")
    tab = tab_of(window)
    window.resize(900, 700)
    qtbot.waitUntil(lambda: "ship_date" in on_screen(tab) and tab.view.width() == 900)
    QApplication.processEvents()
    room = tab.header.sectionSize(column(tab, "ship_date")) - sum(paddings(False, False))
    days = [day(date(2026, 1, 1) + timedelta(ahead), today) for ahead in range(365) for today in THIS_YEAR_AND_ANOTHER]
    assert [one for one in days if current().advance(one, 13, 400, True) > room] == []
