"""The open changes as an item model, in the order of sending."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from petstore_desktop.desk.waiting import OutboxLine
from petstore_desktop.domain.quota import GateView
from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.delegates.roles import MARK_TONES, Cell, CellRole, mark_words, spoken
from petstore_desktop.ui.models.cells import MARKS, chip_text
from petstore_desktop.ui.theme import plain, tooltip
from petstore_desktop.ui.words import column_title, number, tr
from petstore_desktop.ui.words_state import change_sentence

_Role = Qt.ItemDataRole
Index = QModelIndex | QPersistentModelIndex
GUTTER, PLACE, RECORD, WHAT, CHANGE, STATE = range(6)
CHANGE_ID: Final = int(Qt.ItemDataRole.UserRole) + 10
"""The change's id as text."""


class ActivityModel(QAbstractTableModel):
    """One row for each open change."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[OutboxLine, ...] = ()
        self._gate = GateView()
        self._now = 0.0

    def set_lines(self, lines: tuple[OutboxLine, ...], gate: GateView, now: float) -> None:
        """The changes as they are now; rows of the same changes stay the same rows."""
        same = [line.change_id for line in lines] == [line.change_id for line in self._lines]
        if not same:
            self.beginResetModel()
        self._lines, self._gate, self._now = lines, gate, now
        if not same:
            self.endResetModel()
        elif lines:
            self.dataChanged.emit(self.index(0, 0), self.index(len(lines) - 1, STATE))

    def line(self, row: int) -> OutboxLine:
        """One change."""
        return self._lines[row]

    def row_of(self, change_id: int) -> int:
        """Where a change is; -1 where it is not."""
        return next((row for row, line in enumerate(self._lines) if line.change_id == change_id), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  Qt's own default
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  Qt's own default
        return 0 if parent.isValid() else STATE + 1

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == _Role.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section == PLACE else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role not in (_Role.DisplayRole, _Role.AccessibleTextRole):
            return None
        return ("", tr("No."), tr("Record"), tr("What"), tr("Change"), tr("How it stands"))[section]

    def data(self, index: Index, role: int = _Role.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self._lines):
            return None
        if role == CHANGE_ID:
            return str(self._lines[index.row()].change_id)
        if role == _Role.TextAlignmentRole:
            return self.headerData(index.column(), Qt.Orientation.Horizontal, role)
        if role not in (CellRole, _Role.DisplayRole, _Role.ToolTipRole, _Role.AccessibleTextRole):
            return None
        cell = self._cell(index.row(), index.column())
        if role == _Role.AccessibleTextRole:
            return spoken(cell, str(self.headerData(index.column(), Qt.Orientation.Horizontal)))
        if role == _Role.ToolTipRole:
            return cell.tip
        return cell if role == CellRole else cell.text

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren

    def sentence(self, line: OutboxLine) -> str:
        """How a change stands."""
        return change_sentence(line.sentence.code, line.sentence.params, self._now, self._gate)

    def _cell(self, row: int, column: int) -> Cell:
        line = self._lines[row]
        mark = MARKS[line.mark]
        if column == GUTTER:
            return Cell(kind="gutter", mark=mark, tip=tooltip(mark_words(mark)))
        if column == PLACE:
            return Cell(text=number(row + 1), kind="number", tone="muted")
        if column == RECORD:
            return _record(line)
        if column == WHAT:
            return Cell(text=_what(line), tone="muted")
        if column == CHANGE:
            return Cell(text=chip_text(line.chip), tone="accent")
        tone = MARK_TONES[mark] if line.mark in ("refused", "conflict", "uncertain") else "muted"
        return Cell(text=self.sentence(line), tone=tone)


def _record(line: OutboxLine) -> Cell:
    if line.resource is Resource.ORDERS:
        return Cell(text=tr("Order {id}", id=line.ref_id), kind="text")
    return Cell(text=plain(line.title) or tr("(no name)"), kind="ref", ref_id=line.ref_id or None)


def _what(line: OutboxLine) -> str:
    if line.field == "create":
        return tr("Create")
    if line.field == "delete":
        return tr("Cancel") if line.resource is Resource.ORDERS else tr("Delete")
    return column_title(line.resource, line.field)
