"""One write from the outbox to the service: written down before it leaves and when its answer has come."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from typing import TypeVar

from petstore_desktop.api.encoding import Known
from petstore_desktop.api.gate.admission import Ticket
from petstore_desktop.api.http.gateway import Sending
from petstore_desktop.contract.operations import Verb
from petstore_desktop.domain.changes import ID_KNOWN, STAYED, ChangeState, Create, Reason
from petstore_desktop.domain.errors import AnswerUnusable, Conflicted, ShopError, StorageError
from petstore_desktop.domain.quota import RequestClass
from petstore_desktop.domain.records import RECORD_TYPES, Record, Ref, Resource, Row, ServiceId, key_to_text
from petstore_desktop.store.journal.rows import Outcome
from petstore_desktop.sync.send import next_step as engine
from petstore_desktop.sync.send.conflicts import stays_as_it_was
from petstore_desktop.sync.send.created_record import NO_ID, Creations, Departure
from petstore_desktop.sync.send.ledger import Ledger
from petstore_desktop.sync.send.next_step import Send, StepFacts
from petstore_desktop.sync.send.outcomes import outcome
from petstore_desktop.sync.send.record_reader import RecordReader
from petstore_desktop.sync.shared.context import Context
from petstore_desktop.sync.shared.record_backoff import Holds
from petstore_desktop.sync.wire.events import RowsChanged, Trouble

T = TypeVar("T")

SENDING_TOLD_S = 0.15
"""A write that is answered sooner is not said to be on its way."""


class Writer:
    """Sends one write at a time. `walk` reads a list anew; `facts`: what is known now."""

    def __init__(
        self,
        context: Context,
        ledger: Ledger,
        holds: Holds[Ref],
        walk: Callable[[Resource], None],
        facts: Callable[[], StepFacts],
        record_reader: RecordReader,
    ) -> None:
        self._context = context
        self._ledger = ledger
        self._holds = holds
        self._walk, self._facts, self._record_reader = walk, facts, record_reader
        self.creations = Creations(context.records, lambda: ledger.local_ids, lambda: context.contract)
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
            last = self._context.records.row(send.ref) if send.verb is Verb.DELETE else None
            deletes = None if last is None else last.record
            attempt = self._ledger.begin(send.changes, _request_text(send, left), send.base, send.fields, deletes)
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
        return self.creations.departure(operation, self._ledger.last_sent(send.changes[0]), own)

    async def _exchange(self, send: Send, ticket: Ticket, attempt: int, left: Departure | None) -> ShopError | None:
        try:
            row, created = await self._request(send, ticket, left)
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
        self._answered(send, attempt, left, row, created)
        return None

    def _answered(
        self, send: Send, attempt: int, left: Departure | None, row: Row | None, created: ServiceId | None
    ) -> None:
        """The service did not say no: take down what it said."""
        ref = send.changes[0].ref
        if created is not None and left is not None and self.creations.is_known(Ref(ref.resource, created), left):
            self._is_no_new_one(send, row, created, attempt)
            return
        if send.verb is Verb.CREATE and (created is None or (isinstance(created, int) and created <= 0)):
            # Frameworks fill in a 0 where they made nothing: the list tells.
            self._holds.hold(ref)
            reason = Reason(NO_ID, "") if created is None else Reason("id-unusable", str(created))
            self._ledger.end(attempt, Outcome(ChangeState.UNCERTAIN, reason))
            return
        if created is None and row is not None and self._stayed(send, row):
            self._holds.hold(ref)
            self._ledger.end(attempt, Outcome(ChangeState.UNCERTAIN, Reason(STAYED, "")))
            return
        rows = self._mirror(lambda: self._take_over(send, row, created))
        made = row.record if row is not None and created is not None else None
        self._ledger.end(attempt, Outcome(ChangeState.DONE, None, created, made), rows)
        self._holds.release(ref)

    def _stayed(self, send: Send, row: Row) -> bool:
        """Whether the service shows the old value as its answer: a look tells what came of it."""
        if all(getattr(row.record, name, None) == value for name, value in send.fields.items()):
            return False  # as mostly; what is known need not be read then
        known = self._context.records.row(send.ref)
        return stays_as_it_was(send.fields, None if known is None else known.record, row.record)

    def _is_no_new_one(self, send: Send, row: Row | None, created: ServiceId, attempt: int) -> None:
        """The service says that it made a record which was there before: what became of that one a person must see."""
        if row is not None:
            records = self._context.records
            self._mirror(lambda: records.put(send.ref.resource, (row,), records.begin()))
        self._ledger.end(attempt, Outcome(ChangeState.UNCERTAIN, Reason(ID_KNOWN, str(created))))

    async def _request(self, send: Send, ticket: Ticket, left: Departure | None) -> tuple[Row | None, ServiceId | None]:
        """Returns the row of the answer, if it had one, and the id of what was created."""
        ref, client = send.ref, self._context.client
        if send.verb is Verb.CREATE:
            own = None if left is None else left.id
            made = send.changes[0].intent
            known = Known(
                extra=made.others if isinstance(made, Create) else None, key=own, category=self._category(send)
            )
            sending = Sending(RequestClass.CHANGES, ticket, in_time=partial(self._is_free, send))
            created = await client.create(ref.resource, send.fields, sending, known)
            return (None, None) if self._is_unlike(created.id) else (created.row, created.id)
        known = self._context.records.row(ref)
        whole = None if known is None else known.record
        sending = Sending(RequestClass.CHANGES, ticket, in_time=partial(self._in_time, send, whole))
        if send.verb is Verb.DELETE:
            await client.delete(ref, sending, etag=send.etag)
            self._record_reader.reached(ref.resource)
            return None, None
        category = self._category(send)
        return await client.change(ref, send.fields, sending, whole=whole, etag=send.etag, category=category), None

    def _category(self, send: Send) -> str:
        """The name of the category that a pet gets, empty where that is not known."""
        key = send.fields.get("category_id")
        record = None if not isinstance(key, ServiceId) else self._context.records.image(Ref(Resource.CATEGORIES, key))
        return getattr(record, "name", "")

    def _is_unlike(self, created: ServiceId | None) -> bool:
        """Whether this is a text, and no record of the service has such an id: the list tells."""
        return isinstance(created, str) and not any(map(self._context.records.mirror.names_by_text, Resource))

    def _is_free(self, send: Send) -> bool:
        """Whether the look that showed the id of a creation to be free still serves."""
        return send.free is None or engine.look_serves(self._context.records.absent_age(send.free))

    def _in_time(self, send: Send, seen: Record | None) -> bool:
        """Whether a write that no ETag guards may leave at this moment: nothing else was seen since it was made up, of
        what goes with a record either, and the look that it rests on still serves."""
        if engine.dependents_step(send, self._facts()) is not None:
            return False
        if send.etag is not None:
            return True
        records = self._context.records
        now = records.row(send.ref)
        unchanged = (None if now is None else now.record) == seen
        return unchanged and (not send.looked or engine.look_serves(records.age(send.ref)))

    def _refused(self, send: Send, attempt: int, error: ShopError) -> None:
        ref = send.changes[0].ref
        state, reason = outcome(send.verb, error)
        if isinstance(error, Conflicted) and send.etag is None:
            state = ChangeState.REFUSED  # no precondition was sent that a look could renew: it would go on for ever
        elif isinstance(error, Conflicted) and state is ChangeState.QUEUED:
            self._context.records.doubt(send.ref, send.etag)
            self._holds.hold(ref)
        if send.verb is Verb.DELETE and state is ChangeState.DONE and self._record_reader.doubts(send.ref):
            state = ChangeState.UNCERTAIN
        elif send.verb is Verb.DELETE and state is ChangeState.DONE:
            self._mirror(lambda: self._context.records.remove(send.ref, own=None))
        if state is ChangeState.UNCERTAIN:
            # A creation may still be on its way: a list read at once would not show it. Who answers what cannot be used
            # is not asked again at once.
            self._holds.hold(ref, first_free=send.verb is not Verb.CREATE and not isinstance(error, AnswerUnusable))
        self._ledger.end(attempt, Outcome(state, reason))

    def _take_over(self, send: Send, row: Row | None, created: ServiceId | None) -> RowsChanged | None:
        """The service said yes: the mirror follows, by the answer's record, or, where it had none, by what was
        sent; what is new by that."""
        records = self._context.records
        if send.verb is Verb.DELETE:
            return self._mirror(lambda: records.remove(send.ref, own=True))
        said = row or self._assumed(send, created)
        if said is None:
            return self._walk(send.ref.resource)  # it was done to a record of which nothing else is known
        unshown = row is None and created is not None
        kind = {"made": created is not None, "unshown": unshown, "assumed": row is None}
        return self._mirror(lambda: records.put_own(send.ref.resource, said, send.fields, **kind))

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

    def _assumed(self, send: Send, created: ServiceId | None) -> Row | None:
        now = self._context.clock.now().wall
        if created is not None:
            record = RECORD_TYPES[send.ref.resource](id=created, **send.fields)  # pyright: ignore[reportCallIssue, reportArgumentType] -- names and types were checked when the change was made
            return Row(created, record, now)
        before = self._context.records.row(send.ref)
        if before is None:
            return None
        return Row(before.key, replace(before.record, **send.fields), now)


def _request_text(send: Send, left: Departure | None) -> str:
    said = {"op": f"{send.ref.resource}.{send.verb}", "key": key_to_text(send.ref.key)}
    return json.dumps(said if left is None else {**said, **asdict(left)})
