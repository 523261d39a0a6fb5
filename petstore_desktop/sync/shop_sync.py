"""One connection on the sync thread: what the window asks of it, and what it does by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from petstore_desktop.api.client import Client
from petstore_desktop.clock import Clock, Random
from petstore_desktop.contract.model import Contract, Verb
from petstore_desktop.domain.errors import KeyRejected, NotFound, ShopError, StorageError
from petstore_desktop.domain.quota import GateView, Quota, RequestClass
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.store.journal import Journal
from petstore_desktop.store.mirror import Mirror
from petstore_desktop.store.mirror_reader import MirrorReader
from petstore_desktop.sync.commands import (
    Apply,
    CancelLoad,
    CheckLive,
    Command,
    Discard,
    Refresh,
    Retry,
    UseKey,
)
from petstore_desktop.sync.context import Context
from petstore_desktop.sync.engine import supersedes
from petstore_desktop.sync.event_queue import EventQueue
from petstore_desktop.sync.events import (
    Checked,
    ContractRead,
    GateMoved,
    KeyWanted,
    MirrorRead,
    NotSaved,
    QuotaMoved,
    RowsChanged,
    Trouble,
)
from petstore_desktop.sync.link import LinkWatch
from petstore_desktop.sync.records import Records
from petstore_desktop.sync.sender import Sender
from petstore_desktop.sync.walker import Walker

STALE_S = 60.0
"""A list older than this is read anew when the program starts, or when its tab is shown."""

ORDER = (Resource.CATEGORIES, Resource.PETS, Resource.INVENTORY, Resource.ORDERS)
"""The order in which lists are told and read: names before what is named by them."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a connection is put together from. `read_key` and `keep_key` may block for some seconds and are called
    off the loop; `learn` gives the contract anew where it is not known yet; `keep_contract` caches it."""

    connection: str
    clock: Clock
    random: Random
    events: EventQueue
    mirror: Mirror
    reader: MirrorReader
    journal: Journal
    client: Client
    contract: Contract
    contract_known: bool
    read_key: Callable[[], str | None]
    keep_key: Callable[[str], None]
    learn: Callable[[Client], Awaitable[Contract | None]]
    close: Callable[[], None]
    troubles: tuple[ShopError, ...] = ()


class ShopSync:
    """Everything that happens for one connection on the sync thread."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._tell = parts.events.put
        self._name = parts.connection
        self._client = parts.client
        self._journal = parts.journal
        self._link = LinkWatch(self._name, parts.clock, parts.random, self._tell)
        self._records = Records(self._name, parts.mirror, parts.clock, self._tell)
        context = Context(self._name, parts.clock, parts.client, self._records, self._link, self._tell, self.key_wanted)
        self._walker = Walker(context, parts.mirror, lambda: parts.events.crowded)
        self._sender = Sender(context, parts.journal, self._look)
        self._use(parts.contract)
        self._locked = False

    # -- from start to end

    async def run(self) -> None:
        """Tell what is kept here, then work until cancelled."""
        for trouble in self._parts.troubles:
            self._tell(Trouble(self._name, trouble))
        self._sender.restore()
        await asyncio.to_thread(self._tell_mirror)
        self.gate_moved(self._client.admission.view)
        self.quota_moved(self._client.admission.quota)
        await self._take_key()
        try:
            if not self._parts.contract_known:
                await self._learn()
            self._tell(ContractRead(self._name, self._contract))
            self.refresh(ORDER, by_person=False)
            await self._sender.run()
        finally:
            await self._walker.close()

    async def finish(self, grace_s: float) -> None:
        """Begin no further write, and wait at most `grace_s` seconds for the one on the wire."""
        await self._sender.finish(grace_s)

    async def close(self) -> None:
        """Let go of network and files."""
        await self._client.aclose()
        self._parts.close()

    def _tell_mirror(self) -> None:
        events = self._parts.events
        for resource in ORDER:
            count = 0
            for rows in self._parts.reader.stream(resource):
                events.put_when_room(RowsChanged(self._name, resource, tuple(rows)))
                count += len(rows)
            events.put(MirrorRead(self._name, resource, count, self._parts.reader.as_of(resource)))

    async def _take_key(self) -> None:
        try:
            key = await asyncio.to_thread(self._parts.read_key)
        except ShopError as error:
            self._tell(Trouble(self._name, error))
            key = None
        if key is None:
            self.key_wanted(None)
        else:
            self._client.use_key(key)

    async def _learn(self) -> None:
        while True:
            try:
                contract = await self._parts.learn(self._client)
            except KeyRejected as error:
                self.key_wanted(error)
                return
            except ShopError as error:
                self._link.failed(error)
                self._tell(Trouble(self._name, error))
                return
            if contract is not None:
                self._use(contract)
            return

    def _use(self, contract: Contract) -> None:
        self._contract = contract
        self._client.use_contract(contract)
        self._walker.contract = contract
        self._sender.contract = contract

    # -- what the gate says

    def gate_moved(self, view: GateView) -> None:
        """The gate changed its state."""
        self._tell(GateMoved(self._name, view))

    def quota_moved(self, quota: Quota) -> None:
        """The windows moved."""
        self._tell(QuotaMoved(self._name, quota))

    def probe_wanted(self) -> None:
        """A pause is over and nothing idempotent waits: ask something cheap."""
        for resource in ORDER:
            if self._contract.offers(resource, Verb.LIST):
                self._walker.start((resource,), RequestClass.CHANGES)
                return

    def key_wanted(self, error: ShopError | None) -> None:
        """There is no key, or it was rejected: ask the person, once."""
        if not self._locked:
            self._locked = True
            self._tell(KeyWanted(self._name, error))

    # -- what a person asks

    async def handle(self, command: Command) -> None:
        """Carry out one command; what comes of it is told as events."""
        match command:
            case CheckLive(ref=ref):
                await self._check(ref)
            case UseKey(key=key):
                await self._use_key(key)
            case _:
                self._handle_at_once(command)

    def _handle_at_once(self, command: Command) -> None:
        match command:
            case Apply():
                self._apply(command)
            case Discard(change_ids=ids):
                self._sender.moved(self._journal.discard(ids, self._now()))
            case Retry(change_ids=ids):
                self._retry(ids)
            case Refresh(resources=resources, by_person=by_person):
                self.refresh(resources, by_person)
            case CancelLoad(resource=resource):
                self._walker.cancel(resource)
            case _:
                self._client.admission.resume_now()

    def _retry(self, change_ids: tuple[int, ...]) -> None:
        moved = self._journal.requeue(change_ids, self._now())
        for change in moved:
            self._sender.release(change.ref)
        self._sender.moved(moved)

    def _apply(self, command: Apply) -> None:
        try:
            changes = self._journal.append(command.batch, command.changes, self._now())
        except StorageError as error:
            self._tell(NotSaved(self._name, command.batch, error))
            return
        for change in changes:
            old = tuple(
                c.id for c in self._sender.outbox.of(change.ref) if supersedes(change.intent, c, change.ref.resource)
            )
            if old:
                self._sender.moved(self._journal.discard(old, self._now()))
            self._sender.release(change.ref)
        self._sender.moved(changes)

    def refresh(self, resources: tuple[Resource, ...], by_person: bool) -> None:
        """Read lists anew: at once for a person, else only what is stale."""
        now = self._now()
        wanted: list[Resource] = []
        for resource in resources:
            as_of = self._parts.mirror.as_of(resource)
            if by_person or as_of is None or not 0 <= now - as_of < STALE_S:
                wanted.append(resource)
        self._walker.start(wanted, RequestClass.PERSON if by_person else RequestClass.VISIBLE)
        self._sender.nudge()

    async def _check(self, ref: Ref) -> None:
        try:
            await self._look(ref, RequestClass.PERSON)
        except ShopError as error:
            self._link.failed(error)
            if isinstance(error, KeyRejected):
                self.key_wanted(error)
            self._tell(Checked(self._name, ref, error))
            return
        self._link.answered()
        self._tell(Checked(self._name, ref))

    async def _look(self, ref: Ref, cls: RequestClass) -> None:
        """Read one record, by its own operation or, where there is none, by its list. Raises NotFound and what the
        client raises."""
        read = self._contract.find(ref.resource, Verb.READ)
        if read is None or not isinstance(ref.key, int):
            await self._walker.walk(ref.resource, cls)
            return
        started: list[int] = []
        try:
            row = await self._client.read(ref, cls, on_start=lambda: started.append(self._records.begin()))
        except NotFound:
            if started:
                self._records.remove(ref, started[-1])
            raise
        self._records.put(ref.resource, (row,), started[-1])

    async def _use_key(self, key: str) -> None:
        self._locked = False
        self._client.use_key(key)
        self._client.admission.key_changed()
        try:
            await asyncio.to_thread(self._parts.keep_key, key)
        except ShopError as error:
            self._tell(Trouble(self._name, error))
        if not self._parts.contract_known:
            await self._learn()
            self._tell(ContractRead(self._name, self._contract))
        self.refresh(ORDER, by_person=False)

    def _now(self) -> float:
        return self._parts.clock.now().wall
