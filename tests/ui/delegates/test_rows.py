"""How cells are painted and said, and what a table's keys and editors do."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.delegates.editors import ChoiceEditor, StockEditor
from petstore_desktop.ui.delegates.roles import MARK_ICONS, MARK_TONES, Cell, CellRole, Mark, pill_cell, spoken, worst
from petstore_desktop.ui.delegates.table_view import TableView
from petstore_desktop.ui.theme import DARK, LIGHT, ThemeController

GUTTER, NAME, CATEGORY, STATUS, STOCK = range(5)
KOI = Cell(kind="stock", base="24", chip="+12", result="36", mark="unsent")


def item(cell: Cell, editable: bool = False, edit: str = "") -> QStandardItem:
    made = QStandardItem()
    made.setData(cell, CellRole)
    made.setData(edit or cell.text, Qt.ItemDataRole.EditRole)
    made.setEditable(editable)
    return made


class Model(QStandardItemModel):
    """Three pets; a row's cells keep their Cell when their EditRole is set."""

    def __init__(self) -> None:
        super().__init__(0, 5)
        for name, stock in (("Koi", KOI), ("Betta", Cell(kind="stock", text="18")), ("Clownfish", Cell(text="–"))):
            self.appendRow(
                [
                    item(Cell(kind="gutter", mark=stock.mark)),
                    item(Cell(kind="ref", text=name, ref_id="1234")),
                    item(Cell(text="Fish", muted=True), editable=True),
                    item(pill_cell("available", "available"), editable=True, edit="available"),
                    item(stock, editable=True, edit=stock.text or "36"),
                ]
            )
        for column, word in enumerate(("", "Pet", "Category", "Status", "In stock")):
            header = QStandardItem(word)
            if column == STOCK:
                header.setTextAlignment(Qt.AlignmentFlag.AlignRight)
            self.setHorizontalHeaderItem(column, header)


def preview(_index: QModelIndex, text: str) -> tuple[str, bool] | None:
    """A stand-in for the desk's parser: whole numbers, with or without a sign."""
    try:
        value = 120 + int(text) if text[0] in "+-" else int(text)
    except ValueError:
        return None
    return f"= {value}", value < 0


@pytest.fixture
def table(qtbot: QtBot) -> Iterator[TableView]:
    made = TableView()
    model = Model()
    model.setParent(made)
    made.setModel(model)
    made.rows.set_stock_preview(preview)
    made.rows.set_choices(STATUS, (("available", "available"), ("pending", "pending"), ("sold", "sold")))
    made.set_gutter(GUTTER)
    for column, width in ((NAME, 200), (CATEGORY, 120), (STATUS, 122), (STOCK, 206)):
        made.setColumnWidth(column, width)
    made.resize(760, 240)
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    made.activateWindow()
    made.setFocus()
    qtbot.waitUntil(made.hasFocus)
    yield made


def cell_image(table: TableView, row: int, column: int) -> QImage:
    """What one cell looks like."""
    rect = table.visualRect(table.model().index(row, column))
    return table.viewport().grab(rect).toImage()


def set_cell(table: TableView, row: int, column: int, cell: Cell) -> None:
    table.model().setData(table.model().index(row, column), cell, CellRole)


def colors(image: QImage) -> set[str]:
    """Every colour in a picture."""
    return {image.pixelColor(x, y).name().upper() for x in range(image.width()) for y in range(image.height())}


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
        controller.set_preference(preference)  # pyright: ignore[reportArgumentType]  one of the two
        set_cell(table, 1, STOCK, Cell())
        empty[preference] = cell_image(table, 1, STOCK)
        set_cell(table, 1, STOCK, ALL_KINDS[kind])
        assert cell_image(table, 1, STOCK) != empty[preference]


@pytest.mark.parametrize("kind", ["number", "stock", "ref", "pill", "late"])
def test_own_paint_is_mirrored_where_the_layout_is(table: TableView, kind: str) -> None:
    table.clearSelection()
    cell = ALL_KINDS[kind] if kind != "stock" else Cell(kind="stock", text="120")
    set_cell(table, 1, CATEGORY, cell)
    straight = ink(cell_image(table, 1, CATEGORY), LIGHT.content)
    table.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    mirrored = ink(cell_image(table, 1, CATEGORY), LIGHT.content)
    width = table.columnWidth(CATEGORY)
    assert mirrored.left() == pytest.approx(width - 1 - straight.right(), abs=3)


def test_the_result_of_a_stock_cell_is_at_the_right_edge_with_or_without_a_change(table: TableView) -> None:
    table.clearSelection()
    set_cell(table, 0, STOCK, Cell(kind="stock", base="24", chip="+12", result="36"))
    set_cell(table, 1, STOCK, Cell(kind="stock", text="36"))
    edges = [ink(cell_image(table, row, STOCK), LIGHT.content).right() for row in (0, 1)]
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
    assert image.pixelColor(20, 4) == QColor(getattr(LIGHT, tint))
    assert image.pixelColor(3, 14) == QColor(getattr(LIGHT, bar))


