"""Limits as services really write them."""

from __future__ import annotations

import math
from email.utils import parsedate_to_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.api.headers.header_values import moment, number, seconds_until
from petstore_desktop.api.headers.limit_headers import AnswerFacts, WindowFacts, answer_facts
from petstore_desktop.domain.quota import LimitSpan

WALL = 1_763_700_000.0  # 2025-11-21 04:40:00 UTC
DATE = "Fri, 21 Nov 2025 04:40:00 GMT"


def facts(*headers: tuple[str, str], wall: float = WALL, status: int = 429) -> AnswerFacts:
    return answer_facts(status, headers, wall=wall)


def window(*headers: tuple[str, str], wall: float = WALL) -> WindowFacts:
    windows = facts(*headers, wall=wall, status=200).limits.windows
    assert len(windows) == 1
    return windows[0]


@pytest.mark.parametrize(
    ("text", "value"),
    [("9" * 5_000, 1e15), ("-" + "9" * 5_000, -1e15), ("999999999999999", 1e15 - 1), (" -07.50 ", -7.5), ("3.", 3.0)],
)
def test_a_number_ends_at_a_thousand_billions_either_way(text: str, value: float) -> None:
    assert number(text) == value


@pytest.mark.parametrize("prefix", ["X-RateLimit", "x-ratelimit", "X-Rate-Limit", "RateLimit"])
def test_every_family_of_names_is_read(prefix: str) -> None:
    told = window((f"{prefix}-Limit", "60"), (f"{prefix}-Remaining", "59"), (f"{prefix}-Reset", "30"))
    assert told == WindowFacts(60, 59, 30.0)


@pytest.mark.parametrize(
    ("reset", "distance", "mark"),
    [
        ("0", 0.0, None),
        ("30", 30.0, None),
        ("30.25", 30.25, None),
        ("9999999", 9_999_999.0, None),
        ("10000000", None, None),
        ("999999999", None, None),
        ("1763700030", 30.0, WALL + 30),
        ("1763700030.5", 30.5, WALL + 30.5),
        ("1763699999", 0.0, WALL - 1),
        ("1763699998", None, None),
        ("1763700030000", 30.0, WALL + 30),
        ("100000000000", None, None),
        ("2025-11-21T04:40:30Z", 30.0, WALL + 30),
        ("Fri, 21 Nov 2025 04:40:30 GMT", 30.0, WALL + 30),
        ("-1", None, None),
        ("", None, None),
        ("tomorrow", None, None),
        ("²", None, None),
        ("9" * 5_000, None, None),
    ],
)
def test_a_reset_is_a_distance_an_epoch_or_a_text_and_else_unknown(
    reset: str, distance: float | None, mark: float | None
) -> None:
    told = window(
        ("Date", DATE), ("X-RateLimit-Limit", "60"), ("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", reset)
    )
    assert (told.reset_in, told.mark) == (distance, mark)


def test_an_epoch_second_has_ten_or_eleven_digits() -> None:
    date = ("Date", "Sun, 09 Sep 2001 01:46:40 GMT")
    assert window(date, ("X-RateLimit-Reset", "1000000000")).mark == 1e9


def test_milliseconds_have_thirteen_digits() -> None:
    date = ("Date", "Sun, 09 Sep 2001 01:46:40 GMT")
    assert window(date, ("X-RateLimit-Reset", "1000000000000")).mark == 1e9
    older = ("Date", "Thu, 01 Jan 1998 00:00:00 GMT")
    assert window(older, ("X-RateLimit-Reset", "883612830000")).mark is None


@pytest.mark.parametrize(("hours", "believed"), [(25, True), (26, True), (27, False)])
def test_without_a_date_a_reset_is_believed_for_a_day_and_two_hours(hours: int, believed: bool) -> None:
    told = window(("X-RateLimit-Reset", str(int(WALL) + hours * 3_600)))
    assert told.reset_in == (hours * 3_600.0 if believed else None)


