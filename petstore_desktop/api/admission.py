"""The gate at work: who wants to send waits here. Belongs to one thread, the one whose asyncio loop calls it."""

from __future__ import annotations

import asyncio
import itertools
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from petstore_desktop.api import gate
from petstore_desktop.api.gate_memory import restore, snapshot
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
    PlanChanged,
    ProbeWanted,
    Promise,
    ResumeNow,
    Show,
    ShowQuota,
    Tick,
    Urged,
    WakeAt,
    Withdraw,
)
from petstore_desktop.api.limit_headers import AnswerFacts
from petstore_desktop.clock import Clock, Random
from petstore_desktop.domain.errors import KeyRejected, StorageError, Unreachable
from petstore_desktop.domain.quota import GateSnapshot, GateView, Plan, Quota, RequestClass

RECHECK = 30.0
"""Seconds after which the time is looked at anew: a loop's timer stands still while a laptop sleeps."""


class GateLocked(KeyRejected):
    """The service rejected the key earlier; nothing leaves until there is another."""

    code = "gate-locked"


@dataclass(frozen=True, slots=True)
class Ticket:
    """The right to send `cost` requests, to be ended by `answered`, `broke` or `unused`. `asked`: steady second at
    which somebody began to wait for it."""

    number: int
    probe: bool
    cost: int
    asked: float


