from __future__ import annotations

from pytestqt.qtbot import QtBot

from petstore_desktop.ui.main_window import MainWindow
from petstore_desktop.ui.tabs.resource_tab import ResourceTab
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
