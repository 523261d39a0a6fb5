"""The outermost seam of the window, faked: a shop port that records what it is asked and lets a test tell events."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC
from pathlib import Path
from typing import Any

from msgspec.structs import astuple, replace

from petstore_desktop.contract.model import Contract, Operation
from petstore_desktop.contract.operations import Op, Stability
from petstore_desktop.contract.survey import Survey
from petstore_desktop.desk.desk import Desk
from petstore_desktop.domain.batches import JOB, SINGLE, Batch, BatchFacts, Price, are_alike
from petstore_desktop.domain.changes import Change, ChangeState, Delete, NewChange, Reason
from petstore_desktop.domain.checks import About, Check, CheckReport, ConnectionInput
from petstore_desktop.domain.commands import Choice, Command, Decided, Decision, KeepDraft
from petstore_desktop.domain.quota import Plan
from petstore_desktop.domain.records import (
    Category,
    InventoryItem,
    Order,
    Pet,
    Resource,
    Row,
)
from petstore_desktop.preferences import ShopConnection
from petstore_desktop.shop.row_files import RowFiles
from petstore_desktop.sync.jobs.undo import ORDER_CANCELLED
from petstore_desktop.sync.wire.events import (
    BatchesMoved,
    BatchPriced,
    ChangesMoved,
    ContractRead,
    DecisionsMoved,
    DraftsMoved,
    Event,
    Link,
    LinkMoved,
    LoadEnded,
    RowsChanged,
    Undone,
)
from petstore_desktop.ui.text.localize import localize
from tests.support.manual_clock import ManualClock
from tests.ui.recording_past import RecordingPast
from tests.ui.recording_shops import RecordingShops
from tests.ui.recording_views import RecordingViews

NOON = 1_763_731_320.0
"""Fri 21 Nov 2025, 13:22 UTC."""
CONNECTION = "riverside"


class Events:
    """An event source that a test fills."""

    def __init__(self) -> None:
        self.on_wake: Callable[[], None] | None = None
        self.waiting: list[Event] = []
        self.has_urgent = True

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits."""
        return not self.waiting

    def tell(self, *events: Event) -> None:
        """As the sync thread would."""
        self.waiting.extend(events)
        if self.on_wake is not None:
            self.on_wake()

    def drain(self, budget_s: float) -> Sequence[Event]:
        """Everything that waits."""
        taken, self.waiting = self.waiting, []
        return taken


def full_contract(*leave_out: Op, **marks: Operation) -> Contract:
    """A service that offers everything but `leave_out`."""
    operations = {op: Operation(op, "GET", f"/{op.value}") for op in Op if op not in leave_out}
    operations[Op.ORDER_CANCEL] = Operation(Op.ORDER_CANCEL, "DELETE", "/store/orders/{id}", stability=Stability.BETA)
    operations = {op: found for op, found in operations.items() if op not in leave_out}
    return Contract(operations)


_NAMES = {"PriceBatch": "price"}
"""Under which commands are recorded that are not recorded under their own names."""


