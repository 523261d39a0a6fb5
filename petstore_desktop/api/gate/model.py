"""What goes into the gate and what comes out of it: events, effects, state. Times are steady seconds (see clock.py)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from msgspec import Struct, field

from petstore_desktop.api.headers.limit_headers import AnswerFacts
from petstore_desktop.domain.quota import (
    GatePhase,
    GateSnapshot,
    GateView,
    LimitSpan,
    LongerPause,
    Plan,
    Quota,
    RateWindows,
    RequestClass,
    WindowCount,
)

FULL_RAMP = 3
"""How many good answers after the test request (first one alone, then two) until four may be in flight again."""


MAIN = ""
"""The security scheme of whatever names no other: where a service has one scheme for all, that one."""

DOCUMENT = "document"
"""Stands in for the scheme of a document: what a 401 says of it, it says of nothing else."""


# ---------------------------------------------------------------- events


class Ask(Struct, frozen=True):
    """A request to send `cost` requests under one ticket (2 for a look and the write after it). `retry`: the same came
    to nothing before, because the service or the line failed. `scheme`: the security scheme of its operation; `place`:
    its method, and its URL without the query, "" if it is not known yet."""

    ticket: int
    cls: RequestClass
    write: bool
    idempotent: bool
    cost: int = 1
    retry: bool = False
    scheme: str = MAIN
    place: str = ""


class Withdraw(Struct, frozen=True):
    """Who waited no longer wants to send, or was admitted and did not send."""

    ticket: int


class Answered(Struct, frozen=True):
    """The service answered. `more`: the ticket has further requests to send and stays in flight. `cut`: the line broke
    within the answer's body. `scheme`: the security scheme by which it was asked; `place`: as of Ask. `keyless`: it was
    asked without this gate's key."""

    ticket: int
    answer: AnswerFacts
    more: bool = False
    cut: bool = False
    scheme: str = MAIN
    place: str = ""
    keyless: bool = False


class NoAnswer(Struct, frozen=True):
    """No answer came. `sent`: a byte may have reached the service, so the request may have been counted. `given_up`: we
    ourselves did not wait for the answer."""

    ticket: int
    sent: bool
    given_up: bool = False


class Unlock(Struct, frozen=True):
    """A person entered or checked this gate's key: a locked gate may send once more; all other state stays."""


class PlanChanged(Struct, frozen=True):
    """Another plan is reckoned with where the service does not speak; None: none is known."""

    plan: Plan | None


class EndPause(Struct, frozen=True):
    """A person, warned of the ban, wants the pause to end now."""


class ReserveForPerson(Struct, frozen=True):
    """Reserve this many requests of the minute for a person's next act; the last value counts."""

    requests: int


class PersonActs(Struct, frozen=True):
    """A person acts: what waits because of a failure may be tried now."""


class Tick(Struct, frozen=True):
    """Time has passed."""


class Persisted(Struct, frozen=True):
    """How the last Persist ended."""

    ok: bool


class Close(Struct, frozen=True):
    """Nothing more may leave; answers are still listened to."""


Event: TypeAlias = (
    Ask
    | Withdraw
    | Answered
    | NoAnswer
    | Unlock
    | PlanChanged
    | EndPause
    | ReserveForPerson
    | PersonActs
    | Tick
    | Persisted
    | Close
)


# ---------------------------------------------------------------- effects


class Admit(Struct, frozen=True):
    """This ticket leaves now."""

    ticket: int
    probe: bool


class Deny(Struct, frozen=True):
    """This ticket will not leave: `locked` (another key is needed, for this security scheme) or `closed`."""

    ticket: int
    why: str
    scheme: str = MAIN


class Persist(Struct, frozen=True):
    """To be on disk before anything else leaves; answered by Persisted."""

    snapshot: GateSnapshot


class WakeAt(Struct, frozen=True):
    """Time matters next at this steady second."""

    steady: float


class Show(Struct, frozen=True):
    """The gate as a person may see it has changed, or the windows have."""

    said: GateView | Quota


class ProbeWanted(Struct, frozen=True):
    """A pause is over, only writes wait: a cheap GET must be asked for."""


