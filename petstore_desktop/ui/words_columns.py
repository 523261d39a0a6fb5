"""What columns and facts are called, by resource and the desk's code."""

from __future__ import annotations

import functools

from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.words import field_word, tr


@functools.cache
def column_title(resource: Resource, column: str) -> str:
    """A header's words; the gutter's are for screen readers alone."""
    if column == "gutter":
        return tr("Change")
    if column == "id":
        return tr("Order", "header of the order’s id") if resource is Resource.ORDERS else tr("Id")
    if column == "quantity" and resource is Resource.ORDERS:
        return tr("Quantity")
    return field_word(column)
