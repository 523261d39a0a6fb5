"""The views of one window: which there are, which one each list shows, and opening, saving and arranging them; and
writing them to a file and taking them in from one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from petstore_desktop.desk.changes.done_act import Keeper, both_there
from petstore_desktop.desk.changes.done_acts import VIEWS
from petstore_desktop.desk.columns.columns import DEFAULT_SORT
from petstore_desktop.desk.jump.views import (
    ColumnLayout,
    SavedView,
    ViewList,
    columns_from,
    from_json,
    new_id,
    shipped_views,
    take_in,
    texts_by_name,
    to_json,
    view_list_from_json,
    view_list_to_json,
)
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.own_acts import OwnParts
from petstore_desktop.domain.records import JsonValue, Resource
from petstore_desktop.ui.base.theme import plain
from petstore_desktop.ui.context.message import Message, Say
from petstore_desktop.ui.questions.raw_answer import open_failure, open_raw
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.text.views import kept_words, shipped_name, taken_in_words, title_words, written_words
from petstore_desktop.ui.widgets.dialogs import ask_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from petstore_desktop.shop.own_files import OwnFiles
    from petstore_desktop.ui.context.edits import Edits
    from petstore_desktop.ui.lists.list_context import ShownLists
    from petstore_desktop.ui.lists.resource_tab import ResourceTab


KEPT = "views"
"""Under this name the window remembers them."""


class Views(QObject):
    """All views of one connection, and the way to them.

    Signals:
        changed: object: there are others, in another order, or another one is open.
    """

    changed = Signal(object)

    def __init__(
        self,
        lists: ShownLists,
        kept: Mapping[str, object],
        keep: Callable[[Mapping[str, object]], object],
        edits: Edits,
        say: Say,
        open_menu: Callable[[ResourceTab], object],
        parent: QWidget,
    ) -> None:
        """`kept`: what `keep` was given last; `open_menu` opens the menu of a list's views."""
        super().__init__(parent)
        self._lists, self._keep_all, self._do, self._say, self._open_menu = lists, keep, edits.do, say, open_menu
        self.view_list, self._unread = view_list_from_json(shipped_views(shipped_name), kept)
        self._open = texts_by_name(kept.get("open"))
        self._plain = _columns_of(kept.get("columns"))
        """How the columns of a list stand without a view of their own, where one with its own is open."""
        self._called: dict[str, tuple[str, tuple[str, Mapping[str, str]]]] = {}
        """What a link called the rows of a list, and how it filtered them."""
        self._plain_sort: dict[str, tuple[tuple[str, bool], ...]] = {}
        """How a list was sorted before it showed a view that is sorted in its own way."""
        self._busy = False
        edits.desk.done.keeps(VIEWS, Keeper(self._parts, self._put, _alike))

    def tell_unread(self) -> None:
        """Show that some stored views cannot be used by this version."""
        if self._unread:
            self._say(Message(kept_words(len(self._unread)), "warning"))

    # -- which there are

    def all(self) -> tuple[SavedView, ...]:
        """All views in their order; the first nine have a key."""
        return self.view_list.all()

    def current(self, resource: Resource) -> SavedView:
        """The one that a list shows, or showed before something was changed by hand."""
        return self.view_list.view(self._open.get(resource.value, "")) or self.whole(resource)

    def here(self) -> SavedView | None:
        """That of the list on the screen; None on another tab."""
        tab = self._lists.tab()
        return None if tab is None else self.current(tab.resource)

    def is_changed(self, tab: ResourceTab) -> bool:
        """Whether a list shows something else than its view by now."""
        view = self.current(tab.resource)
        if view.is_all:
            return False
        text, filters = tab.filters.kept(view)
        return not replace(view, text=text, filters=filters).shows(shown_in(tab))

    def whole(self, resource: Resource) -> SavedView:
        """The view that is the whole list."""
        return next(view for view in self.view_list.of(resource) if view.is_all)

    # -- opening

    def open(self, view: SavedView) -> None:
        """Show a view, in its tab, with the keyboard in the rows."""
        tab = self._lists.go_to(view.resource)
        if tab is None:
            return
        self._busy = True
        try:
            self._lay_columns(tab, view)
            tab.filters.use_kept(view.text, view.filters)
            self._sort(tab, view)
            tab.stateChanged.emit(None)
        finally:
            self._busy = False
        self._open[view.resource.value] = view.id
        self._called.pop(view.resource.value, None)
        self._follow(tab)
        self._keep()
        tab.refresh_state()  # what an empty list offers depends on whose filter leaves it empty
        tab.to_rows()

    def back(self) -> None:
        """Show the view of this list as it is kept."""
        view = self.here()
        if view is not None:
            self.open(view)

    def _sort(self, tab: ResourceTab, view: SavedView) -> None:
        """A view that is sorted in its own way leaves the list as it was sorted for when it is left."""
        name, before = tab.resource.value, self.current(tab.resource)
        wanted = view.sort
        if wanted and not before.sort:
            self._plain_sort[name] = tab.table.sort
        elif before.sort and not wanted:
            wanted = self._plain_sort.pop(name, (DEFAULT_SORT[tab.resource],))
        tab.sort_by(wanted if wanted != tab.table.sort else ())

    def _lay_columns(self, tab: ResourceTab, view: SavedView) -> None:
        """A view with columns of its own leaves those of the list as they were for when it is left."""
        name, before = tab.resource.value, self.current(tab.resource)
        if view.columns is not None:
            if before.columns is None:
                self._plain[name] = columns_in(tab)
            _arrange(tab, view.columns)
        elif before.columns is not None:
            _arrange(tab, self._plain.pop(name, ColumnLayout()))

    # -- following what a list shows

    def attach(self, tab: ResourceTab) -> None:
        """From now on this list says which view it shows."""
        tab.bar.keep_whole(title_words("", True))
        tab.stateChanged.connect(lambda: self._follow(tab))
        tab.bar.titleClicked.connect(lambda: self._open_menu(tab))
        self._follow(tab)

    def call(self, tab: ResourceTab, name: str) -> None:
        """A link led to these rows: the list has the link's name until it is filtered otherwise."""
        self._called[tab.resource.value] = name, tab.filters.kept()
        self._follow(tab)

    def _called_now(self, tab: ResourceTab) -> str:
        name, filters = self._called.get(tab.resource.value, ("", ("", {})))
        if name and filters != tab.filters.kept():
            del self._called[tab.resource.value]
        return name if filters == tab.filters.kept() else ""

    def _follow(self, tab: ResourceTab) -> None:
        if self._busy:
            return
        called = self._called_now(tab)
        title = title_words(called or plain(self.current(tab.resource).name), not called and self.is_changed(tab))
        if title != tab.bar.title():
            tab.bar.set_title(title)
            self.changed.emit(None)

    # -- arranging

    def save(self, name: str) -> None:
        """Keep what the list on the screen shows, under this name; another one of it is replaced."""
        tab = self._lists.tab()
        if tab is None:
            return
        known = self.view_list.named(name, tab.resource)
        view = replace(shown_in(tab), name=name.strip(), id=new_id() if known is None or known.is_all else known.id)
        self._leave_plain(tab, view)
        self._open[tab.resource.value] = view.id
        self.use(self.view_list.with_view(view))

    def save_here(self) -> None:
        """Keep what the list shows as the view that is open in it."""
        view = self.here()
        if view is not None and not view.is_all:
            self.save(view.name)

    def _leave_plain(self, tab: ResourceTab, view: SavedView) -> None:
        if self.current(tab.resource).columns is None and view.columns is not None:
            self._plain[tab.resource.value] = columns_in(tab)

    def rename(self, view: SavedView, name: str) -> None:
        """Call a view otherwise."""
        named = name.strip()
        if named == view.name:
            return
        what = tr("renaming of the view {name}", name=plain(view.name)).replace("&", "&&")
        self._do(VIEWS, {f"{_NAME_OF}{view.id}": named}, what)

    def move(self, view: SavedView, by: int) -> None:
        """One place up (-1) or down (1) among those of its list."""
        self.use(self.view_list.moved(view, by))

    def delete(self, view: SavedView) -> None:
        """Delete a view; the list keeps its rows. The toast restores it."""
        named = plain(view.name)
        words, what = tr("The view {name} is deleted", name=named), tr("deletion of the view {name}", name=named)
        self._do(VIEWS, {view.id: None}, what.replace("&", "&&"), words, "trash")

    def add(self, views: Sequence[SavedView], what: str, words: str) -> None:
        """Add these new ones, which Undo takes back."""
        parts = {one.id: _part(one, place) for place, one in enumerate(views, len(self.view_list.own))}
        self._do(VIEWS, parts, what, words, "saved")

    def _parts(self, names: Iterable[str]) -> OwnParts:
        """What there is of these: a view by its id, or the name of one."""
        parts: dict[str, JsonValue] = {}
        for name in names:
            id_ = name.removeprefix(_NAME_OF)
            view, opened = self.view_list.view(id_), [of for of, shown in self._open.items() if shown == id_]
            part = None if view is None else _part(view, self.view_list.place(id_), opened)
            parts[name] = part if name == id_ or view is None else view.name
        return parts

    def _put(self, parts: OwnParts) -> None:
        view_list = self.view_list
        for name, part in parts.items():
            view = view_list.view(name.removeprefix(_NAME_OF))
            match part:
                case str() if view is not None:
                    view_list = view_list.with_view(replace(view, name=part))
                case None if view is not None:
                    view_list = view_list.without(view)
                case {"view": value, "place": int() as place, "open": list() as opened}:
                    if isinstance(back := from_json(value), SavedView):
                        view_list = view_list.with_back(back, place)
                        self._open |= dict.fromkeys(map(str, opened), back.id)
                case _:
                    pass
        self.use(view_list)

    def use(self, view_list: ViewList) -> None:
        """Other views from now on."""
        self.view_list = view_list
        for tab in self._lists.built_tabs():
            self._follow(tab)
        self._keep()

    def _keep(self) -> None:
        kept = view_list_to_json(self.view_list, self._unread)
        columns = {name: {"hidden": sorted(one.hidden), "order": [*one.order]} for name, one in self._plain.items()}
        self._keep_all({**kept, "open": dict(self._open), "columns": columns})
        self.changed.emit(None)


