"""What a preview comes to: how its rows stand, and the changes that it would save. Worked out in steps, so that no
key waits for a long one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, TypeVar

from msgspec import Struct

from petstore_desktop.desk.preview.preview_rows import PreviewRow, is_status, names_any
from petstore_desktop.domain.changes import NewChange, SetFields
from petstore_desktop.domain.records import Key, LocalId, Ref, Resource

_AT_ONCE: Final = 64
"""Rows of one step."""
_T = TypeVar("_T")


def in_steps(things: Iterable[_T]) -> Iterator[list[_T]]:
    """A few of them at a time, in order."""
    rest = iter(things)
    while some := list(islice(rest, _AT_ONCE)):
        yield some


class PreviewCounts(Struct, frozen=True):
    """How many rows will be done, are left out, cannot be, are so already; how many pets among the first have open
    orders; and how many rows are left out because their records changed while the preview was open."""

    going: int
    left_out: int
    wrong: int
    same: int
    with_open_orders: int
    moved: int


class PreviewTally:
    """What the rows of a complete preview come to as they stand now. It is complete when `counting` has ended.

    `out`: the records that are not made, whose rows count as left out; `open_orders` counts those of a pet.
    """

    def __init__(self, rows: Sequence[PreviewRow], out: set[LocalId], open_orders: Callable[[Key], int]) -> None:
        self._rows, self._out, self._open_orders = rows, out, open_orders
        self.counts = PreviewCounts(0, 0, 0, 0, 0, 0)
        self.changes: tuple[NewChange, ...] = ()
        """One for each record, its fields together."""
        self.kinds: set[tuple[Resource, str]] = set()
        """The columns of the rows that will be done; no column: a record is made."""
        self.tried: set[tuple[Resource, str]] = set()
        """The columns of those that cannot be."""
        self.records: set[Ref] = set()
        """The records of these rows."""
        self.first = -1
        """The first of these rows."""
        self.alike = True
        """Whether all of these get the same value."""
        self._going = self._wrong = self._same = self._moved = 0
        self._pets: set[Key] = set()
        self._found: dict[tuple[Ref, type], NewChange] = {}
        self.counting = self._count()
        """Counts a few rows with each step."""

    def _count(self) -> Iterator[None]:
        place = 0
        for rows in in_steps(self._rows):
            for row in rows:
                self._take(place, row)
                place += 1
            yield
        with_orders = 0
        for pets in in_steps(self._pets):
            with_orders += sum(self._open_orders(pet) > 0 for pet in pets)
            yield
        left_out = place - self._going - self._wrong - self._same
        self.counts = PreviewCounts(self._going, left_out, self._wrong, self._same, with_orders, self._moved)
        self.changes = tuple(self._found.values())

    def _take(self, place: int, row: PreviewRow) -> None:
        if row.problem:
            self._wrong += 1
            self.tried.add((row.ref.resource, row.column))
        elif row.change is None:
            self._same += 1
        elif row.ticked and not (self._out and names_any(row.change, self._out)):
            self._going += 1
            self._go(place, row, row.change)
        elif row.left_out not in ("", "left-out"):
            self._moved += 1

    def _go(self, place: int, row: PreviewRow, change: NewChange) -> None:
        if self.first < 0:
            self.first = place
        else:
            first = self._rows[self.first].change
            self.alike = self.alike and first is not None and change.intent == first.intent
        self.kinds.add((row.ref.resource, row.column))
        self.records.add(row.ref)
        if is_status(row):
            self._pets.add(row.ref.key)
        at = (change.ref, type(change.intent))
        earlier = self._found.get(at)
        if earlier is not None and isinstance(earlier.intent, SetFields) and isinstance(change.intent, SetFields):
            fields = {**earlier.intent.fields, **change.intent.fields}
            change = NewChange(change.ref, SetFields(fields), {**earlier.base, **change.base})
        self._found[at] = change
