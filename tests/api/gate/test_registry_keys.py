"""A change of key is sitting down at another gate: what each key was told stays with it, and a pause goes along."""

from __future__ import annotations

import json

import pytest

from petstore_desktop.api.gate.memory import restore
from petstore_desktop.api.headers.limit_headers import WindowFacts
from petstore_desktop.domain.quota import PLANS, GatePhase, GateView, LimitSpan, Quota
from tests.api.gate.test_admission import settle
from tests.api.gate.test_registry import OK, ONE, THREE, TWO, House, one, run, wants
from tests.api.gate_machine.bench import PERSON, answer


def test_a_401_for_the_key_before_does_not_lock_the_new_one() -> None:
    async def test(house: House) -> None:
        member = house.member()
        await one(member)
        late = await member.admit(PERSON, write=False, idempotent=True)
        house.enter(member, TWO)
        member.answered(late, answer(401))
        assert member.view.phase is GatePhase.OPEN
        await one(member)
        house.enter(member, ONE)  # and a person who enters it again has it tried again
        await one(member)

    run(test)


def test_a_new_key_inherits_the_pause_and_writes_it_down_before_it_sends() -> None:
    async def test(house: House) -> None:
        member = house.member()
        await one(member)
        await one(member, answer(429, retry_after=500.0))
        house.enter(member, TWO)
        kept = house.disk.rows[TWO[1:]]
        assert (kept.phase, kept.until_steady) == (GatePhase.PAUSED, house.clock.now().steady + 501.0)
        waiting = wants(member)
        house.clock.advance(500.9)
        member.wake()
        await settle()
        assert not waiting.done()
        waiting.cancel()

    run(test)


def test_a_window_of_the_old_key_that_is_used_up_for_longer_than_its_pause_is_not_inherited() -> None:
    async def test(house: House) -> None:
        member = house.member()
        await one(member, OK)
        first, second = [await member.admit(PERSON, write=False, idempotent=True) for _ in range(2)]
        member.answered(first, answer(429, retry_after=10.0))
        member.answered(second, answer(200, WindowFacts(1000, 0, 5_000.0)))
        assert member.view.until == house.clock.now().wall + 5_001.0
        for into in (TWO, THREE):
            house.enter(member, into)
            assert member.view.until == house.clock.now().wall + 11.0
        own, _ = house.disk.load(*ONE[1:])
        assert own is not None
        kept = restore(None, None, house.clock.now(), (own,)).closure
        assert kept is not None
        assert kept.until == house.clock.now().steady + 11.0

    run(test)


@pytest.mark.parametrize("span", list(LimitSpan))
def test_a_new_key_has_windows_of_its_own_and_is_tried_alone(span: LimitSpan) -> None:
    async def test(house: House) -> None:
        member = house.member()
        await one(member, answer(200, WindowFacts(60, 0, 30.0, span=span)))
        assert member.view.phase is GatePhase.SPENT
        house.enter(member, TWO)
        asked = [wants(member), wants(member)]
        await settle()
        assert [task.done() for task in asked] == [True, False]
        asked[1].cancel()
        house.enter(member, ONE)
        assert member.view.phase is GatePhase.SPENT, "as that key was told"

    run(test)


@pytest.mark.parametrize("reset_in", [30.0, None])
def test_what_the_service_says_of_the_old_keys_window_is_not_believed_of_the_new(reset_in: float | None) -> None:
    async def test(house: House) -> None:
        member = house.member()
        await one(member)
        late = await member.admit(PERSON, write=False, idempotent=True)
        house.enter(member, TWO)
        member.answered(late, answer(200, remaining=0, reset_in=reset_in))
        assert (member.view.phase, member.quota.minute.remaining) == (GatePhase.OPEN, None)

    run(test)


def test_who_was_let_out_and_withdrew_is_taken_off_the_count_of_the_key_it_was_counted_for() -> None:
    async def test(house: House) -> None:
        member = house.member()
        member.use_plan(PLANS["free"])
        await one(member, answer(200))
        ticket = await member.admit(PERSON, write=False, idempotent=True)
        house.enter(member, TWO)
        assert member.quota.day.remaining == 1000
        assert not member.may_send(ticket)
        member.unused(ticket)
        assert member.quota.day.remaining == 1000
        house.enter(member, ONE)
        assert member.quota.day.remaining == 999

    run(test)


def test_a_connection_that_sits_down_again_is_told_how_that_gate_stands() -> None:
    async def test(house: House) -> None:
        told: list[GateView | Quota] = []
        member = house.member(tell=told.append)
        await one(member, answer(200, remaining=0, reset_in=30.0))
        house.enter(member, TWO)
        house.enter(member, ONE)
        phases = [said.phase for said in told if isinstance(said, GateView)]
        assert phases == [GatePhase.SPENT, GatePhase.OPEN, GatePhase.SPENT]
        assert [said.minute.remaining for said in told if isinstance(said, Quota)] == [0, None, 0]
        waiting = wants(member)
        await settle()
        house.clock.advance(31.0)
        await settle()
        member.wake()
        await settle()
        assert waiting.done()

    run(test)


def test_who_comes_back_to_an_empty_gate_writes_down_that_something_may_leave_before_it_does() -> None:
    async def test(house: House) -> None:
        member = house.member()
        await one(member)
        member.close()
        assert json.loads(house.disk.rows[ONE[1:]].payload)["slack"] == 0
        again = house.member()
        await again.admit(PERSON, write=False, idempotent=True)
        assert json.loads(house.disk.rows[ONE[1:]].payload)["slack"] > 0

    run(test)


def test_a_probe_that_is_on_its_way_does_not_end_a_pause_that_the_key_before_met_since() -> None:
    async def test(house: House) -> None:
        member = house.member()
        await one(member)
        late = await member.admit(PERSON, write=False, idempotent=True)
        await one(member, answer(429, retry_after=10.0))
        house.enter(member, TWO)
        house.clock.advance(11.0)
        member.wake()
        probe = await member.admit(PERSON, write=False, idempotent=True)
        assert probe.probe
        member.answered(late, answer(429, retry_after=60.0))
        member.answered(probe, OK)
        assert (member.view.phase, member.view.until) == (GatePhase.PAUSED, house.clock.now().wall + 61.0)

    run(test)


@pytest.mark.parametrize("late", [False, True], ids=["told before the change", "told in a late answer"])
def test_what_a_key_was_told_while_the_file_was_locked_is_written_down_after_the_key_has_changed(late: bool) -> None:
    async def test(house: House) -> None:
        used_up = answer(200, WindowFacts(1_000, 0, 5_000.0))
        member = house.member()
        await one(member)
        ticket = await member.admit(PERSON, write=False, idempotent=True)
        house.disk.locked = True
        if not late:
            member.answered(ticket, used_up)
        house.enter(member, TWO)
        if late:
            member.answered(ticket, used_up)
        house.disk.locked = False
        house.clock.advance(1.0)
        member.wake()
        assert house.disk.rows[ONE[1:]].phase is GatePhase.SPENT

    run(test)
