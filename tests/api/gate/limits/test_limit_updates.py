"""What the service says of its windows is believed, with care."""

from __future__ import annotations

import pytest

from petstore_desktop.api.gate.model import EndPause
from petstore_desktop.api.headers.limit_headers import AnswerFacts, WindowFacts
from petstore_desktop.domain.quota import PLANS, GatePhase, LimitSpan, Quota, Window
from tests.api.gate_machine.bench import CHANGES, Bench, High, answer

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


@pytest.mark.parametrize("said", [answer(200, WindowFacts(60, None, 30.0)), answer(200)])
def test_one_that_does_not_say_what_is_left_takes_one_from_what_the_others_have_crossed(said: AnswerFacts) -> None:
    bench = Bench()
    bench.warm(50)
    first, second, third = bench.ask(), bench.ask(), bench.ask()
    bench.say(first, answer(200, remaining=1))
    bench.say(second, said)
    bench.say(third, answer(200, remaining=3))
    assert bench.state.minute.remaining == 0


def test_of_a_late_answer_about_the_window_before_only_the_wait_is_heeded() -> None:
    bench = Bench()
    bench.one(answer(200, WindowFacts(60, 20, 5.0, mark=1000.0)))
    late, quick = bench.ask(), bench.ask()
    bench.pass_time(10.0)
    bench.say(quick, answer(200, WindowFacts(60, 58, 55.0, mark=1060.0)))
    bench.say(late, answer(200, WindowFacts(60, 0, 0.0, mark=1000.0)))
    assert bench.state.minute.remaining == 57  # one less, to be careful
    assert (bench.phase, bench.waits) == (GatePhase.SPENT, 1.0)


@pytest.mark.parametrize(
    ("remaining", "mark", "left"), [(0, 1058.0, 57), (0, 1057.0, 57), (1, 1059.0, 57), (1, 1060.0, 1)]
)
def test_of_two_windows_the_later_one_is_counted_and_any_with_nothing_left_is_waited_for(
    remaining: int, mark: float, left: int
) -> None:
    bench = Bench()
    bench.one(answer(200, WindowFacts(60, 59, 55.0, mark=1060.0)))
    late, quick = bench.ask(), bench.ask()
    bench.say(quick, answer(200, WindowFacts(60, 58, 55.0, mark=1060.0)))
    bench.say(late, answer(200, WindowFacts(60, remaining, 55.0, mark=mark)))
    assert bench.state.minute.remaining == left
    assert bench.phase is (GatePhase.OPEN if remaining else GatePhase.SPENT)


def test_what_left_before_a_window_was_spent_does_not_open_it_again() -> None:
    bench = Bench()
    bench.warm(10)
    first, second, third = bench.ask(), bench.ask(), bench.ask()
    bench.say(first, answer(200, remaining=0, reset_in=5.0))
    bench.say(second, answer(200, remaining=40, reset_in=60.0))
    assert (bench.phase, bench.waits) == (GatePhase.SPENT, 6.0)
    bench.say(third, answer(200, remaining=0, reset_in=7.0))
    assert bench.waits == 8.0


def test_what_left_before_a_window_was_spent_whose_end_nobody_told_does_not_open_it() -> None:
    """Found by the gate's machine, episode 834706:553: two answers of another minute opened it 29 s early."""
    bench = Bench()
    bench.warm(10, reset_in=None)
    first, second, third = bench.ask(), bench.ask(), bench.ask()
    bench.say(first, answer(429, remaining=0, reset_in=None, retry_after=5.0))
    shut = bench.state.minute.opens_at
    bench.say(second, answer(200, WindowFacts(100_000, 99_999, 30.0, mark=1030.0)))
    bench.say(third, answer(200, WindowFacts(100_000, 99_999, 30.0, mark=1030.0)))
    assert (bench.state.minute.remaining, bench.state.minute.opens_at) == (0, shut)


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


def test_what_is_missing_beyond_our_own_was_taken_by_others_and_is_forgotten_slowly() -> None:
    bench = Bench()

    def said(remaining: int, mark: float) -> int:
        bench.one(answer(200, WindowFacts(60, remaining, 30.0, mark=mark)))
        return bench.state.shown_quota.minute.others

    assert [said(59, 1030.0), said(38, 1030.0), said(37, 1030.0)] == [0, 20, 20]
    bench.pass_time(60.0)
    assert [said(59, 1090.0), said(43, 1090.0)] == [15, 15]
    bench.pass_time(60.0)
    assert said(59, 1150.0) == 11


