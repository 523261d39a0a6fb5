"""The price of a batch against what the real program then sends to the real shop, in virtual time."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from petstore_desktop.domain.changes import AddStock, Create, Delete, NewChange
from petstore_desktop.domain.commands import PriceBatch, UseKey
from petstore_desktop.domain.quota import GatePhase
from petstore_desktop.domain.records import LocalId, Ref
from petstore_desktop.sync.wire.events import BatchPriced, ChangesMoved, GateMoved
from tests.support.priced_shop import PETS, PETS_USED, SERVICES, STOCK, Acting, book, sell, tried, world


def test_a_dearer_batch_than_the_minute_has_room_for_is_priced_in_time_too() -> None:
    with world(pets=120) as one:
        changes = tuple(book(pet) for pet in one.pets[:100])
        price = one.price(*changes)
        left = one.send(*changes)
        assert (price.requests, price.looks, price.ahead) == (100, 0, 0)
        assert len(left) == 100
        assert price.seconds == pytest.approx(left[-1], rel=0.05)


def test_a_booking_on_what_waits_already_costs_nothing_more_and_the_price_of_nothing_is_what_waits() -> None:
    with world(pets=20, rpm=10) as one:
        changes = tuple(book(pet) for pet in one.pets[:15])
        one.desk.apply(*changes)
        waits = one.price()
        assert waits.requests == 0
        assert waits.ahead > 5
        assert waits.seconds is not None
        assert waits.seconds > 60.0
        assert one.price(book(one.pets[14], 5)) == replace(waits, seconds=pytest.approx(waits.seconds, abs=1.0))
        assert one.price(book(one.pets[14], -1)).requests == -1
        one.desk.submit(UseKey("wrong"))
        one.desk.wait(lambda: one.desk.of(GateMoved)[-1].gate.phase is GatePhase.LOCKED, "the key is rejected")
        assert one.price() == replace(waits, seconds=None)


def test_a_booking_by_list_costs_one_look_for_all_that_leave_soon_after_it() -> None:
    """Only the nine operations: a stock entry can only be looked at by its list."""
    with world(service="default", pets=30) as one:
        changes = tuple(book(pet) for pet in one.pets[:6])
        one.loop.run_for(60.0)
        price = one.price(*changes)
        assert (price.requests, price.looks) == (7, 1)
        assert len(one.send(*changes)) == 7


@pytest.mark.parametrize("wait_s", [0.0, 30.0])
def test_what_follows_the_deletion_of_its_own_record_costs_no_more_than_the_look_that_finds_none(wait_s: float) -> None:
    with world(pets=30) as one:
        pet = one.pets[PETS_USED]
        one.loop.run_for(wait_s)
        alone = one.price(NewChange(Ref(PETS, pet), Delete()))
        changes = (NewChange(Ref(PETS, pet), Delete()), sell(pet))
        price = one.price(*changes)
        assert (price.requests, price.refused) == (alone.requests + 1, 1)
        assert len(one.send(*changes)) == price.requests


@pytest.mark.parametrize("service", ["full", "default"])
@pytest.mark.parametrize("each", [True, False])
def test_new_pets_with_their_stock_cost_what_they_are_said_to(service: str, *, each: bool) -> None:
    """By list 27 requests were said for nine pets, and 19 made: one reading shows the stock of all of them."""
    with world(service=service, pets=30) as one:
        pets = [Ref(PETS, LocalId.new()) for _ in range(9)]
        made = [NewChange(ref, Create({"name": "New", "category_id": 1})) for ref in pets]
        booked = [NewChange(Ref(STOCK, ref.key), AddStock(5)) for ref in pets]
        pairs = [change for pair in zip(made, booked, strict=True) for change in pair]
        changes = tuple(pairs if each else (*made, *booked))
        price = one.price(*changes)
        left = one.send(*changes)
        assert len(left) == price.requests
        assert price.seconds == pytest.approx(left[-1], rel=0.05, abs=2.0)


def test_an_act_is_saved_while_a_long_batch_is_being_priced() -> None:
    with world(pets=30) as one:
        made = tuple(NewChange(Ref(PETS, LocalId.new()), Create({"name": "New"})) for _ in range(3_000))
        one.desk.submit(PriceBatch("long", made))
        (saved,) = one.desk.apply(sell(one.pets[0]))
        one.desk.wait(lambda: one.desk.of(BatchPriced), "the price is told")
        told = [event for event in one.desk.events if isinstance(event, BatchPriced | ChangesMoved)]
        assert isinstance(told[0], ChangesMoved)
        assert told[0].changes[0].id == saved
        assert one.desk.of(BatchPriced)[0].price is not None


# ---------------------------------------------------------------- any batch

NUMBERS = st.integers(0, PETS_USED - 1)
BOOKED = st.integers(0, PETS_USED + 1)
BOOKINGS = st.tuples(st.just("book"), BOOKED, st.integers(-3, 3).filter(bool))
COUNTS = st.tuples(st.just("count"), BOOKED, st.integers(0, 50))
NAMES = st.tuples(st.just("name"), NUMBERS, st.sampled_from(["Ada", "Bob"]))
SALES = st.tuples(st.just("status"), NUMBERS, st.sampled_from(["sold", "pending"]))
LITTERS = st.tuples(st.just("litter"), st.integers(0, 3), st.none())
DELETIONS = st.tuples(st.just("delete"), st.integers(PETS_USED, PETS_USED + 3), st.none())
ACTS = st.one_of(BOOKINGS, COUNTS, NAMES, SALES, LITTERS, DELETIONS)
BATCHES = st.lists(
    st.tuples(st.lists(ACTS, max_size=30), st.sampled_from([0.0, 4.0, 30.0, 70.0])), min_size=1, max_size=3
)


def gains(batches: list[Any]) -> list[Any]:
    """The same, but nothing is booked out, which below nothing is refused, and looked at where there is no ETag."""
    return [([(what, n, abs(by) if what == "book" else by) for what, n, by in acts], pause) for acts, pause in batches]


@pytest.mark.parametrize("service", ["with ETags", "stock by list"])
@given(batches=BATCHES, rpm=st.sampled_from([20, 60, 300]))
@example(batches=[([], 4.0), ([("delete", 12, None)], 0.0), ([("delete", 13, None)], 0.0)], rpm=20)
@example(batches=[([("book", 12, 1), ("delete", 12, None)], 0.0)], rpm=20)
# An example sends hundreds of requests in virtual time: slow for Hypothesis, however few are drawn.
@settings(max_examples=2, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_price_is_what_the_program_then_sends(service: str, batches: list[Any], rpm: int) -> None:
    """`dev.py long prices` does the same with 10,000 batches."""
    with world(pets=30, rpm=rpm, **SERVICES[service]) as one:
        acting = Acting(one, service)
        for acts, pause_s in batches:
            found = tried(one, acting, acts)
            assert len(found.left) == found.price.requests + found.price.ahead, acts
            if found.left:
                assert found.price.seconds == pytest.approx(found.left[-1], rel=0.05, abs=2.0)
            one.loop.run_for(pause_s)


@pytest.mark.parametrize("service", ["without ETags", "unproven writes"])
@given(batches=BATCHES.map(gains), rpm=st.sampled_from([20, 60, 300]))
@settings(max_examples=2, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_where_writes_are_looked_at_it_is_so_but_for_some_looks(service: str, batches: list[Any], rpm: int) -> None:
    with world(pets=30, rpm=rpm, **SERVICES[service]) as one:
        acting = Acting(one, service)
        for acts, pause_s in batches:
            found = tried(one, acting, acts)
            assert found.holds, (acts, found)
            if found.left and not found.wrong:
                assert found.price.seconds == pytest.approx(found.left[-1], rel=0.05, abs=2.0)
            one.loop.run_for(pause_s)
