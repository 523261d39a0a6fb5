"""Where one wait ends and another begins, to the instant, and what an event says that leaves something out."""

from __future__ import annotations

import pytest

from petstore_desktop.api.gate.answers import is_limit, is_pause
from petstore_desktop.api.gate.model import Answered, Ask, NoAnswer
from petstore_desktop.api.headers.limit_headers import WindowFacts
from petstore_desktop.domain.quota import GatePhase, LongerPause
from tests.api.gate_machine.bench import PERSON, Bench, answer, paused


def test_a_first_refusal_is_no_other_however_little_it_asks() -> None:
    assert paused(0.0).view.longer is None


@pytest.mark.parametrize(("seconds", "longer"), [(1.0, LongerPause.AGAIN), (2.0, None)])
def test_a_second_refusal_that_asks_for_as_long_as_we_would_wait_is_its_own_reason(
    seconds: float, longer: LongerPause | None
) -> None:
    bench = paused(1.0)
    bench.pass_time(2.0)
    bench.one(answer(429, retry_after=seconds))
    assert (bench.waits, bench.view.longer) == (3.0, longer)


def test_of_two_waits_that_are_told_the_longer_one_is_the_reason() -> None:
    bench = paused(1.0)
    bench.pass_time(2.0)
    bench.one(answer(429, WindowFacts(60, 0, 10.0), retry_after=1.0))
    assert (bench.waits, bench.view.longer) == (11.0, None)


def test_of_two_pauses_that_end_together_the_later_answer_says_why() -> None:
    bench = Bench()
    bench.warm()
    first, second = bench.ask(), bench.ask()
    bench.say(first, answer(429))
    assert (bench.waits, bench.view.longer) == (61.0, LongerPause.UNTOLD)
    bench.pass_time(1.0)
    bench.say(second, answer(429, retry_after=59.0))
    assert (bench.waits, bench.view.longer) == (60.0, None)


def test_a_ban_that_is_just_over_is_no_ban_any_more_for_a_late_429() -> None:
    bench = Bench()
    bench.warm()
    first, second = bench.ask(), bench.ask()
    bench.say(first, answer(403, code="key_banned", retry_after=9.0))
    bench.pass_time(10.0)
    bench.say(second, answer(429, retry_after=5.0))
    assert (bench.phase, bench.waits) == (GatePhase.PAUSED, 6.0)


def test_a_lost_probe_does_not_make_a_pause_of_the_same_end_look_shorter() -> None:
    bench = paused()
    bench.pass_time(11.0)
    probe = bench.ask()
    assert bench.left() == [probe]
    bench.say(99, answer(429, retry_after=9.0))  # to a request that nobody knows of any more
    bench.pass_time(8.0)
    bench.lose(probe)
    assert bench.waits == 2.0
    assert bench.state.closure is not None
    assert bench.state.closure.length == 10.0


def test_an_event_is_the_plainest_of_its_kind_where_it_says_no_more() -> None:
    assert Answered(1, answer()) == Answered(1, answer(), more=False, cut=False)
    assert NoAnswer(1, sent=True) == NoAnswer(1, sent=True, given_up=False)
    assert Ask(1, PERSON, write=False, idempotent=True) == Ask(1, PERSON, False, True, cost=1, retry=False)


@pytest.mark.parametrize("status", [200, 399, 400, 403, 404, 420, 425, 428, 429, 500, 502, 503, 504])
def test_what_says_when_to_come_back_is_a_pause_and_of_the_status_of_a_limit_a_limit(status: int) -> None:
    untold, told = answer(status), answer(status, retry_after=0.0)
    assert (is_limit(untold), is_pause(untold)) == (status == 429, status == 429)
    assert is_limit(told) is (status in {420, 425, 429, 503})
    assert is_pause(told) is (status >= 400)
