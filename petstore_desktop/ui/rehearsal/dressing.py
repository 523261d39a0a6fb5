"""Makes a window show that it is a rehearsal: the bar with the scene and its clock, the frame, and the question at the
end."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from petstore_desktop.ui.base.building import timer
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.rehearsal.rehearsal_bar import FRAME, Framing, RehearsalBar, frame
from petstore_desktop.ui.rehearsal.rehearsal_texts import bar_words, clock_words
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.dialogs import Dialog, show

if TYPE_CHECKING:
    from petstore_desktop.desk.model.ripple import Changed
    from petstore_desktop.desk.rehearsal.scenes import RehearsalPlan
    from petstore_desktop.ui.window.main_window import MainWindow

_TICK_MS = 1_000


class Rehearsing(QObject):
    """The rehearsal of the shop of this name in a window. `began`: when the scene began (monotonic seconds), None
    before."""

    def __init__(self, window: MainWindow, shop: str, plan: RehearsalPlan, began: Callable[[], float | None]) -> None:
        super().__init__(window)
        self._window, self._began = window, began
        self._shop = isolate(plain(shop))
        self.acted = False
        """Something was done here."""
        self.bar = RehearsalBar(bar_words(plan))
        self.bar.keep.hide()
        self.bar.endWanted.connect(window.close)
        window.place_above_tabs(self.bar, FRAME)
        window.setWindowTitle(tr("Rehearsal of {shop} — Pet Store", shop=plain(shop)))
        self._framing = Framing(self)
        frame(window)
        window.ask_at_close = self.may_close
        window.parts.moved.connect(self._note)
        self._ticks = timer(self, _TICK_MS, self._tick)
        self._ticks.start()
        self._tick()
        QTimer.singleShot(_TICK_MS, self, self.bar.tell)

    def _note(self, moved: Changed) -> None:
        self.acted = self.acted or bool(moved.saved)

    def _tick(self) -> None:
        self._framing.look()
        began = self._began()
        self.bar.clock.set_text(clock_words(None if began is None else time.monotonic() - began))

    def may_close(self) -> bool:
        """Whether the window may close now: with changes a person is asked once."""
        if not self.acted and not self._window.parts.edits.unsaved:
            return True
        show(EndDialog(self._throw_away, self._window))
        return False

    def _throw_away(self) -> None:
        self._window.close_now = True
        self._window.close()


class EndDialog(Dialog):
    """Throw away what was done, or go on rehearsing."""

    def __init__(self, throw_away: Callable[[], None], parent: QWidget | None = None) -> None:
        words = tr("What you did here is thrown away. Nothing of it has reached the shop.")
        super().__init__(tr("End the rehearsal?"), words, parent, name="endRehearsalDialog", width=460)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.set_cancel()
        self.set_primary(tr("Throw away"))
        self.accepted.connect(throw_away)
