"""The totals with which a period begins whose days before are not known: those of its end, without what changed."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Final

from petstore_desktop.desk.past.grouping import pieces_of
from petstore_desktop.domain.records import FieldValue, Resource
from petstore_desktop.domain.seen_changes import DayTotals, SeenChange, What

_COUNTED: Final = {  # house: whole-table - nothing of a category is counted
    Resource.PETS: "status",
    Resource.INVENTORY: "quantity",
    Resource.ORDERS: "complete",
}
"""The field of a record that the totals are counted by."""
Sides = tuple[tuple[FieldValue, ...], tuple[FieldValue, ...]]


def totals_at_the_beginning(day: date, end: DayTotals, changes: Iterable[SeenChange]) -> DayTotals:
    """The totals before these net changes, which led to those of `end`.

    The pieces of all categories stand together, under None: changes do not say the category of a pet. How many orders
    were overdue, and how much stock was low or none left, is not known.
    """
    pets, pieces, open_ = dict(end.pets or {}), 0, 0
    for change in changes:
        before, after = _sides(change)
        if change.ref.resource is Resource.PETS:
            _undo(pets, before, after)
        elif change.ref.resource is Resource.INVENTORY and (before or after):
            pieces -= pieces_of(change)
        elif change.ref.resource is Resource.ORDERS:
            open_ += before.count(False) - after.count(False)
    return DayTotals(
        day,
        None if end.pets is None else pets,
        None if end.stock is None else {None: sum(end.stock.values()) + pieces},
        None if end.open_orders is None else end.open_orders + open_,
        None,
        None,
        None,
    )


def _sides(change: SeenChange) -> Sides:
    """The counted value before and after; nothing where the record was not there, or another field changed."""
    name = _COUNTED.get(change.ref.resource, "")
    if change.what is What.CHANGED:
        return ((change.before,), (change.after,)) if change.field == name else ((), ())
    said = (change.record.get(name),)
    return ((), said) if change.what is What.NEW else (said, ())


def _undo(pets: dict[str, int], before: tuple[FieldValue, ...], after: tuple[FieldValue, ...]) -> None:
    for values, by in ((before, 1), (after, -1)):
        for value in values:
            word = value if isinstance(value, str) else ""
            pets[word] = pets.get(word, 0) + by
