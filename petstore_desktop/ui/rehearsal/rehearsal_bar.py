"""The bar above the tabs of a rehearsal, and the frame round each of its windows."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QRegion, QResizeEvent
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow, QSizePolicy, QWidget

from petstore_desktop.ui.base.building import in_column, in_row, named, on_click
from petstore_desktop.ui.base.theme import current, to_say
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.labels import PlainLabel, announce
from petstore_desktop.ui.widgets.paint import brush_on, draw_icon

FRAME = 3
_HEIGHT = 36
_ICON = 14
_GREEDY = 1_000
"""The stretch of what takes all room that it has use for, before what follows."""


class _Mark(QWidget):
    def __init__(self) -> None:
        super().__init__()
        side = current().scaled(_ICON)
        self.setFixedSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            draw_icon(brush.painter, "rehearsal", 0, 0, brush.theme.tone("wait"), self.width())


class _PlaneButton(Button):
    """A plain button on a tint takes the content's plane."""

    def _plane(self, theme: object) -> QColor | None:
        return current().color("hover" if self.underMouse() else "content")


class RehearsalBar(QWidget):
    """What it is, its scene and clock, and the ways out.

    Signals:
        keepWanted(), endWanted(): the buttons.
    """

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
        parts = (_Mark(), 9, self.title, 4, (middle, _GREEDY), 14, self.clock, "stretch", 14, self.keep, 6, self.end)
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

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            brush.painter.fillRect(self.rect(), brush.theme.tint("wait"))


class AmberFrame(QWidget):
    """A frame over everything in one window; it takes no mouse."""

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

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), current().color("amber"))


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
