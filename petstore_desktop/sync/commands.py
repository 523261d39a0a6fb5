"""What the window may ask of the sync thread. Frozen; each names its connection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from petstore_desktop.domain.changes import NewChange
from petstore_desktop.domain.records import Ref, Resource


@dataclass(frozen=True, slots=True)
class Apply:
    """Write these acts to the journal as one batch and send them. `batch` is a uuid hex made by the caller."""

    connection: str
    batch: str
    changes: tuple[NewChange, ...]


@dataclass(frozen=True, slots=True)
class Discard:
    """Take these changes back if they are not sent (also refused, conflict, uncertain ones)."""

    connection: str
    change_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Retry:
    """A person says: send these refused, conflicting or uncertain changes again."""

    connection: str
    change_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Refresh:
    """Read these resources anew. `by_person`: someone pressed F5; else the screen needs them."""

    connection: str
    resources: tuple[Resource, ...]
    by_person: bool


@dataclass(frozen=True, slots=True)
class CheckLive:
    """Read one record now."""

    connection: str
    ref: Ref


@dataclass(frozen=True, slots=True)
class CancelLoad:
    """Stop the walk of this resource; what has come stays."""

    connection: str
    resource: Resource


@dataclass(frozen=True, slots=True)
class UseKey:
    """A key was entered or changed. `repr` hides it."""

    connection: str
    key: str

    def __repr__(self) -> str:
        return f"UseKey(connection={self.connection!r}, key=***)"


@dataclass(frozen=True, slots=True)
class ResumeNow:
    """A person, warned of the ban, ends the pause."""

    connection: str


Command: TypeAlias = Apply | Discard | Retry | Refresh | CheckLive | CancelLoad | UseKey | ResumeNow
