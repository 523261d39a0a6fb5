"""Goes where links lead, to records that were just made or fetched, and back to what the window showed before."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QItemSelection, QItemSelectionModel, QObject

from petstore_desktop.desk.jump.views import SavedView
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.context.navigation import PAGES, WindowPlace
from petstore_desktop.ui.context.tab_specs import TODAY
from petstore_desktop.ui.text.orders import order_sentence
from petstore_desktop.ui.widgets.labels import announce
from petstore_desktop.ui.window.hosted_pages import HostedPages

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.domain.seen_changes import SeenChange
    from petstore_desktop.ui.context.navigation import ListTarget, Page
    from petstore_desktop.ui.lists.resource_tab import ResourceTab
    from petstore_desktop.ui.window.main_window import MainWindow
    from petstore_desktop.ui.window.window_parts import WindowParts

_Flag = QItemSelectionModel.SelectionFlag


class NavigationHistory(QObject):
    """One window's; made after the first paint."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self._parts = window, window.parts
        self._gone: Ref | None = None
        """What the latest link led to, if it is no longer in the shop and its name is being asked for."""
        navigation = window.parts.navigation
        navigation.shown.connect(self._show_ref)
        navigation.listed.connect(self._show_list)
        navigation.paged.connect(self._show_page)
        navigation.past.connect(self._show_changes)
        self.hosted = HostedPages(window)
        navigation.hosted.connect(self.hosted.open)
        navigation.again.connect(self._show)
        navigation.set_here(self._here)
        window.contextMoved.connect(navigation.note)

    def _show_ref(self, ref: Ref) -> None:
        """Show a record; of one that is gone say so, as its list would show another one in its place."""
        desk = self._parts.shop.desk
        here = desk.resolve(ref)
        load = desk.load(here.resource)
        is_gone = load.is_whole and load.phase != "not-offered" and here.key not in desk.shop.stores[here.resource]
        self._gone = here if is_gone else None
        if is_gone:
            self._parts.shop.past.changes_of(here, partial(self._say_gone, here))
        elif (tab := self._window.go_to(here.resource)) is not None and tab.show_ref(here):
            details = desk.details(here)
            if details is not None and details.sentence is not None:
                announce(tab.view, order_sentence(details.sentence))

    def _say_gone(self, ref: Ref, changes: Sequence[SeenChange] | ShopError) -> None:
        if ref != self._gone:
            return
        from petstore_desktop.ui.text.changes.seen import gone_words  # late: few links lead there

        self._gone = None
        known = () if isinstance(changes, ShopError) else changes
        self._parts.say(Message(gone_words(ref, known, self._parts.shop.desk.now()), "info"))

    def _show_list(self, target: ListTarget) -> None:
        tab, views = self._window.go_to(target.resource), self._parts.views
        if tab is None:
            return
        view = views.view_list.view(target.view) or self._named_view(target)
        if view is None and not views.current(target.resource).is_all:
            views.open(views.whole(target.resource))  # else these rows would stand under another view's name
        elif view is not None:
            views.open(view)
        if view is None or target.text or target.filters:
            tab.filters.use_kept(target.text, target.filters)
        if view is None and target.name:
            views.call(tab, target.name)
        tab.view.setFocus()

    def _named_view(self, target: ListTarget) -> SavedView | None:
        """The built-in view that shows just these rows: what stays in the list is told by its name then."""
        here = SavedView("", target.resource, target.text, target.filters)
        built_in = (one for one in self._parts.views.view_list.of(target.resource) if one.shipped and not one.is_all)
        return next((one for one in built_in if replace(one, sort=(), columns=None).shows(here)), None)

    def _show_page(self, target: tuple[Page, Ref | None]) -> None:
        self._window.show_activity(target[0])
        if target[0] == "review" and target[1] is not None:
            self._window.activity().review.show_ref(target[1])

    def _show_changes(self, text: str) -> None:
        self._window.show_activity("changes")
        self._window.activity().changes.show_record(text)

    def _here(self) -> WindowPlace:
        name, page, tab = self._window.shown(), self._window.page(), self._window.tab()
        hosted = self.hosted.shown_on(name)
        if hosted or (name == TODAY and page is not None):
            return WindowPlace(name, hosted, line="" if page is None else page.line())
        if tab is None:
            return WindowPlace(name, self._window.activity().page_name())
        table = tab.table
        filters = tuple(sorted(table.column_filters.items()))
        view = self._parts.views.current(tab.resource).id
        return WindowPlace(name, "", view, table.filter_text, filters, table.sort, tab.current_ref())

    def _show(self, place: WindowPlace) -> None:
        self._window.show_tab(place.tab)
        self.hosted.show(place.tab, place.page)
        tab, page = self._window.tab(), self._window.page()
        if place.line and page is not None:
            page.go_to_line(place.line)
        if tab is not None:
            self._show_rows(tab, place)
        if place.page in PAGES:
            self._window.show_activity(place.page)

    def _show_rows(self, tab: ResourceTab, place: WindowPlace) -> None:
        views = self._parts.views
        view = views.view_list.view(place.view)
        if view is not None and views.current(tab.resource).id != view.id:
            views.open(view)
        tab.show_view(place.text, dict(place.filters), place.sort if place.sort != tab.table.sort else ())
        ref = None if place.ref is None else self._parts.shop.desk.resolve(place.ref)
        if ref is not None and (tab.table.position(ref.key) >= 0 or not tab.table.is_filtered):
            tab.show_ref(ref)
        tab.focus_list()


class Fetching(QObject):
    """Goes to a record once it has come from the service, unless the person has gone elsewhere meanwhile. `read` asks
    the service; the notifier says it when there is no such record."""

    def __init__(self, parts: WindowParts, read: Callable[[Ref], object]) -> None:
        super().__init__(parts)
        self._parts, self._read = parts, read
        self._wanted: Ref | None = None
        parts.moved.connect(self._look)
        parts.navigation.moved.connect(self._stay)

    def go(self, ref: Ref) -> None:
        """Go to this record as soon as it is here."""
        self._parts.navigation.note_now()  # a step from before this one does not end it
        self._wanted = ref
        self._read(ref)

    def _look(self, moved: Changed) -> None:
        ref = self._wanted
        if ref is None:
            return
        if ref.key in self._parts.shop.desk.shop.stores[ref.resource]:
            self._wanted = None
            self._parts.navigation.open(ref)
        elif moved.checked is not None and moved.checked.ref == ref:
            self._wanted = None

    def _stay(self) -> None:
        self._wanted = None


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


def show_stock_cell(window: MainWindow, pet: Ref) -> None:
    """Show the cell in which the stock of a scanned pet is edited: in Inventory, or among the pets where it has no
    entry. What is booked there leaves the pet in sight."""
    inventory = Resource.INVENTORY
    entry = Ref(inventory, pet.key) if pet.key in window.shop.desk.shop.stores[inventory] else pet
    window.parts.navigation.open(entry)
    tab = window.tab()
    if tab is not None and tab.resource is entry.resource and tab.model.quantity_column >= 0:
        cell = tab.model.index_of(entry.key, tab.model.quantity_column)
        if cell.isValid():
            tab.view.go_and_stay(cell)


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
