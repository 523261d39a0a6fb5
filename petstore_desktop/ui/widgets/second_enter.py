"""The Enter that answered a dialog, pressed once more at once or still held down, reaches nothing below the dialog.

A double press booked a count in its preview, and with its second half did what the next button of the page does. Keys
are watched where Qt hands them to the dialog's window and to the one below: no other window is kept from any.
"""

from __future__ import annotations

import time
from typing import Final, cast

from PySide6.QtCore import QEvent, QKeyCombination, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent, QWindow
from PySide6.QtWidgets import QDialog, QWidget

_Type = QEvent.Type
_ENTERS: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
_MODIFIERS: Final = frozenset({Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr})
_PRESSES: Final = frozenset({_Type.ShortcutOverride, _Type.KeyPress})


def keep_second_enter(dialog: QDialog) -> None:
    """Of a dialog that is shown: where Enter closes it, its second press does nothing below."""
    parent = dialog.parentWidget()
    if parent is None:
        return
    window, under = (cast("QWindow | None", one.windowHandle()) for one in (dialog, parent.window()))
    if window is not None and under is not None:  # one that was never shown has none
        _SecondEnter(dialog, window, parent.window(), under)


class _SecondEnter(QObject):
    """Of one dialog and the window below it, with which it lives until another key comes there."""

    def __init__(self, dialog: QDialog, window: QWindow, below: QWidget, under: QWindow) -> None:
        super().__init__(below)
        self._dialog, self._under = window, under
        self._keys: QKeyCombination | None = None
        """The Enter that came last to the dialog, unless another key or the mouse came after it."""
        self._until = float("inf")
        """When another press counts as one of its own; the moment begins when what closed the dialog is done."""
        window.installEventFilter(self)
        dialog.finished.connect(self._closed)

    def _closed(self) -> None:
        if self._keys is None:
            self.deleteLater()
            return
        self._under.installEventFilter(self)
        QTimer.singleShot(0, self, self._begin)

    def _begin(self) -> None:
        self._until = time.monotonic() + QGuiApplication.styleHints().mouseDoubleClickInterval() / 1_000

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._under:
            return isinstance(event, QKeyEvent) and event.type() in _PRESSES and self._takes(event)
        if event.type() is _Type.MouseButtonPress:
            self._keys = None
        elif isinstance(event, QKeyEvent) and event.type() in _PRESSES and event.key() not in _MODIFIERS:
            self._keys = event.keyCombination() if event.key() in _ENTERS else None
        return False

    def _takes(self, event: QKeyEvent) -> bool:
        """Whether a key that came to the window below is that Enter yet; the first that is not ends this."""
        if event.keyCombination() == self._keys and (event.isAutoRepeat() or time.monotonic() < self._until):
            event.accept()
            return True
        if event.key() not in _MODIFIERS:
            self._under.removeEventFilter(self)
            self.deleteLater()
        return False
