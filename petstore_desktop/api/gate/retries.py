"""Retries after a failure: how long nothing is tried, and how often. Pure. (How long a refusal pauses: `back_off`.)

A failure is a 5xx that does not say when to come back, an answer that was cut off, or none at all. After one nothing
leaves for a while but what a person asks for the first time; the while is any number of seconds up to a bound that
doubles with each failure in a row. What is asked again after a failure (`Ask.retry`) needs a token besides, for a
service in trouble is not helped by having to answer everything twice: ten tokens at most are there, ten ordinary
requests bring one, a minute brings one, and a retry that is answered brings its own back. So a desk whose every request
fails goes on, once a minute, and one that works adds a tenth at most to what it sends.

The tokens are kept as a debt of time: `FailureCounts.owed` is the steady second at which all would be back.
"""

from __future__ import annotations

from msgspec.structs import replace

from petstore_desktop.api.gate.answers import FIRST_SERVER_ERROR, is_pause
from petstore_desktop.api.gate.back_off import after_failures
from petstore_desktop.api.gate.model import Answered, Ask, FailureCounts, Flight, GateState, NoAnswer, Withdraw
from petstore_desktop.clock import Random
from petstore_desktop.domain.quota import RequestClass

TOKENS = 10
TOKEN_S = 60.0
"""Seconds that bring a token."""

SENDS_FOR_A_TOKEN = 10


def after_answer(state: GateState, event: Answered, now: float, random: Random) -> GateState:
    """An answer came: one more failure, or the end of their row. `more`: the ticket has another request to send."""
    flight = state.flight(event.ticket)
    if flight is None:
        return state
    if is_failure(event):
        return _failed(state, flight, now, random)
    failures = replace(state.failures, row=0, until=0.0)
    failures = _credited(failures) if flight.ask.retry and not event.more else failures
    return replace(state, failures=failures)


def after_break(state: GateState, event: NoAnswer, now: float, random: Random) -> GateState:
    """No answer came. A request cancelled here says nothing about the service."""
    flight = state.flight(event.ticket)
    return state if flight is None or event.given_up else _failed(state, flight, now, random)


def after_withdrawal(state: GateState, event: Withdraw) -> GateState:
    """Return the cost of an admitted request that was not sent."""
    flight = state.flight(event.ticket)
    return state if flight is None or not flight.ask.retry else replace(state, failures=_credited(state.failures))


def is_failure(event: Answered) -> bool:
    """Whether the service, or the line, failed: what says when to come back is none, for that is waited for."""
    return not is_pause(event.answer) and (event.cut or event.answer.status >= FIRST_SERVER_ERROR)


def person_acted(failures: FailureCounts, now: float) -> FailureCounts:
    """A person acts: what waits may be tried at once, one retry of it even if there is no token."""
    return replace(failures, until=0.0, owed=min(failures.owed, now + (TOKENS - 1) * TOKEN_S))


def charged(failures: FailureCounts, ask: Ask, now: float) -> FailureCounts:
    """The request leaves: it costs a token, or brings a part of one."""
    if not ask.retry:
        return replace(failures, owed=failures.owed - ask.cost * TOKEN_S / SENDS_FOR_A_TOKEN)
    return replace(failures, owed=min(max(failures.owed, now) + TOKEN_S, now + TOKENS * TOKEN_S))


def backs_off_until(failures: FailureCounts, ask: Ask) -> float:
    """Steady second before which the request is not tried."""
    return 0.0 if ask.cls is RequestClass.PERSON and not ask.retry else failures.until


def free_at(failures: FailureCounts, ask: Ask) -> float:
    """Steady second from which on neither the last failure nor the budget holds the request."""
    token_at = failures.owed - (TOKENS - 1) * TOKEN_S if ask.retry else 0.0
    return max(backs_off_until(failures, ask), token_at)


def _failed(state: GateState, flight: Flight, now: float, random: Random) -> GateState:
    """Of several on their way that fail together only the first counts."""
    failures = state.failures
    if flight.left < failures.last:
        return state
    wait = random.uniform(*after_failures(failures.row + 1))
    return replace(state, failures=FailureCounts(failures.row + 1, now, max(failures.until, now + wait), failures.owed))


def _credited(failures: FailureCounts) -> FailureCounts:
    return replace(failures, owed=failures.owed - TOKEN_S)
