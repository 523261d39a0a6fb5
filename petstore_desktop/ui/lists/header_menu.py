"""The context menu of a table's header: sort, hide, fit, reset, and which columns are shown."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from petstore_desktop.ui.text.translate import column_title, tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from petstore_desktop.ui.lists.resource_tab import ResourceTab


class HeaderMenu(QObject):
    """Opens on a right click on the header of a tab's table."""

    def __init__(self, tab: ResourceTab) -> None:
        super().__init__(tab)
        self._tab = tab
        header = tab.header
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._open)

    def _open(self, at: QPoint) -> None:
        header = self._tab.header
        menu = self.menu_for(header.logicalIndexAt(header.unfrozen(at.x())))
        menu.popup(self._tab.header.viewport().mapToGlobal(at))

    def menu_for(self, section: int) -> QMenu:
        """The menu of one column; a section below 0 is the empty part of the header."""
        tab = self._tab
        menu = QMenu(tab)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        column = tab.table.columns[section] if section >= 0 else None
        if column is not None and column.kind != "gutter":
            name = column.id
            _add(menu, tr("Sort &ascending"), lambda: tab.sort(name, descending=False))
            _add(menu, tr("Sort &descending"), lambda: tab.sort(name, descending=True))
            _add(menu, tr("T&hen by this, ascending"), lambda: tab.sort(name, descending=False, add=True))
            _add(menu, tr("The&n by this, descending"), lambda: tab.sort(name, descending=True, add=True))
            taken = _add(menu, tr("Rem&ove from the sort"), lambda: tab.unsort(name))
            taken.setEnabled(name in dict(tab.table.sort))
            menu.addSeparator()
            if not column.flexible:
                _add(menu, tr("H&ide this column"), lambda: tab.columns.set_shown(name, False))
            _add(menu, tr("Free&ze columns up to here"), lambda: tab.columns.freeze(name))
        if tab.columns.frozen:
            _add(menu, tr("Unfr&eeze columns"), lambda: tab.columns.freeze(""))
        _add(menu, tr("&Fit columns"), tab.columns.fit_contents)
        _add(menu, tr("&Reset columns"), tab.columns.reset)
        menu.addMenu(self.columns_menu(menu))
        return menu

    def columns_menu(self, parent: QWidget) -> QMenu:
        """Which columns are shown."""
        tab = self._tab
        menu = QMenu(tr("&Columns"), parent)
        for name, shown in tab.columns.hideable():
            action = menu.addAction(column_title(tab.resource, name))
            action.setCheckable(True)
            action.setChecked(shown)
            action.toggled.connect(partial(tab.columns.set_shown, name))
        return menu


def _add(menu: QMenu, text: str, do: Callable[[], object]) -> QAction:
    action = menu.addAction(text)
    action.triggered.connect(lambda _checked=False: do())
    return action
