"""Makes a window show that it is a rehearsal: the bar with the scene and its clock, the frame, and the question at the
end."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from petstore_desktop.clock import unique
from petstore_desktop.desk.changes.history_lines import ChangesRead
from petstore_desktop.desk.rehearsal.kept import KeptChanges, kept_of
from petstore_desktop.domain.batches import ChangeFilter
from petstore_desktop.domain.commands import ReadChanges
from petstore_desktop.ui.base.building import named, timer
from petstore_desktop.ui.base.theme import plain
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.rehearsal.rehearsal_bar import FRAME, Framing, RehearsalBar, frame
from petstore_desktop.ui.rehearsal.rehearsal_texts import bar_words, clock_words, left_out_words
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.dialogs import Dialog, show
from petstore_desktop.ui.widgets.labels import set_tip

if TYPE_CHECKING:
    from petstore_desktop.desk.model.ripple import Changed
    from petstore_desktop.desk.rehearsal.scenes import RehearsalPlan
    from petstore_desktop.domain.errors import ShopError
    from petstore_desktop.domain.records import Ref
    from petstore_desktop.ui.window.main_window import MainWindow

_TICK_MS = 1_000
_MOST = 1_000_000
"""Changes: all there are."""


class RehearsedData(Protocol):
    """What the rehearsal was made with; see `session.rehearsal_folder.Rehearsed`."""

    @property
    def shop(self) -> str: ...
    @property
    def plan(self) -> RehearsalPlan: ...
    @property
    def slashed(self) -> int: ...
    @property
    def text_ids(self) -> bool: ...


class RehearsedDemo(Protocol):
    """The demo shop: when its scene began (monotonic seconds), None before; whether it has stopped by itself; which
    records it had from the beginning."""

    @property
    def began_at(self) -> float | None: ...
    @property
    def ended(self) -> bool: ...
    def was_there(self, ref: Ref) -> bool: ...


class Rehearsing(QObject):
    """The rehearsal in a window. `keep` hands changes to the shop, and says why that was not possible."""

    def __init__(
        self,
        window: MainWindow,
        made: RehearsedData,
        shop: RehearsedDemo,
        keep: Callable[[KeptChanges], ShopError | None],
    ) -> None:
        super().__init__(window)
        self._window, self._demo = window, shop
        self.acted = False
        """Something was done here."""
        self.bar = RehearsalBar(bar_words(made.plan))
        self._keep, self._token = keep, ""
        self.bar.keepWanted.connect(self.keep)
        self.bar.endWanted.connect(window.close)
        window.place_above_tabs(self.bar, FRAME)
        window.setWindowTitle(tr("Rehearsal of {shop} — Pet Store Desktop", shop=plain(made.shop)))
        self._framing = Framing(self)
        frame(window)
        window.ask_at_close = self.may_close
        window.parts.moved.connect(self._note)
        self._ticks = timer(self, _TICK_MS, self._tick)
        self._ticks.start()
        self._tick()
        QTimer.singleShot(_TICK_MS, self, self.bar.tell)
        notes = left_out_words(made.slashed, made.text_ids)
        if notes:
            set_tip(self.bar.words, notes)
            QTimer.singleShot(2 * _TICK_MS, self, lambda: window.parts.say(Message(notes, "warning")))

    def _note(self, moved: Changed) -> None:
        self.acted = self.acted or bool(moved.saved)
        for event in moved.past:
            if isinstance(event, ChangesRead) and event.token == self._token:
                self._token = ""
                self._hand_over(event)

    def keep(self) -> None:
        """Read what was done, to hand it to the shop."""
        self._window.parts.edits.settle()
        self._token = unique()
        self._window.shop.submit(ReadChanges(self._token, ChangeFilter(), limit=_MOST, apart=True))

    def _hand_over(self, read: ChangesRead) -> None:
        kept = kept_of(reversed(read.lines), self._demo.was_there)
        trouble = read.error
        if trouble is None and not kept.changes:
            self._window.parts.say(Message(tr("There is nothing to keep: no change was made that went well."), "info"))
            return
        trouble = trouble or self._keep(kept)
        if trouble is not None:
            self._window.parts.say(Message(error_words(trouble).sentence, "warning"))
            return
        self._throw_away()

    def _tick(self) -> None:
        self._framing.look()
        began = self._demo.began_at
        seconds = None if began is None else time.monotonic() - began
        stopped = tr("The rehearsal’s shop has stopped") if self._demo.ended else ""
        self.bar.clock.set_text(stopped or clock_words(seconds))

    def leave(self) -> None:
        """Take bar and frame off again."""
        self._ticks.stop()
        self._framing.leave()
        self._window.ask_at_close = None
        self._window.place_above_tabs(self.bar, 0)
        self.bar.hide()

    def may_close(self) -> bool:
        """Whether the window may close now: with changes a person is asked once."""
        if not self.acted and not self._window.parts.edits.unsaved:
            return True
        show(EndDialog(self._throw_away, self.keep, self._window))
        return False

    def _throw_away(self) -> None:
        self._window.close_now = True
        self._window.close()


class EndDialog(Dialog):
    """Keep what was done, throw it away, or go on rehearsing."""

    def __init__(
        self, throw_away: Callable[[], object], keep: Callable[[], object], parent: QWidget | None = None
    ) -> None:
        words = tr("What you did here is thrown away. Nothing of it has reached the shop.")
        super().__init__(tr("End the rehearsal?"), words, parent, name="endRehearsalDialog", width=460)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.set_cancel()
        away = named(self.add_button(tr("Throw away")), "throwAwayButton")
        away.clicked.connect(self.reject)
        away.clicked.connect(throw_away)
        self.set_primary(tr("Keep these changes…"))  # Enter throws nothing away
        self.accepted.connect(keep)
