"""The columns of each table, and how each is sorted at first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from petstore_desktop.desk.columns.column import (
    Column,
    category_cell,
    count_cell,
    field_cell,
    gutter,
    id_column,
    is_editable,
    number_cell,
    number_column,
    pet_cell,
    pill_cell,
    stock_cell,
    stock_number,
    text_column,
    worded,
)
from petstore_desktop.desk.model.shop_model import NAMES, ShopModel, id_text
from petstore_desktop.desk.values.cells import CellFacts, Family
from petstore_desktop.desk.values.dates import days_late, parse_ship_date
from petstore_desktop.desk.values.text import NUL, fold, link_text
from petstore_desktop.domain.records import INT64_MIN, ContentId, FieldValue, Key, LocalId, Resource

_PETS = Resource.PETS
_CATEGORIES = Resource.CATEGORIES
_ORDERS = Resource.ORDERS
_STOCK = Resource.INVENTORY
_EPOCH = datetime(1, 1, 1)  # noqa: DTZ001  ship dates are in the local zone, and naive
_MICROSECOND = timedelta(microseconds=1)
DAY: Final = 86_400_000_000
"""Microseconds of a day."""
UNREADABLE: Final = INT64_MIN + 1
"""Stands for a date that cannot be read."""

_KeyOf: TypeAlias = "Callable[[ShopModel, int], Key | None]"
"""The record that the row in a slot names, or is."""


# ---- columns that several tables have


def link_said(shop: ShopModel, resource: Resource, key: Key | None) -> str:
    """Every way to say the record that a row names, folded: its name and its `#id`; nothing for none."""
    found = shop.overlay.resolve_value(key) if isinstance(key, LocalId) else key
    if not isinstance(found, (int, str, LocalId)):
        return ""
    # A record without a name is still one: NUL alone is not empty.
    return f"{fold(shop.name(resource, found) or '')}{NUL}" + (f"#{fold(id_text(found))}" if id_text(found) else "")


def word_of(shop: ShopModel, status: object) -> str:
    """Every way to say a status or state, folded, with NUL between."""
    if not isinstance(status, str):
        return ""
    shown = shop.vocabulary.get(status, status)
    return NUL.join(dict.fromkeys((fold(status), fold(shown)))) if status else ""


def _category_words(shop: ShopModel, key: Key | None) -> str:
    """A category as the filter searches it: its name, or the id of one that has none or is not there."""
    if key is None:
        return ""
    return (shop.name(_CATEGORIES, key) or id_text(key)) + link_text("category", id_text(key))


def _category_column(category: _KeyOf, **more: Any) -> Column:
    plain = Column(
        id="category",
        kind="ref",
        family="word",
        value=category,
        cell=lambda shop, slot: category_cell(shop, category(shop, slot)),
        rests_on=("category",),
        words=_category_words,
        order=lambda shop, key: shop.name(_CATEGORIES, key),
        said=lambda shop, key: link_said(shop, _CATEGORIES, key),
        priority=4,
        muted=True,
    )
    return worded(replace(plain, **more))


def _pet_words(shop: ShopModel, pet: Key | None) -> str:
    """A pet as the filter searches it: its name and its id."""
    return "" if pet is None else f"{shop.name(_PETS, pet) or ''} {id_text(pet)}{link_text('pet', id_text(pet))}"


def _pet_column(pet: _KeyOf, **more: Any) -> Column:
    plain = Column(
        id="pet",
        kind="ref",
        family="link",
        value=pet,
        cell=lambda shop, slot: pet_cell(shop, pet(shop, slot)),
        rests_on=("pet",),
        words=_pet_words,
        order=lambda shop, key: shop.name(_PETS, key),
        said=lambda shop, key: "" if isinstance(key, ContentId) else link_said(shop, _PETS, key),
        width=190,
        flexible=True,
    )
    return worded(replace(plain, **more))


def _stock_column(pet: Callable[[ShopModel, int], Key], **more: Any) -> Column:
    return number_column(
        "stock",
        lambda shop, slot: stock_number(shop, pet(shop, slot)),
        kind="stock",
        cell=lambda shop, slot: stock_cell(shop, pet(shop, slot)),
        editable=True,
        field="quantity",
        summed=True,
        **more,
    )


def _count_column(of: Resource, **more: Any) -> Column:
    """How many records of another list name this one; nothing for none."""
    target = NAMES[of]

    def key(shop: ShopModel, slot: int) -> Key:
        return shop.stores[target].keys[slot]

    return number_column(
        of.value,
        lambda shop, slot: shop.links[of].count(key(shop, slot)) or None,
        lambda shop, slot: count_cell(shop, shop.count(of, key(shop, slot))),
        family="count",
        rests_on=(of.value,),
        muted=True,
        summed=True,
        exported=True,
        width=78,
        **more,
    )


def _status_column(resource: Resource, **more: Any) -> Column:
    """A status: of the pet, or of the stock entry."""
    plain = Column(
        id="status",
        kind="pill",
        family="word",
        value=lambda shop, slot: shop.shown(resource, slot, "status"),
        cell=field_cell(resource, "status", pill_cell),
        rests_on=("status",),
        words=lambda shop, status: shop.word(status if isinstance(status, str) else ""),
        order=lambda _shop, status: status if isinstance(status, str) else None,
        said=word_of,
        width=122,
        priority=3,
        editable=is_editable(resource, "status"),
        field="status",
        choices="status",
    )
    return worded(replace(plain, **more))


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
        rests_on=("category_id", "category"),
        width=122,
        editable=True,
        field="category_id",
        choices="category",
    ),
    _status_column(_PETS),
    _stock_column(_pet_at, rests_on=("stock",), exported=True, width=90, priority=1),
    _count_column(_ORDERS, priority=5),
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


def _moment(shop: ShopModel, slot: int) -> int | None:
    """The moment of the order in this slot, in microseconds of the local calendar."""
    ship = shop.ship_date(slot)
    if ship is None or ship.local is None:
        return UNREADABLE if shop.text_of(_ORDERS, slot, "ship_date") else None
    return (ship.local - _EPOCH) // _MICROSECOND


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


def _state(value: object) -> str | None:
    return ("complete" if value else "open") if isinstance(value, bool) else None


ORDER_COLUMNS = (
    gutter(_ORDERS),
    replace(id_column(_ORDERS, width=70), priority=0),
    _pet_column(
        lambda shop, slot: shop.linked(_ORDERS, slot),
        cell=field_cell(_ORDERS, "pet_id", pet_cell),
        rests_on=("pet_id", "pet"),
        field="pet_id",
    ),
    number_column(
        "quantity",
        lambda shop, slot: shop.number_of(_ORDERS, slot, "quantity"),
        cell=field_cell(_ORDERS, "quantity", number_cell),
        rests_on=("quantity",),
        width=86,
        priority=3,
        editable=True,
        field="quantity",
        summed=True,
    ),
    Column(
        id="ship_date",
        kind="date",
        family="date",
        value=_moment,
        cell=field_cell(_ORDERS, "ship_date", date_cell),
        rests_on=("ship_date",),
        text=_date_text,
        order=lambda _shop, moment: None if moment == UNREADABLE else moment,
        width=112,
        priority=1,
        editable=True,
        field="ship_date",
    ),
    worded(
        Column(
            id="late",
            kind="late",
            family="number",
            value=late_of,
            cell=_late_cell,
            rests_on=("ship_date", "complete"),
            words=lambda shop, days: "" if days is None else f"{days} {shop.word('late')}",
            width=104,
            priority=2,
            summed=True,
        )
    ),
    worded(
        Column(
            id="state",
            kind="pill",
            family="word",
            value=lambda shop, slot: shop.shown(_ORDERS, slot, "complete"),
            cell=field_cell(_ORDERS, "complete", state_cell),
            rests_on=("complete",),
            words=lambda shop, value: shop.word(_state(value) or "") if _state(value) else "",
            order=lambda _shop, value: int(value) if isinstance(value, bool) else None,
            said=lambda shop, value: word_of(shop, _state(value)),
            width=118,
            priority=4,
            editable=True,
            field="complete",
            choices="complete",
        )
    ),
    _status_column(_ORDERS, choices="", priority=6, rare=True),
)


# ---- categories and stock


CATEGORY_COLUMNS = (
    gutter(_CATEGORIES),
    id_column(_CATEGORIES),
    text_column(_CATEGORIES, "name", 190),
    text_column(_CATEGORIES, "description", 190, flexible=True, priority=2),
    _count_column(_PETS, priority=1),
)


def _pet_of_stock(shop: ShopModel, slot: int) -> Key:
    return shop.stores[_STOCK].keys[slot]


STOCK_COLUMNS = (
    gutter(_STOCK),
    _pet_column(_pet_of_stock),
    _category_column(
        lambda shop, slot: shop.category_of_pet(_pet_of_stock(shop, slot)),
        exported=True,
        width=124,
    ),
    _status_column(_STOCK),
    _stock_column(_pet_of_stock, rests_on=("quantity",), width=210),
    number_column(
        "minimum",
        lambda shop, slot: shop.minimum(_pet_of_stock(shop, slot)),
        rests_on=("levels",),
        words=None,
        width=92,
        priority=5,
        muted=True,
        exported=True,
        level="minimum",
    ),
    number_column(
        "order_up_to",
        lambda shop, slot: shop.up_to(_pet_of_stock(shop, slot)),
        rests_on=("levels",),
        words=None,
        width=92,
        priority=6,
        muted=True,
        exported=True,
        level="up_to",
    ),
    number_column(
        "to_order",
        lambda shop, slot: shop.to_order(_pet_of_stock(shop, slot)),
        rests_on=("quantity", "status", "levels"),
        words=None,
        width=92,
        priority=2,
        summed=True,
        exported=True,
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

FAMILIES: Mapping[str, Family] = {column.id: column.family for columns in COLUMNS.values() for column in columns}
"""By the column's id, which means the same in every table."""

DEFAULT_SORT: Mapping[Resource, tuple[str, bool]] = {
    Resource.PETS: ("name", False),
    Resource.CATEGORIES: ("name", False),
    Resource.ORDERS: ("ship_date", False),
    Resource.INVENTORY: ("pet", False),
}
