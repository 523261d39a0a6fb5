"""What of a rehearsal is kept: what its changes come to for each record, resting on what the person saw first.

Refused, conflicting, discarded and undone changes are not kept. A record that was made in the rehearsal has no id of
the service: all that was done to it refers to its local one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from msgspec import Struct, field

from petstore_desktop.desk.preview import CellInput, Preview, inputs_of, target_of
from petstore_desktop.domain.batches import BatchKind, BatchLine
from petstore_desktop.domain.changes import (
    AddStock,
    Change,
    ChangeState,
    Create,
    Delete,
    Fields,
    Intent,
    NewChange,
    SetFields,
    SetStock,
    combine_stock,
    fields_of,
)
from petstore_desktop.domain.records import FieldValue, LocalId, Ref, Resource, ServiceId

_LEFT_OUT: Final = (ChangeState.REFUSED, ChangeState.CONFLICT)
_REFERS: Final = {"category_id": Resource.CATEGORIES, "pet_id": Resource.PETS}


class KeptChanges(Struct, frozen=True):
    """The changes, creations first; `left_out`: how many were refused or in conflict, or hang on such a one."""

    changes: tuple[NewChange, ...] = ()
    left_out: int = 0


class _Net(Struct):
    """What happened to one record."""

    create: Create | None = None
    fields: dict[str, FieldValue] = field(default_factory=dict[str, FieldValue])
    stock: AddStock | SetStock | None = None
    deleted: bool = False
    base: dict[str, FieldValue] = field(default_factory=dict[str, FieldValue])

    def add(self, intent: Intent, base: Fields) -> None:
        for name, value in base.items():
            self.base.setdefault(name, value)
        match intent:
            case Create():
                self.create = intent
            case SetFields(fields) if self.create is not None:
                self.create = Create({**self.create.fields, **fields}, self.create.extra)
            case SetFields(fields):
                self.fields.update(fields)
            case AddStock() | SetStock():
                self.stock = combine_stock(self.stock, intent)
            case Delete():
                self.deleted = True

    def changes(self, ref: Ref) -> Iterable[NewChange]:
        if self.deleted:
            if self.create is None:
                yield NewChange(ref, Delete(), self.base)
            return
        if self.create is not None:
            yield NewChange(ref, self.create)
        moved = {name: value for name, value in self.fields.items() if self.base.get(name, self) != value}
        if moved:
            yield NewChange(ref, SetFields(moved), _of(self.base, moved))
        if self.stock is not None and self.stock != AddStock(0):
            yield NewChange(ref, self.stock, _of(self.base, fields_of(self.stock)))


def _of(base: Fields, names: Iterable[str]) -> Fields:
    return {name: base[name] for name in names if name in base}


def kept_of(lines: Iterable[BatchLine], was_there: Callable[[Ref], bool] = lambda _: True) -> KeptChanges:
    """What single entries of the journal, the oldest first, come to. `was_there`: whether a record was in the shop when
    the rehearsal began; an id that came up since may be another record's by now."""
    made: dict[tuple[Resource, ServiceId], LocalId] = {}
    nets: dict[Ref, _Net] = {}
    left_out = 0
    for line in lines:
        change = line.first.change
        _note_made(change, made)
        if line.first.kind is BatchKind.UNDO or line.first.undone or change.state is ChangeState.DISCARDED:
            continue
        ref, intent = _local(change.ref, made), _renamed(change.intent, made)
        if change.state in _LEFT_OUT or _hangs(ref, intent, nets, was_there):
            left_out += 1
            continue
        nets.setdefault(ref, _Net()).add(intent, _renamed_fields(change.base, made))
    found = [one for ref, net in nets.items() if not _is_gone(ref, nets) for one in net.changes(ref)]
    return KeptChanges(tuple(sorted(found, key=lambda one: not isinstance(one.intent, Create))), left_out)


