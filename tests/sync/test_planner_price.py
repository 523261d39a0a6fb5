"""The price of a batch, rule by rule: what is counted, when it leaves, and what it leaves of the day."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.batches import Price
from petstore_desktop.domain.changes import (
    AddStock,
    Change,
    ChangeState,
    Create,
    Delete,
    Intent,
    NewChange,
    SetFields,
    SetStock,
)
from petstore_desktop.domain.quota import GatePhase, GateView, Quota, Window
from petstore_desktop.domain.records import INT64_MAX, LocalId, Ref, Resource
from petstore_desktop.sync.price.price import Present
from petstore_desktop.sync.send.lost_answer import LostAnswer
from petstore_desktop.sync.send.next_step import Pin, StepFacts
from tests.support.told_windows import told
from tests.sync.made import FULL, KEY, change, facts, pet_row, price, stock_row, without, without_etags

PETS, STOCK, CATEGORIES = Resource.PETS, Resource.INVENTORY, Resource.CATEGORIES
NOW = 1_000_000.0
OPEN = GateView()
PLAIN = without_etags(FULL)
LISTED = without(PLAIN, Op.STOCK_READ)
"""No ETags, and a stock entry is looked at by its list."""
LOCAL, OTHER = LocalId("a"), LocalId("b")
NAMED = SetFields({"name": "Z"})
PINNED = LostAnswer({"quantity": 5}, {"quantity": 3}, booked=True)
SOLD = SetFields({"status": "sold"})


def new(intent: Intent, resource: Resource = STOCK, key: Any = KEY, **base: Any) -> NewChange:
    return NewChange(Ref(resource, key), intent, base)


def present(
    known: StepFacts,
    *waiting: Change,
    quota: Quota | None = None,
    view: GateView | None = OPEN,
    pages: int | None = None,
    each_s: float = 0.0,
) -> Present:
    return Present(waiting, known, lambda _: pages, quota or Quota(), view, NOW, each_s)


def cost(known: StepFacts, *changes: NewChange, **more: Any) -> tuple[int, int]:
    """(requests, looks)."""
    found = price(changes, present(known, **more))
    return found.requests, found.looks


def minute(remaining: int, limit: int = 60) -> Quota:
    return told(NOW, Window(limit, remaining, NOW + 40.0))


# ---------------------------------------------------------------- one record

COSTS: list[tuple[str, list[NewChange], StepFacts, tuple[int, int]]] = [
    ("nothing", [], facts(), (0, 0)),
    ("a field", [new(NAMED, PETS)], facts(pet_row(etag="e")), (1, 0)),
    ("a field without an ETag", [new(NAMED, PETS)], facts(pet_row()), (2, 1)),
    ("a field where no ETags are", [new(NAMED, PETS)], facts(pet_row(), contract=PLAIN), (2, 1)),
    ("a field where no ETags are, just seen", [new(NAMED, PETS)], facts(pet_row(), contract=PLAIN, age=1.0), (2, 1)),
    ("a deletion where no ETags are", [new(Delete(), PETS)], facts(pet_row(), contract=PLAIN), (2, 1)),
    ("two fields of one record", [new(NAMED, PETS), new(SOLD, PETS)], facts(pet_row(etag="e")), (1, 0)),
    ("a field, then a deletion", [new(NAMED, PETS), new(Delete(), PETS)], facts(pet_row(etag="e")), (2, 0)),
    ("a field of a record of which nothing is known", [new(NAMED, PETS)], facts(), (2, 1)),
    ("a booking with an ETag", [new(AddStock(1))], facts(stock_row(3, "e")), (1, 0)),
    ("a booking without", [new(AddStock(1))], facts(stock_row(3)), (2, 1)),
    ("a booking without, just seen", [new(AddStock(1))], facts(stock_row(3), age=1.0), (2, 1)),
    ("a booking where no ETags are", [new(AddStock(1))], facts(stock_row(3), contract=PLAIN), (2, 1)),
    ("a booking on what nobody has seen", [new(AddStock(1))], facts(), (2, 1)),
    ("bookings that cancel out", [new(AddStock(1)), new(AddStock(-1))], facts(stock_row(3)), (0, 0)),
    ("a record the service doubts", [new(NAMED, PETS)], facts(pet_row(), doubted=lambda _: True), (2, 1)),
    ("a creation", [new(Create({"name": "Z"}), PETS, LOCAL)], facts(), (1, 0)),
    ("a creation, changed", [new(Create({}), PETS, LOCAL), new(NAMED, PETS, LOCAL)], facts(), (1, 0)),
    ("a creation, taken back", [new(Create({}), PETS, LOCAL), new(Delete(), PETS, LOCAL)], facts(), (0, 0)),
    ("a creation and its stock", [new(Create({}), PETS, LOCAL), new(AddStock(1), key=LOCAL)], facts(), (3, 1)),
    (
        "a creation that names another",
        [new(Create({}), CATEGORIES, OTHER), new(Create({"category_id": OTHER}), PETS, LOCAL)],
        facts(),
        (2, 0),
    ),
    (
        "a creation that names a later one, twice",
        [
            new(Create({"category_id": OTHER}), PETS, LOCAL),
            new(SetFields({"category_id": OTHER}), PETS),
            new(Create({}), CATEGORIES, OTHER),
        ],
        facts(pet_row(etag="e")),
        (3, 0),
    ),
    ("a change of what will never be", [new(NAMED, PETS, LOCAL)], facts(), (0, 0)),
]


@pytest.mark.parametrize(("changes", "known", "wanted"), [row[1:] for row in COSTS], ids=[row[0] for row in COSTS])
def test_a_price_counts_every_request_that_the_engine_would_send(
    changes: list[NewChange], known: StepFacts, wanted: tuple[int, int]
) -> None:
    assert cost(known, *changes) == wanted


def test_a_record_that_is_replaced_whole_is_known_once_it_was_created() -> None:
    change_pet = FULL.operations[Op.PET_CHANGE]
    whole = replace(FULL, operations={**FULL.operations, Op.PET_CHANGE: replace(change_pet, replaces=True)})
    sending = change(1, Create({"name": "Z"}), PETS, LOCAL, state=ChangeState.SENDING)
    assert of(sending, known=facts(contract=whole), changes=[new(NAMED, PETS, LOCAL)]) == (1, 0)
    runs = [new(Create({}), PETS, LOCAL), new(NAMED, PETS, LOCAL), new(Delete(), PETS, LOCAL)]
    assert cost(facts(contract=whole), *runs) == (0, 0)


def test_a_record_that_is_replaced_whole_is_looked_at_where_nothing_is_known_of_it() -> None:
    change_pet = FULL.operations[Op.PET_CHANGE]
    whole = replace(FULL, operations={**FULL.operations, Op.PET_CHANGE: replace(change_pet, replaces=True)})
    changes = (new(NAMED, PETS, name="Koi"), new(NAMED, PETS, 8))
    assert cost(facts(contract=whole), *changes) == (4, 2)
    known = facts(pet_row(etag="e"), pet_row(etag="e", key=8), contract=whole)
    assert cost(known, *changes) == (2, 0)
    assert cost(replace(known, whole=lambda _: False), *changes) == (4, 2)


def test_what_the_person_saw_stands_for_what_a_look_will_show() -> None:
    """A second run of the record is held against the first one's outcome, not against what nobody knows."""
    booked = (new(AddStock(INT64_MAX), quantity=0), new(AddStock(1), quantity=INT64_MAX))
    found = price(booked, present(facts(stock_row(0, "e"))))
    assert (found.requests, found.refused) == (1, 1)
    found = price(booked, present(facts()))
    assert (found.requests, found.looks, found.refused) == (2, 1, 1)
    found = price([new(AddStock(INT64_MAX)), new(AddStock(1))], present(facts(stock_row(-1, "e"))))
    assert (found.requests, found.refused) == (2, 0)


