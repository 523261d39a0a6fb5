"""Which list is read next, as what, and when: by what is seen, how old it is, and what there is to spend."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from msgspec.structs import replace

from petstore_desktop.clock import Instant
from petstore_desktop.domain.quota import GatePhase, Quota, RequestClass, Window
from petstore_desktop.domain.records import Resource
from petstore_desktop.sync.lists.refresh_plan import (
    FRESH_S,
    ListReading,
    MinuteLength,
    PlannedRead,
    Scene,
    Spent,
    after,
    next_reading,
    person_spacing,
)
from petstore_desktop.sync.shared.send_schedule import AFTER_RESET_S
from tests.support.told_windows import told

PETS, CATEGORIES, ORDERS, STOCK = Resource.PETS, Resource.CATEGORIES, Resource.ORDERS, Resource.INVENTORY
VISIBLE, BACKGROUND = RequestClass.VISIBLE, RequestClass.BACKGROUND
NOW = Instant(50_000.0, 1_763_700_000.0, "boot")
DAY = 86_400.0
UNLIMITED = Scene((PETS,))
NOTHING = Spent()


def scene(
    *, minute: tuple[int, int] | None = None, day: tuple[int, int] | None = None, resets_in: float = DAY, **more: Any
) -> Scene:
    """The pets on the screen; windows as (limit, remaining), the day's reset so many seconds away."""
    shown = Window() if minute is None else Window(*minute, NOW.wall + 40.0)
    quota = told(NOW.wall, shown, Window() if day is None else Window(*day, NOW.wall + resets_in), steady=NOW.steady)
    return replace(Scene((PETS,), quota=quota), **more)


def read(resource: Resource, ago: float | None = 0.0, cost: int = 1, failed_ago: float | None = None) -> ListReading:
    failed_at = None if failed_ago is None else NOW.steady - failed_ago
    return ListReading(resource, None if ago is None else NOW.steady - ago, cost, failed_at)


def plan(scene: Scene, *lists: ListReading, spent: Spent = NOTHING) -> PlannedRead | None:
    return next_reading(lists, scene, spent, NOW)


def wait(scene: Scene, *lists: ListReading, spent: Spent = NOTHING) -> float:
    """Seconds until the next reading."""
    reading = plan(scene, *lists, spent=spent)
    assert reading is not None
    return reading.at - NOW.steady


# ---------------------------------------------------------------- what was never read


def test_what_was_never_read_is_read_at_once_and_the_screen_first() -> None:
    lists = [read(CATEGORIES, None), read(PETS, None), read(ORDERS, None)]
    assert plan(UNLIMITED, *lists) == PlannedRead(PETS, VISIBLE, NOW.steady, again=False)
    assert plan(UNLIMITED, *lists[::2]) == PlannedRead(CATEGORIES, BACKGROUND, NOW.steady, again=False)


def test_what_was_never_read_is_read_whoever_is_there_and_whatever_it_costs() -> None:
    poor = scene(day=(1000, 0), present=False, changes_wait=True)
    assert wait(poor, read(PETS, None, 5000), spent=Spent(math.inf, 10**6)) == 0.0


# ---------------------------------------------------------------- ages


@pytest.mark.parametrize("ago", [0.0, 20.0, 59.0])
def test_a_list_on_the_screen_is_kept_a_minute_old_where_there_is_plenty(ago: float) -> None:
    reading = plan(UNLIMITED, read(PETS, ago))
    assert reading == PlannedRead(PETS, VISIBLE, NOW.steady + 60.0 - ago)


@pytest.mark.parametrize("ago", [60.0, 3600.0, math.inf])
def test_a_list_that_has_grown_too_old_is_read_at_once(ago: float) -> None:
    assert wait(UNLIMITED, read(PETS, ago)) == 0.0


def test_what_nobody_sees_may_be_ten_times_as_old() -> None:
    assert plan(UNLIMITED, read(ORDERS, 5.0)) == PlannedRead(ORDERS, BACKGROUND, NOW.steady + 595.0)


def test_while_changes_wait_all_may_be_ten_times_as_old() -> None:
    busy = replace(UNLIMITED, changes_wait=True)
    assert [wait(busy, read(PETS)), wait(busy, read(ORDERS))] == [600.0, 6000.0]


def test_a_list_that_could_not_be_read_is_left_alone_ten_times_as_long() -> None:
    assert wait(UNLIMITED, read(PETS, 4000.0, failed_ago=1.0)) == 599.0
    assert wait(UNLIMITED, read(PETS, None, failed_ago=1.0)) == 599.0


def test_of_several_that_are_due_the_one_that_is_late_the_most_comes_first() -> None:
    assert plan(UNLIMITED, read(ORDERS, 700.0), read(STOCK, 900.0), read(PETS, 61.0)) == PlannedRead(
        STOCK, BACKGROUND, NOW.steady
    )
    assert plan(UNLIMITED, read(ORDERS, 3600.0), read(PETS, 3600.0)) == PlannedRead(PETS, VISIBLE, NOW.steady)


