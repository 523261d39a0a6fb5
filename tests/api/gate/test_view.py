"""What a person may see of the gate: told when it changes, and not when it does not."""

from __future__ import annotations

import pytest

from petstore_desktop.api.gate.model import Tick
from petstore_desktop.api.headers.limit_headers import AnswerFacts, Limits, WindowFacts
from petstore_desktop.domain.quota import GatePhase, GateView, LimitSpan, Plan, Quota, Window
from tests.api.gate_machine.bench import Bench, answer, paused


def shows(bench: Bench, kind: type[GateView] | type[Quota] = GateView) -> int:
    return len(bench.told(kind))


def test_an_open_gate_shows_nothing_but_that() -> None:
    bench = Bench()
    bench.warm()
    assert bench.view == GateView()
    assert bench.view.since is bench.view.until is bench.view.reason is bench.view.status is None


def test_a_pause_is_shown_once_and_its_end_once() -> None:
    bench = paused(10.0)
    assert shows(bench) == 1
    assert bench.view.length == 11.0
    bench.feed(Tick())
    assert shows(bench) == 0
    bench.pass_time(10.9)
    assert shows(bench) == 0
    bench.pass_time(0.1)
    assert shows(bench) == 1
    assert (bench.phase, bench.view.until) == (GatePhase.PROBING, None)
    assert bench.view.since == bench.clock.now().wall - 11.0
    probe = bench.ask()
    bench.say(probe, answer(200, remaining=40))
    assert shows(bench) == 1
    assert bench.view == GateView()


@pytest.mark.parametrize(("moved", "shown"), [(0.9, 0), (1.0, 1), (-0.9, 0), (-1.0, 1), (86_400.0, 1)])
def test_an_end_that_moves_by_less_than_a_second_of_the_wall_clock_is_not_shown_anew(moved: float, shown: int) -> None:
    bench = paused(100.0)
    bench.clock.set_wall(bench.clock.now().wall + moved)
    bench.feed(Tick())
    assert shows(bench) == shown


def test_a_spent_window_shows_until_when_and_the_later_of_two() -> None:
    bench = Bench()
    bench.one(
        answer(200, WindowFacts(60, 0, 20.0, span=LimitSpan.MINUTE), WindowFacts(1000, 0, 5_000.0, span=LimitSpan.DAY))
    )
    assert (bench.phase, bench.waits) == (GatePhase.SPENT, 5_001.0)
    assert (bench.view.since, bench.view.reason, bench.view.status) == (bench.clock.now().wall, None, None)
    assert bench.view.length is None


@pytest.mark.parametrize(("seconds", "asks"), [(86_399.0, False), (86_400.0, True)])
def test_a_person_is_asked_about_a_pause_that_is_longer_than_a_day(seconds: float, asks: bool) -> None:
    assert paused(seconds).view.ask_person is asks
    banned = Bench()
    banned.one(answer(403, code="key_banned", retry_after=seconds))
    assert banned.view.ask_person is asks


def test_nobody_is_asked_once_the_pause_is_over_or_about_a_window() -> None:
    bench = paused(100_000.0)
    bench.pass_time(100_001.0)
    assert not bench.view.ask_person
    spent = Bench()
    spent.one(answer(200, WindowFacts(1000, 0, 100_000.0, span=LimitSpan.DAY)))
    assert not spent.view.ask_person


def test_a_window_is_shown_as_told_with_its_reset_and_not_when_it_opens() -> None:
    bench = Bench()
    bench.warm(0, reset_in=30.0)
    assert bench.state.shown_quota.minute == Window(60, 0, bench.clock.now().wall + 30.0, others=59)


def test_our_own_count_shows_a_reset_only_when_it_is_used_up() -> None:
    bench = Bench(plan=Plan("small", 2, None))
    bench.one(answer(200))
    assert bench.state.shown_quota.minute == Window(2, 1, None, own_count=True)
    bench.pass_time(5.0)
    bench.one(answer(200))
    assert bench.state.shown_quota.minute == Window(2, 0, bench.clock.now().wall + 55.25, own_count=True)
    assert bench.state.shown_quota.day == Window()


@pytest.mark.parametrize(
    ("facts", "shown"),
    [
        (WindowFacts(60, 50, 30.9), 0), (WindowFacts(60, 50, 31.0), 1), (WindowFacts(60, 49, 30.0), 1),
        (WindowFacts(61, 50, 30.0), 1), (WindowFacts(60, 50, 30.0), 0),
    ],
)  # fmt: skip
def test_a_quota_is_shown_anew_when_a_number_or_its_reset_has_moved(facts: WindowFacts, shown: int) -> None:
    bench = Bench()
    bench.warm(50, reset_in=30.0)
    ticket = bench.ask()
    bench.say(ticket, AnswerFacts(200, Limits((facts,))))
    assert shows(bench, Quota) == shown


def test_the_day_is_shown_anew_too() -> None:
    bench = Bench()
    for remaining, shown in ((500, 1), (500, 0), (499, 1)):
        bench.say(bench.ask(), answer(200, WindowFacts(1000, remaining, 5_000.0, span=LimitSpan.DAY)))
        assert shows(bench, Quota) == shown


@pytest.mark.parametrize(("skew", "shown"), [(9.0, 7.0), (9.1, 9.0), (5.0, 7.0), (4.4, 4.0)])
def test_a_skew_is_shown_anew_when_it_moved_by_more_than_two_seconds(skew: float, shown: float) -> None:
    bench = Bench()
    for told in (7.0, skew):
        bench.one(AnswerFacts(200, Limits((), told)))
    assert bench.state.shown_quota.skew == shown
    assert shows(bench, Quota) == int(shown != 7.0)


def test_a_lock_shows_the_answer_that_brought_it_over_a_pause() -> None:
    bench = Bench()
    bench.warm()
    late, refused = bench.ask(), bench.ask()
    bench.say(refused, answer(429, retry_after=50.0, message="Too fast"))
    bench.clock.advance(3.0)
    bench.say(late, answer(401, message="Who?"))
    view = bench.view
    assert (view.phase, view.reason, view.status, view.raw, view.until) == (
        GatePhase.LOCKED,
        "Who?",
        401,
        "HTTP 401",
        None,
    )
    assert view.since == bench.clock.now().wall
    assert not view.ask_person
