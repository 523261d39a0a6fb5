"""Whatever header tells of a limit, and however it is written: where anything told has nothing left, nothing leaves
before the last end that is told. Headers as services send them, down to the gate."""

from __future__ import annotations

from email.utils import formatdate

import pytest

from petstore_desktop.api.headers.limit_headers import Headers, answer_facts
from petstore_desktop.domain.quota import GatePhase
from tests.api.gate_machine.bench import Bench

EARLY = 0.001


def hear(bench: Bench, *headers: tuple[str, str], status: int = 200, date_ahead: float | None = 0.0) -> None:
    """One request leaves and is answered with these headers; `date_ahead`: of the clock by which windows end."""
    wall = bench.clock.now().wall
    dated: Headers = [] if date_ahead is None else [("Date", formatdate(wall + date_ahead, usegmt=True))]
    bench.one(answer_facts(status, [*dated, *headers], wall=wall))


def leaves_after(bench: Bench, leap: float = 0.0) -> float:
    """Seconds until the next request leaves: not looked at before the end of a leap, and each half after it."""
    began = bench.clock.now().steady
    ticket = bench.ask()
    bench.pass_time(leap)
    for _ in range(10_000):
        if ticket in bench.left():
            return bench.clock.now().steady - began
        bench.pass_time(0.5)
    raise AssertionError("it never leaves")


def told(limit: int | str, remaining: int | str, reset: float | str, family: str = "X-RateLimit") -> Headers:
    return [(f"{family}-Limit", str(limit)), (f"{family}-Remaining", str(remaining)), (f"{family}-Reset", str(reset))]


@pytest.mark.parametrize("ahead", [61, 62, 63, 64, 70, 89, 90, 91])
@pytest.mark.parametrize("passed", [0, 10, 40])
def test_a_window_that_is_longer_than_a_minute_is_waited_for_in_full(ahead: int, passed: int) -> None:
    bench = Bench()
    end = int(bench.clock.now().wall) + ahead
    hear(bench, *told(8, 7, end))
    bench.pass_time(passed)
    hear(bench, *told(8, 0, end))
    assert leaves_after(bench) >= ahead - passed - EARLY


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ([("X-RateLimit-Remaining-Hour", "0"), ("X-RateLimit-Reset-Hour", "1800")], 1_800),
        ([("X-RateLimit-Remaining-Hour", "0"), ("X-RateLimit-Reset", "1800")], 1_800),
        ([("RateLimit-Hour-Remaining", "0"), ("RateLimit-Hour-Reset", "300"), *told(60, 50, 5)], 300),
        ([("X-RateLimit-Remaining-Second", "0"), ("X-RateLimit-Limit-Second", "5")], 1),
        ([("X-RateLimit-Remaining-Hour", "0"), *told(60, 50, 5)], 60),  # nobody says how long
        ([*told(60, 59, 10), ("RateLimit", "r=0"), ("RateLimit-Reset", "40")], 40),
        ([*told(60, 5, 40), ("RateLimit", "r=0")], 40),
        ([*told(60, 5, 10), ("RateLimit", '"day";r=0;t=4000')], 4_000),
        ([*told(60, 5, 10), *told(1_000, 0, 4_000, "RateLimit")], 4_000),
        ([*told(60, 0, 10), *told(60, 0, 40, "RateLimit")], 40),
        ([*told(60, 0, 40), ("X-Rate-Limit-Remaining", "7")], 40),
        (told(60, "+0", 40), 40),
        (told(60, "0.0", "+40"), 40),
        (told(60, 0, "6m0s"), 360),
        (told(60, 0, "1m30s"), 90),
        (told(60, 0, "PT15M"), 900),
        (told(60, 0, "40 seconds"), 40),
        (told(60, 0, "00:01:30"), 90),
        (told(60, 0, "00:01:30.5"), 90.5),
        (told(60, 0, "1.00:00:10"), 86_410),
        (told(60, '"0"', '"90"'), 90),
        ([("RateLimit", 'limit="60", remaining="0", reset="90"')], 90),
        ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset-After", "40.5")], 40.5),
        ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset-Ms", "40500")], 40.5),
        ([("x-ratelimit-remaining-requests", "0"), ("x-ratelimit-reset-requests", "6m0s")], 360),
        ([("x-ratelimit-remaining-tokens", "0"), ("x-ratelimit-reset-tokens", "1m30s"), *told(60, 50, 5)], 90),
        ([("X-RateLimit-Requests-Remaining", "0"), ("X-RateLimit-Requests-Reset", "500")], 500),
        ([("X-RateLimit-Remaining", "0"), ("Retry-After", "40")], 40),
    ],
)
def test_every_header_that_tells_of_a_limit_is_a_wait(headers: Headers, seconds: float) -> None:
    bench = Bench()
    hear(bench, *headers)
    assert bench.phase is not GatePhase.OPEN
    assert leaves_after(bench, max(0.0, seconds - 20.0)) >= seconds - EARLY


