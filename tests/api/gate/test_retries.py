"""After failures: nothing but a person's own first try for a while, and few retries."""

from __future__ import annotations

import pytest

from petstore_desktop.api.gate.machine import forecast
from petstore_desktop.api.gate.model import (
    Answered,
    Ask,
    EndPause,
    Event,
    FailureCounts,
    PersonActs,
    ProbeWanted,
    Unlock,
    WakeAt,
    Withdraw,
)
from petstore_desktop.api.gate.retries import charged, free_at, is_failure, person_acted
from petstore_desktop.domain.quota import GatePhase
from tests.api.gate_machine.bench import BACKGROUND, CHANGES, PERSON, VISIBLE, Bench, High, answer

OK = answer(200, remaining=50)
FIRST = Ask(1, BACKGROUND, write=False, idempotent=True)
AGAIN = Ask(1, BACKGROUND, write=False, idempotent=True, retry=True)


def failures(times: int = 1) -> Bench:
    """A gate whose last `times` requests failed, each with the longest wait that there is."""
    bench = Bench(chance=High())
    bench.warm()
    for _ in range(times):
        bench.one(answer(500))
    return bench


def wait(bench: Bench) -> float:
    """Seconds for which nothing is tried."""
    return bench.state.failures.until - bench.clock.now().steady


# ---------------------------------------------------------------- how long


def test_after_a_failure_nothing_but_a_persons_own_first_try_leaves() -> None:
    bench = failures()
    held = [bench.ask(cls) for cls in (CHANGES, VISIBLE, BACKGROUND)] + [bench.ask(PERSON, retry=True)]
    assert bench.left() == []
    person = bench.ask(PERSON)
    assert bench.left() == [person]
    bench.pass_time(1.99)
    assert bench.left() == []
    bench.pass_time(0.01)
    assert set(bench.left()) == {held[3], held[0], held[1]}


def test_the_wait_is_drawn_from_nothing_to_a_bound_that_doubles_to_a_minute() -> None:
    drawn: list[tuple[float, float]] = []

    class Notes:
        def uniform(self, low: float, high: float) -> float:
            drawn.append((low, high))
            return high / 4

    bench = Bench()
    bench.warm()
    bench.chance = Notes()
    waits: list[float] = []
    for _ in range(7):
        bench.one(answer(502))
        waits.append(wait(bench))
    bounds = [high for low, high in drawn if low == 0.0]
    assert bounds == [2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0]
    assert waits == [bound / 4 for bound in bounds]


@pytest.mark.parametrize("status", [200, 204, 304, 400, 403, 404, 409, 412])
def test_an_answer_of_any_other_kind_ends_the_row_and_the_wait(status: int) -> None:
    bench = failures(3)
    held = bench.ask(CHANGES)
    assert bench.left() == []
    bench.one(answer(status, remaining=50))
    assert bench.left() == [held]
    bench.say(held, answer(500))
    assert wait(bench) == 2.0


@pytest.mark.parametrize("sent", [True, False])
def test_no_answer_is_a_failure_whether_a_byte_left_or_not(sent: bool) -> None:
    bench = failures()
    bench.lose(bench.ask(), sent=sent)
    assert (bench.state.failures.row, wait(bench)) == (2, 4.0)


def test_no_answer_asks_for_no_wait_of_its_own() -> None:
    bench = Bench()
    bench.warm()
    bench.lose(bench.ask())
    assert (bench.state.failures.row, wait(bench)) == (1, 0.0)


@pytest.mark.parametrize("sent", [True, False])
def test_what_we_gave_up_ourselves_and_what_did_not_leave_is_no_failure(sent: bool) -> None:
    bench = Bench(chance=High())
    bench.warm()
    bench.lose(bench.ask(), sent=sent, given_up=True)
    bench.feed(Withdraw(bench.ask()))
    bench.lose(99)
    bench.say(99, answer(500))
    assert bench.state.failures.row == 0
    assert wait(bench) < 0


@pytest.mark.parametrize(
    ("status", "retry_after", "cut", "fails"),
    [
        (499, None, False, False),
        (500, None, False, True),
        (599, None, False, True),
        (503, None, False, True),
        (503, 0.0, False, False),
        (500, 5.0, False, False),
        (502, 0.0, False, False),
        (504, 5.0, True, False),
        (429, None, False, False),
        (200, None, True, True),
        (404, None, True, True),
        (429, None, True, False),
        (503, 5.0, True, False),
    ],
)
def test_a_failure_is_a_5xx_that_does_not_say_when_to_come_back_and_an_answer_that_was_cut_off(
    status: int, retry_after: float | None, cut: bool, fails: bool
) -> None:
    assert is_failure(Answered(1, answer(status, retry_after=retry_after), cut=cut)) is fails


