from __future__ import annotations

import random

from petstore_desktop.desk.data_checks import DATA_CHECKS, CheckedRows
from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.domain.records import Category, FieldValue, Key, Resource, RowBlock
from petstore_desktop.sync.wire.events import MirrorRead, RowsRead
from tests.desk.shopkit import NOON, new_desk, tell

COUNT = 10_000


def big_shop(count: int = COUNT) -> Desk:
    """So many pets, orders and stock entries, as a mirror tells them."""
    chance, desk, keys = random.Random(7), new_desk(), list[Key](range(1, count + 1))
    some: dict[Resource, dict[str, list[FieldValue]]] = {
        Resource.PETS: {
            "name": [f"{chance.choice('ABCDEFGH')} {chance.randrange(count)}" for _ in keys],
            "category_id": [chance.randrange(1, 21) for _ in keys],
            "status": [chance.choice(("available", "pending", "sold")) for _ in keys],
        },
        Resource.INVENTORY: {
            "quantity": [chance.randrange(-1, 30) for _ in keys],
            "status": ["available" for _ in keys],
        },
        Resource.ORDERS: {
            "pet_id": [chance.randrange(1, count + 50) for _ in keys],
            "quantity": [chance.randrange(1, 9) for _ in keys],
            "ship_date": ["2025-11-07T09:00:00Z" for _ in keys],
            "complete": [chance.random() < 0.8 for _ in keys],
            "status": [None for _ in keys],
        },
    }
    tell(desk, Resource.CATEGORIES, *(Category(number, f"Kind {number}") for number in range(1, 20)))
    apply_event(desk, MirrorRead("shop", Resource.CATEGORIES, 19, NOON, (1, 19)))
    for resource, columns in some.items():
        apply_event(desk, RowsRead("shop", RowBlock(resource, keys, columns, [NOON] * count, {})))
        apply_event(desk, MirrorRead("shop", resource, count, NOON, (keys[0], keys[-1])))
    return desk


def test_six_of_eight_checks_find_something_in_a_shop_that_is_made_at_random() -> None:
    """How long it takes is `bench checks`."""
    findings = CheckedRows(big_shop().shop)
    assert sum(bool(findings.of(check.id)) for check in DATA_CHECKS) == 6
