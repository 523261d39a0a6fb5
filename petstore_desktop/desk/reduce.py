"""Which event does what to the desk. Loaded with the first event: the first paint is before that.

Stored rows go into the stores unseen, and a list is shown when it is complete, so that a table sorts and filters once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec.structs import replace

from petstore_desktop.desk.load_state import Costs, LoadState, Phase, Waits
from petstore_desktop.desk.model.ripple import Changed
from petstore_desktop.desk.model.row_store import Merge
from petstore_desktop.desk.model.shop_model import LINKED, ShopModel
from petstore_desktop.domain.errors import KeyringError
from petstore_desktop.domain.quota import Link
from petstore_desktop.domain.records import Resource, RowBlock
from petstore_desktop.sync.wire import events
from petstore_desktop.sync.wire.events import Event, MirrorRead

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.domain.changes import Change


def apply_event(desk: Desk, event: Event) -> Changed:
    """Apply an event of the sync thread to the desk; tables notify their listeners within this call. Returns the
    visible changes: none for another connection's event."""
    return _apply(desk, event) if event.connection == desk.connection else Changed()


def _apply(desk: Desk, event: Event) -> Changed:
    match event:
        case events.RowsChanged() | events.RowsRead() | events.RowsSeen() | events.MirrorRead() | events.CountsRead():
            return _take_rows(desk, event)
        case events.ChangesMoved():
            moved = desk.show_changes(event.changes, event.rows)
            return replace(moved, batches={change.batch for change in event.changes})
        case events.LoadMoved() | events.LoadWaits() | events.LoadPriced() | events.LoadEnded() | events.LoadFailed():
            desk.show_load(event.resource, _next(desk.loads[event.resource], event))
            return Changed(loads={event.resource})
        case events.BatchesMoved():
            desk.done.batches_moved(event)
            desk.outbox.show_batches(event)
            return Changed(outbox=True, batches=_batches(event))
        case events.DecisionsMoved():
            desk.outbox.decisions = {decision.id: decision for decision in event.decisions}
            desk.done.decided()
            return Changed(outbox=True)
        case events.DraftsMoved():
            return _take_drafts(desk, event)
        case (
            events.NotSaved() | events.Checked() | events.BatchPriced() | events.Undone() | events.Trouble()
            | events.ChangesRead() | events.ChangesCounted() | events.HistoryRead() | events.ChangesExported()
        ):  # fmt: skip
            return _told(desk, event)
        case _:
            return _take_state(desk, event)


class LongMove:
    """An event of many thousand changes, taken in `part` changes at a time, so that no key waits for it. The rows move
    part by part; that changes are saved, or settled, is said of all of them with the last."""

    def __init__(self, event: events.ChangesMoved, part: int) -> None:
        self._event, self._part = event, part
        self._next = 0
        self._saved: list[Change] = []
        self._settled: list[Change] = []

    @property
    def done(self) -> bool:
        """Whether all of it is taken in."""
        return self._next >= len(self._event.changes)

    def step(self, desk: Desk) -> Changed:
        """Let the desk take in the next part; what that changed."""
        part = self._event.changes[self._next : self._next + self._part]
        self._next += len(part)
        moved = apply_event(desk, replace(self._event, changes=part))
        self._saved += moved.saved
        self._settled += moved.settled
        if self.done:
            return replace(moved, saved=tuple(self._saved), settled=tuple(self._settled))
        return replace(moved, saved=(), settled=())


def long_move(event: Event, part: int) -> LongMove | None:
    """An event with so many changes that it is applied in parts; None for every other."""
    if not isinstance(event, events.ChangesMoved) or len(event.changes) <= part:
        return None
    return LongMove(event, part)


def _take_rows(
    desk: Desk,
    event: events.RowsChanged | events.RowsRead | events.RowsSeen | events.MirrorRead | events.CountsRead,
) -> Changed:
    match event:
        case events.CountsRead(counts=counts):
            desk.counts = counts
            return Changed(loads={Resource.PETS, Resource.INVENTORY})
        case events.RowsSeen():
            desk.shop.stores[event.resource].note_seen(event.at, event.keys)
            if event.keys is None and desk.shop.missing.note_read(event.resource, event.at):
                desk.show_missing()
            return Changed(loads={event.resource})
        case events.RowsChanged():
            return desk.show_rows(event.resource, event.rows, event.removed)
        case events.RowsRead(block=block):
            return take_block(desk, block)
        case events.MirrorRead():
            desk.set_load(event.resource, _next(desk.loads[event.resource], event))
            desk.shop.missing.note_kept(event.resource, event.as_of, event.named_later)
            return show_read(desk, event)


def _take_drafts(desk: Desk, event: events.DraftsMoved) -> Changed:
    for form in event.finished:
        desk.drafts.pop(form, None)
    desk.drafts.update((draft.form, draft) for draft in event.drafts)
    told = (*(draft.form for draft in event.drafts), *event.finished, *event.unsaved)
    moved = desk.show_numbers(event.numbers)
    for session in desk.scans.values():
        session.follow(told, event.unsaved, desk.drafts)
    return replace(moved, drafts=set(told), unsaved_drafts=set(event.unsaved))


def _batches(event: events.BatchesMoved) -> set[str]:
    """Those that moved, and those that they take back or do again."""
    batches = [facts.batch for facts in event.batches]
    return {name for batch in batches for name in (batch.id, batch.undoes, batch.redoes) if name}


