"""What is left of the minute and of the day."""

from __future__ import annotations

import pytest

from petstore_desktop.api.gate.limits.windows import forget_if_spent, spent_until, told_spent_until
from petstore_desktop.api.gate.machine import may_send
from petstore_desktop.api.gate.model import Close, EndPause, Withdraw
from petstore_desktop.api.headers.limit_headers import AnswerFacts, Limits, WindowFacts
from petstore_desktop.domain.quota import PLANS, GatePhase, LimitSpan, Plan, Window, WindowCount, roll
from tests.api.gate_machine.bench import BACKGROUND, CHANGES, PERSON, VISIBLE, Bench, answer

FREE = PLANS["free"]


# ---------------------------------------------------------------- in flight


def test_until_the_service_has_spoken_only_one_is_in_flight() -> None:
    bench = Bench()
    tickets = [bench.ask() for _ in range(3)]
    assert bench.left() == tickets[:1]
    bench.say(tickets[0], answer(200))
    assert bench.left() == tickets[1:2]
    bench.say(tickets[1], answer(200, remaining=50))
    assert bench.left() == tickets[2:]


@pytest.mark.parametrize(("remaining", "in_flight"), [(50, 4), (4, 4), (3, 3), (1, 1)])
def test_in_flight_are_at_most_four_and_never_more_than_remain(remaining: int, in_flight: int) -> None:
    bench = Bench()
    bench.warm(remaining)
    for _ in range(9):
        bench.ask()
    assert len(bench.left()) == in_flight


def test_what_is_in_flight_is_taken_off_what_remains_whether_counted_or_not() -> None:
    bench = Bench()
    bench.warm(10)
    tickets = [bench.ask() for _ in range(6)]
    bench.left()
    bench.say(tickets[0], answer(200, remaining=4))
    assert bench.left() == tickets[4:5]  # three out, one more makes four
    bench.say(tickets[1], answer(200, remaining=3))
    assert bench.left() == []


@pytest.mark.parametrize("end", ["answered", "lost", "withdrawn"])
def test_a_pair_that_ends_with_its_first_request_is_out_of_flight_whole(end: str) -> None:
    bench = Bench()
    bench.warm(20)
    pair = bench.ask(CHANGES, write=True, cost=2)
    assert bench.left() == [pair]
    if end == "answered":
        bench.say(pair, answer(200, remaining=19))
    elif end == "lost":
        bench.lose(pair)
    else:
        bench.feed(Withdraw(pair))
    assert bench.state.flights == ()


def test_of_a_pair_whose_first_request_was_answered_one_is_still_on_its_way() -> None:
    bench = Bench()
    bench.warm(10)
    other, pair = bench.ask(), bench.ask(CHANGES, write=True, cost=2)
    bench.say(pair, answer(200, remaining=4), more=True)
    assert [flight.ask.ticket for flight in bench.state.flights] == [other, pair]
    bench.left()
    for _ in range(3):
        bench.ask()
    assert len(bench.left()) == 2  # of four that are left two are on their way
    bench.lose(pair)
    assert bench.state.minute.remaining == 3


@pytest.mark.parametrize("span", list(LimitSpan))
def test_the_second_request_of_a_pair_has_met_nothing_that_the_first_one_met(span: LimitSpan) -> None:
    bench = Bench()
    bench.one(answer(200, WindowFacts(60, 20, 30.0, span=span)))
    pair, other = bench.ask(CHANGES, write=True, cost=2), bench.ask()
    bench.say(other, answer(200, WindowFacts(60, 10, 30.0, span=span)))
    bench.say(pair, answer(200, WindowFacts(60, 12, 30.0, span=span)), more=True)
    bench.say(pair, answer(200, WindowFacts(60, 15, 30.0, span=span)))
    assert bench.state.window(span).remaining == 15


