from __future__ import annotations

from pytestqt.qtbot import QtBot

from petstore_desktop.ui.main_window import MainWindow
from petstore_desktop.ui.tabs.columns import NAME_MIN, NAME_MOST
from petstore_desktop.ui.tabs.resource_tab import ResourceTab
from petstore_desktop.ui.theme import current
from tests.ui.acting import column
from tests.ui.conftest import tab_of


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
