"""Loads the stored rows into the stores unseen, and shows a list when it is complete, so that a table sorts and filters
once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from petstore_desktop.desk.model.ripple import Changed
from petstore_desktop.desk.model.row_store import Merge
from petstore_desktop.desk.model.shop_model import LINKED, ShopModel
from petstore_desktop.domain.records import Resource, RowBlock

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.sync.wire.events import MirrorRead

_SHOWN_IN: Final[Mapping[Resource, Mapping[Resource, tuple[str, ...]]]] = {
    Resource.CATEGORIES: dict.fromkeys((Resource.PETS, Resource.INVENTORY), ("category",)),
    Resource.PETS: {  # house: whole-table - other lists do not show it
        Resource.CATEGORIES: ("pets",),
        Resource.ORDERS: ("pet",),
        Resource.INVENTORY: ("pet", "category"),
    },
    Resource.ORDERS: {Resource.PETS: ("orders",)},
    Resource.INVENTORY: {Resource.PETS: ("stock",)},
}
"""The columns of other tables that show something of a resource."""


def take_block(desk: Desk, block: RowBlock) -> Changed:
    """Rows came; they are shown at the end of their list."""
    store = desk.shop.stores[block.resource]
    merge = store.extend(block)
    if block.resource in LINKED:
        _link(desk.shop, block, merge)
    return Changed()


def _link(shop: ShopModel, block: RowBlock, merge: Merge) -> None:
    """Bring the joins up to date."""
    shop.link_new(block.resource, merge.added)
    for slot in merge.changed:
        shop.relink(block.resource, slot)


def show_read(desk: Desk, event: MirrorRead) -> Changed:
    """All rows of a list are in its store: show them, and what other tables show of them."""
    resource = event.resource
    links = desk.shop.links.get(resource)
    if links is not None:
        links.expected = {}
    checked = desk.check_again()
    desk.tables[resource].refill()
    for other, table in desk.tables.items():
        columns = _SHOWN_IN[resource].get(other, ())
        if table.is_open and other is not resource and (columns or checked.get(other)):
            slots = set(desk.shop.stores[other].slots()) if columns else checked[other]
            table.merge(Merge(), dict.fromkeys(columns or ("gutter",), slots))
    return Changed(rows={resource: set(event.ends)}, loads={resource})
