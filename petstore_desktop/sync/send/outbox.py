"""The changes that still wait, in order, one queue for each record. Pure bookkeeping, kept on the sync thread.

First in, first out for each record; a stuck record (refused, conflict, uncertain) blocks only itself and what
depends on it (packaging/ARCHITECTURE.md, "The journal and the mirror").
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, insort
from collections.abc import Collection, Iterable, Iterator

from petstore_desktop.domain.batches import SINGLE, Batch
from petstore_desktop.domain.changes import Change, ChangeState, Create
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.sync.wire.change_table import ByRecord, ChangeStore

PAUSED = -1
"""The level of what is paused: looked at last, for the sake of what may still be settled."""


class Outbox:
    """Open changes by record. Feed it every change the journal reports, in any state."""

    def __init__(self) -> None:
        self._kept = ChangeStore()
        self._queues = ByRecord()
        self._levels: dict[int, array[int]] = {}
        self.batches: dict[str, Batch] = {}
        """The descriptions of batches (not of single edits); see `arrange`."""
        self.taken_back: set[int] = set()
        """Changes that must not leave any more: a person took them back while they were on their way."""

    def put(self, changes: Iterable[Change]) -> None:
        """Take over these changes' present states; those that are over leave."""
        for change in changes:
            if change.state.is_open:
                if self._kept.put(change):
                    insort(self._levels.setdefault(self._level(change.batch), array("q")), change.id)
                    self._queues.add(change.ref, change.id)
            elif self._kept.drop(change.id):
                _remove(self._levels[self._level(change.batch)], change.id)
                self._queues.remove(change.ref, change.id)

    def arrange(self, batch: Batch) -> None:
        """This is said of a batch now: whether it is paused, and what it goes before."""
        own = [id_ for id_, common in self._kept.standing() if common.batch == batch.id]
        before = self._level(batch.id)
        self.batches[batch.id] = batch
        after = self._level(batch.id)
        if own and before != after:
            moved = set(own)
            self._levels[before] = array("q", (id_ for id_ in self._levels[before] if id_ not in moved))
            self._levels[after] = array("q", sorted((*self._levels.get(after, ()), *own)))

    def _level(self, id_: str) -> int:
        """Of a batch. What has a higher one leaves first; what is paused comes last."""
        batch = self.batches.get(id_)
        if batch is None:
            return SINGLE
        return PAUSED if batch.paused else batch.priority

    def keeps(self, change: Change) -> bool:
        """Whether a queued change must not leave now: its batch is paused, or somebody took it back."""
        return self._keeps(change.id, change.batch)

    def _keeps(self, id_: int, batch: str) -> bool:
        return self._level(batch) == PAUSED or id_ in self.taken_back

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[Change]:
        """All open changes, in the order of acting."""
        return iter(self._kept)

    def those(self, change_ids: Collection[int]) -> list[Change]:
        """The open ones of these, in the order of acting."""
        return list(self._kept.some(sorted({*change_ids})))

    def with_dependants(self, changes: Iterable[Change]) -> dict[int, Change]:
        """These changes, by id, and with open creations all that was done to what they are to create."""
        found = {change.id: change for change in changes}
        for change in tuple(found.values()):
            if isinstance(change.intent, Create) and isinstance(change.ref.key, LocalId) and change.state.is_open:
                found.update((other.id, other) for other in self.of_local(change.ref.key))
        return found

    def of_batch(self, batch: str) -> list[Change]:
        """The open changes of a batch, in the order of acting."""
        return list(self._kept.where(lambda common: common.batch == batch))

    @property
    def waits(self) -> bool:
        """Whether anything is queued or on its way; what waits for a person, or is paused, does not count."""
        waiting = (ChangeState.QUEUED, ChangeState.SENDING)
        return any(one.state in waiting and not self._keeps(id_, one.batch) for id_, one in self._kept.standing())

    def of(self, ref: Ref) -> tuple[Change, ...]:
        """The open changes of one record, oldest first."""
        return tuple(self._kept.some(self._queues.of(ref)))

    def of_local(self, local: LocalId) -> tuple[Change, ...]:
        """The open changes of what was created here under this name: of a pet, its stock entry's too."""
        return tuple(change for resource in Resource for change in self.of(Ref(resource, local)))

    def is_coming(self, local: LocalId) -> bool:
        """Whether the creation of this record is still open."""
        return any(isinstance(change.intent, Create) for change in self.of_local(local))

    def heads(self) -> Iterator[tuple[Change, ...]]:
        """For each record, as `records` has them, its open changes; a record whose change is being sent is left out."""
        return (changes for changes in self.records() if changes[0].state is not ChangeState.SENDING)

    def records(self) -> Iterator[tuple[Change, ...]]:
        """For each record its open changes, oldest first. The record of the change of the highest priority, and of
        those the oldest, comes first, and before it the records that it waits for. What is not asked for costs nothing:
        mostly the first can be sent."""
        seen: set[Ref] = set()
        for level in sorted(self._levels, reverse=True):
            for id_ in self._levels[level]:
                ref = self._kept.ref(id_)
                if ref is not None:
                    yield from self._with_those_before(ref, seen)

    def _with_those_before(self, ref: Ref, seen: set[Ref]) -> Iterator[tuple[Change, ...]]:
        if ref in seen:
            return
        seen.add(ref)
        changes = self.of(ref)
        for local in dict.fromkeys(local for change in changes for local in _named(change)):
            for resource in Resource:
                if Ref(resource, local) in self._queues:
                    yield from self._with_those_before(Ref(resource, local), seen)
        yield changes


def _named(change: Change) -> Iterator[LocalId]:
    """The creations that a change may have to wait for."""
    values = getattr(change.intent, "fields", {}).values()
    return (value for value in (change.ref.key, *values) if isinstance(value, LocalId))


def _remove(ids: array[int], id_: int) -> None:
    del ids[bisect_left(ids, id_)]
