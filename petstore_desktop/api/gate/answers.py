"""What an answer, or its absence, does to the gate."""

from __future__ import annotations

import re

from msgspec.structs import replace

from petstore_desktop.api.gate import back_off
from petstore_desktop.api.gate.back_off import GOOD_ANSWERS, Wait
from petstore_desktop.api.gate.limits import pace as gate_pace
from petstore_desktop.api.gate.limits.limit_updates import met_unspoken, take_statements
from petstore_desktop.api.gate.limits.windows import take_back_send
from petstore_desktop.api.gate.model import (
    FULL_RAMP,
    Answered,
    Closure,
    Flight,
    GateState,
    NoAnswer,
    Withdraw,
)
from petstore_desktop.api.gate.unauthorized import UNAUTHORIZED, lock_key
from petstore_desktop.api.headers.limit_headers import AnswerFacts
from petstore_desktop.domain.quota import ROUNDING, TOO_MANY_REQUESTS, GatePhase, LimitSpan, LongerPause, count_unspoken

FORBIDDEN = 403
NOT_NOW = (420, 425, 503)
"""Of those that ask to come back later, the ones by which nothing was done: a limit (of old), too early, too busy."""
FIRST_ERROR, FIRST_SERVER_ERROR = 400, 500
MOST_PLACES = 64
BAN_CODES = ("key_banned", "api_key_banned", "banned")
_BANNED = re.compile(
    r"\b(?:key|account|client|token|application|you)\b(?: (?:is|are|was|were|has|have|been|temporarily|currently))*"
    r" (?:banned|suspended)\b",
    re.IGNORECASE,
)
"""A sentence about whoever asks; others are about the record."""


def take_answer(state: GateState, event: Answered, now: float, jitter: float) -> GateState:
    """An answer came: the windows, then the pause, ban or lock it brings, or one more good answer."""
    answer = event.answer
    state, flight = _landed(state, event.ticket, more=event.more)
    mine = _of_the_key(event)
    state = _take_windows(state, answer, flight, now, mine=mine)
    if answer.status == UNAUTHORIZED:
        return lock_key(state, answer, event.scheme)
    banned, state = is_ban(state, answer, event.place), _placed(state, answer, event.place)
    if banned:
        return _banned(state, answer, flight, now, jitter)
    if is_pause(answer):
        return _limited(state, answer, flight, now, jitter)
    failed = answer.status >= FIRST_SERVER_ERROR
    state = _probe_lost(state, flight, now, jitter) if failed else _good(state, answer, flight)
    return _blind_spent(state, answer, now, jitter) if mine else state


def _of_the_key(event: Answered) -> bool:
    """Whether the windows that the answer tells are those of this gate's key."""
    return not event.keyless


def take_break(state: GateState, event: NoAnswer, now: float, jitter: float) -> GateState:
    """No answer came. What may have reached the service may have been counted there."""
    state, flight = _landed(state, event.ticket, more=False)
    if flight is None:
        return state
    state = _uncounted(state, flight.cost, now) if event.sent else _unsent(state, flight)
    return _probe_lost(state, flight, now, jitter)


def take_withdrawal(state: GateState, event: Withdraw) -> GateState:
    """Nothing was sent, and nothing was learnt: a probe that was withdrawn is no lost one."""
    state, flight = _landed(state, event.ticket, more=False)
    state = replace(state, queue=tuple(waiting for waiting in state.queue if waiting.ask.ticket != event.ticket))
    return state if flight is None else _unsent(state, flight)


def is_ban(state: GateState, answer: AnswerFacts, place: str = "") -> bool:
    """403 with the code of a ban, or with a time to come back, or after a 429 at a place that did not answer so before
    it; any other 403 is about one operation."""
    news = state.limited and place not in state.forbidden
    return answer.status == FORBIDDEN and (news or _is_called_a_ban(answer))


def _is_called_a_ban(answer: AnswerFacts) -> bool:
    return _names_a_ban(answer.code, answer.message) or answer.retry_after is not None


def _names_a_ban(code: str | None, message: str | None) -> bool:
    """Whether a refusal says, by its code or in words, that the key is banned."""
    names = ((said or "").strip().casefold().replace("-", "_").replace(" ", "_") for said in (code, message))
    return any(name in BAN_CODES for name in names) or _BANNED.search(message or "") is not None


def may_wait_in_body(status: int, code: str | None, message: str | None = None) -> bool:
    """Whether an answer may say in its body, too, when to come back: a limit, or what is called a ban. Elsewhere that
    makes no ban or pause of an error."""
    limits = status == TOO_MANY_REQUESTS or status in NOT_NOW
    return limits or (status == FORBIDDEN and _names_a_ban(code, message))