@pytest.mark.parametrize("wait", ["6m0s", "1m30s", "PT15M", "90 seconds", "+90", "5m", "00:01:30", '"90"'])
def test_a_retry_after_in_any_form_is_waited_for_in_full(wait: str) -> None:
    bench = Bench()
    hear(bench, ("Retry-After", wait), status=429)
    seconds = {"6m0s": 360, "PT15M": 900, "5m": 300}.get(wait, 90)
    assert leaves_after(bench) >= seconds - EARLY


@pytest.mark.parametrize("thousandths", [False, True])
@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize("date_ahead", [0.0, None])
def test_a_retry_after_that_is_an_epoch_number_is_waited_for_until_then(
    thousandths: bool, status: int, date_ahead: float | None
) -> None:
    bench = Bench()
    end = int(bench.clock.now().wall) + 90
    hear(bench, ("Retry-After", str(end * 1_000 if thousandths else end)), status=status, date_ahead=date_ahead)
    assert 89 <= leaves_after(bench, 80.0) <= 95


def test_an_epoch_number_that_is_past_is_no_told_wait() -> None:
    bench = Bench()
    hear(bench, ("Retry-After", str(int(bench.clock.now().wall) - 600)), status=429)
    assert 60 - EARLY <= leaves_after(bench, 50.0) <= 63


@pytest.mark.parametrize("name", ["Retry-After-Ms", "retry-after-ms", "x-ms-retry-after-ms"])
def test_a_wait_in_thousandths_is_waited_for_in_full(name: str) -> None:
    bench = Bench()
    hear(bench, (name, "90500"), ("Retry-After", "1"), status=429)
    assert leaves_after(bench) >= 90.5 - EARLY


@pytest.mark.parametrize("ahead", [29.0, 30.0, 41.0, 90.0, 600.0])
@pytest.mark.parametrize("status", [200, 429])
def test_a_date_that_is_ahead_of_the_clock_by_which_windows_end_shortens_no_wait(ahead: float, status: int) -> None:
    bench = Bench()
    hear(bench, *told(60, 0, int(bench.clock.now().wall) + 40), status=status, date_ahead=ahead)
    assert leaves_after(bench) >= 40 - EARLY


def test_what_another_answer_says_does_not_open_what_is_used_up() -> None:
    bench = Bench()
    bench.warm(50, reset_in=500.0)
    late, spent = bench.ask(), bench.ask()
    bench.left()
    wall = bench.clock.now().wall
    bench.say(spent, answer_facts(200, told(60, 0, 300), wall=wall))
    bench.say(late, answer_facts(200, told(60, 30, 300), wall=wall))
    assert leaves_after(bench) >= 300 - EARLY


def test_what_left_before_and_does_not_say_what_is_left_opens_no_used_up_window_either() -> None:
    bench = Bench()
    bench.warm(50, reset_in=10.0)
    late = bench.ask()
    bench.left()
    bench.pass_time(30.0)
    spent = bench.ask()
    bench.left()
    wall = bench.clock.now().wall
    used_up = [("X-RateLimit-Limit", "60"), ("X-RateLimit-Remaining", "0"), ("Retry-After", "10")]
    bench.say(spent, answer_facts(429, used_up, wall=wall))
    other_end = [("X-RateLimit-Limit", "60"), ("X-RateLimit-Reset", str(int(wall) + 30))]
    bench.say(late, answer_facts(200, other_end, wall=wall))
    assert leaves_after(bench) >= 60 - EARLY


def test_a_used_up_window_is_kept_by_the_next_process_too() -> None:
    bench = Bench()
    hear(bench, ("X-RateLimit-Remaining-Hour", "0"), ("X-RateLimit-Reset-Hour", "1800"), *told(60, 50, 5))
    again = Bench(kept=bench.snapshot, clock=bench.clock)
    assert leaves_after(again) >= 1_800 - EARLY


@pytest.mark.parametrize(
    "headers",
    [
        told(60, 59, 10),
        [*told(60, 59, 10), *told(1_000, 900, 40_000, "RateLimit")],
        [("X-RateLimit-Remaining-Minute", "0"), ("X-RateLimit-Reset-Minute", "10"), ("X-RateLimit-Reset-Day", "40000")],
        [("X-RateLimit-Remaining-Minute", "0"), ("X-RateLimit-Remaining-Day", "5"), ("X-RateLimit-Reset-Day", "40000")],
        [("X-RateLimit-Policy", "0"), ("X-RateLimit-Bucket", "0"), ("X-RateLimit-Used", "0")],
    ],
)
def test_the_end_of_a_window_that_has_something_left_is_no_wait(headers: Headers) -> None:
    bench = Bench()
    hear(bench, *headers)
    assert leaves_after(bench) <= 63.0
