"""One thin item model over a table of the desk: every list of records in the window is one of these.

Ids are text in every role. What a person types leaves as `acted`; the model itself changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt, Signal

from petstore_desktop.desk.columns.columns import Column
from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.table.model_notifier import Move, TableListener
from petstore_desktop.desk.table.table import Table
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import Key, Ref, key_to_text
from petstore_desktop.ui.base.building import timer
from petstore_desktop.ui.base.theme import plain, tooltip
from petstore_desktop.ui.cells.cell_model import Index, KeyRole
from petstore_desktop.ui.text.cell import EMPTY, Cell, CellRole, mark_words, spoken, to_cell
from petstore_desktop.ui.text.translate import column_title, tr

if TYPE_CHECKING:
    from petstore_desktop.domain.low_stock import StockLevel

_Role = Qt.ItemDataRole
_PLAIN = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
_EDITABLE = _PLAIN | Qt.ItemFlag.ItemIsEditable
_NO_ID = frozenset({"category"})
_WORDED = frozenset(
    {_Role.DisplayRole, _Role.ToolTipRole, _Role.AccessibleTextRole, _Role.AccessibleDescriptionRole},
)
_STUCK = frozenset({"refused", "conflict", "uncertain"})
_KEPT_CELLS = 4096
_SLICE_S = 0.008
"""Seconds of one slice."""
_IDLE_S = 0.002
"""Seconds of a slice that no person waits for."""
_LATER_MS, _WAIT_MS = 5, 50


class TableModel(TableListener, QAbstractTableModel):
    """Rows of one resource in the order and filter of its desk table.

    Signals:
        acted: tuple[NewChange, ...]: a cell was edited; apply these.
        leveled: Mapping[Ref, StockLevel]: these are the minimum stock of records, and up to which they are ordered.
        mistyped: QModelIndex: the text typed in this cell cannot be saved, and is kept there.
    """

    acted = Signal(object)
    leveled = Signal(object)
    mistyped = Signal(object)

    def __init__(self, desk: Desk, table: Table, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.table = table
        self._desk = desk
        self._columns: tuple[Column, ...] = table.columns
        self._cells: dict[tuple[int, int], Cell] = {}
        """The painted cells, by row and column, as a cache. The desk reports every change of a cell."""
        self.invalid: dict[tuple[Key, str], Invalid] = {}
        """Typed values that cannot be saved, by record and column id, the oldest first."""
        named = next((n for n, one in enumerate(self._columns) if one.flexible), 1)
        self.quantity_column = next((n for n, one in enumerate(self._columns) if one.kind == "stock"), -1)
        """The one column of numbers that are typed; -1 where there is none."""
        self.name_column = named
        typed_name = self._columns[named].editable or self.quantity_column < 0
        self.home_column = named if typed_name else self.quantity_column
        """Where a row is entered: at its name, or at its quantity if the name is not edited here."""
        self.seen: Callable[[], range] = lambda: range(table.row_count)
        """The rows that can be seen; set by the view."""
        self._waits = False
        self._worker = timer(self, 0, self._work, once=True)
        table.open()
        table.listen(self)
        table.set_worker(self._worker.start)

    def _work(self) -> None:
        """One slice of sorting, filtering or making ready."""
        urgent = self.table.is_working or self.table.is_behind
        if self._waits and not urgent:
            self._worker.start(_WAIT_MS)
            return
        more = self.table.work(perf_counter() + (_SLICE_S if urgent else _IDLE_S))
        if more != "none":
            self._worker.start(0 if more == "now" else _LATER_MS)

    def let_wait(self, on: bool) -> None:
        """Whether something else is worked on that a person waits for: nothing is made ready meanwhile."""
        self._waits = on

    # -- what the view asks

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  Qt's own default
        return 0 if parent.isValid() else self.table.row_count

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  Qt's own default
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: Index, role: int = _Role.DisplayRole) -> object:
        if not index.isValid() or index.row() >= self.table.row_count:
            return None
        if role == CellRole:
            return self.cell(index)
        if role in _WORDED:
            return self._worded(index, role)
        if role == _Role.EditRole:
            kept = self.kept(index)
            return self.table.edit_text(index.row(), index.column()) if kept is None else kept.text
        if role == KeyRole:
            return key_to_text(self.table.key_at(index.row()))
        if role == _Role.TextAlignmentRole:
            return self._alignment(index.column())
        return None

    def _worded(self, index: Index, role: int) -> str:
        cell = self.cell(index)
        if role == _Role.ToolTipRole:
            return tooltip(self._stuck(index) or cell.tip)
        if role == _Role.AccessibleDescriptionRole:
            return self._stuck(index)
        if role == _Role.AccessibleTextRole:
            return spoken(cell)
        return cell.result or cell.text

    def _stuck(self, index: Index) -> str:
        """Both values of a stuck change in this cell, and the reason; empty if there is none."""
        if (kept := self.kept(index)) is not None:
            return kept.words()
        if self.cell(index).mark not in _STUCK:
            return ""
        from petstore_desktop.ui.text.changes.change import stuck_words  # late: mostly nothing is stuck

        return stuck_words(self._desk, self.ref_at(index), self._columns[index.column()])

    def cell(self, index: Index) -> Cell:
        """What the delegate paints; empty below the last row."""
        return self.cell_at(index.row(), index.column())

    def cell_at(self, row: int, column: int) -> Cell:
        """The same, by row and column."""
        cell = self._cells.get((row, column))
        if cell is None:
            if row >= self.table.row_count:
                return EMPTY
            if len(self._cells) >= _KEPT_CELLS:
                self._cells.clear()
            cell = self._cells[row, column] = self._made(row, column)
        return cell

    def _made(self, row: int, number: int) -> Cell:
        shown = self._columns[number]
        column = shown.id
        if self.invalid:
            key = self.table.key_at(row)
            if (kept := self.invalid.get((key, column))) is not None:
                return kept.cell()
            if column == "gutter" and any(one == key for one, _ in self.invalid):
                return Cell(kind="gutter", mark="invalid", tip=mark_words("invalid"))
        facts = self.table.cell(row, number)
        return to_cell(facts, muted=shown.muted, with_id=column not in _NO_ID, is_id=column == "id")

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self._columns):
            return None
        if role == _Role.TextAlignmentRole:
            return self._alignment(section)
        if role not in (_Role.DisplayRole, _Role.AccessibleTextRole):
            return None
        column = self._columns[section].id
        if column == "gutter" and role == _Role.DisplayRole:
            return ""
        return column_title(self.table.resource, column)

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignRight if self._columns[column].align == "right" else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid() or index.row() >= self.table.row_count:
            return Qt.ItemFlag.NoItemFlags
        editable = self._columns[index.column()].typed and self.table.editable(index.row(), index.column())
        return _EDITABLE if editable else _PLAIN

    def setData(self, index: Index, value: object, role: int = _Role.EditRole) -> bool:
        if role != _Role.EditRole or not self.flags(index) & Qt.ItemFlag.ItemIsEditable:
            return False
        ref, column = self.ref_at(index), self._columns[index.column()]
        if column.level:
            return self._set_level(index, ref, self._desk.acts.level(ref, column, str(value)), str(value))
        act = self._desk.acts.set_from_text(ref, column.id, str(value))
        if isinstance(act, BadInput):
            self.refuse(index, str(value), act)
            return False
        self.give_up(index)
        if act is None:
            return False
        self.acted.emit((act,))
        return True

    def _set_level(self, index: Index, ref: Ref, level: StockLevel | BadInput, text: str) -> bool:
        """Have this computer keep it."""
        if isinstance(level, BadInput):
            self.refuse(index, text, level)
            return False
        self.give_up(index)
        if level == self._desk.shop.own_level(ref):
            return False
        self.leveled.emit({ref: level})
        return True

    def refuse(self, index: Index, text: str, why: BadInput) -> None:
        """Keep in its cell what was typed and cannot be."""
        self.invalid[self._place(index)] = Invalid(text, why.code)
        self.changed(index.row(), index.row())
        self.mistyped.emit(index)

    # -- what was typed and cannot be

    def _place(self, index: Index) -> tuple[Key, str]:
        return self.table.key_at(index.row()), self.column_id(index)

    def kept(self, index: Index) -> Invalid | None:
        """The typed value of this cell that cannot be saved; None if there is none."""
        return self.invalid.get(self._place(index)) if self.invalid and index.isValid() else None

    def give_up(self, index: Index) -> bool:
        """Show again what the cell has; whether anything else was kept there."""
        if not self.invalid or self.invalid.pop(self._place(index), None) is None:
            return False
        self.changed(index.row(), index.row())
        return True

    def _forget_cells(self) -> None:
        """Rows moved; records whose rows have something kept may have got their numbers."""
        self._cells.clear()
        if self.invalid:
            resource, resolve = self.table.resource, self._desk.resolve
            self.invalid = {(resolve(Ref(resource, key)).key, name): kept for (key, name), kept in self.invalid.items()}

    # -- what the tab asks

    def ref_at(self, index: Index) -> Ref:
        """The record of a row."""
        return self.table.ref_at(index.row())

    def column_id(self, index: Index) -> str:
        """The column of a cell."""
        return self._columns[index.column()].id

    def index_of(self, key: Key, column: int | None = None) -> QModelIndex:
        """The row that shows a record, at its home column; invalid where none does."""
        row = self.table.position(key)
        return self.index(row, self.home_column if column is None else column) if row >= 0 else QModelIndex()

    def copied(self, row: int, column: int) -> str:
        """A cell's value for the clipboard: digits without groups, dates and texts as the service wrote them."""
        facts = self.table.cell(row, column)
        if facts.date is not None:
            return facts.date.raw
        if facts.stock is not None:
            return "" if facts.stock.result is None else str(facts.stock.result)
        if facts.number is not None:
            return str(facts.number)
        return facts.ref_id if facts.code.startswith("no-such-") else facts.text or facts.ref_id

    # -- TableListener: the desk tells

    @contextmanager
    def moving(self, move: Move, first: int, last: int, /) -> Generator[None]:
        if move == "layout":
            self.layoutAboutToBeChanged.emit()
            kept = [(index, self.table.key_at(index.row())) for index in self.persistentIndexList()]
            yield
            self._forget_cells()
            now = [self._moved(index, key) for index, key in kept]
            self.changePersistentIndexList([index for index, _ in kept], now)
            self.layoutChanged.emit()
            return
        if move == "insert":
            self.beginInsertRows(QModelIndex(), first, last)
        elif move == "remove":
            self.beginRemoveRows(QModelIndex(), first, last)
        else:
            self.beginResetModel()
        yield
        self._forget_cells()
        {"insert": self.endInsertRows, "remove": self.endRemoveRows, "reset": self.endResetModel}[move]()

    def _moved(self, index: QModelIndex, key: Key) -> QModelIndex:
        row = self.table.position(key)
        return self.index(row, index.column()) if row >= 0 else QModelIndex()

    def on_screen(self) -> range:
        return self.seen()

    def changed_elsewhere(self) -> None:
        self._cells.clear()

    def changed(self, first: int, last: int) -> None:
        for row in range(first, last + 1) if last - first < len(self._cells) else ():
            for column in range(len(self._columns)):
                self._cells.pop((row, column), None)
        if last - first >= len(self._cells):
            self._cells.clear()
        self.dataChanged.emit(self.createIndex(first, 0), self.createIndex(last, len(self._columns) - 1))


class Invalid(Struct, frozen=True):
    """A text as it was typed, and the code of why it cannot be."""

    text: str
    code: str

    def words(self) -> str:
        """Why, and that it is not saved."""
        from petstore_desktop.ui.text.errors.errors import bad_input_words  # late: only what cannot be needs it

        return tr(
            "{reason} Not saved. In its cell, correct it, or press Esc to discard.", reason=bad_input_words(self.code)
        )

    def cell(self) -> Cell:
        """What the delegate paints in its place."""
        return Cell(text=plain(self.text) or tr("empty"), tone="bad", icon="warning", mark="invalid", tip=self.words())
