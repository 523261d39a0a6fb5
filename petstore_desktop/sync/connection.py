"""One connection on the sync thread: what the window asks of it, and what it does by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from functools import partial

from msgspec import Struct

from petstore_desktop.contract.model import KEY_FAULTS, Contract, KeyPlace
from petstore_desktop.domain.changes import Change
from petstore_desktop.domain.commands import (
    Act,
    Apply,
    BindOperations,
    CancelBatch,
    CancelLoad,
    CheckLive,
    Choice,
    Command,
    Decide,
    Discard,
    ExportChanges,
    KeepDraft,
    KeepDrafts,
    PriceBatch,
    PriceUndo,
    ReadChanges,
    ReadHistory,
    Refresh,
    ResumeNow,
    Retry,
    Revert,
    SteerBatch,
    UseKey,
    UsePlan,
    Watch,
)
from petstore_desktop.domain.errors import BadInput, KeyRejected, ShopError, Unreachable
from petstore_desktop.domain.quota import GatePhase, GateView, Link, Quota, RequestClass
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.off_loop import beside, off_loop, when_free
from petstore_desktop.store.journal.reader import JournalReading
from petstore_desktop.sync.connection_setup import ConnectionParts
from petstore_desktop.sync.contract.key_trial import KeyTrial
from petstore_desktop.sync.contract.learning import bind_anew, follow_answers, learn
from petstore_desktop.sync.jobs.batches import Jobs, Surroundings
from petstore_desktop.sync.jobs.decisions import Decisions, DraftKeeper
from petstore_desktop.sync.jobs.history_reader import Archiver, HistoryReader
from petstore_desktop.sync.lists.refresher import Refresher
from petstore_desktop.sync.lists.stock_of_gone import StockOfGone
from petstore_desktop.sync.price.pricer import Pricer
from petstore_desktop.sync.send.ledger import Ledger
from petstore_desktop.sync.send.record_reader import RecordReader
from petstore_desktop.sync.send.sender import Sender
from petstore_desktop.sync.send.walker import Walker
from petstore_desktop.sync.shared.connectivity import LinkWatch, Prober
from petstore_desktop.sync.shared.context import Context
from petstore_desktop.sync.shared.initial_load import tell_mirror
from petstore_desktop.sync.shared.mirror_writer import Records
from petstore_desktop.sync.wire.events import (
    Checked,
    ContractRead,
    Event,
    FileRowsMade,
    GateMoved,
    KeyUsed,
    KeyWanted,
    LinkMoved,
    QuotaMoved,
    Trouble,
)

PROBE_AFTER_S = 0.1  # in which a waiting request may be the test request, before one is sent for it


class Online(Struct, frozen=True):
    """What there is once the client is made."""

    context: Context
    prober: Prober
    walker: Walker
    refresher: Refresher
    record_reader: RecordReader
    sender: Sender
    pricer: Pricer
    stock_of_gone: StockOfGone


class ShopSync:
    """Everything that happens for one connection on the sync thread."""

    def __init__(self, parts: ConnectionParts) -> None:
        self._parts = parts
        self._tell = parts.events.put
        self._name = parts.connection
        self._link = LinkWatch(self._name, parts.clock, self._link_moved, self._link_lost)
        self._records = Records(self._name, parts.mirror, parts.clock, self._tell)
        known = self._records
        self._ledger = Ledger(
            self._name, parts.journal, parts.clock, self._tell, known.image, known.dependents, known.unshown
        )
        self._decisions = Decisions(self._name, parts.journal, self._ledger, parts.clock, self._tell)
        around = Surroundings(self._name, parts.clock, self._tell, known.image, self._contract, self._decisions.let_go)
        self._jobs = Jobs(around, parts.journal, self._ledger)
        self._drafts = DraftKeeper(self._name, parts.journal, parts.clock, self._tell, lambda: self._ledger.local_ids)
        self._archiver = Archiver(self._name, parts.journal, parts.clock, self._tell)
        past = JournalReading(parts.journal, self._archiver.stored)
        self._history = HistoryReader(
            self._name, past, parts.mirror, parts.history.changes_of, lambda: self._ledger.local_ids, self._tell
        )
        parts.history.listen(self._ledger.unsure, lambda error: self._tell(Trouble(self._name, error)))
        self._gate = GateView()
        self._asked_for_key = False
        self._connected = asyncio.Event()
        self._keyed = asyncio.Event()
        self._ready = asyncio.Event()
        self._trial = KeyTrial(parts, self._link, self._ready, self.key_wanted)
        self._online: Online | None = None
        self._beside: list[asyncio.Task[None]] = []

    # -- from start to end

    async def run(self) -> None:
        """Report the stored data, then work until cancelled."""
        for trouble in self._parts.troubles:
            self._tell(Trouble(self._name, trouble))
        self._decisions.restore()
        self._jobs.restore()
        self._ledger.restore()
        self._decisions.say()
        self._drafts.say()
        self._tell(FileRowsMade(self._name, {key: id_ for key, id_ in self._ledger.local_ids.items() if key.row_mark}))
        mirror = off_loop(self._tell_mirror, f"mirror of {self._name}")
        telling = asyncio.create_task(mirror)  # house: thread - awaited below
        key, trouble = await self._read_key()
        await telling
        self._parts.history.catch_up(self._parts.mirror)
        # Not waited for: nothing rests on it.
        requests = off_loop(lambda: self._parts.sent.tell_earlier(self._parts.events), f"requests of {self._name}")
        self._beside = [beside(work) for work in (requests, self._jobs.run(), self._archiver.run())]
        online = self._online = await when_free(lambda: self._connect(key, trouble))
        self._connected.set()
        try:
            # Without a key nothing leaves: a service may count, or ban, what comes without one.
            await self._keyed.wait()
            if not self._parts.contract_known:
                await learn(online.context, self._parts.learn, self._keyed)
            self._tell(ContractRead(self._name, online.context.contract))
            follow_answers(online.context, self._parts.keep_contract)
            self._ready.set()
            await asyncio.gather(online.sender.run(), online.refresher.run())
        finally:
            await online.walker.close()
            online.prober.close()
            online.stock_of_gone.close()
            for task in self._beside:
                task.cancel()

    async def finish(self, grace_s: float) -> None:
        """Begin nothing more, and wait at most `grace_s` seconds for the write on the wire."""
        if self._online is not None:
            self._online.context.client.admission.close()
            await self._online.sender.finish(grace_s)
            await self._trial.finish()

    async def close(self) -> None:
        """Let go of network and files."""
        if self._online is not None:
            self._online.context.client.admission.close()
            await self._online.context.client.gateway.aclose()
        self._parts.sent.flush()
        self._archiver.close()
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
            if error.code not in KEY_FAULTS:
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
            parts.read_only,
            self._jobs.facts.look_again,
        )
        client.gateway.hear_silence(self._link.silent)

        def ended(resource: Resource) -> None:
            refresher.ended(resource)
            self._ledger.news.set()  # what was read may tell what became of a change of unknown fate

        walker = Walker(context, parts.mirror, lambda: parts.events.crowded, ended, lambda: record_reader.ask_alone)
        refresher = Refresher(context, walker, parts.mirror, self._has_to_send)
        record_reader = RecordReader(context, walker)
        stock_of_gone = StockOfGone(context, walker, record_reader, self._has_to_send)
        self._records.gone = stock_of_gone.records_gone
        sender = Sender(
            context, self._ledger, record_reader, lambda resource: walker.start((resource,), RequestClass.CHANGES)
        )
        self._gate_moved(client.admission.view)
        self._gate_moved(client.admission.quota)
        self._say_of_the_key(key, trouble, context.contract)
        pricer = Pricer(context, self._ledger, sender, record_reader, parts.sent)
        prober = Prober(client, self._link)
        return Online(context, prober, walker, refresher, record_reader, sender, pricer, stock_of_gone)

    def _has_to_send(self) -> bool:
        return self._ledger.outbox.waits and not self._parts.read_only

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
        if isinstance(said, GateView):
            stays_open = self._gate.phase is said.phase is GatePhase.OPEN
            self._gate = said
            if stays_open:
                asyncio.get_running_loop().call_soon(self._tell_gate, said)
            else:
                self._tell(GateMoved(self._name, said))
        elif self._gate.phase is GatePhase.OPEN:
            # After what the answer did, so that the window takes both in one turn.
            asyncio.get_running_loop().call_soon(self._tell, QuotaMoved(self._name, said))
        else:
            self._tell(QuotaMoved(self._name, said))
        if self._online is not None:
            self._online.refresher.moved()
        if isinstance(said, GateView) and said.phase is GatePhase.PROBING:
            asyncio.get_running_loop().call_later(PROBE_AFTER_S, self._probe_if_idle)

    def _tell_gate(self, said: GateView) -> None:
        if said is self._gate:  # what came after it is told already
            self._tell(GateMoved(self._name, said))

    def _probe_if_idle(self) -> None:
        """A pause is over and nobody wants anything: without a question nobody would learn that it is."""
        if self._online is None or not self._online.context.client.admission.idle:
            return
        if self._online.context.client.admission.view.phase is GatePhase.PROBING:
            self._probe_wanted()

    def _probe_wanted(self) -> None:
        """A pause is over and nothing idempotent waits: ask something cheap."""
        if self._online is not None:
            self._online.prober.ask()

    def _link_lost(self) -> None:
        """Before it is known what the service offers, only that is asked, and again by who asks it."""
        if self._ready.is_set():
            self._probe_wanted()

    def _link_moved(self, event: Event) -> None:
        self._tell(event)
        if isinstance(event, LinkMoved) and event.link is Link.LIVE:
            self._ledger.news.set()

    def key_wanted(self, error: ShopError | None) -> None:
        """There is no key, or it was rejected, if only for some operations: ask the person, once."""
        online = self._online if isinstance(error, KeyRejected) else None
        if online is None or online.context.client.admission.locked():
            self._keyed.clear()
        if not self._asked_for_key:
            self._asked_for_key = True
            self._tell(KeyWanted(self._name, error))

    # -- what a person asks

    async def handle(self, command: Command) -> None:
        """Carry out one command that is no act; what comes of it is told as events. Questions about the past are
        answered here; all others need the service."""
        if isinstance(command, ReadChanges | ReadHistory | ExportChanges):
            await self._history.answer(command)
            return
        await self._connected.wait()
        if self._online is None:
            return
        match command:
            case BindOperations():
                await self._bind(command, self._online)
            case UsePlan(plan=plan):
                self._online.context.client.admission.use_plan(plan)
            case ResumeNow():
                self._online.context.client.admission.resume_now()
            case _:
                await self._handle_online(command, self._online)

    async def _bind(self, command: BindOperations, online: Online) -> None:
        await self._ready.wait()
        work = partial(self._parts.bind_by_hand, command.bindings)
        online.refresher.ask(await bind_anew(online.context, work, self._parts.learn))
        self._ledger.news.set()

    def act(self, command: Act) -> None:
        """Write down what a person did, even before the service is known. Waits for nothing but the disk."""
        match command:
            case Apply():
                self._release(self._ledger.apply(command))
            case Discard(change_ids=ids):
                self._decisions.let_go(ids, command.decision)
            case Retry(change_ids=ids):
                self._jobs.retried(ids)
                self._release(self._decisions.again(ids))
            case Decide(choices=choices):
                mine = (one for one in choices if one.choice is Choice.MINE)
                self._jobs.retried(id_ for one in mine for id_ in one.change_ids)
                self._release(self._decisions.decide(command))
            case Revert():
                self._revert(command)
            case KeepDraft() | KeepDrafts():
                self._drafts.keep(command)
            case CancelBatch() | SteerBatch():
                self._archiver.bring_back(command.batch)
                self._jobs.handle(command)
                self._decisions.say()

    def _revert(self, command: Revert) -> None:
        """Undo or redo an act: a decision that holds is brought back, all else is a batch."""
        self._archiver.bring_back(command.act)
        if not self._decisions.holds(command) and self._jobs.knows(command.act):
            self._release(self._jobs.revert(command))
            self._decisions.say()
            return
        for undo in () if command.change_ids else self._decisions.gone_on(command.act):
            self._archiver.bring_back(undo.act)
            self._release(self._jobs.revert(undo))
        back = self._decisions.take_back(command)
        self._jobs.brought_back(command.act, back)
        self._release(back)

    async def _handle_online(self, command: Command, online: Online) -> None:
        match command:
            case Refresh(resources=resources):
                await self._read_anew(online, resources)
            case Watch() | CancelLoad():
                online.refresher.handle(command)
            case CheckLive(ref=ref):
                await self._check(online, ref)
            case PriceBatch():
                await online.pricer.price(command, keyed=self._keyed.is_set())
            case PriceUndo():
                self._archiver.bring_back(command.batch)
                changes = self._jobs.price_of_undo(command.batch, command.change_ids)
                await online.pricer.price(PriceBatch(command.token, changes), keyed=self._keyed.is_set())
            case UseKey():
                await self._use_key(online, command)
            case _:
                pass

    async def _read_anew(self, online: Online, resources: tuple[Resource, ...]) -> None:
        if not self._ready.is_set():
            online.context.client.admission.urge()  # what the service offers is asked for at once
            online.refresher.say_closed(resources, keyless=not self._keyed.is_set())
            await self._ready.wait()
        online.refresher.ask(resources)

    def _release(self, changes: Iterable[Change]) -> None:
        """Somebody acts on these records: what went wrong before, with them or the service, does not hold them up."""
        if self._online is not None:
            self._online.context.client.admission.urge()
            for change in changes:
                self._online.sender.release(change.ref)

    def _contract(self) -> Contract:
        return (self._parts if self._online is None else self._online.context).contract

    async def _check(self, online: Online, ref: Ref) -> None:
        if not self._keyed.is_set():
            self._tell(Checked(self._name, ref, BadInput("no-key")))
            return
        try:
            checked = await online.record_reader.check(ref)
        except ShopError as error:
            self._link.failed(error)
            if isinstance(error, KeyRejected):
                self.key_wanted(error)
            self._tell(Checked(self._name, ref, error))
            return
        if checked is not None:
            self._link.answered()
            self._tell(checked)

    async def _use_key(self, online: Online, entered: UseKey) -> None:
        """Send these keys from now on, and keep them unless the service rejects one; nothing else waits for that."""
        self._asked_for_key = False
        client = online.context.client
        try:
            further = await when_free(lambda: self._parts.new_key(entered))
        except BadInput as error:
            self.key_wanted(error)
            return
        if not client.gateway.use_keys(entered.key, further):
            self.key_wanted(BadInput("no-key"))
            return
        self._link.asked_anew()
        self._keyed.set()
        self._tell(KeyUsed(self._name))
        online.sender.key_entered()
        self._ledger.news.set()
        online.refresher.key_changed()
        await self._trial.run(client, entered)
