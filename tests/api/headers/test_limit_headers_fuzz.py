"""Every wording of limits that the grammar allows is read exactly; everything else as nothing, and harms nothing."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta, timezone
from email.utils import format_datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from petstore_desktop.api.headers.header_values import FAR_AWAY, moment, number, seconds_until
from petstore_desktop.api.headers.limit_headers import AnswerFacts, WindowFacts, answer_facts
from petstore_desktop.domain.quota import GatePhase, LimitSpan
from tests.api.gate_machine.bench import Bench

NOW = datetime(2025, 11, 21, 4, 40, tzinfo=UTC)
WALL = NOW.timestamp()
DATE = ("Date", format_datetime(NOW, usegmt=True))
FUZZ = settings(max_examples=60, deadline=None)

LIMITS = st.integers(1, 999_999)
LEFT = st.integers(0, 999_999)
DISTANCES = st.integers(0, 9_999_999)


def read(*headers: tuple[str, str]) -> AnswerFacts:
    return answer_facts(429, [DATE, *headers], wall=WALL)


def moments_of(at: datetime) -> list[str]:
    """One moment in every form that a header may give it."""
    there = at.astimezone(timezone(timedelta(hours=-3, minutes=-30)))
    return [
        format_datetime(at, usegmt=True),
        at.strftime("%A, %d-%b-%y %H:%M:%S GMT"),
        at.strftime("%a %b ") + f"{at.day:2d}" + at.strftime(" %H:%M:%S %Y"),
        format_datetime(there),
        at.isoformat().replace("+00:00", "Z"),
        there.isoformat(),
        at.isoformat(sep=" ").lower(),
    ]


# ---------------------------------------------------------------- the grammar


@FUZZ
@given(DISTANCES, st.integers(0, 20))
def test_a_wait_in_whole_seconds_is_read_whatever_zeros_stand_before_it(seconds: int, zeros: int) -> None:
    assert read(("Retry-After", "0" * zeros + str(seconds))).retry_after == seconds


@FUZZ
@given(st.integers(0, 10**6), st.integers(0, 999_999))
def test_a_fraction_of_a_second_is_read(seconds: int, millionths: int) -> None:
    assert read(("Retry-After", f"{seconds}.{millionths:06d}")).retry_after == pytest.approx(seconds + millionths / 1e6)


@FUZZ
@given(st.lists(DISTANCES, min_size=1, max_size=5))
def test_of_several_waits_the_longest_counts_in_one_header_or_in_many(waits: list[int]) -> None:
    together = read(("Retry-After", " ,".join(map(str, waits))))
    apart = read(*(("Retry-After", str(wait)) for wait in waits))
    assert together.retry_after == apart.retry_after == max(waits)


@FUZZ
@given(st.integers(0, 40_000_000), st.data())
def test_a_moment_is_the_same_in_every_form(seconds: int, data: st.DataObject) -> None:
    at = NOW + timedelta(seconds=seconds)
    text = data.draw(st.sampled_from(moments_of(at)))
    assert moment(text) == at.timestamp()
    assert read(("Retry-After", text)).retry_after == seconds


@FUZZ
@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(-1, 6)), min_size=1, max_size=4))
def test_of_waits_and_moments_side_by_side_the_longest_counts(waits: list[tuple[int, int]]) -> None:
    values = [str(away) if form < 0 else moments_of(NOW + timedelta(seconds=away))[form] for away, form in waits]
    longest = max(away for away, _ in waits)
    assert read(("Retry-After", ", ".join(values))).retry_after == longest
    assert read(*(("Retry-After", value) for value in values)).retry_after == longest


@FUZZ
@given(st.integers(1, 10**9), st.data())
def test_a_moment_that_is_past_is_no_wait(seconds: int, data: st.DataObject) -> None:
    at = NOW - timedelta(seconds=seconds)
    assert read(("Retry-After", data.draw(st.sampled_from(moments_of(at))))).retry_after is None


@FUZZ
@given(
    st.sampled_from(["X-RateLimit", "x-ratelimit", "X-Rate-Limit", "RateLimit", "RATELIMIT"]),
    LIMITS,
    LEFT,
    DISTANCES,
    st.sampled_from(["distance", "epoch", "milliseconds", "text"]),
)
def test_a_window_is_read_in_every_family_and_form(family: str, limit: int, left: int, away: int, form: str) -> None:
    at = NOW + timedelta(seconds=away)
    reset = {
        "distance": str(away),
        "epoch": str(int(WALL) + away),
        "milliseconds": str((int(WALL) + away) * 1000),
        "text": at.isoformat(),
    }[form]
    told = read((f"{family}-Limit", str(limit)), (f"{family}-Remaining", str(left)), (f"{family}-Reset", reset))
    mark = None if form == "distance" else at.timestamp()
    assert told.limits.windows == (WindowFacts(limit, left, float(away), mark),)


PAIRS = st.tuples(LIMITS, LEFT, DISTANCES)


@FUZZ
@given(PAIRS, PAIRS, st.sampled_from(["named", "named before", "structured", "commas"]))
def test_two_windows_are_kept_apart_in_every_form(
    minute: tuple[int, int, int], day: tuple[int, int, int], form: str
) -> None:
    spans = {LimitSpan.MINUTE: minute, LimitSpan.DAY: day}
    words = ("Limit", "Remaining", "Reset")
    headers: list[tuple[str, str]]
    match form:
        case "named":
            headers = [
                (f"X-RateLimit-{w}-{s}", str(v)) for s, vs in spans.items() for w, v in zip(words, vs, strict=True)
            ]
        case "named before":
            headers = [
                (f"RateLimit-{s}-{w}", str(v)) for s, vs in spans.items() for w, v in zip(words, vs, strict=True)
            ]
        case "structured":
            headers = [
                ("RateLimit-Policy", f'"a";q={minute[0]};w=60, "b"; q={day[0]} ;w=86400'),
                ("RateLimit", f'"b";r={day[1]};t={day[2]}, "a";t={minute[2]};r={minute[1]}'),
            ]
        case _:
            headers = [(f"X-RateLimit-{w}", f"{m}, {d}") for w, m, d in zip(words, minute, day, strict=True)]
    expected = {
        WindowFacts(limit, left, float(away), None, None if form == "commas" else span)
        for span, (limit, left, away) in spans.items()
    }
    found = read(*headers).limits.windows
    assert set(found) == expected
    assert len(found) == 2


@FUZZ
@given(LIMITS, LEFT, DISTANCES)
def test_the_combined_form_is_read_in_any_order(limit: int, left: int, away: int) -> None:
    parts = [f"limit={limit}", f"remaining={left}", f"reset={away}"]
    for order in (parts, parts[::-1]):
        assert read(("RateLimit", ", ".join(order))).limits.windows == (WindowFacts(limit, left, float(away)),)


# ---------------------------------------------------------------- what is no number and no moment

RUBBISH = ["²", "٣", "-5", "-0.5", "+-5", "1e3", "0x1F", "1_000", "inf", "nan", "5x", ".5", "", "--1", "½", "5.5.5",
           "Fri, 21 Nov 2025 25:00:00 GMT", "Fri, 21 Nov 2025 04:60:00 GMT", "Sun, 30 Feb 2025 04:40:00 GMT",
           "2025-11-21T24:40:30Z", "2025-03-30T02:30:00", "2025-11-21", "Fri, 21 Nov 10000 04:40:00 GMT"]  # fmt: skip


@pytest.mark.parametrize("text", RUBBISH)
def test_rubbish_is_no_wait_and_costs_no_good_word_beside_it(text: str) -> None:
    assert read(("Retry-After", text)).retry_after is None
    assert read(("Retry-After", text), ("Retry-After", "30")).retry_after == 30.0
    told = read(("X-RateLimit-Limit", "60"), ("X-RateLimit-Remaining", "7"), ("X-RateLimit-Reset", text))
    assert told.limits.windows == (WindowFacts(60, 7, None),)


def test_five_thousand_digits_are_the_longest_wait_and_no_count() -> None:
    assert read(("Retry-After", "9" * 5_000)).retry_after == FAR_AWAY
    assert read(("Retry-After", "9" * 5_000 + ".5")).retry_after == FAR_AWAY
    told = read(
        ("X-RateLimit-Limit", "9" * 5_000), ("X-RateLimit-Remaining", "9" * 5_000), ("X-RateLimit-Reset", "9" * 5_000)
    )
    assert told.limits.windows == (WindowFacts(),)


@FUZZ
@given(st.text(max_size=80) | st.binary(max_size=80).map(lambda data: data.decode("latin-1")))
def test_any_text_is_a_finite_number_a_moment_or_nothing(text: str) -> None:
    value, at = number(text), moment(text)
    assert value is None or (text.isascii() and math.isfinite(value) and abs(value) <= 1e15)
    assert at is None or math.isfinite(at)
    wait = seconds_until(text, date=WALL)
    assert wait is None or 0.0 <= wait <= FAR_AWAY


# ---------------------------------------------------------------- bytes, down to the gate

NAMES = st.sampled_from(
    ["Date", "Retry-After", "RateLimit", "RateLimit-Policy"]
    + [f"{family}-{what}" for family in ("X-RateLimit", "RateLimit") for what in ("Limit", "Remaining", "Reset")]
    + [f"X-RateLimit-{what}-{span}" for what in ("Limit", "Remaining", "Reset") for span in ("Minute", "Day")]
)
BYTES = st.binary(max_size=60).map(lambda data: data.decode("latin-1"))
WORDS = st.lists(
    st.sampled_from(
        ["0", "1", "60", "1000", "1763700030", "1763700030000", "-", ".", ",", ";", "=", " ", "w=60", "q=60", "r=0",
         "t=5", "limit=60", "remaining=0", "reset=9", '"burst"', "²", "9" * 5_000, *moments_of(NOW), *RUBBISH]
    ),
    max_size=6,
).map("".join)  # fmt: skip
HEADERS = st.lists(st.tuples(NAMES, WORDS | BYTES), max_size=9)


@FUZZ
@given(HEADERS, st.sampled_from([200, 403, 404, 429, 500, 503]))
def test_whatever_the_headers_hold_the_gate_takes_it_and_sends_nothing_in_the_second_after_a_limit(
    headers: list[tuple[str, str]], status: int
) -> None:
    bench = Bench()
    facts = answer_facts(status, headers, wall=bench.clock.now().wall)
    bench.one(facts)
    bench.ask()
    if status == 429:
        assert bench.phase is GatePhase.PAUSED
        assert bench.waits >= 2.0
        bench.pass_time(1.99)
        assert bench.left() == []
    assert bench.state.shown_quota.minute.remaining is None or bench.state.shown_quota.minute.remaining >= 0


@FUZZ
@given(HEADERS, st.text("abcX-", min_size=1, max_size=9))
def test_the_case_of_names_and_headers_of_others_do_not_matter(headers: list[tuple[str, str]], other: str) -> None:
    shouted = [(name.upper() if index % 2 else name.lower(), value) for index, (name, value) in enumerate(headers)]
    once = answer_facts(429, headers, wall=WALL)
    assert answer_facts(429, [*shouted, (f"Z-{other}", "7")], wall=WALL) == once
