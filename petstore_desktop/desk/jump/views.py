"""Views: what a list shows, under a name. All of a view is text that a person could have typed, and columns.

Some ship with the program; a person saves others, and may change, rename, move and delete every one. A view that ships
and is changed keeps its id, and stands in the place of the one that ships. The window keeps them as plain JSON, which a
file holds, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import cast

from msgspec import Struct, field
from msgspec.structs import replace

from petstore_desktop.clock import unique
from petstore_desktop.desk.columns.columns import COLUMNS
from petstore_desktop.desk.data_checks import BY_ID, checks_of
from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.desk.values.text import fold
from petstore_desktop.domain.records import JsonValue, Resource

KEYS = 9
"""How many of the first views have a key: Ctrl+1 to Ctrl+9."""


class ColumnLayout(Struct, frozen=True):
    """Which columns are hidden, and in which order they stand; no order is the one that ships."""

    hidden: frozenset[str] = frozenset()
    order: tuple[str, ...] = ()


class SavedView(Struct, frozen=True):
    """One view. `text` is the filter over all columns, `filters` those of single columns by their ids, both as typed.

    `sort` are column ids and whether each sorts downwards; none: as the list is sorted just now. `columns` None: as the
    list has them without a view of its own. `shipped`: as it came with the program.
    """

    name: str
    resource: Resource
    text: str = ""
    filters: Mapping[str, str] = field(default_factory=dict[str, str])
    sort: tuple[tuple[str, bool], ...] = ()
    columns: ColumnLayout | None = None
    shipped: bool = False
    id: str = ""

    @property
    def is_all(self) -> bool:
        """Whether it is the whole list, in which every filter is only for now."""
        return self.id == all_of(self.resource)

    @property
    def is_check(self) -> bool:
        """Whether it is the built-in view of a data check, as that came or as a person changed it."""
        return self.id.partition(".")[2] in BY_ID

    def shows(self, other: SavedView) -> bool:
        """Whether `other`, what a list shows just now, is this view and nothing else."""
        if self.is_all:
            return True
        same = self.text.split() == other.text.split() and _filled(self.filters) == _filled(other.filters)
        sorts = not self.sort or self.sort == other.sort
        return same and sorts and (self.columns is None or self.columns == other.columns)


def _filled(filters: Mapping[str, str]) -> dict[str, str]:
    return {column: text.strip() for column, text in filters.items() if text.strip()}


def all_of(resource: Resource) -> str:
    """The id of the view that is the whole list."""
    return f"{resource.value}.all"


def new_id() -> str:
    """For a view that a person saves."""
    return f"own:{unique()}"


# ---------------------------------------------------------------- those that ship

_PETS, _CATEGORIES, _ORDERS, _STOCK = Resource.PETS, Resource.CATEGORIES, Resource.ORDERS, Resource.INVENTORY
_MARKS = ("changed", "unsent", "attention")
_CHECKED = (_PETS, _ORDERS, _STOCK)
_SOON = (("ship_date", False),)


def _view(resource: Resource, code: str, sort: tuple[tuple[str, bool], ...] = (), **filters: str) -> SavedView:
    return SavedView("", resource, filters=filters, sort=sort, shipped=True, id=f"{resource.value}.{code}")


_SHIPPED = (
    _view(_PETS, "all"),
    _view(_PETS, "pending", status="pending"),
    _view(_STOCK, "low", (("stock", False),), stock="low"),
    _view(_ORDERS, "overdue", _SOON, ship_date="overdue"),
    _view(_ORDERS, "open", _SOON, state="open"),
    _view(_ORDERS, "week", _SOON, ship_date="this week"),
    *(_view(_PETS, mark, gutter=mark) for mark in _MARKS),
    _view(_CATEGORIES, "all"),
    _view(_ORDERS, "all"),
    _view(_STOCK, "all"),
    *(_view(resource, mark, gutter=mark) for mark in _MARKS for resource in (_ORDERS, _STOCK, _CATEGORIES)),
    *(_view(resource, one.id, gutter=one.id) for resource in _CHECKED for one in checks_of(resource)),
)


def shipped_views(name: Callable[[str], str]) -> tuple[SavedView, ...]:
    """The views that ship, in their order; `name` says what each is called, by its id."""
    return tuple(replace(view, name=name(view.id)) for view in _SHIPPED)


# ---------------------------------------------------------------- all of them


class ViewList(Struct, frozen=True):
    """Every view of one connection. `own`: views that a person saved or changed; `gone`: ids of deleted built-in ones;
    `order`: ids in a person's order, all others follow."""

    shipped: tuple[SavedView, ...]
    own: tuple[SavedView, ...] = ()
    gone: frozenset[str] = frozenset()
    order: tuple[str, ...] = ()

    def all(self) -> tuple[SavedView, ...]:
        """All views in their order; those of data checks come last."""
        place = {id_: number for number, id_ in enumerate(self.order)}
        last = len(place)
        return tuple(sorted(self._by_id().values(), key=lambda view: (view.is_check, place.get(view.id, last))))

    def _by_id(self) -> dict[str, SavedView]:
        own = {view.id: view for view in self.own}
        return {view.id: own.get(view.id, view) for view in self.shipped if view.id not in self.gone} | own

    def of(self, resource: Resource) -> tuple[SavedView, ...]:
        """Those of one list; the whole list comes first."""
        return tuple(sorted((view for view in self.all() if view.resource is resource), key=lambda one: not one.is_all))

    def view(self, id_: str) -> SavedView | None:
        """The one of this id."""
        return self._by_id().get(id_)

    def named(self, name: str, resource: Resource) -> SavedView | None:
        """The one of this name in a list, whatever its case and accents."""
        wanted = fold(name.strip())
        return next((view for view in self.of(resource) if fold(view.name) == wanted), None)

    # ---- changed copies

    def with_view(self, view: SavedView) -> ViewList:
        """With this one, in the place of the one of its id, or at the end."""
        view = replace(view, shipped=False)
        kept = tuple(view if one.id == view.id else one for one in self.own)
        own = kept if view in kept else (*self.own, view)
        return replace(self, own=own, gone=self.gone - {view.id})

    def without(self, view: SavedView) -> ViewList:
        """Without this one. The whole list cannot go."""
        if view.is_all:
            return self
        gone = self.gone | {one.id for one in self.shipped if one.id == view.id}
        return replace(self, own=tuple(one for one in self.own if one.id != view.id), gone=gone)

    def place(self, id_: str) -> int:
        """Where the view of this id is among a person's own; -1 for one as it ships."""
        return next((place for place, one in enumerate(self.own) if one.id == id_), -1)

    def with_back(self, view: SavedView, place: int) -> ViewList:
        """With this one again, at the `place` where it was."""
        own = tuple(one for one in self.own if one.id != view.id)
        own = own if place < 0 else (*own[:place], view, *own[place:])
        return replace(self, own=own, gone=self.gone - {view.id})

    def moved(self, view: SavedView, by: int) -> ViewList:
        """With this one before (-1) or after (1) its neighbour in the menu of its list."""
        line = [one for one in self.of(view.resource) if not one.is_all and one.is_check is view.is_check]
        at = next((number for number, one in enumerate(line) if one.id == view.id), -1)
        if at < 0 or not 0 <= at + by < len(line):
            return self
        order = [one.id for one in self.all() if one.id != view.id]
        order.insert(order.index(line[at + by].id) + (by > 0), view.id)
        return replace(self, order=tuple(order))

    def mended(self) -> ViewList:
        """With all that ship again; what a person saved or changed stays."""
        return replace(self, gone=frozenset())


