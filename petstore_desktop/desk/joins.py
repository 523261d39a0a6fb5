"""Which records name which others, kept up to date row by row, so that names and counts cost nothing to show."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from petstore_desktop.domain.records import Key, LocalId

_NONE: Final = -1


class Links:
    """One field that names records of another resource: the sources (as slots) of each target, and back.

    The sources of a target are a chain through two arrays: eight bytes a source, however many there are, and one more
    or less costs nothing.
    """

    def __init__(self) -> None:
        self._target: list[Key | None] = []
        self._next = array("i")
        self._before = array("i")
        self._first: dict[Key, int] = {}
        self._count: dict[Key, int] = {}
        self.expected: Mapping[Key, int] = {}
        """How many name each of some targets, as long as not all sources are read."""

    def move(self, source: int, key: Key | None) -> tuple[Key, ...]:
        """The source now names the record of this key (None: none). The targets whose sources changed."""
        self._grow(source + 1)
        old = self._target[source]
        if old == key:
            return ()
        touched: list[Key] = []
        if old is not None:
            self._cut(source, old)
            touched.append(old)
        if key is not None:
            self._chain(source, key)
            touched.append(key)
        return tuple(touched)

    def fill(self, first: int, keys: Sequence[Key | None]) -> None:
        """Sources that are new, from this one on, name these."""
        self._grow(first + len(keys))
        for source, key in enumerate(keys, first):
            if key is not None:
                self._chain(source, key)

    def rename(self, old: LocalId, new: int) -> None:
        """A target got its number: whoever named the old key names the new one."""
        for source in list(self.sources(old)):
            self.move(source, new)

    def sources(self, target: Key) -> Iterable[int]:
        """The slots of those that name it, in no order."""
        return self._walk(self._first.get(target, _NONE))

    def count(self, target: Key) -> int:
        """How many name it."""
        expected = self.expected.get(target) if self.expected else None
        return self._count.get(target, 0) if expected is None else expected

    def _walk(self, source: int) -> Iterator[int]:
        while source != _NONE:
            yield source
            source = self._next[source]

    def _grow(self, size: int) -> None:
        more = size - len(self._target)
        if more > 0:
            self._target += [None] * more
            self._next.extend([_NONE] * more)
            self._before.extend([_NONE] * more)

    def _chain(self, source: int, key: Key) -> None:
        self._target[source] = key
        after = self._first.get(key, _NONE)
        self._next[source] = after
        if after != _NONE:
            self._before[after] = source
        self._first[key] = source
        self._count[key] = self._count.get(key, 0) + 1

    def _cut(self, source: int, key: Key) -> None:
        before, after = self._before[source], self._next[source]
        if after != _NONE:
            self._before[after] = before
        if before != _NONE:
            self._next[before] = after
        elif after != _NONE:
            self._first[key] = after
        else:
            del self._first[key]
        self._next[source] = self._before[source] = _NONE
        self._target[source] = None
        left = self._count[key] - 1
        if left:
            self._count[key] = left
        else:
            del self._count[key]
