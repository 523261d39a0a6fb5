"""Which rows and cells of a table are selected, without asking Qt about every cell: only its ranges are looked at, so
that a million selected rows cost no more than one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from operator import methodcaller
from typing import cast, overload

from msgspec import Struct
from PySide6.QtCore import QItemSelectionModel, QItemSelectionRange, QObject
from PySide6.QtWidgets import QTableView

from petstore_desktop.ui.base.building import timer
from petstore_desktop.ui.grid.table_view import TableView

Span = tuple[int, int]
"""First and last row, both included."""


class RowSet(Sequence[int]):
    """Row numbers in order, kept as spans. Its length, its first rows and whether a row is in it cost nothing."""

    def __init__(self, spans: Iterable[Span] = ()) -> None:
        """`spans` may come in any order, and overlap."""
        merged: list[Span] = []
        for first, last in sorted(spans):
            if merged and first <= merged[-1][1] + 1:
                merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
            else:
                merged.append((first, last))
        self.spans = tuple(merged)
        self._ends = list(accumulate([last - first + 1 for first, last in merged]))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __iter__(self) -> Iterator[int]:
        for first, last in self.spans:
            yield from range(first, last + 1)

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> list[int]: ...
    def __getitem__(self, index: int | slice) -> int | list[int]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(index)
        span = bisect_right(self._ends, place)
        return self.spans[span][0] + place - (self._ends[span - 1] if span else 0)

    def __contains__(self, row: object) -> bool:
        return isinstance(row, int) and any(first <= row <= last for first, last in self.spans)

    def place(self, row: int) -> int:
        """How many of the rows stand before this one; -1 where it is none of them."""
        before = 0
        for first, last in self.spans:
            if first <= row <= last:
                return before + row - first
            before += last - first + 1
        return -1

    def __eq__(self, other: object) -> bool:
        if isinstance(other, RowSet):
            return self.spans == other.spans
        return isinstance(other, list) and list(self) == other

    def __hash__(self) -> int:
        return hash(self.spans)

    def __repr__(self) -> str:
        return f"RowSet({self.spans})"


class CellRange(Struct, frozen=True):
    """Selected cells that form a table: every one of `columns` (as on the screen; no hidden one, not the gutter) in
    every one of `rows`."""

    rows: RowSet
    columns: tuple[int, ...]

    @property
    def single(self) -> bool:
        """Whether it is one cell."""
        return len(self.rows) == 1 == len(self.columns)


def _ranges(view: QTableView) -> Iterable[QItemSelectionRange]:
    # A list by Qt's word, which its stubs do not say.
    return cast("Iterable[QItemSelectionRange]", view.selectionModel().selection())


def selected_rows(view: QTableView) -> RowSet:
    """The rows that the selection touches. Qt's `selectedRows` wants whole rows, and asks the model about each cell."""
    return RowSet([(block.top(), block.bottom()) for block in _ranges(view)])


def selected_count(view: QTableView) -> int:
    """How many rows the selection touches."""
    return len(selected_rows(view))


def selected_columns(view: TableView) -> dict[int, RowSet]:
    """Of each column that can be seen (the gutter left out), in the order on the screen, its selected rows."""
    spans: dict[int, list[Span]] = {}
    for block in _ranges(view):
        for column in range(block.left(), block.right() + 1):
            spans.setdefault(column, []).append((block.top(), block.bottom()))
    shown = [column for column in view.shown_columns() if column in spans]
    return {column: RowSet(spans[column]) for column in shown}


def selected_block(view: TableView) -> CellRange | None:
    """The selected cells, if they form a table; None where nothing is selected or the columns have different rows."""
    columns = selected_columns(view)
    rows = set(columns.values())
    return CellRange(rows.pop(), tuple(columns)) if len(rows) == 1 else None


def only_current(view: QTableView) -> bool:
    """Whether the current cell is all that is selected."""
    if view.selectionModel().selection().count() != 1:
        return False
    (one,) = _ranges(view)
    return one.width() == 1 == one.height() and one.contains(view.currentIndex())


class Settled(QObject):
    """Calls `do` once for each step: Qt tells of another selection and of another current cell one after the other, in
    either order, and what comes first finds a current cell that is not selected."""

    def __init__(self, view: QTableView, do: Callable[[], None]) -> None:
        super().__init__(view)
        self._view, self._do = view, do
        self._seen = (-1, -1)
        """The current cell when the selection changed, if that was all that was done: it may be told of next."""
        self._later = timer(self, 0, do, once=True)
        view.selectionModel().selectionChanged.connect(self._selected)
        view.selectionModel().currentChanged.connect(self._went)

    def _selected(self) -> None:
        self._moved()
        now = self._view.currentIndex()
        self._seen = (now.row(), now.column())

    def _went(self) -> None:
        now, seen, self._seen = self._view.currentIndex(), self._seen, (-1, -1)
        if (now.row(), now.column()) != seen or not now.isValid():
            self._moved()

    def _moved(self) -> None:
        now, blocks = self._view.currentIndex(), list(_ranges(self._view))  # Qt's `isSelected` asks about the cell
        if now.isValid() and blocks and not any(map(methodcaller("contains", now), blocks)):
            self._later.start()  # the other half follows now; or the current cell is not selected, which is told too
        else:
            self._later.stop()
            self._do()


def stand_on_rows(view: QTableView) -> None:
    """Select the row that Tab leads to: Qt makes it current without selecting it, and a single row could then not be
    selected by arrow keys at all. Done when all else that moved the current row has done its selecting."""
    picked = view.selectionModel()

    def stand() -> None:
        now = view.currentIndex()
        if now.isValid() and not picked.hasSelection():
            picked.select(now, QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows)

    picked.currentRowChanged.connect(timer(view, 0, stand, once=True).start)