def test_a_window_whose_reset_has_passed_is_taken_to_be_full() -> None:
    bench = Bench()
    bench.warm(3, reset_in=30.0)
    bench.pass_time(30.9)
    assert bench.state.minute.remaining == 3
    bench.pass_time(0.1)
    assert bench.state.shown_quota.minute == Window(60, 60, None, others=56)
    assert bench.told(Quota)


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


@pytest.mark.parametrize(
    ("facts", "seconds"),
    [
        (WindowFacts(60, 0, 59.0, mark=1000.0), 60.0),
        (WindowFacts(60, 0, 62.0, mark=1000.0), 63.0),
        (WindowFacts(60, 0, 63.5, mark=1000.0), 64.5),
        (WindowFacts(60, 0, 30.0, mark=1000.0, late=12.0), 43.0),
        (WindowFacts(60, 0, None, late=1_800.0), 1_801.0),
        (WindowFacts(60, 0, 62.0), 63.0),
        (WindowFacts(1000, 0, 62.0, mark=1000.0, span=LimitSpan.DAY), 63.0),
        (WindowFacts(1000, 0, 86_401.5, mark=1000.0, span=LimitSpan.DAY), 86_402.5),
    ],
)
def test_a_used_up_window_ends_at_the_latest_end_that_is_told_of_it(facts: WindowFacts, seconds: float) -> None:
    bench = Bench(chance=High())
    bench.one(answer(200, facts))
    assert bench.phase is (GatePhase.SPENT if facts.reset_in is not None else GatePhase.PAUSED)
    assert bench.waits == pytest.approx(seconds, abs=1e-6)


def test_each_answer_says_anew_when_a_minute_ends() -> None:
    bench = Bench()
    bench.one(answer(200, WindowFacts(60, 59, 62.0, mark=1000.0)))
    bench.pass_time(20.0)
    bench.one(answer(200, WindowFacts(60, 58)))
    bench.one(answer(200, WindowFacts(60, 0, 42.0, mark=1000.0)))
    assert bench.waits == pytest.approx(43.0, abs=1e-6)
    bench.pass_time(43.1)
    bench.one(answer(200, WindowFacts(60, 0, 62.0, mark=1060.0)))
    assert bench.waits == pytest.approx(63.0, abs=1e-6)


def test_a_minute_that_begins_anew_before_its_end_is_another_one() -> None:
    bench = Bench()
    bench.one(answer(200, WindowFacts(60, 59, 62.0, mark=1000.0)))
    bench.pass_time(20.0)
    bench.one(answer(200, WindowFacts(60, 0, 62.0, mark=1020.0)))
    assert bench.waits == pytest.approx(63.0, abs=1e-6)


def test_what_a_person_did_away_with_is_not_remembered_of_the_next_window() -> None:
    bench = Bench()
    bench.one(answer(200, WindowFacts(60, 0, 62.0, mark=1000.0)))
    bench.pass_time(20.0)
    bench.feed(EndPause())
    bench.one(answer(200, WindowFacts(60, 0, 45.0, mark=1000.0)))
    assert bench.waits == pytest.approx(46.0, abs=1e-6)


def test_an_answer_that_is_silent_about_the_other_window_counts_as_one_request_there() -> None:
    bench = Bench()
    day, minute = WindowFacts(1000, 500, 5_000.0, span=LimitSpan.DAY), WindowFacts(60, 50, 30.0, span=LimitSpan.MINUTE)
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


@pytest.mark.parametrize(("limit", "left", "known"), [(70, None, (70, 9)), (None, 5, (60, 5))])
def test_a_limit_without_what_is_left_is_believed_and_so_is_what_is_left_without_a_limit(
    limit: int | None, left: int | None, known: tuple[int, int]
) -> None:
    bench = Bench()
    bench.warm(10)
    bench.one(answer(200, WindowFacts(limit, left, 30.0)))
    assert (bench.state.minute.limit, bench.state.minute.remaining) == known


@pytest.mark.parametrize(("reset_in", "mark"), [(33.0, 1_030.0), (31.0, 1_060.0)])
def test_of_a_new_window_that_does_not_say_what_is_left_nobody_knows(reset_in: float, mark: float) -> None:
    bench = Bench()
    bench.one(answer(200, WindowFacts(60, 20, 30.0, mark=1_030.0)))
    bench.one(answer(200, WindowFacts(60, 19, 30.0, mark=1_030.0)))
    bench.one(answer(200, WindowFacts(60, None, reset_in, mark=mark if reset_in == 31.0 else None)))
    assert bench.state.minute.remaining is None


