"""What a batch costs before it is sent."""

from __future__ import annotations

import pytest

from petstore_desktop.api.gate.back_off import ROUNDING
from petstore_desktop.domain.batches import Price
from petstore_desktop.domain.quota import GatePhase, GateView, Quota, RequestClass, SentRequest, Window
from petstore_desktop.sync.price.price import Forecast, Outlook, Usage, lasts_until, scaled, usage
from petstore_desktop.sync.shared.send_schedule import AFTER_RESET_S, Departures, finish_time, leave_all
from tests.support.told_windows import told

PERSON, CHANGES, VISIBLE, BACKGROUND = RequestClass
NOW = 1_000_000.0
OPEN = GateView()


def minute(remaining: int | None = 60, resets_in: float | None = 40.0, limit: int | None = 60) -> Window:
    return Window(limit, remaining, None if resets_in is None else NOW + resets_in)


def own_day(remaining: int, limit: int = 1_000, resets_in: float | None = None) -> Window:
    return Window(limit, remaining, None if resets_in is None else NOW + resets_in, own_count=True)


def last(requests: int, quota: Quota, view: GateView = OPEN, cls: RequestClass = CHANGES) -> float | None:
    return finish_time(requests, quota, view, cls, NOW)


def test_the_gate_waits_so_long_after_a_reset_on_the_mean() -> None:
    assert ROUNDING / 2 == AFTER_RESET_S


# ---------------------------------------------------------------- when the last leaves

MINUTES: list[tuple[str, int, Window, float]] = [
    ("nothing to send", 0, minute(), 0.0),
    ("no known limit", 10_000, Window(), 0.0),
    ("all that this window has for changes", 54, minute(), 0.0),
    ("one more", 55, minute(), 40.5),
    ("what is left of this window without the reserve", 4, minute(10), 0.0),
    ("one more than that", 5, minute(10), 40.5),
    ("nothing but the reserve left", 1, minute(6), 40.5),
    ("less than the reserve left", 1, minute(2), 40.5),
    ("this window and the next", 108, minute(), 40.5),
    ("a third window", 109, minute(), 101.0),
    ("a fourth window", 54 * 3 + 1, minute(), 161.5),
    ("a reset that has passed", 55, minute(60, -3.0), 60.5),
    ("a whole window that has not begun", 55, minute(60, None), 60.5),
    ("a begun window of which nobody knows the end", 55, minute(59, None), 60.5),
    ("a limit of which nobody knows what is left", 55, minute(None), 40.5),
    ("a small window", 3, minute(3, 10.0, limit=4), 10.5),
]


@pytest.mark.parametrize(("requests", "window", "wanted"), [row[1:] for row in MINUTES], ids=[r[0] for r in MINUTES])
def test_the_last_request_leaves_when_the_windows_let_it(requests: int, window: Window, wanted: float) -> None:
    assert last(requests, told(NOW, window)) == wanted


@pytest.mark.parametrize(("cls", "share"), [(PERSON, 60), (CHANGES, 54), (VISIBLE, 51), (BACKGROUND, 45)])
def test_each_class_leaves_its_reserve_to_those_before_it(cls: RequestClass, share: int) -> None:
    assert last(share, told(NOW, minute()), cls=cls) == 0.0
    assert last(share + 1, told(NOW, minute()), cls=cls) == 40.5


# Our own count forgets in parts of 360 s, never early.
DAYS: list[tuple[str, int, Quota, float]] = [
    ("what the day has left for changes", 900, told(NOW, Window(), own_day(1_000)), 0.0),
    ("one more", 901, told(NOW, Window(), own_day(1_000)), 86_760.0),
    ("a day whose use is known", 201, told(NOW, Window(), own_day(300)), 86_400.0),
    ("a day that the service ends", 201, told(NOW, Window(), Window(1_000, 300, NOW + 7_200)), 7_200.5),
    ("a second further day", 901 + 900, told(NOW, Window(), own_day(1_000)), 173_520.0),
    ("a day of our own count that is used up", 1, told(NOW, Window(), own_day(0, resets_in=500.0)), 720.0),
    ("a day that ends before it is used up", 109, told(NOW, minute(), own_day(208, resets_in=50.0)), 360.0),
    ("minutes within the next day", 55, told(NOW, minute(10, 40.0), own_day(100, resets_in=200.0)), 420.5),
]


@pytest.mark.parametrize(("requests", "quota", "wanted"), [row[1:] for row in DAYS], ids=[row[0] for row in DAYS])
def test_a_day_that_is_used_up_is_waited_for(requests: int, quota: Quota, wanted: float) -> None:
    assert last(requests, quota) == wanted


@pytest.mark.parametrize("phase", [GatePhase.PAUSED, GatePhase.BANNED, GatePhase.SPENT])
def test_a_pause_a_ban_and_a_spent_window_are_waited_for_first(phase: GatePhase) -> None:
    shut = GateView(phase, until=NOW + 300.0)
    assert last(0, told(NOW, minute()), shut) == 300.0
    assert last(54, told(NOW, minute()), shut) == 300.0
    assert last(55, told(NOW, minute()), shut) == 360.5
    assert last(55, told(NOW, minute(60, None)), shut) == 360.5
    soon = GateView(phase, until=NOW + 30.0)
    assert last(55, told(NOW, minute(60, None)), soon) == 90.5
    assert last(55, told(NOW, minute(59, None)), soon) == 60.5
    assert last(1, Quota(), GateView(phase, until=NOW - 1.0)) == 0.0
    assert last(1, Quota(), GateView(phase)) is None


