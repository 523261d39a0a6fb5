"""The gate at work: who wants to send waits here.

An Admission is one connection's place at a gate, and belongs to one thread, the one whose asyncio loop calls it. The
gate itself (`registry.SharedGate`) may have several members, in several threads: then one pause holds all of them from
the moment it is met, and what is on its way is reckoned together. The thread that brings an event steps the gate under
its lock; what comes of it for another seat is called in that one's loop.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Mapping
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.api.gate import machine as gate
from petstore_desktop.api.gate import model
from petstore_desktop.api.gate.limits import pace
from petstore_desktop.api.gate.memory import snapshot
from petstore_desktop.api.gate.model import MAIN, Effect, Event, GateState
from petstore_desktop.api.gate.registry import SharedGate
from petstore_desktop.api.gate.request_order import probe_rank
from petstore_desktop.api.gate.unauthorized import UNAUTHORIZED, GateLocked, KeyMissing, rejection
from petstore_desktop.api.headers.limit_headers import AnswerFacts
from petstore_desktop.clock import Clock, Random
from petstore_desktop.domain.errors import StorageError, Unreachable
from petstore_desktop.domain.quota import GateSnapshot, GateView, Plan, Quota, Readiness, RequestClass

_numbers = itertools.count(1)
"""Of tickets: no two gates give the same, so that a member that has moved finds the gate of each of its own."""
RECHECK = 30.0
"""Seconds after which the time is looked at anew: a loop's timer stands still while a laptop sleeps."""


class Ticket(Struct, frozen=True):
    """The right to send `cost` requests, to be ended by `answered`, `broke` or `unused`. `asked`: steady second at
    which the wait for it began; `waited`: anything else may have happened since then."""

    number: int
    probe: bool
    cost: int
    asked: float
    waited: bool = False


