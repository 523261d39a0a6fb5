"""What needs a person, in one list: mine, theirs, and what both rested on; decided by single keys. A row is a field of
a stuck change, with the three values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from msgspec.structs import replace
from PySide6.QtCore import QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QWidget

from petstore_desktop.clock import unique
from petstore_desktop.desk.changes.review import Case, OtherValue, Pick, ReviewLine, ValueSide, cases_of, decide
from petstore_desktop.desk.values.cells import CellFacts
from petstore_desktop.desk.values.typed_numbers import QuantityEntry, parse_quantity
from petstore_desktop.domain.commands import Decide, Decided
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import Ref, Resource, key_to_text
from petstore_desktop.ui.activity.list_page import ListPage
from petstore_desktop.ui.bars.tool_bar import page_action
from petstore_desktop.ui.base.building import timer
from petstore_desktop.ui.cells.cell_model import CellColumn, CellModel, CellTyping
from petstore_desktop.ui.context.message import Message, Say
from petstore_desktop.ui.grid.editing import choices
from petstore_desktop.ui.questions.raw_answer import open_raw
from petstore_desktop.ui.text.cell import MARK_TONES, Cell, full_text, gutter_cell, record_cell, to_cell
from petstore_desktop.ui.text.changes.change import choice_words, decided_words, stands_words
from petstore_desktop.ui.text.changes.history import step_words
from petstore_desktop.ui.text.errors.errors import bad_input_words
from petstore_desktop.ui.text.times import moment
from petstore_desktop.ui.text.translate import DASH, needs_words, number, plain_lines, tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.ui.context.edits import Edits


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


_CHOSEN = {"status": "status", "category_id": "category", "complete": "complete"}


class ReviewPage(ListPage):
    """What needs attention."""

    wide: ClassVar[Mapping[int, int]] = {RECORD: 230, WHAT: 96, BASE: 180, MINE: 190, THEIRS: 180}
    narrow: ClassVar[Mapping[int, int]] = {RECORD: 180, WHAT: 84, BASE: 112, MINE: 172, THEIRS: 118}
    narrow_below = 1200

    def __init__(self, edits: Edits, say: Say, open_record: Callable[[Ref], None], parent: QWidget) -> None:
        self.model = ReviewModel()
        self._edits, self._tell, self._open_record = edits, say, open_record
        super().__init__(edits.desk, self.model, "review", tr("Needs attention"), parent)
        self.mine = self._action("keepMine", tr("Keep mine"), "refresh", "M", lambda: self._pick(ValueSide.MINE))
        self.theirs = self._action("takeTheirs", tr("Take theirs"), "undo", "T", lambda: self._pick(ValueSide.THEIRS))
        self.edit = self._action("anotherValue", tr("Another value"), "pencil", "E", self._edit)
        self.raw = self._action("reviewRaw", tr("Server response"), "info", "", self._raw)
        self.go = self._action("reviewGo", tr("Go to the record"), "external", "", self._go)
        self.tools = (self.raw, self.edit, self.theirs, self.mine)
        self._menu = ((self.mine, self.theirs, self.edit, self.go, self.raw),)
        self._lay_out()
        self._connect()
        self._refresh()

    def _action(self, name: str, text: str, icon: str, key: str, do: Callable[[], None]) -> QAction:
        """A key works while the list has the keyboard: in an editor of it the same key types."""
        action = page_action(self, name, text, icon, do)
        if key:
            action.setShortcut(QKeySequence(key))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            self.view.addAction(action)
        return action

    def _lay_out(self) -> None:
        self.empty.set_content(
            tr("Nothing needs attention"),
            tr("No change is refused, in conflict or unconfirmed."),
            tr("Such a change shows here with both values."),
        )
        self._choose_rows(GUTTER, STANDS)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.home_column = MINE

    def _connect(self) -> None:
        self.view.openRequested.connect(self._next)
        self.view.rows.stock_preview = self._preview
        self.view.rows.only_enter = True
        self._closed = timer(self, 0, self._editor_closed, once=True)
        self.view.rows.editingEnded.connect(self._closed.start)
        self.model.written.connect(self._write)

    # -- what the desk says

    def desk_changed(self, moved: Changed) -> None:
        """After each turn of the bridge. An open editor keeps its row: what moved is shown when it closes."""
        if (moved.outbox or moved.rows) and not self.view.edit_open():
            self.refresh_shown()

    def _editor_closed(self) -> None:
        if not self.view.edit_open():
            self.model.open_row(-1)
            self._refresh()

    def _refresh(self) -> None:
        row = self.view.currentIndex().row()
        kept = self._cases()
        outbox = self._desk.outbox
        self.model.set_cases(cases_of(self._desk.shop, outbox.stuck(), outbox.next_id), self._desk.now())
        self._show_list(self.model.rowCount() > 0)
        needs = outbox.needs_person
        self.counts = needs_words(needs) if needs else ""
        self.countsChanged.emit()
        if not self._cases() and self.model.rowCount():
            found = max((self.model.row_about(case.change_ids[0]) for case in kept), default=-1)
            self._stand_at(found if found >= 0 else max(row, 0))
        self._update_actions()

    def _stand_at(self, row: int) -> None:
        """The keyboard goes on where it was, at the next one if that is decided."""
        self.view.selectionModel().clear()
        self.view.setCurrentIndex(self.model.index(min(row, self.model.rowCount() - 1), MINE))

    # -- what a person does

    def _cases(self) -> list[Case]:
        return self.model.cases(self._selected_rows())

    def _update_actions(self) -> None:
        rows, cases = self._selected_rows(), self._cases()
        mine, theirs = choice_words({case.mark for case in cases})
        self.mine.setText(mine)
        self.theirs.setText(theirs)
        for action in (self.mine, self.theirs):
            action.setEnabled(bool(rows))
        self.edit.setEnabled(len(rows) == 1 and cases[0].editable)
        self.raw.setEnabled(len(cases) == 1 and cases[0].raw is not None)
        self.go.setEnabled(len(cases) == 1)

    def show_ref(self, ref: Ref) -> None:
        """Stand on a record's row, if it has one."""
        ref = self._desk.resolve(ref)
        rows = (row for row in range(self.model.rowCount()) if self._concerns(self.model.case(row), ref))
        found = next(rows, None)
        if found is not None:
            self._stand_at(found)

    def _concerns(self, case: Case, ref: Ref) -> bool:
        stock = ref.resource is Resource.PETS and case.ref == Ref(Resource.INVENTORY, ref.key)
        return case.ref == ref or stock

    def _next(self, index: QModelIndex) -> None:
        """Enter goes on to the next one, from the last to the first."""
        row = (index.row() + 1) % max(1, self.model.rowCount())
        self.view.setCurrentIndex(self.model.index(row, MINE))

    def _pick(self, side: ValueSide) -> None:
        self._picked(dict.fromkeys(self._selected_rows(), side))

    def _picked(self, picks: dict[int, Pick]) -> None:
        """Of a record with several fields in question each is picked; the last one decides."""
        for row, pick in picks.items():
            self.model.picks[self.model.place(row)] = pick
        decided: list[Decided] = []
        cases = self.model.cases(picks)
        for case in cases:
            of_case = {name: pick for (ids, name), pick in self.model.picks.items() if ids == case.change_ids}
            one = decide(case, of_case)
            if one is not None:
                decided.append(one)
        if decided:
            self._edits.decide(Decide(unique(), tuple(decided)), self._decided_words(picks, len(decided)), "saved")
        self.model.repaint()
        if len(decided) < len(cases):
            self._to_undecided(max(picks))

    def _to_undecided(self, row: int) -> None:
        """On to the next field that nothing is picked for."""
        count = self.model.rowCount()
        rows = [(row + step) % count for step in range(1, count + 1)]
        found = next((one for one in rows if self.model.place(one) not in self.model.picks), None)
        if found is not None:
            self._stand_at(found)

    def _decided_words(self, picks: dict[int, Pick], n: int) -> str:
        sides = set(picks.values())
        mine, theirs = sides == {ValueSide.MINE}, sides == {ValueSide.THEIRS}
        settled = theirs and any(self.model.case(row).mark == "uncertain" for row in picks)
        return decided_words(n * mine, n * (theirs and not settled), n * (settled or not (mine or theirs)))

    # -- another value

    def _edit(self) -> None:
        (row, *_) = self._selected_rows() or [-1]
        if row < 0 or not self.model.case(row).editable:
            return
        kind = _CHOSEN.get(self.model.line(row).name)
        self.view.rows.choices.clear()
        if kind:
            self.view.rows.choices[MINE] = choices(self._desk, kind)
        self.model.open_row(row)
        index = self.model.index(row, MINE)
        self.view.setCurrentIndex(index)
        self.view.edit(index)

    def _preview(self, index: QModelIndex, text: str) -> tuple[str, bool] | None:
        entry = self._quantity(index.row(), text)
        if isinstance(entry, BadInput):
            return None
        result = DASH if entry.result is None else number(entry.result)
        return tr("= {result}", result=result), entry.below_zero

    def _quantity(self, row: int, text: str) -> QuantityEntry | BadInput:
        theirs = self.model.case(row).theirs.get("quantity")
        return parse_quantity(text, theirs if isinstance(theirs, int) else None, self._desk.shop.here.separators)

    def _write(self, written: tuple[int, str]) -> None:
        row, text = written
        case, name = self.model.case(row), self.model.line(row).name
        entry = self._quantity(row, text) if name == "stock" else self._desk.acts.value_of(case.ref, name, text)
        if isinstance(entry, BadInput):
            self._tell(Message(bad_input_words(entry.code), "warning"))
            return
        kind = _CHOSEN.get(name)
        self.model.said[self.model.place(row)] = dict(choices(self._desk, kind)).get(text, text) if kind else text
        self._picked({row: OtherValue(entry.intent if isinstance(entry, QuantityEntry) else entry)})

    # -- the rest

    def _raw(self) -> None:
        case = next(iter(self._cases()), None)
        if case is not None and case.raw is not None:
            open_raw(self.window(), stands_words(case, self._desk.now()), plain_lines(case.raw))

    def _go(self) -> None:
        case = next(iter(self._cases()), None)
        if case is not None:
            self._open_record(case.ref)