def test_of_several_that_are_not_due_the_next_one_comes_first() -> None:
    assert plan(UNLIMITED, read(ORDERS, 590.0), read(PETS, 20.0)) == PlannedRead(ORDERS, BACKGROUND, NOW.steady + 10.0)


# ---------------------------------------------------------------- when nothing is read


@pytest.mark.parametrize("phase", [phase for phase in GatePhase if phase is not GatePhase.OPEN])
def test_nothing_is_read_while_the_gate_is_not_open(phase: GatePhase) -> None:
    assert plan(replace(UNLIMITED, phase=phase), read(PETS, None), read(ORDERS, math.inf)) is None


def test_nothing_is_read_while_nothing_answers() -> None:
    assert plan(replace(UNLIMITED, offline=True), read(PETS, None)) is None


def test_nothing_is_read_while_nobody_is_there_and_at_once_when_they_are_back() -> None:
    lists = [read(PETS, 300.0), read(ORDERS, math.inf)]
    assert plan(replace(UNLIMITED, present=False), *lists) is None
    assert plan(UNLIMITED, lists[0]) == PlannedRead(PETS, VISIBLE, NOW.steady)


def test_where_there_are_no_lists_nothing_is_read() -> None:
    assert plan(UNLIMITED) is None


# ---------------------------------------------------------------- prices


@pytest.mark.parametrize(
    ("minute", "day", "cost", "seconds"),
    [
        # Half of 850 requests (1,000 less the reserve) in a day: one in 203 s.
        ((60, 60), (1_000, 1_000), 1, 86_400 / 425),
        ((60, 60), (1_000, 1_000), 10, 864_000 / 425),
        ((300, 300), (10_000, 10_000), 1, FRESH_S),
        ((300, 300), (10_000, 10_000), 10, 864_000 / 4_250),
        ((1_000, 1_000), (100_000, 100_000), 1, FRESH_S),
        # A quarter of the minute: 15 requests.
        ((60, 60), None, 1, FRESH_S),
        ((60, 60), None, 30, 120.0),
        (None, None, 1_000, FRESH_S),
    ],
)
def test_a_reading_comes_as_seldom_as_it_is_dear(
    minute: tuple[int, int] | None, day: tuple[int, int] | None, cost: int, seconds: float
) -> None:
    assert wait(scene(minute=minute, day=day), read(PETS, 0.0, cost)) == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("others", "seconds"),
    [
        (0, FRESH_S),
        (20, 10 * 60 / 5),  # a quarter of what is left when twice as much is taken off: 5 requests a minute
        (28, 600.0),
        (30, 6_000.0),  # half of the minute: one request in ten minutes
        (55, 6_000.0),
    ],
)
def test_what_others_take_of_the_minute_makes_readings_rarer(others: int, seconds: float) -> None:
    quota = told(NOW.wall, Window(60, 30, NOW.wall + 40.0, others=others), steady=NOW.steady)
    assert wait(Scene((PETS,), quota=quota), read(PETS, 0.0, 10)) == pytest.approx(seconds)


@pytest.mark.parametrize(("left", "resets_in", "seconds"), [(575, 36_000, 36_000 / 212.5), (1_000, 20_000, 144.0)])
def test_no_more_than_half_of_what_the_day_has_left_and_no_more_than_a_quarter_of_it_in_ten_hours(
    left: int, resets_in: float, seconds: float
) -> None:
    assert wait(scene(day=(1_000, left), resets_in=resets_in), read(PETS)) == pytest.approx(seconds)


def test_a_day_that_is_used_up_but_for_the_reserve_is_waited_for() -> None:
    for left in (0, 100, 150):
        spent = scene(day=(1_000, left), resets_in=7_000.0)
        assert wait(spent, read(PETS, 5_000.0)) == pytest.approx(7_000.0 + AFTER_RESET_S)


@pytest.mark.parametrize(("left", "seconds"), [(575, 36_000 / 212.5), (993, 144.0)])
def test_what_is_left_of_a_day_without_a_known_end_is_for_ten_hours(left: int, seconds: float) -> None:
    own = Scene((PETS,), quota=told(NOW.wall, day=Window(1_000, left, None, own_count=True), steady=NOW.steady))
    assert wait(own, read(PETS)) == pytest.approx(seconds)


def test_a_reading_waits_until_the_minute_has_room_for_all_of_it() -> None:
    lists = read(PETS, 9_000.0, 10)
    assert wait(scene(minute=(60, 19)), lists) == 0.0
    assert wait(scene(minute=(60, 18)), lists) == pytest.approx(40.0 + AFTER_RESET_S)
    assert wait(scene(minute=(60, 18)), read(ORDERS, 9_000.0, 3)) == 0.0, "15 are kept from the background"
    assert wait(scene(minute=(60, 17)), read(ORDERS, 9_000.0, 3)) == pytest.approx(40.0 + AFTER_RESET_S)
    assert wait(scene(minute=(60, 60)), read(PETS, 99_000.0, 5_000)) == 0.0, "more than a window ever has"


# ---------------------------------------------------------------- over hours


