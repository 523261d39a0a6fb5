"""Who leaves next: classes, reserves, ageing, and how many at once."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from petstore_desktop.api.gate_model import FULL_RAMP, Flight, GateState, Waiting
from petstore_desktop.api.gate_windows import count_send, frees_at, own_limit, spent_until
from petstore_desktop.api.limit_headers import Span
from petstore_desktop.domain.quota import RequestClass

MOST_IN_FLIGHT = 4
STARVING = 60.0
"""Seconds after which a request goes before every class, though every second departure still follows the classes."""

PROBE_ASKED_AGAIN = 30.0
"""Seconds after which a probe is asked for again that did not come."""

_LEAVES = {
    RequestClass.CHANGES: (0.10, 5, 0.5),
    RequestClass.VISIBLE: (0.15, 6, 0.6),
    RequestClass.BACKGROUND: (0.25, 10, 0.7),
}
"""Share of a window, requests at least, share at most."""


def reserve(cls: RequestClass, limit: int | None) -> int:
    """Requests of a window that the class leaves to those before it; less than the whole of a small window."""
    leaves = _LEAVES.get(cls)
    if limit is None or leaves is None:
        return 0
    share, least, most = leaves
    return min(max(math.ceil(limit * share), least), math.floor(limit * most))


def in_flight_cap(state: GateState) -> int:
    """One until the service has spoken of its windows; after a probe one, two, four."""
    return min(ramp_cap(state), MOST_IN_FLIGHT if state.heard else 1)


def ramp_cap(state: GateState) -> int:
    """What the good answers since the last probe allow in flight."""
    if state.ramp < 1:
        return 1
    return 2 if state.ramp < FULL_RAMP else MOST_IN_FLIGHT


def ready_at(state: GateState, cls: RequestClass, cost: int, now: float) -> float | None:
    """Steady second at which the windows let `cost` requests of the class leave; None where unknown."""
    latest = now
    for span in Span:
        account = state.minute if span is Span.MINUTE else state.day
        limit = account.limit if account.spoken else own_limit(state.plan, span)
        moment = frees_at(state, span, _wanted(cls, limit, cost), now)
        if moment is None:
            return None
        latest = max(latest, moment)
    return latest


def _wanted(cls: RequestClass, limit: int | None, cost: int) -> int:
    wanted = cost + reserve(cls, limit)
    return wanted if limit is None else max(1, min(wanted, limit))


def next_to_leave(state: GateState, now: float) -> Waiting | None:
    """The request that may leave at this moment, if there is one. A locked or closed gate has no queue."""
    if needs_probe(state):
        return _probe(state, now)
    if len(state.flights) >= in_flight_cap(state):
        return None
    for waiting in _in_order(state, now):
        if waiting.ask.write and writing(state):
            continue
        moment = ready_at(state, waiting.ask.cls, waiting.ask.cost, now)
        if moment is not None and moment <= now:
            return waiting
    return None


def needs_probe(state: GateState) -> bool:
    """Whether a pause has been and no probe has ended it."""
    return state.closure is not None


def writing(state: GateState) -> bool:
    """Whether a write is on its way: the next one waits for it."""
    return any(flight.ask.write for flight in state.flights)


def _probe(state: GateState, now: float) -> Waiting | None:
    """After a pause one idempotent read, alone; reserves do not matter to it."""
    if not probe_due(state, now):
        return None
    return next((waiting for waiting in _in_order(state, now) if may_probe(waiting)), None)


def probe_due(state: GateState, now: float) -> bool:
    """Whether the pause is over and nothing is on its way that could still bring another."""
    over = state.closure is not None and now >= state.closure.until and spent_until(state, now) is None
    return over and not state.flights


def may_probe(waiting: Waiting) -> bool:
    """A probe changes nothing and is one request."""
    return waiting.ask.idempotent and not waiting.ask.write and waiting.ask.cost == 1


def probe_wanted(state: GateState, now: float) -> bool:
    """Whether the pause is over, somebody waits, and nobody who waits can be the probe."""
    asked_lately = state.probe_asked is not None and now < state.probe_asked + PROBE_ASKED_AGAIN
    wanting = bool(state.queue) and not any(may_probe(waiting) for waiting in state.queue)
    return wanting and not asked_lately and probe_due(state, now)


def _in_order(state: GateState, now: float) -> Iterator[Waiting]:
    """By class, then by age; every second time those that starve come first, the oldest of them before the others."""
    if not state.aged_last:
        yield from sorted((waiting for waiting in state.queue if starves(waiting, now)), key=_since)
    yield from sorted(state.queue, key=lambda waiting: waiting.ask.cls)


def starves(waiting: Waiting, now: float) -> bool:
    """Whether a request has waited so long that its class no longer matters."""
    return now - waiting.asked >= STARVING


def _since(waiting: Waiting) -> float:
    return waiting.asked


def depart(state: GateState, waiting: Waiting, now: float) -> GateState:
    """The request leaves: out of the queue, into flight, into our own count."""
    ask = waiting.ask
    flight = Flight(
        ask,
        waiting.asked,
        now,
        ask.cost,
        probe=state.closure is not None,
        closures=state.closures,
        keys=state.keys,
    )
    return replace(
        state,
        queue=tuple(other for other in state.queue if other is not waiting),
        flights=(*state.flights, flight),
        minute=count_send(state.minute, ask.cost, now),
        day=count_send(state.day, ask.cost, now),
        sent=state.sent + ask.cost,
        # If none that starves could leave, its turn is not over: the classes went only because it was barred.
        aged_last=not state.aged_last and starves(waiting, now),
    )


def forecast(state: GateState, now: float, cls: RequestClass, cost: int) -> float | None:
    """Steady second at which a request of the class could leave next; None where unknown, or where a key is needed."""
    if state.locked is not None or state.closed:
        return None
    ready = ready_at(state, cls, cost, now)
    if ready is None:
        return None
    waits = [ready, spent_until(state, now) or now]
    if state.closure is not None:
        waits.append(state.closure.until)
    return max(waits)