def test_one_reset_or_none_may_stand_for_two_windows() -> None:
    pairs = (("X-RateLimit-Limit", "60, 1000"), ("X-RateLimit-Remaining", "59, 7"))
    assert facts(*pairs, ("X-RateLimit-Reset", "30")).limits.windows == (
        WindowFacts(60, 59, 30.0),
        WindowFacts(1000, 7, 30.0),
    )
    assert facts(*pairs).limits.windows == (WindowFacts(60, 59), WindowFacts(1000, 7))


def test_of_values_that_are_no_pairs_the_most_careful_are_taken() -> None:
    told = window(
        ("X-RateLimit-Limit", "60"), ("X-RateLimit-Remaining", "9, 4, 5"), ("X-RateLimit-Reset", "10, 40, x, 20")
    )
    assert told == WindowFacts(60, 4, 40.0)
    resets = window(
        ("X-RateLimit-Limit", "60, 70"), ("X-RateLimit-Remaining", "9, 4"), ("X-RateLimit-Reset", "1, 2, 3")
    )
    assert resets == WindowFacts(60, 4, 3.0)


def test_of_very_many_values_the_first_eight_are_read() -> None:
    told = window(("X-RateLimit-Remaining", ", ".join(map(str, range(20, 0, -1)))))
    assert told.remaining == 13
    items = ", ".join(f'"{number}";r={number};t=5' for number in range(20))
    assert len(facts(("RateLimit", items)).limits.windows) == 8


@pytest.mark.parametrize("part", ["limit=60", "remaining=5"])
def test_the_combined_header_may_leave_parts_out(part: str) -> None:
    told = window(("RateLimit", f"{part}, reset=30"))
    assert (told.limit, told.remaining, told.reset_in) == (
        60 if "limit" in part else None,
        5 if "rem" in part else None,
        30.0,
    )


def test_names_and_values_may_have_space_around_them_and_of_two_families_the_lesser_counts() -> None:
    told = window((" X-RateLimit-Limit ", " 60 "), ("X-RateLimit-Remaining", " 5"), ("RateLimit-Remaining", "9"))
    assert told == WindowFacts(60, 5)


def test_a_policy_of_another_length_leaves_the_window_without_a_name() -> None:
    told = facts(("RateLimit-Policy", '"hours";q=500;w=7200'), ("RateLimit", '"hours";r=50;t=1800, "x";t=9'))
    assert told.limits.windows == (WindowFacts(500, 50, 1800.0),)


def test_of_several_policies_and_items_in_several_headers_all_are_read() -> None:
    told = facts(
        ("RateLimit-Policy", '"a";q=60;w=60'),
        ("RateLimit-Policy", '"b";q=1000;w=86400'),
        ("RateLimit", '"a";r=5;t=30'),
        ("RateLimit", '"b";r=7;t=3600'),
    )
    assert [window.limit for window in told.limits.windows] == [60, 1000]
    assert [window.span for window in told.limits.windows] == [LimitSpan.MINUTE, LimitSpan.DAY]


def test_the_first_date_that_can_be_read_is_the_time_of_the_answer() -> None:
    told = facts(("Date", "soon"), ("Date", DATE), ("Date", "Fri, 21 Nov 2025 05:40:00 GMT"), wall=WALL - 7.0)
    assert told.limits.skew == 7.0


def test_of_one_answer_everything_else_is_passed_on() -> None:
    told = answer_facts(418, [], wall=WALL, code="c", message="m", raw="r")
    assert told == AnswerFacts(418, code="c", message="m", raw="r")


def test_of_a_repeated_header_the_most_careful_value_counts() -> None:
    told = window(("X-RateLimit-Remaining", "5"), ("X-RateLimit-Remaining", "3"), ("X-RateLimit-Limit", "60"))
    assert told == WindowFacts(60, 3)


def test_an_epoch_reset_is_read_by_the_services_clock() -> None:
    told = window(
        ("Date", DATE), ("X-RateLimit-Limit", "60"), ("X-RateLimit-Reset", "1763700030"), wall=WALL - 86_400 * 30
    )
    assert told.reset_in == 30.0


def test_without_a_date_an_epoch_more_than_a_day_away_means_that_our_clock_is_wrong() -> None:
    assert (
        window(("X-RateLimit-Limit", "60"), ("X-RateLimit-Reset", "1763700030"), wall=WALL - 86_400 * 2).reset_in
        is None
    )


