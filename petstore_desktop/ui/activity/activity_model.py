"""The open changes as an item model, in the order of sending."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Qt

from petstore_desktop.desk.changes.outbox_lines import OutboxLine
from petstore_desktop.domain.records import Resource
from petstore_desktop.domain.send_block import Halt
from petstore_desktop.ui.base.theme import plain
from petstore_desktop.ui.cells.cell_model import CellModel, Index
from petstore_desktop.ui.text.cell import MARK_TONES, Cell, mark_words
from petstore_desktop.ui.text.cell_text import MARKS, chip_text
from petstore_desktop.ui.text.changes.change import change_sentence
from petstore_desktop.ui.text.translate import column_title, number, tr

GUTTER, PLACE, RECORD, WHAT, CHANGE, STATE = range(6)
CHANGE_ID: Final = int(Qt.ItemDataRole.UserRole) + 10
"""The change's id as text."""


class ActivityModel(CellModel):
    """One row for each open change."""

    figures = (PLACE,)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[OutboxLine, ...] = ()
        self._halt: Halt | None = None
        self._now = 0.0
        self.held = False
        """Nothing leaves, because the connection is read-only."""

    def set_lines(self, lines: tuple[OutboxLine, ...], halt: Halt | None, now: float) -> None:
        """The changes as they are now; rows of the same changes stay the same rows."""
        same = [line.change_id for line in lines] == [line.change_id for line in self._lines]
        if not same:
            self.beginResetModel()
        self._lines, self._halt, self._now = lines, halt, now
        if not same:
            self.endResetModel()
        else:
            self.repaint()

    def line(self, row: int) -> OutboxLine:
        """One change."""
        return self._lines[row]

    def row_of(self, change_id: int) -> int:
        """Where a change is; -1 where it is not."""
        return next((row for row, line in enumerate(self._lines) if line.change_id == change_id), -1)

    def count(self) -> int:
        return len(self._lines)

    def titles(self) -> tuple[str, ...]:
        return "", tr("No."), tr("Record"), tr("What"), tr("Change"), tr("Status")

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == CHANGE_ID and index.isValid():
            return str(self._lines[index.row()].change_id)
        return super().data(index, role)

    def sentence(self, line: OutboxLine) -> str:
        """How a change stands."""
        if self.held and line.mark == "unsent":
            return tr("Saved on this computer. Not sent: this connection is read-only.")
        return change_sentence(line.sentence.code, line.sentence.params, self._now, self._halt)

    def cell(self, row: int, column: int) -> Cell:
        line = self._lines[row]
        mark = MARKS[line.mark]
        if column == GUTTER:
            return Cell(kind="gutter", mark=mark, tip=mark_words(mark))
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