def test_a_cut_answer_tells_of_its_windows_and_ends_a_pause_all_the_same() -> None:
    bench = failures()
    bench.one(answer(429, retry_after=1.0))
    bench.pass_time(3.0)
    probe = bench.ask()
    bench.say(probe, answer(200, remaining=7), cut=True)
    assert (bench.phase, bench.state.minute.remaining, bench.state.failures.row) == (GatePhase.OPEN, 7, 1)


@pytest.mark.parametrize("status", [400, 404, 408, 409, 420, 425, 500, 502, 503, 504])
def test_a_failure_that_says_when_to_come_back_holds_everybody_for_as_long(status: int) -> None:
    bench = Bench()
    bench.warm()
    bench.one(answer(status, retry_after=300.0))
    assert (bench.phase, bench.waits) == (GatePhase.PAUSED, 301.0)
    assert bench.snapshot.until_steady == bench.clock.now().steady + 301.0
    person = bench.ask(PERSON)
    bench.feed(PersonActs())
    bench.pass_time(300.9)
    assert bench.left() == []
    bench.pass_time(0.1)
    assert bench.left() == [person]


def test_of_several_on_their_way_that_fail_together_only_the_first_counts() -> None:
    bench = Bench(chance=High())
    bench.warm()
    tickets = [bench.ask() for _ in range(4)]
    bench.pass_time(1.0)
    bench.say(tickets[0], answer(500))
    bench.pass_time(0.5)
    bench.say(tickets[1], answer(500))
    bench.lose(tickets[2])
    assert (bench.state.failures.row, wait(bench)) == (1, 1.5)
    later = bench.ask()
    bench.say(later, answer(500))
    assert (bench.state.failures.row, bench.state.failures.last) == (2, bench.clock.now().steady)
    at_once = bench.ask()
    bench.lose(at_once)
    assert bench.state.failures.row == 3


def test_a_wait_is_never_shortened_by_the_next_failure() -> None:
    bench = failures(5)
    assert wait(bench) == 32.0

    class Nothing:
        def uniform(self, low: float, high: float) -> float:
            return low

    bench.chance = Nothing()
    bench.one(answer(500))
    assert (bench.state.failures.row, wait(bench)) == (6, 32.0)


def test_the_gate_says_when_the_wait_is_over() -> None:
    bench = failures()
    bench.ask(CHANGES)
    now = bench.clock.now().steady
    assert bench.of(WakeAt) == [WakeAt(now + 2.0)]
    ahead = [forecast(bench.state, bench.clock.now(), cls).at for cls in (PERSON, CHANGES, BACKGROUND)]
    assert ahead == [now, now + 2.0, now + 2.0]
    assert forecast(bench.state, bench.clock.now(), PERSON, retry=True).at == now + 2.0


# ---------------------------------------------------------------- people


def test_a_person_who_acts_ends_the_wait_and_not_the_row() -> None:
    bench = failures(3)
    held = bench.ask(CHANGES, retry=True)
    bench.feed(PersonActs())
    assert bench.left() == [held]
    bench.say(held, answer(500))
    assert wait(bench) == 16.0


@pytest.mark.parametrize("event", [PersonActs(), Unlock(), EndPause()])
def test_a_key_that_was_entered_and_a_pause_ended_by_hand_are_acts_of_a_person_too(event: Event) -> None:
    bench = failures(3)
    held = bench.ask(CHANGES)
    bench.feed(event)
    assert bench.left() == [held]


def test_who_acts_is_let_one_retry_even_if_no_token_is_left() -> None:
    bench = spent()
    held = [bench.ask(BACKGROUND, retry=True) for _ in range(2)]
    assert bench.left() == []
    bench.feed(PersonActs())
    assert bench.left() == held[:1]


def test_who_acts_brings_no_token_where_there_is_one() -> None:
    for owed in (1_000.0, 1_540.0, 900.0):
        assert person_acted(FailureCounts(3, 1.0, 2.0, owed), 1_000.0) == FailureCounts(3, 1.0, 0.0, owed)
    assert person_acted(FailureCounts(owed=1_600.0), 1_000.0).owed == 1_540.0


# ---------------------------------------------------------------- how often


def spent() -> Bench:
    """A gate whose ten tokens are gone."""
    bench = Bench()
    bench.warm()
    bench.clock.advance(600.0)
    bench.one(OK)
    for _ in range(10):
        ticket = bench.ask(BACKGROUND, retry=True)
        assert bench.left() == [ticket]
        bench.say(ticket, answer(500, remaining=50))
    return bench


def test_ten_retries_may_come_to_nothing_and_the_next_waits_for_a_minute() -> None:
    bench = spent()
    eleventh = bench.ask(BACKGROUND, retry=True)
    assert bench.left() == []
    bench.pass_time(29.0)
    bench.pass_time(2.0)  # the window opened
    assert bench.of(WakeAt) == [WakeAt(bench.clock.now().steady + 29.0)]
    bench.pass_time(28.99)
    assert bench.left() == []
    bench.pass_time(0.01)
    assert bench.left() == [eleventh]


