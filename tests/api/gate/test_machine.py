"""What closes the gate, for how long, and how it opens again."""

from __future__ import annotations

import pytest

from petstore_desktop.api.gate.machine import may_send
from petstore_desktop.api.gate.model import (
    Admit,
    Close,
    Deny,
    EndPause,
    Persist,
    Persisted,
    ProbeWanted,
    Tick,
    WakeAt,
    Withdraw,
)
from petstore_desktop.api.headers.limit_headers import WindowFacts
from petstore_desktop.domain.quota import GatePhase, GateView, LongerPause
from tests.api.gate_machine.bench import CHANGES, Bench, High, Low, answer, paused

# ---------------------------------------------------------------- pauses


def test_a_429_closes_the_gate_until_retry_after_and_its_jitter_have_passed() -> None:
    bench = paused(10.0)
    ticket = bench.ask()
    bench.pass_time(10.99)
    assert bench.left() == []
    bench.pass_time(0.01)
    assert bench.left() == [ticket]


def test_every_wait_after_a_refusal_gets_a_jitter_of_one_to_two_seconds() -> None:
    for chance, jitter in ((Low(), 1.0), (High(), 2.0)):
        bench = Bench(chance=chance)
        bench.warm()
        bench.one(answer(429, retry_after=10.0))
        assert bench.waits == 10.0 + jitter
        bench.pass_time(bench.waits)
        bench.lose(bench.ask())
        assert bench.waits == 1.0 + jitter


def test_the_view_of_a_pause_says_why_since_when_and_until_when() -> None:
    bench = paused(10.0)
    wall = bench.clock.now().wall
    assert (bench.view.since, bench.view.until) == (wall, wall + 11.0)
    assert (bench.view.status, bench.view.reason, bench.view.raw) == (429, "Too fast", "HTTP 429")
    assert not bench.view.ask_person


def test_a_503_pauses_only_if_it_says_when_to_come_back() -> None:
    bench = Bench()
    bench.warm()
    bench.one(answer(503))
    assert bench.phase is GatePhase.OPEN
    bench.one(answer(503, retry_after=5.0))
    assert (bench.phase, bench.waits) == (GatePhase.PAUSED, 6.0)


@pytest.mark.parametrize("status", [500, 502, 504])
def test_other_server_errors_pause_only_if_they_say_when_to_come_back_too(status: int) -> None:
    bench = Bench()
    bench.warm()
    bench.one(answer(status))
    assert bench.phase is GatePhase.OPEN
    bench.one(answer(status, retry_after=5.0))
    assert (bench.phase, bench.waits) == (GatePhase.PAUSED, 6.0)


def test_the_reset_counts_beside_retry_after_when_nothing_remains() -> None:
    bench = Bench()
    bench.warm()
    bench.one(answer(429, remaining=0, reset_in=40.0, retry_after=5.0))
    assert bench.waits == 41.0


def test_the_reset_of_a_window_with_something_left_does_not_lengthen_a_told_wait() -> None:
    bench = Bench()
    bench.warm()
    bench.one(answer(429, remaining=3, reset_in=40.0, retry_after=5.0))
    assert bench.waits == 6.0


def test_without_retry_after_the_reset_of_the_spent_window_counts() -> None:
    bench = Bench()
    bench.warm()
    bench.one(answer(429, WindowFacts(60, 0, 40.0), WindowFacts(1000, 500, 30_000.0)))
    assert bench.waits == 41.0


def test_without_any_word_the_pause_is_a_minute_and_doubles_to_an_hour() -> None:
    bench = Bench()
    waits: list[float] = []
    for _ in range(8):
        bench.one(answer(429))
        waits.append(bench.waits)
        bench.pass_time(bench.waits)
    assert waits == [61.0, 121.0, 241.0, 481.0, 961.0, 1_921.0, 3_601.0, 3_601.0]


def test_a_pause_says_why_it_is_longer_than_the_service_asked() -> None:
    bench = Bench()
    found: list[LongerPause | None] = []
    for said in (*([answer(429, retry_after=3.0)] * 3), answer(429), answer(429, retry_after=60.0)):
        bench.one(said)
        found.append(bench.view.longer)
        bench.pass_time(bench.waits)
    assert found == [None, None, LongerPause.AGAIN, LongerPause.UNTOLD, None]


def test_a_pause_that_an_earlier_answer_made_longer_keeps_its_reason() -> None:
    bench = Bench()
    bench.warm()
    first, second = bench.ask(), bench.ask()
    bench.left()
    bench.say(first, answer(429))
    bench.say(second, answer(429, retry_after=3.0))
    assert (bench.waits, bench.view.longer) == (61.0, LongerPause.UNTOLD)


def test_the_doubling_is_forgotten_after_ten_good_answers_and_not_after_nine() -> None:
    for good, expected in ((9, 121.0), (10, 61.0)):
        bench = Bench()
        bench.one(answer(429))
        bench.pass_time(bench.waits)
        for _ in range(good):
            bench.one(answer(200))
        bench.one(answer(429))
        assert bench.waits == expected, good


