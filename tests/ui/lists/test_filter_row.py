"""The fields under the headers, chips, the page of an empty list, sorting by several columns, and sums."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.low_stock import Minimums
from petstore_desktop.ui.lists.filter_row import FieldNote, FilterChip, FilterChips
from petstore_desktop.ui.lists.resource_tab import ResourceTab
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.fields import ColumnFilterField
from petstore_desktop.ui.widgets.labels import LinkLabel, PlainLabel
from petstore_desktop.ui.window.main_window import MainWindow
from tests.ui.acting import column, go_to
from tests.ui.conftest import OpenWindow, tab_of
from tests.ui.recording_shop import RecordingShop

Key = Qt.Key


def field(tab: ResourceTab, name: str) -> ColumnFilterField:
    """The field under a column's header."""
    found = tab.header.field(column(tab, name))
    assert found is not None
    return found


def bare(text: str) -> str:
    """Without the marks that keep the direction of somebody's words apart."""
    return text.replace("\u2068", "").replace("\u2069", "")


def laid_out(qtbot: QtBot, tab: ResourceTab) -> None:
    """Wait until the columns have the room of the window."""
    qtbot.waitUntil(lambda: not any(map(tab.header.isSectionHidden, range(tab.header.count()))))


def keys(tab: ResourceTab) -> set[object]:
    return set(tab.table.keys())


