"""The moment at which a person sees the window, and what may wait until then."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

_PAUSE_MS = 20
_LATER = ("bridge", "filter_ways", "pasting", "handlers", "telling", "views_menu", "later")


class _FirstPaint(QObject):
    def __init__(self, widget: QWidget, works: Iterable[Callable[[], object]]) -> None:
        super().__init__(widget)
        self._works = deque(works)
        self._painted = False
        self._widget = widget
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.Paint and not self._painted:
            self._painted = True
            self._soon()  # the paint itself goes first
        elif kind == QEvent.Type.ShortcutOverride:  # comes before any key: what it is meant for must be there
            while self._works:
                self._works.popleft()()
            self._end()
        return False

    def _soon(self) -> None:
        QTimer.singleShot(0, self, self._next)

    def _next(self) -> None:
        if not self._works:  # a key was faster
            return
        work = self._works.popleft()
        if self._works:
            self._soon()
        else:
            self._end()
        work()

    def _end(self) -> None:
        self._widget.removeEventFilter(self)
        self.deleteLater()


def after_first_paint(widget: QWidget, *works: Callable[[], object]) -> None:
    """Call each of `works` once, right after the widget was painted for the first time: each in a turn of the event
    loop of its own, so that what a person does comes between them. The first key waits for all of them. They end with
    the widget."""
    if works:
        _FirstPaint(widget, works)


def loads_later() -> tuple[Callable[[], object], ...]:
    """What loads all that the window gets right after its first paint, in parts, without making any of it."""
    return tuple(partial(import_module, f"petstore_desktop.ui.{name}") for name in _LATER)


def load_in_turns(owner: QObject, modules: Iterator[str]) -> None:
    """Load what somebody may open soon, while nothing else is to do: each module in a turn of its own, for as long as
    the owner is there."""
    name = next(modules, None)
    if name is not None:
        import_module(name)
        QTimer.singleShot(_PAUSE_MS, owner, lambda: load_in_turns(owner, modules))


def bring_to_front(widget: QWidget) -> None:
    """Show a window that may be minimised or covered."""
    if widget.isMinimized():
        widget.showNormal()
    widget.show()
    widget.raise_()
    widget.activateWindow()