@dataclass
class RecordingShop:
    """A LiveShop. `asked` lists what was asked as (method, argument); with `accept` acts become journal changes."""

    name: str = "Riverside Pets"
    accept: bool = True
    state: Mapping[str, object] = field(default_factory=dict[str, object])
    clock: ManualClock = field(default_factory=lambda: ManualClock(wall=NOON))
    asked: list[tuple[str, Any]] = field(default_factory=list[tuple[str, Any]])
    sources: list[str] = field(default_factory=list[str])
    """What made each batch."""
    price_of: Callable[[tuple[NewChange, ...]], Price | None] = lambda changes: Price(len(changes))
    survey: Survey = field(default_factory=Survey)
    bindings: Mapping[str, object] = field(default_factory=dict[str, object])
    data_folder: Path = field(default_factory=lambda: Path(tempfile.gettempdir()) / "petstore-test")

    def __post_init__(self) -> None:
        self.desk = Desk(CONNECTION, self.clock, zone=UTC)
        localize(self.desk)
        self.events = Events()
        self.connection = ShopConnection(self.name, CONNECTION, "https://shop.example/v1", "free")
        self.log_folder = self.data_folder / "log"
        self._next = 1
        self.paused: set[str] = set()
        self.stopped: set[str] = set()
        """The decisions that stopped a batch."""
        self.views = RecordingViews()
        self.past = RecordingPast()
        self.journal: dict[int, Change] = {}
        self.report: CheckReport | None = report_of()
        """What a check finds; None: it goes on until it is stopped."""

    # -- what the window asks

    def submit(self, command: Command) -> None:
        """The method of its name answers a command; one without a method is only recorded."""
        kind = type(command).__name__
        name = _NAMES.get(kind, re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind).lower())
        values = astuple(command)
        if hasattr(self, name):
            getattr(self, name)(*values)
        else:
            self.asked.append((name, values if len(values) > 1 else values[0] if values else None))

    def use_key(self, key: str, further: Mapping[str, str]) -> None:
        """The main key alone, or with the further ones."""
        self.asked.append(("use_key", (key, dict(further)) if further else key))

    def act(self, *changes: NewChange) -> str:
        """A person acts, in one batch; its id."""
        batch = f"batch-{len(self.asked)}"
        self.apply(batch, changes)
        return batch

    def apply(
        self, batch: str, changes: tuple[NewChange, ...], source: str = "", drafts: tuple[KeepDraft, ...] = ()
    ) -> None:
        self.asked.append(("apply", changes))
        if drafts and self.accept:
            self.keep_drafts(drafts)
        self.sources.append(source)
        if self.accept:
            self.events.tell(self.saved(changes, batch), self.batches_moved())

    def keep_draft(self, *draft: Any) -> None:
        self.keep_drafts((KeepDraft(*draft),))

    def keep_drafts(self, drafts: tuple[KeepDraft, ...]) -> None:
        self.asked += [("keep_draft", (one.form, one.content)) for one in drafts]
        self.events.tell(DraftsMoved.of(CONNECTION, drafts, self.clock.now().wall))

    def batches_moved(self) -> BatchesMoved:
        """How far every batch has come; undo takes the latest of which something is not taken back."""
        batches: dict[str, list[Change]] = {}
        for change in self.journal.values():
            batches.setdefault(change.batch, []).append(change)
        facts = [self._facts(own) for own in batches.values()]
        return BatchesMoved(
            CONNECTION, tuple(facts), tuple(one.batch.id for one in reversed(facts) if one.undoable or one.stays)
        )

    def _facts(self, own: list[Change]) -> BatchFacts:
        priority = SINGLE if len(own) == 1 else JOB
        batch = Batch(own[0].batch, own[0].at, paused=own[0].batch in self.paused, priority=priority)
        counts = Counter(change.state for change in own)
        there = [change for change in own if change.state is not ChangeState.DISCARDED]
        undoable = sum(not _stays(change) for change in there)
        stays = ORDER_CANCELLED if there and not undoable else ""
        return BatchFacts(batch, len(own), dict(counts), own[0], are_alike(own), undoable, stays=stays)

    def price(self, token: str, changes: tuple[NewChange, ...], reads: tuple[Resource, ...] = ()) -> None:
        self.asked.append(("price", changes))
        if self.accept:
            price = self.price_of(changes)
            price = price if price is None else replace(price, requests=price.requests + len(reads))
            self.events.tell(BatchPriced(CONNECTION, token, price))

    def saved(self, changes: Iterable[NewChange], batch: str) -> ChangesMoved:
        """The event that says: committed to disk."""
        made: list[Change] = []
        for new in changes:
            now = self.clock.now().wall
            change = Change(self._next, batch, now, new.ref, new.intent, new.base, ChangeState.QUEUED, now)
            self.journal[change.id] = change
            self._next += 1
            made.append(change)
        return ChangesMoved(CONNECTION, tuple(made))

    def move(self, change_id: int, state: ChangeState, reason: Reason | None = None) -> None:
        """A change comes further."""
        old = self.journal[change_id]
        now = self.clock.now().wall
        new = Change(old.id, old.batch, old.at, old.ref, old.intent, old.base, state, now, reason)
        self.journal[change_id] = new
        self.events.tell(ChangesMoved(CONNECTION, (new,)), self.batches_moved())

    def discard(self, change_ids: tuple[int, ...], decision: str = "") -> None:
        self.asked.append(("discard", change_ids))
        if self.accept:
            for change_id in change_ids:
                self.move(change_id, ChangeState.DISCARDED)
            self.events.tell(DecisionsMoved(CONNECTION, (Decision(decision, self.clock.now().wall, change_ids),)))

    def decide(self, decision: str, choices: tuple[Decided, ...]) -> None:
        self.asked.append(("decide", choices))
        states = {Choice.MINE: ChangeState.QUEUED, Choice.THEIRS: ChangeState.DISCARDED, Choice.DONE: ChangeState.DONE}
        for choice in choices if self.accept else ():
            for change_id in choice.change_ids:
                self.move(change_id, states[choice.choice])
        ids = tuple(id_ for choice in choices for id_ in choice.change_ids)
        if self.accept:
            self.events.tell(DecisionsMoved(CONNECTION, (Decision(decision, self.clock.now().wall, ids),)))

    def revert(self, act: str, ids: tuple[int, ...] = (), again: bool = False) -> None:
        if again:
            self.asked.append(("redo_batch", act))
        elif act in self.stopped or act in self.desk.outbox.decisions:
            self.asked.append(("take_back", (act, ids) if ids else act))
        else:
            self._undo(act, ids)

    def _undo(self, batch: str, ids: tuple[int, ...]) -> None:
        self.asked.append(("undo_batch", (batch, ids)))
        if self.accept:
            unsent = [one for one in self.journal.values() if one.batch == batch and one.state is ChangeState.QUEUED]
            if unsent:
                self.events.tell(Undone(CONNECTION, batch, f"undo-{len(self.asked)}", discarded=len(unsent)))
            for change in unsent:
                self.move(change.id, ChangeState.DISCARDED)

    def price_undo(self, token: str, batch: str, ids: tuple[int, ...] = ()) -> None:
        self.asked.append(("price_undo", (batch, ids)))
        if self.accept:
            self.events.tell(BatchPriced(CONNECTION, token, self.price_of(())))

    def cancel_batch(self, batch: str, decision: str) -> None:
        self.stopped.add(decision)
        self.steer_batch(batch, "cancel")

    def steer_batch(self, batch: str, how: str) -> None:
        self.asked.append(("steer_batch", (batch, how)))
        if self.accept:
            (self.paused.add if how == "pause" else self.paused.discard)(batch)
            self.events.tell(self.batches_moved())

    def watch(self, resources: tuple[Resource, ...], present: bool, aside: bool = False) -> None:
        self.asked.append(("watch", (resources, present)))

    def use_plan(self, plan: Plan) -> None:
        self.asked.append(("use_plan", plan))

    def read_operations(self) -> Survey:
        return self.survey

    def try_bindings(self, bindings: Mapping[str, str]) -> Survey | None:
        return self.survey

    def bind_operations(self, bindings: Mapping[str, str]) -> None:
        self.asked.append(("bind_operations", dict(bindings)))

    @property
    def files(self) -> RowFiles:
        return RowFiles()

    def window_state(self) -> Mapping[str, object]:
        return self.state

    def save_window_state(self, state: Mapping[str, object]) -> None:
        self.state = dict(state)

    # -- what a test tells

    def check(self, tell: Callable[[Check], None], done: Callable[[CheckReport], None]) -> Callable[[], None]:
        self.asked.append(("check", None))
        return _answer(self.report, tell, done, lambda: self.asked.append(("stop", None)))

    def asked_for(self, method: str) -> list[Any]:
        """The arguments of every call of one method."""
        return [argument for name, argument in self.asked if name == method]

    def tell_rows(self, resource: Resource, records: Iterable[Any], done: bool = True) -> None:
        """Records came; with `done`, the list was read to its end."""
        rows = tuple(Row(_key(record), record, self.clock.now().wall) for record in records)
        self.events.tell(RowsChanged(CONNECTION, resource, rows))
        if done:
            self.events.tell(LoadEnded(CONNECTION, resource, self.clock.now().wall))

    def tell_ready(self, contract: Contract | None = None) -> None:
        """The journal is read, the service answers, and what it offers is known."""
        now = self.clock.now().wall
        self.events.tell(self.batches_moved())
        self.events.tell(ContractRead(CONNECTION, contract or full_contract()), LinkMoved(CONNECTION, Link.LIVE, now))


