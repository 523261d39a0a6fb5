"""What the cells of one table hold, as an array for each column, by slot: what it is sorted, filtered and summed by.

A column is read as a whole at its first use, from the columns of the stores; rows that people changed, and those that
changed since, are read one by one or few at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

import numpy as np

from petstore_desktop.desk.columns.column import Column, id_column
from petstore_desktop.desk.columns.columns import COLUMNS_BY_ID, DAY, UNREADABLE
from petstore_desktop.desk.model.column_arrays import Numbers
from petstore_desktop.desk.model.joins import numbers_of
from petstore_desktop.desk.model.row_store import RowStore
from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.desk.model.shown_texts import ID
from petstore_desktop.desk.search.arrays import MISSING, NOWHERE, Slots, Values, as_number, masked
from petstore_desktop.desk.values.collation import collated
from petstore_desktop.domain.records import Resource

_PETS, _STOCK, _ORDERS, _CATEGORIES = Resource.PETS, Resource.INVENTORY, Resource.ORDERS, Resource.CATEGORIES
PET_AT: Final = "pet_at"
"""Beside the column of the pet, as an array: the slots of the pets that rows name; NOWHERE for one that is not here."""

_One: TypeAlias = Callable[[ShopModel, int], Any]
_Code: TypeAlias = Callable[[Any], int]


class ColumnValues:
    """The arrays of one table, by the ids of its columns. Each is read when it is first asked for, and is right
    whenever it is asked for."""

    def __init__(self, shop: ShopModel, store: RowStore) -> None:
        self.shop, self.store = shop, store
        self._columns = COLUMNS_BY_ID[store.resource]
        self._id = id_column(store.resource)  # of a table that shows none too: rows are told apart by it
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
        copy = ColumnValues(self.shop, self.store)
        copy._arrays, copy._size = dict(self._arrays), self.store.capacity
        self._shared = set(self._arrays)
        copy._codes = {name: dict(codes) for name, codes in self._codes.items()}
        copy._names = self.shop.texts.all_ranks()
        return copy

    @property
    def is_frozen(self) -> bool:
        """Whether this is such a copy."""
        return self._names is not None

    @property
    def size(self) -> int:
        """How many slots there are."""
        return self._size if self.is_frozen else self.store.capacity

    def invalidate(self, slots: Collection[int], moved: str = "") -> None:
        """What these rows show is no longer right: in all columns, or in those that rest on what moved."""
        for name, stale in self._stale.items():
            if not moved or moved in self._column(name).rests_on:
                stale.update(slots)

    def _column(self, name: str) -> Column:
        return self._id if name == "id" else self._columns["pet" if name == PET_AT else name]

    def of(self, name: str) -> Values:
        """The numbers of a column, MISSING where there is none; or what stands for its values, see `coded`."""
        if self.is_frozen:
            return self._arrays[name]
        known, capacity = self._arrays.get(name), self.store.capacity
        stale = self._stale.setdefault(name, set())
        if known is None or len(stale) * 4 > len(known):
            known = self._read(name, np.arange(capacity, dtype=np.int32))
        else:
            if len(known) < capacity:
                more = self._read(name, np.arange(len(known), capacity, dtype=np.int32))
                known = np.concatenate((known, more))
            if stale:
                some = np.fromiter(stale, np.int32)
                known = known.copy() if name in self._shared else known
                known[some] = self._read(name, some)
        if stale:
            self._shared.discard(name)
            stale.clear()
        self._arrays[name] = known
        return known

    def coded(self, name: str) -> tuple[Values, list[Any]]:
        """What stands for the value of each row in a column of few different ones, and these values."""
        codes = self.of(name)
        return codes, list(self._codes[name])

    def _read(self, name: str, slots: Slots) -> Values:
        shop, one = self.shop, self._pet_at if name == PET_AT else self._column(name).value
        if self._column(name).family == "word":
            return self._coded(name, one, slots)
        many = _MANY.get(name)
        if many is None:
            return np.array([as_number(one(shop, slot)) for slot in slots.tolist()], np.int64)
        found = many(self, slots)
        for place in self._laid(slots):
            found[place] = as_number(one(shop, int(slots[place])))
        return found

    def _pet_at(self, shop: ShopModel, slot: int) -> int:
        key = self._columns["pet"].value(shop, slot)
        at = None if key is None else shop.stores[_PETS].slot(key)
        return NOWHERE if at is None else at

    def _laid(self, slots: Slots) -> list[int]:
        """Where among these those are that people changed, or that are named by no number."""
        laid = self.shop.laid_over(self.store.resource)
        if not laid:
            return []
        return np.flatnonzero(masked(list(laid), self.store.capacity)[slots]).tolist()

    def _coded(self, name: str, one: _One, slots: Slots) -> Values:
        codes = self._codes.setdefault(name, {})

        def code(value: Any) -> int:
            return codes.setdefault(value, len(codes))

        many = _MANY_CODES.get(name)
        if many is None or len(slots) < _FEW:
            return np.array([code(one(self.shop, slot)) for slot in slots.tolist()], np.int32)
        found = many(self, slots, code)
        for place in self._laid(slots):
            found[place] = code(one(self.shop, int(slots[place])))
        return found

    # ---- what rows sort by

    def ranks(self, name: str, end: int | None = None) -> Values:
        """Numbers by which the rows sort, of the slots before `end` at least; MISSING comes last both ways."""
        family = self._column(name).family
        if name == "id":
            return self._ids()
        if family == "text":
            return self._names_of(self.store.resource, name, end)
        if family == "link":
            return np.append(self._names_of(_PETS, "name"), MISSING)[self.of(PET_AT)]
        if family == "word":
            codes, values = self.coded(name)
            return np.array([*self._ranks_of_words(name, values), MISSING], np.int64)[codes]
        numbers = self.of(name)
        return np.where(numbers == UNREADABLE, MISSING, numbers) if family == "date" else numbers

    def _names_of(self, resource: Resource, field: str, end: int | None = None) -> Values:
        if self._names is not None:
            return self._names[resource, field]
        return self.shop.texts.ranks(resource, field).values(end)

    def _ids(self) -> Values:
        ids, texts = self.of("id"), self.store.keys.texts
        if texts is None:
            return ids
        ranks = self._names_of(self.store.resource, ID)
        odd = np.flatnonzero(ids == MISSING)
        named = [slot for slot in odd.tolist() if isinstance(self.store.keys[slot], str)]
        numbers = np.unique(ids[ids != MISSING])
        found = np.where(ids == MISSING, MISSING, np.searchsorted(numbers, ids))
        found[named] = np.argsort(np.argsort(ranks[named], kind="stable"), kind="stable") + len(numbers)
        return found

    def _ranks_of_words(self, name: str, values: Sequence[Any]) -> list[int]:
        orders = [self._column(name).order(self.shop, value) for value in values]
        if any(isinstance(one, int) for one in orders):
            return [MISSING if one is None else one for one in orders]
        return collated(self.shop.collation, [one or "" for one in orders], MISSING)

    def ties(self) -> list[Values]:
        """What decides in the end: ids that are numbers first."""
        ids = self.of("id")
        if not len(self.store) or not bool((ids == MISSING).any()):
            return [ids]
        return [self._names_of(self.store.resource, ID), ids]

    def days(self) -> Values:
        """The local days of ship dates as `date.toordinal` counts; MISSING and UNREADABLE stay."""
        moments = self.of("ship_date")
        return np.where(moments <= UNREADABLE, moments, moments // DAY + 1)

    def steps(self, *columns: str) -> Iterator[None]:
        """Read what is missing of these columns, one in each step."""
        for name in (array for column in columns for array in self._arrays_of(column)):
            if name not in self._arrays or self._stale[name] or len(self._arrays[name]) < self.size:
                self.of(name)
                yield

    def _arrays_of(self, name: str) -> tuple[str, ...]:
        family = self._column(name).family
        if family == "link":
            return (PET_AT, name)
        return () if family in ("text", "mark") else (*_NEEDED.get(name, ()), name)

    def rank_steps(self, name: str, end: int | None = None) -> Iterator[None]:
        """Read what sorting by a column needs, of the slots before `end` at least, some milliseconds in each step."""
        resource, family = self.store.resource, self._column(name).family
        if family == "text":
            yield from self.shop.texts.ranks(resource, name).steps(end)
        elif family == "link":
            yield from self.shop.texts.ranks(_PETS, "name").steps()
        yield from self.steps(name, "id")
        if bool((self.of("id") == MISSING).any()):
            yield from self.shop.texts.ranks(resource, ID).steps()


# ---- many rows at once: what is not here is read one by one, which is slower and no different


_Many: TypeAlias = Callable[[ColumnValues, Slots], Values]
_ManyCodes: TypeAlias = Callable[[ColumnValues, Slots, _Code], Values]


def _field(name: str) -> _Many:
    return lambda values, slots: numbers_of(cast("Any", values.store.columns[name]), slots)


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


def _pets_at(values: ColumnValues, slots: Slots) -> Values:
    return _find(values.shop, _PETS, _pets_of(values.store), slots)


def _stocks(values: ColumnValues, slots: Slots) -> Values:
    stock = values.shop.stores[_STOCK]
    at = _find(values.shop, _STOCK, values.store.keys, slots)
    quantities = numbers_of(cast("Any", stock.columns["quantity"]))
    return np.where(at == NOWHERE, MISSING, np.append(quantities, MISSING)[at])


def _counts(of: Resource) -> _Many:
    """How many rows of another list name each record; MISSING for none."""

    def many(values: ColumnValues, slots: Slots) -> Values:
        shop, store = values.shop, values.store
        links = shop.links[of]
        if links.expected:
            return np.array([as_number(links.count(key) or None) for key in store.keys.many(slots.tolist())], np.int64)
        there = _find(shop, store.resource, links.targets, np.arange(len(links.targets), dtype=np.int32))
        counts = np.bincount(there[there != NOWHERE], minlength=store.capacity)
        return np.where(counts[slots] > 0, counts[slots], MISSING)

    return many


def _lates(values: ColumnValues, slots: Slots) -> Values:
    """How many days each order is late."""
    days, (states, meant) = values.days()[slots], values.coded("state")
    is_open = np.array([*(value is False for value in meant), False])[states[slots]]
    late = values.shop.today.toordinal() - days
    return np.where(is_open & (days > UNREADABLE) & (late > 0), late, MISSING)


_MANY: Final[Mapping[str, _Many]] = {
    "id": lambda values, slots: numbers_of(values.store.keys, slots),
    PET_AT: _pets_at,
    "pet": lambda values, slots: numbers_of(_pets_of(values.store), slots),
    "stock": _stocks,
    "quantity": _field("quantity"),
    "orders": _counts(_ORDERS),
    "pets": _counts(_PETS),
    "late": _lates,
}
_NEEDED: Final = {"late": ("ship_date", "state")}
"""The columns of whose arrays that of another one is made."""
_FEW: Final = 64


def _words(field: str) -> _ManyCodes:
    """The codes of a field that holds few words."""

    def many(values: ColumnValues, slots: Slots, code: _Code) -> Values:
        column = cast("Any", values.store.columns[field])
        found = column.codes()
        if found is None:
            return np.array([code(value) for value in column.many(slots.tolist())], np.int32)
        codes, words = found
        at = np.frombuffer(codes, np.dtype(codes.typecode))[slots]
        here = np.flatnonzero(np.bincount(at, minlength=len(words)))
        table = np.zeros(len(words) + 1, np.int32)
        table[here] = [code(words[place]) for place in here.tolist()]
        return table[at]

    return many


def _category_codes(values: ColumnValues, slots: Slots, code: _Code) -> Values:
    pets = values.shop.stores[_PETS]
    at = slots if values.store is pets else _pets_at(values, slots)
    column = cast("Numbers[Any]", pets.columns["category_id"])
    if column.texts is not None or column.others:
        resolve = values.shop.overlay.resolve_value
        return np.array([code(resolve(column[slot]) if slot >= 0 else None) for slot in at.tolist()], np.int32)
    numbers = np.append(numbers_of(column), MISSING)[at]
    different, which = np.unique(numbers, return_inverse=True)
    return np.array([code(None if one == MISSING else one) for one in different.tolist()], np.int32)[which]


_MANY_CODES: Final[Mapping[str, _ManyCodes]] = {
    "status": _words("status"),
    "state": _words("complete"),
    "category": _category_codes,
}
