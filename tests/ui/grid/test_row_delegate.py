"""How cells are painted and said."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from petstore_desktop.desk.values.cells import worst
from petstore_desktop.ui.base.colours import DARK, LIGHT
from petstore_desktop.ui.base.theme import ThemeController, Tone, current
from petstore_desktop.ui.cells.pane_parts import StockLine
from petstore_desktop.ui.grid.table_view import TableView
from petstore_desktop.ui.text.cell import MARK_ICONS, MARK_ORDER, MARK_TONES, Cell, Mark, pill_cell, spoken
from tests.ui.grid.shop import CATEGORY, KOI, NAME, STOCK, cell_image, colors, set_cell


def ink(image: QImage, background: str) -> QRect:
    """The box around everything that is not background, hairline left out."""
    places = [
        (x, y)
        for x in range(image.width())
        for y in range(image.height() - 2)
        if image.pixelColor(x, y) != QColor(background)
    ]
    xs, ys = [x for x, _ in places], [y for _, y in places]
    return QRect(QPoint(min(xs), min(ys)), QPoint(max(xs), max(ys)))


ALL_KINDS = {
    "text": Cell(text="Koi"),
    "late": Cell(text="3 days", icon="overdue", tone="bad"),
    "number": Cell(kind="number", text="1,240"),
    "dash": Cell(kind="number", text="–"),
    "date": Cell(kind="date", text="Tue 18 Nov"),
    "pill": pill_cell("pending", "pending"),
    "change": pill_cell("available", "available", after=pill_cell("sold", "sold")),
    "stock": KOI,
    "low": Cell(kind="stock", text="3", low=True),
    "ref": Cell(kind="ref", text="?", ref_id="1777", tone="wait", note="no such pet"),
    "gutter": Cell(kind="gutter", mark="refused"),
    "check": Cell(kind="check"),
    "arabic": Cell(kind="ref", text="ببغاء", ref_id="9"),
}


@pytest.mark.parametrize("kind", ALL_KINDS)
@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_every_kind_of_cell_paints_something_in_both_themes(
    table: TableView, controller: ThemeController, kind: str, direction: Qt.LayoutDirection
) -> None:
    table.setLayoutDirection(direction)
    empty = {}
    for preference in ("light", "dark"):
        controller.set_preference(preference)
        set_cell(table, 1, STOCK, Cell())
        empty[preference] = cell_image(table, 1, STOCK)
        set_cell(table, 1, STOCK, ALL_KINDS[kind])
        assert cell_image(table, 1, STOCK) != empty[preference]


@pytest.mark.parametrize("cell", [ALL_KINDS["number"], Cell(kind="stock", text="120"), Cell(kind="stock", text="7")])
def test_figures_stand_at_the_right_on_the_screen_in_both_directions(table: TableView, cell: Cell) -> None:
    table.clearSelection()
    set_cell(table, 1, CATEGORY, cell)
    straight = ink(cell_image(table, 1, CATEGORY), LIGHT["content"])
    table.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    assert ink(cell_image(table, 1, CATEGORY), LIGHT["content"]).right() == pytest.approx(straight.right(), abs=1)


def test_where_one_reads_from_the_right_a_change_follows_the_figure(table: TableView) -> None:
    table.clearSelection()
    table.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    table.setColumnWidth(STOCK, 260)
    set_cell(table, 0, STOCK, Cell(kind="stock", text="24"))
    plain = ink(cell_image(table, 0, STOCK), LIGHT["content"])
    set_cell(table, 0, STOCK, Cell(kind="stock", base="24", chip="+12", result="36"))
    changed = ink(cell_image(table, 0, STOCK), LIGHT["content"])
    assert changed.right() == pytest.approx(plain.right(), abs=1)
    assert changed.left() < plain.left() - 60, "chip, arrow and result stand left of the figure"


@pytest.mark.parametrize("kind", ["ref", "pill", "late"])
def test_own_paint_is_mirrored_where_the_layout_is(table: TableView, kind: str) -> None:
    table.clearSelection()
    set_cell(table, 1, CATEGORY, ALL_KINDS[kind])
    straight = ink(cell_image(table, 1, CATEGORY), LIGHT["content"])
    table.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    mirrored = ink(cell_image(table, 1, CATEGORY), LIGHT["content"])
    width = table.columnWidth(CATEGORY)
    assert mirrored.left() == pytest.approx(width - 1 - straight.right(), abs=3)


def test_the_result_of_a_stock_cell_is_at_the_right_edge_with_or_without_a_change(table: TableView) -> None:
    table.clearSelection()
    set_cell(table, 0, STOCK, Cell(kind="stock", base="24", chip="+12", result="36"))
    set_cell(table, 1, STOCK, Cell(kind="stock", text="36"))
    edges = [ink(cell_image(table, row, STOCK), LIGHT["content"]).right() for row in (0, 1)]
    assert abs(edges[0] - edges[1]) <= 1


def test_a_narrow_stock_column_shows_the_result_alone_and_tells_the_rest_in_a_tool_tip(table: TableView) -> None:
    table.clearSelection()
    table.setColumnWidth(STOCK, 92)
    set_cell(table, 0, STOCK, Cell(kind="stock", base="24", chip="+12", result="36"))
    set_cell(table, 1, STOCK, Cell(kind="stock", text="36"))
    assert cell_image(table, 0, STOCK) == cell_image(table, 1, STOCK)
    assert table.rows.tip(KOI, 92) == "24 +12 → 36"
    assert table.rows.tip(KOI, 206) == ""


@pytest.mark.parametrize(
    ("mark", "tint", "bar"),
    [
        ("unsent", "edit", "accent"),
        ("sending", "edit", "accent"),
        ("conflict", "wait_bg", "wait"),
        ("uncertain", "wait_bg", "wait"),
        ("refused", "bad_bg", "bad"),
    ],
)
def test_a_changed_cell_has_its_states_tint_and_bar(table: TableView, mark: Mark, tint: str, bar: str) -> None:
    set_cell(table, 1, CATEGORY, Cell(text="Fish", mark=mark))
    image = cell_image(table, 1, CATEGORY)
    assert image.pixelColor(20, 4) == QColor(LIGHT[tint])
    assert image.pixelColor(3, 8) == QColor(LIGHT[bar])


def test_a_sent_cell_is_plain_again(table: TableView) -> None:
    set_cell(table, 1, CATEGORY, Cell(text="Fish", mark="sent"))
    sent = cell_image(table, 1, CATEGORY)
    set_cell(table, 1, CATEGORY, Cell(text="Fish"))
    assert cell_image(table, 1, CATEGORY) == sent


def test_selection_is_quieter_without_focus_and_stays_bright_while_an_editor_is_open(
    qtbot: QtBot, table: TableView
) -> None:
    table.setCurrentIndex(table.model().index(1, STOCK))
    assert LIGHT["select"] in colors(cell_image(table, 1, CATEGORY))
    table.edit(table.currentIndex())
    assert LIGHT["select"] in colors(cell_image(table, 1, CATEGORY))
    other = QLineEdit()
    qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    other.setFocus()
    qtbot.waitUntil(other.hasFocus)
    assert LIGHT["select_off"] in colors(cell_image(table, 1, CATEGORY))


def test_the_current_cell_has_a_ring_only_while_the_table_is_focused(qtbot: QtBot, table: TableView) -> None:
    table.setCurrentIndex(table.model().index(1, CATEGORY))
    assert LIGHT["accent"] in colors(cell_image(table, 1, CATEGORY))
    assert LIGHT["accent"] not in colors(cell_image(table, 1, NAME))
    table.clearFocus()
    assert LIGHT["accent"] not in colors(cell_image(table, 1, CATEGORY))


def test_a_cell_painted_in_the_dark_uses_the_dark_tokens(table: TableView, controller: ThemeController) -> None:
    table.clearSelection()
    controller.set_preference("dark")
    found = colors(cell_image(table, 1, NAME))
    assert DARK["content"] in found
    assert LIGHT["content"] not in found


def test_cut_text_is_told_in_a_tool_tip_and_markup_in_it_is_not(table: TableView) -> None:
    long = Cell(kind="ref", text="<b>Chinchilla</b>, standard grey, brothers", ref_id="1342")
    assert table.rows.tip(long, 120) == "<b>Chinchilla</b>, standard grey, brothers #1342"
    assert table.rows.tip(long, 600) == ""
    day = Cell(text="Wed 18 Nov", kind="date", tip="2025-11-18T08:00:00Z")
    assert table.rows.tip(day, 600) == "2025-11-18T08:00:00Z"
    assert table.rows.tip(day, 30) == "Wed 18 Nov\n2025-11-18T08:00:00Z"


def test_a_cell_is_said_in_words() -> None:
    words = spoken(KOI, "In stock").replace("\u2068", "").replace("\u2069", "")
    assert words == "In stock 36, 24 at the shop, +12 not sent"
    low = spoken(Cell(kind="stock", text="3", low=True), "In stock")
    assert low.endswith("low")
    assert "refused by the service" in spoken(Cell(text="Fish", mark="refused"), "Category")


def test_the_worst_mark_wins_the_gutter() -> None:
    assert worst({"sent", "unsent", "conflict"}) == "conflict"
    assert worst({"refused", "conflict"}) == "refused"
    assert worst(set()) is None
    assert set(MARK_ICONS) == set(MARK_TONES) == set(MARK_ORDER)


@pytest.mark.parametrize(("mark", "tone"), [("unsent", "accent"), ("refused", "bad"), ("conflict", "wait")])
def test_a_change_of_stock_has_one_colour_in_the_list_and_in_the_pane(
    qtbot: QtBot, table: TableView, mark: Mark, tone: str
) -> None:
    booked = Cell(kind="stock", base="24", chip="+12", result="36", mark=mark)
    set_cell(table, 1, STOCK, booked)
    line = StockLine(booked)
    qtbot.addWidget(line)
    line.resize(line.sizeHint())
    tones: tuple[Tone, ...] = ("accent", "bad", "wait")
    listed, pane = colors(cell_image(table, 1, STOCK)), colors(line.grab().toImage())
    assert [one for one in tones if LIGHT[one] in listed] == [tone]
    assert [one for one in tones if current().tint(one).name().upper() in pane] == [tone]


def test_an_unknown_status_has_its_own_pill() -> None:
    assert pill_cell("extinct", "extinct").icon == "unknown"
    assert pill_cell("sold", "sold").icon == "sold"
