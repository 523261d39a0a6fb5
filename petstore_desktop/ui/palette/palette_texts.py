"""What the palette says of each answer: title, id, a second text, the key, and the whole for a screen reader."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct
from PySide6.QtGui import QKeySequence

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.jump.palette import Entry, EntryKind, SearchResult
from petstore_desktop.desk.jump.views import SavedView
from petstore_desktop.desk.values.text import fold
from petstore_desktop.domain.records import ContentId, Key, LocalId, Ref, Resource
from petstore_desktop.domain.seen_changes import SeenChange
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.context.action_set import ActionSet, allowed_words
from petstore_desktop.ui.context.actions import ACTIONS, MENUS, SUBMENUS, Need
from petstore_desktop.ui.context.tab_specs import SPECS
from petstore_desktop.ui.palette.result_texts import FOUND_BY
from petstore_desktop.ui.text.cell import to_cell, value_text
from petstore_desktop.ui.text.changes.seen import gone_words
from petstore_desktop.ui.text.manual import ManualPage
from petstore_desktop.ui.text.translate import bare, counted, listed, number, resource_title, tr

OWN = "palette"
"""The name of the action that opens the palette itself."""
_ABOUT_VIEW = frozenset({"saveHere", "backToView", "renameView", "deleteView", "moveViewUp", "moveViewDown"})
"""The actions on the present view. They contain its name, so they would come before the view itself."""
_VIEW_KEYS = 9
_ISOLATES = {0x2068: None, 0x2069: None}
"""Around names in an action's words, which are harmless already: people do not type them."""
_ICONS = {spec.resource: spec.icon for spec in SPECS}
_SPECS = {spec.name: spec for spec in ACTIONS}


class PaletteLine(Struct, frozen=True):
    """One line of the list. `spoken` is all of it in one sentence; `enabled`: Enter does something."""

    icon: str
    title: str
    id: str = ""
    extra: str = ""
    key: str = ""
    spoken: str = ""
    enabled: bool = True


# ---- what there is


def view_entries(views: tuple[SavedView, ...]) -> list[Entry]:
    """The views, as they can be searched."""
    return [Entry(EntryKind.VIEW, f"view:{one.id}", plain(one.name), resource_title(one.resource)) for one in views]


def action_entries(actions: ActionSet) -> list[Entry]:
    """The actions, as they can be searched: also by the name of their menu, and by what else they may be called."""
    menus = {name: bare(text()) for name, text in (*MENUS, *((name, text) for name, _, text, _ in SUBMENUS))}
    return [
        Entry(
            EntryKind.ACTION,
            f"action:{spec.name}",
            bare(actions[spec.name].text()).translate(_ISOLATES),
            menus[spec.menu],
            usable,
            spec.name in _ABOUT_VIEW,
            fold(FOUND_BY[spec.name]()) if spec.name in FOUND_BY else "",
        )
        for spec in ACTIONS
        if spec.name != OWN
        for usable in (actions[spec.name].isEnabled() and actions[spec.name].isVisible(),)
    ]


def manual_entries(pages: Sequence[ManualPage]) -> list[Entry]:
    """The pages of the manual, as they can be searched: by their titles and their words."""
    words = tr("Manual")
    return [Entry(EntryKind.MANUAL, f"manual:{page.name}", page.title, words, also=page.words) for page in pages]


# ---- what is said of it


