"""Everything that was done, open and over, the newest first: looked up, taken back, sent again, exported.

The bar narrows the list down to a record, a state and days; the journal's lines that match are read piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from msgspec.structs import replace
from PySide6.QtCore import QDate, QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFileDialog, QWidget

from petstore_desktop.clock import unique
from petstore_desktop.desk.changes.history_lines import (
    ChangesCounted,
    ChangesExported,
    ChangesRead,
    PastLine,
    changes_filter,
    past_line,
)
from petstore_desktop.domain.batches import ChangeFilter
from petstore_desktop.domain.changes import ChangeState
from petstore_desktop.domain.commands import ExportChanges, ReadChanges, Retry
from petstore_desktop.ui.activity.changes_model import CHANGE, GUTTER, RECORD, STATE, TIME, WHAT, ChangesModel
from petstore_desktop.ui.activity.list_page import ListPage
from petstore_desktop.ui.bars.tool_bar import page_action
from petstore_desktop.ui.base.building import in_row, named, timer
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.cells.cell_paint import needed_width
from petstore_desktop.ui.context.message import Message, Say
from petstore_desktop.ui.grid.scroll_anchor import KeepPlace
from petstore_desktop.ui.grid.selection import selected_rows
from petstore_desktop.ui.questions.confirm import open_discard
from petstore_desktop.ui.questions.raw_answer import open_failure, open_raw
from petstore_desktop.ui.text.changes.history import counts_words, exported_words, file_words, state_choices
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.times import day
from petstore_desktop.ui.text.translate import plain_lines, tr
from petstore_desktop.ui.widgets.button import Button, fit_buttons, open_below
from petstore_desktop.ui.widgets.chooser import Chooser, DayMenu
from petstore_desktop.ui.widgets.dialogs import ask_file
from petstore_desktop.ui.widgets.fields import SearchField

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex

    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.domain.errors import ShopError
    from petstore_desktop.domain.records import Ref
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.context.edits import Edits


class ChangesExport(QObject):
    """Asks for a file, has it written, and tells the outcome."""

    def __init__(self, shop: LiveShop, say: Say, reading: ChangesReading, page: QWidget) -> None:
        super().__init__(page)
        self._shop, self._say = shop, say
        self._reading = reading
        self._page = page
        self._writing: set[str] = set()

    def ask(self) -> QFileDialog:
        """Ask where to; nothing waits for the answer."""
        filters = [tr("For a spreadsheet (*.csv)"), tr("For programs (*.json)")]
        name = tr("changes {day}", "the name of a file", day=self._shop.desk.today.isoformat())
        window, title = self._page.window(), tr("Export changes")
        dialog = ask_file(window, title, "exportDialog", filters, self.write, save_as=f"{name}.csv", suffix="csv")

        def suffix(kind: str) -> None:
            dialog.setDefaultSuffix("json" if kind == filters[1] else "csv")

        dialog.filterSelected.connect(suffix)
        return dialog

    def write(self, path: str) -> None:
        """Write all changes that fit to this file."""
        self._writing.add(path)
        self._shop.submit(ExportChanges(path, self._reading.wanted, file_words()))

    def on_changed(self, moved: Changed) -> None:
        """After each turn of the bridge."""
        for answer in moved.past:
            if isinstance(answer, ChangesExported) and answer.path in self._writing:
                self._writing.discard(answer.path)
                self._tell(answer)

    def _tell(self, answer: ChangesExported) -> None:
        if answer.error is None:
            self._say(Message(exported_words(answer.count, answer.path), "export", file=answer.path))
        else:
            open_failure(self._page.window(), answer.error, tr("Choose another file…"), self.ask)


_TYPING_MS = 150
"""A pause in typing after which the list is read."""
ANY, TODAY, YESTERDAY, WEEK, MONTH, ONE = range(6)


class _Search(SearchField):
    """Down goes to the rows as Enter does."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down:
            self.returnPressed.emit()
        else:
            super().keyPressEvent(event)


