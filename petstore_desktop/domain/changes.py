"""What people do to records, and how far each of those acts has come.

A change is an intent, never a snapshot: `+12` stays `+12` until it is first sent. Journal, sync and desk share these
types.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from enum import StrEnum
from typing import Final, TypeAlias

from msgspec import Struct, field

from petstore_desktop.domain.records import FIELDS, Extra, FieldValue, LocalId, Ref, ServiceId, status_kind

Fields: TypeAlias = Mapping[str, FieldValue]


OLD_ID: Final = "/id"
"""Stands for the id of a record that is made again, among what else was read of it."""


class _Intent(Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """What is to become of a record."""


class Create(_Intent, frozen=True, tag="create"):
    """Make a record with these fields; the change's ref has a LocalId. `extra`: of one that is made again, what else
    was read of it, as the service calls it, and its id as OLD_ID."""

    fields: Fields
    extra: Extra = {}

    @property
    def old_id(self) -> ServiceId | None:
        """The id that it had before."""
        said = self.extra.get(OLD_ID)
        return said if isinstance(said, ServiceId) else None

    @property
    def others(self) -> Extra:
        """What else was read of it, without its id."""
        return {name: value for name, value in self.extra.items() if name != OLD_ID}


class SetFields(_Intent, frozen=True, tag="set"):
    """Give these fields these values (not stock: that is AddStock or SetStock)."""

    fields: Fields


class AddStock(_Intent, frozen=True, tag="add-stock"):
    """Book in or out: the service's quantity plus `delta`."""

    delta: int


class SetStock(_Intent, frozen=True, tag="set-stock"):
    """A count: the quantity is this."""

    quantity: int


class Delete(_Intent, frozen=True, tag="delete"):
    """Remove the record; for an order this is its cancellation."""


Intent: TypeAlias = Create | SetFields | AddStock | SetStock | Delete


def fields_of(intent: Intent) -> frozenset[str]:
    """The fields that it gives a value."""
    match intent:
        case Create() | SetFields():
            return frozenset(intent.fields)
        case AddStock() | SetStock():
            return frozenset({"quantity"})
        case Delete():
            return frozenset()


def combine_stock(earlier: AddStock | SetStock | None, later: AddStock | SetStock) -> AddStock | SetStock:
    """Two stock changes as one: a count forgets what came before it, a booking adds to what came before it. The sum may
    lie beyond int64: it can be shown, and is not one request."""
    if isinstance(later, SetStock) or earlier is None:
        return later
    if isinstance(earlier, SetStock):
        return SetStock(earlier.quantity + later.delta)
    return AddStock(earlier.delta + later.delta)


class ChangeState(StrEnum):
    """How far a change has come. Only the service's answer makes it done."""

    QUEUED = "queued"
    SENDING = "sending"
    DONE = "done"
    REFUSED = "refused"
    CONFLICT = "conflict"
    UNCERTAIN = "uncertain"
    DISCARDED = "discarded"

    is_open: bool
    """Whether the change still waits for something: time, the service, or a person. No property: it is asked of each of
    10,000 changes several times at a start."""

    def __init__(self, value: str) -> None:
        self.is_open = value not in ("done", "discarded")


GOING = (ChangeState.QUEUED, ChangeState.SENDING)
"""The states of what goes out by itself; what else is open waits for a look or a person."""


class NewChange(Struct, frozen=True):
    """An act before it is in the journal. `base` is what the person saw in the touched fields when acting."""

    ref: Ref
    intent: Intent
    base: Fields = field(default_factory=dict[str, FieldValue])


class Reason(Struct, frozen=True):
    """Why a change stands where it stands: the service's own code and words, the HTTP status, and the raw answer."""

    code: str
    message: str
    status: int | None = None
    raw: str | None = None
    theirs: Fields = field(default_factory=dict[str, FieldValue])
    """In a conflict: what the service has in the touched fields."""


_DAY_LETTERS: Final = len("2025-11-18")


def likened(value: FieldValue) -> object:
    """A value without what services change by themselves: case, space, the type of a number, the time of a day."""
    if isinstance(value, bool) or value is None or isinstance(value, LocalId):
        return value
    text = " ".join(str(round(value) if isinstance(value, float) else value).casefold().split())
    with suppress(ValueError):
        return date.fromisoformat(text[:_DAY_LETTERS])
    return status_kind(text) or text


UNKNOWN_FIELD = "unknown-field"
"""The code of a change with fields that its resource does not have: it is never saved, and never sent."""