def test_a_server_error_is_not_a_good_answer() -> None:
    bench = Bench()
    bench.one(answer(429))
    bench.pass_time(bench.waits)
    for status in (200, *([500] * 20), *([200] * 8)):
        bench.one(answer(status))
    bench.one(answer(429))
    assert bench.waits == 121.0


def test_several_requests_refused_at_once_are_one_strike_and_never_shorten_the_wait() -> None:
    bench = Bench()
    bench.warm()
    tickets = [bench.ask() for _ in range(4)]
    assert bench.left() == tickets
    for ticket, seconds in zip(tickets, (10.0, 5.0, 30.0, 1.0), strict=True):
        bench.say(ticket, answer(429, retry_after=seconds))
    assert bench.waits == 31.0
    assert bench.state.strikes == 1


def test_a_good_answer_that_was_on_its_way_does_not_end_a_pause() -> None:
    bench = Bench()
    bench.warm()
    late, refused = bench.ask(), bench.ask()
    bench.left()
    bench.say(refused, answer(429, retry_after=10.0))
    bench.say(late, answer(200, remaining=40))
    assert (bench.phase, bench.waits) == (GatePhase.PAUSED, 11.0)


def test_a_pause_of_more_than_a_day_is_obeyed_and_a_person_is_asked() -> None:
    bench = paused(90_000.0)
    assert bench.view.ask_person
    bench.ask()
    bench.pass_time(90_000.0)
    assert bench.left() == []
    bench.pass_time(1.0)
    assert len(bench.left()) == 1


def test_resume_now_ends_the_pause_with_a_probe() -> None:
    bench = paused(90_000.0)
    tickets = [bench.ask(), bench.ask()]
    bench.feed(EndPause())
    assert [(admit.ticket, admit.probe) for admit in bench.out] == [(tickets[0], True)]
    assert bench.of(Persist)


def test_what_was_admitted_but_has_not_left_is_called_back_by_a_pause() -> None:
    bench = Bench()
    bench.warm()
    slow, refused = bench.ask(), bench.ask()
    assert may_send(bench.state, slow)
    bench.say(refused, answer(429, retry_after=10.0))
    assert not may_send(bench.state, slow)


# ---------------------------------------------------------------- the probe


def test_after_a_pause_exactly_one_read_leaves_and_then_one_two_four() -> None:
    bench = paused(10.0)
    write = bench.ask(write=True)
    reads = [bench.ask() for _ in range(12)]
    bench.pass_time(11.0)
    assert [(admit.ticket, admit.probe) for admit in bench.out] == [(reads[0], True)]
    assert bench.phase is GatePhase.PROBING
    left: list[list[int]] = [bench.left()]
    while left[-1]:
        for ticket in left[-1]:
            bench.say(ticket, answer(200, remaining=40))
        left.append(bench.left())
    assert bench.phase is GatePhase.OPEN
    assert [len(numbers) for numbers in left[:3]] == [1, 1, 2]
    assert max(map(len, left)) <= 4
    assert sorted(ticket for numbers in left for ticket in numbers) == sorted([write, *reads])


def test_four_are_in_flight_again_only_after_a_probe_and_three_good_answers() -> None:
    bench = paused(10.0)
    for _ in range(20):
        bench.ask()
    bench.pass_time(11.0)
    in_flight = []
    while bench.state.queue:
        in_flight.append(len(bench.state.flights))
        bench.say(bench.state.flights[0].ask.ticket, answer(200, remaining=40))
    assert in_flight[:6] == [1, 1, 2, 2, 4, 4]


def test_a_probe_that_is_refused_waits_again_and_counts_as_another_strike() -> None:
    bench = paused(10.0)
    probe = bench.ask()
    bench.pass_time(11.0)
    bench.say(probe, answer(429))
    assert (bench.phase, bench.waits, bench.state.strikes) == (GatePhase.PAUSED, 121.0, 2)


@pytest.mark.parametrize("status", [200, 204, 304, 400, 404, 409])
def test_any_answer_without_a_limit_lets_the_probe_succeed(status: int) -> None:
    bench = paused(10.0)
    probe = bench.ask()
    bench.pass_time(11.0)
    bench.say(probe, answer(status))
    assert bench.phase is GatePhase.OPEN


def test_a_probe_without_a_verdict_is_tried_again_later_and_later() -> None:
    bench = paused(10.0)
    bench.pass_time(11.0)
    waits: list[float] = []
    for turn in range(8):
        probe = bench.ask()
        assert bench.left() == [probe]
        if turn % 2:
            bench.lose(probe, sent=bool(turn % 3))
        else:
            bench.say(probe, answer(500))
        waits.append(bench.waits)
        bench.pass_time(bench.waits)
    assert waits == [2.0, 3.0, 5.0, 9.0, 17.0, 33.0, 61.0, 61.0]