def _stays(change: Change) -> bool:
    """A cancelled order stays cancelled."""
    is_cancelled = change.ref.resource is Resource.ORDERS and isinstance(change.intent, Delete)
    return is_cancelled and change.state is ChangeState.DONE


def _key(record: Any) -> Any:
    return record.pet_id if isinstance(record, InventoryItem) else record.id


def report_of(*checks: Check, requests: int = 5, instead: str = "") -> CheckReport:
    """A report in which all that is not given is well."""
    given = {check.about: check for check in checks}
    counts = {"offered": 18, "of": 18, "missing": ()}
    good = {
        About.ADDRESS: Check(About.ADDRESS, True, "address", {"url": "https://shop.example/v1"}),
        About.TLS: Check(About.TLS, True, "tls"),
        About.KEY: Check(About.KEY, True, "key-accepted"),
        About.DOCUMENT: Check(About.DOCUMENT, True, "published", {"title": "Pet Store", "version": "1.0.0"}),
        About.OPERATIONS: Check(About.OPERATIONS, True, "operations", counts),
        About.LIMITS: Check(About.LIMITS, True, "limits", {"limit": 60, "remaining": 55}),
        About.CLOCK: Check(About.CLOCK, True, "clock", {"skew": 0}),
    }
    return CheckReport(
        tuple({**good, **given}[about] for about in About if about in {**good, **given}), requests, instead
    )


