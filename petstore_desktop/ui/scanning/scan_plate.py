"""The mark of a scan: a plate at the top of the window in front, a beep, and the words for a screen reader."""

from __future__ import annotations

from math import ceil
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget

from petstore_desktop.ui.base.building import timer
from petstore_desktop.ui.base.theme import current, to_say
from petstore_desktop.ui.context.scans import Outcome, ScanMark
from petstore_desktop.ui.widgets.labels import announce
from petstore_desktop.ui.widgets.paint import brush_on, elided
from petstore_desktop.ui.widgets.while_true import WhileTrue

_SHOWN_MS: Final = 2_500
_SECOND_BEEP_MS: Final = 180
_HEIGHT, _PAD, _ICON, _TOP = 36, 12, 16, 12
_SPARE: Final = 10
"""Marks that order a text take room when it is measured in parts."""
_LOOKS: Final[dict[Outcome, tuple[str, str, str]]] = {
    "found": ("check", "ok", "ok_bg"),
    "unknown": ("warning", "bad", "bad_bg"),
    "offered": ("search", "wait", "wait_bg"),
}
"""Icon, tone and plane: never told by colour alone."""


class ScanPlate(QWidget):
    """A plate with an icon and words; it takes no mouse and no keys, and goes by itself."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("scanPlate")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.mark = ScanMark("found", "")
        self._over = timer(self, _SHOWN_MS, self.hide, once=True)
        self._true = WhileTrue(self, self.hide)
        self.hide()

    def show_mark(self, mark: ScanMark) -> None:
        """Show it for a moment."""
        self.mark = mark
        self.setAccessibleName(to_say(mark.words))
        self._place()
        self.show()
        self.raise_()
        self.update()
        self._over.start()
        self._true.hold(mark.still)
        announce(self, mark.words, urgent=mark.outcome == "unknown")

    def _place(self) -> None:
        parent, theme = self.parentWidget(), current()
        if parent is None:
            return
        wanted = ceil(theme.advance(self.mark.words, 13, 500)) + _SPARE + 2 * _PAD + _ICON + 8
        width = min(wanted, parent.width() - 2 * _PAD)
        self.setGeometry((parent.width() - width) // 2, _TOP, width, theme.height(_HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        icon, tone, plane = _LOOKS[self.mark.outcome]
        with brush_on(self) as brush:
            theme = brush.theme
            brush.plane(theme.color(plane), 8)
            brush.ring(theme.color(tone), 8, 1)
            brush.icon(icon, _PAD, theme.color(tone), _ICON)
            x = _PAD + _ICON + 8
            brush.text(
                x, elided(theme, self.mark.words, self.width() - x - _PAD, 13, 500), theme.color("text"), 13, 500
            )


class ScanMarks(QObject):
    """Marks scans in the window in front, a dialog too: there the person looks. One beep for a pet, two for no pet."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.sound = True

    @property
    def plate(self) -> ScanPlate | None:
        """The plate of the window in front, if it has one: that window keeps it, and takes it along."""
        return self._front().findChild(ScanPlate, options=Qt.FindChildOption.FindDirectChildrenOnly)

    def show(self, mark: ScanMark) -> None:
        """Show and sound it."""
        (self.plate or ScanPlate(self._front())).show_mark(mark)
        if self.sound:
            QApplication.beep()
            if mark.outcome != "found":
                QTimer.singleShot(_SECOND_BEEP_MS, self, QApplication.beep)

    def _front(self) -> QWidget:
        return QApplication.activeModalWidget() or self._window
