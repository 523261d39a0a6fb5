"""The columns of orders and categories, and of each table; and how each is sorted at first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from petstore_desktop.desk.columns.column import (
    Column,
    Rank,
    field_cell,
    gutter,
    id_column,
    name_rank,
    number_cell,
    number_column,
    pet_cell,
    text_column,
)
from petstore_desktop.desk.columns.columns_pets import PET_COLUMNS, STOCK_COLUMNS, pet_text
from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.desk.values.cells import CellFacts
from petstore_desktop.desk.values.dates import days_late, parse_ship_date
from petstore_desktop.domain.records import FieldValue, Resource

_ORDERS = Resource.ORDERS
_CATEGORIES = Resource.CATEGORIES
_EPOCH = datetime(1, 1, 1)  # noqa: DTZ001  ship dates are in the local zone, and naive
_MICROSECOND = timedelta(microseconds=1)


def _pet_text(shop: ShopModel, slot: int) -> str:
    pet = shop.linked(_ORDERS, slot)
    return "" if pet is None else pet_text(shop, pet)


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


def _date_rank(shop: ShopModel, slot: int) -> Rank:
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
    Column(
        id="pet",
        kind="ref",
        cell=lambda shop, slot: field_cell(shop, _ORDERS, slot, "pet_id", pet_cell),
        text=_pet_text,
        rank=lambda shop, slot: name_rank(shop, shop.name(Resource.PETS, shop.linked(_ORDERS, slot))),
        width=190,
        flexible=True,
        field="pet_id",
    ),
    number_column(
        "quantity",
        lambda shop, slot: shop.number_of(_ORDERS, slot, "quantity"),
        cell=lambda shop, slot: field_cell(shop, _ORDERS, slot, "quantity", number_cell),
        width=86,
        priority=3,
        editable=True,
        field="quantity",
    ),
    Column(
        id="ship_date",
        kind="date",
        cell=lambda shop, slot: field_cell(shop, _ORDERS, slot, "ship_date", date_cell),
        text=_date_text,
        rank=_date_rank,
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
        cell=lambda shop, slot: field_cell(shop, _ORDERS, slot, "complete", state_cell),
        text=_state_text,
        rank=_state_rank,
        width=118,
        priority=4,
        editable=True,
        field="complete",
        choices="complete",
        few=True,
    ),
)


def _pet_count(shop: ShopModel, slot: int) -> int | None:
    return shop.links[Resource.PETS].count(shop.stores[_CATEGORIES].keys[slot]) or None


CATEGORY_COLUMNS = (
    gutter(_CATEGORIES),
    id_column(_CATEGORIES),
    text_column(_CATEGORIES, "name", 190),
    text_column(_CATEGORIES, "description", 190, flexible=True, priority=2),
    number_column("pets", _pet_count, width=78, priority=1),
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
