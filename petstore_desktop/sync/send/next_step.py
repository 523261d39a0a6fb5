"""What to do next with what people did. Pure: no input, no output, no time of its own.

`next_step` looks at the outbox and at what is known of the records, and says: look at a record, send a request, or
settle changes without one. The order of changes is in outbox.py, what a conflict is in conflicts.py, what an answer
means in outcomes.py, when it leaves in `api/gate/request_order`. Rules: packaging/ARCHITECTURE.md.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from petstore_desktop.contract.model import Contract, Operation
from petstore_desktop.contract.operations import Op, Verb
from petstore_desktop.domain.changes import (
    AS_SENT,
    FOUND_ALIKE,
    ID_KNOWN,
    OPERATION_STOPPED,
    UNKNOWN_FIELD,
    UNPROVEN,
    AddStock,
    Change,
    ChangeState,
    Create,
    Delete,
    Fields,
    Intent,
    Reason,
    SetFields,
    SetStock,
    fields_of,
    is_refused_booking,
    unknown_fields,
)
from petstore_desktop.domain.deletions import EXTRA, came_since, extra_text, moved_extra
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.records import FIELDS, FieldValue, LocalId, Ref, Resource, Row, ServiceId, is_int64
from petstore_desktop.sync.send.answer_verdict import OwnWrite, ours
from petstore_desktop.sync.send.coalesce import Nothing, Run, coalesce, is_meant, verb_of, with_ids
from petstore_desktop.sync.send.conflicts import moved, moved_stock, quantity_of
from petstore_desktop.sync.send.created_record import ChosenId
from petstore_desktop.sync.send.lost_answer import PRECONDITION_FAILED, LostAnswer, settle
from petstore_desktop.sync.send.outbox import Outbox
from petstore_desktop.sync.send.outcomes import unexpected
from petstore_desktop.sync.shared.dependents import dependents_of

TOO_MANY_REQUESTS = 429
LOOK_SERVES_S = 5.0
"""Where no ETag guards a write, the look that it rests on was asked for at most so long ago: the one that left with it
under one ticket, or, where records are read by their list, one reading of that for all. Where the gate's pace lets no
write leave so soon after such a reading, it serves for so much longer (`StepFacts.slowed`)."""
SLOW_LOOK_SERVES_S = 60.0
"""The longest that it serves then; and how long it serves what a person sends on, told that no look comes sooner."""
LOOKS_IN_A_ROW = 3
"""After more looks that no write follows a record is left alone for a while; one that came too late so often, or to
nothing, is for a person."""
NEXT = 10
"""How many of the next that leave are looked at for one of the same kind."""


class Pin(Struct, frozen=True):
    """The attempt of a stock write whose outcome was unknown: until a person decides, nothing but its very value is
    sent, for otherwise a booking could be done twice. `changes`: those that are in the value, by id."""

    attempt: int
    sent: LostAnswer
    changes: frozenset[int]


def no_id(_change: Change, _taken: bool) -> ChosenId | None:
    """The service chooses the id."""
    return None


class StepFacts(Struct, frozen=True):
    """The facts on which a step is chosen.

    `age`: the seconds since the service was asked for what it last said of a record (inf if it never was); `echoed`:
    that was its answer to a write of ours, so that nobody has looked at the record since; `whole`: it showed all that
    there is to show of the record; `doubted`: the service refused what we took for its version of the record; `held`:
    leave the record alone for now (back-off after a failure); `kept`: the change must not leave now, and what comes
    after it on its record neither; `pins`: by change; `local_ids`: the ids of records created here; `unfound`:
    creations that a list could not tell about; `unguarded`: changes that a person has sent on, told that no look comes
    in time for them; `absent`: the seconds since the service was asked for a record and showed that there is none;
    `dependents`: what goes with a record when it is deleted, and `dependent_age`: the seconds since a part of it was
    asked for, -inf where nothing can tell; `stopped`: the operations that the service answered with something else than
    was meant; `own_writes`: those of a record that are done and whose values the service did not show as they were
    sent; `soon`: whether what was last said of a record was asked for and said right after an attempt; `versioned`:
    whether what the service last said of a record came with its ETag; `look_held`: as `held`, of looking for what
    became of an attempt; `new_id`: which id a creation is to get (see `Creations.new_id`), and `unused`: the seconds
    since that was asked for and was not there; `paired`: whether a record was looked at under the very ticket that
    serves the write; `listed`: whether it is read by its list; `written`, `read`: fields with what names other records
    in the service's own form (see `references`); `deletes`: the lists of which a deletion was seen to be one, in this
    run; `after_deletion`: in how many requests that is seen; `proof_cost`: in how many it
    is looked whether a write of these fields does what is meant; `upon_look`: what the last write of a record sets,
    where it left right after a look at the record; `limited`: what the attempts of a change were to set that were
    answered 429, since a person last said "again"; `slowed`: the seconds that the gate's pace puts between a look and
    the write that follows at the next turn.
    """

    row: Callable[[Ref], Row | None]
    age: Callable[[Ref], float]
    contract: Contract
    local_ids: Mapping[LocalId, ServiceId]
    held: Callable[[Ref], bool] = lambda _: False
    doubted: Callable[[Ref], bool] = lambda _: False
    kept: Callable[[Change], bool] = lambda _: False
    pins: Mapping[int, Pin] = field(default_factory=dict[int, Pin])
    unfound: frozenset[int] = frozenset()
    echoed: Callable[[Ref], bool] = lambda _: False
    whole: Callable[[Ref], bool] = lambda _: True
    unguarded: Collection[int] = frozenset()
    absent: Callable[[Ref], float] = lambda _: math.inf
    dependents: Callable[[Ref], Fields] = lambda _: {}
    dependent_age: Callable[[Ref], float] = lambda _: 0.0
    stopped: Collection[Op] = frozenset()
    own_writes: Callable[[Ref], Sequence[OwnWrite]] = lambda _: ()
    soon: Callable[[LostAnswer, Ref], bool] = lambda _, __: True
    versioned: Callable[[Ref], bool] = lambda _: True
    look_held: Callable[[Ref], bool] = lambda _: False
    new_id: Callable[[Change, bool], ChosenId | None] = no_id
    unused: Callable[[Ref], float] = lambda _: math.inf
    paired: Callable[[Ref], bool] = lambda _: False
    listed: Callable[[Ref], bool] = lambda _: False
    written: Callable[[Operation, Fields], Fields | None] = lambda _, fields: fields
    read: Callable[[Resource, Fields], Fields] = lambda _, fields: fields
    deletes: Collection[Resource] = ()
    after_deletion: Callable[[Ref], int] = lambda _: 0
    proof_cost: Callable[[Ref, Operation, Fields], int] = lambda _ref, _operation, _fields: 0
    upon_look: Mapping[Ref, Fields] = field(default_factory=dict[Ref, Fields])
    limited: Callable[[Change], Collection[Fields]] = lambda _: ()
    slowed: Callable[[Look], float] = lambda _: 0.0


class PendingCreations(Protocol):
    """What a record's step asks of the outbox as a whole."""

    def is_coming(self, local: LocalId) -> bool:
        """Whether the creation of this record is still open."""
        ...


