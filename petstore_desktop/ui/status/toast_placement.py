"""Where a toast may stand: in the middle of the list, clear of the row that a person works on and of those beside it:
one of them was edited last, or comes next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from petstore_desktop.ui.window.main_window import MainWindow


def toast_room(window: MainWindow) -> tuple[QRect, QRect]:
    """The list, and the current row with the one above and the one below (empty where it is not in sight), in the
    window's coordinates."""
    tab = window.tab()
    if tab is None:
        return _seen(window.pages, window.pages.rect(), window), QRect()
    viewport = tab.view.viewport()
    cell = tab.view.visualRect(tab.view.currentIndex())
    rows = QRect(0, cell.top() - cell.height(), viewport.width(), 3 * cell.height())
    row = rows & viewport.rect() if cell.isValid() and cell.intersects(viewport.rect()) else QRect()
    return _seen(viewport, viewport.rect(), window), _seen(viewport, row, window)


def _seen(widget: QWidget, rect: QRect, window: QWidget) -> QRect:
    return rect.translated(widget.mapTo(window, QPoint(0, 0))) if not rect.isEmpty() else QRect()
