"""The columns of each table, and how each is sorted at first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from petstore_desktop.desk.columns.column import (
    Column,
    Rank,
    category_cell,
    count_cell,
    field_cell,
    gutter,
    id_column,
    is_editable,
    name_rank,
    number_cell,
    number_column,
    pet_cell,
    pill_cell,
    stock_cell,
    stock_rank,
    text_column,
)
from petstore_desktop.desk.model.shop_model import ShopModel, id_text
from petstore_desktop.desk.values.cells import CellFacts
from petstore_desktop.desk.values.dates import days_late, parse_ship_date
from petstore_desktop.desk.values.text import link_text
from petstore_desktop.domain.records import FieldValue, Key, Resource

_PETS = Resource.PETS
_CATEGORIES = Resource.CATEGORIES
_ORDERS = Resource.ORDERS
_STOCK = Resource.INVENTORY
_EPOCH = datetime(1, 1, 1)  # noqa: DTZ001  ship dates are in the local zone, and naive
_MICROSECOND = timedelta(microseconds=1)

_KeyOf: TypeAlias = "Callable[[ShopModel, int], Key | None]"
"""The record that the row in a slot names, or is."""


# ---- columns that several tables have


def category_text(shop: ShopModel, key: Key | None) -> str:
    """A category as the filter searches it: its name, or the id of one that has none or is not there."""
    if key is None:
        return ""
    return (shop.name(_CATEGORIES, key) or id_text(key)) + link_text("category", id_text(key))


def _category_rank(shop: ShopModel, key: Key | None) -> Rank:
    return name_rank(shop, shop.name(_CATEGORIES, key))


def _category_column(category: _KeyOf, **more: Any) -> Column:
    plain = Column(
        id="category",
        kind="ref",
        cell=lambda shop, slot: category_cell(shop, category(shop, slot)),
        text=lambda shop, slot: category_text(shop, category(shop, slot)),
        rank=lambda shop, slot: _category_rank(shop, category(shop, slot)),
        priority=4,
    )
    return replace(plain, **more)


def _pet_text(shop: ShopModel, pet: Key | None) -> str:
    """A pet as the filter searches it: its name and its id."""
    return "" if pet is None else f"{shop.name(_PETS, pet) or ''} {id_text(pet)}{link_text('pet', id_text(pet))}"


def _pet_column(pet: _KeyOf, **more: Any) -> Column:
    plain = Column(
        id="pet",
        kind="ref",
        cell=lambda shop, slot: pet_cell(shop, pet(shop, slot)),
        text=lambda shop, slot: _pet_text(shop, pet(shop, slot)),
        rank=lambda shop, slot: name_rank(shop, shop.name(_PETS, pet(shop, slot))),
        width=190,
        flexible=True,
    )
    return replace(plain, **more)


def _stock_column(pet: Callable[[ShopModel, int], Key], **more: Any) -> Column:
    return number_column(
        "stock",
        lambda shop, slot: stock_rank(shop, pet(shop, slot)),
        kind="stock",
        cell=lambda shop, slot: stock_cell(shop, pet(shop, slot)),
        editable=True,
        field="quantity",
        **more,
    )


def _status_column(resource: Resource) -> Column:
    """A status: of the pet, or of the stock entry."""
    return Column(
        id="status",
        kind="pill",
        cell=field_cell(resource, "status", pill_cell),
        text=lambda shop, slot: shop.word(shop.text_of(resource, slot, "status")),
        rank=lambda shop, slot: name_rank(shop, shop.text_of(resource, slot, "status")),
        width=122,
        priority=3,
        editable=is_editable(resource, "status"),
        field="status",
        choices="status",
    )


# ---- pets


def _pet_at(shop: ShopModel, slot: int) -> Key:
    return shop.stores[_PETS].keys[slot]


PET_COLUMNS = (
    gutter(_PETS),
    id_column(_PETS),
    text_column(_PETS, "name", 190, flexible=True),
    _category_column(
        lambda shop, slot: shop.linked(_PETS, slot),
        cell=field_cell(_PETS, "category_id", category_cell),
        width=122,
        editable=True,
        field="category_id",
        choices="category",
    ),
    _status_column(_PETS),
    _stock_column(_pet_at, width=90, priority=1),
    number_column(
        "orders",
        lambda shop, slot: shop.order_count(_pet_at(shop, slot)) or None,
        lambda shop, slot: count_cell(shop, shop.order_count(_pet_at(shop, slot))),
        width=78,
        priority=5,
    ),
)


# ---- orders


def date_cell(shop: ShopModel, value: FieldValue) -> CellFacts:
    """A ship date: its local day, the raw text for the tool tip; rubbish is shown raw and flagged."""
    if not isinstance(value, str) or not value:
        return CellFacts(kind="date", code="none")
    ship = parse_ship_date(value, shop.zone)
    day = ship.day
    if day is None:
        return CellFacts(kind="date", text=value, date=ship, code="date-unreadable", tip=value)
    code = "" if ship.zoned or not ship.timed else "date-no-offset"
    return CellFacts(kind="date", text=day.isoformat(), date=ship, days=(day - shop.today).days, code=code, tip=value)


def _date_text(shop: ShopModel, slot: int) -> str:
    ship = shop.ship_date(slot)
    if ship is None:
        return ""
    return ship.raw if ship.day is None else ship.day.isoformat()


def date_rank(shop: ShopModel, slot: int) -> int | None:
    """The moment of the order in this slot, in microseconds of the local calendar; None without a readable one."""
    ship = shop.ship_date(slot)
    return None if ship is None or ship.local is None else (ship.local - _EPOCH) // _MICROSECOND


def late_of(shop: ShopModel, slot: int) -> int | None:
    """How many local days the order in this slot is late; None when it is not, or that is not known."""
    complete = shop.shown(_ORDERS, slot, "complete")
    return days_late(shop.ship_date(slot), shop.today, complete if isinstance(complete, bool) else None)


def _late_cell(shop: ShopModel, slot: int) -> CellFacts:
    late = late_of(shop, slot)
    return CellFacts(kind="late") if late is None else CellFacts(kind="late", number=late, text=str(late))


def state_cell(_shop: ShopModel, value: FieldValue) -> CellFacts:
    """Whether an order is complete; a dash where it does not say."""
    if not isinstance(value, bool):
        return CellFacts(kind="pill", code="none")
    word = "complete" if value else "open"
    return CellFacts(kind="pill", text=word, code=word)


def _state_text(shop: ShopModel, slot: int) -> str:
    value = shop.shown(_ORDERS, slot, "complete")
    return shop.word("complete" if value else "open") if isinstance(value, bool) else ""


def _state_rank(shop: ShopModel, slot: int) -> Rank:
    value = shop.shown(_ORDERS, slot, "complete")
    return int(value) if isinstance(value, bool) else None


ORDER_COLUMNS = (
    gutter(_ORDERS),
    replace(id_column(_ORDERS, width=70), priority=0),
    _pet_column(
        lambda shop, slot: shop.linked(_ORDERS, slot),
        cell=field_cell(_ORDERS, "pet_id", pet_cell),
        field="pet_id",
    ),
    number_column(
        "quantity",
        lambda shop, slot: shop.number_of(_ORDERS, slot, "quantity"),
        cell=field_cell(_ORDERS, "quantity", number_cell),
        width=86,
        priority=3,
        editable=True,
        field="quantity",
    ),
    Column(
        id="ship_date",
        kind="date",
        cell=field_cell(_ORDERS, "ship_date", date_cell),
        text=_date_text,
        rank=date_rank,
        width=112,
        priority=1,
        editable=True,
        field="ship_date",
    ),
    Column(
        id="late",
        kind="late",
        cell=_late_cell,
        text=lambda shop, slot: "" if late_of(shop, slot) is None else f"{late_of(shop, slot)} {shop.word('late')}",
        rank=late_of,
        width=104,
        priority=2,
    ),
    Column(
        id="state",
        kind="pill",
        cell=field_cell(_ORDERS, "complete", state_cell),
        text=_state_text,
        rank=_state_rank,
        width=118,
        priority=4,
        editable=True,
        field="complete",
        choices="complete",
    ),
    replace(_status_column(_ORDERS), choices="", priority=6, rare=True),
)


# ---- categories and stock


def _pet_count(shop: ShopModel, slot: int) -> int:
    return shop.count(_PETS, shop.stores[_CATEGORIES].keys[slot])


CATEGORY_COLUMNS = (
    gutter(_CATEGORIES),
    id_column(_CATEGORIES),
    text_column(_CATEGORIES, "name", 190),
    text_column(_CATEGORIES, "description", 190, flexible=True, priority=2),
    number_column(
        "pets",
        lambda shop, slot: _pet_count(shop, slot) or None,
        lambda shop, slot: count_cell(shop, _pet_count(shop, slot)),
        width=78,
        priority=1,
    ),
)


def _pet_of_stock(shop: ShopModel, slot: int) -> Key:
    return shop.stores[_STOCK].keys[slot]


STOCK_COLUMNS = (
    gutter(_STOCK),
    _pet_column(_pet_of_stock),
    _category_column(lambda shop, slot: shop.category_of_pet(_pet_of_stock(shop, slot)), width=124),
    _status_column(_STOCK),
    _stock_column(_pet_of_stock, width=210),
    number_column(
        "minimum", lambda shop, slot: shop.minimum(_pet_of_stock(shop, slot)), text=None, width=92, priority=5
    ),
    number_column(
        "to_order", lambda shop, slot: shop.to_order(_pet_of_stock(shop, slot)), text=None, width=92, priority=2
    ),
)

COLUMNS: Mapping[Resource, tuple[Column, ...]] = {
    Resource.PETS: PET_COLUMNS,
    Resource.CATEGORIES: CATEGORY_COLUMNS,
    Resource.ORDERS: ORDER_COLUMNS,
    Resource.INVENTORY: STOCK_COLUMNS,
}

COLUMNS_BY_ID: Mapping[Resource, Mapping[str, Column]] = {
    resource: {column.id: column for column in columns} for resource, columns in COLUMNS.items()
}

DEFAULT_SORT: Mapping[Resource, tuple[str, bool]] = {
    Resource.PETS: ("name", False),
    Resource.CATEGORIES: ("name", False),
    Resource.ORDERS: ("ship_date", False),
    Resource.INVENTORY: ("pet", False),
}
