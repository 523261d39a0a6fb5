"""What a history must say, from what the mirror was shown: a plain list of changes for each record, and who may have
made each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from petstore_desktop.domain.changes import Fields
from petstore_desktop.domain.records import FIELDS, FieldValue, Key, Record, Ref, Resource, Row
from petstore_desktop.domain.seen_changes import SeenChange, What, Who
from tests.api.gate_machine.service import Violation
from tests.sync.past.told_service import WHOLE, Done, ToldService, Tried

TOLERANCE_S = 1e-3
ANY_TIME = -1.0
"""Of what is gone: it is seen when the reading that did not show it ends."""


class Expected(NamedTuple):
    """One change that the history must hold: what, who may be said to have made it, and between which readings."""

    ref: Ref
    what: What
    field: str
    before: FieldValue
    after: FieldValue
    who: frozenset[Who]
    seen_after: float | None
    seen_by: float | None
    record: Fields


@dataclass(slots=True)
class Model:
    """See above. `shown`: the records as they were last shown; `changes`: in the order in which they were told."""

    service: ToldService
    shown: dict[Ref, Fields] = field(default_factory=dict)
    seen_at: dict[Ref, float] = field(default_factory=dict)
    ever_seen: dict[Ref, float] = field(default_factory=dict)
    is_rebuilt: bool = False
    listed: set[Resource] = field(default_factory=set)
    changes: list[Expected] = field(default_factory=list)
    stale: set[Resource] = field(default_factory=set)
    """Lists that are compared as a whole when they are next read: the history is older than the mirror."""
    used_done: dict[tuple[Ref, str], int] = field(default_factory=lambda: defaultdict(int))
    used_tried: set[int] = field(default_factory=set)

    # ------------------------------------------------------------ what the mirror was shown

    def put(self, resource: Resource, news: Iterable[Row]) -> None:
        """Rows came that are new to the mirror, or changed there."""
        for row in news:
            self._show(Ref(resource, row.key), fields_of(resource, row.record), row.seen_at)

    def _show(self, ref: Ref, new: Fields, seen_at: float | None) -> None:
        old = self.shown.get(ref)
        if old is None and ref.resource in self.listed:
            self._told(ref, What.NEW, WHOLE, None, None, seen_at, new)
        for name in FIELDS[ref.resource] if old is not None else ():
            if old is not None and old[name] != new[name]:
                self._told(ref, What.CHANGED, name, old[name], new[name], seen_at, {})
        self.shown[ref] = new
        if seen_at is not None:
            self.see(ref, seen_at)

    def gone(self, ref: Ref, *, compared: bool = False) -> None:
        """A record is no longer there."""
        record = self.shown.pop(ref, None)
        if record is not None and ref.resource in self.listed:
            self._told(ref, What.GONE, WHOLE, None, None, None if compared else ANY_TIME, record)

    def read_whole(self, resource: Resource, rows: Mapping[Key, Record], there: frozenset[Key]) -> None:
        """A list was read from its beginning to its end: what it did not show is gone."""
        compared = resource in self.stale
        if compared:
            self.stale.discard(resource)
            self.caught_up(resource, rows, None)
        for ref in [ref for ref in self.shown if ref.resource is resource and ref.key not in there]:
            self.gone(ref, compared=compared)
        self.listed.add(resource)

    def caught_up(self, resource: Resource, rows: Mapping[Key, Record], gone: Iterable[Key] | None) -> None:
        """A history that is older than the mirror was brought up to date from it, where it told of these."""
        for key, record in rows.items():
            self._show(Ref(resource, key), fields_of(resource, record), None)
        for key in gone or ():
            self.gone(Ref(resource, key), compared=True)

    # ------------------------------------------------------------ who may have done it

    def _told(
        self, ref: Ref, what: What, name: str, before: FieldValue, after: FieldValue, by: float | None, record: Fields
    ) -> None:
        who = self._who(ref, name, what is What.NEW if name == WHOLE else after)
        if (by is None or ref.resource in self.stale) and Who.HERE in who:
            who = frozenset(Who)  # what a power cut took of a history is found by comparing: no answer tells it again
        shown = "" if name == WHOLE else name
        # Of what is new, or found by comparing, no answer said the old value of this very record last.
        said = None if what is What.NEW or by is None else self._said(ref)
        self.changes.append(Expected(ref, what, shown, before, after, who, said, by, record))

    def _said(self, ref: Ref) -> float | None:
        """The latest that the old value can have been said; after a new mirror and clocks set back, ever."""
        return self.ever_seen.get(ref) if self.is_rebuilt else self.seen_at.get(ref)

    def _shows_what_was_made(self) -> bool:
        """Whether the answer to a creation shows the record, and was surely heard; else no reading says whose it is."""
        return self.service.scenario.created == "whole" and not self.service.seen["start"]

    def see(self, ref: Ref, at: float) -> None:
        """A record was spoken of."""
        self.seen_at[ref] = at
        self.ever_seen[ref] = max(at, self.ever_seen.get(ref, at))

    def _who(self, ref: Ref, name: str, value: FieldValue) -> frozenset[Who]:
        """Those who gave it this value since it was last shown another one; us too where we may have tried."""
        places = [
            place
            for place in range(self.used_done[ref, name], len(self.service.done))
            if _is_of(self.service.done[place], ref, name, value)
        ]
        if places:
            self.used_done[ref, name] = places[-1] + 1
        found = {Who(self.service.done[place].actor) for place in places}
        if Who.HERE in found and name == WHOLE and value is True and not self._shows_what_was_made():
            found.add(Who.ELSEWHERE)
        if name == WHOLE and any(_is_along(tried, ref) for tried in self.service.tried):
            found |= set(Who)
        for place, tried in enumerate(self.service.tried):
            if place not in self.used_tried and _may_be(tried, ref, name, value):
                if found != {Who.HERE}:
                    found.add(Who.HERE)
                if tried.ref is None and found:
                    found.add(Who.ELSEWHERE)  # nothing says which of two alike records was the one made here
                self.used_tried.add(place)
                break
        found |= self._sent_too(ref, name, value) if found else set()
        return frozenset(found or Who)

    def _sent_too(self, ref: Ref, name: str, value: FieldValue) -> set[Who]:
        """Us, where this value was ever sent from here too: no reading tells whose it is."""
        sent = [*self.service.tried, *self.service.refused]
        same = any((one.ref, one.field, one.value) == (ref, name, value) for one in sent)
        return {Who.HERE} if same else set()


def _is_of(done: Done, ref: Ref, name: str, value: FieldValue) -> bool:
    return done.ref == ref and done.field == name and done.value == value


def _is_along(tried: Tried, ref: Ref) -> bool:
    """Whether it is the stock of a pet that may have come or gone here."""
    if ref.resource is not Resource.INVENTORY or tried.field != WHOLE or not tried.unknown:
        return False
    return tried.ref == Ref(Resource.PETS, ref.key) or (tried.ref is None and tried.value == Resource.PETS.value)


def _may_be(tried: Tried, ref: Ref, name: str, value: FieldValue) -> bool:
    if tried.ref is None:  # while it is on its way, nobody knows which of two alike records it makes
        return name == WHOLE and tried.value == ref.resource.value and value is True
    if tried.field != name or not tried.unknown:
        return False
    return tried.ref == ref and tried.value == (None if name == WHOLE else value)


def fields_of(resource: Resource, record: Record) -> Fields:
    """The fields of a record that a history keeps."""
    return {name: getattr(record, name) for name in FIELDS[resource]}


# ---------------------------------------------------------------- compared


def compare(expected: Sequence[Expected], said: Sequence[SeenChange]) -> None:
    """One record's changes, oldest first. Raises Violation where the history says anything else."""
    told = [(one.what, one.field, one.before, one.after) for one in said]
    wanted = [(one.what, one.field, one.before, one.after) for one in expected]
    if told != wanted:
        raise Violation(f"{[*expected, *said][0].ref}: said {told}, but was shown {wanted}")
    for one, other in zip(expected, said, strict=True):
        if other.who not in one.who:
            raise Violation(f"not by {other.who}: {other}, {one}")
        if one.record and dict(other.record) != one.record:
            raise Violation(f"the record that came or went was another: {other}, {one}")
        if one.seen_by not in (None, ANY_TIME) and abs(other.seen_by - one.seen_by) > TOLERANCE_S:
            raise Violation(f"seen by then? {other}, {one}")
        if one.seen_after is not None and other.seen_after > one.seen_after + TOLERANCE_S:
            raise Violation(f"the old value was not said as late: {other}, {one}")


