"""The rows that are on the screen, in order, and the words with which a Qt model is told how they change."""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from petstore_desktop.desk.search.arrays import Slots

Rows: TypeAlias = "Slots | list[int]"
"""Slots in order: a list before the first paint, later an array."""


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


class ObservedRows:
    """The rows of a table as slots, which tell their listener of every change. `slots` is never changed in place."""

    def __init__(self) -> None:
        self.slots: Rows = []
        self.listener: TableListener = _Silent()

    def __len__(self) -> int:
        return len(self.slots)

    def some(self, first: int, end: int) -> list[int]:
        """The slots of the rows from `first` to before `end`."""
        return list(map(int, self.slots[first:end]))

    def row(self, slot: int) -> int:
        """Where this slot stands, -1 when it is not shown."""
        if isinstance(self.slots, list):
            return self.slots.index(slot) if slot in self.slots else -1
        found = (self.slots == slot).nonzero()[0]
        return int(found[0]) if len(found) else -1

    def listen(self, listener: TableListener | None) -> None:
        """Tell this listener from now on; None: none."""
        self.listener = _Silent() if listener is None else listener

    # ---- changes

    def reset(self, slots: Rows) -> None:
        """Quite other rows."""
        self.listener.begin_reset()
        self.slots = slots
        self.listener.end_reset()

    def reorder(self, slots: Rows) -> None:
        """The same rows in another order."""
        self.listener.begin_layout()
        self.slots = slots
        self.listener.end_layout()

    def remove(self, first: int, last: int, slots: Rows) -> None:
        """The rows of this range go, and these are left."""
        self.listener.begin_remove(first, last)
        self.slots = slots
        self.listener.end_remove()

    def insert(self, first: int, last: int, slots: Rows) -> None:
        """Rows come and are this range of all."""
        self.listener.begin_insert(first, last)
        self.slots = slots
        self.listener.end_insert()

    def touch(self, slots: Set[int]) -> None:
        """These rows look different, where they are shown."""
        if not slots or not len(self.slots):
            return
        seen = self.listener.on_screen()
        rows = [row for row, slot in enumerate(self.some(seen.start, seen.stop), seen.start) if slot in slots]
        if len(rows) < len(slots):
            self.listener.changed_elsewhere()
        for first, last in as_ranges(rows):
            self.listener.changed(first, last)

    def touch_all(self) -> None:
        """Any row may look different."""
        seen = self.listener.on_screen()
        self.listener.changed_elsewhere()
        if seen:
            self.listener.changed(seen.start, seen.stop - 1)


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
