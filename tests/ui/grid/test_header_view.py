"""The header: what it shows, how it asks for a sort, and its filter row."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.base.colours import LIGHT
from petstore_desktop.ui.grid.table_view import TableView
from petstore_desktop.ui.widgets.fields import ColumnFilterField


@pytest.fixture
def table(qtbot: QtBot) -> Iterator[TableView]:
    made = TableView()
    model = QStandardItemModel(3, 4, made)
    for column, word in enumerate(("", "Name", "In stock", "Status")):
        header = QStandardItem(word)
        if column == 2:
            header.setTextAlignment(Qt.AlignmentFlag.AlignRight)
        model.setHorizontalHeaderItem(column, header)
    made.setModel(model)
    made.set_gutter(0)
    for column in (1, 2, 3):
        made.setColumnWidth(column, 150)
    made.resize(600, 240)
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    made.activateWindow()
    yield made


def field(table: TableView, section: int) -> ColumnFilterField:
    found = table.header.findChild(ColumnFilterField, f"filter{section}")
    assert found is not None
    return found


def ink_columns(table: TableView, section: int) -> list[int]:
    """The x positions, within a section, where its words are."""
    left = table.header.sectionViewportPosition(section)
    image = table.header.grab().toImage()
    width = table.header.sectionSize(section)
    return [
        x for x in range(width) if any(image.pixelColor(left + x, y) != QColor(LIGHT["content"]) for y in range(4, 26))
    ]


def test_number_headers_are_right_aligned_and_words_left(table: TableView) -> None:
    assert min(ink_columns(table, 1)) < 14
    assert max(ink_columns(table, 2)) > 150 - 14


def test_the_sorted_column_is_darker_and_has_a_chevron_that_keeps_the_words_in_place(table: TableView) -> None:
    before = ink_columns(table, 2)
    table.header.set_sort([(1, False), (2, True)])
    assert max(ink_columns(table, 2)) == max(before)
    assert min(ink_columns(table, 2)) < min(before)
    assert len(ink_columns(table, 1)) > 0


def test_a_sort_number_without_a_second_one_in_sight_is_not_shown(table: TableView) -> None:
    table.header.set_sort([(1, False)])
    alone = ink_columns(table, 1)
    table.header.set_sort([(1, False), (2, True)])
    numbered = ink_columns(table, 1)
    assert len(numbered) > len(alone)
    table.setColumnHidden(2, True)
    assert max(ink_columns(table, 1)) == max(alone)
    table.header.set_sort([(2, True), (1, False)])
    assert max(ink_columns(table, 1)) >= max(numbered), "a 2 says that another one comes first"
    table.setColumnHidden(2, False)


def test_a_click_asks_for_a_sort_and_shift_adds_to_it(qtbot: QtBot, table: TableView) -> None:
    heard: list[tuple[int, bool]] = []
    table.header.sortRequested.connect(lambda section, add: heard.append((section, add)))
    spot = QPoint(table.header.sectionViewportPosition(1) + 40, 15)
    qtbot.mouseClick(table.header.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    shift = Qt.KeyboardModifier.ShiftModifier
    qtbot.mouseClick(table.header.viewport(), Qt.MouseButton.LeftButton, shift, pos=spot)
    assert heard == [(1, False), (1, True)]


def test_the_line_below_the_header_is_only_there_without_a_filter_row(table: TableView) -> None:
    def last_row() -> QColor:
        image = table.header.grab().toImage()
        return image.pixelColor(200, image.height() - 1)

    assert last_row() == QColor(LIGHT["line"])
    table.header.set_filter_row((1, 2, 3), 1)
    QApplication.processEvents()
    assert last_row() == QColor(LIGHT["content"])


def test_a_filter_row_makes_the_header_taller_and_says_filter_in_one_column(table: TableView) -> None:
    before = table.header.height()
    table.header.set_filter_row((1, 2, 3), 1)
    QApplication.processEvents()
    assert table.header.height() > before
    assert field(table, 1).placeholderText() == "Filter"
    assert field(table, 2).placeholderText() == ""
    assert field(table, 2).accessibleName() == "Filter In stock"


def test_fields_follow_their_columns_when_moved_hidden_and_scrolled(table: TableView) -> None:
    table.header.set_filter_row((1, 2, 3), 1)

    def offset(section: int) -> int:
        return field(table, section).x() - table.header.sectionViewportPosition(section)

    places = {section: offset(section) for section in (1, 2, 3)}
    table.header.moveSection(1, 3)
    table.setColumnWidth(2, 300)
    table.horizontalScrollBar().setValue(60)
    QApplication.processEvents()
    assert {section: offset(section) for section in (1, 2, 3)} == places
    table.setColumnHidden(2, True)
    QApplication.processEvents()
    assert field(table, 2).isHidden()


def test_of_columns_that_change_together_the_fields_follow_once_at_the_end(table: TableView) -> None:
    header = table.header
    header.set_filter_row((1, 2, 3), 1)
    QApplication.processEvents()
    first, second, placed = field(table, 1).geometry(), field(table, 2).geometry(), list[int]()
    header.fieldsPlaced.connect(lambda: placed.append(1))
    with header.arranged():
        table.setColumnWidth(1, 180)
        table.setColumnWidth(2, 300)
        table.setColumnHidden(3, True)
        assert (field(table, 1).geometry(), field(table, 2).geometry(), placed) == (first, second, [])
    assert field(table, 1).geometry() == first.adjusted(0, 0, 30, 0)
    assert field(table, 2).x() == second.x() + 30 and field(table, 2).width() > second.width() + 100
    assert field(table, 3).isHidden() and len(placed) == 1


def filters(table: TableView) -> dict[int, str]:
    """The texts in the header's fields by section, without the empty ones."""
    fields = {section: table.header.field(section) for section in range(table.header.count())}
    return {section: one.text() for section, one in fields.items() if one is not None and one.text()}