@pytest.mark.parametrize(("earlier", "left"), [(0.0, 20), (2.0, 20), (3.0, 47)])
def test_resets_within_two_seconds_of_each_other_are_one_windows(earlier: float, left: int) -> None:
    """Further apart, and the answer is a late one about the window before, and counts as one request."""
    bench = Bench()
    bench.warm(50)
    late, quick = bench.ask(), bench.ask()
    bench.say(quick, answer(200, remaining=48, reset_in=30.0))
    bench.say(late, answer(200, remaining=20, reset_in=30.0 - earlier))
    assert bench.state.minute.remaining == left


@pytest.mark.parametrize(("later", "left"), [(2.0, 48), (3.0, 49)])
def test_a_reset_more_than_two_seconds_later_is_a_new_windows(later: float, left: int) -> None:
    bench = Bench()
    bench.warm(50)
    late, quick = bench.ask(), bench.ask()
    bench.say(quick, answer(200, remaining=48, reset_in=30.0))
    bench.say(late, answer(200, remaining=49, reset_in=30.0 + later))
    assert bench.state.minute.remaining == left


def test_what_a_request_on_its_way_has_met_is_not_forgotten_for_an_answer_that_names_no_reset() -> None:
    bench = Bench()
    bench.one(answer(200, WindowFacts(60, 50, 30.0, mark=1_060.0)))
    late, one, two = bench.ask(), bench.ask(), bench.ask()
    bench.say(one, answer(200, WindowFacts(60, 48, 30.0, mark=1_060.0)))
    bench.say(two, answer(200, WindowFacts(60, 47, None)))
    bench.say(late, answer(200, WindowFacts(60, 1, 1.0, mark=1_000.0)))
    assert bench.state.minute.remaining == 46  # the late one is about the window before


def test_a_service_that_speaks_of_the_day_alone_has_spoken() -> None:
    bench = Bench()
    bench.one(answer(200, WindowFacts(1000, 500, 5_000.0, span=LimitSpan.DAY)))
    bench.ask()
    bench.ask()
    assert len(bench.left()) == 2


def test_an_answer_that_names_no_reset_does_not_make_a_known_one_forgotten() -> None:
    bench = Bench()
    bench.one(
        answer(200, WindowFacts(1000, 0, 5_000.0, span=LimitSpan.DAY), WindowFacts(60, 59, 20.0, span=LimitSpan.MINUTE))
    )
    late = Bench()
    late.one(answer(200, remaining=10, limit=60))
    slow, quick = late.ask(), late.ask()
    late.say(quick, answer(200, WindowFacts(1000, 0, 5_000.0, span=LimitSpan.DAY)))
    late.say(slow, answer(429, WindowFacts(1000, 0, None, span=LimitSpan.DAY), retry_after=1.0))
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


def test_what_a_request_on_its_way_has_met_is_not_forgotten_for_an_answer_of_the_window_before() -> None:
    bench = Bench()
    bench.one(answer(200, WindowFacts(60, 59, 55.0, mark=1060.0)))
    late, quick = bench.ask(), bench.ask()
    bench.say(quick, answer(200, WindowFacts(60, 58, 55.0, mark=1060.0)))
    bench.left()
    bench.one(answer(200, WindowFacts(60, 20, 5.0, mark=1000.0)))  # which left after the answer before, and says so
    bench.say(late, answer(200, WindowFacts(60, 0, 5.0, mark=1000.0)))
    assert (bench.phase, bench.state.minute.remaining) == (GatePhase.SPENT, 19)


def test_a_used_up_window_stays_used_up_where_the_next_answer_does_not_say_what_is_left() -> None:
    """It went below nothing, which was taken for something left: the probe left when the shorter told wait was over."""
    bench = Bench()
    bench.warm(7, limit=8, reset_in=None)
    first, second = bench.ask(), bench.ask()
    bench.say(first, answer(429, WindowFacts(8, 0, None), retry_after=30.0))
    bench.say(second, answer(429, WindowFacts(8, None, None), retry_after=30.0))
    assert bench.state.minute.remaining == 0
    bench.left()
    probe = bench.ask()
    bench.pass_time(45.0)
    assert bench.left() == []
    bench.pass_time(20.0)
    assert bench.left() == [probe]
