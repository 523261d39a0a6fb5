"""How a window comes to be seen: inside its screen, in front, and what may wait until its first paint."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module

from PySide6.QtCore import QCoreApplication, QEvent, QMargins, QObject, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from petstore_desktop.threads import begin
from petstore_desktop.ui.base.building import timer

_PAUSE_MS = 20
_TABLES = "petstore_desktop.desk.table.row_arrangement"
_OURS = __name__.partition(".")[0]
_OTHER_PROCESSES = tuple(f"{_OURS}.{name}" for name in ("__main__", "commands", "demo", "session.keyring", "tour"))
_REST_MS = 3_000
"""How long after the first paint the rest of a bundle begins to be loaded."""
USUAL_FRAME = QMargins(5, 36, 5, 5)
"""Pixels assumed for a window manager's frame until the window is shown."""


class _FirstPaint(QObject):
    """What waits for the first paint of a widget: rows of works that take turns, each row in its order."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._rows: deque[deque[Callable[[], object]]] = deque()
        self._painted = self.is_over = False
        self._turn = timer(self, 0, self._next, once=True)  # `QTimer.singleShot` may let two go before another timer
        self._widget = widget
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.Paint and not self._painted:
            self._painted = True
            self._turn.start()  # the paint itself goes first
        elif kind == QEvent.Type.ShortcutOverride:  # comes before any key: what it is meant for must be there
            while self._rows:
                self._taken()()
            self._end()
        return False

    def add(self, works: Iterable[Callable[[], object]]) -> None:
        """These too, in their order."""
        self._rows.append(deque(works))

    def _taken(self) -> Callable[[], object]:
        row = self._rows.popleft()
        work = row.popleft()
        if row:
            self._rows.append(row)
        return work

    def _next(self) -> None:
        if not self._rows:  # a key was faster
            return
        work = self._taken()
        if self._rows:
            self._turn.start()
        else:
            self._end()
        work()

    def _end(self) -> None:
        self.is_over = True
        self._widget.removeEventFilter(self)
        self.deleteLater()


def after_first_paint(widget: QWidget, *works: Callable[[], object]) -> None:
    """Call each of `works` once, right after the widget was painted for the first time: each in a turn of the event
    loop of its own, so that what a person does comes between them. The first key waits for all of them. They end with
    the widget."""
    if works:
        waiting = widget.findChild(_FirstPaint, options=Qt.FindChildOption.FindDirectChildrenOnly)
        if waiting is None or waiting.is_over:
            waiting = _FirstPaint(widget)
        waiting.add(works)


def loading(modules: Iterable[str]) -> tuple[Callable[[], object], ...]:
    """One call for each module, which loads it."""
    return tuple(partial(import_module, name) for name in modules)


def load_aside() -> None:
    """Load what sorts and searches long lists, and numpy with it, in another thread: it takes a tenth of a second. Of a
    bundle, the rest of the program follows in idle time: what is loaded outlasts an upgrade."""
    begin(partial(import_module, _TABLES), "tables", writes=False)
    application = QCoreApplication.instance()
    if application is not None and getattr(sys, "frozen", False):
        QTimer.singleShot(_REST_MS, application, lambda: load_in_turns(application, rest_of_bundle()))


def rest_of_bundle() -> Iterator[str]:
    """Yield the modules of ours that a bundle holds and no window has needed yet; none elsewhere. The demo shop and the
    commands run in processes of their own."""
    archive = getattr(sys.modules.get("pyimod02_importers"), "pyz_archive", None)
    names: Iterable[str] = getattr(archive, "toc", ())
    for name in sorted(names):
        if name.startswith(f"{_OURS}.") and not name.startswith(_OTHER_PROCESSES) and name not in sys.modules:
            yield name


def load_in_turns(owner: QObject, modules: Iterator[str]) -> None:
    """Load modules that may be needed soon in idle time: one in each turn, while the owner exists."""
    name = next(modules, None)
    if name is not None:
        import_module(name)
        QTimer.singleShot(_PAUSE_MS, owner, lambda: load_in_turns(owner, modules))


def bring_to_front(widget: QWidget | None) -> None:
    """Show a window that may be minimised or covered."""
    if widget is None:
        return
    if widget.isMinimized():
        widget.showNormal()
    widget.show()
    widget.raise_()
    widget.activateWindow()


def frame_of(window: QWidget) -> QMargins:
    """The window's frame; before it is shown that of the window it belongs to, or the usual one."""
    shown: QWidget | None = window
    while shown is not None and not shown.isVisible():
        parent = shown.parentWidget()
        shown = None if parent is None else parent.window()
    return USUAL_FRAME if shown is None else shown.windowHandle().frameMargins()


def screen_at(place: QPoint) -> QRect:
    """Where windows may be on the screen that has this point.

    Never by `widget.screen()`: PySide takes the screen for a child of what was asked, and when Python collects that
    widget as garbage it can destroy the screen as well (PySide 6.11; the next window then ends the program).
    """
    return (QGuiApplication.screenAt(place) or QGuiApplication.primaryScreen()).availableGeometry()


def screen_of(widget: QWidget) -> QRect:
    """Where windows may be on the screen that has the middle of the widget's window."""
    return screen_at(widget.window().frameGeometry().center())


def room_for(window: QWidget) -> QRect:
    """Where the window's content may be on its screen, or on that of the window it belongs to until it is shown."""
    parent = window.parentWidget()
    return screen_of(window if window.isVisible() or parent is None else parent).marginsRemoved(frame_of(window))


def inside(place: QRect, room: QRect) -> QRect:
    """`place`, no larger than `room` and moved no further than it must be to lie in it."""
    size = place.size().boundedTo(room.size())
    left = max(room.left(), min(place.left(), room.left() + room.width() - size.width()))
    top = max(room.top(), min(place.top(), room.top() + room.height() - size.height()))
    return QRect(QPoint(left, top), size)


def first_size(window: QWidget, wanted: QSize) -> QSize:
    """The size of a window before a person has placed it: as wanted, if the screen has room for that."""
    return wanted.boundedTo(room_for(window).size())


def bring_inside(window: QWidget) -> None:
    """Once the frame of a shown window is known: all of it on its screen."""
    if window.isVisible() and not (window.isMaximized() or window.isFullScreen() or window.isMinimized()):
        place = window.geometry()
        if (wanted := inside(place, room_for(window))) != place:
            window.setGeometry(wanted)
