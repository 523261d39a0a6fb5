"""How many rows each view would show, counted in steps, without opening any."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from time import perf_counter

from petstore_desktop.desk.columns.columns import COLUMNS
from petstore_desktop.desk.filters.filtering import ColumnFilters
from petstore_desktop.desk.jump.views import SavedView
from petstore_desktop.desk.model.shop_model import Shop

_ROWS = 64
"""So many rows are asked between two looks at the clock."""
MOST = 200_000
"""Longer lists are not counted: it would take too long for a menu."""


def countable(view: SavedView, rows: int) -> bool:
    """Whether a view is counted: a filter over all columns would cost too much."""
    return not view.text.strip() and rows <= MOST


def counting(shop: Shop, views: Iterable[SavedView], step_s: float) -> Iterator[tuple[str, int] | None]:
    """The id and count of each view that is counted; None each time that `step_s` seconds are over."""
    until = perf_counter() + step_s
    for view in views:
        store = shop.stores[view.resource]
        if not countable(view, len(store)):
            continue
        if not view.filters:
            yield view.id, len(store)
            continue
        filters = ColumnFilters(shop, store, COLUMNS[view.resource])
        filters.use(view.filters)
        slots = list(store.slots())
        count = 0
        for start in range(0, len(slots), _ROWS):
            count += sum(map(filters.fits, slots[start : start + _ROWS]))
            if perf_counter() >= until:
                yield None
                until = perf_counter() + step_s
        yield view.id, count