def unknown_fields(ref: Ref, intent: Intent) -> tuple[str, ...]:
    """The fields of an intent that records of this resource do not have."""
    return tuple(sorted(fields_of(intent).difference(FIELDS[ref.resource])))


ID_KNOWN = "id-known"
"""The code of a creation that the service answered with the id of a record that was there before."""
FOUND_ALIKE = "found-alike"
"""The code of a creation that counts as done because one new record, or the one under the number that was chosen here,
has every field as it was sent. Nothing says that it is ours: a colleague may have made it, so undo does not delete it
before a person has seen it."""
AS_BEFORE, AS_SENT, NEITHER, ACCEPTED = "as-before", "as-sent", "neither", "accepted"
"""The codes of changes of unknown fate whose record was looked at, which proves nothing, because somebody else may have
written meanwhile: it is as before the change, as it would be after it, or has moved otherwise."""
UNPROVEN = frozenset({AS_BEFORE, AS_SENT, NEITHER, ACCEPTED})
UNFOUND = "unfound"
"""The code of a creation of unknown fate of which no look shows which record it made, if it made one."""
NOT_FOUND_OUT = frozenset({UNFOUND, "cannot-look", ID_KNOWN}) | UNPROVEN
"""The codes of changes of unknown fate that no look settles: a creation that a list does not tell about, a record that
cannot be read, a creation that was answered with the id of another record, and those of UNPROVEN."""

UNGUARDED = frozenset({"look-too-slow", "look-stored", "cannot-look"})
"""Reason codes of changes that wait for a person because the service cannot show others' edits in time; sent again,
they rest on the value last seen."""
NEVER_SENT = UNGUARDED | {
    *("not-offered", "field-guessed", "key-doubted", "reference-unknown", "record-unknown", "quantity-range"),
    *("unknown-field", "unsendable", "list-shows-less", "whole-record-unknown", "operation-stopped"),
}
"""The codes of changes that the program refused: no request of theirs ever left."""
HALF_DONE = "half-done"
"""The code of a change of which the service has some fields as they were sent, and the others as they were before."""
OPERATION_STOPPED = "operation-stopped"
"""The code of a change that is not sent because the service has answered an earlier one of its kind with something else
than was meant, and no person has decided about that."""
STAYED = "stayed"
"""The code of a change whose answer shows the old value."""
STILL_THERE = "still-there"
"""The code of a deletion that the service answered with a yes, and whose record it shows all the same."""
NOT_SHOWN = "not-shown"
"""The code of a change whose answer did not show it. The message: the id that it named, as `records.key_to_text` has
it."""
NO_ID = "created-without-id"
"""The code of a creation that was done, as far as the service says anything: nobody knows as what."""
ANSWERED_WITHOUT = frozenset({STAYED, STILL_THERE, NOT_SHOWN, NO_ID})
"""The codes of changes that the service answered with a yes that shows nothing of them: a look tells."""
LIST_SHOWS_LESS = "list-shows-less"
"""The code of a change that would empty fields of its record: they were shown, or may hold something that is not, and
have no place in the request."""


class Change(Struct, frozen=True):
    """An act as the journal has it. `id` rises in the order of acting; `at` and `moved_at` are UTC epoch seconds."""

    id: int
    batch: str
    at: float
    ref: Ref
    intent: Intent
    base: Fields
    state: ChangeState
    moved_at: float
    reason: Reason | None = None
    result_key: ServiceId | None = None
    """The id the service gave to what this change created."""

    @property
    def raw(self) -> str | None:
        """The service's redacted answer because of which it stands where it stands; None without one."""
        return None if self.reason is None else self.reason.raw

    @property
    def needs_person(self) -> bool:
        """Whether only a person can bring it further. A change of unknown fate is looked after as long as that can
        settle it."""
        if self.state is ChangeState.UNCERTAIN:
            return self.reason is not None and self.reason.code in NOT_FOUND_OUT
        return self.state in (ChangeState.REFUSED, ChangeState.CONFLICT)


def is_refused_booking(change: Change) -> bool:
    """Whether it is a booking that was refused: others can be made beside it, as long as nobody decides about it."""
    return change.state is ChangeState.REFUSED and isinstance(change.intent, AddStock)


def stands_in_the_way(earlier: Change, later: Change) -> bool:
    """Whether a later change of the same record goes nowhere before a person has decided about the earlier one."""
    beside = is_refused_booking(earlier) and isinstance(later.intent, AddStock)
    return earlier.id < later.id and earlier.needs_person and not beside
