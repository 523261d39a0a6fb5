"""What the answer to a write proves: one table, which every answer to every write passes. Pure.

A write is done when its answer shows that it is. Where the service's document promises the record in the answer, an
answer without it settles nothing, and a look does. Where nothing is promised, an answer that says nothing is believed:
the values are assumed, until the service shows them. An answer that shows another record, another value of a field that
was written, or a field emptied that nobody wrote, is never taken for done: the operation stops until a person has
decided (`ledger.Ledger.stopped`).

What the absence of an answer means is in outcomes.py, what a look means in conflicts.py.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from enum import StrEnum
from typing import Final
from unicodedata import normalize

from msgspec import Struct

from petstore_desktop.api.write_answer import WriteAnswer
from petstore_desktop.contract.model import Operation
from petstore_desktop.contract.operations import VERBS, Verb
from petstore_desktop.domain.changes import NOT_SHOWN, STAYED, Fields, Reason, likened
from petstore_desktop.domain.records import (
    FIELD_SPECS,
    FOLLOWS,
    Extra,
    FieldValue,
    JsonValue,
    Record,
    Resource,
    Row,
    ServiceId,
    plain,
)

_NOTHING: Final[tuple[JsonValue, ...]] = (None, "", [], {})


class Shows(StrEnum):
    """What an answer shows, compared with what was meant."""

    MEANT = "meant"
    """The record, with all that was written as it was meant."""
    NOTHING = "nothing"
    """No word but a yes."""
    ID = "id"
    """The id of the new record alone."""
    NO_RECORD = "no-record"
    """Something, and no record of this kind: `{}`, a list, an error, words, the id of another one."""
    NOT_ALL = "not-all"
    """The record, without a field that was written, or that it had."""
    AS_BEFORE = "as-before"
    """The record, with a field that was written as it was before."""
    ANOTHER_RECORD = "another-record"
    ANOTHER_VALUE = "another-value"
    """The record, with a field that was written as something else."""
    EMPTIED = "emptied"
    """The record, with a field empty that nobody wrote."""
    ALSO_CHANGED = "also-changed"
    """The record, with another value in a field that nobody wrote, and nobody else can have."""


class AnswerVerdict(StrEnum):
    """What becomes of the write."""

    DONE = "done"
    ASSUMED = "assumed"
    """Done, as far as anybody can know: its values are those that were sent until the service shows them."""
    LOOK = "look"
    WRONG = "wrong"
    """Never done; the operation stops."""


_D, _A, _L, _W = AnswerVerdict

TABLE: Final[Mapping[Shows, tuple[AnswerVerdict, AnswerVerdict]]] = {
    # the answer shows        promised  not promised
    Shows.MEANT:              (_D,      _D),
    Shows.NOTHING:            (_L,      _A),
    Shows.ID:                 (_L,      _A),
    Shows.NOT_ALL:            (_L,      _A),
    Shows.NO_RECORD:          (_L,      _L),
    Shows.AS_BEFORE:          (_L,      _L),
    Shows.ANOTHER_RECORD:     (_W,      _W),
    Shows.ANOTHER_VALUE:      (_W,      _W),
    Shows.EMPTIED:            (_W,      _W),
    Shows.ALSO_CHANGED:       (_W,      _W),
}  # fmt: skip
"""By what the answer shows: the verdict where the document promises the record in it, and where it does not."""

ASSUMED: Final = "assumed"
"""The code of the reason of a change that is done and whose values the service has not shown, but for those in
`theirs`, which it has written in its own way. Its raw text is the version that the answer named, if it named one."""
REWRITTEN: Final = "rewritten"
"""The same of one whose values the service has shown, those in `theirs` in its own way of writing."""
_WRONG: Final = (Shows.ANOTHER_RECORD, Shows.ANOTHER_VALUE, Shows.EMPTIED, Shows.ALSO_CHANGED)
DENIED: Final = frozenset({Shows.NO_RECORD, Shows.AS_BEFORE, *_WRONG})
"""What a look at the record shows that outweighs an answer that said yes."""
WRONG: Final = frozenset(one.value for one in _WRONG)
"""The codes of changes that were answered with something else than was meant: their operation has stopped."""


class Meant(Struct, frozen=True):
    """One write as it left. `key`: of the record, None of one that it makes; `before`: the record as it was last seen;
    `taken`: ids that other records had before; `accepted`: fields that a person lets the service have as it likes;
    `guarded`: the service refuses it where anybody else has written since."""

    operation: Operation
    key: ServiceId | None
    fields: Fields
    before: Record | None = None
    taken: Collection[ServiceId] = ()
    accepted: Collection[str] = ()
    guarded: bool = False


class AnswerJudgement(Struct, frozen=True):
    """The verdict on an answer, what it showed, and the values that the service has in fields which were written
    otherwise, or not written at all."""

    verdict: AnswerVerdict
    shows: Shows
    theirs: Fields

    @property
    def reason(self) -> Reason | None:
        """The same for the journal; None where there is nothing to say."""
        if self.verdict is AnswerVerdict.DONE:
            return Reason(REWRITTEN, "", theirs=self.theirs) if self.theirs else None
        return Reason(_CODES.get(self.verdict) or _CODES.get(self.shows, self.shows.value), "", theirs=self.theirs)


_CODES: Final[Mapping[AnswerVerdict | Shows, str]] = {
    AnswerVerdict.ASSUMED: ASSUMED,
    Shows.AS_BEFORE: STAYED,
    **dict.fromkeys((Shows.NOTHING, Shows.ID, Shows.NO_RECORD, Shows.NOT_ALL), NOT_SHOWN),
}


def judge(meant: Meant, shown: WriteAnswer) -> AnswerJudgement:
    """What an answer proves of a write."""
    shows, theirs = compare(meant, shown)
    promised, otherwise = TABLE[shows]
    return AnswerJudgement(promised if meant.operation.promises_record else otherwise, shows, theirs)


def compare(meant: Meant, shown: WriteAnswer) -> tuple[Shows, Fields]:
    """What an answer shows of a write, and the fields in which the service has other values than were sent."""
    row, verb = shown.row, VERBS[meant.operation.op]
    if shown.id in meant.taken or (row is not None and meant.key is not None and row.key != meant.key):
        return Shows.ANOTHER_RECORD, {}
    if row is None:
        return _without_record(shown, verb), {}
    if verb is Verb.DELETE:
        return Shows.MEANT, {}
    return _compared(meant, shown, row)


def _without_record(shown: WriteAnswer, verb: Verb) -> Shows:
    if shown.id is not None and verb is Verb.CREATE:
        return Shows.ID
    return Shows.NOTHING if shown.silent else Shows.NO_RECORD


def _compared(meant: Meant, shown: WriteAnswer, row: Row) -> tuple[Shows, Fields]:
    before, now = meant.before, row.record
    values: dict[str, FieldValue] = {name: getattr(now, name, None) for name in meant.fields if name in shown.fields}
    differ = {name: value for name, value in values.items() if not _is_same(value, meant.fields[name])}
    strange = {
        name: value
        for name, value in differ.items()
        if name not in meant.accepted and not is_alike(value, meant.fields[name])
    }
    stayed = [name for name in strange if before is not None and _is_same(strange[name], getattr(before, name, None))]
    if stayed:
        return Shows.AS_BEFORE, differ
    if strange:
        return Shows.ANOTHER_VALUE, strange
    resource = meant.operation.op.resource
    had = [] if before is None else [name for name in _had(resource, before) if name not in meant.fields]
    emptied: dict[str, FieldValue] = {
        name: None for name in had if name in shown.fields and _is_empty(getattr(now, name, None))
    }
    if before is not None:
        emptied |= _others_emptied(before.extra, now.extra, lacking=shown.alike)
    if emptied and not emptied.keys() <= {*meant.accepted}:
        return Shows.EMPTIED, emptied
    also: Fields = _also_changed(meant, shown, now) if shown.alike or meant.guarded else {}
    if also and not also.keys() <= {*meant.accepted}:
        return Shows.ALSO_CHANGED, also
    missing = [name for name in meant.fields if name not in shown.fields]
    missing += [name for name in had if name not in shown.fields and _is_promised(meant.operation, resource, name)]
    return (Shows.NOT_ALL if missing else Shows.MEANT), differ


class OwnWrite(Struct, frozen=True):
    """One of our writes that is done, as far as the service did not show its values as they were sent."""

    sent: Fields
    reason: Reason


def ours(own: Iterable[OwnWrite], row: Row, base: Fields, theirs: Fields) -> frozenset[str]:
    """Of the fields in which the service has something else than a person saw, those in which that is what became of
    our own writes: nobody else has changed them. `own`: those to this record, oldest first; `base`: what was seen."""
    found: set[str] = set()
    for write in own:
        for name, sent in write.sent.items():
            if name in theirs and _is_same(base.get(name), sent):
                found.add(name) if _became(write.reason, name, sent, theirs[name], row) else found.discard(name)
    return frozenset(found)


def _became(reason: Reason, name: str, sent: FieldValue, now: FieldValue, row: Row) -> bool:
    """Whether a value that was sent is now this one by what the service made of it."""
    if name in reason.theirs:
        return _is_same(now, reason.theirs[name])
    version = reason.raw is not None and reason.raw == row.etag
    return reason.code == ASSUMED and (version or is_alike(sent, now))


def _had(resource: Resource, before: Record) -> list[str]:
    """The fields of a record that hold something."""
    return [spec.name for spec in FIELD_SPECS[resource] if not _is_empty(getattr(before, spec.name))]


def _others_emptied(before: Extra, now: Extra, *, lacking: bool) -> dict[str, FieldValue]:
    """The fields that the program does not know, and that held something, with what stands there now: no is not
    nothing. `lacking`: what is not named is empty."""
    held = [name for name, value in before.items() if not _holds_nothing(value) and (lacking or name in now)]
    return {name: _told(now.get(name)) for name in held if _holds_nothing(now.get(name))}


def _told(value: JsonValue) -> FieldValue:
    return (value if isinstance(value, bool) else int(value)) if isinstance(value, int | float) else None


def _holds_nothing(value: JsonValue) -> bool:
    """Whether a value is none, or what services fill in for one."""
    return value in _NOTHING or value == 0  # so is False


def _also_changed(meant: Meant, shown: WriteAnswer, now: Record) -> Fields:
    """The fields that have another value than before, and were not written."""
    resource, before = meant.operation.op.resource, meant.before
    free = FOLLOWS[resource]
    names = [] if before is None else [name for name in _had(resource, before) if name not in {*meant.fields, *free}]
    values = {name: (getattr(before, name), getattr(now, name, None)) for name in names if name in shown.fields}
    return {name: new for name, (old, new) in values.items() if not is_alike(old, new)}


def _is_promised(operation: Operation, resource: Resource, name: str) -> bool:
    spec = next(spec for spec in FIELD_SPECS[resource] if spec.name == name)
    return plain(spec.wire) in operation.shows


def _is_empty(value: FieldValue) -> bool:
    return value is None or value == ""


def _is_same(one: FieldValue, other: FieldValue) -> bool:
    return type(one) is type(other) and one == other


def is_alike(one: FieldValue, other: FieldValue) -> bool:
    """Whether two values are one that services write in different ways: spaces, case, forms of letters, the words for a
    status, a moment in another zone, null for an empty text."""
    if (_is_empty(one) and _is_empty(other)) or likened(one) == likened(other):
        return True
    if not (isinstance(one, str) and isinstance(other, str)):
        return False
    if likened(normalize("NFC", one)) == likened(normalize("NFC", other)):
        return True
    with suppress(ValueError):
        first, second = datetime.fromisoformat(one), datetime.fromisoformat(other)
        return first.tzinfo is not None and second.tzinfo is not None and first == second
    return False
