"""What a list gets right after the first paint: editors, context menus, and the place kept while rows move."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPoint, Qt, QTimer
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from petstore_desktop.ui.base.building import short_lived
from petstore_desktop.ui.base.theme import isolate, plain, tooltip
from petstore_desktop.ui.context.action_set import obstacle_words
from petstore_desktop.ui.context.actions import ROW_MENUS
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.grid.editing import dress_editors, keep_edited_rows, renew_choices
from petstore_desktop.ui.grid.scroll_anchor import KeepPlace
from petstore_desktop.ui.lists.filter_row import FilterRow
from petstore_desktop.ui.text.translate import column_title, number, tr
from petstore_desktop.ui.widgets.labels import announce

if TYPE_CHECKING:
    from petstore_desktop.ui.lists.list_context import ListContext
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
        menu = short_lived(QMenu(tab))
        column = tab.table.columns[section] if section >= 0 else None
        if column is not None and column.kind != "gutter":
            name = column.id
            menu.addAction(tr("Sort &ascending"), lambda: tab.sort(name, descending=False))
            menu.addAction(tr("Sort &descending"), lambda: tab.sort(name, descending=True))
            menu.addAction(tr("T&hen by this, ascending"), lambda: tab.sort(name, descending=False, add=True))
            menu.addAction(tr("The&n by this, descending"), lambda: tab.sort(name, descending=True, add=True))
            taken = menu.addAction(tr("Rem&ove from the sort"), lambda: tab.unsort(name))
            taken.setEnabled(name in dict(tab.table.sort))
            menu.addSeparator()
            if not column.flexible:
                menu.addAction(tr("H&ide this column"), lambda: tab.columns.set_shown(name, False))
            menu.addAction(tr("Free&ze columns up to here"), lambda: tab.columns.freeze(name))
        if tab.columns.frozen:
            menu.addAction(tr("Unfr&eeze columns"), lambda: tab.columns.freeze(""))
        menu.addAction(tr("&Fit columns"), tab.columns.fit_contents)
        menu.addAction(tr("&Reset columns"), tab.columns.reset)
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


class TabExtras(QObject):
    """For one list."""

    def __init__(self, tab: ResourceTab, shared: ListContext) -> None:
        super().__init__(tab)
        self._tab, self._shared = tab, shared
        self.header_menu = HeaderMenu(tab)
        self.filter_row = FilterRow(tab)
        self._place = KeepPlace(tab.view)
        dress_editors(tab.view, tab.model, shared.shop.desk)
        keep_edited_rows(tab.view, tab.model, shared.shop.desk, tab.desk_changed)
        self.renew_choices()
        shared.views.attach(tab)
        tab.model.mistyped.connect(self._mistyped)
        for moved in (tab.header.sectionMoved, tab.header.sectionResized):
            moved.connect(lambda: QToolTip.hideText())  # what is said of a cell does not follow it
        tab.view.refused.connect(self._say_read_only)
        tab.view.give_up = tab.model.give_up
        tab.view.selectionDropped.connect(self._say_dropped, Qt.ConnectionType.QueuedConnection)  # all moved then
        tab.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        tab.view.customContextMenuRequested.connect(self._open_row_menu)

    def renew_choices(self) -> None:
        """Categories or statuses came: the open row's choices follow."""
        tab = self._tab
        renew_choices(tab.view, tab.model, self._shared.shop.desk, tab.view.currentIndex().column())

    def _say_dropped(self, count: int) -> None:
        words = tr(
            "The rows have a new order: of {n} selected rows, only the current cell is still selected.", n=number(count)
        )
        self._shared.say(Message(words, "info"))

    def _mistyped(self, index: QModelIndex) -> None:
        """Say why at the cell; once the editor is closed, for that takes away every tool tip."""
        cell = QPersistentModelIndex(index)
        QTimer.singleShot(0, self, lambda: self._say_why(cell))

    def _say_read_only(self, index: QModelIndex) -> None:
        """The reason why a cell cannot be edited, shown when a person types on it."""
        column, shop = self._tab.table.columns[index.column()], self._shared.shop
        title = column_title(self._tab.resource, column.id)
        reason = shop.desk.obstacle(column, self._tab.model.ref_at(index)) if column.editable else ""
        if reason:
            words = obstacle_words(reason, isolate(plain(shop.connection.name)))
        elif column.level:
            words = tr("You can set a minimum once the service has given it an id")
        elif column.id == "to_order":
            words = tr("This is worked out. Enter the minimum and “Order up to” in the columns before it.")
        else:
            words = tr("{column} cannot be edited here.", column=title)
        self._shared.say(Message(words, "info"))

    def _say_why(self, cell: QPersistentModelIndex) -> None:
        view, model = self._tab.view, self._tab.model
        index = model.index(cell.row(), cell.column())
        kept = model.kept(index)
        if kept is None:
            return
        rect, words = view.visualRect(index), kept.words()
        if view.isVisible() and view.viewport().rect().intersects(rect):
            QToolTip.showText(view.viewport().mapToGlobal(rect.bottomLeft()), tooltip(words), view.viewport(), rect)
            announce(view, words, urgent=True)
        else:
            self._shared.say(Message(words, "warning"))

    def _open_row_menu(self, at: QPoint) -> None:
        menu = self._shared.actions.menu_of(ROW_MENUS[self._tab.resource], self._tab)
        menu.popup(self._tab.view.viewport().mapToGlobal(at))
