"""A week of a shop for pictures and tests: 31 pets sold, 14 orders placed, 27 completed, stock of 63 pets changed."""

from __future__ import annotations

from datetime import datetime

from petstore_desktop.domain.records import Category, Order, Pet, Resource
from petstore_desktop.domain.seen_changes import SeenChange, Span
from tests.desk.past.seen import ELSEWHERE, HERE, came, changed, status, stock
from tests.ui.recording_shop import RecordingShop

NOW = datetime(2026, 11, 20, 18).timestamp()
WEEK = 7 * 86_400.0
NAMES = ("Angelfish, marbled, group of six", "Ball python, clown", "Birman, blue point", "Amano shrimp", "Zebra finch")


def changes() -> list[SeenChange]:
    """All changes of the week."""
    start, step = NOW - WEEK, 4000.0
    sold = [
        status(
            1007 + n,
            "pending" if n % 5 == 1 else "available",
            "sold",
            f"{NAMES[n % 3]} {n}" if n > 2 else NAMES[n],
            who=HERE if n % 8 == 1 else ELSEWHERE,
            at=start + step * n,
        )
        for n in range(31)
    ]
    placed = [
        came(
            Resource.ORDERS,
            2091 + n,
            who=HERE if n in (1, 4, 9) else ELSEWHERE,
            at=start + 2 * step * n,
            pet_id=n % 5 + 1,
            quantity=n + 1,
            ship_date="2026-11-23T09:00:00Z",
        )
        for n in range(14)
    ]
    done = [
        changed(
            Resource.ORDERS, 1900 + n, "complete", False, True, who=HERE if n < 8 else ELSEWHERE, at=start + n * step
        )
        for n in range(27)
    ]
    booked = [stock(3000 + n, 40, 36, f"Stocked {n}", at=start + 60.0 * n) for n in range(62)]
    return [*sold, *placed, *done, *booked, stock(3062, 12, 42, "Angelfish, black veil", who=HERE, at=NOW - 3600)]


def fill(shop: RecordingShop) -> None:
    """Give the shop this week; its window has to take the rows in."""
    shop.clock.set_wall(NOW)
    shop.tell_rows(Resource.CATEGORIES, [Category(1, "Fish")])
    shop.tell_rows(Resource.PETS, [Pet(n + 1, name, 1, "available") for n, name in enumerate(NAMES)])
    shop.tell_rows(Resource.ORDERS, [Order(1900, 1, 2, None, True)])
    shop.past.spanned = Span(NOW - 5 * WEEK, NOW)
    shop.past.changes = changes()
