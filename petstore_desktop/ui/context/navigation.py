"""Going from place to place, and back. Tabs do not know each other; they all know this."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.ui.base.building import timer

Page = Literal["waiting", "review", "changes", "requests"]
"""What the Activity tab shows."""
COMPARED: Literal["compared"] = "compared"
"""The page that compares two days, in the place of Today."""
Station = Literal["receive", "stocktake", "labels"]
"""A page of the stock room, in the place of the Inventory list."""
Hosted: TypeAlias = Literal["compared"] | Station
"""A page that takes the plane of a tab until it is closed."""
PAGES: tuple[Page, ...] = ("waiting", "review", "changes", "requests")
_DEPTH = 100


class ListTarget(Struct, frozen=True):
    """The rows of a list behind a link: by a text over all columns and texts of single ones, by their ids, as they are
    typed, or by a view's id. `name`: what the list is called while it shows them, unless a view does."""

    resource: Resource
    text: str = ""
    filters: Mapping[str, str] = field(default_factory=dict[str, str])
    view: str = ""
    name: str = ""


class StationLine(Struct, frozen=True):
    """A pet that a desk begins with, and how many of it: of Labels the copies."""

    ref: Ref
    count: int


class WindowPlace(Struct, frozen=True):
    """What the window shows: a tab, in it a view with filters and sort as they stand (or a page), and a record or (of
    Today) a line."""

    tab: str
    page: Page | Hosted | Literal[""] = ""
    view: str = ""
    text: str = ""
    filters: tuple[tuple[str, str], ...] = ()
    sort: tuple[tuple[str, bool], ...] = ()
    ref: Ref | None = None
    line: str = ""

    def is_around(self, other: WindowPlace) -> bool:
        """Whether it shows the same rows, perhaps sorted otherwise, or another one of them."""
        return replace(self, ref=None, sort=(), line="") == replace(other, ref=None, sort=(), line="")

    def is_typed_on(self, other: WindowPlace) -> bool:
        """Whether it is `other` with a few signs more or fewer in a filter: a person is typing."""
        mine, its = {"": self.text, **dict(self.filters)}, {"": other.text, **dict(other.filters)}
        moved = [(mine.get(name, ""), its.get(name, "")) for name in {*mine, *its}]
        moved = [(one, two) for one, two in moved if one != two]
        same = self.tab == other.tab and self.page == other.page and self.view == other.view
        return same and all(one and two and (one.startswith(two) or two.startswith(one)) for one, two in moved)


class Navigation(QObject):
    """The path a person took.

    Signals:
        shown: Ref: show this record (its tab, row and details).
        listed: ListTarget: show these rows of a list.
        paged: tuple[Page, Ref | None]: show this page of the Activity tab, at a record.
        past: str: show what was done to the records that this text means.
        hosted: tuple[Hosted, object]: show this page over its tab, with what it begins with (None: as it was left).
        again: Place: show this place as it was.
        moved: object: the path changed; `can_go_back` and `can_go_forth` may differ.
    """

    shown = Signal(object)
    listed = Signal(object)
    paged = Signal(object)
    past = Signal(object)
    hosted = Signal(object)
    again = Signal(object)
    moved = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path: list[WindowPlace] = []
        self._at = -1
        self._here: Callable[[], WindowPlace | None] = lambda: None
        self._going = False
        self._linked: WindowPlace | None = None
        """Where the latest link led."""
        self._soon = timer(self, 0, self.note_now, once=True)

    @property
    def can_go_back(self) -> bool:
        """Whether there is a place before the present one."""
        return self._at > 0

    @property
    def can_go_forth(self) -> bool:
        """Whether Back was used."""
        return self._at + 1 < len(self._path)

    def set_here(self, here: Callable[[], WindowPlace | None]) -> None:
        """How to ask what is shown: the place one comes back to."""
        self._here = here
        self.note()

    def note(self) -> None:
        """Something else is shown. What one act brings about, in one turn of the event loop, is one step."""
        if not self._going:
            self._soon.start()

    def open(self, ref: Ref) -> None:
        """Show a record; the record and the place before it are both on the path."""
        self._go(lambda: self.shown.emit(ref), ref)

    def open_list(self, target: ListTarget) -> None:
        """Show the rows behind a link."""
        self._go(lambda: self.listed.emit(target))

    def open_page(self, page: Page, ref: Ref | None = None) -> None:
        """Show a page of the Activity tab, at a record."""
        self._go(lambda: self.paged.emit((page, ref)))

    def open_changes(self, text: str) -> None:
        """Show the changes of the records that a text finds."""
        self._go(lambda: self.past.emit(text))

    def open_compared(self, then: float | None = None, now: float | None = None) -> None:
        """Show what differs between two moments (UTC epoch seconds); without them since the person left."""
        moments = None if then is None or now is None else (then, now)
        self._go(lambda: self.hosted.emit((COMPARED, moments)))

    def open_station(self, station: Station, lines: Sequence[StationLine] = ()) -> None:
        """Show a station of the stock room with these lines; without any as it was left."""
        self._go(lambda: self.hosted.emit((station, tuple(lines) or None)))

    def back(self) -> None:
        """Alt+Left."""
        self._step(-1)

    def forth(self) -> None:
        """Alt+Right."""
        self._step(1)

    def return_to(self, tab: str) -> bool:
        """Go back if a link of this tab led to what is shown; whether it did."""
        self.note_now()
        linked = self._linked is not None and self._at > 0 and self._path[self._at].is_around(self._linked)
        if linked and self._path[self._at - 1].tab == tab:
            self.back()
            return True
        return False

    def _go(self, go: Callable[[], object], ref: Ref | None = None) -> None:
        self.note_now()
        self._going = True
        try:
            go()
        finally:
            self._going = False
        here = self._here()
        if here is not None and (not self._path or here != self._path[self._at]):
            self._push(here if ref is None else replace(here, ref=ref))
            self._linked = here

    def _step(self, by: int) -> None:
        self.note_now()
        if not 0 <= self._at + by < len(self._path):
            return
        self._at += by
        self._going = True
        try:
            self.again.emit(self._path[self._at])
        finally:
            self._going = False
        self.moved.emit(None)

    def note_now(self) -> None:
        """Note at once what is shown now: the same rows are the same place, other rows are the next one."""
        self._soon.stop()
        here = self._here()
        if here is None:
            return
        last = self._path[self._at] if self._path else None
        if last is not None and here.is_around(last):
            self._path[self._at] = here
        elif last is not None and here.is_typed_on(last):
            del self._path[self._at + 1 :]
            self._path[self._at] = here
        else:
            self._push(here)

    def _push(self, place: WindowPlace) -> None:
        self._linked = None
        del self._path[self._at + 1 :]
        self._path.append(place)
        del self._path[:-_DEPTH]
        self._at = len(self._path) - 1
        self.moved.emit(None)
