"""The figures of the shop as its lists show it now, with what people did here and is not sent yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from petstore_desktop.desk.today.rows import resolved, shown_values
from petstore_desktop.desk.values.dates import days_late, parse_ship_date
from petstore_desktop.domain.records import FieldValue, Key, Resource, is_surely_sold
from petstore_desktop.domain.seen_changes import DayTotals

if TYPE_CHECKING:
    from petstore_desktop.desk.model.shop_model import ShopModel

_PART: Final = 2_000
"""Orders read between two pauses."""


class StockRow(Struct, frozen=True):
    """The stock of one pet as it is shown; `quantity` None where it is not known."""

    pet: Key
    category: Key | None
    quantity: int | None
    low: bool
    none_left: bool
    """A pet that is sold is neither low nor out of stock."""


class OrderRow(Struct, frozen=True):
    """One order; `day` None without a date, or with one that cannot be read."""

    key: Key
    pet: Key | None
    quantity: int | None
    day: date | None
    complete: bool | None
    days_late: int | None


class ShopNow(Struct, frozen=True):
    """One look at the shop. A list that the service does not have, or that is here in part only, is None; so are orders
    of which the service does not say whether they are open."""

    today: date
    statuses: Mapping[str, int] | None
    stock: Sequence[StockRow] | None
    orders: Sequence[OrderRow] | None
    knows_minimums: bool
    """Whether it is known what is low."""

    def totals(self) -> DayTotals:
        """The same as the history keeps for each day."""
        stock, orders = self.stock, self.orders
        return DayTotals(
            self.today,
            self.statuses,
            None if stock is None else pieces_by_category(stock),
            None if orders is None else sum(one.complete is False for one in orders),
            None if orders is None else sum(one.days_late is not None for one in orders),
            None if stock is None or not self.knows_minimums else sum(one.low for one in stock),
            None if stock is None else sum(one.none_left for one in stock),
        )


def pieces_by_category(rows: Sequence[StockRow]) -> dict[Key | None, int]:
    """How many pieces there are of each category; None stands for pets without one."""
    found: dict[Key | None, int] = {}
    for row in rows:
        found[row.category] = found.get(row.category, 0) + (row.quantity or 0)
    return found


def look_at(shop: ShopModel, known: frozenset[Resource]) -> Generator[None, None, ShopNow]:
    """Read the shop, list by list, with a pause after each. `known`: the lists of which something came."""
    known -= shop.in_part
    statuses = _statuses(shop) if Resource.PETS in known else None
    yield
    has_stock = Resource.INVENTORY in known and Resource.PETS not in shop.in_part
    stock = (yield from _stock(shop)) if has_stock else None
    yield
    orders = (yield from _orders(shop)) if Resource.ORDERS in known and shop.tells_open else None
    yield
    return ShopNow(shop.today, statuses, stock, orders, shop.minimums is not None)


def _statuses(shop: ShopModel) -> dict[str, int]:
    found = Counter(shown_values(shop, Resource.PETS, "status", list(shop.stores[Resource.PETS].slots())))
    return {status if isinstance(status, str) else "": count for status, count in found.items()}


def _stock(shop: ShopModel) -> Generator[None, None, list[StockRow]]:
    pets, store, of = shop.stores[Resource.PETS], shop.stores[Resource.INVENTORY], resolved(shop)
    slots = list(pets.slots())
    categories = map(of, shown_values(shop, Resource.PETS, "category_id", slots))
    category = dict(zip(pets.keys.many(slots), categories, strict=True))
    yield
    slots = list(store.slots())
    keys, laid = store.keys.many(slots), shop.overlay.records[Resource.INVENTORY]
    counts = [_count(value) for value in store.columns["quantity"].many(slots)]
    for place, key in enumerate(keys) if laid else ():
        if key in laid:
            stock = shop.stock(key)
            counts[place] = None if stock is None else stock.result
    low = shop.are_low(keys, counts)
    sold = {word for word in shop.statuses(Resource.INVENTORY) if is_surely_sold(word)}
    statuses = shown_values(shop, Resource.INVENTORY, "status", slots) if sold else [None] * len(slots)
    return [
        StockRow(key, category.get(key), count, is_low, _is_none(count) and status not in sold)
        for key, count, is_low, status in zip(keys, counts, low, statuses, strict=True)
    ]


def _is_none(quantity: int | None) -> bool:
    return quantity is not None and quantity <= 0


def _orders(shop: ShopModel) -> Generator[None, None, list[OrderRow]]:
    store, today, zone, of = shop.stores[Resource.ORDERS], shop.today, shop.zone, resolved(shop)
    slots = list(store.slots())
    names = ("pet_id", "quantity", "ship_date", "complete")
    columns = [shown_values(shop, Resource.ORDERS, name, slots) for name in names]
    rows: list[OrderRow] = []
    for key, pet, quantity, raw, complete in zip(store.keys.many(slots), *columns, strict=True):
        if len(rows) % _PART == _PART - 1:
            yield
        ship = parse_ship_date(raw, zone) if isinstance(raw, str) and raw else None
        state = complete if isinstance(complete, bool) else None
        day, late = None if ship is None else ship.day, days_late(ship, today, state)
        rows.append(OrderRow(key, of(pet), _count(quantity), day, state, late))
    return rows


def _count(value: FieldValue) -> int | None:
    return value if type(value) is int else None
