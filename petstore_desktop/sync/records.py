"""What the service said of its records, on its way into the mirror and to the window. Lives on the sync thread."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from petstore_desktop.clock import Clock
from petstore_desktop.domain.changes import Fields
from petstore_desktop.domain.records import Key, Ref, Resource, Row
from petstore_desktop.store.mirror import Mirror
from petstore_desktop.sync.events import EVENT_ROWS, Event, RowsChanged


@dataclass(frozen=True, slots=True)
class Listed:
    """A list came to its end at `ended` (steady seconds); what it showed was seen at or after `began` (UTC)."""

    began: float
    ended: float


class Records:
    """The mirror, and how long ago the service spoke of each record (seconds of the steady clock, this run only)."""

    def __init__(self, connection: str, mirror: Mirror, clock: Clock, tell: Callable[[Event], None]) -> None:
        self._connection = connection
        self._mirror = mirror
        self._clock = clock
        self._tell = tell
        self._spoken: dict[Ref, float] = {}
        self._listed: dict[Resource, Listed] = {}
        self._distrusted: set[Ref] = set()

    def begin(self) -> int:
        """A mark in time: for a read before it leaves, for a write when its answer has come. What was marked later is
        not overwritten by what was marked earlier."""
        return self._mirror.begin_read()

    def row(self, ref: Ref) -> Row | None:
        """What the mirror has, without an ETag that the service no longer takes."""
        row = self._mirror.get(ref)
        return replace(row, etag=None) if row is not None and ref in self._distrusted else row

    def count(self, resource: Resource) -> int:
        """How many records of a list are kept here."""
        return self._mirror.count(resource)

    def age(self, ref: Ref) -> float:
        """Seconds since the service last spoke of this record in this run; inf if it did not."""
        last = self._spoken.get(ref, -math.inf)
        listed = self._listed.get(ref.resource)
        if listed is not None and listed.ended > last and self.seen_since(ref, listed.began):
            last = listed.ended
        return self._clock.now().steady - last

    def seen_since(self, ref: Ref, wall: float) -> bool:
        """Whether an answer has shown the record at or after this moment (UTC)."""
        row = self._mirror.get(ref)
        return row is not None and row.seen_at >= wall

    def doubted(self, ref: Ref) -> bool:
        """Whether the service refused our version of the record, and has not spoken of it since."""
        return ref in self._distrusted and self.age(ref) == math.inf

    def listed(self, resource: Resource, began: float) -> None:
        """A list came to its end that was begun at `began` (UTC)."""
        self._listed[resource] = Listed(began, self._clock.now().steady)

    def matching(self, resource: Resource, fields: Fields) -> frozenset[Key]:
        """The records that have exactly these values in these fields. Raises StorageError."""
        return self._mirror.matching(resource, fields)

    def put(
        self, resource: Resource, rows: Sequence[Row], sequence: int, walk: int | None = None, cursor: str | None = None
    ) -> int:
        """Write what an answer said; tell what is really new. Returns how many rows that was."""
        changed = self._mirror.put(resource, rows, sequence, walk, cursor)
        if walk is None:
            now = self._clock.now().steady
            for row in rows:
                ref = Ref(resource, row.key)
                self._spoken[ref] = now
                self._distrusted.discard(ref)
        self.tell_rows(resource, changed)
        return len(changed)

    def remove(self, ref: Ref, sequence: int | None = None) -> None:
        """The service says that it is gone; `sequence` of the read that said so, None after a write."""
        self._mirror.remove(ref, self.begin() if sequence is None else sequence)
        self._tell(RowsChanged(self._connection, ref.resource, (), (ref.key,)))

    def forget_etag(self, ref: Ref) -> None:
        """The service says that its version of this record is another than ours: the next write looks first."""
        self._distrusted.add(ref)
        self._spoken.pop(ref, None)
        self._listed.pop(ref.resource, None)

    def tell_rows(self, resource: Resource, rows: Sequence[Row], removed: tuple[Key, ...] = ()) -> None:
        """Say it in events of at most EVENT_ROWS rows."""
        for start in range(0, len(rows), EVENT_ROWS):
            self._tell(RowsChanged(self._connection, resource, tuple(rows[start : start + EVENT_ROWS])))
        for start in range(0, len(removed), EVENT_ROWS):
            self._tell(RowsChanged(self._connection, resource, (), removed[start : start + EVENT_ROWS]))
