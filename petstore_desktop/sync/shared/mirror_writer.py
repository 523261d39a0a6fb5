"""What the service said of its records, on its way into the mirror and to the window. Lives on the sync thread."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from petstore_desktop.clock import Clock
from petstore_desktop.contract.operations import VERBS, Op, Verb
from petstore_desktop.domain.changes import Fields
from petstore_desktop.domain.deletions import dependent_fields
from petstore_desktop.domain.errors import SHOWN_AGAIN, AnswerUnusable
from petstore_desktop.domain.records import FIELDS, FieldValue, Key, Record, Ref, Resource, Row, ServiceId
from petstore_desktop.store.mirror.mirror import Mirror, Walk
from petstore_desktop.store.sqlite.typed_apsw import Values
from petstore_desktop.sync.wire.events import EVENT_ROWS, Event, RowsChanged, RowsSeen, Trouble


class RefusedETag(Struct, frozen=True):
    """The service refused this ETag of a record; requests after it have higher marks than `mark`."""

    etag: str | None
    mark: int


class Assumed(Struct, frozen=True):
    """A write by `op` that the service said it had made, without showing it: what was `sent`, and what was there
    `before`, nothing of a new record."""

    op: Op
    sent: Fields
    before: Fields


class OwnChange(Struct, frozen=True):
    """A write of ours changed a record that was as `before`, or made it (None); its answer came at this steady second.
    `whole`: what the program does not know of the record is in it as it was, too."""

    ref: Ref
    before: Row | None
    at: float
    whole: bool = True
    own: Fields = field(default_factory=dict[str, FieldValue])
    """The values that it gave."""

    def shows(self, row: Row) -> bool:
        """Whether a record is shown as it was before the write, and no new version of it is named."""
        if self.before is None or row.etag not in (None, self.before.etag):
            return False
        was, now = self.before.record, row.record
        return was == now if self.whole else all(getattr(was, n) == getattr(now, n) for n in FIELDS[self.ref.resource])

    def kept_version(self, row: Row) -> bool:
        """Whether a record is shown as the write left it, with the ETag that it had before."""
        if self.before is None or row.etag is None or row.etag != self.before.etag:
            return False
        was, now = self.before.record, row.record
        written = all(getattr(now, name, None) == value for name, value in self.own.items())
        return written and any(getattr(was, name, None) != value for name, value in self.own.items())


BEHIND_S = 10.0
"""Some services read from a copy that is seconds behind what was written. For so long after a write of ours, a record
that is shown just as it was before is taken for such a copy's, unless the service says a version of it that is new."""
STORED_S = 3_600.0
"""A cache on the way that shows what is older than this shows what was before a write of ours as a change by others."""
MOST_MARKS = 10_000
"""How many of the latest requests' times are kept; older ones count as never asked."""

EVER = -1
"""A mark before all others."""


