"""How long a Retry-After asks to wait, in all its forms, and by which clock."""

from __future__ import annotations

from email.utils import formatdate

import pytest

from petstore_desktop.api.headers.limit_headers import answer_facts
from tests.api.headers.test_limit_headers import DATE, WALL, facts


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("5", 5.0),
        (" 120 ", 120.0),
        ("0", 0.0),
        ("1.5", 1.5),
        ("7.", 7.0),
        ("86401", 86_401.0),
        ("31536000", 31_536_000.0),
        ("9" * 5_000, 2.0**31),
        ("0" * 5_000 + "3", 3.0),
        ("5, 10", 10.0),
        ("10, soon", 10.0),
        ("600s", 600.0),
        ("+600", 600.0),
        ("600 sec", 600.0),
        ("600 Seconds", 600.0),
        ("1.5 secs", 1.5),
        ("10 minutes", 600.0),
        ("1 min", 60.0),
        ("2 hours", 7_200.0),
        ("1h", 3_600.0),
        ("+10 minutes, 5", 600.0),
        ("5m", 300.0),  # of minutes, or of thousandths: the longer counts
        ("250 ms", 0.25),
        ("1 min 30 s", 90.0),
        ("1h2m3.5s", 3_723.5),
        ("PT5S", 5.0),
        ("P1DT2H", 93_600.0),
        ("Fri, 21 Nov 2025 04:40:30 GMT", 30.0),
        ("Friday, 21-Nov-25 04:40:30 GMT", 30.0),
        ("Fri Nov 21 04:40:30 2025", 30.0),
        ("2025-11-21T04:41:00Z", 60.0),
        ("2025-11-21t04:41:00.500 z", 60.5),
        ("2025-11-21T06:41:00+02:00", 60.0),
        (DATE, 0.0),
        ("1763700090", 90.0),  # a moment: nobody waits for 55 years
        ("+1763700090.5", 90.5),
        ("1763700090000", 90.0),
        ("1763700000", 0.0),
        ("1763699000, 1763700090", 90.0),
        ("1763700090, 120", 120.0),
        ("9999999", 9_999_999.0),
        ("1700000000", 1_700_000_000.0),  # not near: as it stands
    ],
)
def test_a_retry_after_that_can_be_read_is_obeyed_as_it_stands(value: str, seconds: float) -> None:
    assert facts(("Date", DATE), ("Retry-After", value)).retry_after == seconds


@pytest.mark.parametrize(
    "value",
    [
        "",
        "   ",
        "-5",
        "-0.5",
        "²",
        "٣",
        "5 x",
        "5m soon",
        "++5",
        "-5s",
        "٣s",
        "1 min 30",
        "PT",
        "P1M",
        "1e3",
        "0x10",
        "1_000",
        "inf",
        "nan",
        "soon",
        ".5",
        "-",
        "Fri, 21 Nov 2025 25:40:30 GMT",
        "Fri, 31 Nov 2025 04:40:30 GMT",
        "Fri, 21 Nov 2025 04:39:59 GMT",  # past: a wrong clock says the same
        "2025-11-21T04:41:00",  # no zone
        "Fri, 21 Nov 2025 ٠٤:40:30 GMT",
        "-" + "9" * 5_000,
        "1763699990",  # a moment that is past
        "1763699990000",
    ],
)
def test_a_retry_after_that_cannot_be_read_counts_as_absent(value: str) -> None:
    assert facts(("Date", DATE), ("Retry-After", value)).retry_after is None


def test_a_moment_in_thousandths_is_one_where_the_name_says_so_too() -> None:
    assert facts(("Date", DATE), ("Retry-After-Ms", "1763700090500")).retry_after == 90.5
    assert facts(("Date", DATE), ("Retry-After-Ms", "1763700090")).retry_after == 1_763_700.09


def test_a_number_that_is_a_moment_is_taken_against_each_clock_that_may_be_right() -> None:
    assert facts(("Date", DATE), ("Retry-After", "1763700090"), wall=WALL - 300.0).retry_after == 390.0
    assert facts(("Date", DATE), ("Retry-After", "1763699990"), wall=WALL - 300.0).retry_after == 290.0


def test_no_retry_after_is_none() -> None:
    assert facts(("Date", DATE)).retry_after is None


def test_of_two_retry_after_headers_the_longer_counts() -> None:
    assert facts(("Retry-After", "40"), ("retry-after", "4")).retry_after == 40.0


def test_a_date_is_taken_against_the_answers_own_date_not_against_our_clock() -> None:
    told = facts(("Date", DATE), ("Retry-After", "Fri, 21 Nov 2025 04:40:30 GMT"), wall=WALL + 7_200.0)
    assert told.retry_after == 30.0
    assert told.limits.skew == -7_200.0


LATER = "Fri, 21 Nov 2025 04:50:00 GMT"  # 600 s after DATE


@pytest.mark.parametrize(
    ("date", "wall", "known", "seconds"),
    [
        (300.0, 0.0, None, 600.0),  # its Date is five minutes ahead: our clock tells the longer wait
        (300.0, 0.0, 0.0, 600.0),
        (300.0, 0.0, 300.0, 600.0),  # as it was in all answers before
        (900.0, 0.0, None, 600.0),  # so far that what is asked for seems to be past
        (300.0, 300.0, 0.0, 600.0),  # our clock is ahead too, what was known is not
        (-300.0, 0.0, 0.0, 900.0),
        (0.0, 300.0, None, 600.0),
        (0.0, -300.0, 0.0, 900.0),
        (0.0, -7_200.0, 0.0, 600.0),  # ours is hours behind: that is no small error of a good clock
        (0.0, -7_200.0, None, 600.0),
        (7_200.0 - 600.0, 0.0, 0.0, None),  # the service's clock was set
        (None, -7_200.0, 0.0, 600.0),
        (None, -300.0, 0.0, 900.0),
        (None, 7_200.0, 0.0, 600.0),
        (None, 0.0, 300.0, 600.0),
        (None, -7_200.0, None, 7_800.0),  # nothing else tells the time
    ],
)
def test_of_clocks_that_disagree_the_longest_wait_counts(
    date: float | None, wall: float, known: float | None, seconds: float | None
) -> None:
    dated = [] if date is None else [("Date", formatdate(WALL + date, usegmt=True))]
    told = answer_facts(
        429, [*dated, ("Retry-After", LATER)], wall=WALL + wall, known=None if known is None else WALL + known
    )
    assert told.retry_after == seconds


def test_without_a_date_header_our_own_clock_must_do() -> None:
    told = facts(("Retry-After", "Fri, 21 Nov 2025 04:40:30 GMT"))
    assert (told.retry_after, told.limits.skew) == (30.0, None)


def test_a_date_without_a_date_header_is_taken_against_the_services_clock_where_that_is_known() -> None:
    """Ours is an hour ahead: by it the moment is long past, and would be no wait at all."""
    service = 1_763_700_000.0
    headers = [("Retry-After", formatdate(service + 90, usegmt=True)), ("X-RateLimit-Reset", str(int(service + 90))),
               ("X-RateLimit-Remaining", "0")]  # fmt: skip
    unknown = answer_facts(429, headers, wall=service + 3_600)
    assert unknown.retry_after is None
    known = answer_facts(429, headers, wall=service + 3_600, known=service)
    assert (known.retry_after, known.limits.windows[0].reset_in, known.limits.skew) == (90.0, 90.0, None)
    dated = answer_facts(
        429, [*headers, ("Date", formatdate(service + 30, usegmt=True))], wall=service, known=service + 80
    )
    assert dated.retry_after == 90.0  # by our clock, which may be the right one
