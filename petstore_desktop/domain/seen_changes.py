"""What a shop's history says: the changes that two readings showed, and the totals of a day. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from enum import StrEnum

from msgspec import Struct

from petstore_desktop.domain.changes import Fields
from petstore_desktop.domain.records import FieldValue, Key, Ref, Resource


class Who(StrEnum):
    """Who changed something: an attempt made here explains it, or nothing here does; BOTH: of several changes that are
    told as one, some were made here and some elsewhere."""

    HERE = "here"
    ELSEWHERE = "elsewhere"
    BOTH = "both"


class What(StrEnum):
    """What happened to a record."""

    CHANGED = "changed"
    NEW = "new"
    GONE = "gone"


class SeenChange(Struct, frozen=True):
    """A difference that two readings showed in one record: a field's values, or that it came or went.

    `field`: "" for NEW and GONE; `seen_after`: when the old value was last said, `seen_by`: when the new one was first
    said (UTC epoch seconds); `record`: of NEW and GONE, the record's fields, else empty; `title`: the name that it had
    last (a pet's, also for its stock), "" for orders.
    """

    ref: Ref
    what: What
    who: Who
    field: str
    before: FieldValue
    after: FieldValue
    seen_after: float
    seen_by: float
    record: Fields
    title: str


def end_of(ref: Ref, changes: Iterable[SeenChange]) -> SeenChange | None:
    """How a record went, by its changes, newest first; None where it is not known to have gone."""
    last = next((one for one in changes if one.ref == ref and one.what is not What.CHANGED), None)
    return last if last is not None and last.what is What.GONE else None


class DayTotals(Struct, frozen=True):
    """The shop as it was last read on one local day; None for what was not known.

    `pets`: how many of each status, "" for none; `stock`: pieces by category, None for pets without one.
    """

    day: date
    pets: Mapping[str, int] | None
    stock: Mapping[Key | None, int] | None
    open_orders: int | None
    overdue: int | None
    low: int | None
    none_left: int | None


class Span(Struct, frozen=True):
    """From when to when the history tells (UTC epoch seconds); both None before the first whole reading. `untold`: the
    lists of which it does not tell what changed, for they were not read whole: there, no change is not "nothing"."""

    first: float | None
    last: float | None
    untold: frozenset[Resource] = frozenset()
