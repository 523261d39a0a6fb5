"""What a list shows, as rows for a file: the columns of `exchange.records_table`, with what people did that is not sent
yet laid over what the service said, as on the screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from petstore_desktop.desk.filters.column_filters import SOURCES
from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.desk.table.table import Table
from petstore_desktop.domain.records import Key, Resource
from petstore_desktop.exchange.records_table import COLUMNS, LISTED, OTHERS, Cell
from petstore_desktop.exchange.records_table import others as others_of

_Value: TypeAlias = Callable[[ShopModel, Resource, int], Cell]

PART = 256
"""Rows that are made between two looks at the clock; about a millisecond."""


def parts(
    shop: ShopModel, table: Table, keys: Sequence[Key], others: bool = False
) -> Iterator[tuple[int, list[tuple[Cell, ...]]]]:
    """The rows of these keys in their order, in parts; with each, how many of the keys are done. A row that went
    meanwhile is left out: the file says how many it holds. `others`: with the fields that the program does not know."""
    resource, store = table.resource, shop.stores[table.resource]
    names = [*(column.name for column in COLUMNS[resource]), *(name for name, _ in LISTED[resource])]
    names += [OTHERS] if others else []
    values = [_VALUES.get(name, _field(name)) for name in names]
    for start in range(0, len(keys), PART):
        some = keys[start : start + PART]
        slots = [slot for slot in map(store.slot, some) if slot is not None]
        yield start + len(some), [tuple(value(shop, resource, slot) for value in values) for slot in slots]


def unsent_in(shop: ShopModel, resource: Resource, keys: Sequence[Key]) -> int:
    """How many of these rows show something that the service has not got yet."""
    over = shop.overlay.records[resource]
    if not over:
        return 0
    shown = set(keys)
    return sum(key in shown and one.mark not in (None, "sent") for key, one in over.items())


def _field(name: str) -> _Value:
    def value(shop: ShopModel, resource: Resource, slot: int) -> Cell:
        shown = shop.shown(resource, slot, name)
        return shown if isinstance(shown, int | str) else None

    return value


def _id(shop: ShopModel, resource: Resource, slot: int) -> Cell:
    key = shop.stores[resource].keys[slot]
    return key if isinstance(key, int | str) else None


def _pet_id(shop: ShopModel, resource: Resource, slot: int) -> Cell:
    if resource is Resource.INVENTORY:
        return _id(shop, resource, slot)
    linked = shop.linked(resource, slot)
    return linked if isinstance(linked, int | str) else None


def _pet(shop: ShopModel, resource: Resource, slot: int) -> Cell:
    stock = resource is Resource.INVENTORY
    return shop.name(Resource.PETS, shop.stores[resource].keys[slot] if stock else shop.linked(resource, slot))


def _category(shop: ShopModel, resource: Resource, slot: int) -> Cell:
    return shop.name(Resource.CATEGORIES, SOURCES["category"].read(shop, resource, slot))


def _quantity(shop: ShopModel, resource: Resource, slot: int) -> Cell:
    return SOURCES["stock" if resource is Resource.INVENTORY else "quantity"].read(shop, resource, slot)


def _others(shop: ShopModel, resource: Resource, slot: int) -> Cell:
    return others_of(resource, shop.stores[resource].extra(slot))


_VALUES: Mapping[str, _Value] = {
    **{name: SOURCES[name].read for name in ("stock", "orders", "pets", "minimum", "to_order")},
    "order_up_to": lambda shop, resource, slot: shop.up_to(shop.stores[resource].keys[slot]),
    "id": _id,
    OTHERS: _others,
    "pet_id": _pet_id,
    "pet": _pet,
    "category": _category,
    "quantity": _quantity,
}
"""The columns that are not plain fields of the record."""