class Look(Struct, frozen=True):
    """Read this record first. `settles`: uncertain changes that the look is to settle. `asks`: whose write wants to
    know whether the record is there; None: that of the record itself. `dependents`: not the record is read, but what
    goes with it."""

    ref: Ref
    settles: tuple[Change, ...] = ()
    asks: Ref | None = None
    dependents: bool = False

    @property
    def pair(self) -> bool:
        """Whether the write that needs it is to follow at once, so that the gate admits both together."""
        return not self.settles and not self.dependents


class Send(Struct, frozen=True):
    """One request for these changes. `ref` has the service's id where there is one; `fields` are ready but for wire
    names: a stock write has `quantity` as an absolute value. `base` is what the request was computed from. `looked`:
    nothing but a look guards it, so it leaves while that serves, or not at all; `free`: of a creation, the record that
    is not there as far as is known, by the look if it is `looked`; `paired`: the record whose version goes along
    was looked at under the same ticket."""

    changes: tuple[Change, ...]
    ref: Ref
    verb: Verb
    fields: Fields = field(default_factory=dict[str, FieldValue])
    base: Fields = field(default_factory=dict[str, FieldValue])
    etag: str | None = None
    looked: bool = False
    free: Ref | None = None
    paired: bool = False


class Settle(Struct, frozen=True):
    """These changes come to this state without a request. `made`: the record that a creation was to make and that is
    there; `error`: the unexpected error because of which they are set aside."""

    changes: tuple[Change, ...]
    state: ChangeState
    reason: Reason | None = None
    made: Row | None = None
    error: Exception | None = None