def test_what_is_asked_for_the_first_time_needs_no_token() -> None:
    bench = spent()
    asked = [bench.ask(cls) for cls in (CHANGES, VISIBLE, BACKGROUND)]
    assert bench.left() == asked


def test_each_ordinary_request_brings_a_tenth_of_a_token() -> None:
    bench = spent()
    held = bench.ask(BACKGROUND, retry=True)
    for _ in range(9):
        bench.one(OK)
    assert bench.left() == []
    pair = bench.ask(CHANGES, write=True, cost=2)
    assert set(bench.left()) == {pair, held}


def test_a_minute_brings_a_token_and_ten_minutes_no_more_than_ten() -> None:
    bench = spent()
    bench.pass_time(6_000.0)
    bench.one(OK)
    held = [bench.ask(BACKGROUND, retry=True) for _ in range(12)]
    gone: list[int] = []
    while left := bench.left():
        gone += left
        for ticket in left:
            bench.say(ticket, answer(500, remaining=50))
    assert gone == held[:10]


def test_a_retry_that_is_answered_brings_its_token_back() -> None:
    bench = spent()
    bench.pass_time(60.0)
    bench.one(OK)
    for _ in range(20):
        ticket = bench.ask(BACKGROUND, retry=True)
        assert bench.left() == [ticket]
        bench.say(ticket, OK)
    pair = bench.ask(CHANGES, write=True, cost=2, retry=True)
    bench.say(pair, OK, more=True)
    owed = bench.state.failures.owed
    bench.say(pair, OK)
    assert bench.state.failures.owed == owed - 60.0


def test_a_retry_that_did_not_leave_after_all_costs_nothing() -> None:
    bench = Bench()
    bench.warm()
    before = bench.state.failures.owed
    bench.feed(Withdraw(bench.ask(retry=True)))
    assert bench.state.failures.owed == max(before, bench.clock.now().steady)
    bench.feed(Withdraw(bench.ask()))
    assert bench.state.failures.owed == bench.clock.now().steady - 6.0
    bench.lose(bench.ask(retry=True), given_up=True)
    assert bench.state.failures.owed == bench.clock.now().steady + 60.0


def test_the_budget_as_seconds() -> None:
    assert charged(FailureCounts(owed=500.0), FIRST, 1_000.0).owed == 494.0
    assert charged(FailureCounts(owed=500.0), AGAIN, 1_000.0).owed == 1_060.0
    assert charged(FailureCounts(owed=1_500.0), AGAIN, 1_000.0).owed == 1_560.0
    assert charged(FailureCounts(owed=1_580.0), AGAIN, 1_000.0).owed == 1_600.0
    assert free_at(FailureCounts(until=700.0, owed=1_300.0), AGAIN) == 760.0
    assert free_at(FailureCounts(until=800.0, owed=1_300.0), AGAIN) == 800.0
    assert free_at(FailureCounts(until=700.0, owed=1_300.0), FIRST) == 700.0


def test_the_forecast_of_a_retry_knows_the_budget() -> None:
    bench = spent()
    now = bench.clock.now()
    assert forecast(bench.state, now, BACKGROUND, retry=True).at == now.steady + 60.0
    assert forecast(bench.state, now, BACKGROUND).at == now.steady


# ---------------------------------------------------------------- beside a pause


def test_the_probe_waits_for_the_back_off_and_not_for_the_budget() -> None:
    bench = spent()
    bench.one(answer(429, retry_after=1.0, remaining=50))
    held = bench.ask(BACKGROUND, retry=True)
    bench.pass_time(2.0)
    assert [(admit.ticket, admit.probe) for admit in bench.out] == [(held, True)]


def test_a_probe_that_failed_is_not_followed_by_another_before_both_waits_are_over() -> None:
    bench = Bench(chance=High())
    bench.warm()
    for _ in range(4):
        bench.one(answer(500))
    bench.one(answer(429, retry_after=1.0))
    bench.pass_time(3.0)
    probe = bench.ask(BACKGROUND)
    assert bench.left() == [probe]
    bench.say(probe, answer(500))
    next_one = bench.ask(BACKGROUND)
    assert wait(bench) == 2.0  # the 429 was an answer
    bench.pass_time(2.99)
    assert bench.left() == []
    bench.pass_time(0.01)
    assert bench.left() == [next_one]


def test_a_probe_that_is_held_back_wakes_the_gate_when_it_may_leave() -> None:
    bench = spent()
    bench.chance = High()
    flying, refused = bench.ask(), bench.ask()
    bench.left()
    bench.say(refused, answer(429, retry_after=1.0, remaining=50))
    bench.pass_time(2.5)
    bench.lose(flying)
    held = bench.ask(BACKGROUND, retry=True)
    bench.pass_time(0.5)
    assert (bench.phase, bench.left(), wait(bench)) == (GatePhase.PROBING, [], 1.5)
    assert bench.of(WakeAt) == [WakeAt(bench.clock.now().steady + 1.5)]
    assert not bench.of(ProbeWanted)
    bench.pass_time(1.5)
    assert bench.left() == [held]
