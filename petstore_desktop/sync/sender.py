"""Sends what waits in the outbox, one write at a time, and writes down each step before and after it happens."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace

from petstore_desktop.api.admission import Ticket
from petstore_desktop.contract.model import Verb
from petstore_desktop.domain.changes import Change, ChangeState, Reason
from petstore_desktop.domain.errors import Conflicted, KeyRejected, NotFound, ShopError
from petstore_desktop.domain.quota import RequestClass
from petstore_desktop.domain.records import RECORD_TYPES, Ref, Resource, Row, key_to_text
from petstore_desktop.sync.context import Context
from petstore_desktop.sync.engine import Facts, Look, Send, Settle, Step, next_step, outcome, settle
from petstore_desktop.sync.ledger import Ledger

HOLD_FIRST_S = 2.0
HOLD_LONGEST_S = 300.0


class Sender:
    """The outbox at work.

    `look` reads one record by its own operation or by its list, and raises what that raises; `walk` reads a list
    anew.
    """

    def __init__(
        self,
        context: Context,
        ledger: Ledger,
        look: Callable[[Ref, RequestClass], Awaitable[None]],
        walk: Callable[[Resource], None],
    ) -> None:
        self._context = context
        self._ledger = ledger
        self._look = look
        self._walk = walk
        self._held: dict[Ref, tuple[int, float]] = {}
        self._wire = asyncio.Event()
        self._wire.set()
        self._closing = False

    def release(self, ref: Ref) -> None:
        """Somebody acted on this record, or it went well: no back-off any more."""
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
            self._ledger.news.clear()
            step = self._next()
            if step is None:
                await self._pause(self._shortest_hold())
                continue
            wait = self._context.link.wait_s()
            if wait and not isinstance(step, Settle):
                await self._pause(wait)
                step = self._next()
            await self._perform(step)

    async def _perform(self, step: Step | None) -> None:
        match step:
            case Settle():
                self._ledger.settle(step.changes, step.state, step.reason)
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
                await self._ledger.news.wait()
        except TimeoutError:
            pass

    def _next(self) -> Step | None:
        context = self._context
        facts = Facts(context.records.row, context.records.age, context.contract, self._ledger.local_ids, self._is_held)
        return next_step(self._ledger.outbox, facts)

    # -- looking

    async def _perform_look(self, step: Look) -> None:
        own = step.settles[0].ref if step.settles else step.ref
        self._hold(own)
        gone: NotFound | None = None
        try:
            await self._look(step.ref, RequestClass.CHANGES)
        except NotFound as error:
            gone = error
        except ShopError as error:
            await self._failed(error)
            return
        self._context.link.answered()
        row = None if gone is not None else self._context.records.row(step.ref)
        if step.settles:
            self._settle_by(step.settles, row)
        elif row is None:
            waiting = tuple(c for c in self._ledger.outbox.of(own) if c.state is ChangeState.QUEUED)
            words = gone.message if gone is not None else ""
            self._ledger.settle(waiting, ChangeState.REFUSED, Reason("no-such-record", words, 404))
        else:
            self.release(own)

    def _settle_by(self, changes: tuple[Change, ...], row: Row | None) -> None:
        attempt = self._ledger.last_sent(changes[0])
        if attempt is None:
            state, reason = ChangeState.QUEUED, None
        else:
            state, reason = settle(changes[0].intent, attempt.value, attempt.base, row)
        self._ledger.settle(changes, state, reason)

    # -- sending

    async def _perform_send(self, step: Send) -> None:
        admission = self._context.client.admission
        try:
            ticket = await admission.admit(RequestClass.CHANGES, write=True, idempotent=step.verb is not Verb.CREATE)
        except ShopError as error:
            await self._failed(error)
            return
        fresh = self._next()  # while it waited, changes may have come, gone or moved
        if self._closing or not isinstance(fresh, Send):
            admission.broke(ticket, sent=False)
            return
        request = json.dumps({"op": f"{fresh.ref.resource}.{fresh.verb}", "key": key_to_text(fresh.ref.key)})
        try:
            attempt = self._ledger.begin(fresh.changes, request, fresh.base, fresh.fields)
        except ShopError:
            admission.broke(ticket, sent=False)
            raise
        self._wire.clear()
        try:
            await self._send(fresh, ticket, attempt)
        finally:
            self._wire.set()

    async def _send(self, send: Send, ticket: Ticket, attempt: int) -> None:
        try:
            row, result_key = await self._request(send, ticket)
        except ShopError as error:
            self._refused(send, attempt, error)
            await self._failed(error)
            return
        except asyncio.CancelledError:
            self._ledger.end(attempt, ChangeState.UNCERTAIN, Reason("interrupted", ""))
            raise
        self._context.link.answered()
        self._take_over(send, row, result_key)
        self._ledger.end(attempt, ChangeState.DONE, None, result_key)
        self.release(send.changes[0].ref)

    def _refused(self, send: Send, attempt: int, error: ShopError) -> None:
        state, reason = outcome(send, error)
        if isinstance(error, Conflicted) and state is ChangeState.QUEUED:
            self._context.records.forget_etag(send.ref)
        if send.verb is Verb.DELETE and state is ChangeState.DONE:
            self._context.records.remove(send.ref)
        if state in (ChangeState.QUEUED, ChangeState.UNCERTAIN):
            self._hold(send.changes[0].ref)
        self._ledger.end(attempt, state, reason)

    async def _request(self, send: Send, ticket: Ticket) -> tuple[Row | None, int | None]:
        """Send it; returns the row of the answer, if it had one, and the id of what was created."""
        ref, client, cls = send.ref, self._context.client, RequestClass.CHANGES
        match send.verb:
            case Verb.CREATE:
                created = await client.create(ref.resource, send.fields, cls, ticket=ticket)
                return created.row, created.id
            case Verb.DELETE:
                await client.delete(ref, etag=send.etag, cls=cls, ticket=ticket)
                return None, None
            case _:
                known = self._context.records.row(ref)
                whole = None if known is None else known.record
                row = await client.change(ref, send.fields, whole=whole, etag=send.etag, cls=cls, ticket=ticket)
                return row, None

    def _take_over(self, send: Send, row: Row | None, result_key: int | None) -> None:
        """The service said yes: the mirror follows, by the answer's record, or, where it had none, by what was
        sent."""
        if send.verb is Verb.DELETE:
            self._context.records.remove(send.ref)
            return
        row = row or self._assumed(send, result_key)
        if row is not None:
            self._context.records.put(send.ref.resource, (row,), self._context.records.begin())
        else:
            self._walk(send.ref.resource)  # created, but the answer did not say as what

    def _assumed(self, send: Send, result_key: int | None) -> Row | None:
        now = self._context.clock.now().wall
        if send.verb is Verb.CREATE:
            if result_key is None:
                return None
            record = RECORD_TYPES[send.ref.resource](id=result_key, **send.fields)  # pyright: ignore[reportCallIssue, reportArgumentType] -- names and types were checked when the change was made
            return Row(result_key, record, now)
        before = self._context.records.row(send.ref)
        if before is None:
            return None
        return Row(before.key, replace(before.record, **send.fields), now)  # pyright: ignore[reportArgumentType] -- as above

    async def _failed(self, error: ShopError) -> None:
        self._context.link.failed(error)
        if isinstance(error, KeyRejected):
            self._context.key_wanted(error)
            await self._pause(None)

    # -- leaving a record alone for a while

    def _hold(self, ref: Ref) -> None:
        times, _ = self._held.get(ref, (0, 0.0))
        # The first repetition may come at once: a 412, or a look before a write, is no failure of the service.
        wait = 0.0 if times == 0 else min(HOLD_LONGEST_S, HOLD_FIRST_S * 2 ** min(times - 1, 10))
        self._held[ref] = (times + 1, self._context.clock.now().steady + wait)

    def _is_held(self, ref: Ref) -> bool:
        held = self._held.get(ref)
        return held is not None and self._context.clock.now().steady < held[1]

    def _shortest_hold(self) -> float | None:
        now = self._context.clock.now().steady
        ahead = [until - now for _, until in self._held.values() if until > now]
        return min(ahead) + 0.01 if ahead else None