class ChangesBar(QWidget):
    """A search field and two choosers; on the right some `actions`. `today` is the local day.

    Signals:
        filtered(): the filter has changed, and typing has paused.
        toRows(): the keyboard is wanted in the list.
    """

    filtered = Signal()
    toRows = Signal()

    def __init__(self, today: Callable[[], date], actions: Sequence[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._today = today
        self._one: date | None = None
        self._choices = state_choices()
        self.search = named(
            _Search(tr("Record or id"), "", self), "changesSearch", tr("Changes of this record: its name or id")
        )
        self.search.setMaximumWidth(current().scaled(236))
        self.states = named(Chooser(tr("Status"), [words for words, _ in self._choices], self), "changesStates")
        last = (tr("Last {n} days", "", 7), tr("Last {n} days", "", 30))
        days = (tr("Any day"), tr("Today"), tr("Yesterday"), *last, tr("One day…"))
        self.days = named(Chooser(tr("Period"), days, self), "changesDays")
        self.buttons = [Button("", "quiet", parent=self) for _ in actions]
        for button, action in zip(self.buttons, actions, strict=True):
            button.setObjectName(f"{action.objectName()}Button")
            button.bind(action)
        self._lay_out()
        self._soon = timer(self, _TYPING_MS, self.filtered, once=True)
        self.search.searched.connect(self._typed)
        self.search.returnPressed.connect(self._entered)
        self.states.chosen.connect(self._settle)
        self.days.chosen.connect(self._day_chosen)

    def _lay_out(self) -> None:
        choices = (self.states, self.days, "stretch", *self.buttons)
        self.setMinimumWidth(1)  # else the buttons' words would keep it from becoming so narrow that they lose them
        self._row = in_row(self, (self.search, 1), *choices, margins=(16, 0, 16, 8), spacing=8)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The words of the buttons give way to those of the search field."""
        super().resizeEvent(event)
        shown = [button for button in self.buttons if not button.isHidden()]
        others = self._row.minimumSize().width() - sum(button.sizeHint().width() for button in shown)
        fit_buttons(shown, self.width() - others)

    def text(self) -> str:
        """The typed text."""
        return self.search.text()

    def wanted_states(self) -> frozenset[ChangeState]:
        """The states that are meant; none: all."""
        return self._choices[self.states.number][1]

    def span(self) -> tuple[date | None, date | None]:
        """The first and the last local day, where they are narrowed down."""
        today, number = self._today(), self.days.number
        if number == ONE:
            return self._one, self._one
        if number == YESTERDAY:
            return today - timedelta(days=1), today - timedelta(days=1)
        back = {TODAY: 0, WEEK: 6, MONTH: 29}.get(number)
        return (None, None) if back is None else (today - timedelta(days=back), None)

    @property
    def is_empty(self) -> bool:
        """Whether everything is shown."""
        return not self.text().strip() and not self.states.number and not self.days.number

    def clear(self) -> None:
        """Show everything."""
        self.search.setText("")
        self.states.choose(0)
        self.days.choose(ANY)
        self._settle()

    def show_record(self, text: str) -> None:
        """Show everything that was done to a record."""
        self.clear()
        self.search.setText(text)
        self._settle()

    def _entered(self) -> None:
        if self._soon.isActive():
            self._settle()
        self.toRows.emit()

    def _typed(self) -> None:
        self._soon.start()

    def _settle(self) -> None:
        self._soon.stop()
        self.filtered.emit()

    def _day_chosen(self, number: object) -> None:
        if number != ONE:
            self._settle()
            return
        self.days.choose(ANY if self._one is None else ONE, "" if self._one is None else self._day_words(self._one))
        today = self._today()
        menu = DayMenu(QDate(today.year, today.month, today.day), self)
        menu.picked.connect(self._picked)
        open_below(self.days, menu)

    def _picked(self, picked: object) -> None:
        chosen = cast("QDate", picked)
        self._one = date(chosen.year(), chosen.month(), chosen.day())
        self.days.choose(ONE, self._day_words(self._one))
        self._settle()

    def _day_words(self, one: date) -> str:
        return day(one, self._today())


PIECE = 100
"""Lines that are asked for at once: some screens."""
ROWS = 250
"""Rows of a batch that are asked for at once: as many as an event holds."""
_NEWS_MS = 400
"""Milliseconds between two readings while changes are being sent."""
_NEWS = 50
"""How many batches are read again in one step; more would block the window."""
_Taken = Callable[[ChangesRead], None]


class ChangesReading(QObject):
    """`found` of `total` changes fit, None until they are counted; `error`: why nothing can be read.

    Signals:
        moved(): something was read.
    """

    moved = Signal()

    def __init__(self, shop: LiveShop, bar: ChangesBar, model: ChangesModel, parent: QObject) -> None:
        super().__init__(parent)
        self._shop = shop
        self._bar = bar
        self._model = model
        self._waiting: dict[str, _Taken] = {}
        self._counting = ""
        self._begun = False
        self._news: set[str] = set()
        self.wanted = ChangeFilter()
        self.found: int | None = None
        self.total: int | None = None
        self.error: ShopError | None = None
        bar.filtered.connect(self.start)
        model.moreWanted.connect(self._read_more)
        self._soon = timer(self, _NEWS_MS, self._read_news, once=True)

    @property
    def is_reading(self) -> bool:
        """Whether an answer is on its way."""
        return bool(self._waiting)

    def show(self) -> None:
        """The list is visible: read the missing lines."""
        if not self._begun:
            self.start()
        elif self._news:
            self._read_news()

    def start(self) -> None:
        """Read from the newest on, by the filter as it is now."""
        self._begun = True
        self.wanted = changes_filter(
            self._shop.desk.shop, self._bar.text(), self._bar.wanted_states(), *self._bar.span()
        )
        self._waiting.clear()
        self._news.clear()
        self.found = None
        self._counting = self._ask(self._started, self.wanted)
        self.moved.emit()

    def _ask(
        self, taken: _Taken, wanted: ChangeFilter, before: int | None = None, limit: int = PIECE, apart: bool = False
    ) -> str:
        token = unique()
        if limit:
            self._waiting[token] = taken
        self._shop.submit(ReadChanges(token, wanted, before, limit, apart))
        return token

    def _started(self, answer: ChangesRead) -> None:
        self._model.start(self._lines(answer), answer.more)

    def _read_more(self) -> None:
        self._ask(lambda answer: self._model.add(self._lines(answer), answer.more), self.wanted, self._model.last())

    # -- a batch's own rows

    def open(self, line: PastLine) -> None:
        """Show the rows of a batch, once they are read."""
        self._read_rows(line.batch, [], None)

    def _read_rows(self, batch: str, so_far: list[PastLine], before: int | None) -> None:
        wanted = replace(self.wanted, batches=(batch,))
        self._ask(partial(self._take_rows, batch, so_far), wanted, before, ROWS, apart=True)

    def _take_rows(self, batch: str, so_far: list[PastLine], answer: ChangesRead) -> None:
        lines = [*so_far, *self._lines(answer)]
        if answer.more and lines:
            self._read_rows(batch, lines, lines[-1].last)
        else:
            self._model.open(batch, lines)

    # -- what moves meanwhile

    def on_changed(self, moved: Changed) -> None:
        """After each turn of the bridge."""
        for answer in moved.past:
            if isinstance(answer, ChangesRead) and answer.token in self._waiting:
                self._answered(self._waiting.pop(answer.token), answer)
            elif isinstance(answer, ChangesCounted) and answer.token == self._counting:
                self.found, self.total = answer.found, answer.total
                self.moved.emit()
        if moved.batches and self._begun:
            self._news |= moved.batches
            if self._bar.isVisible() and not self._soon.isActive():
                self._soon.start()

    def _answered(self, taken: _Taken, answer: ChangesRead) -> None:
        self.error = answer.error
        if answer.error is None:
            taken(answer)
        else:
            self._model.start((), more=False)  # what cannot be read in full is not shown as if it were all
        self.moved.emit()

    def _read_news(self) -> None:
        batches = tuple(sorted(self._news)[:_NEWS])
        if not batches:
            return
        self._news.difference_update(batches)
        if self._news:
            self._soon.start()
        self._ask(partial(self._take_news, batches), replace(self.wanted, batches=batches), limit=len(batches) * 4)
        self._counting = self._ask(self._started, self.wanted, limit=0)
        for batch in self._model.opened().intersection(batches):
            self._read_rows(batch, [], None)

    def _take_news(self, batches: tuple[str, ...], answer: ChangesRead) -> None:
        lines = self._lines(answer)
        self._model.put({batch: [line for line in lines if line.batch == batch] for batch in batches})

    def _lines(self, answer: ChangesRead) -> list[PastLine]:
        desk = self._shop.desk
        return [past_line(desk.shop, line, desk.outbox.next_id) for line in answer.lines]


_LOOKED_AT, _PADDING, _ARROW = 60, 22, 30
"""Of so many rows the texts are measured; px beside a text in its cell, and between an old and a new value."""
_SAID, _SAID_MOST = 220, 440
"""So much room (px at base 13) has how a change stands at least; what more its words need, up to the second."""


class ChangesPage(ListPage):
    """All changes, below a bar that filters them."""

    wide: ClassVar[Mapping[int, int]] = {TIME: 122, RECORD: 250, WHAT: 140, CHANGE: 220}
    narrow: ClassVar[Mapping[int, int]] = {TIME: 122, RECORD: 178, WHAT: 112, CHANGE: 198}
    narrow_below = 1100

    def __init__(
        self,
        shop: LiveShop,
        edits: Edits,
        say: Say,
        open_record: Callable[[Ref], None],
        mend: Callable[[], None],
        parent: QWidget,
    ) -> None:
        """`mend` opens what the record on the screen is edited by."""
        self._shop, self._edits, self._open_record, self._mend = shop, edits, open_record, mend
        self.model = ChangesModel()
        super().__init__(shop.desk, self.model, "changes", tr("Changes"), parent)
        self._kept: list[int] = []
        self._rows_wanted = False
        self._decisions = self._desk.outbox.decisions
        self.undo = page_action(self, "undoChanges", tr("Undo"), "undo", self._undo)
        self.retry = page_action(self, "retryChanges", tr("Send again"), "refresh", self._retry)
        self.discard = page_action(self, "discardChanges", tr("Discard"), "close", self._discard)
        self.edit = page_action(self, "editChange", tr("Edit"), "pencil", self._edit)
        self.raw = page_action(self, "rawChange", tr("Server response"), "info", self._raw)
        self.go = page_action(self, "goToChanged", tr("Go to the record"), "external", self._go)
        self.clear = page_action(self, "clearChangesFilter", tr("Show all changes"), "", lambda: self.bar.clear())
        self._export = page_action(self, "exportChanges", tr("Export…"), "export", lambda: self.exports.ask())
        self._menu = (self.undo, self.retry, self.discard, self.edit), (self.go, self.raw)
        self.tools = (self.discard, self.retry, self.undo)
        self.bar = ChangesBar(lambda: self._desk.today, (self.go, self.raw, self._export), self)
        self.reading = ChangesReading(shop, self.bar, self.model, self)
        self.exports = ChangesExport(shop, say, self.reading, self)
        self._keep = KeepPlace(self.view, at_top=lambda: self.view.selectionModel().hasSelection())
        self._lay_out()
        self._connect()
        self._update()

    def _lay_out(self) -> None:
        self._column.insertWidget(0, self.bar)
        self._choose_rows(GUTTER, STATE)

    def _connect(self) -> None:
        self.view.openRequested.connect(self._open)
        self.view.detailsRequested.connect(self._open)
        self.view.escaped.connect(self._escape)
        self.view.clicked.connect(self._clicked)
        self.model.modelAboutToBeReset.connect(self._remember)
        self.model.modelReset.connect(self._come_back)
        self.bar.toRows.connect(self._to_rows)
        self.reading.moved.connect(self._update)
        self._minute = timer(self, 60_000, self._age)
        self._spread = timer(self, 0, self._spread_columns, once=True)
        for moved in (self.model.modelReset, self.model.rowsInserted):
            moved.connect(self._spread.start)

    def _fit(self, width: object) -> None:
        super()._fit(width)
        self._set_widths(self.narrow if self._narrow else self.wide)
        self._spread_columns()

    def _spread_columns(self) -> None:
        """What the words of how a change stands leave of the room goes to the columns whose texts need it, as far as
        they do."""
        theme, header = current(), self.view.horizontalHeader()
        needs = {section: self._need(section) - header.sectionSize(section) for section in (RECORD, WHAT, CHANGE)}
        wanting = {section: need for section, need in needs.items() if need > 0}
        said = min(max(self._need(STATE), theme.scaled(_SAID)), theme.scaled(_SAID_MOST))
        spare = header.sectionSize(STATE) - said
        share = min(1.0, spare / sum(wanting.values())) if wanting else 0.0
        for section, need in wanting.items() if share > 0 else ():
            header.resizeSection(section, header.sectionSize(section) + round(need * share))

    def _need(self, section: int) -> int:
        """The width in which the first rows' texts of a column are read whole."""
        theme, rows = current(), range(min(self.model.rowCount(), _LOOKED_AT))
        widths = [0.0]
        for cell in (self.model.cell(row, section) for row in rows):
            before, after = (0.0 if one is None else needed_width(theme, one) for one in (cell, cell.after))
            widths.append(before if cell.after is None else 2 * max(before, after) + _ARROW)
        return round(max(widths)) + _PADDING

    # -- what is known

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._age()
        self._minute.start()
        self.reading.show()

    def desk_changed(self, moved: Changed) -> None:
        """After each turn of the bridge."""
        if moved.gate and self.isVisible():
            self._age()
        self.reading.on_changed(moved)
        self.exports.on_changed(moved)
        if self._decisions is not self._desk.outbox.decisions:
            self._decisions = self._desk.outbox.decisions
            self._update_actions()

    def _age(self) -> None:
        self.model.set_time(self._desk.send_block(), self._desk.now())

    def show_record(self, text: str) -> None:
        """Everything that was done to a record."""
        self.bar.show_record(text)

    @property
    def _has_list(self) -> bool:
        """Rows, or the first ones on their way."""
        return self.model.rowCount() > 0 or (self.reading.is_reading and self.reading.total is None)

    def _update(self) -> None:
        self._show_list(self._has_list)
        if not self._has_list:
            self._say_empty()
        self._export.setEnabled(self.model.rowCount() > 0)
        self.counts = counts_words(self.reading.found, self.reading.total, self.model.rowCount())
        self._update_actions()
        self.countsChanged.emit()
        if self._rows_wanted and not self.reading.is_reading:
            self._to_rows()

    def _say_empty(self) -> None:
        error = self.reading.error
        if error is not None:
            self.empty.set_content(tr("The changes cannot be read"), error_words(error).sentence)
        elif self.reading.is_reading:
            self.empty.set_content(tr("Loading…"))
        elif self.bar.is_empty:
            self.empty.set_content(
                tr("No changes yet"),
                tr("Every change is listed here once it is saved: when, which record, and how it ended."),
                tr("You can undo it here, even weeks later."),
            )
        else:
            all_ = self.reading.total
            what = tr("None of {n} changes matches.", "", all_, one="The one change does not match.") if all_ else ""
            self.empty.set_content(tr("No matching change"), what, primary=self.clear)

    def _remember(self) -> None:
        self._kept = [line.id for line in self._selected()]

    def _come_back(self) -> None:
        """Select the same rows again, if they still match."""
        rows = [row for row in map(self.model.row_of, self._kept) if row >= 0]
        if rows:
            self.view.setCurrentIndex(self.model.index(rows[0], RECORD))

    # -- what a person does

    def _selected(self) -> list[PastLine]:
        return [self.model.line(row) for row in self._selected_rows()]

    def _with(self, action: str) -> list[PastLine]:
        return [line for line in self._selected() if action in line.actions]

    def _update_actions(self) -> None:
        lines = self._selected()
        for action, name in ((self.undo, "undo"), (self.retry, "retry"), (self.discard, "discard")):
            action.setEnabled(bool(self._with(name)))
        if not self.undo.isEnabled():
            self.undo.setEnabled(bool(self._let_go(lines)))
        alone = lines[0] if len(lines) == 1 and lines[0].count == 1 else None
        self.raw.setEnabled(alone is not None and alone.raw is not None)
        self.go.setEnabled(alone is not None)
        self.edit.setEnabled(alone is not None and "edit" in alone.actions)

    def _let_go(self, lines: list[PastLine]) -> dict[str, list[int]]:
        """Of single discarded rows those that can be brought back, by the decision that let them go."""
        gone = [line.id for line in lines if line.count == 1 and line.states[0][0] is ChangeState.DISCARDED]
        decided = self._desk.outbox.decided() if gone else {}
        found: dict[str, list[int]] = {}
        for id_ in gone:
            if id_ in decided:
                found.setdefault(decided[id_], []).append(id_)
        return found

    def _undo(self) -> None:
        """Undo the selection: whole batches where their row is selected, else single rows, one undo for each batch;
        discarded changes are restored."""
        for decision, ids in self._let_go(self._selected()).items():
            self._edits.revert(decision, tuple(ids))
        lines = self._with("undo")
        whole = {line.batch: line.count for line in lines if line.count > 1}
        single: dict[str, list[int]] = {}
        for line in lines:
            if line.batch not in whole:
                single.setdefault(line.batch, []).append(line.id)
        for batch, count in whole.items():
            self._edits.revert(batch, count=count)
        for batch, ids in single.items():
            self._edits.revert(batch, tuple(ids))

    def _ids(self, action: str) -> tuple[int, ...]:
        """The open changes that are meant: of a batch those that the desk knows."""
        lines = self._with(action)
        batches = {line.batch for line in lines if line.count > 1}
        ids = {line.id for line in lines if line.count == 1}
        for change in self._desk.outbox.of_batches(batches):
            if action == "discard" or change.needs_person:
                ids.add(change.id)
        return tuple(sorted(ids))

    def _retry(self) -> None:
        ids = self._ids("retry")
        if ids:
            self._shop.submit(Retry(ids))

    def _discard(self) -> None:
        ids = self._ids("discard")
        if ids:
            open_discard(self.window(), len(ids), lambda: self._edits.discard(ids))

    def _raw(self) -> None:
        lines = self._selected()
        if len(lines) == 1 and lines[0].raw is not None:
            open_raw(self.window(), self.model.sentence(lines[0]), plain_lines(lines[0].raw))

    def _go(self) -> None:
        lines = self._selected()
        if len(lines) == 1 and lines[0].count == 1:
            self._open_record(lines[0].ref)

    def _edit(self) -> None:
        """To the record, and into it."""
        self._go()
        self._mend()

    def _open(self) -> None:
        rows = selected_rows(self.view)
        if len(rows) == 1 and not self._toggle(rows[0]):
            self._go()

    def _toggle(self, row: int) -> bool:
        """Show the rows of a batch, or hide them; whether it is one."""
        if row >= self.model.rowCount() or self.model.line(row).count == 1:
            return False
        if self.model.is_open(row):
            self.model.close(row)
        else:
            self.reading.open(self.model.line(row))
        return True

    def _clicked(self, index: QModelIndex) -> None:
        if index.column() == RECORD:
            self._toggle(index.row())

    def _to_rows(self) -> None:
        """When the rows have been read: a fast typist is ahead of them."""
        self._rows_wanted = self.reading.is_reading
        if self._rows_wanted or not self.model.rowCount():
            return
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)
        if not self.view.currentIndex().isValid():
            self.view.setCurrentIndex(self.model.index(0, RECORD))  # selectRow does nothing from right to left

    def _escape(self) -> None:
        if self.bar.is_empty:
            self.view.clearSelection()
        else:
            self.bar.clear()
