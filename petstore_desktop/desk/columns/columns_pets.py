"""The columns of pets, and of their stock."""

from __future__ import annotations

from petstore_desktop.desk.columns.column import (
    Column,
    Rank,
    Slots,
    category_cell,
    field_cell,
    field_memo,
    gutter,
    id_column,
    is_editable,
    name_rank,
    number_column,
    number_or_missing,
    pet_cell,
    pill_cell,
    stock_cell,
    stock_rank,
    text_column,
)
from petstore_desktop.desk.model.shop_model import ShopModel, id_text
from petstore_desktop.desk.values.collation import MISSING
from petstore_desktop.desk.values.text import link_text
from petstore_desktop.domain.records import Key, Resource

_PETS = Resource.PETS
_STOCK = Resource.INVENTORY


def _pet_at(shop: ShopModel, slot: int) -> Key:
    return shop.stores[_PETS].keys[slot]


def _pet_of_stock(shop: ShopModel, slot: int) -> Key:
    return shop.stores[_STOCK].keys[slot]


def category_text(shop: ShopModel, key: Key | None) -> str:
    """A category as the filter searches it: its name, or the id of one that has none or is not there."""
    if key is None:
        return ""
    return (shop.name(Resource.CATEGORIES, key) or id_text(key)) + link_text("category", id_text(key))


def category_rank(shop: ShopModel, key: Key | None) -> Rank:
    """A category by its name."""
    return name_rank(shop, shop.name(Resource.CATEGORIES, key))


def pet_text(shop: ShopModel, pet: Key) -> str:
    """A pet as the filter searches it: its name and its id."""
    return f"{shop.name(_PETS, pet) or ''} {id_text(pet)}{link_text('pet', id_text(pet))}"


def _stocks(shop: ShopModel, slots: Slots) -> list[int]:
    found = shop.stores[_STOCK].values_of(shop.stores[_PETS].keys.many(slots), "quantity")
    return [quantity if isinstance(quantity, int) else MISSING for quantity in found]


def _order_counts(shop: ShopModel, slots: Slots) -> list[int]:
    keys, count = shop.stores[_PETS].keys, shop.links[Resource.ORDERS].count
    return [count(key) or MISSING for key in keys.many(slots)]


def _status_rank(shop: ShopModel, status: object) -> int:
    return number_or_missing(name_rank(shop, status if isinstance(status, str) else None))


def status_column(resource: Resource) -> Column:
    """A status: of the pet, or of the stock entry."""
    return Column(
        id="status",
        kind="pill",
        cell=lambda shop, slot: field_cell(shop, resource, slot, "status", pill_cell),
        text=lambda shop, slot: shop.word(shop.text_of(resource, slot, "status")),
        rank=lambda shop, slot: name_rank(shop, shop.text_of(resource, slot, "status")),
        texts=field_memo(resource, "status", lambda shop, status: shop.word(status or "")),
        ranks=field_memo(resource, "status", _status_rank),
        width=122,
        priority=3,
        editable=is_editable(resource, "status"),
        field="status",
        choices="status",
        few=True,
    )


PET_COLUMNS = (
    gutter(_PETS),
    id_column(_PETS),
    text_column(_PETS, "name", 190, flexible=True),
    Column(
        id="category",
        kind="ref",
        cell=lambda shop, slot: field_cell(shop, _PETS, slot, "category_id", category_cell),
        text=lambda shop, slot: category_text(shop, shop.linked(_PETS, slot)),
        rank=lambda shop, slot: category_rank(shop, shop.linked(_PETS, slot)),
        texts=field_memo(_PETS, "category_id", category_text),
        ranks=field_memo(_PETS, "category_id", lambda shop, key: number_or_missing(category_rank(shop, key))),
        width=122,
        priority=4,
        editable=True,
        field="category_id",
        choices="category",
        few=True,
    ),
    status_column(_PETS),
    number_column(
        "stock",
        lambda shop, slot: stock_rank(shop, _pet_at(shop, slot)),
        _stocks,
        kind="stock",
        cell=lambda shop, slot: stock_cell(shop, _pet_at(shop, slot)),
        width=90,
        priority=1,
        editable=True,
        field="quantity",
    ),
    number_column(
        "orders",
        lambda shop, slot: shop.order_count(_pet_at(shop, slot)) or None,
        _order_counts,
        width=78,
        priority=5,
    ),
)

STOCK_COLUMNS = (
    gutter(_STOCK),
    Column(
        id="pet",
        kind="ref",
        cell=lambda shop, slot: pet_cell(shop, _pet_of_stock(shop, slot)),
        text=lambda shop, slot: pet_text(shop, _pet_of_stock(shop, slot)),
        rank=lambda shop, slot: name_rank(shop, shop.name(_PETS, _pet_of_stock(shop, slot))),
        width=190,
        flexible=True,
    ),
    Column(
        id="category",
        kind="ref",
        cell=lambda shop, slot: category_cell(shop, shop.category_of_pet(_pet_of_stock(shop, slot))),
        text=lambda shop, slot: category_text(shop, shop.category_of_pet(_pet_of_stock(shop, slot))),
        rank=lambda shop, slot: category_rank(shop, shop.category_of_pet(_pet_of_stock(shop, slot))),
        width=124,
        priority=4,
        few=True,
    ),
    status_column(_STOCK),
    number_column(
        "stock",
        lambda shop, slot: stock_rank(shop, _pet_of_stock(shop, slot)),
        kind="stock",
        cell=lambda shop, slot: stock_cell(shop, _pet_of_stock(shop, slot)),
        width=210,
        editable=True,
        field="quantity",
    ),
    number_column(
        "minimum", lambda shop, slot: shop.minimum(_pet_of_stock(shop, slot)), text=None, width=92, priority=5
    ),
)
