"""What the service says of its windows is believed, with care."""

from __future__ import annotations

import pytest

from petstore_desktop.api.gate_model import ShowQuota
from petstore_desktop.api.gate_statements import infer_span
from petstore_desktop.api.limit_headers import Span, WindowFacts
from petstore_desktop.domain.quota import PLANS, GatePhase, Plan, Window
from tests.api.gate_bench import CHANGES, Bench, answer

FREE = PLANS["free"]


def test_the_services_word_wins_over_our_own_count_both_ways() -> None:
    bench = Bench()
    bench.warm(50)
    for remaining in (3, 40):
        bench.one(answer(200, remaining=remaining))
        assert bench.state.shown_quota.minute.remaining == remaining


def test_of_answers_that_crossed_the_lower_remainder_counts() -> None:
    bench = Bench()
    bench.warm(50)
    first, second = bench.ask(), bench.ask()
    bench.say(second, answer(200, remaining=48))
    bench.say(first, answer(200, remaining=49))
    assert bench.state.minute.remaining == 48


def test_a_late_answer_about_the_window_before_is_not_believed() -> None:
    bench = Bench()
    bench.one(answer(200, WindowFacts(60, 20, 5.0, mark=1000.0)))
    late, quick = bench.ask(), bench.ask()
    bench.pass_time(10.0)
    bench.say(quick, answer(200, WindowFacts(60, 58, 55.0, mark=1060.0)))
    bench.say(late, answer(200, WindowFacts(60, 0, 0.0, mark=1000.0)))
    assert (bench.phase, bench.state.minute.remaining) == (GatePhase.OPEN, 57)  # one less, to be careful


def test_what_left_before_a_window_was_spent_does_not_open_it_again() -> None:
    bench = Bench()
    bench.warm(10)
    first, second, third = bench.ask(), bench.ask(), bench.ask()
    bench.say(first, answer(200, remaining=0, reset_in=5.0))
    bench.say(second, answer(200, remaining=40, reset_in=60.0))
    assert (bench.phase, bench.waits) == (GatePhase.SPENT, 6.0)
    bench.say(third, answer(200, remaining=0, reset_in=7.0))
    assert bench.waits == 8.0


def test_a_new_window_is_believed_though_answers_crossed() -> None:
    bench = Bench()
    bench.one(answer(200, WindowFacts(60, 2, 5.0, mark=1000.0)))
    first, second = bench.ask(), bench.ask()
    bench.say(first, answer(200, WindowFacts(60, 1, 5.0, mark=1000.0)))
    bench.say(second, answer(200, WindowFacts(60, 59, 65.0, mark=1060.0)))
    assert bench.state.minute.remaining == 59


def test_a_request_that_broke_may_have_been_counted_and_one_that_never_left_was_not() -> None:
    bench = Bench()
    bench.warm(10)
    bench.lose(bench.ask(), sent=True)
    assert bench.state.minute.remaining == 9
    bench.lose(bench.ask(), sent=False)
    assert bench.state.minute.remaining == 9


def test_an_answer_that_is_silent_about_its_window_counts_as_one_request() -> None:
    bench = Bench()
    bench.warm(10)
    bench.one(answer(200))
    assert bench.state.minute.remaining == 9


def test_a_window_whose_reset_has_passed_is_taken_to_be_full() -> None:
    bench = Bench()
    bench.warm(3, reset_in=30.0)
    bench.pass_time(30.9)
    assert bench.state.minute.remaining == 3
    bench.pass_time(0.1)
    assert bench.state.shown_quota.minute == Window(60, 60, None)
    assert bench.of(ShowQuota)


def test_a_window_without_a_reset_does_not_hold_changes_back_for_ever() -> None:
    bench = Bench()
    bench.warm(4, reset_in=None)
    ticket = bench.ask(CHANGES, write=True)
    assert bench.left() == []
    bench.pass_time(61.0)
    assert bench.left() == [ticket]


def test_a_used_up_windows_end_comes_no_nearer_by_what_another_answer_says() -> None:
    bench = Bench()
    bench.warm(10)
    first, second = bench.ask(), bench.ask()
    bench.say(first, answer(200, remaining=0, reset_in=30.0))
    bench.say(second, answer(200, remaining=0, reset_in=28.5))
    assert bench.waits == 31.0


def test_an_answer_that_is_silent_about_the_other_window_counts_as_one_request_there() -> None:
    bench = Bench()
    day, minute = WindowFacts(1000, 500, 5_000.0, span=Span.DAY), WindowFacts(60, 50, 30.0, span=Span.MINUTE)
    bench.one(answer(200, day, minute))
    bench.one(answer(200, minute))
    assert bench.state.day.remaining == 499
    bench.one(answer(200, day))
    assert bench.state.minute.remaining == 49


def test_an_answer_that_tells_the_limit_and_not_what_is_left_counts_as_one_request() -> None:
    bench = Bench()
    bench.warm(10)
    bench.one(answer(200, WindowFacts(60, None, 30.0)))
    assert bench.state.minute.remaining == 9


