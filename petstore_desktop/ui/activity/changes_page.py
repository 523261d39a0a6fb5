"""Everything that was done, open and over, the newest first: looked up, taken back, sent again, exported."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from petstore_desktop.domain.changes import ChangeState
from petstore_desktop.domain.commands import Retry
from petstore_desktop.ui.activity.changes_bar import ChangesBar
from petstore_desktop.ui.activity.changes_export import ChangesExport
from petstore_desktop.ui.activity.changes_model import CHANGE, GUTTER, RECORD, STATE, TIME, WHAT, ChangesModel
from petstore_desktop.ui.activity.changes_reading import ChangesReading
from petstore_desktop.ui.activity.list_page import ListPage
from petstore_desktop.ui.bars.page_action import page_action
from petstore_desktop.ui.base.building import timer
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.cells.cell_paint import needed_width
from petstore_desktop.ui.grid.scroll_anchor import KeepPlace
from petstore_desktop.ui.grid.selection import selected_rows
from petstore_desktop.ui.questions.confirm import open_discard
from petstore_desktop.ui.questions.raw_answer import open_raw
from petstore_desktop.ui.text.changes.history import counts_words
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.translate import plain_lines, tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QModelIndex

    from petstore_desktop.desk.changes.history_lines import PastLine
    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.domain.records import Ref
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.context.edits import Edits
    from petstore_desktop.ui.context.message import Say


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