def _hangs(ref: Ref, intent: Intent, nets: Mapping[Ref, _Net], was_there: Callable[[Ref], bool]) -> bool:
    """Whether it names a record that is not kept, or that is none of the shop's."""
    of_new_pet = ref.resource is Resource.INVENTORY and isinstance(ref.key, LocalId)
    named = [] if isinstance(intent, Create) else [Ref(Resource.PETS, ref.key) if of_new_pet else ref]
    if isinstance(intent, Create | SetFields):
        named += [Ref(kind, intent.fields[name]) for name, kind in _REFERS.items() if _is_key(intent.fields.get(name))]  # pyright: ignore[reportArgumentType] -- looked at
    return any(not _is_known(one, nets, was_there) for one in named)


def _is_key(value: FieldValue) -> bool:
    return isinstance(value, int | str | LocalId) and not isinstance(value, bool)


def _is_known(ref: Ref, nets: Mapping[Ref, _Net], was_there: Callable[[Ref], bool]) -> bool:
    if not isinstance(ref.key, LocalId):
        return was_there(ref)
    net = nets.get(ref)
    return net is not None and net.create is not None and not net.deleted


def _is_gone(ref: Ref, nets: Mapping[Ref, _Net]) -> bool:
    """Whether it hangs on a record that was deleted later: the stock of a pet, or a new record of a new one."""
    net = nets[ref]
    named = [Ref(Resource.PETS, ref.key)] if ref.resource is Resource.INVENTORY else []
    fields = net.fields if net.create is None else net.create.fields
    named += [Ref(kind, value) for name, kind in _REFERS.items() if isinstance(value := fields.get(name), LocalId)]
    return any(one in nets and nets[one].deleted for one in named)


def _note_made(change: Change, made: dict[tuple[Resource, ServiceId], LocalId]) -> None:
    if isinstance(change.ref.key, LocalId) and change.result_key is not None:
        made[change.ref.resource, change.result_key] = change.ref.key


def _local(ref: Ref, made: Mapping[tuple[Resource, ServiceId], LocalId]) -> Ref:
    kind = Resource.PETS if ref.resource is Resource.INVENTORY else ref.resource
    local = made.get((kind, ref.key)) if isinstance(ref.key, ServiceId) else None
    return ref if local is None else Ref(ref.resource, local)


def _renamed(intent: Intent, made: Mapping[tuple[Resource, ServiceId], LocalId]) -> Intent:
    match intent:
        case Create(fields, extra):
            return Create(_renamed_fields(fields, made), extra)
        case SetFields(fields):
            return SetFields(_renamed_fields(fields, made))
        case _:
            return intent


def _renamed_fields(fields: Fields, made: Mapping[tuple[Resource, ServiceId], LocalId]) -> Fields:
    def renamed(name: str, value: FieldValue) -> FieldValue:
        if name not in _REFERS or isinstance(value, bool) or not isinstance(value, ServiceId):
            return value
        return made.get((_REFERS[name], value), value)

    return {name: renamed(name, value) for name, value in fields.items()}


class KeptOffer(Struct, frozen=True):
    """The changes as a preview takes them: edits cell by cell, records to be made, and what it has no rows for."""

    inputs: tuple[CellInput, ...]
    new: tuple[NewChange, ...]
    also: tuple[NewChange, ...]


def offer_of(changes: Iterable[NewChange]) -> KeptOffer:
    """Deletions, and what is done to records that are only to be made, have no rows."""
    edits: list[NewChange] = []
    new: list[NewChange] = []
    also: list[NewChange] = []
    for change in changes:
        if isinstance(change.intent, Create):
            new.append(change)
        elif isinstance(change.intent, Delete) or isinstance(change.ref.key, LocalId) or inputs_of((change,)) is None:
            also.append(change)
        else:
            edits.append(change)
    return KeptOffer(inputs_of(edits) or (), tuple(new), tuple(also))


def leave_out_moved(preview: Preview, changes: Iterable[NewChange]) -> int:
    """Leave out the rows whose record has another value now than the person saw, unless something is added to it; how
    many there are."""
    saw = {change.ref: change.base for change in changes}
    count = 0
    for row in preview.rows[preview.creations :]:
        column, change = preview.column(row), row.change
        base = saw.get(target_of(row), {})
        name = "" if column is None else "quantity" if column.kind == "stock" else column.field
        if change is None or isinstance(change.intent, AddStock) or name not in base:
            continue
        if base[name] != row.seen:
            row.ticked, row.left_out = False, "moved"
            count += 1
    return count