_NAME_OF = "name of "
"""Before the id of a view: what it is called."""


def _part(view: SavedView, place: int, opened: Iterable[str] = ()) -> JsonValue:
    """A view as an act has it, with the lists that show it."""
    return {"view": to_json(view), "place": place, "open": [*opened]}


def _alike(now: JsonValue, then: JsonValue) -> bool:
    """Whether a view is called as it was, or is there as it was: what it shows may be something else by now."""
    return now == then if isinstance(then, str) else both_there(now, then)


def shown_in(tab: ResourceTab) -> SavedView:
    """What a list shows just now, as a view without a name."""
    table = tab.table
    return SavedView("", tab.resource, *tab.filters.kept(), table.sort, columns_in(tab))


def columns_in(tab: ResourceTab) -> ColumnLayout:
    """Which columns of a list are hidden, and how they stand."""
    columns = columns_from(tab.columns.state())
    as_shipped = columns.order == tuple(column.id for column in tab.table.columns)
    return replace(columns, order=()) if as_shipped else columns


def _arrange(tab: ResourceTab, columns: ColumnLayout) -> None:
    state = {**tab.columns.state(), "hidden": sorted(columns.hidden), "order": [*columns.order]}
    if columns != columns_in(tab):
        tab.columns.restore(state)


def _columns_of(value: object) -> dict[str, ColumnLayout]:
    pairs = cast("Mapping[object, object]", value).items() if isinstance(value, Mapping) else ()
    return {
        name: columns_from(cast("Mapping[str, object]", state))
        for name, state in pairs
        if name in {one.value for one in Resource} and isinstance(name, str) and isinstance(state, Mapping)
    }


