"""A pause outlives the process, the power, and the hand that sets the clock."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from petstore_desktop.api.gate.memory import inherit, restore, restored_until, snapshot
from petstore_desktop.api.gate.model import Persist
from petstore_desktop.api.headers.limit_headers import AnswerFacts, WindowFacts
from petstore_desktop.domain.quota import PLANS, GatePhase, GateSnapshot, LimitSpan, Plan
from tests.api.gate_machine.bench import BACKGROUND, Bench, answer, paused
from tests.support.manual_clock import ManualClock

WALL = ManualClock().now().wall
PAYLOAD = ("steady", "since", "status", "reason", "raw", "strikes", "bans", "limited", "slack", "minute", "day")


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


@pytest.mark.parametrize(("good", "waits"), [(9, 121.0), (10, 61.0)])
def test_the_doubling_is_forgotten_after_ten_good_answers_of_the_new_process(good: int, waits: float) -> None:
    bench = started(kept_pause(answer(429)), later=100.0)
    for _ in range(good):
        bench.one(answer(200))
    bench.one(answer(429))
    assert bench.waits == waits


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


def test_a_probe_that_is_lost_after_a_start_is_the_first_that_is_lost() -> None:
    bench = started(kept_pause(), later=101.0)
    probe = bench.ask()
    assert bench.left() == [probe]
    bench.lose(probe)
    assert bench.waits == 2.0


def test_an_open_gate_is_open_after_a_start_and_tries_one_alone() -> None:
    bench = Bench()
    bench.warm()
    again = started(snapshot(bench.state, bench.clock.now()), later=5.0)
    assert again.phase is GatePhase.OPEN
    tickets = [again.ask(), again.ask()]
    assert again.left() == tickets[:1]


def busy_gate() -> Bench:
    """A gate that knows all there is to know: both windows, a pause, strikes and bans."""
    bench = Bench(plan=PLANS["free"])
    day = WindowFacts(1000, 500, 5_000.0, mark=WALL + 5_000.0, span=LimitSpan.DAY)
    minute = WindowFacts(60, 50, 40.0, mark=WALL + 40.0, span=LimitSpan.MINUTE)
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
    closure = replace(before.closure, until=before.closure.until + shift, number=0)  # a count of this process alone
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


def test_a_snapshot_of_a_pause_ends_no_earlier_than_the_window_that_is_spent_beneath_it() -> None:
    bench = Bench()
    bench.warm()
    refused, late = bench.ask(), bench.ask()
    bench.say(refused, answer(429, retry_after=100.0))
    bench.say(late, answer(200, WindowFacts(1000, 0, 500.0, span=LimitSpan.DAY)))
    kept = snapshot(bench.state, bench.clock.now())
    assert (kept.phase, kept.until_steady) == (GatePhase.PAUSED, bench.clock.now().steady + 501.0)


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


def test_what_a_window_still_has_left_is_not_written_down_with_each_answer() -> None:
    bench = Bench()
    for remaining in range(9, 1, -1):
        bench.one(answer(200, remaining=remaining, reset_in=30.0 + remaining))
        assert not bench.of(Persist)
    bench.one(answer(200, remaining=0))
    assert bench.of(Persist)


def test_half_a_snapshot_is_no_pause() -> None:
    now = ManualClock().now()
    for boot in ("boot-1", "boot-2"):
        kept = replace(kept_pause(), boot_id=boot)
        assert restored_until(kept, now) is not None
        assert restored_until(replace(kept, until_wall=None), now) is None
        assert restored_until(replace(kept, until_steady=None), now) is None


def test_a_machine_that_starts_anew_at_once_waits_for_what_is_left_and_no_longer() -> None:
    bench = Bench()
    bench.warm()
    bench.one(answer(429, retry_after=100.0))
    bench.pass_time(40.0)
    kept = snapshot(bench.state, bench.clock.now())
    bench.clock.reboot("boot-2")
    again = Bench(kept=kept, clock=bench.clock)
    assert again.waits == 61.0


@pytest.mark.parametrize("broken", [None, "x", [], -3])
def test_what_is_missing_or_no_number_in_a_snapshot_counts_as_nothing(broken: object) -> None:
    bench = Bench(plan=PLANS["free"])
    kept = replace(kept_pause(), phase=GatePhase.OPEN, payload=json.dumps(dict.fromkeys(PAYLOAD, broken)))
    state = restore(kept, PLANS["free"], bench.clock.now())
    assert (state.strikes, state.bans, state.limited) == (0, 0, False)
    assert state.minute.sends == state.day.sends == ()
    assert restore(replace(kept, payload="{}"), PLANS["free"], bench.clock.now()).strikes == 0


def test_the_first_probe_after_a_start_is_whoever_starves() -> None:
    bench = started(kept_pause(), later=0.0)
    starved = bench.ask(BACKGROUND)
    bench.pass_time(100.0)
    bench.ask()
    bench.pass_time(1.0)
    assert bench.left() == [starved]


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


# ---------------------------------------------------------------- the pauses of other keys


def under_another_key(retry_after: float, *, times: int = 1, wall_ahead: float = 0.0) -> GateSnapshot:
    """What another key's gate kept that was told to wait, on the same computer."""
    clock = ManualClock()
    clock.set_wall(clock.now().wall + wall_ahead)
    bench = Bench(clock=clock)
    bench.warm()
    for _ in range(times):
        bench.one(answer(429, retry_after=retry_after, message="Too fast"))
        kept = bench.snapshot
        bench.pass_time(retry_after + 100.0)
    return kept


