"""What the sync thread tells the window. Frozen; each names its connection. Times are UTC epoch seconds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct, field

from petstore_desktop.domain.batches import BatchFacts, BatchLine, HistoryEntry
from petstore_desktop.domain.changes import Change
from petstore_desktop.domain.commands import Decision, Draft
from petstore_desktop.domain.counts import NO_GAPS, Gaps
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.quota import Cause, GateView, Link, Quota, SentRequest
from petstore_desktop.domain.records import Key, LocalId, Ref, Resource, Row, RowBlock, ServiceId, StatusCounts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from petstore_desktop.contract.model import Contract
    from petstore_desktop.domain.batches import Price
    from petstore_desktop.domain.commands import KeepDraft
    from petstore_desktop.domain.seen_changes import SeenChange

_LOCAL: Final = re.compile("local:([0-9a-f]{32})")

EVENT_ROWS = 250
"""The most rows in one event: a table of 10,000 applies them within 4 ms, half of the window's time for a turn."""

EVENT_CHANGES = 250
"""Changes of an earlier run in one event: the window applies them within 2 ms. A person's single act is always one
event."""


class OfConnection(Struct, frozen=True):
    """What all events say: the connection that tells it."""

    connection: str


class RowsChanged(OfConnection, frozen=True):
    """Rows came (new or changed, at most EVENT_ROWS) or went; from the mirror or from an answer."""

    resource: Resource
    rows: tuple[Row, ...]
    removed: tuple[Key, ...] = ()


class RowsSeen(OfConnection, frozen=True):
    """The service has spoken of these records again (`keys` None: of every one of the list), `at` the earliest at this
    moment (UTC epoch seconds); those that look otherwise are told by RowsChanged."""

    resource: Resource
    at: float
    keys: tuple[Key, ...] | None = None


class RowsRead(OfConnection, frozen=True):
    """Many rows that are kept on this computer, as columns; `MirrorRead` follows the last of a list."""

    block: RowBlock

    @property
    def resource(self) -> Resource:
        """Whose rows they are."""
        return self.block.resource


class MirrorRead(OfConnection, frozen=True):
    """All rows kept on this computer have been told. `as_of`: when the resource was last walked to its end, None if
    never; `ends`: the lowest and the highest of their ids; `gaps`: what that walk did not show; `named_later`:
    what the rows name and what is not here, named after its own list was read (with when: UTC epoch seconds)."""

    resource: Resource
    count: int
    as_of: float | None
    ends: tuple[Key, ...] = ()
    gaps: Gaps = NO_GAPS
    named_later: tuple[tuple[Key, float], ...] = ()


class CountsRead(OfConnection, frozen=True):
    """The service's own count of its pets, as kept or as just told."""

    counts: StatusCounts


class LoadMoved(OfConnection, frozen=True):
    """A walk goes on: `done` rows of `total` (None where the service does not say)."""

    resource: Resource
    done: int
    total: int | None


class LoadWaits(OfConnection, frozen=True):
    """Somebody asked for this list, and it cannot be read at once: at `until` at the latest estimate (None where that
    is unknown), and why; None: the list was read a moment ago, and the next reading is spaced out."""

    resource: Resource
    until: float | None
    why: Cause | None


class LoadPriced(OfConnection, frozen=True):
    """The cost of the rest of a walk: its requests, the last sent at `ends_at` (None if unknown)."""

    resource: Resource
    requests: int
    ends_at: float | None


class LoadEnded(OfConnection, frozen=True):
    """A walk came to its end, or was `cancelled`. `gaps`: what it did not show."""

    resource: Resource
    as_of: float
    gaps: Gaps = NO_GAPS
    cancelled: bool = False


class LoadFailed(OfConnection, frozen=True):
    """A walk could not be ended; what has come stays."""

    resource: Resource
    error: ShopError


class ChangesMoved(OfConnection, frozen=True):
    """These changes are in the journal in the state they carry; the first such event of a change means: saved. `rows`:
    what the answer that moved them showed."""

    changes: tuple[Change, ...]
    rows: RowsChanged | None = None


class BatchesMoved(OfConnection, frozen=True):
    """These batches stand like this now: those of several changes while they go on, and, whatever their size, those
    that can be undone or redone. `undo`, `redo`: the latest of those, by id, the next one first; `looking`: there
    may be more of them, which are being looked for."""

    batches: tuple[BatchFacts, ...]
    undo: tuple[str, ...] = ()
    redo: tuple[str, ...] = ()
    looking: bool = False


class Undone(OfConnection, frozen=True):
    """An undo (or `redo`) of `batch` is in the journal as `made`, empty where there was nothing to take back.

    `count`: so many changes of the batch are taken back or done again, at once or when they are answered.
    `discarded`: changes that were unsent and are not sent any more, `stuck` of them refused or in need of a decision;
    `again`: such that are sent now after all;
    `sends`: changes that go out; `waits`: changes on their way, taken back when they are answered; `anew`: records
    that come back under a new id, by their old ones; `impossible`: what cannot be taken back, by the code of the
    reason.
    """

    batch: str
    made: str
    discarded: int = 0
    stuck: int = 0
    again: int = 0
    sends: int = 0
    waits: int = 0
    anew: tuple[Ref, ...] = ()
    impossible: tuple[tuple[Change, str], ...] = ()
    redo: bool = False
    count: int = 0


class DecisionsMoved(OfConnection, frozen=True):
    """These are the decisions that undo takes, oldest first; a change of one that is stuck anew (a later ChangesMoved)
    is none of it any more."""

    decisions: tuple[Decision, ...]


