"""One write from the outbox to the service: written down before it leaves and when its answer has come."""

from __future__ import annotations

import asyncio
import itertools
import json
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from enum import Enum, auto
from functools import partial
from typing import TypeVar

from msgspec.structs import asdict, replace

from petstore_desktop.api.encoding import Known
from petstore_desktop.api.gate.admission import Ticket
from petstore_desktop.api.http.gateway import Sending
from petstore_desktop.api.write_answer import WriteAnswer
from petstore_desktop.contract.operations import OPS, Op, Verb
from petstore_desktop.domain.changes import (
    AS_BEFORE,
    ID_KNOWN,
    NEITHER,
    NO_ID,
    NOT_SHOWN,
    STILL_THERE,
    UNFOUND,
    AddStock,
    ChangeState,
    Create,
    Delete,
    Fields,
    Reason,
)
from petstore_desktop.domain.errors import (
    MADE_OTHERWISE,
    UNKEPT,
    AnswerUnusable,
    Conflicted,
    Forbidden,
    NotFound,
    NotYet,
    RateLimited,
    Refused,
    ShopError,
    StorageError,
)
from petstore_desktop.domain.quota import RequestClass
from petstore_desktop.domain.records import (
    FIELD_SPECS,
    RECORD_TYPES,
    FieldValue,
    Record,
    Ref,
    Resource,
    Row,
    ServiceId,
    key_to_text,
)
from petstore_desktop.store.journal.rows import Outcome
from petstore_desktop.sync.send import next_step as engine
from petstore_desktop.sync.send.answer_verdict import (
    DENIED,
    AnswerJudgement,
    AnswerVerdict,
    Meant,
    Shows,
    compare,
    is_alike,
    judge,
)
from petstore_desktop.sync.send.created_record import Creations, Departure, departure_of
from petstore_desktop.sync.send.ledger import Ledger
from petstore_desktop.sync.send.lost_answer import NO_VERSION_SENT, SOON_S, is_counted, marks_of
from petstore_desktop.sync.send.next_step import Send, StepFacts
from petstore_desktop.sync.send.outcomes import outcome
from petstore_desktop.sync.send.record_reader import RecordReader
from petstore_desktop.sync.shared.context import Context
from petstore_desktop.sync.shared.mirror_writer import BEHIND_S, Assumed
from petstore_desktop.sync.shared.record_backoff import Act, RecordBackOff
from petstore_desktop.sync.wire.events import RowsChanged, Trouble

T = TypeVar("T")


class AfterDeletion(Enum):
    """What a look after a deletion has shown."""

    GONE = auto()
    THERE = auto()
    OTHERWISE = auto()
    """It is there as something else: an order that is cancelled, a pet that is put away."""
    LATER = auto()
    """It could not be made now; a look later tells."""
    UNTOLD = auto()
    """None is made, or none tells: the answer counts."""


_BELIEVED = (AnswerVerdict.DONE, AnswerVerdict.ASSUMED)

_WHILE_BEHIND_S = (0.5, 1.0, 2.0)
"""The seconds between looks at what a first write has done, where a copy that is behind may have been read: together
less than a look may come after what it is to prove."""
_WHILE_SHOWN_S = (*_WHILE_BEHIND_S, 3.0, BEHIND_S - sum(_WHILE_BEHIND_S) - 2.5)
"""The same where the answer has shown the number that was booked: they end when no copy may be behind any more."""

FAILED_IN_A_ROW = 3
"""A creation that came to nothing so often, at last by a 429, may have been made each time: a look tells, before it is
sent once more."""

_SHOWN_WITHIN_S = 86_400.0
"""So long after a run that made records they are missed where the service does not show them."""

SENDING_TOLD_S = 0.15
"""A write that is answered sooner is not said to be on its way."""