def test_a_window_of_which_only_the_reset_is_told_hides_no_other() -> None:
    bench = Bench()
    bench.one(
        answer(
            200, WindowFacts(60, 20, 30.0, span=LimitSpan.MINUTE), WindowFacts(None, None, 500.0, span=LimitSpan.DAY)
        )
    )
    assert (bench.state.minute.remaining, bench.state.day.spoken) == (20, False)


def test_an_answer_without_a_word_is_one_request_of_both_windows() -> None:
    bench = Bench()
    bench.one(
        answer(200, WindowFacts(60, 20, 30.0, span=LimitSpan.MINUTE), WindowFacts(1000, 500, 900.0, span=LimitSpan.DAY))
    )
    bench.one(answer(200))
    assert (bench.state.minute.remaining, bench.state.day.remaining) == (19, 499)


def test_one_request_is_out_of_flight_with_its_answer_whatever_else_was_meant_to_follow() -> None:
    bench = Bench()
    bench.warm(20)
    bench.say(bench.ask(), answer(200, remaining=19), more=True)
    assert bench.state.flights == ()


def test_who_was_let_out_and_withdrew_or_found_no_connection_was_not_counted() -> None:
    bench = Bench(plan=FREE)
    bench.feed(Withdraw(bench.ask()))
    assert bench.state.shown_quota.day.remaining == 1000
    bench.lose(bench.ask(), sent=False)
    assert bench.state.shown_quota.day.remaining == 1000


# ---------------------------------------------------------------- spent


def test_at_remaining_0_nothing_leaves_before_the_reset_and_then_no_probe_is_needed() -> None:
    bench = Bench()
    bench.warm(0, reset_in=30.0)
    assert (bench.phase, bench.waits) == (GatePhase.SPENT, 31.0)
    tickets = [bench.ask(CHANGES, write=True), bench.ask()]
    bench.pass_time(30.9)
    assert bench.left() == []
    bench.pass_time(0.1)
    assert [admit.probe for admit in bench.out] == [False, False]
    assert sorted(bench.left()) == tickets
    assert bench.phase is GatePhase.OPEN


def test_a_used_up_day_waits_for_the_day_even_if_the_minute_is_full() -> None:
    bench = Bench()
    bench.one(
        answer(200, WindowFacts(60, 59, 20.0, span=LimitSpan.MINUTE), WindowFacts(1000, 0, 5_000.0, span=LimitSpan.DAY))
    )
    assert bench.waits == 5_001.0
    bench.ask()
    bench.pass_time(5_000.0)
    assert bench.left() == []
    bench.pass_time(1.0)
    assert len(bench.left()) == 1


def test_nothing_left_and_no_word_until_when_is_a_pause_of_a_minute_with_a_probe() -> None:
    bench = Bench()
    bench.warm(0, reset_in=None)
    assert (bench.phase, bench.waits) == (GatePhase.PAUSED, 61.0)
    tickets = [bench.ask(), bench.ask()]
    bench.pass_time(61.0)
    assert bench.left() == tickets[:1]
    bench.say(tickets[0], answer(200, remaining=0, reset_in=None))
    assert (bench.phase, bench.waits, bench.left()) == (GatePhase.PAUSED, 61.0, [])


def test_a_pause_ends_no_earlier_than_the_reset_of_a_spent_window() -> None:
    bench = Bench()
    bench.warm()
    bench.one(answer(429, remaining=0, reset_in=90.0, retry_after=5.0))
    bench.ask()
    bench.pass_time(90.9)
    assert bench.left() == []
    assert bench.phase is GatePhase.PAUSED
    bench.pass_time(0.1)
    assert len(bench.left()) == 1


def test_what_has_not_left_when_another_client_used_up_the_window_is_called_back() -> None:
    bench = Bench()
    bench.warm(10)
    slow, quick = bench.ask(), bench.ask()
    bench.say(quick, answer(200, remaining=0))
    assert not may_send(bench.state, slow)


