"""The views of one window: which there are, which one each list shows, and opening them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from petstore_desktop.desk.views import SavedView, Shelf, shipped_views
from petstore_desktop.ui.tabs.specs import SPECS
from petstore_desktop.ui.words_views import shipped_name

if TYPE_CHECKING:
    from petstore_desktop.ui.main_window import MainWindow
    from petstore_desktop.ui.tabs.resource_tab import ResourceTab


class Views(QObject):
    """All views of one connection, and the way to them."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._shelf = Shelf(shipped_views(shipped_name))

    def all(self) -> tuple[SavedView, ...]:
        """All views in their order; the first nine have a key."""
        return self._shelf.all()

    def open(self, view: SavedView) -> None:
        """Show a view, in its tab, with the keyboard in the rows."""
        number = next(n for n, spec in enumerate(SPECS) if spec.resource is view.resource)
        self._window.tabs.setCurrentIndex(number)
        tab = self._window.tab()
        if tab is not None:
            _show(tab, view)
            tab.view.setFocus()


def _show(tab: ResourceTab, view: SavedView) -> None:
    tab.set_filter(view.text)
    for place, (column, descending) in enumerate(view.sort):
        tab.sort(column, descending, add=place > 0)
