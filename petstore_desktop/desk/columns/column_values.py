"""What the cells of one table hold, as an array for each column, by slot: what it is sorted, filtered and summed by.

A column is read as a whole at its first use, from the columns of the stores; rows that people changed, and those that
changed since, are read one by one or few at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

import numpy as np

from petstore_desktop.desk.columns.column import stock_rank
from petstore_desktop.desk.columns.columns import date_rank
from petstore_desktop.desk.model.column_arrays import Numbers
from petstore_desktop.desk.model.joins import numbers_of
from petstore_desktop.desk.model.row_store import RowStore
from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.desk.model.shown_texts import ID
from petstore_desktop.desk.search.arrays import MISSING, NOWHERE, Slots, Values, as_number, masked
from petstore_desktop.desk.values.collation import collated
from petstore_desktop.domain.records import TYPED_FIELDS, Key, Resource
from petstore_desktop.quicker.dataclass import dataclass

_PETS, _STOCK, _ORDERS, _CATEGORIES = Resource.PETS, Resource.INVENTORY, Resource.ORDERS, Resource.CATEGORIES
UNREADABLE: Final = MISSING + 1
"""Stands for a date that cannot be read."""
DAY: Final = 86_400_000_000
"""Microseconds of a day."""

_One: TypeAlias = Callable[[ShopModel, Resource, int], Any]
_Many: TypeAlias = Callable[[ShopModel, RowStore, Slots], Values]


@dataclass(frozen=True, slots=True)
class _Reader:
    """How a column is read: `one` cell with what people did to it, and `many` at once without that. `coded`: the
    values of cells are no numbers, so each stands for one of few."""

    one: _One
    many: _Many | None = None
    coded: bool = False


# ---- many at once


def _field(name: str) -> _Many:
    return lambda _shop, store, slots: numbers_of(cast("Any", store.columns[name]), slots)


def _pets_of(store: RowStore) -> Numbers[Any]:
    """The ids of the pets that rows name."""
    return cast("Numbers[Any]", store.columns["pet_id"]) if store.resource is _ORDERS else store.keys


def _find(shop: ShopModel, target: Resource, keys: Numbers[Any], slots: Slots) -> Slots:
    """Where the records of another list are that these rows name by such a column; NOWHERE where there is none."""
    numbers, store, resolve = numbers_of(keys, slots), shop.stores[target], shop.overlay.resolve_value
    found = shop.texts.joins[target].find(numbers)
    if keys.texts is None and not keys.others:
        return found
    odd = numbers == MISSING
    odd |= np.isin(slots, np.fromiter(keys.others, np.int32))
    for place in np.flatnonzero(odd).tolist():
        key = resolve(keys[int(slots[place])])
        at = None if key is None else store.slot(key)
        found[place] = NOWHERE if at is None else at
    return found


def _pet_slots(shop: ShopModel, store: RowStore, slots: Slots) -> Values:
    return _find(shop, _PETS, _pets_of(store), slots)


def _stocks(shop: ShopModel, store: RowStore, slots: Slots) -> Values:
    at = _find(shop, _STOCK, store.keys, slots)
    quantities = numbers_of(cast("Any", shop.stores[_STOCK].columns["quantity"]))
    return np.where(at == NOWHERE, MISSING, np.append(quantities, MISSING)[at])


def _counts(of: Resource) -> _Many:
    """How many rows of another list name each record; MISSING for none."""

    def many(shop: ShopModel, store: RowStore, slots: Slots) -> Values:
        links = shop.links[of]
        if links.expected:
            return _one_by_one(shop, store, slots, _count(of))
        there = _find(shop, store.resource, links.targets, np.arange(len(links.targets), dtype=np.int32))
        counts = np.bincount(there[there != NOWHERE], minlength=store.capacity)
        return np.where(counts[slots] > 0, counts[slots], MISSING)

    return many


def _one_by_one(shop: ShopModel, store: RowStore, slots: Slots, one: _One) -> Values:
    return np.array([as_number(one(shop, store.resource, slot)) for slot in slots.tolist()], np.int64)


# ---- one


def _count(of: Resource) -> _One:
    return lambda shop, resource, slot: shop.links[of].count(shop.stores[resource].keys[slot]) or None


def _pet(shop: ShopModel, resource: Resource, slot: int) -> Any:
    return shop.linked(resource, slot) if resource is _ORDERS else shop.stores[resource].keys[slot]


def _pet_slot(shop: ShopModel, resource: Resource, slot: int) -> int:
    key = _pet(shop, resource, slot)
    at = None if key is None else shop.stores[_PETS].slot(key)
    return NOWHERE if at is None else at


def _category(shop: ShopModel, resource: Resource, slot: int) -> Key | None:
    return shop.linked(_PETS, slot) if resource is _PETS else shop.category_of_pet(shop.stores[resource].keys[slot])


def _moment(shop: ShopModel, _resource: Resource, slot: int) -> int | None:
    found = date_rank(shop, slot)
    return UNREADABLE if found is None and shop.text_of(_ORDERS, slot, "ship_date") else found


def _id(shop: ShopModel, resource: Resource, slot: int) -> Key:
    return shop.stores[resource].keys[slot]


def _key_of(ask: Callable[[ShopModel, Key], int | None]) -> _One:
    return lambda shop, resource, slot: ask(shop, shop.stores[resource].keys[slot])


_READERS: Mapping[str, _Reader] = {
    "id": _Reader(_id, lambda _shop, store, slots: numbers_of(store.keys, slots)),
    "pet": _Reader(_pet_slot, _pet_slots),
    "pet_id": _Reader(_pet, lambda _shop, store, slots: numbers_of(_pets_of(store), slots)),
    "stock": _Reader(_key_of(stock_rank), _stocks),
    "quantity": _Reader(lambda shop, _resource, slot: shop.number_of(_ORDERS, slot, "quantity"), _field("quantity")),
    "orders": _Reader(_count(_ORDERS), _counts(_ORDERS)),
    "pets": _Reader(_count(_PETS), _counts(_PETS)),
    "ship_date": _Reader(_moment),
    "minimum": _Reader(_key_of(lambda shop, pet: shop.minimum(pet))),
    "to_order": _Reader(_key_of(lambda shop, pet: shop.to_order(pet))),
    "category": _Reader(_category, coded=True),
    "status": _Reader(lambda shop, resource, slot: shop.shown(resource, slot, "status"), coded=True),
    "state": _Reader(lambda shop, _resource, slot: shop.shown(_ORDERS, slot, "complete"), coded=True),
}
"""By the column's id."""