Effect: TypeAlias = Admit | Deny | Persist | WakeAt | Show | ProbeWanted


# ---------------------------------------------------------------- state


class Waiting(Struct, frozen=True):
    """A request in the queue, since `asked`. `passed`: it starved, could have left, and a younger one left instead."""

    ask: Ask
    asked: float
    passed: bool = False


class Flight(Struct, frozen=True):
    """A request that was admitted at `left` and has not ended. `cost` is what it may still send."""

    ask: Ask
    asked: float
    left: float
    cost: int
    probe: bool
    closures: int
    """How often the gate had closed when it was admitted."""
    met: Mapping[LimitSpan, WindowCount] = field(default_factory=dict[LimitSpan, WindowCount])
    """What others' answers have said of each window since it left."""


def cost_of(flights: Iterable[Flight]) -> int:
    """How many requests these may still send."""
    return sum([flight.cost for flight in flights])


class Closure(Struct, frozen=True):
    """Nothing leaves before `until`, then one probe. `length` is the whole wait, for re-arming after a reboot. `told`:
    the service itself said how long. `blind`: what closed the gate last is a window of this key, used up until
    an unknown time; `own`: and nothing else keeps it closed. `number`: how often the gate had closed with this one;
    what was admitted before is no probe of it."""

    phase: GatePhase
    until: float
    length: float
    status: int | None = None
    reason: str | None = None
    raw: str | None = None
    longer: LongerPause | None = None
    own: bool = False
    told: bool = False
    blind: bool = False
    number: int = 0


class FailureCounts(Struct, frozen=True):
    """What failures have brought; see retries. `row` counts those in a row, `last` is when the last one was met,
    nothing is tried before `until`, and at `owed` no retry has to be paid for any more."""

    row: int = 0
    last: float = 0.0
    until: float = 0.0
    owed: float = 0.0


class Pace(Struct, frozen=True):
    """What refusals have taught where no limit is told; see pace. `sends`: when each of the last requests left;
    until the steady second `until` no more than `most` leave in any `span` seconds."""

    sends: tuple[float, ...] = ()
    most: int = 0
    span: float = 0.0
    until: float = 0.0


class GateState(RateWindows, frozen=True):
    """Everything the gate knows. Make one with `memory.restore`."""

    spent: float | None = None
    """The last end that was told of a window with nothing left, whichever it was, and whatever other answers say."""
    queue: tuple[Waiting, ...] = ()
    flights: tuple[Flight, ...] = ()
    closure: Closure | None = None
    opened: float | None = None
    """When the last pause ended, or this process found none: what other keys met before that is over. Not kept."""
    failures: FailureCounts = FailureCounts()
    pace: Pace = Pace()
    locked: Mapping[str, AnswerFacts] = field(default_factory=dict[str, AnswerFacts])
    """The security schemes that a 401 has locked, and that answer."""
    closed: bool = False
    strikes: int = 0
    bans: int = 0
    lost_probes: int = 0
    good: int = 0
    limited: bool = False
    """A 429 came, and no good answer since: a 403 now is a ban, unless that URL answers so at all times."""
    forbidden: tuple[str, ...] = ()
    """The places that answered 403 last, when nothing was limited: this key may not ask them."""
    barred: tuple[str, ...] = ()
    """Those that did so since the limit: whether that is a ban, another place shows."""
    heard: bool = False
    """The service has spoken of its windows to this process."""
    ramp: int = FULL_RAMP
    closures: int = 0
    sent: int = 0
    aged_last: bool = False
    """Whether the last that left went before its class because it starved."""
    probe_asked: float | None = None
    skew: float | None = None
    phase: GatePhase = GatePhase.OPEN
    since: float | None = None
    persisted: bool = True
    kept: tuple[object, ...] = ()
    """What the last snapshot held of the things that must outlive the process."""
    shown: GateView = field(default_factory=GateView)
    shown_quota: Quota = field(default_factory=Quota)

    def on_the_way(self) -> int:
        """Requests that have left, and that the service may have counted or not."""
        return cost_of(self.flights)

    def flight(self, ticket: int) -> Flight | None:
        """The request on its way that has this ticket."""
        return next((flight for flight in self.flights if flight.ask.ticket == ticket), None)
