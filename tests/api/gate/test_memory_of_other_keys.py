"""What a gate goes on with where another key of the same origin has met a pause."""

from __future__ import annotations

from msgspec.structs import replace

from petstore_desktop.api.gate.answers import take_answer, take_break
from petstore_desktop.api.gate.memory import inherit, snapshot, take_over
from petstore_desktop.api.gate.model import Answered, Ask, Closure, Flight, GateState, NoAnswer
from petstore_desktop.domain.quota import GatePhase
from tests.api.gate_machine.bench import PERSON, Bench, answer, paused

SHORT, LONG = (Closure(GatePhase.PAUSED, until, 60.0) for until in (50.0, 100.0))


def test_of_two_gates_the_worse_count_of_each_goes_on() -> None:
    mine = GateState(strikes=1, bans=2, lost_probes=3, good=5, ramp=2)
    theirs = GateState(strikes=4, bans=1, lost_probes=1, limited=True, good=7, ramp=1)
    for after in (take_over(theirs, mine), take_over(mine, theirs)):
        counts = (after.strikes, after.bans, after.lost_probes, after.good, after.ramp)
        assert (counts, after.limited) == ((4, 2, 3, 5, 1), True)


def test_a_longer_pause_of_another_key_is_taken_over_and_what_left_before_does_not_end_it() -> None:
    probe = Flight(Ask(1, PERSON, write=False, idempotent=True), 5.0, 6.0, 1, probe=True, closures=2)
    mine = GateState(closure=SHORT, phase=GatePhase.PAUSED, since=10.0, closures=3, flights=(probe,))
    ban = replace(LONG, phase=GatePhase.BANNED)
    after = take_over(GateState(closure=ban, phase=GatePhase.PROBING, since=20.0, closures=8), mine)
    taken = replace(ban, number=4)
    assert (after.closure, after.phase, after.since, after.closures) == (taken, GatePhase.BANNED, 20.0, 4)
    good = take_answer(after, Answered(1, answer(200)), 60.0, 0.0)
    assert (good.closure, good.flights) == (taken, ())
    lost = take_break(after, NoAnswer(1, sent=True), 60.0, 0.0)
    assert (lost.closure, lost.lost_probes) == (taken, 0)


def test_a_refusal_of_a_probe_counts_once_more_though_another_pause_has_come_between() -> None:
    """It left after the last refusal here, so it is no part of that."""
    probe = Flight(Ask(1, PERSON, write=False, idempotent=True), 5.0, 6.0, 1, probe=True, closures=3)
    mine = GateState(closure=SHORT, phase=GatePhase.PROBING, strikes=4, closures=3, flights=(probe,))
    after = take_over(GateState(closure=LONG, strikes=1), mine)
    assert take_answer(after, Answered(1, answer(429, retry_after=30.0)), 60.0, 0.0).strikes == 5


def test_a_pause_that_is_not_longer_or_is_of_the_other_key_alone_changes_nothing() -> None:
    mine = GateState(closure=LONG, phase=GatePhase.PAUSED, since=10.0, closures=3)
    for theirs in (SHORT, LONG, replace(LONG, until=200.0, own=True), Closure(GatePhase.SPENT, 200.0, 60.0)):
        assert take_over(GateState(closure=theirs, since=20.0), mine) == mine


def test_of_a_gate_that_was_open_nothing_is_inherited() -> None:
    bench = Bench()
    bench.warm()
    state = GateState(strikes=1)
    assert inherit(snapshot(bench.state, bench.clock.now()), state, bench.clock.now()) == state


def test_a_pause_of_another_key_is_inherited_with_its_end() -> None:
    bench = paused(30.0)
    assert bench.state.closure is not None
    after = inherit(snapshot(bench.state, bench.clock.now()), GateState(), bench.clock.now())
    assert after.closure is not None
    assert after.closure.until == bench.state.closure.until
    assert after.phase is GatePhase.PAUSED
