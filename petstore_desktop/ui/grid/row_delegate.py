"""Paints a table's cells from their `Cell` and opens the editor that fits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QToolTip, QWidget

from petstore_desktop.ui.base.theme import current, to_say, tooltip
from petstore_desktop.ui.cells.cell_paint import (
    EDGE_PAD,
    PAD,
    halves,
    is_bare,
    make_brush,
    needed_width,
    paddings,
    paint_cell,
)
from petstore_desktop.ui.text.cell import EMPTY, Cell, CellRole, changed_words, full_text
from petstore_desktop.ui.text.translate import listed

if TYPE_CHECKING:
    from typing import TypeGuard

    from petstore_desktop.ui.grid.editors import CellEditor, ChoiceEditor

Index = QModelIndex | QPersistentModelIndex
_Hint = QStyledItemDelegate.EndEditHint
_ENTERS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_COMMITS = (*_ENTERS, Qt.Key.Key_Tab, Qt.Key.Key_Backtab)
_ARROWS = {int(Qt.Key.Key_Up): (-1, 0), int(Qt.Key.Key_Down): (1, 0)}
_OTHER_WINDOW = Qt.FocusReason.ActiveWindowFocusReason
_SELECTED = QStyle.StateFlag.State_Selected.value
_ENABLED = QStyle.StateFlag.State_Enabled.value
_FILLED, _ENTERED = "filled", "entered"
_ROW = 30
"""Row height at the base font; see Theme.height."""


class RowState(Struct):
    """What the view knows about the paint that is under way; the view sets it before each paint."""

    focused: bool = False
    hover_row: int = -1
    current_row: int = -1
    current_column: int = -1
    first_column: int = -1
    last_column: int = -1
    rtl: bool = False
    whole_row: int = -1
    """The row that looks selected as a whole, whichever of its cells are."""


class RowDelegate(QStyledItemDelegate):
    """The table's painter and editor factory.

    Signals:
        editing(QPersistentModelIndex): an editor was opened on this cell.
        editingEnded(): it was closed, whether committed or not.
    """

    editing = Signal(object)
    editingEnded = Signal()
    state = RowState()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = RowState()
        self.cell_at: Callable[[Index], object] = lambda index: index.data(CellRole)
        """The function that returns the painted cell. Asking the model without Qt in between takes half of the time."""
        self.choices: dict[int, Sequence[tuple[str, str]]] = {}
        """The columns that are edited by choosing, with the (value, label) pairs to choose from."""
        self.stock_preview: Callable[[QModelIndex, str], tuple[str, bool] | None] | None = None
        """What a typed quantity comes to: words, and whether it is below zero; None = no quantity."""
        self.only_enter = False
        """Whether only Enter writes what an editor holds, and leaving it writes nothing."""
        self.grid = False
        """Whether cells are worked in like those of a spreadsheet: the model keeps a value that cannot be saved in its
        cell, and Up and Down end an editor that typing opened."""
        self.quantity_column = -1
        """A column of quantities, whatever its cells look like; -1 = none."""
        self.name_column = -1
        """The column that says which row it is; -1 = none."""
        self.way = (0, 0)
        """Which way the key leads that ended the last editor: rows down, columns on."""
        self.editor: QWidget | None = None
        """The editor that was opened last; whether it still is, the view knows."""
        self._fresh = False

    # painting

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, state, rect = current(), self.state, option.rect
        found = self.cell_at(index)
        cell = found if isinstance(found, Cell) else EMPTY
        row, column = index.row(), index.column()
        flags: int = option.state.value
        selected = bool(flags & _SELECTED) or row == state.whole_row
        is_current = state.focused and row == state.current_row and column == state.current_column
        if selected:
            painter.fillRect(rect, theme.color("select" if state.focused else "select_off"))
        else:
            if row == state.hover_row:
                painter.fillRect(rect, theme.color("hover"))
            painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme.color("hair"))
        if not is_current and is_bare(cell):
            return
        first, last = column == state.first_column, column == state.last_column
        brush = make_brush(painter, theme, rect, state.rtl, selected, first, last)
        if cell.kind == "check":
            brush.checked = _is_checked(index)
            brush.focused, brush.enabled = is_current, bool(flags & _ENABLED)
        paint_cell(brush, cell, is_current)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        theme, cell = current(), index.data(CellRole)
        if not isinstance(cell, Cell):
            return QSize(60, theme.height(_ROW))
        width = needed_width(theme, cell) if not cell.after else needed_width(theme, cell.after) + 120
        return QSize(round(width) + PAD + EDGE_PAD, theme.height(_ROW))

    # tool tips

    def helpEvent(self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index) -> bool:
        if event.type() != QEvent.Type.ToolTip:
            return super().helpEvent(event, view, option, index)
        cell = index.data(CellRole)
        words = str(index.data(Qt.ItemDataRole.ToolTipRole) or "")  # letter by letter already
        if isinstance(cell, Cell) and (not words or words == tooltip(cell.tip)):
            first, last = index.column() == self.state.first_column, index.column() == self.state.last_column
            words = tooltip(self.tip(cell, option.rect.width() - sum(paddings(first, last))))
        if words:
            QToolTip.showText(event.globalPos(), words, view.viewport(), option.rect)
        else:
            QToolTip.hideText()
        return True

    def tip(self, cell: Cell, room: int) -> str:
        """The cell's tool tip in plain words: its text where `room` pixels cut it, and its own."""
        theme, after = current(), cell.after
        first, second = (room, 0) if after is None else halves(theme, room)
        if needed_width(theme, cell) <= first and (after is None or needed_width(theme, after) <= second):
            return cell.tip
        whole = full_text(cell) if after is None else changed_words(full_text(cell), full_text(after))
        return whole if not cell.tip else cell.tip if whole in cell.tip else f"{whole}\n{cell.tip}"

    # editing

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        from petstore_desktop.ui.grid.editors import CellEditor, ChoiceEditor, StockEditor  # late

        choices = self.choices.get(index.column())
        cell = index.data(CellRole)
        editor: CellEditor | ChoiceEditor
        if choices:
            editor = ChoiceEditor(choices, parent)
        elif index.column() == self.quantity_column or (isinstance(cell, Cell) and cell.kind == "stock"):
            editor = StockEditor(self._preview_at(index), parent)
        else:
            editor = CellEditor(parent)
        editor.setAccessibleName(to_say(self._editor_name(index)))
        if choices:  # of which screen readers on Linux and macOS are told the chosen words as the name
            editor.setAccessibleDescription(editor.accessibleName())
        editor.destroyed.connect(self.editingEnded)
        self.editor, self._fresh = editor, True
        self.editing.emit(QPersistentModelIndex(index))
        return editor

    def _editor_name(self, index: Index) -> str:
        """The column and the row's name, so that a screen reader says what is being edited: "In stock, Koi"."""
        title = str(index.model().headerData(index.column(), Qt.Orientation.Horizontal) or "")
        home = self.name_column
        name = str(index.model().index(index.row(), home).data() or "") if home >= 0 else ""
        return listed((title, name))

    def begun(self, typed: bool) -> None:
        """The editor that was just opened, if any: by typing on the cell, which replaces what is in it; or to change
        that, with the cursor at its end."""
        from petstore_desktop.ui.grid.editors import CellEditor

        fresh, self._fresh = self._fresh, False
        if fresh and isinstance(self.editor, CellEditor):
            self.editor.typed = typed
            if not typed:
                self.editor.end(False)

    def typed_text(self) -> str:
        """What the open editor holds, as text for the model."""
        from petstore_desktop.ui.grid.editors import CellEditor, ChoiceEditor

        if isinstance(self.editor, CellEditor):
            return self.editor.text()
        return str(self.editor.currentData() or "") if isinstance(self.editor, ChoiceEditor) else ""

    def _preview_at(self, index: Index) -> Callable[[str], tuple[str, bool] | None]:
        preview, place, model = self.stock_preview, QPersistentModelIndex(index), index.model()
        if preview is None:
            return lambda text: (text, False)
        return lambda text: preview(model.index(place.row(), place.column()), text)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        if editor.property(_FILLED):
            return  # the cell changed below an open editor: Qt asks again, but what is being typed is the person's
        editor.setProperty(_FILLED, True)
        value = index.data(Qt.ItemDataRole.EditRole)
        text = "" if value is None else str(value)
        if _is_ours(editor):
            editor.set_value(text)

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        if _is_ours(editor) and (editor.property(_ENTERED) or not self.only_enter):
            value = editor.value()
            if value is not None:
                model.setData(index, value, Qt.ItemDataRole.EditRole)

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        editor.setGeometry(option.rect)

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and isinstance(editor, QWidget):
            way = self._way_of(editor, event)
            if way is not None:
                self.finish(editor, way)
                return True
        if self.only_enter and isinstance(event, QFocusEvent) and event.reason() is _OTHER_WINDOW:
            return False  # who looks something up in another window finds the editor as it was
        return super().eventFilter(editor, event)

    def _way_of(self, editor: QWidget, event: QKeyEvent) -> tuple[int, int] | None:
        """Where a key leads that ends the editor; None for any other key."""
        from petstore_desktop.ui.grid.editors import CellEditor

        key, held = event.key(), event.modifiers()
        if key in _COMMITS:
            back = key == Qt.Key.Key_Backtab or bool(held & Qt.KeyboardModifier.ShiftModifier)
            step = -1 if back else 1
            return (step, 0) if key in _ENTERS else (0, step)
        plain = held in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if self.grid and plain and isinstance(editor, CellEditor) and editor.typed:
            return _ARROWS.get(key)
        return None

    def finish(self, editor: QWidget, way: tuple[int, int]) -> None:
        """Write what the editor holds and close it; where that cannot be and is not kept, say why instead."""
        from petstore_desktop.ui.grid.editors import CellEditor

        kept = self.grid and isinstance(editor, CellEditor)
        if not kept and _is_ours(editor) and not editor.acceptable():
            editor.refuse()
            return
        rows, columns = self.way = way
        editor.setProperty(_ENTERED, rows != 0)
        onward = _Hint.EditNextItem if columns > 0 else _Hint.EditPreviousItem
        self.commitData.emit(editor)
        self.closeEditor.emit(editor, onward if columns else _Hint.SubmitModelCache)

    def editorEvent(self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index) -> bool:
        cell = index.data(CellRole)
        if not isinstance(cell, Cell) or cell.kind != "check":
            return super().editorEvent(event, model, option, index)
        if not index.flags() & Qt.ItemFlag.ItemIsUserCheckable:
            return False
        clicked = isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonRelease
        pressed = isinstance(event, QKeyEvent) and event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Select)
        if not clicked and not pressed:
            return False
        wanted = Qt.CheckState.Unchecked if _is_checked(index) else Qt.CheckState.Checked
        return model.setData(index, wanted, Qt.ItemDataRole.CheckStateRole)


def _is_checked(index: Index) -> bool:
    return index.data(Qt.ItemDataRole.CheckStateRole) in (Qt.CheckState.Checked, 2)


def _is_ours(editor: QWidget) -> TypeGuard[CellEditor | ChoiceEditor]:
    from petstore_desktop.ui.grid.editors import CellEditor, ChoiceEditor

    return isinstance(editor, (CellEditor, ChoiceEditor))
