"""The item model of every list but those of records: rows, under a table of columns."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from petstore_desktop.ui.base.theme import tooltip
from petstore_desktop.ui.text.cell import Cell, CellRole, spoken

Index: TypeAlias = QModelIndex | QPersistentModelIndex
Row = TypeVar("Row")
KeyRole = int(Qt.ItemDataRole.UserRole) + 10
"""The key of a row; in a table of records its text."""
_Role = Qt.ItemDataRole
_SHOWN = (CellRole, _Role.DisplayRole, _Role.ToolTipRole, _Role.AccessibleTextRole)
_SAID = (_Role.DisplayRole, _Role.AccessibleTextRole)
_PLAIN = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren


class CellTyping(Struct, Generic[Row], frozen=True):
    """How the cells of a column are edited. `begin`: the text that an editor begins with; `write` takes what was typed,
    and says whether it can be; `where`: in which rows an editor may open."""

    begin: Callable[[Row], str]
    write: Callable[[Row, str], bool]
    where: Callable[[Row], bool] = lambda _: True


class CellTicks(Struct, Generic[Row], frozen=True):
    """A column of ticks. `tick` sets one, and says whether it can be; `where`: in which rows that may be."""

    is_on: Callable[[Row], bool]
    tick: Callable[[Row, bool], bool] = lambda _, __: False
    where: Callable[[Row], bool] | None = None


class CellColumn(Struct, Generic[Row], frozen=True):
    """One column of a list. `title`: in the language in which the list was made; `cell`: what is painted; `is_figure`:
    its title stands on the right; `said`: what a screen reader says, where it is not the cell in words; `painted`: what
    a delegate of the list's own gets in place of the cell."""

    title: str
    cell: Callable[[Row], Cell]
    is_figure: bool = False
    said: Callable[[Row], str] | None = None
    typed: CellTyping[Row] | None = None
    ticked: CellTicks[Row] | None = None
    painted: Callable[[Row], object] | None = None


def itself(row: Row) -> Row:
    """The row."""
    return row


class CellModel(QAbstractTableModel, Generic[Row]):
    """A list of painted cells. `key` tells a row from all others, whatever else of it changes."""

    def __init__(self, parent: QObject | None = None, key: Callable[[Row], Hashable] = itself) -> None:
        super().__init__(parent)
        self.rows: Sequence[Row] = ()
        self.columns: Sequence[CellColumn[Row]] = ()
        self._key = key

    def show(self, rows: Sequence[Row], columns: Sequence[CellColumn[Row]] | None = None) -> None:
        """Show these rows, under other columns if they are given. Rows of the same keys stay the same rows."""
        if columns is None and list(map(self._key, rows)) == list(map(self._key, self.rows)):
            self.rows = rows
            self.repaint()
            return
        self.beginResetModel()
        self.rows, self.columns = rows, self.columns if columns is None else columns
        self.endResetModel()

    def count(self) -> int:
        """The number of rows."""
        return len(self.rows)

    def row_of(self, key: Hashable) -> int:
        """The first row with a key; -1 where there is none."""
        return next((place for place, row in enumerate(self.rows) if self._key(row) == key), -1)

    def cell(self, row: int, column: int) -> Cell:
        """The painted cell."""
        return self.columns[column].cell(self.rows[row])

    def repaint(self) -> None:
        """The rows stay; their contents may have changed."""
        if self.rows:
            self.repaint_rows(0, len(self.rows) - 1)

    def repaint_rows(self, first: int, last: int) -> None:
        """The contents of these may have changed."""
        self.dataChanged.emit(self.index(first, 0), self.index(last, len(self.columns) - 1))

    # -- Qt's questions

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  Qt's own default
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  Qt's own default
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        column = self.columns[section]
        if role == _Role.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column.is_figure else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return column.title if role in _SAID else None

    def data(self, index: Index, role: int = _Role.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        if role == _Role.TextAlignmentRole:
            return self.headerData(index.column(), Qt.Orientation.Horizontal, role)
        column, row = self.columns[index.column()], self.rows[index.row()]
        if role == KeyRole:
            return self._key(row)
        if role == _Role.EditRole:
            return None if column.typed is None else column.typed.begin(row)
        if role == _Role.CheckStateRole and column.ticked is not None:
            return Qt.CheckState.Checked if column.ticked.is_on(row) else Qt.CheckState.Unchecked
        if role == _Role.AccessibleTextRole and column.said is not None:
            return column.said(row)
        if role == CellRole and column.painted is not None:
            return column.painted(row)
        return _shown(self.cell(index.row(), index.column()), role) if role in _SHOWN else None

    def setData(self, index: Index, value: object, role: int = _Role.EditRole) -> bool:
        column, row = self.columns[index.column()], self.rows[index.row()]
        if role == _Role.CheckStateRole and column.ticked is not None:
            return column.ticked.tick(row, value in (Qt.CheckState.Checked, 2))
        if role != _Role.EditRole or column.typed is None or not isinstance(value, str):
            return False
        return column.typed.write(row, value)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid() or index.row() >= len(self.rows):
            return Qt.ItemFlag.NoItemFlags
        column, row = self.columns[index.column()], self.rows[index.row()]
        if column.typed is not None and column.typed.where(row):
            return _PLAIN | Qt.ItemFlag.ItemIsEditable
        if column.ticked is None or column.ticked.where is None:
            return _PLAIN
        may = column.ticked.where(row)
        return _PLAIN | Qt.ItemFlag.ItemIsUserCheckable if may else _PLAIN & ~Qt.ItemFlag.ItemIsEnabled


def _shown(cell: Cell, role: int) -> object:
    if role == _Role.AccessibleTextRole:
        return spoken(cell)
    if role == _Role.ToolTipRole:
        return tooltip(cell.tip)
    return cell if role == CellRole else cell.result or cell.text
