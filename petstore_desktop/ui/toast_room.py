"""Where a toast may stand: in the middle of the list, clear of the row that a person works on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from petstore_desktop.ui.main_window import MainWindow


def toast_room(window: MainWindow) -> tuple[QRect, QRect]:
    """The list, and the current row with its editor (empty where none is in sight), in the window's coordinates."""
    tab = window.tab()
    if tab is None:
        return _seen(window.pages, window.pages.rect(), window), QRect()
    viewport = tab.view.viewport()
    cell = tab.view.visualRect(tab.view.currentIndex())
    row = QRect(0, cell.top(), viewport.width(), cell.height()) & viewport.rect() if cell.isValid() else QRect()
    return _seen(viewport, viewport.rect(), window), _seen(viewport, row, window)


def _seen(widget: QWidget, rect: QRect, window: QWidget) -> QRect:
    return rect.translated(widget.mapTo(window, QPoint(0, 0))) if not rect.isEmpty() else QRect()