def test_what_is_typed_under_a_header_filters_that_column_and_the_keyboard_goes_on(
    qtbot: QtBot, window: MainWindow
) -> None:
    tab = tab_of(window)
    laid_out(qtbot, tab)
    go_to(tab, 1234, "stock")
    window.parts.actions["filterColumn"].trigger()
    qtbot.waitUntil(field(tab, "stock").hasFocus)
    qtbot.keyClicks(field(tab, "stock"), ">3")
    assert keys(tab) == {1234, 9_223_372_036_854_775_807}
    qtbot.waitUntil(lambda: tab.bar.findChildren(PlainLabel, "listCounts")[0].text().startswith("2 of 4"))
    qtbot.keyClick(field(tab, "stock"), Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
    assert field(tab, "status").hasFocus()
    qtbot.keyClicks(field(tab, "status"), "!avail")
    assert keys(tab) == {9_223_372_036_854_775_807}
    qtbot.keyClick(field(tab, "status"), Key.Key_Tab)
    qtbot.keyClick(field(tab, "stock"), Key.Key_Tab)
    assert field(tab, "orders").hasFocus()
    qtbot.keyClick(field(tab, "orders"), Key.Key_Tab)
    assert tab.view.hasFocus()
    tab.extras.filter_row.focus("status")
    qtbot.keyClick(field(tab, "status"), Key.Key_Escape)
    assert field(tab, "status").hasFocus() and len(keys(tab)) == 2
    qtbot.keyClick(field(tab, "status"), Key.Key_Escape)
    assert tab.view.hasFocus()
    qtbot.keyClick(tab.view, Key.Key_Escape)
    assert len(keys(tab)) == 4 and field(tab, "stock").text() == ""


def test_a_filter_that_cannot_be_read_says_why_at_its_field_and_filters_nothing(
    qtbot: QtBot, window: MainWindow
) -> None:
    tab = tab_of(window)
    _ = tab.extras
    stock = field(tab, "stock")
    stock.setFocus()
    qtbot.waitUntil(stock.hasFocus)
    assert "10..20" in stock.accessibleDescription()
    qtbot.keyClicks(stock, ">3x")
    note = tab.view.findChildren(FieldNote)[0]
    assert len(keys(tab)) == 4
    assert note.isVisible() and "“3x” is not a number" in bare(note.words())
    assert "hides nothing" in stock.accessibleDescription() and stock.plane() == "bad_bg"
    qtbot.keyClick(stock, Key.Key_Backspace)
    assert not note.isVisible() and len(keys(tab)) == 2 and stock.plane() == "filtered"


def test_an_empty_list_says_what_dropping_each_filter_would_bring(qtbot: QtBot, window: MainWindow) -> None:
    tab = tab_of(window)
    tab.filters.use("koi", {"status": "sold", "stock": ">20"})
    page = tab.state.instead.page
    assert page.accessibleName() == "No pet matches these 3 filters"

    def ways() -> dict[str, LinkLabel]:
        return {bare(link.words()): link for link in page.findChildren(LinkLabel) if link.isVisible()}

    def says() -> list[str]:
        return [label.text() for label in page.findChildren(PlainLabel) if label.isVisible()]

    qtbot.waitUntil(lambda: "1 pet" in says())
    assert list(ways()) == ["Filter koi", "Status sold", "In stock >20"]
    ways()["Status sold"].click()
    assert keys(tab) == {1234} and tab.table.column_filters == {"stock": ">20"}
    assert not page.isVisible()


def test_signs_in_the_filter_over_all_columns_lead_below_the_headers(qtbot: QtBot, window: MainWindow) -> None:
    tab = tab_of(window)
    tab.filters.use("koi|carp", {})
    page = tab.state.instead.page

    def says() -> str:
        return " ".join(label.text() for label in page.findChildren(PlainLabel) if label.isVisible())

    qtbot.waitUntil(lambda: "Signs such as | and ! work in the filters below the headers." in says())
    [way] = [one for one in page.findChildren(Button) if one.isVisible() and one.words() == "Filter this column"]
    way.click()
    qtbot.waitUntil(lambda: isinstance(window.focusWidget(), ColumnFilterField))
    tab.filters.use("carp", {})
    qtbot.waitUntil(lambda: "carp" in says())
    assert "Signs" not in says()


def test_a_cell_filters_its_column_or_is_left_out_and_hidden_filters_are_chips(
    qtbot: QtBot, window: MainWindow
) -> None:
    tab, actions = tab_of(window), window.parts.actions
    go_to(tab, 1234, "category")
    actions["filterByThis"].trigger()
    assert tab.table.column_filters == {"category": "=Fish"} and len(keys(tab)) == 2
    actions["clearFilter"].trigger()
    go_to(tab, 1422, "status")
    actions["leaveOut"].trigger()
    assert field(tab, "status").text() == "!sold" and len(keys(tab)) == 3
    chips = tab.bar.findChildren(FilterChips)[0]
    assert chips.isHidden()
    tab.columns.set_shown("status", False)
    tab.filters.set_column("gutter", "!unsent")
    qtbot.waitUntil(lambda: len(shown(chips)) == 2)
    assert [bare(chip.accessibleName()) for chip in shown(chips)] == [
        "Status !sold: clear this filter.",
        "Change !unsent: clear this filter.",
    ]
    QTest.keyClick(shown(chips)[0], Key.Key_Delete)
    assert tab.table.column_filters == {"gutter": "!unsent"}
    tab.columns.set_shown("status", True)


def test_filters_of_columns_are_there_after_a_restart_before_the_fields_are(
    window: MainWindow, shop: RecordingShop, open_window: OpenWindow
) -> None:
    tab = tab_of(window)
    tab.filters.use("o", {"stock": ">3", "status": "!sold"})
    before = keys(tab)
    tall = tab.header.height()
    window.close()
    other = RecordingShop(state=shop.state)
    again = tab_of(open_window(other))
    assert again.table.column_filters == {"stock": ">3", "status": "!sold"}
    assert again.filter_row is None and again.header.sizeHint().height() == tall
    other.tell_ready()
    assert field_texts(again) == {"stock": ">3", "status": "!sold"}
    assert before == {1234, 9_223_372_036_854_775_807}


def field_texts(tab: ResourceTab) -> dict[str, str]:
    _ = tab.extras
    fields = {one.id: tab.header.field(section) for section, one in enumerate(tab.table.columns)}
    return {name: one.text() for name, one in fields.items() if one is not None and one.text()}


def shown(chips: FilterChips) -> list[FilterChip]:
    return [chip for chip in chips.findChildren(FilterChip) if not chip.isHidden()]


def test_several_columns_sort_by_click_and_menu_and_one_can_be_taken_out(qtbot: QtBot, window: MainWindow) -> None:
    tab = tab_of(window)
    header = tab.header

    def click(name: str, shift: bool) -> None:
        spot = QPoint(header.sectionViewportPosition(column(tab, name)) + 30, 15)
        state = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, state, pos=spot)

    laid_out(qtbot, tab)
    click("status", False)
    click("stock", True)
    assert tab.table.sort == (("status", False), ("stock", False))
    click("status", True)
    assert tab.table.sort == (("status", True), ("stock", False)), "it keeps its place"
    menu = tab.extras.header_menu.menu_for(column(tab, "status"))
    texts = {action.text().replace("&", ""): action for action in menu.actions()}
    texts["Remove from the sort"].trigger()
    assert tab.table.sort == (("stock", False),)
    texts["Remove from the sort"].trigger()
    tab.unsort("stock")
    assert tab.table.sort == (("name", False),)
    menu.close()