def first_keys(views: Iterable[SavedView]) -> dict[str, int]:
    """The number of the key of each view that has one, by id."""
    return {view.id: number for number, view in enumerate(views, 1) if number <= KEYS}


MOST = 200_000
"""Longer lists are not counted: it would take too long for a menu."""
MOST_CHECKED = 20_000
"""The same for data checks, which look at a list in one go."""


def counting(shop: ShopModel, views: Iterable[SavedView]) -> Iterator[tuple[str, int] | None]:
    """The id and count of each view that is counted; None with each step on the way to it."""
    from petstore_desktop.desk.columns.column_values import ColumnValues  # late: they load numpy
    from petstore_desktop.desk.filters.filtering import ColumnFilters
    from petstore_desktop.desk.filters.text_filter import CellSearch
    from petstore_desktop.desk.model.joins import used_slots

    known = dict[Resource, ColumnValues]()
    for view in views:
        store = shop.stores[view.resource]
        most = MOST_CHECKED if view.is_check else MOST
        if view.text.strip() or len(store) > most:  # a filter over all columns would cost too much
            continue
        if not view.filters:
            yield view.id, len(store)
            continue
        values = known.setdefault(view.resource, ColumnValues(shop, store))
        filters = ColumnFilters(CellSearch(shop, store, values), COLUMNS[view.resource])
        filters.use(view.filters)
        for _ in filters.steps():
            yield None
        yield view.id, int(filters.mask()[used_slots(store)].sum())


