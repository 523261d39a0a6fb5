"""Whole pages of rows are joined to what they name as rows are that come one by one."""

from __future__ import annotations

from collections import Counter
from datetime import UTC

from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.reduce import apply_event
from petstore_desktop.domain.records import Order, Pet, Resource, Row
from petstore_desktop.sync.wire.events import RowsChanged
from tests.support.manual_clock import ManualClock

PETS = range(1, 5)
orders = st.tuples(st.integers(1, 12), st.one_of(st.none(), st.sampled_from(PETS)))
pages = st.lists(st.one_of(st.lists(orders, min_size=1, max_size=6), st.integers(1, 12)), max_size=12)


@given(pages)
def test_a_pet_counts_the_orders_that_name_it(steps: list[list[tuple[int, int | None]] | int]) -> None:
    desk = Desk("shop", ManualClock(), zone=UTC)
    apply_event(desk, RowsChanged("shop", Resource.PETS, tuple(Row(key, Pet(key, "Koi"), 1.0) for key in PETS)))
    named: dict[int, int | None] = {}
    for step in steps:
        if isinstance(step, int):
            named.pop(step, None)
            apply_event(desk, RowsChanged("shop", Resource.ORDERS, (), (step,)))
        else:
            named.update(step)
            rows = tuple(Row(key, Order(key, pet), 1.0) for key, pet in step)
            apply_event(desk, RowsChanged("shop", Resource.ORDERS, rows))
        counted, store = Counter(named.values()), desk.shop.stores[Resource.ORDERS]
        assert {key: int(desk.shop.count(Resource.ORDERS, key)) for key in PETS} == {key: counted[key] for key in PETS}
        linked = {key: {store.keys[slot] for slot in desk.shop.links[Resource.ORDERS].sources(key)} for key in PETS}
        assert linked == {key: {order for order, pet in named.items() if pet == key} for key in PETS}
