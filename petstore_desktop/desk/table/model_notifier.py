"""The rows that are on the screen, in order, and the words with which a Qt model is told how they change."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Set
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from petstore_desktop.desk.search.arrays import Slots

Rows: TypeAlias = "Slots | list[int]"
"""Slots in order: a list before the first paint, later an array."""


Move: TypeAlias = Literal["insert", "remove", "layout", "reset"]
"""How rows change: those of a range come, or go; the same ones stand in another order; quite other ones are there."""


class TableListener:
    """Shows the rows; this one shows none."""

    @contextmanager
    def moving(self, _move: Move, _first: int, _last: int, /) -> Generator[None]:
        """The rows change within. Of those that come or go the first and the last one are told."""
        yield

    def changed(self, first: int, last: int) -> None:
        """The rows of this range look different."""

    def on_screen(self) -> range:
        """The rows that can be seen: of these each is told that looks different, of all others only that some do."""
        return range(0)

    def changed_elsewhere(self) -> None:
        """Rows that cannot be seen look different."""


class ObservedRows:
    """The rows of a table as slots, which tell their listener of every change. `slots` is never changed in place."""

    def __init__(self) -> None:
        self.slots: Rows = []
        self.listener = TableListener()

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

    def move(self, move: Move, slots: Rows, first: int = 0, last: int = 0) -> None:
        """Show these rows from now on, which differ by such a move from those before."""
        with self.listener.moving(move, first, last):
            self.slots = slots

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
