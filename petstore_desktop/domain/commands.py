"""What a person asks of one connection, as frozen commands; their decisions about stuck changes (refused, in conflict
or uncertain), and drafts of unfinished forms."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import force_setattr

from petstore_desktop.domain.quota import Plan
from petstore_desktop.domain.records import FieldValue, Ref, Resource

if TYPE_CHECKING:
    from petstore_desktop.domain.batches import ChangeFilter
    from petstore_desktop.domain.changes import Fields, NewChange


class Choice(StrEnum):
    """What becomes of the changes."""

    MINE = "mine"
    """They are sent again, resting on what the person saw that the service has."""
    THEIRS = "theirs"
    """They are let go."""
    DONE = "done"
    """The service has done them: the person knows."""


class Decided(Struct, frozen=True):
    """The choice for these changes of one record. `theirs`: what the person saw of the service's; `instead`: acts that
    take the place of changes that are let go."""

    change_ids: tuple[int, ...]
    choice: Choice
    theirs: Fields = field(default_factory=dict[str, FieldValue])
    instead: tuple[NewChange, ...] = ()


class Decision(Struct, frozen=True):
    """A decision that can be brought back, or whose changes, sent since, can be taken back. `at`: UTC epoch seconds."""

    id: str
    at: float
    change_ids: tuple[int, ...]


class Draft(Struct, frozen=True):
    """A half-filled form: its name, when it was last touched (UTC epoch seconds), and its texts by field."""

    form: str
    at: float
    content: Mapping[str, str]


class Command(Struct, frozen=True):
    """What a connection is asked to do. What comes of it is told as events."""


class KeepDraft(Command, frozen=True):
    """Store the draft of a form; `content` None: the form is finished. Of an Apply, `returns`: with the undo of its
    batch it is again as it was before."""

    form: str
    content: Mapping[str, str] | None
    returns: bool = False


class KeepDrafts(Command, frozen=True):
    """Store or finish several drafts, all or none of them."""

    drafts: tuple[KeepDraft, ...]


class Apply(Command, frozen=True):
    """Write these acts to the journal as one batch and send them. `batch` is a uuid hex made by the caller; `source`
    says what made it (see `Batch`). `drafts` are stored or finished in the same transaction: a crash leaves both or
    neither. A batch with drafts is written once, however often it is asked for."""

    batch: str
    changes: tuple[NewChange, ...]
    source: str = ""
    drafts: tuple[KeepDraft, ...] = ()


class Discard(Command, frozen=True):
    """Take these changes back if they are not sent (also refused, conflict, uncertain ones). Revert of `decision`, a
    uuid hex made by the caller (empty: nobody asks by it), brings them back."""

    change_ids: tuple[int, ...]
    decision: str = ""


class Retry(Command, frozen=True):
    """A person says: send these refused, conflicting or uncertain changes again."""

    change_ids: tuple[int, ...]


class Decide(Command, frozen=True):
    """A person decided about stuck changes; `decision` is a uuid hex made by the caller, and the batch of the acts that
    take their place."""

    decision: str
    choices: tuple[Decided, ...]


class Revert(Command, frozen=True):
    """Undo an act, or these changes of it. `act`: a decision, which is brought back, with the opposite of what was sent
    since (of some changes only those that were not sent); or a batch, of which unsent changes are discarded, sent ones
    get a new batch with the opposite, and those being sent follow when answered. `again`: redo what an undo took back,
    by the batch that was undone or by the undo itself. What happens to a batch is told as Undone."""

    act: str
    change_ids: tuple[int, ...] = ()
    again: bool = False


class PriceUndo(Command, frozen=True):
    """What would this undo cost? Answered by BatchPriced with the same token."""

    token: str
    batch: str
    change_ids: tuple[int, ...] = ()


class SteerBatch(Command, frozen=True):
    """Send nothing more of a batch, also after a restart ("pause"); go on with it ("resume"); or go on with it before
    all other batches ("first"): single acts still go before it."""

    batch: str
    how: Literal["pause", "resume", "first"]


class CancelBatch(Command, frozen=True):
    """Discard the unsent changes of a batch, as Discard does; sent ones stay, and so do those that need a person."""

    batch: str
    decision: str = ""


class PriceBatch(Command, frozen=True):
    """What would these acts cost, sent after all that waits, and after `reads` are read anew, which costs too?
    Answered by BatchPriced with the same token."""

    token: str
    changes: tuple[NewChange, ...]
    reads: tuple[Resource, ...] = ()


class Refresh(Command, frozen=True):
    """A person wants these lists read anew. Answered at once by LoadMoved or LoadWaits of each."""

    resources: tuple[Resource, ...]


class Watch(Command, frozen=True):
    """Report the lists on the screen, and whether a person is there (`present`: the window shows, and keys or the mouse
    were used lately). Unseen lists are not polled. `aside`: there is no window at all, and nothing is read unless asked
    for, not even for the first time."""

    resources: tuple[Resource, ...]
    present: bool
    aside: bool = False


class CheckLive(Command, frozen=True):
    """Read one record now."""

    ref: Ref


class CancelLoad(Command, frozen=True):
    """Stop the walk of this resource; what has come stays."""

    resource: Resource


class ServiceKey(Struct, frozen=True):
    """One of the keys that a service demands.

    `scheme`: its security scheme, "" for the main key, which a service of one key has alone; `name`: what the document
    calls that scheme, "" where it has none; `token`: an access token, which is got by signing in somewhere else.
    """

    scheme: str = ""
    name: str = ""
    token: bool = False
    place: str = ""
    """Where it is sent: "header" or "query"; "" if that is not known."""
    parameter: str = ""
    """The name of that header or parameter."""


class ServiceValue(Struct, frozen=True):
    """A value that a service demands with its requests, and that a person has to give once for the connection.

    `name`: the parameter's, as the document has it; `place`: "path", "query" or "header"; `description` and `example`
    are the document's own words, `choices` the only values that it takes, none for any; `operations`: the names of
    those that cannot be used without it.
    """

    name: str
    place: str
    description: str = ""
    example: str = ""
    choices: tuple[str, ...] = ()
    operations: tuple[str, ...] = ()


class UseKey(Command, frozen=True):
    """Keys were entered or changed: the main one ("" leaves it), and the `further` ones by their security schemes. From
    here on they are known as secrets."""

    key: str
    further: Mapping[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        from petstore_desktop import log  # late: no key is typed before the first paint

        force_setattr(self, "key", log.keep_secret(self.key))
        force_setattr(self, "further", {name: log.keep_secret(key) for name, key in self.further.items()})


class UsePlan(Command, frozen=True):
    """Reckon with these limits from now on, where the service does not say its own. None: they are not known."""

    plan: Plan | None


class BindOperations(Command, frozen=True):
    """A person has said which endpoints serve which operations (`pets.list` to `GET /animals`): all that they said, in
    the place of what they said before. Answered by ContractRead."""

    bindings: Mapping[str, str]


class ResumeNow(Command, frozen=True):
    """A person, warned of the ban, ends the pause."""


class ReadChanges(Command, frozen=True):
    """Read what the journal has, open and over, below the change `before` (None: from the newest on): `limit` lines, in
    which neighbours of one batch are one, or, with `apart`, none are. Answered by ChangesRead, and from the newest on
    also by ChangesCounted, unless a later such reading takes its place. `limit` 0 only counts."""

    token: str
    wanted: ChangeFilter
    before: int | None = None
    limit: int = 100
    apart: bool = False


class ReadHistory(Command, frozen=True):
    """Read what happened to one record. Answered by HistoryRead."""

    ref: Ref


class ExportChanges(Command, frozen=True):
    """Write all changes that fit to a file (JSON if it ends so, else CSV); `words` are the person's for the codes in
    it. Answered by ChangesExported."""

    path: str
    wanted: ChangeFilter
    words: Mapping[str, str]


BatchCommand: TypeAlias = CancelBatch | SteerBatch
"""Settings of a batch in the journal; carried out at once, without the service."""
Act: TypeAlias = Apply | Discard | Retry | Decide | Revert | KeepDraft | KeepDrafts | BatchCommand
"""What a person did: written to the journal at once, without the service."""
