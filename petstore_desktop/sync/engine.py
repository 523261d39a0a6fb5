"""What to do next with what people did, and what an answer means for it. Pure: no input, no output, no time of its
own.

`next_step` looks at the outbox and at what is known of the records, and says: look at a record, send a request, or
settle changes without one. `outcome` turns the answer to a request into the fate of its changes. The rules are those
of `2-architecture`, "The journal and the mirror".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from petstore_desktop.contract.model import Contract, Operation, Verb
from petstore_desktop.domain.changes import (
    AddStock,
    Change,
    ChangeState,
    Create,
    Delete,
    Fields,
    FieldValue,
    Intent,
    Reason,
    SetFields,
    SetStock,
)
from petstore_desktop.domain.errors import (
    AnswerUnusable,
    Conflicted,
    Forbidden,
    Interrupted,
    KeyRejected,
    NotFound,
    NotOffered,
    RateLimited,
    ServiceError,
    ServiceFailed,
    ShopError,
    Unreachable,
)
from petstore_desktop.domain.records import INT64_MAX, INT64_MIN, LocalId, Ref, Resource, Row
from petstore_desktop.sync.coalesce import Nothing, Run, coalesce
from petstore_desktop.sync.outbox import Outbox

LOOK_SERVES_S = 5.0
"""A look serves the writes that leave within this time of it, where no ETag guards them."""
COUNT_BASE_S = 60.0
"""A count (`=40`) may rest on what was seen at most this long ago."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known when a step is chosen. `age` gives the seconds since the service last spoke of a record (inf if
    never); `local_ids` the ids of records created here; `held` the records to leave alone for now (back-off after a
    failure)."""

    row: Callable[[Ref], Row | None]
    age: Callable[[Ref], float]
    contract: Contract
    local_ids: Mapping[LocalId, int]
    held: Callable[[Ref], bool] = lambda _: False


@dataclass(frozen=True, slots=True)
class Look:
    """Read this record first. `settles`: uncertain changes that the look is to settle."""

    ref: Ref
    settles: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class Send:
    """One request for these changes. `ref` has the service's id where there is one; `fields` are ready but for wire
    names: a stock write has `quantity` as an absolute value. `base` is what the request was computed from."""

    changes: tuple[Change, ...]
    ref: Ref
    verb: Verb
    fields: Fields = field(default_factory=dict[str, FieldValue])
    base: Fields = field(default_factory=dict[str, FieldValue])
    etag: str | None = None

    @property
    def ids(self) -> tuple[int, ...]:
        """The changes' ids."""
        return tuple(change.id for change in self.changes)


@dataclass(frozen=True, slots=True)
class Settle:
    """These changes come to this state without a request."""

    changes: tuple[Change, ...]
    state: ChangeState
    reason: Reason | None = None

    @property
    def ids(self) -> tuple[int, ...]:
        """The changes' ids."""
        return tuple(change.id for change in self.changes)


Step: TypeAlias = Look | Send | Settle


def next_step(outbox: Outbox, facts: Facts) -> Step | None:
    """The next thing to do, or None where everything that is left waits for a person, an answer, or another
    record."""
    for changes in outbox.heads():
        if facts.held(changes[0].ref):
            continue
        step = _step_of_record(changes, facts)
        if step is not None:
            return step
    return None


def _step_of_record(changes: tuple[Change, ...], facts: Facts) -> Step | None:
    head = changes[0]
    if head.state is ChangeState.UNCERTAIN and not isinstance(head.intent, Create):
        same = tuple(c for c in changes if c.state is ChangeState.UNCERTAIN)
        return Look(real_ref(head.ref, facts.local_ids), settles=same)
    waiting: list[Change] = []
    for change in changes:
        if change.state is not ChangeState.QUEUED:
            break
        waiting.append(change)
    if not waiting:
        return None
    run = coalesce(waiting)
    if isinstance(run.intent, Nothing):
        return Settle(run.changes, ChangeState.DISCARDED)
    return _step_of_run(run, run.intent, facts)


def _step_of_run(run: Run, intent: Intent, facts: Facts) -> Step | None:
    ref = real_ref(run.changes[0].ref, facts.local_ids)
    if isinstance(ref.key, LocalId) and not isinstance(intent, Create):
        return None
    operation = facts.contract.find(ref.resource, _verb(intent))
    if operation is None:
        reason = Reason("not-offered", "")
        return Settle(run.changes, ChangeState.REFUSED, reason)
    if isinstance(intent, AddStock | SetStock):
        return _stock_step(run, intent, ref, operation, facts)
    if isinstance(intent, Delete):
        row = facts.row(ref)
        return Send(run.changes, ref, Verb.DELETE, base=run.base, etag=_etag(row, operation))
    resolved = _resolve(intent.fields, facts.local_ids)
    if resolved is None:
        return None
    if isinstance(intent, Create):
        return Send(run.changes, ref, Verb.CREATE, resolved)
    row = facts.row(ref)
    if row is None and operation.replaces:
        return Look(ref)
    return Send(run.changes, ref, Verb.CHANGE, resolved, base=run.base, etag=_etag(row, operation))


