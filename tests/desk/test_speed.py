from __future__ import annotations

import random
from statistics import median
from time import thread_time

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.domain.records import Category, InventoryItem, Pet, Resource
from petstore_desktop.sync.wire.events import EVENT_ROWS, RowsChanged
from tests.desk.shopkit import new_desk, row, tell
from tests.support.slowness import slowness

COUNT = 10_000
WORDS = ("Koi", "Betta", "Canary", "Ferret", "Gecko", "Élan", "Mouse", "Parrot")


def _big_shop() -> tuple[Desk, list[float]]:
    chance = random.Random(7)
    desk = new_desk()
    for table in desk.tables.values():
        table.open()
    tell(desk, Resource.CATEGORIES, *(Category(number, f"Kind {number}") for number in range(20)))
    taken: list[float] = []
    for resource in (Resource.PETS, Resource.INVENTORY):
        for start in range(0, COUNT, EVENT_ROWS):
            rows = tuple(
                row(
                    Pet(number, f"{chance.choice(WORDS)} {chance.randrange(COUNT)}", number % 21, "sold")
                    if resource is Resource.PETS
                    else InventoryItem(number, chance.randrange(400))
                )
                for number in range(start, start + EVENT_ROWS)
            )
            begun = thread_time()
            apply_event(desk, RowsChanged("shop", resource, rows))
            taken.append(thread_time() - begun)
    return desk, taken


def test_ten_thousand_pets_leave_the_window_responsive() -> None:
    desk, taken = _big_shop()
    # The bounds are those of a person's eye; this thread's own time, and the median, because other programs run on a
    # test machine too.
    assert median(taken) < 0.008 * slowness()
    while desk.idle(1.0):
        pass
    table = desk.tables[Resource.PETS]
    keys = [_timed(lambda text=text: table.set_filter(text)) for text in ("k", "ko", "koi", "koi 1", "")]
    assert median(keys) < 0.010 * slowness()
    sorts = [
        _timed(lambda column=column: table.sort_by(column)) for column in ("stock", "category", "status", "id", "name")
    ]
    assert median(sorts) < 0.030 * slowness()


def _timed(act: object) -> float:
    assert callable(act)
    begun = thread_time()
    act()
    return thread_time() - begun