# ---- all of a table


class ColumnValues:
    """The arrays of one table. Each is read when it is first asked for, and is right whenever it is asked for."""

    def __init__(self, shop: ShopModel, store: RowStore) -> None:
        self._shop, self._store = shop, store
        self._arrays: dict[str, Values] = {}
        self._stale: dict[str, set[int]] = {}
        self._codes: dict[str, dict[Any, int]] = {}
        self._names: dict[tuple[Resource, str], Values] | None = None
        """The ranks of texts as they were when this copy was made; None in what is no copy."""
        self._size = 0
        self._shared: set[str] = set()
        """The arrays that a copy has too: they are copied before they are changed."""

    def frozen(self) -> ColumnValues:
        """A copy for another thread: it has what was read so far, and never reads any more."""
        copy = ColumnValues(self._shop, self._store)
        copy._arrays, copy._size = dict(self._arrays), self._store.capacity
        self._shared = set(self._arrays)
        copy._codes = {name: dict(codes) for name, codes in self._codes.items()}
        copy._names = self._shop.texts.all_ranks()
        return copy

    @property
    def is_frozen(self) -> bool:
        """Whether this is such a copy."""
        return self._names is not None

    @property
    def size(self) -> int:
        """How many slots there are."""
        return self._size if self.is_frozen else self._store.capacity

    def invalidate(self, slots: Collection[int], only: str = "") -> None:
        """What these rows show is no longer right: in all columns, or in this one alone."""
        for name in (only,) if only in self._stale else self._stale if not only else ():
            self._stale[name].update(slots)
        if only == "pet" and "pet_id" in self._stale:
            self._stale["pet_id"].update(slots)

    def invalidate_field(self, field: str, slots: Collection[int]) -> None:
        """The service told this field of these rows anew, and no other of which nothing is said."""
        for column in _SHOWING.get(field, ()):
            if column in self._stale:
                self._stale[column].update(slots)

    def of(self, name: str) -> Values:
        """The numbers of a column, MISSING where there is none; or what stands for its values, see `coded`."""
        if self.is_frozen:
            return self._arrays[name]
        reader, known, capacity = _READERS[name], self._arrays.get(name), self._store.capacity
        stale = self._stale.setdefault(name, set())
        if known is None or len(stale) * 4 > len(known):
            known = self._read(name, reader, np.arange(capacity, dtype=np.int32))
        else:
            if len(known) < capacity:
                more = self._read(name, reader, np.arange(len(known), capacity, dtype=np.int32))
                known = np.concatenate((known, more))
            if stale:
                some = np.fromiter(stale, np.int32)
                known = known.copy() if name in self._shared else known
                known[some] = self._read(name, reader, some)
        if stale:
            self._shared.discard(name)
            stale.clear()
        self._arrays[name] = known
        return known

    def coded(self, name: str) -> tuple[Values, list[Any]]:
        """What stands for the value of each row in a column of few different ones, and these values."""
        codes = self.of(name)
        return codes, list(self._codes[name])

    def _read(self, name: str, reader: _Reader, slots: Slots) -> Values:
        shop, store = self._shop, self._store
        if reader.coded:
            return self._coded(name, reader, slots)
        if reader.many is None:
            return _one_by_one(shop, store, slots, reader.one)
        found = reader.many(shop, store, slots)
        for place in self._laid(slots):
            found[place] = as_number(reader.one(shop, store.resource, int(slots[place])))
        return found

    def _laid(self, slots: Slots) -> list[int]:
        """Where among these those are that people changed, or that are named by no number."""
        laid = self._shop.laid_over(self._store.resource)
        if not laid:
            return []
        return np.flatnonzero(masked(list(laid), self._store.capacity)[slots]).tolist()

    def _coded(self, name: str, reader: _Reader, slots: Slots) -> Values:
        codes = self._codes.setdefault(name, {})

        def code(value: Any) -> int:
            return codes.setdefault(value, len(codes))

        bulk = _WHOLE.get((self._store.resource, name))
        if bulk is None or len(slots) < _FEW:
            values = [reader.one(self._shop, self._store.resource, slot) for slot in slots.tolist()]
            return np.array([code(value) for value in values], np.int32)
        found = bulk(self._shop, self._store, slots, code)
        for place in self._laid(slots):
            found[place] = code(reader.one(self._shop, self._store.resource, int(slots[place])))
        return found

    # ---- what rows sort by

    def ranks(self, name: str) -> Values:
        """Numbers by which the rows sort; MISSING comes last both ways."""
        resource = self._store.resource
        if name in TYPED_FIELDS:
            return self._names_of(resource, name)
        if name == "pet":
            return np.append(self._names_of(_PETS, "name"), MISSING)[self.of("pet")]
        if name == "late":
            return self.late()
        if name == "ship_date":
            moments = self.of(name)
            return np.where(moments == UNREADABLE, MISSING, moments)
        if name == "id":
            return self._ids()
        if _READERS[name].coded:
            codes, values = self.coded(name)
            return np.array([*self._coded_ranks(name, values), MISSING], np.int64)[codes]
        return self.of(name)

    def _names_of(self, resource: Resource, field: str) -> Values:
        if self._names is not None:
            return self._names[resource, field]
        return self._shop.texts.ranks(resource, field).values()

    def _ids(self) -> Values:
        ids, texts = self.of("id"), self._store.keys.texts
        if texts is None:
            return ids
        ranks = self._names_of(self._store.resource, ID)
        odd = np.flatnonzero(ids == MISSING)
        named = [slot for slot in odd.tolist() if isinstance(self._store.keys[slot], str)]
        numbers = np.unique(ids[ids != MISSING])
        found = np.where(ids == MISSING, MISSING, np.searchsorted(numbers, ids))
        found[named] = np.argsort(np.argsort(ranks[named], kind="stable"), kind="stable") + len(numbers)
        return found

    def _coded_ranks(self, name: str, values: Sequence[Any]) -> list[int]:
        if name == "state":
            return [int(value) if isinstance(value, bool) else MISSING for value in values]
        names = [self._shop.name(_CATEGORIES, value) for value in values] if name == "category" else values
        return collated(self._shop.collation, [one if isinstance(one, str) else "" for one in names], MISSING)

    def ties(self) -> list[Values]:
        """What decides in the end: ids that are numbers first."""
        ids = self.of("id")
        if not len(self._store) or not bool((ids == MISSING).any()):
            return [ids]
        return [self._names_of(self._store.resource, ID), ids]

    def days(self) -> Values:
        """The local days of ship dates as `date.toordinal` counts; MISSING and UNREADABLE stay."""
        moments = self.of("ship_date")
        return np.where(moments <= UNREADABLE, moments, moments // DAY + 1)

    def late(self) -> Values:
        """How many days each order is late."""
        days, (states, values) = self.days(), self.coded("state")
        is_open = np.array([*(value is False for value in values), False])[states]
        late = self._shop.today.toordinal() - days
        return np.where(is_open & (days > UNREADABLE) & (late > 0), late, MISSING)

    def steps(self, *columns: str) -> Iterator[None]:
        """Read what is missing of these columns, one in each step."""
        for name in columns:
            for needed in _NEEDED.get(name, (name,) if name in _READERS else ()):
                if needed not in self._arrays or self._stale[needed] or len(self._arrays[needed]) < self.size:
                    self.of(needed)
                    yield

    def rank_steps(self, name: str) -> Iterator[None]:
        """Read what sorting by a column needs, some milliseconds in each step."""
        resource = self._store.resource
        if name in TYPED_FIELDS or name == "pet":
            of, field = (_PETS, "name") if name == "pet" else (resource, name)
            yield from self._shop.texts.ranks(of, field).steps()
        yield from self.steps(name, "id")
        if bool((self.of("id") == MISSING).any()):
            yield from self._shop.texts.ranks(resource, ID).steps()


MADE_OF: Final = {"late": ("ship_date", "complete"), "to_order": ("quantity", "status")}
"""The fields of the row itself from which a column is worked out that shows none of them."""
_SHOWING: Final = {
    "category_id": ("category",),
    "status": ("status", "to_order"),
    "complete": ("state",),
    "pet_id": ("pet", "pet_id"),
    "quantity": ("quantity", "stock", "to_order"),
    "ship_date": ("ship_date",),
}
"""The columns that show a field of the row itself."""
_NEEDED: Final = {"late": ("ship_date", "state"), "pet": ("pet", "pet_id")}
_FEW: Final = 64
_Code: TypeAlias = Callable[[Any], int]
_Bulk: TypeAlias = Callable[[ShopModel, RowStore, Slots, _Code], Values]


def _words(field: str) -> _Bulk:
    """The codes of a field that holds few words."""

    def bulk(_shop: ShopModel, store: RowStore, slots: Slots, code: _Code) -> Values:
        column = cast("Any", store.columns[field])
        found = column.codes()
        if found is None:
            return np.array([code(value) for value in column.many(slots.tolist())], np.int32)
        codes, words = found
        at = np.frombuffer(codes, np.dtype(codes.typecode))[slots]
        here = np.flatnonzero(np.bincount(at, minlength=len(words)))
        table = np.zeros(len(words) + 1, np.int32)
        table[here] = [code(words[place]) for place in here.tolist()]
        return table[at]

    return bulk


def _category_codes(shop: ShopModel, store: RowStore, slots: Slots, code: _Code) -> Values:
    pets = shop.stores[_PETS]
    at = slots if store is pets else _pet_slots(shop, store, slots)
    column = cast("Numbers[Any]", pets.columns["category_id"])
    if column.texts is not None or column.others:
        resolve = shop.overlay.resolve_value
        return np.array([code(resolve(column[slot]) if slot >= 0 else None) for slot in at.tolist()], np.int32)
    numbers = np.append(numbers_of(column), MISSING)[at]
    different, which = np.unique(numbers, return_inverse=True)
    return np.array([code(None if one == MISSING else one) for one in different.tolist()], np.int32)[which]


_WHOLE: Mapping[tuple[Resource, str], _Bulk] = {
    **{(kind, "status"): _words("status") for kind in (_PETS, _ORDERS, _STOCK)},
    (_ORDERS, "state"): _words("complete"),
    (_PETS, "category"): _category_codes,
    (_STOCK, "category"): _category_codes,
}
"""How columns of few different values are read as a whole."""
