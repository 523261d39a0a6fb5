"""What the service said of its records, on its way into the mirror and to the window. Lives on the sync thread."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from petstore_desktop.clock import Clock
from petstore_desktop.domain.records import Key, Ref, Resource, Row
from petstore_desktop.store.mirror import Mirror
from petstore_desktop.sync.events import Event, RowsChanged

EVENT_ROWS = 500
"""Rows an event carries at most, so that the window is never busy with one for long (`5-measured`)."""


class Records:
    """The mirror, and how long ago the service spoke of each record (seconds of the steady clock, this run only)."""

    def __init__(self, connection: str, mirror: Mirror, clock: Clock, tell: Callable[[Event], None]) -> None:
        self._connection = connection
        self._mirror = mirror
        self._clock = clock
        self._tell = tell
        self._spoken: dict[Ref, float] = {}
        self._listed: dict[Resource, float] = {}
        self._distrusted: set[Ref] = set()

    def begin(self) -> int:
        """A mark in time: for a read before it leaves, for a write when its answer has come. What was marked later is
        not overwritten by what was marked earlier."""
        return self._mirror.begin_read()

    def row(self, ref: Ref) -> Row | None:
        """What the mirror has, without an ETag that the service no longer takes."""
        row = self._mirror.get(ref)
        return replace(row, etag=None) if row is not None and ref in self._distrusted else row

    def age(self, ref: Ref) -> float:
        """Seconds since the service last spoke of this record in this run; inf if it did not."""
        last = max(self._spoken.get(ref, -math.inf), self._listed.get(ref.resource, -math.inf))
        return self._clock.now().steady - last

    def listed(self, resource: Resource, began: float) -> None:
        """A complete list came whose first request left at `began` (steady seconds)."""
        self._listed[resource] = began

    def put(self, resource: Resource, rows: Sequence[Row], sequence: int, walk: int | None = None) -> int:
        """Write what an answer said; tell what is really new. Returns how many rows that was."""
        changed = self._mirror.put(resource, rows, sequence, walk=walk)
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
        """Say it in events of at most 500 rows."""
        for start in range(0, len(rows), EVENT_ROWS):
            self._tell(RowsChanged(self._connection, resource, tuple(rows[start : start + EVENT_ROWS])))
        for start in range(0, len(removed), EVENT_ROWS):
            self._tell(RowsChanged(self._connection, resource, (), removed[start : start + EVENT_ROWS]))
