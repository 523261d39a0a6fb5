"""The row above the tabs of a window that plays by itself: what is seen now, Next, and End."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from petstore_desktop.ui.base.building import in_column, in_row, named, on_click
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.labels import PlainLabel, announce
from petstore_desktop.ui.widgets.paint import Plane

_HEIGHT = 52
_NEXT, _END = (QKeySequence("Enter"), QKeySequence("Return"), QKeySequence("Space")), QKeySequence("Esc")


class CaptionBar(Plane, QWidget):
    """While it `listens`, keys and clicks are for it alone: what plays is not disturbed.

    Signals:
        nextWanted(), endWanted(): the buttons, or Enter and Esc.
    """

    ground = "select_off"

    nextWanted = Signal()
    endWanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "captionBar", tr("What is shown"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(current().height(_HEIGHT))
        self.words = named(PlainLabel("", "text", 15, wrap=True), "captionWords")
        enter = _NEXT[0].toString(QKeySequence.SequenceFormat.NativeText)
        escape = _END.toString(QKeySequence.SequenceFormat.NativeText)
        self.next = on_click(Button(tr("Next"), "primary", key=enter), self.nextWanted, "captionNext")
        self.end = on_click(
            Button(tr("End", "what plays by itself"), "plain", key=escape), self.endWanted, "captionEnd"
        )
        middle = in_column(None, "stretch", self.words, "stretch")
        in_row(self, (middle, 1), self.next, self.end, margins=(16, 4, 16, 4), spacing=10)

    def say(self, words: str) -> None:
        """Show this, and have it read out."""
        self.words.set_text(words)
        announce(self, words)

    def listen(self, on: bool) -> None:
        """Whether keys and clicks are for it."""
        application = QApplication.instance()
        if application is not None:
            (application.installEventFilter if on else application.removeEventFilter)(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent):
            event.accept()  # no shortcut either
            if event.type() is QEvent.Type.KeyPress:
                self._key(QKeySequence(event.keyCombination()))
            return True
        own = isinstance(watched, QWidget) and (watched is self or self.isAncestorOf(watched))
        return isinstance(event, QMouseEvent) and isinstance(watched, QWidget) and not own

    def _key(self, pressed: QKeySequence) -> None:
        if pressed in _NEXT:
            self.nextWanted.emit()
        elif pressed == _END:
            self.endWanted.emit()
