"""What the lists of the activity have in common: rows of painted cells under translated titles."""

from __future__ import annotations

from typing import ClassVar, TypeAlias

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from petstore_desktop.ui.base.theme import tooltip
from petstore_desktop.ui.text.cell import Cell, CellRole, spoken

Index: TypeAlias = QModelIndex | QPersistentModelIndex
_Role = Qt.ItemDataRole
_SHOWN = (CellRole, _Role.DisplayRole, _Role.ToolTipRole, _Role.AccessibleTextRole)
_SAID = (_Role.DisplayRole, _Role.AccessibleTextRole)


class CellModel(QAbstractTableModel):
    """A table of cells that are not edited. `figures` are the columns whose titles stand on the right.

    To be given by each list: `count`, `titles` and `cell`.
    """

    figures: ClassVar[tuple[int, ...]] = ()

    def count(self) -> int:
        """The number of rows."""
        raise NotImplementedError

    def titles(self) -> tuple[str, ...]:
        """The titles of all columns, in the language of this moment."""
        raise NotImplementedError

    def cell(self, row: int, column: int) -> Cell:
        """The painted cell."""
        raise NotImplementedError

    def repaint(self) -> None:
        """The rows stay; their contents may have changed."""
        if self.count():
            self.dataChanged.emit(self.index(0, 0), self.index(self.count() - 1, self.columnCount() - 1))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  Qt's own default
        return 0 if parent.isValid() else self.count()

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  Qt's own default
        return 0 if parent.isValid() else len(self.titles())

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == _Role.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section in self.figures else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return self.titles()[section] if role in _SAID else None

    def data(self, index: Index, role: int = _Role.DisplayRole) -> object:
        if not index.isValid() or index.row() >= self.count():
            return None
        if role == _Role.TextAlignmentRole:
            return self.headerData(index.column(), Qt.Orientation.Horizontal, role)
        if role not in _SHOWN:
            return None
        cell = self.cell(index.row(), index.column())
        if role == _Role.AccessibleTextRole:
            return spoken(cell)
        if role == _Role.ToolTipRole:
            return tooltip(cell.tip)
        return cell if role == CellRole else cell.result or cell.text

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
