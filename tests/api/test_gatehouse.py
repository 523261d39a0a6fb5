"""Connections with the same origin and key have one gate, whatever threads they run in."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from petstore_desktop.api.admission import Admission, GateLocked, Ticket
from petstore_desktop.api.gate_memory import restore
from petstore_desktop.api.gatehouse import Gatehouse, Keep, Place
from petstore_desktop.api.limit_headers import Span, WindowFacts
from petstore_desktop.api.shared_gate import SharedGate
from petstore_desktop.clock import ManualClock
from petstore_desktop.domain.errors import Unreachable
from petstore_desktop.domain.quota import PLANS, GatePhase, GateSnapshot, GateView, Quota
from tests.api.gate_bench import PERSON, Low, answer
from tests.api.test_admission import settle

OK = answer(200, remaining=50)
THREE = ("gates.db", "https://shop.example", "key three")
ONE, TWO = ("gates.db", "https://shop.example", "key one"), ("gates.db", "https://shop.example", "key two")


class Disk:
    """What outlives the program, in memory."""

    path = Path("gates.db")

    def __init__(self) -> None:
        self.rows: dict[tuple[str, str], GateSnapshot] = {}

    def fingerprint(self, key: str) -> str:
        return key

    def load(self, origin: str, fingerprint: str) -> tuple[GateSnapshot | None, tuple[GateSnapshot, ...]]:
        return self.rows.get((origin, fingerprint)), ()

    def save(self, origin: str, fingerprint: str, snapshot: GateSnapshot) -> None:
        self.rows[origin, fingerprint] = snapshot


class House:
    """A gatehouse on a clock that stands still, and seats in it."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.gates = Gatehouse()
        self.disk = Disk()

    def seat(self, place: Place = ONE, tell: Callable[[GateView | Quota], None] = lambda _: None) -> Admission:
        gate, keep = self.find(place)
        return Admission(self.clock, Low(), keep, tell, gate=gate)

    def find(self, place: Place) -> tuple[SharedGate[Admission], Keep]:
        return self.gates.find(self.disk, place[1], place[2], None, self.clock.now())

    def enter(self, seat: Admission, place: Place) -> None:
        """A person enters the key of this place."""
        seat.move(*self.find(place))
        seat.unlock()


def wants(seat: Admission) -> asyncio.Task[Ticket]:
    return asyncio.create_task(seat.admit(PERSON, write=False, idempotent=True))


async def one(seat: Admission, said=OK) -> None:
    seat.answered(await seat.admit(PERSON, write=False, idempotent=True), said)


def run(test: Callable[[House], Awaitable[None]]) -> None:
    asyncio.run(test(House()))


def test_a_pause_that_one_met_holds_the_other_from_that_moment_on() -> None:
    async def test(house: House) -> None:
        told: list[GateView | Quota] = []
        first, second = house.seat(), house.seat(tell=told.append)
        await one(first)
        await one(first, answer(429, retry_after=10.0))
        waiting = wants(second)
        await settle()
        assert not waiting.done()
        assert second.view.phase is GatePhase.PAUSED
        assert any(isinstance(said, GateView) and said.phase is GatePhase.PAUSED for said in told)
        house.clock.advance(11.0)
        first.wake()
        await settle()
        assert waiting.result().probe

    run(test)


def test_what_is_on_its_way_is_reckoned_together() -> None:
    async def test(house: House) -> None:
        first, second = house.seat(), house.seat()
        await one(first, answer(200, remaining=2, limit=60, reset_in=30.0))
        asked = [wants(seat) for seat in (first, second, first, second)]
        await settle()
        assert sum(task.done() for task in asked) == 2, "as many as are left, not as many for each"
        for task in asked:
            task.cancel()

    run(test)


def test_a_ticket_called_back_by_the_other_ones_429_may_not_be_sent() -> None:
    async def test(house: House) -> None:
        first, second = house.seat(), house.seat()
        await one(first)
        ticket = await second.admit(PERSON, write=False, idempotent=True)
        await one(first, answer(429, retry_after=10.0))
        assert not second.may_send(ticket)

    run(test)


def test_places_differ_by_origin_and_by_key() -> None:
    async def test(house: House) -> None:
        first, other_key = house.seat(ONE), house.seat(TWO)
        other_origin = house.seat(("gates.db", "https://elsewhere.example", "key one"))
        await one(first)
        await one(first, answer(429, retry_after=10.0))
        for seat in (other_key, other_origin):
            assert seat.view.phase is GatePhase.OPEN
            await one(seat)

    run(test)


