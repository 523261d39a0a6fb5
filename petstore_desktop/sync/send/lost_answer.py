"""What a look proves of an attempt whose answer never came. Pure.

A booking of +1 that meets the number of before may never have arrived, or have arrived before a colleague sold one. The
service's version of the record (its ETag) tells the two apart: another one says that somebody wrote, and the same one
that nobody did, if the service counts its versions (see `is_counted`). Without such proof, only a look that was made
right after the attempt is believed, since there was hardly time for anybody else; after that a person is asked.

Who wrote, no version tells: a number that is as it was sent may be a colleague’s, who booked as many. It can have been
at any time since the number was seen upon which the booking rests. Without versions that was right before; with them it
may be minutes ago, since the service compares them, and would have refused the booking in the answer that was lost. So
such a number is believed only where it all happened within seconds: what it rests on was seen right before the attempt,
and the look came right after it. One write is on its way at a time, so that a broken line asks one question at most. Of
lost answers to bookings of one, at a pet of which somebody sells one in five minutes, one in ten would be called done
wrongly upon a number of a minute ago, one in four upon one of five minutes ago, within seconds one in two hundred.
(A version that has moved by more than one would tell of somebody else, but some services count by more.) Where the
service answered that it failed, that is the likelier half: a number as sent is then not believed at all.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import cast

from msgspec import Struct, field
from msgspec.structs import replace

from petstore_desktop.clock import Instant
from petstore_desktop.domain.changes import (
    ACCEPTED,
    AS_BEFORE,
    AS_SENT,
    HALF_DONE,
    NEITHER,
    ChangeState,
    Delete,
    Fields,
    Intent,
    Reason,
)
from petstore_desktop.domain.records import FieldValue, Row
from petstore_desktop.store.journal.rows import Attempt
from petstore_desktop.sync.send.answer_verdict import is_alike
from petstore_desktop.sync.send.outcomes import Fate

SOON_S = 5.0
"""A look without versions is believed if it was asked for within so many seconds of the beginning of the attempt, and
answered within as many: as long as a look serves a write (`LOOK_SERVES_S`)."""


NOT_SAID_DONE = "not-said-done"
"""The code of an answer to a write that says neither yes nor no, as 202 does: it may be done at any later time."""

FAILED = (500, 503)
"""The service itself answered that it failed. (Others of that family speak of what stands behind a gateway.)"""
PRECONDITION_FAILED = 412
NO_VERSION_SENT = "no-version-sent"
"""The code of an answer that a version does not agree, where none was sent along."""

_COUNTED = re.compile(
    r'"?(?:(?:v|ver|version|r|rev|revision)[-.:]?|[0-9a-z]{1,8}-[a-z])?(?:0|[1-9][0-9]{0,5})"?', re.IGNORECASE
)


def is_counted(version: str) -> bool:
    """Whether an ETag is surely a count, which never comes back: a number of at most six digits, alone, after a word
    for it (`"v7"`), or after a short name and a letter (`"4f2a9c-i7"`). Many frameworks make ETags of the content
    instead: whoever sets a record back sets such a one back too. Hashes written as numbers are longer."""
    return _COUNTED.fullmatch(version) is not None


def _is_of_content(version: str, base: Fields) -> bool:
    """Whether an ETag is made of the very number that the record has, which comes back when that does."""
    return any(version.strip('"') == str(value) for value in base.values())


class LostAnswer(Struct, frozen=True):
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
    seen_s: float = math.inf
    """How many seconds before it what it rests on was asked for; inf where that is not known."""

    def seconds(self, now: Instant) -> float:
        """How long ago it began, by the clock that nobody sets; inf where that cannot tell, as after a reboot."""
        if self.began is None or self.began.boot_id != now.boot_id or now.steady < self.began.steady:
            return math.inf
        return now.steady - self.began.steady

    def is_soon(self, now: Instant, look_age: float, took: float) -> bool:
        """Whether a look came right after it that was asked for so many seconds ago, and `took` so many. None that does
        not count any more (of infinite age) did."""
        return math.isfinite(look_age) and took <= SOON_S and self.seconds(now) - look_age <= SOON_S

    @property
    def rests_on_now(self) -> bool:
        """Whether what it rests on was seen right before it."""
        return self.seen_s <= SOON_S

    @property
    def may_come(self) -> bool:
        """Whether the service took it in and did not say that it was done: it may be done after any look."""
        return self.reason is not None and self.reason.code == NOT_SAID_DONE

    @property
    def is_accepted(self) -> bool:
        """Whether the service said that it will be done (202)."""
        return self.may_come and self.reason is not None and (self.reason.raw or "").startswith("HTTP 202")

    @property
    def was_denied(self) -> bool:
        """Whether the service said no, and not because of a version that was sent along."""
        if self.reason is None or self.reason.status is None:
            return False
        known = self.reason.code in ("refused", "forbidden", "not-found", NO_VERSION_SENT)
        return known or (self.reason.code == "conflicted" and self.reason.status != PRECONDITION_FAILED)

    @property
    def said_failed(self) -> bool:
        """Whether the service answered that it could not do it."""
        return self.reason is not None and self.reason.status in FAILED

    @property
    def met_another_version(self) -> bool:
        """Whether it repeated an attempt of unknown fate, and the service said that the record is not as it was."""
        return self.reason is not None and self.reason.status == PRECONDITION_FAILED


def marks_of(version: str | None, began: Instant, seen_s: float) -> dict[str, object]:
    """What is written down with an attempt for the case that its answer is lost; see `LostAnswer`."""
    seen = {"seen": float(seen_s)} if math.isfinite(seen_s) else {}
    return {"version": version, "steady": float(began.steady), "boot": began.boot_id, **seen}


def lost_answer(attempt: Attempt, *, booked: bool, missed: bool = False) -> LostAnswer:
    """An attempt of the journal as one whose answer was lost."""
    said: Mapping[str, object] = {}
    with suppress(ValueError):
        kept: object = json.loads(attempt.request or "{}")
        said = cast("Mapping[str, object]", kept) if isinstance(kept, dict) else said
    version, steady, boot = said.get("version"), said.get("steady"), said.get("boot")
    seen = said.get("seen")
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
        seen if isinstance(seen, float) else math.inf,
    )


def settle(intent: Intent, sent: LostAnswer, row: Row | None, *, soon: bool, versioned: bool) -> Fate:
    """The fate of such an attempt after a look at its record (`row` None: it is gone; `soon`: it came right after the
    attempt; `versioned`: it showed the row's ETag itself): what the person wants is there -> done; proved not to have
    happened -> send again; anything else -> a person decides."""
    if row is None:
        return (ChangeState.DONE, None) if isinstance(intent, Delete) else (ChangeState.REFUSED, Reason("gone", ""))
    now: dict[str, FieldValue] = {name: getattr(row.record, name, None) for name in sent.value}
    there = not isinstance(intent, Delete) and all(_is_there(sent, name, now[name]) for name in sent.value)
    before = all(name in sent.base and now[name] == sent.base[name] for name in sent.value)
    if sent.was_denied:
        return _denied(sent, now, there=there)
    moved = sent.met_another_version
    if there:
        ours = soon and sent.rests_on_now and not moved and not sent.said_failed
        known = ours or before or not sent.booked or sent.is_accepted
        return (ChangeState.DONE, None) if known else _asked(sent, AS_SENT, now)
    if before:
        if versioned and sent.version is not None and row.etag is not None:
            same = row.etag == sent.version
            moved = moved or not same
            counted = same and is_counted(sent.version) and not _is_of_content(sent.version, sent.base)
        else:
            counted = False
        if (counted or soon or sent.missed) and not moved and not sent.may_come:
            return ChangeState.QUEUED, None
        return _asked(sent, ACCEPTED if sent.is_accepted else AS_BEFORE, now)
    return _asked(sent, NEITHER, now) if sent.booked else _half_done(sent, now) or _moved(now)


def _is_there(sent: LostAnswer, name: str, now: FieldValue) -> bool:
    """Whether a field is as it was sent, or as services write that, and it was not so before."""
    value = sent.value[name]
    return now == value or (is_alike(now, value) and not is_alike(now, sent.base.get(name)))


def _denied(sent: LostAnswer, now: Fields, *, there: bool) -> Fate:
    """The service said no: what it shows all the same is believed, but that a number is ours."""
    if there:
        return _asked(sent, AS_SENT, now) if sent.booked else (ChangeState.DONE, None)
    half = None if sent.booked else _half_done(sent, now)
    return half or (ChangeState.REFUSED, sent.reason)


def _half_done(sent: LostAnswer, now: Fields) -> Fate | None:
    """The fate of a change of which some fields are as sent, and the others as before; None of another one."""
    stayed = {name: value for name, value in now.items() if value != sent.value[name]}
    as_before = all(name in sent.base and value == sent.base[name] for name, value in stayed.items())
    if not as_before or len(stayed) == len(now):
        return None
    return ChangeState.REFUSED, replace(sent.reason or Reason(HALF_DONE, ""), code=HALF_DONE, theirs=stayed)


def _moved(now: Fields) -> Fate:
    return ChangeState.CONFLICT, Reason("moved", "", theirs=now)


def _asked(sent: LostAnswer, code: str, now: Fields) -> Fate:
    """A person decides, who can say that it arrived and that it did not. What the service answered stays known."""
    return ChangeState.UNCERTAIN, replace(sent.reason or Reason(code, ""), code=code, theirs=now)
