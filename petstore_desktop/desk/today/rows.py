"""What a count of Today stands for: how many rows, some of their names, and the filters that find the same rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct, field

from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.domain.records import FieldValue, Key, LocalId, Resource

_NAMED = 2
"""Names that a line says; the others are counted."""


class RowCount(Struct, frozen=True):
    """How many rows there are, the names of the first, and how many rows are not among those named.

    `filters`: texts for the filters of columns, by the column's id, which find these rows and no others.
    """

    n: int = 0
    names: tuple[str, ...] = ()
    others: int = 0
    filters: Mapping[str, str] = field(default_factory=dict[str, str])


class NotCounted(Struct, frozen=True):
    """Stands in the place of numbers: these lists are here in part only, or not at all, or the service does not tell
    what would be counted, where they are none. It has no number to show."""

    lists: frozenset[Resource] = frozenset()


def not_counted(shop: ShopModel, *resources: Resource) -> NotCounted | None:
    """Why nothing can be counted that these lists are needed for; None where it can."""
    lists = shop.in_part.intersection(resources)
    return NotCounted(lists) if lists else None


def count_rows(rows: Iterable[str], filters: Mapping[str, str]) -> RowCount:
    """Count rows by what they are called, in the order in which they are to be named."""
    found = list(rows)
    names = tuple(dict.fromkeys(name for name in found if name))[:_NAMED]
    return RowCount(len(found), names, sum(name not in names for name in found), filters)


def shown_values(shop: ShopModel, resource: Resource, name: str, slots: Sequence[int]) -> list[FieldValue]:
    """One field of many rows, with what people did to them."""
    values = shop.stores[resource].columns[name].many(slots)
    over = shop.overlay.records[resource]
    if over:
        keys = shop.stores[resource].keys.many(slots)
        laid = [at for at, key in enumerate(keys) if key in over]
        for at in laid:
            values[at] = shop.shown(resource, slots[at], name)
    return values


def resolved(shop: ShopModel) -> Callable[[FieldValue], Key | None]:
    """Takes what a row names (a pet's category, an order's pet) and gives the record's key; None for none."""

    def of(value: FieldValue) -> Key | None:
        known = shop.overlay.resolve_value(value) if isinstance(value, LocalId) else value
        return known if isinstance(known, (int, str, LocalId)) else None

    return of
