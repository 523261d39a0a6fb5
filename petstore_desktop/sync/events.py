"""What the sync thread tells the window. Frozen; each names its connection. Times are UTC epoch seconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from petstore_desktop.domain.changes import Change
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.quota import GateView, Link, Quota
from petstore_desktop.domain.records import Key, Ref, Resource, Row

if TYPE_CHECKING:
    from petstore_desktop.contract.model import Contract

EVENT_ROWS = 250
"""So many rows an event at most: a table of 10,000 takes them in within 4 ms, half of the window's time for a turn."""


@dataclass(frozen=True, slots=True)
class RowsChanged:
    """Rows came (new or changed, at most EVENT_ROWS) or went; from the mirror or from an answer."""

    connection: str
    resource: Resource
    rows: tuple[Row, ...]
    removed: tuple[Key, ...] = ()


@dataclass(frozen=True, slots=True)
class MirrorRead:
    """All rows kept on this computer have been told. `as_of`: when the resource was last walked to its end, None if
    never."""

    connection: str
    resource: Resource
    count: int
    as_of: float | None


@dataclass(frozen=True, slots=True)
class LoadMoved:
    """A walk goes on: `done` rows of `total` (None where the service does not say)."""

    connection: str
    resource: Resource
    done: int
    total: int | None


@dataclass(frozen=True, slots=True)
class LoadEnded:
    """A walk came to its end. `cut_at`: the service shows at most so many. `set_aside`: records that could not be
    read, in words of the reader."""

    connection: str
    resource: Resource
    as_of: float
    cut_at: int | None = None
    set_aside: tuple[str, ...] = ()
    cancelled: bool = False


@dataclass(frozen=True, slots=True)
class LoadFailed:
    """A walk could not be ended; what has come stays."""

    connection: str
    resource: Resource
    error: ShopError


@dataclass(frozen=True, slots=True)
class ChangesMoved:
    """These changes are in the journal in the state they carry; the first such event of a change means: saved."""

    connection: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class NotSaved:
    """A batch could not be written to the journal: nothing of it is saved."""

    connection: str
    batch: str
    error: ShopError


@dataclass(frozen=True, slots=True)
class Checked:
    """A live check of one record came back; `error` says why not. The row itself comes as RowsChanged."""

    connection: str
    ref: Ref
    error: ShopError | None = None


@dataclass(frozen=True, slots=True)
class QuotaMoved:
    """The windows as last known."""

    connection: str
    quota: Quota


@dataclass(frozen=True, slots=True)
class GateMoved:
    """The gate changed its state, or the time until which it waits."""

    connection: str
    gate: GateView


@dataclass(frozen=True, slots=True)
class LinkMoved:
    """Answers come again, or stopped coming at `since`."""

    connection: str
    link: Link
    since: float
    error: ShopError | None = None


@dataclass(frozen=True, slots=True)
class ContractRead:
    """What the service offers is known."""

    connection: str
    contract: Contract


@dataclass(frozen=True, slots=True)
class KeyWanted:
    """There is no key, or the service rejected it: the window asks."""

    connection: str
    error: ShopError | None


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something nobody expected, or a disk or keyring that fails. `fatal`: the thread has ended."""

    connection: str
    error: BaseException
    fatal: bool = False


Event: TypeAlias = (
    RowsChanged
    | MirrorRead
    | LoadMoved
    | LoadEnded
    | LoadFailed
    | ChangesMoved
    | NotSaved
    | Checked
    | QuotaMoved
    | GateMoved
    | LinkMoved
    | ContractRead
    | KeyWanted
    | Trouble
)
