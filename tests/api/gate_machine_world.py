"""One desk before the model service: the real gate, its clocks, its disk, and a thin queue that stands for the engine.

Time is one true second count. The steady clock and the wall clock are made from it, each with its own offset, so that
reboots and hands on the clock move what the gate sees and never what the service counts.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from petstore_desktop.api import gate, gate_memory
from petstore_desktop.api.gate_model import (
    Admit,
    Answered,
    Ask,
    Broke,
    Close,
    Deny,
    Effect,
    Event,
    KeyChanged,
    Persist,
    Persisted,
    ProbeWanted,
    ResumeNow,
    Tick,
    WakeAt,
    Withdraw,
)
from petstore_desktop.api.limit_headers import Span, answer_facts
from petstore_desktop.clock import Instant
from petstore_desktop.domain.quota import GatePhase, GateSnapshot, Plan, RequestClass
from tests.api.gate_machine_service import Counter, Sent, Service, Violation
from tests.api.gate_machine_words import DISTANCES, SERVICE_WALL, Headers, http_date, windows

PAUSES = (GatePhase.PAUSED, GatePhase.BANNED)
TURN = 1.0
"""Virtual seconds between two rounds of answers in a kind hour."""

LONGEST = 1e6
"""Seconds; longer waits are told too, and a person ends each of them at once."""

STARVED = 60.0
"""Seconds of possible sending after which nobody may wait any more, but for those who have waited as long."""

MOST_ROUNDS = 2_000
FLOOD = 8
"""Requests of people that are always waiting in a kind hour."""

PLENTY = 100_000


@dataclass(frozen=True, slots=True)
class World:
    """Where a run takes place: how the service words its windows, what it allows, what this desk believes."""

    style: str
    per_minute: int
    per_day: int
    plan: Plan | None


class PowerCut(Exception):
    """The process ended between two effects."""


class Desk:
    """What a program does around the gate: ask, send, answer, persist, wake, start again."""

    def __init__(self, world: World) -> None:
        self.style, self.other_style, self.plan = world.style, "silent", world.plan
        self.true = 0.0
        self.boot, self.steady_ahead, self.wall_ahead = 0, 1_000.0, SERVICE_WALL
        counters = {Span.MINUTE: Counter(world.per_minute, 60.0), Span.DAY: Counter(world.per_day, 86_400.0)}
        self.service = Service(world.plan, counters)
        self.waiting: dict[int, Ask] = {}
        self.parked: list[Ask] = []
        """Denied: they wait in the engine's own queue until there is another key."""
        self.asked = self.done = self.given_up = self.uncertain = self.tickets = 0
        self.slow = self.disk_fails = self.probe_wanted = False
        self.fuse = False
        """The process ends right after the next departure."""
        self.kept: GateSnapshot | None = None
        self.kept_wall_ahead = self.wall_ahead
        self.wake: float | None = None
        self.seen: Tally[str] = Tally()
        self._events: deque[Event] = deque()
        self._restore()

    def __str__(self) -> str:
        return f"{self.style}, plan {self.plan}"

    def end(self) -> None:
        """Let go of it; nothing is held."""

    # ------------------------------------------------------------ the gate and its effects

    def now(self) -> Instant:
        return Instant(self.true + self.steady_ahead, self.true + self.wall_ahead, f"boot-{self.boot}")

    def uniform(self, low: float, high: float) -> float:
        """The least chance: nothing is early only because the dice fell well."""
        return low

    def feed(self, event: Event) -> None:
        """One event, then what its effects bring about, as `Admission` does it."""
        self._events.append(event)
        try:
            while self._events:
                self.state, effects = gate.step(self.state, self._events.popleft(), self.now(), self)
                for effect in effects:
                    self._perform(effect)
        except PowerCut:
            self.start()

    def _perform(self, effect: Effect) -> None:
        match effect:
            case Admit():
                self._let_out(effect.ticket, effect.probe)
            case Persist():
                self._keep(effect.snapshot)
            case WakeAt():
                self.wake = effect.steady - self.steady_ahead
            case ProbeWanted():
                self.probe_wanted = True
            case Deny():
                self.parked.append(self.waiting.pop(effect.ticket))
            case _:
                pass

    def _let_out(self, ticket: int, probe: bool) -> None:
        if ticket not in self.waiting:
            raise Violation(f"{ticket} was let out, and does not wait")
        self.service.admit(self.waiting.pop(ticket), self.true, probe=probe)
        self.seen["sent as a probe" if self.service.probe_owed else "sent"] += 1
        if not self.slow:
            self.service.arrive(ticket, self.true)
        if self.fuse:
            self.fuse = False
            raise PowerCut

    def _keep(self, snapshot: GateSnapshot) -> None:
        if not self.disk_fails:
            self.kept, self.kept_wall_ahead = snapshot, self.wall_ahead
        self._events.append(Persisted(ok=not self.disk_fails))

    @property
    def durable(self) -> bool:
        """Whether all that the gate wanted to be kept is on disk."""
        return not self.disk_fails and self.state.persisted

    # ------------------------------------------------------------ asking and sending

    def ask(self, cls: RequestClass, *, write: bool, cost: int = 1) -> None:
        self.asked += 1
        self._queue(Ask(0, cls, write, not write, cost))

    def _queue(self, ask: Ask) -> None:
        self.tickets += 1
        ask = Ask(self.tickets, ask.cls, ask.write, ask.idempotent, ask.cost)
        self.waiting[ask.ticket] = ask
        self.feed(ask)

    def again(self, asks: Iterable[Ask]) -> None:
        """Back into the queue, under new tickets."""
        for ask in list(asks):
            self._queue(ask)

    def give_up(self, ticket: int) -> None:
        del self.waiting[ticket]
        self.given_up += 1
        self.feed(Withdraw(ticket))

    def first_byte(self, ticket: int) -> None:
        """The connection stands: send, unless the gate has closed in the meantime."""
        sent = self.service.admitted[ticket]
        if gate.may_send(self.state, ticket):
            self.service.arrive(ticket, self.true)
            return
        self.seen["called back"] += 1
        self.service.give_back(ticket)
        self.feed(Withdraw(ticket))
        self._queue(sent.ask)

    # ------------------------------------------------------------ answers

    def answered(
        self, sent: Sent, status: int, headers: Headers, *, code: str | None = None, more: bool = False
    ) -> None:
        """Hand an answer to the gate."""
        told = [("Date", http_date(sent.made)), *headers]
        facts = answer_facts(status, told, wall=self.now().wall, code=code)
        self.feed(Answered(sent.ask.ticket, facts, more))
        self.seen[f"answer {status}"] += 1

    def look_went_well(self, sent: Sent, headers: Headers) -> None:
        """The first half of a pair; its write follows, unless the gate has closed."""
        ticket = sent.ask.ticket
        sent.cost -= 1
        sent.met.clear()
        self.service.admitted[ticket] = sent
        self.answered(sent, 200, headers, more=True)
        if ticket not in self.service.admitted:
            return  # the process ended in between, and asks again
        if gate.may_send(self.state, ticket):
            self.service.arrive(ticket, self.true)
        else:
            self.seen["pair called back"] += 1
            self.service.give_back(ticket)
            self.feed(Broke(ticket, sent=False))
            self._queue(sent.ask)

    def broke(self, sent: Sent, *, after_sending: bool) -> None:
        """No answer. A read, and what never left, ask again; a write that may have arrived is uncertain."""
        self.seen["broke"] += 1
        if after_sending and sent.ask.write:
            self.uncertain += 1
        self.feed(Broke(sent.ask.ticket, after_sending))
        if not (after_sending and sent.ask.write):
            self._queue(sent.ask)

    # ------------------------------------------------------------ the process and the machine

    def start(self) -> None:
        """The process has ended; another one restores what was kept and asks again for what waited."""
        self._events.clear()
        again = [*self.waiting.values(), *self.parked]
        for sent in (*self.service.admitted.values(), *self.service.out.values()):
            if sent.ask.write and sent.ask.ticket in self.service.out:
                self.uncertain += 1
            else:
                again.append(sent.ask)
        self.waiting.clear()
        self.parked.clear()
        self.service.restarted()
        self._restore()
        self.seen["start"] += 1
        self.again(again)

    def sleep(self, seconds: float) -> None:
        """Time passes, and nobody tells the gate."""
        self.true += seconds

    def reboot(self, wall_jump: float) -> None:
        """The machine starts anew. That its wall clock went forward is the one thing no client can see through."""
        self.boot += 1
        self.steady_ahead = 10.0 - self.true
        self.wall_ahead += wall_jump
        if self.wall_ahead > self.kept_wall_ahead + 1e-6:
            self.service.unknowable(self.true)
        self.start()

    def new_key(self) -> None:
        self.service.other_key()
        self.feed(KeyChanged())
        parked, self.parked = self.parked, []
        self.again(parked)

    def close(self) -> None:
        """The program is closed properly: nothing leaves after that, and the count is exact."""
        self.feed(Close())
        self._keep(gate_memory.snapshot(self.state, self.now(), clean=True))

    def _restore(self) -> None:
        self.wake, self.probe_wanted, self.fuse = None, False, False
        self.state = gate_memory.restore(self.kept, self.plan, self.now())
        self.feed(Tick())

    # ------------------------------------------------------------ what must hold

    def check(self) -> None:
        """Nothing is lost, nothing is twice. Raises Violation."""
        flying = {*self.service.out, *self.service.admitted}
        if {waiting.ask.ticket for waiting in self.state.queue} != set(self.waiting):
            raise Violation("the gate's queue is not what waits")
        if {flight.ask.ticket for flight in self.state.flights} != flying:
            raise Violation("what the gate believes in flight is not what is")
        known = self.done + self.given_up + self.uncertain + len(self.waiting) + len(self.parked) + len(flying)
        if known != self.asked:
            raise Violation(f"{self.asked} were asked for, {known} are known")
        self.seen[self.state.shown.phase.value] += 1

    def meets_a_pause(self) -> bool:
        return self.state.shown.phase in PAUSES

    def resume(self) -> None:
        self.service.risked(self.true)
        self.feed(ResumeNow())

    # ------------------------------------------------------------ nothing starves

    def a_kind_hour(self, chance: object = None) -> None:
        """The service is kind, and people ask without end: whoever waited before is sent all the same.

        Raises Violation if somebody waits longer than a minute of possible sending and a turn for each who waits too.
        """
        self._be_kind()
        before = set(self.waiting)
        allowed = STARVED + 2.0 * len(before)
        waited, heard = 0.0, False
        for _ in range(MOST_ROUNDS):
            heard = self._answer_all() > 0 or heard
            if not before & set(self.waiting):
                return
            if heard and self.service.is_open(self.true, PLENTY // 2):
                waited += TURN
                self._flood()
            elif not self.service.out:
                self._until_it_opens()
                continue
            if waited > allowed:
                raise Violation(f"starved: {[self.waiting[ticket] for ticket in sorted(before & set(self.waiting))]}")
            self.true += TURN
            self.feed(Tick())
        raise Violation(f"waits for ever: {self.waiting}")

    def _be_kind(self) -> None:
        self.slow = self.fuse = self.disk_fails = False
        if self.service.revoked:
            self.new_key()
        for ticket in list(self.service.admitted):
            self.first_byte(ticket)
        self.feed(Tick())

    def _until_it_opens(self) -> None:
        if self.probe_wanted:
            self.probe_wanted = False
            self.ask(RequestClass.PERSON, write=False)
        elif self.wake is None or self.wake < self.true - 1e-3:
            raise Violation(f"nobody will wake the gate for {self.waiting}")
        elif self.wake > self.true + LONGEST:
            raise Violation(f"waits for ever: {self.waiting}")
        else:
            self.true = self.wake + 1e-3  # which two clocks may round apart
            self.feed(Tick())

    def _answer_all(self) -> int:
        """Every request is answered well, with plenty left of both windows. Returns how many there were."""
        out = sorted(self.service.out)
        for ticket in out:
            sent = self.service.out.pop(ticket)
            headers = plenty(self, sent)
            if sent.cost > 1:
                self.look_went_well(sent, headers)
            else:
                self.answered(sent, 200, headers)
                self.done += 1
        return len(out)

    def _flood(self) -> None:
        people = sum(ask.cls is RequestClass.PERSON for ask in self.waiting.values())
        for number in range(people, FLOOD):
            self.ask(RequestClass.PERSON, write=number % 2 == 0)


def plenty(desk: Any, sent: Sent) -> Headers:
    """Word a good answer with plenty left of both windows, and tell the model of it."""
    style = "named-delta" if {desk.style, desk.other_style} & set(DISTANCES) else "named-epoch"
    sent.told = {span: replace(told, limit=PLENTY, remaining=PLENTY - 1) for span, told in sent.told.items()}
    headers, told = windows(style, sent, desk.true, None, None)
    desk.service.tell(sent, told, desk.true, sure=False)
    desk.service.good(sent)
    return headers
