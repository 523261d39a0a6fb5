"""Requests wait at the gate, in one thread, on a clock that the test moves."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from petstore_desktop.api.gate import back_off
from petstore_desktop.api.gate.admission import Admission, Ticket
from petstore_desktop.api.gate.unauthorized import GateLocked
from petstore_desktop.clock import SystemClock
from petstore_desktop.domain.errors import KeyRejected, StorageError, Unreachable
from petstore_desktop.domain.quota import GatePhase, GateSnapshot, GateView, Plan, Quota, RequestClass
from petstore_desktop.store.gates import Gates
from tests.api.gate_machine.bench import BACKGROUND, CHANGES, PERSON, Low, alone, answer
from tests.support.manual_clock import ManualClock
from tests.support.patience import PATIENCE_S

OK = answer(200, remaining=50)


class Door:
    """An Admission with everything around it held still."""

    def __init__(self, restored: GateSnapshot | None = None, plan: Plan | None = None) -> None:
        self.clock = ManualClock()
        self.kept: list[GateSnapshot] = []
        self.told: list[GateView | Quota] = []
        self.probes_wanted = 0
        self.disk_fails = False
        gate = alone(self.clock, restored, plan)
        self.admission = Admission(
            self.clock, Low(), self._persist, self.told.append, plan, self._want_probe, gate=gate
        )

    def _persist(self, snapshot: GateSnapshot) -> None:
        if self.disk_fails:
            raise StorageError(path="gates.db")
        self.kept.append(snapshot)

    def _want_probe(self) -> None:
        self.probes_wanted += 1

    def wants(self, cls: RequestClass = PERSON, *, write: bool = False) -> asyncio.Task[Ticket]:
        return asyncio.create_task(self.admission.admit(cls, write=write, idempotent=not write))

    async def one(self, said=OK) -> None:
        ticket = await self.admission.admit(PERSON, write=False, idempotent=True)
        self.admission.answered(ticket, said)

    async def pass_time(self, seconds: float) -> None:
        self.clock.advance(seconds)
        self.admission.wake()
        await settle()


async def settle() -> None:
    """Let every task run until it waits for something outside."""
    for _ in range(10):
        await asyncio.sleep(0)


def run(test: Callable[[Door], Awaitable[None]], door: Door | None = None) -> Door:
    """Run a test's coroutine and close the gate behind it."""

    async def whole() -> Door:
        used = door or Door()
        await test(used)
        used.admission.close()
        await settle()
        return used

    return asyncio.run(whole())


def test_a_request_leaves_at_once_through_an_open_gate() -> None:
    async def test(door: Door) -> None:
        ticket = await door.admission.admit(PERSON, write=False, idempotent=True)
        assert (ticket.cost, ticket.probe) == (1, False)
        assert door.admission.may_send(ticket)
        door.admission.answered(ticket, OK)
        assert not door.admission.may_send(ticket)
        assert door.admission.quota.minute.remaining == 50

    run(test)


def test_requests_wait_through_a_pause_and_leave_one_by_one_after_it() -> None:
    async def test(door: Door) -> None:
        await door.one()
        await door.one(answer(429, retry_after=10.0))
        first, second = door.wants(), door.wants()
        await door.pass_time(10.9)
        assert not first.done()
        await door.pass_time(0.1)
        assert first.done()
        assert first.result().probe
        assert not second.done()
        door.admission.answered(first.result(), OK)
        await settle()
        assert second.done()

    run(test)


def test_the_pause_is_on_disk_before_the_answer_has_been_taken_in() -> None:
    async def test(door: Door) -> None:
        await door.one()
        await door.one(answer(429, retry_after=10.0))
        assert door.kept[-1].phase is GatePhase.PAUSED
        assert door.admission.view.persisted

    run(test)


def test_a_pause_that_the_disk_refuses_holds_in_memory_and_says_so() -> None:
    async def test(door: Door) -> None:
        await door.one()
        door.disk_fails = True
        await door.one(answer(429, retry_after=10.0))
        assert not door.admission.view.persisted
        waiting = door.wants()
        await door.pass_time(10.9)
        assert not waiting.done()
        door.disk_fails = False
        await door.pass_time(0.05)
        assert door.admission.view.persisted
        assert door.kept[-1].phase is GatePhase.PAUSED
        await door.pass_time(0.06)
        assert waiting.done()

    run(test)


