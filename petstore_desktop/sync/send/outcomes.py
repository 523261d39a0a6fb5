"""What an answer, its absence, or a look means for the changes of a request; and what a write rests on,
compared with what is there. Pure.

The rules are those of `2-architecture`, "The journal and the mirror".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from petstore_desktop.contract.operations import Verb
from petstore_desktop.contract.params import plain
from petstore_desktop.domain.changes import (
    AddStock,
    Change,
    ChangeState,
    Create,
    Delete,
    Fields,
    Intent,
    Reason,
    SetFields,
    SetStock,
)
from petstore_desktop.domain.deletions import EXTRA, ID, extra_of, extra_text, moved_extra
from petstore_desktop.domain.errors import (
    Conflicted,
    KeyRejected,
    NotFound,
    NotOffered,
    RateLimited,
    ServiceError,
    ServiceFailed,
    ShopError,
    Unreachable,
)
from petstore_desktop.domain.records import FIELDS, FieldValue, LocalId, Record, Resource, Row, resource_of

_CAME_TO_NOTHING = ("unreachable", "interrupted", "service-failed", "unmoved")
"""The codes of a reason for which the same is sent again that came to nothing."""

CANNOT_LOOK = "cannot-look"
"""The code of what no look has settled, because each look came to nothing."""

Fate = tuple[ChangeState, Reason | None]


def reason_of(error: ShopError) -> Reason:
    """An error as the journal keeps it."""
    if isinstance(error, ServiceError):
        return Reason(error.code, error.message, error.status, error.raw)
    words = error.params.get("why") or error.params.get("detail") or error.params.get("target") or ""
    return Reason(error.code, str(words), None, str(error.params.get("raw", "")) or None)


def is_retry(changes: Iterable[Change]) -> bool:
    """Whether what would be sent for these changes came to nothing before. A person who says "again" begins anew."""
    codes = (*_CAME_TO_NOTHING, CANNOT_LOOK)
    return any(change.reason is not None and change.reason.code in codes for change in changes)


def may_pass(reason: Reason) -> bool:
    """Whether an attempt came to nothing for what passes: the same may go well when it is sent again."""
    return reason.code in (*_CAME_TO_NOTHING, "rate-limited")


def outcome(verb: Verb, error: ShopError) -> Fate:
    """What becomes of the changes of a request that failed with `error`."""
    if isinstance(error, NotFound) and verb is Verb.DELETE:
        return ChangeState.DONE, reason_of(error)
    return _state(error), reason_of(error)


def _state(error: ShopError) -> ChangeState:
    match error:
        case RateLimited(status=status) if status >= 500:
            return ChangeState.UNCERTAIN  # what stands before the service may say so of what was done behind it
        case Unreachable() | RateLimited() | KeyRejected() | Conflicted(status=412):
            return ChangeState.QUEUED
        case ServiceFailed():
            return ChangeState.UNCERTAIN
        case NotOffered() | ServiceError():
            return ChangeState.REFUSED
        case _:  # Interrupted, AnswerUnusable (a redirect may follow what was done), and what nobody thought of
            return ChangeState.UNCERTAIN


def settle(intent: Intent, sent: Fields, base: Fields, row: Row | None) -> Fate:
    """The fate of an uncertain attempt after a look at its record (`row` None: it is gone): what was sent is there
    -> done; nothing moved -> send again; anything else -> a person decides."""
    if isinstance(intent, Delete):
        return (ChangeState.DONE if row is None else ChangeState.QUEUED), None
    if row is None:
        return ChangeState.REFUSED, Reason("gone", "")
    now: dict[str, FieldValue] = {name: getattr(row.record, name, None) for name in sent}
    if all(now[name] == value for name, value in sent.items()):
        return ChangeState.DONE, None
    if all(name in base and now[name] == base[name] for name in sent):
        return ChangeState.QUEUED, None
    return ChangeState.CONFLICT, Reason("moved", "", theirs=now)


def supersedes(new: Intent, old: Change, resource: Resource) -> bool:
    """Whether a person's new act on the same record takes the place of a refused or conflicting one."""
    if old.state not in (ChangeState.REFUSED, ChangeState.CONFLICT):
        return False
    match new, old.intent:
        case ((AddStock() | SetStock()), (AddStock() | SetStock())):
            return resource is Resource.INVENTORY
        case SetFields(fields=fields), SetFields(fields=before):
            return set(before) <= set(fields)
        case Delete(), Delete() | SetFields() | Create():
            return True
        case _:
            return False


def moved(record: Record, base: Fields, wanted: Fields, alone: Collection[str]) -> Fields:
    """Fields in which the service has neither what the person saw nor what the person wants. `alone`: see
    `Contract.read_alone`."""
    known = [name for name in base if name in (*FIELDS[resource_of(record)], ID)]
    now = {name: getattr(record, name) for name in known}
    theirs = {
        name: now[name]
        for name in known
        if not isinstance(seen := base[name], LocalId) and now[name] != seen and now[name] != wanted.get(name, seen)
    }
    extra = EXTRA in base and moved_extra(extra_of(base[EXTRA]), record.extra, alone)
    return {**theirs, EXTRA: extra_text(record.extra)} if extra else theirs


def emptied(record: Record, wanted: Fields, unseen: Iterable[str]) -> str:
    """The fields that a write of the whole record would empty, by name: of those that a list does not show what it did
    not show."""
    shown = [name for name in FIELDS[resource_of(record)] if getattr(record, name) is not None]
    known = {plain(name) for name in (*shown, *record.extra, *wanted)}
    return ", ".join(name for name in unseen if plain(name) not in known)
