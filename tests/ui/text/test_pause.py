"""What the window says when nothing is sent: in each place its own words for each cause, all three parts of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import pytest
from msgspec.structs import replace

from petstore_desktop.domain.batches import Price
from petstore_desktop.domain.quota import ONLY_CHANGES, Cause, GatePhase, GateView, Hold, LongerPause, Quota, Window
from petstore_desktop.domain.send_block import SendBlock
from petstore_desktop.ui.status.pause_banner import banner_words, fraction_left
from petstore_desktop.ui.text import status as words_state
from petstore_desktop.ui.text.changes import change as words_change
from petstore_desktop.ui.text.pause import clock_words, send_block_words
from petstore_desktop.ui.text.prices import cost_words
from petstore_desktop.ui.text.times import clock_difference

NOW = datetime(2025, 11, 21, 18, 48).astimezone().timestamp()
SEVEN_HOURS = 7 * 3600 + 12 * 60


NO_WINDOW = Window()


def send_block(
    cause: Cause, seconds: float = 47.0, window: Window = NO_WINDOW, skew: float | None = None, **view: Any
) -> SendBlock:
    said: dict[str, Any] = {"phase": GatePhase.PAUSED, "reason": "slow down", "status": 429, "raw": "{}"}
    gate = GateView(**{**said, "since": NOW, "until": NOW + seconds, **view})
    return SendBlock(cause, gate, NOW + seconds, window, skew)


DAY = Window(1000, 960, None, own_count=True)
SEND_BLOCKS: Mapping[Cause, SendBlock] = {
    Cause.MINUTE: send_block(Cause.MINUTE, window=Window(60, 0, NOW + 47)),
    Cause.DAY: send_block(Cause.DAY, SEVEN_HOURS, DAY),
    Cause.SHARE: send_block(Cause.SHARE, SEVEN_HOURS, Window(1000, 94, NOW + SEVEN_HOURS)),
    Cause.MINUTE_SHARE: send_block(Cause.MINUTE_SHARE, window=Window(60, 6, NOW + 30)),
    Cause.TURN: send_block(Cause.TURN),
    Cause.ASKED: send_block(Cause.ASKED),
    Cause.BUSY: send_block(Cause.BUSY),
    Cause.UNTOLD: send_block(Cause.UNTOLD),
    Cause.BANNED: send_block(Cause.BANNED, 900),
    Cause.PROBING: send_block(Cause.PROBING),
    Cause.LOCKED: send_block(Cause.LOCKED),
    Cause.NO_KEY: replace(send_block(Cause.NO_KEY), until=None),
    Cause.OFFLINE: replace(send_block(Cause.OFFLINE), until=None, since=NOW),
}
PLACES: Mapping[str, Callable[[SendBlock], str]] = {
    "title of the banner": lambda one: send_block_words(one, 4, NOW).title,
    "banner with changes": lambda one: send_block_words(one, 4, NOW).detail,
    "banner without": lambda one: send_block_words(one, 0, NOW).detail,
    "status bar": lambda one: words_state.connection_words("Shop", "live", None, one, NOW)[1],
    "change": lambda one: words_change.change_sentence("change.unsent", {"at": NOW, "next": True}, NOW, one),
}


def test_every_cause_has_an_example() -> None:
    assert set(SEND_BLOCKS) == set(Cause)


@pytest.mark.parametrize("place", PLACES)
def test_no_two_causes_have_the_same_words(place: str, british: None) -> None:
    said = {cause: PLACES[place](one) for cause, one in SEND_BLOCKS.items()}
    assert len(set(said.values())) == len(said), said
    assert not [words for words in said.values() if "{" in words or "  " in words]


@pytest.mark.parametrize("cause", Cause)
@pytest.mark.parametrize("waiting", [0, 1, 4])
def test_every_cause_says_what_happened_what_is_safe_and_what_to_do(cause: Cause, waiting: int, british: None) -> None:
    words = send_block_words(SEND_BLOCKS[cause], waiting, NOW)
    assert words.title and words.do.endswith(".")
    assert "this computer" in words.safe
    assert f"{waiting} change" in words.safe or waiting < 2
    if waiting:
        assert "saved" in words.safe
    assert not words.notes
    assert words.detail.count("  ") == 0
    assert "1 change wait," not in words.safe


@pytest.mark.parametrize("cause", Cause)
def test_a_change_that_waits_never_says_that_it_is_next(cause: Cause) -> None:
    for one in (SEND_BLOCKS[cause], replace(SEND_BLOCKS[cause], until=None)):
        said = PLACES["change"](one)
        assert said.startswith("Saved on this computer")
        assert "Goes out next." not in said and "in its turn" not in said


def test_the_minutes_share_is_told_with_the_same_words_wherever_it_is_and_never_as_used_up(british: None) -> None:
    one = SEND_BLOCKS[Cause.MINUTE_SHARE]
    words = "aits for the minute’s requests, until 18:48:47"
    said = {name: PLACES[name](one) for name in ("change", "status bar", "title of the banner")}
    price = Price(3, seconds=47.0, hold=Hold(Cause.MINUTE_SHARE, one.until))
    said["forecast"] = ", ".join(cost_words(price, NOW))
    assert len(said) == 4 and all(words in text for text in said.values()), said
    every = [*said.values(), send_block_words(one, 4, NOW).detail, closing(one)]
    assert not [text for text in every if "used up" in text or "Goes out next" in text]


def test_a_day_that_is_used_up_says_when_it_goes_on(british: None) -> None:
    words = send_block_words(SEND_BLOCKS[Cause.DAY], 4, NOW)
    assert words.title == "Today’s 1,000 requests are used up"
    assert words.why == "This computer sent about 40 of them, other programs with the same key the rest."
    assert words.safe == (
        "Your 4 changes are saved on this computer; they go out by themselves after 02:00 tomorrow (in 7 h 12 min)."
    )
    assert words.do.startswith("You can read and edit everything on this computer. If this happens often")
    silent = words_state.connection_words("Shop", "silent", NOW - 8, None, NOW)
    assert (silent[1].translate({0x2068: None, 0x2069: None}), silent[2]) == ("Shop, no answer for 0:08", "wait")
    said = words_state.connection_words("Shop", "live", None, SEND_BLOCKS[Cause.DAY], NOW)
    assert said[1].endswith("day used up for 7 h 12 min")
    assert PLACES["change"](SEND_BLOCKS[Cause.DAY]).endswith(
        "Goes out after 02:00 tomorrow, with the next day’s requests."
    )


def test_a_day_that_is_used_up_says_who_counted() -> None:
    def why(window: Window) -> str:
        return send_block_words(send_block(Cause.DAY, 600, window), 0, NOW).why

    assert "own count" in why(Window(1000, 0, NOW + 600, own_count=True))
    assert why(Window(1000, 0, NOW + 600)) == ""
    assert why(Window()) == ""
    assert send_block_words(send_block(Cause.DAY), 0, NOW).title == "Today’s requests are used up"
    assert "as soon as the day" in send_block_words(replace(SEND_BLOCKS[Cause.SHARE], until=None), 2, NOW).safe


def test_a_minute_says_whose_limit_it_is() -> None:
    plan = send_block(Cause.MINUTE, 30, Window(60, 0, NOW + 30, own_count=True))
    said = {
        send_block_words(one, 0, NOW).why for one in (plan, SEND_BLOCKS[Cause.MINUTE], send_block(Cause.MINUTE, 30))
    }
    assert len(said) == 3
    assert any("Your plan allows 60" in why for why in said)


def test_a_ban_is_named_with_its_end_its_reason_and_what_to_do(british: None) -> None:
    words = send_block_words(SEND_BLOCKS[Cause.BANNED], 4, NOW)
    assert words.title == "This key is banned: nothing is sent before 19:03 (in 15:00)"
    assert "“slow down”" in words.why
    assert "asked to wait" in words.why
    assert "ask the service’s provider" in words.do
    shown = banner_words(SEND_BLOCKS[Cause.BANNED], 4, NOW)
    assert (shown.tone, shown.act, shown.raw) == ("bad", "", True)


def test_only_a_wait_over_a_day_offers_to_resume_and_only_a_wrong_or_missing_key_to_change_it() -> None:
    for cause, one in SEND_BLOCKS.items():
        key = "Change key…"
        wanted = {Cause.LOCKED: key, Cause.NO_KEY: key, Cause.OFFLINE: "Try again"}.get(cause, "")
        assert banner_words(one, 1, NOW).act == wanted
    long = send_block(Cause.ASKED, 200_000, ask_person=True)
    assert banner_words(long, 1, NOW).act == "Resume now…"
    assert "unusually long" in send_block_words(long, 1, NOW).do
    assert "2 days" in send_block_words(long, 1, NOW).title


def test_a_pause_that_is_longer_than_the_service_asked_says_why() -> None:
    for cause in (Cause.ASKED, Cause.BUSY):
        again, untold = (send_block_words(send_block(cause, longer=longer), 0, NOW).why for longer in LongerPause)
        assert again.endswith("“slow down”. It refused again, so the program waits longer than it asked.")
        assert untold.endswith("It did not say clearly how long, so the program waits longer each time.")


def test_a_pause_that_is_not_on_disk_says_so_and_what_to_do() -> None:
    words = send_block_words(send_block(Cause.ASKED, persisted=False), 0, NOW)
    assert "could not be saved" in words.notes
    assert "keep the window open" in words.detail


@pytest.mark.parametrize(
    ("skew", "said"),
    [
        (10_925.0, "3 h 2 min ahead of this computer’s"),
        (-7_200.0, "2 h behind this computer’s"),
        (299.0, ""),
        (-299.0, ""),
        (None, ""),
        (300.0, "5 min ahead of this computer’s"),
    ],
)
def test_clocks_that_differ_are_named_where_a_time_is_said(skew: float | None, said: str) -> None:
    assert clock_difference(skew) == said
    assert bool(words_state.clock_badge(skew)) == bool(said)
    for cause in (Cause.DAY, Cause.BANNED, Cause.SHARE):
        notes = send_block_words(replace(SEND_BLOCKS[cause], skew=skew), 0, NOW).notes
        assert notes == (f"Times are this computer’s; the service’s clock is {said}." if said else "")
    assert send_block_words(replace(SEND_BLOCKS[Cause.ASKED], skew=skew), 0, NOW).notes == ""
    _, tip = words_state.quota_tips(Quota(Window(60, 4, NOW + 9), Window(1000, 9, NOW + 999), skew), NOW)
    assert (f"service’s clock is {said}." in tip) == bool(said)


def test_what_clocks_that_differ_mean_is_said_in_three_parts() -> None:
    words = clock_words(-7_200.0)
    assert words.title == "The service’s clock is 2 h behind this computer’s"
    assert "exact" in words.safe
    assert "set it" in words.do


def test_an_unknown_limit_says_so_and_what_the_program_does_about_it(british: None) -> None:
    both = words_state.quota_tips(Quota(), NOW)
    assert len(set(both)) == 2
    for tip in both:
        assert "does not say how many requests" in tip
        assert "one at a time" in tip
        assert "If you know your plan" in tip
    _, day = words_state.quota_tips(Quota(Window(60, 52, NOW + 30)), NOW)
    assert "one at a time" not in day and "obeys every “wait”" in day
    minute, day = words_state.quota_tips(Quota(Window(60, 52, NOW + 30), DAY), NOW)
    assert minute == "52 more requests may be sent this minute. It is full again at 18:48:30."
    assert day.startswith("960 more requests may be sent today. The service does not report it")


def test_while_nothing_is_sent_the_meters_say_that_first_and_of_none_that_it_may_be(british: None) -> None:
    windows = Quota(Window(60, 20, NOW + 30), Window(1000, 960, NOW + SEVEN_HOURS))
    for cause, one in SEND_BLOCKS.items():
        tips = words_state.quota_tips(windows, NOW, one)
        unpaused = cause in (*ONLY_CHANGES, Cause.OFFLINE)
        assert all(("may be sent" in tip) is unpaused for tip in tips)
        assert all(tip.startswith("Sending is paused") for tip in tips) is not unpaused
    minute, day = words_state.quota_tips(windows, NOW, SEND_BLOCKS[Cause.ASKED])
    left = "20 requests are left of this minute’s. It is full again at 18:48:30."
    assert minute == f"Sending is paused until 18:48:47. {left}"
    assert day.endswith("960 requests are left of today’s. It is full again at 02:00 tomorrow.")
    locked, _ = words_state.quota_tips(Quota(), NOW, replace(SEND_BLOCKS[Cause.LOCKED], until=None))
    assert locked.startswith("Sending is paused. The service does not say how many")


def closing(one: SendBlock | None, seconds: float | None = 240.0, unsent: int = 4) -> str:
    return words_change.closing_words(unsent, seconds, one, NOW)


def test_closing_says_what_becomes_of_unsent_changes_and_when(british: None) -> None:
    assert closing(None) == "4 changes are saved on this computer. They go out at the next start (about 4 min)."
    assert closing(None, None, 1) == "1 change is saved on this computer. It goes out at the next start."
    said = {cause: closing(one) for cause, one in SEND_BLOCKS.items()}
    assert "after 02:00 tomorrow" in said[Cause.DAY] and "used up" in said[Cause.DAY]
    unkept = words_change.closing_words(4, 240.0, None, NOW, unkept=True)
    assert "next start" not in unkept and "entered the key again" in unkept
    assert "after 02:00 tomorrow" in said[Cause.SHARE] and "used up" not in said[Cause.SHARE]
    assert "after 19:03" in said[Cause.BANNED] and "banned" in said[Cause.BANNED]
    assert "once a key works" in said[Cause.LOCKED]
    assert said[Cause.ASKED] == closing(None)
    assert all(words.startswith("4 changes are saved on this computer.") for words in said.values())


def test_the_ring_counts_the_wait_down() -> None:
    one = send_block(Cause.ASKED, 100)
    assert fraction_left(one, NOW + 25) == 0.75
    assert fraction_left(one, NOW + 200) == 0.0
    assert fraction_left(replace(one, until=None), NOW) == 1.0
    assert banner_words(SEND_BLOCKS[Cause.SHARE], 1, NOW).fraction_left is None
