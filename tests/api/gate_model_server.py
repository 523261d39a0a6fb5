"""A service that forgives nothing, and a gate before it: a state machine for Hypothesis.

Time is one true second count. The steady clock and the wall clock are made from it, each with its own offset, so that
reboots and hands on the clock move what the gate sees and never what the service counts.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from email.utils import formatdate

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from petstore_desktop.api import gate, gate_memory
from petstore_desktop.api.gate_model import (
    Admit,
    Answered,
    Ask,
    Broke,
    Effect,
    Event,
    KeyChanged,
    Persist,
    Persisted,
    ProbeWanted,
    Tick,
    WakeAt,
    Withdraw,
)
from petstore_desktop.api.limit_headers import answer_facts
from petstore_desktop.clock import Instant
from petstore_desktop.domain.quota import PLANS, GateSnapshot, RequestClass

SERVICE_WALL = 1_763_700_000.0
MOST_STEPS_TO_EMPTY = 2_000
SEEN: Counter[str] = Counter()
"""How often each phase was met, over all runs of this process."""


class Violation(AssertionError):
    """The service would have banned this key."""


@dataclass
class Service:
    """What the service expects of a client that may never be early. Times are true seconds."""

    closed_until: float = 0.0
    probe_owed: bool = False
    out: dict[int, Ask] = field(default_factory=dict)
    """Requests that arrived and are not answered."""
    wrong: str | None = None

    def arrive(self, ask: Ask, now: float) -> None:
        self.wrong = self._wrong(ask, now)
        if self.wrong is not None:
            raise Violation(self.wrong)
        self.out[ask.ticket] = ask

    def _wrong(self, ask: Ask, now: float) -> str | None:
        if now < self.closed_until:
            return f"sent {self.closed_until - now} s too early"
        if self.probe_owed and (self.out or ask.write or not ask.idempotent):
            return f"no probe: {ask} beside {self.out}"
        if ask.write and any(other.write for other in self.out.values()):
            return "two writes at once"
        return "five in flight" if len(self.out) >= 4 else None

    def close(self, now: float, seconds: float, *, probe: bool) -> None:
        self.closed_until = max(self.closed_until, now + seconds)
        self.probe_owed = self.probe_owed or probe


class GateMachine(RuleBasedStateMachine):
    """Asks, answers of every kind, time, hands on the clock, kills and reboots, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.true = 0.0
        self.boot, self.steady_ahead, self.wall_ahead = 0, 1_000.0, SERVICE_WALL
        self.service = Service()
        self.waiting: dict[int, Ask] = {}
        self.tickets = 0
        self.kept: GateSnapshot | None = None
        self.kept_wall_ahead = self.wall_ahead
        self.wake: float | None = None
        self.probe_wanted = False
        self.state = gate_memory.restore(None, PLANS["free"], self.now())
        self.feed(Tick())

    # ------------------------------------------------------------ the world

    def now(self) -> Instant:
        return Instant(self.true + self.steady_ahead, self.true + self.wall_ahead, f"boot-{self.boot}")

    def uniform(self, low: float, high: float) -> float:
        return low

    def feed(self, event: Event) -> None:
        self.state, effects = gate.step(self.state, event, self.now(), self)
        for effect in effects:
            self.perform(effect)
        SEEN[self.state.shown.phase.value] += 1

    def perform(self, effect: Effect) -> None:
        match effect:
            case Admit():
                self.service.arrive(self.waiting.pop(effect.ticket), self.true)
            case Persist():
                self.kept, self.kept_wall_ahead = effect.snapshot, self.wall_ahead
                self.feed(Persisted(ok=True))
            case WakeAt():
                self.wake = effect.steady - self.steady_ahead
            case ProbeWanted():
                self.probe_wanted = True
            case _:
                pass

    def ask_for(self, cls: RequestClass, write: bool, cost: int = 1) -> None:
        self.tickets += 1
        ask = Ask(self.tickets, cls, write, not write, cost)
        self.waiting[ask.ticket] = ask
        self.feed(ask)

    def answer(self, ticket: int, status: int, headers: dict[str, str], code: str | None = None) -> None:
        told = {"Date": formatdate(self.true + SERVICE_WALL, usegmt=True), **headers}
        facts = answer_facts(status, told.items(), wall=self.now().wall, code=code)
        del self.service.out[ticket]
        self.feed(Answered(ticket, facts))

    def any_out(self, data: st.DataObject) -> int:
        return data.draw(st.sampled_from(sorted(self.service.out)))

    # ------------------------------------------------------------ asking

    @rule(cls=st.sampled_from(RequestClass), write=st.booleans(), cost=st.sampled_from([1, 1, 1, 2]))
    def somebody_asks(self, cls: RequestClass, write: bool, cost: int) -> None:
        self.ask_for(cls, write, cost)

    @rule(cls=st.sampled_from(RequestClass), reads=st.integers(2, 6))
    def a_list_is_asked_for(self, cls: RequestClass, reads: int) -> None:
        for _ in range(reads):
            self.ask_for(cls, write=False)

    @precondition(lambda self: self.waiting)
    @rule(data=st.data())
    def somebody_gives_up(self, data: st.DataObject) -> None:
        ticket = data.draw(st.sampled_from(sorted(self.waiting)))
        del self.waiting[ticket]
        self.feed(Withdraw(ticket))

    # ------------------------------------------------------------ answers

    @precondition(lambda self: self.service.out)
    @rule(
        data=st.data(),
        status=st.sampled_from([200, 201, 204, 304, 404, 409]),
        remaining=st.sampled_from([1, 3, 20, 59]),
    )
    def all_is_well(self, data: st.DataObject, status: int, remaining: int) -> None:
        ticket = self.any_out(data)
        self.service.probe_owed = self.service.probe_owed and not self.was_probe(ticket)
        reset = str(int(self.true + SERVICE_WALL) + 60)
        self.answer(
            ticket,
            status,
            {"X-RateLimit-Limit": "60", "X-RateLimit-Remaining": str(remaining), "X-RateLimit-Reset": reset},
        )

    @precondition(lambda self: self.service.out)
    @rule(data=st.data(), seconds=st.sampled_from([1, 5, 60, 5_000]), epoch=st.booleans())
    def nothing_remains(self, data: st.DataObject, seconds: int, epoch: bool) -> None:
        ticket = self.any_out(data)
        self.service.probe_owed = self.service.probe_owed and not self.was_probe(ticket)
        reset = int(self.true + SERVICE_WALL) + seconds if epoch else seconds
        # An epoch in whole seconds may be up to one second before the end of the window as the service counts it.
        self.service.close(self.true, seconds, probe=False)
        self.answer(
            ticket, 200, {"X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(reset)}
        )

    @precondition(lambda self: self.service.out)
    @rule(data=st.data(), status=st.sampled_from([429, 503]), seconds=st.integers(0, 100_000), date=st.booleans())
    def too_fast(self, data: st.DataObject, status: int, seconds: int, date: bool) -> None:
        at = formatdate(int(self.true + SERVICE_WALL) + seconds, usegmt=True)
        ticket = self.any_out(data)
        self.service.close(self.true, seconds, probe=True)
        self.answer(ticket, status, {"Retry-After": at if date else str(seconds)})

    @precondition(lambda self: self.service.out)
    @rule(
        data=st.data(),
        garbage=st.sampled_from(
            ["", "-3", "²", "soon", "Fri, 21 Nov 2025 25:00:00 GMT", "Thu, 01 Jan 1970 00:00:00 GMT"]
        ),
        reset=st.sampled_from([None, "40", "tomorrow", "-1"]),
    )
    def too_fast_in_other_words(self, data: st.DataObject, garbage: str, reset: str | None) -> None:
        ticket = self.any_out(data)
        self.service.close(self.true, 40.0 if reset == "40" else 60.0, probe=True)
        headers = {"Retry-After": garbage} | ({} if reset is None else {"X-RateLimit-Reset": reset})
        self.answer(ticket, 429, headers)

    @precondition(lambda self: self.service.out)
    @rule(data=st.data(), seconds=st.none() | st.integers(1, 1_000))
    def banned(self, data: st.DataObject, seconds: int | None) -> None:
        ticket = self.any_out(data)
        self.service.close(self.true, 3_600.0 if seconds is None else seconds, probe=True)
        self.answer(ticket, 403, {} if seconds is None else {"Retry-After": str(seconds)}, "key_banned")

    @precondition(lambda self: self.service.out)
    @rule(data=st.data(), status=st.sampled_from([500, 502, 503]))
    def the_service_fails(self, data: st.DataObject, status: int) -> None:
        self.answer(self.any_out(data), status, {})

    @precondition(lambda self: self.service.out)
    @rule(data=st.data(), sent=st.booleans())
    def the_line_breaks(self, data: st.DataObject, sent: bool) -> None:
        ticket = self.any_out(data)
        del self.service.out[ticket]
        self.feed(Broke(ticket, sent))

    @precondition(lambda self: self.service.out)
    @rule(data=st.data())
    def the_key_is_revoked_and_another_given(self, data: st.DataObject) -> None:
        ticket = self.any_out(data)
        for other in list(self.waiting):
            self.feed(Withdraw(other))
        self.waiting.clear()
        self.answer(ticket, 401, {})
        self.feed(KeyChanged())

    # ------------------------------------------------------------ time, clocks, power

    @rule(seconds=st.sampled_from([0.1, 1.0, 5.0, 61.0, 100_000.0]))
    def time_passes(self, seconds: float) -> None:
        self.true += seconds
        self.feed(Tick())

    @precondition(lambda self: self.wake is not None and self.wake > self.true)
    @rule(early=st.booleans())
    def the_moment_comes(self, early: bool) -> None:
        assert self.wake is not None
        self.true = max(self.true, self.wake - 0.01) if early else self.wake
        self.feed(Tick())

    @rule(seconds=st.sampled_from([-86_400.0, -3_600.0, 3_600.0, 86_400.0]))
    def a_hand_sets_the_clock(self, seconds: float) -> None:
        self.wall_ahead += seconds
        self.feed(Tick())

    @rule(seconds=st.sampled_from([0.0, 3.0, 100.0]))
    def the_program_is_killed_and_started(self, seconds: float) -> None:
        self.true += seconds
        self.start()

    @rule(seconds=st.sampled_from([30.0, 4_000.0]), back=st.sampled_from([0.0, 0.0, 10.0, 86_400.0]))
    def the_machine_starts_anew(self, seconds: float, back: float) -> None:
        """The wall may have gone back; that it went forward too is the one thing no client can see through."""
        self.true += seconds
        self.boot += 1
        self.steady_ahead = 10.0 - self.true
        self.wall_ahead = min(self.wall_ahead, self.kept_wall_ahead) - back
        self.start()

    def start(self) -> None:
        asked = list(self.waiting.values())
        self.waiting.clear()
        self.service.out.clear()
        self.wake = None
        self.state = gate_memory.restore(self.kept, PLANS["free"], self.now())
        self.feed(Tick())
        for ask in asked:
            self.ask_for(ask.cls, ask.write, ask.cost)

    # ------------------------------------------------------------ what must hold

    def was_probe(self, ticket: int) -> bool:
        return next(flight.probe for flight in self.state.flights if flight.ask.ticket == ticket)

    @invariant()
    def nothing_is_lost(self) -> None:
        assert {waiting.ask.ticket for waiting in self.state.queue} == set(self.waiting)
        assert {flight.ask.ticket for flight in self.state.flights} == set(self.service.out)

    def teardown(self) -> None:
        """Once the service is kind again, everybody who waits leaves."""
        for _ in range(MOST_STEPS_TO_EMPTY):
            if self.service.wrong is not None:
                return
            if self.service.out:
                ticket = min(self.service.out)
                self.service.probe_owed = False
                self.answer(
                    ticket, 200, {"X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "59", "X-RateLimit-Reset": "60"}
                )
            elif not self.waiting:
                return
            elif self.probe_wanted:
                self.probe_wanted = False
                self.ask_for(RequestClass.PERSON, write=False)
            else:
                self.true = max(self.wake or 0.0, self.true + 1.0)
                self.feed(Tick())
        raise AssertionError(f"still waiting: {self.waiting}, {self.state}")
