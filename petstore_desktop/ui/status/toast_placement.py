"""Where a toast may stand: in the middle of the list, clear of the row that a person works on and of those beside it:
one of them was edited last, or comes next."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QStackedWidget, QWidget

from petstore_desktop.ui.lists.resource_tab import ResourceTab


def toast_room(pages: QStackedWidget) -> tuple[QRect, QRect]:
    """The list, and the current row with the one above and the one below (empty where it is not in sight), in the
    coordinates of the window with these pages."""
    tab, window = pages.currentWidget(), pages.window()
    if not isinstance(tab, ResourceTab):
        return _seen(pages, pages.rect(), window), QRect()
    viewport = tab.view.viewport()
    cell = tab.view.visualRect(tab.view.currentIndex())
    rows = QRect(0, cell.top() - cell.height(), viewport.width(), 3 * cell.height())
    row = rows & viewport.rect() if cell.isValid() and cell.intersects(viewport.rect()) else QRect()
    return _seen(viewport, viewport.rect(), window), _seen(viewport, row, window)


def _seen(widget: QWidget, rect: QRect, window: QWidget) -> QRect:
    return rect.translated(widget.mapTo(window, QPoint(0, 0))) if not rect.isEmpty() else QRect()
