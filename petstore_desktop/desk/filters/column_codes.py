"""The codes of a whole column, which its filter tests: read in one go for a search, or in idle time before it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import cast

from petstore_desktop.desk.filters.column_filters import SOURCES, TEXT_IDS, Code, Source
from petstore_desktop.desk.model.row_store import RowStore
from petstore_desktop.desk.model.shop_model import ShopModel, id_text
from petstore_desktop.desk.values.dates import parse_ship_date
from petstore_desktop.desk.values.expressions import NO_DAY, NUL
from petstore_desktop.desk.values.text import fold
from petstore_desktop.domain.records import TYPED_FIELDS, Key, Resource

_PETS, _STOCK = Resource.PETS, Resource.INVENTORY
_PART = 512
"""Rows read between two looks at the clock."""


class ColumnCodes:
    """Of one column, by slot."""

    def __init__(self, shop: ShopModel, store: RowStore, column_id: str, source: Source) -> None:
        self._shop, self._store, self._source = shop, store, source
        self._many = _FOLDED_IDS if source is TEXT_IDS else MANY.get(column_id)
        self._codes: list[Code] = []
        self._stale: set[int] = set()

    def invalidate(self, slots: Collection[int]) -> None:
        """What these rows show is no longer right."""
        known = len(self._codes)
        self._stale.update(slot for slot in slots if slot < known)

    def all(self) -> Sequence[Code]:
        """Every code as it is now. Slots that are free have any."""
        self._go_on(self._store.capacity)
        if self._stale:
            read, shop, resource, codes = self._source.read, self._shop, self._store.resource, self._codes
            for slot in self._stale:
                codes[slot] = read(shop, resource, slot)
            self._stale.clear()
        return self._codes

    def idle(self, until: float) -> bool:
        """Read on until this moment of `time.perf_counter`; whether there is more to do."""
        while len(self._codes) < self._store.capacity:
            self._go_on(min(len(self._codes) + _PART, self._store.capacity))
            if perf_counter() >= until:
                break
        return len(self._codes) < self._store.capacity

    def _go_on(self, end: int) -> None:
        first, shop, resource = len(self._codes), self._shop, self._store.resource
        if first >= end:
            return
        if self._many is None:
            read = self._source.read
            self._codes += [read(shop, resource, slot) for slot in range(first, end)]
            return
        self._codes += self._many.read(shop, resource, first, end)
        for kind in self._many.under(resource):
            laid = (self._store.slot(cast("Key", key)) for key in shop.overlay.records[kind])
            self._stale.update(slot for slot in laid if slot is not None and first <= slot < end)


# ---- many at a time


@dataclass(frozen=True, slots=True)
class CodeReader:
    """Reads the codes of a column from one slot to before another, as the service has them; `under`: what changes of
    which resources, by the key of the row, lie over that."""

    read: Callable[[ShopModel, Resource, int, int], list[Code]]
    under: Callable[[Resource], tuple[Resource, ...]] = lambda resource: (resource,)


def _column(name: str) -> Callable[[ShopModel, Resource, int, int], list[Code]]:
    return lambda shop, resource, first, end: list(shop.stores[resource].columns[name][first:end])


def _texts(name: str) -> Callable[[ShopModel, Resource, int, int], list[Code]]:
    def read(shop: ShopModel, resource: Resource, first: int, end: int) -> list[Code]:
        values = shop.stores[resource].columns[name][first:end]
        return [fold(value) if isinstance(value, str) else "" for value in values]

    return read


def _of_pet(kind: Resource, name: str) -> Callable[[ShopModel, Resource, int, int], list[Code]]:
    """A field of the pet of each row, or of its stock: the rows have the same keys."""

    def read(shop: ShopModel, resource: Resource, first: int, end: int) -> list[Code]:
        return list(shop.stores[kind].values_of(shop.stores[resource].keys[first:end], name))

    return read


def _category(shop: ShopModel, resource: Resource, first: int, end: int) -> list[Code]:
    read = _column("category_id") if resource is _PETS else _of_pet(_PETS, "category_id")
    return read(shop, resource, first, end)


def _pets(shop: ShopModel, resource: Resource, first: int, end: int) -> list[Code]:
    """Names and ids as `column_filters` says them; a pet that was renamed here has its name from the overlay."""
    read, pets = SOURCES["pet"].read, shop.stores[_PETS]
    if shop.overlay.records[_PETS]:
        return [read(shop, resource, slot) for slot in range(first, end)]
    store = shop.stores[resource]
    keys = store.columns["pet_id"][first:end] if resource is Resource.ORDERS else store.keys[first:end]
    names, slot_of = pets.columns["name"], pets.slot
    said: list[Code] = []
    for place, key in enumerate(keys, first):
        slot = slot_of(cast("Key", key)) if type(key) is int or type(key) is str else None
        name = None if slot is None else names[slot]
        said.append(f"{fold(name)}{NUL}#{fold(str(key))}" if isinstance(name, str) else read(shop, resource, place))
    return said


def _ids(shop: ShopModel, resource: Resource, first: int, end: int) -> list[Code]:
    return [key if isinstance(key, int) else None for key in shop.stores[resource].keys[first:end]]


def _folded_ids(shop: ShopModel, resource: Resource, first: int, end: int) -> list[Code]:
    return [fold(id_text(key)) for key in shop.stores[resource].keys[first:end]]


def _counts(of: Resource) -> Callable[[ShopModel, Resource, int, int], list[Code]]:
    def read(shop: ShopModel, resource: Resource, first: int, end: int) -> list[Code]:
        return list(map(shop.links[of].count, shop.stores[resource].keys[first:end]))

    return read


def _days(shop: ShopModel, resource: Resource, first: int, end: int) -> list[Code]:
    return list(_read_days(shop, shop.stores[resource].columns["ship_date"][first:end]))


def _read_days(shop: ShopModel, raws: Iterable[object]) -> Iterable[int | None]:
    """The local days. Most texts are moments of UTC to the second: then the day is that of the hour, wherever all of an
    hour falls on one day, and what follows the hour only has to be readable."""
    hours: dict[str, int] = {}
    rests: dict[str, bool] = {}
    for raw in raws:
        if not isinstance(raw, str) or not raw:
            yield None
        elif raw[-1] != "Z" or len(raw) != len("2026-11-07T09:00:00Z"):
            yield _day(shop, raw)
        else:
            hour, rest = raw[:13], raw[13:]
            day = hours.get(hour)
            if day is None:
                begins, ends = _day(shop, f"{hour}:00:00Z"), _day(shop, f"{hour}:59:59Z")
                day = hours[hour] = begins if begins == ends else -1
            readable = rests.get(rest)
            if readable is None:
                readable = rests[rest] = _day(shop, f"2026-11-07T09{rest}") != NO_DAY
            yield _day(shop, raw) if day < 0 else day if readable else NO_DAY


def _day(shop: ShopModel, raw: str) -> int:
    day = parse_ship_date(raw, shop.zone).day
    return NO_DAY if day is None else day.toordinal()


def _late(shop: ShopModel, resource: Resource, first: int, end: int) -> list[Code]:
    complete, today = shop.stores[resource].columns["complete"][first:end], shop.today.toordinal()
    days = _days(shop, resource, first, end)
    return [
        today - day if done is False and day is not None and NO_DAY < day < today else None
        for day, done in zip(days, complete, strict=True)
    ]


MANY: Mapping[str, CodeReader] = {
    "gutter": CodeReader(
        lambda _shop, _resource, first, end: [None] * (end - first),
        lambda resource: (_PETS, _STOCK) if resource is _PETS else (resource,),
    ),
    "id": CodeReader(_ids, lambda _resource: ()),
    **{name: CodeReader(_texts(name)) for name in TYPED_FIELDS},
    "pet": CodeReader(_pets),
    "category": CodeReader(_category, lambda _resource: (_PETS,)),
    "status": CodeReader(_column("status")),
    "state": CodeReader(_column("complete")),
    "stock": CodeReader(_of_pet(_STOCK, "quantity"), lambda _resource: (_STOCK,)),
    "quantity": CodeReader(_column("quantity")),
    "orders": CodeReader(_counts(Resource.ORDERS), lambda _resource: ()),
    "pets": CodeReader(_counts(_PETS), lambda _resource: ()),
    "ship_date": CodeReader(_days),
    "late": CodeReader(_late),
}
"""By the column's id."""
_FOLDED_IDS = CodeReader(_folded_ids, lambda _resource: ())
