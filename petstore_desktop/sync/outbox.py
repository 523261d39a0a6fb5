"""The changes that still wait, in order, one queue for each record. Pure bookkeeping, kept on the sync thread.

First in, first out for each record; a stuck record (refused, conflict, uncertain) blocks only itself and what
depends on it (`2-architecture`, "The journal").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from petstore_desktop.domain.changes import Change, ChangeState, Create
from petstore_desktop.domain.records import LocalId, Ref, Resource


class Outbox:
    """Open changes by record. Feed it every change the journal reports, in any state."""

    def __init__(self) -> None:
        self._queues: dict[Ref, dict[int, Change]] = {}

    def put(self, changes: Iterable[Change]) -> None:
        """Take over these changes' present states; those that are over leave."""
        for change in changes:
            queue = self._queues.setdefault(change.ref, {})
            if change.state.is_open:
                queue[change.id] = change
            else:
                queue.pop(change.id, None)
                if not queue:
                    del self._queues[change.ref]

    def __len__(self) -> int:
        return sum(len(queue) for queue in self._queues.values())

    def __iter__(self) -> Iterator[Change]:
        """All open changes, in the order of acting."""
        return iter(sorted((c for queue in self._queues.values() for c in queue.values()), key=lambda c: c.id))

    def of(self, ref: Ref) -> tuple[Change, ...]:
        """The open changes of one record, oldest first."""
        queue = self._queues.get(ref, {})
        return tuple(queue[id_] for id_ in sorted(queue))

    def of_local(self, local: LocalId) -> tuple[Change, ...]:
        """The open changes of what was created here under this name: of a pet, its stock entry's too."""
        return tuple(change for resource in Resource for change in self.of(Ref(resource, local)))

    def is_coming(self, local: LocalId) -> bool:
        """Whether the creation of this record is still open."""
        return any(isinstance(change.intent, Create) for change in self.of_local(local))

    def heads(self) -> Iterator[tuple[Change, ...]]:
        """For each record, in the order of its oldest change: its open changes, oldest first. A record whose change
        is being sent is left out."""
        order = sorted(self._queues, key=lambda ref: min(self._queues[ref]))
        for ref in order:
            changes = self.of(ref)
            if changes[0].state is not ChangeState.SENDING:
                yield changes
