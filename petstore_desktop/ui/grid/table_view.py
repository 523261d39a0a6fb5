"""The table: hairlines only, whole rows selected, walked and edited by keyboard like a spreadsheet.

Its rows are painted in one go, each cell as the delegate does: Qt's own way makes three objects for each cell and asks
four questions about it before the cell is painted at all.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import cast

from msgspec import Struct
from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QItemSelectionRange,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QContextMenuEvent,
    QFocusEvent,
    QInputMethodEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemDelegate,
    QAbstractItemView,
    QApplication,
    QFrame,
    QHeaderView,
    QTableView,
    QWidget,
)

from petstore_desktop.ui.base.building import named
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.cells.cell_paint import CellBrush, is_bare, make_brush, paddings, paint_cell
from petstore_desktop.ui.grid.header_view import HeaderView
from petstore_desktop.ui.grid.row_delegate import RowDelegate, RowState
from petstore_desktop.ui.text.cell import Cell
from petstore_desktop.ui.widgets.paint import baseline, is_rtl

_ROW, _GUTTER, _BAR = 30, 34, 10
_Hint = QAbstractItemDelegate.EndEditHint


_TYPING = (
    Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.GroupSwitchModifier
)


def _types(event: QKeyEvent) -> bool:
    return not event.modifiers() & ~_TYPING and event.text().isprintable() and bool(event.text())


class TableView(QTableView):
    """A table of `Cell`s.

    Signals:
        detailsRequested(): Space on a cell that cannot be edited.
        openRequested(QModelIndex): Enter or a double click on a cell that cannot be edited.
        escaped(): Esc while no editor is open.
        refused(QModelIndex): something was typed on a cell that cannot be edited.
        resized(int): the rows have so much width.
    """

    detailsRequested = Signal()
    openRequested = Signal(object)
    escaped = Signal()
    refused = Signal(object)
    resized = Signal(object)

    header: HeaderView
    rows: RowDelegate
    # Qt may call overrides before and after the life of the Python object; these are the answers then.
    _hover = -1
    _ready = False
    _closing = False
    gutter = -1
    """The column of the row's mark; -1 = none."""
    home_column = -1
    """The column where a row is entered, unless a person points at a cell; -1 = at Qt's first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cell_at: CellAt | None = None
        """Returns the cell of a row and column, where the rows are painted without Qt; none of them is a check box."""
        self.header, self.rows = HeaderView(self), RowDelegate(self)
        self.setHorizontalHeader(self.header)
        # Qt selects the whole column that is clicked, which here sorts: what is selected stays.
        self.header.sectionPressed.disconnect()
        self.header.sectionEntered.disconnect()
        self.setItemDelegate(self.rows)
        self._configure()
        self._spacer = QWidget(self)
        self.addScrollBarWidget(self._spacer, Qt.AlignmentFlag.AlignTop)
        self.header.geometriesChanged.connect(self._lower_bar)
        self.header.filterDone.connect(self._to_rows)
        self.header.filterFocused.connect(self.show_column)
        self.horizontalScrollBar().valueChanged.connect(self.header.place_fields)
        self.entered.connect(self._enter)
        self.viewportEntered.connect(lambda: self._set_hover(-1))
        self._lower_bar()
        self._ready = True

    def _configure(self) -> None:
        self.setShowGrid(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrap(False)
        self.setAlternatingRowColors(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.AnyKeyPressed | triggers.EditKeyPressed | triggers.DoubleClicked)
        vertical = self.verticalHeader()
        vertical.hide()
        vertical.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._set_heights()

    row_height = _ROW
    """At base 13."""

    def set_row_height(self, height: int) -> None:
        """Rows of this height at base 13."""
        self.row_height = height
        self._set_heights()

    def _set_heights(self) -> None:
        height = current().height(self.row_height)
        vertical = self.verticalHeader()
        vertical.setMinimumSectionSize(height)
        vertical.setDefaultSectionSize(height)

    def _lower_bar(self) -> None:
        self._spacer.setFixedHeight(self.header.sizeHint().height())

    def _to_rows(self) -> None:
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        model = self.model()
        if self.header.count() and model.rowCount() and not self.currentIndex().isValid():
            self.setCurrentIndex(model.index(0, next(iter(self.shown_columns()), 0)))

    def shown_columns(self) -> list[int]:
        """The columns that can be seen, as on the screen, without the gutter."""
        columns = map(self.header.logicalIndex, range(self.header.count()))
        return [column for column in columns if column != self.gutter and not self.isColumnHidden(column)]

    def rows_on_screen(self) -> range:
        """The rows that can be seen, also in part."""
        first, last = self.rowAt(0), self.rowAt(self.viewport().height() - 1)
        if first < 0 or not self.isVisible():
            return range(0)
        return range(first, (last if last >= 0 else self.model().rowCount() - 1) + 1)

    def set_gutter(self, column: int) -> None:
        """This column shows the row's mark: fixed and narrow."""
        self.gutter = column
        self.header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
        self.header.resizeSection(column, _GUTTER)

    # sideways

    def show_column(self, column: int) -> None:
        """Scroll sideways until this column is seen, right of those that are frozen."""
        header, bar = self.header, self.horizontalScrollBar()
        before = header.sectionPosition(column) - header.frozen_width()
        after = header.sectionPosition(column) + header.sectionSize(column) - self.viewport().width()
        if column not in header.frozen() and not self.isColumnHidden(column):
            bar.setValue(min(max(bar.value(), after), before))

    def scrollTo(
        self,
        index: QModelIndex | QPersistentModelIndex,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """Qt's, which knows nothing of frozen columns."""
        sideways = self.horizontalScrollBar().value()
        super().scrollTo(index, hint)
        if self._ready and self.header.frozen():
            self.horizontalScrollBar().setValue(sideways)
            self.show_column(index.column())

    def edit_open(self) -> bool:
        """Whether an editor is open."""
        return self.state() == QAbstractItemView.State.EditingState

    def keeps_focus(self) -> bool:
        """Whether the rows count as focused: the table has the focus, or an editor in it."""
        focus = QApplication.focusWidget()
        return focus is not None and (focus is self or self.viewport().isAncestorOf(focus))

    # focus

    def focusInEvent(self, event: QFocusEvent) -> None:
        with self._quiet(self._closing):
            super().focusInEvent(event)
        if QAccessible.isActive():
            QTimer.singleShot(0, self, self._tell_current_cell)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        with self._quiet(self._ready and self.keeps_focus()):
            super().focusOutEvent(event)

    def _tell_current_cell(self) -> None:
        """Qt tells screen readers that the table has the keyboard, not which cell: that one is told after it, which is
        after the focus has come."""
        index = self.currentIndex()
        if not (index.isValid() and self.hasFocus()):
            return
        told = QAccessibleEvent(self, QAccessible.Event.Focus)
        told.setChild((index.row() + 1) * (index.model().columnCount() + 1) + index.column() + 1)  # headers count too
        QAccessible.updateAccessibility(told)

    @contextmanager
    def _quiet(self, quiet: bool) -> Generator[None]:
        """Qt paints all anew when the focus moves. Between the rows and an editor in them nothing looks different, and
        the paint would stand between Enter and the mark "saved"."""
        for widget in (self, self.viewport()) if quiet else ():
            widget.setAttribute(Qt.WidgetAttribute.WA_UpdatesDisabled, True)
        yield
        for widget in (self, self.viewport()) if quiet else ():
            widget.setAttribute(Qt.WidgetAttribute.WA_UpdatesDisabled, False)

    # painting

    def tell_painter(self) -> None:
        """Say what the painter of cells must know before it paints."""
        state, index = self.rows.state, self.currentIndex()
        state.focused, state.hover_row = self.keeps_focus(), self._hover
        state.current_row, state.current_column = index.row(), index.column()
        state.rtl = is_rtl(self)
        state.first_column, state.last_column = self.header.first_section(), self.header.last_section()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._ready:
            return
        self.tell_painter()
        if self.cell_at is not None:
            paint_rows(self, event, self.cell_at)
        else:
            super().paintEvent(event)
        if self.header.length() < self.viewport().width():
            self._paint_lines_on()

    def _paint_lines_on(self) -> None:
        """Beside the last column the rows' lines go on to the edge."""
        painter, color, columns = QPainter(self.viewport()), current().color("hair"), self.header.length()
        rtl = is_rtl(self)
        for row in self.rows_on_screen():
            low = self.rowViewportPosition(row) + self.rowHeight(row) - 1
            painter.fillRect(0 if rtl else columns, low, self.viewport().width() - columns, 1, color)
        painter.end()

    def _enter(self, index: QModelIndex) -> None:
        self._set_hover(index.row())

    def _set_hover(self, row: int) -> None:
        old, self._hover = self._hover, row
        self.repaint_changed(old, row)

    def repaint_changed(self, old: int, new: int) -> None:
        """Paint two rows anew where something has gone from one to the other; -1 is none."""
        for row in {old, new} if old != new else ():
            if row >= 0:
                top, height = self.rowViewportPosition(row), self.rowHeight(row)
                self.viewport().update(0, top, self.viewport().width(), height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._ready:
            self._keep_in_sight(event.oldSize().height())
            self.resized.emit(event.size().width())

    def _keep_in_sight(self, before: int) -> None:
        """The current row stays in sight when the list, which had the height `before`, becomes lower: a banner may
        come."""
        row = self.visualRect(self.currentIndex())
        if row.isValid() and 0 <= row.top() < before and row.bottom() > self.viewport().height():
            self.scrollTo(self.currentIndex())

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._set_hover(-1)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.ApplicationFontChange):
            self._set_heights()
        if event.type() == QEvent.Type.ActivationChange:
            self.viewport().update()

    # keys and editing

    def editable(self, index: QModelIndex) -> bool:
        """Whether a person can change this cell."""
        flags = index.flags()
        checkable = flags & Qt.ItemFlag.ItemIsUserCheckable
        return bool(flags & Qt.ItemFlag.ItemIsEditable) or bool(checkable)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QContextMenuEvent) and event.reason() == QContextMenuEvent.Reason.Keyboard:
            # In the coordinates that a click has too, which are those of the rows; Qt counts from the header's top.
            shown = self.visualRect(self.currentIndex()) & self.viewport().rect()
            self.customContextMenuRequested.emit((shown if shown.isValid() else self.viewport().rect()).center())
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if self.edit_open():  # a key the editor let through, such as its Enter: the delegate has seen to it
            event.accept()
        elif plain and event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        elif not plain or not self._walk(event.key(), index):
            super().keyPressEvent(event)  # on a cell that can be edited this opens the editor, with what was typed
            if _types(event):
                self.refuse(index)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        before = self.rows.editor
        super().inputMethodEvent(event)
        if event.commitString() and (editor := self.rows.editor) is not None and editor is not before:
            QApplication.sendEvent(editor, event)  # Qt opens it, and gives it what keys write alone

    def refuse(self, index: QModelIndex) -> None:
        """Report that this cell cannot be edited, if that is so: a person wants to."""
        if index.isValid() and not self.editable(index):
            self.refused.emit(index)

    def moveCursor(self, cursorAction: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Qt's, but a row is entered at its home column, not at its gutter.

        Qt asks this for the first focus too, which is no choice of a row: what is typed then would change a
        row that the person did not choose.
        """
        index, current = super().moveCursor(cursorAction, modifiers), self.currentIndex()
        if not current.isValid() and cursorAction == QAbstractItemView.CursorAction.MoveNext:
            return QModelIndex()
        entered = not current.isValid() or current.column() == index.column() == 0
        return index.siblingAtColumn(self.home_column) if entered and self.home_column >= 0 else index

    def _walk(self, key: int, index: QModelIndex) -> bool:
        """Handle a key on the current cell; False = leave it to Qt."""
        enter = key in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if not index.isValid():
            return False
        if self.editable(index):
            if enter and index.flags() & Qt.ItemFlag.ItemIsEditable:
                self.edit(index)
                return True
            return False
        if enter:
            self.openRequested.emit(index)
        elif key == Qt.Key.Key_Space:
            self.detailsRequested.emit()
        elif key in (Qt.Key.Key_J, Qt.Key.Key_K):
            self.go(index, 1 if key == Qt.Key.Key_J else -1, 0)
        else:
            return False
        return True

    def go(self, index: QModelIndex, rows: int, columns: int) -> None:
        """Move the current cell by this many rows down and visible columns on, as far as there are any."""
        model = self.model()
        row = min(max(index.row() + rows, 0), model.rowCount() - 1)
        visual = self.header.visualIndex(index.column())
        while columns:
            step = 1 if columns > 0 else -1
            visual += step
            if not 0 <= visual < self.header.count():
                break
            if not self.isColumnHidden(self.header.logicalIndex(visual)):
                columns -= step
        visual = min(max(visual, 0), self.header.count() - 1)
        self.setCurrentIndex(model.index(row, self.header.logicalIndex(visual)))

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        index = self.currentIndex()
        self._closing = True
        super().closeEditor(editor, _Hint.NoHint)
        self._closing = False
        if index.isValid():
            self.leave(index, hint)

    def leave(self, index: QModelIndex, hint: QAbstractItemDelegate.EndEditHint) -> None:
        """The editor of this cell was closed: go on from there."""
        if hint == _Hint.SubmitModelCache:
            self.go(index, 1, 0)
        elif hint in (_Hint.EditNextItem, _Hint.EditPreviousItem):
            self.go(index, 0, 1 if hint == _Hint.EditNextItem else -1)

    def keyboardSearch(self, search: str) -> None:
        """Typing finds nothing by itself: that is the filter's work, and Qt's would ask every row."""

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        super().mouseDoubleClickEvent(event)
        if index.isValid() and not self.editable(index) and event.button() == Qt.MouseButton.LeftButton:
            self.openRequested.emit(index)


def make_choosable(view: TableView, name: str, words: str, model: QAbstractItemModel, home_column: int) -> None:
    """Set up the table of a dialog: one row at a time is chosen; `words` for screen readers."""
    named(view, name, words).setModel(model)
    view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    view.home_column = home_column


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
