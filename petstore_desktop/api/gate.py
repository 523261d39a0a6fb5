"""The gate: which request may leave, and when. Pure: state and event in, state and effects out."""

from __future__ import annotations

from petstore_desktop.api.gate_model import Effect, Event, GateState
from petstore_desktop.clock import Instant, Random
from petstore_desktop.domain.quota import RequestClass


def step(state: GateState, event: Event, now: Instant, random: Random) -> tuple[GateState, tuple[Effect, ...]]:
    """Take one event in; the effects are to be performed in their order."""
    raise NotImplementedError


def may_send(state: GateState, ticket: int) -> bool:
    """Whether the ticket is in flight and nothing has closed the gate since it was admitted."""
    raise NotImplementedError


def forecast(state: GateState, now: Instant, cls: RequestClass, cost: int = 1) -> float | None:
    """Steady second at which a request of the class could leave next."""
    raise NotImplementedError