def test_without_a_date_a_reset_is_believed_up_to_the_second_of_the_26th_hour() -> None:
    for seconds, believed in ((26 * 3_600, True), (26 * 3_600 + 1, False)):
        told = window(("X-RateLimit-Remaining", "5"), ("X-RateLimit-Reset", f"{WALL + seconds:.0f}"))
        assert (told.reset_in is not None) is believed


def test_a_reset_alone_is_still_heard() -> None:
    assert window(("X-RateLimit-Reset", "30")) == WindowFacts(None, None, 30.0)


@pytest.mark.parametrize(
    ("limit", "remaining", "told"),
    [
        ("60", "0", (60, 0)),
        ("60", "-1", (60, 0)),
        ("60", "12.9", (60, 12)),
        ("-1", "-1", (None, None)),
        ("0", "0", (None, None)),
        ("unlimited", "7", (None, 7)),
        ("60;w=60", "59", (60, 59)),
        ("60, 60;w=60, 1000;w=86400", "59", (60, 59)),
        ("60", "9" * 5_000, (60, None)),
        ("60", "²", (60, None)),
        ("60", "5, 3", (60, 3)),
        ("999999999999", "999999999999", (999_999_999_999, 999_999_999_999)),
        ("1000000000000", "1000000000000", (None, None)),
        ("1", "0", (1, 0)),
    ],
)
def test_counts_are_whole_ascii_and_bounded(limit: str, remaining: str, told: tuple[int | None, int | None]) -> None:
    found = window(("X-RateLimit-Limit", limit), ("X-RateLimit-Remaining", remaining))
    assert (found.limit, found.remaining) == told


@pytest.mark.parametrize(
    ("headers", "window"),
    [
        ((("X-RateLimit-Remaining", "5"), ("RateLimit-Reset", "40")), WindowFacts(None, 5, 40.0)),
        (
            (("X-RateLimit-Limit", "60"), ("X-RateLimit-Reset", "1763700030"), ("RateLimit", '"a";r=7;t=32')),
            WindowFacts(60, 7, 30.0, WALL + 30, late=2.0),
        ),
        (
            (("X-RateLimit-Remaining-Hour", "5"), ("RateLimit-Limit", "60"), ("RateLimit-Remaining", "4")),
            WindowFacts(60, 4, span=LimitSpan.HOUR),
        ),
        (
            (
                *(("X-RateLimit-Limit", "60"), ("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1763699950")),
                ("RateLimit", "r=0;t=2"),
            ),
            WindowFacts(60, 0, late=2.0, past=True),
        ),
        (
            (("X-RateLimit-Limit", "60"), ("X-RateLimit-Remaining", "0"), ("RateLimit", "r=0;t=2")),
            WindowFacts(60, 0, 2.0),
        ),
        ((("X-RateLimit-Remaining-Tokens", "5"),), WindowFacts(None, 5, other=True)),
        ((("X-RateLimit-Remaining-Requests", "5"),), WindowFacts(None, 5)),
    ],
)
def test_what_several_families_say_of_one_window_is_put_together(
    headers: tuple[tuple[str, str], ...], window: WindowFacts
) -> None:
    assert facts(("Date", DATE), *headers).limits.windows == (window,)


def test_a_window_of_which_so_much_is_left_is_not_the_one_of_which_less_is() -> None:
    """Its limit was no number, so it was put to the hour, and what was left of the minute was lost."""
    headers = [("RateLimit-Limit", "--"), ("RateLimit-Remaining", "5"), ("X-RateLimit-Limit-Hour", "9")]
    found = facts(("Date", DATE), *headers, ("X-RateLimit-Remaining-Hour", "2")).limits.windows
    assert sorted((one.remaining, one.span) for one in found) == [(2, LimitSpan.HOUR), (5, None)]


