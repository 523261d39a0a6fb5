from __future__ import annotations

from datetime import date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.desk.values.dates import days_late, local_day, parse_ship_date
from tests.desk.shopkit import NOON, ZONE


@pytest.mark.parametrize(
    ("raw", "local", "zoned", "timed"),
    [
        ("2025-11-18T09:00:00Z", datetime(2025, 11, 18, 10), True, True),
        ("2025-11-18T09:00:00.123456Z", datetime(2025, 11, 18, 10, 0, 0, 123456), True, True),
        ("2025-11-18T23:30:00Z", datetime(2025, 11, 19, 0, 30), True, True),
        ("2025-11-18T09:00:00-05:00", datetime(2025, 11, 18, 15), True, True),
        ("2025-11-18T09:00:00", datetime(2025, 11, 18, 9), False, True),
        ("2025-11-18 09:00:00z", datetime(2025, 11, 18, 10), True, True),
        ("2025-11-18", datetime(2025, 11, 18), False, False),
    ],
)
def test_a_ship_date_is_read_in_the_local_zone(raw: str, local: datetime, zoned: bool, timed: bool) -> None:
    ship = parse_ship_date(raw, ZONE)
    assert (ship.raw, ship.local, ship.zoned, ship.timed) == (raw, local, zoned, timed)


@pytest.mark.parametrize("raw", ["soon", "", "2025-13-40", "0000-00-00T00:00:00Z", "18.11.2025"])
def test_rubbish_stays_what_it_is(raw: str) -> None:
    ship = parse_ship_date(raw, ZONE)
    assert (ship.raw, ship.local, ship.day) == (raw, None, None)


def test_the_edges_of_the_calendar_break_nothing() -> None:
    behind = timezone(timedelta(hours=-5))
    assert parse_ship_date("9999-12-31T23:59:59-01:00", ZONE).local is not None
    assert parse_ship_date("0001-01-01T00:00:00Z", behind).local is not None


@given(st.text())
def test_no_text_at_all_breaks_it(raw: str) -> None:
    assert parse_ship_date(raw, ZONE).raw == raw


def test_late_counts_local_days_and_only_of_what_is_not_complete() -> None:
    today = date(2025, 11, 21)
    late = parse_ship_date("2025-11-18T09:00:00Z", ZONE)
    # 23:30 UTC on the 20th is already the 21st here
    tonight = parse_ship_date("2025-11-20T23:30:00Z", ZONE)
    assert days_late(late, today, False) == 3
    assert days_late(tonight, today, False) is None
    assert days_late(late, today, True) is None
    assert days_late(late, today, None) is None
    assert days_late(parse_ship_date("soon", ZONE), today, False) is None


def test_today_is_the_local_day() -> None:
    assert local_day(NOON, ZONE) == date(2025, 11, 21)
    assert local_day(NOON + 11.5 * 3600, ZONE) == date(2025, 11, 22)