Step: TypeAlias = Look | Send | Settle


def next_step(outbox: Outbox, facts: StepFacts) -> Step | None:
    """The next thing to do, or None where everything that is left waits for a person, an answer, or another
    record."""
    for changes in outbox.heads():
        held = facts.look_held if changes[0].state is ChangeState.UNCERTAIN else facts.held
        if held(changes[0].ref):
            continue
        step = step_of_record(changes, outbox, facts)
        if step is not None and not (isinstance(step, Look) and facts.look_held(changes[0].ref)):
            return step
    return None


def step_of_record(changes: tuple[Change, ...], outbox: PendingCreations, facts: StepFacts) -> Step | None:
    """The next thing to do for one record, whose open changes these are, oldest first; None where it waits. What cannot
    be worked out is set aside, so that it stops nothing else; a booking that was refused stops no other one."""
    while len(changes) > 1 and is_refused_booking(changes[0]) and isinstance(changes[1].intent, AddStock):
        changes = changes[1:]
    unsettled = tuple(one for one in changes if one.state in (ChangeState.QUEUED, ChangeState.UNCERTAIN))
    for change in unsettled:
        if strange := unknown_fields(change.ref, change.intent):  # of unknown fate: no request can be made of it
            return Settle((change,), ChangeState.REFUSED, Reason(UNKNOWN_FIELD, ", ".join(strange)))
    try:
        return _step_of_known(changes, outbox, facts)
    except ShopError:
        raise
    except Exception as error:  # noqa: BLE001 -- whatever it is, it concerns this record alone
        queued = tuple(change for change in unsettled if change.state is ChangeState.QUEUED)
        return Settle(queued, ChangeState.REFUSED, unexpected(error), error=error) if queued else None


def _step_of_known(changes: tuple[Change, ...], outbox: PendingCreations, facts: StepFacts) -> Step | None:
    head = changes[0]
    if isinstance(head.ref.key, LocalId) and head.ref.key not in facts.local_ids:
        stray = _stray_step(changes, head.ref.key, outbox)
        if stray is not None:
            return stray
    if head.state is ChangeState.UNCERTAIN:
        return _settling_look(changes, facts)
    pin = facts.pins.get(head.id)
    waiting = tuple(itertools.takewhile(lambda change: _goes(change, pin, facts), changes))
    if not waiting:
        return None
    if pin is not None:
        return _pinned_step(waiting, pin, facts)
    run = coalesce(waiting)
    if isinstance(run.intent, Nothing):
        return Settle(run.changes, ChangeState.DISCARDED)
    return _step_of_run(run, run.intent, outbox, facts)


def _goes(change: Change, pin: Pin | None, facts: StepFacts) -> bool:
    return change.state is ChangeState.QUEUED and facts.pins.get(change.id) == pin and not facts.kept(change)


def _stray_step(changes: tuple[Change, ...], local: LocalId, outbox: PendingCreations) -> Settle | None:
    """Changes of a record that will never be: deleted before it was made, or made without our learning its id."""
    queued = tuple(change for change in changes if change.state is ChangeState.QUEUED)
    deleted = any(isinstance(change.intent, Delete) for change in queued)
    stuck = changes[0].state in (ChangeState.REFUSED, ChangeState.CONFLICT)
    refused = stuck and isinstance(changes[0].intent, Create)
    if deleted and refused:
        return Settle(changes, ChangeState.DISCARDED)
    if outbox.is_coming(local) or not queued:
        return None
    return Settle(queued, ChangeState.DISCARDED) if deleted else _refuse(queued, "record-unknown")