def _answer(
    report: CheckReport | None,
    tell: Callable[[Check], None],
    done: Callable[[CheckReport], None],
    stop: Callable[[], None],
) -> Callable[[], None]:
    """Finish a check at once, or leave it to be stopped."""
    if report is not None:
        for check in report.checks:
            tell(check)
        done(report)
    return stop


class RecordingApp:
    """An AppPort and WelcomePort."""

    def __init__(self) -> None:
        self.updates = lambda: None
        self.preferences: dict[str, str] = {"theme": "system", "language": "", "todayFirst": "off"}
        self.asked: list[tuple[str, Any]] = []
        self.report: CheckReport | None = report_of()  # what a check finds; None: it goes on until it is stopped
        self.inputs: list[ConnectionInput] = []
        self.recorded_shops = RecordingShops(self.asked)

    @property
    def welcome(self) -> RecordingApp:
        return self

    @property
    def shops(self) -> RecordingShops:
        return self.recorded_shops

    def preference(self, name: str) -> str:
        return self.preferences.get(name, "")

    def set_preference(self, name: str, value: str) -> None:
        self.preferences[name] = value

    def languages(self) -> Sequence[str]:
        return ["en", "pt_BR"]

    def diagnostics(self) -> str:
        return "Pet Store Desktop 0.1.0"

    def check(
        self, inputs: ConnectionInput, tell: Callable[[Check], None], done: Callable[[CheckReport], None]
    ) -> Callable[[], None]:
        self.asked.append(("check", (inputs.url, inputs.key)))
        self.inputs.append(inputs)
        return _answer(self.report, tell, done, lambda: self.asked.append(("stop", None)))

    def connect(self, inputs: ConnectionInput, done: Callable[[Any], None]) -> None:
        self.asked.append(("connect", (inputs.name, inputs.url, inputs.key, inputs.plan)))
        self.inputs.append(inputs)
        done(None)

    def open_demo(self) -> None:
        self.asked.append(("demo", None))

    def show_me(self, done: Callable[[Any], None]) -> None:
        self.asked.append(("show", None))
        done(None)

    def connections(self) -> Sequence[str]:
        return ["Riverside Pets"]

    def open_connection(self, name: str) -> None:
        self.asked.append(("open", name))


def small_shop() -> dict[Resource, list[Any]]:
    """A few records of each kind, one odd one among them."""
    return {
        Resource.CATEGORIES: [Category(1, "Fish"), Category(2, "Birds", "Feathered"), Category(3, "Reptiles")],
        Resource.PETS: [
            Pet(1234, "Koi", 1, "available"),
            Pet(877, "Budgerigar, sky blue", 2, "pending"),
            Pet(1422, "Ball python, pastel", 3, "sold"),
            Pet(9_223_372_036_854_775_807, "<b>bold</b>", 1, "on loan"),
        ],
        Resource.INVENTORY: [
            InventoryItem(1234, 24, "available"),
            InventoryItem(877, 3, "available"),
            InventoryItem(9_223_372_036_854_775_807, 1240, "available"),
        ],
        Resource.ORDERS: [
            Order(1198, 1234, 2, "2025-11-18T09:00:00Z", False),
            Order(1245, 877, 1, "2025-11-22T09:00:00Z", False),
            Order(1192, 1422, 1, "2025-11-01T09:00:00Z", True),
            Order(1247, 1777, 3, None, False),
        ],
    }
