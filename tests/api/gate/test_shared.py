"""Who sits at a gate, whose ticket is whose, and where a gate is found after a key has changed."""

from __future__ import annotations

from petstore_desktop.api.gate.model import GateState
from petstore_desktop.api.gate.shared import SharedGate
from petstore_desktop.domain.quota import GatePhase
from tests.api.gate.test_memory import kept_pause
from tests.api.gate.test_registry import ONE, TWO, House
from tests.api.gate_bench import Bench

ELSEWHERE = ("gates.db", "https://elsewhere.example", "key one")


def test_the_last_who_leaves_is_told_so_and_leaving_twice_takes_nobody_elses_seat() -> None:
    gate = SharedGate[str](GateState())
    gate.join("first")
    gate.join("second")
    assert not gate.leave("first")
    assert not gate.leave("first")
    assert gate.seats == ["second"]
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
    assert [gate.expects(ticket) for ticket in (*tickets, 99)] == [True, True, False]


def test_who_comes_later_brings_the_pauses_that_other_keys_met_meanwhile() -> None:
    house = House()
    now = house.clock.now()
    first = house.gates.gate(ONE, (None, ()), None, now)
    assert first.state.phase is GatePhase.OPEN
    assert house.gates.gate(ONE, (None, (kept_pause(),)), None, now) is first
    assert first.state.phase is GatePhase.PAUSED


def test_who_sits_alone_finds_at_each_keys_gate_what_that_key_was_told() -> None:
    house = House()
    seat, other = house.seat(ONE), house.seat(ELSEWHERE)
    gate = seat.gate
    house.enter(seat, TWO)
    assert seat.gate is not gate
    assert house.find(TWO)[0] is seat.gate
    assert house.find(ONE)[0] is gate
    assert house.find(ELSEWHERE)[0] is other.gate
    house.enter(seat, ONE)
    assert (seat.gate, gate.seats) == (gate, [seat])
