"""What changed between two moments, as an item model: rows in groups that fold. Of each kind of change a header, its
first records, and a row for the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from petstore_desktop.desk.past import SeenGroup, SeenKind, by_name, group_changes, grouping
from petstore_desktop.desk.values.collation import sort_keys
from petstore_desktop.desk.values.text import fold, parse_filter
from petstore_desktop.domain.records import Resource
from petstore_desktop.domain.seen_changes import SeenChange, What, Who
from petstore_desktop.ui.base.sliced_work import SlicedWork
from petstore_desktop.ui.base.theme import to_say
from petstore_desktop.ui.cells.cell_model import CellColumn, CellModel
from petstore_desktop.ui.compare.compare_texts import (
    between_words,
    more_words,
    spoken_change,
    spoken_header,
    when_words,
)
from petstore_desktop.ui.text.cell import EMPTY, Cell, pill_cell
from petstore_desktop.ui.text.changes.seen import (
    kind_title,
    record_id,
    record_words,
    totals_words,
    value_pair,
    what_words,
    who_word,
)
from petstore_desktop.ui.text.translate import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from petstore_desktop.desk.model.shop_model import ShopModel


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


RECORD, WHAT, VALUE, WHO, WHEN = range(5)
_AT_ONCE = 5_000
"""Up to this many changes are grouped and sorted without a pause."""
_TURN_S = 0.012
"""Seconds of one turn of finding what fits."""


class CompareModel(CellModel[CompareRow]):
    """The changes that a filter leaves. `shop`: says what records and values are called now.

    Signals:
        filtered(): the rows are those of the present changes and filter.
    """

    filtered = Signal()

    def __init__(self, shop: ShopModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shop = shop
        self._now = 0.0
        self._groups: tuple[SeenGroup, ...] = ()
        """All of them; the rows show those that the filter leaves."""
        self._filter = ""
        self._sorting = False
        self.rows = self.grouped = CompareRows()
        self.columns = (
            CellColumn(tr("Record"), self._record, said=self._spoken),
            CellColumn(tr("What"), lambda row: _of(row, lambda one: Cell(text=what_words(one), tone="muted"))),
            CellColumn(tr("Then → Now"), lambda row: _of(row, self._value)),
            CellColumn(tr("Who"), lambda row: _of(row, lambda one: Cell(text=who_word(one.who)))),
            CellColumn(tr("Seen"), lambda row: _of(row, self._seen), is_figure=True),
        )
        self._finding = SlicedWork[tuple[SeenGroup, ...]](self, _TURN_S, self._found)

    # -- what is shown

    def start(self, changes: Sequence[SeenChange], now: float) -> None:
        """Show these changes; `now`: the present moment (UTC epoch seconds)."""
        self._now = now
        self._sorting = len(changes) > _AT_ONCE
        if self._sorting:
            self._finding.begin(self._starting(changes))
            self._finding.go_on()
            return
        self._groups = group_changes(changes, order=by_name(self._shop.collation.key))
        self._refill()

    def _starting(self, changes: Sequence[SeenChange]) -> Iterator[tuple[SeenGroup, ...] | None]:
        titles = list({change.title for change in changes})
        ranks = yield from sort_keys(self._shop.collation, titles)
        for groups in grouping(changes, by_name(ranks.__getitem__)):
            self._groups = groups or ()
            yield None
        self._sorting = False
        yield from self._fitting()

    def set_filter(self, text: str) -> None:
        """Show only the changes whose words hold all words of this text; of few all are shown. Found in short turns:
        `filtered` is emitted when that is done."""
        if text.strip() != self._filter:
            self._filter = text.strip()
            if not self._sorting:  # else it is asked for when that is done
                self._refill()

    def _refill(self) -> None:
        self._finding.begin(self._fitting())
        self._finding.go_on()

    def _found(self, groups: tuple[SeenGroup, ...]) -> None:
        self.beginResetModel()
        self.grouped.set_groups(groups, whole=bool(self._filter))
        self.endResetModel()
        self.filtered.emit()

    def _fitting(self) -> Iterator[tuple[SeenGroup, ...] | None]:
        """The groups of the changes that the filter leaves. A word for who changed something is meant whole: one of
        them is a part of the other. What was changed here and elsewhere is found by both."""
        if not self._filter:
            yield self._groups
            return
        by_word = {fold(word): who for who in (Who.HERE, Who.ELSEWHERE) for word in (who_word(who), who.value)}
        words = self._filter.split()
        meant = {by_word[fold(word)] for word in words if fold(word) in by_word}
        meant |= {Who.BOTH} if meant else set()
        wanted = parse_filter(" ".join(word for word in words if fold(word) not in by_word))
        fits: list[SeenChange] = []
        for change in (one for group in self._groups for one in group.changes if not meant or one.who in meant):
            if wanted.is_empty or wanted.fits(fold(self._said(change))):
                fits.append(change)
            yield None
        yield group_changes(fits)

    def _said(self, change: SeenChange) -> str:
        """The words by which a change is found, beside who made it: its record, id, field and values."""
        said = (record_words(self._shop, change), record_id(change), what_words(change))
        return " ".join((*said, *value_pair(self._shop, change), who_word(change.who)))

    @property
    def total(self) -> int:
        """How many changes there are, whatever the filter leaves."""
        return sum(len(group.changes) for group in self._groups)

    def totals(self) -> str:
        """The sentence about what is shown."""
        return totals_words(self.grouped.groups)

    def set_folded(self, row: CompareRow, *, folded: bool) -> None:
        """Show the header of a row's group alone, or its records too."""
        self.beginResetModel()
        self.grouped.set_folded(row.group.kind, folded=folded)
        self.endResetModel()

    def show_whole(self, row: CompareRow) -> None:
        """Show all records of a row's group."""
        self.beginResetModel()
        self.grouped.show_whole(row.group.kind)
        self.endResetModel()

    # -- cells

    def _record(self, row: CompareRow) -> Cell:
        if row.kind == "header":
            return Cell(text=kind_title(row.group.kind))
        if row.kind == "more":
            return Cell(text=more_words(row.left), tone="accent")
        return Cell(text=record_words(self._shop, row.change), note=record_id(row.change))

    def _seen(self, change: SeenChange) -> Cell:
        tip = between_words(change, self._now)
        return Cell(text=when_words(change.seen_by, self._now), kind="number", tone="muted", tip=tip)

    def _value(self, change: SeenChange) -> Cell:
        before, after = value_pair(self._shop, change)
        if change.ref.resource is Resource.INVENTORY:
            return Cell(text=before, kind="number", tone="muted", after=Cell(text=after, kind="number"))
        if change.what is not What.CHANGED:
            return Cell(text=before or after, tone="text" if after else "muted")
        if change.field == "status" and change.ref.resource is Resource.PETS:
            return replace(_status(change.before, before), after=_status(change.after, after))
        return Cell(text=before, tone="muted", after=Cell(text=after))

    def _spoken(self, row: CompareRow) -> str:
        if row.kind == "header":
            return to_say(spoken_header(row.group, self.grouped.is_folded(row.group.kind)))
        if row.kind == "more":
            return to_say(tr("{more}: {title}", more=more_words(row.left), title=kind_title(row.group.kind)))
        return to_say(spoken_change(self._shop, row.change, self._now))


def _of(row: CompareRow, cell: Callable[[SeenChange], Cell]) -> Cell:
    """The cell of a change; in a row over all columns there is none."""
    if row.kind == "change":
        return cell(row.change)
    return Cell(tone="accent") if row.kind == "more" else EMPTY


def _status(value: object, words: str) -> Cell:
    return Cell(text=words, tone="muted") if value is None else pill_cell(str(value), words)