def _told(
    desk: Desk,
    event: events.NotSaved | events.Checked | events.BatchPriced | events.Undone | events.Trouble | events.Past,
) -> Changed:
    """Events that are only announced and change no state of the desk."""
    for hear in tuple(desk.hearers):
        hear(event)
    match event:
        case events.NotSaved():
            desk.done.not_written(event.batch)
            for session in desk.scans.values():
                session.not_booked(event.batch)
            return Changed(not_saved=event)
        case events.Checked():
            if event.at is not None:
                desk.shop.stores[event.ref.resource].note_seen(event.at, (event.ref.key,))
            return Changed(checked=event)
        case events.BatchPriced():
            return Changed(priced=(event,))
        case events.Undone():
            desk.done.undone(event)
            return Changed(undone=event, batches={batch for batch in (event.batch, event.made) if batch})
        case events.Trouble():
            desk.key_unkept |= isinstance(event.error, KeyringError)
            desk.done.decided()  # it may be about what is not written
            return Changed(trouble=event)
        case _:
            return Changed(past=(event,))


def _take_state(
    desk: Desk,
    event: events.QuotaMoved
    | events.GateMoved
    | events.RequestsSent
    | events.LinkMoved
    | events.ContractRead
    | events.KeyWanted
    | events.KeyUsed
    | events.FileRowsMade,
) -> Changed:
    match event:
        case events.FileRowsMade(numbers=numbers):
            desk.overlay.remember(numbers)
            return Changed()
        case events.RequestsSent():
            desk.requests.add(event.requests, earlier=event.earlier)
            return Changed(requests=True)
        case events.QuotaMoved(quota=quota):
            desk.quota = quota
            return Changed(quota=True)
        case events.GateMoved(gate=gate):
            desk.gate = gate
            return Changed(gate=True)
        case events.LinkMoved():
            desk.link, desk.link_since, desk.link_error = event.link, event.since, event.error
            if event.link is Link.LIVE and not desk.is_keyless():  # what needs no key may answer without one
                desk.key_wanted = None
            return Changed(link=True)
        case events.ContractRead(contract=contract):
            desk.set_contract(contract)
            desk.show_checked()
            return Changed(contract=True)
        case events.KeyWanted():
            desk.key_wanted = event
            return Changed(key=True, gate=True)
        case events.KeyUsed():
            desk.key_wanted, desk.key_unkept = None, False
            return Changed(gate=True)


_Load: TypeAlias = (
    events.MirrorRead | events.LoadMoved | events.LoadWaits | events.LoadPriced | events.LoadEnded | events.LoadFailed
)


def _next(old: LoadState, event: _Load) -> LoadState:
    match event:
        case events.LoadWaits():
            return replace(old, waits=Waits(event.until, event.why))
        case events.LoadPriced():
            return replace(old, costs=Costs(event.requests, event.ends_at))
        case events.MirrorRead(as_of=as_of):
            # A load may have begun meanwhile; then only the age is news.
            phase: Phase = old.phase if old.phase != "reading" else "never" if as_of is None else "ready"
            gaps = event.gaps if old.as_of is None else old.gaps
            return replace(old, phase=phase, as_of=old.as_of if as_of is None else as_of, gaps=gaps)
        case events.LoadMoved(done=done, total=total):
            moved = done != old.done or old.phase != "loading"
            return replace(old, phase="loading", done=done, total=total, error=None, waits=None if moved else old.waits)
        case events.LoadEnded(cancelled=True):
            return replace(old, phase="cancelled", waits=None, costs=None)
        case events.LoadEnded():
            return LoadState("ready", as_of=event.as_of, gaps=event.gaps)
        case events.LoadFailed(error=error):
            return replace(old, phase="failed", error=error, waits=None, costs=None)


_SHOWN_IN: Final[Mapping[Resource, Mapping[Resource, tuple[str, ...]]]] = {
    Resource.CATEGORIES: dict.fromkeys((Resource.PETS, Resource.INVENTORY), ("category",)),
    Resource.PETS: {  # house: whole-table - other lists do not show it
        Resource.CATEGORIES: ("pets",),
        Resource.ORDERS: ("pet",),
        Resource.INVENTORY: ("pet", "category"),
    },
    Resource.ORDERS: {Resource.PETS: ("orders",)},
    Resource.INVENTORY: {Resource.PETS: ("stock",)},
}
"""The columns of other tables that show something of a resource."""


def take_block(desk: Desk, block: RowBlock) -> Changed:
    """Rows came; they are shown at the end of their list."""
    store = desk.shop.stores[block.resource]
    merge = store.extend(block)
    if block.resource in LINKED:
        _link(desk.shop, block, merge)
    return Changed()


def _link(shop: ShopModel, block: RowBlock, merge: Merge) -> None:
    """Bring the joins up to date."""
    shop.link_new(block.resource, merge.added)
    for slot in merge.changed:
        shop.relink(block.resource, slot)


def show_read(desk: Desk, event: MirrorRead) -> Changed:
    """All rows of a list are in its store: show them, and what other tables show of them."""
    resource = event.resource
    links = desk.shop.links.get(resource)
    if links is not None:
        links.expected = {}
    checked = desk.check_again()
    desk.tables[resource].refill()
    for other, table in desk.tables.items():
        columns = _SHOWN_IN[resource].get(other, ())
        if table.is_open and other is not resource and (columns or checked.get(other)):
            slots = set(desk.shop.stores[other].slots()) if columns else checked[other]
            table.merge(Merge(), dict.fromkeys(columns or ("gutter",), slots))
    return Changed(rows={resource: set(event.ends)}, loads={resource})
