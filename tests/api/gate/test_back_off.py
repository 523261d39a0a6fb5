"""How long the gate waits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.api.gate.back_off import Wait, pause_length

SECONDS = st.none() | st.floats(0.0, 2.0**31)


def length(
    wait: Wait, retry_after: float | None = None, reset_in: float | None = None, strikes: int = 1, jitter: float = 1.0
) -> float:
    return pause_length(wait, retry_after=retry_after, reset_in=reset_in, strikes=strikes, jitter=jitter) - jitter


@pytest.mark.parametrize(
    ("retry_after", "reset_in", "strikes", "seconds"),
    [
        (5.0, None, 1, 5.0),
        (0.0, None, 1, 1.0),
        (0.0, None, 4, 8.0),
        (5.0, 30.0, 1, 30.0),
        (30.0, 5.0, 1, 30.0),
        (100_000.0, None, 1, 100_000.0),
        (5.0, None, 5, 16.0),
        (5.0, None, 60, 3_600.0),
        (None, 30.0, 1, 30.0),
        (None, None, 1, 60.0),
        (None, None, 2, 120.0),
        (None, None, 6, 1_920.0),
        (None, None, 7, 3_600.0),
        (None, None, 5_000, 3_600.0),
    ],
)
def test_a_429_waits_for_the_longest_of_what_was_said_and_our_back_off(
    retry_after: float | None, reset_in: float | None, strikes: int, seconds: float
) -> None:
    assert length(Wait.LIMITED, retry_after, reset_in, strikes) == seconds


@pytest.mark.parametrize(
    ("retry_after", "strikes", "seconds"),
    [
        (900.0, 1, 900.0),
        (0.0, 3, 0.0),
        (None, 1, 3_600.0),
        (None, 2, 7_200.0),
        (None, 5, 57_600.0),
        (None, 6, 86_400.0),
        (None, 99, 86_400.0),
    ],
)
def test_a_ban_waits_as_told_or_an_hour_doubling_to_a_day(
    retry_after: float | None, strikes: int, seconds: float
) -> None:
    assert length(Wait.BANNED, retry_after, None, strikes) == seconds


@pytest.mark.parametrize(("reset_in", "seconds"), [(30.0, 30.0), (0.0, 0.0), (None, 60.0)])
def test_a_spent_window_waits_for_its_reset(reset_in: float | None, seconds: float) -> None:
    assert length(Wait.SPENT, None, reset_in) == seconds


@pytest.mark.parametrize(("lost", "seconds"), [(1, 1.0), (3, 4.0), (7, 60.0), (99, 60.0)])
def test_a_lost_probe_is_tried_again_within_a_minute(lost: int, seconds: float) -> None:
    assert length(Wait.LOST_PROBE, strikes=lost) == seconds


@given(st.sampled_from(Wait), SECONDS, SECONDS, st.integers(-5, 10_000), st.floats(-10.0, 2.0))
def test_no_wait_is_ever_shorter_than_said_plus_a_second(
    wait: Wait, retry_after: float | None, reset_in: float | None, strikes: int, jitter: float
) -> None:
    waits = pause_length(wait, retry_after=retry_after, reset_in=reset_in, strikes=strikes, jitter=jitter)
    assert waits >= 1.0 + max(retry_after or 0.0, reset_in or 0.0)