class Records:
    """The mirror, and how long ago the service was asked for what it last said of each record (seconds of the steady
    clock, this run only): what others did since then, its answer does not show, however late that came.

    What was said before what is told by the marks of `begin`, never by the wall clock, which anyone may set."""

    def __init__(self, connection: str, mirror: Mirror, clock: Clock, tell: Callable[[Event], None]) -> None:
        self._connection = connection
        self.mirror = mirror
        self._clock = clock
        self._tell = tell
        self._begun: dict[int, float] = {}
        self._answered: dict[int, float] = {}
        """By mark, when an answer first showed something."""
        self._alone: set[int] = set()
        self._echoes: set[int] = set()
        self._unshown: set[int] = set()
        self._unversioned: set[int] = set()
        self._stored: dict[int, float] = {}
        """By mark, the steady second at which a cache on the way had taken in what it then answered with."""
        self._doubts: dict[Ref, RefusedETag] = {}
        self._whole_at: dict[Resource, float] = {}
        self._absent_at: dict[Ref, float] = {}
        self._used_at: dict[Ref, float] = {}
        self._believed: dict[Resource, set[Key]] = {}
        self._shown_again: set[Resource] = set()
        self._assumed: dict[Ref, Assumed] = {}
        self._own_changes: deque[OwnChange] = deque(maxlen=MOST_MARKS)
        self._behind: dict[Ref, int] = {}
        self.assumed_shown: Callable[[Sequence[tuple[Assumed, Row]]], object] = lambda _: None
        """Told of records that were written, and that the service shows for the first time since."""
        self.assumed_missing: Callable[[Sequence[Assumed]], object] = lambda _: None
        """Told of records that were made, and that the service does not have, which never showed them."""
        self.versions_stand_still: Callable[[Resource], bool] = lambda _: False
        """Whether the ETags of a list prove nothing."""
        self.version_stood_still: Callable[[Resource], object] = lambda _: None
        """Told of a list of which a record was changed here and kept its ETag."""
        self.gone: Callable[[Resource, Sequence[Key]], object] = lambda _, __: None
        """Told of records that the service says are gone, and that the mirror has let go of."""

    def begin(self) -> int:
        """A mark in time: for a read taken before it is sent, for a write when its answer has come. Later marks are
        never overwritten by earlier ones."""
        mark = self.mirror.begin_read()
        self._begun[mark] = self._clock.now().steady
        if len(self._begun) > MOST_MARKS:
            self._begun = dict(tuple(self._begun.items())[MOST_MARKS // 2 :])
            self._answered = {mark: at for mark, at in self._answered.items() if mark in self._begun}
            self._stored = {mark: at for mark, at in self._stored.items() if mark in self._begun}
            for marks in (self._echoes, self._alone, self._unshown, self._unversioned):
                marks.intersection_update(self._begun)
        return mark

    def stored(self, mark: int, seconds: float) -> None:
        """A cache on the way answers what was asked for at this mark, as the service did so many seconds before."""
        self._stored[mark] = self._begun.get(mark, -math.inf) - seconds

    def was_stored(self, *marks: int) -> bool:
        """Whether a cache has answered any of what was asked for at these marks."""
        return not self._stored.keys().isdisjoint(marks)

    def row(self, ref: Ref) -> Row | None:
        """What the mirror has, without an ETag that the service no longer takes, or that proves nothing."""
        row, doubt = self.mirror.get(ref), self._doubts.get(ref)
        if row is None or row.etag is None:
            return row
        refused = doubt is not None and row.etag == doubt.etag
        return replace(row, etag=None) if refused or self.versions_stand_still(ref.resource) else row

    def stands(self, resource: Resource, keys: Sequence[Key], fields: Sequence[str]) -> dict[Key, Values]:
        """The same of many records at once (see `Mirror.stands`), without those that have to be asked for one by
        one: the service has refused their version, or has shown an old one, or its versions prove nothing."""
        if self.versions_stand_still(resource):
            return {}
        found = self.mirror.stands(resource, keys, fields)
        for ref in (*self._doubts, *self._behind):
            if ref.resource is resource:
                found.pop(ref.key, None)
        return {key: found[key] for key in found if not self.is_stored(Ref(resource, key))} if self._stored else found

    def image(self, ref: Ref) -> Record | None:
        """The record as it is known now; None where it is not, or was created here."""
        row = self.mirror.get(ref) if isinstance(ref.key, ServiceId) else None
        return None if row is None else row.record

    def dependents(self, ref: Ref) -> Fields:
        """The known records that a deletion removes too (see `domain/deletions`). Raises StorageError."""
        if ref.resource is not Resource.PETS:
            return {}
        if not isinstance(ref.key, ServiceId):
            return dependent_fields(None, ())
        stock = self.mirror.get(Ref(Resource.INVENTORY, ref.key))
        quantity = getattr(None if stock is None else stock.record, "quantity", None)
        return dependent_fields(quantity, self.mirror.matching(Resource.ORDERS, {"pet_id": ref.key}, EVER))

    def age(self, ref: Ref) -> float:
        """Seconds since the service was asked, in this run, for what it last said of this record; inf if it was not."""
        mark, doubt = self.mirror.sequence(ref), self._doubts.get(ref)
        if mark not in self._begun or (doubt is not None and mark <= doubt.mark) or self.is_behind(ref):
            return math.inf
        return self._clock.now().steady - self._begun[mark]

    def took(self, ref: Ref) -> float:
        """Seconds from then to the answer, which may be a page of a list that was read on for long; inf if there was
        none."""
        mark = self.mirror.sequence(ref)
        return self._answered.get(mark, math.inf) - self._begun.get(mark, 0.0)

    def absent_age(self, ref: Ref) -> float:
        """Seconds since the service was asked, in this run, for a record, or for its whole list, and showed that it is
        not there; inf where it did not."""
        asked = max(self._absent_at.get(ref, -math.inf), self._whole_at.get(ref.resource, -math.inf))
        return self._absent_since(ref, asked)

    def looked_for_age(self, ref: Ref) -> float:
        """The same, where it was asked for by itself."""
        return self._absent_since(ref, self._absent_at.get(ref, -math.inf))

    def _absent_since(self, ref: Ref, asked: float) -> float:
        known = self.mirror.get(ref) is not None or asked <= self._used_at.get(ref, -math.inf)
        return math.inf if known else self._clock.now().steady - asked

    def used(self, ref: Ref) -> None:
        """It was tried to make this record: no look that was asked for before shows that it is not there."""
        self._used_at[ref] = self._clock.now().steady

    def echoed(self, ref: Ref) -> bool:
        """Whether the last that the service said of this record in this run was its answer to a write of ours."""
        return self.mirror.sequence(ref) in self._echoes

    def is_behind(self, ref: Ref) -> bool:
        """Whether the last that the service showed of this record was what there was before a write of ours, or came
        from a cache, and is not believed: it is to be looked at once more, a moment later."""
        mark = self._behind.get(ref)
        return self.is_stored(ref) or (mark is not None and mark == self.mirror.sequence(ref))

    def is_stored(self, ref: Ref) -> bool:
        """Whether the last that was said of this record came from a cache on the way, not from the service."""
        return isinstance(ref.key, ServiceId) and self.mirror.sequence(ref) in self._stored

    def unshown(self, ref: Ref) -> bool:
        """Whether the service has created this record in this run and not shown it since; fields of it that the program
        does not know may have any value then."""
        return isinstance(ref.key, ServiceId) and self.mirror.sequence(ref) in self._unshown

    def shown_alone(self, ref: Ref) -> bool:
        """Whether the last that the service said of this record in this run was about it alone: a list may show
        less."""
        return self.mirror.sequence(ref) in self._alone

    def versioned(self, ref: Ref) -> bool:
        """Whether the last that the service said of this record in this run was said with its ETag. An older one that
        the mirror still has serves as If-Match, for the service compares it; it proves nothing about the record, whose
        content may have changed and changed back."""
        mark = self.mirror.sequence(ref)
        return mark in self._begun and mark not in self._unversioned

    def seen_since(self, ref: Ref, mark: int) -> bool:
        """Whether an answer has shown the record that was asked for after this mark."""
        return self.mirror.sequence(ref) > mark

    def doubted(self, ref: Ref) -> bool:
        """Whether the service refused our version of the record, and has not spoken of it since."""
        if ref not in self._doubts or self.age(ref) < math.inf:
            return False
        row = self.row(ref)
        return row is None or row.etag is None

    def assume(self, ref: Ref, write: Assumed) -> None:
        """The service said that it made this write, and no look has shown it. The last one counts."""
        self._assumed.pop(ref, None)
        self._assumed[ref] = write
        if len(self._assumed) > MOST_MARKS:
            del self._assumed[next(iter(self._assumed))]

    def believe(self, ref: Ref) -> None:
        """The service says that it has deleted this record, and nobody looks at once whether that is so."""
        self._believed.setdefault(ref.resource, set()).add(ref.key)

    def believes(self, resource: Resource) -> bool:
        """Whether it says so of any record of this list that nobody has looked for since."""
        return bool(self._believed.get(resource))

    def read_whole(self, resource: Resource, began: float) -> None:
        """A list was read from its beginning to its end; its first request left at this steady second."""
        self._whole_at[resource] = began
        self._believed.pop(resource, None)

    def whole_age(self, resource: Resource) -> float:
        """Seconds since a list that then came whole was asked for; inf if none was in this run."""
        return self._clock.now().steady - self._whole_at.get(resource, -math.inf)

    def knows_all(self, resource: Resource) -> bool:
        """Whether all records of a list were shown some time, as far as the service tells."""
        facts = self.mirror.facts(resource)
        return facts.as_of is not None and facts.gaps.cut_at is None

    def put(
        self, resource: Resource, rows: Sequence[Row], sequence: int, walk: Walk | None = None, *, alone: bool = True
    ) -> int:
        """Store the rows of an answer and report the changed ones; returns how many. For a page: its walk, as it is
        then. `alone`: the answer was about these records, not their list, which may show less."""
        changed = self._put(resource, rows, sequence, walk, alone=alone)
        self.tell_rows(resource, changed)
        return len(changed)

    def put_beside(self, resource: Resource, row: Row, *, alone: bool) -> None:
        """Store and report what a look that proves a write has shown beside what was written. It serves no other write
        as its look: it was asked for before that write's answer was told."""
        self.tell_rows(resource, self._put(resource, (row,), self.mirror.begin_read(), None, alone=alone))

    def put_own(
        self,
        resource: Resource,
        row: Row,
        own: Fields,
        *,
        made: bool = False,
        unshown: bool = False,
        assumed: bool = False,
    ) -> RowsChanged | None:
        """Store the row that the answer to a write showed; returns the event of what it changed, to be told with that
        write. `own`: the values that it gave; `made`: a creation; `unshown`: one whose answer showed no record;
        `assumed`: the row is not the answer's, which had none."""
        sequence, ref = self.begin(), Ref(resource, row.key)
        before = self.mirror.get(ref)
        if made or (before is not None and before.record != row.record):
            change = OwnChange(ref, before, self._clock.now().steady, own=own)
            self._own_changes.append(change)
            if not assumed and change.kept_version(row):
                self.version_stood_still(resource)
        changed = self._put(resource, (row,), sequence, None, own, made=made)
        if assumed and self.mirror.recorder is not None:
            self.mirror.recorder.assumed(ref, self.mirror.news)
        self._echoes.add(sequence)
        if unshown:
            self._unshown.add(sequence)
        return RowsChanged(self._connection, resource, tuple(changed)) if changed else None

    def _put(
        self,
        resource: Resource,
        rows: Sequence[Row],
        sequence: int,
        walk: Walk | None,
        own: Fields | None = None,
        *,
        made: bool = False,
        alone: bool = True,
    ) -> Sequence[Row]:
        self._answered.setdefault(sequence, self._clock.now().steady)
        if own is None and (earlier := self._earlier(resource, self._stored.get(sequence))):
            rows = [self._up_to_date(Ref(resource, row.key), row, earlier, sequence) for row in rows]
        changed = self.mirror.put(resource, rows, sequence, walk, own, made)
        if believed := self._believed.get(resource):
            again = believed.intersection(row.key for row in changed)
            believed -= again
            if again and own is None:
                self._say_shown_again(resource, len(again))
        if self._assumed and own is None:
            self._show_assumed(resource, rows, sequence)
        if any(row.etag is None for row in rows):
            self._unversioned.add(sequence)
        if walk is None:
            if alone:
                self._alone.add(sequence)
            for row in rows:
                self._doubts.pop(Ref(resource, row.key), None)
        return changed

    def remember_own(self, ref: Ref, before: Fields, after: Fields, ago_s: float) -> None:
        """A write that an earlier run made so many seconds ago, if the record is still known as that left it."""
        known = self.mirror.get(ref) if isinstance(ref.key, ServiceId) else None
        fields = {name: value for name, value in before.items() if name in after and name in FIELDS[ref.resource]}
        if known is None or not fields or any(getattr(known.record, name) != after[name] for name in fields):
            return
        was = replace(known, record=replace(known.record, **fields), etag=None)
        self._own_changes.append(OwnChange(ref, was, self._clock.now().steady - ago_s, whole=False))

    def remember_made(self, ref: Ref, ended_at: float, ago_s: float) -> None:
        """A record that an earlier run made at this moment, so many seconds ago, if nothing was said of it since."""
        known = self.mirror.get(ref) if isinstance(ref.key, ServiceId) else None
        if known is not None and known.seen_at <= ended_at:
            self._own_changes.append(OwnChange(ref, None, self._clock.now().steady - ago_s))

    def _earlier(self, resource: Resource, shown_at: float | None = None) -> dict[Ref, list[OwnChange]]:
        """How records of a list were before the latest writes of ours; before those since what is shown now was taken
        in by a cache, where one shows it."""
        now = self._clock.now().steady
        while self._own_changes and now - self._own_changes[0].at > STORED_S:
            self._own_changes.popleft()
        since = now - BEHIND_S if shown_at is None else min(now - BEHIND_S, shown_at)
        earlier: dict[Ref, list[OwnChange]] = {}
        for one in reversed(self._own_changes):
            if one.at < since:
                break
            if one.ref.resource is resource:
                earlier.setdefault(one.ref, []).append(one)
        return earlier

    def keep_made(
        self, resource: Resource, walk: int, statuses: Collection[str], shown_at: float | None = None
    ) -> float | None:
        """Records that we made seconds ago, and that a list did not show: it may be that of a copy that is behind. They
        stay, but nobody has looked at them. `shown_at`: the steady second at which a cache had taken the list in.
        Returns when the oldest of them was said (UTC epoch seconds), if any stay."""
        made = self._just_made(resource, shown_at)
        missed = made.intersection(self.mirror.missed(resource, walk, statuses)) if made else ()
        rows = [row for key in missed if (row := self.mirror.get(Ref(resource, key))) is not None]
        if rows:
            self.mirror.put(resource, rows, self.mirror.begin_read())
        return min((row.seen_at for row in rows), default=None)

    def _just_made(self, resource: Resource, shown_at: float | None = None) -> set[Key]:
        """The keys of the records that we made seconds ago, or since then."""
        earlier = self._earlier(resource, shown_at)
        return {ref.key for ref, own in earlier.items() if any(one.before is None for one in own)}

    def _up_to_date(self, ref: Ref, row: Row, earlier: Mapping[Ref, Sequence[OwnChange]], sequence: int) -> Row:
        """The record as it is shown; as we know it, where a copy shows it that is behind."""
        if any(one.kept_version(row) for one in earlier.get(ref, ())):
            self.version_stood_still(ref.resource)
        known = self.mirror.get(ref) if ref in earlier else None
        if known is None or row.record == known.record:
            return row
        shown_at = self._stored.get(sequence, math.inf)
        if not any(one.at >= shown_at or one.shows(row) for one in earlier[ref]):
            return row
        self._behind[ref] = sequence
        return replace(known, seen_at=row.seen_at)

    def _show_assumed(self, resource: Resource, rows: Sequence[Row], sequence: int) -> None:
        refs = ((Ref(resource, row.key), row) for row in rows)
        shown = [(ref, row) for ref, row in refs if ref in self._assumed and self.mirror.sequence(ref) == sequence]
        if shown:
            self.assumed_shown([(self._assumed.pop(ref), row) for ref, row in shown])

    def _miss_assumed(self, resource: Resource, keys: Sequence[Key]) -> None:
        refs = [ref for key in keys if (ref := Ref(resource, key)) in self._assumed] if self._assumed else []
        missing = [write for ref in refs if VERBS[(write := self._assumed.pop(ref)).op] is Verb.CREATE]
        if missing:
            self.assumed_missing(missing)

    def _say_shown_again(self, resource: Resource, count: int) -> None:
        """What was believed to be deleted is there: said once in a run for each list."""
        if resource in self._shown_again:
            return
        self._shown_again.add(resource)
        error = AnswerUnusable(SHOWN_AGAIN, operation=f"{resource.value}.delete", met=count)
        self._tell(Trouble(self._connection, error))

    def confirm(self, resource: Resource, walk: int, sequence: int, as_of: float) -> None:
        """A list is as it was: every record of it was spoken of, at `as_of` (UTC)."""
        self._answered.setdefault(sequence, self._clock.now().steady)
        self.mirror.confirm_walk(resource, walk, sequence, as_of)
        self._unversioned.add(sequence)

    def remove(self, ref: Ref, sequence: int | None = None, *, own: bool | None = False) -> None:
        """The service says that it is gone; `sequence` of the read that said so, None after a write. `own`: a deletion
        of ours did it; None: it found the record gone before. What was made seconds ago stays: a copy that is behind
        does not have it yet; so does what a cache says is gone."""
        old = sequence is not None and (sequence in self._stored or ref.key in self._just_made(ref.resource))
        if old and self.mirror.get(ref) is not None:
            self._behind[ref] = self.mirror.sequence(ref)
            return
        if sequence in self._begun:
            self._absent_at[ref] = self._begun[sequence]
        self.mirror.remove(ref, self.begin() if sequence is None else sequence, own=own)
        if own is not False:
            self._assumed.pop(ref, None)
        self._miss_assumed(ref.resource, (ref.key,))
        self._tell(RowsChanged(self._connection, ref.resource, (), (ref.key,)))
        self.gone(ref.resource, (ref.key,))

    def doubt(self, ref: Ref, etag: str | None) -> None:
        """The service says that its version of this record is another than the one with this ETag: the next write
        looks first, unless an answer has brought another ETag since."""
        self._doubts[ref] = RefusedETag(etag, self.begin())

    def tell_seen(self, resource: Resource, at: float, keys: tuple[Key, ...] | None = None) -> None:
        """Every record of a list, or these of it, were spoken of at `at` or later (UTC)."""
        parts = (keys[start : start + EVENT_ROWS] for start in range(0, len(keys), EVENT_ROWS)) if keys else (keys,)
        for part in parts if keys != () else ():
            self._tell(RowsSeen(self._connection, resource, at, part))

    def tell_rows(self, resource: Resource, rows: Sequence[Row], removed: tuple[Key, ...] = ()) -> None:
        """Say it in events of at most EVENT_ROWS rows."""
        for start in range(0, len(rows), EVENT_ROWS):
            self._tell(RowsChanged(self._connection, resource, tuple(rows[start : start + EVENT_ROWS])))
        for start in range(0, len(removed), EVENT_ROWS):
            self._tell(RowsChanged(self._connection, resource, (), removed[start : start + EVENT_ROWS]))
        if removed:
            self._miss_assumed(resource, removed)
            self.gone(resource, removed)
