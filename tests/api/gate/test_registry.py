"""Connections with the same origin and key have one gate, whatever threads they run in."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from petstore_desktop.api.gate.admission import Admission, Ticket
from petstore_desktop.api.gate.memory import snapshot
from petstore_desktop.api.gate.model import GateState
from petstore_desktop.api.gate.registry import GateRegistry, Keep, Place, SharedGate
from petstore_desktop.api.gate.unauthorized import GateLocked
from petstore_desktop.domain.errors import StorageError, Unreachable
from petstore_desktop.domain.quota import GatePhase, GateSnapshot, GateView, Quota
from tests.api.gate.test_admission import settle
from tests.api.gate.test_memory import kept_pause
from tests.api.gate_machine.bench import PERSON, Bench, Low, answer
from tests.support.manual_clock import ManualClock

OK = answer(200, remaining=50)
THREE = ("gates.db", "https://shop.example", "key three")
ONE, TWO = ("gates.db", "https://shop.example", "key one"), ("gates.db", "https://shop.example", "key two")


class Disk:
    """What outlives the program, in memory."""

    path = Path("gates.db")

    def __init__(self) -> None:
        self.rows: dict[tuple[str, str], GateSnapshot] = {}
        self.locked = False

    def fingerprint(self, key: str) -> str:
        return key

    def load(self, origin: str, fingerprint: str) -> tuple[GateSnapshot | None, tuple[GateSnapshot, ...]]:
        return self.rows.get((origin, fingerprint)), ()

    def save(self, origin: str, fingerprint: str, snapshot: GateSnapshot) -> None:
        if self.locked:
            raise StorageError("locked", path=str(self.path))
        self.rows[origin, fingerprint] = snapshot


class House:
    """A gate registry on a clock that stands still, and members of it."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.gates = GateRegistry()
        self.disk = Disk()

    def member(self, place: Place = ONE, tell: Callable[[GateView | Quota], None] = lambda _: None) -> Admission:
        gate, keep = self.find(place)
        return Admission(self.clock, Low(), keep, tell, gate=gate)

    def find(self, place: Place) -> tuple[SharedGate[Admission], Keep]:
        return self.gates.find(self.disk, place[1], place[2], None, self.clock.now())

    def enter(self, member: Admission, place: Place) -> None:
        """A person enters the key of this place."""
        member.move(*self.find(place))
        member.unlock()


def wants(member: Admission) -> asyncio.Task[Ticket]:
    return asyncio.create_task(member.admit(PERSON, write=False, idempotent=True))


async def one(member: Admission, said=OK) -> None:
    member.answered(await member.admit(PERSON, write=False, idempotent=True), said)


def run(test: Callable[[House], Awaitable[None]]) -> None:
    asyncio.run(test(House()))


def test_a_pause_that_one_met_holds_the_other_from_that_moment_on() -> None:
    async def test(house: House) -> None:
        told: list[GateView | Quota] = []
        first, second = house.member(), house.member(tell=told.append)
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
        first, second = house.member(), house.member()
        await one(first, answer(200, remaining=2, limit=60, reset_in=30.0))
        asked = [wants(member) for member in (first, second, first, second)]
        await settle()
        assert sum(task.done() for task in asked) == 2, "as many as are left, not as many for each"
        for task in asked:
            task.cancel()

    run(test)


def test_a_ticket_called_back_by_the_other_ones_429_may_not_be_sent() -> None:
    async def test(house: House) -> None:
        first, second = house.member(), house.member()
        await one(first)
        ticket = await second.admit(PERSON, write=False, idempotent=True)
        await one(first, answer(429, retry_after=10.0))
        assert not second.may_send(ticket)

    run(test)


def test_places_differ_by_origin_and_by_key() -> None:
    async def test(house: House) -> None:
        first, other_key = house.member(ONE), house.member(TWO)
        other_origin = house.member(("gates.db", "https://elsewhere.example", "key one"))
        await one(first)
        await one(first, answer(429, retry_after=10.0))
        for member in (other_key, other_origin):
            assert member.view.phase is GatePhase.OPEN
            await one(member)

    run(test)


def test_who_leaves_closes_nothing_for_the_others() -> None:
    async def test(house: House) -> None:
        first, second = house.member(), house.member()
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
        first = house.member()
        await one(first)
        late = await first.admit(PERSON, write=False, idempotent=True)
        first.close()
        again = house.member()
        first.answered(late, answer(429, retry_after=10.0))  # an answer that comes after the window is gone
        assert again.view.phase is GatePhase.PAUSED
        house.clock.advance(11.0)
        again.wake()
        assert (await again.admit(PERSON, write=False, idempotent=True)).probe

    run(test)


