"""A record and what was done to it, in one line for the command line."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Final

from petstore_desktop.desk.values.text import visible
from petstore_desktop.domain.changes import AddStock, Change, Create, SetFields, SetStock
from petstore_desktop.domain.records import Ref, Resource, ServiceId
from petstore_desktop.exchange.records_table import names_of
from petstore_desktop.session.session import service_address
from petstore_desktop.store.mirror.reader import MirrorReader

if TYPE_CHECKING:
    from petstore_desktop.data_folder import Places
    from petstore_desktop.preferences import ShopConnection

NAMED: Final = {  # house: whole-table - an order has no name
    Resource.PETS: Resource.PETS,
    Resource.INVENTORY: Resource.PETS,
    Resource.CATEGORIES: Resource.CATEGORIES,
}
"""Where the name of a record is found."""
Names = Mapping[Resource, Mapping[ServiceId, str]]


def names_kept(places: Places, connection: ShopConnection) -> Names:
    """The names in the copy that is kept here."""
    names: dict[Resource, dict[ServiceId, str]] = {}
    with closing(MirrorReader(places.mirror(connection.slug), service_address(connection))) as reader:
        for resource in {*NAMED.values()}:
            pairs = (names_of(row.record) for rows in reader.stream(resource) for row in rows)
            names[resource] = dict(pair for pair in pairs if pair is not None)
    return names


def name_of(names: Names, ref: Ref) -> str:
    """What a record is called, or the pet of a stock; empty where that is not known."""
    kind = NAMED.get(ref.resource)
    return "" if kind is None or not isinstance(ref.key, ServiceId) else names[kind].get(ref.key, "")


def record_words(ref: Ref, title: str) -> str:
    """Which record it is, by its number and, as far as it is known, its name."""
    key = f"#{ref.key}" if isinstance(ref.key, ServiceId) else "new"
    return " ".join(filter(None, (ref.resource.value, visible(key), visible(title))))


def steps_words(change: Change) -> str:
    """What a change does, in short."""
    match change.intent:
        case Create():
            return "create"
        case AddStock(delta):
            return f"quantity {delta:+d}"
        case SetStock(quantity):
            return f"quantity {shown(change.base.get('quantity'))} -> {quantity}"
        case SetFields(fields):
            return ", ".join(f"{name} {shown(change.base.get(name))} -> {shown(new)}" for name, new in fields.items())
        case _:
            return "delete"


def shown(value: object) -> str:
    """A field's value, in one line."""
    return "nothing" if value is None or value == "" else visible(str(value))
