"""Working through a filtered list: what is done with, and will fall out of the filter, makes way for the next row. It
stays where it was, greyed, until the list is refreshed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from petstore_desktop.domain.records import Ref

if TYPE_CHECKING:
    from petstore_desktop.desk.table.table import Table
    from petstore_desktop.ui.lists.resource_tab import ResourceTab

_TOLD_BY: Mapping[str, tuple[tuple[str, str], ...]] = {
    "complete": (("state", ""), ("late", ""), ("ship_date", "overdue")),
    "status": (("status", ""),),
}
"""The columns whose filter a field decides on, with the word that must be in it."""


def leaves(table: Table, fields: Collection[str]) -> bool:
    """Whether a row that gets these fields is likely to fall out of what the list is filtered by."""
    filters = table.column_filters
    told = [pair for name in fields for pair in _TOLD_BY.get(name, ())]
    return any(column in filters and word in filters[column].casefold() for column, word in told)


def go_on(tab: ResourceTab, refs: tuple[Ref, ...], fields: Collection[str]) -> None:
    """After these fields were set for these records: from the current row, if it is the only one, to the next one that
    is still in the filter."""
    if refs != (tab.current_ref(),) or not leaves(tab.table, fields):
        return
    here = tab.view.currentIndex()
    rest = range(here.row() + 1, tab.table.row_count)
    row = next((row for row in rest if not tab.table.cell(row, 0).row_muted), None)
    if row is not None:
        tab.view.setCurrentIndex(here.siblingAtRow(row))
