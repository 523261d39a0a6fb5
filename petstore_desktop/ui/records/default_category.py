"""What a person most likely means, from what is on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from petstore_desktop.domain.records import Key, Resource

if TYPE_CHECKING:
    from petstore_desktop.ui.lists.resource_tab import ResourceTab

_LOOKED_AT = 200
"""So many filtered rows are looked at for the one category that they share."""


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
