"""The order of a table's rows: sorted by columns, then by id, with new rows put in place without sorting again.

The order is total, so the place of a row never depends on when it came: by each sort column (missing values last both
ways), then by id; records without a number come after those with one. What takes long is a generator that pauses every
few milliseconds; `run_to_end` runs it without a pause.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence, Set
from heapq import merge
from itertools import compress, repeat
from typing import Any, TypeAlias, TypeVar, cast

from petstore_desktop.desk.columns.column import Column
from petstore_desktop.desk.model.row_store import Merge, RowStore
from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.desk.table.model_notifier import as_ranges, without
from petstore_desktop.desk.values.collation import MISSING
from petstore_desktop.domain.records import INT64_MAX, ContentId, Key, LocalId

Spec: TypeAlias = tuple[Column, bool]
"""A column, and whether it sorts downwards."""
Slots: TypeAlias = "array[int]"
Place: TypeAlias = "tuple[Any, ...]"
"""What a row is placed by: a number for each sort column, and what decides between rows that are equal in those."""
Steps: TypeAlias = Generator[None, None, None]
T = TypeVar("T")

_LAST = 1 << 64
"""Above every number: where a missing one stands."""
_SLICE = 8_192
_AT_ONCE = 131_072
"""Rows sorted in one step, in some 30 ms."""
_FEW = 64
_SORTED = 2_048
"""Places sorted in one step, in some 2 ms."""
_STEP = 64
"""Of a list in which many rows are sought, one row in this many is read beforehand."""


def run_to_end(steps: Generator[object, None, T]) -> T:
    """Run steps to their end; what they return."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


class Sought:
    """Where many rows stand in one sorted list: it remembers what decides first about some of its rows, so that few
    others are looked at for each."""

    def __init__(self, order: SortIndex, into: Slots, count: int) -> None:
        """`count`: how many rows will be placed; for few of them the preparation is skipped."""
        self._order, self._into = order, into
        self._marks = order.first_part(into[::_STEP]) if count > _FEW else None

    def row(self, place: Place, start: int = 0) -> int:
        """Where the row of this place stands, or would; no earlier than `start`."""
        low, high = start, len(self._into)
        if self._marks is not None:
            before = bisect_left(self._marks, place[0]) - 1
            after = bisect_right(self._marks, place[0], before + 1)
            low, high = max(low, before * _STEP + 1), min(high, after * _STEP)
        return self._order.seek(self._into, place, low, high)


def _part(value: int, descending: bool) -> int:
    return _LAST if value == MISSING else -value if descending else value


def tie(key: Key) -> tuple[int, int, str]:
    """What decides between rows that are equal otherwise: numbers come first, then texts."""
    if isinstance(key, LocalId):
        return (3, 0, key.value)
    if isinstance(key, ContentId):
        return (2, 0, key.value)
    if isinstance(key, str):
        return (1, 0, _folded(key))
    return (0, key, "")