def test_the_status_bar_adds_up_what_is_selected(qtbot: QtBot, window: MainWindow) -> None:
    tab = tab_of(window)
    words = window.status.selection
    tab.view.selectAll()
    qtbot.waitUntil(lambda: "In stock: sum 1,267" in words.text())
    assert "In stock: 3 numbers, sum 1,267, least 3, most 1,240" in words.toolTip()
    assert "1 pending" in bare(words.toolTip())
    tab.filters.set_column("status", "pending|sold")
    tab.view.selectAll()
    qtbot.waitUntil(lambda: "In stock: sum 3" in words.text())
    tab.view.clearSelection()
    qtbot.waitUntil(lambda: words.text() == "")


def test_the_button_for_columns_has_the_list_of_them(window: MainWindow) -> None:
    tab = tab_of(window)
    assert tab.bar.columns.isEnabled() and tab.bar.columns.accessibleName() == "Columns shown"
    menu = tab.extras.header_menu.columns_menu(tab)
    wanted = {action.text(): action for action in menu.actions()}
    wanted["Status"].trigger()
    assert tab.header.isSectionHidden(column(tab, "status"))


def test_with_the_details_open_a_hidden_filter_is_read_whole_and_a_changed_view_says_so(
    qtbot: QtBot, window: MainWindow
) -> None:
    tab = tab_of(window)
    go_to(tab, 1234, "name")
    tab.show_details(True)
    window.parts.views.save("A view with a name far longer than the room")
    tab.columns.set_shown("stock", False)
    tab.filters.set_column("stock", "<=3000")
    chips = tab.bar.findChildren(FilterChips)[0]
    qtbot.waitUntil(lambda: len(shown(chips)) == 1 and tab.bar.title().endswith(", changed"))
    (chip,) = shown(chips)
    qtbot.waitUntil(lambda: chip.width() >= chip.sizeHint().width())
    assert tab.bar._title.shown().endswith("…, changed")
    tab.filters.set_column("gutter", "changed")
    qtbot.waitUntil(lambda: len(shown(chips)) == 2)
    assert bare(shown(chips)[1].accessibleName()) == "Changed today: clear this filter."
    tab.filters.set_column("gutter", "!changed")  # with a row, and so with the details beside it
    window.resize(1024, 600)
    qtbot.waitUntil(lambda: len(shown(chips)) == 1)
    assert bare(shown(chips)[0].accessibleName()) == "In stock <=3000, Change !changed: clear all filters."


def test_an_empty_view_says_what_it_would_hold_and_low_stock_how_a_minimum_is_set(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop
) -> None:
    tab = tab_of(window)
    page = tab.state.instead.page
    shop.desk.set_minimums(Minimums())
    tab.filters.set_column("stock", "low")
    assert page.accessibleName() == "No minimum stock is set"
    assert "Shop > Minimum stock" in "".join(label.text() for label in page.findChildren(PlainLabel))
    shop.desk.set_minimums(Minimums({1234: 1}))
    tab.filters.clear()
    tab.filters.set_column("stock", "low")
    assert page.accessibleName() == "No stock is low"
    tab.filters.use("", {"gutter": "attention"})
    assert page.accessibleName() == "Nothing here needs attention"
