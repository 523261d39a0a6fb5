"""The gate: which request may leave, and when. Pure: state and event in, state and effects out.

    open      requests leave, at most four at once, by class
    spent     a window is used up; open again at its reset
    paused    429, or another failure with Retry-After: nothing leaves, then one probe
    banned    403 `key_banned`, or 403 after a 429: nothing leaves, then one probe
    probing   the pause is over; one idempotent read leaves alone and decides
    locked    401: what has this security scheme does not leave until there is another key

Never early: every wait is at least as long as the service asked for, is counted on a clock that nobody can set, and is
handed out to be written to disk before anything else leaves. After failures it stays open and lets less through. See
answers (what closes it), unauthorized (a 401), back_off (for how long), retries (failures), limits (what is left),
request_order (who leaves next), memory (what is kept).
"""

from __future__ import annotations

from msgspec.structs import replace

from petstore_desktop.api.gate import model, retries
from petstore_desktop.api.gate.answers import take_answer, take_break, take_withdrawal
from petstore_desktop.api.gate.back_off import JITTER
from petstore_desktop.api.gate.limits.windows import forget_if_spent, spent_until
from petstore_desktop.api.gate.memory import lasting, snapshot
from petstore_desktop.api.gate.model import Effect, Event, GateState
from petstore_desktop.api.gate.request_order import (
    OTHER_PROBE,
    PROBE_ASKED_AGAIN,
    changes_held,
    depart,
    next_to_leave,
    probe_wanted,
    readiness,
    ready_at,
    terms_of,
)
from petstore_desktop.api.gate.unauthorized import deny_locked
from petstore_desktop.api.gate.view import phase_at, quota_of, same_quota, same_view, view_of
from petstore_desktop.clock import Instant, Random
from petstore_desktop.domain.quota import GatePhase, LimitSpan, Readiness, RequestClass, roll

WRITTEN_AGAIN = 1.0
"""Seconds after which what could not be written down is tried again."""
_SAME_PAUSE = (GatePhase.PAUSED, GatePhase.BANNED, GatePhase.PROBING)


def step(state: GateState, event: Event, now: Instant, random: Random) -> tuple[GateState, tuple[Effect, ...]]:
    """Take one event in. The effects are to be performed in their order: what must be on disk comes first."""
    state = state.with_windows(lambda window: roll(window, now.steady))
    state = replace(state, spent=None) if state.spent is not None and now.steady >= state.spent else state
    paused = state.closure is not None
    state = _take(state, event, now.steady, random)
    if paused and state.closure is None:
        state = replace(state, opened=now.steady)
    effects: list[Effect] = []
    state = _deny(state, effects)
    state = _dated(state, now.steady)
    state = _persist(state, event, now, effects)
    state = _dated(_admit(state, now, effects), now.steady)
    state = _show(state, now, effects)
    wake = _wake_at(state, now.steady)
    if wake is not None:
        effects.append(model.WakeAt(wake))
    return state, tuple(effects)


def may_send(state: GateState, ticket: int) -> bool:
    """Whether the ticket is in flight and nothing has closed the gate since it was admitted."""
    flight = state.flight(ticket)
    return flight is not None and flight.closures == state.closures


def forecast(state: GateState, now: Instant, cls: RequestClass, cost: int = 1, *, retry: bool = False) -> Readiness:
    """When a request of the class could leave next, unknown where a key is needed; and what it waits for most, besides
    what the view says of all requests."""
    ask = model.Ask(0, cls, write=False, idempotent=True, cost=cost, retry=retry)
    ready, by = readiness(state, ask, now.steady)
    if ready is None or ask.scheme in state.locked or state.closed:
        return Readiness(None, by)
    closed = state.closure.until if state.closure else ready
    return Readiness(max(ready, spent_until(state, now.steady) or ready, closed), by)


def _take(state: GateState, event: Event, now: float, random: Random) -> GateState:
    match event:
        case model.Ask():
            return replace(state, queue=(*state.queue, model.Waiting(event, now)))
        case model.Withdraw():
            return take_withdrawal(retries.after_withdrawal(state, event), event)
        case model.Answered():
            state = retries.after_answer(state, event, now, random)
            return take_answer(state, event, now, random.uniform(*JITTER))
        case model.NoAnswer():
            state = retries.after_break(state, event, now, random)
            return take_break(state, event, now, random.uniform(*JITTER))
        case model.Persisted():
            return replace(state, persisted=event.ok)
        case _:
            return _take_word(state, event, now)