class SortIndex:
    """Sorted slots of one table. A row keeps the values it was placed by until `place` is asked for it again.

    `slots` is never changed in place: a reference to it keeps the order of that moment.
    """

    def __init__(self, shop: ShopModel, store: RowStore, specs: Sequence[Spec]) -> None:
        self.slots: Slots = array("i")
        self.specs = tuple(specs)
        self._shop = shop
        self._store = store
        self._values: dict[str, array[int]] = {}
        """What rows were placed by, by column and slot; of names also when they do not decide: they are dear."""
        self._stale: dict[str, set[int]] = {}
        self._ties: dict[int, tuple[int, int, str]] = {}
        self._readers: list[Callable[[int], Any]] = [self._tie]

    @property
    def columns(self) -> frozenset[str]:
        """The ids of the columns that the order depends on."""
        return frozenset(column.id for column, _ in self.specs)

    def without(self, slots: Iterable[int]) -> Slots:
        """What stands but for these placed rows."""
        rows = sorted(row for slot in slots if (row := self.find(self.slots, slot)) >= 0)
        return without(self.slots, as_ranges(rows))

    def invalidate(self, slots: Collection[int]) -> None:
        """What these rows show has changed."""
        for stale in self._stale.values():
            stale.update(slots)

    def moved_by(self, merge: Merge, joined: Mapping[str, set[int]]) -> set[int]:
        """The changed rows that may have a new place, as far as the changes tell."""
        told = set[int]().union(*merge.fields.values())
        found = {slot for slot in merge.changed if slot not in told} if len(told) < len(merge.changed) else set[int]()
        for column, _ in self.specs:
            found |= joined.get(column.id, set())
            found |= merge.fields.get(column.field, set())
        return found

    # ---- all rows

    def by(self, specs: Sequence[Spec]) -> SortIndex:
        """An order of the same rows by other columns, which is not sorted yet: `read` and `sort` do that."""
        other = SortIndex(self._shop, self._store, specs)
        other.slots = self.slots
        wanted, mine = other.columns, self.columns
        for name, values in self._values.items():
            if name in wanted or name in self._stale:  # what this one is sorted by must not change below it
                other._values[name] = values[:] if name in mine else values
        for column, _ in self.specs:
            if column.name is not None and column.id not in wanted:
                other._values[column.id] = self._values[column.id]
                other._stale[column.id] = set()
        other._stale |= {name: stale for name, stale in self._stale.items() if name not in other._stale}
        return other

    def read(self, new: Sequence[int] = (), keep: Collection[int] = ()) -> Steps:
        """Read missing sort values: of all rows in new columns, of `new` rows in the others. Rows in `keep` stay where
        they are."""
        for column, _ in self.specs:
            known, stale = self._values.get(column.id), self._stale.pop(column.id, None)
            some = [*new, *(stale or ())]
            if known is None or len(some) * 8 > self._store.capacity:
                values = self._values[column.id] = yield from self._read(column)
                for slot in keep if known is not None and stale is None else ():
                    if known is not None and slot < len(known):
                        values[slot] = known[slot]
            elif some:
                yield from self._place_in(column, some)
        self._readers = [*map(self._reader, range(len(self.specs))), self._tie]

    def _read(self, column: Column) -> Generator[None, None, array[int]]:
        capacity, store = self._store.capacity, self._store
        values = yield from self._in_bulk(column, capacity)
        is_bulk = column.names is not None or column.ranks is not None
        for number, slot in enumerate(self._shop.laid_over(store.resource) if is_bulk else list(store.slots())):
            if slot < capacity:  # what came meanwhile is placed in the end
                values[slot] = self._value(column, slot)
            if number % _FEW == 0:
                yield
        return values

    def _in_bulk(self, column: Column, capacity: int) -> Generator[None, None, array[int]]:
        """The values of all rows as far as the column has them for many at once."""
        shop = self._shop
        parts = [range(start, min(start + _SLICE, capacity)) for start in range(0, capacity, _SLICE)]
        if column.ids is not None and self._store.keys.texts is not None:
            return (yield from column.ids(shop, parts))
        if column.names is not None:
            names: list[str] = []
            for part in parts:
                names += column.names(shop, part)
                yield
            return (yield from shop.ranks.many(names))
        if column.ranks is None:
            return array("q", repeat(MISSING, capacity))
        values: array[int] = array("q")
        for part in parts:
            values.extend(column.ranks(shop, part))
            yield
        return values

    def sort(self, slots: Slots) -> Steps:
        """Sort these rows by the values read; `slots` is the result when it is finished."""
        slots = yield from self._by_key(slots)
        for place in range(len(self.specs) - 1, -1, -1):
            yield
            slots = yield from self._sorted(place, slots)
        self.slots = slots

    def sort_first(self) -> Steps:
        """Sort what stands by the first column; equal rows keep the order that they have."""
        self.slots = yield from self._sorted(0, self.slots)

    def _sorted(self, place: int, slots: Slots) -> Generator[None, None, Slots]:
        column, descending = self.specs[place]
        return (yield from _sorted_by(self._values[column.id], slots, descending))

    def _by_key(self, slots: Slots) -> Generator[None, None, Slots]:
        keys, odd = self._store.keys, self._store.keys.others
        numbers: Sequence[int] = keys.numbers
        others = [slot for slot in slots if slot in odd] if odd else []
        if keys.texts is not None:
            return (yield from self._by_text(keys.texts, slots))
        if any(isinstance(odd[slot], int) for slot in others):  # of more than 64 bits
            numbers, others = cast("Sequence[int]", keys), [slot for slot in others if not isinstance(odd[slot], int)]
        yield
        if others:
            apart = set(others)
            slots = array("i", (slot for slot in slots if slot not in apart))
            others.sort(key=self._tie)
            yield
        yield
        found = yield from _sorted_by(numbers, slots, False)
        found.extend(others)
        return found

    def _by_text(self, texts: Sequence[str | None], slots: Slots) -> Generator[None, None, Slots]:
        """By ids of which some are texts: these come after the numbers and before what has no id."""
        folded: list[str | None] = []
        for start in range(0, len(texts), _SLICE):
            folded += [text and _folded(text) for text in texts[start : start + _SLICE]]
            yield
        named = array("i", sorted(slot for slot in slots if folded[slot] is not None))
        rest = sorted((slot for slot in slots if folded[slot] is None), key=self._tie)
        yield
        sorted_ = yield from _sorted_by(cast("Sequence[int]", folded), named, False)
        numbers = [slot for slot in rest if isinstance(self._store.keys[slot], int)]
        return array("i", numbers) + sorted_ + array("i", rest[len(numbers) :])

    def _tie(self, slot: int) -> tuple[int, int, str]:
        kept = self._ties.get(slot) if self._ties else None
        return tie(self._store.keys[slot]) if kept is None else kept

    def keep_tie(self, slot: int) -> None:
        """The record is about to get another key; its row keeps its place all the same until `place`."""
        self._ties[slot] = self._tie(slot)

    # ---- single rows

    def place_now(self, slot: int) -> Place:
        """What one row is to be placed by as it looks now."""
        parts = [_part(self._value(column, slot), descending) for column, descending in self.specs]
        return (*parts, tie(self._store.keys[slot]))

    def put(self, places: Mapping[int, Place]) -> None:
        """These rows are placed by this from now on."""
        self._grow()
        for number, (column, descending) in enumerate(self.specs):
            values = self._values[column.id]
            for slot, place in places.items():
                part = place[number]
                values[slot] = MISSING if part == _LAST else -part if descending else part
        for slot in self.ties_of(places.keys()):
            del self._ties[slot]

    def place_all(self, slots: Sequence[int]) -> Steps:
        """Read the values of many rows anew."""
        for column, _ in self.specs:
            yield from self._place_in(column, slots)

    def _place_in(self, column: Column, slots: Sequence[int]) -> Steps:
        self._grow()
        values, name = self._values[column.id], column.name
        if name is None or len(slots) <= _FEW:
            for number, slot in enumerate(slots):
                values[slot] = self._value(column, slot)
                if number % _FEW == 0:
                    yield
            return
        names: list[str] = []
        for start in range(0, len(slots), _FEW):
            names += [name(self._shop, slot) or "" for slot in slots[start : start + _FEW]]
            yield
        found = yield from self._shop.ranks.many(names)
        for slot, value in zip(slots, found, strict=True):
            values[slot] = value

    def arranged(self, some: Slots) -> Slots:
        """Some of the rows in this order."""
        if len(some) * 16 < len(self.slots):
            return array("i", sorted(some, key=self.place))
        wanted = bytearray(self._store.capacity)
        for slot in some:
            wanted[slot] = 1
        return array("i", compress(self.slots, map(wanted.__getitem__, self.slots)))

    def find(self, into: Slots, slot: int) -> int:
        """Where a placed row stands among sorted ones; -1 where it does not."""
        if not self.is_placed(slot):
            return -1
        at = self.seek(into, self.place(slot), 0, len(into))
        return at if at < len(into) and into[at] == slot else -1

    def is_placed(self, slot: int) -> bool:
        """Whether it is known what this row was placed by."""
        return slot < min(map(len, self._values.values()), default=self._store.capacity)

    def merged(self, into: Slots, new: Iterable[int]) -> tuple[Slots, list[int]]:
        """`into` (sorted) with new, placed rows put between, and where those stand then (ascending)."""
        return run_to_end(self.merging(into, {slot: self.place(slot) for slot in new}))

    def merging(self, into: Slots, new: Mapping[int, Place]) -> Generator[None, None, tuple[Slots, list[int]]]:
        """The same in short steps, with rows that are to stand at these places."""
        result: Slots = array("i")
        places: list[int] = []
        start, sought = 0, Sought(self, into, len(new))
        slots, key = list(new), new.__getitem__
        parts: list[list[int]] = []
        for first in range(0, len(slots), _SORTED):
            parts.append(sorted(slots[first : first + _SORTED], key=key))
            yield
        for number, slot in enumerate(merge(*parts, key=key)):
            at = sought.row(new[slot], start)
            result += into[start:at]
            places.append(len(result))
            result.append(slot)
            start = at
            if number % _FEW == 0:
                yield
        result += into[start:]
        return result, places

    def seek(self, into: Slots, place: Place, low: int, high: int) -> int:
        """Where the row of this place stands among sorted ones, or would; it is looked for between two places."""
        for read, value in zip(self._readers, place, strict=True):
            low = bisect_left(into, value, low, high, key=read)
            if low == high or read(into[low]) != value:
                break
            after = low + 1  # mostly no other is equal
            single = after == high or read(into[after]) != value
            high = after if single else bisect_right(into, value, after, high, key=read)
        return low

    def first_part(self, slots: Iterable[int]) -> list[Any]:
        """What decides first about where these rows stand."""
        return list(map(self._readers[0], slots))

    def place(self, slot: int) -> Place:
        """What the row was placed by."""
        return tuple([read(slot) for read in self._readers])

    def ties_of(self, slots: Set[int]) -> Set[int]:
        """Those of these rows that keep the place that they had under another key."""
        return self._ties.keys() & slots if self._ties else frozenset()

    def _reader(self, place: int) -> Callable[[int], int]:
        column, descending = self.specs[place]
        values = self._values[column.id]

        def up(slot: int) -> int:
            value = values[slot]
            return _LAST if value == MISSING else value

        def down(slot: int) -> int:
            return _part(values[slot], True)

        return down if descending else up

    def _value(self, column: Column, slot: int) -> int:
        value = None if column.rank is None else column.rank(self._shop, slot)
        # The least number of 64 bits stands for none, so one that is as low counts as one more.
        return MISSING if value is None else min(max(value, MISSING + 1), INT64_MAX)

    def _grow(self) -> None:
        capacity = self._store.capacity
        for values in self._values.values():
            if len(values) < capacity:
                values.extend(repeat(MISSING, capacity - len(values)))


def _folded(text: str) -> str:
    return f"{text.casefold()}\0{text}"


def _sorted_by(values: Sequence[int], slots: Slots, descending: bool) -> Generator[None, None, Slots]:
    """`slots` by the values at them; MISSING last, equal ones in the order that they have."""
    if len(slots) <= _AT_ONCE:
        return _at_once(values, slots, descending)
    from petstore_desktop.desk.table.sorting import in_slices  # late: few rows are sorted before the first paint

    return (yield from in_slices(values, slots, descending, _at_once))


def _at_once(values: Sequence[int], slots: Slots, descending: bool) -> Slots:
    present = [slot for slot in slots if values[slot] != MISSING]
    missing = array("i") if len(present) == len(slots) else array("i", [s for s in slots if values[s] == MISSING])
    # reverse keeps equal rows in their order, so going down is as stable as going up
    present.sort(key=values.__getitem__, reverse=descending)
    found = array("i", present)
    found += missing
    return found
