"""A preview as an item model: tick, record, field, old and new value, and a word on it. It holds nothing itself."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.preview.preview import Preview
from petstore_desktop.desk.values.cells import CellFacts
from petstore_desktop.domain.changes import SetFields
from petstore_desktop.domain.records import LocalId, key_to_text
from petstore_desktop.ui.base.theme import plain
from petstore_desktop.ui.cells.cell_model import CellColumn, CellModel, CellTicks, CellTyping
from petstore_desktop.ui.preview.preview_texts import field_words, made_words, note_words, record_header, record_title
from petstore_desktop.ui.text.cell import Cell, changed_words
from petstore_desktop.ui.text.cell_text import chip_text, to_cell
from petstore_desktop.ui.text.translate import tr

TICK, RECORD, FIELD, VALUE, NOTE = range(5)
_SHORT = 12
"""How many letters always have room."""
_MUTED = frozenset(("left-out", "hangs", "same"))


class PreviewModel(CellModel[int]):
    """One row for each row of the preview.

    Signals:
        moved: something is ticked, left out or mended.
    """

    moved = Signal()

    def __init__(self, desk: Desk, preview: Preview, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.preview: Final = preview
        self._desk = desk
        self.one_field = ""
        """The one field that all rows are about; empty where there are several."""
        self.fill()

    def fill(self) -> None:
        """Show the rows that there are."""
        fields = {field_words(*place) for place in self.preview.longest}
        self.one_field = fields.pop() if len(fields) == 1 else ""
        ticked = CellTicks(
            self._is_ticked, lambda row, on: self.tick([row], on), lambda row: self.preview.rows[row].valid
        )
        columns = (
            CellColumn("", lambda _: Cell(kind="check"), said=self._tick_words, ticked=ticked),
            CellColumn(record_header(self.preview), self._record),
            CellColumn(tr("What"), self._field),
            CellColumn(
                self.one_field or tr("Change"),
                self._value,
                typed=CellTyping(self._typed, self._mend, self.preview.mendable),
            ),
            CellColumn(tr("Note"), self._note),
        )
        self.show(range(len(self.preview.rows)), columns)

    # -- what is shown

    def _is_ticked(self, row: int) -> bool:
        return self.preview.rows[row].ticked

    def _record(self, row: int) -> Cell:
        one = self.preview.rows[row]
        name, number = record_title(self._desk, one)
        return Cell(text=name, kind="ref", ref_id=number or None, row_muted=not one.ticked)

    def _field(self, row: int) -> Cell:
        one = self.preview.rows[row]
        return Cell(text=field_words(one.ref.resource, one.column), muted=True)

    def _value(self, row: int) -> Cell:
        one = self.preview.rows[row]
        if not one.column:
            return Cell(text=made_words(self.preview, row), row_muted=not one.ticked)
        old = _shown(self.preview.old(row))
        if one.problem:
            return _become(old, Cell(text=plain(one.text), tone="bad"))
        new = self.preview.new(row) if one.ticked else None
        if new is None:
            return replace(old, row_muted=True)
        after = _shown(new)
        chip = None if new.stock is None else new.stock.chip
        if chip is not None and chip.kind == "set" and len(after.text) > _SHORT:
            chip = None  # it says the same number once more
        return _become(old, after if chip is None else replace(after, text=f"{after.text} ({chip_text(chip)})"))

    def _note(self, row: int) -> Cell:
        note = self.preview.note(row)
        words = note_words(note)
        if note.code in _MUTED or note.code == "open-orders" or not note.code:
            return Cell(text=words, tone="text", muted=note.code in _MUTED)
        wrong = bool(self.preview.rows[row].problem)
        return Cell(text=words, tone="bad" if wrong else "wait", icon="refused" if wrong else "warning")

    def _tick_words(self, row: int) -> str:
        one = self.preview.rows[row]
        name, _ = record_title(self._desk, one)
        if not one.valid:
            return tr("{record}: cannot be ticked", record=name)
        return tr("{record}: ticked", record=name) if one.ticked else tr("{record}: left out", record=name)

    def _typed(self, row: int) -> str:
        """The editor's first text: for a choice its value, else the text as typed."""
        one = self.preview.rows[row]
        column = self.preview.column(one)
        if column is None or not column.choices:
            return one.text
        intent = None if one.change is None else one.change.intent
        value = intent.fields.get(column.field) if isinstance(intent, SetFields) else None
        if isinstance(value, bool):
            return str(value).lower()
        return key_to_text(value) if isinstance(value, int | LocalId) else str(value or "")

    # -- what a person does

    def _mend(self, row: int, text: str) -> bool:
        self.preview.mend(row, text)
        self._moved()
        return True

    def tick(self, rows: list[int], on: bool) -> bool:
        """Do these rows, or leave them out; whether any of them can be."""
        done = self.preview.tick_all(rows, on)
        if done:
            self._moved()
        return done

    def _moved(self) -> None:
        self.repaint()  # a row may take others along
        self.moved.emit()


def _become(old: Cell, new: Cell) -> Cell:
    """Old and new; both in full for where the column may cut them."""
    long = max(len(old.text), len(new.text)) > _SHORT
    return replace(old, after=new, tip=changed_words(old.text, new.text) if long else "")


def _shown(facts: CellFacts) -> Cell:
    """A value without the marks and chips of the table: these are the preview's own old and new."""
    cell = to_cell(facts)
    if cell.kind == "pill":
        return replace(cell, mark=None, tip="")
    return Cell(text=cell.result or cell.text, tone=cell.tone)
