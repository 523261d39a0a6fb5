"""The table of compared days: groups that fold with Left and Right, and values on both sides of an arrow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyle, QStyleOptionViewItem, QWidget

from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.cells.cell_paint import CellBrush, make_brush, paint_content, text_color
from petstore_desktop.ui.compare.compare_model import RECORD, VALUE, WHAT, WHEN, WHO, CompareModel, CompareRow
from petstore_desktop.ui.grid.row_delegate import Index, RowDelegate
from petstore_desktop.ui.grid.selection import selected_rows, stand_on_rows
from petstore_desktop.ui.grid.table_view import TableView
from petstore_desktop.ui.text.changes.seen import kind_title, sum_words
from petstore_desktop.ui.text.translate import number
from petstore_desktop.ui.widgets.paint import baseline, draw_ring, elided, is_rtl, pill_width

if TYPE_CHECKING:
    from petstore_desktop.ui.text.cell import Cell

_ROW, _HEADER, _INDENT = 30, 40, 24
_THEN, _GAP, _NUMBER = 32, 12, 42
"""Of a stock: where the old number ends, the room around the arrow, and where the new one ends after it."""
_WIDTHS = {WHAT: 112, VALUE: 288, WHO: 132, WHEN: 204}
_NARROW_WIDTHS = {WHAT: 96, VALUE: 236, WHO: 124, WHEN: 156}
_NARROW_BELOW = 1100
_LEAST_NAME = 190
_SELECTED = QStyle.StateFlag.State_Selected


class CompareDelegate(RowDelegate):
    """Paints headers over all columns, names with a quiet id, and old and new values at fixed places."""

    def __init__(self, model: CompareModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        if index.row() >= len(self._model.rows):
            return
        row, state, rect = self._model.rows[index.row()], self.state, option.rect
        selected = bool(option.state & _SELECTED)
        self._paint_plane(painter, option, index, row, selected)
        brush = make_brush(painter, current(), rect, state.rtl, selected, first=index.column() == RECORD)
        if row.kind == "header":
            self._paint_header(brush, row)
        elif row.kind == "more":
            self._paint_more(brush, index)
        else:
            self._paint_change(brush, self._model.cell(index.row(), index.column()), index.column())
        if state.focused and index.row() == state.current_row and index.column() == state.current_column:
            draw_ring(painter, rect, brush.theme.color("accent"), 4)

    def _paint_plane(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index, row: CompareRow, selected: bool
    ) -> None:
        theme, rect, state = current(), option.rect, self.state
        if selected:
            painter.fillRect(rect, theme.color("select" if state.focused else "select_off"))
        elif index.row() == state.hover_row:
            painter.fillRect(rect, theme.color("hover"))
        if row.kind == "change" and not selected:
            painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.color("hair"))

    def _paint_header(self, brush: CellBrush, row: CompareRow) -> None:
        theme, rect = brush.theme, brush.rect
        line = theme.height(_ROW)
        brush.base = baseline(theme, rect.bottom() + 1 - line, line)
        brush.middle = rect.bottom() + 1 - line / 2
        side = theme.scaled(14)
        folded = self._model.grouped.is_folded(row.group.kind)
        text, muted = brush.theme.color("text"), brush.theme.color("muted")
        brush.icon("chevron-right" if folded else "chevron-down", brush.left, muted, side)
        x = brush.left + theme.scaled(_INDENT)
        x += brush.text(x, kind_title(row.group.kind), text, 13, 600) + 8
        x += brush.text(x, number(row.group.count), muted, 13, 400, True) + 16
        end = rect.right() + 1 - 16
        brush.ending(end, elided(theme, sum_words(row.group), max(0.0, end - x), 13, 400, True), muted)

    def _paint_more(self, brush: CellBrush, index: Index) -> None:
        cell = self._model.cell(index.row(), RECORD)
        brush.text(brush.left + brush.theme.scaled(_INDENT), cell.text, text_color(brush, cell))

    def _paint_change(self, brush: CellBrush, cell: Cell, column: int) -> None:
        if column == RECORD:
            _paint_name(brush, cell)
        elif column == VALUE and cell.after is not None:
            _paint_values(brush, cell, cell.after)
        elif column == WHEN:
            brush.right = brush.rect.right() + 1 - 16
            paint_content(brush, cell)
        else:
            paint_content(brush, cell)


def _paint_name(brush: CellBrush, cell: Cell) -> None:
    theme, x = brush.theme, brush.left + brush.theme.scaled(_INDENT)
    room = brush.right - x - (theme.advance(cell.note, 12, 400, True) + 7 if cell.note else 0)
    x += brush.text(x, elided(theme, cell.text, max(0.0, room)), text_color(brush, cell)) + 7
    if cell.note:
        brush.text(x, cell.note, brush.theme.color("muted" if brush.selected else "faint"), 12, 400, True)


def _paint_values(brush: CellBrush, cell: Cell, after: Cell) -> None:
    """The old value, an arrow, and the new one: numbers end at fixed places, other values follow each other."""
    theme, left, right = brush.theme, brush.left, brush.right
    side = theme.scaled(14)
    if cell.kind == "number":
        place = max(theme.advance(cell.text, 13, 400, True), theme.scaled(_THEN))
        brush.ending(left + place, cell.text, text_color(brush, cell))
        x = left + place + _GAP
    else:
        room = (right - left - side - 2 * _GAP) / 2
        width = pill_width(theme, cell.text, cell.icon) if cell.kind == "pill" else theme.advance(cell.text)
        brush.right = left + min(width, room)
        paint_content(brush, _alone(cell))
        x = brush.right + _GAP
    brush.icon("arrow", x, brush.theme.color("muted"), side)
    brush.left, brush.right = x + side + _GAP, right
    if after.kind == "number":
        place = max(theme.advance(after.text, 13, 500, True), theme.scaled(_NUMBER) - side)
        brush.ending(brush.left + place, after.text, text_color(brush, after), 13, 500)
    elif after.kind == "pill":
        paint_content(brush, after)
    else:
        shown = elided(theme, after.text, brush.right - brush.left, 13, 500)
        brush.text(brush.left, shown, text_color(brush, after), 13, 500)


def _alone(cell: Cell) -> Cell:
    return replace(cell, after=None)


class CompareView(TableView):
    """The rows; headers and rows that show more reach over all columns.

    Signals:
        rowOpened(object): Enter, Space or a click on a header or on a row that shows more, or Enter or a double click
            on a change; its CompareRow.
        foldWanted(object): tuple[CompareRow, bool]: fold the group of this row, or unfold it.
        copyWanted(): Ctrl+C.
    """

    rowOpened = Signal(object)
    foldWanted = Signal(object)
    copyWanted = Signal()

    def __init__(self, model: CompareModel, parent: QWidget) -> None:
        self._model = model  # first: Qt calls overrides as soon as the table is ready
        super().__init__(parent)
        self.rows = CompareDelegate(model, self)
        self.setItemDelegate(self.rows)
        self.setModel(model)
        self.home_column = RECORD
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.header.setSectionResizeMode(RECORD, QHeaderView.ResizeMode.Stretch)
        self.resized.connect(self._fit)
        model.modelReset.connect(self._dress)
        self.openRequested.connect(self._opened)
        self.detailsRequested.connect(lambda: self._opened(self.currentIndex()))
        self.clicked.connect(self._clicked)
        stand_on_rows(self)

    def chosen(self) -> list[CompareRow]:
        """The selected rows that are changes."""
        rows = (self._model.rows[row] for row in selected_rows(self) if row < len(self._model.rows))
        return [row for row in rows if row.kind == "change"]

    def row(self) -> CompareRow | None:
        """The current row."""
        at = self.currentIndex().row()
        return self._model.rows[at] if 0 <= at < len(self._model.rows) else None

    def go_to_row(self, row: int) -> None:
        """Make a row the current one, and select it."""
        index = self._model.index(row, RECORD)
        how = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        self.selectionModel().setCurrentIndex(index, how)
        self.scrollTo(index)

    def _dress(self) -> None:
        """Heights and spans of the rows that are unlike the others."""
        height = current().height(_HEADER)
        self.clearSpans()
        for row in self._model.grouped.wide_rows():
            self.setSpan(row, RECORD, 1, WHEN + 1)
        for row in self._model.grouped.headers():
            self.setRowHeight(row, height)

    def _fit(self, width: object) -> None:
        theme = current()
        if not isinstance(width, int):
            return
        widths = _NARROW_WIDTHS if width < theme.scaled(_NARROW_BELOW) else _WIDTHS
        room = width - theme.scaled(_LEAST_NAME) - theme.scaled(widths[VALUE])
        for column in (WHO, WHEN, WHAT):  # what the last one says, the header of most groups says too
            room -= theme.scaled(widths[column])
            self.setColumnHidden(column, room < 0)
        for column, pixels in widths.items():
            self.header.resizeSection(column, theme.scaled(pixels))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.ApplicationFontChange) and self._ready:
            self._dress()
            self._fit(self.viewport().width())

    # -- keys and clicks

    def _opened(self, index: object) -> None:
        if isinstance(index, QModelIndex) and 0 <= index.row() < len(self._model.rows):
            self.rowOpened.emit(self._model.rows[index.row()])

    def _clicked(self, index: QModelIndex) -> None:
        if index.row() < len(self._model.rows) and self._model.rows[index.row()].kind != "change":
            self.rowOpened.emit(self._model.rows[index.row()])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.row()
        if _copies(event):
            self.copyWanted.emit()
        elif row is not None and not event.modifiers() and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._turn(row, inwards=(event.key() == Qt.Key.Key_Right) is not is_rtl(self))
        else:
            super().keyPressEvent(event)

    def _turn(self, row: CompareRow, *, inwards: bool) -> None:
        """Right unfolds a group and then goes into it, Left goes to its header and then folds it."""
        folded = self._model.grouped.is_folded(row.group.kind)
        at = self.currentIndex().row()
        if row.kind == "header" and inwards is folded:
            self.foldWanted.emit((row, not folded))
        elif row.kind == "header" and inwards:
            self.go_to_row(at + 1)
        elif not inwards:
            self.go_to_row(max(start for start in self._model.grouped.headers() if start <= at))


def _copies(event: QKeyEvent) -> bool:
    return event.matches(QKeySequence.StandardKey.Copy)
