"""Two connections of one program before the model service: one origin, one key, one gate, one file of pauses.

The members are the program's own (`Session`, `GateRegistry`, `Admission`), and the file is a real one: another program
locks it, or it is damaged, or goes. One of the connections has a chosen document that lies at the service's own
address. All else is as in the gate's own machine (tests/api/gate_machine/machine.py), whose moves and whose judge
these are.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw

from petstore_desktop.api.address import gate_origin
from petstore_desktop.api.gate.admission import Admission, Ticket
from petstore_desktop.api.gate.model import DOCUMENT, Ask, EndPause, Event, GateState
from petstore_desktop.api.gate.registry import GateRegistry, SharedGate
from petstore_desktop.api.gate.unauthorized import GateLocked
from petstore_desktop.api.headers.limit_headers import answer_facts
from petstore_desktop.data_folder import Places
from petstore_desktop.domain.errors import StorageError, Unreachable
from petstore_desktop.domain.quota import GateSnapshot
from petstore_desktop.preferences import ShopConnection
from petstore_desktop.session.session import Session
from petstore_desktop.store.gates import Gates
from tests.api.gate_machine.service import Sent, Service, Violation
from tests.api.gate_machine.words import Headers, http_date
from tests.api.gate_machine.world import Desk, World
from tests.support.virtual_time import VirtualTime

MEMORY = Path("/dev/shm")
URL = "https://shop.example/v1"
NAMES = ("first", "second")


class Shop(Service):
    """The service, whose file of pauses can be lost."""

    def forgotten(self, now: float) -> None:
        """Nothing is left of the file: no client can know of a pause or a count. One probe is due."""
        self.unknowable(now)
        self.probe_owed, self.own_pause, self.told_wait, self.limited = True, False, False, False
        self.strikes = self.bans = 0


class Memory:
    """The file as one life of the program has it open. Once that is over, nothing is written any more."""

    def __init__(self, gates: Gates, saved: Callable[[], None]) -> None:
        self._gates, self._saved, self.alive = gates, saved, True
        self.path, self.fingerprint, self.load = gates.path, gates.fingerprint, gates.load
        gates._database.connection.set_busy_timeout(0)  # nobody waits for real

    def save(self, origin: str, fingerprint: str, snapshot: GateSnapshot) -> None:
        if not self.alive:
            raise StorageError("io-error", path=str(self.path))
        self._gates.save(origin, fingerprint, snapshot)
        self._saved()

    def end(self) -> None:
        self.alive = False
        self._gates.close()


class Seat(Admission):
    """One whose timer is the machine's."""

    def __init__(self, desks: Desks, *args: Any, **named: Any) -> None:
        self._desks = desks
        super().__init__(desks, desks, *args, **named)

    def _arm(self, steady: float) -> None:
        self._desks.is_to_be_woken(steady)