def _placed(state: GateState, answer: AnswerFacts, place: str) -> GateState:
    """Remember which places this key may not ask, as long as they say so. What is called a ban says nothing of one."""
    if answer.status == FORBIDDEN:
        if _is_called_a_ban(answer) or not place or place in state.forbidden:
            return state
        barred = tuple(one for one in state.barred if one != place)
        if state.limited:
            return replace(state, barred=(*barred, place)[-MOST_PLACES:])
        return replace(state, barred=barred, forbidden=(*state.forbidden, place)[-MOST_PLACES:])
    if place not in (*state.forbidden, *state.barred) or is_pause(answer) or answer.status >= FIRST_SERVER_ERROR:
        return state
    forbidden, barred = (tuple(one for one in places if one != place) for places in (state.forbidden, state.barred))
    return replace(state, forbidden=forbidden, barred=barred)


def is_limit(answer: AnswerFacts) -> bool:
    """429, and 503 and its like that say when to come back."""
    return answer.status == TOO_MANY_REQUESTS or (answer.status in NOT_NOW and answer.retry_after is not None)


def is_pause(answer: AnswerFacts) -> bool:
    """A limit, and any other failure that says when to come back: nothing may be asked before that (RFC 9110,
    10.2.3)."""
    return answer.status == TOO_MANY_REQUESTS or (answer.status >= FIRST_ERROR and answer.retry_after is not None)


def _landed(state: GateState, ticket: int, *, more: bool) -> tuple[GateState, Flight | None]:
    flight = state.flight(ticket)
    if flight is None:
        return state, None
    if more and flight.cost > 1:
        rest = replace(flight, cost=flight.cost - 1, met={})
        return replace(state, flights=tuple(rest if other is flight else other for other in state.flights)), flight
    return replace(state, flights=tuple(other for other in state.flights if other is not flight)), flight


def _take_windows(state: GateState, answer: AnswerFacts, flight: Flight | None, now: float, *, mine: bool) -> GateState:
    told = mine and any(facts.limit is not None or facts.remaining is not None for facts in answer.limits.windows)
    if answer.limits.skew is not None:
        state = replace(state, skew=answer.limits.skew)
    if not told:
        return _uncounted(state, 1, now)
    known = state.windows
    state = _shut(take_statements(state, answer, flight, now), answer, now)
    # A window that this answer does not mention has one request less all the same.
    untold = {id(window) for window in known}
    spans = [span for span in LimitSpan if id(state.window(span)) in untold]
    state = state.with_windows(lambda window: count_unspoken(window, 1, now) if id(window) in untold else window)
    return _called_back(met_unspoken(state, spans, 1))


def _shut(state: GateState, answer: AnswerFacts, now: float) -> GateState:
    """Nothing leaves before the last told end of anything with nothing left; whatever window that is, and whatever
    other answers say."""
    waits = [wait for wait in (spent_reset_in(answer), answer.retry_after) if wait is not None]
    if not waits or not any(facts.remaining == 0 for facts in answer.limits.windows):
        return state
    until = now + back_off.pause_length(Wait.SPENT, reset_in=max(waits), jitter=ROUNDING)
    return replace(state, spent=until if state.spent is None else max(state.spent, until))


def _uncounted(state: GateState, cost: int, now: float) -> GateState:
    state = state.with_windows(lambda window: count_unspoken(window, cost, now))
    return _called_back(met_unspoken(state, LimitSpan, cost))


def _called_back(state: GateState) -> GateState:
    """Withdraw admitted requests that have not been sent when a window has nothing left."""
    return replace(state, closures=state.closures + 1) if _told_spent(state) else state


def _unsent(state: GateState, flight: Flight) -> GateState:
    minute, day = (take_back_send(window, flight.cost, flight.left) for window in (state.minute, state.day))
    return replace(state, minute=minute, day=day, pace=gate_pace.taken_back(state.pace, flight.cost))


def _told_spent(state: GateState) -> bool:
    return state.spent is not None or any(window.spoken and window.remaining == 0 for window in state.windows)


def _good(state: GateState, answer: AnswerFacts, flight: Flight | None) -> GateState:
    """An answer without a limit; one that left before the pause says nothing about what comes after it."""
    if left_before_the_pause(state, flight):
        return state
    limited = state.limited and answer.status == FORBIDDEN  # as at all times: whether there is a ban is still open
    probe = flight is not None and flight.probe
    good = state.good + 1
    right = probe and state.closure is not None and state.closure.told  # the told wait was long enough
    forgiven = right or good >= GOOD_ANSWERS
    return replace(
        state,
        closure=None,
        ramp=0 if probe else min(state.ramp + 1, FULL_RAMP),
        good=good,
        strikes=0 if forgiven else state.strikes,
        bans=0 if good >= GOOD_ANSWERS else state.bans,
        limited=limited,
        forbidden=state.forbidden if limited else (*state.forbidden, *state.barred)[-MOST_PLACES:],
        barred=state.barred if limited else (),
        probe_asked=None,
    )


def left_before_the_pause(state: GateState, flight: Flight | None) -> bool:
    """Whether a pause is in force, and this is not its probe."""
    closure = state.closure
    return closure is not None and (flight is None or not flight.probe or flight.closures < closure.number)


