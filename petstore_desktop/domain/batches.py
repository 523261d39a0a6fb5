"""What people did in one go: a batch of changes, which is paused, cancelled, undone and redone as a whole;
what one costs before it is sent; and what was done, as people look it up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Final, TypeAlias

from msgspec import Struct, field

from petstore_desktop.domain.changes import Change, ChangeState, Create
from petstore_desktop.domain.comparing import without
from petstore_desktop.domain.quota import Hold
from petstore_desktop.domain.records import Ref

SINGLE: Final = 1_000
"""The priority of a person's single edit: it is sent before the rest of any job."""
JOB: Final = 0
"""The priority of a batch of several changes, until a person says "send first"."""


class BatchKind(StrEnum):
    """How a batch came to be."""

    EDIT = "edit"
    UNDO = "undo"
    REDO = "redo"


class Batch(Struct, frozen=True):
    """One batch, as stored in the journal. `at`: UTC epoch seconds; `undoes`: the batch that it undoes; `redoes`: the
    batch that it redoes. Higher priorities are sent first."""

    id: str
    at: float
    kind: BatchKind = BatchKind.EDIT
    undoes: str | None = None
    redoes: str | None = None
    paused: bool = False
    priority: int = SINGLE
    source: str = ""
    """What made it: "paste", "fill", "bulk", "reserve", or "import:" and the name of the file, or "script:"
    and that where a command imported it; empty for anything else."""


class BatchFacts(Struct, frozen=True):
    """A batch and how far it has come.

    `total`: its changes, `counts` them by state (only states that occur); `first`: one of them, to name it by, and
    `alike` whether all do the same to records of one kind (see `are_alike`); `undoable`: how many could be taken back
    now, or could be once they are answered; `redoable`: how many its latest undo took back, where redo takes it;
    `named`: what the record of `first` was called before it (empty: not known, or it has no name); `stays`: the reason
    code why nothing of it can be undone any more, though it was done and nobody undid it; empty where something can be.
    """

    batch: Batch
    total: int
    counts: Mapping[ChangeState, int]
    first: Change
    alike: bool
    undoable: int
    named: str = ""
    redoable: int = 0
    stays: str = ""

    @property
    def open(self) -> int:
        """How many of its changes still wait for something."""
        return sum(count for state, count in self.counts.items() if state.is_open)


def are_alike(changes: Sequence[Change]) -> bool:
    """Whether all changes do the same to records of one kind; creations need only the same kind."""
    first = changes[0]
    new = isinstance(first.intent, Create)
    return all(
        one.ref.resource is first.ref.resource
        and (isinstance(one.intent, Create) if new else one.intent == first.intent)
        for one in changes
    )


class Price(Struct, frozen=True):
    """What a batch costs, sent after all that waits already.

    `requests`: its own, `looks` of them to look first; below zero where it makes waiting ones needless. `ahead`:
    requests of what waits already; `today`: how many of its own leave today. `seconds` until the last of all these has
    left, at the present quota; None where that is unknown. `leaves_of_day`: requests left of `day_limit` after all that
    leaves today; None where the day is unknown; `own_count`: it is counted here, because the service does not speak of
    it. `days`: how many further days it reaches into. `refused`, `conflicts`: changes of the batch that come to that
    without a request. `ends`: `seconds` for each batch that waits already, those that are paused left out. `hold`: what
    holds back the first of them all.
    """

    requests: int
    looks: int = 0
    ahead: int = 0
    today: int = 0
    seconds: float | None = None
    leaves_of_day: int | None = None
    day_limit: int | None = None
    own_count: bool = False
    days: int = 0
    refused: int = 0
    conflicts: int = 0
    ends: Mapping[str, float] = field(default_factory=dict[str, float])
    hold: Hold | None = None

    def __eq__(self, other: object) -> bool:
        """Whether both cost the same, `ends` of other batches left out."""
        return isinstance(other, Price) and without(self, "ends") == without(other, "ends")

    def __hash__(self) -> int:
        return hash(without(self, "ends"))

    @property
    def is_much(self) -> bool:
        """Whether it needs over half of the day's remaining requests, or more than one day."""
        if self.leaves_of_day is None or self.requests <= 0:
            return False
        return self.days > 0 or self.requests > self.leaves_of_day


Finds: TypeAlias = Callable[[str], bool]
"""Whether a text that names a record (its name, then its id) is meant. Called on the sync thread; pure."""


class ChangeFilter(Struct, frozen=True):
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


class HistoryEntry(Struct, frozen=True):
    """One change with its record's name ("" for an order, or where it is not known), and its record's number where the
    service has given one by now. `undone`: it was taken back, or is about to be, by an act of
    `undone_at` (UTC epoch seconds; None where that is not known)."""

    change: Change
    ref: Ref
    title: str
    undone: bool = False
    undone_at: float | None = None
    source: str = ""
    """What made its batch, as `Batch` has it."""
    tried: str = ""
    """Of a discarded change: "refused" where the service had refused it, "tried" where a request for it was made, empty
    where none was."""
    kind: BatchKind = BatchKind.EDIT
    """How its batch came to be."""


class BatchLine(Struct, frozen=True):
    """Neighbouring entries of one batch that match a filter, as one. `first` is the newest, `last` the id of the
    oldest; `states`: counts by state; `alike`: all do the same to records of one kind; `undone`: how many were
    undone."""

    first: HistoryEntry
    last: int
    states: tuple[tuple[ChangeState, int], ...]
    alike: bool = True
    undone: int = 0
    source: str = ""
    """What made the batch, as `Batch` has it."""
    tried: int = 0
    """For how many of those that were discarded a request was made."""

    @property
    def count(self) -> int:
        """How many entries it stands for."""
        return sum(count for _, count in self.states)