class Admission:
    """Every request of one (origin, key) passes here; see gate.py for the rules.

    `restored` is what this key's gate left, `pauses` are those of other keys of the same origin. `persist` writes a
    snapshot durably before it returns, or raises StorageError; `tell` hears each new view and quota;
    `want_probe` is called when a pause is over but only writes wait: ask then for one cheap GET.
    """

    def __init__(
        self,
        clock: Clock,
        random: Random,
        persist: Callable[[GateSnapshot], None],
        tell: Callable[[GateView | Quota], None],
        plan: Plan | None = None,
        restored: GateSnapshot | None = None,
        want_probe: Callable[[], None] = lambda: None,
        pauses: Iterable[GateSnapshot] = (),
    ) -> None:
        self.want_probe = want_probe
        self._clock = clock
        self._random = random
        self._persist = persist
        self._tell = tell
        self._state = restore(restored, plan, clock.now(), pauses)
        self._waiting: dict[int, asyncio.Future[Ticket]] = {}
        self._numbers = itertools.count(1)
        self._events: deque[Event] = deque()
        self._stepping = False
        self._timer: asyncio.TimerHandle | None = None
        self._handle(Tick())

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
        """Whether nobody waits here and nothing is on its way."""
        return not self._waiting and not self._state.flights

    async def admit(
        self, cls: RequestClass, *, write: bool, idempotent: bool, cost: int = 1, retry: bool = False
    ) -> Ticket:
        """Wait, as long as the gate says, for the right to send `cost` requests (one of them a write, if `write`).

        `retry`: the same came to nothing before, because the service or the line failed. Cancelling withdraws. Raises
        GateLocked when the key is rejected, Unreachable ("gate-closed") after `close`.
        """
        ask, asked = Ask(next(self._numbers), cls, write, idempotent, cost, retry), self._clock.now().steady
        while True:
            ticket = await self._wait(ask)
            if self.may_send(ticket):
                return replace(ticket, asked=asked)
            # The gate closed between the admission and this task's turn: back into the queue.
            self.unused(ticket)
            ask = replace(ask, ticket=next(self._numbers))

    def may_send(self, ticket: Ticket) -> bool:
        """Whether nothing has closed the gate since the ticket was given.

        To be asked before each request of a ticket that sends two, and, where the transport allows it, once more
        between a slow connection and the first byte. If not: `unused(ticket)` and `admit` anew.
        """
        return gate.may_send(self._state, ticket.number)

    def answered(self, ticket: Ticket, answer: AnswerFacts, *, more: bool = False, cut: bool = False) -> None:
        """The service answered. `more`: the ticket has another request to send; `cut`: the answer broke off."""
        self._handle(Answered(ticket.number, answer, more, cut))

    def broke(self, ticket: Ticket, *, sent: bool, given_up: bool = False) -> None:
        """No answer came; `sent` if a byte may have left, `given_up` if nobody waits for the answer any more."""
        self._handle(Broke(ticket.number, sent, given_up))

    def unused(self, ticket: Ticket) -> None:
        """What is left of the ticket will not be sent; nothing, where it has ended."""
        self._handle(Withdraw(ticket.number))

    def promise(self, requests: int) -> None:
        """Keep so many requests of the minute for what a person is about to ask for, whoever else waits."""
        self._handle(Promise(requests))

    def urge(self) -> None:
        """A person acts: what waits because of a failure is tried now."""
        self._handle(Urged())

    def key_changed(self) -> None:
        """Another key is used from now on."""
        self._handle(KeyChanged())

    def use_plan(self, plan: Plan | None) -> None:
        """Reckon with this plan from now on, where the service does not speak of its windows."""
        self._handle(PlanChanged(plan))

    def resume_now(self) -> None:
        """End the pause at a person's risk: the next request is the probe."""
        self._handle(ResumeNow())

    def forecast(self, cls: RequestClass, *, cost: int = 1, retry: bool = False) -> float | None:
        """Steady second at which a request of the class could leave next; None when that is unknown (locked)."""
        return gate.forecast(self._state, self._clock.now(), cls, cost, retry=retry)

    def wake(self) -> None:
        """Look at the clock; for the timer, and for whoever knows that it has moved."""
        self._handle(Tick())

    def close(self) -> None:
        """Nothing more leaves. Answers still on the way are listened to, so that a pause they bring is kept."""
        self._handle(Close())
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._keep(snapshot(self._state, self._clock.now(), clean=True))

    async def _wait(self, ask: Ask) -> Ticket:
        future: asyncio.Future[Ticket] = asyncio.get_running_loop().create_future()
        self._waiting[ask.ticket] = future
        self._handle(ask)
        try:
            return await future
        except asyncio.CancelledError:
            self._handle(Withdraw(ask.ticket))
            raise
        finally:
            self._waiting.pop(ask.ticket, None)

    def _handle(self, event: Event) -> None:
        """Step; what the effects bring about is stepped after them, never within."""
        self._events.append(event)
        if self._stepping:
            return
        self._stepping = True
        try:
            while self._events:
                self._state, effects = gate.step(self._state, self._events.popleft(), self._clock.now(), self._random)
                for effect in effects:
                    self._perform(effect)
        finally:
            self._stepping = False

    def _perform(self, effect: Effect) -> None:
        match effect:
            case Persist():
                self._events.append(Persisted(self._keep(effect.snapshot)))
            case Admit():
                self._settle(effect.ticket, effect.probe)
            case Deny():
                self._refuse(effect)
            case WakeAt():
                self._arm(effect.steady)
            case Show():
                self._tell(effect.view)
            case ShowQuota():
                self._tell(effect.quota)
            case ProbeWanted():
                self.want_probe()

    def _keep(self, kept: GateSnapshot) -> bool:
        try:
            self._persist(kept)
        except StorageError:
            return False  # the pause holds in memory, and the view says that it is not on disk
        return True

    def _settle(self, number: int, probe: bool) -> None:
        future = self._waiting.get(number)
        if future is None or future.done():
            self._events.append(Withdraw(number))
            return
        flight = next(flight for flight in self._state.flights if flight.ask.ticket == number)
        future.set_result(Ticket(number, probe, flight.cost, flight.asked))

    def _refuse(self, denied: Deny) -> None:
        future = self._waiting.get(denied.ticket)
        if future is None or future.done():
            return
        why = self._state.locked
        if denied.why == "locked" and why is not None:
            future.set_exception(GateLocked(status=why.status, message=why.message or "", raw=why.raw or ""))
        else:
            future.set_exception(Unreachable("gate-closed"))

    def _arm(self, steady: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return  # made before the loop runs: the first call from within it arms the timer
        if not self._state.closed:
            delay = min(max(steady - self._clock.now().steady, 0.0), RECHECK)
            self._timer = loop.call_later(delay, self.wake)
