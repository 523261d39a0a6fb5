"""The shop of the design's pictures of Today: Monday 23 November 2026, 8:58."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from petstore_desktop.domain.low_stock import Minimums
from petstore_desktop.domain.records import Category, InventoryItem, Order, Pet, Record, Resource
from tests.support.manual_clock import ManualClock
from tests.ui.recording_shop import RecordingShop

MONDAY = datetime(2026, 11, 23, 8, 58, tzinfo=UTC)
CATEGORIES = (
    ("Fish", 14, 62),
    ("Small animals", 7, 26),
    ("Birds", 6, 25),
    ("Reptiles", 4, 20),
    ("Pond", 3, 12),
    ("Invertebrates", 2, 12),
    ("Amphibians", 1, 10),
    ("Cats", 1, 9),
    ("Dogs", 0, 15),
)
"""Name, low stock entries, all of them."""
NONE_LEFT, LEAST = 12, 3
NAMES = ("Turkish angora", "Zebra danio", "Koi", "Lovebird", "Budgerigar", "Corn snake", "Guppy", "Betta, red")
COMPLETE = {-7: 5, -6: 6, -5: 4, -4: 7, -3: 8, -2: 6, 0: 1}
OPEN = {-16: (1,), -13: (2,), -7: (5,), -5: (6,), -3: (7, 8), 0: (3, 4, 5, 6), 1: (1, 2), 2: (3, 4), 4: (5, 6), 5: (7,)}
"""By days from that Monday: how many orders are complete, and the pets of those that are not."""


def monday_shop() -> RecordingShop:
    """A shop whose desk has nothing in it yet; `fill` tells it the rows."""
    shop = RecordingShop(clock=ManualClock(wall=MONDAY.timestamp()))
    shop.views.minimums = Minimums({}, dict.fromkeys(range(1, len(CATEGORIES) + 1), LEAST))
    return shop


def fill(shop: RecordingShop) -> None:
    """Tell the desk all rows."""
    shop.tell_ready()
    for resource, records in records_of().items():
        shop.tell_rows(resource, records)


def records_of() -> dict[Resource, list[Record]]:
    """All records of the shop."""
    pets: list[Record] = []
    stock: list[Record] = []
    none = NONE_LEFT
    for kind, (name, low, total) in enumerate(CATEGORIES, 1):
        for at in range(total):
            number = len(pets) + 1
            pets.append(Pet(number, NAMES[number - 1] if number <= len(NAMES) else f"{name} {at}", kind, "available"))
            quantity = 20 + at if at >= low else 0 if none > 0 else LEAST
            none -= at < low
            stock.append(InventoryItem(number, quantity, "available"))
    return {
        Resource.CATEGORIES: [Category(at, name) for at, (name, _, _) in enumerate(CATEGORIES, 1)],
        Resource.PETS: pets,
        Resource.INVENTORY: stock,
        Resource.ORDERS: _orders(),
    }


def _orders() -> list[Record]:
    orders: list[Record] = []
    for by, count in COMPLETE.items():
        orders += [Order(1000 + 20 * by + at, 9, 1, _day(by), True) for at in range(count)]
    for by, pets in OPEN.items():
        orders += [Order(2000 + 20 * by + pet, pet, 1, _day(by), False) for pet in pets]
    return orders


def _day(by: int) -> str:
    return f"{MONDAY.date() + timedelta(by)}T09:00:00Z"
