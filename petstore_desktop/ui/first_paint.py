"""The moment at which a person sees the window, and what may wait until then."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget


class _FirstPaint(QObject):
    def __init__(self, widget: QWidget, work: Callable[[], None]) -> None:
        super().__init__(widget)
        self._work: Callable[[], None] | None = work
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and self._work is not None:
            work, self._work = self._work, None
            watched.removeEventFilter(self)
            QTimer.singleShot(0, work)  # the paint itself goes first
            self.deleteLater()
        return False


def after_first_paint(widget: QWidget, work: Callable[[], None]) -> None:
    """Call `work` once, right after the widget was painted for the first time."""
    _FirstPaint(widget, work)


def bring_to_front(widget: QWidget) -> None:
    """Show a window that may be minimised or covered."""
    if widget.isMinimized():
        widget.showNormal()
    widget.show()
    widget.raise_()
    widget.activateWindow()
