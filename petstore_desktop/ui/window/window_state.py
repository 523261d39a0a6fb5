"""Stores the window's state: geometry, tab, each list's columns, sort and filter, and messages shown once.

Of a list: columns, sort, filters, title and current row; and the first rows, which are shown again before anything is
read.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QMargins, QObject, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication, QRegion

from petstore_desktop.desk.values.dates import local_day
from petstore_desktop.domain.records import Key, LocalId, Ref, Resource, key_from_text, key_to_text
from petstore_desktop.ui.base.building import timer
from petstore_desktop.ui.base.first_paint import first_size, frame_of, inside
from petstore_desktop.ui.context.tab_specs import FIRST, TABS, TODAY, TODAY_FIRST, TODAY_FIRST_UNTOLD

if TYPE_CHECKING:
    from petstore_desktop.ui.lists.resource_tab import ResourceTab
    from petstore_desktop.ui.window.main_window import MainWindow


_FIRST_ROWS, _ABOVE = 100, 20
"""How many rows are stored for the next start, and how many of them above the screen."""


def list_state(tab: ResourceTab) -> dict[str, object]:
    """Columns, sort, filter and current row as plain JSON values."""
    current = tab.current_ref()
    return {
        "columns": tab.columns.state(),
        "sort": [[name, down] for name, down in tab.table.sort],
        **tab.filters.save_state(),
        "title": tab.bar.title(),
        "current": None if current is None else key_to_text(current.key),
    }


def restore_list(tab: ResourceTab, state: Mapping[str, object]) -> None:
    """Show a list as `list_state` said."""
    columns = state.get("columns")
    if isinstance(columns, Mapping):
        tab.columns.restore(cast("Mapping[str, object]", columns))
    _restore_sort(tab, state.get("sort"))
    if state.get("filter") or state.get("filters"):
        tab.filters.restore_state(state)
    title = state.get("title")
    if isinstance(title, str) and title:
        tab.bar.set_title(title)
    key = state.get("current")
    if isinstance(key, str):
        with suppress(ValueError):
            tab.awaited = Ref(tab.resource, key_from_text(key))


def _restore_sort(tab: ResourceTab, value: object) -> None:
    known = {column.id for column in tab.table.columns}
    pairs = cast("list[object]", value) if isinstance(value, list) else []
    two = [cast("list[object]", pair) for pair in pairs if isinstance(pair, list)]
    named = [(pair[0], bool(pair[1])) for pair in two if len(pair) == 2]
    tab.sort_by([(name, down) for name, down in named if isinstance(name, str) and name in known])


def first_rows(tab: ResourceTab) -> dict[str, object]:
    """The rows on the screen and some around them, so that the next start shows these at once."""
    table, top = tab.table, max(0, tab.view.rowAt(0))
    keys = [table.key_at(row) for row in range(max(0, top - _ABOVE), table.row_count)[:_FIRST_ROWS]]
    return {
        "list": tab.resource.value,
        "keys": [key_to_text(key) for key in keys if not isinstance(key, LocalId)],
        "top": key_to_text(keys[min(top, _ABOVE)]) if top else None,
        "counts": [table.row_count, table.total],
        "in_part": tab.shared.shop.desk.load(tab.resource).lacks_records,
        "longest": tab.shared.longest_ids.get(tab.resource, ""),
    }


def show_first_rows(tab: ResourceTab, kept: Mapping[str, object]) -> None:
    """Show what `first_rows` gave; nothing moves when the other rows come."""
    counts, top, longest = kept.get("counts"), kept.get("top"), kept.get("longest")
    if isinstance(longest, str):
        tab.shared.longest_ids[tab.resource] = longest
    tab.keep_still()
    if isinstance(counts, list):
        numbers = [number for number in cast("list[object]", counts) if isinstance(number, int)]
        tab.state.expect(numbers, in_part=kept.get("in_part") is True)
    with suppress(ValueError):
        row = tab.table.position(key_from_text(top)) if isinstance(top, str) else 0
        if row > 0:
            tab.view.verticalScrollBar().setValue(row * tab.view.rowHeight(row))


_DELAY_MS = 500
_NUMBERED = tuple(name for name in TABS if name != TODAY)
"""The tabs by the numbers under which they were kept before they were kept by name."""
_MOST_PIXELS = 1_000_000
"""No screen is so large: Qt reckons with 32 bits."""
_MAXIMIZED = Qt.WindowState.WindowMaximized
_FIRST_SIZE = QSize(1280, 800)
_REACHABLE = 80
"""How many pixels of the title's width must be on a screen, or the window is brought back."""