class Desks(Desk):
    """Who asks takes turns."""

    def __init__(self, world: World) -> None:
        self.loop = VirtualTime()
        self.places = Places(Path(tempfile.mkdtemp(dir=MEMORY if MEMORY.is_dir() else None)))
        self.lives, self.cut = 0, False
        self._holder: apsw.Connection | None = None
        super().__init__(world)
        self.service = Shop(world.plan, self.service.counters)

    def end(self) -> None:
        self.disk_fails = False
        self._kill()
        self.loop.close()
        shutil.rmtree(self.places.data)

    # ------------------------------------------------------------ the file

    @property
    def disk_fails(self) -> bool:
        """Whether another program holds the file."""
        return self._holder is not None

    @disk_fails.setter
    def disk_fails(self, fails: bool) -> None:
        if fails and self._holder is None:
            self._holder = apsw.Connection(str(self.places.gates))
            self._holder.execute("BEGIN IMMEDIATE")
        elif not fails and self._holder is not None:
            self._holder.close()
            self._holder = None

    def _saved(self) -> None:
        self.kept_wall_ahead = self.wall_ahead

    @property
    def durable(self) -> bool:
        return not self.disk_fails and all(one.state.persisted for one in self._known())

    @property
    def written_down(self) -> bool:
        """Whether what the connections keep is on disk."""
        return all(one.state.persisted for member in self.members for one in member._keeps)

    def damage(self, how: str) -> None:
        """Between two lives of the program."""
        self._kill()
        file = self.places.gates
        if how == "another mark":  # all of it can still be read
            with closing(apsw.Connection(str(file))) as opened:
                opened.execute("PRAGMA application_id = 7")
            return
        for part in file.parent.glob(f"{file.name}*"):
            part.unlink()
        if how != "gone":
            file.write_bytes(b"garbage " * 1_000 if how == "rubbish" else b"")
        self.service.forgotten(self.true)

    # ------------------------------------------------------------ the program

    def _restore(self) -> None:
        self.lives += 1
        self.wake, self.probe_wanted, self.fuse, self.ahead = None, False, False, None
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._of: dict[int, tuple[Admission, Ticket]] = {}
        self._leaving: list[int] = []
        self.memory = Memory(Gates(self.places.gates, used=self.lives > 1), self._saved)
        self.house = GateRegistry()
        self.sessions = [self._session(name) for name in NAMES]
        self.members = [self._sit_down(session) for session in self.sessions]
        self._settle()

    def _session(self, name: str) -> Session:
        limits = {} if self.plan is None else {"per_minute": self.plan.per_minute, "per_day": self.plan.per_day}
        session = Session(self.places, ShopConnection(name, name, URL, **limits), self, random=self)
        session.registry = self.house
        return session

    def _sit_down(self, session: Session) -> Admission:
        gate, keep = session._gate(self.memory, f"key-{self.service.key}")
        member = Seat(self, keep, lambda _: None, self.plan, want_probe=self._want_probe, gate=gate)
        session._admission = member
        return member

    def _kill(self) -> None:
        self.lives += 1
        self.memory.end()
        for task in self._tasks.values():
            task.cancel()
        self._tasks.clear()
        self.loop.settle()

    def start(self) -> None:
        self.cut = False
        self._kill()
        super().start()

    def close(self) -> None:
        for member in self.members:
            member.close()
        self._settle()

    def reopen(self, number: int) -> None:
        """One of the two leaves; what it sent is still answered for. Then it comes back."""
        for ticket, sent in (*self.service.out.items(), *self.service.admitted.items()):
            sent.alone = sent.alone or self._of[ticket][0] is self.members[number]
        self.members[number].close()
        self._settle()
        self.members[number] = self._sit_down(self.sessions[number])
        again, self.parked = self.parked, []
        self.ahead = None
        self.again(again)

    def is_to_be_woken(self, steady: float) -> None:
        wake = steady - self.steady_ahead
        self.wake = wake if self.wake is None or self.wake <= self.true else min(self.wake, wake)

    def _want_probe(self) -> None:
        self.probe_wanted = True

    @property
    def _next(self) -> int:
        return self.tickets % len(NAMES)

    @property
    def state(self) -> GateState:
        return self.members[0].gate.state

    def _known(self) -> set[SharedGate[Admission]]:
        beside = [session._document_gate for session in self.sessions if session._document_gate is not None]
        kept = {gate for member in (*self.members, *beside) for gate in (member.gate, *member._keeps)}
        return kept | {*self.house._gates.values()}  # who was closed may still wait for an answer at an earlier key's

    def _settle(self) -> None:
        """Each member hears in a turn of its own; they leave in the order in which the gate let them out."""
        self.loop.settle()
        order = [flight.ask.ticket for one in self._known() for flight in one.state.flights]
        leaving, self._leaving = sorted(self._leaving, key=lambda one: order.index(self._of[one][1].number)), []
        for number in leaving:
            if not self.cut:
                self._let_out(number, self._of[number][1].probe)
        if self.cut:
            self.start()

    def feed(self, event: Event) -> None:
        if isinstance(event, EndPause):
            self.members[self._next].resume_now()
        else:
            self.members[self._next].wake()
        self._settle()

    def all_wake(self) -> None:
        """Each has a timer of its own."""
        for member in self.members:
            member.wake()
        self._settle()

    # ------------------------------------------------------------ asking and sending

    def _where(self, ask: Ask) -> Admission:
        session = self.sessions[self._next]
        if ask.scheme == DOCUMENT:
            return session._gate_of_document(self.memory, gate_origin(URL))
        return self.members[self._next]

    def _queue(self, ask: Ask) -> None:
        self.tickets += 1
        ask = Ask(self.tickets, ask.cls, ask.write, ask.idempotent, ask.cost, scheme=ask.scheme)
        self.waiting[ask.ticket] = ask
        self._tasks[ask.ticket] = self.loop.create_task(self._wants(self.lives, self._where(ask), ask))
        self._settle()

    async def _wants(self, life: int, member: Admission, ask: Ask) -> None:
        asked = member.admit(ask.cls, write=ask.write, idempotent=ask.idempotent, cost=ask.cost, scheme=ask.scheme)
        try:
            ticket = await asked
        except (GateLocked, Unreachable):
            if life == self.lives:
                self.parked.append(self.waiting.pop(ask.ticket))
            return
        if life == self.lives:
            self._of[ask.ticket] = member, ticket
            self._leaving.append(ask.ticket)

    def _let_out(self, ticket: int, probe: bool) -> None:
        self.service.admit(self.waiting.pop(ticket), self.true, probe=probe)
        self.seen["sent as a probe" if self.service.probe_owed else "sent"] += 1
        if not self.slow:
            self.service.arrive(ticket, self.true)
        if self.fuse:
            self.fuse, self.cut = False, True

    def give_up(self, ticket: int) -> None:
        del self.waiting[ticket]
        self.given_up += 1
        self._tasks[ticket].cancel()
        self._settle()

    def first_byte(self, ticket: int) -> None:
        sent = self.service.admitted[ticket]
        member, admitted = self._of[ticket]
        if member.may_send(admitted):
            self.service.arrive(ticket, self.true)
            return
        self.seen["called back"] += 1
        self.service.give_back(ticket)
        member.unused(admitted)
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
        member, ticket = self._of[sent.ask.ticket]
        told = [("Date", http_date(sent.made)), *headers] if dated else headers
        facts = answer_facts(status, told, wall=self.now().wall, known=member.service_time, code=code)
        member.answered(ticket, facts, more=more, scheme=sent.ask.scheme, keyless=sent.ask.scheme == DOCUMENT)
        self.ahead = None if any(one.service_time is None for one in self.members) else 0.0
        self.seen[f"answer {status}"] += 1
        self._settle()

    def look_went_well(self, sent: Sent, headers: Headers) -> None:
        number = sent.ask.ticket
        sent.cost -= 1
        sent.met.clear()
        self.service.admitted[number] = sent
        self.answered(sent, 200, headers, more=True)
        if number not in self.service.admitted:
            return  # the process ended in between, and asks again
        member, ticket = self._of[number]
        if member.may_send(ticket):
            self.service.arrive(number, self.true)
        else:
            self.seen["pair called back"] += 1
            self.service.give_back(number)
            member.broke(ticket, sent=False)
            self._queue(sent.ask)

    def broke(self, sent: Sent, *, after_sending: bool) -> None:
        self.seen["broke"] += 1
        uncertain = after_sending and sent.ask.write
        self.uncertain += uncertain
        member, ticket = self._of[sent.ask.ticket]
        member.broke(ticket, sent=after_sending)
        self._settle()
        if not uncertain:
            self._queue(sent.ask)

    def enter(self, key: int) -> None:
        """A person enters this key, for both."""
        again, self.parked = self.parked, []
        self.seen["same key" if key == self.service.key else "another key"] += 1
        if key != self.service.key:
            self.wake, self.probe_wanted = None, False
        self.service.use_key(key)
        for session in self.sessions:
            session._new_key(self.memory, f"key-{key}")
        self._settle()
        self.again(again)

    # ------------------------------------------------------------ what must hold

    def check(self) -> None:
        flying = {*self.service.out, *self.service.admitted}
        if sum(len(one.state.queue) for one in self._known()) != len(self.waiting):
            raise Violation("the gate's queue is not what waits")
        believed = {flight.ask.ticket for one in self._known() for flight in one.state.flights}
        if believed != {self._of[number][1].number for number in flying}:
            raise Violation("what the gate believes in flight is not what is")
        known = self.done + self.given_up + self.uncertain + len(self.waiting) + len(self.parked) + len(flying)
        if known != self.asked:
            raise Violation(f"{self.asked} were asked for, {known} are known")
        self.seen[self.state.shown.phase.value] += 1
