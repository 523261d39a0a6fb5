"""What people did in one go: a batch of changes, which is paused, cancelled, undone and redone as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from petstore_desktop.domain.changes import Change, ChangeState, Create

SINGLE: Final = 1_000
"""The priority of a person's single act: it goes out before what is left of any job."""
JOB: Final = 0
"""The priority of a batch of several changes, until a person says "send first"."""


class BatchKind(StrEnum):
    """How a batch came to be."""

    EDIT = "edit"
    UNDO = "undo"
    REDO = "redo"


@dataclass(frozen=True, slots=True)
class Batch:
    """One batch as the journal has it. `at`: UTC epoch seconds; `undoes`: the batch of which it takes something back;
    `redoes`: the batch of which it does something again. What has a higher priority leaves first."""

    id: str
    at: float
    kind: BatchKind = BatchKind.EDIT
    undoes: str | None = None
    redoes: str | None = None
    paused: bool = False
    priority: int = SINGLE
    source: str = ""
    """What made it: "paste", "fill", "bulk", or "import:" and the name of the file; empty for anything else."""


@dataclass(frozen=True, slots=True)
class BatchFacts:
    """A batch and how far it has come.

    `total`: its changes, `counts` them by state (only states that occur); `first`: one of them, to name it by, and
    `alike` whether all do the same to records of one kind (see `are_alike`); `undoable`: how many could be taken back
    now, or could be once they are answered; `redoable`: how many its latest undo took back, where redo takes it;
    `named`: what the record of `first` was called before it (empty: nobody knows, or it has no name).
    """

    batch: Batch
    total: int
    counts: Mapping[ChangeState, int]
    first: Change
    alike: bool
    undoable: int
    named: str = ""
    redoable: int = 0

    @property
    def open(self) -> int:
        """How many of its changes still wait for something."""
        return sum(count for state, count in self.counts.items() if state.is_open)


def are_alike(changes: Sequence[Change]) -> bool:
    """Whether all do the same to records of one kind; what is created may differ in all but its kind."""
    first = changes[0]
    new = isinstance(first.intent, Create)
    return all(
        one.ref.resource is first.ref.resource
        and (isinstance(one.intent, Create) if new else one.intent == first.intent)
        for one in changes
    )