class WindowState(QObject):
    """Saves a moment after the last change, and at closing."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._kept: dict[str, object] = dict(window.shop.window_state())
        self._noticed = {name: day for name, day in self.kept("noticed").items() if isinstance(day, str)}
        self._ready = False
        self._wanted: QSize | None = None
        """How large the window was to be; None once a person sized it."""
        self._fitted = QSize()
        """How large it could be on its screen."""
        self._soon = timer(self, _DELAY_MS, self.save, once=True)

    def lists_moved(self) -> None:
        """Lists were read: their first rows may have changed."""
        if self._first() != self._kept.get("first"):
            self.save_soon()

    def restore(self) -> None:
        """Put the window where it was, with the tab that was shown."""
        self._restore_geometry()
        wanted = self._kept.get("details")
        self._window.parts.details_wanted = wanted if isinstance(wanted, bool) else True
        self._window.show_tab(self._tab_at_start())
        tab, first = self._window.tab(), self.kept("first")
        if tab is not None and first.get("list") == tab.resource.value:
            show_first_rows(tab, first)
        self._ready = True

    def _tab_at_start(self) -> str:
        """Today at the first start of a day, unless the person wants it otherwise; else the tab that was shown last."""
        today, before = local_day(self._window.shop.desk.now(), None).isoformat(), self._kept.get("day")
        self._kept["day"] = today
        wanted = self._window.parts.app.preference(TODAY_FIRST) or TODAY_FIRST_UNTOLD
        return TODAY if before != today and wanted != "off" else _tab_in(self._kept)

    def keep_on_screen(self) -> None:
        """The window is shown, so that its frame is known: nothing of it is beyond the edge of a screen."""
        window = self._window
        if not (window.isMaximized() or window.isFullScreen() or window.isMinimized()):
            is_fitted = window.size() == self._fitted
            place = _brought_back(window, window.geometry())
            if place != window.geometry():
                window.setGeometry(place)
            if is_fitted:
                self._fitted = window.size()

    def take_place_of(self, other: MainWindow) -> None:
        """Stand where another shop's window stands."""
        self._window.setGeometry(other.normalGeometry() if other.isMaximized() else other.geometry())
        self._wanted, self._fitted = other.state._wanted, other.state._fitted
        states = self._window.windowState() & ~_MAXIMIZED
        self._window.setWindowState(states | _MAXIMIZED if other.isMaximized() else states)

    def of_tab(self, resource: Resource) -> Mapping[str, object]:
        """The stored state of one list."""
        return _mapping(self.kept("lists").get(resource.value))

    def kept(self, name: str) -> Mapping[str, object]:
        """What `keep` was given under this name, last time or before; empty at first."""
        return _mapping(self._kept.get(name))

    def keep(self, name: str, value: Mapping[str, object], *, soon: bool = True) -> None:
        """Remember these plain JSON values too; if not `soon`, when something else is saved."""
        self._kept[name] = value
        if soon:
            self.save_soon()

    @property
    def noticed(self) -> Mapping[str, str]:
        """The last day of each operation (`pets.read`) of whose end the person was told."""
        return self._noticed

    def notice(self, told: Mapping[str, str]) -> None:
        """The person was told of these ends too."""
        self._noticed |= told
        self.save()

    def save_soon(self) -> None:
        """Something changed."""
        if self._ready:
            self._soon.start()

    def save(self) -> None:
        """Hand everything over to be kept."""
        self._soon.stop()
        window = self._window
        lists = {resource.value: dict(self.of_tab(resource)) for resource in Resource}
        for tab in window.built_tabs():
            lists[tab.resource.value] = list_state(tab)
        normal = window.normalGeometry()
        place = normal if normal.isValid() else window.geometry()
        if self._wanted is not None and place.size() == self._fitted:
            place.setSize(self._wanted)  # a small screen, or text at 200 %, left it no more: the next one may
        self._kept = {
            **self._kept,
            "geometry": [place.x(), place.y(), place.width(), place.height()],
            "maximized": window.isMaximized(),
            "tab": window.shown(),
            "details": window.parts.details_wanted,
            "lists": lists,
            "first": self._first(),
            "noticed": dict(self._noticed),
        }
        window.shop.save_window_state(self._kept)

    def _first(self) -> object:
        """The first rows for the next start: those of now; while the list is read or sorted, those kept before."""
        tab, desk = self._window.tab(), self._window.shop.desk
        if tab is None:
            return None
        unsettled = desk.load(tab.resource).phase == "reading" or tab.table.is_working
        return self._kept.get("first") if unsettled else first_rows(tab)

    def _restore_geometry(self) -> None:
        numbers = self._kept.get("geometry")
        values = [n for n in cast("list[object]", numbers) if _is_pixels(n)] if isinstance(numbers, list) else []
        if len(values) == 4:
            self._wanted = QRect(*values).size()
            self._window.setGeometry(_brought_back(self._window, QRect(*values)))
        else:
            self._wanted = _FIRST_SIZE
            self._window.resize(first_size(self._window, _FIRST_SIZE))
        self._fitted = self._window.size()
        if self._kept.get("maximized") is True:
            self._window.setWindowState(self._window.windowState() | _MAXIMIZED)


