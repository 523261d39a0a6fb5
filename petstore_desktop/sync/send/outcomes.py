"""What an answer, or its absence, means for the changes of a request. Pure. What a look means is in lost_answer.py.

The rules are those of packaging/ARCHITECTURE.md, "The journal and the mirror".
"""

from __future__ import annotations

from collections.abc import Iterable

from petstore_desktop.contract.operations import Verb
from petstore_desktop.domain.changes import Change, ChangeState, Reason
from petstore_desktop.domain.errors import (
    Conflicted,
    KeyRejected,
    NotFound,
    NotOffered,
    NotYet,
    RateLimited,
    ServiceError,
    ServiceFailed,
    ShopError,
    Unreachable,
)

_CAME_TO_NOTHING = ("unreachable", "interrupted", "service-failed", "unmoved")
"""The codes of a reason for which the same is sent again that came to nothing."""

STORED = "look-stored"
"""The code of what no look has settled, because a cache on the way answered each of them."""
CANNOT_LOOK = "cannot-look"
"""The code of what no look has settled, because each look came to nothing."""

Fate = tuple[ChangeState, Reason | None]


def reason_of(error: ShopError) -> Reason:
    """An error as the journal keeps it."""
    if isinstance(error, ServiceError):
        return Reason(error.code, error.message, error.status, error.raw)
    words = error.params.get("why") or error.params.get("detail") or error.params.get("target") or ""
    return Reason(error.code, str(words), None, str(error.params.get("raw", "")) or None)


def unexpected(error: Exception) -> Reason:
    """An error that nobody expected, as the journal keeps it with the changes that it concerns."""
    return Reason("unexpected", type(error).__name__)


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
        case Unreachable() | RateLimited() | KeyRejected() | NotYet() | Conflicted(status=412):
            return ChangeState.QUEUED
        case ServiceFailed():
            return ChangeState.UNCERTAIN
        case NotOffered() | ServiceError():
            return ChangeState.REFUSED
        case _:  # Interrupted, AnswerUnusable (a redirect may follow what was done), and what nobody thought of
            return ChangeState.UNCERTAIN
