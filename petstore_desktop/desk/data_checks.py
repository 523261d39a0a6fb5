"""The data checks: which rows of the lists contradict each other or lack something, as data.

A check finds nothing wherever it cannot be sure: where a list that it compares with is not here whole, or shows records
of certain statuses alone; for a record that was first named after the list was read in which it is missing; where a
field was found by a guess, or where the service tells a field of no record at all. `silence` says which of these it is.
`is_unsure` says it of single rows. Rows that are being deleted here are left out.

The rows that a check finds are computed when first asked for, and kept right while a list is filtered by them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from itertools import chain
from typing import Any, Literal, TypeAlias, cast
from unicodedata import normalize
from weakref import WeakSet

from msgspec import Struct

from petstore_desktop.desk.model.ripple import Moves
from petstore_desktop.desk.model.shop_model import LINKED, ShopModel
from petstore_desktop.domain.records import FieldValue, Key, LocalId, Resource, is_surely_sold

_PETS, _CATEGORIES, _ORDERS, _STOCK = Resource.PETS, Resource.CATEGORIES, Resource.ORDERS, Resource.INVENTORY

Silence: TypeAlias = Literal["", "not-offered", "not-read", "guessed", "not-told"]
"""Why a check finds nothing whatever the rows are; empty where it looks at them."""
Mend: TypeAlias = Literal["", "set-to-zero", "choose-category"]
"""What can be done to the rows that a check finds, where they stand."""


class DataCheck(Struct, frozen=True):
    """One check of the rows of a list. `id` is the word for it in filters.

    `find` tells of many rows (slots) at once which are found. `needs`: the lists that must be here whole; `reads`: the
    fields without which there is no check. `also`: the rows whose answer may change with others that moved, beside
    those that show the change; `kin`: what rows have in common that are found because of each other.
    """

    id: str
    resource: Resource
    find: Callable[[ShopModel, Sequence[int]], list[bool]]
    needs: tuple[Resource, ...] = ()
    reads: tuple[tuple[Resource, str], ...] = ()
    also: Callable[[ShopModel, Moves], Iterable[int]] = lambda _shop, _moves: ()
    kin: Callable[[ShopModel, Sequence[int]], Sequence[object]] | None = None
    mend: Mend = ""

    @property
    def lists(self) -> frozenset[Resource]:
        """The lists that it looks at."""
        return frozenset((self.resource, *self.needs, *(resource for resource, _ in self.reads)))


# ---- what can be relied on


def _is_sure(shop: ShopModel, resource: Resource, name: str) -> bool:
    return name not in shop.guessed.get(resource, ()) and shop.tells(resource, name)


def silence(shop: ShopModel, check: DataCheck) -> Silence:
    """Why a check cannot be made now; empty where it can."""
    if any(one in shop.unlisted and (one in check.needs or not len(shop.stores[one])) for one in check.lists):
        return "not-offered"
    if not shop.missing.in_parts.isdisjoint(check.needs):
        return "not-offered"
    if not shop.whole.issuperset(check.needs):
        return "not-read"
    if not len(shop.stores[check.resource]):
        return "" if check.resource in shop.whole else "not-read"
    if any(name in shop.guessed.get(resource, ()) for resource, name in check.reads):
        return "guessed"
    return "" if all(shop.tells(*one) for one in check.reads) else "not-told"


def is_unsure(shop: ShopModel, check: DataCheck) -> bool:
    """Whether rows name records that are not here and that may have been made since their list was read: whether the
    check would find those rows is not known before that list is read anew."""
    resource, slots = check.resource, all_slots(shop, check.resource)
    for target in check.needs:
        unsure = {key for key in shop.missing.may_exist(target) if key not in shop.stores[target]}
        if unsure and resource in LINKED:
            return not unsure.isdisjoint(_keys_shown(shop, resource, slots, LINKED[resource]))
        if unsure:
            return not unsure.isdisjoint(shop.stores[resource].keys.many(slots))
    return False


def found_among(shop: ShopModel, check: DataCheck, slots: Sequence[int]) -> dict[int, object]:
    """Those of these rows that a check finds, each with its kin."""
    if silence(shop, check):
        return {}
    going = _going(shop, check.resource)
    found = [slot for slot, is_found in zip(slots, check.find(shop, slots), strict=True) if is_found]
    found = [slot for slot in found if slot not in going] if going else found
    kin = [None] * len(found) if check.kin is None else check.kin(shop, found)
    return dict(zip(found, kin, strict=True))


# ---- columns as they are shown


def _going(shop: ShopModel, resource: Resource) -> set[int]:
    """The rows that are being deleted here."""
    over, slot_of = shop.overlay.records[resource], shop.stores[resource].slot
    return {slot for key, one in over.items() if one.deleted and (slot := slot_of(cast("Key", key))) is not None}


def _shown(shop: ShopModel, resource: Resource, slots: Sequence[int], name: str) -> list[FieldValue]:
    """A field of many rows as lists show it; None for rows that are being deleted."""
    store, over, resolve = shop.stores[resource], shop.overlay.records[resource], shop.overlay.resolve_value
    values = store.columns[name].many(slots)
    if LocalId in set(map(type, values)):
        values = [resolve(one) if type(one) is LocalId else one for one in values]
    for place, key in enumerate(store.keys.many(slots)) if over else ():
        if (laid := over.get(key)) is not None:
            values[place] = None if laid.deleted else shop.shown(resource, slots[place], name)
    return values


def _keys_shown(shop: ShopModel, resource: Resource, slots: Sequence[int], name: str) -> list[Key | None]:
    values = _shown(shop, resource, slots, name)
    if set(map(type, values)) <= _KEYS:
        return cast("list[Key | None]", values)
    return [cast("Key", one) if type(one) in _KEYS else None for one in values]


_KEYS = frozenset((int, str, LocalId, type(None)))
"""The types of what names a record, or none."""


def _stocks(shop: ShopModel, pets: Sequence[Key]) -> list[int | None]:
    """The stock of many pets, with the bookings that wait."""
    stocks = [one if type(one) is int else None for one in shop.stores[_STOCK].values_of(pets, "quantity")]
    over = shop.overlay.records[_STOCK]
    for place, pet in enumerate(pets) if over else ():
        if pet in over:
            stock = shop.stock(pet)
            stocks[place] = None if stock is None else stock.result
    return stocks


def _missing(shop: ShopModel, resource: Resource, keys: Iterable[Key | None]) -> set[Key]:
    """Those of these keys that name no record, and none that may have been made since their list was read."""
    some = [key for key in set(keys) if key is not None]
    missing = {key for key, slot in zip(some, shop.stores[resource].slots_of(some), strict=True) if slot is None}
    return missing - shop.missing.may_exist(resource) if missing else missing


def all_slots(shop: ShopModel, resource: Resource) -> Sequence[int]:
    """Every slot in use; as a range, which is read fastest, where none is free."""
    store = shop.stores[resource]
    return range(store.capacity) if len(store) == store.capacity else list(store.slots())


def _is_most(shop: ShopModel, resource: Resource, slots: Sequence[int]) -> bool:
    """Whether looking at all rows costs less than following the links of these."""
    return len(slots) * 4 > len(shop.stores[resource])


# ---- the checks


def _names_no_pet(shop: ShopModel, slots: Sequence[int]) -> list[bool]:
    pets = _keys_shown(shop, _ORDERS, slots, "pet_id")
    missing = _missing(shop, _PETS, pets)
    return [pet in missing for pet in pets]


def _has_no_pet(shop: ShopModel, slots: Sequence[int]) -> list[bool]:
    pets = shop.stores[_STOCK].keys.many(slots)
    missing = _missing(shop, _PETS, pets)
    return [pet in missing for pet in pets]


def _sold_with_stock(shop: ShopModel, slots: Sequence[int]) -> list[bool]:
    statuses = _shown(shop, _PETS, slots, "status")
    sold = {status for status in set(statuses) if is_surely_sold(status)}
    places = [place for place, status in enumerate(statuses) if status in sold]
    keys = shop.stores[_PETS].keys.many(slots)
    found = [False] * len(slots)
    for place, stock in zip(places, _stocks(shop, [keys[place] for place in places]), strict=True):
        found[place] = stock is not None and stock > 0
    return found


def _without_category(shop: ShopModel, slots: Sequence[int]) -> list[bool]:
    categories = _keys_shown(shop, _PETS, slots, "category_id")
    missing: set[Key | None] = {*_missing(shop, _CATEGORIES, categories), None}
    return [category in missing for category in categories]


_LOOSE = re.compile(r"[\t\v\f\r\x1c-\x1f]|  |^ | $", re.MULTILINE)
"""White space in a name that is no part of it."""


def _plain_name(name: FieldValue) -> str:
    """A name without case and needless white space."""
    if not isinstance(name, str):
        return ""
    return " ".join((name if name.isascii() else normalize("NFC", name)).casefold().split())


def _plain_names(names: Sequence[FieldValue]) -> list[str]:
    """The same of many names; those that need no more than small letters are taken together."""
    joined = "\n".join([name if isinstance(name, str) else "" for name in names])
    if joined.isascii() and joined.count("\n") == len(names) - 1 and not _LOOSE.search(joined):
        return joined.lower().split("\n")
    return list(map(_plain_name, names))


def _named_alike(shop: ShopModel, slots: Sequence[int]) -> list[bool]:
    own = groups = _groups(shop, slots)
    if len(slots) < len(shop.stores[_PETS]):
        sources, categories = shop.links[_PETS].sources, {group[0] for group in own if group}
        is_most = _is_most(shop, _PETS, slots)
        peers = all_slots(shop, _PETS) if is_most else list(chain.from_iterable(map(sources, categories)))
        groups = _groups(shop, peers)
    counts = Counter(groups)
    return [group is not None and counts[group] > 1 for group in own]


def _groups(shop: ShopModel, slots: Sequence[int]) -> list[tuple[Key, str] | None]:
    """The category and name of each pet; None where it lacks one."""
    categories = _keys_shown(shop, _PETS, slots, "category_id")
    names = _plain_names(_shown(shop, _PETS, slots, "name"))
    return [
        (category, name) if name and category is not None else None
        for category, name in zip(categories, names, strict=True)
    ]


def _peers(shop: ShopModel, moves: Moves) -> Iterable[int]:
    """The pets in the categories of those that moved."""
    slot_of = shop.stores[_PETS].slot
    moved = {slot for slot in map(slot_of, moves.keys.get(_PETS, ())) if slot is not None}
    categories = {key for slot in moved if (key := shop.linked(_PETS, slot)) is not None}
    return chain.from_iterable(shop.links[_PETS].sources(category) for category in categories)


_ORDER_FIELDS = ("pet_id", "quantity", "ship_date")


def _is_incomplete(shop: ShopModel, slots: Sequence[int]) -> list[bool]:
    names = [name for name in _ORDER_FIELDS if _is_sure(shop, _ORDERS, name)]
    lacking = [[value is None or value == "" for value in _shown(shop, _ORDERS, slots, name)] for name in names]
    return list(map(any, zip(*lacking, strict=True))) if lacking else [False] * len(slots)


def _open_orders(shop: ShopModel, slots: Sequence[int]) -> list[tuple[Key, int] | None]:
    """The pet and quantity of each order; None where it is not open, or orders nothing."""
    pets = _keys_shown(shop, _ORDERS, slots, "pet_id")
    quantities, complete = (_shown(shop, _ORDERS, slots, name) for name in ("quantity", "complete"))
    return [
        (pet, quantity) if done is False and pet is not None and type(quantity) is int and quantity > 0 else None
        for pet, quantity, done in zip(pets, quantities, complete, strict=True)
    ]


def _more_than_stock(shop: ShopModel, slots: Sequence[int]) -> list[bool]:
    """Open orders of pets of which all open orders together want more than there is."""
    own = orders = _open_orders(shop, slots)
    wanted: dict[Key, int] = dict.fromkeys((one[0] for one in own if one), 0)
    if len(slots) < len(shop.stores[_ORDERS]):
        sources, is_most = shop.links[_ORDERS].sources, _is_most(shop, _ORDERS, slots)
        others = all_slots(shop, _ORDERS) if is_most else list(chain.from_iterable(map(sources, wanted)))
        orders = _open_orders(shop, others)
    for pet, quantity in filter(None, orders):
        if pet in wanted:
            wanted[pet] += quantity
    stocks = zip(wanted.items(), _stocks(shop, list(wanted)), strict=True)
    short = {pet for (pet, quantity), stock in stocks if stock is not None and quantity > stock}
    return [one is not None and one[0] in short for one in own]


def _orders_of_moved(shop: ShopModel, moves: Moves) -> Iterable[int]:
    """The orders of pets whose stock or orders moved."""
    slot_of = shop.stores[_ORDERS].slot
    moved = [slot for slot in map(slot_of, moves.keys.get(_ORDERS, ())) if slot is not None]
    ordered = (shop.linked(_ORDERS, slot) for slot in moved)
    pets = {*moves.keys.get(_STOCK, ()), *moves.keys.get(_PETS, ()), *(pet for pet in ordered if pet is not None)}
    return chain.from_iterable(map(shop.links[_ORDERS].sources, pets))


def _below_zero(shop: ShopModel, slots: Sequence[int]) -> list[bool]:
    store = shop.stores[_STOCK]
    if not shop.overlay.records[_STOCK]:
        return [type(stock) is int and stock < 0 for stock in store.columns["quantity"].many(slots)]
    stocks = _stocks(shop, store.keys.many(slots))
    return [stock is not None and stock < 0 for stock in stocks]


DATA_CHECKS: tuple[DataCheck, ...] = (
    DataCheck(
        "sold-with-stock",
        _PETS,
        _sold_with_stock,
        reads=((_PETS, "status"), (_STOCK, "quantity")),
        mend="set-to-zero",
    ),
    DataCheck("no-such-pet", _ORDERS, _names_no_pet, (_PETS,), ((_ORDERS, "pet_id"),)),
    DataCheck(
        "without-category",
        _PETS,
        _without_category,
        (_CATEGORIES,),
        ((_PETS, "category_id"),),
        mend="choose-category",
    ),
    DataCheck(
        "same-name",
        _PETS,
        _named_alike,
        reads=((_PETS, "name"), (_PETS, "category_id")),
        also=_peers,
        kin=_groups,
    ),
    DataCheck("stock-without-pet", _STOCK, _has_no_pet, (_PETS,)),
    DataCheck("incomplete", _ORDERS, _is_incomplete),
    DataCheck(
        "more-than-stock",
        _ORDERS,
        _more_than_stock,
        reads=((_ORDERS, "pet_id"), (_ORDERS, "quantity"), (_ORDERS, "complete"), (_STOCK, "quantity")),
        also=_orders_of_moved,
        kin=lambda shop, slots: _keys_shown(shop, _ORDERS, slots, "pet_id"),
    ),
    DataCheck("below-zero", _STOCK, _below_zero, reads=((_STOCK, "quantity"),), mend="set-to-zero"),
)

BY_ID: Mapping[str, DataCheck] = {check.id: check for check in DATA_CHECKS}


def checks_of(resource: Resource) -> tuple[DataCheck, ...]:
    """The checks of one list."""
    return tuple(check for check in DATA_CHECKS if check.resource is resource)


Facts: TypeAlias = "tuple[Any, ...]"


def facts_of(shop: ShopModel) -> Facts:
    """What all answers depend on beside the rows: when it moves, every row is asked again."""
    fields = {*chain.from_iterable(check.reads for check in DATA_CHECKS), *((_ORDERS, name) for name in _ORDER_FIELDS)}
    told = frozenset(one for one in fields if shop.tells(*one))
    return (
        shop.whole,
        shop.unlisted,
        shop.missing.in_parts,
        frozenset((one, tuple(names)) for one, names in shop.guessed.items()),
        told,
    )


_MARKS = "marks"
"""The column whose filter knows the checks."""


class CheckedRows:
    """Of one shop. What nobody watches is forgotten with the next event, and computed again when it is asked for."""

    def __init__(self, shop: ShopModel) -> None:
        self._shop = shop
        self._found: dict[str, dict[int, object]] = {}
        self._watchers: dict[str, WeakSet[object]] = {}
        self._facts = facts_of(shop)

    def of(self, check_id: str) -> Set[int]:
        """The slots of the rows that a check finds now."""
        found = self._found.get(check_id)
        if found is None:
            found = self._found[check_id] = self._all(BY_ID[check_id])
        return found.keys()

    def watch(self, check_id: str, watcher: object) -> None:
        """As long as `watcher` lives, its list is told of rows that are found, or no longer found."""
        self._watchers.setdefault(check_id, WeakSet()).add(watcher)

    def _all(self, check: DataCheck) -> dict[int, object]:
        return found_among(self._shop, check, all_slots(self._shop, check.resource))

    def _is_watched(self, check_id: str) -> bool:
        return bool(self._watchers.get(check_id))

    def follow(self, moves: Moves) -> None:
        """Rows moved: add to `moves` those of watched checks whose answer is another now."""
        facts = facts_of(self._shop) if any(map(self._is_watched, self._found)) else self._facts
        moved = self.ask_all_again() if facts != self._facts else self._ask_some(moves)
        for resource, slots in moved.items():
            if slots:
                moves.joined[resource].setdefault(_MARKS, set()).update(slots)

    def ask_all_again(self) -> dict[Resource, set[int]]:
        """Rows came unseen, or lists were read: the rows of watched checks whose answer is another now."""
        self._facts = facts_of(self._shop)
        moved: dict[Resource, set[int]] = {}
        for check_id, before in [*self._found.items()]:
            check = BY_ID[check_id]
            del self._found[check_id]
            if self._is_watched(check_id):
                after = self._found[check_id] = self._all(check)
                moved.setdefault(check.resource, set()).update(before.keys() ^ after.keys())
        return moved

    def _ask_some(self, moves: Moves) -> dict[Resource, set[int]]:
        moved: dict[Resource, set[int]] = {}
        for check_id, before in [*self._found.items()]:
            if not self._is_watched(check_id):
                del self._found[check_id]
                continue
            check = BY_ID[check_id]
            asked = self._concerned(check, moves, before)
            after = found_among(self._shop, check, list(asked))
            moved.setdefault(check.resource, set()).update((before.keys() & asked) ^ after.keys())
            for slot in asked - after.keys():
                before.pop(slot, None)
            before.update(after)
        return moved

    def _concerned(self, check: DataCheck, moves: Moves, found: dict[int, object]) -> set[int]:
        """The rows in use whose answer may be another now; those that went are found no more."""
        merge, store = moves.of(check.resource), self._shop.stores[check.resource]
        asked = {*merge.added, *merge.changed, *chain.from_iterable(moves.joined[check.resource].values())}
        left = {found[slot] for slot in chain(asked, merge.removed) if slot in found} if check.kin else ()
        for slot in merge.removed:
            if not store.is_used(slot):
                found.pop(slot, None)
        asked.update(check.also(self._shop, moves))
        if left:
            asked.update(slot for slot, kin in found.items() if kin in left)
        return {slot for slot in asked if store.is_used(slot)}


def checked_rows_of(shop: ShopModel) -> CheckedRows:
    """The findings of a shop; made at the first use."""
    if shop.checked_rows is None:
        shop.checked_rows = CheckedRows(shop)
    return shop.checked_rows