def _take_word(state: GateState, event: Event, now: float) -> GateState:
    match event:
        case model.Unlock():
            return replace(_person_acted(state, now), locked={})
        case model.PlanChanged(plan=plan):
            return replace(state, plan=plan)
        case model.EndPause():
            return _resumed(_person_acted(state, now), now)
        case model.ReserveForPerson():
            return replace(state, promised=event.requests)
        case model.PersonActs():
            return _person_acted(state, now)
        case model.Close():
            return replace(state, closed=True, closures=state.closures + 1)
        case _:  # a Tick
            return state


def _person_acted(state: GateState, now: float) -> GateState:
    return replace(state, failures=retries.person_acted(state.failures, now))


def _resumed(state: GateState, now: float) -> GateState:
    """A person takes the risk. Windows that had nothing left are unknown from here on; the next answer will tell."""
    closure = state.closure and replace(state.closure, until=min(state.closure.until, now))
    for span in LimitSpan:
        state = state.with_window(span, forget_if_spent(state, span, now))
    return replace(state, closure=closure, spent=None, heard=False)


def _deny(state: GateState, effects: list[Effect]) -> GateState:
    if state.closed:
        effects.extend(model.Deny(waiting.ask.ticket, "closed", waiting.ask.scheme) for waiting in state.queue)
        return replace(state, queue=())
    return deny_locked(state, effects)


def _persist(state: GateState, event: Event, now: Instant, effects: list[Effect]) -> GateState:
    """Before anything leaves: what has become stricter, and on a tick what could not be written before."""
    kept = lasting(state)
    if kept == state.kept and (state.persisted or not isinstance(event, model.Tick)):
        return state
    effects.append(model.Persist(snapshot(state, now)))
    return replace(state, kept=kept)


def _admit(state: GateState, now: Instant, effects: list[Effect]) -> GateState:
    while (leaving := next_to_leave(state, now.steady)) is not None:
        state = depart(state, leaving, now.steady)
        effects.append(model.Admit(leaving.waiting.ask.ticket, probe=state.flights[-1].probe))
    if probe_wanted(state, now.steady):
        effects.append(model.ProbeWanted())
        state = replace(state, probe_asked=now.steady)
    return state


def _dated(state: GateState, now: float) -> GateState:
    """When the present phase began; a pause, what it grows into and its probe are one."""
    phase = phase_at(state, now)
    if phase is state.phase:
        return state
    goes_on = phase in _SAME_PAUSE and state.phase in _SAME_PAUSE
    return replace(state, phase=phase, since=state.since if goes_on else now)


def _show(state: GateState, now: Instant, effects: list[Effect]) -> GateState:
    view = view_of(state, now)
    if not same_view(view, state.shown):
        effects.append(model.Show(view))
        state = replace(state, shown=view)
    quota = quota_of(state, now)
    if not same_quota(quota, state.shown_quota):
        effects.append(model.Show(quota))
        state = replace(state, shown_quota=quota)
    return state


def _wake_at(state: GateState, now: float) -> float | None:
    """The next steady second at which the passing of time alone changes something."""
    closed = state.closure and state.closure.until
    moments = [spent_until(state, now), *(window.opens_at for window in state.windows), closed]
    if not state.persisted:
        moments.append(now + WRITTEN_AGAIN)
    if state.probe_asked is not None:
        moments += [state.probe_asked + OTHER_PROBE, state.probe_asked + PROBE_ASKED_AGAIN]
    if state.queue:
        moments.append(state.failures.until)  # which the probe waits for, whatever the windows and the budget say
    held = changes_held(state, now)
    if held is not None:
        moments.append(held.at)
    moments.extend(
        ready_at(state, ask, now) for ask in {terms_of(other.ask): other.ask for other in state.queue}.values()
    )
    return min((moment for moment in moments if moment is not None and moment > now), default=None)
