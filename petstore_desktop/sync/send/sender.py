"""Sends what waits in the outbox, one write at a time, looking first where a write must rest on what is there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from msgspec.structs import replace

from petstore_desktop.api.gate.admission import Ticket
from petstore_desktop.api.http.transport import LookTooOld
from petstore_desktop.contract.operations import Verb
from petstore_desktop.domain.changes import Change, ChangeState, Create, Delete, Reason
from petstore_desktop.domain.errors import (
    Forbidden,
    KeyRejected,
    NotFound,
    NotOffered,
    NotYet,
    Refused,
    ServiceFailed,
    ShopError,
    StorageError,
)
from petstore_desktop.domain.quota import GatePhase, Link, RequestClass
from petstore_desktop.domain.records import LocalId, Ref, Resource, Row, ServiceId
from petstore_desktop.store.journal.rows import Outcome
from petstore_desktop.sync.send.ledger import Ledger
from petstore_desktop.sync.send.next_step import (
    LOOKS_IN_A_ROW,
    Look,
    Send,
    Settle,
    Step,
    StepFacts,
    next_step,
    real_ref,
    step_of_record,
)
from petstore_desktop.sync.send.outcomes import CANNOT_LOOK, STORED, is_retry, reason_of, unexpected
from petstore_desktop.sync.send.record_reader import RecordReader
from petstore_desktop.sync.send.references import References
from petstore_desktop.sync.send.settling import REDIRECTED, Settling
from petstore_desktop.sync.send.writer import Writer
from petstore_desktop.sync.shared.connectivity import NOT_NOW
from petstore_desktop.sync.shared.context import ANOTHER_WAY, CANCELLED, Context
from petstore_desktop.sync.shared.record_backoff import Act, RecordBackOff
from petstore_desktop.sync.wire.events import Trouble

STORAGE_WAIT_S = 10.0
"""How long to wait after the disk refused to take something down."""
TOO_SLOW = Reason("look-too-slow", "")
LOOKS_AT_A_CACHE = 7
"""After so many looks that a cache answered, each twice as long after the one before as that was (two minutes in all),
a person decides."""
_NEVER = (NotOffered, Forbidden, Refused)
"""What a look is answered with that will be answered so again."""


class Sender:
    """The outbox at work."""

    def __init__(
        self, context: Context, ledger: Ledger, record_reader: RecordReader, walk: Callable[[Resource], None]
    ) -> None:
        self._context = context
        self._ledger = ledger
        self._record_reader = record_reader
        self._back_off = RecordBackOff(context.clock, lambda one: (one[0], real_ref(one[1], ledger.local_ids)))
        self._writer = Writer(context, ledger, self._back_off, walk, self.facts, record_reader)
        self._references = References(context.records.mirror, lambda: context.contract)
        self._settling = Settling(context, ledger, self._writer.creations)
        self._reading: tuple[Look, asyncio.Task[None]] | None = None
        """The look at a list for a deletion, which goes on while edits leave."""
        self._closing = False
        self._disk_said = ""

    def release(self, ref: Ref) -> None:
        """Somebody acted on this record: it is not left alone any more."""
        self._back_off.went_well(*((act, ref) for act in Act))

    def key_entered(self) -> None:
        """What failed, perhaps for want of a key that may do it, is tried again."""
        self._back_off.begin_anew()

    async def finish(self, grace_s: float) -> None:
        """Begin nothing more, and wait at most `grace_s` seconds for what is on the wire."""
        self._closing = True
        await self._writer.wait_for_the_wire(grace_s)

    async def run(self) -> None:
        """Send for as long as the task lives."""
        try:
            while not self._closing:
                await self._try_turn()
        finally:
            if self._reading is not None:
                self._reading[1].cancel()

    async def _try_turn(self) -> None:
        self._ledger.news.clear()
        try:
            await self._turn()
            self._disk_said = ""
        except StorageError as error:
            if self._disk_said != error.code:
                self._disk_said = error.code
                self._context.tell(Trouble(self._context.connection, error))
            self._ledger.news.clear()
            await self._pause(STORAGE_WAIT_S)

    async def _turn(self) -> None:
        self._ledger.catch_up()
        reading = self._reading
        step = reading[0] if reading is not None and reading[1].done() else self._next()
        if step is None:
            await self._pause(self._back_off.shortest())
            return
        if not isinstance(step, Settle) and self._context.link.link is Link.OFFLINE:
            await self._pause(None)  # the link is asked after by reading: nobody knows of a write that is cut off
            return
        try:
            await self._perform(step)
        except ShopError:
            raise
        except Exception as error:  # noqa: BLE001 -- whatever it is, it concerns the changes of this step alone
            self._context.unexpected(error)
            self._set_aside(step, error)

    async def _perform(self, step: Step) -> None:
        match step:
            case Settle():
                self._settle(step)
            case Look():
                await self._perform_look(step)
            case Send():
                await self._perform_send(step)

    def _set_aside(self, step: Step, error: Exception) -> None:
        """The changes of a step that failed unexpectedly wait for a person; those of unknown fate stay that."""
        if isinstance(step, Look) and step.settles:
            self._settling.unfound.update(change.id for change in step.settles)
            self._settling.ask_person(step.settles, CANNOT_LOOK)
            self._back_off.failed((Act.LOOK, step.settles[0].ref))
            return
        own = (step.asks or step.ref) if isinstance(step, Look) else step.changes[0].ref
        self._ledger.settle(self._queued(own), Outcome(ChangeState.REFUSED, unexpected(error)))
        self._back_off.failed((Act.WRITE, own))

    def _settle(self, step: Settle) -> None:
        if step.error is not None:
            self._context.unexpected(step.error)
        row = step.made
        key = row.key if row is not None and isinstance(row.key, ServiceId) else None
        self._ledger.settle(step.changes, Outcome(step.state, step.reason, key, None if row is None else row.record))

    async def _pause(self, seconds: float | None) -> None:
        """Wait for news, or for `seconds`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._ledger.news.wait()

    def facts(self, paired: Ref | None = None) -> StepFacts:
        """The present facts for choosing the next step. `paired`: the record that was looked at under the ticket which
        serves it."""
        records, ledger = self._context.records, self._ledger
        return StepFacts(
            records.row,
            records.age,
            self._context.contract,
            ledger.local_ids,
            lambda ref: self._back_off.is_held((Act.WRITE, ref)),
            records.doubted,
            (lambda _: True) if self._context.read_only else ledger.outbox.keeps,
            ledger.pins,
            frozenset(self._settling.unfound),
            records.echoed,
            lambda ref: records.shown_alone(ref) or self._record_reader.is_listed(ref),
            ledger.unguarded,
            records.absent_age,
            records.dependents,
            self._record_reader.dependent_age,
            soon=lambda sent, ref: sent.is_soon(self._context.clock.now(), records.age(ref), records.took(ref)),
            versioned=records.versioned,
            look_held=lambda ref: self._back_off.is_held((Act.LOOK, ref)),
            stopped=ledger.stopped,
            own_writes=ledger.own_writes,
            new_id=lambda change, taken: self._writer.creations.new_id(
                change.ref.resource, ledger.sent(change), taken=taken
            ),
            unused=self._unused_age,
            paired=lambda ref: ref == paired,
            listed=self._record_reader.is_listed,
            written=self._references.written,
            read=self._references.read,
            deletes=self._writer.deletes,
            after_deletion=self._record_reader.cost_after_deletion,
            proof_cost=self._record_reader.proof_cost,
            upon_look=self._writer.upon_look,
            limited=ledger.limited,
            slowed=self._slowed,
        )

    def _slowed(self, look: Look) -> float:
        """Seconds by which the gate's pace delays the write after a look; nothing where both leave together. For one
        that is made after another came too late, what else leaves is reckoned with."""
        if not look.dependents and not self._record_reader.is_listed(look.ref):
            return 0.0
        asked = self._context.clock.now().steady - self._record_reader.look_age(look)
        late_at = self._back_off.last_at((Act.LOOK_IN_TIME, look.ref))
        alone = late_at is None or asked < late_at
        return self._context.client.admission.pace_s(self._record_reader.look_cost(look) + 1, alone=alone)

    def _unused_age(self, ref: Ref) -> float:
        """Seconds since an id was looked at and not used; where records are read by their list, that tells."""
        records, listed = self._context.records, self._record_reader.is_listed(ref)
        return (records.absent_age if listed else records.looked_for_age)(ref)

    def _next(self) -> Step | None:
        """What to do next; while a list is read for a deletion, edits only: what is made or deleted after it may rest
        on it, as the deletion of a category does on that of its pets."""
        facts = self.facts()
        if self._reading is None:
            return next_step(self._ledger.outbox, facts)

        def kept(change: Change) -> bool:
            return isinstance(change.intent, Create | Delete) or facts.kept(change)

        return next_step(self._ledger.outbox, replace(facts, kept=kept))

    # -- sending

    async def _perform_send(self, step: Send) -> None:
        ticket = await self._admitted(
            step.ref, step.verb, idempotent=step.verb is not Verb.CREATE, cost=1, retry=is_retry(step.changes)
        )
        if ticket is None:
            return
        again = self._step_of(step.ref) if ticket.waited else None
        if isinstance(again, Look) and (again.dependents or (again.pair and step.looked)):
            self._was_late(step.ref)
        await self._write_next(ticket, None, None if ticket.waited else step)

    async def _admitted(self, ref: Ref, verb: Verb, *, idempotent: bool, cost: int, retry: bool) -> Ticket | None:
        """Wait for the gate, for what is done to this record first; None where it does not open."""
        admission, scheme = self._context.client.admission, self._context.contract.scheme(ref.resource, verb)
        try:
            return await admission.admit(
                RequestClass.CHANGES, write=True, idempotent=idempotent, cost=cost, retry=retry, scheme=scheme
            )
        except ShopError as error:
            await self._failed(error, ref, verb)
            return None

    async def _write_next(self, ticket: Ticket, looked: Look | None, known: Send | None = None) -> None:
        """Use the ticket for the next write, which need not be the one it was got for: while it was waited for,
        changes may have come, gone or moved. First goes the one for which was just `looked` under this ticket. `known`:
        that write, if nothing was waited for."""
        step = known if looked is None else self._step_of(looked.asks or looked.ref, looked.ref)
        if looked is not None and isinstance(step, Settle):
            self._settle(step)  # what this look has shown must not be looked at again
        elif looked is not None and isinstance(step, Look) and step.dependents:
            self._was_late(looked.ref)
        step = step if isinstance(step, Send) else self._next()
        if self._closing or not isinstance(step, Send):
            self._context.client.admission.unused(ticket)
            return
        self._settling.unfound.difference_update(change.id for change in step.changes)
        self._back_off.went_well((Act.LOOK, step.ref))
        error = await self._writer.write(step, ticket)
        if isinstance(error, LookTooOld):
            self._was_late(step.ref)
        else:
            self._back_off.went_well((Act.LOOK_IN_TIME, step.ref))
        if error is None:
            self._context.link.answered()
        else:
            await self._failed(error, step.ref, step.verb)

    async def _failed(self, error: ShopError, ref: Ref, verb: Verb) -> None:
        """Something that was done to this record came to nothing."""
        self._context.link.failed(error)
        admission = self._context.client.admission
        if not isinstance(error, KeyRejected) or not admission.locked(
            self._context.contract.scheme(ref.resource, verb)
        ):
            return  # or it was another key that was rejected
        self._context.key_wanted(error)
        if admission.view.phase is GatePhase.LOCKED:
            self._ledger.news.clear()
            await self._pause(None)
        else:
            self._back_off.failed((Act.WRITE, ref))  # and all else goes on

    # -- looking

    async def _perform_look(self, step: Look) -> None:
        """Look; where the record is read by itself, its write leaves with the same admission."""
        if step.dependents:
            await self._look_at_dependents(step)
            return
        if not step.pair or self._record_reader.is_listed(step.ref):
            await self._look_once(step, None)
            return
        own = step.asks or step.ref
        ticket = await self._admitted(step.ref, Verb.READ, idempotent=True, cost=2, retry=is_retry(self._queued(own)))
        if ticket is None:
            return
        try:
            if await self._look_once(step, ticket):
                await self._write_next(ticket, step)
        finally:
            self._context.client.admission.unused(ticket)

    async def _look_at_dependents(self, step: Look) -> None:
        """Look at what goes with the record that is to be deleted. A list takes minutes where it is long and the limits
        are small: it is read beside the edits that wait."""
        looking, self._reading = self._reading, None
        if looking is None:
            task = asyncio.get_running_loop().create_task(  # house: thread - awaited when it is done, below
                self._record_reader.look_at_dependents(step.ref, RequestClass.CHANGES)
            )
            task.add_done_callback(lambda _: self._ledger.news.set())
            self._reading = step, task
            return
        try:
            await looking[1]
        except StorageError:
            raise
        except ShopError as error:
            await self._look_failed(replace(step, asks=step.ref), step.ref, error)
            return
        self._context.link.answered()
        again = self._step_of(step.ref)
        if isinstance(again, Look) and again.dependents:
            self._back_off.failed((Act.LOOK, step.ref), free=LOOKS_IN_A_ROW)
            self._was_late(step.ref)

    async def _look_once(self, step: Look, ticket: Ticket | None) -> bool:
        """Whether it is known now what the write must know."""
        own = step.settles[0].ref if step.settles else step.asks or step.ref
        mark = self._context.records.begin()
        gone: NotFound | None = None
        try:
            place = self._settling.place(step.ref, step.settles)
            again, proves = is_retry(step.settles), bool(step.settles)
            whole = await self._record_reader.look(place, RequestClass.CHANGES, ticket, retry=again, versions=proves)
        except NotFound as error:
            gone, whole = error, True
        except StorageError:
            raise
        except ShopError as error:
            await self._look_failed(step, own, error)
            return False
        self._context.link.answered()
        if self._context.records.is_behind(step.ref):
            self._look_behind(step, own)
            return False
        if not step.settles:  # looks that no write follows do not go on for ever; one that can leave is not held back
            self._back_off.failed((Act.LOOK, own), free=LOOKS_IN_A_ROW)
        else:
            self._back_off.went_well((Act.LOOK, own))
            step = replace(step, settles=self._settling.still_unknown(step.settles))
            if not step.settles:
                return False
        if step.settles and (isinstance(step.settles[0].intent, Create) or isinstance(step.ref.key, LocalId)):
            self._settling.creation(step.settles, whole)
            return False
        return self._take_what_is_known(step, own, mark, gone, whole)

    def _look_behind(self, step: Look, own: Ref) -> None:
        """A look has shown what was, not what is. A copy is seconds behind; a cache may go on for long, and a person is
        told."""
        times = self._back_off.failed((Act.LOOK, own))
        if times < LOOKS_AT_A_CACHE or not self._context.records.is_stored(step.ref):
            return
        if step.settles:
            self._settling.ask_person(step.settles, CANNOT_LOOK)
        else:
            self._ledger.settle(self._queued(own), Outcome(ChangeState.REFUSED, Reason(STORED, "")))
            self._back_off.went_well((Act.LOOK, own))

    def _take_what_is_known(self, step: Look, own: Ref, mark: int, gone: NotFound | None, whole: bool) -> bool:
        shown = gone is None and self._context.records.seen_since(step.ref, mark)
        if step.asks is None:
            self._take_look(step, own, self._context.records.row(step.ref) if shown else None, gone, whole)
        elif not shown and not whole:
            self._ledger.settle(self._queued(own), Outcome(ChangeState.REFUSED, Reason("cannot-look", "")))
        known = shown or (step.asks is not None and whole)
        again = self._step_of(own, step.ref) if known and not step.settles else None
        if isinstance(again, Look) and again.ref == step.ref:
            self._was_late(own)
        elif isinstance(again, Look):
            self._back_off.went_well((Act.LOOK, own))  # that id is taken, and another one is looked at
        return known

    def _step_of(self, ref: Ref, paired: Ref | None = None) -> Step | None:
        """The next step for this record; `paired`: see `facts`."""
        queued = self._queued(ref)
        changes = self._ledger.outbox.of(queued[0].ref) if queued else ()
        return step_of_record(changes, self._ledger.outbox, self.facts(paired)) if changes else None

    def _was_late(self, ref: Ref, why: Reason = TOO_SLOW) -> None:
        """A look came too late for its write, or failed at the service. Where that goes on a person is told; what waits
        for the same list, with it."""
        if self._back_off.failed((Act.LOOK_IN_TIME, ref), free=LOOKS_IN_A_ROW) < LOOKS_IN_A_ROW:
            return
        self._back_off.went_well((Act.LOOK_IN_TIME, ref))
        waiting = [ref]
        if self._record_reader.is_listed(ref):
            others = (changes[0].ref for changes in self._ledger.outbox.heads())
            waiting += [other for other in others if other.resource is ref.resource and other != ref]
        for one in waiting:
            if isinstance(step := self._step_of(one), Look) and not step.settles:
                self._ledger.settle(self._queued(one), Outcome(ChangeState.REFUSED, why))

    async def _look_failed(self, step: Look, own: Ref, error: ShopError) -> None:
        if not isinstance(error, NOT_NOW) and error.code not in (CANCELLED, ANOTHER_WAY):
            times = self._back_off.failed((Act.LOOK if step.settles else Act.WRITE, own))
            if isinstance(error, ServiceFailed) and not step.settles:
                self._was_late(own, reason_of(error))
            elif not step.settles and not isinstance(error, NotYet):
                reason = reason_of(error) if step.asks is None else replace(reason_of(error), code="cannot-look")
                self._ledger.settle(self._queued(own), Outcome(ChangeState.REFUSED, reason))
            elif times >= LOOKS_IN_A_ROW or error.code == REDIRECTED or isinstance(error, _NEVER):
                # A login page in the place of the service may stay for long.
                self._settling.ask_person(step.settles, CANNOT_LOOK)
        await self._failed(error, own, Verb.READ)

    def _take_look(self, step: Look, own: Ref, row: Row | None, gone: NotFound | None, whole: bool) -> None:
        """What the look means; `row` None: it was not shown. `whole`: what was not shown is not there."""
        known = row is not None or whole
        if step.settles and known:
            self._settling.by_row(step.settles, row)
        elif step.settles:
            self._back_off.failed((Act.LOOK, own))  # the list shows only so many: ask again later
            self._settling.ask_person(step.settles, CANNOT_LOOK)
        elif row is None:
            words, status = ("", None) if gone is None else (gone.message, gone.status)
            reason = Reason("no-such-record" if known else "cannot-look", words, status)
            waiting = self._queued(own)
            deletions = tuple(change for change in waiting if known and isinstance(change.intent, Delete))
            self._ledger.settle(deletions, Outcome(ChangeState.DONE, reason))
            left = tuple(change for change in waiting if change not in deletions)
            self._ledger.settle(left, Outcome(ChangeState.REFUSED, reason))

    def _queued(self, ref: Ref) -> tuple[Change, ...]:
        local_ids = self._ledger.local_ids
        keys = {ref.key, *(local for local, id_ in local_ids.items() if id_ == ref.key)}
        return tuple(
            change
            for key in keys
            for change in self._ledger.outbox.of(Ref(ref.resource, key))
            if change.state is ChangeState.QUEUED
        )
