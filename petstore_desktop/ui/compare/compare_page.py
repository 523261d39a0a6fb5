"""The page that compares two days: what differs between two moments, in groups, for 0 requests."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QStackedWidget, QWidget
from shiboken6 import isValid

from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.seen_changes import SeenChange, Span, What
from petstore_desktop.ui.bars.tool_bar import page_action
from petstore_desktop.ui.base.building import in_column, in_row, named, on_click, timer
from petstore_desktop.ui.base.sliced_work import SlicedWork
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.compare.compare_export import ComparePrintDialog, cells_of, copy_rows, titles
from petstore_desktop.ui.compare.compare_model import CompareModel, CompareRow
from petstore_desktop.ui.compare.compare_texts import (
    file_title,
    full_name,
    none_fits_words,
    note_words,
    nothing_words,
    said_moment,
)
from petstore_desktop.ui.compare.compare_view import CompareView
from petstore_desktop.ui.compare.moment_range import DAY_S, MomentRange, Moments
from petstore_desktop.ui.context.message import Message, Say
from petstore_desktop.ui.context.tab_specs import HostedPage
from petstore_desktop.ui.paper.printed_list import CsvSaving
from petstore_desktop.ui.text.changes.seen import untold_words
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.translate import sentences, tr
from petstore_desktop.ui.widgets.button import Button, fit_buttons
from petstore_desktop.ui.widgets.dialogs import show
from petstore_desktop.ui.widgets.empty_state import EmptyState
from petstore_desktop.ui.widgets.fields import SearchField
from petstore_desktop.ui.widgets.labels import PlainLabel, announce

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QResizeEvent

    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.desk.past import SeenKind
    from petstore_desktop.domain.records import Ref, Resource
    from petstore_desktop.shop.live_shop import LiveShop

_LOADING_MS = 150
"""Milliseconds of waiting after which the page says that it reads."""
_TYPING_MS = 120
_TURN_S = 0.012


def _is_own(event: QKeyEvent) -> bool:
    return event.matches(QKeySequence.StandardKey.Copy) or event.matches(QKeySequence.StandardKey.Find)


class ComparePage(HostedPage):
    """Compares two moments of one shop. `open_record` goes to a record; `left_at`: when the person was last here."""

    def __init__(
        self,
        shop: LiveShop,
        tell: Say,
        open_record: Callable[[Ref], object],
        left_at: Callable[[], float | None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        named(self, "comparePage", tr("Compare two days"))
        self._shop, self._tell, self._open_record, self._left_at = shop, tell, open_record, left_at
        self._span: Span | None = None
        self._asked = 0
        """How many comparisons were begun; an answer to an earlier one counts no more."""
        self.range = MomentRange(shop.desk.now, left_at, self)
        self.model = CompareModel(shop.desk.shop, self)
        self.view = named(CompareView(self.model, self), "compareView", tr("Changes between the two moments"))
        self.empty = EmptyState(self)
        self.totals = named(PlainLabel("", "text", 17, 500, wrap=True), "compareTotals")
        self.note = PlainLabel(note_words(), "muted", 12, wrap=True)
        self.mend = page_action(self, "compareMend", "", "", lambda: self._mended())
        self._mended: Callable[[], object] = lambda: None
        self._loading = timer(self, _LOADING_MS, self._say_loading, once=True)
        self._filter_soon = timer(self, _TYPING_MS, lambda: self.model.set_filter(self.filter.text()), once=True)
        self._gathering = SlicedWork[list[list[object]]](self, _TURN_S, lambda rows: self._gathered(rows))
        self.saving: CsvSaving | None = None
        self._gathered: Callable[[list[list[object]]], object] = lambda _: None
        self.setMinimumWidth(1)  # else the buttons' words would keep it from becoming so narrow that they lose them
        self._build_head()
        self._lay_out()
        self._connect()

    def _build_head(self) -> None:
        words = tr("Filter: name, id, field, here or elsewhere")
        self.filter = named(SearchField(tr("Filter"), "", self), "compareFilter", words)
        self.filter.setMaximumWidth(current().scaled(200))
        copy = Button(tr("Copy"), "quiet", "copy", "Ctrl+C", parent=self)
        self.copy_button = on_click(copy, self.copy, "compareCopy")
        self.save_button = on_click(Button(tr("Save as CSV"), "quiet", "export", parent=self), self.save, "compareSave")
        self.print_button = on_click(Button(tr("Print"), "quiet", "print", parent=self), self.print, "comparePrint")
        close = Button(tr("Close"), "icon", "close", "Esc", parent=self)
        self.close_button = on_click(close, self.closed, "compareClose")

    def _lay_out(self) -> None:
        self.stack = QStackedWidget(self)
        self.stack.addWidget(self.view)
        self.stack.addWidget(self.empty)
        self._title = PlainLabel(tr("Compare two days"), "text", 15, 600)
        buttons = (self.copy_button, self.save_button, self.print_button, self.close_button)
        head = in_row(None, self._title, "stretch", (self.filter, 1), *buttons, margins=(16, 9, 10, 9), spacing=6)
        words = in_column(None, self.totals, 6, self.note, margins=(16, 18, 16, 10))
        ranges = in_row(None, (self.range, 1), margins=(16, 4, 16, 0))
        in_column(self, head, ranges, words, (self.stack, 1))

    def _connect(self) -> None:
        self.range.chosen.connect(self.compare)
        self.filter.searched.connect(self._filter_soon.start)
        self.model.filtered.connect(self._show_found)
        self.filter.returnPressed.connect(self.focus_list)
        self.view.escaped.connect(self._escape)
        self.view.rowOpened.connect(self._open)
        self.view.foldWanted.connect(self._turn)
        self.view.copyWanted.connect(self.copy)

    # -- comparing

    def begin(self, given: object) -> None:
        """Compare two moments (UTC epoch seconds); None: from when the person left to the present."""
        self.start(*(cast("tuple[float, float] | None", given) or (None, None)))

    def left(self) -> object:
        """The moments that are chosen."""
        chosen = self.range.moments()
        return chosen.then, chosen.now

    def start(self, then: float | None = None, now: float | None = None) -> None:
        """Compare these moments (UTC epoch seconds); without them from when the person left, or the last day, to the
        present."""
        present = self._shop.desk.now()
        first = self._left_at() if then is None else then
        self._span = None
        self.range.update_ranges()
        self.range.use(Moments(present - DAY_S if first is None else first, present if now is None else now))

    def compare(self) -> None:
        """Ask the history for what differs between the chosen moments."""
        self._asked += 1
        self._loading.start()
        self._shop.past.span(partial(self._spanned, self._asked))

    def _spanned(self, asked: int, span: Span | ShopError) -> None:
        if not isValid(self) or asked != self._asked:
            return
        if isinstance(span, ShopError):
            self._fail(span)
            return
        self._span = span
        moments = self.range.moments()
        problem = moments.problem(span, self._shop.desk.now())
        if problem:
            self._refuse(problem, moments, span)
            return
        then = moments.then if span.first is None else max(moments.then, span.first)
        self._shop.past.changes_between(then, moments.now, partial(self._compared, asked))

    def _compared(self, asked: int, changes: Sequence[SeenChange] | ShopError) -> None:
        if not isValid(self) or asked != self._asked:
            return
        if isinstance(changes, ShopError):
            self._fail(changes)
            return
        self.model.start(changes, self._shop.desk.now())

    def _show_found(self) -> None:
        """Show the rows, or say that there are none."""
        self._loading.stop()
        moments, here = self.range.moments(), self._shop.desk.now()
        found = self.model.rowCount() > 0
        if found:
            self.totals.set_text(self.model.totals())
            self.note.set_text(sentences(untold_words(self._untold()), note_words()))
            self.stack.setCurrentWidget(self.view)
        elif self.model.total:
            self._say(tr("No matching change"), none_fits_words(self.model.total))
            self._offer(tr("Show all changes"), lambda: self.filter.setText(""))
        else:
            untold = self._untold()
            self._say(nothing_words(moments.then, moments.now, here, untold), untold_words(untold))
        self._allow(found=found)

    def _untold(self) -> frozenset[Resource]:
        """The lists of which it is not known what changed in them."""
        return frozenset() if self._span is None else self._shop.desk.untold(self._span)

    def _allow(self, *, found: bool) -> None:
        for button in (self.copy_button, self.save_button, self.print_button):
            button.setEnabled(found)
        self.totals.setVisible(found)
        self.note.setVisible(found)

    # -- what stands in the place of rows

    def _say(self, title: str, what: str = "", why: str = "") -> None:
        self._loading.stop()
        self.empty.set_content(title, what, why)
        self.stack.setCurrentWidget(self.empty)
        self._allow(found=False)
        announce(self, title)

    def _offer(self, words: str, do: Callable[[], object]) -> None:
        """A button below what was said last."""
        self.mend.setText(words.replace("&", "&&"))
        self._mended = do
        title, what = self.empty.accessibleName(), self.empty.accessibleDescription()
        self.empty.set_content(title, what, primary=self.mend)

    def _say_loading(self) -> None:
        self._say(tr("Loading…"))

    def _fail(self, error: ShopError) -> None:
        words = error_words(error)
        safe = tr("Only the history is affected; nothing else is.")
        self._say(tr("The history cannot be read"), words.sentence, safe)

    def _refuse(self, problem: str, moments: Moments, span: Span) -> None:
        present = self._shop.desk.now()
        first = present if span.first is None else span.first
        if problem == "no-history":
            words = tr("The history begins with the first complete reading of the shop. Come back after it.")
            self._say(tr("There is no history yet"), words)
        elif problem == "swapped":
            self._say(tr("The first moment is after the second one"), tr("Nothing can change backwards."))
            self._offer(tr("Swap them"), partial(self.range.use, Moments(moments.now, moments.then)))
        elif problem == "future":
            self._say(tr("That has not happened yet"), tr("The second moment can be the present one at most."))
            then = moments.then if moments.then < present else present - DAY_S
            self._offer(tr("Compare up to now"), partial(self.range.use, Moments(then, present)))
        else:
            since = said_moment(first, present)
            words = tr("This computer first read the whole shop on {time}; nothing is known from before.", time=since)
            self._say(tr("The history does not go back so far"), words)
            self._offer(tr("Compare from {time}", time=since), partial(self.range.use, Moments(first, moments.now)))

    # -- what a person does

    def focus_list(self) -> None:
        """Give the keyboard to the rows; where there are none, to the first field."""
        if self.stack.currentWidget() is not self.view:
            self.range.first.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        if not self.view.currentIndex().isValid():
            self.view.go_to_row(0)
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _open(self, row: CompareRow) -> None:
        if row.kind == "header":
            self._fold(row, folded=not self.model.grouped.is_folded(row.group.kind))
        elif row.kind == "more":
            at = self.view.currentIndex().row()
            self.model.show_whole(row)
            self.view.go_to_row(at)
        elif row.change.what is What.GONE:
            name = full_name(self._shop.desk.shop, row.change)
            self._tell(Message(tr("{record} is no longer there", record=name), "info"))
        else:
            self._open_record(row.change.ref)

    def desk_changed(self, moved: Changed) -> None:
        """Records may have other names now; what differs between two moments stays."""
        if moved.rows:
            self.model.repaint()

    def _turn(self, wanted: tuple[CompareRow, bool]) -> None:
        self._fold(*wanted)

    def _fold(self, row: CompareRow, folded: bool) -> None:
        self.model.set_folded(row, folded=folded)
        self.view.go_to_row(max(0, self.model.grouped.row_of(row)))

    def _listed(self) -> list[tuple[SeenKind, SeenChange]]:
        """All changes that the filter leaves, those that are folded too."""
        return [(group.kind, change) for group in self.model.grouped.groups for change in group.changes]

    def _gather(self, changes: list[tuple[SeenKind, SeenChange]], done: Callable[[list[list[object]]], object]) -> None:
        """Work out the rows of these changes for another program; a short list is done at once."""
        self._gathered = done
        self._gathering.begin(cells_of(self._shop.desk.shop, changes))
        self._gathering.go_on()

    def copy(self) -> None:
        """Copy the selected changes, where several are selected, else all that the filter leaves."""
        chosen = [(row.group.kind, row.change) for row in self.view.chosen()]
        self._gather(chosen if len(chosen) > 1 else self._listed(), self._copied)

    def _copied(self, rows: list[list[object]]) -> None:
        copy_rows(rows)
        self._tell(Message(tr("{n} rows copied", "", len(rows), one="{n} row copied"), "copy"))

    def save(self) -> None:
        """Save all changes that the filter leaves as CSV."""
        self._gather(self._listed(), self._ask_file)

    def _ask_file(self, rows: list[list[object]]) -> None:
        moments = self.range.moments()
        self.saving = CsvSaving(self, self._shop, self._tell, titles(), rows)
        self.saving.ask(tr("Save as CSV"), file_title(moments.then, moments.now))

    def print(self) -> None:
        """Print all changes that the filter leaves."""
        changes, moments = self._listed(), self.range.moments()
        totals = sentences(self.model.totals(), untold_words(self._untold()))
        show(ComparePrintDialog(self._shop, self._tell, moments, changes, totals, self.window()))

    def _escape(self) -> None:
        if self.filter.text():
            self.filter.setText("")
        else:
            self.closed.emit()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride and _is_own(event):
            event.accept()  # else the window's actions would take it, which are for the lists
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not event.modifiers():
            self.closed.emit()
        elif event.matches(QKeySequence.StandardKey.Find):
            self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room the buttons of the head lose their key, then their words."""
        super().resizeEvent(event)
        buttons = (self.copy_button, self.save_button, self.print_button)
        room = (
            self.width() - current().advance(self._title.text(), 15, 600) - self.filter.minimumSizeHint().width() - 90
        )
        fit_buttons(buttons, room)
