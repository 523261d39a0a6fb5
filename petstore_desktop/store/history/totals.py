"""The totals of a local day, counted from the mirror as it is now."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Final, cast

from msgspec import Struct

from petstore_desktop.domain.low_stock import Minimums, PetFacts
from petstore_desktop.domain.records import Key, Resource, calendar_moment, is_surely_sold, key_to_text
from petstore_desktop.store.history.recording import MIRROR
from petstore_desktop.store.mirror.rows import key_of
from petstore_desktop.store.sqlite.typed_apsw import Connection, Value


def _utc_day(moment: float) -> date:
    return datetime.fromtimestamp(calendar_moment(moment), UTC).date()


def _day_of_text(text: str) -> date | None:
    try:
        return datetime.fromisoformat(text).date()
    except ValueError:
        return None


class LocalRules(Struct, frozen=True):
    """How this computer reads moments (UTC epoch seconds) and ship dates as local days, and the stock wanted here."""

    day: Callable[[float], date] = _utc_day
    ship_day: Callable[[str], date | None] = _day_of_text
    minimums: Callable[[], Minimums] = Minimums


class StockTotals(Struct, frozen=True):
    """Pieces by category, and how many entries of pets that are not sold are low, or have none left."""

    by_category: dict[Key | None, int]
    low: int
    none_left: int


_LISTS: Final = (Resource.PETS, Resource.INVENTORY, Resource.ORDERS)


def day_row(connection: Connection, today: date, rules: LocalRules) -> tuple[Value, ...]:
    """A row of `day` for the attached mirror; None for what is counted in lists that were not read whole."""
    facts = connection.execute(f"SELECT resource, cut_at FROM {MIRROR}.fact WHERE as_of NOT NULL").fetchall()
    is_cut = {row[0]: row[1] is not None for row in facts}
    pets, stock, orders = (is_cut.get(resource.value) is False for resource in _LISTS)
    some_pets = is_cut.get(Resource.PETS.value, False)  # what is low goes by the pets, where the service lists them
    counted = _stock(connection, rules.minimums()) if stock and not some_pets else None
    open_, overdue = _orders(connection, today, rules) if orders else (None, None)
    return (
        today.isoformat(),
        json.dumps(_pets(connection)) if pets else None,
        json.dumps({_text(key): n for key, n in counted.by_category.items()}) if counted and pets else None,
        open_,
        overdue,
        counted.low if counted else None,
        counted.none_left if counted else None,
    )


def _text(key: Key | None) -> str:
    return "" if key is None else key_to_text(key)


def _pets(connection: Connection) -> dict[str, int]:
    rows = connection.execute(f"SELECT coalesce(status, ''), count(*) FROM {MIRROR}.pets GROUP BY 1")
    return dict(cast("list[tuple[str, int]]", rows.fetchall()))


def _stock(connection: Connection, minimums: Minimums) -> StockTotals:
    """SQLite sums the halves of quantities: as a whole these may be as large as int64, and few of them too much."""
    rows = connection.execute(
        "SELECT p.category_id, i.status, p.status, sum(i.quantity >> 32), sum(i.quantity & 0xFFFFFFFF), "
        f"sum(i.quantity <= 0) FROM {MIRROR}.inventory AS i LEFT JOIN {MIRROR}.pets AS p USING (key) GROUP BY 1, 2, 3"
    ).fetchall()
    found = cast("list[tuple[Key | None, str | None, str | None, int, int, int]]", rows)
    pieces, none = Counter[Key | None](), 0
    for category, own, _, high, low, out in found:
        pieces[category] += (high << 32) + low
        none += 0 if is_surely_sold(own) else out
    sold = {status for _, *both, _, _, _ in found for status in both if is_surely_sold(status)}
    return StockTotals(dict(pieces), _low(connection, minimums, sold) if minimums else 0, none)


def _low(connection: Connection, minimums: Minimums, sold: set[str | None]) -> int:
    """How many entries of pets that are not sold are low."""
    rows = connection.execute(
        f"SELECT i.key, i.quantity, p.category_id, i.status, p.status "
        f"FROM {MIRROR}.inventory AS i LEFT JOIN {MIRROR}.pets AS p USING (key)"
    ).fetchall()
    found = cast("list[tuple[int | str, int, Key | None, str | None, str | None]]", rows)
    pets = [key_of(key) for key, _, _, _, _ in found]
    categories = {pet: category for pet, (_, _, category, _, _) in zip(pets, found, strict=True)}
    gone = {pet for pet, (*_, own, of_pet) in zip(pets, found, strict=True) if own in sold or of_pet in sold}
    facts = PetFacts(categories.get, gone.__contains__)
    return sum(minimums.are_low(pets, (quantity for _, quantity, _, _, _ in found), facts))


def _orders(connection: Connection, today: date, rules: LocalRules) -> tuple[int | None, int | None]:
    """How many are open, and how many of them overdue; None where the service says that of no order."""
    counts = connection.execute(f"SELECT count(*), count(complete) FROM {MIRROR}.orders").fetchone()
    count, told = cast("tuple[int, int]", counts)
    if count and not told:
        return None, None
    rows = connection.execute(f"SELECT ship_date, count(*) FROM {MIRROR}.orders WHERE complete = 0 GROUP BY ship_date")
    open_ = overdue = 0
    for said, count in cast("list[tuple[str | None, int]]", rows.fetchall()):
        day = None if said is None else rules.ship_day(said)
        open_ += count
        overdue += count if day is not None and day < today else 0
    return open_, overdue
