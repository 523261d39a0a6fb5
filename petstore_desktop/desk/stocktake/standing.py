"""Whether the difference of a counted line may be booked: only where it is known which changes of the stock came before
the count and which came after it.

The service's number is read now and then. A change that two readings show happened somewhere between them. If both
were before the count, the expected number had it; if both were after it, the change is left as it is and the
difference is booked beside it. If the count lies between them, nobody can know, and a person decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from petstore_desktop.desk.scanning.session import ScanLine
from petstore_desktop.domain.records import Resource
from petstore_desktop.domain.seen_changes import SeenChange, What, Who

UNDER_WAY_S = 60.0
"""A reading whose answer came within this many seconds after the count may have been made before it."""
_SAME_CLOCK_S = 1.0

Why: TypeAlias = Literal["sure", "later", "unclear", "here", "gone", "no-entry", "unread"]
"""sure: nothing moved; later: it moved after the count, which stays; unclear: it moved about when it was counted;
here: it was changed on this computer after the count; gone: there is no such stock any more; no-entry: it has none;
unread: the list was not read since."""


class LineStanding(Struct, frozen=True):
    """Tells whether a line may be booked, and by how much the stock moved since it was counted."""

    why: Why
    moved: int = 0

    @property
    def sure(self) -> bool:
        """Whether its difference can be booked without asking."""
        return self.why in ("sure", "later")


class Now(Struct, frozen=True):
    """The stock at present: the service's number and the one with unsent changes (None: there is none); `looked`: the
    list was read to its end after the count, by a reading that began after it."""

    quantity: int | None
    shown: int | None
    looked: bool
    at: float


def judge(line: ScanLine, now: Now, changes: Sequence[SeenChange]) -> LineStanding:
    """Tell whether a line may be booked. `changes`: those of its pet as the history has them, in any order."""
    if line.expected is None or line.quantity is None:
        return LineStanding("no-entry")
    if now.quantity is None or now.shown is None:
        return LineStanding("gone")
    later = sorted(_later(line, changes), key=lambda one: (one.seen_by, one.seen_after))
    if any(one.what is not What.CHANGED for one in later):
        return LineStanding("unclear")
    known = _chained(line.quantity, now.quantity, later)
    moved = now.shown - line.expected
    if known is None or now.at < line.at - _SAME_CLOCK_S:
        return LineStanding("unclear", moved)
    theirs, here = known
    others = [one for one in later if one.who is not Who.HERE]
    mixed = bool(others) and (line.pending != 0 or len(others) < len(later))
    if mixed or not all(_after(line, one) for one in others):
        return LineStanding("unclear", moved)
    if now.shown != now.quantity or here != line.pending:  # what is not sent yet may still be refused
        return LineStanding("here", moved)
    if not now.looked:
        return LineStanding("unread", moved)
    return LineStanding("later", theirs) if others else LineStanding("sure")


def _later(line: ScanLine, changes: Sequence[SeenChange]) -> list[SeenChange]:
    """The changes of the stock that were not seen before the line was begun."""
    stock = (one for one in changes if one.ref.resource is Resource.INVENTORY and one.ref.key == line.pet)
    counts = (one for one in stock if one.what is not What.CHANGED or one.field == "quantity")
    return [one for one in counts if one.seen_by > line.since]


def _after(line: ScanLine, change: SeenChange) -> bool:
    """Whether a change came after the count: its old value was still said by a reading that began after it."""
    return change.seen_after >= line.at + UNDER_WAY_S and line.said <= line.at + _SAME_CLOCK_S


def _chained(before: int, now: int, changes: Sequence[SeenChange]) -> tuple[int, int] | None:
    """By how much others, and this computer, moved the number; None where the changes do not lead from the number at
    the count to the present one."""
    theirs = here = 0
    value = before
    for one in changes:
        if one.before != value or not isinstance(one.after, int):
            return None
        by = one.after - value
        value = one.after
        if one.who is Who.HERE:
            here += by
        else:
            theirs += by
    return (theirs, here) if value == now else None
