"""What selected cells add up to: count, sum, least and most of numbers, and how many rows there are of each status."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, field

from petstore_desktop.desk.columns.columns import COLUMNS_BY_ID
from petstore_desktop.desk.filters.column_filters import code_of
from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.desk.table.table import Table

Span = tuple[int, int]
"""First and last row, both included."""

_SLICE = 256


class ColumnSum(Struct):
    """The numbers of one column: how many there are, and what they add up to. Without any, least and most are None."""

    count: int = 0
    total: int = 0
    least: int | None = None
    most: int | None = None

    def add(self, number: int) -> None:
        """One more."""
        self.count += 1
        self.total += number
        self.least = number if self.least is None or number < self.least else self.least
        self.most = number if self.most is None or number > self.most else self.most


class Sums(Struct):
    """Of one selection: the columns by their ids, and rows by status or state ("open", "complete"; "" for none)."""

    columns: dict[str, ColumnSum] = field(default_factory=dict[str, ColumnSum])
    statuses: Counter[str] = field(default_factory=Counter[str])


def summed_column(table: Table) -> str:
    """The column that stands for whole rows; empty where the table has none."""
    return next((column.id for column in table.columns if column.summed), "")


def sum_up(
    shop: ShopModel, table: Table, columns: Mapping[str, Iterable[Span]], rows: Iterable[Span]
) -> Iterator[Sums | None]:
    """Add up these rows of each column, and count the statuses of `rows`: None as long as there is more to do, well
    under a millisecond each, then the sums once. Rows that are no longer there are left out."""
    sums, spans = Sums(), list(rows)
    for name, ranges in columns.items():
        chosen, made = list(ranges), sums.columns.setdefault(name, ColumnSum())
        column = COLUMNS_BY_ID[table.resource][name]
        for slots in _slices(table, chosen):
            for slot in slots:
                if (number := code_of(shop, column, slot)) is not None:
                    made.add(number)
            yield None
    if (status := next((column for column in table.columns if column.kind == "pill"), None)) is not None:
        for slots in _slices(table, spans):
            sums.statuses.update(_word(status.value(shop, slot)) for slot in slots)
            yield None
    yield sums


def _slices(table: Table, spans: Iterable[Span]) -> Iterator[list[int]]:
    for first, last in spans:
        for start in range(first, last + 1, _SLICE):
            yield table.slots(start, min(last + 1, start + _SLICE))


def _word(code: object) -> str:
    if isinstance(code, bool):
        return "complete" if code else "open"
    return code if isinstance(code, str) else ""
