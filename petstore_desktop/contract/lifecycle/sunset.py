"""How an operation ends: deprecated, its last day, removed. Pure; days are the service's own, in UTC.

What answers say of it (`Notice`) is said later than the document, and so wins over it; another document begins anew.
"""

from __future__ import annotations

from datetime import UTC, date, datetime

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.contract.model import FROM_PROFILE, Contract, Operation
from petstore_desktop.contract.operations import FieldMap
from petstore_desktop.contract.stock_key import applied
from petstore_desktop.domain.records import calendar_moment

NOTICE_DAYS = 30
"""How many days before the last day of an operation a person is told, once."""
ONE_PAGE = 100
"""Records that one request of a list brings, where the document names no bound."""
NOT_FOUND, GONE = 404, 410


class Notice(Struct, frozen=True):
    """What the headers of one answer say. Times are UTC epoch seconds; `deprecated_at` may lie ahead. `sunset`: an ISO
    date. Each is None where it is not said or not readable. `successor`: the target of `Link: rel=successor-version`
    (RFC 5829)."""

    deprecated: bool = False
    deprecated_at: float | None = None
    sunset: str | None = None
    successor: str | None = None


class Ending(Struct, frozen=True):
    """How an operation stands: `day` its last, `days` until then (negative: it is past), None where the service does
    not say when. `instead`: what the program uses in its place (`GET /pets`), and from now on or only `after` its end.
    `successor`: what the service names in its place."""

    day: date | None = None
    days: int | None = None
    removed: bool = False
    instead: str = ""
    after: bool = False
    successor: str = ""

    @property
    def is_near(self) -> bool:
        """Whether a person is to be told of it now."""
        return not self.removed and self.days is not None and 0 <= self.days <= NOTICE_DAYS


def service_day(now: float, skew: float | None) -> date:
    """The day at the service, whose clock is `skew` seconds ahead of ours; `now` in UTC epoch seconds."""
    try:
        return datetime.fromtimestamp(now + (skew or 0.0), UTC).date()
    except (ValueError, OverflowError, OSError):  # it claims a year that no calendar has
        return datetime.fromtimestamp(calendar_moment(now), UTC).date()


def last_day(operation: Operation) -> date | None:
    """The day that the service named; None where it named none."""
    return None if operation.sunset is None else date.fromisoformat(operation.sunset)


def ending_of(operation: Operation, today: date, instead: str = "", after: bool = False) -> Ending | None:
    """How an operation ends; None where neither document nor answer says that it does."""
    if not (operation.deprecated or operation.removed):
        return None
    day = last_day(operation)
    days = None if day is None else (day - today).days
    return Ending(day, days, operation.removed, instead, after and not operation.removed, operation.successor)


def is_over(operation: Operation, today: date) -> bool:
    """Whether it is not to be used any more where anything else serves."""
    day = last_day(operation)
    return operation.removed or (operation.deprecated and day is not None and day < today)


def is_cheaper(operation: Operation, listing: Operation, count: int) -> bool:
    """Whether a list of this size is read instead of a deprecated operation that still works."""
    return operation.deprecated and count <= (listing.page_limit or ONE_PAGE)


def heard(operation: Operation, notice: Notice, now: float) -> Operation:
    """The operation after an answer that said this of it; a deprecation that lies ahead (RFC 9745, 2.1) is none yet."""
    begun = notice.deprecated and (notice.deprecated_at is None or notice.deprecated_at <= now)
    return replace(
        operation,
        deprecated=operation.deprecated or begun or notice.sunset is not None,
        sunset=notice.sunset or operation.sunset,
        successor=notice.successor or operation.successor,
    )


def refusal(operation: Operation, status: int, today: date, missed: int) -> str:
    """The error code that a 404 or 410 means: `removed` (the operation), `gone-or-removed` (not known yet), or that
    this one record is gone.

    Only the day that the service named, or a later one, makes it more than that. A list is no record, and 410 says that
    it is for good (RFC 9110, 15.5.11). `missed`: how many different records were answered with 404 since the
    operation last worked, this one counted: a second one is no accident.
    """
    day = last_day(operation)
    if status not in (NOT_FOUND, GONE) or day is None or today < day:
        return ""
    certain = status == GONE or "{" not in operation.path or missed > 1
    return "removed" if certain else "gone-or-removed"


def with_operation(contract: Contract, operation: Operation) -> Contract:
    """The contract with this operation in the place of what it said of it."""
    return replace(contract, operations={**contract.operations, operation.op: operation})


def carried(known: Contract | None, read: Contract) -> Contract:
    """The contract of a document that was read again: what answers have said holds for as long as it is the same."""
    if known is None or known.digest != read.digest or known.source != read.source:
        return read
    same = known.by_hand == read.by_hand
    learned = {one: fields for one, fields in known.fields.items() if same and not (fields.told or read.map(one).told)}
    if read.source == FROM_PROFILE and same:  # what was doubted since
        learned = {one: _doubted(known.map(one), fields) for one, fields in read.fields.items()}
    operations = dict(read.operations)
    for op, new in read.operations.items():
        old = known.operations.get(op)
        if old is not None and (old.method, old.path) == (new.method, new.path):
            names = (*_ENDS, *_BODIES) if op.resource in learned and read.source != FROM_PROFILE else _ENDS
            operations[op] = replace(new, **{name: getattr(old, name) for name in names})
    proven = tuple(sorted({*read.proven, *known.proven}))
    return applied(replace(read, operations=operations, fields={**read.fields, **learned}, proven=proven))


def _doubted(known: FieldMap, read: FieldMap) -> FieldMap:
    return replace(read, guessed=tuple(dict.fromkeys((*read.guessed, *known.guessed))))


_ENDS = ("deprecated", "sunset", "removed", "successor")
_BODIES = ("writes", "text_fields", "body_fields", "required_fields")
"""What answers say of an operation."""
