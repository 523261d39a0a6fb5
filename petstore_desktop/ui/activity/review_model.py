"""The stuck changes as an item model: a row for each field, with the three values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from petstore_desktop.desk.changes.review import Case, OtherValue, Pick, ReviewLine, ValueSide
from petstore_desktop.desk.values.cells import CellFacts
from petstore_desktop.domain.records import key_to_text
from petstore_desktop.ui.cells.cell_model import CellColumn, CellModel, CellTyping
from petstore_desktop.ui.text.cell import DASH, MARK_TONES, Cell, full_text
from petstore_desktop.ui.text.cell_text import gutter_cell, record_cell, to_cell
from petstore_desktop.ui.text.changes.history import step_words
from petstore_desktop.ui.text.changes.review import stands_words
from petstore_desktop.ui.text.times import moment
from petstore_desktop.ui.text.translate import number, tr

GUTTER, RECORD, WHAT, BASE, MINE, THEIRS, STANDS = range(7)
Row: TypeAlias = tuple[Case, ReviewLine]


class ReviewModel(CellModel[Row]):
    """One row for each line of each case.

    Signals:
        written: (int, str): another value was typed or chosen in this row.
    """

    written = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent, _place)
        self.columns = (
            CellColumn("", lambda row: gutter_cell(row[0].mark)),
            CellColumn(tr("Record"), lambda row: record_cell(row[0].ref.resource, row[0].title, row[0].ref_id)),
            CellColumn(tr("What"), lambda row: Cell(text=step_words(row[0].ref.resource, row[1].name), tone="muted")),
            CellColumn(tr("Before"), self._base),
            CellColumn(tr("Mine"), self._mine, typed=CellTyping(_typed, self._write, self._is_open)),
            CellColumn(tr("Theirs"), self._theirs),
            CellColumn(tr("Status"), self._stands),
        )
        self._now = 0.0
        self._open = -1
        self.picks: dict[tuple[tuple[int, ...], str], Pick] = {}
        """The choices so far in records with several lines, until all are made."""
        self.said: dict[tuple[tuple[int, ...], str], str] = {}
        """The words of another value that is picked."""

    def set_cases(self, cases: tuple[Case, ...], now: float) -> None:
        """The cases as they are now; rows of the same lines stay the same rows."""
        rows = [(case, line) for case in cases for line in case.lines]
        places = set(map(_place, rows))
        self._now = now
        self.picks = {place: pick for place, pick in self.picks.items() if place in places}
        self.show(rows)

    def case(self, row: int) -> Case:
        """Whose row it is."""
        return self.rows[row][0]

    def cases(self, rows: Iterable[int]) -> list[Case]:
        """Whose rows they are, each once."""
        return list({self.case(row).change_ids: self.case(row) for row in rows}.values())

    def line(self, row: int) -> ReviewLine:
        """What the row is about."""
        return self.rows[row][1]

    def place(self, row: int) -> tuple[tuple[int, ...], str]:
        """What tells a line from all others."""
        return _place(self.rows[row])

    def row_about(self, change_id: int) -> int:
        """The first row that is about a change; -1 where there is none."""
        return next((row for row, (case, _) in enumerate(self.rows) if change_id in case.change_ids), -1)

    def open_row(self, row: int) -> None:
        """An editor may open in this row's own value; -1: in none."""
        self._open = row

    def _is_open(self, row: Row) -> bool:
        return self._open >= 0 and row is self.rows[self._open]

    def _write(self, row: Row, text: str) -> bool:
        self.written.emit((self.rows.index(row), text))
        return True

    def _stands(self, row: Row) -> Cell:
        case = row[0]
        return Cell(text=self._standing(case), tone=MARK_TONES[case.mark] if case.needs_person else "muted")

    def _standing(self, case: Case) -> str:
        picked = [line for line in case.lines if (case.change_ids, line.name) in self.picks]
        if picked:
            left = len(case.lines) - len(picked)
            return tr(
                "Chosen; {n} more fields of this record to choose", "", left, one="Chosen; 1 more field to choose"
            )
        return stands_words(case, self._now)

    def _base(self, row: Row) -> Cell:
        cell = _shown(row[1].base)
        cell = replace(cell, tip=_tip(cell))
        return replace(cell, tone="muted") if cell.kind in ("text", "number") else cell

    def _mine(self, row: Row) -> Cell:
        case, line = row
        pick, cell = self.picks.get(_place(row)), _shown(line.mine)
        if isinstance(pick, OtherValue):
            return Cell(text=self.said.get(_place(row), ""), mark="unsent")
        said = tr("You, {time}", time=moment(case.acted_at, self._now))
        mark = case.mark if pick is None else "unsent" if pick is ValueSide.MINE else None
        return replace(cell, tip=_tip(cell, said), mark=mark)

    def _theirs(self, row: Row) -> Cell:
        case, line = row
        cell = _shown(line.theirs)
        if line.theirs is not None:
            cell = replace(cell, tip=_tip(cell, tr("As seen {time}", time=moment(case.seen_at, self._now))))
        return replace(cell, mark="unsent") if self.picks.get(_place(row)) is ValueSide.THEIRS else cell


def _place(row: Row) -> tuple[tuple[int, ...], str]:
    return row[0].change_ids, row[1].name


def _typed(row: Row) -> str:
    """What an editor begins with."""
    case, line = row
    if line.name == "stock":
        stock = line.mine.stock
        return "" if stock is None or stock.result is None else number(stock.result)
    value = case.wanted.get(line.name)
    if line.name == "complete":
        return "true" if value else "false"
    return "" if value is None else str(value) if isinstance(value, str | int) else key_to_text(value)


def _shown(facts: CellFacts | None) -> Cell:
    if facts is None:
        return Cell(text=tr("not known"), tone="faint")
    if facts.code == "delete":
        return Cell(text=tr("deleted"))
    cell = to_cell(facts)
    # Three values stand side by side: they begin at the same edge.
    return replace(cell, kind="text", text=cell.text or DASH) if cell.kind == "number" else cell


def _tip(cell: Cell, *more: str) -> str:
    """The whole value, which a column may cut, then what else is to be said."""
    return "\n".join((full_text(cell), *more))
