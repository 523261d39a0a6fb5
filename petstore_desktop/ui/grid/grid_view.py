"""The table of records: cells are selected in blocks, walked and filled like those of a spreadsheet."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractItemDelegate, QAbstractItemView, QWidget

from petstore_desktop.ui.base.building import timer
from petstore_desktop.ui.grid.selection import CellRange, RowSet, only_current, selected_block
from petstore_desktop.ui.grid.table_view import TableView
from petstore_desktop.ui.widgets.paint import is_rtl

if TYPE_CHECKING:
    from petstore_desktop.ui.grid.frozen_columns import FrozenColumns
    from petstore_desktop.ui.grid.kept_selection import KeptSelection

_Index = QModelIndex | QPersistentModelIndex
_Flag = QItemSelectionModel.SelectionFlag
_Key = Qt.Key
_Action = QAbstractItemView.CursorAction
_ENTER = (_Key.Key_Return, _Key.Key_Enter)
_WALKS = (
    *(_Key.Key_Up, _Key.Key_Down, _Key.Key_Left, _Key.Key_Right, _Key.Key_Home, _Key.Key_End),
    *(_Key.Key_PageUp, _Key.Key_PageDown),
)
_EDGES = {_Action.MoveUp: "top", _Action.MoveDown: "bottom", _Action.MoveLeft: "left", _Action.MoveRight: "right"}
_SCROLL_MS = 40
"""After Enter the list scrolls so late: first the mark "saved" is painted, which the person waits for."""
_MANY = 1000
"""Of more rows than this Qt is not told which cells were selected: it would ask the model about each for a screen
reader."""


class GridView(TableView):
    """A table whose cells are selected one by one and in blocks, and whole rows by the gutter.

    Where the current cell is all that is selected, its row is tinted: that is how a chosen row looks.

    Signals:
        selectionDropped: object: how many selected rows were too many to stay selected in another order.
    """

    selectionDropped = Signal(object)

    _by_rows = False
    """Whether Shift goes on to select whole rows."""
    _home = -1
    """The column in which a run of Tabs began, to which Enter returns; -1 = no run."""
    _stepping = False
    _stays = False
    """Whether Enter books and stays: a scan led to this cell."""
    _frozen: FrozenColumns | None = None
    _tinted = -1
    _grid_ready = False
    give_up: Callable[[QModelIndex], bool]
    """Makes a cell forget a typed value that cannot be saved; returns whether it had one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.rows.grid = True
        self.give_up = lambda _: False
        self.left_out: Callable[[], Sequence[int]] = lambda: ()
        """The rows, in order, that are shown though the filter leaves them out: they are selected one by one only."""
        self._kept: KeptSelection | None = None
        self._scroll = timer(self, _SCROLL_MS, lambda: self.scrollTo(self.currentIndex()), once=True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # else columns jump with what is filtered
        self.verticalScrollBar().setEnabled(False)
        self.verticalScrollBar().rangeChanged.connect(self._bar_changed)
        self.horizontalScrollBar().valueChanged.connect(self._cover_frozen)
        self._grid_ready = True

    def _bar_changed(self, least: int, most: int) -> None:
        """Where nothing can be scrolled there is no handle."""
        self.verticalScrollBar().setEnabled(most > least)

    def _cover_frozen(self) -> None:
        if self._frozen is None and self.header.frozen():
            from petstore_desktop.ui.grid.frozen_columns import FrozenColumns  # late: few lists freeze any

            self._frozen = FrozenColumns(self)

    def setModel(self, model: QAbstractItemModel | None) -> None:
        self._kept = None
        if model is not None:
            model.layoutAboutToBeChanged.connect(self._keep)  # before Qt's own: that would ask about each selected cell
        super().setModel(model)

    def _keep(self) -> None:
        from petstore_desktop.ui.grid.kept_selection import KeptSelection  # late: no order changes at the start

        if self._kept is None:
            self._kept = KeptSelection(self, self.model())
            self._kept.dropped.connect(self.selectionDropped)
        self._kept.remember()

    # -- what is selected

    def block(self) -> CellRange | None:
        """The selected cells, if they are several and form a table."""
        block = selected_block(self)
        return None if block is None or block.single else block

    def select_rows(self) -> None:
        """All of the rows that the selection touches."""
        self._by_rows = True
        self._widen(_Flag.Rows)

    def select_columns(self) -> None:
        """All of the columns that the selection touches."""
        picked = self.selectionModel().selection()
        touched = [picked.at(number) for number in range(picked.count())]
        if touched and self.left_out():
            columns = {column for one in touched for column in range(one.left(), one.right() + 1)}
            self._take(range(self.model().rowCount()), columns, _Flag.ClearAndSelect)
        else:
            self._widen(_Flag.Columns)

    def selectAll(self) -> None:
        """All rows that the filter leaves."""
        if self.left_out():
            model = self.model()
            self._take(range(model.rowCount()), range(model.columnCount()), _Flag.ClearAndSelect)
        else:
            super().selectAll()

    def setSelection(self, rect: QRect, command: QItemSelectionModel.SelectionFlag) -> None:
        """Qt's, for all that selects from one cell to another; greyed rows between them are left out."""
        ends = [self.indexAt(point) for point in (rect.topLeft(), rect.bottomRight())]
        first, last = sorted((ends[0].row(), ends[1].row()))
        if first < 0 or first == last or not self.left_out():
            super().setSelection(rect, command)
            return
        left, right = sorted((self.header.visualIndex(ends[0].column()), self.header.visualIndex(ends[1].column())))
        columns = map(self.header.logicalIndex, range(left, right + 1))
        self._take(range(first, last + 1), columns, command)

    def _take(self, rows: range, columns: Iterable[int], command: QItemSelectionModel.SelectionFlag) -> None:
        """Select these cells, but none of a greyed row. At once: Qt goes on from here when Shift is pressed next."""
        model, chosen, first = self.model(), QItemSelection(), rows.start
        across = RowSet((column, column) for column in columns).spans
        for greyed in [*(row for row in self.left_out() if row in rows), rows.stop]:
            for left, right in across if greyed > first else ():
                chosen.select(model.index(first, left), model.index(greyed - 1, right))
            first = greyed + 1
        self.selectionModel().select(chosen, command)

    def _widen(self, how: QItemSelectionModel.SelectionFlag) -> None:
        picked = self.selectionModel()
        now = self.currentIndex()
        chosen = picked.selection() if picked.hasSelection() else QItemSelection(now, now)
        if now.isValid():
            picked.select(chosen, _Flag.ClearAndSelect | how)

    def setCurrentIndex(self, index: _Index) -> None:
        """Go to a cell, and select it alone: what is held with the key that led here means nothing there, as Ctrl in
        Ctrl+1, which Qt would take for a Ctrl+click."""
        if index.isValid() and QGuiApplication.keyboardModifiers():
            how = _Flag.ClearAndSelect | _Flag.Rows if self._by_rows else _Flag.ClearAndSelect
            self.selectionModel().setCurrentIndex(index, how)
        else:
            super().setCurrentIndex(index)

    def go_and_stay(self, index: QModelIndex) -> None:
        """Go to a cell at which Enter books and stays: until the person goes elsewhere it is what is worked on."""
        self.setCurrentIndex(index)
        self._stays = True

    def selectionCommand(self, index: _Index, event: QEvent | None = None) -> QItemSelectionModel.SelectionFlag:
        command = super().selectionCommand(index, event)
        if isinstance(event, QKeyEvent) and event.key() in _WALKS and _control(event):
            # Qt moves the current cell alone then; here Control goes to the edge.
            command = _Flag.SelectCurrent if _shift(event) else _Flag.ClearAndSelect
        return command | _Flag.Rows if self._by_rows else command

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        if _rows_in(selected) > _MANY or _rows_in(deselected) > _MANY:
            super().selectionChanged(QItemSelection(), QItemSelection())
            self.viewport().update()
        else:
            super().selectionChanged(selected, deselected)
        self._tint()

    def currentChanged(self, current: _Index, previous: _Index) -> None:
        super().currentChanged(current, previous)
        self._stays = False
        if not self._stepping:
            self._home = -1
        self._tint()

    def _tint(self) -> None:
        row = self.currentIndex().row() if self._grid_ready and only_current(self) else -1
        old, self._tinted = self._tinted, row
        self.repaint_changed(old, row)

    def tell_painter(self) -> None:
        super().tell_painter()
        self.rows.state.whole_row = self.currentIndex().row() if self._grid_ready and only_current(self) else -1

    # -- keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._scroll_now()
        if event.key() in _WALKS and not _shift(event):
            self._by_rows = False
        if event.key() in _WALKS and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            event.ignore()  # goes back and forth in the window; Qt would go to another cell
        elif self.edit_open() or not self._handled(event):
            with self._typing(event):
                super().keyPressEvent(event)

    def _handled(self, event: QKeyEvent) -> bool:
        """Enter inside a block or at the end of a run of Tabs, and Shift+Enter; Delete, which empties no cell; Esc
        where the cell keeps what cannot be."""
        key, index = event.key(), self.currentIndex()
        if key == _Key.Key_Escape:
            return self.give_up(index)
        if key == _Key.Key_Delete:
            event.ignore()
            return True
        if key not in _ENTER or _control(event) or not index.isValid():
            return False
        if self._home < 0 and not _shift(event) and self.block() is None:
            return False
        self.step(index, -1 if _shift(event) else 1, 0)
        return True

    @contextmanager
    def _typing(self, event: QKeyEvent | QInputMethodEvent) -> Generator[None]:
        """Typing on a cell replaces its value; an editor opened in any other way keeps it."""
        yield
        self.rows.begun(typed=not isinstance(event, QKeyEvent) or event.key() not in (*_ENTER, _Key.Key_F2))

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        with self._typing(event):
            super().inputMethodEvent(event)
        if event.commitString():
            self.refuse(self.currentIndex())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._scroll_now()
        index = self.indexAt(event.position().toPoint())
        if not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            chosen = event.button() == Qt.MouseButton.RightButton and self.selectionModel().isSelected(index)
            self._by_rows = index.isValid() and index.column() == self.gutter and not chosen
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(event)
        self.rows.begun(typed=False)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._scroll.stop()
        super().wheelEvent(event)

    def moveCursor(self, cursorAction: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        now = self.currentIndex()
        edge = _EDGES.get(cursorAction) if modifiers & Qt.KeyboardModifier.ControlModifier else None
        if edge is not None and now.isValid():
            return self._edge(now, edge)
        index = super().moveCursor(cursorAction, modifiers)
        if cursorAction == _Action.MoveHome and index.column() == self.gutter:
            return index.siblingAtColumn(next(iter(self.shown_columns()), index.column()))
        return index

    def _edge(self, now: QModelIndex, edge: str) -> QModelIndex:
        """The last cell in a direction; `left` and `right` are those of the screen in both directions of writing."""
        if edge in ("top", "bottom"):
            return now.siblingAtRow(0 if edge == "top" else self.model().rowCount() - 1)
        columns = self.shown_columns() or [now.column()]
        first = (edge == "left") != (is_rtl(self))
        return now.siblingAtColumn(columns[0] if first else columns[-1])

    def focusNextPrevChild(self, next: bool) -> bool:
        """Tab goes from cell to cell inside a block, and once a person has begun to fill in a row; else it leaves the
        list, as everywhere in the window."""
        index = self.currentIndex()
        if index.isValid() and not self.edit_open() and self._tabs(index, 1 if next else -1):
            self.step(index, 0, 1 if next else -1)
            return True
        return super().focusNextPrevChild(next)

    def _tabs(self, index: QModelIndex, by: int) -> bool:
        columns, block = self.shown_columns(), self.block()
        if block is not None:
            return len(block.columns) < len(columns)
        return self._home >= 0 and index.column() != columns[-1 if by > 0 else 0]

    def step(self, index: QModelIndex, rows: int, columns: int) -> None:
        """One cell on by Enter (`rows`) or Tab (`columns`), 1 or -1: inside the selected block, from its end to its
        beginning; else to the next cell, after a run of Tabs to the column where that began."""
        self._stepping = True
        try:
            block = self.block()
            if block is not None and index.row() in block.rows:
                self.selectionModel().setCurrentIndex(self._within(block, index, rows, columns), _Flag.NoUpdate)
                return
            if columns:
                self._home = index.column() if self._home < 0 else self._home
            elif self._home >= 0:
                index, self._home = index.siblingAtColumn(self._home), -1
            self.go(index, rows, columns)
        finally:
            self._stepping = False

    def _within(self, block: CellRange, index: QModelIndex, rows: int, columns: int) -> QModelIndex:
        height, width = len(block.rows), len(block.columns)
        row = block.rows.place(index.row())
        column = block.columns.index(index.column()) if index.column() in block.columns else 0
        if columns:
            row, column = divmod((row * width + column + columns) % (height * width), width)
        else:
            column, row = divmod((column * height + row + rows) % (height * width), height)
        return self.model().index(block.rows[row], block.columns[column])

    # -- editing

    def edit_cell(self) -> None:
        """F2: edit the current cell, and no other: what is typed next goes where the ring is."""
        index = self.currentIndex()
        if index.flags() & Qt.ItemFlag.ItemIsEditable:
            self.edit(index)
            self.rows.begun(typed=False)
        else:
            self.refuse(index)

    def edit_column(self, column: int) -> None:
        """Go to this column of the current row, and edit it."""
        index = self.currentIndex().siblingAtColumn(column)
        if index.isValid() and not self.isColumnHidden(column):
            self.setCurrentIndex(index)
            self.edit_cell()

    def typed_text(self) -> str | None:
        """What the open editor holds; None while none is open."""
        return self.rows.typed_text() if self.edit_open() else None

    def finish_editor(self) -> None:
        """Write what the open editor holds, and stay on the cell."""
        if self.edit_open() and self.rows.editor is not None:
            self.rows.finish(self.rows.editor, (0, 0))

    def drop_editor(self) -> None:
        """Close the open editor; the cell stays as it was."""
        if self.edit_open() and self.rows.editor is not None:
            self.closeEditor(self.rows.editor, QAbstractItemDelegate.EndEditHint.RevertModelCache)

    def leave(self, index: QModelIndex, hint: QAbstractItemDelegate.EndEditHint) -> None:
        if hint in (QAbstractItemDelegate.EndEditHint.NoHint, QAbstractItemDelegate.EndEditHint.RevertModelCache):
            return
        rows, columns = self.rows.way
        if self._stays and rows:
            return
        scrolls = self.hasAutoScroll()
        self.setAutoScroll(False)
        self.step(index, rows, columns)
        self.setAutoScroll(scrolls)
        self._scroll.start()

    def _scroll_now(self) -> None:
        if self._scroll.isActive():
            self._scroll.stop()
            self.scrollTo(self.currentIndex())


def _control(event: QKeyEvent) -> bool:
    return bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)


def _shift(event: QKeyEvent) -> bool:
    return bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)


def _rows_in(selection: QItemSelection) -> int:
    ranges = (selection.at(number) for number in range(min(selection.count(), _MANY + 1)))
    return sum(one.height() for one in ranges)