def test_who_leaves_closes_nothing_for_the_others() -> None:
    async def test(house: House) -> None:
        first, second = house.seat(), house.seat()
        await one(first, answer(200, remaining=1, limit=60, reset_in=30.0))
        ticket = await second.admit(PERSON, write=False, idempotent=True)
        lost, stays = wants(first), wants(second)
        await settle()
        first.close()
        with pytest.raises(Unreachable, match="gate-closed"):
            await lost
        with pytest.raises(Unreachable, match="gate-closed"):
            await first.admit(PERSON, write=False, idempotent=True)
        second.answered(ticket, answer(200, remaining=5, limit=60, reset_in=30.0))
        await settle()
        assert stays.done()

    run(test)


def test_a_gate_that_all_have_left_remembers_its_pause_for_who_comes_back() -> None:
    async def test(house: House) -> None:
        first = house.seat()
        await one(first)
        late = await first.admit(PERSON, write=False, idempotent=True)
        first.close()
        again = house.seat()
        first.answered(late, answer(429, retry_after=10.0))  # an answer that comes after the window is gone
        assert again.view.phase is GatePhase.PAUSED
        house.clock.advance(11.0)
        again.wake()
        assert (await again.admit(PERSON, write=False, idempotent=True)).probe

    run(test)


def test_a_rejected_key_is_rejected_for_both_and_another_one_ends_it_for_who_has_it() -> None:
    async def test(house: House) -> None:
        first, second = house.seat(), house.seat()
        await one(first, answer(401))
        with pytest.raises(GateLocked):
            await second.admit(PERSON, write=False, idempotent=True)
        house.enter(second, TWO)
        await one(second)
        with pytest.raises(GateLocked):
            await first.admit(PERSON, write=False, idempotent=True)

    run(test)


def test_a_new_key_of_one_of_two_takes_the_pause_along_and_leaves_it_there() -> None:
    async def test(house: House) -> None:
        first, second = house.seat(), house.seat()
        await one(first)
        await one(first, answer(429, retry_after=10.0))
        waiting = wants(second)
        await settle()
        house.enter(second, TWO)
        await settle()
        assert (first.view.phase, second.view.phase) == (GatePhase.PAUSED, GatePhase.PAUSED)
        house.clock.advance(11.0)
        second.wake()
        await settle()
        assert waiting.result().probe, "who waited waits at the other gate"

    run(test)


def test_a_late_429_for_the_old_key_is_told_to_the_gate_of_the_old_key() -> None:
    async def test(house: House) -> None:
        first, second = house.seat(), house.seat()
        await one(first)
        late = await second.admit(PERSON, write=False, idempotent=True)
        house.enter(second, TWO)
        second.answered(late, answer(429, retry_after=10.0))
        assert first.view.phase is GatePhase.PAUSED
        assert house.disk.rows[ONE[1:]].phase is GatePhase.PAUSED
        assert second.view.phase is GatePhase.PAUSED, "who was told to wait waits, whatever the key"

    run(test)


def test_a_key_that_another_connection_uses_brings_its_gate_with_what_that_knows() -> None:
    async def test(house: House) -> None:
        first, second = house.seat(ONE), house.seat(TWO)
        await one(first)
        await one(first, answer(429, retry_after=10.0))
        await one(second, answer(200, remaining=7, limit=60, reset_in=30.0))
        house.enter(first, TWO)
        assert first.gate is second.gate
        assert first.quota.minute.remaining == 7
        assert second.view.phase is GatePhase.PAUSED, "a pause is about this client, whatever its key"

    run(test)


def test_a_401_for_the_key_before_does_not_lock_the_new_one() -> None:
    async def test(house: House) -> None:
        seat = house.seat()
        await one(seat)
        late = await seat.admit(PERSON, write=False, idempotent=True)
        house.enter(seat, TWO)
        seat.answered(late, answer(401))
        assert seat.view.phase is GatePhase.OPEN
        await one(seat)
        house.enter(seat, ONE)  # and a person who enters it again has it tried again
        await one(seat)

    run(test)


def test_a_new_key_inherits_the_pause_and_writes_it_down_before_it_sends() -> None:
    async def test(house: House) -> None:
        seat = house.seat()
        await one(seat)
        await one(seat, answer(429, retry_after=500.0))
        house.enter(seat, TWO)
        kept = house.disk.rows[TWO[1:]]
        assert (kept.phase, kept.until_steady) == (GatePhase.PAUSED, house.clock.now().steady + 501.0)
        waiting = wants(seat)
        house.clock.advance(500.9)
        seat.wake()
        await settle()
        assert not waiting.done()
        waiting.cancel()

    run(test)