def simulated(quota: Quota, costs: dict[Resource, int], hours: float, rng: random.Random) -> tuple[int, list[float]]:
    """Somebody goes from list to list for hours; requests that were used, and how old what they saw was, once a
    minute."""
    day = quota.day
    lists = {resource: ListReading(resource, NOW.steady, cost) for resource, cost in costs.items()}
    spent, used, ages, shown = Spent(), 0, [], PETS
    now = NOW
    while now.steady < NOW.steady + hours * 3600:
        if rng.random() < 0.3:
            shown = rng.choice(list(costs))
        left = None if day.limit is None else day.limit - used
        seen = Scene((shown,), quota=replace(quota, day=replace(day, remaining=left)))
        while (reading := next_reading(lists.values(), seen, spent, now)) is not None and reading.at <= now.steady:
            spent = after(spent, lists[reading.resource], seen, now)
            used += lists[reading.resource].cost
            lists[reading.resource] = replace(lists[reading.resource], read_at=now.steady)
        read_at = lists[shown].read_at
        assert read_at is not None
        ages.append(now.steady - read_at)
        now = Instant(now.steady + 30.0, now.wall + 30.0, now.boot_id)
    return used, sorted(ages)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("hours", [10, 24])
def test_however_tabs_are_changed_refreshing_takes_a_quarter_of_the_day_at_most(seed: int, hours: int) -> None:
    quota = Quota(Window(60, 60), Window(1_000, 1_000, NOW.wall + DAY))
    costs = {PETS: 2, CATEGORIES: 1, ORDERS: 1, STOCK: 2}
    used, ages = simulated(quota, costs, hours, random.Random(seed))
    assert 120 < used <= 250
    if hours == 10:
        assert ages[len(ages) // 2] < 1_800.0


@pytest.mark.parametrize("seed", range(3))
def test_with_plenty_whatever_is_looked_at_is_about_a_minute_old(seed: int) -> None:
    quota = Quota(Window(1_000, 1_000), Window(100_000, 100_000, NOW.wall + DAY))
    used, ages = simulated(quota, dict.fromkeys(Resource, 2), 8, random.Random(seed))
    assert ages[-1] <= 60.0
    assert used < 5_000


def test_what_was_not_used_is_kept_for_half_an_hour() -> None:
    """Who comes back finds all lists read at once on the Free plan, whatever is shown, and then one at a time."""
    free = scene(day=(1_000, 1_000), resets_in=20_000.0)
    spent = Spent(NOW.steady - 5_000.0)
    at_once = 0
    while wait(free, read(PETS, math.inf), spent=spent) == 0.0:
        spent = after(spent, read(PETS), free, NOW)
        at_once += 1
    assert at_once == 13
    assert wait(free, read(PETS, math.inf), spent=spent) == pytest.approx(13 * 144.0 - 1_800.0)


def test_a_new_day_has_a_quarter_of_its_own() -> None:
    free = scene(day=(1_000, 1_000), resets_in=20_000.0)
    used_up = Spent(0.0, 250, NOW.steady - 80_000.0)
    assert wait(free, read(PETS, math.inf), spent=used_up) == pytest.approx(6_400.0)
    begun = after(Spent(0.0, 250, NOW.steady - 86_400.0), read(PETS, 0.0, 3), free, NOW)
    assert (begun.requests, begun.since) == (3, NOW.steady)


# ---------------------------------------------------------------- what a person asks for


@pytest.mark.parametrize(
    ("cost", "limit", "minute_s", "changes_wait", "seconds"),
    [
        (1, 60, 60.0, False, 1.0),
        (100, 60, 60.0, False, 1.0),
        (1, 60, 60.0, True, 2.0),
        (10, 60, 60.0, True, 20.0),
        (2, 20, 20.0, True, 4.0),
        (1, 1_000, 60.0, True, 1.0),
        (5, None, 60.0, True, 1.0),
    ],
)
def test_who_asks_again_and_again_takes_half_of_the_minute_at_most_while_changes_wait(
    cost: int, limit: int | None, minute_s: float, changes_wait: bool, seconds: float
) -> None:
    quota = Quota(Window(limit, limit))
    assert person_spacing(cost, Scene(quota=quota, changes_wait=changes_wait, minute_s=minute_s)) == seconds


def test_the_length_of_the_minute_is_learned_from_its_ends() -> None:
    seen = MinuteLength()
    assert seen.length == 60.0
    seen = seen.met(Window(20, 15, 1_007.0), 1_000.0)
    assert seen.length == 7.0, "begun before we came"
    seen = seen.met(Window(20, 14, 1_007.4), 1_003.0)
    assert seen.length == 7.0
    seen = seen.met(Window(20, 19, 1_027.0), 1_007.0)
    assert seen.length == 20.0
    seen = seen.met(Window(20, 18, 1_047.0), 1_040.0)
    assert seen.length == 20.0, "of the window before"
    assert seen.met(Window(20, 20, None), 1_050.0) == seen
    assert seen.met(Window(20, 20, 1_049.0), 1_050.0) == seen
    assert seen.met(Window(20, 20, 4_000.0), 1_050.0).length == 90.0
