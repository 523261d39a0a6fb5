"""The data checks said one row at a time, over every other row."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from petstore_desktop.desk.data_checks import BY_ID, silence
from petstore_desktop.desk.desk import Desk
from petstore_desktop.domain.records import Key, Ref, Resource

PETS, ORDERS, STOCK, CATEGORIES = Resource.PETS, Resource.ORDERS, Resource.INVENTORY, Resource.CATEGORIES
Fields: TypeAlias = "Callable[[str], object]"
"""A field of one record by its name, as lists show it."""


def plain(desk: Desk, check_id: str) -> set[Key]:
    """What a check finds."""
    if silence(desk.shop, BY_ID[check_id]):
        return set()
    rule = RULES[check_id]
    return {key for key, of in rows(desk, BY_ID[check_id].resource) if rule(desk, key, of)}


def rows(desk: Desk, resource: Resource) -> list[tuple[Key, Fields]]:
    """Those that are not being deleted."""
    store, shop = desk.shop.stores[resource], desk.shop
    used = [slot for slot in store.slots() if not _is_going(desk, resource, store.keys[slot])]
    return [(store.keys[slot], lambda name, at=slot: shop.shown(resource, at, name)) for slot in used]


def _is_going(desk: Desk, resource: Resource, key: Key) -> bool:
    over = desk.overlay.of(Ref(resource, key))
    return over is not None and over.deleted


def has(desk: Desk, resource: Resource, key: object) -> bool:
    store = desk.shop.stores[resource]
    return any(store.keys[slot] == key for slot in store.slots())


def stock(desk: Desk, pet: object) -> int | None:
    known = desk.shop.stock(pet) if isinstance(pet, int | str) else None
    return None if known is None else known.result


def names_no_pet(desk: Desk, _key: Key, of: Fields) -> bool:
    return of("pet_id") is not None and not has(desk, PETS, of("pet_id"))


def is_sold_with_stock(desk: Desk, key: Key, of: Fields) -> bool:
    return of("status") == "sold" and (stock(desk, key) or 0) > 0


def is_without_category(desk: Desk, _key: Key, of: Fields) -> bool:
    return of("category_id") is None or not has(desk, CATEGORIES, of("category_id"))


def _name(of: Fields) -> tuple[str, object]:
    return str(of("name") or "").casefold().strip(), of("category_id")


def is_a_twin(desk: Desk, key: Key, of: Fields) -> bool:
    mine = _name(of)
    return all(mine) and any(_name(other) == mine for peer, other in rows(desk, PETS) if peer != key)


def is_incomplete(desk: Desk, _key: Key, of: Fields) -> bool:
    store = desk.shop.stores[ORDERS]
    names = ("pet_id", "quantity", "ship_date")
    told = [name for name in names if any(store.columns[name][at] is not None for at in range(store.capacity))]
    return any(of(name) in (None, "") for name in told)


def wants(of: Fields) -> int:
    quantity = of("quantity")
    return quantity if of("complete") is False and isinstance(quantity, int) and quantity > 0 else 0


def is_short(desk: Desk, _key: Key, of: Fields) -> bool:
    here = stock(desk, of("pet_id"))
    ordered = sum(wants(other) for _, other in rows(desk, ORDERS) if other("pet_id") == of("pet_id"))
    return bool(wants(of)) and here is not None and ordered > here


RULES: dict[str, Callable[[Desk, Key, Fields], bool]] = {
    "no-such-pet": names_no_pet,
    "sold-with-stock": is_sold_with_stock,
    "without-category": is_without_category,
    "same-name": is_a_twin,
    "stock-without-pet": lambda desk, key, _: not has(desk, PETS, key),
    "incomplete": is_incomplete,
    "more-than-stock": is_short,
    "below-zero": lambda desk, key, _: (stock(desk, key) or 0) < 0,
}
