"""The stuck changes as an item model: a row for each field, with the three values."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace
from PySide6.QtCore import QObject, Qt, Signal

from petstore_desktop.desk.changes.review import Case, OtherValue, Pick, ReviewLine, ValueSide
from petstore_desktop.desk.values.cells import CellFacts
from petstore_desktop.domain.records import key_to_text
from petstore_desktop.ui.cells.cell_model import CellModel, Index
from petstore_desktop.ui.text.cell import DASH, MARK_TONES, Cell, full_text
from petstore_desktop.ui.text.cell_text import gutter_cell, record_cell, to_cell
from petstore_desktop.ui.text.changes.history import step_words
from petstore_desktop.ui.text.changes.review import stands_words
from petstore_desktop.ui.text.times import moment
from petstore_desktop.ui.text.translate import number, tr

_Role = Qt.ItemDataRole
GUTTER, RECORD, WHAT, BASE, MINE, THEIRS, STANDS = range(7)


class ReviewModel(CellModel):
    """One row for each line of each case.

    Signals:
        written: (int, str): another value was typed or chosen in this row.
    """

    written = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[tuple[Case, ReviewLine]] = []
        self._now = 0.0
        self._open = -1
        self.picks: dict[tuple[tuple[int, ...], str], Pick] = {}
        """The choices so far in records with several lines, until all are made."""
        self.said: dict[tuple[tuple[int, ...], str], str] = {}
        """The words of another value that is picked."""

    def set_cases(self, cases: tuple[Case, ...], now: float) -> None:
        """The cases as they are now; rows of the same lines stay the same rows."""
        rows = [(case, line) for case in cases for line in case.lines]
        same = [_place(row) for row in rows] == [_place(row) for row in self._rows]
        if not same:
            self.beginResetModel()
        self._rows, self._now = rows, now
        self.picks = {place: pick for place, pick in self.picks.items() if place in {_place(row) for row in rows}}
        if not same:
            self.endResetModel()
        else:
            self.repaint()

    def case(self, row: int) -> Case:
        """Whose row it is."""
        return self._rows[row][0]

    def cases(self, rows: Iterable[int]) -> list[Case]:
        """Whose rows they are, each once."""
        return list({self.case(row).change_ids: self.case(row) for row in rows}.values())

    def line(self, row: int) -> ReviewLine:
        """What the row is about."""
        return self._rows[row][1]

    def place(self, row: int) -> tuple[tuple[int, ...], str]:
        """What tells a line from all others."""
        return _place(self._rows[row])

    def row_of(self, change_id: int) -> int:
        """The first row that is about a change; -1 where there is none."""
        return next((row for row, (case, _) in enumerate(self._rows) if change_id in case.change_ids), -1)

    def open_row(self, row: int) -> None:
        """An editor may open in this row's own value; -1: in none."""
        self._open = row

    def count(self) -> int:
        return len(self._rows)

    def titles(self) -> tuple[str, ...]:
        return "", tr("Record"), tr("What"), tr("Before"), tr("Mine"), tr("Theirs"), tr("Status")

    def data(self, index: Index, role: int = _Role.DisplayRole) -> object:
        if role == _Role.EditRole and index.isValid():
            return self._typed(index.row()) if index.column() == MINE else None
        return super().data(index, role)

    def setData(self, index: Index, value: object, role: int = _Role.EditRole) -> bool:
        if role != _Role.EditRole or index.column() != MINE or not isinstance(value, str):
            return False
        self.written.emit((index.row(), value))
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        editable = index.column() == MINE and index.row() == self._open
        return flags | Qt.ItemFlag.ItemIsEditable if editable else flags

    def _typed(self, row: int) -> str:
        """What an editor begins with."""
        case, line = self._rows[row]
        if line.name == "stock":
            stock = line.mine.stock
            return "" if stock is None or stock.result is None else number(stock.result)
        value = case.wanted.get(line.name)
        if line.name == "complete":
            return "true" if value else "false"
        return "" if value is None else str(value) if isinstance(value, str | int) else key_to_text(value)

    def cell(self, row: int, column: int) -> Cell:
        case, line = self._rows[row]
        mark = case.mark
        if column == GUTTER:
            return gutter_cell(mark)
        if column == RECORD:
            return record_cell(case.ref.resource, case.title, case.ref_id)
        if column == WHAT:
            return Cell(text=step_words(case.ref.resource, line.name), tone="muted")
        if column == STANDS:
            return Cell(text=self._stands(case), tone=MARK_TONES[mark] if case.needs_person else "muted")
        return self._value(case, line, column)

    def _stands(self, case: Case) -> str:
        picked = [line for line in case.lines if (case.change_ids, line.name) in self.picks]
        if picked:
            left = len(case.lines) - len(picked)
            return tr(
                "Chosen; {n} more fields of this record to choose", "", left, one="Chosen; 1 more field to choose"
            )
        return stands_words(case, self._now)

    def _value(self, case: Case, line: ReviewLine, column: int) -> Cell:
        facts = {BASE: line.base, MINE: line.mine, THEIRS: line.theirs}[column]
        pick = self.picks.get((case.change_ids, line.name))
        if column == MINE and isinstance(pick, OtherValue):
            return Cell(text=self.said.get((case.change_ids, line.name), ""), mark="unsent")
        cell = Cell(text=tr("not known"), tone="faint") if facts is None else _shown(facts)
        if column == BASE:
            cell = replace(cell, tip=_tip(cell))
            return replace(cell, tone="muted") if cell.kind in ("text", "number") else cell
        if column == MINE:
            said = tr("You, {time}", time=moment(case.acted_at, self._now))
            cell = replace(cell, tip=_tip(cell, said), mark=case.mark if pick is None else None)
        if column == THEIRS and facts is not None:
            said = tr("As seen {time}", time=moment(case.seen_at, self._now))
            cell = replace(cell, tip=_tip(cell, said))
        chosen = (pick is ValueSide.MINE and column == MINE) or (pick is ValueSide.THEIRS and column == THEIRS)
        return replace(cell, mark="unsent") if chosen else cell


def _place(row: tuple[Case, ReviewLine]) -> tuple[tuple[int, ...], str]:
    return row[0].change_ids, row[1].name


def _shown(facts: CellFacts) -> Cell:
    if facts.code == "delete":
        return Cell(text=tr("deleted"))
    cell = to_cell(facts)
    # Three values stand side by side: they begin at the same edge.
    return replace(cell, kind="text", text=cell.text or DASH) if cell.kind == "number" else cell


def _tip(cell: Cell, *more: str) -> str:
    """The whole value, which a column may cut, then what else is to be said."""
    return "\n".join((full_text(cell), *more))
