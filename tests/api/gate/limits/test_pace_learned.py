"""What refusals teach where no limit is told: how many get through in how long, and when a doubling ends."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from petstore_desktop.api.gate.limits import pace as gate_pace
from petstore_desktop.api.gate.memory import restore
from petstore_desktop.api.gate.model import GateState, Pace, Withdraw
from tests.api.gate_machine.bench import BACKGROUND, PERSON, Bench, answer

OK = answer(200)


def refused(bench: Bench, retry_after: float | None = 1.5) -> float:
    """One leaves and is refused; how long the pause is."""
    bench.one(answer(429, retry_after=retry_after))
    return bench.waits


def over(bench: Bench) -> None:
    """The pause ends, and its probe goes well."""
    bench.pass_time(bench.waits)
    bench.one(OK)


def test_after_a_told_wait_that_was_right_the_doubling_starts_anew() -> None:
    bench, waits = Bench(), list[float]()
    for _ in range(5):
        waits.append(refused(bench))
        over(bench)
        bench.pass_time(200.0)
    assert waits == [2.5] * 5


def test_a_told_wait_after_which_the_service_still_refuses_is_doubled() -> None:
    bench, waits = Bench(), list[float]()
    for _ in range(4):
        waits.append(refused(bench))
        bench.pass_time(bench.waits)
    assert waits == [2.5, 3.0, 5.0, 9.0]


def test_an_untold_wait_is_forgiven_after_ten_good_answers_only() -> None:
    bench, waits = Bench(), list[float]()
    for _ in range(3):
        waits.append(refused(bench, None))
        over(bench)
    assert waits == [61.0, 121.0, 241.0]


def test_a_wait_that_was_untold_in_part_is_no_told_one() -> None:
    bench = Bench()
    bench.warm()
    first, second = bench.ask(), bench.ask()
    bench.left()
    bench.say(first, answer(429))
    bench.say(second, answer(429, retry_after=1.0))
    over(bench)
    assert bench.state.strikes == 1


def test_a_reset_that_was_told_is_a_told_wait_too() -> None:
    bench = Bench()
    bench.one(answer(429, remaining=0, reset_in=20.0))
    over(bench)
    assert bench.state.strikes == 0


def burst(bench: Bench, most: int, every: float = 0.5) -> int:
    """Requests leave one after the other, as long as they leave at once; how many did."""
    for number in range(most):
        ticket = bench.ask(BACKGROUND)
        if bench.left() != [ticket]:
            bench.feed(Withdraw(ticket))
            return number
        bench.say(ticket, OK)
        bench.pass_time(every)
    return most


def test_the_next_burst_stops_where_the_last_one_was_refused_and_goes_on_as_soon_as_that_is_safe() -> None:
    bench = Bench()
    assert burst(bench, 8) == 8
    refused(bench)
    assert (bench.state.pace.most, bench.state.pace.span) == (8, 6.5)  # four seconds, 1.5 told, and one
    over(bench)
    bench.pass_time(100.0)
    assert burst(bench, 20) == 8
    waiting = bench.ask(PERSON)
    bench.pass_time(2.49)
    assert bench.left() == []
    bench.pass_time(0.02)
    assert bench.left() == [waiting]


def test_the_gate_wakes_itself_when_the_pace_lets_the_next_one_leave() -> None:
    bench = Bench()
    burst(bench, 2)
    refused(bench)
    over(bench)
    bench.pass_time(100.0)
    burst(bench, 2, every=0.0)
    bench.ask(PERSON)
    assert bench.left() == []
    span = bench.state.pace.span
    assert [wake.steady for wake in bench.effects if hasattr(wake, "steady")] == [bench.clock.now().steady + span]


def test_a_refusal_inside_the_pace_makes_it_slower() -> None:
    bench = Bench()
    burst(bench, 8)
    refused(bench)
    over(bench)
    bench.pass_time(100.0)
    assert burst(bench, 3) == 3
    refused(bench)
    assert (bench.state.pace.most, bench.state.pace.span) == (3, 6.5)
    over(bench)
    bench.pass_time(100.0)
    assert burst(bench, 20) == 3
    bench.pass_time(100.0)
    assert burst(bench, 2) == 2
    refused(bench)
    assert bench.state.pace.most == 2


def test_what_was_learned_is_forgotten_after_an_hour_and_not_used_where_the_service_tells_its_windows() -> None:
    bench = Bench()
    burst(bench, 2)
    refused(bench)
    over(bench)
    bench.pass_time(3_601.0)
    assert burst(bench, 20, every=0.1) == 20
    bench = Bench()
    burst(bench, 2)
    refused(bench)
    over(bench)
    bench.warm(50)
    assert burst(bench, 20, every=0.1) == 20


@pytest.mark.parametrize("retry_after", [None, 61.0, 5_000.0])
def test_a_long_or_untold_wait_teaches_no_pace(retry_after: float | None) -> None:
    bench = Bench()
    burst(bench, 5)
    refused(bench, retry_after)
    assert bench.state.pace == Pace()


def test_a_first_request_that_is_refused_teaches_no_pace() -> None:
    bench = Bench()
    refused(bench)
    assert bench.state.pace == Pace()


def test_what_is_still_on_its_way_when_a_refusal_comes_did_not_get_through() -> None:
    state = GateState(pace=Pace((990.0, 995.0, 996.0, 997.0)))
    assert gate_pace.learned(state, 2, 2.0, 1_000.0) == Pace((), 2, 13.0, 4_600.0)
    assert gate_pace.learned(state, 4, 2.0, 1_000.0) == Pace()


def test_only_the_last_minute_before_a_refusal_counts_and_the_span_is_bounded() -> None:
    state = GateState(pace=Pace((900.0, 939.9, 940.1, 990.0, 999.0)))
    assert gate_pace.learned(state, 1, 60.0, 1_000.0) == Pace((), 2, pytest.approx(120.9), 4_600.0)


def test_what_did_not_leave_after_all_is_not_of_the_pace() -> None:
    bench = Bench()
    bench.feed(Withdraw(bench.ask()))
    assert bench.state.pace.sends == ()
    bench.lose(bench.ask(), sent=False)
    assert bench.state.pace.sends == ()


def test_the_probe_waits_for_no_pace() -> None:
    bench = Bench()
    burst(bench, 1)
    refused(bench, 30.0)
    probe = bench.ask()
    bench.pass_time(31.0)
    assert bench.left() == [probe]


def test_a_pair_that_is_larger_than_the_pace_leaves_when_nothing_did_before_it() -> None:
    bench = Bench()
    burst(bench, 1)
    refused(bench)
    over(bench)
    pair = bench.ask(PERSON, write=True, cost=2)
    assert bench.left() == []
    bench.pass_time(100.0)
    assert bench.left() == [pair]


def test_the_pace_outlives_the_process_and_the_boot() -> None:
    bench = Bench()
    burst(bench, 8)
    refused(bench)
    kept, now = bench.snapshot, bench.clock.now()
    assert restore(kept, None, now).pace == Pace((), 8, 6.5, now.steady + 3_600.0)
    for rubbish in (None, [], [0, 1.0, 2.0], [1, 0.0, 2.0], ["a", 1.0, 2.0]):
        payload = json.dumps({**json.loads(kept.payload), "pace": rubbish})
        assert restore(replace(kept, payload=payload), None, now).pace == Pace()


def test_what_left_a_minute_before_the_refusal_is_not_looked_at() -> None:
    state = GateState(pace=Pace(sends=(0.0, 30.0, 59.0)))
    learned = gate_pace.learned(state, 1, 1.0, 60.0)
    assert (learned.most, learned.span) == (1, 32.0)


@pytest.mark.parametrize(
    ("requests", "alone", "others"), [(1, 0.0, 0.0), (2, 0.0, 5.0), (3, 0.0, 5.0), (4, 5.0, 5.0), (7, 10.0, 10.0)]
)
def test_so_long_requests_take_at_a_pace(requests: int, alone: float, others: float) -> None:
    """Alone, or where others have used up the turn in which the first of them leaves."""
    state = GateState(pace=Pace((), 3, 5.0, until=100.0))
    assert gate_pace.longest(state, requests, 0.0, alone=True) == alone
    assert gate_pace.longest(state, requests, 0.0, alone=False) == others
    assert gate_pace.longest(state, requests, 100.0, alone=False) == 0.0
