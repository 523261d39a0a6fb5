"""Paints the rows of a list in one go, each cell as the delegate does.

Qt's own way makes three objects for each cell and asks four questions about it before the cell is painted at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, cast

from msgspec import Struct
from PySide6.QtCore import QItemSelectionRange, QRect
from PySide6.QtGui import QPainter, QPaintEvent

from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.cells.cell_paint import CellBrush, is_bare, make_brush, paddings, paint_cell
from petstore_desktop.ui.text.cell import Cell
from petstore_desktop.ui.widgets.paint import baseline

if TYPE_CHECKING:
    from petstore_desktop.ui.grid.row_delegate import RowState
    from petstore_desktop.ui.grid.table_view import TableView

CellAt = Callable[[int, int], Cell]
"""Returns the cell of a row and column."""


class _Column(Struct, frozen=True):
    """One column as it stands on the screen; `begin` and `end` are the paddings of its cells."""

    number: int
    left: int
    width: int
    begin: int
    end: int


def paint_rows(view: TableView, event: QPaintEvent, cell_at: CellAt) -> None:
    """Paint those cells of the view that the event asks for."""
    columns, rows = _columns(view, event.rect()), _rows(view, event)
    if not columns or not rows:
        return
    painter, state = QPainter(view.viewport()), view.rows.state
    brush = make_brush(painter, current(), QRect(), state.rtl, False)
    left = min(column.left for column in columns)
    width = max(column.left + column.width for column in columns) - left
    picked = view.selectionModel().selection()
    blocks = [one for one in cast("Iterable[QItemSelectionRange]", picked) if _meet(one, rows)]
    for row in rows:
        line = QRect(left, view.rowViewportPosition(row), width, view.rowHeight(row))
        selected = _selected(columns, row, blocks, state)
        _paint_ground(brush, line, columns, selected, row == state.hover_row, state.focused)
        _paint_cells(brush, line, columns, selected, row, state, cell_at)
    painter.end()


def _rows(view: TableView, event: QPaintEvent) -> list[int]:
    """The rows to paint, each once; not those between two that are asked for."""
    rows: set[int] = set()
    last_row = view.model().rowCount() - 1
    for part in cast("Iterable[QRect]", event.region()):
        first, last = view.rowAt(part.top()), view.rowAt(part.bottom())
        if first >= 0:
            rows.update(range(first, (last if last >= 0 else last_row) + 1))
    return sorted(rows)


def _columns(view: TableView, area: QRect) -> list[_Column]:
    """The columns that this area touches, in the order on the screen."""
    header, state = view.header, view.rows.state
    found: list[_Column] = []
    for section in map(header.logicalIndex, range(header.count())):
        left, width = header.sectionViewportPosition(section), header.sectionSize(section)
        if width and left <= area.right() and left + width > area.left():
            begin, end = paddings(section == state.first_column, section == state.last_column)
            found.append(_Column(section, left, width, begin, end))
    return found


def _meet(block: QItemSelectionRange, rows: list[int]) -> bool:
    return block.top() <= rows[-1] and block.bottom() >= rows[0]


def _selected(columns: list[_Column], row: int, blocks: list[QItemSelectionRange], state: RowState) -> frozenset[int]:
    """The columns in which this row looks selected."""
    if row == state.whole_row:
        return frozenset(column.number for column in columns)
    spans = [(one.left(), one.right()) for one in blocks if one.top() <= row <= one.bottom()]
    if not spans:
        return frozenset()
    return frozenset(one.number for one in columns if any(first <= one.number <= last for first, last in spans))


def _paint_ground(
    brush: CellBrush, line: QRect, columns: list[_Column], selected: frozenset[int], hovered: bool, focused: bool
) -> None:
    """Paint what lies behind the cells of a row, in one piece where they have it in common."""
    painter, theme = brush.painter, current()
    if len(selected) < len(columns):
        if hovered:
            painter.fillRect(line, theme.color("hover"))
        painter.fillRect(line.left(), line.bottom(), line.width(), 1, theme.color("hair"))
    plane = theme.color("select" if focused else "select_off") if selected else None
    if plane is not None and len(selected) == len(columns):
        painter.fillRect(line, plane)
    elif plane is not None:
        for column in columns:
            if column.number in selected:
                painter.fillRect(column.left, line.top(), column.width, line.height(), plane)


def _paint_cells(
    brush: CellBrush,
    line: QRect,
    columns: list[_Column],
    selected: frozenset[int],
    row: int,
    state: RowState,
    cell_at: CellAt,
) -> None:
    top, height = line.top(), line.height()
    brush.base, brush.middle = baseline(brush.theme, top, height), top + height / 2
    plain, marked = current(), current().selected
    current_column = state.current_column if state.focused and row == state.current_row else -1
    for column in columns:
        number, left, width = column.number, column.left, column.width
        cell, is_current = cell_at(row, number), number == current_column
        if is_current or not is_bare(cell):
            brush.rect = QRect(left, top, width, height)
            brush.left, brush.right = left + column.begin, left + width - column.end
            brush.selected = number in selected
            brush.theme = marked if brush.selected else plain
            paint_cell(brush, cell, is_current)