def test_a_rejected_key_is_rejected_for_both_and_another_one_ends_it_for_who_has_it() -> None:
    async def test(house: House) -> None:
        first, second = house.member(), house.member()
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
        first, second = house.member(), house.member()
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
        first, second = house.member(), house.member()
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
        first, second = house.member(ONE), house.member(TWO)
        await one(first)
        await one(first, answer(429, retry_after=10.0))
        await one(second, answer(200, remaining=7, limit=60, reset_in=30.0))
        house.enter(first, TWO)
        assert first.gate is second.gate
        assert first.quota.minute.remaining == 7
        assert second.view.phase is GatePhase.PAUSED, "a pause is about this client, whatever its key"

    run(test)


def test_two_threads_share_one_gate() -> None:
    """Each has a loop of its own; a turn is handed from thread to thread."""
    house, rounds, errors = House(), 200, list[BaseException]()
    most, now, lock = 0, 0, threading.Lock()

    async def work() -> None:
        nonlocal most, now
        member = house.member()
        for _ in range(rounds):
            ticket = await member.admit(PERSON, write=False, idempotent=True)
            with lock:
                now += 1
                most = max(most, now)
            await asyncio.sleep(0)
            with lock:
                now -= 1
            member.answered(ticket, answer(200, remaining=1, limit=60, reset_in=30.0))
        member.close()

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


ELSEWHERE = ("gates.db", "https://elsewhere.example", "key one")


def test_the_last_who_leaves_is_told_so_and_leaving_twice_takes_nobody_elses_seat() -> None:
    gate = SharedGate[str](GateState())
    gate.join("first")
    gate.join("second")
    assert not gate.leave("first")
    assert not gate.leave("first")
    assert gate.members == ["second"]
    assert gate.leave("second")
    assert gate.leave("second")


def test_who_leaves_takes_the_own_tickets_along_and_no_others() -> None:
    gate = SharedGate[str](GateState())
    gate.owners = {1: "first", 2: "second", 3: "first"}
    gate.leave("first")
    assert gate.owners == {2: "second"}


def test_each_request_on_its_way_is_expected_however_many_there_are() -> None:
    bench = Bench()
    bench.warm()
    tickets = [bench.ask(), bench.ask()]
    gate = SharedGate[str](bench.state)
    assert [gate.state.flight(ticket) is not None for ticket in (*tickets, 99)] == [True, True, False]


def test_who_comes_later_brings_the_pauses_that_other_keys_met_meanwhile() -> None:
    house = House()
    now = house.clock.now()
    first = house.gates.gate(ONE, (None, ()), None, now)
    assert first.state.phase is GatePhase.OPEN
    assert house.gates.gate(ONE, (None, (kept_pause(),)), None, now) is first
    assert first.state.phase is GatePhase.PAUSED


def test_who_sits_alone_finds_at_each_keys_gate_what_that_key_was_told() -> None:
    house = House()
    member, other = house.member(ONE), house.member(ELSEWHERE)
    gate = member.gate
    house.enter(member, TWO)
    assert member.gate is not gate
    assert house.find(TWO)[0] is member.gate
    assert house.find(ONE)[0] is gate
    assert house.find(ELSEWHERE)[0] is other.gate
    house.enter(member, ONE)
    assert (member.gate, gate.members) == (gate, [member])


@pytest.mark.parametrize("writes_late", [False, True])
def test_who_sits_down_again_at_an_open_gate_takes_over_no_pause_of_another_key_that_it_has_ended(
    writes_late: bool,
) -> None:
    """The file cannot be written, so that it says of neither key that the pause is over."""

    @run
    async def test(house: House) -> None:
        member = house.member(ONE)
        await one(member, answer(429, retry_after=10.0))
        house.enter(member, TWO)
        house.disk.locked = True
        house.clock.advance(11.0)
        await one(member)
        assert member.view.phase is GatePhase.OPEN
        house.clock.advance(100.0)
        if writes_late:
            house.disk.locked = False
            paused = house.find(ONE)[0].state
            house.disk.rows[ONE[1:]] = snapshot(paused, house.clock.now())
        met = house.disk.rows[ONE[1:]]
        assert met.phase is GatePhase.PAUSED
        house.gates.gate(TWO, (house.disk.rows[TWO[1:]], (met,)), None, house.clock.now())
        member.wake()
        assert member.view.phase is GatePhase.OPEN


def test_a_gate_that_is_open_takes_over_a_pause_that_another_key_has_met_since() -> None:
    house = House()
    first = house.gates.gate(ONE, (None, ()), None, house.clock.now())
    house.clock.advance(5.0)
    bench = Bench(clock=house.clock)  # in another program
    bench.warm()
    bench.one(answer(429, retry_after=30.0))
    assert house.gates.gate(ONE, (None, (bench.snapshot,)), None, house.clock.now()) is first
    assert first.state.closure is not None


def test_a_key_has_one_gate_with_and_without_the_word_before_it() -> None:
    house = House()
    bare, pasted = (house.find(("gates.db", "https://shop.example", key))[0] for key in ("k-123", "Bearer k-123"))
    assert bare is pasted
