"""What the words about a list need to know of it: its counts, its filters, its age, and how far reading is; and the
service's own count of its pets by status, in words."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from petstore_desktop.desk.load_state import LoadState
from petstore_desktop.desk.table.table import Table
from petstore_desktop.domain.records import Resource, StatusCount, StatusCounts
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.text.times import as_of
from petstore_desktop.ui.text.translate import number, status_word, tr


class ActiveFilter(Struct, frozen=True):
    """One filter of a list: over a column, or over all ("") ; how many rows there were without it, None while that is
    being counted."""

    column: str
    text: str
    without: int | None = None


def active(table: Table) -> tuple[ActiveFilter, ...]:
    """The filters that can be read, the filter over all columns first."""
    unread = table.unreadable_filters
    columns = (ActiveFilter(name, text) for name, text in table.column_filters.items() if name not in unread)
    text = table.filter_text
    return (*((ActiveFilter("", text),) if text.strip() else ()), *columns)


class ListFacts(Struct, frozen=True):
    """What the words need to know about a list. Times are UTC epoch seconds. `wait`: when it is read next and why not
    now, `price`: what the rest of a long reading costs, both in words and empty where there is nothing to say."""

    resource: Resource
    shop: str
    shown: int
    total: int
    filters: tuple[ActiveFilter, ...]
    load: LoadState
    offline_since: float | None
    now: float
    can_create: bool
    wait: str = ""
    price: str = ""
    listed: bool = True
    """Whether the service has such a list at all."""
    can_look_up: bool = False
    """Whether it gives single records by their ids."""
    minimums: bool = True
    """Whether there is any minimum stock."""
    silence: str = ""
    """Why the data check by which it is filtered finds nothing whatever the rows are, in words."""
    counts: StatusCounts | None = None
    """The service's own count of its pets."""


def progress(load: LoadState) -> str:
    """`1,200 of 10,000`, or `1,200 so far` where the service does not say how many there are."""
    if load.total:
        return tr("{done} of {total}", done=number(load.done), total=number(load.total))
    return tr("{n} so far", "", load.done)


_SAID = 4
"""Statuses that are named, of a line; of a page three times as many."""


def counts_in_line(line: str, counts: StatusCounts, now: float) -> str:
    """A line about the pets that are shown, and where the service counts others."""
    said = _listed(counts.differing, _SAID)
    return tr("{line} · the service counts {counts} {age}", line=line, counts=said, age=as_of(counts.as_of, now))


def counts_in_page(counts: StatusCounts) -> str:
    """All counts as a sentence; empty where there are none."""
    said = _listed(counts.counts, 3 * _SAID)
    return tr("It counts {counts}.", counts=said) if said else ""


def _listed(counts: Sequence[StatusCount], most: int) -> str:
    named = (tr("{n} {status}", n=number(one.counted), status=_word(one.status)) for one in counts[:most])
    said = tr(", ", "between parts of a line").join(named)
    more = len(counts) - most
    return tr("{counts} and {n} others", "", more, counts=said, one="{counts} and {n} other") if more > 0 else said


def _word(status: str) -> str:
    return isolate(plain(status_word(status)))
