"""One connection on the sync thread: what the window asks of it, and what it does by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

from petstore_desktop.api.client import Client
from petstore_desktop.clock import Clock, Random
from petstore_desktop.contract.model import Contract, KeyPlace
from petstore_desktop.domain.changes import Change
from petstore_desktop.domain.errors import BadInput, Interrupted, KeyRejected, ShopError, Unreachable
from petstore_desktop.domain.quota import GatePhase, GateView, Quota, RequestClass
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
    QuotaMoved,
    Trouble,
)
from petstore_desktop.sync.learning import Learning
from petstore_desktop.sync.ledger import Ledger
from petstore_desktop.sync.link import LinkWatch
from petstore_desktop.sync.looker import Looker
from petstore_desktop.sync.off_loop import off_loop
from petstore_desktop.sync.records import Records
from petstore_desktop.sync.sender import Sender
from petstore_desktop.sync.telling import ORDER, tell_mirror
from petstore_desktop.sync.walker import Walker

PROBE_AFTER_S = 0.1
"""So long after the end of a pause whoever waits has had the chance to be the one question."""

STALE_S = 60.0
"""A list older than this is read anew when the program starts, or when its tab is shown."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What a connection is put together from.

    `read_key` and `keep_key` may block for some seconds and are called off the loop; `reader` belongs to a thread of
    its own. `connect` makes the client, its gate restored for that key; it raises BadInput for a key or an address
    that cannot be used. `new_key` says that another key is used from now on. `learn` asks the service for its
    contract.
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
    new_key: Callable[[str], None]
    connect: Callable[[str | None, Callable[[GateView | Quota], None], Callable[[], None]], Client]
    learn: Callable[[Client], Awaitable[Contract]]
    close: Callable[[], None]
    troubles: tuple[ShopError, ...] = ()


@dataclass(frozen=True, slots=True)
class Online:
    """What there is once the client is made."""

    context: Context
    walker: Walker
    looker: Looker
    sender: Sender


