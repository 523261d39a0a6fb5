"""The moment at which a person sees the window, and what may wait until then."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget


class _FirstPaint(QObject):
    def __init__(self, widget: QWidget, works: Iterable[Callable[[], None]]) -> None:
        super().__init__(widget)
        self._works = deque(works)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            self._soon()  # the paint itself goes first
        return False

    def _soon(self) -> None:
        QTimer.singleShot(0, self, self._next)

    def _next(self) -> None:
        work = self._works.popleft()
        if self._works:
            self._soon()
        else:
            self.deleteLater()
        work()


def after_first_paint(widget: QWidget, *works: Callable[[], None]) -> None:
    """Call each of `works` once, right after the widget was painted for the first time: each in a turn of the event
    loop of its own, so that what a person does comes between them. They end with the widget."""
    if works:
        _FirstPaint(widget, works)


def bring_to_front(widget: QWidget) -> None:
    """Show a window that may be minimised or covered."""
    if widget.isMinimized():
        widget.showNormal()
    widget.show()
    widget.raise_()
    widget.activateWindow()