def test_a_sent_cell_is_plain_again(table: TableView) -> None:
    set_cell(table, 1, CATEGORY, Cell(text="Fish", mark="sent"))
    sent = cell_image(table, 1, CATEGORY)
    set_cell(table, 1, CATEGORY, Cell(text="Fish"))
    assert cell_image(table, 1, CATEGORY) == sent


def test_selection_is_quieter_without_focus_and_stays_bright_while_an_editor_is_open(
    qtbot: QtBot, table: TableView
) -> None:
    table.setCurrentIndex(table.model().index(1, STOCK))
    assert LIGHT.select in colors(cell_image(table, 1, CATEGORY))
    table.edit(table.currentIndex())
    assert LIGHT.select in colors(cell_image(table, 1, CATEGORY))
    other = QLineEdit()
    qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    other.setFocus()
    qtbot.waitUntil(other.hasFocus)
    assert LIGHT.select_off in colors(cell_image(table, 1, CATEGORY))


def test_the_current_cell_has_a_ring_only_while_the_table_is_focused(qtbot: QtBot, table: TableView) -> None:
    table.setCurrentIndex(table.model().index(1, CATEGORY))
    assert LIGHT.accent in colors(cell_image(table, 1, CATEGORY))
    assert LIGHT.accent not in colors(cell_image(table, 1, NAME))
    table.clearFocus()
    assert LIGHT.accent not in colors(cell_image(table, 1, CATEGORY))


def test_a_cell_painted_in_the_dark_uses_the_dark_tokens(table: TableView, controller: ThemeController) -> None:
    table.clearSelection()
    controller.set_preference("dark")
    found = colors(cell_image(table, 1, NAME))
    assert DARK.content in found
    assert LIGHT.content not in found


def test_cut_text_is_told_in_a_tool_tip_and_markup_in_it_is_not(table: TableView) -> None:
    long = Cell(kind="ref", text="<b>Chinchilla</b>, standard grey, brothers", ref_id="1342")
    assert table.rows.tip(long, 120) == "<b>Chinchilla</b>, standard grey, brothers #1342"
    assert table.rows.tip(long, 600) == ""
    assert table.rows.tip(Cell(text="Koi", tip="raw: 2025-11-18"), 600) == "raw: 2025-11-18"


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
    assert set(MARK_ICONS) == set(MARK_TONES)


def test_an_unknown_status_has_its_own_pill() -> None:
    assert pill_cell("extinct", "extinct").icon == "unknown"
    assert pill_cell("sold", "sold").icon == "sold"


# keys and editors


def start(qtbot: QtBot, table: TableView, column: int, keys: str) -> None:
    """Put the current cell into row 1 of `column` and type."""
    table.setCurrentIndex(table.model().index(1, column))
    qtbot.keyClicks(table, keys[:1])
    editor = table.findChild(QLineEdit, options=Qt.FindChildOption.FindChildrenRecursively)
    if keys[1:] and editor is not None:
        qtbot.keyClicks(QApplication.focusWidget(), keys[1:])


def stock_editor(table: TableView) -> StockEditor:
    found = table.viewport().findChild(StockEditor)
    assert found is not None
    return found


def value(table: TableView, row: int, column: int) -> object:
    return table.model().index(row, column).data(Qt.ItemDataRole.EditRole)


def test_typing_replaces_enter_commits_and_goes_down(qtbot: QtBot, table: TableView) -> None:
    start(qtbot, table, STOCK, "+24")
    assert stock_editor(table).text() == "+24"
    qtbot.keyClick(stock_editor(table), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not table.edit_open())
    assert value(table, 1, STOCK) == "+24"
    assert (table.currentIndex().row(), table.currentIndex().column()) == (2, STOCK)


def test_tab_commits_and_goes_right_without_opening_the_next(qtbot: QtBot, table: TableView) -> None:
    start(qtbot, table, CATEGORY, "Birds")
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    qtbot.waitUntil(lambda: not table.edit_open())
    assert value(table, 1, CATEGORY) == "Birds"
    assert (table.currentIndex().row(), table.currentIndex().column()) == (1, STATUS)


def test_escape_takes_back_and_stays(qtbot: QtBot, table: TableView) -> None:
    start(qtbot, table, STOCK, "7")
    qtbot.keyClick(stock_editor(table), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not table.edit_open())
    assert value(table, 1, STOCK) == "18"
    assert table.currentIndex().row() == 1


def test_what_is_no_quantity_stays_open_with_words(qtbot: QtBot, table: TableView) -> None:
    start(qtbot, table, STOCK, "7,5")
    editor = stock_editor(table)
    assert not editor.acceptable()
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert table.edit_open()
    assert editor.accessibleDescription() == "This is not a whole number"
    assert LIGHT.bad in colors(editor.grab().toImage())
    qtbot.keyClick(editor, Qt.Key.Key_Escape)