def _stock_step(run: Run, intent: AddStock | SetStock, ref: Ref, operation: Operation, facts: Facts) -> Step:
    """A stock write rests on a known quantity: guarded by an ETag, or by a look that is fresh enough."""
    row = facts.row(ref)
    etag = _etag(row, operation)
    if isinstance(intent, SetStock) and (etag is not None or not operation.conditional):
        limit = COUNT_BASE_S
    else:
        # An ETag guards the write for as long as it takes; where one was promised and none given, a look serves.
        limit = LOOK_SERVES_S if etag is None else math.inf
    if row is None or facts.age(ref) > limit:
        return Look(ref)
    now = quantity_of(row)
    seen = run.base.get("quantity")
    if isinstance(intent, SetStock):
        if isinstance(seen, int) and now is not None and seen != now:
            return Settle(run.changes, ChangeState.CONFLICT, Reason("moved", "", theirs={"quantity": now}))
        value = intent.quantity
    else:
        value = (now or 0) + intent.delta
    if not INT64_MIN <= value <= INT64_MAX:
        return Settle(run.changes, ChangeState.REFUSED, Reason("quantity-range", ""))
    return Send(run.changes, ref, Verb.CHANGE, {"quantity": value}, base={"quantity": now}, etag=etag)


def quantity_of(row: Row) -> int | None:
    """The quantity of a stock row."""
    value = getattr(row.record, "quantity", None)
    return value if isinstance(value, int) else None


def real_ref(ref: Ref, local_ids: Mapping[LocalId, int]) -> Ref:
    """The ref with the service's id, where the record was created here and has one by now."""
    if isinstance(ref.key, LocalId) and ref.key in local_ids:
        return replace(ref, key=local_ids[ref.key])
    return ref


def _verb(intent: Intent) -> Verb:
    match intent:
        case Create():
            return Verb.CREATE
        case Delete():
            return Verb.DELETE
        case _:
            return Verb.CHANGE


def _etag(row: Row | None, operation: Operation) -> str | None:
    return row.etag if row is not None and operation.conditional else None


def _resolve(fields: Fields, local_ids: Mapping[LocalId, int]) -> Fields | None:
    """Fields with the service's ids; None while one of them names a record that is not created yet."""
    out: dict[str, FieldValue] = {}
    for name, value in fields.items():
        if isinstance(value, LocalId):
            if value not in local_ids:
                return None
            out[name] = local_ids[value]
        else:
            out[name] = value
    return out


def reason_of(error: ShopError) -> Reason:
    """An error as the journal keeps it."""
    if isinstance(error, ServiceError):
        return Reason(error.code, error.message, error.status, error.raw)
    return Reason(error.code, str(error.params.get("detail", "")), None, str(error.params.get("raw", "")) or None)


def outcome(send: Send, error: ShopError) -> tuple[ChangeState, Reason | None]:
    """What becomes of the changes of a request that failed with `error`."""
    reason = reason_of(error)
    match error:
        case Unreachable() | RateLimited() | KeyRejected():
            return ChangeState.QUEUED, reason
        case Conflicted(status=412):
            return ChangeState.QUEUED, reason
        case NotFound() if send.verb is Verb.DELETE:
            return ChangeState.DONE, reason
        case ServiceFailed(status=status) if send.verb is Verb.CREATE:
            unsure = status in (502, 503, 504)
            return (ChangeState.UNCERTAIN if unsure else ChangeState.REFUSED), reason
        case ServiceFailed() | Interrupted() | AnswerUnusable():
            return ChangeState.UNCERTAIN, reason
        case Forbidden() | NotOffered() | ServiceError():
            return ChangeState.REFUSED, reason
        case _:
            return ChangeState.UNCERTAIN, reason


def settle(intent: Intent, sent: Fields, base: Fields, row: Row | None) -> tuple[ChangeState, Reason | None]:
    """The fate of an uncertain attempt after a look at its record (`row` None: it is gone): what was sent is there
    -> done; nothing moved -> send again; anything else -> a person decides."""
    if isinstance(intent, Delete):
        return (ChangeState.DONE if row is None else ChangeState.QUEUED), None
    if row is None:
        return ChangeState.REFUSED, Reason("gone", "")
    now: dict[str, FieldValue] = {name: getattr(row.record, name, None) for name in sent}
    if all(now[name] == value for name, value in sent.items()):
        return ChangeState.DONE, None
    if all(name in base and now[name] == base[name] for name in sent):
        return ChangeState.QUEUED, None
    return ChangeState.CONFLICT, Reason("moved", "", theirs=now)


def supersedes(new: Intent, old: Change, resource: Resource) -> bool:
    """Whether a person's new act on the same record takes the place of a refused or conflicting one."""
    if old.state not in (ChangeState.REFUSED, ChangeState.CONFLICT):
        return False
    match new, old.intent:
        case ((AddStock() | SetStock()), (AddStock() | SetStock())):
            return resource is Resource.INVENTORY
        case SetFields(fields=fields), SetFields(fields=before):
            return set(before) <= set(fields)
        case Delete(), Delete() | SetFields():
            return True
        case _:
            return False
