"""A pause outlives the process, the power, and the hand that sets the clock."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.api.gate_memory import UNWRITTEN, restore, snapshot
from petstore_desktop.api.gate_model import Persist
from petstore_desktop.api.limit_headers import AnswerFacts, Span, WindowFacts
from petstore_desktop.clock import ManualClock
from petstore_desktop.domain.quota import PLANS, GatePhase, GateSnapshot
from tests.api.gate_bench import BACKGROUND, Bench, answer

WALL = ManualClock().now().wall


def kept_pause(said: AnswerFacts | None = None) -> GateSnapshot:
    """What a gate hands out that was told to wait for 100 s (101 with its jitter)."""
    bench = Bench()
    bench.warm()
    bench.one(said or answer(429, retry_after=100.0, message="Too fast"))
    return bench.snapshot


def started(kept: GateSnapshot, *, later: float, boot: str = "boot-1", wall_jump: float = 0.0) -> Bench:
    """A process that starts `later` seconds after the snapshot."""
    clock = ManualClock()
    clock.advance(later)
    if boot != "boot-1":
        clock.reboot(boot)
    clock.set_wall(clock.now().wall + wall_jump)
    return Bench(kept=kept, clock=clock)


def first_leaves_after(bench: Bench) -> float:
    """Seconds after the start at which the first of two requests leaves; it must leave alone, as a probe."""
    bench.ask()
    bench.ask()
    waited = 0.0
    while not bench.out:
        bench.pass_time(0.5)
        waited += 0.5
    assert [admit.probe for admit in bench.out] == [True]
    return waited


@pytest.mark.parametrize(
    ("later", "boot", "wall_jump", "waits"),
    [
        (40.0, "boot-1", 0.0, 61.0),
        (40.0, "boot-1", 86_400.0, 61.0),
        (40.0, "boot-1", -86_400.0, 61.0),
        (200.0, "boot-1", 0.0, 0.0),
        (40.0, "boot-2", 0.0, 61.0),
        (200.0, "boot-2", 0.0, 0.0),
        (40.0, "boot-2", -41.0, 101.0),
        (40.0, "boot-2", -86_400.0, 101.0),
        (40.0, "boot-2", 86_400.0, 0.0),
    ],
)
def test_a_kept_pause_goes_on_by_the_clock_that_can_be_trusted(
    later: float, boot: str, wall_jump: float, waits: float
) -> None:
    bench = started(kept_pause(), later=later, boot=boot, wall_jump=wall_jump)
    assert first_leaves_after(bench) == waits


def test_a_pause_that_begins_anew_is_written_down_anew() -> None:
    bench = started(kept_pause(), later=40.0, boot="boot-2", wall_jump=-86_400.0)
    assert bench.of(Persist)
    again = started(bench.snapshot, later=50.0, boot="boot-3", wall_jump=-86_400.0)
    assert first_leaves_after(again) == 51.0 + 40.0  # the second start came 10 s after the first, by the wall


def test_the_view_after_a_start_says_what_it_said_before() -> None:
    bench = started(kept_pause(), later=40.0)
    view = bench.view
    assert (view.phase, view.since, view.until) == (GatePhase.PAUSED, WALL, WALL + 101.0)
    assert (view.status, view.reason, view.raw) == (429, "Too fast", "HTTP 429")


def test_a_ban_is_still_a_ban_and_a_403_after_it_doubles_it() -> None:
    bench = started(kept_pause(answer(403, code="key_banned")), later=40.0)
    assert bench.phase is GatePhase.BANNED
    bench.pass_time(bench.waits)
    bench.one(answer(403))
    assert (bench.phase, bench.waits) == (GatePhase.BANNED, 7_201.0)


def test_the_doubling_goes_on_after_a_start() -> None:
    bench = started(kept_pause(answer(429)), later=100.0)
    bench.one(answer(429))
    assert bench.waits == 121.0


def test_a_spent_window_is_still_spent_after_a_start() -> None:
    bench = started(kept_pause(answer(200, remaining=0, reset_in=100.0)), later=40.0)
    assert bench.phase is GatePhase.SPENT
    assert first_leaves_after(bench) == 61.0


def test_killed_before_its_probe_was_answered_the_gate_probes_again() -> None:
    bench = Bench()
    bench.one(answer(429, retry_after=10.0))
    kept = bench.snapshot
    bench.ask()
    bench.pass_time(11.0)
    assert first_leaves_after(started(kept, later=20.0)) == 0.0


def test_an_open_gate_is_open_after_a_start_and_tries_one_alone() -> None:
    bench = Bench()
    bench.warm()
    again = started(snapshot(bench.state, bench.clock.now()), later=5.0)
    assert again.phase is GatePhase.OPEN
    tickets = [again.ask(), again.ask()]
    assert again.left() == tickets[:1]


@pytest.mark.parametrize(("clean", "slack"), [(True, 0), (False, UNWRITTEN)])
def test_our_own_count_goes_on_and_after_a_kill_counts_what_may_have_left_unwritten(clean: bool, slack: int) -> None:
    bench = Bench(plan=PLANS["free"])
    for _ in range(30):
        bench.one(answer(200))
    kept = snapshot(bench.state, bench.clock.now(), clean=clean)
    clock = ManualClock()
    clock.advance(10.0)
    again = Bench(plan=PLANS["free"], kept=kept, clock=clock)
    assert again.state.shown_quota.minute.remaining == 30 - slack
    assert again.state.shown_quota.day.remaining == 970 - slack
    clock.advance(100.0)
    later = Bench(plan=PLANS["free"], kept=kept, clock=clock)
    assert later.state.shown_quota.minute.remaining == 60 - slack


def test_a_kill_soon_after_the_very_first_start_forgets_no_request() -> None:
    bench = Bench(plan=PLANS["free"])
    kept = bench.snapshot
    for _ in range(9):
        bench.one(answer(200))
    again = Bench(plan=PLANS["free"], kept=kept, clock=bench.clock)
    left = again.state.shown_quota.minute.remaining
    assert left is not None
    assert left <= 60 - 9


def busy_gate() -> Bench:
    """A gate that knows all there is to know: both windows, a pause, strikes and bans."""
    bench = Bench(plan=PLANS["free"])
    day = WindowFacts(1000, 500, 5_000.0, mark=WALL + 5_000.0, span=Span.DAY)
    minute = WindowFacts(60, 50, 40.0, mark=WALL + 40.0, span=Span.MINUTE)
    for _ in range(3):
        bench.one(answer(200, day, minute))
        bench.pass_time(1.0)
    flying = [bench.ask() for _ in range(3)]
    bench.say(flying[0], answer(403, code="key_banned", retry_after=70.0, message="Banned"))
    bench.say(flying[1], answer(429, retry_after=100.0, message="Too fast"))
    return bench


@pytest.mark.parametrize(("later", "boot"), [(0.0, "boot-1"), (7.0, "boot-1"), (7.0, "boot-2")])
def test_all_that_is_kept_comes_back_moved_to_the_clock_of_the_new_process(later: float, boot: str) -> None:
    bench = busy_gate()
    before = bench.state
    kept = snapshot(before, bench.clock.now(), clean=True)
    bench.clock.advance(later)
    if boot != "boot-1":
        bench.clock.reboot(boot, steady=20.0)
    shift = bench.clock.now().steady - (1_003.0 + later)
    after = restore(kept, PLANS["free"], bench.clock.now())
    assert before.closure is not None
    closure = replace(before.closure, until=before.closure.until + shift)
    if boot == "boot-1":
        assert after.closure == closure
    assert after.closure is not None
    assert after.closure.until == pytest.approx(closure.until)
    assert (after.strikes, after.bans, after.limited) == (before.strikes, before.bans, before.limited)
    assert (after.strikes, after.bans, after.limited) == (0, 1, True)
    assert (after.phase, after.plan, before.since) == (GatePhase.BANNED, PLANS["free"], 1_003.0)
    assert after.since == pytest.approx(1_003.0 + shift)
    for name in ("minute", "day"):
        old, new = getattr(before, name), getattr(after, name)
        assert (new.limit, new.remaining, new.mark, new.spoken) == (old.limit, old.remaining, old.mark, True)
        assert new.resets_at == pytest.approx(old.resets_at + shift)
        assert new.opens_at == pytest.approx(old.opens_at + shift)
        assert sum(count for _, count in new.sends) == sum(count for _, count in old.sends) == 6


def test_a_snapshot_says_when_the_pause_ends_by_both_clocks_and_how_long_it_is() -> None:
    bench = busy_gate()
    kept = snapshot(bench.state, bench.clock.now())
    now = bench.clock.now()
    assert (kept.phase, kept.boot_id, kept.written_wall) == (GatePhase.BANNED, "boot-1", now.wall)
    assert (kept.until_steady, kept.until_wall, kept.length) == (now.steady + 101.0, now.wall + 101.0, 101.0)
    bench.pass_time(60.0)
    later = snapshot(bench.state, bench.clock.now())
    assert (later.until_steady, later.length) == (now.steady + 101.0, 101.0)


def test_the_snapshot_of_an_open_gate_has_no_end_and_of_a_spent_one_the_windows() -> None:
    bench = Bench()
    bench.warm(10)
    kept = snapshot(bench.state, bench.clock.now())
    assert (kept.phase, kept.until_steady, kept.until_wall, kept.length) == (GatePhase.OPEN, None, None, 0.0)
    bench.one(answer(200, remaining=0, reset_in=40.0))
    kept = snapshot(bench.state, bench.clock.now())
    assert (kept.phase, kept.until_steady, kept.length) == (GatePhase.SPENT, bench.clock.now().steady + 41.0, 41.0)


def test_a_pause_that_began_anew_is_as_long_as_it_now_is() -> None:
    bench = started(kept_pause(), later=40.0, boot="boot-2", wall_jump=-39.0)
    assert bench.state.closure is not None
    assert (bench.waits, bench.state.closure.length) == (100.0, 101.0)
    longer = started(kept_pause(), later=40.0, boot="boot-2", wall_jump=-40.0)
    assert (longer.waits, longer.state.closure and longer.state.closure.length) == (101.0, 101.0)


@pytest.mark.parametrize("phase", [GatePhase.OPEN, GatePhase.LOCKED])
def test_a_snapshot_that_is_of_no_pause_closes_nothing(phase: GatePhase) -> None:
    kept = replace(kept_pause(), phase=phase)
    assert started(kept, later=1.0).phase is GatePhase.OPEN


def test_a_snapshot_written_while_probing_is_a_pause_that_is_over() -> None:
    kept = replace(kept_pause(), phase=GatePhase.PROBING)
    bench = started(kept, later=1.0)
    assert (bench.phase, bench.waits) == (GatePhase.PAUSED, 100.0)


def test_sends_of_the_last_window_count_and_older_ones_do_not() -> None:
    bench = Bench(plan=PLANS["free"])
    for _ in range(5):
        bench.one(answer(200))
        bench.pass_time(20.0)
    kept = snapshot(bench.state, bench.clock.now(), clean=True)
    again = Bench(plan=PLANS["free"], kept=kept, clock=bench.clock)
    assert again.state.shown_quota.minute.remaining == bench.state.shown_quota.minute.remaining == 57
    bench.clock.advance(10.0)
    later = Bench(plan=PLANS["free"], kept=kept, clock=bench.clock)
    assert later.state.shown_quota.minute.remaining == 58


def test_the_first_probe_after_a_start_is_whoever_starves() -> None:
    bench = started(kept_pause(), later=0.0)
    starved = bench.ask(BACKGROUND)
    bench.pass_time(100.0)
    bench.ask()
    bench.pass_time(1.0)
    assert bench.left() == [starved]


def test_our_own_count_is_written_down_every_ten_requests() -> None:
    bench = Bench(plan=PLANS["free"])
    written = 0
    for _ in range(50):
        bench.one(answer(200))
        written += len(bench.of(Persist))
    assert written == 5


def test_a_lock_is_not_kept_but_the_pause_beneath_it_is() -> None:
    bench = Bench()
    bench.warm()
    late, refused = bench.ask(), bench.ask()
    bench.say(refused, answer(429, retry_after=100.0))
    bench.say(late, answer(401))
    kept = snapshot(bench.state, bench.clock.now())
    assert kept.phase is GatePhase.PAUSED
    assert first_leaves_after(started(kept, later=0.0)) == 101.0


TEXT = st.text("ab", max_size=3)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


@given(st.data())
def test_a_damaged_payload_never_costs_the_pause(data: st.DataObject) -> None:
    whole = kept_pause()
    payload = json.loads(whole.payload)
    for name in data.draw(st.lists(st.sampled_from(sorted(payload)), max_size=4)):
        payload[name] = data.draw(JSON)
    text = data.draw(st.sampled_from([json.dumps(payload), "", "[]", "{", "null"]))
    clock = ManualClock()
    state = restore(replace(whole, payload=text), PLANS["free"], clock.now())
    assert state.closure is not None
    assert state.closure.until == whole.until_steady
    bench = Bench(plan=PLANS["free"], kept=replace(whole, payload=text), clock=clock)
    bench.ask()
    bench.pass_time(100.9)
    assert bench.left() == []
