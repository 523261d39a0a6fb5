"""Sends what waits in the outbox, one write at a time, and writes down each step before and after it happens."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace

from petstore_desktop.api.admission import Ticket
from petstore_desktop.contract.model import Contract, Verb
from petstore_desktop.domain.changes import Change, ChangeState, Fields, Reason
from petstore_desktop.domain.errors import Conflicted, KeyRejected, NotFound, ShopError
from petstore_desktop.domain.quota import RequestClass
from petstore_desktop.domain.records import RECORD_TYPES, LocalId, Ref, Row, key_to_text
from petstore_desktop.store.journal import Journal
from petstore_desktop.sync.context import Context
from petstore_desktop.sync.engine import Facts, Look, Send, Settle, Step, next_step, outcome, settle
from petstore_desktop.sync.events import ChangesMoved
from petstore_desktop.sync.outbox import Outbox

HOLD_FIRST_S = 2.0
HOLD_LONGEST_S = 300.0


class Sender:
    """The outbox at work.

    `look` reads one record by its own operation or by its list, and raises what that raises.
    """

    def __init__(
        self, context: Context, journal: Journal, look: Callable[[Ref, RequestClass], Awaitable[None]]
    ) -> None:
        self._connection = context.connection
        self._clock = context.clock
        self._client = context.client
        self._records = context.records
        self._link = context.link
        self._tell = context.tell
        self._key_wanted = context.key_wanted
        self._journal = journal
        self._look = look
        self.contract: Contract = Contract({})
        self.outbox = Outbox()
        self._local_ids: dict[LocalId, int] = {}
        self._held: dict[Ref, tuple[int, float]] = {}
        self._news = asyncio.Event()
        self._wire = asyncio.Event()
        self._wire.set()
        self._closing = False

    def restore(self) -> None:
        """Take over what an earlier run left in the journal; what was being sent then is uncertain now."""
        now = self._clock.now().wall
        self._journal.recover(now)
        self._local_ids = dict(self._journal.local_ids())
        self.moved(self._journal.open_changes())

    def moved(self, changes: Iterable[Change]) -> None:
        """These changes are in the journal in the states they carry: take note, and say so."""
        told = tuple(changes)
        self.outbox.put(told)
        if told:
            self._tell(ChangesMoved(self._connection, told))
        self.nudge()

    def nudge(self) -> None:
        """Something is new: look at the outbox again, at once."""
        self._news.set()

    def release(self, ref: Ref) -> None:
        """A person acted on this record: no back-off any more."""
        self._held.pop(ref, None)

    async def finish(self, grace_s: float) -> None:
        """Begin nothing more, and wait at most `grace_s` seconds for what is on the wire."""
        self._closing = True
        try:
            async with asyncio.timeout(grace_s):
                await self._wire.wait()
        except TimeoutError:
            pass

    async def run(self) -> None:
        """Send for as long as the task lives."""
        while not self._closing:
            self._news.clear()
            step = self._next()
            if step is None:
                await self._pause(self._longest_hold())
                continue
            wait = self._link.wait_s()
            if wait and not isinstance(step, Settle):
                await self._pause(wait)
                step = self._next()
            await self._perform(step)

    async def _perform(self, step: Step | None) -> None:
        match step:
            case Settle():
                self._settle(step.changes, step.state, step.reason)
            case Look():
                await self._perform_look(step)
            case Send():
                await self._perform_send(step)
            case None:
                pass

    async def _pause(self, seconds: float | None) -> None:
        """Wait for news, or for `seconds`."""
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            pass

    def _next(self) -> Step | None:
        facts = Facts(self._records.row, self._records.age, self.contract, self._local_ids, self._is_held)
        return next_step(self.outbox, facts)

    # -- looking

    async def _perform_look(self, step: Look) -> None:
        self._hold(step.ref if not step.settles else step.settles[0].ref)
        error: ShopError | None = None
        try:
            await self._look(step.ref, RequestClass.CHANGES)
        except NotFound as gone:
            error = gone
        except ShopError as other:
            self._failed(other)
            return
        self._link.answered()
        row = None if error is not None else self._records.row(step.ref)
        if step.settles:
            self._settle_by(step.settles, row)
        elif row is None:
            changes = tuple(c for c in self.outbox.of(step.ref) if c.state is ChangeState.QUEUED)
            words = error.message if isinstance(error, NotFound) else ""
            self._settle(changes, ChangeState.REFUSED, Reason("no-such-record", words, 404))
        else:
            self.release(step.ref)

    def _settle_by(self, changes: tuple[Change, ...], row: Row | None) -> None:
        attempt = self._journal.last_sent(changes[0].id)
        if attempt is None:
            state, reason = ChangeState.QUEUED, None
        else:
            state, reason = settle(changes[0].intent, attempt.value, attempt.base, row)
        self._settle(changes, state, reason)

    def _settle(self, changes: tuple[Change, ...], state: ChangeState, reason: Reason | None) -> None:
        ids = tuple(change.id for change in changes)
        now = self._clock.now().wall
        self.moved(self._journal.settle(ids, state, now, reason))

    # -- sending

    async def _perform_send(self, step: Send) -> None:
        try:
            ticket = await self._client.admission.admit(
                RequestClass.CHANGES, write=True, idempotent=step.verb is not Verb.CREATE
            )
        except KeyRejected as error:
            self._key_wanted(error)
            await self._pause(None)
            return
        fresh = self._next()  # while it waited, changes may have come, gone or moved
        if self._closing or not isinstance(fresh, Send):
            self._client.admission.release(ticket)
            return
        request = json.dumps({"op": f"{fresh.ref.resource}.{fresh.verb}", "key": key_to_text(fresh.ref.key)})
        try:
            attempt = self._journal.begin_attempt(fresh.ids, request, fresh.base, fresh.fields, self._clock.now().wall)
        except ShopError:
            self._client.admission.release(ticket)
            raise
        self.moved(replace(change, state=ChangeState.SENDING) for change in fresh.changes)
        self._wire.clear()
        try:
            await self._send(fresh, ticket, attempt)
        finally:
            self._wire.set()

    async def _send(self, send: Send, ticket: Ticket, attempt: int) -> None:
        sequence = self._records.begin()
        try:
            row, result_key = await self._request(send, ticket)
        except ShopError as error:
            state, reason = outcome(send, error)
            if isinstance(error, Conflicted) and state is ChangeState.QUEUED:
                self._records.forget_etag(send.ref)
            if send.verb is Verb.DELETE and state is ChangeState.DONE:
                self._records.remove(send.ref, sequence)
            self._end(attempt, state, reason, None)
            if state in (ChangeState.QUEUED, ChangeState.UNCERTAIN):
                self._hold(send.changes[0].ref)
            self._failed(error)
            return
        except asyncio.CancelledError:
            self._end(attempt, ChangeState.UNCERTAIN, Reason("interrupted", ""), None)
            raise
        self._link.answered()
        self._take_over(send, row, result_key, sequence)
        self._end(attempt, ChangeState.DONE, None, result_key)
        self.release(send.changes[0].ref)

    async def _request(self, send: Send, ticket: Ticket) -> tuple[Row | None, int | None]:
        """Send it; returns the row of the answer, if it had one, and the id of what was created."""
        ref, client, cls = send.ref, self._client, RequestClass.CHANGES
        match send.verb:
            case Verb.CREATE:
                created = await client.create(ref.resource, send.fields, cls, ticket=ticket)
                return created.row, created.id
            case Verb.DELETE:
                await client.delete(ref, etag=send.etag, cls=cls, ticket=ticket)
                return None, None
            case _:
                whole = self._records.row(ref)
                record = None if whole is None else whole.record
                row = await client.change(ref, send.fields, whole=record, etag=send.etag, cls=cls, ticket=ticket)
                return row, None

    def _take_over(self, send: Send, row: Row | None, result_key: int | None, sequence: int) -> None:
        """The service said yes: the mirror follows, by the answer's record, or, where it had none, by what was
        sent."""
        ref = send.ref
        if send.verb is Verb.DELETE:
            self._records.remove(ref, sequence)
            return
        if result_key is not None and isinstance(ref.key, LocalId):
            self._local_ids[ref.key] = result_key
        if row is None:
            row = self._assumed(send, result_key)
        if row is not None:
            self._records.put(ref.resource, (row,), sequence)

    def _assumed(self, send: Send, result_key: int | None) -> Row | None:
        now = self._clock.now().wall
        if send.verb is Verb.CREATE:
            if result_key is None:
                return None
            return Row(result_key, RECORD_TYPES[send.ref.resource](id=result_key, **send.fields), now)  # pyright: ignore[reportCallIssue, reportArgumentType] -- field names are the record's own
        before = self._records.row(send.ref)
        if before is None:
            return None
        fields: Fields = {name: value for name, value in send.fields.items() if hasattr(before.record, name)}
        return Row(before.key, replace(before.record, **fields), now)  # pyright: ignore[reportArgumentType] -- as above

    def _end(self, attempt: int, state: ChangeState, reason: Reason | None, result_key: int | None) -> None:
        self.moved(self._journal.end_attempt(attempt, state, reason, self._clock.now().wall, result_key))

    def _failed(self, error: ShopError) -> None:
        self._link.failed(error)
        if isinstance(error, KeyRejected):
            self._key_wanted(error)

    # -- leaving a record alone for a while

    def _hold(self, ref: Ref) -> None:
        times, _ = self._held.get(ref, (0, 0.0))
        # The first repetition may come at once: a 412 or a fresh look is not a failure of the service.
        wait = 0.0 if times == 0 else min(HOLD_LONGEST_S, HOLD_FIRST_S * 2 ** (times - 1))
        self._held[ref] = (times + 1, self._clock.now().steady + wait)

    def _is_held(self, ref: Ref) -> bool:
        held = self._held.get(ref)
        return held is not None and self._clock.now().steady < held[1]

    def _longest_hold(self) -> float | None:
        now = self._clock.now().steady
        ahead = [until - now for _, until in self._held.values() if until > now]
        return min(ahead) + 0.01 if ahead else None
