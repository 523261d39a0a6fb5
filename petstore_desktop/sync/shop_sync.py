"""One connection on the sync thread: what the window asks of it, and what it does by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from petstore_desktop.api.client import Client
from petstore_desktop.clock import Clock, Random
from petstore_desktop.contract.model import Contract, KeyPlace, Verb
from petstore_desktop.domain.errors import KeyRejected, NotFound, ShopError
from petstore_desktop.domain.quota import GateView, Quota, RequestClass
from petstore_desktop.domain.records import Record, Ref, Resource
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
    ResumeNow,
    Retry,
    UseKey,
)
from petstore_desktop.sync.context import Context
from petstore_desktop.sync.event_queue import EventQueue
from petstore_desktop.sync.events import (
    Checked,
    ContractRead,
    GateMoved,
    KeyWanted,
    MirrorRead,
    QuotaMoved,
    RowsChanged,
    Trouble,
)
from petstore_desktop.sync.ledger import Ledger
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
    """What a connection is put together from.

    `read_key` and `keep_key` may block for some seconds and are called off the loop. `connect` makes the client, its
    gate restored for that key; `tell_gate` and `want_probe` are what that gate calls. `learn` asks the service for
    its contract.
    """

    connection: str
    clock: Clock
    random: Random
    events: EventQueue
    mirror: Mirror
    reader: MirrorReader
    journal: Journal
    contract: Contract
    contract_known: bool
    read_key: Callable[[], str | None]
    keep_key: Callable[[str], None]
    connect: Callable[[str | None, Callable[[GateView | Quota], None], Callable[[], None]], Client]
    learn: Callable[[Client], Awaitable[Contract | None]]
    close: Callable[[], None]
    troubles: tuple[ShopError, ...] = ()


class ShopSync:
    """Everything that happens for one connection on the sync thread."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._tell = parts.events.put
        self._name = parts.connection
        self._link = LinkWatch(self._name, parts.clock, parts.random, self._tell)
        self._records = Records(self._name, parts.mirror, parts.clock, self._tell)
        self._ledger = Ledger(self._name, parts.journal, parts.clock, self._tell, self._image)
        self._contract_known = parts.contract_known
        self._asked_for_key = False
        self._ready = asyncio.Event()
        self._keyed = asyncio.Event()
        self._context: Context | None = None
        self._walker: Walker | None = None
        self._sender: Sender | None = None

    # -- from start to end

    async def run(self) -> None:
        """Tell what is kept here, then work until cancelled."""
        for trouble in self._parts.troubles:
            self._tell(Trouble(self._name, trouble))
        self._ledger.restore()
        telling = asyncio.create_task(asyncio.to_thread(self._tell_mirror))
        key = await self._read_key()
        await telling
        context, walker, sender = self._connect(key)
        if key is None and context.contract.key.place is not KeyPlace.NONE:
            self.key_wanted(None)
        else:
            self._keyed.set()
            if not self._contract_known:
                await self._learn(context)
        self._tell(ContractRead(self._name, context.contract))
        self._ready.set()
        try:
            await (
                self._keyed.wait()
            )  # without a key nothing leaves: a service may count, or ban, what comes without one
            self._refresh(ORDER, by_person=False)
            await sender.run()
        finally:
            await walker.close()

    async def finish(self, grace_s: float) -> None:
        """Begin no further write, and wait at most `grace_s` seconds for the one on the wire."""
        if self._sender is not None:
            await self._sender.finish(grace_s)

    async def close(self) -> None:
        """Let go of network and files."""
        if self._context is not None:
            self._context.client.admission.close()
            await self._context.client.aclose()
        self._parts.close()

    def _tell_mirror(self) -> None:
        events, reader = self._parts.events, self._parts.reader
        for resource in ORDER:
            count = 0
            for rows in reader.stream(resource):
                events.put_when_room(RowsChanged(self._name, resource, tuple(rows)))
                count += len(rows)
            events.put(MirrorRead(self._name, resource, count, reader.facts(resource).as_of))

    async def _read_key(self) -> str | None:
        try:
            return await asyncio.to_thread(self._parts.read_key)
        except ShopError as error:
            self._tell(Trouble(self._name, error))
            return None

    def _connect(self, key: str | None) -> tuple[Context, Walker, Sender]:
        parts = self._parts
        client = parts.connect(key, self._gate_moved, self._probe_wanted)
        context = Context(
            self._name,
            parts.clock,
            client,
            self._records,
            self._link,
            self._tell,
            self.key_wanted,
            parts.contract,
        )
        self._context = context
        self._walker = Walker(context, parts.mirror, lambda: parts.events.crowded)
        self._sender = Sender(context, self._ledger, self._look, self._walk_again)
        self._gate_moved(client.admission.view)
        self._gate_moved(client.admission.quota)
        return context, self._walker, self._sender

    async def _learn(self, context: Context) -> None:
        """Ask the service what it offers, once; until it has answered, the default document serves."""
        try:
            contract = await self._parts.learn(context.client)
        except ShopError as error:
            self._link.failed(error)
            if isinstance(error, KeyRejected):
                self.key_wanted(error)
            else:
                self._tell(Trouble(self._name, error))
            return
        self._link.answered()
        self._contract_known = True
        if contract is not None:
            context.contract = contract
            context.client.use_contract(contract)

    # -- what the gate and the service say

    def _gate_moved(self, said: GateView | Quota) -> None:
        if isinstance(said, GateView):
            self._tell(GateMoved(self._name, said))
        else:
            self._tell(QuotaMoved(self._name, said))

    def _probe_wanted(self) -> None:
        """A pause is over and nothing idempotent waits: ask something cheap."""
        if self._context is None or self._walker is None:
            return
        for resource in ORDER:
            if self._context.contract.offers(resource, Verb.LIST):
                self._walker.start((resource,), RequestClass.CHANGES)
                return

    def key_wanted(self, error: ShopError | None) -> None:
        """There is no key, or it was rejected: ask the person, once."""
        if not self._asked_for_key:
            self._asked_for_key = True
            self._tell(KeyWanted(self._name, error))

    # -- what a person asks

    async def handle(self, command: Command) -> None:
        """Carry out one command; what comes of it is told as events. Acts are saved at once, even before the service
        is known."""
        match command:
            case Apply():
                for change in self._ledger.apply(command):
                    self._release(change.ref)
            case Discard(change_ids=ids):
                self._ledger.discard(ids)
            case Retry(change_ids=ids):
                for change in self._ledger.retry(ids):
                    self._release(change.ref)
            case _:
                await self._ready.wait()
                await self._handle_online(command)

    async def _handle_online(self, command: Command) -> None:
        if self._context is None or self._walker is None:
            return
        match command:
            case Refresh(resources=resources, by_person=by_person):
                self._refresh(resources, by_person)
            case CheckLive(ref=ref):
                await self._check(ref)
            case CancelLoad(resource=resource):
                self._walker.cancel(resource)
            case UseKey(key=key):
                await self._use_key(self._context, key)
            case ResumeNow():
                self._context.client.admission.resume_now()
            case _:
                pass

    def _refresh(self, resources: tuple[Resource, ...], by_person: bool) -> None:
        """Read lists anew: all for a person, else only what is stale."""
        if self._walker is None or not self._keyed.is_set():
            return
        now = self._parts.clock.now().wall
        wanted: list[Resource] = []
        for resource in resources:
            as_of = self._parts.mirror.as_of(resource)
            if by_person or as_of is None or not 0 <= now - as_of < STALE_S:
                wanted.append(resource)
        self._walker.start(wanted, RequestClass.PERSON if by_person else RequestClass.VISIBLE)
        self._ledger.news.set()

    def _walk_again(self, resource: Resource) -> None:
        if self._walker is not None:
            self._walker.start((resource,), RequestClass.CHANGES)

    def _release(self, ref: Ref) -> None:
        if self._sender is not None:
            self._sender.release(ref)

    def _image(self, ref: Ref) -> Record | None:
        row = self._parts.mirror.get(ref)
        return None if row is None else row.record

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
        if self._context is None or self._walker is None:
            return
        read = self._context.contract.find(ref.resource, Verb.READ)
        listed = self._context.contract.offers(ref.resource, Verb.LIST)
        if read is None or not isinstance(ref.key, int) or (read.deprecated and listed):
            await self._walker.walk(ref.resource, cls)
            return
        started: list[int] = []
        try:
            row = await self._context.client.read(ref, cls, on_start=lambda: started.append(self._records.begin()))
        except NotFound:
            if started:
                self._records.remove(ref, started[-1])
            raise
        self._records.put(ref.resource, (row,), started[-1])

    async def _use_key(self, context: Context, key: str) -> None:
        self._asked_for_key = False
        context.client.use_key(key)
        context.client.admission.key_changed()
        try:
            await asyncio.to_thread(self._parts.keep_key, key)
        except ShopError as error:
            self._tell(Trouble(self._name, error))
        if not self._contract_known:
            await self._learn(context)
            self._tell(ContractRead(self._name, context.contract))
        self._keyed.set()
        self._refresh(ORDER, by_person=False)