@pytest.mark.parametrize("cost", [1, 2])
def test_what_has_not_left_when_a_window_is_used_up_by_requests_that_nobody_answered_is_called_back(cost: int) -> None:
    bench = Bench()
    bench.warm(10)
    slow, quick, lost = bench.ask(CHANGES, write=True, cost=cost), bench.ask(), bench.ask()
    bench.say(quick, answer(200, remaining=1))
    assert may_send(bench.state, slow)
    bench.lose(lost)
    assert not may_send(bench.state, slow)


CLOSINGS = {
    "pause": answer(429, retry_after=10.0),
    "ban": answer(403, code="key_banned"),
    "lock": answer(401),
    "spent": answer(200, remaining=0),
    "close": None,
}


@pytest.mark.parametrize("second", CLOSINGS)
@pytest.mark.parametrize("first", CLOSINGS)
def test_what_has_not_left_when_the_gate_closes_is_called_back_however_it_closes_again(first: str, second: str) -> None:
    bench = Bench()
    bench.warm(20)
    waiting, *others = bench.ask(), bench.ask(), bench.ask()
    assert len(bench.left()) == 3
    for ticket, name in zip(others, (first, second), strict=True):
        said = CLOSINGS[name]
        if said is None:
            bench.feed(Close())
        else:
            bench.say(ticket, said)
        assert not may_send(bench.state, waiting)


def test_resume_now_forgets_a_spent_window() -> None:
    bench = Bench()
    bench.warm(0, reset_in=5_000.0)
    tickets = [bench.ask(), bench.ask()]
    bench.feed(EndPause())
    assert bench.left() == tickets[:1]


def test_resume_now_forgets_our_own_count_of_a_spent_window() -> None:
    bench = Bench(plan=Plan("small", 3, None))
    for _ in range(3):
        bench.one(answer(200))
    assert bench.phase is GatePhase.SPENT
    ticket = bench.ask()
    bench.feed(EndPause())
    assert bench.left() == [ticket]


# ---------------------------------------------------------------- our own count


def test_the_window_the_service_does_not_speak_of_is_our_own_count_and_shown_as_such() -> None:
    bench = Bench(plan=FREE)
    bench.warm(59)
    assert bench.state.shown_quota.minute == Window(60, 59, bench.clock.now().wall + 30.0)
    assert bench.state.shown_quota.day == Window(1000, 999, None, own_count=True)


def test_without_a_plan_the_window_nobody_speaks_of_is_unknown() -> None:
    bench = Bench()
    bench.warm(59)
    assert bench.state.shown_quota.day == Window()


def test_our_own_count_never_lets_more_than_the_limit_leave_in_any_minute() -> None:
    bench = Bench(plan=Plan("small", 5, None))
    left: list[float] = []
    for _ in range(400):
        ticket = bench.ask()
        if bench.left():
            left.append(bench.clock.now().steady)
            bench.say(ticket, answer(200))
        else:
            assert bench.phase is GatePhase.SPENT
        bench.pass_time(1.0)
        for number in bench.left():
            left.append(bench.clock.now().steady)
            bench.say(number, answer(200))
    assert all(later - earlier >= 60.0 for earlier, later in zip(left, left[5:], strict=False))
    assert len(left) >= 5 * 6


def test_a_request_that_never_left_is_taken_off_our_own_count() -> None:
    bench = Bench(plan=FREE)
    bench.lose(bench.ask(), sent=False)
    assert bench.state.shown_quota.day.remaining == 1000
    assert bench.state.shown_quota.minute.remaining == 60
    bench.lose(bench.ask(), sent=True)
    assert bench.state.shown_quota.day.remaining == 999


def test_a_pair_is_counted_twice_and_needs_room_for_both() -> None:
    bench = Bench(plan=FREE)
    bench.warm(2)
    pair = bench.ask(PERSON, write=True, cost=2)
    assert bench.left() == [pair]
    assert bench.state.shown_quota.day.remaining == 997
    bench.say(pair, answer(200, remaining=1), more=True)
    assert may_send(bench.state, pair)
    assert bench.ask() and bench.left() == []
    bench.say(pair, answer(200, remaining=0))
    assert bench.state.flights == ()
    lonely = Bench()
    lonely.warm(1)
    lonely.ask(PERSON, write=True, cost=2)
    assert lonely.left() == []


