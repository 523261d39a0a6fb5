"""The stock in numbers: low, none left, by category, and what falls fastest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from petstore_desktop.desk.model.shop_model import ShopModel, id_text
from petstore_desktop.desk.today.rows import NotCounted, RowCount, count_rows, not_counted, resolved, shown_values
from petstore_desktop.desk.values.expressions import exactly
from petstore_desktop.domain.records import Key, Resource, is_surely_sold

if TYPE_CHECKING:
    from petstore_desktop.domain.seen_changes import Span

_PETS, _STOCK = Resource.PETS, Resource.INVENTORY
MOST_CATEGORIES = 7
FALL_DAYS = 28
"""Days of history that what falls fastest is told from."""
_LEAST_DAYS, _LEAST_GONE, _MOST_FALLING = 3, 3, 3
_DAY_S = 86_400.0


class CategoryStock(Struct, frozen=True):
    """How many stock entries of a category are low, and how many there are that are not sold. `key`: None for pets
    without a category."""

    key: Key | None
    name: str
    low: int
    total: int
    filters: Mapping[str, str]


class StockNumbers(Struct, frozen=True):
    """`entries`: all stock entries; `categories`: those with the most that is low, none without any."""

    entries: int
    low: RowCount
    none_left: RowCount
    categories: tuple[CategoryStock, ...]
    more_categories: int = 0
    """How many other categories have something that is low."""


class FallingStock(Struct, frozen=True):
    """A pet whose stock falls: `gone` pieces in `days` days, `left` of them there, enough for `lasts` more days."""

    pet: Key
    name: str
    gone: int
    days: int
    left: int
    lasts: int


def stock_numbers(shop: ShopModel) -> StockNumbers | NotCounted:
    """Count the stock entries as the list of the stock shows them now; those that are sold are neither low nor gone."""
    if (reason := not_counted(shop, _STOCK, _PETS)) is not None:
        return reason
    every = list(shop.stores[_STOCK].slots())
    slots, wanted = _unsold(shop, every)
    pets = shop.stores[_STOCK].keys.many(slots)
    quantities = _quantities(shop, slots, pets)
    names, category = _names_and_categories(shop)
    low = shop.are_low(pets, quantities)
    rows = list(zip(pets, quantities, low, strict=True))
    least = sorted((quantity or 0, names.get(pet, "")) for pet, quantity, is_low in rows if is_low)
    none = sorted(names.get(pet, "") for pet, quantity, _ in rows if quantity is not None and quantity <= 0)
    categories = _by_category(shop, [category.get(pet) for pet in pets], low, wanted)
    return StockNumbers(
        len(every),
        count_rows((name for _, name in least), {"stock": "low"}),
        count_rows(none, {"stock": "<=0", **wanted}),
        categories[:MOST_CATEGORIES],
        len(categories[MOST_CATEGORIES:]),
    )


def _unsold(shop: ShopModel, slots: list[int]) -> tuple[list[int], Mapping[str, str]]:
    """The entries whose status does not surely mean sold, and the filter that finds them."""
    sold = sorted(word for word in shop.statuses(_STOCK) if is_surely_sold(word))
    if not sold:
        return slots, {}
    statuses = shown_values(shop, _STOCK, "status", slots)
    kept = [slot for slot, status in zip(slots, statuses, strict=True) if status not in sold]
    return kept, {"status": "!" + "|".join(map(exactly, sold))}


def falling(shop: ShopModel, gone: Mapping[Key, int], span: Span, now: float) -> tuple[FallingStock, ...]:
    """The pets whose stock ends first, if it goes on as in the last days, by the pieces gone in them. Without history
    of some days, none: too little to tell from."""
    days = history_days(span, now)
    found: list[FallingStock] = []
    for pet, pieces in gone.items() if days >= _LEAST_DAYS else ():
        stock = shop.stock(pet)
        left = None if stock is None else stock.result
        name = shop.name(_PETS, pet)
        if left is None or left <= 0 or not name or pieces < _LEAST_GONE or left * days > pieces * FALL_DAYS:
            continue
        found.append(FallingStock(pet, name, pieces, days, left, max(1, round(left * days / pieces))))
    found.sort(key=lambda one: (one.left / one.gone, one.name))
    return tuple(found[:_MOST_FALLING])


def history_days(span: Span, now: float) -> int:
    """How many whole days the history tells, at most those that count."""
    return 0 if span.first is None else max(0, min(FALL_DAYS, int((now - span.first) / _DAY_S)))


def _quantities(shop: ShopModel, slots: Sequence[int], pets: Sequence[Key]) -> list[int | None]:
    values = shop.stores[_STOCK].columns["quantity"].many(slots)
    quantities = [value if isinstance(value, int) else None for value in values]
    over = shop.overlay.records[_STOCK]
    for at, pet in enumerate(pets) if over else ():
        if pet in over:
            stock = shop.stock(pet)
            quantities[at] = None if stock is None else stock.result
    return quantities


def _names_and_categories(shop: ShopModel) -> tuple[dict[Key, str], dict[Key, Key | None]]:
    """Of each pet; read in one go, which takes a third of the time of asking for each."""
    slots = list(shop.stores[_PETS].slots())
    keys, of = shop.stores[_PETS].keys.many(slots), resolved(shop)
    said = (name if isinstance(name, str) else "" for name in shown_values(shop, _PETS, "name", slots))
    kinds = map(of, shown_values(shop, _PETS, "category_id", slots))
    return dict(zip(keys, said, strict=True)), dict(zip(keys, kinds, strict=True))


def _by_category(
    shop: ShopModel, keys: Sequence[Key | None], low: Sequence[bool], wanted: Mapping[str, str]
) -> tuple[CategoryStock, ...]:
    totals = Counter(keys)
    lows = Counter(key for key, is_low in zip(keys, low, strict=True) if is_low)
    found = [_category(shop, key, n, totals[key], wanted) for key, n in lows.items()]
    found.sort(key=lambda one: (-one.low, -one.total, one.name))
    return tuple(found)


def _category(shop: ShopModel, key: Key | None, low: int, total: int, unsold: Mapping[str, str]) -> CategoryStock:
    said = "" if key is None else id_text(key)
    name = "" if key is None else shop.name(Resource.CATEGORIES, key) or (f"#{said}" if said else "")
    wanted = "=" if key is None else exactly(f"#{said}") if said else exactly(name)
    return CategoryStock(key, name, low, total, {"category": wanted, "stock": "low", **unsold})
