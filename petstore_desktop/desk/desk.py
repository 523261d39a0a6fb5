"""The desk: one connection as it is shown. Events go in, tables and states come out; no Qt, one thread, no waiting."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date, tzinfo
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING

from petstore_desktop.clock import Clock
from petstore_desktop.contract.lifecycle.sunset import service_day
from petstore_desktop.contract.operations import Verb
from petstore_desktop.desk.changes.outbox import OutboxView
from petstore_desktop.desk.columns.column import Column
from petstore_desktop.desk.load_state import ConnectionState, LoadState, connection_state
from petstore_desktop.desk.model.capabilities import Action, Allowed, allowed
from petstore_desktop.desk.model.overlay import OverlayMoved
from petstore_desktop.desk.model.ripple import Changed, Moves, spread, use_minimums
from petstore_desktop.desk.model.row_store import Merge
from petstore_desktop.desk.model.shop_model import LINKED, ShopModel
from petstore_desktop.desk.table.table import Table
from petstore_desktop.desk.values.dates import local_day
from petstore_desktop.domain.changes import Change, ChangeState
from petstore_desktop.domain.errors import KeyRejected, ShopError
from petstore_desktop.domain.quota import GateView, Link, Quota
from petstore_desktop.domain.records import Key, LocalId, Ref, Resource, Row, ServiceId, StatusCounts
from petstore_desktop.domain.send_block import SendBlock, quota_in, send_block_of

if TYPE_CHECKING:
    from petstore_desktop.contract.model import Contract
    from petstore_desktop.desk.changes.details import Details
    from petstore_desktop.desk.changes.done_acts import DoneActs
    from petstore_desktop.desk.changes.requests import Requests
    from petstore_desktop.desk.edit.edits import Acts
    from petstore_desktop.desk.scanning.session import ScanSession
    from petstore_desktop.domain.codes import Codes
    from petstore_desktop.domain.commands import Draft
    from petstore_desktop.domain.low_stock import Minimums
    from petstore_desktop.domain.seen_changes import Span
    from petstore_desktop.sync.wire.events import Event, KeyWanted, RowsChanged


class Desk:
    """One connection as it is shown. `zone` is the local zone, None for the computer's."""

    def __init__(self, connection: str, clock: Clock, *, zone: tzinfo | None = None) -> None:
        self.connection = connection
        self.rehearsed = False
        """Nothing of it is real."""
        self._clock = clock
        self.shop = ShopModel(local_day(clock.now().wall, zone), zone)
        self.overlay = self.shop.overlay
        self.tables: dict[Resource, Table] = {
            resource: Table(self.shop, resource, self._may_edit) for resource in Resource
        }
        self.outbox = OutboxView(self.shop)
        self.gate = GateView()
        self.quota = Quota()
        self.link = Link.IDLE
        self.link_since: float | None = None
        self.link_error: ShopError | None = None
        self.contract: Contract | None = None
        self.key_wanted: KeyWanted | None = None
        self.key_unkept = False
        """No keyring took the key that is in use: at the next start it is asked for."""
        self.loads = {resource: LoadState() for resource in Resource}
        self.drafts: dict[str, Draft] = {}
        """The drafts, by form."""
        self.counts: StatusCounts | None = None
        """The service's own count of its pets, where it has told one."""
        self.scans: dict[str, ScanSession] = {}
        """What lies at the stations of the stock room, by their names, from when each is first opened."""
        self.codes: Codes | None = None
        """The bar codes that a person taught; None until they are read, which is after the first paint."""
        self.hearers: list[Callable[[Event], object]] = []
        """Who hears each answer to a question that the desk keeps nothing of."""
        self._editing: Ref | None = None
        self._gone_while_editing = False

    # ---- questions

    @cached_property
    def acts(self) -> Acts:
        """Builds changes from edits; made at the first use, which is after the first paint."""
        from petstore_desktop.desk.edit.edits import Acts

        return Acts(self.shop)

    @cached_property
    def done(self) -> DoneActs:
        """What people did, and what undo and redo take of it."""
        from petstore_desktop.desk.changes.done_acts import DoneActs  # late: nothing is done before the first paint

        return DoneActs(self.outbox, self.now)

    @cached_property
    def requests(self) -> Requests:
        """The sent requests."""
        from petstore_desktop.desk.changes.requests import Requests  # late: nothing is sent before the first paint

        return Requests(lambda at: local_day(at, self.shop.zone))

    def details(self, ref: Ref) -> Details | None:
        """What the pane shows of a record; None where there is none (any more)."""
        from petstore_desktop.desk.changes.details import details_of  # late: no details are open at the first paint

        return details_of(self.shop, self.resolve(ref), self.outbox.next_id)

    def load(self, resource: Resource) -> LoadState:
        """How a table is being filled."""
        offered = self.contract is None or self.contract.offers(resource, Verb.LIST)
        return self.loads[resource].with_rows(len(self.shop.stores[resource]), offered)

    def set_load(self, resource: Resource, state: LoadState) -> bool:
        """A table's load went on; whether another list is here whole now, or no longer."""
        self.loads[resource] = state
        return self._note_whole()

    def _note_whole(self) -> bool:
        before, in_part, shop = self.shop.whole, self.shop.in_part, self.shop
        shop.whole = frozenset(one for one, load in self.loads.items() if load.is_whole) - shop.unlisted
        shop.in_part = frozenset(one for one, load in self.loads.items() if load.is_in_part) - shop.unlisted
        if (shop.whole, shop.in_part) != (before, in_part):
            self._touch_all()  # what counts their records counts at least so many, or no longer
        return shop.whole != before

    def _touch_all(self) -> None:
        for table in self.tables.values():
            table.touch_all()

    def show_missing(self) -> None:
        """Of more records that others name and that are not here it is known now that they do not exist."""
        self._touch_all()
        self.show_checked()

    def untold(self, span: Span) -> frozenset[Resource]:
        """The lists of which nobody knows what changed in them: the history has not kept it, or the service shows only
        a part of them."""
        here = {one for one, load in self.loads.items() if load.is_in_part and load.phase != "reading"}
        return (span.untold | here) - self.shop.unlisted

    def show_load(self, resource: Resource, state: LoadState) -> None:
        """A table's load went on; what data checks find may be certain now, or no longer."""
        if self.set_load(resource, state):
            self.show_checked()

    def check_again(self) -> Mapping[Resource, set[int]]:
        """Answer all data checks anew, for many rows or what else they depend on moved: by list, the rows for which
        the answer of a check that is shown is another now."""
        return {} if self.shop.checked_rows is None else self.shop.checked_rows.ask_all_again()

    def show_checked(self) -> None:
        """Answer all data checks anew, and show it."""
        moves = Moves()
        for resource, slots in self.check_again().items():
            moves.joined[resource]["marks"] = slots
        self._show(moves)

    def connection_state(self) -> ConnectionState:
        """The connection in three words."""
        return connection_state(self.link, self.link_since, self.link_error, self.loads.values())

    def send_block(self) -> SendBlock | None:
        """Why what waits does not leave; None where nothing stops it."""
        offline_since = self.link_since if self.link is Link.OFFLINE else None
        return send_block_of(self.gate, self.quota, self.outbox.waiting, offline_since, keyless=self.is_keyless())

    def sends_at_once(self) -> bool:
        """Whether what is saved now leaves in a moment, so that there is no time to take it back."""
        return self.link is Link.LIVE and self.gate.hold is None and self.send_block() is None and not self.rehearsed

    def is_keyless(self) -> bool:
        """Whether no key is there to send with; one that the service rejects is there."""
        return self.key_wanted is not None and not isinstance(self.key_wanted.error, KeyRejected)

    def known_quota(self) -> Quota:
        """The windows by all that the service has said: a 429 too may call the day used up."""
        return quota_in(self.send_block(), self.quota)

    def allowed(self, action: Action | str, ref: Ref | None = None, field: str = "") -> Allowed:
        """Whether something can be done now, in this field, and why not. Raises ValueError for an unknown action."""
        to = None if ref is None else self.resolve(ref)
        return allowed(self.shop, self.contract, Action(action), to, field, self.service_day)

    def needs_category(self) -> bool:
        """Whether the service takes no new pet without a category, as far as is known."""
        create = None if self.contract is None else self.contract.find(Resource.PETS, Verb.CREATE)
        return create is None or not create.body_fields or create.requires("category_id")

    def service_day(self) -> date:
        """The day at the service, by its own clock, as far as that is known."""
        return service_day(self.now(), self.quota.skew)

    def resolve(self, ref: Ref) -> Ref:
        """The same record by the number that the service gave it meanwhile."""
        return self.overlay.resolve(ref)

    def is_changed(self, ref: Ref) -> bool:
        """Whether changes of this record, or of its stock, are shown."""
        return any(self.overlay.of(one) is not None for one in (ref, Ref(Resource.INVENTORY, ref.key)))

    def title(self, ref: Ref) -> str:
        """What a record is called; empty for an order."""
        return self.shop.title(self.resolve(ref))

    def statuses(self) -> tuple[str, ...]:
        """The statuses to choose from, in the service's words."""
        return self.shop.status_choices(Resource.PETS)

    def categories(self) -> tuple[tuple[Key, str], ...]:
        """The categories to choose from, by name."""
        store = self.shop.stores[Resource.CATEGORIES]
        named = [(store.keys[slot], self.shop.text_of(Resource.CATEGORIES, slot, "name")) for slot in store.slots()]
        return tuple(sorted(named, key=lambda pair: self.shop.collation.key(pair[1])))

    # ---- settings

    def set_contract(self, contract: Contract) -> None:
        """What the service offers, as kept from last time."""
        self.contract = contract
        self.shop.told_statuses = contract.statuses.get(Resource.PETS, ())
        make = contract.find(Resource.ORDERS, Verb.CREATE)
        takes = make is not None and make.takes("status") and not contract.doubt(make, "status")
        self.shop.told_order_statuses = contract.statuses.get(Resource.ORDERS, ()) if takes else None
        self.shop.told_days = make is not None and "ship_date" in make.day_fields
        self.shop.unlisted = frozenset(one for one in Resource if not contract.offers(one, Verb.LIST))
        self.shop.missing.in_parts = frozenset(one for one in Resource if contract.asked_statuses(one))
        self.shop.guessed = {one: contract.map(one).guessed for one in Resource}
        self._note_whole()

    def set_minimums(self, minimums: Minimums) -> Changed:
        """The minimum stock that a person set."""
        pets, low = use_minimums(self.shop, minimums)
        moves, store = Moves(), self.shop.stores[Resource.INVENTORY]
        slots = {slot for slot in map(store.slot, pets) if slot is not None}
        moves.joined[Resource.INVENTORY]["levels"] = slots
        return self._look_anew({Resource.INVENTORY: low}, moves)

    def set_changed_today(self, keys: Mapping[Resource, frozenset[Key]]) -> Changed:
        """The records that are new or look otherwise since the local midnight."""
        before = self.shop.changed_today
        self.shop.changed_today = keys
        none = frozenset[Key]()
        return self._look_anew({one: before.get(one, none) ^ keys.get(one, none) for one in Resource})

    def _look_anew(self, keys: Mapping[Resource, Collection[Key]], moves: Moves | None = None) -> Changed:
        """Local facts of these records changed (minimum, marks); `moves`: which of them may have moved."""
        moves = moves or Moves()
        for resource, some in keys.items():
            slots = (self.shop.stores[resource].slot(key) for key in some)
            moves.of(resource).changed += [slot for slot in slots if slot is not None]
        return Changed(rows=self._show(moves))

    # ---- time

    def expire(self) -> Changed:
        """Time has passed: marks "sent" go after ten seconds, and at midnight every order is a day older."""
        now = self._clock.now()
        today = local_day(now.wall, self.shop.zone)
        if today != self.shop.today:
            self.shop.today = today
            orders = Merge(changed=list(self.shop.stores[Resource.ORDERS].slots()))
            older = self._show(Moves({Resource.ORDERS: orders}))
        else:
            older = None
        changed = self._show_overlay(self.overlay.expire(now.steady))
        if older:
            changed.rows = {**older, **changed.rows}
        return changed

    def next_expiry(self) -> float | None:
        """In how many seconds a mark ends."""
        at = self.overlay.next_expiry()
        return None if at is None else max(0.0, at - self._clock.now().steady)

    def idle(self, budget_s: float = 0.004) -> bool:
        """Use idle time to prepare the filters, for about this many seconds; returns whether more is left."""
        until = perf_counter() + budget_s
        return any(table.idle(until) for table in self.tables.values())

    def now(self) -> float:
        """UTC epoch seconds."""
        return self._clock.now().wall

    @property
    def today(self) -> date:
        """The local day."""
        return self.shop.today

    # ---- events

    def begin(self, rows: Mapping[Resource, Iterable[Row]], counts: Mapping[Resource, Mapping[Key, int]]) -> None:
        """The first screen, before the sync thread runs: its rows, and, until all rows are read, how many rows of
        others name them."""
        for resource, some in counts.items():
            self.shop.links[resource].expected = some
        for resource, known in rows.items():
            self.show_rows(resource, tuple(known))

    # ---- an open editor

    def begin_edit(self, ref: Ref) -> None:
        """An editor opened in this record's row: until `end_edit` nothing moves the row, and nothing removes it."""
        self._editing = ref
        self.tables[ref.resource].pin(ref.key)

    def end_edit(self) -> Changed:
        """The editor closed; a row that the service removed meanwhile goes now."""
        ref, gone = self._editing, self._gone_while_editing
        self._editing, self._gone_while_editing = None, False
        if ref is None or not gone:
            return Changed()
        return self.show_rows(ref.resource, (), (ref.key,))

    def _keep_edited(self, resource: Resource, rows: Iterable[Row], removed: tuple[Key, ...]) -> tuple[Key, ...]:
        ref = self._editing
        if ref is None or ref.resource is not resource:
            return removed
        if any(row.key == ref.key for row in rows):
            self._gone_while_editing = False
        if ref.key not in removed:
            return removed
        self._gone_while_editing = True
        return tuple(key for key in removed if key != ref.key)

    # ---- what events do (`taking`)

    def show_rows(self, resource: Resource, rows: tuple[Row, ...], removed: tuple[Key, ...] = ()) -> Changed:
        """Rows came or went."""
        merge = self._merged(resource, rows, removed)
        return Changed(rows=self._show(Moves({resource: merge})) if merge else {})

    def _merged(self, resource: Resource, rows: tuple[Row, ...], removed: tuple[Key, ...]) -> Merge:
        store = self.shop.stores[resource]
        merge = store.upsert(rows)
        self.shop.missing.note_named(resource, (*merge.added, *merge.fields.get(LINKED.get(resource, ""), ())))
        merge.removed = store.remove(self._keep_edited(resource, rows, removed))
        return merge

    def show_changes(self, changes: tuple[Change, ...], rows: RowsChanged | None = None) -> Changed:
        """Changes are in the journal in the state that they carry; `rows` came with that."""
        self.outbox.went_on(changes)
        self.outbox.update(changes)
        acts = any(change.state in _ACTED for change in changes)
        moves = Moves({rows.resource: self._merged(rows.resource, rows.rows, rows.removed)} if rows else {})
        return self._show_overlay(self.overlay.apply(changes, self._clock.now()), acts, moves)

    def show_numbers(self, numbers: Mapping[LocalId, ServiceId]) -> Changed:
        """The service gave these numbers to pets that were made here, perhaps in an earlier run."""
        return self._show_overlay(self.overlay.know(numbers))

    def _show_overlay(self, moved: OverlayMoved, acts: bool = False, moves: Moves | None = None) -> Changed:
        """`acts`: caused by a person's act just now, not by an answer to an earlier one; `moves`: what came with it."""
        if not moved:
            return Changed()
        moves = moves or Moves()
        for old, new in moved.renamed.items():
            self._rename(old, new, moves)
        for session in self.scans.values():
            session.renamed(old.key for old in moved.renamed if old.resource is Resource.PETS)
        for ref, fields in moved.created.items():
            store = self.shop.stores[ref.resource]
            if isinstance(ref.key, LocalId):
                known = ref.key in store
                slot = store.put_local(ref.key, fields)
                (moves.of(ref.resource).changed if known else moves.of(ref.resource).added).append(slot)
        for ref in moved.dropped:
            moves.of(ref.resource).removed += self.shop.stores[ref.resource].remove((ref.key,))
        for resource, store in self.shop.stores.items():
            keys = [ref.key for ref in moved.refs if ref.resource is resource]
            if keys:
                moves.name(resource, keys)
                moves.of(resource).changed += [slot for slot in map(store.slot, keys) if slot is not None]
        return Changed(
            rows=self._show(moves, hold=acts),
            renamed=moved.renamed,
            saved=tuple(moved.first_seen),
            settled=tuple(moved.settled),
            outbox=True,
        )

    def _rename(self, old: Ref, new: Ref, moves: Moves) -> None:
        store = self.shop.stores[old.resource]
        if not isinstance(old.key, LocalId) or not isinstance(new.key, ServiceId) or old.key not in store:
            return
        self.tables[old.resource].before_rename(old.key)
        moves.of(old.resource).removed += store.rename(old.key, new.key)
        for links in self.shop.links.values():
            links.rename(old.key, new.key)

    def _show(self, moves: Moves, hold: bool = False) -> Mapping[Resource, set[Key]]:
        spread(self.shop, moves)
        for resource, merge in moves.merges.items():
            self.shop.invalidate_texts(resource, merge)
        for resource, table in self.tables.items():
            merge = moves.merges.get(resource, Merge())
            joined = moves.joined[resource]
            if merge or joined:
                table.merge(merge, joined, hold)
        return moves.keys

    def _may_edit(self, column: Column, ref: Ref) -> bool:
        return not self.obstacle(column, ref)

    def obstacle(self, column: Column, ref: Ref | None, resource: Resource | None = None) -> str:
        """Why a record's cell in this column cannot be edited, as a reason of `Allowed`; empty where it can be. Without
        a record: why none of that kind can be."""
        kind = resource if ref is None else ref.resource
        if column.kind == "stock":
            pet = None if ref is None else Ref(Resource.INVENTORY, ref.key)
            return allowed(self.shop, self.contract, Action.EDIT_STOCK, pet).reason
        action = None if kind is None else _EDITS.get(kind)
        if action is None:
            return "not-offered"
        return allowed(self.shop, self.contract, action, ref, column.field).reason


_ACTED = frozenset({ChangeState.QUEUED, ChangeState.DISCARDED})
"""The states into which a person brings a change."""
_EDITS: Mapping[Resource, Action] = {  # house: whole-table - of stock its quantity alone is edited
    Resource.PETS: Action.EDIT_PET,
    Resource.CATEGORIES: Action.EDIT_CATEGORY,
    Resource.ORDERS: Action.EDIT_ORDER,
}
