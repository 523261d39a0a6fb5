"""Which window an answer means that does not say so."""

from __future__ import annotations

import pytest

from petstore_desktop.api.gate.limits.limit_updates import infer_span, infer_spans
from petstore_desktop.api.headers.limit_headers import WindowFacts
from petstore_desktop.domain.quota import PLANS, LimitSpan, Plan, Window, WindowCount
from tests.api.gate_machine.bench import Bench, answer

FREE = PLANS["free"]


@pytest.mark.parametrize(
    ("facts", "plan", "span"),
    [
        (WindowFacts(60, 5, 59.0), None, LimitSpan.MINUTE),
        (WindowFacts(60, 5, 90.0), None, LimitSpan.MINUTE),
        (WindowFacts(60, 5, 91.0), None, LimitSpan.DAY),
        (WindowFacts(1000, 5, 50.0), None, LimitSpan.MINUTE),  # Business's minute, for all we know
        (WindowFacts(1000, 5, 50.0), FREE, LimitSpan.DAY),
        (WindowFacts(1000, 5, 5_000.0), PLANS["business"], LimitSpan.MINUTE),
        (WindowFacts(300, 5, 50.0), FREE, LimitSpan.MINUTE),
        (WindowFacts(60, 5, None), None, LimitSpan.MINUTE),
        (WindowFacts(9_999, 5, None), None, LimitSpan.MINUTE),
        (WindowFacts(10_000, 5, None), None, LimitSpan.DAY),
        (WindowFacts(None, 5, None), None, LimitSpan.MINUTE),
        (WindowFacts(None, 5, 5_000.0), None, LimitSpan.DAY),
    ],
)
def test_an_unnamed_window_is_told_by_plan_reset_and_limit(
    facts: WindowFacts, plan: Plan | None, span: LimitSpan
) -> None:
    assert infer_span(facts, Bench().state.day, plan) is span


def test_a_limit_that_is_known_to_be_the_days_is_the_days_however_near_its_reset() -> None:
    day = WindowCount(86_400.0, limit=1000, spoken=True)
    assert infer_span(WindowFacts(1000, 5, 20.0), day, None) is LimitSpan.DAY
    assert infer_span(WindowFacts(999, 5, 20.0), day, None) is LimitSpan.MINUTE


def test_of_two_windows_without_a_name_each_is_told_by_itself_where_that_is_enough() -> None:
    day, minute = WindowFacts(100, 5, 5_000.0), WindowFacts(1000, 5, 30.0)
    assert infer_spans([day, minute], WindowCount(86_400.0), None) == [LimitSpan.DAY, LimitSpan.MINUTE]


def test_of_two_windows_of_one_limit_the_one_that_ends_later_is_the_day() -> None:
    near, far = WindowFacts(60, 5, 20.0), WindowFacts(60, 5, 40.0)
    assert infer_spans([near, far], WindowCount(86_400.0), None) == [LimitSpan.MINUTE, LimitSpan.DAY]
    assert infer_spans([far, near], WindowCount(86_400.0), None) == [LimitSpan.DAY, LimitSpan.MINUTE]


def test_a_window_that_has_a_name_keeps_it_beside_one_that_has_none() -> None:
    named, nameless = WindowFacts(60, 5, 20.0, span=LimitSpan.MINUTE), WindowFacts(30, 5, 20.0)
    assert infer_spans([named, nameless], WindowCount(86_400.0), None) == [LimitSpan.MINUTE, LimitSpan.MINUTE]
    assert infer_spans([nameless, named], WindowCount(86_400.0), None) == [LimitSpan.MINUTE, LimitSpan.MINUTE]


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


@pytest.mark.parametrize("limit", [100, None])
def test_a_minute_told_beside_a_day_is_no_mistake_though_their_limits_are_alike(limit: int | None) -> None:
    bench = Bench()
    both = (WindowFacts(limit, 2, 60.0, mark=1000.0), WindowFacts(limit, 54, 86_400.0, mark=9000.0))
    bench.one(answer(200, *both))
    bench.one(answer(200, *both))
    assert (bench.state.minute.remaining, bench.state.day.remaining) == (2, 54)


def test_a_minute_of_unknown_limit_is_no_mistake_when_a_day_is_told() -> None:
    bench = Bench()
    bench.one(answer(200, remaining=2, limit=None, reset_in=30.0))
    bench.one(answer(200, remaining=54, limit=None, reset_in=8_000.0))
    assert (bench.state.minute.remaining, bench.state.day.remaining) == (1, 54)


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


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (WindowFacts(60, 5, 20.0), WindowFacts(60, 9, 20.0)),
        (WindowFacts(None, 5, 50.0), WindowFacts(1, 1, 30.0)),  # a limit that is not told is the least there is
        (WindowFacts(60, 5, None), WindowFacts(60, 5, 0.5)),  # and so is a reset
    ],
)
def test_of_two_windows_of_which_neither_reaches_further_the_first_is_the_minute(
    first: WindowFacts, second: WindowFacts
) -> None:
    assert infer_spans([first, second], WindowCount(86_400.0), None) == [LimitSpan.MINUTE, LimitSpan.DAY]