def test_a_window_of_the_old_key_that_is_used_up_for_longer_than_its_pause_is_not_inherited() -> None:
    async def test(house: House) -> None:
        seat = house.seat()
        await one(seat, OK)
        first, second = [await seat.admit(PERSON, write=False, idempotent=True) for _ in range(2)]
        seat.answered(first, answer(429, retry_after=10.0))
        seat.answered(second, answer(200, WindowFacts(1000, 0, 5_000.0)))
        assert seat.view.until == house.clock.now().wall + 5_001.0
        for into in (TWO, THREE):
            house.enter(seat, into)
            assert seat.view.until == house.clock.now().wall + 11.0
        own, _ = house.disk.load(*ONE[1:])
        assert own is not None
        kept = restore(None, None, house.clock.now(), (own,)).closure
        assert kept is not None
        assert kept.until == house.clock.now().steady + 11.0

    run(test)


@pytest.mark.parametrize("span", list(Span))
def test_a_new_key_has_windows_of_its_own_and_is_tried_alone(span: Span) -> None:
    async def test(house: House) -> None:
        seat = house.seat()
        await one(seat, answer(200, WindowFacts(60, 0, 30.0, span=span)))
        assert seat.view.phase is GatePhase.SPENT
        house.enter(seat, TWO)
        asked = [wants(seat), wants(seat)]
        await settle()
        assert [task.done() for task in asked] == [True, False]
        asked[1].cancel()
        house.enter(seat, ONE)
        assert seat.view.phase is GatePhase.SPENT, "as that key was told"

    run(test)


@pytest.mark.parametrize("reset_in", [30.0, None])
def test_what_the_service_says_of_the_old_keys_window_is_not_believed_of_the_new(reset_in: float | None) -> None:
    async def test(house: House) -> None:
        seat = house.seat()
        await one(seat)
        late = await seat.admit(PERSON, write=False, idempotent=True)
        house.enter(seat, TWO)
        seat.answered(late, answer(200, remaining=0, reset_in=reset_in))
        assert (seat.view.phase, seat.quota.minute.remaining) == (GatePhase.OPEN, None)

    run(test)


def test_who_was_let_out_and_withdrew_is_taken_off_the_count_of_the_key_it_was_counted_for() -> None:
    async def test(house: House) -> None:
        seat = house.seat()
        seat.use_plan(PLANS["free"])
        await one(seat, answer(200))
        ticket = await seat.admit(PERSON, write=False, idempotent=True)
        house.enter(seat, TWO)
        assert seat.quota.day.remaining == 1000
        assert not seat.may_send(ticket)
        seat.unused(ticket)
        assert seat.quota.day.remaining == 1000
        house.enter(seat, ONE)
        assert seat.quota.day.remaining == 999

    run(test)


def test_a_connection_that_sits_down_again_is_told_how_that_gate_stands() -> None:
    async def test(house: House) -> None:
        told: list[GateView | Quota] = []
        seat = house.seat(tell=told.append)
        await one(seat, answer(200, remaining=0, reset_in=30.0))
        house.enter(seat, TWO)
        house.enter(seat, ONE)
        phases = [said.phase for said in told if isinstance(said, GateView)]
        assert phases == [GatePhase.SPENT, GatePhase.OPEN, GatePhase.SPENT]
        assert [said.minute.remaining for said in told if isinstance(said, Quota)] == [0, None, 0]
        waiting = wants(seat)
        await settle()
        house.clock.advance(31.0)
        await settle()
        seat.wake()
        await settle()
        assert waiting.done()

    run(test)


def test_who_comes_back_to_an_empty_gate_writes_down_that_something_may_leave_before_it_does() -> None:
    async def test(house: House) -> None:
        seat = house.seat()
        await one(seat)
        seat.close()
        assert json.loads(house.disk.rows[ONE[1:]].payload)["slack"] == 0
        again = house.seat()
        await again.admit(PERSON, write=False, idempotent=True)
        assert json.loads(house.disk.rows[ONE[1:]].payload)["slack"] > 0

    run(test)


def test_two_threads_share_one_gate() -> None:
    """Each has a loop of its own; a turn is handed from thread to thread."""
    house, rounds, errors = House(), 200, list[BaseException]()
    most, now, lock = 0, 0, threading.Lock()

    async def work() -> None:
        nonlocal most, now
        seat = house.seat()
        for _ in range(rounds):
            ticket = await seat.admit(PERSON, write=False, idempotent=True)
            with lock:
                now += 1
                most = max(most, now)
            await asyncio.sleep(0)
            with lock:
                now -= 1
            seat.answered(ticket, answer(200, remaining=1, limit=60, reset_in=30.0))
        seat.close()

    def thread() -> None:
        try:
            asyncio.run(asyncio.wait_for(work(), 30))
        except BaseException as error:  # noqa: BLE001 -- raised below
            errors.append(error)

    threads = [threading.Thread(target=thread) for _ in range(2)]
    for one_ in threads:
        one_.start()
    for one_ in threads:
        one_.join()
    assert errors == []
    assert most == 1, "with one request left, one is on its way, whoever sends it"