class DraftsMoved(OfConnection, frozen=True):
    """These drafts are stored, these forms finished; `unsaved` could not be written. At the start all drafts are told,
    later only what moved. `numbers`: those that the service gave to pets made here that the forms name."""

    drafts: tuple[Draft, ...] = ()
    finished: tuple[str, ...] = ()
    unsaved: tuple[str, ...] = ()
    numbers: Mapping[LocalId, ServiceId] = field(default_factory=dict[LocalId, ServiceId])

    @classmethod
    def of(
        cls, connection: str, kept: Sequence[KeepDraft], at: float, known: Mapping[LocalId, ServiceId] | None = None
    ) -> DraftsMoved:
        """What storing or finishing these drafts at that time moved; `known`: the numbers of all that was made here."""
        stored = tuple(Draft(one.form, at, one.content) for one in kept if one.content is not None)
        finished = tuple(one.form for one in kept if one.content is None)
        return cls(connection, stored, finished, numbers=numbers_in(stored, known or {}))


class FileRowsMade(OfConnection, frozen=True):
    """At the start: the numbers that the service gave to what rows of files made here, as far as the journal goes back.
    What is made later is told by ChangesMoved."""

    numbers: Mapping[LocalId, ServiceId]


def numbers_in(drafts: Sequence[Draft], known: Mapping[LocalId, ServiceId]) -> dict[LocalId, ServiceId]:
    """Of these numbers of what was made here those of the records that the forms of drafts name."""
    named = (LocalId(name) for one in drafts for name in _LOCAL.findall(one.form))
    return {local: known[local] for local in named if local in known}


class ChangesRead(OfConnection, frozen=True):
    """A part of the journal, the newest first, as ReadChanges wanted it; `more`: there is more below. `error`: it
    cannot be read."""

    token: str
    lines: tuple[BatchLine, ...]
    more: bool = False
    error: ShopError | None = None


class ChangesCounted(OfConnection, frozen=True):
    """How many changes match, and how many there are."""

    token: str
    found: int
    total: int


class HistoryRead(OfConnection, frozen=True):
    """What happened to a record, the newest first: by this program, and by others as far as answers showed it. Of a
    pet its stock's too."""

    ref: Ref
    entries: tuple[HistoryEntry, ...] = ()
    observed: tuple[SeenChange, ...] = ()
    error: ShopError | None = None


class ChangesExported(OfConnection, frozen=True):
    """A file was written with this many changes; or, with `error`, it was not."""

    path: str
    count: int
    error: ShopError | None = None


Past: TypeAlias = ChangesRead | ChangesCounted | HistoryRead | ChangesExported
"""Answers to questions about the past."""


class NotSaved(OfConnection, frozen=True):
    """A batch could not be written to the journal: nothing of it is saved."""

    batch: str
    error: ShopError


class BatchPriced(OfConnection, frozen=True):
    """The answer to a PriceBatch; `price` None: it could not be found out."""

    token: str
    price: Price | None


class Checked(OfConnection, frozen=True):
    """A live check of one record came back; `error` says why not. The row itself comes as RowsChanged, if it is new or
    looks otherwise: `changed`, None where it was not here before. `at`: when the service spoke of it (UTC epoch
    seconds). `shown` is False where a list that shows only a part was read, and not this record with it."""

    ref: Ref
    error: ShopError | None = None
    at: float | None = None
    changed: bool | None = None
    shown: bool = True

    @classmethod
    def found(cls, connection: str, ref: Ref, before: Row | None, now: Row | None, *, shown: bool = True) -> Checked:
        """The service's present values of a record (`now`), and the stored ones before."""
        if not shown:
            return cls(connection, ref, shown=False)
        changed = None if before is None else now is None or now.record != before.record
        return cls(connection, ref, None, None if now is None else now.seen_at, changed)


class QuotaMoved(OfConnection, frozen=True):
    """The windows as last known."""

    quota: Quota


class GateMoved(OfConnection, frozen=True):
    """The gate changed its state, or the time until which it waits."""

    gate: GateView


class RequestsSent(OfConnection, frozen=True):
    """These requests have ended, oldest first. `earlier`: they are of earlier runs, read from the log; of several such
    events each is older than the one before."""

    requests: tuple[SentRequest, ...]
    earlier: bool = False


class LinkMoved(OfConnection, frozen=True):
    """Answers come again, or stopped coming at `since`."""

    link: Link
    since: float
    error: ShopError | None = None


class ContractRead(OfConnection, frozen=True):
    """What the service offers is known."""

    contract: Contract


class KeyWanted(OfConnection, frozen=True):
    """There is no key, or the service rejected it: the window asks."""

    error: ShopError | None


class KeyUsed(OfConnection, frozen=True):
    """A key that was entered is sent from now on; what the service says to it is not known yet."""


class Trouble(OfConnection, frozen=True):
    """Something nobody expected, or a disk or keyring that fails. `fatal`: the thread has ended; `aside`: no
    dialog says it, for it is only noted beside edits and reading, or the changes that it concerns say why."""

    error: BaseException
    fatal: bool = False
    aside: bool = False


Event: TypeAlias = (
    RowsChanged
    | RowsRead
    | RowsSeen
    | MirrorRead
    | CountsRead
    | LoadMoved
    | LoadWaits
    | LoadPriced
    | LoadEnded
    | LoadFailed
    | ChangesMoved
    | BatchesMoved
    | Undone
    | DecisionsMoved
    | DraftsMoved
    | FileRowsMade
    | Past
    | NotSaved
    | BatchPriced
    | Checked
    | QuotaMoved
    | GateMoved
    | RequestsSent
    | LinkMoved
    | ContractRead
    | KeyWanted
    | KeyUsed
    | Trouble
)
