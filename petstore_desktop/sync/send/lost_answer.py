"""What a look proves of an attempt whose answer never came. Pure.

A booking of +1 that meets the number of before may never have arrived, or have arrived before a colleague sold one. The
service's version of the record (its ETag) tells the two apart. Without one, only a look that was made right after the
attempt is believed, since there was hardly time for anybody else; after that a person is asked.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import field, replace
from typing import cast

from petstore_desktop.clock import Instant
from petstore_desktop.domain.changes import (
    AS_BEFORE,
    AS_SENT,
    NEITHER,
    ChangeState,
    Delete,
    Fields,
    Intent,
    Reason,
)
from petstore_desktop.domain.records import FieldValue, Row
from petstore_desktop.quicker.dataclass import dataclass
from petstore_desktop.store.journal.rows import Attempt
from petstore_desktop.sync.send.outcomes import Fate

SOON_S = 5.0
"""A look without versions is believed if it was asked for within so many seconds of the beginning of the attempt, and
answered within as many: as long as a look serves a write (`LOOK_SERVES_S`)."""


@dataclass(frozen=True, slots=True)
class LostAnswer:
    """An attempt of unknown fate: what it sent, upon what, and upon which version of the record (None where the service
    gave none). `began`: when it did, None where an older build did not write that down. `booked`: it was nothing but
    bookings, so that the same number can come about by somebody else's. `missed`: a look right after it showed that it
    had not arrived."""

    value: Fields = field(default_factory=dict[str, FieldValue])
    base: Fields = field(default_factory=dict[str, FieldValue])
    version: str | None = None
    began: Instant | None = None
    booked: bool = False
    missed: bool = False
    reason: Reason | None = None

    def seconds(self, now: Instant) -> float:
        """How long ago it began, by the clock that says more; inf where none can tell."""
        if self.began is None or self.began.boot_id != now.boot_id or now.steady < self.began.steady:
            return math.inf
        return max(now.steady - self.began.steady, now.wall - self.began.wall)

    def is_soon(self, now: Instant, look_age: float) -> bool:
        """Whether a look that was asked for so many seconds ago came right after it."""
        return look_age <= SOON_S and self.seconds(now) - look_age <= SOON_S


def marks_of(version: str | None, began: Instant) -> dict[str, object]:
    """What is written down with an attempt for the case that its answer is lost."""
    return {"version": version, "steady": float(began.steady), "boot": began.boot_id}


def lost_answer(attempt: Attempt, *, booked: bool, missed: bool = False) -> LostAnswer:
    """An attempt of the journal as one whose answer was lost."""
    said: Mapping[str, object] = {}
    with suppress(ValueError):
        kept: object = json.loads(attempt.request or "{}")
        said = cast("Mapping[str, object]", kept) if isinstance(kept, dict) else said
    version, steady, boot = said.get("version"), said.get("steady"), said.get("boot")
    began = None
    if isinstance(steady, float) and isinstance(boot, str):
        began = Instant(steady, attempt.at, boot)
    return LostAnswer(
        attempt.value,
        attempt.base,
        version if isinstance(version, str) else None,
        began,
        booked,
        missed,
        attempt.reason,
    )


def settle(intent: Intent, sent: LostAnswer, row: Row | None, *, soon: bool) -> Fate:
    """The fate of such an attempt after a look at its record (`row` None: it is gone; `soon`: it came right after the
    attempt): what the person wants is there -> done; proved not to have happened -> send again; anything else -> a
    person decides."""
    if row is None:
        return (ChangeState.DONE, None) if isinstance(intent, Delete) else (ChangeState.REFUSED, Reason("gone", ""))
    now: dict[str, FieldValue] = {name: getattr(row.record, name, None) for name in sent.value}
    there = not isinstance(intent, Delete) and all(now[name] == value for name, value in sent.value.items())
    before = all(name in sent.base and now[name] == sent.base[name] for name in sent.value)
    if there and (soon or before or not sent.booked):
        return ChangeState.DONE, None
    if there:
        return _asked(sent, AS_SENT, now)
    if before:
        same = sent.version is not None and row.etag == sent.version
        moved = None not in (sent.version, row.etag) and not same
        untouched = same or ((soon or sent.missed) and not moved)
        return (ChangeState.QUEUED, None) if untouched else _asked(sent, AS_BEFORE, now)
    if sent.booked:
        return _asked(sent, NEITHER, now)
    return ChangeState.CONFLICT, Reason("moved", "", theirs=now)


def _asked(sent: LostAnswer, code: str, now: Fields) -> Fate:
    """A person decides, who can say that it arrived and that it did not. What the service answered stays known."""
    return ChangeState.UNCERTAIN, replace(sent.reason or Reason(code, ""), code=code, theirs=now)