def test_a_probe_is_no_wait_and_a_locked_key_has_no_end() -> None:
    assert last(54, told(NOW, minute()), GateView(GatePhase.PROBING)) == 0.0
    assert last(1, told(NOW, minute()), GateView(GatePhase.LOCKED)) is None
    assert last(1, told(NOW, minute(0, 40.0, limit=0))) is None


def test_a_window_is_whole_at_the_very_moment_of_its_reset() -> None:
    leaving = Departures(told(NOW, minute(6)), CHANGES, NOW, 0.0, 0.0)
    assert leaving.most(99) == 0
    leaving.wait(1)
    assert (leaving.at, leaving.most(99), leaving.most(9)) == (40.5, 54, 9)


def test_requests_that_take_their_time_leave_one_after_the_other() -> None:
    assert finish_time(1, Quota(), OPEN, CHANGES, NOW, 0.5) == 0.0
    assert finish_time(11, Quota(), OPEN, CHANGES, NOW, 0.5) == 5.0
    assert finish_time(56, told(NOW, minute()), OPEN, CHANGES, NOW, 0.5) == 41.0
    assert finish_time(55, told(NOW, minute(60, 20.0)), OPEN, CHANGES, NOW, 0.5) == 27.0


@pytest.mark.parametrize("each_s", [0.0, 0.125, 0.5, 3.0])
@pytest.mark.parametrize("together", [1, 2])
@pytest.mark.parametrize(
    "quota",
    [
        Quota(),
        told(NOW, minute()),
        told(NOW, minute(9)),
        told(NOW, minute(60, None)),
        told(NOW, Window(), own_day(300)),
        told(NOW, minute(), own_day(120)),
        told(NOW, minute(30), Window(1_000, 300, NOW + 90.0)),
    ],
)
def test_many_at_once_leave_as_they_would_one_by_one(quota: Quota, together: int, each_s: float) -> None:
    at_once, each = (Departures(quota, CHANGES, NOW, 0.0, each_s) for _ in range(2))
    for count in (1, 7, 150, 90):
        leave_all(count * together, at_once, together)
        for _ in range(count):
            each.wait(together)
            for _ in range(together):
                each.leave(1)
        assert (at_once.last, at_once.today, at_once.days) == (pytest.approx(each.last), each.today, each.days)


# ---------------------------------------------------------------- a price


@pytest.mark.parametrize(
    ("price", "much"),
    [
        (Price(300, leaves_of_day=300), False),
        (Price(301, leaves_of_day=300), True),
        (Price(1, leaves_of_day=300, days=1), True),
        (Price(1, leaves_of_day=0), True),
        (Price(0, leaves_of_day=0, days=1), False),
        (Price(-1, leaves_of_day=0, days=1), False),
        (Price(301, days=1), False),
    ],
)
def test_a_batch_is_much_if_it_spends_over_half_of_the_day_or_reaches_into_another(price: Price, much: bool) -> None:
    assert price.is_much is much


def test_twice_as_many_changes_cost_twice_and_leave_as_much_less_of_the_day() -> None:
    quota = told(NOW, minute(), own_day(500))
    price = Price(20, looks=5, ahead=10, today=20, seconds=0.0, leaves_of_day=470, day_limit=1_000, own_count=True)
    assert scaled(price, 2.0, quota, OPEN, NOW) == Price(
        40, looks=10, ahead=10, today=40, seconds=0.0, leaves_of_day=450, day_limit=1_000, own_count=True
    )
    assert scaled(price, 3.0, quota, OPEN, NOW).seconds == 40.5
    far = scaled(price, 20.0, quota, OPEN, NOW)
    assert (far.requests, far.today, far.leaves_of_day, far.days) == (400, 390, 100, 1)
    assert scaled(price, 20.0, told(NOW, minute()), OPEN, NOW).leaves_of_day is None


def test_a_price_that_had_no_end_has_none_when_there_is_more_of_it() -> None:
    price = Price(20, ahead=10, today=20)
    assert scaled(price, 2.0, told(NOW, minute()), GateView(GatePhase.LOCKED), NOW) == Price(40, ahead=10, today=40)


# ---------------------------------------------------------------- the day


def sent(*ago: float, cls: RequestClass = PERSON) -> list[SentRequest]:
    """Requests that left so many seconds ago."""
    return [SentRequest(NOW - seconds, cls, "GET", "/pets", 200) for seconds in ago]


def day(remaining: int | None, resets_in: float | None = 20_000.0, limit: int | None = 1_000) -> Quota:
    return told(NOW, day=Window(limit, remaining, None if resets_in is None else NOW + resets_in))


