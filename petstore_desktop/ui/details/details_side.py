"""The details pane beside a list: its contents and links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, QTimer, Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget

from petstore_desktop.desk.changes.change_lines import ChangeLine
from petstore_desktop.desk.values.cells import Rows
from petstore_desktop.domain.quota import GatePhase
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.context.actions import ROW_MENUS
from petstore_desktop.ui.context.tab_specs import TabSpec
from petstore_desktop.ui.details.details import LIVE_S, fill, sentence_text
from petstore_desktop.ui.details.details_pane import DetailsPane
from petstore_desktop.ui.details.record_history import RecordHistory
from petstore_desktop.ui.questions.confirm import open_discard
from petstore_desktop.ui.questions.raw_answer import open_raw
from petstore_desktop.ui.text.translate import plain_lines, tr

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from petstore_desktop.ui.context.window_context import WindowParts

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

    def __init__(self, spec: TabSpec, parts: WindowParts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spec, self._parts = spec, parts
        self.ref: Ref | None = None
        self._next: Ref | None = None
        self._shown: object = None
        self._live = False
        self.history = RecordHistory(parts, self)
        self.pane = DetailsPane(self)
        self.pane.setObjectName("detailsPane")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.pane, 1)
        more = self.pane.add_title_button("more", tr("More actions"))
        more.setObjectName("moreButton")
        more.clicked.connect(lambda: self._open_more(more))
        self.pane.closeRequested.connect(lambda: self.closed.emit(None))
        self.pane.liveRequested.connect(parts.actions["checkLive"].trigger)
        self.pane.linkActivated.connect(self._link)
        self.pane.changeAction.connect(self._change_action)
        self._soon = QTimer(self, interval=_FOLLOWS_MS, singleShot=True)
        self._soon.timeout.connect(self._follow)
        self.hide()

    def set_open(self, wanted: bool) -> None:
        """Open or close; narrower in a small window."""
        if wanted:
            window = self.window().width()
            pane = self._spec.narrow_pane if window < current().scaled(_NARROW_BELOW) else self._spec.pane
            self.setFixedWidth(min(current().scaled(pane), max(pane, round(_MOST * window))))
        self.setVisible(wanted)

    def follow(self, ref: Ref, walks: bool = False) -> None:
        """Show a record soon, if the keyboard `walks` to it: what it was told on the way is said first, and who walks
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
        desk = self._parts.shop.desk
        self.ref = ref
        details = desk.details(ref)
        if details is None:
            return
        halt, now = desk.halt(), self._parts.now()
        answering = desk.connection_state().word == "live" and desk.gate.phase is GatePhase.OPEN
        live = answering and details.seen_at is not None and now - details.seen_at < LIVE_S
        stopped = None if halt is None else (halt.cause, halt.until and halt.until // 60)
        if (details, stopped, live) == self._shown:
            return  # the widgets keep their focus while nothing moves
        self._shown, self._live = (details, stopped, live), live
        held = self._has_keyboard()
        fill(self.pane, details, halt, now, self._actions(), live)
        self.history.show(self.pane, ref)
        if held and not self._has_keyboard():
            self.keyboardLeft.emit()

    def tick(self) -> None:
        """Show an age again in place of "live" once that was long ago; the next record, if one is about to follow, is
        shown anyway."""
        if self._live and self.ref is not None and self.isVisible() and not self._soon.isActive():
            self.show_ref(self.ref)

    def _has_keyboard(self) -> bool:
        focused = QApplication.focusWidget()
        return focused is not None and self.isAncestorOf(focused)

    def _actions(self) -> list[QAction]:
        if self._spec.resource is not Resource.ORDERS:
            return []
        return [self._parts.actions["completeOrder"], self._parts.actions["cancelOrder"]]

    def _open_more(self, button: QWidget) -> None:
        menu = self._parts.actions.menu_of(ROW_MENUS[self._spec.resource], self)
        menu.popup(button.mapToGlobal(QPoint(0, button.height() + 2)))

    def _link(self, target: object) -> None:
        if isinstance(target, Ref):
            self._parts.navigation.open(target)
        elif isinstance(target, Rows):
            self._parts.navigation.open_list(target.resource, target.text)

    def _change_action(self, line: object, key: str) -> None:
        if not isinstance(line, ChangeLine):
            return
        if key == "discard":
            ids = line.change_ids
            open_discard(self.window(), len(ids), lambda: self._parts.discard(ids))
        elif key == "review":
            self._parts.actions["showReview"].trigger()
        elif key == "retry":
            self._parts.shop.retry(line.change_ids)
        elif key == "raw" and line.raw is not None:
            said = sentence_text(line.sentence, self._parts.now(), self._parts.shop.desk.halt())
            open_raw(self.window(), said, plain_lines(line.raw))
        elif key == "edit":
            self._parts.actions.mend()

    def sizeHint(self) -> QSize:
        return QSize(current().scaled(self._spec.pane), 400)
