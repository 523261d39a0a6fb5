"""Shows pages over the plane of a tab, and the tab again when they are closed: the comparison of two days over Today,
the stations of the stock room over the Inventory list."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Literal, cast

from msgspec import Struct
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.context.navigation import COMPARED, Hosted
from petstore_desktop.ui.context.tab_specs import TODAY, HostedPage
from petstore_desktop.ui.lists.resource_tab import ResourceTab
from petstore_desktop.ui.window.today import last_here

if TYPE_CHECKING:
    from petstore_desktop.ui.context.scans import Taker
    from petstore_desktop.ui.station.scan_page import ScanWays
    from petstore_desktop.ui.window.main_window import MainWindow


class HostedKind(Struct, frozen=True):
    """A page that can be hosted: over which tab, and how it is made."""

    tab: str
    make: Callable[[MainWindow], HostedPage]


def _compared(window: MainWindow) -> HostedPage:
    from petstore_desktop.ui.compare.compare_page import ComparePage  # late: few look there

    here = last_here(window)
    return ComparePage(window.shop, window.parts.say, window.parts.navigation.open, lambda: here.since, window)


def _labels(window: MainWindow) -> HostedPage:
    from petstore_desktop.ui.labels.labels_page import LabelsPage  # late: it loads what makes codes

    state = window.state
    choose = partial(window.go_to, Resource.PETS)
    return LabelsPage(window.shop, window.parts.say, state.kept("labels"), state.keep, choose, window)


def _stocktake(window: MainWindow) -> HostedPage:
    from petstore_desktop.desk.stocktake.drafts import Scope  # late, as above
    from petstore_desktop.ui.stocktake.stocktake_page import StocktakePage

    def listed() -> Scope | None:
        tab = window.pages.own(Resource.INVENTORY.value)
        if not isinstance(tab, ResourceTab) or not tab.table.is_filtered:
            return None
        return Scope("pets", tuple(tab.table.keys()), window.parts.views.current(Resource.INVENTORY).name)

    return StocktakePage(window.shop, _scan_ways(window), listed, window)


def _receive(window: MainWindow) -> HostedPage:
    from petstore_desktop.ui.receiving.receive_page import ReceivePage  # late: opened when goods come

    return ReceivePage(window.shop, _scan_ways(window), window)


def _scan_ways(window: MainWindow) -> ScanWays:
    from petstore_desktop.ui.station.scan_page import ScanWays
    from petstore_desktop.ui.window.dialogs import open_preview

    parts = window.parts
    return ScanWays(
        parts.edits,
        parts.scans,
        parts.say,
        parts.actions["undo"],
        partial(open_preview, window),
        partial(parts.navigation.open_station, "labels"),
        lambda code, pet: window.after_paint.scanning.codes.give(code, pet),
    )


HOSTED: dict[str, HostedKind] = {
    COMPARED: HostedKind(TODAY, _compared),
    "labels": HostedKind(Resource.INVENTORY.value, _labels),
    "stocktake": HostedKind(Resource.INVENTORY.value, _stocktake),
    "receive": HostedKind(Resource.INVENTORY.value, _receive),
}
"""All that can be hosted, by the name that places and actions call it."""


def _takes_scans(page: HostedPage) -> bool:
    return type(page).take_scan is not HostedPage.take_scan


class HostedPages(QObject):
    """One window's. A page is made anew whenever it is opened, and shows what it showed when it was closed unless it is
    opened with something else."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._open: dict[str, tuple[Hosted, HostedPage]] = {}
        """By tab what is hosted there."""
        self._left: dict[str, object] = {}
        window.parts.scans.go_to(self._scan_taker)

    def shown_on(self, tab: str) -> Hosted | Literal[""]:
        """The name of the page over this tab; empty where the tab shows its own."""
        return self._open[tab][0] if tab in self._open else ""

    def open(self, asked: tuple[Hosted, object]) -> None:
        """Show a page over its tab, with what it begins with; None: as it was left."""
        name, given = asked
        tab = HOSTED[name].tab
        self._window.show_tab(tab)
        if self.shown_on(tab) != name:
            self.close(tab)
            self._host(tab, name, self._left.get(name) if given is None else given)
        elif given is not None:
            self._open[tab][1].begin(given)
        self._window.focus_list()
        self._window.context_changed()

    def _host(self, tab: str, name: Hosted, given: object) -> None:
        page = HOSTED[name].make(self._window)
        page.closed.connect(lambda: self.close(tab, page))
        self._open[tab] = (name, page)
        self._window.pages.host(tab, page)
        page.begin(given)

    def _scan_taker(self) -> Taker | None:
        """What takes a scan: the page that is shown, if it is one to scan into. One left open on another tab is not."""
        page = self._window.page()
        return partial(self._take_scan, page) if isinstance(page, HostedPage) and _takes_scans(page) else None

    def _take_scan(self, page: HostedPage, text: str) -> None:
        """Count a scan. What is typed next is for what was scanned, so the keyboard goes to the page's own field."""
        page.take_scan(text)
        if QApplication.activeModalWidget() is None:
            page.focus_list()

    def settle(self) -> None:
        """Keep what is typed, for the window may close."""
        self._left |= {name: page.left() for name, page in self._open.values()}

    def go_on(self, before: HostedPages) -> None:
        """Open what another window had open when it settled."""
        for name, old in before._open.values():
            self.open((name, before._left[name]))
            self._open[HOSTED[name].tab][1].go_on(old)

    def show(self, tab: str, name: str) -> None:
        """Show over this tab what was hosted there; with another name the tab's own page."""
        if name in HOSTED:
            self.open((cast("Hosted", name), None))
        else:
            self.close(tab)

    def close(self, tab: str, page: HostedPage | None = None) -> None:
        """Show the tab's own page again, with the keyboard where it was; only if `page` is over it, where one is
        given."""
        if tab not in self._open or (page is not None and self._open[tab][1] is not page):
            return
        name, closed = self._open.pop(tab)
        self._left[name] = closed.left()
        self._window.pages.unhost(tab)
        if self._window.shown() == tab:
            self._window.focus_list()
            self._window.context_changed()