def test_at_the_moment_that_our_own_count_names_the_request_is_free_and_not_before() -> None:
    """A part, the 240th of the length, after the end of the one in which the request left (at 1,000 s)."""
    for span, after, plan in (
        (LimitSpan.MINUTE, 60.25, Plan("small", 3, None)),
        (LimitSpan.DAY, 86_480.0, Plan("s", None, 3)),
    ):
        bench = Bench(plan=plan)
        for _ in range(3):
            bench.one(answer(200))
        now = bench.clock.now().steady
        at = bench.state.frees_at(span, 1, now)
        assert at == now + after
        assert bench.state.free(span, at) == 3
        assert bench.state.free(span, at - 0.01) == 0


def test_of_a_window_that_had_nothing_left_only_its_limit_is_kept_when_it_is_forgotten() -> None:
    bench = Bench()
    bench.one(answer(200, WindowFacts(60, 0, 30.0, mark=1_030.0)))
    left = forget_if_spent(bench.state, LimitSpan.MINUTE, bench.clock.now().steady)
    assert left == WindowCount(60.0, limit=60, spoken=True)


def test_of_a_window_whose_end_has_come_only_its_limit_is_known() -> None:
    known = WindowCount(60.0, 60, 0, resets_at=5.0, opens_at=6.0, mark=1_005.0, spoken=True)
    assert roll(known, 5.9) is known
    assert roll(known, 6.0) == WindowCount(60.0, 60, 60, spoken=True)


def test_of_two_windows_that_are_used_up_the_later_end_counts() -> None:
    bench = Bench()
    bench.one(answer(200, WindowFacts(60, 0, 30.0), WindowFacts(1_000, 0, 5_000.0)))
    assert bench.waits == 5_001.0
    assert (
        told_spent_until(bench.state) == spent_until(bench.state, bench.clock.now().steady) == bench.state.day.opens_at
    )


# ---------------------------------------------------------------- reserves


@pytest.mark.parametrize(
    ("cls", "limit", "leaves"),
    [
        (PERSON, 60, 0), (PERSON, 1000, 0),
        (CHANGES, 60, 6), (CHANGES, 20, 5), (CHANGES, 10, 5), (CHANGES, 1000, 100), (CHANGES, 4, 2),
        (VISIBLE, 60, 9), (BACKGROUND, 60, 15), (BACKGROUND, 1000, 250), (BACKGROUND, 10, 7),
    ],
)  # fmt: skip
def test_each_class_leaves_its_share_of_the_window_to_those_before_it(cls, limit: int, leaves: int) -> None:
    for remaining, may in ((leaves, False), (leaves + 1, True)):
        bench = Bench()
        bench.warm(max(remaining, 1), limit=limit)
        if remaining == 0:
            continue
        ticket = bench.ask(cls)
        assert bench.left() == ([ticket] if may else [])


def test_changes_leave_a_share_of_the_day_too() -> None:
    bench = Bench()
    bench.one(
        answer(
            200, WindowFacts(60, 59, 20.0, span=LimitSpan.MINUTE), WindowFacts(1000, 100, 5_000.0, span=LimitSpan.DAY)
        )
    )
    bench.ask(CHANGES, write=True)
    assert bench.left() == []
    person = bench.ask(PERSON)
    assert bench.left() == [person]


# ---------------------------------------------------------------- skew


def test_the_clocks_skew_is_shown_in_whole_seconds_and_does_not_flicker() -> None:
    bench = Bench()
    shown: list[float | None] = []
    for skew in (7_200.4, 7_199.2, 7_201.9, 7_300.0):
        bench.one(AnswerFacts(200, Limits((), skew)))
        shown.append(bench.state.shown_quota.skew)
    assert shown == [7_200.0, 7_200.0, 7_200.0, 7_300.0]
