"""How long a batch takes, what it leaves of the day, and how it is priced in short steps."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from msgspec.structs import replace

from petstore_desktop.domain.batches import Price
from petstore_desktop.domain.changes import (
    AddStock,
    NewChange,
    SetFields,
)
from petstore_desktop.domain.quota import GatePhase, GateView, Quota, RequestClass, Window
from petstore_desktop.domain.records import Ref, Row
from petstore_desktop.sync.price.dry_run import DryRun
from petstore_desktop.sync.price.price import pricing, scaled
from petstore_desktop.sync.shared.send_schedule import Departures
from tests.support.drawn_prices import stands_of
from tests.support.told_windows import told
from tests.sync.made import change, facts, pet_row, price, stock_row
from tests.sync.test_planner_price import (
    NOW,
    OPEN,
    PETS,
    SOLD,
    minute,
    new,
    present,
)

# ---------------------------------------------------------------- terms

DAY = Window(1_000, 300, NOW + 7_200.0)
SPENT = GateView(GatePhase.SPENT, until=NOW + 600.0)
TO_ITS_END = GateView(GatePhase.SPENT, until=NOW + 7_201.0)
GONE = told(NOW, Window(), replace(DAY, remaining=0))


def pets(count: int) -> list[NewChange]:
    return [new(SOLD, PETS, number) for number in range(count)]


PETS_KNOWN = facts(*(pet_row(etag="e", key=number) for number in range(1_200)))


def terms(found: Price) -> tuple[int, int, float | None, int | None, int]:
    return found.requests, found.today, found.seconds, found.leaves_of_day, found.days


TERMS: list[tuple[str, int, Quota, GateView | None, tuple[int, int, float | None, int | None, int]]] = [
    ("nothing known", 3, Quota(), OPEN, (3, 3, 0.0, None, 0)),
    ("no key", 3, minute(60), None, (3, 3, None, None, 0)),
    ("a rejected key", 3, told(NOW, Window(), DAY), GateView(GatePhase.LOCKED), (3, 3, None, 297, 0)),
    ("no key, and more than the day has", 400, told(NOW, Window(), DAY), None, (400, 400, None, 0, 0)),
    ("the minute", 55, minute(60), OPEN, (55, 55, 40.5, None, 0)),
    ("the day", 200, told(NOW, Window(), DAY), OPEN, (200, 200, 0.0, 100, 0)),
    ("one more than the day", 201, told(NOW, Window(), DAY), OPEN, (201, 200, 7_200.5, 100, 1)),
    ("two further days", 200 + 901, told(NOW, Window(), DAY), OPEN, (1_101, 200, 93_601.0, 100, 2)),
    ("a day that was used up before", 1, told(NOW, Window(), replace(DAY, remaining=90)), OPEN, (1, 0, 7_200.5, 90, 1)),
    (
        "the day's last one",
        1,
        told(NOW, Window(60, 6, NOW + 40.0), replace(DAY, remaining=101)),
        OPEN,
        (1, 1, 40.5, 100, 0),
    ),
    (
        "both at once",
        5,
        told(NOW, Window(60, 10, NOW + 40.0), replace(DAY, remaining=104)),
        OPEN,
        (5, 4, 7_200.5, 100, 1),
    ),
    ("a pause to the end of a used-up day", 3, GONE, TO_ITS_END, (3, 0, 7_201.0, 0, 1)),
    ("a pause before", 3, told(NOW, Window(), DAY), SPENT, (3, 3, 600.0, 297, 0)),
    ("nobody knows what is left", 3, told(NOW, Window(), replace(DAY, remaining=None)), OPEN, (3, 3, 0.0, None, 0)),
    ("no limit", 3, told(NOW, Window(), Window(None, 300)), OPEN, (3, 3, 0.0, None, 0)),
]


@pytest.mark.parametrize(
    ("count", "quota", "view", "wanted"), [row[1:] for row in TERMS], ids=[row[0] for row in TERMS]
)
def test_a_price_says_how_long_it_takes_and_what_it_leaves_of_the_day(
    count: int, quota: Quota, view: GateView | None, wanted: tuple[Any, ...]
) -> None:
    assert terms(price(pets(count), present(PETS_KNOWN, quota=quota, view=view))) == wanted


def test_what_waits_goes_first_and_is_part_of_what_is_left() -> None:
    waiting = [change(number + 1, SOLD, PETS, number) for number in range(150)]
    quota = told(NOW, Window(), replace(DAY, own_count=True))
    found = price(pets(1_200)[150:350], present(PETS_KNOWN, *waiting, quota=quota))
    assert found == Price(
        requests=200, ahead=150, today=50, seconds=7_200.0, leaves_of_day=100, day_limit=1_000, own_count=True, days=1
    )
    assert (
        price([new(SetFields({"status": "pending"}), PETS, 3)], present(PETS_KNOWN, *waiting, quota=quota)).today == 0
    )


def test_the_price_of_more_of_the_same_is_multiplied_and_timed_anew() -> None:
    quota = told(NOW, Window(), DAY)
    one = Price(20, looks=10, ahead=100, seconds=3.0, refused=2, conflicts=1)
    assert scaled(one, 10.0, quota, OPEN, NOW) == Price(
        200, 100, 100, today=100, seconds=7_200.5, leaves_of_day=100, day_limit=1_000, days=1, refused=2, conflicts=1
    )
    assert scaled(one, 1.26, Quota(), OPEN, NOW) == replace(one, requests=25, looks=13, today=25, seconds=0.0)
    assert scaled(one, 1.0, Quota(), OPEN, NOW, 0.5).seconds == 59.5
    assert scaled(replace(one, seconds=None), 1.0, Quota(), OPEN, NOW).seconds is None
    locked = scaled(one, 1.0, quota, GateView(GatePhase.LOCKED), NOW)
    assert (locked.leaves_of_day, locked.today) == (180, 20)


def test_a_price_says_nothing_that_it_was_not_told() -> None:
    assert Price(3) == Price(3, 0, 0, 0, None, None, None, own_count=False, days=0, refused=0, conflicts=0)


# ---------------------------------------------------------------- effort


def test_a_run_that_has_not_begun_has_counted_nothing() -> None:
    run = DryRun(facts(), lambda _: None, Departures(Quota(), RequestClass.CHANGES, NOW, 0.0, 0.0))
    assert (run.requests, run.looks, set(run.settled.values())) == (0, 0, {0})


@pytest.mark.parametrize("known_at_once", [False, True], ids=["each asked of the engine", "counted"])
def test_pricing_pauses_often_enough_for_an_act_to_be_saved_meanwhile(known_at_once: bool) -> None:
    rows = [pet_row(etag="e", key=number) for number in range(1_200)]
    stands = stands_of(rows, dict.fromkeys((Ref(PETS, row.key) for row in rows), 0))
    asked = replace(present(PETS_KNOWN), stands=stands) if known_at_once else present(PETS_KNOWN)
    steps, pauses = pricing(pets(1_200), asked), 0
    with pytest.raises(StopIteration) as end:
        while True:
            next(steps)
            pauses += 1
    assert end.value.value.requests == 1_200
    assert pauses >= (2 if known_at_once else 1_200 // 20)


@pytest.mark.parametrize(
    ("make", "known"),
    [
        (lambda n: new(SOLD, PETS, n, status="available"), lambda n: pet_row(key=n, status="available")),
        (lambda n: new(AddStock(1), key=n, quantity=3), lambda n: stock_row(3, key=n)),
    ],
    ids=["fields", "bookings with looks"],
)
def test_two_thousand_changes_are_priced_in_four_times_the_work_of_five_hundred(
    make: Callable[[int], NewChange], known: Callable[[int], Row]
) -> None:
    quota = told(NOW, Window(60, 60, NOW + 30.0), Window(1_000, 900, None, own_count=True))
    asked = present(facts(*(known(number) for number in range(2_000))), quota=quota)

    def work(count: int) -> int:
        """How many functions are called for a price."""
        changes, calls = [make(number) for number in range(count)], 0

        def note(_frame: FrameType, event: str, _arg: object) -> None:
            nonlocal calls
            calls += event in ("call", "c_call")

        sys.setprofile(note)
        priced = price(changes, asked)
        sys.setprofile(None)
        assert priced.requests >= count
        return calls

    assert work(2_000) < 4.4 * work(500)