def test_a_record_that_was_deleted_is_looked_for_again() -> None:
    changes = (new(NAMED, PETS), new(Delete(), PETS), new(AddStock(1), key=8))
    assert cost(facts(pet_row(etag="e"), stock_row(3, "e", key=8)), *changes) == (3, 0)


def test_a_change_of_what_was_never_created_is_refused() -> None:
    assert price([new(NAMED, PETS, LOCAL)], present(facts())).refused == 1
    assert price([new(SetFields({"category_id": OTHER}), PETS)], present(facts(pet_row()))).refused == 1
    assert price([new(Delete(), PETS, LOCAL)], present(facts())) == Price(0, seconds=0.0)
    taken_back = (new(Create({}), CATEGORIES, OTHER), new(Delete(), CATEGORIES, OTHER))
    found = price([*taken_back, new(SetFields({"category_id": OTHER}), PETS)], present(facts(pet_row())))
    assert (found.requests, found.refused) == (0, 1)


def test_what_is_not_offered_or_has_moved_costs_nothing_and_is_counted() -> None:
    known = facts(pet_row("Koi", "e"), contract=without(FULL, Op.STOCK_CHANGE))
    waiting = (change(1, AddStock(1), key=9), change(2, NAMED, PETS, base={"name": "Old"}))
    found = price(
        [new(AddStock(1)), new(AddStock(1)), new(AddStock(1), key=8), new(SOLD, PETS, status="gone")],
        present(known, *waiting),
    )
    assert (found.requests, found.ahead, found.refused, found.conflicts) == (0, 0, 3, 1)


