"""The service's own count of its pets by status, in words."""

from __future__ import annotations

from collections.abc import Sequence

from petstore_desktop.domain.records import StatusCount, StatusCounts
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.text.times import as_of
from petstore_desktop.ui.text.translate import number, status_word, tr

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
