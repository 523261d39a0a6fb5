"""All rows of one resource in columns, and which of them name which records of another one; a record is made only when
it is asked for.

A row lives in a slot: its place in every column, which never moves while the row exists. A slot that became free is
used again only by a later `upsert`, so it may be read until then. Columns are kept in few bytes,
and keys found without a dictionary of all of them, see `packed`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from operator import attrgetter
from typing import TYPE_CHECKING, Final, cast

from msgspec import Struct, field

from petstore_desktop.desk.model.column_arrays import Keys, Numbers, Packed, packed
from petstore_desktop.desk.model.key_index import KeyIndex
from petstore_desktop.domain.records import (
    FIELD_SPECS,
    FIELDS,
    RECORD_TYPES,
    Extra,
    FieldValue,
    Key,
    LocalId,
    Record,
    Resource,
    Row,
    RowBlock,
    ServiceId,
)

if TYPE_CHECKING:
    from petstore_desktop.domain.changes import Fields


_NONE: Final = -1


class Merge(Struct):
    """What a merge moved, as slots. Rows that came as they already were are in none of them."""

    added: list[int] = field(default_factory=list[int])
    changed: list[int] = field(default_factory=list[int])
    removed: list[int] = field(default_factory=list[int])
    fields: dict[str, set[int]] = field(default_factory=dict[str, set[int]])
    """By field, where it is another now: of each row that a service told anew."""

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)

    def tidy(self) -> None:
        """Put each slot in one list only: removed slots are not new, and new ones not changed."""
        gone = set(self.removed)
        self.added = [slot for slot in self.added if slot not in gone]
        other = gone.union(self.added)
        self.changed = [slot for slot in self.changed if slot not in other]


class RowStore:
    """The rows of one resource. Not thread-safe: it belongs to the thread that shows it."""

    def __init__(self, resource: Resource) -> None:
        self.resource = resource
        self.names = FIELDS[resource]
        self.needed = [spec.name for spec in FIELD_SPECS[resource] if spec.needed]
        """The fields that a new record must have."""
        self.keys: Keys = Keys()
        """The key in each slot; of a free slot the key that was last there."""
        self.columns: dict[str, Packed] = {spec.name: packed(spec.kind) for spec in FIELD_SPECS[resource]}
        self._read = attrgetter(*self.names)
        self._make = cast("Callable[..., Record]", RECORD_TYPES[resource])
        kinds = ((self.columns[spec.name], spec.kind, spec.optional) for spec in FIELD_SPECS[resource])
        self._fitting = [(column, kind.types, None if optional else kind.type()) for column, kind, optional in kinds]
        self._index = KeyIndex(self.keys)
        self.slot = self._index.find
        """Where the row of a key lives; None where there is none."""
        self.slot_parts = self._index.parts
        """Every slot in use, in parts."""
        self.version = 0
        """Another number each time that a key came, went or moved."""
        self._seen = array("d")
        self._all_seen = 0.0
        """At this moment or later the service spoke of every row that is here."""
        self._extras: dict[int, Extra] = {}

    def __len__(self) -> int:
        return len(self._index)

    def __contains__(self, key: Key) -> bool:
        return self._index.find(key) is not None

    @property
    def capacity(self) -> int:
        """How many slots there are, the free ones included."""
        return len(self.keys)

    def is_used(self, slot: int) -> bool:
        """Whether a row lives there."""
        return self._index.find(self.keys[slot]) == slot

    def values_of(self, keys: Sequence[Key], name: str) -> list[FieldValue]:
        """One field of many rows, None where there is no such row; quickest where they are near to each other."""
        slots, column = self.slots_of(keys), self.columns[name]
        there = [slot for slot in slots if slot is not None]
        low, end = min(there, default=0), max(there, default=-1) + 1
        if end - low > 4 * len(keys):
            return [None if slot is None else column[slot] for slot in slots]
        part = column[low:end]  # a column of numbers is read several times as fast in one go
        return [None if slot is None else part[slot - low] for slot in slots]

    def slots_of(self, keys: Sequence[Key]) -> list[int | None]:
        """Where the rows of many keys live, None where there is none; quickest where they are near to each other."""
        return list(self._index.find_all(keys))

    def slots(self) -> Iterator[int]:
        """Every slot in use."""
        return self._index.slots()

    def value(self, key: Key, name: str) -> FieldValue:
        """One field as the service has it, None where there is no such row."""
        slot = self._index.find(key)
        return None if slot is None else self.columns[name][slot]

    def seen_at(self, key: Key) -> float | None:
        """When the service said this row, in UTC epoch seconds; None for one that it never said."""
        slot = self._index.find(key)
        return None if slot is None or isinstance(key, LocalId) else max(self._seen[slot], self._all_seen)

    def told_at(self, slot: int) -> float:
        """When a row that lives there was last told by itself (UTC epoch seconds)."""
        return self._seen[slot]

    def note_seen(self, at: float, keys: Iterable[Key] | None = None) -> None:
        """The service spoke of these rows, or (None) of every one that is here, at this moment or later."""
        if keys is None:
            self._all_seen = max(at, self._all_seen)
            return
        for slot in map(self._index.find, keys):
            if slot is not None:
                self._seen[slot] = max(at, self._seen[slot])

    # ---- merging

    def upsert(self, rows: Iterable[Row]) -> Merge:
        """Take in rows that are new or may have changed; several that are all new at once."""
        merge, rows = Merge(), tuple(rows)
        if len(rows) > 1 and self._are_new(keys := [row.key for row in rows]):
            columns = zip(*[self._read(row.record) for row in rows], strict=True)
            extras = {place: row.record.extra for place, row in enumerate(rows) if row.record.extra}
            merge.added += self._append(keys, columns, [row.seen_at for row in rows], extras)
            return merge
        for row in rows:
            values: tuple[FieldValue, ...] = self._read(row.record)
            slot = self._index.find(row.key)
            if slot is None:
                slot = self._take(row.key, values)
                merge.added.append(slot)
            elif self._write(slot, values, merge):
                merge.changed.append(slot)
            self._note(slot, row.seen_at, row.record.extra)
        return merge

    def extend(self, block: RowBlock) -> Merge:
        """Take in many rows as columns: new ones at once, those that are here already one by one."""
        merge = Merge()
        self.version += 1
        if self._index.free:
            for place in range(len(block)):
                self._take_one(block, place, merge)
            return merge
        slots = () if self._index.has_none_of(block.keys) else self._index.find_all(block.keys)
        known = [place for place, slot in enumerate(slots) if slot is not None]
        for place in known:
            self._take_one(block, place, merge)
        if not known:
            merge.added += self._append(
                block.keys, map(block.columns.__getitem__, self.names), block.seen, block.extras
            )
            return merge
        skipped = set(known)
        places = [place for place in range(len(block)) if place not in skipped]
        columns = ([block.columns[name][place] for place in places] for name in self.names)
        extras = {at: block.extras[place] for at, place in enumerate(places) if place in block.extras}
        seen = [block.seen[place] for place in places]
        merge.added += self._append([block.keys[place] for place in places], columns, seen, extras)
        return merge

    def _are_new(self, keys: Sequence[Key]) -> bool:
        """Whether none of these is here or met twice, and no slot is free that would be theirs."""
        if self._index.free or len(set(keys)) < len(keys):
            return False
        return self._index.has_none_of(keys) or all(slot is None for slot in self._index.find_all(keys))

    def _append(
        self,
        keys: Sequence[Key],
        columns: Iterable[Sequence[FieldValue]],
        seen: Iterable[float],
        extras: Mapping[int, Extra],
    ) -> range:
        """Rows that are not here; by field, in the order of `names`. Their slots."""
        self.version += 1
        begin = len(self.keys)
        self.keys.extend(keys)
        for name, column in zip(self.names, columns, strict=True):
            self.columns[name].extend(column)
        self._seen.extend(seen)
        self._index.put_all(begin)
        self._extras.update((begin + place, extra) for place, extra in extras.items())
        return range(begin, len(self.keys))

    def _take_one(self, block: RowBlock, place: int, merge: Merge) -> None:
        key, values = block.keys[place], tuple(block.columns[name][place] for name in self.names)
        slot = self._index.find(key)
        if slot is None:
            slot = self._take(key, values)
            merge.added.append(slot)
        elif self._write(slot, values, merge):
            merge.changed.append(slot)
        self._note(slot, block.seen[place], block.extras.get(place))

    def put_local(self, key: LocalId, fields: Fields) -> int:
        """A row for a record that was created here and that the service has not numbered yet. Its slot."""
        values = tuple(fields.get(name) for name in self.names)
        slot = self._index.find(key)
        if slot is None:
            return self._take(key, values)
        self._write(slot, values, Merge())
        return slot

    def rename(self, old: LocalId, new: ServiceId) -> list[int]:
        """The service numbered a record created here: its row keeps its slot.

        Where the numbered row came before, its values move in, and the slot that it leaves is returned.
        """
        self.version += 1
        slot, left = self._index.move(old, new)
        self.keys[slot] = new
        if left is None:
            return []
        for column in self.columns.values():
            column[slot] = column[left]
        self._seen[slot] = self._seen[left]
        if left in self._extras:
            self._extras[slot] = self._extras.pop(left)
        return [left]

    def remove(self, keys: Iterable[Key]) -> list[int]:
        """Let rows go; the slots that were theirs."""
        gone: list[int] = []
        self.version += 1
        for key in keys:
            slot = self._index.drop(key)
            if slot is not None:
                gone.append(slot)
                self._extras.pop(slot, None)
        return gone

    def _take(self, key: Key, values: Sequence[FieldValue]) -> int:
        self.version += 1
        slot = self._index.room(key)
        if slot is not None:
            self.keys[slot] = key
            self._seen[slot] = 0.0
            for name, value in zip(self.names, values, strict=True):
                self.columns[name][slot] = value
        else:
            slot = len(self.keys)
            self.keys.append(key)
            self._seen.append(0.0)
            for name, value in zip(self.names, values, strict=True):
                self.columns[name].append(value)
        self._index.put(key, slot)
        return slot

    def _write(self, slot: int, values: Sequence[FieldValue], merge: Merge) -> bool:
        moved = False
        for name, value in zip(self.names, values, strict=True):
            column = self.columns[name]
            if column[slot] != value:
                column[slot] = value
                merge.fields.setdefault(name, set()).add(slot)
                moved = True
        return moved

    def _note(self, slot: int, seen_at: float, extra: Extra | None) -> None:
        self._seen[slot] = seen_at
        if extra:
            self._extras[slot] = extra
        else:
            self._extras.pop(slot, None)

    # ---- records, when asked

    @property
    def has_extras(self) -> bool:
        """Whether a row has fields that the program does not know."""
        return bool(self._extras)

    def extra(self, slot: int) -> Extra:
        """The fields of a row that the program does not know."""
        return self._extras.get(slot, {})

    def row(self, key: Key) -> Row | None:
        """The row as the service sent it, without its ETag; None if there is none, and for records created here."""
        slot = self._index.find(key)
        record = self.record(key)
        if slot is None or record is None:
            return None
        return Row(key, record, self._seen[slot])

    def record(self, key: Key) -> Record | None:
        """The record as the service said it; None where there is none, and for records created here."""
        slot = self._index.find(key)
        own = key if isinstance(key, ServiceId) else None
        if slot is None or isinstance(key, LocalId) or (own is None and self.resource is not Resource.ORDERS):
            return None
        # What is of another type than a record may have is missing there, or nothing.
        fitting = [v if type(v := column[slot]) in types else missing for column, types, missing in self._fitting]
        return self._make(own, *fitting, self._extras.get(slot, {}))


class Links:
    """One field that names records of another resource: the sources (as slots) of each target, and back.

    The sources of a target are a chain through two arrays: eight bytes a source, however many there are, and one more
    or less costs nothing.
    """

    def __init__(self) -> None:
        self._target: Numbers[Key | None] = Numbers()
        self._next = array("i")
        self._before = array("i")
        self._first: dict[Key, int] = {}
        self._count: dict[Key, int] = {}
        """How many name each of those that more than one names: most are named once."""
        self.expected: Mapping[Key, int] = {}
        """How many name each of some targets, as long as not all sources are read."""

    @property
    def targets(self) -> Numbers[Key | None]:
        """What each source names: only to be read."""
        return self._target

    def move(self, source: int, key: Key | None) -> tuple[Key, ...]:
        """The source now names the record of this key (None: none). The targets whose sources changed."""
        self._grow(source + 1)
        old = self._target[source]
        if old == key:
            return ()
        touched: list[Key] = []
        if old is not None:
            self._cut(source, old)
            touched.append(old)
        if key is not None:
            self._chain(source, key)
            touched.append(key)
        return tuple(touched)

    def fill(self, first: int, keys: Sequence[Key | None]) -> None:
        """Sources that are new, from this one on, name these."""
        self._grow(first + len(keys))
        for source, key in enumerate(keys, first):
            if key is not None:
                self._chain(source, key)

    def rename(self, old: LocalId, new: ServiceId) -> None:
        """A record got its number: references to the old key now name the new one."""
        for source in list(self.sources(old)):
            self.move(source, new)

    def sources(self, target: Key) -> Iterable[int]:
        """The slots of those that name it, in no order."""
        return self._walk(self._first.get(target, _NONE))

    def sources_of(self, targets: Set[Key]) -> set[int]:
        """The slots of those that name any of these; what nobody names costs nothing."""
        return {slot for target in self._first.keys() & targets for slot in self.sources(target)}

    def count(self, target: Key) -> int:
        """How many name it."""
        expected = self.expected.get(target) if self.expected else None
        if expected is not None:
            return expected
        return self._count.get(target, 1) if target in self._first else 0

    def _walk(self, source: int) -> Iterator[int]:
        while source != _NONE:
            yield source
            source = self._next[source]

    def _grow(self, size: int) -> None:
        more = size - len(self._target)
        if more > 0:
            self._target.extend([None] * more)
            self._next.extend([_NONE] * more)
            self._before.extend([_NONE] * more)

    def _chain(self, source: int, key: Key) -> None:
        self._target[source] = key
        after = self._first.get(key, _NONE)
        self._next[source] = after
        if after != _NONE:
            self._before[after] = source
            self._count[key] = self._count.get(key, 1) + 1
        self._first[key] = source

    def _cut(self, source: int, key: Key) -> None:
        before, after = self._before[source], self._next[source]
        if after != _NONE:
            self._before[after] = before
        if before != _NONE:
            self._next[before] = after
        elif after != _NONE:
            self._first[key] = after
        else:
            del self._first[key]
        self._next[source] = self._before[source] = _NONE
        self._target[source] = None
        left = self._count.get(key, 1) - 1
        if left > 1:
            self._count[key] = left
        else:
            self._count.pop(key, None)