def _settling_look(changes: tuple[Change, ...], facts: StepFacts) -> Look | None:
    head = changes[0]
    ref = real_ref(head.ref, facts.local_ids)
    if head.reason is not None and head.reason.code in UNPROVEN and not _shows_another(facts.row(ref), head.reason):
        return None  # a person decides
    known = head.reason is not None and head.reason.code == ID_KNOWN
    by_list = isinstance(head.intent, Create) or isinstance(ref.key, LocalId)
    if by_list and (known or head.id in facts.unfound):
        return None  # a person decides
    same = tuple(change for change in changes if change.state is ChangeState.UNCERTAIN)
    return Look(ref, settles=same)


def _shows_another(row: Row | None, reason: Reason) -> bool:
    """Whether a record has been read since, and is not as the look found it that proved nothing. Where the service said
    no, later values prove nothing either."""
    moved = row is None or any(getattr(row.record, name, seen) != seen for name, seen in reason.theirs.items())
    return moved and reason.status is None


def _step_of_run(run: Run, intent: Intent, outbox: PendingCreations, facts: StepFacts) -> Step | None:
    ref = real_ref(run.changes[0].ref, facts.local_ids)
    if isinstance(ref.key, LocalId) and not isinstance(intent, Create):
        return None
    operation = facts.contract.find(ref.resource, verb_of(intent))
    doubt = "not-offered" if operation is None else facts.contract.doubt(operation, *fields_of(intent))
    if operation is None or doubt:
        return _refuse(run.changes, doubt)
    if operation.op in facts.stopped:
        return _refuse(run.changes, OPERATION_STOPPED)
    match intent:
        case AddStock() | SetStock():
            return _stock_step(run, intent, ref, operation, facts)
        case Delete():
            send = Send(run.changes, ref, Verb.DELETE, base=_base(run, ref, facts))
            return dependents_step(send, facts) or _guarded(send, operation, facts)
        case _:
            return _fields_step(run, intent, ref, operation, outbox, facts)


def _fields_step(
    run: Run, intent: Create | SetFields, ref: Ref, operation: Operation, outbox: PendingCreations, facts: StepFacts
) -> Step | None:
    fields = intent.fields
    named = [value for value in fields.values() if isinstance(value, LocalId) and value not in facts.local_ids]
    if any(not outbox.is_coming(local) for local in named):
        return _refuse(run.changes, "record-unknown")
    if named:
        return None  # it waits for the record that it names
    resolved = facts.written(operation, with_ids(fields, facts.local_ids))
    if resolved is None:
        return _refuse(run.changes, "reference-unknown")
    named_too = _named_along(operation, resolved, facts)
    if named_too is not None and not _is_unguarded(run.changes, facts):
        return Look(named_too, asks=run.changes[0].ref)
    if isinstance(ref.key, LocalId):
        return _creation_step(run, intent, Send(run.changes, ref, Verb.CREATE, resolved), operation, facts)
    send = Send(run.changes, ref, Verb.CHANGE, resolved, _base(run, ref, facts))
    return _guarded(send, operation, facts)


def _named_along(operation: Operation, fields: Fields, facts: StepFacts) -> Ref | None:
    """The category whose name goes along with a pet, where that is not fresh: some services write what is embedded, and
    a colleague's new name for it would be lost."""
    key, contract = fields.get("category_id"), facts.contract
    if not operation.category_name or not isinstance(key, ServiceId) or contract.is_gathered(Resource.CATEGORIES):
        return None
    ref = Ref(Resource.CATEGORIES, key)
    shown = any(contract.offers(Resource.CATEGORIES, verb) for verb in (Verb.READ, Verb.LIST))
    return ref if shown and facts.row(ref) is not None and not look_serves(facts.age(ref), ref, facts) else None


def _base(run: Run, ref: Ref, facts: StepFacts) -> Fields:
    """What the person saw, as answers have it."""
    return facts.read(ref.resource, with_ids(run.base, facts.local_ids))