def test_below_zero_shows_the_result_in_the_bad_tone_and_may_be_committed(qtbot: QtBot, table: TableView) -> None:
    start(qtbot, table, STOCK, "-130")
    editor = stock_editor(table)
    assert editor.accessibleDescription() == "= -10"
    assert LIGHT.bad in colors(editor.grab().toImage())
    assert LIGHT.accent in colors(editor.grab().toImage())  # the ring stays calm
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not table.edit_open())
    assert value(table, 1, STOCK) == "-130"


def test_an_untouched_editor_changes_nothing(qtbot: QtBot, table: TableView) -> None:
    table.setCurrentIndex(table.model().index(1, STOCK))
    written: list[object] = []
    table.model().dataChanged.connect(lambda *args: written.append(args))
    qtbot.keyClick(table, Qt.Key.Key_F2)
    qtbot.keyClick(stock_editor(table), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not table.edit_open())
    assert written == []


def test_the_editor_is_named_by_its_column_and_reported(qtbot: QtBot, table: TableView) -> None:
    ended: list[bool] = []
    table.rows.editingEnded.connect(lambda: ended.append(True))
    with qtbot.waitSignal(table.rows.editing, timeout=1000) as heard:
        start(qtbot, table, STOCK, "5")
    assert (heard.args[0].row(), heard.args[0].column()) == (1, STOCK)
    assert stock_editor(table).accessibleName() == "In stock"
    assert ended == []
    qtbot.keyClick(stock_editor(table), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: ended == [True])


def test_a_status_is_chosen(qtbot: QtBot, table: TableView) -> None:
    table.setCurrentIndex(table.model().index(1, STATUS))
    table.edit(table.currentIndex())
    editor = table.viewport().findChild(ChoiceEditor)
    assert editor.value() is None
    editor.set_value("available")
    editor.setCurrentIndex(2)
    assert editor.value() == "sold"
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not table.edit_open())
    assert value(table, 1, STATUS) == "sold"


def test_walking_keys_act_on_read_only_cells_only(qtbot: QtBot, table: TableView) -> None:
    table.setCurrentIndex(table.model().index(0, NAME))
    qtbot.keyClick(table, Qt.Key.Key_J)
    assert table.currentIndex().row() == 1
    qtbot.keyClick(table, Qt.Key.Key_K)
    assert table.currentIndex().row() == 0
    with qtbot.waitSignal(table.detailsRequested, timeout=1000):
        qtbot.keyClick(table, Qt.Key.Key_Space)
    with qtbot.waitSignal(table.openRequested, timeout=1000) as heard:
        qtbot.keyClick(table, Qt.Key.Key_Return)
    assert heard.args[0].column() == NAME
    start(qtbot, table, CATEGORY, "jk ")
    assert QApplication.focusWidget().text() == "jk "  # pyright: ignore[reportAttributeAccessIssue]  the editor
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)


def test_escape_without_an_editor_is_passed_on(qtbot: QtBot, table: TableView) -> None:
    with qtbot.waitSignal(table.escaped, timeout=1000):
        qtbot.keyClick(table, Qt.Key.Key_Escape)


def checkable(table: TableView) -> QModelIndex:
    box = item(Cell(kind="check"))
    box.setCheckable(True)
    table.model().setItem(1, CATEGORY, box)  # pyright: ignore[reportAttributeAccessIssue]  a standard model
    return table.model().index(1, CATEGORY)


@pytest.mark.parametrize("how", ["space", "click"])
def test_a_check_cell_is_toggled(qtbot: QtBot, table: TableView, how: str) -> None:
    index = checkable(table)
    table.setCurrentIndex(index)
    without = cell_image(table, 1, CATEGORY)
    ways: dict[str, Callable[[], None]] = {
        "space": lambda: qtbot.keyClick(table, Qt.Key.Key_Space),
        "click": lambda: qtbot.mouseClick(
            table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(index).center()
        ),
    }
    ways[how]()
    assert index.data(Qt.ItemDataRole.CheckStateRole) in (2, Qt.CheckState.Checked)
    assert cell_image(table, 1, CATEGORY) != without
    ways[how]()
    assert index.data(Qt.ItemDataRole.CheckStateRole) in (0, Qt.CheckState.Unchecked)


def test_rows_have_no_grid_and_grow_with_the_font(table: TableView) -> None:
    assert not table.showGrid()
    assert table.rowHeight(0) == max(30, round(table.rows.sizeHint(None, table.model().index(0, NAME)).height()))


def test_the_scroll_bar_begins_below_the_header(table: TableView) -> None:
    table.resize(760, 100)
    QApplication.processEvents()
    bar = table.verticalScrollBar()
    assert bar.isVisible()
    assert bar.mapTo(table, QPoint(0, 0)).y() >= table.header.height()
    assert bar.width() == 10
