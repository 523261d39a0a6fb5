"""Keys and mouse, as a person has them: events to the window that has the focus, and nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import cast

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QEventLoop,
    QKeyCombination,
    QMimeData,
    QPoint,
    QPointF,
    Qt,
    QTimer,
    QUrl,
)
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QKeyEvent, QKeySequence, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

PATIENCE_S = 30.0
"""Seconds after which a state is given up that should have come: so long that a busy machine reaches it."""
_TURN_MS = 15
_OTHER_WAY = {"Left": "Right", "Right": "Left"}
_SCAN_MS = 5
"""Milliseconds between two keys of a scan."""
_MANAGER_S = 0.5
"""Seconds within which a window manager gives a new window the keyboard."""


class StepFailed(Exception):
    """A step found something else than it should have; the text says what."""


def hold(condition: object, said: str) -> None:
    """Raises NotSo with these words unless the condition is true."""
    if not condition:
        raise StepFailed(said)


def wait(ms: int) -> None:
    """Let the program run for this many milliseconds."""
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()
    # Not under an event loop of its own, Qt keeps what asked to be deleted until told.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def until(condition: Callable[[], object], said: str | Callable[[], str], seconds: float = PATIENCE_S) -> None:
    """Let the program run until the condition is true. Raises NotSo after this many seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline or _in_error():
            raise StepFailed(said if isinstance(said, str) else said())
        wait(_TURN_MS)


def regain(window: QWidget) -> None:
    """Wait until a window has the keyboard. A window manager sees to that; where there is none, it has to be taken."""
    handle = window.windowHandle()
    deadline = time.monotonic() + _MANAGER_S
    while focus_window() is not handle and time.monotonic() < deadline:
        wait(_TURN_MS)
        if focus_window() is None:
            break
    if focus_window() is not handle:
        window.activateWindow()
    until(lambda: focus_window() is handle, "the window has not got the keyboard")


def press(keys: str, times: int = 1) -> None:
    """Press a combination such as `Ctrl+F` or `Down`, once or several times. `Left` and `Right` are those of a window
    that runs from left to right; in the other it is the other key."""
    if QGuiApplication.layoutDirection() is Qt.LayoutDirection.RightToLeft:
        keys = _OTHER_WAY.get(keys, keys)
    # The stub does not know that a sequence can be indexed.
    (combination,) = cast("Iterable[QKeyCombination]", QKeySequence(keys))
    for _ in range(times):
        QTest.keyClick(_window(), combination.key(), combination.keyboardModifiers())
        wait(1)


def write(text: str) -> None:
    """Type a text, sign by sign, into whatever has the focus."""
    for sign in text:
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            event = QKeyEvent(kind, _key_of(sign), Qt.KeyboardModifier.NoModifier, sign)
            QApplication.sendEvent(_focused(), event)
        wait(1)


def scan(code: str) -> None:
    """Send a code as a scanner does: one burst of keys to the window, each with its own time, and Enter at its end."""
    began = round(1000 * time.monotonic())
    for place, sign in enumerate(f"{code}\r"):
        key = Qt.Key.Key_Return if sign == "\r" else _key_of(sign)
        for kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            event = QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier, sign)
            event.setTimestamp(began + _SCAN_MS * place)
            event.setAccepted(kind is not QEvent.Type.ShortcutOverride)
            QCoreApplication.sendEvent(_window(), event)
    wait(1)


def click(
    widget: QWidget,
    at: QPoint | None = None,
    button: Qt.MouseButton = Qt.MouseButton.LeftButton,
    keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    """Click on a point of a widget, its centre unless told."""
    window, place = _placed(widget, at)
    QTest.mouseMove(window, place)
    QTest.mouseClick(window, button, keys, place)
    wait(1)


def drop(window: QWidget, path: str) -> None:
    """Drag a file over the middle of a window, and let it go there."""
    data, at = QMimeData(), window.rect().center()
    data.setUrls([QUrl.fromLocalFile(path)])
    how = Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entered = QDragEnterEvent(at, *how)
    QApplication.sendEvent(window, entered)
    hold(entered.isAccepted(), f"the window does not take {path}")
    QApplication.sendEvent(window, QDropEvent(QPointF(at), *how))
    wait(1)


def hover(widget: QWidget, at: QPoint | None = None) -> None:
    """Move the mouse there; from a pixel beside it, so that it counts as a move."""
    window, place = _placed(widget, at)
    QTest.mouseMove(window, place + QPoint(1, 0))
    QTest.mouseMove(window, place)
    wait(1)


def _placed(widget: QWidget, at: QPoint | None) -> tuple[QWindow, QPoint]:
    hold(widget.isVisible(), f"{widget.objectName() or type(widget).__name__} is not on the screen")
    top = widget.window()
    handle = top.windowHandle()
    return handle, widget.mapTo(top, widget.rect().center() if at is None else at)


def focus_window() -> QWindow | None:
    """The window that has the keyboard; None where none has (which the stub leaves out)."""
    return cast("QWindow | None", QGuiApplication.focusWindow())


def _in_error() -> bool:
    """Whether the dialog of an unexpected error shows: nothing else will come then."""
    window = focus_window()
    return window is not None and window.objectName().startswith("errorDialog")


def _window() -> QWindow:
    """Where keys go: the open popup, else the window with the focus."""
    popup = QApplication.activePopupWidget()
    window = popup.window().windowHandle() if popup is not None else focus_window()
    if window is None:
        raise StepFailed("no window has the keyboard")
    return window


def _focused() -> QWidget:
    popup = QApplication.activePopupWidget()
    widget = (popup.focusWidget() or popup) if popup is not None else QApplication.focusWidget()
    if widget is None:
        raise StepFailed("nothing has the keyboard")
    return widget


def _key_of(sign: str) -> int:
    upper = sign.upper()
    return ord(upper) if len(upper) == 1 and 0x20 <= ord(upper) < 0x7F else 0