class Writer:
    """Sends one write at a time. `back_off`: what went wrong in a row; `walk` reads a list anew; `facts`: what is known
    now."""

    def __init__(
        self,
        context: Context,
        ledger: Ledger,
        back_off: RecordBackOff,
        walk: Callable[[Resource], None],
        facts: Callable[[], StepFacts],
        record_reader: RecordReader,
    ) -> None:
        self._context = context
        self._ledger = ledger
        self._back_off = back_off
        self._walk, self._facts, self._record_reader = walk, facts, record_reader
        self.creations = Creations(context.records, lambda: ledger.local_ids, lambda: context.contract)
        self.deletes: set[Resource] = set()
        """The lists of which a deletion was seen to be one, in this run."""
        self._denials: set[tuple[Resource, int | None]] = set()
        """The answers that said no to a change in this run, and were looked at."""
        self._moved: set[Op] = set()
        """The kinds of bookings of which the last, which was looked at, may have been moved by a colleague at once."""
        context.records.assumed_shown = self._judge_assumed
        context.records.assumed_missing = self._tell_missing
        context.records.versions_stand_still = lambda resource: self._context.contract.versions_stand_still(resource)
        context.records.version_stood_still = self._distrust_versions
        self._remember_assumed()
        self._remember_done()
        self._remember_made()
        self.upon_look = dict[Ref, Fields]()
        """What the last write of a record sets, where it left right after a look at the record and is not yet done."""
        self._taken_ids = set[Ref]()
        """What the service has refused to make once because something else was there."""
        self._wire = asyncio.Event()
        self._wire.set()

    async def wait_for_the_wire(self, grace_s: float) -> None:
        """Wait at most `grace_s` seconds for the answer to what is on the wire."""
        with suppress(TimeoutError):
            async with asyncio.timeout(grace_s):
                await self._wire.wait()

    async def write(self, send: Send, ticket: Ticket) -> ShopError | None:
        """Send it; returns what the service or the network had against it. Raises StorageError where it could not be
        written down, and nothing was sent then."""
        admission = self._context.client.admission
        try:
            left = self._departure(send)
            row = None if send.verb is Verb.CREATE else self._context.records.row(send.ref)
            deletes = row.record if row is not None and send.verb is Verb.DELETE else None
            shown = row.etag if row is not None and self._context.records.versioned(send.ref) else None
            version = send.etag or shown
            seen_s = math.inf if send.verb is Verb.CREATE else self._context.records.age(send.ref)
            self.upon_look.pop(send.ref, None)
            if send.paired and seen_s <= SOON_S:
                self.upon_look[send.ref] = send.fields
            marks = marks_of(version, self._context.clock.now(), seen_s)
            request = _request_text(send, left, marks)
            attempt = self._ledger.begin(send.changes, request, send.base, send.fields, deletes)
        except BaseException:
            admission.unused(ticket)
            raise
        asyncio.get_running_loop().call_later(SENDING_TOLD_S, self._ledger.tell_sending, attempt)
        self._wire.clear()
        try:
            return await self._exchange(send, ticket, attempt, left)
        finally:
            self._wire.set()
            admission.unused(ticket)  # where no request could be made

    def _departure(self, send: Send) -> Departure | None:
        """The facts known when a creation is sent; None for other operations."""
        operation = self._context.contract.find(send.ref.resource, send.verb)
        if send.verb is not Verb.CREATE or operation is None:
            return None
        made = send.changes[0].intent
        own = made.old_id if isinstance(made, Create) else None
        if send.free is not None and isinstance(send.free.key, ServiceId):
            own = send.free.key
        return self.creations.departure(operation, self._ledger.last_sent(send.changes[0]), own)

    async def _exchange(self, send: Send, ticket: Ticket, attempt: int, left: Departure | None) -> ShopError | None:
        after, seen, asked = AfterDeletion.UNTOLD, None, None
        try:
            shown = await self._request(send, ticket, attempt, left)
            if send.verb is Verb.DELETE:
                after = await self._after_deletion(send, shown)
            elif isinstance(shown, WriteAnswer):
                said = shown
                shown, seen = await self._after_first(send, left, said)
                asked = None if shown is said else self._asked(send, said, shown)
        except ShopError as error:
            self._refused(send, attempt, error)
            return error
        except Exception as error:  # noqa: BLE001 -- it may have been sent, and concerns these changes alone
            self._context.unexpected(error)
            unusable = AnswerUnusable("unexpected", why=type(error).__name__)
            self._refused(send, attempt, unusable)
            return unusable
        except asyncio.CancelledError:
            self._ledger.end(attempt, Outcome(ChangeState.UNCERTAIN, Reason("interrupted", "")))
            raise
        against = None
        if asked is None:
            against = self._ended(send, attempt, left, shown, after)
        else:
            self._unsure(send, attempt, asked)
        if seen is not None:  # a colleague may have changed it meanwhile
            resource, alone = send.ref.resource, not self._record_reader.is_listed(Ref(send.ref.resource, seen.key))
            self._mirror(lambda: self._context.records.put_beside(resource, seen, alone=alone))
        return against

    def _ended(
        self, send: Send, attempt: int, left: Departure | None, shown: WriteAnswer | NotFound, after: AfterDeletion
    ) -> ShopError | None:
        """The service did not say no, or has nothing to delete: what that and a look after it prove."""
        if after is AfterDeletion.THERE:
            self._unsure(send, attempt, Reason(STILL_THERE, ""))
            self._back_off.failed((Act.LOOK, send.changes[0].ref))  # some services show it a moment longer
        elif after is AfterDeletion.LATER:
            self._unsure(send, attempt, Reason(NOT_SHOWN, ""))
        elif after is AfterDeletion.OTHERWISE:
            self._ledger.end(attempt, Outcome(ChangeState.DONE))
            self._back_off.went_well((Act.WRITE, send.changes[0].ref))
        elif isinstance(shown, NotFound):
            self._refused(send, attempt, shown)
            return shown
        else:
            self._answered(send, attempt, left, shown)
        return None

    async def _after_deletion(self, send: Send, shown: WriteAnswer | NotFound) -> AfterDeletion:
        """The service says that it has deleted a record, or that it is not there: look whether that is so, before it is
        called done. Where a deletion of the kind was seen to be one in this run, and the next that waits is of that
        kind too, it is believed until a reading shows it again; so a batch costs two looks, at its first and its last.
        Raises StorageError."""
        resource, meant = send.ref.resource, self._meant(send, ())
        found_nothing = isinstance(shown, NotFound)
        if not found_nothing and (meant is None or judge(meant, shown).verdict not in _BELIEVED):
            return AfterDeletion.UNTOLD
        if not self._record_reader.cost_after_deletion(send.ref):
            self._context.records.believe(send.ref)
            return AfterDeletion.UNTOLD
        if resource in self.deletes and self._another_waits(resource):
            self._context.records.believe(send.ref)
            return AfterDeletion.UNTOLD
        before = self._context.records.image(send.ref)
        self._take_over_deletion(send, own=None if found_nothing else True)
        if not self._opens_soon():
            return AfterDeletion.LATER
        try:
            async with asyncio.timeout(engine.LOOK_SERVES_S):  # nothing else leaves meanwhile
                still = await self._record_reader.still_shows(send.ref)
        except StorageError:
            raise
        except (ShopError, TimeoutError):
            return AfterDeletion.LATER
        if still is None:
            return AfterDeletion.UNTOLD
        if still and self._context.records.image(send.ref) == before:
            return AfterDeletion.THERE
        self.deletes.add(resource)
        return AfterDeletion.OTHERWISE if still else AfterDeletion.GONE

    async def _after_first(
        self, send: Send, left: Departure | None, shown: WriteAnswer
    ) -> tuple[WriteAnswer, Row | None]:
        """The service says that it has done a write of a kind that was never seen to set these fields: look at the
        record. What that shows against the answer counts in its place; what agrees proves the fields, once for all.
        Where no look can be made now, the answer counts, and the next of the kind is looked at. Returns the answer that
        counts, and the record as the look has shown it. Raises StorageError."""
        meant = self._meant(send, ())
        key = self._with_usable_id(shown).id if send.verb is Verb.CREATE else send.ref.key
        if meant is None or not isinstance(key, ServiceId) or judge(meant, shown).verdict not in _BELIEVED:
            return shown, None
        ref = Ref(send.ref.resource, key)
        if left is not None and self._may_be_replaced(send):
            return shown, None  # it is looked at anyway
        if not self._record_reader.proof_cost(ref, meant.operation, meant.fields):
            return shown, None
        alike = self._record_reader.is_listed(ref) is not self._context.records.shown_alone(ref)
        # What was written, or shown by such a reading before, is empty where this one does not show it.
        named = [spec.name for spec in FIELD_SPECS[ref.resource] if alike or spec.name in meant.fields]
        pauses, denied, seen = iter(self._pauses(send, meant, shown)), True, None
        while denied:
            seen = await self._look_after(ref, missing_tells=send.verb is Verb.CREATE)
            if seen is None:
                return shown, None
            seen = replace(seen, alike=alike, fields=seen.fields.union(named))
            denied = compare(replace(meant, key=key), seen)[0] in DENIED
            pause_s = next(pauses, None) if denied and self._may_be_behind(ref, seen) else None
            if pause_s is None:
                break
            await asyncio.sleep(pause_s)
        if denied and seen is not None:
            if self._wrote_since(send, meant, shown, seen):
                return shown, seen.row
            return seen if seen.id is not None else replace(seen, id=shown.id), seen.row
        self._moved.discard(meant.operation.op)
        self._context.client.tell_learned(self._context.contract.with_proof(meant.operation, meant.fields))
        return shown, None if seen is None else seen.row

    @staticmethod
    def _pauses(send: Send, meant: Meant, shown: WriteAnswer) -> Sequence[float]:
        """Between looks after a first write."""
        return _WHILE_SHOWN_S if _shows_booking(send, meant, shown) else _WHILE_BEHIND_S

    def _wrote_since(self, send: Send, meant: Meant, shown: WriteAnswer, seen: WriteAnswer) -> bool:
        """Whether somebody has booked between the answer to a booking, which shows the number as it was sent, and the
        look after it: counted versions tell, that of the answer being one of its own."""
        if not _shows_booking(send, meant, shown):
            return False
        row = self._context.records.row(send.ref)
        known = (None if row is None else row.etag, shown.etag, seen.etag)
        return len({*known}) == len(known) and all(one is not None and is_counted(one) for one in known)

    def _asked(self, send: Send, shown: WriteAnswer, seen: WriteAnswer) -> Reason | None:
        """What a person is asked, where the answer to a booking has shown the number as it was sent, and a look right
        after it another one: a colleague may have booked meanwhile, or a copy be behind for longer than most are, which
        proves nothing against the service. None where it does: a number of its own, twice in a row."""
        meant, op = self._meant(send, ()), OPS.get((send.ref.resource, send.verb))
        if op is None or meant is None or not _shows_booking(send, meant, shown):
            return None
        shows, same = compare(meant, seen)[0], shown.etag is not None and shown.etag == seen.etag
        codes = {Shows.AS_BEFORE: AS_BEFORE, Shows.ANOTHER_VALUE: NEITHER}
        if shows not in codes or (shows is Shows.ANOTHER_VALUE and (same or op in self._moved)):
            return None
        if shows is Shows.ANOTHER_VALUE:
            self._moved.add(op)
        now = {} if seen.row is None else {name: getattr(seen.row.record, name, None) for name in send.fields}
        return Reason(codes[shows], "", theirs=now)

    def _may_be_behind(self, ref: Ref, seen: WriteAnswer) -> bool:
        """Whether a look after a write shows what there was before it, as a copy does that is seconds behind."""
        before = self._context.records.image(ref)
        return before == (None if seen.row is None else seen.row.record)

    async def _look_after(self, ref: Ref, *, missing_tells: bool) -> WriteAnswer | None:
        """What the service shows of a record right after a write of it, None where it cannot be asked now or does not
        tell. `missing_tells`: so does that it is not there. Raises StorageError."""
        if not self._opens_soon():
            return None
        try:
            async with asyncio.timeout(engine.LOOK_SERVES_S):  # nothing else leaves meanwhile
                seen = await self._record_reader.shown_now(ref)
        except StorageError:
            raise
        except NotFound:
            seen = WriteAnswer()
        except (ShopError, TimeoutError):
            return None
        return seen if missing_tells or seen.row is not None else None

    def _opens_soon(self) -> bool:
        """Whether a look can leave while it tells of the write before it."""
        opens_at = self._context.client.admission.forecast(RequestClass.CHANGES).at
        return opens_at is not None and opens_at <= self._context.clock.now().steady + engine.LOOK_SERVES_S

    def _another_waits(self, resource: Resource) -> bool:
        """Whether one of the next that leave is a deletion of this kind."""
        outbox = self._ledger.outbox
        heads = (changes[0] for changes in itertools.islice(outbox.heads(), engine.NEXT))
        return any(
            isinstance(one.intent, Delete) and one.ref.resource is resource
            for one in heads
            if one.state is ChangeState.QUEUED and not outbox.keeps(one)
        )

    def _answered(self, send: Send, attempt: int, left: Departure | None, shown: WriteAnswer) -> None:
        """The service did not say no: what that proves, and what follows from it."""
        taken = self._taken(send, left, shown)
        if send.verb is Verb.CREATE and not taken:
            shown = self._with_usable_id(shown)
        meant = self._meant(send, taken)
        if meant is None:  # the service offers it no more
            self._unsure(send, attempt, Reason(NOT_SHOWN, ""))
            return
        said = judge(meant, shown)
        match said.verdict:
            case AnswerVerdict.DONE | AnswerVerdict.ASSUMED if left is not None and self._may_be_replaced(send):
                reason = Reason(NOT_SHOWN, "", theirs=said.theirs)
                self._unsure(send, attempt, reason, left.id if shown.id is None else shown.id)
            case AnswerVerdict.DONE | AnswerVerdict.ASSUMED:
                self._done(send, attempt, meant, shown, said)
            case AnswerVerdict.LOOK:
                self._unsure(send, attempt, said.reason, shown.id)
            case AnswerVerdict.WRONG:
                self._wrong(send, attempt, meant, shown, said)

    @staticmethod
    def _may_be_replaced(send: Send) -> bool:
        """Whether a colleague may have put another record in the place of this new one at the same moment: its number
        was chosen here, as everybody chooses it. One look more tells."""
        made = send.changes[0].intent
        return send.looked and send.free is not None and isinstance(made, Create) and made.old_id is None

    def _meant(self, send: Send, taken: Collection[ServiceId]) -> Meant | None:
        operation = self._context.contract.find(send.ref.resource, send.verb)
        if operation is None:
            return None
        accepted, key = self._ledger.accepted_fields(operation.op), send.ref.key
        if send.verb is Verb.CREATE or not isinstance(key, ServiceId):
            return Meant(operation, None, send.fields, taken=taken, accepted=accepted)
        row = self._context.records.row(send.ref)
        before, guarded = None if row is None else row.record, send.etag is not None
        return Meant(operation, key, send.fields, before, accepted=accepted, guarded=guarded)

    def _taken(self, send: Send, left: Departure | None, shown: WriteAnswer) -> tuple[ServiceId, ...]:
        """The id that the answer to a creation names, if a record had it before."""
        id_ = shown.id if send.verb is Verb.CREATE else None
        if id_ is None or left is None or not self.creations.is_known(Ref(send.ref.resource, id_), left):
            return ()
        return (id_,)

    def _done(self, send: Send, attempt: int, meant: Meant, shown: WriteAnswer, said: AnswerJudgement) -> None:
        created = shown.id if send.verb is Verb.CREATE else None
        if send.verb is Verb.CREATE and created is None:
            self._unsure(send, attempt, Reason(NO_ID, ""))
            return
        assumed = said.verdict is AnswerVerdict.ASSUMED
        reason = said.reason
        if assumed and reason is not None:
            reason = replace(reason, raw=shown.etag)
        rows = self._mirror(lambda: self._take_over(send, meant, shown, assumed=assumed))
        made = shown.row.record if shown.row is not None and created is not None else None
        self._ledger.end(attempt, Outcome(ChangeState.DONE, reason, created, made), rows)
        if send.verb is not Verb.DELETE and (assumed or self._may_be_an_echo(send, meant)):
            ref = Ref(send.ref.resource, send.ref.key if created is None else created)
            self._context.records.assume(ref, Assumed(meant.operation.op, send.fields, send.base))
        self._back_off.went_well((Act.WRITE, send.changes[0].ref))
        self.upon_look.pop(send.ref, None)

    def _may_be_an_echo(self, send: Send, meant: Meant) -> bool:
        """Whether a service whose ways are not known may show what was sent, and not have kept it. Of stock no later
        look tells that: somebody may book the opposite at any time."""
        return send.ref.resource is not Resource.INVENTORY and not self._context.contract.is_known(meant.operation)

    def _remember_assumed(self) -> None:
        """Writes of earlier runs that no answer has shown since are judged as well."""
        records = self._context.records
        with suppress(StorageError):
            for ref, one in self._ledger.assumed_writes():
                row = records.row(ref)
                if row is not None and one.ended_at is not None and row.seen_at <= one.ended_at:
                    verb = Verb.CHANGE if one.base else Verb.CREATE
                    records.assume(ref, Assumed(OPS[ref.resource, verb], one.value, one.base))

    def _remember_done(self) -> None:
        """What an earlier run did seconds ago, a copy that is behind may not show yet."""
        records, now = self._context.records, self._context.clock.now().wall
        with suppress(StorageError):
            for ref, one in self._ledger.done_since(now - BEHIND_S):
                if one.ended_at is not None and one.ended_at <= now and one.base:
                    records.remember_own(ref, one.base, one.value, now - one.ended_at)
                elif one.ended_at is not None and one.ended_at <= now and departure_of(one) is not None:
                    records.remember_made(ref, one.ended_at, now - one.ended_at)

    def _remember_made(self) -> None:
        """Records that earlier runs made, and that nobody has seen since: they are missed where there are none."""
        records, contract = self._context.records, self._context.contract
        with suppress(StorageError):
            for ref, one in self._ledger.done_since(self._context.clock.now().wall - _SHOWN_WITHIN_S):
                create = contract.find(ref.resource, Verb.CREATE)
                if create is None or contract.is_known(create) or not isinstance(ref.key, ServiceId):
                    continue
                if departure_of(one) is None:
                    continue
                row = records.row(ref)
                if row is not None and one.ended_at is not None and row.seen_at <= one.ended_at:
                    records.assume(ref, Assumed(create.op, one.value, {}))

    def _judge_assumed(self, shown: Sequence[tuple[Assumed, Row]]) -> None:
        """Compare what was only said to be done with what the service shows now. A record that has what it had before,
        or a new one that has something else, is told of, and each further write of the kind is looked at."""
        self._tell_unkept(write.op for write, row in shown if _is_unkept(write, row.record))

    def _tell_missing(self, missing: Sequence[Assumed]) -> None:
        """Records that the service said it had made, and that it does not have, without ever having shown them."""
        self._tell_unkept(write.op for write in missing)

    def _tell_unkept(self, ops: Iterable[Op]) -> None:
        for op, count in Counter(ops).items():
            error = AnswerUnusable(UNKEPT, operation=op.value, met=count)
            self._context.tell(Trouble(self._context.connection, error))
            operation = self._context.contract.operations.get(op)
            if operation is not None:
                self._context.client.tell_learned(self._context.contract.without_proof(operation))

    def _distrust_versions(self, resource: Resource) -> None:
        """A record was changed and kept its ETag: what else changes, it would not tell either."""
        if not self._context.contract.versions_stand_still(resource):
            self._context.client.tell_learned(self._context.contract.with_still_versions(resource))

    def _unsure(self, send: Send, attempt: int, reason: Reason | None, id_: ServiceId | None = None) -> None:
        """A look tells what came of it; of a creation, at the id that the service named."""
        self._back_off.failed((Act.WRITE, send.changes[0].ref), free=1)
        if reason is not None and id_ is not None and send.verb is Verb.CREATE:
            reason = replace(reason, message=key_to_text(id_))
        self._ledger.end(attempt, Outcome(ChangeState.UNCERTAIN, reason))

    def _wrong(self, send: Send, attempt: int, meant: Meant, shown: WriteAnswer, said: AnswerJudgement) -> None:
        """Something else was done than was meant: it is never called done, and nothing more of the kind is sent until
        a person has decided. The record that was made is there, and it is said what it has; of one whose number was
        chosen here nobody knows whose it is."""
        operation, row, records = meant.operation, shown.row, self._context.records
        self._ledger.stop(operation.op, said.theirs)
        reason, resource = said.reason or Reason(said.shows.value, ""), send.ref.resource
        if send.free is not None and said.shows is Shows.ANOTHER_VALUE:
            # Under a number that was chosen here that may be a colleague's, made at the same moment.
            self._ledger.end(attempt, Outcome(ChangeState.UNCERTAIN, replace(reason, code=UNFOUND)))
            return
        rows = None
        if row is not None:
            rows = self._mirror(lambda: records.put_own(resource, row, send.fields))
        if send.verb is not Verb.CREATE:
            id_ = _named(shown.id) if said.shows is Shows.ANOTHER_RECORD else ""
            reason = replace(reason, message=id_)
            self._ledger.end(attempt, Outcome(ChangeState.REFUSED, reason), rows)
        elif said.shows is Shows.ANOTHER_RECORD:
            self._ledger.end(attempt, Outcome(ChangeState.UNCERTAIN, Reason(ID_KNOWN, _named(shown.id))), rows)
        elif row is not None:
            self._ledger.end(attempt, Outcome(ChangeState.DONE, reason, shown.id, row.record), rows)
            both = ((name, send.fields.get(name), has) for name, has in said.theirs.items())
            values = ", ".join(f"{name}: {_text(sent)} → {_text(has)}" for name, sent, has in both)
            error = AnswerUnusable(MADE_OTHERWISE, operation=operation.op.value, id=_named(shown.id), values=values)
            self._context.tell(Trouble(self._context.connection, error))

    async def _request(
        self, send: Send, ticket: Ticket, attempt: int, left: Departure | None
    ) -> WriteAnswer | NotFound:
        """What the service answers. That it finds nothing to delete is a claim like a yes, where it has found such
        records by their paths: one that has no such operation may say the same."""
        ref, client = send.ref, self._context.client
        act = self._ledger.act(send.changes, attempt, send.verb)
        if send.verb is Verb.CREATE:
            own = None if left is None else left.id
            made = send.changes[0].intent
            known = Known(
                extra=made.others if isinstance(made, Create) else None,
                key=own,
                category=self._category(send),
                told=self._is_told(send),
            )
            sending = Sending(RequestClass.CHANGES, ticket, in_time=partial(self._is_free, send), act=act)
            return await client.create(ref.resource, send.fields, sending, known)
        row = self._context.records.row(ref)
        whole = None if row is None else row.record
        sending = Sending(RequestClass.CHANGES, ticket, in_time=partial(self._in_time, send, whole), act=act)
        if send.verb is Verb.DELETE:
            try:
                shown = await client.delete(ref, sending, etag=send.etag)
            except NotFound as error:
                if self._record_reader.doubts(send.ref):
                    raise
                return error
            self._record_reader.reached(ref.resource)
            return shown
        category = self._category(send)
        unshown = self._record_reader.unlisted(ref)
        change = partial(client.change, ref, send.fields, sending, whole=whole, etag=send.etag, category=category)
        return await change(unshown=unshown, told=self._is_told(send))

    def _is_told(self, send: Send) -> bool:
        """Whether a person has sent this on, knowing which fields of the record it empties."""
        return all(change.id in self._ledger.partial for change in send.changes)

    def _with_usable_id(self, shown: WriteAnswer) -> WriteAnswer:
        """What a creation shows, without an id that is none: frameworks fill in a 0 where they made nothing, and a text
        is none where no record of the service has one."""
        id_, names_by_text = shown.id, self._context.records.mirror.names_by_text
        usable = id_ > 0 if isinstance(id_, int) else id_ is None or any(map(names_by_text, Resource))
        return shown if usable else WriteAnswer(etag=shown.etag)

    def _category(self, send: Send) -> str:
        """The name of the category that a pet gets, empty where that is not known."""
        key = send.fields.get("category_id")
        record = None if not isinstance(key, ServiceId) else self._context.records.image(Ref(Resource.CATEGORIES, key))
        return getattr(record, "name", "")

    def _is_free(self, send: Send) -> bool:
        """Whether the id of a creation is free as far as is known, and the look that showed it still serves."""
        if send.free is None:
            return True
        records = self._context.records
        if not send.looked:
            return records.row(send.free) is None
        return engine.look_serves(records.absent_age(send.free), send.free, self._facts())

    def _in_time(self, send: Send, seen: Record | None) -> bool:
        """Whether a write that no ETag guards may leave at this moment: nothing else was seen since it was made up, of
        what goes with a record either, and the look that it rests on still serves."""
        facts = self._facts()
        if engine.dependents_step(send, facts) is not None:
            return False
        if send.etag is not None:
            return True
        records = self._context.records
        now = records.row(send.ref)
        unchanged = (None if now is None else now.record) == seen
        return unchanged and (not send.looked or engine.look_serves(records.age(send.ref), send.ref, facts))

    def _refused(self, send: Send, attempt: int, error: ShopError) -> None:
        ref = send.changes[0].ref
        state, reason = outcome(send.verb, error)
        if isinstance(error, RateLimited) and state is ChangeState.QUEUED:
            state = self._too_soon(send, ref)
        state = self._state_after(send, state, error)
        if isinstance(error, Conflicted) and send.etag is None:
            reason = replace(reason, code=NO_VERSION_SENT) if reason is not None else None
        if send.verb is Verb.DELETE and state is ChangeState.DONE and self._record_reader.doubts(send.ref):
            state = ChangeState.UNCERTAIN
        elif send.verb is Verb.DELETE and state is ChangeState.DONE:
            self._take_over_deletion(send, own=None)
        if state is ChangeState.UNCERTAIN and send.verb is Verb.CREATE:
            # It may still be on its way: a list read at once would not show it. All else is looked at right now, while
            # a look proves anything.
            self._back_off.failed((Act.LOOK, ref))
        elif state is ChangeState.UNCERTAIN:  # who answers what cannot be used is not sent it again at once
            self._back_off.failed((Act.WRITE, ref), free=0 if isinstance(error, AnswerUnusable) else 1)
        self._ledger.end(attempt, Outcome(state, reason))

    def _state_after(self, send: Send, state: ChangeState, error: ShopError) -> ChangeState:
        """The state of a write that failed, by what is known beside its answer."""
        ref = send.changes[0].ref
        if self._is_taken(send, state, error):
            self._back_off.failed((Act.WRITE, ref), free=1)
            return ChangeState.QUEUED
        if isinstance(error, Conflicted):
            state = self._conflicted(send, ref, state)
        elif isinstance(error, NotYet):
            self._back_off.failed((Act.WRITE, ref))
        may_be_done = state is ChangeState.REFUSED and self._may_be_done(send, error)
        return ChangeState.UNCERTAIN if may_be_done else state

    def _may_be_done(self, send: Send, error: ShopError) -> bool:
        """Whether a look shall tell if a change was done though the service said no: of each that books, for it would
        be booked twice if a person sends it again, and of the first of each kind and answer."""
        if send.verb is not Verb.CHANGE or not isinstance(error, Refused | NotFound | Conflicted | Forbidden):
            return False
        kind = (send.ref.resource, error.status)
        first = kind not in self._denials
        self._denials.add(kind)
        return first or isinstance(send.changes[0].intent, AddStock)

    def _conflicted(self, send: Send, ref: Ref, state: ChangeState) -> ChangeState:
        """What becomes of a write that the service refused because the record is not as it was."""
        if send.etag is None:
            return ChangeState.REFUSED  # no precondition was sent that a look could renew: it would go on for ever
        if state is not ChangeState.QUEUED:
            return state
        self._context.records.doubt(send.ref, send.etag)
        if any(map(self._ledger.was_unsure, send.changes)):
            return ChangeState.UNCERTAIN  # what an earlier attempt rested on has moved: perhaps by that attempt
        self._back_off.failed((Act.WRITE, ref), free=1)
        return state

    def _too_soon(self, send: Send, ref: Ref) -> ChangeState:
        """What becomes of a write that was answered 429. That is believed, but not for ever: each time it waits longer,
        beside the pause of all, and a creation is looked for: at last, or at once where that costs little and the
        service's ways are not known."""
        times = self._back_off.failed((Act.WRITE, ref), free=1)
        if send.looked and send.free is None:
            self._context.records.doubt(send.ref, None)  # what it rested on is looked at anew
        if send.verb is not Verb.CREATE:
            return ChangeState.QUEUED
        operation = self._context.contract.find(send.ref.resource, send.verb)
        trusted = operation is not None and self._context.contract.is_known(operation)
        soon = self._record_reader.is_cheap(send.ref) and not trusted
        return ChangeState.UNCERTAIN if soon or times % FAILED_IN_A_ROW == 0 else ChangeState.QUEUED

    def _is_taken(self, send: Send, state: ChangeState, error: ShopError) -> bool:
        """Whether somebody else may have been sooner with the id of a new record: a look tells, and another id is sent.
        Where none has it, the second no counts."""
        if send.free is None or not (state is ChangeState.UNCERTAIN or isinstance(error, Conflicted)):
            return False
        self._context.records.used(send.free)
        first = isinstance(error, Conflicted) and send.free not in self._taken_ids
        if first:
            self._taken_ids.add(send.free)
        return first

    def _take_over(self, send: Send, meant: Meant, shown: WriteAnswer, *, assumed: bool) -> RowsChanged | None:
        """The service said yes: the mirror follows, by the answer's record, and, in what that does not show, by what
        was sent and was there before; what is new by that."""
        records, created = self._context.records, send.verb is Verb.CREATE
        if send.verb is Verb.DELETE:
            return self._take_over_deletion(send, own=True)
        said = self._as_known(send, meant, shown)
        if said is None:
            return self._walk(send.ref.resource)  # it was done to a record of which nothing else is known
        kind = {"made": created, "unshown": shown.row is None and created, "assumed": assumed}
        return self._mirror(lambda: records.put_own(send.ref.resource, said, send.fields, **kind))

    def _take_over_deletion(self, send: Send, *, own: bool | None) -> None:
        records = self._context.records
        if records.mirror.get(send.ref) is not None:
            self._mirror(lambda: records.remove(send.ref, own=own))

    def _mirror(self, write: Callable[[], T]) -> T | None:
        """The mirror may fail, the next walk brings it back; that the service said yes must be written down all the
        same."""
        try:
            return write()
        except StorageError as error:
            self._context.tell(Trouble(self._context.connection, error))
        except Exception as error:  # noqa: BLE001 -- as above
            self._context.unexpected(error)
        return None

    def _as_known(self, send: Send, meant: Meant, shown: WriteAnswer) -> Row | None:
        """The record after a write, as far as it is known; None where nothing is known of it."""
        row, before = shown.row, meant.before
        if row is not None:
            names = (spec.name for spec in FIELD_SPECS[send.ref.resource] if spec.name not in shown.fields)
            kept = {name: send.fields.get(name, getattr(before, name, None)) for name in names}
            kept = {name: value for name, value in kept.items() if value is not None}
            return replace(row, record=replace(row.record, **kept)) if kept else row
        now = self._context.clock.now().wall
        if shown.id is not None and send.verb is Verb.CREATE:
            record = RECORD_TYPES[send.ref.resource](id=shown.id, **send.fields)  # pyright: ignore[reportCallIssue, reportArgumentType] -- names and types were checked when the change was made
            return Row(shown.id, record, now)
        if before is None or meant.key is None:
            return None
        # Where If-Match was sent, nothing else has changed.
        return Row(meant.key, replace(before, **send.fields), now, None if send.etag is None else shown.etag)


def _shows_booking(send: Send, meant: Meant, shown: WriteAnswer) -> bool:
    """Whether an answer to a booking has the number as it was sent. Other writes may go out twice."""
    booked = send.ref.resource is Resource.INVENTORY and send.verb is Verb.CHANGE
    return booked and compare(meant, shown)[0] is Shows.MEANT


def _is_unkept(write: Assumed, now: Record) -> bool:
    """Whether a record shows that a write of it was not done: a value is as before, or, of a new one, another."""
    for name, sent in write.sent.items():
        value = getattr(now, name, None)
        if not is_alike(value, sent) and (not write.before or is_alike(value, write.before.get(name))):
            return True
    return False


def _text(value: FieldValue) -> str:
    return "–" if value is None else str(value)


def _named(id_: ServiceId | None) -> str:
    return "" if id_ is None else str(id_)


def _request_text(send: Send, left: Departure | None, marks: Mapping[str, object]) -> str:
    """What is written down of an attempt."""
    said = {"op": f"{send.ref.resource}.{send.verb}", "key": key_to_text(send.ref.key), **marks}
    return json.dumps(said if left is None else {**said, **asdict(left)})
