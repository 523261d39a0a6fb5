"""Makes a window show that it is a rehearsal: the bar with the scene and its clock above the tabs, the frame, and
the question at the end."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QRegion, QResizeEvent
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow, QSizePolicy, QWidget

from petstore_desktop.clock import unique
from petstore_desktop.desk.changes.history_lines import ChangesRead
from petstore_desktop.desk.rehearsal.kept import KeptChanges, kept_of
from petstore_desktop.domain.batches import ChangeFilter
from petstore_desktop.domain.commands import ReadChanges
from petstore_desktop.ui.base.building import in_column, in_row, named, on_click, timer
from petstore_desktop.ui.base.theme import current, plain, to_say
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.rehearsal import bar_words, clock_words, left_out_words
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.dialogs import Dialog, show
from petstore_desktop.ui.widgets.labels import IconLabel, PlainLabel, announce, set_tip
from petstore_desktop.ui.widgets.paint import Plane

if TYPE_CHECKING:
    from petstore_desktop.desk.model.ripple import Changed
    from petstore_desktop.desk.rehearsal.scenes import RehearsalPlan
    from petstore_desktop.domain.errors import ShopError
    from petstore_desktop.domain.records import Ref
    from petstore_desktop.ui.window.main_window import MainWindow


FRAME = 3
_HEIGHT = 36
_ICON = 14
_GREEDY = 1_000
"""The stretch of what takes all room that it has use for, before what follows."""


class _PlaneButton(Button):
    """A plain button on a tint takes the content's plane."""

    def _plane(self, theme: object) -> QColor | None:
        return current().color("hover" if self.underMouse() else "content")


class RehearsalBar(Plane, QWidget):
    """What it is, its scene and clock, and the ways out.

    Signals:
        keepWanted(), endWanted(): the buttons.
    """

    ground = "wait_bg"

    keepWanted = Signal()
    endWanted = Signal()

    def __init__(self, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rehearsalBar")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setMinimumHeight(current().height(_HEIGHT))
        self.title = PlainLabel(tr("Rehearsal:"), "text", weight=600)
        self.words = named(PlainLabel(words, "text", wrap=True), "rehearsalWords")
        self.clock = named(PlainLabel("", "wait", tnum=True), "rehearsalClock")
        self.keep = on_click(Button(tr("Keep these changes…"), "quiet"), self.keepWanted, "keepRehearsed")
        self.end = on_click(_PlaneButton(tr("End", "the rehearsal"), "plain"), self.endWanted, "endRehearsal")
        middle = in_column(None, "stretch", self.words, "stretch")
        parts = (
            IconLabel("rehearsal", "wait", size=_ICON),
            9,
            self.title,
            4,
            (middle, _GREEDY),
            14,
            self.clock,
            "stretch",
            14,
            self.keep,
            6,
            self.end,
        )
        in_row(self, *parts, margins=(14, 3, 6, 3))
        self._said = tr("Rehearsal: {words}", words=words)
        self.setAccessibleName(to_say(self._said))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        words = self.words
        words.setMaximumWidth(words.fontMetrics().horizontalAdvance(words.text()) + 4)

    def tell(self) -> None:
        """Tell it to a screen reader, once."""
        announce(self, self._said)


class AmberFrame(Plane, QWidget):
    """A frame over everything in one window; it takes no mouse."""

    ground = "amber"

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("amberFrame")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        window.installEventFilter(self)
        self._fit()
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self._fit()
        elif event.type() is QEvent.Type.ChildAdded:
            self.raise_()
        return False

    def _fit(self) -> None:
        window = self.parentWidget()
        if window is not None:
            room = window.rect()
            self.setGeometry(room)
            self.setMask(QRegion(room).subtracted(QRegion(_inner(room))))
            self.raise_()


def _inner(room: QRect) -> QRect:
    return room.adjusted(FRAME, FRAME, -FRAME, -FRAME)


class Framing(QObject):
    """Puts the frame round each window and dialog of the program."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusWindowChanged.connect(self.look)

    def look(self) -> None:
        """Put the frame round what has come since."""
        for widget in QApplication.topLevelWidgets():
            if isinstance(widget, QDialog | QMainWindow) and widget.isVisible():
                frame(widget)

    def leave(self) -> None:
        """Take all frames away."""
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusWindowChanged.disconnect(self.look)
        for window in QApplication.topLevelWidgets():
            for one in window.findChildren(AmberFrame):
                one.deleteLater()


def frame(window: QWidget) -> None:
    """Put the frame round a window that has none."""
    if window.findChild(AmberFrame, "amberFrame", Qt.FindChildOption.FindDirectChildrenOnly) is None:
        AmberFrame(window)


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
