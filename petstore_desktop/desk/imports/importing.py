"""A file's rows laid over the shop: which are new, which change something, which are the same, and which are wrong.

It is worked out in small steps, so that no screen waits for a long file; rows that are the same cost nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from petstore_desktop.desk.imports.import_judging import CategoryCreator, Judge, Judged, RowKind
from petstore_desktop.desk.imports.import_layout import Layout, field_of, header_names
from petstore_desktop.desk.imports.import_matching import Cells, Identity, Problem
from petstore_desktop.desk.imports.import_values import (
    COMMA_STYLE,
    DateOrder,
    Formats,
    as_text,
    date_order,
    number_style,
)
from petstore_desktop.desk.model.capabilities import Action
from petstore_desktop.desk.preview import CellInput
from petstore_desktop.desk.table.exporting import left_to_choose
from petstore_desktop.desk.values.text import Separators, fold
from petstore_desktop.domain.changes import NewChange
from petstore_desktop.domain.records import FieldKind, Key, LocalId, Ref, Resource, row_mark
from petstore_desktop.domain.sheets import Sheet, SheetCell
from petstore_desktop.exchange.spreadsheet import armed

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk

_AT_ONCE: Final = 64
"""Rows of one step."""


def guess_formats(sheet: Sheet, layout: Layout, local: Separators | None) -> Formats:
    """How dates and numbers are written, from all cells of their columns; `local`: as a person here writes them."""
    kinds = {at: field.kind for at, name in enumerate(layout.fields) if (field := field_of(layout.resource, name))}
    dated = [at for at, kind in kinds.items() if kind is FieldKind.MOMENT]
    dates, dates_open = date_order(_cells(sheet, layout, dated))
    counted = [at for at, kind in kinds.items() if kind in (FieldKind.NUMBER, "booking")]
    # Spreadsheets put semicolons between columns where a comma stands in numbers, and in Switzerland.
    is_foreign = sheet.separator == ";" and local is not None and local.group == ","
    numbers, numbers_open = number_style(_cells(sheet, layout, counted), COMMA_STYLE if is_foreign else local)
    asked = (("dates", dates_open), ("numbers", numbers_open), ("encoding", sheet.guessed))
    unsure = {name for name, is_open in asked if is_open}
    return Formats(dates, numbers, frozenset(unsure))


def _cells(sheet: Sheet, layout: Layout, columns: Sequence[int]) -> Iterable[SheetCell]:
    for row in sheet.rows[layout.header + 1 :]:
        for at in columns:
            if at < len(row):
                yield row[at]


class Import:
    """One file under one layout. `formats` None: they are found out. Done when `compare` has ended."""

    def __init__(self, desk: Desk, sheet: Sheet, layout: Layout, formats: Formats | None = None) -> None:
        self._desk, self.sheet, self.layout = desk, sheet, layout
        self.formats = formats or guess_formats(sheet, layout, desk.shop.here.separators)
        self.names = header_names(sheet, layout.header)
        self._mended: dict[tuple[int, int], str] = {}
        self.creating = False
        """Whether unknown categories will be made."""
        self.leaving_stock = False
        """Whether the stock of new pets is left out."""
        self.again = False
        """Whether rows of which an earlier import made records make new ones."""
        self._begin()

    def _begin(self) -> None:
        self._judge = Judge(self._desk, self.sheet, self.layout, self.formats)
        self._judge.leaving_stock = self.leaving_stock
        self._judge.coming = CategoryCreator(self._desk) if self.creating else None
        self._judged: dict[int, Judged] = {}
        self._seen: dict[Hashable, int] = {}
        self._made_by_rows = self._desk.overlay.made_by_rows(self.layout.resource)
        self._marks: dict[int, str] = {}
        self._marked: Counter[str] = Counter()
        self._next = self.layout.header + 1
        self.counts: dict[RowKind, int] = dict.fromkeys(RowKind, 0)
        self.stocked = 0
        """New pets with a stock, which cannot be booked before the service knows them."""
        self.made_before = 0
        """Rows of which an earlier import made records."""
        self._reasons: Counter[str] = Counter()
        self._unknown: dict[str, str] = {}

    # ---- comparing

    def compare(self) -> Iterator[None]:
        """Compare what is not compared yet, a few rows with each step."""
        last = len(self.sheet.rows)
        while self._next < last:
            end = min(self._next + _AT_ONCE, last)
            for place in range(self._next, end):
                self._take(place)
            self._next = end
            yield

    @property
    def share(self) -> float:
        """How much of the file is compared, up to 1."""
        return self._next / max(1, len(self.sheet.rows))

    @property
    def is_done(self) -> bool:
        """Whether every row is compared."""
        return self._next >= len(self.sheet.rows)

    def _take(self, place: int) -> None:
        cells = self._cells_of(place)
        old = self._judged.pop(place, None)
        if old is not None:
            self._tally(old, -1)
        self._marked[self._marks.pop(place, "")] -= 1
        if not cells:
            return
        found = self._judge_row(place, cells)
        for name in found.unknown:
            self._unknown.setdefault(fold(name), name)
        self._judged[place] = found
        self._tally(found, 1)

    def _tally(self, judged: Judged, rows: int) -> None:
        self.counts[judged.kind] += rows
        self.stocked += rows if judged.stocked else 0
        self.made_before += rows if judged.made_before else 0
        for code in dict.fromkeys(problem.code for problem in judged.problems):  # in their order: the first is named
            self._reasons[code] += rows

    def _judge_row(self, place: int, cells: Cells) -> Judged:
        if "encoding" in self.formats.unsure:
            for name, cell in cells.items():
                if isinstance(cell, str) and not cell.isascii():
                    return Judged(RowKind.WRONG, problems=(Problem("encoding-unsure", name),))
        match = self._judge.matcher.find(cells)
        if isinstance(match, Problem):
            return Judged(RowKind.WRONG, problems=(match,))
        if match.token is not None:
            first = self._seen.setdefault(match.token, place)
            if first != place:
                key = self._judge.matcher.by
                name = {"id": "", "pet": "pet"}.get(key, "name")
                return Judged(RowKind.WRONG, problems=(Problem("twice", name, {"row": first + 1}),))
        judged = self._judge.judge(match, cells)
        return judged if judged.new is None else self._named_by_row(place, cells, judged.new, judged)

    def _named_by_row(self, place: int, cells: Cells, new: NewChange, judged: Judged) -> Judged:
        """A new record whose key says which row made it, so that none is made again by such a row, whatever became of
        it at the service. An order is no pet: the same one is wanted again and again, if not by the same file."""
        is_order = new.ref.resource is Resource.ORDERS
        texts = sorted(f"{name}:{as_text(cell)}" for name, cell in cells.items())
        mark = row_mark(new.ref.resource, *texts, self.sheet.content if is_order else "")
        earlier = [key for key in self._made_by_rows.get(mark, ()) if is_order or self._is_there(new.ref, key)]
        at, self._marks[place] = self._marked[mark], mark
        self._marked[mark] += 1
        before = at < len(earlier)
        if before and not self.again:
            ref = Ref(new.ref.resource, earlier[at])
            return Judged(RowKind.SAME, ref if self._desk.is_changed(ref) else None, made_before=True)
        ref = Ref(new.ref.resource, LocalId.of_row(mark))
        return replace(judged, ref=ref, new=replace(new, ref=ref), made_before=before)

    def _is_there(self, new: Ref, key: Key) -> bool:
        return self._desk.shop.may_be(new.resource, key)

    def _cells_of(self, place: int) -> Cells:
        found: dict[str, SheetCell] = {}
        for at, name in enumerate(self.layout.fields):
            cell = self._cell(place, at) if name else ""
            if not isinstance(cell, str) or cell.strip():
                found[name] = cell
        return found

    def _cell(self, place: int, column: int) -> SheetCell:
        if self._mended and (place, column) in self._mended:
            return self._mended[place, column]
        row = self.sheet.rows[place]
        cell = row[column] if column < len(row) else ""
        return armed(cell) if isinstance(cell, str) and self.sheet.disarmed else cell

    # ---- questions

    @property
    def identity(self) -> Identity:
        """How rows are matched to records."""
        return self._judge.matcher.by

    @property
    def total(self) -> int:
        """How many rows hold something."""
        return sum(self.counts.values())

    @property
    def is_mapped(self) -> bool:
        """Whether every column becomes something, but those that an export of ours has from the list alone."""
        left = left_to_choose(self.layout.resource) if self.sheet.own is not None else set[str]()
        return all(field or name in left for field, name in zip(self.layout.fields, self.names, strict=True))

    @property
    def missing(self) -> int:
        """How many rows an export of ours says that it had, beyond those that are here."""
        rows = len(self.sheet.rows) - self.layout.header - 1 - (1 if self.sheet.disarmed else 0)  # without its end
        return max(0, (self.sheet.count or 0) - rows)

    @property
    def mended(self) -> int:
        """How many cells a person mended."""
        return len(self._mended)

    @property
    def unknown(self) -> tuple[str, ...]:
        """Names of categories that are not there, as the file writes them."""
        return tuple(self._unknown.values())

    @property
    def may_create(self) -> bool:
        """Whether unknown categories can be made."""
        return self._desk.allowed(Action.NEW_CATEGORY).ok

    def most_wrong(self) -> tuple[int, Problem] | None:
        """The most frequent error, and the first row with it; None if there is none."""
        code = max(self._reasons, key=self._reasons.__getitem__, default="")
        wrong = ((at, problem) for at, one in self._judged.items() for problem in one.problems)
        return next(((at, problem) for at, problem in wrong if problem.code == code), None)

    def places(self, kind: RowKind | None = None) -> list[int]:
        """The rows of one kind, or all, in the file's order; a row's number in the file is one more."""
        return sorted(place for place, judged in self._judged.items() if kind is None or judged.kind is kind)

    def judged(self, place: int) -> Judged | None:
        """What comes of a row; None of one that holds nothing, and until it is compared."""
        return self._judged.get(place)

    def text(self, place: int, column: int) -> str:
        """What stands in a cell, as the file has it or as it was mended."""
        return as_text(self._cell(place, column))

    def column_of(self, problem: Problem) -> int:
        """The column of the cell that is at fault; -1 where it is the row as a whole."""
        return self.layout.column(problem.field) if problem.field else -1

    # ---- what a person does

    def mend(self, place: int, column: int, text: str) -> None:
        """This cell shall be that instead. What another row's meaning hangs on is compared anew, all of it."""
        self._mended[place, column] = text
        if self.layout.fields[column] in self._judge.matcher.identifying:
            self._begin()
        else:
            self._take(place)

    def create_categories(self, on: bool) -> None:
        """Whether categories that are not there are made."""
        if on is self.creating:
            return
        self.creating = on
        known = self._unknown
        self._begin()
        if on:
            self._unknown = known

    def leave_stock(self, on: bool) -> None:
        """Whether the stock of new pets is left out: the pets are made without."""
        if on is not self.leaving_stock:
            self.leaving_stock = on
            self._begin()

    def make_again(self, on: bool) -> None:
        """Whether rows of which an earlier import made records make new ones."""
        if on is not self.again:
            self.again = on
            self._begin()

    def with_layout(self, layout: Layout) -> Import:
        """The same file under another layout; mended cells stay mended."""
        other = Import(self._desk, self.sheet, layout)
        if layout.header == self.layout.header:
            other._mended = dict(self._mended)
        other.creating, other.leaving_stock, other.again = self.creating, self.leaving_stock, self.again
        other._begin()
        return other

    def choose_formats(self, dates: DateOrder | None = None, numbers: Separators | None = None) -> None:
        """A person said how dates, or numbers, are written."""
        settled = {name for name, one in (("dates", dates), ("numbers", numbers)) if one is not None}
        self.formats = replace(
            self.formats,
            dates=self.formats.dates if dates is None else dates,
            numbers=self.formats.numbers if numbers is None else numbers,
            unsure=self.formats.unsure - settled,
        )
        self._begin()

    # ---- the outcome

    def new(self) -> tuple[NewChange, ...]:
        """The records to be made; categories that others need come first."""
        going = [self._judged[place] for place in sorted(self._judged)]
        needed = {fold(name) for one in going if one.kind is not RowKind.WRONG for name in one.unknown}
        coming = self._judge.coming
        made = [coming.of(self._unknown[name]) for name in sorted(needed)] if coming is not None else []
        return tuple(one for one in (*made, *(one.new for one in going)) if one is not None)

    def inputs(self) -> Iterator[CellInput]:
        """What shall become of records that are there, in the file's order."""
        for place in sorted(self._judged):
            one = self._judged[place]
            if one.kind is RowKind.CHANGED:
                yield from one.inputs
