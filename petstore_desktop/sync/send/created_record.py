"""Which record a creation made, where its answer does not say so for certain, and the id of a new record where the
service leaves the choice to us.

What was known when a creation left is kept with its attempt, so that it is known after a restart too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import cast

from msgspec import Struct

from petstore_desktop.api.whole import may_go
from petstore_desktop.clock import unique
from petstore_desktop.contract.model import Contract, Operation
from petstore_desktop.contract.operations import Verb
from petstore_desktop.domain.changes import FOUND_ALIKE, NO_ID, NOT_SHOWN, Change, ChangeState, Create, Fields, Reason
from petstore_desktop.domain.deletions import moved_extra
from petstore_desktop.domain.errors import RateLimited
from petstore_desktop.domain.records import Extra, Key, LocalId, Ref, Resource, ServiceId, key_from_text
from petstore_desktop.store.journal.rows import Attempt
from petstore_desktop.sync.send.answer_verdict import is_alike
from petstore_desktop.sync.shared.mirror_writer import Records

WHOLE_SERVES_S = 60.0
"""For so long after its first request a list that came whole tells what was there before a creation."""
_FURTHEST = 12
"""Times that the next id is further off than the one before where those are taken: twice as far, or ten times where not
all records are known."""
_DISTANCE = 100
"""A desk that has met another one leaves out fewer numbers than these."""
LARGEST = 2**53 - 1
"""The largest integer that every JSON reader keeps exactly (RFC 8259, 6)."""


class Departure(Struct, frozen=True):
    """The facts known when a creation was sent. `mark`: records first shown after it were unknown then; `whole`: the
    list had been read completely shortly before; `id`: the id sent with it, None if the service chooses."""

    mark: int
    whole: bool
    id: ServiceId | None = None


def departure_of(attempt: Attempt) -> Departure | None:
    """The facts known when this attempt was sent; None if they were not stored."""
    try:
        said = cast("dict[str, object]", json.loads(attempt.request or "{}"))
        mark, id_ = said.get("mark"), said.get("id")
    except (ValueError, AttributeError):
        return None
    own = id_ if isinstance(id_, ServiceId) else None
    return Departure(mark, said.get("whole") is True, own) if isinstance(mark, int) else None


class ChosenId(Struct, frozen=True):
    """The id that a new record is to get. `sent`: an attempt of unknown fate had it, so that what is there under it may
    be what that made."""

    id: ServiceId
    sent: bool = False


class CreatedRecord(Struct, frozen=True):
    """The record that a creation made; `reason`: FOUND_ALIKE where it may be a colleague's."""

    key: ServiceId
    reason: Reason | None = None


