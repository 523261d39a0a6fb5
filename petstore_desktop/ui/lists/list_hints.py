"""Guesses from the list on the screen: the likely category, and the next row.

Working through a filtered list: what is done with, and will fall out of the filter, makes way for the next row. It
stays where it was, greyed, until the list is refreshed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from petstore_desktop.domain.records import Key, Ref, Resource

if TYPE_CHECKING:
    from petstore_desktop.ui.lists.resource_tab import ResourceTab

_LOOKED_AT = 200
"""How many filtered rows are examined for a common category."""


def likely_category(tab: ResourceTab | None) -> Key | None:
    """The category of the selected pet, or the one that a filter leaves; None where there is no telling."""
    if tab is None:
        return None
    current = tab.current_ref()
    if tab.resource is Resource.CATEGORIES:
        return current.key if current is not None else None
    if tab.resource is Resource.ORDERS:
        return None
    if current is not None:
        return _category_of(tab, current.key)
    if not tab.table.filter_text or not 0 < tab.table.row_count <= _LOOKED_AT:
        return None
    left = {_category_of(tab, tab.table.key_at(row)) for row in range(tab.table.row_count)}
    return left.pop() if len(left) == 1 else None


def _category_of(tab: ResourceTab, key: Key) -> Key | None:
    ref = tab.table.cell_of(key, "category").ref
    return ref.key if ref is not None else None


_TOLD_BY: Mapping[str, tuple[tuple[str, str], ...]] = {
    "complete": (("state", ""), ("late", ""), ("ship_date", "overdue")),
    "status": (("status", ""),),
}
"""The columns whose filter a field decides on, with the word that must be in it."""


def _leaves(filters: Mapping[str, str], fields: Collection[str]) -> bool:
    """Whether a row that gets these fields is likely to fall out of what the list is filtered by (as that is kept)."""
    for name in fields:
        for column, word in _TOLD_BY.get(name, ()):
            if column in filters and word in filters[column].casefold():
                return True
    return False


def go_on(tab: ResourceTab, refs: tuple[Ref, ...], fields: Collection[str]) -> None:
    """After these fields were set for these records: from the current row, if it is the only one, to the next one that
    is still in the filter."""
    _, filters = tab.filters.kept()
    if refs != (tab.current_ref(),) or not _leaves(filters, fields):
        return
    here = tab.view.currentIndex()
    rest = range(here.row() + 1, tab.table.row_count)
    row = next((row for row in rest if not tab.table.cell(row, 0).row_muted), None)
    if row is not None:
        tab.view.setCurrentIndex(here.siblingAtRow(row))
