"""Why what waits does not leave, read from the gate and the windows."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from petstore_desktop.domain.quota import Cause, GatePhase, GateView, Hold, Quota, Window
from petstore_desktop.domain.send_block import DAY_ABOVE, quota_in, send_block_of

NOW = 1_764_000_000.0
FREE = Quota(Window(60, 40, NOW + 30.0), Window(1000, 900, None, own_count=True), skew=7.0)


def view(phase: GatePhase, seconds: float = 30.0, status: int | None = None) -> GateView:
    return GateView(phase, NOW, NOW + seconds, "slow down", status, length=seconds)


def cause(gate: GateView, quota: Quota = FREE) -> Cause:
    blocked = send_block_of(gate, quota, 3)
    assert blocked is not None
    return blocked.cause


def day(remaining: int | None, limit: int | None = 1000) -> Quota:
    return replace(FREE, day=Window(limit, remaining, NOW + 9_000.0))


def test_an_open_gate_stops_nothing() -> None:
    assert send_block_of(GateView(), FREE, 0) is None
    assert send_block_of(GateView(), FREE, 5) is None
    assert send_block_of(GateView(), Quota(), 5) is None


@pytest.mark.parametrize(
    ("gate", "expected"),
    [
        (view(GatePhase.BANNED, status=403), Cause.BANNED),
        (view(GatePhase.LOCKED, status=401), Cause.LOCKED),
        (view(GatePhase.PROBING, status=429), Cause.PROBING),
        (view(GatePhase.PAUSED, status=429), Cause.ASKED),
        (view(GatePhase.PAUSED, status=None), Cause.ASKED),
        (view(GatePhase.PAUSED, status=503), Cause.BUSY),
        (view(GatePhase.PAUSED, 90_000.0, status=503), Cause.BUSY),
        (view(GatePhase.PAUSED, status=200), Cause.UNTOLD),
        (view(GatePhase.PAUSED, status=404), Cause.ASKED),
    ],
)
def test_what_the_service_answered_is_the_cause(gate: GateView, expected: Cause) -> None:
    assert cause(gate) is expected


def test_a_long_wait_after_a_429_is_about_the_day_and_an_hours_back_off_is_not() -> None:
    assert cause(view(GatePhase.PAUSED, 3_602.0, 429)) is Cause.ASKED
    assert cause(view(GatePhase.PAUSED, DAY_ABOVE, 429)) is Cause.ASKED
    assert cause(view(GatePhase.PAUSED, DAY_ABOVE + 1, 429)) is Cause.DAY
    assert cause(view(GatePhase.PAUSED, 30.0, 429), day(0)) is Cause.DAY


def test_a_wait_of_more_than_a_day_is_no_used_up_day_unless_the_day_itself_says_so() -> None:
    assert cause(view(GatePhase.PAUSED, 90_000.0, 429)) is Cause.DAY
    assert cause(view(GatePhase.PAUSED, 2_147_483_648.0, 429)) is Cause.ASKED
    assert cause(view(GatePhase.PAUSED, 2_147_483_648.0, 429), day(0)) is Cause.DAY


def test_a_used_up_window_is_named_and_of_two_the_day() -> None:
    minute = replace(FREE, minute=Window(60, 0, NOW + 30.0))
    blocked = send_block_of(view(GatePhase.SPENT), minute, 0)
    assert blocked is not None
    assert (blocked.cause, blocked.window, blocked.until, blocked.skew) == (
        Cause.MINUTE,
        minute.minute,
        NOW + 30.0,
        7.0,
    )
    spent = day(0)
    blocked = send_block_of(view(GatePhase.SPENT, 9_000.0), spent, 0)
    assert blocked is not None
    assert (blocked.cause, blocked.window) == (Cause.DAY, spent.day)
    assert cause(view(GatePhase.SPENT, 9_000.0), replace(spent, minute=minute.minute)) is Cause.DAY


@pytest.mark.parametrize(("seconds", "expected"), [(60.0, Cause.MINUTE), (90.0, Cause.MINUTE), (91.0, Cause.DAY)])
def test_after_a_restart_the_length_of_the_wait_tells_which_window_it_was(seconds: float, expected: Cause) -> None:
    assert cause(view(GatePhase.SPENT, seconds), Quota(Window(60), Window(1000))) is expected
    assert cause(replace(view(GatePhase.SPENT, seconds), until=None)) is Cause.MINUTE
    assert cause(replace(view(GatePhase.SPENT, seconds), since=None)) is Cause.MINUTE


@pytest.mark.parametrize(
    ("gate", "asks"),
    [
        (view(GatePhase.PAUSED, 86_402.0, 429), False),
        (view(GatePhase.PAUSED, 90_001.0, 429), True),
        (view(GatePhase.PAUSED, 86_402.0, 503), True),
        (view(GatePhase.BANNED, 86_402.0, 403), True),
    ],
)
def test_a_person_is_asked_about_a_long_wait_but_not_about_the_whole_of_a_day(gate: GateView, asks: bool) -> None:
    blocked = send_block_of(replace(gate, ask_person=True), FREE, 0)
    assert blocked is not None
    assert blocked.asks is asks
    assert not replace(blocked, gate=gate).asks


@pytest.mark.parametrize(("cause", "left"), [("share", 100), ("minute-share", 40), ("turn", None)])
def test_what_holds_back_changes_at_the_gate_is_why_they_wait(cause: str, left: int | None) -> None:
    gate = GateView(hold=Hold(Cause(cause), NOW + 9_000.0))
    blocked = send_block_of(gate, day(100), 1)
    assert blocked is not None
    assert (blocked.cause.value, blocked.until, blocked.window.remaining) == (cause, NOW + 9_000.0, left)
    assert send_block_of(gate, day(100), 0) is None
    offline = send_block_of(gate, day(100), 1, NOW)
    assert offline is not None and offline.cause is Cause.OFFLINE


def test_a_day_that_the_service_calls_used_up_is_shown_so_whatever_our_own_count_has_left() -> None:
    told = send_block_of(view(GatePhase.PAUSED, 20_000.0, 429), FREE, 1)
    shown = quota_in(told, FREE)
    assert shown.day == Window(1000, 0, NOW + 20_000.0)
    assert (shown.minute, shown.skew) == (FREE.minute, FREE.skew)
    assert quota_in(send_block_of(view(GatePhase.PAUSED, 30.0, 429), FREE, 1), FREE) is FREE
    assert quota_in(None, FREE) is FREE
    counted = replace(FREE, day=Window(1000, 0, NOW + 50.0, own_count=True))
    assert quota_in(send_block_of(view(GatePhase.SPENT, 50.0), counted, 1), counted) is counted


def test_without_a_key_nothing_leaves_though_the_gate_is_open() -> None:
    blocked = send_block_of(GateView(), FREE, 3, 5.0, keyless=True)
    assert blocked is not None and blocked.cause is Cause.NO_KEY
    paused = send_block_of(view(GatePhase.PAUSED, 30.0, 429), FREE, 3, keyless=True)
    assert paused is not None and paused.cause is Cause.ASKED