def test_an_answer_that_names_no_reset_does_not_make_a_known_one_forgotten() -> None:
    bench = Bench()
    bench.one(answer(200, WindowFacts(1000, 0, 5_000.0, span=Span.DAY), WindowFacts(60, 59, 20.0, span=Span.MINUTE)))
    late = Bench()
    late.one(answer(200, remaining=10, limit=60))
    slow, quick = late.ask(), late.ask()
    late.say(quick, answer(200, WindowFacts(1000, 0, 5_000.0, span=Span.DAY)))
    late.say(slow, answer(429, WindowFacts(1000, 0, None, span=Span.DAY), retry_after=1.0))
    assert late.waits == bench.waits == 5_001.0


def test_a_service_that_falls_silent_is_sent_a_whole_window_and_then_another_a_window_later() -> None:
    bench = Bench()
    bench.warm(3, limit=3, reset_in=10.0)
    bench.pass_time(11.0)
    for _ in range(3):
        bench.one(answer(200))
    assert (bench.phase, bench.waits) == (GatePhase.SPENT, 60.0)
    ticket = bench.ask()
    bench.pass_time(59.9)
    assert bench.left() == []
    bench.pass_time(0.1)
    assert bench.left() == [ticket]


def test_a_remainder_that_rises_is_believed_though_requests_always_overlap() -> None:
    bench = Bench()
    bench.warm(10)
    first, second = bench.ask(), bench.ask()
    remaining = [9, 8, 40, 39, 38, 37]
    for count in remaining:
        bench.say(first, answer(200, remaining=count))
        first, second = second, bench.ask()
    assert bench.state.minute.remaining == 37


def test_a_late_answer_does_not_make_those_that_leave_after_it_seem_older() -> None:
    bench = Bench()
    bench.warm(20)
    late, other = bench.ask(), bench.ask()
    bench.pass_time(5.0)
    bench.say(late, answer(200, remaining=19, reset_in=30.0))  # made five seconds ago: its window seems to end later
    for count in (15, 14, 13):
        ticket = bench.ask()
        bench.say(other, answer(200, remaining=count, reset_in=25.0))
        other = ticket
    assert bench.state.minute.remaining == 13


def test_the_second_request_of_a_pair_does_not_cross_the_first() -> None:
    bench = Bench()
    bench.warm(20)
    pair, _ = bench.ask(CHANGES, write=True, cost=2), bench.ask()
    bench.say(pair, answer(200, remaining=5), more=True)
    bench.say(pair, answer(200, remaining=15))
    assert bench.state.minute.remaining == 15


# ---------------------------------------------------------------- which window


@pytest.mark.parametrize(
    ("facts", "plan", "span"),
    [
        (WindowFacts(60, 5, 59.0), None, Span.MINUTE),
        (WindowFacts(60, 5, 91.0), None, Span.DAY),
        (WindowFacts(1000, 5, 50.0), None, Span.MINUTE),  # Business's minute, for all we know
        (WindowFacts(1000, 5, 50.0), FREE, Span.DAY),
        (WindowFacts(1000, 5, 5_000.0), PLANS["business"], Span.MINUTE),
        (WindowFacts(300, 5, 50.0), FREE, Span.MINUTE),
        (WindowFacts(60, 5, None), None, Span.MINUTE),
        (WindowFacts(100_000, 5, None), None, Span.DAY),
        (WindowFacts(None, 5, 5_000.0), None, Span.DAY),
    ],
)
def test_an_unnamed_window_is_told_by_plan_reset_and_limit(facts: WindowFacts, plan: Plan | None, span: Span) -> None:
    assert infer_span(facts, Bench().state.day, plan) is span


def test_a_day_in_its_last_minute_is_still_the_day() -> None:
    bench = Bench()
    bench.warm(500, limit=1000, reset_in=5_000.0)
    bench.one(answer(200, remaining=499, limit=1000, reset_in=20.0))
    assert bench.state.day.remaining == 499
    assert not bench.state.minute.spoken


def test_a_window_taken_for_the_minute_is_the_day_once_its_reset_is_far() -> None:
    bench = Bench()
    bench.warm(500, limit=1000, reset_in=20.0)
    bench.pass_time(21.0)
    bench.one(answer(200, remaining=999, limit=1000, reset_in=86_000.0))
    assert bench.state.shown_quota.day.remaining == 999
    assert bench.state.shown_quota.minute == Window()


@pytest.mark.parametrize("known", [True, False])
def test_of_two_windows_without_a_name_the_one_that_reaches_further_is_the_day(known: bool) -> None:
    reset_in = 40.0 if known else None
    for order in (1, -1):
        told = [WindowFacts(60, 3, reset_in), WindowFacts(1000, 500, reset_in)][::order]
        bench = Bench()
        bench.one(answer(200, *told))
        assert (bench.state.minute.remaining, bench.state.day.remaining) == (3, 500)


def test_a_day_that_is_known_is_told_by_its_limit_where_the_reset_is_missing() -> None:
    bench = Bench()
    bench.warm(500, limit=1000, reset_in=5_000.0)
    bench.one(answer(200, remaining=499, limit=1000, reset_in=None))
    assert (bench.state.day.remaining, bench.state.minute.spoken) == (499, False)