def test_typing_in_a_field_is_reported_and_tints_it(qtbot: QtBot, table: TableView) -> None:
    table.header.set_filter_row((1, 2, 3), 1)
    heard: list[tuple[int, str]] = []
    table.header.filterChanged.connect(lambda section, text: heard.append((section, text)))
    qtbot.keyClicks(field(table, 2), ">4")
    assert heard == [(2, ">"), (2, ">4")]
    assert filters(table) == {2: ">4"}
    image = field(table, 2).grab().toImage()
    assert image.pixelColor(image.width() // 2, 6) == QColor(LIGHT["select"])
    assert field(table, 2).palette().text().color() == QColor(LIGHT["accent"])


def test_a_filter_set_by_the_program_is_not_reported(table: TableView) -> None:
    table.header.set_filter_row((1, 2, 3), 1)
    heard: list[object] = []
    table.header.filterChanged.connect(lambda *args: heard.append(args))
    table.header.set_filter(3, "!sold")
    assert filters(table) == {3: "!sold"}
    assert heard == []


def test_enter_goes_to_the_rows_and_escape_clears(qtbot: QtBot, table: TableView) -> None:
    table.header.set_filter_row((1, 2, 3), 1)
    table.header.focus_filter()
    qtbot.waitUntil(field(table, 1).hasFocus)
    qtbot.keyClicks(field(table, 1), "koi")
    qtbot.keyClick(field(table, 1), Qt.Key.Key_Escape)
    assert field(table, 1).text() == ""
    qtbot.keyClick(field(table, 1), Qt.Key.Key_Return)
    qtbot.waitUntil(table.hasFocus)
    assert table.currentIndex().isValid()


def test_the_filter_row_goes_away_again(table: TableView) -> None:
    before = table.header.sizeHint().height()
    table.header.set_filter_row((1, 2, 3), 1)
    table.header.set_filter_row(None)
    assert table.header.sizeHint().height() == before
    assert filters(table) == {}
