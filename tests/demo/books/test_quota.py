"""The limits as arithmetic, with the time handed in."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.demo.books.quota import Arrival, KeyQuota, QuotaDecision, Rules, Verdict

START = 1_800_000_000.5


def ask(ledger: KeyQuota, seconds: float, **connection: float) -> Verdict:
    """One request `seconds` after START; its connection is as new as the request unless told otherwise."""
    at = START + seconds
    opened = START + connection.get("opened", seconds)
    answered = START + connection["answered"] if "answered" in connection else 0.0
    return ledger.admit(Arrival(at, opened, answered, bool(connection.get("others"))))


def used_up(rules: Rules) -> KeyQuota:
    ledger = KeyQuota(rules)
    for _ in range(rules.minute_limit):
        assert ask(ledger, 0).decision is QuotaDecision.ADMITTED
    return ledger


def test_a_window_begins_with_its_first_request_and_lasts_its_whole_length() -> None:
    ledger = used_up(Rules(2, 100))
    assert ask(ledger, 59.9).decision is QuotaDecision.PAUSED
    ledger = used_up(Rules(2, 100))
    assert ask(ledger, 60.0).decision is QuotaDecision.ADMITTED


def test_the_reset_is_the_end_of_the_window_rounded_up() -> None:
    ledger = used_up(Rules(2, 100))
    assert ask(ledger, 10).minute.reset == int(START) + 61


def test_the_day_is_refused_until_it_ends_though_the_minute_has_room() -> None:
    ledger = KeyQuota(Rules(10, 3, minute=60, day=1000))
    for seconds in (0, 1, 100):
        assert ask(ledger, seconds).decision is QuotaDecision.ADMITTED
    refused = ask(ledger, 101)
    assert (refused.decision, refused.retry_after, refused.minute.remaining) == (QuotaDecision.PAUSED, 899, 9)


def test_a_refused_request_uses_up_nothing() -> None:
    ledger = used_up(Rules(2, 100))
    ask(ledger, 1)
    assert (ledger.minute.used, ledger.day.used) == (2, 2)


def test_a_shop_that_is_too_busy_says_so_once_and_judges_who_sends_on() -> None:
    ledger = KeyQuota(Rules(10, 100, ban_at=2))
    assert ask(ledger, 0).decision is QuotaDecision.ADMITTED
    ledger.pause(120)
    refused = ask(ledger, 1)
    assert (refused.decision, refused.retry_after, refused.inside_pause) == (QuotaDecision.PAUSED, 120, False)
    assert ask(ledger, 120.9).inside_pause
    assert ask(ledger, 121.0).decision is QuotaDecision.ADMITTED
    assert ledger.minute.used == 1


TICKS = 64  # to the second: times that a float holds exactly


@given(
    st.integers(TICKS // 2, 90 * TICKS),
    st.data(),
    st.integers(1, 5),
    st.integers(0, TICKS - 1),
    st.sampled_from(["minute", "day"]),
)
def test_waiting_exactly_the_retry_after_is_enough(
    length: int, data: st.DataObject, limit: int, fraction: int, window: str
) -> None:
    lengths = {"minute": 0.25, "day": 1e6} | {window: length / TICKS}
    ledger = KeyQuota(Rules(limit if window == "minute" else 99, limit if window == "day" else 99, **lengths, ban_at=1))
    for _ in range(limit):
        assert ask(ledger, fraction / TICKS).decision is QuotaDecision.ADMITTED
    refused_at = (fraction + data.draw(st.integers(0, length - 1))) / TICKS
    refused = ask(ledger, refused_at)
    assert refused.decision is QuotaDecision.PAUSED and refused.retry_after is not None
    assert ask(ledger, refused_at + refused.retry_after).decision is QuotaDecision.ADMITTED


def test_the_third_request_inside_a_pause_bans_and_the_ban_ends() -> None:
    ledger = used_up(Rules(1, 100, ban_at=3, ban_seconds=900))
    decisions = [ask(ledger, seconds) for seconds in (1, 2, 3, 4)]
    assert [verdict.decision for verdict in decisions] == [QuotaDecision.PAUSED] * 3 + [QuotaDecision.BANNED]
    assert [verdict.inside_pause for verdict in decisions] == [False, True, True, True]
    assert decisions[3].retry_after == 900
    assert ask(ledger, 903.9).decision is QuotaDecision.BANNED
    assert ask(ledger, 904.1).decision is QuotaDecision.ADMITTED


def test_requests_of_two_pauses_do_not_add_up_to_a_ban() -> None:
    ledger = used_up(Rules(1, 100, ban_at=2))
    for window in range(4):
        first, inside = ask(ledger, 61 * window + 1), ask(ledger, 61 * window + 2)
        assert (first.decision, inside.decision) == (QuotaDecision.PAUSED, QuotaDecision.PAUSED)
        assert ask(ledger, 61 * (window + 1)).decision is QuotaDecision.ADMITTED


def test_a_request_that_was_on_its_way_when_the_429_left_is_not_inside_the_pause() -> None:
    ledger = used_up(Rules(1, 100, ban_at=1))
    ask(ledger, 10)
    late = ask(ledger, 10.1, opened=0, answered=9)
    assert (late.decision, late.inside_pause) == (QuotaDecision.PAUSED, False)


def test_a_connection_that_was_answered_since_the_429_knows_of_the_pause() -> None:
    ledger = used_up(Rules(1, 100, ban_at=1))
    ask(ledger, 10)
    assert ask(ledger, 10.1, opened=0, answered=10.05).decision is QuotaDecision.BANNED


def test_nobody_is_on_the_way_for_longer_than_a_moment() -> None:
    ledger = used_up(Rules(1, 100, ban_at=1))
    ask(ledger, 10)
    assert ask(ledger, 10.3, opened=0, answered=9).decision is QuotaDecision.BANNED


def test_a_new_connection_is_on_the_way_only_beside_others_of_its_key() -> None:
    for others, seconds, expected in (
        (0.0, 10.005, QuotaDecision.BANNED),
        (1.0, 10.005, QuotaDecision.PAUSED),
        (1.0, 10.06, QuotaDecision.BANNED),
    ):
        ledger = used_up(Rules(1, 100, ban_at=1))
        ask(ledger, 10)
        assert ask(ledger, seconds, others=others).decision is expected


def test_a_ban_from_outside_is_told_before_it_is_held_against_anyone() -> None:
    ledger = KeyQuota(Rules(60, 100))
    ledger.ban(START, 30)
    first, second = ask(ledger, 1), ask(ledger, 2)
    assert (first.decision, first.inside_pause, first.retry_after) == (QuotaDecision.BANNED, False, 29)
    assert second.inside_pause