def test_the_longest_pause_of_the_origin_holds_whatever_its_key() -> None:
    now = ManualClock().now()
    own, other = kept_pause(), under_another_key(200.0)
    for kept, pauses in ((own, [other]), (other, [own]), (None, [own, other]), (None, [other, own])):
        state = restore(kept, None, now, pauses)
        assert state.closure is not None
        assert state.closure.until == now.steady + 201.0
        assert (state.phase, state.strikes, state.limited) == (GatePhase.PAUSED, 1, True)


def test_of_two_pauses_that_end_together_our_own_goes_on() -> None:
    own = kept_pause()
    state = restore(own, None, ManualClock().now(), [replace(own, phase=GatePhase.BANNED)])
    assert state.phase is GatePhase.PAUSED


def test_of_a_pause_of_another_key_its_doublings_are_taken_over_and_its_windows_are_not() -> None:
    now = ManualClock(steady=1_000.0 + 650.0).now()
    other = under_another_key(200.0, times=3)
    idle = Bench(clock=ManualClock(steady=1_000.0 + 640.0))
    idle.warm(remaining=7)
    state = restore(snapshot(idle.state, idle.clock.now()), None, now, [other])
    assert (state.strikes, state.bans, state.limited) == (3, 0, True)
    assert state.minute.remaining == 7
    mine = restore(None, None, now, [other])
    assert mine.minute.remaining is None
    assert mine.since == 1_000.0


def test_bans_under_either_key_are_remembered() -> None:
    now = ManualClock().now()
    twice = Bench()
    twice.warm()
    twice.one(answer(403, code="key_banned", retry_after=10.0))
    once = twice.snapshot
    twice.pass_time(100.0)
    twice.one(answer(403, code="key_banned", retry_after=10_000.0))
    assert restore(once, None, now, [twice.snapshot]).bans == 2
    assert restore(kept_pause(), None, now, [twice.snapshot]).strikes == 1
    assert restore(twice.snapshot, None, now, [once]).bans == 2


def test_a_hand_on_the_clock_makes_no_pause_of_another_key_look_longer_than_it_is() -> None:
    """Both are of this boot: by its steady clock the other one is over, by the wall it ends tomorrow."""
    later = ManualClock(steady=1_000.0 + 150.0)
    own, other = under_another_key(200.0), under_another_key(100.0, wall_ahead=86_400.0)
    state = restore(own, None, later.now(), [other])
    assert state.closure is not None
    assert state.closure.until == 1_000.0 + 201.0


def test_what_our_own_count_has_used_up_does_not_bind_a_larger_plan() -> None:
    bench = Bench(plan=Plan("small", 2, None))
    for _ in range(2):
        bench.one(answer(200))
    kept = snapshot(bench.state, bench.clock.now(), clean=True)
    assert (bench.phase, kept.phase) == (GatePhase.SPENT, GatePhase.OPEN)
    assert Bench(plan=Plan("small", 2, None), kept=kept, clock=bench.clock).phase is GatePhase.SPENT
    larger = Bench(plan=Plan("large", 1_000, None), kept=kept, clock=bench.clock)
    assert larger.phase is GatePhase.OPEN
    assert larger.state.shown_quota.minute.remaining == 998


def test_a_pause_of_another_key_that_was_over_before_this_boot_makes_no_probe_count_for_nothing() -> None:
    first = paused(10.0)
    first.pass_time(first.waits)
    over = snapshot(first.state, first.clock.now())
    clock = first.clock
    clock.reboot("boot-2", steady=20.0)
    clock.set_wall(clock.now().wall - 86_400.0)
    bench = Bench(clock=clock)
    bench.warm()
    bench.one(answer(429, retry_after=1.0))
    bench.pass_time(bench.waits + 5.0)
    probe = bench.ask()
    assert bench.left() == [probe]
    bench.state = inherit(over, bench.state, clock.now())
    bench.lose(probe)
    bench.ask()
    assert bench.left() == [], "lost like any other, it is tried again after a while"