def test_no_probe_leaves_while_something_from_before_the_pause_is_still_out() -> None:
    bench = Bench()
    bench.warm()
    slow, refused = bench.ask(), bench.ask()
    bench.left()
    bench.say(refused, answer(429, retry_after=10.0))
    probe = bench.ask()
    bench.pass_time(20.0)
    assert bench.left() == []
    bench.lose(slow)
    assert bench.left() == [probe]


def test_writes_that_wait_alone_make_the_gate_ask_for_a_probe_once_and_again_only_later() -> None:
    bench = paused(10.0)
    write = bench.ask(CHANGES, write=True)
    assert not bench.of(ProbeWanted)
    bench.pass_time(11.0)
    assert len(bench.of(ProbeWanted)) == 1
    bench.pass_time(29.0)
    assert bench.of(WakeAt) == [WakeAt(bench.clock.now().steady + 1.0)]
    assert not bench.of(ProbeWanted)
    bench.pass_time(1.0)
    assert len(bench.of(ProbeWanted)) == 1
    probe = bench.ask()
    assert bench.left() == [probe]
    bench.say(probe, answer(200, remaining=40))
    assert bench.left() == [write]
    assert bench.of(WakeAt) == [WakeAt(bench.clock.now().steady + 31.0)]  # the reset; nothing is due about a probe


def test_a_write_that_may_be_repeated_and_a_pair_are_no_probes() -> None:
    bench = paused(10.0)
    bench.ask(CHANGES, write=True, idempotent=True)
    bench.ask(cost=2)
    bench.pass_time(11.0)
    assert bench.left() == []
    assert bench.of(ProbeWanted)


def test_nobody_is_asked_for_a_probe_when_nothing_waits() -> None:
    bench = paused(10.0)
    bench.pass_time(11.0)
    assert not bench.of(ProbeWanted)
    assert bench.phase is GatePhase.PROBING


# ---------------------------------------------------------------- disk, quit


def test_a_pause_is_handed_out_to_be_written_before_anything_leaves() -> None:
    bench = paused(10.0)
    probe = bench.ask()
    bench.pass_time(11.0)
    bench.say(probe, answer(200, remaining=0, reset_in=5.0))
    bench.ask()
    bench.pass_time(6.0)
    kinds = [type(effect) for effect in bench.effects]
    assert Admit in kinds
    assert kinds.index(Persist) < kinds.index(Admit)


def test_a_pause_that_could_not_be_written_holds_says_so_and_is_tried_again() -> None:
    bench = paused(10.0)
    assert bench.of(Persist)
    bench.feed(Persisted(ok=False))
    assert not bench.view.persisted
    assert bench.told(GateView)
    assert not bench.of(Persist)
    assert bench.of(WakeAt)[-1].steady == bench.clock.now().steady + 1.0
    bench.ask()
    bench.pass_time(5.0)
    assert bench.of(Persist)
    assert bench.left() == []
    bench.feed(Persisted(ok=True))
    assert bench.view.persisted


def test_nothing_leaves_a_closed_gate_and_a_late_429_is_still_written_down() -> None:
    bench = Bench()
    bench.warm()
    late = bench.ask()
    bench.left()
    assert may_send(bench.state, late)
    bench.feed(Close())
    assert not may_send(bench.state, late)
    ticket = bench.ask()
    assert bench.effects[0] == Deny(ticket, "closed")
    bench.say(late, answer(429, retry_after=50.0))
    assert bench.snapshot.phase is GatePhase.PAUSED
    bench.pass_time(100.0)
    assert bench.left() == []


def test_what_nobody_knows_of_changes_nothing() -> None:
    bench = Bench()
    bench.warm(10)
    waiting = [bench.ask() for _ in range(5)]
    before = bench.state
    bench.lose(999)
    bench.feed(Withdraw(999))
    assert bench.state == before
    bench.say(999, answer(200, remaining=7))
    assert (bench.state.minute.remaining, bench.left()) == (7, waiting[:4])


def test_who_withdraws_does_not_leave() -> None:
    bench = paused(10.0)
    gone, stays = bench.ask(), bench.ask()
    bench.feed(Withdraw(gone))
    bench.pass_time(11.0)
    assert bench.left() == [stays]


# ---------------------------------------------------------------- clocks


@pytest.mark.parametrize("jump", [-86_400.0, 86_400.0])
def test_a_wall_clock_that_is_set_moves_the_shown_end_and_not_the_wait(jump: float) -> None:
    bench = paused(100.0)
    ticket = bench.ask()
    bench.pass_time(50.0)
    bench.clock.set_wall(bench.clock.now().wall + jump)
    bench.feed(Tick())
    assert bench.left() == []
    assert bench.waits == pytest.approx(51.0)
    bench.pass_time(50.9)
    assert bench.left() == []
    bench.pass_time(0.1)
    assert bench.left() == [ticket]


def test_the_gate_says_when_time_matters_next() -> None:
    bench = paused(10.0)
    assert bench.of(WakeAt) == [WakeAt(bench.clock.now().steady + 11.0)]
