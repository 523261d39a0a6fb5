"""The details pane beside a list: its contents and links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtWidgets import QApplication, QWidget

from petstore_desktop.desk.changes.change_lines import ChangeLine
from petstore_desktop.desk.changes.history_lines import History, HistoryLine, HistoryRead, history_of
from petstore_desktop.desk.values.cells import Rows
from petstore_desktop.domain.commands import ReadHistory, Retry
from petstore_desktop.domain.quota import GatePhase
from petstore_desktop.domain.records import Ref, Resource, key_to_text
from petstore_desktop.ui.base.building import in_row, named, timer
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.context.actions import ROW_MENUS
from petstore_desktop.ui.context.navigation import ListTarget, Navigation
from petstore_desktop.ui.context.tab_specs import TabSpec
from petstore_desktop.ui.details.details import LIVE_S, fill, sentence_text
from petstore_desktop.ui.details.details_pane import ChangeEntry, DetailsPane
from petstore_desktop.ui.details.stock_history import StockHistory
from petstore_desktop.ui.questions.confirm import open_discard
from petstore_desktop.ui.questions.raw_answer import open_raw
from petstore_desktop.ui.text.cell_text import step_texts
from petstore_desktop.ui.text.changes.history import kind_words, other_words, past_sentence, source_note, step_words
from petstore_desktop.ui.text.translate import plain_lines, tr
from petstore_desktop.ui.widgets.button import open_below

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QAction, QShowEvent

    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.context.action_set import ActionSet
    from petstore_desktop.ui.context.edits import Edits

_STAYS_MS = 150
"""Milliseconds on a record until its history is read: not for each row that the keyboard passes."""
FEW = 5
"""How many lines are shown at first."""


class RecordHistory(QObject):
    """Fills the history of a details pane. `open_changes` shows a record's changes among all others."""

    def __init__(self, shop: LiveShop, open_changes: Callable[[str], None], parent: QObject) -> None:
        super().__init__(parent)
        self._shop, self._open_changes = shop, open_changes
        self._pane: DetailsPane | None = None
        self._ref: Ref | None = None
        self._answer: HistoryRead | None = None
        self._read: History | None = None
        self._all = False
        self._jump = False
        self._soon = timer(self, _STAYS_MS, self._ask, once=True)
        self._stock = StockHistory(shop, self)

    def show(self, pane: DetailsPane, ref: Ref) -> None:
        """The pane has been rebuilt for this record."""
        if self._pane is None:
            pane.historyWanted.connect(self._more)
        self._pane = pane
        if ref != self._ref:
            self._ref, self._answer, self._all, self._jump = ref, None, False, False
            self._stock.clear(pane)
        self._read = self._of(self._answer)  # what is shown as a change is no past yet
        self._fill()
        self._soon.start()

    def jump(self) -> None:
        """A person asks for the history: all that is known of it, with the keyboard in it."""
        self._all = self._jump = True
        self._soon.stop()
        self._ask()

    def came_back(self) -> None:
        """The pane is shown again: while it was hidden nothing was asked."""
        if self._ref is not None:
            self._soon.start()

    def on_changed(self, moved: Changed) -> None:
        """After each turn of the bridge."""
        desk = self._shop.desk
        for answer in moved.past:
            if isinstance(answer, HistoryRead) and self._ref is not None and desk.resolve(answer.ref) == self._ref:
                self._answer = answer
                read = self._of(answer)
                if read != self._read or self._jump:  # else its link keeps the focus
                    self._read = read
                    self._fill()
        if self._ref is not None and (moved.batches or self._has_moved(moved)):
            self._soon.start()

    def _has_moved(self, moved: Changed) -> bool:
        """Whether an answer showed this record, or its stock, in another way."""
        ref = self._ref
        if ref is None:
            return False
        return any(ref.key in moved.rows.get(kind, ()) for kind in (ref.resource, Resource.INVENTORY))

    def _of(self, answer: HistoryRead | None) -> History | None:
        if answer is None or self._ref is None:
            return None
        return history_of(self._shop.desk.shop, self._ref, answer.entries, answer.observed)

    def _ask(self) -> None:
        if self._ref is not None and self._pane is not None and self._pane.isVisible():
            self._shop.submit(ReadHistory(self._ref))
            self._stock.ask(self._pane, self._ref)

    def _fill(self) -> None:
        if self._pane is None:
            return
        lines = () if self._read is None else self._read.lines
        shown = lines if self._all else lines[:FEW]
        entries = [self._entry(line) for line in shown]
        if self._all and self._read is not None and not entries:
            words = tr("No change of this record is known, neither yours nor anybody else’s.")
            entries = [ChangeEntry(None, tr("No history"), "", "", words, icon=("info", ""))]
        left = len(lines) - len(shown)
        self._pane.set_history(entries, tr("{n} more", "", left) if left else tr("All in Activity"))
        if self._jump and self._read is not None:
            self._jump = False
            self._pane.show_history()

    def _entry(self, line: HistoryLine) -> ChangeEntry:
        resource = Resource.INVENTORY if line.step.field == "stock" else self._resource()
        now = self._shop.desk.now()
        if line.sentence is None:
            said, icon = other_words(line, now), ("as-of", tr("changed by somebody else"))
        else:
            said, icon = past_sentence(line.sentence, now, None), ("close", tr("discarded"))
            if made := source_note(line.source):
                said = tr("{sentence} {source}", sentence=said, source=made)
        acts = line.step.field in ("create", "delete")
        before, after = ("", "") if acts else step_texts(line.step.before, line.step.after)
        what = kind_words(line.kind, step_words(resource, line.step.field))
        return ChangeEntry(line.mark, what, before, after, said, icon=icon)

    def _resource(self) -> Resource:
        return Resource.PETS if self._ref is None else self._ref.resource

    def _more(self) -> None:
        """The rest of it here, or, where all is here, its changes among all others."""
        lines = () if self._read is None else self._read.lines
        if self._all or len(lines) <= FEW:
            key = "" if self._ref is None or not isinstance(self._ref.key, int | str) else key_to_text(self._ref.key)
            self._open_changes(f"#{key}" if key else "")
            return
        self._all = True
        self._fill()