def _creation_step(run: Run, intent: Create | SetFields, send: Send, operation: Operation, facts: StepFacts) -> Step:
    """The step of a creation: one that has an id must not replace a record that has that id by now."""
    if not operation.takes_id or not isinstance(intent, Create):
        return send
    if intent.old_id is not None and _is_unguarded(run.changes, facts):
        return send
    if intent.old_id is not None:
        return _made_again_step(run, intent, intent.old_id, send, facts)
    return _numbered_step(run, send, facts)


def _numbered_step(run: Run, send: Send, facts: StepFacts) -> Step:
    """The step of a creation whose id is chosen here: a look must just have shown that no record has it. What is there
    under it is somebody else's, unless it was sent before and no look has shown since that it did not arrive: then it
    may be a colleague's all the same, who chose as we did. What a person sends on, told that no look comes in time,
    rests on an older one; on none only where none has told anything."""
    head, unguarded = run.changes[0], _is_unguarded(run.changes, facts)
    if not any(facts.contract.offers(send.ref.resource, verb) for verb in (Verb.READ, Verb.LIST)):
        return send
    for taken in (False, True):
        chosen = facts.new_id(head, taken)
        if chosen is None:
            return send
        own = replace(send.ref, key=chosen.id)
        row = facts.row(own)
        age = facts.unused(own) if row is None else facts.age(own)
        told = unguarded and (age <= serves_s(Look(own), facts, told=True) or (not taken and age == math.inf))
        if row is None and (told or _serves(age, own, facts)):
            return replace(send, looked=not unguarded, free=own)
        if row is None or not (told or look_serves(age, own, facts)):
            return Look(own, asks=head.ref)
        alike = all(getattr(row.record, name) == value for name, value in send.fields.items())
        if alike and chosen.sent and head.id not in facts.unfound:
            return Settle(run.changes, ChangeState.DONE, Reason(FOUND_ALIKE, ""), made=row)
    return send


def _made_again_step(run: Run, intent: Create, id_: ServiceId, send: Send, facts: StepFacts) -> Step:
    """The step of a record that is made again under its old id."""
    own = replace(send.ref, key=id_)
    row = facts.row(own)
    free = row is None and _serves(facts.absent(own), own, facts)
    taken = row is not None and look_serves(facts.age(own), own, facts) and not facts.echoed(own)
    if not free and not taken:
        return Look(own, asks=run.changes[0].ref)
    if row is None:
        return replace(send, looked=True, free=own)
    there = {name: getattr(row.record, name) for name in FIELDS[own.resource]}
    alike = all(send.fields.get(name) == value for name, value in there.items())
    if alike and not moved_extra(intent.others, row.record.extra):
        return Settle(run.changes, ChangeState.DONE, made=row)
    theirs: Fields = {**there, EXTRA: extra_text(row.record.extra)}
    if dict(run.base) == theirs:
        return _numbered_step(run, send, facts)  # a person has seen that: it is made again with another id
    return _conflict(run.changes, theirs)


def dependents_step(send: Send, facts: StepFacts) -> Look | Settle | None:
    """With a pet go its stock and its orders: those that came since are not deleted unseen. None of what may go."""
    if send.verb is not Verb.DELETE:
        return None
    look, unguarded = Look(send.ref, dependents=True), _is_unguarded(send.changes, facts)
    age = max(map(facts.dependent_age, dependents_of(send.ref, facts.contract)), default=0.0)
    if age > serves_s(look, facts, told=unguarded) and not (age == math.inf and unguarded):
        return look
    came = came_since(send.base, facts.dependents(send.ref))
    return _conflict(send.changes, came) if came else None


