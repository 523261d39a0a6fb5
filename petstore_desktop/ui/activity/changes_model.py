"""The journal as an item model, the newest first. Changes of one batch are one row, which opens to theirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from PySide6.QtCore import QModelIndex, QObject, Signal

from petstore_desktop.desk.changes.history_lines import PastLine
from petstore_desktop.domain.changes import ChangeState
from petstore_desktop.domain.records import Resource
from petstore_desktop.domain.send_block import SendBlock
from petstore_desktop.ui.cells.cell_model import CellColumn, CellModel, Index
from petstore_desktop.ui.text.cell import MARK_TONES, Cell, gutter_cell, step_texts, value_text
from petstore_desktop.ui.text.changes.history import past_sentence, record_words, step_words, what_words
from petstore_desktop.ui.text.times import moment
from petstore_desktop.ui.text.translate import tr

GUTTER, TIME, RECORD, WHAT, CHANGE, STATE = range(6)
_STUCK = (ChangeState.REFUSED, ChangeState.CONFLICT, ChangeState.UNCERTAIN)


class ActivityRow(Struct, frozen=True):
    """A line, alone, or (`inner`) one of an open batch."""

    line: PastLine
    inner: bool = False


class ChangesModel(CellModel[ActivityRow]):
    """Rows as far as they were read.

    Signals:
        moreWanted(): the view has come to the end of what was read, and there is more.
    """

    moreWanted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent, lambda row: row.line.id)
        self.rows = self._shown = list[ActivityRow]()
        self.columns = (
            CellColumn("", _gutter),
            CellColumn(tr("Time"), self._time),
            CellColumn(tr("Record"), self._record),
            CellColumn(tr("What"), lambda row: Cell(text=what_words(row.line), tone="muted")),
            CellColumn(tr("Change"), _change),
            CellColumn(tr("Status"), self._state),
        )
        self._open: set[str] = set()
        self._more = False
        self._asked = False
        self._blocked: SendBlock | None = None
        self._now = 0.0

    # -- what was read

    def set_time(self, blocked: SendBlock | None, now: float) -> None:
        """Update the rows' words for this moment (UTC epoch seconds)."""
        self._blocked, self._now = blocked, now
        self.repaint()

    def start(self, lines: Sequence[PastLine], more: bool) -> None:
        """These are the newest lines of another reading; batches are closed."""
        self.beginResetModel()
        self._shown[:] = map(ActivityRow, lines)
        self._open.clear()
        self._more, self._asked = more, False
        self.endResetModel()

    def add(self, lines: Sequence[PastLine], more: bool) -> None:
        """These come below what there is."""
        self._more, self._asked = more, False
        if lines:
            self.beginInsertRows(QModelIndex(), len(self._shown), len(self._shown) + len(lines) - 1)
            self._shown += map(ActivityRow, lines)
            self.endInsertRows()

    def put(self, batches: Mapping[str, Sequence[PastLine]]) -> None:
        """These batches look like this now: no line of one, or one or more."""
        there: dict[str, list[int]] = {batch: [] for batch in batches}
        for row, one in enumerate(self._shown):
            if not one.inner and one.line.batch in there:
                there[one.line.batch].append(row)
        others: list[str] = []
        for batch, lines in batches.items():
            rows = there[batch]
            if len(rows) == len(lines) == 1 and (self._shown[rows[0]].line.count > 1) == (lines[0].count > 1):
                self._replace(rows[0], lines[0])
            elif rows or lines:
                others.append(batch)
        for batch in others:
            self._renew(batch, batches[batch])

    def _renew(self, batch: str, lines: Sequence[PastLine]) -> None:
        old = [row for row, one in enumerate(self._shown) if one.line.batch == batch and not one.inner]
        edge = self.last() if self._more else None
        for row in reversed(old):
            self._drop(row, row + 1 + self._inner_below(row))
        self._open.discard(batch)
        for line in lines:
            if edge is None or line.id > edge:  # what is older than all that was read is read in its turn
                self._insert(self._place(line), [ActivityRow(line)])

    def _place(self, line: PastLine) -> int:
        """Before the first older one."""
        return next((row for row, one in enumerate(self._shown) if one.line.id < line.id), len(self._shown))

    # -- open batches

    def is_open(self, row: int) -> bool:
        """Whether the rows of this batch are shown below it."""
        return self._shown[row].line.count > 1 and self._shown[row].line.batch in self._open

    def opened(self) -> frozenset[str]:
        """The batches whose rows are shown."""
        return frozenset(self._open)

    def open(self, batch: str, lines: Sequence[PastLine]) -> None:
        """Show these below their batch, instead of those that are there."""
        row = next((row for row, one in enumerate(self._shown) if one.line.batch == batch and not one.inner), None)
        if row is None:
            return
        self._open.add(batch)
        there = [one.line.id for one in self._shown[row + 1 : row + 1 + self._inner_below(row)]]
        if there == [line.id for line in lines]:
            for place, line in enumerate(lines, row + 1):
                self._replace(place, line)
        else:
            self._drop(row + 1, row + 1 + len(there))
            self._insert(row + 1, [ActivityRow(line, inner=True) for line in lines])
        self.repaint_rows(row, row)

    def close(self, row: int) -> None:
        """Show the batch alone."""
        self._open.discard(self._shown[row].line.batch)
        self._drop(row + 1, row + 1 + self._inner_below(row))
        self.repaint_rows(row, row)

    def _inner_below(self, row: int) -> int:
        count = 0
        while row + 1 + count < len(self._shown) and self._shown[row + 1 + count].inner:
            count += 1
        return count

    def _insert(self, at: int, rows: list[ActivityRow]) -> None:
        if rows:
            self.beginInsertRows(QModelIndex(), at, at + len(rows) - 1)
            self._shown[at:at] = rows
            self.endInsertRows()

    def _drop(self, first: int, end: int) -> None:
        if end > first:
            self.beginRemoveRows(QModelIndex(), first, end - 1)
            del self._shown[first:end]
            self.endRemoveRows()

    def _replace(self, row: int, line: PastLine) -> None:
        if self._shown[row].line != line:
            self._shown[row] = ActivityRow(line, self._shown[row].inner)
            self.repaint_rows(row, row)

    # -- for the page

    def line(self, row: int) -> PastLine:
        """One line."""
        return self._shown[row].line

    def last(self) -> int | None:
        """The oldest change that was read."""
        return min((row.line.last for row in self._shown), default=None)

    def sentence(self, line: PastLine) -> str:
        """How a line stands."""
        return past_sentence(line.sentence, self._now, self._blocked)

    # -- Qt's questions

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and self._more and not self._asked

    def fetchMore(self, parent: Index) -> None:
        if self.canFetchMore(parent):
            self._asked = True
            self.moreWanted.emit()

    # -- cells

    def _time(self, row: ActivityRow) -> Cell:
        """The rows of a batch were made at one moment: its own row says when."""
        text = "" if row.inner else _upper(moment(row.line.at, self._now))
        return Cell(text=text, kind="date", tone="muted")

    def _record(self, row: ActivityRow) -> Cell:
        line = row.line
        if line.count > 1:
            icon = "chevron-down" if line.batch in self._open else "chevron-right"
            tip = tr("Enter shows the rows of this batch, or hides them.")
            return Cell(text=record_words(line), icon=icon, tip=tip)
        if line.ref.resource is Resource.ORDERS:
            return Cell(text=record_words(line))
        return Cell(text=record_words(line), kind="ref", ref_id=line.ref_id or None)

    def _state(self, row: ActivityRow) -> Cell:
        line = row.line
        stuck = line.mark is not None and any(state in _STUCK for state, _ in line.states)
        tone = MARK_TONES[line.mark] if stuck and line.mark is not None else "muted"
        return Cell(text=self.sentence(line), tone=tone)


