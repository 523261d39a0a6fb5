"""Conflicts: the service has neither what the person saw nor what the person wants, so a person decides. Pure.

How that is found for a stock and for the fields of a record, before a write leaves (next_step.py asks); and what
settles it. What a look says of an attempt whose outcome was unknown is in lost_answer.py.
"""

from __future__ import annotations

from collections.abc import Collection

from petstore_desktop.domain.changes import (
    AddStock,
    Change,
    ChangeState,
    Create,
    Delete,
    Fields,
    Intent,
    SetFields,
    SetStock,
    is_refused_booking,
)
from petstore_desktop.domain.deletions import EXTRA, ID, extra_of, extra_text, moved_extra
from petstore_desktop.domain.records import (
    FIELDS,
    FieldValue,
    LocalId,
    Record,
    Resource,
    Row,
    resource_of,
)


def quantity_of(row: Row) -> int | None:
    """The quantity of a stock entry, or of an order; None where it is not known."""
    value = getattr(row.record, "quantity", None)
    return value if isinstance(value, int) else None


def moved_stock(seen: FieldValue, wanted: int, now: int | None) -> Fields:
    """The quantity that the service has, where it is neither the one that the person saw nor the one wanted."""
    return {"quantity": now} if isinstance(seen, int) and now is not None and now not in (seen, wanted) else {}


def supersedes(new: Intent, old: Change, resource: Resource, source: str = "") -> bool:
    """Whether a person's new act on the same record takes the place of a refused or conflicting one. `source`: what
    made the new one (see `Batch`); what is typed over a refused booking in its cell takes its place, a delivery or an
    import does not."""
    if old.state not in (ChangeState.REFUSED, ChangeState.CONFLICT):
        return False
    if source and is_refused_booking(old) and isinstance(new, AddStock):
        return False
    match new, old.intent:
        case ((AddStock() | SetStock()), (AddStock() | SetStock())):
            return resource is Resource.INVENTORY
        case SetFields(fields=fields), SetFields(fields=before):
            return set(before) <= set(fields)
        case Delete(), Delete() | SetFields() | Create():
            return True
        case _:
            return False


def moved(record: Record, base: Fields, wanted: Fields, alone: Collection[str]) -> Fields:
    """Fields in which the service has neither what the person saw nor what the person wants. `alone`: see
    `Contract.read_alone`."""
    known = [name for name in base if name in (*FIELDS[resource_of(record)], ID)]
    now = {name: getattr(record, name) for name in known}
    theirs = {
        name: now[name]
        for name in known
        if not isinstance(seen := base[name], LocalId) and now[name] != seen and now[name] != wanted.get(name, seen)
    }
    extra = EXTRA in base and moved_extra(extra_of(base[EXTRA]), record.extra, alone)
    return {**theirs, EXTRA: extra_text(record.extra)} if extra else theirs