HOURLY = sent(3_600.0, 3_000.0, 2_400.0, 1_800.0, 1_200.0, 600.0, 0.0)
RISING = sent(3_600.0, *(600.0 * part + 100.0 - more for part in range(5, -1, -1) for more in range(6 - part)))
"""One in the first ten minutes of the hour, two in the next, and six in the last."""
UNKNOWN = Forecast(Outlook.UNKNOWN)
LASTS = Forecast(Outlook.LASTS, NOW + 20_000.0)

FORECASTS: list[tuple[str, Quota, list[SentRequest], Forecast]] = [
    ("used up before the reset", day(7), HOURLY, Forecast(Outlook.ENDS, NOW + 4_200.0)),
    ("between the two parts in the middle", day(35), RISING, Forecast(Outlook.ENDS, NOW + 6_000.0)),
    ("just before the reset", day(7, 4_201.0), HOURLY, Forecast(Outlook.ENDS, NOW + 4_200.0)),
    ("used up at the very reset", day(7, 4_200.0), HOURLY, Forecast(Outlook.LASTS, NOW + 4_200.0)),
    ("lasts", day(700), HOURLY, LASTS),
    ("what left before counts no more", day(5), sent(*[3_600.1] * 9, 3, 2, 1, 0), UNKNOWN),
    ("a burst is no pace", day(998), sent(9_000, *range(100, 0, -1)), LASTS),
    ("nor are two parts of the hour", day(998), sent(9_000, *range(1_199, 0, -10)), LASTS),
    ("half an hour is enough", day(10), sent(1_800, *range(1_790, 0, -10)), Forecast(Outlook.ENDS, NOW + 100.0)),
    ("less is not", day(10), sent(1_799, *range(1_790, 0, -10)), UNKNOWN),
    ("four are none", day(5), sent(9_000, 3, 2, 1, 0), UNKNOWN),
    ("what a clock set back puts in the future", day(1), sent(1_800, 500, 400, 300, 200, -100), UNKNOWN),
    ("nothing was sent", day(5), [], UNKNOWN),
    ("no limit", day(None, limit=None), HOURLY, UNKNOWN),
    ("nobody knows what is left", day(None), HOURLY, UNKNOWN),
    ("nothing is left", day(0), [], Forecast(Outlook.SPENT, NOW + 20_000.0)),
    ("one is left", day(1), HOURLY, Forecast(Outlook.ENDS, NOW + 600)),
    ("no reset is named, and a day is enough", day(144, None), HOURLY, Forecast(Outlook.LASTS)),
    ("no reset is named, and a day is not", day(143, None), HOURLY, Forecast(Outlook.ENDS, NOW + 600 * 143)),
]


@pytest.mark.parametrize(("quota", "known", "wanted"), [row[1:] for row in FORECASTS], ids=[r[0] for r in FORECASTS])
def test_the_pace_of_the_last_hour_says_how_long_the_day_lasts(
    quota: Quota, known: list[SentRequest], wanted: Forecast
) -> None:
    said = lasts_until(quota, known, NOW)
    assert said.outlook is wanted.outlook
    assert said.at == (None if wanted.at is None else pytest.approx(wanted.at))


MIXED = [
    *sent(30_000, 20_000.5, cls=BACKGROUND),
    *sent(20_000, 500, cls=PERSON),
    *sent(400, 300, 200, cls=CHANGES),
    *sent(100, cls=VISIBLE),
    *sent(50, cls=BACKGROUND),
]


def test_todays_requests_are_told_apart_by_who_waited_for_them() -> None:
    used = usage(MIXED, Quota(), NOW - 20_000, NOW)
    assert used == Usage(person=2, changes=3, refresh=2)
    assert used.ours == 7


def test_what_the_service_counted_beyond_ours_was_sent_by_others() -> None:
    """Its day began a day before its reset, whatever the clock on the wall here says."""
    since = 86_400.0 - 20_000.0
    assert usage(MIXED, day(900, since), NOW, NOW) == Usage(2, 3, 2, others=93)
    assert usage(MIXED, day(993, since), NOW, NOW).others == 0
    assert usage(MIXED, day(999, since), NOW, NOW).others == 0
    assert usage(MIXED, day(900, 86_400.0 - 30_000.0), NOW, NOW) == Usage(2, 3, 4, others=91)


@pytest.mark.parametrize(
    "quota",
    [Quota(), day(900, None), day(None), day(900, limit=None), told(NOW, day=own_day(900, resets_in=5.0))],
    ids=["says nothing", "names no reset", "does not say what is left", "names no limit", "is our own count"],
)
def test_where_the_service_does_not_speak_of_the_day_nobody_knows_of_others(quota: Quota) -> None:
    assert usage(MIXED, quota, NOW - 20_000, NOW).others is None


def test_a_day_of_our_own_count_is_the_last_24_hours_as_the_gate_counts_them() -> None:
    """Those since midnight were shown beside what is left of 24 hours, and the two did not agree."""
    before = sent(90_000, 86_000, cls=PERSON)
    used = usage([*before, *MIXED], told(NOW, day=own_day(0, resets_in=70_000.0)), NOW - 400, NOW)
    assert used == Usage(person=3, changes=3, refresh=4)
