"""Lists the rows of two compared days: a header for each kind of change, its first records, and a row for the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from petstore_desktop.desk.past.grouping import SeenGroup, SeenKind
from petstore_desktop.domain.seen_changes import SeenChange

FIRST: Final = 3
"""How many records of a kind are shown at first."""
RowKind: TypeAlias = Literal["header", "change", "more"]


class CompareRow(Struct, frozen=True):
    """One row: the header of `group`, its change number `place`, or the row that shows `left` more of it."""

    kind: RowKind
    group: SeenGroup
    place: int = 0
    left: int = 0

    @property
    def change(self) -> SeenChange:
        """The change that a row of this kind shows."""
        return self.group.changes[self.place]


class CompareRows(Sequence[CompareRow]):
    """The rows of groups of which some are folded and some shown whole. Rows are made when they are asked for: there
    may be tens of thousands."""

    def __init__(self) -> None:
        self.groups: tuple[SeenGroup, ...] = ()
        self._folded: set[SeenKind] = set()
        self._whole: set[SeenKind] = set()
        self._starts: list[int] = []
        self._count = 0

    def set_groups(self, groups: tuple[SeenGroup, ...], *, whole: bool = False) -> None:
        """Show these groups; what is folded stays folded. `whole`: with all of their records."""
        self.groups = groups
        self._whole = {group.kind for group in groups} if whole else set()
        self._lay_out()

    def set_folded(self, kind: SeenKind, *, folded: bool) -> None:
        """Show a group's header alone, or its records too."""
        (self._folded.add if folded else self._folded.discard)(kind)
        self._lay_out()

    def show_whole(self, kind: SeenKind) -> None:
        """Show all records of a group."""
        self._whole.add(kind)
        self._lay_out()

    def is_folded(self, kind: SeenKind) -> bool:
        """Whether only the header of a group is shown."""
        return kind in self._folded

    def headers(self) -> list[int]:
        """The rows that are headers."""
        return list(self._starts)

    def wide_rows(self) -> Iterator[int]:
        """The rows that have one cell over all columns: headers, and those that show more."""
        for start, group in zip(self._starts, self.groups, strict=True):
            yield start
            if self._left(group):
                yield start + 1 + self._shown(group)

    def row_of(self, wanted: CompareRow) -> int:
        """Where a row stands now, or the header of its group; -1 where the group is gone."""
        for start, group in zip(self._starts, self.groups, strict=True):
            if group.kind is wanted.group.kind:
                return start + self._place_in(group, wanted)
        return -1

    def _place_in(self, group: SeenGroup, wanted: CompareRow) -> int:
        if wanted.kind != "change":
            return 0
        shown = group.changes[: self._shown(group)]
        same = (n for n, one in enumerate(shown) if one.ref == wanted.change.ref and one.field == wanted.change.field)
        return next(same, -1) + 1

    def _shown(self, group: SeenGroup) -> int:
        """How many records of a group are shown: one more is not hidden behind a row that takes as much room."""
        count = len(group.changes)
        if group.kind in self._folded:
            return 0
        return count if group.kind in self._whole or count <= FIRST + 1 else FIRST

    def _left(self, group: SeenGroup) -> int:
        return 0 if group.kind in self._folded else len(group.changes) - self._shown(group)

    def _lay_out(self) -> None:
        self._starts, at = [], 0
        for group in self.groups:
            self._starts.append(at)
            at += 1 + self._shown(group) + bool(self._left(group))
        self._count = at

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, row: int) -> CompareRow:  # pyright: ignore[reportIncompatibleMethodOverride] -- no slices
        if not 0 <= row < self._count:
            raise IndexError(row)
        number = next(n for n in reversed(range(len(self._starts))) if self._starts[n] <= row)
        group, place = self.groups[number], row - self._starts[number] - 1
        if place < 0:
            return CompareRow("header", group)
        if place < self._shown(group):
            return CompareRow("change", group, place)
        return CompareRow("more", group, left=self._left(group))
