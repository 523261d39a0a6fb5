"""The changes that people made, laid over the service's rows until it has confirmed them, and for ten seconds after.

The overlay knows nothing of the rows: a booking stays `+12` here and meets its base where a cell is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct, field

from petstore_desktop.clock import Instant
from petstore_desktop.desk.values.cells import Mark, worst
from petstore_desktop.domain.changes import (
    UNPROVEN,
    AddStock,
    Change,
    ChangeState,
    Create,
    Delete,
    Fields,
    Intent,
    SetFields,
    SetStock,
    combine_stock,
)
from petstore_desktop.domain.records import FieldValue, Key, LocalId, Ref, Resource, ServiceId
from petstore_desktop.sync.wire.change_table import ByRecord, ChangeStore

SENT_SHOWN_S = 10.0
"""How long a change that is done keeps its mark, in seconds."""

MARK_OF: Mapping[ChangeState, Mark] = {
    ChangeState.QUEUED: "unsent",
    ChangeState.SENDING: "sending",
    ChangeState.DONE: "sent",
    ChangeState.REFUSED: "refused",
    ChangeState.CONFLICT: "conflict",
    ChangeState.UNCERTAIN: "uncertain",
}

_MOVING = frozenset((ChangeState.QUEUED, ChangeState.SENDING))
"""The states in which a change has come neither to an end nor to a stop."""

_REMEMBERED = 512


class FieldOverlay(Struct, frozen=True):
    """One field with a change. While `open`, `value` is what the person wants; else the service already has it."""

    value: FieldValue
    mark: Mark
    open: bool


class RecordOverlay(Struct, frozen=True):
    """What people did to one record and that is still shown. The records of a batch have mostly the very same."""

    mark: Mark | None
    created: bool = False
    deleted: bool = False
    fields: Mapping[str, FieldOverlay] = field(default_factory=dict[str, FieldOverlay])
    stock: AddStock | SetStock | None = None
    """All open stock changes in one: bookings add up, a count forgets what came before it."""
    stock_mark: Mark | None = None


_NO_FIELDS: Mapping[str, FieldOverlay] = {}


class OverlayMoved(Struct):
    """What an event did to the overlay. `created` and `dropped` are records that exist only here."""

    refs: set[Ref] = field(default_factory=set[Ref])
    first_seen: list[Change] = field(default_factory=list[Change])
    settled: list[Change] = field(default_factory=list[Change])
    created: dict[Ref, Fields] = field(default_factory=dict[Ref, Fields])
    dropped: list[Ref] = field(default_factory=list[Ref])
    renamed: dict[Ref, Ref] = field(default_factory=dict[Ref, Ref])

    def __bool__(self) -> bool:
        return bool(self.refs or self.first_seen or self.settled)


class Overlay:
    """The changes as shown over the service's values, by record."""

    def __init__(self) -> None:
        self.records: dict[Resource, dict[object, RecordOverlay]] = {resource: {} for resource in Resource}
        """What lies over each record, by its key: by the number that the service gave it, once there is one."""
        self._until: dict[int, float] = {}
        """When the mark "sent" of a change ends, in steady seconds."""
        self._bound: dict[LocalId, ServiceId] = {}
        """The numbers that the service gave to records created here."""
        self._earlier: Mapping[LocalId, ServiceId] = {}
        """The same of what rows of files made in earlier runs."""
        self._kept = ChangeStore()
        """The changes that are shown."""
        self._queues = ByRecord()
        self._taken: dict[int, Change] = {}
        """Those that are being taken in."""
        self._laid: dict[tuple[int, Mark, bool], tuple[Intent, RecordOverlay]] = {}
        """What single changes lay, by their intent and mark: those of a batch are mostly the very same."""

    def of(self, ref: Ref) -> RecordOverlay | None:
        """What lies over one record."""
        return self.records[ref.resource].get(self.resolve(ref).key)

    def changes_of(self, ref: Ref) -> tuple[Change, ...]:
        """The changes of one record that are shown, the oldest first."""
        return tuple(self._kept.some(self._queues.of(self.resolve(ref))))

    def resolve(self, ref: Ref) -> Ref:
        """The same record by its number, once the service gave it one."""
        key = self.resolve_value(ref.key) if isinstance(ref.key, LocalId) else ref.key
        return ref if key is ref.key or not isinstance(key, ServiceId) else Ref(ref.resource, key)

    def resolve_value(self, value: FieldValue) -> FieldValue:
        """A field's value with the number in place of a local id that has one by now."""
        return self._bound.get(value, value) if isinstance(value, LocalId) else value

    def next_expiry(self) -> float | None:
        """When the next mark "sent" ends, in steady seconds."""
        return min(self._until.values(), default=None)

    def apply(self, changes: Iterable[Change], now: Instant) -> OverlayMoved:
        """Take in changes as the journal has them now."""
        moved = OverlayMoved()
        for change in changes:
            self._take(change, now, moved)
        self._rebuild(moved.refs)
        return moved

    def know(self, numbers: Mapping[LocalId, ServiceId]) -> OverlayMoved:
        """The service gave these numbers to pets that were made here."""
        moved = OverlayMoved()
        for local, number in numbers.items():
            self._bind(Resource.PETS, local, number, moved)
        self._rebuild(moved.refs)
        return moved

    def remember(self, numbers: Mapping[LocalId, ServiceId]) -> None:
        """The service gave these numbers to what rows of files made in earlier runs."""
        self._earlier = numbers

    def made_by_rows(self, resource: Resource) -> dict[str, list[Key]]:
        """What rows of files made, by the marks of the rows (`LocalId.row_mark`): the keys, those without a number are
        still to be made."""
        found: dict[str, list[Key]] = {}
        waiting = (key for key, over in self.records[resource].items() if over.created and isinstance(key, LocalId))
        made: dict[LocalId, Key] = {**self._earlier, **self._bound, **{key: key for key in waiting}}
        for local, key in made.items():
            if local.row_mark:
                found.setdefault(local.row_mark, []).append(key)
        return found

    def expire(self, steady: float) -> OverlayMoved:
        """Let the marks "sent" go whose time is over."""
        moved = OverlayMoved()
        for change_id in [change_id for change_id, until in self._until.items() if until <= steady]:
            change = self._kept.get(change_id)
            if change is None:
                continue
            ref = self.resolve(change.ref)
            if isinstance(change.intent, Create) and isinstance(ref.key, LocalId):
                moved.dropped.append(ref)  # done, but the service never said under which number
            moved.refs.add(ref)
            self._forget(change)
        self._rebuild(moved.refs)
        return moved

    def _take(self, change: Change, now: Instant, moved: OverlayMoved) -> None:
        known = self._kept.get(change.id)
        ref = change.ref
        if isinstance(ref.key, LocalId):
            if isinstance(change.intent, Create) and change.result_key is not None:
                self._bind(ref.resource, ref.key, change.result_key, moved)
            ref = self.resolve(ref)
        moved.refs.add(ref)
        if known is None and change.state.is_open:
            moved.first_seen.append(change)
        elif known is not None and change.state not in _MOVING and _came_to(change) != _came_to(known):
            moved.settled.append(change)
        if change.state.is_open or self._lingers(change, known, now):
            self._keep(ref, change)
            if change.state.is_open and isinstance(change.intent, Create) and isinstance(ref.key, LocalId):
                moved.created[ref] = change.intent.fields
            return
        if change.state is ChangeState.DISCARDED and isinstance(change.intent, Create) and isinstance(ref.key, LocalId):
            moved.dropped.append(ref)
        self._forget(change)

    def _lingers(self, change: Change, known: Change | None, now: Instant) -> bool:
        if change.state is ChangeState.DISCARDED:
            return False
        if known is not None and known.state.is_open:
            left = SENT_SHOWN_S
        else:
            left = SENT_SHOWN_S - max(0.0, now.wall - change.moved_at)
        if left <= 0:
            return False
        self._until.setdefault(change.id, now.steady + left)
        return True

    def _keep(self, ref: Ref, change: Change) -> None:
        if self._kept.put(change):
            self._queues.add(ref, change.id)
        self._taken[change.id] = change
        if change.state.is_open:
            self._until.pop(change.id, None)

    def _forget(self, change: Change) -> None:
        self._kept.drop(change.id)
        self._taken.pop(change.id, None)
        self._until.pop(change.id, None)
        self._queues.remove(self.resolve(change.ref), change.id)

    def _bind(self, resource: Resource, local: LocalId, number: ServiceId, moved: OverlayMoved) -> None:
        if self._bound.get(local) == number:
            return
        self._bound[local] = number
        for kind in (resource, Resource.INVENTORY) if resource is Resource.PETS else (resource,):
            old, new = Ref(kind, local), Ref(kind, number)
            self.records[kind].pop(local, None)
            for id_ in self._queues.of(old):
                self._queues.remove(old, id_)
                self._queues.add(new, id_)
                moved.refs.add(new)
            if kind is resource:
                moved.renamed[old] = new
        naming = self._kept.where(lambda common: _names(common.intent, local))
        moved.refs.update(self.resolve(change.ref) for change in naming)

    def _rebuild(self, refs: Iterable[Ref]) -> None:
        for ref in refs:
            ids = self._queues.of(ref)
            only = self._taken.get(ids[0]) if len(ids) == 1 else None
            changes = tuple(self._kept.some(ids)) if only is None else (only,)
            if changes:
                self.records[ref.resource][ref.key] = self._combine(changes)
            else:
                self.records[ref.resource].pop(ref.key, None)
        self._taken.clear()

    def _combine(self, changes: tuple[Change, ...]) -> RecordOverlay:
        intent, mark = changes[0].intent, MARK_OF[changes[0].state]
        if len(changes) > 1 or not isinstance(intent, AddStock | SetStock | SetFields) or _is_local(intent):
            return self._combined(changes)
        place = id(intent), mark, any(map(_is_looked_at, changes))
        known = self._laid.get(place)
        if known is None:
            if len(self._laid) >= _REMEMBERED:
                self._laid.clear()
            known = self._laid[place] = (intent, self._combined(changes))
        return known[1]

    def _combined(self, changes: tuple[Change, ...]) -> RecordOverlay:
        stock: AddStock | SetStock | None = None
        bookings = [change for change in changes if isinstance(change.intent, AddStock | SetStock)]
        stock_marks: set[Mark] = {MARK_OF[change.state] for change in bookings}
        last = len(bookings) - 1
        for place, change in enumerate(bookings):
            beside = change.state is ChangeState.REFUSED and place < last  # others are made without it
            beside = beside or _is_looked_at(change)
            if change.state.is_open and not beside and isinstance(change.intent, AddStock | SetStock):
                stock = combine_stock(stock, change.intent)
        return RecordOverlay(
            worst({MARK_OF[change.state] for change in changes}),
            created=any(isinstance(change.intent, Create) and change.state.is_open for change in changes),
            deleted=any(isinstance(change.intent, Delete) and change.state.is_open for change in changes),
            fields=self._merged(changes),
            stock=stock,
            stock_mark=worst(stock_marks),
        )

    def _merged(self, changes: tuple[Change, ...]) -> Mapping[str, FieldOverlay]:
        fields: dict[str, FieldOverlay] = {}
        for change in changes:
            if isinstance(change.intent, SetFields):
                for name, value in change.intent.fields.items():
                    known = self.resolve_value(value)
                    fields[name] = _laid(fields.get(name), known, MARK_OF[change.state], change.state.is_open)
        return fields or _NO_FIELDS


def _is_looked_at(change: Change) -> bool:
    """Whether it is a booking of unknown fate whose stock was read since: that number may have it in it already, so it
    is not added; its mark says that a person decides."""
    asked = change.state is ChangeState.UNCERTAIN and change.reason is not None and change.reason.code in UNPROVEN
    return asked and isinstance(change.intent, AddStock)


def _is_local(intent: Intent) -> bool:
    """Whether what it comes to depends on a record that has no number yet."""
    return isinstance(intent, SetFields) and any(isinstance(value, LocalId) for value in intent.fields.values())


def _came_to(change: Change) -> tuple[ChangeState, bool]:
    return change.state, change.needs_person


def _laid(under: FieldOverlay | None, value: FieldValue, mark: Mark, is_open: bool) -> FieldOverlay:
    if under is None:
        return FieldOverlay(value, mark, is_open)
    both = worst({under.mark, mark}) or mark
    if is_open or not under.open:
        return FieldOverlay(value, both, is_open)
    return FieldOverlay(under.value, both, open=True)


def _names(intent: Intent, local: LocalId) -> bool:
    return isinstance(intent, SetFields | Create) and local in intent.fields.values()
