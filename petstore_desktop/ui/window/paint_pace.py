"""Paints what changes by itself at most every 30 ms, so that a burst of changes is painted once."""

from __future__ import annotations

from math import ceil
from time import monotonic
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt

from petstore_desktop.ui.base.building import timer

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.ui.context.bridge import Bridge

PACE_S = 0.030
"""Seconds from one paint to the next one of what changes by itself."""
_Kind = QEvent.Type
_ACTS = frozenset(
    {
        *(_Kind.KeyPress, _Kind.KeyRelease, _Kind.ShortcutOverride, _Kind.InputMethod, _Kind.Shortcut),
        *(_Kind.MouseButtonPress, _Kind.MouseButtonRelease, _Kind.MouseButtonDblClick, _Kind.MouseMove, _Kind.Wheel),
        *(_Kind.TouchBegin, _Kind.TouchUpdate, _Kind.TouchEnd, _Kind.TabletPress, _Kind.TabletMove, _Kind.Drop),
        *(_Kind.Expose, _Kind.Resize, _Kind.Show, _Kind.FocusIn, _Kind.WindowActivate),
    }
)
"""Events by which a person changes what is shown."""


class PaintPace(QObject):
    """Holds the paints of a window back while what is to be painted was changed by nobody at it, but by what the bridge
    brought.

    Qt gathers the regions of all its widgets (rows, status line, details, tabs) until the window is asked to paint
    them: that request is what waits here. The first key or click of a person ends the waiting. Until then all events of
    the program pass here, but only while a paint is held back: whoever works pays for one event in 30 ms.
    """

    def __init__(self, window: QWidget, bridge: Bridge) -> None:
        super().__init__(window)
        self._window = window
        self._painted_at = self._settled_at = 0.0
        self._is_probing = self._was_asked = self._by_person = self._holds = False
        self._timer = timer(self, 0, self.release, once=True)
        window.installEventFilter(self)
        bridge.taking.connect(self.begin)
        bridge.changed.connect(self.note)
        bridge.taken.connect(self.end)

    def begin(self) -> None:
        """Before events are applied: what is to be painted already was not changed by them."""
        self._was_asked, self._by_person = False, False
        self._is_probing = True
        QCoreApplication.sendPostedEvents(self._window, _Kind.UpdateRequest.value)
        self._is_probing = False
        if self._was_asked:
            self._ask()

    def note(self, moved: Changed) -> None:
        """What the events changed."""
        self._by_person = self._by_person or not changes_itself(moved)
        if moved.settled:  # somebody waits for the first mark "sent", nobody for each of a hundred
            self._by_person = self._by_person or monotonic() - self._settled_at >= PACE_S
            self._settled_at = monotonic()

    def end(self) -> None:
        """After the events were applied: their paint waits until the last one is long enough ago."""
        if self._by_person or self._was_asked:
            self.release()
            return
        left = self._painted_at + PACE_S - monotonic()
        if left > 0 and not self._timer.isActive():
            self._timer.start(ceil(left * 1000))
            self._listen(True)

    def release(self) -> None:
        """Paint now what was held back; from here on nothing is."""
        self._timer.stop()
        self._listen(False)
        if self._holds:
            self._holds = False
            self._ask()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind in _ACTS:
            if self._timer.isActive():
                self.release()
        elif kind == _Kind.UpdateRequest and watched is self._window:
            return self._keeps()
        return False

    def _keeps(self) -> bool:
        """Whether the window is not to paint now."""
        if self._timer.isActive():
            self._holds = True
            return True
        if self._is_probing:
            self._was_asked = True
            return True
        self._painted_at = monotonic()
        return False

    def _ask(self) -> None:
        """Ask the window to paint as Qt does: after all that is to be done before."""
        QCoreApplication.postEvent(self._window, QEvent(_Kind.UpdateRequest), Qt.EventPriority.LowEventPriority.value)

    def _listen(self, on: bool) -> None:
        application = QCoreApplication.instance()
        if application is not None:
            (application.installEventFilter if on else application.removeEventFilter)(self)


def changes_itself(moved: Changed) -> bool:
    """Whether nobody at this window waits for any of this: rows that were read, marks, limits, the connection."""
    awaited = (moved.saved, moved.drafts, moved.unsaved_drafts, moved.trouble, moved.not_saved, moved.checked)
    return not any((*awaited, moved.undone, moved.priced, moved.past, moved.contract, moved.key))
