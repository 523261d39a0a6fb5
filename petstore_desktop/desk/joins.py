"""Which records name which others, kept up to date row by row, so that names and counts cost nothing to show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from petstore_desktop.domain.records import Key, LocalId


class Links:
    """One field that names records of another resource: the sources (as slots) of each target, and back."""

    def __init__(self) -> None:
        self._target: dict[int, Key] = {}
        self._sources: dict[Key, set[int]] = {}
        self.expected: Mapping[Key, int] = {}
        """How many name each of some targets, as long as not all sources are read."""

    def move(self, source: int, key: Key | None) -> tuple[Key, ...]:
        """The source now names the record of this key (None: none). The targets whose sources changed."""
        old = self._target.get(source)
        if old == key:
            return ()
        touched: list[Key] = []
        if old is not None:
            self._sources[old].discard(source)
            del self._target[source]
            touched.append(old)
        if key is not None:
            self._sources.setdefault(key, set()).add(source)
            self._target[source] = key
            touched.append(key)
        return tuple(touched)

    def rename(self, old: LocalId, new: int) -> None:
        """A target got its number: whoever named the old key names the new one."""
        for source in list(self._sources.get(old, ())):
            self.move(source, new)

    def sources(self, target: Key) -> Iterable[int]:
        """The slots of those that name it, in no order."""
        return self._sources.get(target, ())

    def count(self, target: Key) -> int:
        """How many name it."""
        expected = self.expected.get(target) if self.expected else None
        return len(self._sources.get(target, ())) if expected is None else expected