class Creations:
    """The creations of one connection. `local_ids`: the ids of what was created here; `contract`: what the service
    offers now."""

    def __init__(
        self, records: Records, local_ids: Callable[[], Mapping[LocalId, ServiceId]], contract: Callable[[], Contract]
    ) -> None:
        self._records, self._contract = records, contract
        self._local_ids = local_ids
        self._chosen: dict[Resource, int] = {}
        self._distance: dict[Resource, int] = {}
        """How far beyond the next number to go once, where somebody else has just chosen the same number as we did: two
        who both go on with the next one meet again each time."""
        self._tried: dict[Resource, tuple[int, int]] = {}
        """The highest id that was known, and how many were found to be taken since an id was last used."""

    def departure(self, operation: Operation, before: Attempt | None, wanted: ServiceId | None) -> Departure:
        """The facts known now, as a creation is sent. `before`: its last attempt; `wanted`: the id that its record had
        once, or that a look has just shown to be free. Raises StorageError."""
        resource, mark = operation.op.resource, self._records.mirror.known_until()
        whole = self._records.whole_age(resource) <= WHOLE_SERVES_S
        id_ = self._id(resource, mark, before, wanted) if operation.takes_id else None
        self._tried.pop(resource, None)
        self._distance.pop(resource, None)
        if isinstance(id_, int) and id_ <= LARGEST:
            self._chosen[resource] = max(id_, self._chosen.get(resource, 0))
        return Departure(mark, whole, id_)

    def new_id(self, resource: Resource, sent: Sequence[Attempt], *, taken: bool) -> ChosenId | None:
        """The number that a new record is to get, as far as a look has to show that it is free; None where the service
        chooses, or it is a text. `sent`: its attempts, oldest first; the id of the last is `taken` by another record or
        not. Raises StorageError."""
        if not self._contract().chooses_id(resource) or self._records.mirror.names_by_text(resource):
            return None
        last = None if taken or not sent or sent[-1].outcome is ChangeState.REFUSED else departure_of(sent[-1])
        if last is None or last.id is None:
            return ChosenId(self._next(resource))
        unsure = (departure_of(one) for one in sent if one.outcome is ChangeState.UNCERTAIN)
        return ChosenId(last.id, any(one is not None and one.id == last.id for one in unsure))

    def _id(self, resource: Resource, mark: int, before: Attempt | None, wanted: ServiceId | None) -> ServiceId | None:
        """The one it had, or was sent with when nobody knows what came of it, unless another record has it now; else a
        new one where the service does not choose."""
        left = None if before is None or before.outcome is ChangeState.REFUSED else departure_of(before)
        for known in (None if left is None else left.id, wanted):
            if known is not None and not self._records.mirror.knew(Ref(resource, known), mark):
                return known
        if not self._contract().chooses_id(resource):
            return None
        if self._records.mirror.names_by_text(resource):
            return _new_uuid()
        return self._next(resource)

    def _next(self, resource: Resource) -> int:
        """The next number. Those found to be taken lead further and further: a list may be long out of date, or not all
        that is there is known."""
        highest = max(self._records.mirror.highest(resource), self._chosen.get(resource, 0))
        known, tries = self._tried.get(resource, (highest, 0))
        tries = min(tries + 1, _FURTHEST) if highest > known else tries
        self._tried[resource] = (highest, tries)
        further = 2 ** max(0, tries - 1) if self._records.knows_all(resource) else 10**tries
        found = highest + further + self._distance.get(resource, 0)
        if found <= LARGEST:
            return found
        now = self._records.mirror.known_until()
        return next(number for number in count(1) if not self._records.mirror.knew(Ref(resource, number), now))

    def is_known(self, ref: Ref, departure: Departure) -> bool:
        """Whether what is said to be made was there before. Raises StorageError."""
        return self._records.mirror.knew(ref, departure.mark)

    def made_by(self, head: Change, attempt: Attempt, whole: bool) -> CreatedRecord | None:
        """The record that this attempt made, as far as that can be told. `whole`: the list has just come whole.

        It is the one with the id that the answer named, else that was sent; where there is neither, the only one that
        was not known before and has every field as it was sent, if the list had come whole shortly before, or the
        service said that it was made. A number that was chosen here is no proof: who chooses at the same moment
        chooses the same. Raises StorageError.
        """
        left = departure_of(attempt)
        if left is None:
            return None
        alike, told = self._alike(head, attempt, left.mark), told_id(attempt.reason)
        if told is not None and (told in alike or self._is_as_made(attempt, Ref(head.ref.resource, told))):
            return CreatedRecord(told)
        if told is not None:
            if told == left.id:
                self._distance[head.ref.resource] = _any_distance()
            return None
        if left.id is not None:
            if left.id not in alike:
                return None
            return CreatedRecord(left.id, None if isinstance(left.id, str) else Reason(FOUND_ALIKE, ""))
        found = self._not_ours(alike)
        if not whole or not (left.whole or _says_yes(attempt.reason)) or len(found) != 1:
            return None
        key = next(iter(found))
        reason = None if _says_yes(attempt.reason) else Reason(FOUND_ALIKE, "")
        return CreatedRecord(key, reason) if isinstance(key, ServiceId) else None

    def is_told(self, head: Change, attempt: Attempt, whole: bool) -> bool:
        """Whether a creation of which nobody knows the id is done, since the service said so, as far as its document
        has it say anything: not where the list has just come `whole` and shows nothing that it can have made. Raises
        StorageError."""
        if head.reason is None or head.reason.code != NO_ID:
            return False
        left = departure_of(attempt)
        if not whole or left is None:
            return not whole
        return bool(self._not_ours(self._alike(head, attempt, left.mark)))

    def is_denied(self, head: Change, attempt: Attempt, whole: bool) -> bool:
        """Whether a creation was not done: the service said that it came too soon, and the list, which has just come
        `whole`, shows nothing that it can have made. Raises StorageError."""
        left, why = departure_of(attempt), attempt.reason
        if left is None or why is None or why.code != RateLimited.code or not whole:
            return False
        return not self._not_ours(self._alike(head, attempt, left.mark))

    def _alike(self, head: Change, attempt: Attempt, mark: int) -> frozenset[Key]:
        """What came after this mark and is as it was sent, in all that was sent of a record that is made again."""
        resource = head.ref.resource
        create = self._contract().find(resource, Verb.CREATE)

        def as_sent(extra: Extra) -> Extra:
            return {name: value for name, value in extra.items() if create is None or may_go(create, name)}

        intent = head.intent if isinstance(head.intent, Create) else None
        sent: Extra = {} if intent is None else as_sent(intent.others)
        compared = bool(sent) or (intent is not None and intent.old_id is not None)
        keys = self._records.mirror.matching(resource, attempt.value, mark)
        images = {key: self._records.image(Ref(resource, key)) for key in keys} if compared else {}
        return keys - {key for key, one in images.items() if one is None or moved_extra(sent, as_sent(one.extra))}

    def _is_as_made(self, attempt: Attempt, ref: Ref) -> bool:
        """Whether the record of which the service said that it made it has all that was sent, as services write it, or
        as its answer showed it."""
        record = self._records.image(ref)
        theirs: Fields = {} if attempt.reason is None else attempt.reason.theirs
        if record is None:
            return False
        has: Fields = {name: getattr(record, name) for name in attempt.value}
        return all(
            is_alike(has[name], value) or (name in theirs and has[name] == theirs[name])
            for name, value in attempt.value.items()
        )

    def _not_ours(self, keys: frozenset[Key]) -> frozenset[Key]:
        return keys - frozenset(self._local_ids().values())


def _says_yes(reason: Reason | None) -> bool:
    """Whether the service said that it made the record, though not which one."""
    return reason is not None and reason.code in (NO_ID, NOT_SHOWN)


def told_id(reason: Reason | None) -> ServiceId | None:
    """The id that the answer to a creation named, of a record that it did not show."""
    if reason is None or reason.code != NOT_SHOWN or not reason.message:
        return None
    key = key_from_text(reason.message)
    return key if isinstance(key, ServiceId) else None


def _any_distance() -> int:
    return int(unique()[:8], 16) % _DISTANCE


def _new_uuid() -> str:
    """A random one (RFC 9562, 5.4)."""
    digits = unique()
    digits = f"{digits[:12]}4{digits[13:16]}{'89ab'[int(digits[16], 16) % 4]}{digits[17:]}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
