"""The actions of filters and columns: by the cell on which one stands, without it, and which columns are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt

from petstore_desktop.desk.filters.cell_filters import filter_by_cell, filter_without_cell
from petstore_desktop.ui.clipboard.copying import current_text
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.text.translate import tr

if TYPE_CHECKING:
    from petstore_desktop.ui.window.main_window import MainWindow


class FilterWays(QObject):
    """Connects these actions of one window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._parts, self._tab = window.parts, window.tab
        on = window.parts.actions.on
        on("clearFilter", self._clear)
        on("filterColumn", self._focus)
        on("filterByThis", lambda: self._by_cell(leave_out=False))
        on("leaveOut", lambda: self._by_cell(leave_out=True))
        on("chooseColumns", self._choose_columns)

    def _clear(self) -> None:
        tab = self._tab()
        if tab is not None:
            tab.filters.clear()

    def _focus(self) -> None:
        tab = self._tab()
        if tab is not None:
            tab.focus_column_filter()

    def _by_cell(self, leave_out: bool) -> None:
        tab = self._tab()
        index = None if tab is None else tab.view.currentIndex()
        if tab is None or index is None or not index.isValid():
            return
        shop, column = self._parts.shop.desk.shop, tab.table.columns[index.column()].id
        slot = shop.stores[tab.resource].slot(tab.table.key_at(index.row()))
        if slot is None:
            return
        now = tab.table.column_filters.get(column, "")
        made = (
            filter_without_cell(shop, tab.resource, slot, column, now)
            if leave_out
            else filter_by_cell(shop, tab.resource, slot, column)
        )
        if made:
            tab.filters.set_column(column, made)
        elif leave_out:
            self._parts.say(Message(tr("No filter can exclude just this."), "info"))
        else:
            tab.set_filter(current_text(tab.view, tab.model))

    def _choose_columns(self) -> None:
        """Below its button in the tool bar."""
        tab = self._tab()
        if tab is None:
            return
        menu = tab.extras.header_menu.columns_menu(tab)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        button = tab.bar.place_of(tab.bar.columns)
        corner = QPoint(0, button.height() + 2)
        if button.layoutDirection() == Qt.LayoutDirection.LeftToRight:
            corner.setX(button.width() - menu.sizeHint().width())
        menu.popup(button.mapToGlobal(corner))
