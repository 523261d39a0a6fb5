"""A long past of a shop, told to the real mirror and history as readings would: day after day some records changed.

    make_past(mirror, rows, days=400, changes=200, until=time.time())

`mirror` is empty and has its history beside it. Quick enough for benches: each day is one reading of what changed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from petstore_desktop.domain.records import KNOWN_STATUSES, Ref, Resource, Row
from petstore_desktop.store.mirror.mirror import Mirror
from petstore_desktop.store.mirror.rows import key_of

DAY_S = 86_400.0
PAGE = 1_000
SOLD, DELIVERED, RENAMED = 0.7, 0.85, 0.95
"""Of all changes, those of stock, then of stock that comes, then of orders; the rest are of pets."""


def rows_of(mirror: Mirror) -> dict[Resource, list[Row]]:
    """All rows of a mirror."""
    found: dict[Resource, list[Row]] = {}
    for resource in Resource:
        keys = [key_of(key) for (key,) in mirror.rows(f"SELECT key FROM {resource.value}")]
        rows = (mirror.get(Ref(resource, key)) for key in keys)
        found[resource] = [row for row in rows if row is not None]
    return found


def make_past(
    mirror: Mirror,
    rows: Mapping[Resource, list[Row]],
    *,
    days: int,
    changes: int,
    until: float,
    set_clock: Callable[[float], object] = lambda _: None,
    seed: int = 1,
) -> int:
    """Read all lists whole `days` before `until`, then have so many fields change each day, the last day just before
    `until`. Returns how many did. `set_clock` is told what time it is."""
    chance = random.Random(seed)
    began = until - days * DAY_S
    now = {resource: {row.key: replace(row, seen_at=began) for row in there} for resource, there in rows.items()}
    set_clock(began)
    for resource, there in now.items():
        read_whole(mirror, resource, list(there.values()), began)
    for day in range(days):
        at = began + (day + 1) * DAY_S - 60.0
        set_clock(at)
        for resource, changed in _changed(now, changes, at, chance).items():
            now[resource].update({row.key: row for row in changed})
            mirror.put(resource, changed, mirror.begin_read())
    return days * changes


def read_whole(mirror: Mirror, resource: Resource, rows: list[Row], at: float) -> None:
    """Tell a mirror a list from its beginning to its end."""
    number = mirror.begin_walk(resource)
    for start in range(0, len(rows), PAGE):
        walk = mirror.walk(resource)
        assert walk is not None
        mirror.put(resource, rows[start : start + PAGE], mirror.begin_read(), walk)
    mirror.finish_walk(resource, number, at)


def _changed(
    now: Mapping[Resource, Mapping[Any, Row]], changes: int, at: float, chance: random.Random
) -> dict[Resource, list[Row]]:
    """So many rows with one field changed in each, by resource."""
    parts = {
        Resource.INVENTORY: round(changes * DELIVERED),
        Resource.ORDERS: round(changes * RENAMED) - round(changes * DELIVERED),
        Resource.PETS: changes - round(changes * RENAMED),
    }
    found: dict[Resource, list[Row]] = {}
    for resource, count in parts.items():
        chosen = chance.sample(list(now[resource]), min(count, len(now[resource])))
        found[resource] = [_moved(resource, now[resource][key], at, chance) for key in chosen]
    return found


def _moved(resource: Resource, row: Row, at: float, chance: random.Random) -> Row:
    record: Any = row.record
    if resource is Resource.INVENTORY:
        there = record.quantity or 0
        sold = chance.random() < SOLD / DELIVERED and there > 0
        record = replace(record, quantity=there - 1 if sold else there + chance.randint(1, 12))
    elif resource is Resource.ORDERS:
        record = replace(record, complete=not record.complete)
    else:
        others = [status for status in KNOWN_STATUSES if status != record.status]
        record = replace(record, status=chance.choice(others))
    return replace(row, record=record, seen_at=at, etag=None)
