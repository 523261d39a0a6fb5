"""Whether everything that is open is inside the screen, what ends a dialog inside the dialog, and no toast over the row
that a person works on."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QScrollArea, QWidget

from petstore_desktop.ui.status.toast import Toast
from petstore_desktop.ui.status.toast_placement import toast_room
from petstore_desktop.ui.window.main_window import MainWindow


def beyond_the_screen() -> list[str]:
    """One line for each window, dialog or menu that hangs over an edge of its screen, and for each button of a dialog
    that cannot be seen although nothing scrolls it."""
    shown = [window for window in QApplication.topLevelWidgets() if window.isVisible()]
    return [line for window in shown for line in (*_outside(window), *_cut(window))]


def toast_is_clear() -> bool:
    """Whether no toast stands over the current row of a list or the rows beside it."""
    shown = [window for window in QApplication.topLevelWidgets() if isinstance(window, MainWindow)]
    toasts = [(window, window.findChild(Toast, "toast")) for window in shown]
    return not any(
        toast is not None and toast.isVisible() and toast.geometry().intersects(toast_room(window)[1])
        for window, toast in toasts
    )


def _outside(window: QWidget) -> Iterator[str]:
    screen, place = window.screen().availableGeometry(), window.frameGeometry()
    if not screen.contains(place):
        yield f"{_name(window)} is at {_words(place)}, but the screen has {_words(screen)}"


def _cut(window: QWidget) -> Iterator[str]:
    if not isinstance(window, QDialog):
        return
    for button in window.findChildren(QAbstractButton):
        place = QRect(button.mapTo(window, QPoint(0, 0)), button.size())
        if button.isVisible() and not _scrolls(button, window) and not window.rect().contains(place):
            yield f"the button {_name(button)} of {_name(window)} is at {_words(place)}, outside {window.size()}"


def _scrolls(widget: QWidget, window: QWidget) -> bool:
    above = widget.parentWidget()
    while above is not None and above is not window:
        if isinstance(above, QScrollArea):
            return True
        above = above.parentWidget()
    return False


def _name(widget: QWidget) -> str:
    return widget.objectName() or type(widget).__name__


def _words(rect: QRect) -> str:
    return f"{rect.x()},{rect.y()} {rect.width()} x {rect.height()}"