def _guarded(send: Send, operation: Operation, facts: StepFacts) -> Step:
    """A change or deletion, resting on what the person saw, and with what guards it: the ETag, if there is one, else a
    look."""
    row = facts.row(send.ref)
    if _needs_look(send.changes, send.ref, row, operation, facts):
        return Look(send.ref)
    alone = facts.contract.read_alone(send.ref.resource)
    theirs: Fields = {} if row is None else moved(row.record, send.base, send.fields, alone)
    if theirs and row is not None:
        theirs = _by_others(theirs, send.ref, row, send.base, facts)
    if theirs:
        return _conflict(send.changes, theirs)
    return _with_guard(send, row, operation, facts)


def _by_others(theirs: Fields, ref: Ref, row: Row, base: Fields, facts: StepFacts) -> Fields:
    """What the service has otherwise than a person saw, without what it made of our own writes."""
    shown = row if facts.versioned(ref) else replace(row, etag=None)  # an older version proves nothing of now
    own = ours(facts.own_writes(ref), shown, base, theirs)
    return {name: value for name, value in theirs.items() if name not in own}


def _with_guard(send: Send, row: Row | None, operation: Operation, facts: StepFacts) -> Send | Settle:
    """The write with what guards it. Where the service has refused it because the record is not as it was, and a look
    shows since that it has all that is wanted, it is done: by this very write, if something on the way repeated it."""
    there = row is not None and all(getattr(row.record, name, None) == value for name, value in send.fields.items())
    looked = facts.age(send.ref) < math.inf  # in this run, and after the refusal
    if send.fields and there and looked and all(map(_was_moved, send.changes)):
        return Settle(send.changes, ChangeState.DONE)
    etag = _etag(row, operation)
    looked = etag is None and not _is_unguarded(send.changes, facts)
    return replace(send, etag=etag, looked=looked, paired=etag is not None and facts.paired(send.ref))


def _needs_look(changes: tuple[Change, ...], ref: Ref, row: Row | None, operation: Operation, facts: StepFacts) -> bool:
    """Whether the record must be seen first: nothing guards the write, or not all that it puts in the place of the
    record is known."""
    if facts.doubted(ref) or (operation.replaces and (row is None or not facts.whole(ref))):
        return True
    # An ETag has the service itself look at the moment of the write; where one was promised and none given, a look
    # serves.
    return _etag(row, operation) is None and not _is_fresh(changes, ref, facts)


def _was_moved(change: Change) -> bool:
    return change.reason is not None and change.reason.status == PRECONDITION_FAILED


def _is_unguarded(changes: tuple[Change, ...], facts: StepFacts) -> bool:
    return all(change.id in facts.unguarded for change in changes)


def _stock_step(run: Run, intent: AddStock | SetStock, ref: Ref, operation: Operation, facts: StepFacts) -> Step:
    """A stock write rests on a known quantity: guarded by an ETag, or by a look that is fresh enough."""
    row = facts.row(ref)
    if row is None or _needs_look(run.changes, ref, row, operation, facts):
        return Look(ref)
    now = quantity_of(row)
    if isinstance(intent, SetStock):
        theirs = moved_stock(run.base.get("quantity"), intent.quantity, now)
        if theirs and (theirs := _by_others(theirs, ref, row, run.base, facts)):
            return _conflict(run.changes, theirs)
        value = intent.quantity
    else:
        value = (now or 0) + intent.delta
        if repeated := _repeated(run.changes, ref, now, facts):
            return repeated
    if not is_int64(value):
        return _refuse(run.changes, "quantity-range")
    send = Send(run.changes, ref, Verb.CHANGE, {"quantity": value}, {"quantity": now})
    return _with_guard(send, row, operation, facts)


def _repeated(changes: tuple[Change, ...], ref: Ref, now: int | None, facts: StepFacts) -> Settle | None:
    """Whose booking is it that the service shows after it refused ours? Just as many may be a colleague's. Where it was
    refused as one request too many, it may have been counted as such and done all the same: a person decides. Where the
    stock had moved, ours is made upon the new number; but where the old one was seen right before, there was hardly
    time for a colleague: something on the way may have sent ours twice, of which only the second was refused."""
    shown = {"quantity": now}
    if limited := tuple(change for change in changes if change.reason is not None and shown in facts.limited(change)):
        return Settle(limited, ChangeState.UNCERTAIN, Reason(AS_SENT, "", TOO_MANY_REQUESTS, theirs={"quantity": now}))
    moved_ones = tuple(change for change in changes if _was_moved(change))
    if not moved_ones or now is None or facts.upon_look.get(ref) != shown:
        return None
    return Settle(moved_ones, ChangeState.UNCERTAIN, Reason(AS_SENT, "", PRECONDITION_FAILED, theirs={"quantity": now}))


