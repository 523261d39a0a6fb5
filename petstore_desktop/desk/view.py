"""The rows that are on the screen, in order, and the words with which a Qt model is told how they change."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

_RANGES = 8
"""More ranges than this are told as one range at the end and one new order: each range costs the view a pass."""

_SINGLE = 16
"""More changed rows than this are told as "all": it is only painting."""


class TableListener(Protocol):
    """Who shows the rows. Each `begin` comes before the rows change, each `end` after; `last` is included."""

    def begin_insert(self, first: int, last: int) -> None: ...
    def end_insert(self) -> None: ...
    def begin_remove(self, first: int, last: int) -> None: ...
    def end_remove(self) -> None: ...
    def begin_layout(self) -> None: ...
    def end_layout(self) -> None: ...
    def begin_reset(self) -> None: ...
    def end_reset(self) -> None: ...
    def changed(self, first: int, last: int) -> None: ...


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


class View:
    """A list of slots that tells its listener of every change."""

    def __init__(self) -> None:
        self.slots: list[int] = []
        self.listener: TableListener = _Silent()
        self._rows: dict[int, int] = {}
        self._asked = 0

    def __len__(self) -> int:
        return len(self.slots)

    def row(self, slot: int) -> int:
        """Where this slot stands, -1 when it is not shown."""
        if not self._rows:
            self._asked += 1
            if self._asked <= _RANGES:
                try:
                    return self.slots.index(slot)
                except ValueError:
                    return -1
            self._rows = {here: row for row, here in enumerate(self.slots)}
        return self._rows.get(slot, -1)

    def listen(self, listener: TableListener | None) -> None:
        """Tell this listener from now on; None: nobody."""
        self.listener = _Silent() if listener is None else listener

    # ---- changes

    def reset(self, slots: list[int]) -> None:
        """Quite other rows."""
        self.listener.begin_reset()
        self._set(slots)
        self.listener.end_reset()

    def reorder(self, slots: list[int]) -> None:
        """The same rows in another order."""
        if slots == self.slots:
            return
        self.listener.begin_layout()
        self._set(slots)
        self.listener.end_layout()

    def drop(self, gone: Collection[int]) -> None:
        """These rows go."""
        if not gone:
            return
        ranges = as_ranges(row for row, slot in enumerate(self.slots) if slot in gone)
        if len(ranges) > _RANGES:
            kept = [slot for slot in self.slots if slot not in gone]
            self.reorder(kept + [slot for slot in self.slots if slot in gone])
            ranges = [(len(kept), len(self.slots) - 1)]
        for first, last in reversed(ranges):
            self.listener.begin_remove(first, last)
            self._set(self.slots[:first] + self.slots[last + 1 :])
            self.listener.end_remove()

    def grow(self, slots: list[int], places: Sequence[int]) -> None:
        """Rows came: `slots` is what is shown then, `places` where the new ones stand in it."""
        if not places:
            return
        ranges = as_ranges(places)
        if len(ranges) > _RANGES:
            end = len(self.slots)
            self._insert(end, [slots[place] for place in places])
            self.reorder(slots)
            return
        for first, last in ranges:
            self._insert(first, slots[first : last + 1])

    def touch(self, slots: Collection[int]) -> None:
        """These rows look different, where they are shown."""
        if not slots or not self.slots:
            return
        if len(slots) > _SINGLE:
            self.listener.changed(0, len(self.slots) - 1)
            return
        rows = sorted(row for row in map(self.row, slots) if row >= 0)
        for first, last in as_ranges(rows):
            self.listener.changed(first, last)

    def _insert(self, at: int, slots: list[int]) -> None:
        self.listener.begin_insert(at, at + len(slots) - 1)
        self._set(self.slots[:at] + slots + self.slots[at:])
        self.listener.end_insert()

    def _set(self, slots: list[int]) -> None:
        self.slots = slots
        self._rows = {}
        self._asked = 0


def as_ranges(rows: Iterable[int]) -> list[tuple[int, int]]:
    """Ascending numbers as ranges, both ends included."""
    ranges: list[tuple[int, int]] = []
    for row in rows:
        if ranges and ranges[-1][1] == row - 1:
            ranges[-1] = (ranges[-1][0], row)
        else:
            ranges.append((row, row))
    return ranges