class ViewsFiles(QObject):
    """For one window."""

    def __init__(self, views: Views, port: OwnFiles, say: Say, window: QWidget) -> None:
        super().__init__(window)
        self._views, self._port, self._say, self._window = views, port, say, window

    # -- out

    def ask_where(self) -> None:
        """Ask for the file to write."""
        name = f"{tr('views', 'the name of a file')}.json"
        title, window = tr("Export views"), self._window
        ask_file(window, title, "exportViewsDialog", _filters(), self.write, save_as=name, suffix="json")

    def write(self, path: str) -> None:
        """Write the views that a person saved or changed."""
        own = [to_json(view) for view in self._views.all() if not view.shipped]

        def done(error: ShopError | None) -> None:
            if error is None:
                self._say(Message(written_words(len(own), path), "export"))
            else:
                open_failure(self._window, error, tr("Choose another file…"), self.ask_where)

        self._port.write_views(path, own, done)

    # -- in

    def ask_which(self) -> None:
        """Ask for the file to read."""
        ask_file(self._window, tr("Import views"), "importViewsDialog", _filters(), self.read)

    def read(self, path: str) -> None:
        """Add the views of a file, and say what does not fit."""
        self._port.read_views(path, self._take)

    def _take(self, found: Sequence[JsonValue] | ShopError) -> None:
        if isinstance(found, ShopError):
            open_failure(self._window, found, tr("Choose another file…"), self.ask_which)
            return
        before = self._views.view_list
        taken = take_in(before, found)
        new = tuple(view for view in taken.view_list.own if view not in before.own)
        words, lines = taken_in_words(taken)
        if lines:
            open_raw(self._window, words, "\n".join(lines))
        if new:
            self._views.add(new, tr("import of views"), words)
        elif not lines:
            self._say(Message(words, "saved"))


def _filters() -> tuple[str, str]:
    return tr("Views (*.json)"), tr("All files (*)")
