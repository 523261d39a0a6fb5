"""Sums of the selected cells for the status bar, counted in idle time, and the price of changing the selection."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from petstore_desktop.desk.price import likely_changes, price_of_more
from petstore_desktop.desk.table.sums import ColumnSum, Sums, sum_up, summed_column
from petstore_desktop.domain.batches import Price
from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.base.sliced_work import SlicedWork
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.grid.selection import RowSet, selected_columns, selected_rows
from petstore_desktop.ui.questions.price import PriceWatch
from petstore_desktop.ui.text.prices import selection_cost_words
from petstore_desktop.ui.text.translate import column_title, number, status_word, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.model.ripple import Changed
    from petstore_desktop.domain.changes import NewChange
    from petstore_desktop.ui.context.edits import Edits
    from petstore_desktop.ui.lists.resource_tab import ResourceTab
    from petstore_desktop.ui.status.status_line import StatusLine

_TURN_S = 0.004
"""Seconds that it counts before other work has its turn."""
_STATUSES = 3


class SelectionSums(QObject):
    """Follows the selection that a status line shows."""

    def __init__(self, desk: Desk, status: StatusLine) -> None:
        super().__init__(status)
        self._shop, self._status = desk.shop, status
        self._work = SlicedWork[Sums](self, _TURN_S, self._show, self._turned)
        self._wanted: ResourceTab | None = None
        self._tab: ResourceTab | None = None
        status.counted.connect(self._selected)

    def _selected(self, tab: ResourceTab | None, again: bool) -> None:
        """Count another selection, or (`again`) the same one after a change; a count under way is finished first, or
        many changes would never let it end."""
        if again and self._work.under_way:
            self._wanted = tab
            return
        if not again:
            self._status.set_sums((), "")
        self._begin(tab)

    def _begin(self, tab: ResourceTab | None) -> None:
        self._wanted, self._tab = None, tab
        rows = RowSet() if tab is None else selected_rows(tab.view)
        if tab is None or (len(rows) < 2 and not _several_cells(tab)):
            self._work.stop()
            self._status.set_sums((), "")
            return
        self._work.begin(sum_up(self._shop, tab.table, _chosen(tab, rows), rows.spans))

    def _show(self, found: Sums) -> None:
        if self._tab is not None:
            self._status.set_sums(*sums_words(self._tab.resource, found))

    def _turned(self, more: bool) -> None:
        if not more and self._wanted is not None:
            self._begin(self._wanted)


def _several_cells(tab: ResourceTab) -> bool:
    return sum(tab.table.columns[column].summed for column in selected_columns(tab.view)) > 1


def _chosen(tab: ResourceTab, rows: RowSet) -> Mapping[str, tuple[tuple[int, int], ...]]:
    """The rows of each column of numbers that cells are selected in; without any, all rows of the one that stands for
    them."""
    columns = {tab.table.columns[column]: rows.spans for column, rows in selected_columns(tab.view).items()}
    numbers = {column.id: spans for column, spans in columns.items() if column.summed}
    usual = summed_column(tab.table)
    return numbers or ({usual: rows.spans} if usual else {})


def sums_words(resource: Resource, sums: Sums) -> tuple[tuple[str, ...], str]:
    """The words, the longest form first, each shorter than the one before; and the full text for the tool tip."""
    columns = [(column_title(resource, name), one) for name, one in sums.columns.items() if one.count]
    statuses = _by_status(sums, _STATUSES)
    full = [_spread(title, one) for title, one in columns]
    short = [tr("{column}: sum {sum}", column=title, sum=number(one.total)) for title, one in columns]
    forms = [
        [*full[:1], *statuses] if len(full) == 1 else [*short, *statuses],
        [*short[:1], *statuses],
        short[:1] or list(statuses),
    ]
    every = [_all_of(title, one) for title, one in columns]
    said = "\n".join([*every, *_by_status(sums, len(sums.statuses))])
    words = (tr(" · ", "between parts of a line").join(form) for form in forms if form)
    return tuple(dict.fromkeys(words)), said


def _spread(title: str, one: ColumnSum) -> str:
    if one.least == one.most or one.least is None or one.most is None:
        return tr("{column}: sum {sum}", column=title, sum=number(one.total))
    least, most = number(one.least), number(one.most)
    return tr("{column}: sum {sum}, {least} to {most}", column=title, sum=number(one.total), least=least, most=most)


def _all_of(title: str, one: ColumnSum) -> str:
    least, most = number(one.least or 0), number(one.most or 0)
    return tr(
        "{column}: {n} numbers, sum {sum}, least {least}, most {most}",
        "",
        one.count,
        one="{column}: {n} number, sum {sum}, least {least}, most {most}",
        column=title,
        sum=number(one.total),
        least=least,
        most=most,
    )


def _by_status(sums: Sums, most: int) -> tuple[str, ...]:
    """`3 available, 2 sold`; nothing where no row says one."""
    ranked = sorted(sums.statuses.items(), key=lambda pair: (-pair[1], pair[0]))
    words = [_of_status(name, count) for name, count in ranked[:most]]
    rest = sum(count for _, count in ranked[most:])
    if rest:
        words.append(tr("{n} others", "", rest, one="{n} other"))
    return (tr(", ", "between parts of a line").join(words),) if any(sums.statuses) else ()


def _of_status(name: str, count: int) -> str:
    word = isolate(plain(status_word(name))) if name else tr("without a status")
    return tr("{count} {status}", count=number(count), status=word)


ASKED = 500
"""How many selected records are priced; the price of more is extrapolated."""


class SelectionPrice(QObject):
    """Follows the selection that a status line shows."""

    def __init__(self, edits: Edits, status: StatusLine) -> None:
        super().__init__(status)
        self._desk, self._status = edits.desk, status
        self._tab: ResourceTab | None = None
        self._by = 1.0
        self._watch = PriceWatch(edits, self._changes, self)
        self._watch.priced.connect(self._show)
        status.selected.connect(self._selected)

    def _selected(self, tab: ResourceTab | None) -> None:
        self._tab = tab
        self._watch.soon()

    def _changes(self) -> tuple[NewChange, ...] | None:
        if self._tab is None:
            return None
        rows = selected_rows(self._tab.view)
        asked = [self._tab.table.ref_at(row) for row in rows[:ASKED] if row < self._tab.table.row_count]
        if len(asked) < 2:
            return None
        self._by = len(rows) / len(asked)
        return likely_changes(self._desk, asked) or None

    def changed(self, moved: Changed) -> None:
        """What waits to be sent has moved: an edit that goes along with it costs something else now."""
        if moved.outbox and self._tab is not None:
            self._watch.again()

    def _show(self, price: Price | None) -> None:
        if price is not None and self._by > 1:
            price = price_of_more(self._desk, price, self._by, self._desk.now())
        self._status.set_cost("" if price is None or price.requests <= 0 else selection_cost_words(price))