LONGEST_NAME = 80
"""The most characters of a view's name."""
_SHOWN = 40
"""Of a name that is too long so much is said."""


class InvalidView(Struct, frozen=True):
    """An invalid view. Codes: `not-a-view`, `no-name`, `long-name`, `unknown-list`, `unknown-column`; `what`: the list
    or the column; `place`: its number in the file, from 1."""

    code: str
    name: str = ""
    what: str = ""
    place: int = 0


def to_json(view: SavedView) -> dict[str, JsonValue]:
    """One view."""
    columns = view.columns
    return {
        "id": view.id,
        "name": view.name,
        "list": view.resource.value,
        "text": view.text,
        "filters": dict(view.filters),
        "sort": [[column, down] for column, down in view.sort],
        "columns": None if columns is None else {"hidden": [*sorted(columns.hidden)], "order": [*columns.order]},
    }


def from_json(value: object) -> SavedView | InvalidView:
    """What `to_json` gave; what names a column that is not there does not fit, or it would show other rows."""
    if not isinstance(value, Mapping):
        return InvalidView("not-a-view")
    found = cast("Mapping[str, object]", value)
    name = found.get("name")
    if not isinstance(name, str) or not name.strip():
        return InvalidView("no-name")
    if len(name.strip()) > LONGEST_NAME:
        return InvalidView("long-name", f"{name.strip()[:_SHOWN]}…")
    wanted = found.get("list")
    if not isinstance(wanted, str) or wanted not in set(Resource):
        return InvalidView("unknown-list", name, str(wanted)[:_SHOWN])
    resource = Resource(wanted)
    known = {column.id for column in COLUMNS[resource]}
    filters, sort = _filters(found.get("filters")), _sort(found.get("sort"))
    text, id_ = found.get("text", ""), found.get("id", "")
    if filters is None or sort is None or not isinstance(text, str) or not isinstance(id_, str):
        return InvalidView("not-a-view", name)
    strange = [column for column in (*filters, *(column for column, _ in sort)) if column not in known]
    if strange:
        return InvalidView("unknown-column", name, strange[0])
    columns = _columns(found.get("columns"), known)
    return SavedView(name.strip(), resource, text, filters, sort, columns, id=id_ or new_id())


def texts_by_name(value: object) -> dict[str, str]:
    """The texts of a JSON object by their names; anything else is left out."""
    pairs = cast("Mapping[object, object]", value).items() if isinstance(value, Mapping) else ()
    return {name: text for name, text in pairs if isinstance(name, str) and isinstance(text, str)}


