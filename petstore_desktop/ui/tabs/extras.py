"""What a list gets right after the first paint: editors, context menus, and the place kept while rows move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt

from petstore_desktop.domain.errors import BadInput
from petstore_desktop.ui.actions import ROW_MENUS
from petstore_desktop.ui.parts import Message, WindowParts
from petstore_desktop.ui.tabs.editing import dress_editors, renew_choices
from petstore_desktop.ui.tabs.filter_row import FilterRow
from petstore_desktop.ui.tabs.header_menu import HeaderMenu
from petstore_desktop.ui.tabs.keep_place import KeepPlace
from petstore_desktop.ui.words_errors import bad_input_words

if TYPE_CHECKING:
    from petstore_desktop.ui.tabs.resource_tab import ResourceTab


class TabExtras(QObject):
    """For one list."""

    def __init__(self, tab: ResourceTab, parts: WindowParts) -> None:
        super().__init__(tab)
        self._tab, self._parts = tab, parts
        self.header_menu = HeaderMenu(tab)
        self.filter_row = FilterRow(tab)
        self._place = KeepPlace(tab.view)
        dress_editors(tab.view, tab.model, parts.shop.desk)
        self.renew_choices()
        parts.views.attach(tab)
        tab.model.mistyped.connect(self._mistyped)
        tab.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        tab.view.customContextMenuRequested.connect(self._open_row_menu)

    def renew_choices(self) -> None:
        """Categories or statuses came: the open row's choices follow."""
        tab = self._tab
        renew_choices(tab.view, tab.model, self._parts.shop.desk, tab.view.currentIndex().column())

    def _mistyped(self, problem: BadInput) -> None:
        self._parts.say(Message(bad_input_words(problem.code), "warning"))

    def _open_row_menu(self, at: QPoint) -> None:
        menu = self._parts.actions.menu_of(ROW_MENUS[self._tab.resource], self._tab)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self._tab.view.viewport().mapToGlobal(at))