# ---------------------------------------------------------------- what waits already


def of(*waiting: Change, known: StepFacts, changes: Sequence[NewChange] = (), **more: Any) -> tuple[int, int]:
    """(requests of the batch, requests of what waits)."""
    found = price(changes, present(known, *waiting, **more))
    return found.requests, found.ahead


def test_a_change_that_joins_one_that_waits_costs_nothing_more() -> None:
    known, waits = facts(stock_row(3, "e")), change(1, AddStock(2))
    assert of(waits, known=known) == (0, 1)
    assert of(waits, known=known, changes=[new(AddStock(1))]) == (0, 1)
    assert of(waits, known=known, changes=[new(AddStock(-2))]) == (-1, 1)
    assert of(waits, known=known, changes=[new(AddStock(1), key=8)]) == (2, 1)


def test_looks_of_what_waits_are_its_own_and_its_pins_too() -> None:
    known = facts(stock_row(3), stock_row(3, key=8), contract=PLAIN)
    found = price([new(AddStock(1), key=8)], present(known, change(1, AddStock(2))))
    assert (found.requests, found.looks, found.ahead) == (2, 1, 2)
    pins = {number: Pin(1, PINNED, frozenset({1})) for number in range(3)}
    pinned = facts(stock_row(3, "e"), stock_row(7, "e", key=8), pins=pins)
    found = price([new(AddStock(1), key=8), new(AddStock(1), key=8)], present(pinned, change(1, AddStock(2))))
    assert (found.requests, found.ahead, found.conflicts) == (1, 1, 0)


def test_what_is_on_the_wire_is_paid_for_and_shows_its_record() -> None:
    sending = change(1, AddStock(2), state=ChangeState.SENDING)
    assert of(sending, known=facts(stock_row(3, "e")), changes=[new(AddStock(1))]) == (1, 0)
    assert of(sending, known=facts(stock_row(3), contract=PLAIN), changes=[new(AddStock(1))]) == (2, 0)
    made = change(1, Create({"name": "Z"}), PETS, LOCAL, state=ChangeState.SENDING)
    assert of(made, known=facts(), changes=[new(NAMED, PETS, LOCAL)]) == (1, 0)
    assert of(made, known=facts(), changes=[new(Create({"category_id": LOCAL}), PETS, OTHER)]) == (1, 0)


