"""One desk before the model service: the real gate, its clocks, its disk, and a thin queue that stands for the engine.

Time is one true second count. The steady clock and the wall clock are made from it, each with its own offset, so that
reboots and hands on the clock move what the gate sees and never what the service counts.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from msgspec.structs import replace

from petstore_desktop.api.gate import answers as gate_answers
from petstore_desktop.api.gate import machine as gate
from petstore_desktop.api.gate import memory as gate_memory
from petstore_desktop.api.gate import request_order as gate_order
from petstore_desktop.api.gate.model import (
    MAIN,
    Admit,
    Answered,
    Ask,
    Close,
    Deny,
    Effect,
    EndPause,
    Event,
    GateState,
    NoAnswer,
    Persist,
    Persisted,
    PlanChanged,
    ProbeWanted,
    Tick,
    Unlock,
    WakeAt,
    Withdraw,
)
from petstore_desktop.api.gate.registry import SharedGate
from petstore_desktop.api.headers.limit_headers import AnswerFacts, answer_facts
from petstore_desktop.clock import Instant
from petstore_desktop.domain.quota import GatePhase, GateSnapshot, LimitSpan, Plan, RequestClass
from tests.api.gate_machine.kind import KindHour
from tests.api.gate_machine.service import Counter, Sent, Service, Violation
from tests.api.gate_machine.words import MORE, PLAIN, SERVICE_WALL, Headers, Odd, http_date

PLACES = ["GET /pets", "GET /categories", "GET /store/orders"]
PAUSES = (GatePhase.PAUSED, GatePhase.BANNED)
INHERITED = (*PAUSES, GatePhase.PROBING)


@dataclass(frozen=True, slots=True)
class World:
    """Where a run takes place: how the service words its windows, what it allows, what this desk believes."""

    style: str
    per_minute: int
    per_day: int
    plan: Plan | None
    odd: Odd = PLAIN
    forbidden: tuple[str, ...] = ()
    """The places that no key may ever read."""


class PowerCut(Exception):
    """The process ended between two effects."""


class Desk(KindHour):
    """What a program does around the gate: ask, send, answer, persist, wake, start again."""

    def __init__(self, world: World) -> None:
        self.style, self.other_style, self.plan = world.style, "silent", world.plan
        self.true = 0.0
        self.boot, self.steady_ahead, self.wall_ahead = 0, 1_000.0, SERVICE_WALL
        self.odd, self.forbidden = world.odd, world.forbidden
        counters = {
            LimitSpan.MINUTE: Counter(world.per_minute, self.odd.length),
            LimitSpan.DAY: Counter(world.per_day, 86_400.0),
        }
        if self.odd.family:
            counters[MORE] = Counter(5 if world.per_minute < 10 else 33, self.odd.more_length)  # nobody else's limit
        self.service = Service(world.plan, counters)
        self.waiting: dict[int, Ask] = {}
        self.parked: list[Ask] = []
        """Denied: they wait in the engine's own queue until there is another key."""
        self.asked = self.done = self.given_up = self.uncertain = self.tickets = 0
        self.slow = self.disk_fails = self.probe_wanted = False
        self.moving = False
        """Another key is in use from now on: whoever waits is withdrawn, one after the other."""
        self.fuse = False
        """The process ends right after the next departure."""
        self.gates: dict[int, GateState] = {}
        """By key: where this process sits, and where it sat."""
        self.kept: dict[int, GateSnapshot] = {}
        """What is on disk of each key's gate."""
        self.keys = 0
        self.ahead: float | None = None
        """Seconds from the steady clock to the service's, as its answers told it to this process."""
        self.kept_wall_ahead = self.wall_ahead
        self.wake: float | None = None
        self.bans: Tally[tuple[int, str]] = Tally()
        """How often a probe where a key is always refused was taken for its ban, since the last kind hour began."""
        self.seen: Tally[str] = Tally()
        self._events: deque[tuple[int, Event]] = deque()
        self._restore()

    def __str__(self) -> str:
        return f"{self.style}, plan {self.plan}, {self.odd}"

    def end(self) -> None:
        """Let go of it; nothing is held."""

    # ------------------------------------------------------------ the gate and its effects

    def now(self) -> Instant:
        return Instant(self.true + self.steady_ahead, self.true + self.wall_ahead, f"boot-{self.boot}")

    def uniform(self, low: float, high: float) -> float:
        """The least chance: nothing is early only because the dice fell well."""
        return low

    @property
    def state(self) -> GateState:
        """The gate of the key in use."""
        return self.gates[self.service.key]

    def feed(self, event: Event) -> None:
        """One event, then what its effects bring about, as `Admission` does it."""
        key = self._whose(event)
        pause = self.gates[key].closure
        try:
            self._step(key, event)
            if key != self.service.key and SharedGate[None](self.gates[key]).told_more_than(pause):
                self.gates[self.service.key] = gate_memory.take_over(self.gates[key], self.state)
                self._step(self.service.key, Tick())
        except PowerCut:
            self.start()

    def _whose(self, event: Event) -> int:
        """Where an answer, or its absence, is told: at the gate by which the request left."""
        ticket = event.ticket if isinstance(event, Answered | NoAnswer | Withdraw) else None
        flying = (key for key, one in self.gates.items() if any(ticket == two.ask.ticket for two in one.flights))
        return next(flying, self.service.key)

    def _step(self, key: int, event: Event) -> None:
        self._events.append((key, event))
        while self._events:
            key, event = self._events.popleft()
            self.gates[key], effects = gate.step(self.gates[key], event, self.now(), self)
            for effect in effects:
                self._perform(key, effect)

    def _perform(self, key: int, effect: Effect) -> None:
        match effect:
            case Admit():
                self._let_out(effect.ticket, effect.probe)
            case Persist():
                self._events.append((key, Persisted(ok=self._keep(key, effect.snapshot))))
            case WakeAt() if key == self.service.key:
                self.wake = effect.steady - self.steady_ahead
            case ProbeWanted() if key == self.service.key:
                self.probe_wanted = True
            case Deny():
                self.parked.append(self.waiting.pop(effect.ticket))
            case _:
                pass

    def _let_out(self, ticket: int, probe: bool) -> None:
        if ticket not in self.waiting:
            raise Violation(f"{ticket} was let out, and does not wait")
        if self.moving:
            return  # it is withdrawn too, before it has its turn
        self.service.admit(self.waiting.pop(ticket), self.true, probe=probe)
        self.seen["sent as a probe" if self.service.probe_owed else "sent"] += 1
        if not self.slow:
            self.service.arrive(ticket, self.true)
        if self.fuse:
            self.fuse = False
            raise PowerCut

    def _keep(self, key: int, snapshot: GateSnapshot) -> bool:
        if not self.disk_fails:
            self.kept[key], self.kept_wall_ahead = snapshot, self.wall_ahead
        return not self.disk_fails

    def _loaded(self, key: int) -> GateState:
        """As store/gates keeps it for this key."""
        own = self.kept.get(key)
        pauses = [kept for other, kept in self.kept.items() if other != key and kept.phase in INHERITED]
        if own is not None and own.phase is GatePhase.OPEN:
            pauses = [pause for pause in pauses if pause.written_wall > own.written_wall]
        return gate_memory.restore(own, self.plan, self.now(), pauses)

    @property
    def durable(self) -> bool:
        """Whether all that the gate wanted to be kept is on disk."""
        return not self.disk_fails and all(one.persisted for one in self.gates.values())

    # ------------------------------------------------------------ asking and sending

    def ask(self, cls: RequestClass, *, write: bool, cost: int = 1, scheme: str = MAIN, place: str = "") -> None:
        self.asked += 1
        self._queue(Ask(0, cls, write, not write, cost, scheme=scheme, place=place))

    def ask_a_probe(self) -> None:
        """As the program does: of the place where it shows most."""
        place = min(PLACES, key=lambda place: gate_order.probe_rank(self.state, place)) if self.forbidden else ""
        self.ask(RequestClass.PERSON, write=False, place=place)

    def _queue(self, ask: Ask) -> None:
        self.tickets += 1
        ask = replace(ask, ticket=self.tickets)
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
        self,
        sent: Sent,
        status: int,
        headers: Headers,
        *,
        code: str | None = None,
        more: bool = False,
        dated: bool = True,
    ) -> None:
        """Hand an answer to the gate."""
        now = self.now()
        told = [("Date", http_date(sent.made + self.odd.ahead)), *headers] if dated else headers
        known = None if self.ahead is None else now.steady + self.ahead
        facts = answer_facts(status, told, wall=now.wall, known=known, code=code)
        if facts.limits.skew is not None:
            self.ahead = now.wall + facts.limits.skew - now.steady
        ban_said = code is not None or any(name == "Retry-After" for name, _ in headers)
        self.service.answers_at(sent, status, ban_said=ban_said)
        self.feed(Answered(sent.ask.ticket, facts, more, scheme=sent.ask.scheme, place=sent.ask.place))
        self.seen[f"answer {status}"] += 1

    def refuse_for_ever(self, sent: Sent, headers: Headers, spent: float | None = None, *, blind: bool = False) -> None:
        """403, as always at this place. Where the gate cannot know that, it may take it for a ban; then it is one."""
        gate_of_key = self.gates[self._whose(NoAnswer(sent.ask.ticket, sent=True))]
        ban = gate_answers.is_ban(gate_of_key, AnswerFacts(403), sent.ask.place)
        self.service.refuses_for_ever(sent, self.true, spent, ban=ban)
        if ban:
            self.bans[sent.key, sent.ask.place] += sent.probe
            self.seen["taken for a ban"] += 1
        elif blind:
            self.service.blind(sent, self.true)
        self.answered(sent, 403, headers)
        self.done += 1

    @property
    def clocks(self) -> tuple[float, ...]:
        """What time it is beside the Date of an answer, in the service's seconds: by earlier ones, and by the wall."""
        known = [] if self.ahead is None else [self.now().steady + self.ahead - SERVICE_WALL]
        return (*known, self.now().wall - SERVICE_WALL)

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
            self.feed(NoAnswer(ticket, sent=False))
            self._queue(sent.ask)

    def broke(self, sent: Sent, *, after_sending: bool) -> None:
        """No answer. A read, and what never left, ask again; a write that may have arrived is uncertain."""
        self.seen["broke"] += 1
        if after_sending and sent.ask.write:
            self.uncertain += 1
        self.feed(NoAnswer(sent.ask.ticket, after_sending))
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
        """A person enters a key that was never used."""
        self.keys += 1
        self.enter(self.keys)

    def enter(self, key: int) -> None:
        """A person enters this key: the same, one that was in use before, or a new one."""
        again, self.parked = self.parked, []
        before, old = self.service.key, self.state
        if key != before:
            again = [*self.waiting.values(), *again]
            self.moving = True
            for ticket in list(self.waiting):
                self.feed(Withdraw(ticket))
                del self.waiting[ticket]
            self.moving = False
            old = self.state
            if self.durable:
                self._keep(before, gate_memory.snapshot(old, self.now(), clean=True))
            self.service.leave()
            self.service.use_key(key)
            self.seen["key entered again" if key in self.kept else "new key"] += 1
            mine = self.gates.get(key) or self._loaded(key)
            self.wake, self.probe_wanted = None, False
            self.gates[key] = gate_memory.take_over(old, replace(mine, kept=()))
            self.feed(PlanChanged(self.plan))
        else:
            self.service.use_key(key)
            self.seen["same key"] += 1
        self.feed(Unlock())
        self.again(again)

    def close(self) -> None:
        """The program is closed properly: nothing leaves after that, and the count is exact."""
        self.feed(Close())
        self._keep(self.service.key, gate_memory.snapshot(self.state, self.now(), clean=True))

    def _restore(self) -> None:
        self.wake, self.probe_wanted, self.fuse, self.ahead = None, False, False, None
        self.gates = {self.service.key: self._loaded(self.service.key)}
        self.feed(Tick())

    # ------------------------------------------------------------ what must hold

    def check(self) -> None:
        """Nothing is lost, nothing is twice. Raises Violation."""
        flying = {*self.service.out, *self.service.admitted}
        if {waiting.ask.ticket for waiting in self.state.queue} != set(self.waiting):
            raise Violation("the gate's queue is not what waits")
        if {flight.ask.ticket for one in self.gates.values() for flight in one.flights} != flying:
            raise Violation("what the gate believes in flight is not what is")
        known = self.done + self.given_up + self.uncertain + len(self.waiting) + len(self.parked) + len(flying)
        if known != self.asked:
            raise Violation(f"{self.asked} were asked for, {known} are known")
        self.seen[self.state.shown.phase.value] += 1

    def meets_a_pause(self) -> bool:
        return self.state.shown.phase in PAUSES

    def resume(self) -> None:
        self.service.risked(self.true)
        self.feed(EndPause())
