"""Mutants that change nothing anybody could see, each with its reason. At most 3 % of all; the run counts them."""

from __future__ import annotations

from typing import NamedTuple


class Same(NamedTuple):
    """A mutant of `module`: the line as it stands, what is changed on it, and why that does not matter."""

    module: str
    text: str
    what: str
    why: str


_POWER = "the number only keeps the power finite; `most` is reached long before"
_DOUBLED = "return min(first * 2.0 ** min(max(times, 1) - 1, 32), most)"
_SENDS = "case [int() | float() as at, int() as count] if abs(now - at - shift) <= 2 * length:"

_NO_NUMBER = "neither text is a number"
_ONE_RESET = 'resets = resets * len(limits) if len(resets) == 1 else resets or [""] * len(limits)'

_MET = "told = WindowCount(0.0, remaining=facts.remaining, resets_at=_resets_at(facts, now), mark=facts.mark)"
_COMPARED = "only compared with what it was before; where it begins does not matter"

_SPENT = "return replace(state, closures=state.closures + 1) if _told_spent(state) else state"
_LOCKED = "return replace(state, locked={**state.locked, scheme: answer}, closures=state.closures + 1)"
_CLOSE = "return replace(state, closure=closure, closures=state.closures + 1, good=0, lost_probes=0, probe_asked=None)"
_CLOSED = "return replace(state, closed=True, closures=state.closures + 1)"
_NEW_CLOSURE = "closures = state.closures + 1"
_CODE = 'code = (answer.code or "").strip().casefold().replace("-", "_").replace(" ", "_")'
_JUST_STARTED = "nothing has left yet one second after the computer started"
_TOKEN_AT = "token_at = failures.owed - (TOKENS - 1) * TOKEN_S if ask.retry else 0.0"
_PERSONS = "return 0.0 if ask.cls is RequestClass.PERSON and not ask.retry else failures.until"
_FORGIVEN = "failures = replace(state.failures, row=0, until=0.0)"
_TYPE = "nothing reads a type at run time"
_CHANGE = 'yield Change(number, "", at, new.ref, new.intent, new.base, ChangeState.QUEUED, at)'
_ANOTHER = "only compared with what it was before; any other number does"
_FORECAST = "ask = model.Ask(0, cls, write=False, idempotent=True, cost=cost, retry=retry)"
_NOT_READ = "a forecast does not read it of the request"

EQUIVALENT: list[Same] = [
    Same("api/gate/back_off", _DOUBLED, "32 -> 33", _POWER),
    Same("api/gate/back_off", _DOUBLED, "32 -> 16.0", _POWER),
    Same("api/gate/machine", _FORECAST, "0 -> 1", _NOT_READ),
    Same("api/gate/machine", _FORECAST, "False -> True", _NOT_READ),
    Same("api/gate/machine", _FORECAST, "True -> False", _NOT_READ),
    Same("api/gate/machine", _CLOSED, "1 -> 2", _ANOTHER),
    Same("api/gate/memory", _NEW_CLOSURE, "1 -> 2", _ANOTHER),
    Same("api/gate/answers", _CODE, "'' -> 'x'", "neither text is a ban"),
    Same("api/gate/answers", _SPENT, "1 -> 2", _ANOTHER),
    Same("api/gate/unauthorized", _LOCKED, "1 -> 2", _ANOTHER),
    Same("api/gate/answers", _CLOSE, "1 -> 2", _ANOTHER),
    Same("api/gate/memory", _SENDS, "2 -> 3", "what is older than two windows is not counted anyway"),
    Same("api/gate/memory", _SENDS, "LtE -> Lt", "what is two windows old to the instant is not counted anyway"),
    Same("api/gate/model", "closures: int = 0", "0 -> 1", _COMPARED),
    Same("api/gate/model", "last: float = 0.0", "0.0 -> 1.0", _JUST_STARTED),
    Same("api/gate/model", "until: float = 0.0", "0.0 -> 1.0", _JUST_STARTED),
    Same("api/gate/model", "owed: float = 0.0", "0.0 -> 1.0", _JUST_STARTED),
    Same("api/gate/request_order", "return False", "return None", "it is only asked whether it is so"),
    Same("api/gate/retries", _TOKEN_AT, "0.0 -> 1.0", _JUST_STARTED),
    Same("api/gate/retries", _PERSONS, "0.0 -> 1.0", _JUST_STARTED),
    Same("api/gate/retries", _FORGIVEN, "0.0 -> 1.0", _JUST_STARTED),
    Same("api/gate/limits/limit_updates", _MET, "0.0 -> 1.0", "of what others met the length is not read"),
    Same("api/gate/registry", "if TYPE_CHECKING:", "not the condition", "what is imported for the types does no harm"),
    Same("api/headers/limit_headers", _ONE_RESET, "'' -> 'x'", _NO_NUMBER),
    Same("api/gate/registry", 'Member = TypeVar("Member")', "'Member' -> 'Memberx'", _TYPE),
    Same("sync/price/price", _CHANGE, "'' -> 'x'", "a price does not ask whose change it is"),
]