def test_every_change_of_gate_and_quota_is_told_once() -> None:
    async def test(door: Door) -> None:
        await door.one()
        await door.one()
        await door.one(answer(429, retry_after=10.0, remaining=50))

    door = run(test)
    views = [told for told in door.told if isinstance(told, GateView)]
    assert [view.phase for view in views] == [GatePhase.PAUSED]
    assert [told.minute.remaining for told in door.told if isinstance(told, Quota)] == [50]


def test_a_rejected_key_refuses_all_until_there_is_another() -> None:
    async def test(door: Door) -> None:
        await door.one()
        first = await door.admission.admit(PERSON, write=True, idempotent=False)
        waiting = door.wants(write=True)
        await settle()
        door.admission.answered(first, answer(401, message="Who?"))
        with pytest.raises(GateLocked) as caught:
            await waiting
        assert isinstance(caught.value, KeyRejected)
        assert (caught.value.status, caught.value.message, caught.value.raw) == (401, "Who?", "HTTP 401")
        with pytest.raises(GateLocked):
            await door.admission.admit(PERSON, write=False, idempotent=True)
        door.admission.unlock()
        await door.one()

    run(test)


def test_cancelling_a_waiting_request_withdraws_it() -> None:
    async def test(door: Door) -> None:
        await door.one(answer(429, retry_after=10.0))
        gone, stays = door.wants(), door.wants()
        await settle()
        gone.cancel()
        await door.pass_time(11.0)
        assert gone.cancelled()
        assert stays.done()

    run(test)


def test_cancelling_in_the_moment_of_the_probe_lets_the_next_one_probe_at_once() -> None:
    async def test(door: Door) -> None:
        await door.one(answer(429, retry_after=10.0))
        gone, stays = door.wants(), door.wants()
        await settle()
        door.clock.advance(11.0)
        door.admission.wake()
        gone.cancel()
        await settle()
        assert gone.cancelled()
        assert stays.result().probe

    run(test)


def test_cancelling_in_the_moment_of_admission_gives_the_place_back() -> None:
    async def test(door: Door) -> None:
        first = await door.admission.admit(PERSON, write=False, idempotent=True)
        second, third = door.wants(), door.wants()
        await settle()
        door.admission.answered(first, answer(200))  # no headers: one in flight, so only `second` is admitted
        second.cancel()
        await settle()
        assert second.cancelled()
        assert third.done()

    run(test)


def test_a_request_admitted_in_the_same_turn_as_a_429_goes_back_into_the_queue() -> None:
    async def test(door: Door) -> None:
        await door.one()
        flying = [await door.admission.admit(PERSON, write=False, idempotent=True) for _ in range(4)]
        waiting = door.wants()
        await settle()
        door.admission.answered(flying[0], OK)  # admits `waiting`, whose task has not run yet
        door.admission.answered(flying[1], answer(429, retry_after=10.0))
        await settle()
        assert not waiting.done()
        for ticket in flying[2:]:
            door.admission.broke(ticket, sent=True)
        await door.pass_time(11.0)
        assert waiting.done()
        assert waiting.result().probe

    run(test)


def test_a_pair_may_send_its_write_only_while_nothing_closed_the_gate() -> None:
    async def test(door: Door) -> None:
        await door.one()
        pair = await door.admission.admit(CHANGES, write=True, idempotent=False, cost=2)
        other = await door.admission.admit(PERSON, write=False, idempotent=True)
        door.admission.answered(pair, OK, more=True)
        assert door.admission.may_send(pair)
        door.admission.answered(other, answer(429, retry_after=10.0))
        assert not door.admission.may_send(pair)
        door.admission.broke(pair, sent=False)

    run(test)


def test_a_probe_is_asked_for_when_only_writes_wait() -> None:
    async def test(door: Door) -> None:
        await door.one(answer(429, retry_after=10.0))
        write = door.wants(CHANGES, write=True)
        await door.pass_time(11.0)
        assert door.probes_wanted == 1
        assert not write.done()
        await door.one()
        await settle()
        assert write.done()

    run(test)


def test_a_probe_may_be_asked_for_from_within_the_call() -> None:
    async def test(door: Door) -> None:
        probes: list[asyncio.Task[Ticket]] = []
        door.admission.want_probe = lambda: probes.append(door.wants(BACKGROUND))
        await door.one(answer(429, retry_after=10.0))
        write = door.wants(CHANGES, write=True)
        await door.pass_time(11.0)
        assert [probe.result().probe for probe in probes] == [True]
        door.admission.answered(probes[0].result(), OK)
        await settle()
        assert write.done()

    run(test)