def test_an_uncertain_change_costs_the_look_that_settles_it() -> None:
    unsure = change(1, NAMED, PETS, state=ChangeState.UNCERTAIN)
    assert of(unsure, known=facts(pet_row())) == (0, 1)
    assert of(unsure, known=facts(pet_row()), changes=[new(SOLD, PETS)]) == (1, 1)
    made = change(1, Create({"name": "Z"}), PETS, LOCAL, state=ChangeState.UNCERTAIN)
    assert of(made, known=facts(), pages=3) == (0, 3)
    assert of(made, known=facts(), changes=[new(NAMED, PETS, LOCAL)], pages=3) == (1, 3)
    asked = facts(unfound=frozenset({1}))
    assert of(made, known=asked, changes=[new(NAMED, PETS, LOCAL)], pages=3) == (0, 0)


def test_a_booking_whose_fate_was_unknown_is_sent_as_it_was_or_was_done() -> None:
    waits, pins = change(1, AddStock(2)), {1: Pin(1, PINNED, frozenset({1}))}
    assert of(waits, known=facts(stock_row(3, "e"), pins=pins), changes=[new(AddStock(1))]) == (1, 1)
    assert of(waits, known=facts(stock_row(5, "e"), pins=pins), changes=[new(AddStock(1))]) == (1, 0)


def test_a_stuck_change_holds_up_what_follows_unless_that_takes_its_place() -> None:
    refused, known = change(1, NAMED, PETS, state=ChangeState.REFUSED), facts(pet_row(etag="e"))
    assert of(refused, known=known, changes=[new(SOLD, PETS)]) == (0, 0)
    assert of(refused, known=known, changes=[new(SetFields({"name": "Y", "status": "sold"}), PETS)]) == (1, 0)
    assert of(refused, known=known, changes=[new(SOLD, PETS), new(NAMED, PETS)]) == (1, 0)
    assert of(refused, known=facts(pet_row(etag="e", key=8)), changes=[new(NAMED, PETS, 8)]) == (1, 0)


def test_the_ids_of_records_that_were_created_here_are_known() -> None:
    known = facts(pet_row(etag="e", key=8), local_ids={LOCAL: 8})
    assert cost(known, new(NAMED, PETS, LOCAL), new(SOLD, PETS, 8)) == (2, 0)
    assert cost(known, new(SetFields({"category_id": LOCAL}), PETS, 8)) == (1, 0)


# ---------------------------------------------------------------- looks by list, and time


def bookings(count: int) -> list[NewChange]:
    return [new(AddStock(1), key=number) for number in range(count)]


def stock(count: int, contract: Any = LISTED) -> StepFacts:
    return facts(*(stock_row(3, key=number) for number in range(count)), contract=contract)


def test_one_look_by_list_serves_what_leaves_within_five_seconds() -> None:
    assert cost(stock(12), *bookings(12), pages=1) == (13, 1)
    assert cost(stock(12), *bookings(12), pages=3) == (15, 3)
    assert cost(stock(12), *bookings(5), pages=1, each_s=1.0) == (6, 1)
    assert cost(stock(12), *bookings(6), pages=1, each_s=1.0) == (8, 2)
    assert cost(stock(12), *bookings(12), pages=1, each_s=1.0) == (15, 3)


def test_a_look_by_list_clears_a_doubt_and_shows_no_etag() -> None:
    doubted = facts(pet_row(), pet_row(key=8), doubted=lambda _: True)
    assert cost(doubted, new(NAMED, PETS), new(NAMED, PETS, 8), pages=1) == (3, 1)
    unseen = facts(stock_row(3), contract=without(FULL, Op.STOCK_READ))
    assert cost(unseen, new(AddStock(1)), pages=1, quota=minute(7)) == (3, 2)


def test_a_write_that_must_wait_for_the_next_window_looks_again_where_nothing_else_guards_it() -> None:
    """One request is left of this window: the look takes it."""
    found = price(bookings(1), present(stock(1), quota=minute(7), pages=1))
    assert (found.requests, found.looks, found.seconds) == (3, 2, 40.5)
    counted = price([new(SetStock(9), key=0)], present(stock(1), quota=minute(7), pages=1))
    assert (counted.requests, counted.looks, counted.seconds) == (3, 2, 40.5)
    guarded = price(bookings(1), present(stock(1, FULL), quota=minute(7)))
    assert (guarded.requests, guarded.looks, guarded.seconds) == (2, 1, 40.5)


