"""What happened to records: the entries of the journal as people look them up, and what others were seen to change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from petstore_desktop.domain.changes import Change, ChangeState
from petstore_desktop.domain.records import Ref

Finds: TypeAlias = Callable[[str], bool]
"""Whether a text that names a record (its name, then its id) is meant. Called on the sync thread; pure."""


@dataclass(frozen=True, slots=True)
class ChangeFilter:
    """Which entries are wanted; all that is not set fits.

    `states`: in one of these; `since` and `until`: done by the person from then on and before then (UTC epoch seconds);
    `batches`: of these batches; `refs`: about these records.
    """

    finds: Finds | None = None
    states: frozenset[ChangeState] = frozenset()
    since: float | None = None
    until: float | None = None
    batches: tuple[str, ...] = ()
    refs: tuple[Ref, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether everything fits."""
        return self == ChangeFilter()


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One change with its record's name ("" for an order, or where it is not known), and its record's number where the
    service has given one by now. `undone`: it was taken back, or is about to be, by an act of
    `undone_at` (UTC epoch seconds; None where that is not known)."""

    change: Change
    ref: Ref
    title: str
    undone: bool = False
    undone_at: float | None = None


@dataclass(frozen=True, slots=True)
class BatchLine:
    """Neighbouring entries of one batch that match a filter, as one. `first` is the newest, `last` the id of the
    oldest; `states`: counts by state; `alike`: all do the same to records of one kind; `undo`: the batch undoes another
    one; `undone`: how many were undone."""

    first: HistoryEntry
    last: int
    states: tuple[tuple[ChangeState, int], ...]
    alike: bool = True
    undo: bool = False
    undone: int = 0
    source: str = ""
    """What made the batch, as `Batch` has it."""

    @property
    def count(self) -> int:
        """How many entries it stands for."""
        return sum(count for _, count in self.states)
