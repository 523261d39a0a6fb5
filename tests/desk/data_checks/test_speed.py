from __future__ import annotations

import random
from statistics import median
from time import thread_time

from petstore_desktop.desk.data_checks.checked_rows import CheckedRows
from petstore_desktop.desk.data_checks.data_checks import DATA_CHECKS
from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.domain.changes import SetFields
from petstore_desktop.domain.records import Category, FieldValue, Key, Pet, Ref, Resource, RowBlock
from petstore_desktop.sync.wire.events import MirrorRead, RowsRead
from tests.desk.shopkit import NOON, Journal, new_desk, tell
from tests.support.slowness import slowness

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


def test_all_checks_of_ten_thousand_records_together_take_less_than_a_tenth_of_a_second() -> None:
    desk, taken = big_shop(), list[float]()
    for _ in range(5):
        begun, findings = thread_time(), CheckedRows(desk.shop)
        found = [len(findings.of(check.id)) for check in DATA_CHECKS]
        taken.append(thread_time() - begun)
        assert sum(map(bool, found)) == 6, found
    assert median(taken) < 0.100 * slowness()


def test_an_edit_while_a_list_is_filtered_by_a_check_asks_few_rows_again() -> None:
    desk, taken = big_shop(), list[float]()
    desk.tables[Resource.PETS].open()
    desk.tables[Resource.PETS].set_filters("", {"gutter": "same-name"})
    desk.tables[Resource.ORDERS].open()
    desk.tables[Resource.ORDERS].set_filters("", {"gutter": "more-than-stock"})
    journal = Journal(desk)
    for number in range(1, 10):
        begun = thread_time()
        journal.act(Ref(Resource.PETS, number), SetFields({"name": f"Renamed {number}"}))
        tell(desk, Resource.PETS, Pet(100 + number, f"Told {number}", 3, "sold"))
        taken.append(thread_time() - begun)
    assert median(taken) < 0.020 * slowness()
