"""Ids that were met, in eight bytes each: a list may hold millions, and a set of ints takes ten times as much."""

from __future__ import annotations

from array import array
from bisect import bisect_left

CHUNK = 2048
"""Ids in one piece at most, so that to put one in between moves at most 16 KB."""


class IdSet:
    """A set of int64 that only grows. It is quickest where ids come in ascending order, as most services send them."""

    def __init__(self) -> None:
        self._chunks: list[array[int]] = []
        self._last: list[int] = []
        """The largest of each chunk."""
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, id_: int) -> bool:
        """Whether it was not there before."""
        place = bisect_left(self._last, id_)
        if place == len(self._last):
            self._append(id_)
        else:
            chunk = self._chunks[place]
            at = bisect_left(chunk, id_)
            if chunk[at] == id_:
                return False
            chunk.insert(at, id_)
            if len(chunk) > CHUNK:
                self._split(place)
        self._count += 1
        return True

    def _append(self, id_: int) -> None:
        """It is larger than all others."""
        if not self._chunks or len(self._chunks[-1]) >= CHUNK:
            self._chunks.append(array("q", (id_,)))
            self._last.append(id_)
        else:
            self._chunks[-1].append(id_)
            self._last[-1] = id_

    def _split(self, place: int) -> None:
        chunk = self._chunks[place]
        middle = len(chunk) // 2
        self._chunks[place : place + 1] = [chunk[:middle], chunk[middle:]]
        self._last.insert(place, chunk[middle - 1])
