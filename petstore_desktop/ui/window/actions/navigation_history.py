"""Tells the navigation what the window shows, and shows it again when one goes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from petstore_desktop.ui.context.navigation import WindowPlace

if TYPE_CHECKING:
    from petstore_desktop.ui.lists.resource_tab import ResourceTab
    from petstore_desktop.ui.window.main_window import MainWindow


class NavigationHistory(QObject):
    """One window's; made after the first paint."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self._parts = window, window.parts
        navigation = window.parts.navigation
        navigation.again.connect(self._show)
        navigation.set_here(self._here)
        window.contextMoved.connect(navigation.note)

    def _here(self) -> WindowPlace:
        number, tab = self._window.tabs.currentIndex(), self._window.tab()
        if tab is None:
            return WindowPlace(number, self._window.activity().page_name())
        table = tab.table
        filters = tuple(sorted(table.column_filters.items()))
        view = self._parts.views.current(tab.resource).id
        return WindowPlace(number, "", view, table.filter_text, filters, table.sort, tab.current_ref())

    def _show(self, place: WindowPlace) -> None:
        self._window.tabs.setCurrentIndex(place.tab)
        tab = self._window.tab()
        if tab is not None:
            self._show_rows(tab, place)
        if place.page:
            self._window.show_activity(place.page)

    def _show_rows(self, tab: ResourceTab, place: WindowPlace) -> None:
        views = self._parts.views
        view = next((one for one in views.all() if one.id == place.view), None)
        if view is not None and views.current(tab.resource).id != view.id:
            views.open(view)
        tab.show_view(place.text, dict(place.filters), place.sort if place.sort != tab.table.sort else ())
        ref = None if place.ref is None else self._parts.shop.desk.resolve(place.ref)
        if ref is not None and (tab.table.position(ref.key) >= 0 or not tab.table.is_filtered):
            tab.show_ref(ref)
        tab.focus_list()
