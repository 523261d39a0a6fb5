"""Goes to records that were just made here: they are selected and in sight, wherever they came to stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QObject

if TYPE_CHECKING:
    from petstore_desktop.domain.records import Ref
    from petstore_desktop.ui.lists.resource_tab import ResourceTab
    from petstore_desktop.ui.window.main_window import MainWindow

_Flag = QItemSelectionModel.SelectionFlag


class NewRows(QObject):
    """Leads to new rows of one window, unless the person has moved on meanwhile."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._wanted: tuple[Ref, ...] = ()
        window.parts.moved.connect(self._look)

    def show(self, refs: tuple[Ref, ...]) -> None:
        """Go to these records of one list as soon as all are in it."""
        self._wanted = ()
        if refs:
            self._window.go_to(refs[0].resource)
            self._wanted = refs
            self._look()

    def _look(self) -> None:
        tab = self._window.tab()
        if not self._wanted or tab is None or tab.resource is not self._wanted[0].resource:
            self._wanted = ()
            return
        desk, table = self._window.shop.desk, tab.table
        keys = [desk.resolve(ref).key for ref in self._wanted]
        if any(key not in desk.shop.stores[tab.resource] for key in keys):
            return
        if any(table.position(key) < 0 for key in keys) and table.is_filtered:
            tab.filters.clear()
        rows = sorted(table.position(key) for key in keys)
        if rows[0] >= 0:
            self._wanted = ()
            _select(tab, rows)


def _select(tab: ResourceTab, rows: list[int]) -> None:
    model, column = tab.model, tab.model.home_column
    first = model.index(rows[0], column)
    tab.view.setCurrentIndex(first)
    chosen = QItemSelection()
    for row in rows:
        chosen.select(model.index(row, column), model.index(row, column))
    tab.view.selectionModel().select(chosen, _Flag.ClearAndSelect)
    tab.view.scrollTo(model.index(rows[-1], column))
    tab.view.scrollTo(first)
    tab.focus_list()
