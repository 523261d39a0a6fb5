"""One desk before the model service, whole: the real sync, gate, journal, mirror and files, in virtual time.

It is moved by the moves of tests/api/gate_machine/moves.py and by its own: see machine_moves.py. Whoever is one of
those finds here what they find at the gate's desk: `service`, `true`, `style`, `plan`, `answered` and so on.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import tempfile
from collections import Counter as Tally
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import httpx

from petstore_desktop.api.check.checks import Learnt
from petstore_desktop.api.gate.model import DOCUMENT, MAIN, Ask
from petstore_desktop.contract.binding.places import document_places
from petstore_desktop.contract.model import Contract
from petstore_desktop.data_folder import Places
from petstore_desktop.domain.changes import Change, ChangeState, Fields, NewChange
from petstore_desktop.domain.commands import Command, Refresh, ResumeNow, UseKey
from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.quota import GatePhase, LimitSpan, RequestClass
from petstore_desktop.domain.records import Resource
from petstore_desktop.session.checking import keep_contract
from petstore_desktop.sync.send import writer
from petstore_desktop.sync.wire.events import ChangesMoved, Event, GateMoved, Trouble
from tests.api.gate_machine.keys import KEYLESS
from tests.api.gate_machine.kind import LONGEST, plenty
from tests.api.gate_machine.service import Counter, Sent, Service, Violation
from tests.api.gate_machine.words import SERVICE_WALL, Headers, http_date
from tests.api.gate_machine.world import PAUSES, World
from tests.support.virtual_desk import NAME, VirtualDesk
from tests.support.virtual_desk import Service as Talked
from tests.support.virtual_shop import URL
from tests.support.virtual_time import EPOCH, Stuck, VirtualTime
from tests.sync import machine_judge, machine_undo
from tests.sync.machine_history import Left, set_out
from tests.sync.machine_service import Books, Pending, Reply, Wire

MEMORY = Path("/dev/shm")
ROUND_TRIP_S = 0.05
DOCUMENTS = {httpx.URL(url).path for url in document_places(URL)}
STARVED_S = 1_200.0
"""Seconds of possible sending after which all is done: more than a record, a list or a dead line is left alone."""
MOST_ROUNDS, PLENTY = 20_000, 1_000
LEFT = (ChangeState.SENDING, ChangeState.UNCERTAIN)  # of a life that ended first only the next one tells


class Setting(NamedTuple):
    """Where a run takes place: the limits and their wording, the records' service, and what the desk believes of it
    (None: it asks)."""

    world: World
    service: str
    contract: Contract
    known: bool


def _scheme_of(request: httpx.Request) -> str:
    """What a 401 to this request locks: a place of the document, with the key or without, or all that has the key."""
    if request.url.path not in DOCUMENTS:
        return MAIN
    return f"{DOCUMENT} {request.url.path}{'' if 'authorization' in request.headers else KEYLESS}"


class Program(VirtualDesk):
    """The program; `phase` and `until` are its gate's, `sent` are the changes that have ever been on their way,
    `taken_back` those that were discarded while nothing of them was; `states` counts those that changes came to."""

    def __init__(self, loop: VirtualTime, service: Talked, data: Path, **more: object) -> None:
        self.phase: GatePhase = GatePhase.OPEN
        self.until: float | None = None
        self.sent: set[int] = set()
        self.taken_back: set[int] = set()
        self.states: Tally[str] = Tally()
        super().__init__(loop, service, data, **more)

    def _is_taken_back(self, change: Change) -> bool:
        before = self.changes.get(change.id)
        return change.state is ChangeState.DISCARDED and before is not None and before.state is ChangeState.QUEUED

    def note(self, event: Event) -> None:
        if isinstance(event, ChangesMoved):
            self.taken_back |= {change.id for change in event.changes if self._is_taken_back(change)}
        super().note(event)
        if isinstance(event, Trouble) and isinstance(event.error, StorageError):
            self.loop.fail(Violation(f"the disk is whole, and yet: {event}"))
        if isinstance(event, GateMoved):
            self.phase, self.until = event.gate.phase, event.gate.until
        elif isinstance(event, ChangesMoved):
            self.sent |= {change.id for change in event.changes if change.state in LEFT}
            self.states.update(f"change {change.state}" for change in event.changes)


class Desk:
    """What a person, a network and a clock can do to a program."""

    def __init__(self, setting: Setting) -> None:
        world = setting.world
        self.style, self.other_style, self.plan = world.style, "silent", world.plan
        self.contract, self.service_kind = setting.contract, setting.service
        counters = {LimitSpan.MINUTE: Counter(world.per_minute, 60.0), LimitSpan.DAY: Counter(world.per_day, 86_400.0)}
        self.service = Service(world.plan, counters)
        self.books = Books(setting.service, lambda: self.true)
        self.lefts: list[Left] = []
        self.accepted: dict[int, list[Fields]] = {}
        """What people saw in conflicts from which they went on."""
        self.undone: set[str] = set()
        """The batches that were taken back."""
        self.url, self.key, self.keys, self.numbers, self.loop = URL, "key-0", 0, 0, VirtualTime()
        self.slow = self.fuse = self.kind = self.luck = False
        """`luck`: whether a write is done of which no answer comes."""
        self.again_by_person, self.seen = Tally[int](), Tally[str]()
        self._pending: dict[int, Pending] = {}
        self._looked: tuple[asyncio.Task[object] | None, float] = (None, 0.0)
        self._ahead, self._low, self._boots = 0.0, 0.0, 1
        self._folder = Path(tempfile.mkdtemp(dir=MEMORY if MEMORY.is_dir() else None))
        data = self._folder / "desk"
        if setting.known:
            keep_contract(Places(data), NAME, URL, Learnt(setting.contract))
        self._were = os.urandom, writer.SENDING_TOLD_S
        os.urandom, writer.SENDING_TOLD_S = random.Random(str(world)).randbytes, 0.0  # the same each time; all is told
        plan = {} if world.plan is None else {"per_minute": world.per_minute, "per_day": world.per_day}
        self.program = Program(self.loop, self, data, chance=random.Random(world.style), **plan)
        self.loop.settle()

    def __str__(self) -> str:
        return f"{self.style}, plan {self.plan}, {self.service_kind}, {len(self.contract.operations)} operations"

    def line(self) -> Wire:
        """The network of the next life."""
        return Wire(self)

    def end(self) -> None:
        """Let go of loop and files."""
        os.urandom, writer.SENDING_TOLD_S = self._were
        self.seen.update(self.program.states)
        self.program.network.cut = True
        self.loop.close()
        shutil.rmtree(self._folder)

    # ------------------------------------------------------------ time

    @property
    def guarded(self) -> bool:
        """Whether the service takes If-Match, as far as the program knows."""
        return any(operation.conditional for operation in self.contract.operations.values())

    @property
    def true(self) -> float:
        """The service's seconds."""
        return self.loop.wall - EPOCH

    @property
    def clocks(self) -> tuple[float, ...]:
        """What time it is beside the Date of an answer, in the service's seconds: by this computer's clock."""
        return (self.program.clock.now().wall - SERVICE_WALL,)

    @property
    def wall_ahead(self) -> float:
        """By how much a hand has set this computer's clock."""
        return self._ahead

    @wall_ahead.setter
    def wall_ahead(self, ahead: float) -> None:
        clock = self.program.clock
        clock.set_wall(clock.now().wall + ahead - self._ahead)
        self._ahead = ahead
        self._low = min(self._low, ahead)

    def pass_time(self, seconds: float) -> None:
        """Timers fire on the way."""
        self.loop.run_for(seconds)

    def sleep(self, seconds: float) -> None:
        self.loop.suspend(seconds)

    def feed(self, event: object) -> None:
        """The gate is not told anything here; it finds out."""
        self.loop.settle()

    # ------------------------------------------------------------ what a person does

    def submit(self, command: Command) -> None:
        self.program.submit(command)
        self.loop.settle()

    def apply(self, *changes: NewChange) -> None:
        self.program.apply(*changes)
        self.loop.settle()

    def open_changes(self) -> list[Change]:
        return [change for _, change in sorted(self.program.changes.items()) if change.state.is_open]

    def resume(self) -> None:
        self.service.risked(self.true)
        self.submit(ResumeNow())

    def new_key(self) -> None:
        self.keys += 1
        self.enter(self.keys)

    def enter(self, key: int) -> None:
        self.key = self.program.key = f"key-{key}"
        self.service.use_key(key)
        self.submit(UseKey(self.key))
        self.loop.settle()

    # ------------------------------------------------------------ what comes to the service

    def comes(self, request: httpx.Request) -> int:
        """A connection is made for a request: the moment at which the gate let it out."""
        self.numbers += 1
        write = request.method != "GET"
        if write:
            self.lefts.append(set_out(request, self.true, self.program.clock.now().wall))
        place = f"{request.method} {request.url.path}"
        scheme = _scheme_of(request)
        ask = Ask(self.numbers, RequestClass.PERSON, write, request.method != "POST", 1, scheme=scheme, place=place)
        looked, self._looked = self._looked, (None, 0.0)
        task = asyncio.current_task()
        if write and looked == (task, self.true):
            # The second of a pair, for which room was kept when the first left: it need not be of the same record.
            self.service.admitted[self.numbers] = Sent(ask, 1, False, self.service.key)
            self.service.own.append((self.true, self.numbers))
        else:
            self._judged(lambda: self.service.admit(ask, self.true, probe=False), request)
        self.seen["sent as a probe" if self.service.probe_owed else "sent"] += 1
        connected: asyncio.Future[None] = self.loop.create_future()
        if not self.slow:
            connected.set_result(None)
        self._pending[self.numbers] = Pending(request, task, connected, self.loop.create_future())
        return self.numbers

    def pending(self, number: int) -> Pending:
        return self._pending[number]

    def turns_back(self, number: int, *, failed: bool) -> None:
        """Nothing was sent: no connection, or the gate closed meanwhile."""
        if self._pending.pop(number, None) is None:
            return
        sent = self.service.admitted[number]
        self.service.give_back(number)
        if failed and not self.program.network.cut:
            self.service.no_verdict(sent, self.true)
        self.seen["no connection" if failed else "called back"] += 1

    def arrives(self, number: int) -> None:
        """The first byte."""
        self._judged(lambda: self.service.arrive(number, self.true), self._pending[number].request)
        if self.fuse:
            self.fuse = False
            self.program.die()
        elif self.kind:
            self.loop.call_later(ROUND_TRIP_S, self._answer_kindly, number)

    def connect(self, number: int, *, made: bool) -> None:
        """A slow connection stands, or is not made."""
        connected = self._pending[number].connected
        if made:
            connected.set_result(None)
        else:
            connected.set_exception(httpx.ConnectError("nobody there"))
        self.loop.settle()

    def is_given_up(self, number: int) -> bool:
        """Nobody waits for this answer any more; whether the write is done all the same."""
        if self._pending.pop(number, None) is None:
            return False
        sent = self.service.out.pop(number)
        if not self.program.network.cut:
            self.service.silent(sent)
            self.service.no_verdict(sent, self.true)
        self.seen["cancelled"] += 1
        return self.luck and sent.ask.write

    def _judged(self, judge: Callable[[], None], request: httpx.Request) -> None:
        try:
            judge()
        except Violation as violation:
            violation.add_note(f"{request.method} {request.url.path} at {self.true}")
            self.loop.fail(violation)
            raise httpx.ConnectError("judged", request=request) from None

    # ------------------------------------------------------------ answers

    def reply(self, sent: Sent, reply: Reply) -> None:
        """Let a request be answered, and the program hear it."""
        pending = self._pending.pop(sent.ask.ticket)
        reply.headers = [("Date", http_date(sent.made)), *reply.headers]
        self._looked = (pending.task if pending.request.method == "GET" else None, self.true)
        if not reply.lost:
            self.service.answers_at(sent, reply.status or 200)
        pending.reply.set_result(reply)
        self.seen["lost" if reply.lost else f"answer {reply.status or 'well'}"] += 1
        self.loop.settle()

    def answered(self, sent: Sent, status: int, headers: Headers, *, code: str | None = None) -> None:
        """An answer of the door: nothing was done."""
        body = json.dumps({"code": code or "door", "message": "said the door", "status": status}).encode()
        self.reply(sent, Reply(status, headers, body))

    def again(self, asks: object) -> None:
        """The program asks again by itself."""

    # ------------------------------------------------------------ the process and the machine

    def start(self) -> None:
        """The process ends as by a kill; another one begins on what is on disk."""
        if self.program.alive:
            self.program.kill()
        for number in [*self._pending]:
            self.turns_back(number, failed=False)
        self.service.restarted()
        self.seen["start"] += 1
        self.program.start()
        self.loop.settle()

    def close(self) -> None:
        self.program.close()

    def reboot(self, wall_jump: float) -> None:
        """The machine starts anew. That its wall clock went forward is the one thing no client can see through."""
        self.program.kill()
        self._boots += 1
        self.program.clock.reboot(f"boot-{self._boots}")
        self.wall_ahead += wall_jump
        if self.wall_ahead > self._low + 1e-6:
            self.service.unknowable(self.true)
        self.start()

    # ------------------------------------------------------------ what must hold

    def check(self) -> None:
        """The program is as it should be between two moves."""
        self.loop.settle()
        if not self.program.alive:
            self.start()
        if set(self.service.out) | set(self.service.admitted) != set(self._pending):
            raise Violation("what is on its way is not what waits for an answer")
        closed = self.true < self.service.closed_until or any(self.true < end for end in self.service.spent.values())
        if not closed:
            self._low = self._ahead
        self.seen[self.program.phase.value] += 1

    def meets_a_pause(self) -> bool:
        return self.program.phase in PAUSES

    # ------------------------------------------------------------ nothing starves, nothing is lost

    def a_kind_hour(self, chance: object = None) -> None:
        """The service is kind: whatever waits is done, or has its reason; then the books are compared."""
        self._be_kind()
        self.submit(Refresh(tuple(Resource)))
        read = {resource: len(self.program.ended(resource)) for resource in Resource}
        waited = 0.0
        for _ in range(MOST_ROUNDS):
            if not self._left(read):
                break
            before = self.true
            self._wait(read)
            # What a day's own count says after the clock was set back is the gate's own matter, and judged by itself.
            spent = self.program.phase is GatePhase.SPENT
            waited += self.true - before if self.service.is_open(self.true, PLENTY) and not spent else 0.0
            if waited > STARVED_S:
                raise Violation(f"starved: {self._left(read)}")
        else:
            raise Violation(f"waits for ever: {self._left(read)}")
        self.books.late.clear()
        machine_judge.compare(self)
        self.close()
        machine_judge.kept(self)
        self.kind = False
        self.start()

    def _be_kind(self) -> None:
        self.slow, self.fuse, self.kind = False, False, True
        if not self.program.alive:
            self.start()
        if self.service.revoked:
            self.new_key()
        machine_undo.everything_goes_on(self)
        for number in [*self.service.admitted]:
            self.connect(number, made=True)
        for number in [*self.service.out]:
            self._answer_kindly(number)
        self.loop.settle()
        if (self.program.until or 0.0) > self.program.clock.now().wall + LONGEST:
            self.resume()  # as a person did who met it, with a key that was in use then

    def _answer_kindly(self, number: int) -> None:
        sent = self.service.out.pop(number, None)
        if sent is None:
            return  # it was given up
        pending = self._pending.pop(number)
        self._looked = (pending.task if pending.request.method == "GET" else None, self.true)
        headers = [("Date", http_date(sent.made)), *plenty(self, sent)]
        self.service.good(sent)
        self.service.answers_at(sent, 200)
        pending.reply.set_result(Reply(None, headers, done=True))

    def _wait(self, read: dict[Resource, int]) -> None:
        """Some seconds; over the most of a long pause all computers sleep, as people do."""
        closed = max([self.service.closed_until, *self.service.spent.values()]) - self.true
        if closed > 120.0:
            self.sleep(closed - 60.0)
        with suppress(Stuck):
            self.loop.run_until(lambda: not self._left(read), "all is done", 30.0)

    def _left(self, read: dict[Resource, int]) -> list[str]:
        """What is neither done nor waits for a person."""
        unread = [str(resource) for resource, before in read.items() if len(self.program.ended(resource)) == before]
        return unread + [f"{change}" for change in machine_judge.sendable(self.open_changes())]