class ShopSync:
    """Everything that happens for one connection on the sync thread."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._tell = parts.events.put
        self._name = parts.connection
        self._link = LinkWatch(self._name, parts.clock, parts.random, self._tell)
        self._records = Records(self._name, parts.mirror, parts.clock, self._tell)
        self._ledger = Ledger(self._name, parts.journal, parts.clock, self._tell, self._image)
        self._asked_for_key = False
        self._connected = asyncio.Event()
        self._keyed = asyncio.Event()
        self._ready = asyncio.Event()
        self._online: Online | None = None
        self._probe: asyncio.Task[None] | None = None

    # -- from start to end

    async def run(self) -> None:
        """Tell what is kept here, then work until cancelled."""
        for trouble in self._parts.troubles:
            self._tell(Trouble(self._name, trouble))
        self._ledger.restore()
        telling = asyncio.create_task(off_loop(self._tell_mirror, f"mirror of {self._name}"))
        key, trouble = await self._read_key()
        await telling
        online = self._online = self._connect(key, trouble)
        self._connected.set()
        try:
            # Without a key nothing leaves: a service may count, or ban, what comes without one.
            await self._keyed.wait()
            if not self._parts.contract_known:
                await Learning(self._parts.learn, self._keyed, self.key_wanted).learn(online.context)
            self._tell(ContractRead(self._name, online.context.contract))
            self._ready.set()
            self._refresh(online, ORDER, by_person=False)
            await online.sender.run()
        finally:
            await online.walker.close()
            if self._probe is not None:
                self._probe.cancel()

    async def finish(self, grace_s: float) -> None:
        """Begin nothing more, and wait at most `grace_s` seconds for the write on the wire."""
        if self._online is not None:
            self._online.context.client.admission.close()
            await self._online.sender.finish(grace_s)

    async def close(self) -> None:
        """Let go of network and files."""
        if self._online is not None:
            self._online.context.client.admission.close()
            await self._online.context.client.aclose()
        self._parts.close()

    def _tell_mirror(self) -> None:
        try:
            tell_mirror(self._name, self._parts.reader, self._parts.events)
        except ShopError as error:
            self._tell(Trouble(self._name, error))

    async def _read_key(self) -> tuple[str | None, ShopError | None]:
        try:
            return await off_loop(self._parts.read_key, f"key of {self._name}"), None
        except ShopError as error:
            return None, error

    def _connect(self, key: str | None, trouble: ShopError | None) -> Online:
        """Make the client, with a key that can be sent, or without one."""
        parts = self._parts
        try:
            client = parts.connect(key, self._gate_moved, self._probe_wanted)
        except BadInput as error:
            if error.code != "key-unusable":
                raise
            key, trouble = None, error
            client = parts.connect(None, self._gate_moved, self._probe_wanted)
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
        walker = Walker(context, parts.mirror, lambda: parts.events.crowded)
        looker = Looker(context, walker)
        sender = Sender(
            context, self._ledger, looker.look, lambda resource: walker.start((resource,), RequestClass.CHANGES)
        )
        self._gate_moved(client.admission.view)
        self._gate_moved(client.admission.quota)
        self._say_of_the_key(key, trouble, context.contract)
        return Online(context, walker, looker, sender)

    def _say_of_the_key(self, key: str | None, trouble: ShopError | None, contract: Contract) -> None:
        if isinstance(trouble, Unreachable):  # there is no service to which a key could belong
            self._link.failed(trouble)
            self._tell(Trouble(self._name, trouble))
        elif key is None and contract.key.place is not KeyPlace.NONE:
            self.key_wanted(trouble)
        else:
            self._keyed.set()

    # -- what the gate and the service say

    def _gate_moved(self, said: GateView | Quota) -> None:
        if isinstance(said, Quota):
            self._tell(QuotaMoved(self._name, said))
            return
        self._tell(GateMoved(self._name, said))
        if said.phase is GatePhase.PROBING:
            asyncio.get_running_loop().call_later(PROBE_AFTER_S, self._probe_if_idle)

    def _probe_if_idle(self) -> None:
        """A pause is over and nobody wants anything: without a question nobody would learn that it is."""
        if self._online is None or not self._online.context.client.admission.idle:
            return
        if self._online.context.client.admission.view.phase is GatePhase.PROBING:
            self._probe_wanted()

    def _probe_wanted(self) -> None:
        """A pause is over and nothing idempotent waits: ask something cheap."""
        if self._online is not None and (self._probe is None or self._probe.done()):
            self._probe = asyncio.get_running_loop().create_task(self._send_probe(self._online.context.client))

    async def _send_probe(self, client: Client) -> None:
        try:
            await client.probe(RequestClass.CHANGES)
        except ShopError as error:
            self._link.failed(error)
        else:
            self._link.answered()

    def key_wanted(self, error: ShopError | None) -> None:
        """There is no key, or it was rejected: ask the person, once."""
        self._keyed.clear()
        if not self._asked_for_key:
            self._asked_for_key = True
            self._tell(KeyWanted(self._name, error))

    # -- what a person asks

    async def handle(self, command: Command) -> None:
        """Carry out one command; what comes of it is told as events. Acts are saved at once, even before the service
        is known."""
        match command:
            case Apply():
                self._release(self._ledger.apply(command))
            case Discard(change_ids=ids):
                self._ledger.discard(ids)
            case Retry(change_ids=ids):
                self._release(self._ledger.retry(ids))
            case _:
                await self._connected.wait()
                if self._online is not None:
                    await self._handle_online(command, self._online)

    async def _handle_online(self, command: Command, online: Online) -> None:
        match command:
            case Refresh(resources=resources, by_person=by_person):
                await self._ready.wait()
                self._refresh(online, resources, by_person)
            case CheckLive(ref=ref):
                await self._check(online, ref)
            case CancelLoad(resource=resource):
                online.walker.cancel(resource)
            case UseKey(key=key):
                await self._use_key(online, key)
            case ResumeNow():
                online.context.client.admission.resume_now()
            case _:
                pass

    def _refresh(self, online: Online, resources: tuple[Resource, ...], by_person: bool) -> None:
        """Read lists anew: all for a person, else only what is stale, or could not be read last time."""
        now = self._parts.clock.now().wall
        wanted: list[Resource] = []
        for resource in resources:
            as_of = self._parts.mirror.as_of(resource)
            stale = as_of is None or not 0 <= now - as_of < STALE_S
            if by_person or stale or online.walker.failed(resource):
                wanted.append(resource)
        online.walker.start(wanted, RequestClass.PERSON if by_person else RequestClass.VISIBLE)

    def _release(self, changes: Iterable[Change]) -> None:
        """Somebody acted on these records: what went wrong with them before does not hold them up."""
        if self._online is not None:
            for change in changes:
                self._online.sender.release(change.ref)

    def _image(self, ref: Ref) -> Record | None:
        row = None if not isinstance(ref.key, int) else self._parts.mirror.get(ref)
        return None if row is None else row.record

    async def _check(self, online: Online, ref: Ref) -> None:
        if not self._keyed.is_set():
            self._tell(Checked(self._name, ref, BadInput("no-key")))
            return
        try:
            await online.looker.look(ref, RequestClass.PERSON)
        except ShopError as error:
            self._link.failed(error)
            if isinstance(error, KeyRejected):
                self.key_wanted(error)
            if isinstance(error, Unreachable | Interrupted):
                online.walker.again_later(ref.resource)
            self._tell(Checked(self._name, ref, error))
            return
        self._link.answered()
        self._tell(Checked(self._name, ref))

    async def _use_key(self, online: Online, key: str) -> None:
        """Send this key from now on, and keep it; whether the keyring takes it is not waited for."""
        self._asked_for_key = False
        client = online.context.client
        try:
            client.use_key(key)
        except BadInput as error:
            self.key_wanted(error)
            return
        self._parts.new_key(key)
        self._link.asked_anew()
        client.admission.key_changed()
        self._keyed.set()
        self._ledger.news.set()
        if self._ready.is_set():
            self._refresh(online, ORDER, by_person=False)
        try:
            await off_loop(lambda: self._parts.keep_key(key), f"key of {self._name}")
        except ShopError as error:
            self._tell(Trouble(self._name, error))
