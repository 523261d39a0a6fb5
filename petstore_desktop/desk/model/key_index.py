"""Where the row of each key lives."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, filterfalse
from operator import lt
from typing import Final, cast

from petstore_desktop.desk.model.column_arrays import Keys
from petstore_desktop.domain.records import Key

_FEW: Final = 16
_MANY_GONE: Final = 1_024
"""How many keys of a run may be removed before it is dissolved, or half of the run if that is more."""


class KeyIndex:
    """Where the row of each key lives, over a column that has the key in each slot and that others fill: without a
    dictionary of all keys, which would be the largest part of a long list.

    What is kept on this computer comes by key, so most slots are one long run of rising keys, numbers or texts, which
    is searched by halves in the column itself. Only what came otherwise is in a dictionary.
    """

    __slots__ = ("_begin", "_end", "_gone", "_keys", "_kind", "_others", "free")

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._kind: type = int
        """Of the keys of the run."""
        self._begin = self._end = 0
        self._gone: set[int] = set()
        """Of the run, the slots in which no row lives any more: their keys stay, since the others are found by them."""
        self._others: dict[Key, int] = {}
        self.free: list[int] = []
        """The slots that may be given to any other key."""

    def __len__(self) -> int:
        return self._end - self._begin - len(self._gone) + len(self._others)

    def find(self, key: Key) -> int | None:
        """The slot of one key."""
        slot = self._others.get(key)
        if slot is None and type(key) is self._kind:
            at = self._at(cast("int", key))
            return None if at is None or at in self._gone else at
        return slot

    def find_all(self, keys: Sequence[Key]) -> Iterable[int | None]:
        """The slots of many keys; quickest where they are near to each other."""
        table = self._table(keys) if len(keys) > _FEW else None
        if table is None:
            return map(self.find, keys)
        if not self._others:
            return map(table.get, keys)
        return map(table.get, keys, map(self._others.get, keys))

    def has_none_of(self, keys: Sequence[Key]) -> bool:
        """Whether all of these keys are of the kind of those that are here, and above them, as far as those rise."""
        if not self._others.keys().isdisjoint(keys) or set(map(type, keys)) != {self._kind}:
            return False
        return self._begin == self._end or min(cast("Sequence[int]", keys)) > self._run(self._kind)[self._end - 1]

    def _table(self, keys: Sequence[Key]) -> Mapping[Key, int] | None:
        """The part of the run in which all of these are, if it is not much larger, as a dictionary for a moment."""
        if set(map(type, keys)) != {self._kind}:
            return None
        numbers, some = self._run(self._kind), cast("Sequence[int]", keys)
        low = bisect_left(numbers, min(some), self._begin, self._end)
        high = bisect_right(numbers, max(some), low, self._end)
        if high - low > 4 * len(keys):
            return None
        gone = self._gone
        if not gone:
            return dict(zip(numbers[low:high], range(low, high), strict=True))
        return {number: slot for slot, number in enumerate(numbers[low:high], low) if slot not in gone}

    def slots(self) -> Iterator[int]:
        """Every slot in which a row lives."""
        run = range(self._begin, self._end)
        return chain(filterfalse(self._gone.__contains__, run) if self._gone else run, self._others.values())

    def parts(self) -> tuple[range, Set[int], Collection[int]]:
        """The same in three parts: many slots that follow each other, those of them that are free, and the others."""
        return range(self._begin, self._end), self._gone, self._others.values()

    def room(self, key: Key) -> int | None:
        """A slot that a row with this key may have; None where there is none, and one is to be added."""
        at = self._at(cast("int", key)) if self._gone and type(key) is self._kind else None
        if at is not None and at in self._gone:
            self._gone.discard(at)
            return at
        return self.free.pop() if self.free else None

    def put(self, key: Key, slot: int) -> None:
        """A row with this key, which is not here yet, lives in this slot now; the column has its key already."""
        if self._begin <= slot < self._end:
            return  # its own place, as `room` has said
        if not self._goes_on(slot, slot + 1):
            self._others[key] = slot

    def put_all(self, first: int) -> None:
        """All slots from this one on are new, with keys that are not here yet; the column has them."""
        stop = len(self._keys)
        if first == stop or self._goes_on(first, stop):
            return
        self._others.update(zip(self._keys[first:stop], range(first, stop), strict=True))

    def move(self, old: Key, new: Key) -> tuple[int, int | None]:
        """Replace a row's local key by its number: returns its slot, and the slot that the number had. The caller sets
        the column."""
        left = self.drop(new)
        slot = self._others[new] = self._others.pop(old)
        return slot, left

    def drop(self, key: Key) -> int | None:
        """The row of this key goes: the slot that was its own."""
        slot = self._others.pop(key, None)
        if slot is not None:
            self.free.append(slot)
            return slot
        slot = self.find(key)
        if slot is not None:
            self._gone.add(slot)
            if len(self._gone) > max(_MANY_GONE, (self._end - self._begin) // 2):
                self._dissolve()
        return slot

    def _at(self, key: int) -> int | None:
        numbers, end = self._run(self._kind), self._end
        at = bisect_left(numbers, key, self._begin, end)
        return at if at < end and numbers[at] == key else None

    def _goes_on(self, first: int, stop: int) -> bool:
        """Whether these slots are of the run now: they follow it, or are a longer one."""
        kind = str if type(self._keys[first]) is str else int
        numbers = self._run(kind)[first:stop]
        others = self._keys.others
        if others and any(slot in others for slot in range(first, stop)):
            return False
        if None in numbers or not all(map(lt, numbers, numbers[1:])):
            return False
        begin, end = self._begin, self._end
        if end == first and begin < end and self._kind is kind and self._run(kind)[end - 1] < numbers[0]:
            self._end = stop
            return True
        if end - begin >= stop - first:
            return False
        self._dissolve()
        self._begin, self._end, self._kind = first, stop, kind
        return True

    def _run(self, kind: type) -> Sequence[int]:
        """The column as it is searched by halves: numbers, or texts, which are compared as well."""
        return self._keys.numbers if kind is int else cast("Sequence[int]", self._keys.texts)

    def _dissolve(self) -> None:
        """No run any more: all that is left of it is in the dictionary."""
        run = range(self._begin, self._end)
        keys = self._keys[self._begin : self._end]
        self._others.update((key, slot) for key, slot in zip(keys, run, strict=True) if slot not in self._gone)
        self.free += self._gone
        self._gone = set()
        self._begin = self._end = 0