_NARROW_BELOW = 1100
_MOST = 0.37
"""Large text makes the pane wider up to this share of the window: it wraps, and the list needs the rest."""
_FOLLOWS_MS = 40
"""Milliseconds after which the details follow the keyboard."""


class DetailsSide(QWidget):
    """Shows one record; opens and closes.

    Signals:
        closed: object: the close button was used.
        keyboardLeft: the link that had the keyboard is gone.
    """

    closed = Signal(object)
    keyboardLeft = Signal()

    def __init__(
        self,
        spec: TabSpec,
        shop: LiveShop,
        edits: Edits,
        actions: ActionSet,
        navigation: Navigation,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._spec, self._shop, self._edits, self._actions, self._navigation = spec, shop, edits, actions, navigation
        self.ref: Ref | None = None
        self._next: Ref | None = None
        self._shown: object = None
        self._live = False
        self.history = RecordHistory(shop, navigation.open_changes, self)
        self.pane = DetailsPane(self)
        in_row(self, (self.pane, 1))
        more = named(self.pane.add_title_button("more", tr("More actions")), "moreButton")
        more.clicked.connect(lambda: self._open_more(more))
        self.pane.closeRequested.connect(lambda: self.closed.emit(None))
        self.pane.liveRequested.connect(actions["checkLive"].trigger)
        self.pane.copyRequested.connect(actions["copySentence"].trigger)
        self.pane.linkActivated.connect(self._link)
        self.pane.changeAction.connect(self._change_action)
        self._soon = timer(self, _FOLLOWS_MS, self._follow, once=True)
        self.hide()

    def set_open(self, wanted: bool) -> None:
        """Open or close; narrower in a small window."""
        if wanted:
            window, theme = self.window().width(), current()
            pane = self._spec.narrow_pane if window < theme.scaled(_NARROW_BELOW) else self._spec.pane
            self.setFixedWidth(min(theme.scaled(pane), max(pane, round(_MOST * window))))
        self.setVisible(wanted)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.history.came_back()

    def follow(self, ref: Ref, walks: bool = False) -> None:
        """Show a record soon, if the keyboard `walks` to it: other changes are shown first, and walking
        on is not held up by each."""
        if not self.isVisible() or not (walks or self._soon.isActive()):
            self.show_ref(ref)
            return
        self._next = ref
        if not self._soon.isActive():
            self._soon.start()

    def _follow(self) -> None:
        if self._next is not None:
            self.show_ref(self._next)

    def show_ref(self, ref: Ref) -> None:
        """Show a record as the desk has it now."""
        self._soon.stop()
        desk = self._shop.desk
        self.ref = ref
        details = desk.details(ref)
        if details is None:
            return
        blocked, now = desk.send_block(), self._shop.desk.now()
        answering = desk.connection_state().word == "live" and desk.gate.phase is GatePhase.OPEN
        live = answering and details.seen_at is not None and now - details.seen_at < LIVE_S
        stopped = None if blocked is None else (blocked.cause, blocked.until and blocked.until // 60)
        if (details, stopped, live) == self._shown:
            return  # the widgets keep their focus while nothing moves
        self._shown, self._live = (details, stopped, live), live
        held = self.has_keyboard()
        fill(self.pane, details, blocked, now, self._buttons(), live)
        self.history.show(self.pane, ref)
        if held and not self.has_keyboard():
            self.keyboardLeft.emit()

    def tick(self) -> None:
        """Show an age again in place of "live" once that was long ago; the next record, if one is about to follow, is
        shown anyway."""
        if self._live and self.ref is not None and self.isVisible() and not self._soon.isActive():
            self.show_ref(self.ref)

    def has_keyboard(self) -> bool:
        """Whether the keyboard is in it."""
        focused = QApplication.focusWidget()
        return focused is not None and self.isAncestorOf(focused)

    def _buttons(self) -> list[QAction]:
        if self._spec.resource is not Resource.ORDERS:
            return []
        return [self._actions["completeOrder"], self._actions["cancelOrder"]]

    def _open_more(self, button: QWidget) -> None:
        menu = self._actions.menu_of(ROW_MENUS[self._spec.resource], self)
        open_below(button, menu)

    def _link(self, target: object) -> None:
        if isinstance(target, Ref):
            self._navigation.open(target)
        elif isinstance(target, Rows):
            self._navigation.open_list(ListTarget(target.resource, target.text))

    def _change_action(self, line: object, key: str) -> None:
        if not isinstance(line, ChangeLine):
            return
        if key == "discard":
            ids = (line.change.id,)
            open_discard(self.window(), len(ids), lambda: self._edits.discard(ids))
        elif key == "review":
            self._actions["showReview"].trigger()
        elif key == "retry":
            self._shop.submit(Retry((line.change.id,)))
        elif key == "raw" and line.change.raw is not None:
            said = sentence_text(line.sentence, self._shop.desk.now(), self._shop.desk.send_block())
            open_raw(self.window(), said, plain_lines(line.change.raw))
        elif key == "edit":
            self._actions.mend()

    def sizeHint(self) -> QSize:
        return QSize(current().scaled(self._spec.pane), 400)
