"""Which request leaves next: classes, reserves, ageing, and how many at once. Which change is sent next is decided in
`sync/send/next_step`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from msgspec.structs import replace

from petstore_desktop.api.gate import retries
from petstore_desktop.api.gate.limits import pace
from petstore_desktop.api.gate.limits.windows import spent_until
from petstore_desktop.api.gate.model import FULL_RAMP, Ask, Flight, GateState, Waiting
from petstore_desktop.domain.quota import Readiness, RequestClass, count_send

MOST_IN_FLIGHT = 4
STARVING = 60.0
"""Seconds, however the gate stood, after which a request goes before every class: at the first departure at which the
windows, the budget and the one write at a time let it, or at the second one, since every second departure follows the
classes; of several that starve the one that has waited longest. So n who have waited longer can let no more than n + 1
younger ones leave first."""

OTHER_PROBE = 5.0
"""Seconds that a probe of a place that does not refuse this key is waited for, where only others wait."""

PROBE_ASKED_AGAIN = 30.0
"""Seconds after which a probe is asked for again that did not come."""


def in_flight_cap(state: GateState) -> int:
    """One until the service has spoken of its windows; after a probe one, two, four."""
    return min(ramp_cap(state), MOST_IN_FLIGHT if state.heard else 1)


def ramp_cap(state: GateState) -> int:
    """What the good answers since the last probe allow in flight."""
    if state.ramp < 1:
        return 1
    return 2 if state.ramp < FULL_RAMP else MOST_IN_FLIGHT


class Next(NamedTuple):
    """Who leaves now, and who of those that could leave too has starved the longest (it may be the same)."""

    waiting: Waiting
    starved: Waiting | None


def ready_at(state: GateState, ask: Ask, now: float) -> float | None:
    """Steady second at which windows, pace, back-off and budget let the request leave; None where unknown."""
    return readiness(state, ask, now).at


def readiness(state: GateState, ask: Ask, now: float) -> Readiness:
    """The same, with what holds it back until then."""
    least = max(retries.free_at(state.failures, ask), pace.free_at(state, ask, now), state.spent or now)
    return state.opens_at(ask.cls, ask.cost, now, least)


def changes_held(state: GateState, now: float) -> Readiness | None:
    """What holds back the next change though the gate is open: of those that wait the one that leaves first, else one
    of a single request. None where nothing does."""
    if state.closure is not None:
        return None
    waiting = {terms_of(one.ask): one.ask for one in state.queue if one.ask.cls is RequestClass.CHANGES}
    asks = waiting.values() or (_A_CHANGE,)
    first = min((readiness(state, ask, now) for ask in asks), key=_moment_of)
    return first if first.at is None or first.at > now else None


def _moment_of(one: Readiness) -> float:
    return math.inf if one.at is None else one.at


_A_CHANGE = Ask(0, RequestClass.CHANGES, write=True, idempotent=False)


def next_to_leave(state: GateState, now: float) -> Next | None:
    """The request that may leave at this moment, if there is one. A locked or closed gate has no queue."""
    if needs_probe(state):
        return _chosen(state, _may_probe_now(state, now), now) if probe_due(state, now) else None
    if len(state.flights) >= in_flight_cap(state):
        return None
    return _chosen(state, _may_leave(state, now), now)


def _chosen(state: GateState, may: Callable[[Waiting], bool], now: float) -> Next | None:
    """The request to leave: starving ones and the classes take turns, and no starving one is passed over twice."""
    able = [waiting for waiting in state.queue if may(waiting)]  # the queue is in the order in which they asked
    if not able:
        return None
    starved = next((waiting for waiting in able if starves(waiting, now)), None)
    first = starved is not None and (starved.passed or not state.aged_last)
    return Next(starved if starved is not None and first else min(able, key=_class_of), starved)


def _class_of(waiting: Waiting) -> RequestClass:
    return waiting.ask.cls


def _may_leave(state: GateState, now: float) -> Callable[[Waiting], bool]:
    """Whether a request may leave now; those that are alike are reckoned with once."""
    ready: dict[tuple[object, ...], bool] = {}
    busy = writing(state)

    def may(waiting: Waiting) -> bool:
        if busy and waiting.ask.write:
            return False
        terms = terms_of(waiting.ask)
        if terms not in ready:
            moment = ready_at(state, waiting.ask, now)
            ready[terms] = moment is not None and moment <= now
        return ready[terms]

    return may


def terms_of(ask: Ask) -> tuple[RequestClass, int, bool]:
    """All that windows, back-off and budget ask about a request."""
    return ask.cls, ask.cost, ask.retry


def _may_probe_now(state: GateState, now: float) -> Callable[[Waiting], bool]:
    """Neither reserves nor the budget matter to the probe: it is one at all events. It goes where it shows most."""
    best = _best_rank(state)
    due = best == 0 or _another_was_asked_for(state, now)

    def may(waiting: Waiting) -> bool:
        told = due and may_probe(waiting) and probe_rank(state, waiting.ask.place) == best
        return told and retries.backs_off_until(state.failures, waiting.ask) <= now

    return may


def probe_rank(state: GateState, place: str) -> int:
    """How little a probe of this place would show, 0 for the most: a place that refused shows more the longer ago it
    did so, so that each has its turn."""
    refusing = (*state.forbidden, *state.barred)
    return refusing.index(place) + 1 if place in refusing else 0


def _best_rank(state: GateState) -> int | None:
    """That of the most telling probe that waits; None where none waits."""
    return min((probe_rank(state, one.ask.place) for one in state.queue if may_probe(one)), default=None)


def _another_was_asked_for(state: GateState, now: float) -> bool:
    """Whether a probe of another place was asked for, and had the time to come."""
    return state.probe_asked is not None and now >= state.probe_asked + OTHER_PROBE


def needs_probe(state: GateState) -> bool:
    """Whether a pause has been and no probe has ended it."""
    return state.closure is not None


def writing(state: GateState) -> bool:
    """Whether a write is on its way: the next one waits for it."""
    return any(flight.ask.write for flight in state.flights)


def probe_due(state: GateState, now: float) -> bool:
    """Whether the pause is over and nothing is on its way that could still bring another."""
    over = state.closure is not None and now >= state.closure.until and spent_until(state, now) is None
    return over and not state.flights


def may_probe(waiting: Waiting) -> bool:
    """A probe changes nothing and is one request."""
    return waiting.ask.idempotent and not waiting.ask.write and waiting.ask.cost == 1


def probe_wanted(state: GateState, now: float) -> bool:
    """Whether the pause is over, requests wait, and none of them can be the probe."""
    asked_lately = state.probe_asked is not None and now < state.probe_asked + PROBE_ASKED_AGAIN
    wanting = bool(state.queue) and _best_rank(state) != 0
    return wanting and not asked_lately and probe_due(state, now)


def starves(waiting: Waiting, now: float) -> bool:
    """Whether a request has waited for STARVING seconds, after which its class no longer matters."""
    return now - waiting.asked >= STARVING


def depart(state: GateState, leaving: Next, now: float) -> GateState:
    """The request leaves: out of the queue, into flight, into our own count and the budget."""
    waiting, starved = leaving
    ask = waiting.ask
    probe = state.closure is not None
    flight = Flight(ask, waiting.asked, now, ask.cost, probe=probe, closures=state.closures)
    return replace(
        state,
        queue=tuple(
            replace(other, passed=True) if other is starved else other for other in state.queue if other is not waiting
        ),
        flights=(*state.flights, flight),
        minute=count_send(state.minute, ask.cost, now),
        day=count_send(state.day, ask.cost, now),
        sent=state.sent + ask.cost,
        failures=retries.charged(state.failures, ask, now),
        pace=pace.noted(state.pace, ask.cost, now),
        # If none that starves could leave, its turn is not over: the classes went only because it was barred.
        aged_last=waiting is starved,
    )