class Admission:
    """Every request of one connection passes here; see `machine` for the rules.

    `gate` is the one of its origin and key. `persist` writes a snapshot durably before it returns, or raises
    StorageError; `tell` hears each new view and quota; `want_probe` is called when a pause is over but only writes
    wait: ask then for one cheap GET.
    """

    def __init__(
        self,
        clock: Clock,
        random: Random,
        persist: Callable[[GateSnapshot], None],
        tell: Callable[[GateView | Quota], None],
        plan: Plan | None = None,
        want_probe: Callable[[], None] = lambda: None,
        *,
        gate: SharedGate[Admission],
    ) -> None:
        self.want_probe = want_probe
        self.missing: Mapping[str, str] = {}
        """The security schemes for which there is no key yet, with the names of those keys."""
        self._clock = clock
        self._random = random
        self._tell = tell
        self._plan = plan
        self._gate = gate
        self._keeps: dict[SharedGate[Admission], Callable[[GateSnapshot], None]] = {self._gate: persist}
        """What keeps this gate, and those of earlier keys at which answers are still expected."""
        self._waiting: dict[int, asyncio.Future[Ticket]] = {}
        self._ahead: float | None = None  # seconds from the steady clock to the service's
        self._closed = False
        self._timer: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._note_loop()
        self._gate.join(self)
        self._handle(model.PlanChanged(plan))
        self._handle(model.Tick())

    @property
    def _state(self) -> GateState:
        return self._gate.state

    @property
    def view(self) -> GateView:
        """The gate as a person may see it."""
        return self._state.shown

    @property
    def quota(self) -> Quota:
        """Both windows as last known."""
        return self._state.shown_quota

    @property
    def idle(self) -> bool:
        """Whether no request waits here and none is on its way."""
        return not self._waiting and not self._state.flights

    async def admit(
        self,
        cls: RequestClass,
        *,
        write: bool,
        idempotent: bool,
        cost: int = 1,
        retry: bool = False,
        scheme: str = MAIN,
        place: str = "",
    ) -> Ticket:
        """Wait, as long as the gate says, for the right to send `cost` requests (one of them a write, if `write`).
        `retry`: the same came to nothing before, because the service or the line failed; `scheme`: the security scheme
        of the operation; `place`: its method and its URL without the query. Cancelling withdraws.
        Raises GateLocked when the key is rejected for that scheme, Unreachable
        ("gate-closed") after `close`.
        """
        ask, asked = (
            model.Ask(next(_numbers), cls, write, idempotent, cost, retry, scheme, place),
            self._clock.now().steady,
        )
        waited = False
        if scheme in self.missing and (missing := self.locked(scheme)) is not None:
            raise missing
        while True:
            ticket = await self._wait(ask)
            waited = waited or ticket.waited
            if self.may_send(ticket):
                return replace(ticket, asked=asked, waited=waited)
            self.unused(ticket)  # the gate closed between the admission and this task's turn: back into the queue
            ask = replace(ask, ticket=next(_numbers))

    def may_send(self, ticket: Ticket) -> bool:
        """Whether nothing has closed the gate since the ticket was given. To be asked before each request of a ticket
        that sends two, and, where the transport allows it, once more between a slow connection and the first byte. If
        not: `unused(ticket)` and `admit` anew."""
        return not self._closed and gate.may_send(self._state, ticket.number)

    def answered(
        self,
        ticket: Ticket,
        answer: AnswerFacts,
        *,
        more: bool = False,
        cut: bool = False,
        scheme: str = MAIN,
        place: str = "",
        keyless: bool = False,
    ) -> None:
        """The service answered. `more`: the ticket has another request to send; `cut`: the answer broke off;
        `keyless`: it was asked without the key."""
        if answer.limits.skew is not None:
            now = self._clock.now()
            self._ahead = now.wall + answer.limits.skew - now.steady
        self._handle(model.Answered(ticket.number, answer, more, cut, scheme, place, keyless))

    def broke(self, ticket: Ticket, *, sent: bool, given_up: bool = False) -> None:
        """No answer came; `sent` if a byte may have left, `given_up` if the caller no longer waits for the answer."""
        self._handle(model.NoAnswer(ticket.number, sent, given_up))

    def unused(self, ticket: Ticket) -> None:
        """Cancel the rest of a ticket; no effect if it has ended."""
        self._handle(model.Withdraw(ticket.number))

    def probe_rank(self, place: str) -> int:
        """How little a probe of this place would show, 0 for the most."""
        return probe_rank(self._state, place)

    def promise(self, requests: int) -> None:
        """Reserve this many requests of the minute for a person's next act."""
        self._handle(model.ReserveForPerson(requests))

    def urge(self) -> None:
        """A person acts: what waits because of a failure is tried now."""
        self._handle(model.PersonActs())

    def unlock(self) -> None:
        """A person entered the key, or has it checked: what it was rejected for may be asked once more."""
        self._handle(model.Unlock())

    @property
    def service_time(self) -> float | None:
        """The service's clock (UTC epoch seconds) by its answers, whatever is done to ours."""
        return None if self._ahead is None else self._clock.now().steady + self._ahead

    def locked(self, scheme: str = MAIN) -> GateLocked | None:
        """Why nothing with this security scheme leaves, None where it may."""
        if scheme in self.missing:
            return KeyMissing(status=UNAUTHORIZED, key=self.missing[scheme])
        return rejection(self._state.locked.get(scheme))

    @property
    def gate(self) -> SharedGate[Admission]:
        """Where it sits."""
        return self._gate

    def move(self, other: SharedGate[Admission], persist: Callable[[GateSnapshot], None]) -> None:
        """Change to the gate of another key of the same origin, which `persist` stores. A pause continues there, and
        waiting tickets queue again; all else is that key's own. Answers on their way count for the old gate."""
        old = self._gate
        if other is old:
            return
        with old.lock:
            last = old.leave(self)
            for number, future in tuple(self._waiting.items()):
                self._handle(model.Withdraw(number))
                if not future.done():  # a ticket that may not be sent: `admit` asks again
                    future.set_result(Ticket(number, probe=False, cost=1, asked=0.0))
            if not self._keep(old, snapshot(old.state, self._clock.now(), clean=last)):
                old.state = replace(old.state, persisted=False)
        busy = {one: keep for one, keep in self._keeps.items() if one.state.flights or not one.state.persisted}
        self._keeps = busy | {other: persist}
        self._gate = other
        other.join(self)
        other.follow(old)
        self._handle(model.PlanChanged(self._plan))
        self.wake()
        if other.state.shown != old.state.shown:
            self._tell(other.state.shown)
        if other.state.shown_quota != old.state.shown_quota:
            self._tell(other.state.shown_quota)

    def use_plan(self, plan: Plan | None) -> None:
        """Reckon with this plan from now on, where the service does not speak of its windows."""
        self._plan = plan
        self._handle(model.PlanChanged(plan))

    def resume_now(self) -> None:
        """End the pause at a person's risk: the next request is the probe."""
        self._handle(model.EndPause())

    def forecast(self, cls: RequestClass, *, cost: int = 1, retry: bool = False) -> Readiness:
        """When a request of the class could leave next, and what it waits for; see `machine.forecast`."""
        return gate.forecast(self._state, self._clock.now(), cls, cost, retry=retry)

    def pace_s(self, requests: int, *, alone: bool) -> float:
        """Seconds that so many requests take, one after the other, by the pace that refusals have taught; `alone`:
        where nothing else has left shortly before them."""
        return pace.longest(self._state, requests, self._clock.now().steady, alone=alone)

    def wake(self) -> None:
        """Process the current time: called by the timer, and after a clock change."""
        for one in [one for one in self._keeps if one is not self._gate and not one.state.persisted]:
            # What the file did not take of an earlier key's gate, at which no connection may sit now.
            self._step(one, model.Tick())
        self._handle(model.Tick())

    def close(self) -> None:
        """Nothing more leaves from here. Answers still on the way are listened to, so that a pause they bring is
        kept."""
        self._closed = True
        with self._gate.lock:
            last = self._gate.leave(self)
            if last:
                self._handle(model.Close())
            for number, future in tuple(self._waiting.items()):
                self._handle(model.Withdraw(number))
                if not future.done():
                    future.set_exception(Unreachable("gate-closed"))
            if self._timer is not None:
                self._timer.cancel()
            if not last:
                self._handle(model.Tick())  # another seat minds the time from here on
            self._keep(self._gate, snapshot(self._state, self._clock.now(), clean=last))

    async def _wait(self, ask: model.Ask) -> Ticket:
        if self._closed:
            raise Unreachable("gate-closed")
        self._note_loop()
        future: asyncio.Future[Ticket] = asyncio.get_running_loop().create_future()
        self._waiting[ask.ticket] = future
        with self._gate.lock:
            self._gate.owners[ask.ticket] = self
            self._handle(ask)
            waits = not future.done()
        try:
            return replace(await future, waited=waits)
        except asyncio.CancelledError:
            self._handle(model.Withdraw(ask.ticket))
            raise
        finally:
            self._waiting.pop(ask.ticket, None)
            self._gate.owners.pop(ask.ticket, None)

    def _handle(self, event: Event) -> None:
        """Step; what the effects bring about is stepped after them, never within."""
        shared = self._gate_of(event)
        pause = shared.state.closure
        self._step(shared, event)
        if shared is not self._gate:
            if shared.told_more_than(pause):
                self._gate.follow(shared)  # a late answer to the key before: who asked waits with either
            self._step(self._gate, model.Tick())  # whose time it is by which the timer goes

    def _step(self, shared: SharedGate[Admission], event: Event) -> None:
        with shared.lock:
            shared.events.append(event)
            if shared.stepping:
                return
            shared.stepping = True
            try:
                while shared.events:
                    shared.state, effects = gate.step(
                        shared.state, shared.events.popleft(), self._clock.now(), self._random
                    )
                    for effect in effects:
                        self._perform(shared, effect)
            finally:
                shared.stepping = False

    def _gate_of(self, event: Event) -> SharedGate[Admission]:
        if len(self._keeps) > 1 and isinstance(event, model.Answered | model.NoAnswer | model.Withdraw):
            return next((one for one in self._keeps if one.state.flight(event.ticket)), self._gate)
        return self._gate

    def _perform(self, shared: SharedGate[Admission], effect: Effect) -> None:
        match effect:
            case model.Persist():
                shared.events.append(model.Persisted(self._keep(shared, effect.snapshot)))
            case model.Admit():
                self._admit(shared, effect)
            case model.Deny():
                owner = shared.owners.pop(effect.ticket, self)
                locked = shared.state.locked.get(effect.scheme) if effect.why == "locked" else None
                self._have(owner, lambda: owner._refuse(effect.ticket, locked))
            case model.WakeAt():
                minder = self._sitting(shared)
                self._have(minder, lambda: minder._arm(effect.steady))
            case model.Show():
                self._tell_all(shared, effect.said)
            case model.ProbeWanted():
                asker = self._sitting(shared)
                self._have(asker, lambda: asker.want_probe())

    def _sitting(self, shared: SharedGate[Admission]) -> Admission:
        """Who minds time and probes of that gate: this one, if it sits there."""
        return self if self in shared.members else next(iter(shared.members), self)

    def _tell_all(self, shared: SharedGate[Admission], said: GateView | Quota) -> None:
        """Who is closed still hears what its own last answers bring; who sits at another gate by now does not."""
        for member in {*shared.members, *((self,) if shared is self._gate else ())}:
            self._have(member, lambda member=member: member._tell(said))

    def _have(self, member: Admission, act: Callable[[], object]) -> None:
        """Call it in the thread of that member."""
        if member is self:
            act()
        elif member._loop is not None:
            with suppress(RuntimeError):  # its loop has ended meanwhile, and with it its thread
                member._loop.call_soon_threadsafe(act)

    def _keep(self, shared: SharedGate[Admission], kept: GateSnapshot) -> bool:
        with suppress(StorageError):  # the pause holds in memory, and the view says that it is not on disk
            self._keeps[shared](kept)
            return True
        return False

    def _admit(self, shared: SharedGate[Admission], admitted: model.Admit) -> None:
        owner = shared.owners.pop(admitted.ticket, self)
        flight = shared.state.flight(admitted.ticket)
        if flight is not None:
            ticket = Ticket(admitted.ticket, admitted.probe, flight.cost, flight.asked)
            self._have(owner, lambda: owner._settle(ticket))

    def _settle(self, ticket: Ticket) -> None:
        future = self._waiting.get(ticket.number)
        if future is None or future.done():
            self._handle(model.Withdraw(ticket.number))
        else:
            future.set_result(ticket)

    def _refuse(self, ticket: int, locked: AnswerFacts | None) -> None:
        future = self._waiting.get(ticket)
        if future is not None and not future.done():
            future.set_exception(rejection(locked) or Unreachable("gate-closed"))

    def _note_loop(self) -> None:
        with suppress(RuntimeError):  # made before the loop runs: the first call from within it knows it
            self._loop = asyncio.get_running_loop()

    def _arm(self, steady: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        most = RECHECK if all(one.state.persisted for one in self._keeps) else gate.WRITTEN_AGAIN
        delay = min(max(steady - self._clock.now().steady, 0.0), most)
        with suppress(RuntimeError):  # made before the loop runs: the first call from within it arms the timer
            if not self._closed:  # whose gate it is or not: to look at the clock once more does no harm
                self._timer = asyncio.get_running_loop().call_later(delay, self.wake)
