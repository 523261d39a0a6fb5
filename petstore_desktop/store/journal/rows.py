"""Converts rows of the journal to changes and attempts."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from petstore_desktop.domain.changes import Change, ChangeState, Fields, Reason
from petstore_desktop.domain.records import Record, Ref, Resource, ServiceId, key_from_text
from petstore_desktop.store.journal.values_json import decode_fields, decode_intent
from petstore_desktop.store.sqlite.typed_apsw import Value, Values

LATEST: Final = "(SELECT max(attempt_id) FROM attempt_change WHERE change_id = c.id)"
"""The id of the latest attempt of the change `c`; one seek in the primary key."""

CHANGE_COLUMNS: Final = (
    "c.id, c.batch, c.at, c.resource, c.key, c.intent, c.base, "
    "a.id, a.outcome, coalesce(a.ended_at, a.at, c.at), a.code, a.message, a.status, a.raw, a.theirs, "
    "coalesce(a.result_key, a.result_text)"
)

STATE: Final = "CASE WHEN a.id IS NULL THEN 'queued' ELSE coalesce(a.outcome, 'sending') END"
"""The state of the change `c`, whose latest attempt is `a`."""
TAKEN_BACK_BY: Final = (
    "(SELECT by FROM undone WHERE change_id = c.id UNION ALL "
    "SELECT by FROM pending WHERE change_id = c.id AND what = 'undo')"
)
"""The batches that took the change `c` back, or will when it is answered."""

ATTEMPT_COLUMNS: Final = (
    "a.id, a.at, a.request, a.base, a.value, a.outcome, a.ended_at, "
    "a.code, a.message, a.status, a.raw, a.theirs, coalesce(a.result_key, a.result_text)"
)

CREATING: Final = (
    "SELECT id FROM attempt WHERE result_key IS NOT NULL UNION ALL SELECT id FROM attempt WHERE result_text IS NOT NULL"
)
"""The attempts that made a record, as the service answered."""


SUMMED_COLUMNS: Final = "id, batch, at, resource, key, intent, base, before"
"""The columns of `change` that its checksum `sum` covers."""
_NO_END: Final[Values] = (None,) * 6

_KINDS: Final = {resource.value: resource for resource in Resource}
"""A dictionary lookup takes a tenth of the time: a start may convert 10,000 rows."""


class Outcome(Struct, frozen=True):
    """What became of changes. `result_key`: the id that the service gave to a created record; `made`: that record as
    the service showed it."""

    state: ChangeState
    reason: Reason | None = None
    result_key: ServiceId | None = None
    made: Record | None = None


class Attempt(Struct, frozen=True):
    """One try to bring changes further, or, with `request` None, one decision about them.

    `request` is the sender's own JSON text; `base` what the service had in the touched fields when it was written,
    `value` what was sent. `outcome` is None while it is on the wire. Times are UTC epoch seconds.
    """

    id: int
    at: float
    request: str | None
    base: Fields
    value: Fields
    outcome: ChangeState | None
    ended_at: float | None
    reason: Reason | None
    result_key: ServiceId | None


def row_sum(values: Sequence[Value]) -> int:
    """The checksum of a row's values as SQLite gives them."""
    return zlib.crc32(repr(tuple(values)).encode("utf-8", "surrogatepass"))


def is_whole(values: Sequence[Value], found: Value) -> bool:
    """Whether a row matches its checksum, as far as it has one."""
    return found is None or found == row_sum(values)


def change_alone(row: Values) -> Change:
    """Convert a row of `change`, its id first, to a change without attempts. Raises ValueError."""
    return change_of((*row[:7], None, None, row[2], *_NO_END))


def change_of(row: Values) -> Change:
    """Convert a row of CHANGE_COLUMNS to a change. Raises ValueError for values that this program never writes."""
    id_, batch, at, resource, key, intent, base, attempt, outcome, moved_at, *end = row
    began = _moment(_float(at))
    return Change(
        id=_int(id_),
        batch=sys.intern(str(batch)),
        at=began,
        ref=Ref(_KINDS.get(str(resource)) or Resource(str(resource)), key_from_text(str(key))),
        intent=decode_intent(str(intent)),
        base=decode_fields(str(base)),
        state=_state(attempt, outcome),
        moved_at=began if moved_at == began else _float(moved_at),
        reason=None if end[0] is None else _reason(tuple(end[:5])),
        result_key=_id(end[5]),
    )


def attempt_of(row: Values) -> Attempt:
    """Convert a row of ATTEMPT_COLUMNS to an attempt. Raises ValueError for values that this program never writes."""
    id_, at, request, base, value, outcome, ended_at, *end = row
    return Attempt(
        id=_int(id_),
        at=_float(at),
        request=None if request is None else str(request),
        base={} if base is None else decode_fields(str(base)),
        value={} if value is None else decode_fields(str(value)),
        outcome=None if outcome is None else ChangeState(str(outcome)),
        ended_at=None if ended_at is None else _float(ended_at),
        reason=_reason(tuple(end[:5])),
        result_key=_id(end[5]),
    )


def _state(attempt: Value, outcome: Value) -> ChangeState:
    if attempt is None:
        return ChangeState.QUEUED
    return ChangeState.SENDING if outcome is None else ChangeState(str(outcome))


def _reason(row: Values) -> Reason | None:
    code, message, status, raw, theirs = row
    if code is None:
        return None
    return Reason(
        code=str(code),
        message=str(message or ""),
        status=None if status is None else _int(status),
        raw=None if raw is None else str(raw),
        theirs={} if theirs is None else decode_fields(str(theirs)),
    )


def _id(value: Value) -> ServiceId | None:
    return value if isinstance(value, str) or value is None else _int(value)


def _int(value: Value) -> int:
    if isinstance(value, int):
        return value
    raise ValueError(f"not an integer: {value!r}")


@lru_cache(maxsize=16)
def _moment(at: float) -> float:
    """Cache a time as one object: all changes of a batch share it."""
    return at


def _float(value: Value) -> float:
    if isinstance(value, int | float):
        return value
    raise ValueError(f"not a number: {value!r}")