def _upper(text: str) -> str:
    """As it stands alone."""
    return text[:1].upper() + text[1:]


def _gutter(row: ActivityRow) -> Cell:
    return Cell(kind="gutter") if row.line.mark is None else gutter_cell(row.line.mark)


def _change(row: ActivityRow) -> Cell:
    """Old and new value; of several alike changes the new one alone, as the old ones differ."""
    line = row.line
    steps = [step for step in line.steps if step.field not in ("create", "delete")]
    if not steps or not line.alike:
        return Cell()
    if len(steps) > 1:
        pairs = [
            tr("{field}: {value}", field=step_words(line.ref.resource, step.field), value=value_text(step.after))
            for step in steps
        ]
        return Cell(text=tr(", ", "between parts of a line").join(pairs))
    booked = steps[0].after.stock is not None and steps[0].after.stock.chip is not None
    if line.count > 1:
        chip = steps[0].after.stock.chip if steps[0].after.stock is not None else None
        if chip is not None and chip.kind == "add":
            return Cell()
        return Cell(text="", after=Cell(text=value_text(steps[0].after), tone="text"))
    before, after = step_texts(steps[0].before, steps[0].after)
    if not before:
        return Cell()  # the booking alone is known, and stands beside it
    tone = "bad" if booked and (steps[0].after.number or 0) < 0 else "text"
    return Cell(text=before, tone="muted", after=Cell(text=after, tone=tone))
