"""Puts a page over a table's rows, below its header, which stays."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QTableView, QWidget


class OverRows(QObject):
    """Keeps the page on the place of the rows while it is shown."""

    def __init__(self, view: QTableView, page: QWidget) -> None:
        super().__init__(view)
        self._view, self._page = view, page
        page.setParent(view)
        page.hide()
        view.viewport().installEventFilter(self)

    def show(self, shown: bool) -> None:
        """Show the page instead of rows, or the rows."""
        if shown:
            self._place()
        self._page.setVisible(shown)

    def _place(self) -> None:
        self._page.setGeometry(self._view.viewport().geometry())
        self._page.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move) and not self._page.isHidden():
            self._place()
        return super().eventFilter(watched, event)