def _is_fresh(changes: tuple[Change, ...], ref: Ref, facts: StepFacts) -> bool:
    """Whether what is known of a record was asked for a short while ago. The answer to a write of ours is no look: it
    shows what we wrote, however much others are writing. Where a person sends on what no look comes in time for, one
    that is older serves, and none where none shows the record."""
    age = facts.age(ref)
    if _is_unguarded(changes, facts):
        return age == math.inf or (age <= serves_s(Look(ref), facts, told=True) and not facts.echoed(ref))
    return _serves(age, ref, facts) and not facts.echoed(ref)


def _serves(age: float, ref: Ref, facts: StepFacts) -> bool:
    """Whether a look that was asked for so many seconds ago guards a write to this record under the present ticket:
    what another one has shown may be out of date by all that happened since, where a record can be read by itself."""
    return look_serves(age, ref, facts) and (facts.paired(ref) or facts.listed(ref))


def look_serves(age: float, ref: Ref, facts: StepFacts) -> bool:
    """Whether a look at a record that was asked for so many seconds ago is fresh enough for a write that leaves now."""
    return age <= serves_s(Look(ref), facts)


def serves_s(look: Look, facts: StepFacts, *, told: bool = False) -> float:
    """For how many seconds a look serves: until the write that follows it at the next turn, so that this is never put
    off for ever. `told`: a person has sent that write on, told that no look comes sooner."""
    if told:
        return SLOW_LOOK_SERVES_S + facts.slowed(look)
    return min(LOOK_SERVES_S + facts.slowed(look), SLOW_LOOK_SERVES_S)


def _pinned_step(changes: tuple[Change, ...], pin: Pin, facts: StepFacts) -> Step | None:
    """The value whose fate was unknown: sent again only as it was, and only where nothing moved since, and nobody took
    back a part of it."""
    ref = real_ref(changes[0].ref, facts.local_ids)
    operation = facts.contract.find(ref.resource, Verb.CHANGE)
    if operation is None or operation.op in facts.stopped:
        return _refuse(changes, "not-offered" if operation is None else OPERATION_STOPPED)
    row = facts.row(ref)
    if row is None or _needs_look(changes, ref, row, operation, facts):
        return Look(ref)
    sent = pin.sent
    soon, versioned = facts.soon(sent, ref), facts.versioned(ref)
    state, reason = settle(changes[0].intent, sent, row, soon=soon, versioned=versioned)
    if state is ChangeState.UNCERTAIN:
        return Settle(changes, state, reason)
    if state is ChangeState.DONE and is_meant(changes, sent.value, facts.local_ids, added=sent.booked):
        return Settle(changes, state)
    if state is not ChangeState.QUEUED or pin.changes != frozenset(change.id for change in changes):
        return _conflict(changes, {"quantity": quantity_of(row)})
    return _with_guard(Send(changes, ref, Verb.CHANGE, sent.value, sent.base), row, operation, facts)


def real_ref(ref: Ref, local_ids: Mapping[LocalId, ServiceId]) -> Ref:
    """The ref with the service's id, where the record was created here and has one by now."""
    if isinstance(ref.key, LocalId) and ref.key in local_ids:
        return replace(ref, key=local_ids[ref.key])
    return ref


def _conflict(changes: tuple[Change, ...], theirs: Fields) -> Settle:
    return Settle(changes, ChangeState.CONFLICT, Reason("moved", "", theirs=theirs))


def _refuse(changes: tuple[Change, ...], code: str) -> Settle:
    return Settle(changes, ChangeState.REFUSED, Reason(code, ""))


def _etag(row: Row | None, operation: Operation) -> str | None:
    return row.etag if row is not None and operation.conditional else None