def test_the_end_of_a_pause_comes_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(back_off, "pause_length", lambda *_, **__: 0.05)

    async def whole() -> None:
        clock = SystemClock()
        admission = Admission(clock, Low(), lambda _: None, lambda _: None, gate=alone(clock))
        ticket = await admission.admit(PERSON, write=False, idempotent=True)
        admission.answered(ticket, answer(429))
        until = admission.forecast(PERSON).at
        assert until is not None
        async with asyncio.timeout(PATIENCE_S):
            probe = await admission.admit(PERSON, write=False, idempotent=True)
        assert probe.probe
        assert clock.now().steady >= until
        admission.close()

    asyncio.run(whole())


def test_a_closed_gate_lets_nothing_out_and_still_hears_what_comes_in() -> None:
    async def test(door: Door) -> None:
        flying = await door.admission.admit(PERSON, write=False, idempotent=True)
        waiting = door.wants()
        await settle()
        door.admission.close()
        with pytest.raises(Unreachable, match="gate-closed"):
            await waiting
        with pytest.raises(Unreachable, match="gate-closed"):
            await door.admission.admit(PERSON, write=False, idempotent=True)
        door.admission.answered(flying, answer(429, retry_after=50.0))
        assert door.kept[-1].phase is GatePhase.PAUSED

    run(test)


def test_resume_now_lets_a_probe_out() -> None:
    async def test(door: Door) -> None:
        await door.one(answer(403, code="key_banned"))
        waiting = door.wants()
        await settle()
        assert not waiting.done()
        door.admission.resume_now()
        await settle()
        assert waiting.result().probe

    run(test)


def test_retries_wait_for_their_budget_and_a_person_who_acts_lets_one_out() -> None:
    async def test(door: Door) -> None:
        await door.one()
        door.clock.advance(600.0)
        for _ in range(10):
            ticket = await door.admission.admit(BACKGROUND, write=False, idempotent=True, retry=True)
            door.admission.answered(ticket, answer(200, remaining=50), cut=True)
        waiting = asyncio.create_task(door.admission.admit(BACKGROUND, write=False, idempotent=True, retry=True))
        await settle()
        assert not waiting.done()
        now = door.clock.now().steady
        assert (door.admission.forecast(BACKGROUND).at, door.admission.forecast(BACKGROUND, retry=True).at) == (
            now,
            now + 60,
        )
        door.admission.urge()
        await settle()
        assert waiting.done()
        door.admission.broke(waiting.result(), sent=True)

    run(test)


def test_a_ticket_that_is_not_used_costs_nothing_and_makes_room() -> None:
    async def test(door: Door) -> None:
        first = await door.admission.admit(PERSON, write=False, idempotent=True, retry=True)
        waiting = door.wants()
        await settle()
        assert not waiting.done()
        before = door.admission.forecast(BACKGROUND, retry=True).at
        door.admission.unused(first)
        door.admission.unused(first)
        await settle()
        assert waiting.done()
        assert door.admission.forecast(BACKGROUND, retry=True).at == before

    run(test)


def test_a_pause_survives_a_kill_in_the_gates_database(tmp_path: Path) -> None:
    origin, clock = "https://shop.example", ManualClock()

    def begun(gates: Gates, key: str) -> Admission:
        mark = gates.fingerprint(key)
        keep = lambda snapshot: gates.save(origin, mark, snapshot)  # noqa: E731 - one line of glue
        own, pauses = gates.load(origin, mark)
        return Admission(clock, Low(), keep, lambda _: None, gate=alone(clock, own, None, pauses))

    async def first() -> None:
        admission = begun(gates, "key-1")
        ticket = await admission.admit(PERSON, write=False, idempotent=True)
        admission.answered(ticket, answer(429, retry_after=100.0))
        # No close: the process is killed here.

    gates = Gates(tmp_path / "gates.db")
    asyncio.run(first())
    gates.close()
    clock.advance(40.0)
    again = Gates(tmp_path / "gates.db")
    for key in ("key-1", "key-2"):
        admission = begun(again, key)
        assert admission.view.phase is GatePhase.PAUSED
        assert admission.forecast(PERSON).at == clock.now().steady + 61.0
    again.close()


def test_the_one_function_that_a_scenario_may_replace_governs_every_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(back_off, "pause_length", lambda *_, **__: 0.0)

    async def test(door: Door) -> None:
        for said in (
            answer(429, retry_after=100.0),
            answer(200, remaining=0, reset_in=100.0),
            answer(200, remaining=0, reset_in=None),
            answer(403, code="key_banned"),
            answer(429),
        ):
            await door.one(said)
        async with asyncio.timeout(PATIENCE_S):
            await door.one()

    run(test)