def _filters(value: object) -> dict[str, str] | None:
    found = texts_by_name(value)
    return found if value is None or found == value else None


def _sort(value: object) -> tuple[tuple[str, bool], ...] | None:
    sort: list[tuple[str, bool]] = []
    for pair in cast("list[object]", value) if isinstance(value, list) else ():
        match pair:
            case [str() as column, bool() as down]:
                sort.append((column, down))
            case _:
                return None
    return tuple(sort) if isinstance(value, list | None) else None


def _columns(value: object, known: set[str]) -> ColumnLayout | None:
    if not isinstance(value, Mapping):
        return None
    found = cast("Mapping[str, object]", value)
    return ColumnLayout(
        frozenset(name for name in _texts(found.get("hidden")) if name in known),
        tuple(name for name in _texts(found.get("order")) if name in known),
    )


def columns_from(state: Mapping[str, object]) -> ColumnLayout:
    """Of what a list keeps of its columns, what belongs to a view: their widths do not."""
    return ColumnLayout(frozenset(_texts(state.get("hidden"))), tuple(_texts(state.get("order"))))


def _texts(value: object) -> list[str]:
    return [item for item in cast("list[object]", value) if isinstance(item, str)] if isinstance(value, list) else []


# ---------------------------------------------------------------- all of them


def view_list_to_json(view_list: ViewList, unread: Sequence[JsonValue] = ()) -> dict[str, JsonValue]:
    """What a person made of the views; `unread` is kept with it."""
    return {
        "own": [*(to_json(view) for view in view_list.own), *unread],
        "gone": [*sorted(view_list.gone)],
        "order": [*view_list.order],
    }


def view_list_from_json(shipped: tuple[SavedView, ...], value: object) -> tuple[ViewList, tuple[JsonValue, ...]]:
    """What `view_list_to_json` gave, and of it what cannot be read, to be kept."""
    found = cast("Mapping[str, object]", value if isinstance(value, Mapping) else {})
    listed = found.get("own")
    entries = cast("list[JsonValue]", listed) if isinstance(listed, list) else []
    read = [(from_json(entry), entry) for entry in entries]
    own = {view.id: view for view, _ in read if isinstance(view, SavedView)}
    unread = tuple(entry for view, entry in read if isinstance(view, InvalidView))
    known = {view.id for view in shipped}
    gone = frozenset(_texts(found.get("gone"))) & known
    return ViewList(shipped, tuple(own.values()), gone - own.keys(), tuple(_texts(found.get("order")))), unread


class ImportedViews(Struct, frozen=True):
    """What came of a file of views: how many are new, which of them got another name because theirs was taken, how many
    are here already, and what does not fit."""

    view_list: ViewList
    new: tuple[SavedView, ...] = ()
    renamed: tuple[SavedView, ...] = ()
    same: int = 0
    invalid: tuple[InvalidView, ...] = ()


def take_in(view_list: ViewList, values: Iterable[object]) -> ImportedViews:
    """Add the views of a file. Existing views stay; a new one whose name is taken gets a number."""
    new: list[SavedView] = []
    renamed: list[SavedView] = []
    invalid: list[InvalidView] = []
    same = 0
    for place, value in enumerate(values, 1):
        view = from_json(value)
        if isinstance(view, InvalidView):
            invalid.append(replace(view, place=place))
            continue
        known = view_list.named(view.name, view.resource)
        if known is not None and replace(view, id=known.id, name=known.name, shipped=known.shipped) == known:
            same += 1
            continue
        view = replace(view, id=new_id(), name=view.name if known is None else _free_name(view_list, view))
        (new if known is None else renamed).append(view)
        view_list = view_list.with_view(view)
    return ImportedViews(view_list, tuple(new), tuple(renamed), same, tuple(invalid))


def _free_name(view_list: ViewList, view: SavedView) -> str:
    number = 2
    while view_list.named(f"{view.name} {number}", view.resource) is not None:
        number += 1
    return f"{view.name} {number}"