def list_at_start(state: Mapping[str, object]) -> tuple[Resource, list[Key]]:
    """The list whose rows a window in this state reads before all else, though its tab may be Today, and the first of
    them as far as they are kept."""
    first = _mapping(state.get("first"))
    with suppress(ValueError):
        keys = first.get("keys")
        texts = cast("list[object]", keys) if isinstance(keys, list) else []
        return Resource(str(first.get("list"))), [key_from_text(text) for text in texts if isinstance(text, str)]
    with suppress(ValueError):
        return Resource(_tab_in(state)), []
    return Resource.PETS, []


def _tab_in(state: Mapping[str, object]) -> str:
    """The tab that a window showed last."""
    tab = state.get("tab")
    if isinstance(tab, int) and 0 <= tab < len(_NUMBERED):
        return _NUMBERED[tab]
    return tab if isinstance(tab, str) and tab in TABS else FIRST


def _is_pixels(kept: object) -> bool:
    return type(kept) is int and abs(kept) <= _MOST_PIXELS


def _mapping(kept: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", kept) if isinstance(kept, Mapping) else {}


def _brought_back(window: MainWindow, place: QRect) -> QRect:
    screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    return brought_back(place, screens, frame_of(window))


def brought_back(place: QRect, screens: list[QRect], frame: QMargins | None = None) -> QRect:
    """`place` if it lies with its `frame` on `screens`, over two of them too. Else inside the one that shows most of
    its title; where none shows enough of that to be reached, in the middle of the first."""
    frame = frame or QMargins()
    whole = QRegion(place.marginsAdded(frame))
    for screen in screens:
        whole = whole.subtracted(QRegion(screen))
    if whole.isEmpty() or not screens:
        return place
    title = QRect(place.x(), place.y(), place.width(), 30)
    best = max(screens, key=lambda screen: _area(title.intersected(screen)))
    seen = title.intersected(best)
    if seen.width() >= _REACHABLE and seen.height() > 0:
        return inside(place, best.marginsRemoved(frame))
    room = screens[0].marginsRemoved(frame)
    place = QRect(place.topLeft(), place.size().boundedTo(room.size()))
    place.moveCenter(room.center())
    return place


def _area(rect: QRect) -> int:
    return max(0, rect.width()) * max(0, rect.height())