def test_a_look_that_no_write_follows_needs_room_for_itself_alone_and_each_page_needs_its_own() -> None:
    unsure = change(1, NAMED, PETS, state=ChangeState.UNCERTAIN)
    assert price((), present(facts(pet_row()), unsure, quota=minute(7))).seconds == 0.0
    assert price((), present(facts(pet_row()), unsure, quota=minute(8), pages=2)).seconds == 0.0
    assert price((), present(facts(pet_row()), unsure, quota=minute(8), pages=3)).seconds == 40.5


def test_a_look_and_the_write_that_it_guards_leave_together() -> None:
    found = price(bookings(1), present(stock(1, PLAIN), quota=minute(7)))
    assert (found.requests, found.looks, found.seconds) == (2, 1, 40.5)
    found = price(bookings(1), present(stock(1, PLAIN), quota=minute(8)))
    assert (found.requests, found.looks, found.seconds) == (2, 1, 0.0)
    found = price(bookings(2), present(stock(2, PLAIN), quota=minute(9)))
    assert (found.requests, found.seconds) == (4, 40.5)


def test_looks_that_no_write_can_follow_do_not_go_on_for_ever() -> None:
    found = price(bookings(2), present(stock(2), quota=minute(2, 2), pages=1))
    assert (found.requests, found.looks) == (8, 8)
    runs = (new(AddStock(INT64_MAX)), new(AddStock(9)))
    found = price(runs, present(facts(stock_row(-9), contract=LISTED, age=0.0), quota=minute(2, 2), pages=1))
    assert (found.requests, found.looks) == (5, 4)


def test_a_list_that_was_just_read_serves_what_is_read_by_lists_alone() -> None:
    """So the price does not depend on when it is asked for, where records are read by themselves."""
    seen = facts(*(stock_row(3, key=number) for number in range(3)), age=1.0, contract=PLAIN)
    assert cost(seen, *bookings(3)) == cost(stock(3, PLAIN), *bookings(3)) == (6, 3)
    assert cost(seen, *bookings(3), pages=1) == (3, 0)


def test_what_was_seen_ages_while_requests_leave() -> None:
    known = facts(stock_row(3, key=0), stock_row(3, key=1), age=4.0, contract=LISTED)
    assert cost(known, *bookings(2), pages=1) == (2, 0)
    assert cost(known, *bookings(2), pages=1, each_s=1.5) == (3, 1)
    assert cost(known, *bookings(2), pages=1, view=GateView(GatePhase.PAUSED, until=NOW + 2.0)) == (3, 1)


def test_without_a_key_what_was_seen_ages_all_the_same() -> None:
    seen = facts(stock_row(3, key=0), stock_row(3, key=1), age=4.5, contract=LISTED)
    assert cost(seen, *bookings(1), pages=1, view=None) == (1, 0)
    assert cost(seen, *bookings(2), pages=1, view=None, each_s=1.0) == (3, 1)
    assert cost(stock(12), *bookings(12), pages=1, view=None, each_s=1.0) == (15, 3)


def test_a_record_that_was_written_is_known_for_the_next_run_where_an_etag_guards_it_else_looked_at() -> None:
    runs = (new(AddStock(INT64_MAX)), new(AddStock(9)))
    assert cost(facts(stock_row(-9), contract=PLAIN), *runs) == (4, 2)
    assert cost(facts(stock_row(-9), contract=PLAIN), *runs, pages=1) == (4, 2)
    assert cost(facts(stock_row(-9), contract=LISTED, age=0.0), *runs, pages=1) == (3, 1)
    assert cost(facts(stock_row(-9, "e")), *runs, quota=minute(7)) == (2, 0)
    assert cost(facts(stock_row(-9)), *runs, quota=minute(8)) == (3, 1), "the answer brought an ETag"
