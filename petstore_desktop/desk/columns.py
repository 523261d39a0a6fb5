"""The columns of each table, and how each is sorted when nobody said otherwise."""

from __future__ import annotations

from collections.abc import Mapping

from petstore_desktop.desk.cells import CellFacts
from petstore_desktop.desk.column import Column, field_cell, gutter, id_column, name_rank, text_cell
from petstore_desktop.desk.columns_orders import ORDER_COLUMNS
from petstore_desktop.desk.columns_pets import PET_COLUMNS, STOCK_COLUMNS
from petstore_desktop.desk.shop import Shop
from petstore_desktop.domain.records import Resource

_CATEGORIES = Resource.CATEGORIES


def _count(shop: Shop, slot: int) -> int:
    return shop.links[Resource.PETS].count(shop.stores[_CATEGORIES].keys[slot])


def _count_cell(shop: Shop, slot: int) -> CellFacts:
    count = _count(shop, slot)
    return CellFacts(kind="number", number=count, text=str(count)) if count else CellFacts(kind="number", code="none")


def _text_column(name: str, width: int, *, flexible: bool, priority: int) -> Column:
    return Column(
        id=name,
        kind="text",
        cell=lambda shop, slot: field_cell(shop, _CATEGORIES, slot, name, text_cell),
        text=lambda shop, slot: shop.text_of(_CATEGORIES, slot, name),
        rank=lambda shop, slot: name_rank(shop, shop.text_of(_CATEGORIES, slot, name)),
        width=width,
        priority=priority,
        flexible=flexible,
        editable=True,
        field=name,
    )


CATEGORY_COLUMNS = (
    gutter(_CATEGORIES),
    id_column(_CATEGORIES),
    _text_column("name", 190, flexible=False, priority=0),
    _text_column("description", 190, flexible=True, priority=2),
    Column(
        id="pets",
        kind="number",
        cell=_count_cell,
        text=lambda shop, slot: str(_count(shop, slot) or ""),
        rank=lambda shop, slot: _count(shop, slot) or None,
        align="right",
        width=78,
        priority=1,
    ),
)

COLUMNS: Mapping[Resource, tuple[Column, ...]] = {
    Resource.PETS: PET_COLUMNS,
    Resource.CATEGORIES: CATEGORY_COLUMNS,
    Resource.ORDERS: ORDER_COLUMNS,
    Resource.INVENTORY: STOCK_COLUMNS,
}

DEFAULT_SORT: Mapping[Resource, tuple[str, bool]] = {
    Resource.PETS: ("name", False),
    Resource.CATEGORIES: ("name", False),
    Resource.ORDERS: ("ship_date", False),
    Resource.INVENTORY: ("pet", False),
}