def _banned(state: GateState, answer: AnswerFacts, flight: Flight | None, now: float, jitter: float) -> GateState:
    again = _is_news(state, flight) or (state.closure is not None and state.closure.phase is not GatePhase.BANNED)
    bans = state.bans + 1 if again else state.bans
    length = back_off.pause_length(
        Wait.BANNED, retry_after=answer.retry_after, reset_in=spent_reset_in(answer), strikes=bans, jitter=jitter
    )
    state = replace(state, bans=bans, limited=True)
    return _close(state, GatePhase.BANNED, length, answer, now)


def _limited(state: GateState, answer: AnswerFacts, flight: Flight | None, now: float, jitter: float) -> GateState:
    strikes = state.strikes + 1 if _is_news(state, flight) else state.strikes
    length = back_off.pause_length(
        Wait.LIMITED, retry_after=answer.retry_after, reset_in=_reset_in(answer), strikes=strikes, jitter=jitter
    )
    out = sum(other.cost for other in state.flights) + 1
    pace = gate_pace.learned(state, out, answer.retry_after, now) if _is_news(state, flight) else state.pace
    told = _is_told(answer) and (state.closure is None or state.closure.told or now >= state.closure.until)
    state = replace(state, strikes=strikes, limited=state.limited or answer.status == TOO_MANY_REQUESTS, pace=pace)
    state = _close(state, GatePhase.PAUSED, length, answer, now, _longer(answer, strikes))
    return replace(state, closure=state.closure and replace(state.closure, told=told))


def _is_told(answer: AnswerFacts) -> bool:
    return answer.retry_after is not None or _reset_in(answer) is not None


def _longer(answer: AnswerFacts, strikes: int) -> LongerPause | None:
    """Why a pause is longer than this refusal asks."""
    told = [seconds for seconds in (answer.retry_after, _reset_in(answer)) if seconds is not None]
    if not told:
        return LongerPause.UNTOLD
    ours = back_off.own_back_off(Wait.LIMITED, told=True, strikes=strikes)
    return LongerPause.AGAIN if strikes > 1 and ours > max(told) else None


def _is_news(state: GateState, flight: Flight | None) -> bool:
    """Of several requests on their way that are refused at once, only the first is another strike; a probe always is,
    also of a pause before the one in force."""
    return state.closure is None or (flight is not None and flight.probe)


def _reset_in(answer: AnswerFacts) -> float | None:
    """The reset as a wait: the last of the windows with nothing left; else the next, if nothing better is told."""
    spent = spent_reset_in(answer)
    if spent is not None or answer.retry_after is not None:
        return spent
    return min((facts.opens_in for facts in answer.limits.windows if facts.opens_in is not None), default=None)


def spent_reset_in(answer: AnswerFacts) -> float | None:
    """Seconds to the last reset of the windows with nothing left; None where no such window names one."""
    told = [facts for facts in answer.limits.windows if facts.remaining == 0]
    return max((facts.opens_in for facts in told if facts.opens_in is not None), default=None)


def _close(
    state: GateState,
    phase: GatePhase,
    length: float,
    answer: AnswerFacts,
    now: float,
    longer: LongerPause | None = None,
) -> GateState:
    """Nothing leaves for `length` seconds. A wait in force is never shortened, and a ban stays a ban."""
    old = state.closure
    if old is not None and old.until > now and old.phase is GatePhase.BANNED:
        phase = old.phase
    if old is not None and old.until - now > length:
        longer = old.longer
    length = never_shorter(length, old, now)
    number = state.closures + 1
    closure = Closure(phase, now + length, length, answer.status, answer.message, answer.raw, longer, number=number)
    return replace(state, closure=closure, closures=number, good=0, lost_probes=0, probe_asked=None)


def never_shorter(length: float, old: Closure | None, now: float) -> float:
    """A new wait that ends no earlier than the one in force."""
    return length if old is None else max(length, old.until - now)


def _probe_lost(state: GateState, flight: Flight | None, now: float, jitter: float) -> GateState:
    """A probe that brought no verdict (5xx, a broken connection) is tried again after a while."""
    closure = state.closure
    if closure is None or left_before_the_pause(state, flight):
        return state
    lost = state.lost_probes + 1
    length = back_off.pause_length(Wait.LOST_PROBE, strikes=lost, jitter=jitter)
    if closure.until < now + length:
        closure = replace(closure, until=now + length, length=length)
    return replace(state, closure=closure, lost_probes=lost, probe_asked=None)


def _blind_spent(state: GateState, answer: AnswerFacts, now: float, jitter: float) -> GateState:
    """Pause where nothing is left and the service does not say until when: for our own length, with a probe at its
    end."""
    if not any(facts.remaining == 0 and facts.reset_in is None for facts in answer.limits.windows):
        return state
    length = back_off.pause_length(Wait.LIMITED, jitter=jitter)
    own = state.closure is None or state.closure.own
    state = _close(state, GatePhase.PAUSED, length, answer, now)
    return replace(state, closure=state.closure and replace(state.closure, own=own, blind=True))