@pytest.mark.parametrize("form", ["X-RateLimit-{what}-{span}", "X-RateLimit-{span}-{what}", "RateLimit-{what}-{span}"])
def test_windows_that_are_named_are_kept_apart(form: str) -> None:
    headers = [
        (form.format(what=what, span=span), value)
        for span, values in (("Minute", ("60", "59", "30")), ("Day", ("1000", "7", "3600")))
        for what, value in zip(("Limit", "Remaining", "Reset"), values, strict=True)
    ]
    assert facts(*headers).limits.windows == (
        WindowFacts(60, 59, 30.0, None, LimitSpan.MINUTE),
        WindowFacts(1000, 7, 3600.0, None, LimitSpan.DAY),
    )


def test_pairs_in_one_header_are_two_windows() -> None:
    told = facts(
        ("X-RateLimit-Limit", "60, 1000"), ("X-RateLimit-Remaining", "59, 7"), ("X-RateLimit-Reset", "30, 3600")
    )
    assert told.limits.windows == (WindowFacts(60, 59, 30.0), WindowFacts(1000, 7, 3600.0))


def test_the_combined_header_is_read() -> None:
    assert window(("RateLimit", "limit=100, remaining=50, reset=30")) == WindowFacts(100, 50, 30.0)


def test_the_structured_header_is_read_with_its_policy() -> None:
    told = facts(
        ("RateLimit-Policy", '"burst";q=60;w=60, "daily";q=1000;w=86400'),
        ("RateLimit", '"burst";r=50;t=30, "daily";r=7;t=3600'),
    )
    assert told.limits.windows == (
        WindowFacts(60, 50, 30.0, None, LimitSpan.MINUTE),
        WindowFacts(1000, 7, 3600.0, None, LimitSpan.DAY),
    )


def test_an_answer_without_limits_says_nothing_of_windows() -> None:
    assert facts(("Content-Type", "text/html")).limits.windows == ()


NAMES = st.sampled_from(
    ["Date", "Retry-After", "RateLimit", "RateLimit-Policy"]
    + [f"{prefix}-{what}" for prefix in ("X-RateLimit", "RateLimit") for what in ("Limit", "Remaining", "Reset")]
    + ["X-RateLimit-Remaining-Day", "X-RateLimit-Minute-Reset"]
)
PIECES = st.sampled_from(
    ["0", "7", "60", "-", ".", ",", ";", "=", " ", "w", "r", "t", "limit", "remaining", "reset", "²", "e9", ":", "GMT",
     "Fri, 21 Nov 2025 04:40:30 GMT", "2025-11-21T25:00:00Z", "1763700030", "9" * 5_000, '"burst"', "\x00"]
)  # fmt: skip
VALUES = st.lists(PIECES, max_size=8).map("".join) | st.binary(max_size=40).map(lambda data: data.decode("latin-1"))


@given(st.lists(st.tuples(NAMES, VALUES), max_size=8))
def test_no_header_can_break_the_reading_or_bring_a_number_that_makes_no_sense(headers: list[tuple[str, str]]) -> None:
    told = facts(*headers)
    assert told.retry_after is None or 0.0 <= told.retry_after <= 2.0**31
    for found in told.limits.windows:
        assert found.limit is None or 0 < found.limit < 10**12
        assert found.remaining is None or 0 <= found.remaining < 10**12
        assert found.reset_in is None or (0.0 <= found.reset_in <= 1e7 and math.isfinite(found.reset_in))


@pytest.mark.parametrize(
    "text",
    ["Fri, 21 Nov 2025 10:00:60 GMT", "Friday, 21-Nov-25 10:00:60 GMT", "Fri Nov 21 10:00:60 2025",
     "2025-11-21T10:00:60Z"],
)  # fmt: skip
def test_a_leap_second_is_a_moment(text: str) -> None:
    minute = parsedate_to_datetime("Fri, 21 Nov 2025 10:01:00 GMT").timestamp()
    assert moment(text) == minute
    assert seconds_until(text, date=minute - 30.0) == 30.0


def test_no_other_second_or_minute_is_beyond_its_end() -> None:
    for text in ("Fri, 21 Nov 2025 10:00:61 GMT", "Fri, 21 Nov 2025 10:60:00 GMT", "Fri, 21 Nov 2025 10:00:600 GMT"):
        assert moment(text) is None
