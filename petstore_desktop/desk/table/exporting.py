"""What a list shows, as rows for a file: the columns of `exchange.records_table`, with what people did that is not sent
yet laid over what the service said, as on the screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from petstore_desktop.desk.columns.column import Column
from petstore_desktop.desk.columns.columns import COLUMNS as COLUMNS_OF
from petstore_desktop.desk.filters.column_filters import code_of
from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.desk.table.table import Table
from petstore_desktop.domain.records import Key, Resource
from petstore_desktop.exchange.records_table import COLUMNS, OTHERS, Cell, Kind
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
    names = [*(column.name for column in COLUMNS[resource]), *(name for name, _ in listed(resource))]
    names += [OTHERS] if others else []
    known = {**dict(_values(resource)), **_OWN}
    values = [known.get(name) or _field(name) for name in names]
    for start in range(0, len(keys), PART):
        some = keys[start : start + PART]
        slots = [slot for slot in map(store.slot, some) if slot is not None]
        yield start + len(some), [tuple(value(shop, resource, slot) for value in values) for slot in slots]


def listed(resource: Resource) -> tuple[tuple[str, Kind], ...]:
    """What an export of a list has behind the fields of its records; of it only the stock of a pet can come back."""
    found: list[tuple[str, Kind]] = []
    for column in COLUMNS_OF[resource]:
        if column.exported:
            kind: Kind = "number" if column.family in ("number", "count") else "text"
            found.append((column.id, kind))
    return tuple(found)


def left_to_choose(resource: Resource) -> set[str]:
    """The columns of an export that are of no use to an import until a person says so."""
    return {OTHERS, *(name for name, _ in listed(resource))}


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


def _others(shop: ShopModel, resource: Resource, slot: int) -> Cell:
    return others_of(resource, shop.stores[resource].extra(slot))


_OWN: Mapping[str, _Value] = {"id": _id, "pet_id": _pet_id, OTHERS: _others}
"""What stands in columns of the record's own that are not the field as it is shown."""


def _values(resource: Resource) -> Iterator[tuple[str, _Value]]:
    """What stands in the columns of a file that columns of the list give."""
    for column in COLUMNS_OF[resource]:
        if column.exported or column.kind == "ref":
            yield column.id, _value(column)
        elif column.field and column.family == "number":
            yield column.field, _value(column)


def _value(column: Column) -> _Value:
    """The value of a column; of a record that it names the name."""
    if column.kind == "ref":
        return lambda shop, _resource, slot: column.order(shop, column.value(shop, slot))
    return lambda shop, _resource, slot: code_of(shop, column, slot)
