"""Which records of an answer the walk has not met before. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TypeAlias

from petstore_desktop.api import wire
from petstore_desktop.api.lists.id_set import IdSet
from petstore_desktop.domain.records import ContentId, Key, Record, Row

Item: TypeAlias = tuple[Key, Record, str | None]
"""A record with its key and its ETag."""


class Sieve:
    """Of one walk. What is known by its id comes through once. Records without one may be equal in everything: each of
    them counts, unless the whole answer holds nothing that is new, for then it has been shown already.

    `met`: different records so far; `fresh`: those that the present answer brought.
    """

    def __init__(self) -> None:
        self.fresh = 0
        self._ids = IdSet()
        self._copies: Counter[ContentId] = Counter()
        self._held: Counter[ContentId] = Counter()
        self._records: dict[ContentId, Record] = {}

    @property
    def met(self) -> int:
        return len(self._ids) + len(self._copies)

    def begin(self) -> None:
        """Another answer."""
        self.fresh = 0
        self._held.clear()
        self._records.clear()

    def take(self, items: Iterable[Item], now: float) -> tuple[Row, ...]:
        """The rows to show of some records, seen at this time."""
        rows: list[Row] = []
        for key, record, tag in items:
            if isinstance(key, ContentId):
                self._take_unnamed(key, record, now, rows)
            elif isinstance(key, int) and self._ids.add(key):
                self.fresh += 1
                rows.append(Row(key, record, now, tag))
        if self.fresh and self._held:
            for key, count in self._held.items():
                rows += [self._copy(key, self._records[key], now) for _ in range(count)]
            self._held.clear()
            self._records.clear()
        return tuple(rows)

    def _take_unnamed(self, key: ContentId, record: Record, now: float, rows: list[Row]) -> None:
        if key not in self._copies:
            self.fresh += 1
        if self.fresh:
            rows.append(self._copy(key, record, now))
        else:
            self._held[key] += 1
            self._records[key] = record

    def _copy(self, key: ContentId, record: Record, now: float) -> Row:
        number = self._copies[key]
        self._copies[key] += 1
        return Row(wire.content_key(record, number), record, now)
