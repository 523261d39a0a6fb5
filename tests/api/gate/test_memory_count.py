"""Our own count of what was sent outlives the process too."""

from __future__ import annotations

import pytest

from petstore_desktop.api.gate.memory import UNWRITTEN, snapshot
from petstore_desktop.api.gate.model import Persist
from petstore_desktop.domain.quota import BUCKETS, PLANS
from tests.api.gate_machine.bench import Bench, answer
from tests.support.manual_clock import ManualClock


@pytest.mark.parametrize(("clean", "slack"), [(True, 0), (False, UNWRITTEN)])
def test_our_own_count_goes_on_and_after_a_kill_counts_what_may_have_left_unwritten(clean: bool, slack: int) -> None:
    bench = Bench(plan=PLANS["free"])
    for _ in range(30):
        bench.one(answer(200))
    kept = snapshot(bench.state, bench.clock.now(), clean=clean)
    clock = ManualClock()
    clock.advance(10.0)
    again = Bench(plan=PLANS["free"], kept=kept, clock=clock)
    assert again.state.shown_quota.minute.remaining == 30 - slack
    assert again.state.shown_quota.day.remaining == 970 - slack
    clock.advance(100.0)
    later = Bench(plan=PLANS["free"], kept=kept, clock=clock)
    assert later.state.shown_quota.minute.remaining == 60 - slack


def test_a_kill_soon_after_the_very_first_start_forgets_no_request() -> None:
    bench = Bench(plan=PLANS["free"])
    kept = bench.snapshot
    for _ in range(9):
        bench.one(answer(200))
    again = Bench(plan=PLANS["free"], kept=kept, clock=bench.clock)
    left = again.state.shown_quota.minute.remaining
    assert left is not None
    assert left <= 60 - 9


def test_a_send_is_remembered_a_little_longer_than_a_window_also_by_the_next_process() -> None:
    bench = Bench(plan=PLANS["free"])
    bench.one(answer(200))
    kept = snapshot(bench.state, bench.clock.now(), clean=True)
    for seconds, remaining in ((60.1, 59), (61.0, 60)):
        clock = ManualClock()
        clock.advance(seconds)
        assert Bench(plan=PLANS["free"], kept=kept, clock=clock).state.shown_quota.minute.remaining == remaining


@pytest.mark.parametrize("boot", ["boot-1", "boot-2"])
def test_after_a_start_a_send_is_forgotten_by_its_own_time_and_at_most_two_parts_late(boot: str) -> None:
    bench = Bench(plan=PLANS["free"])
    bench.one(answer(200))
    bench.pass_time(30.0)
    kept = snapshot(bench.state, bench.clock.now(), clean=True)
    if boot != "boot-1":
        bench.clock.reboot(boot, steady=20.0)
    again = Bench(plan=PLANS["free"], kept=kept, clock=bench.clock)
    again.pass_time(30.0)
    assert again.state.shown_quota.minute.remaining == 59
    again.pass_time(2 * 60.0 / BUCKETS)
    assert again.state.shown_quota.minute.remaining == 60


def test_after_a_kill_eighteen_requests_may_be_missing_ten_unwritten_and_four_pairs() -> None:
    assert UNWRITTEN == 10 + 2 * 4


def test_sends_of_the_last_window_count_and_older_ones_do_not() -> None:
    bench = Bench(plan=PLANS["free"])
    for _ in range(5):
        bench.one(answer(200))
        bench.pass_time(20.0)
    kept = snapshot(bench.state, bench.clock.now(), clean=True)
    again = Bench(plan=PLANS["free"], kept=kept, clock=bench.clock)
    assert again.state.shown_quota.minute.remaining == bench.state.shown_quota.minute.remaining == 57
    bench.clock.advance(10.0)
    later = Bench(plan=PLANS["free"], kept=kept, clock=bench.clock)
    assert later.state.shown_quota.minute.remaining == 58


def test_our_own_count_is_written_down_every_ten_requests() -> None:
    bench = Bench(plan=PLANS["free"])
    written: list[int] = []
    for number in range(1, 51):
        bench.one(answer(200))
        written += [number] * len(bench.of(Persist))
    assert written == [10, 20, 30, 40, 50]
