"""The rows that are on the screen, in order, and the words with which a Qt model is told how they change."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence, Set
from typing import Protocol, TypeAlias

Slots: TypeAlias = "array[int]"

_RANGES = 8
"""More ranges than this are told as one range at the end and one new order: each range costs the view a pass."""


class TableListener(Protocol):
    """Shows the rows. Each `begin` comes before the rows change, each `end` after; `last` is included."""

    def begin_insert(self, first: int, last: int) -> None: ...
    def end_insert(self) -> None: ...
    def begin_remove(self, first: int, last: int) -> None: ...
    def end_remove(self) -> None: ...
    def begin_layout(self) -> None: ...
    def end_layout(self) -> None: ...
    def begin_reset(self) -> None: ...
    def end_reset(self) -> None: ...
    def changed(self, first: int, last: int) -> None: ...
    def on_screen(self) -> range:
        """The rows that can be seen: of these each is told that looks different, of all others only that some do."""
        ...

    def changed_elsewhere(self) -> None: ...


class _Silent:
    def begin_insert(self, first: int, last: int) -> None: ...
    def end_insert(self) -> None: ...
    def begin_remove(self, first: int, last: int) -> None: ...
    def end_remove(self) -> None: ...
    def begin_layout(self) -> None: ...
    def end_layout(self) -> None: ...
    def begin_reset(self) -> None: ...
    def end_reset(self) -> None: ...
    def changed(self, first: int, last: int) -> None: ...
    def changed_elsewhere(self) -> None: ...

    def on_screen(self) -> range:
        return range(0)


class View:
    """Slots that tell their listener of every change. `slots` is never changed in place.

    `find` tells where a slot stands in such a list, -1 where it does not.
    """

    def __init__(self, find: Callable[[Slots, int], int]) -> None:
        self.slots: Slots = array("i")
        self.listener: TableListener = _Silent()
        self._find = find

    def __len__(self) -> int:
        return len(self.slots)

    def row(self, slot: int) -> int:
        """Where this slot stands, -1 when it is not shown."""
        return self._find(self.slots, slot)

    def rows(self, slots: Iterable[int]) -> list[int]:
        """Where those of these slots stand that are shown, ascending."""
        return sorted(row for row in map(self.row, slots) if row >= 0)

    def listen(self, listener: TableListener | None) -> None:
        """Tell this listener from now on; None: none."""
        self.listener = _Silent() if listener is None else listener

    # ---- changes

    def reset(self, slots: Slots) -> None:
        """Quite other rows."""
        self.listener.begin_reset()
        self.slots = slots
        self.listener.end_reset()

    def reorder(self, slots: Slots) -> None:
        """The same rows in another order."""
        if slots is self.slots or (len(slots) == len(self.slots) and slots.tobytes() == self.slots.tobytes()):
            self.slots = slots  # the very list that the order has: that they are the same is seen at once
            return
        self.listener.begin_layout()
        self.slots = slots
        self.listener.end_layout()

    def drop(self, rows: Sequence[int]) -> None:
        """The rows at these places (ascending) go."""
        if not rows:
            return
        ranges = as_ranges(rows)
        if len(ranges) > _RANGES:
            gone = array("i", [self.slots[row] for row in rows])
            kept = without(self.slots, ranges)
            self.reorder(kept + gone)
            ranges = [(len(kept), len(self.slots) - 1)]
        for first, last in reversed(ranges):
            self.listener.begin_remove(first, last)
            self.slots = self.slots[:first] + self.slots[last + 1 :]
            self.listener.end_remove()

    def grow(self, slots: Slots, places: Sequence[int]) -> None:
        """Rows were inserted: `slots` is the new order, `places` the positions of the new rows in it."""
        if not places:
            return
        ranges = as_ranges(places)
        if len(ranges) > _RANGES:
            self._insert(len(self.slots), array("i", [slots[place] for place in places]))
            self.reorder(slots)
            return
        for first, last in ranges:
            self._insert(first, slots[first : last + 1])
        self.slots = slots

    def become(self, slots: Slots) -> None:
        """These rows are shown from now on; those that were shown before are still the same rows."""
        size = max(max(slots, default=-1), max(self.slots, default=-1)) + 1
        wanted, here = bytearray(size), bytearray(size)
        for slot in slots:
            wanted[slot] = 1
        for slot in self.slots:
            here[slot] = 1
        self.drop([row for row, slot in enumerate(self.slots) if not wanted[slot]])
        self.reorder(array("i", [slot for slot in slots if here[slot]]))
        self.grow(slots, [row for row, slot in enumerate(slots) if not here[slot]])

    def touch(self, slots: Set[int]) -> None:
        """These rows look different, where they are shown."""
        if not slots or not self.slots:
            return
        seen = self.listener.on_screen()
        rows = [row for row, slot in enumerate(self.slots[seen.start : seen.stop], seen.start) if slot in slots]
        if len(rows) < len(slots):
            self.listener.changed_elsewhere()
        for first, last in as_ranges(rows):
            self.listener.changed(first, last)

    def _insert(self, at: int, slots: Slots) -> None:
        self.listener.begin_insert(at, at + len(slots) - 1)
        self.slots = self.slots[:at] + slots + self.slots[at:]
        self.listener.end_insert()


def as_ranges(rows: Iterable[int]) -> list[tuple[int, int]]:
    """Ascending numbers as ranges, both ends included."""
    if isinstance(rows, range) and rows and rows.step == 1:
        return [(rows[0], rows[-1])]
    ranges: list[tuple[int, int]] = []
    for row in rows:
        if ranges and ranges[-1][1] == row - 1:
            ranges[-1] = (ranges[-1][0], row)
        else:
            ranges.append((row, row))
    return ranges


def without(slots: Slots, ranges: Sequence[tuple[int, int]]) -> Slots:
    """`slots` but for those in these ranges (ascending, both ends included)."""
    kept: Slots = array("i")
    start = 0
    for first, last in ranges:
        kept += slots[start:first]
        start = last + 1
    return kept + slots[start:]