def state_after(changes: Sequence[SeenChange], shown: Mapping[Ref, Fields], time: float) -> dict[Ref, Fields]:
    """What `shown` was after the last of these changes (in the order recorded) that was seen by then."""
    seen = [place for place, one in enumerate(changes) if one.seen_by <= time]
    state: dict[Ref, dict[str, FieldValue]] = {ref: dict(record) for ref, record in shown.items()}
    for one in reversed(changes[seen[-1] + 1 if seen else 0 :]):
        if one.what is What.NEW:
            del state[one.ref]
        elif one.what is What.GONE:
            state[one.ref] = dict(one.record)
        else:
            state[one.ref][one.field] = one.before
    return dict(state)


def differences(then: Mapping[Ref, Fields], now: Mapping[Ref, Fields]) -> set[tuple[Ref, What, str, object, object]]:
    """What two states differ in, as changes are said."""
    found: set[tuple[Ref, What, str, object, object]] = set()
    for ref in then.keys() | now.keys():
        if ref not in then:
            found.add((ref, What.NEW, "", None, None))
        elif ref not in now:
            found.add((ref, What.GONE, "", None, None))
        else:
            pairs = [(n, then[ref][n], now[ref][n]) for n in now[ref] if n in then[ref]]
            found |= {(ref, What.CHANGED, n, a, b) for n, a, b in pairs if a != b}
    return found