class Answers:
    """Puts results into words. `views`: those that there are, in their order."""

    def __init__(self, desk: Desk, actions: ActionSet, views: tuple[SavedView, ...], shop_name: str) -> None:
        self._desk = desk
        self._actions = actions
        self._views = {f"view:{view.id}": (place, view) for place, view in enumerate(views)}
        self._shop_name = isolate(plain(shop_name))
        self.past: Mapping[Ref, Sequence[SeenChange]] = {}
        """What happened to records that are not here, the newest first."""

    def of(self, found: SearchResult) -> PaletteLine:
        """One answer in words."""
        if found.entry is not None:
            says = {EntryKind.VIEW: self._view, EntryKind.MANUAL: _page}.get(found.kind, self._action)
            return says(found.entry)
        if found.ref is None:
            return PaletteLine("unknown", "")
        if found.kind is EntryKind.GONE:
            words = gone_words(found.ref, self.past.get(found.ref, ()), self._desk.now())
            return PaletteLine(_ICONS[found.ref.resource], words, "", "", "", words)
        return look_up_answer(found.ref) if found.kind is EntryKind.LOOK_UP else self._record(found.ref)

    def _view(self, entry: Entry) -> PaletteLine:
        place, view = self._views[entry.id]
        keys = _native(f"Ctrl+{place + 1}") if place < _VIEW_KEYS else ""
        list_ = resource_title(view.resource)
        spoken = _listed(tr("{name}, view of {list}", name=entry.title, list=list_), keys)
        return PaletteLine(_ICONS[view.resource], entry.title, "", tr("View · {list}", list=list_), keys, spoken)

    def _action(self, entry: Entry) -> PaletteLine:
        spec = _SPECS[entry.id.removeprefix("action:")]
        keys = self._actions[spec.name].shortcut().toString(QKeySequence.SequenceFormat.NativeText) or spec.shown_key
        why = "" if entry.enabled else why_not(spec.name, self._actions, self._shop_name)
        extra = why or entry.more
        spoken = _listed(entry.title, tr("not now") if why else "", extra, keys)
        return PaletteLine(spec.icon, entry.title, "", extra, keys, spoken, entry.enabled)

    def _record(self, ref: Ref) -> PaletteLine:
        if ref.resource is Resource.ORDERS:
            return self._order(ref)
        key, id_ = ref.key, id_of(ref.key)
        if ref.resource is Resource.PETS:
            kind, extra = tr("pet {id}", id=id_), _listed(self._said(ref, "status"), self._in_stock(key))
        elif ref.resource is Resource.CATEGORIES:
            pets = self._desk.shop.count(Resource.PETS, key)
            kind, extra = tr("category {id}", id=id_), counted(Resource.PETS, pets)
        else:
            kind, extra = tr("stock of pet {id}", id=id_), self._in_stock(key)
        name = plain(self._desk.title(ref)) or tr("without a name")
        return PaletteLine(_ICONS[ref.resource], name, f"#{id_}", extra, "", _listed(isolate(name), kind, extra))

    def _said(self, ref: Ref, column: str) -> str:
        """What stands in a column of the record's table; empty where there is nothing."""
        facts = self._desk.tables[ref.resource].cell_of(ref.key, column)
        return "" if facts.code == "none" else value_text(facts)

    def _in_stock(self, pet: Key) -> str:
        stock = self._desk.shop.stock(pet)
        result = None if stock is None else stock.result
        return "" if result is None else tr("in stock {count}", count=number(result))

    def _order(self, ref: Ref) -> PaletteLine:
        title = tr("Order {id}", id=id_of(ref.key)) if isinstance(ref.key, int | str) else tr("Order without an id")
        table = self._desk.tables[Resource.ORDERS]
        pet = to_cell(table.cell_of(ref.key, "pet"))
        what = f"{self._said(ref, 'quantity')} {isolate(pet.text)}".strip()
        date = to_cell(table.cell_of(ref.key, "ship_date")).text
        days = to_cell(table.cell_of(ref.key, "late")).text
        late = tr("{days} late", days=days) if days else ""
        extra = _listed(what, date, self._said(ref, "state"), late)
        return PaletteLine(_ICONS[ref.resource], title, "", extra, "", _listed(title, extra))


def _page(entry: Entry) -> PaletteLine:
    return PaletteLine("info", entry.title, "", entry.more, "", _listed(entry.title, entry.more))


def look_up_answer(ref: Ref) -> PaletteLine:
    """The offer to ask the service for a record that is not here."""
    words = {
        Resource.PETS: tr("Look up pet #{id} at the shop", id=ref.key),
        Resource.CATEGORIES: tr("Look up category #{id} at the shop", id=ref.key),
        Resource.ORDERS: tr("Look up order #{id} at the shop", id=ref.key),
        Resource.INVENTORY: tr("Look up the stock of pet #{id} at the shop", id=ref.key),
    }[ref.resource]
    price = tr("1 request")
    return PaletteLine("search", words, "", price, "", _listed(words, price))


def id_of(key: Key) -> str:
    """An id as it is said; a record that has none yet is new."""
    if isinstance(key, LocalId):
        return tr("new", "in place of an id that the service has not given yet")
    return "" if isinstance(key, ContentId) else str(key)


def says_all(name: str) -> bool:
    """Whether the reason why this action cannot be used names the action itself."""
    return _SPECS[name].name in _NOTHING_TO


_NOTHING_TO: Mapping[str, Callable[[], str]] = {
    "undo": lambda: tr("There is nothing to undo."),
    "redo": lambda: tr("There is nothing to redo."),
    "back": lambda: tr("There is nothing to go back to."),
    "forth": lambda: tr("There is nothing to go forward to."),
    "clearFilter": lambda: tr("No filter is set."),
}


def why_not(name: str, actions: ActionSet, shop_name: str) -> str:
    """Why an action cannot be used now."""
    spec = _SPECS[name]
    if says_all(name):
        return _NOTHING_TO[spec.name]()
    fits, has, allowed = actions.said(spec.name)
    if not fits:
        return tr("Only in {tabs}.", tabs=listed(resource_title(one) for one in spec.only))
    if allowed is not None and not allowed.ok:
        return (allowed_words(allowed, shop_name) or [tr("Not available now.")])[0]
    if not has:
        return tr("Choose a row first.") if spec.need is Need.ROW else tr("Select rows first.")
    return tr("Not available now.")


def _native(keys: str) -> str:
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


def _listed(*parts: str) -> str:
    """Those of the parts that say something, one after the other."""
    return listed(parts)
