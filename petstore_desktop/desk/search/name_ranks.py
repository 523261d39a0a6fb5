"""Numbers that sort as one text of all rows does in the person's language, by slot; with numpy.

All texts are sorted once, and their places are far apart; what a text is changed to gets a number between two. Texts
that sort as equal have the same number, and an empty one has MISSING.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from heapq import merge
from itertools import pairwise
from typing import Any, Final, cast

import numpy as np

from petstore_desktop.desk.search.arrays import MISSING, Mask, Slots, Values
from petstore_desktop.desk.search.background import in_background

Read = Callable[[Sequence[int]], list[str]]
"""The texts of some rows by their slots."""

_MADE: Final = 2_048
"""Keys made between two looks at the clock; about two milliseconds."""
_PLACED: Final = 256
"""Changed texts that are given a number between two looks at the clock; some milliseconds."""
_WIDEST: Final = 64
"""How many bytes of keys are compared in one go; a multiple of eight."""
_GAP: Final = 1 << 40
_STEP: Final = 1 << 20
"""How far apart numbers are at first, and those that are put between two."""
_AT_ONCE: Final = 20_000
"""More rows are sorted by another thread."""
_MOST, _MOST_KEPT = 16, 64
"""Where one row in so many is new or changed, all are sorted anew: about what placing those would take, without the
keys of the others and with them."""
_BLOCK: Final = 8
"""Of the sorted rows the key of one in this many is kept."""


class NameRanks:
    """The rank of one text of each row. It is made in steps, or when it is first asked for."""

    def __init__(
        self, read: Read, size: Callable[[], int], keys: Callable[[Sequence[str]], list[bytes] | list[Any]]
    ) -> None:
        """`size`: how many slots there are; `keys`: what texts sort by, as `Collation.keys`."""
        self._read, self._size, self._keys = read, size, keys
        self._ranked = 0
        """How many rows have had a rank: no fewer are ranked again."""
        self._forget()

    def _forget(self) -> None:
        """Begin anew."""
        self._found: list[Any] = []
        """The keys of the first rows, as they follow each other, as long as rows are added."""
        self._empty: set[int] = set()
        self._read_to = 0
        self._ranks: Values | None = None
        self._order: Slots = np.zeros(0, np.int32)
        self._firsts: list[Any] = []
        self._changed: set[int] = set()
        """The rows that no longer have the place at which they were sorted."""
        self._later: tuple[list[Any], list[int]] = ([], [])
        """The keys that came later, sorted, and their ranks."""
        self._stale: set[int] = set()
        self._sorting: Iterator[None] | None = None
        """At work on all that was read before it began: until it ends nothing more is read."""
        self._near: dict[int, Any] = {}
        """The keys of some rows, for a moment."""
        self._is_shared = self._grows = False

    def _begin_anew(self) -> None:
        """Sort all once more, by the keys that are there where only rows were added."""
        found, empty, read_to, order = self._found, self._empty, self._read_to, self._order
        kept = bool(found) and min((*self._changed, *self._stale), default=read_to) >= read_to
        self._forget()
        self._grows = True
        if kept:
            self._found, self._empty, self._read_to, self._order = found, empty, read_to, order

    @property
    def is_ready(self) -> bool:
        """Whether there is nothing left to make."""
        return self._ranks is not None and len(self._ranks) >= self._size() and not self._stale

    def invalidate(self, slots: Sequence[int]) -> None:
        """The texts of these rows are no longer right."""
        known = self._read_to if self._ranks is None else len(self._ranks)
        self._stale.update(slot for slot in slots if slot < known)

    def steps(self, end: int | None = None) -> Iterator[None]:
        """Make what is missing, some milliseconds in each step but the one that sorts; `end`: of the rows before this
        one at least."""
        size = max(self._ranked, self._size() if end is None else end)
        if self.is_ready:
            self._found = []
        elif self._ranks is not None and self._are_many(size - len(self._ranks) + len(self._stale), self._ranks):
            self._begin_anew()
        while self._ranks is None and self._sorting is None and self._read_to < size:
            texts = self._read(range(self._read_to, min(self._read_to + _MADE, size)))
            self._empty.update(slot for slot, text in enumerate(texts, self._read_to) if not text)
            keys = self._keys(texts)
            self._found.append(np.array(cast("list[bytes]", keys), "S") if _are_bytes(keys) else keys)
            self._read_to += len(texts)
            yield
        if self._ranks is None:
            self._sorting = self._sorting or self._sort()
            for _ in self._sorting:  # not `yield from`: whoever comes next goes on with it where one left off
                yield
        yield from self._mended(size)

    def _are_many(self, new: int, ranks: Values) -> bool:
        return new > 0 and (new + len(self._changed)) * (_MOST_KEPT if self._found else _MOST) > len(ranks)

    def values(self, end: int | None = None) -> Values:
        """The ranks as they are now, of the rows before `end` at least."""
        for _ in self.steps(end):
            pass
        return np.zeros(0, np.int64) if self._ranks is None else self._ranks

    def snapshot(self) -> Values:
        """The same, and they never change."""
        ranks, self._is_shared = self.values(), True
        return ranks

    # ---- all

    def _sort(self) -> Iterator[None]:
        count, keys = self._read_to, self._found
        are_bytes = not keys or isinstance(keys[0], np.ndarray)
        sort = partial(_sorted_bytes if are_bytes else _sorted_objects, keys, self._order)
        order, new, self._firsts = yield from in_background(sort, count > _AT_ONCE)
        ranks = np.empty(count, np.int64)
        ranks[order] = np.cumsum(new) * _GAP
        ranks[list(self._empty)] = MISSING
        self._order, self._ranks, self._ranked = order, ranks, count
        if not self._grows:  # it came at once
            self._found = []
        self._changed.update(slot for slot in self._stale if slot < count)

    # ---- some

    def _mended(self, size: int) -> Iterator[None]:
        ranks = self._ranks
        if ranks is not None and self._stale and self._is_shared:
            ranks = self._ranks = ranks.copy()
            self._is_shared = False
        while ranks is not None and (self._stale or len(ranks) < size):
            if len(ranks) < size:
                new = np.full(size - len(ranks), MISSING, np.int64)
                self._stale.update(range(len(ranks), size))
                ranks = self._ranks = np.concatenate((ranks, new))
                self._ranked = size
            self._changed |= self._stale
            some = [self._stale.pop() for _ in range(min(_PLACED, len(self._stale)))]
            texts = self._read(some)
            keys = self._keys(texts)
            self._look_near(keys)
            for slot, text, key in zip(some, texts, keys, strict=True):
                rank = self._between(key) if text else MISSING
                if rank is None:  # no number is left between two
                    self._forget()
                    yield from self.steps(size)
                    return
                ranks[slot] = rank
            self._near = {}
            yield

    def _look_near(self, keys: Sequence[Any]) -> None:
        """Read the keys of the rows among which these belong: together that is quicker than one by one."""
        blocks = {self._block_below(key) for key in keys}
        near = [slot for block in blocks for slot in self._order[block * _BLOCK : (block + 1) * _BLOCK].tolist()]
        self._near = dict(zip(near, self._keys(self._read(near)), strict=True))
        for block in blocks:
            first = self._order[(block + 1) * _BLOCK : (block + 1) * _BLOCK + 1].tolist()
            key = self._firsts[block + 1] if first and first[0] not in self._changed else None
            if isinstance(key, bytes) and len(key) < _WIDEST:
                self._near.setdefault(first[0], key)

    def _block_below(self, key: Any) -> int:
        """The last block that begins below a key, as far as the kept keys tell."""
        return max(0, bisect_left(self._firsts, key) - 1)

    def _between(self, key: Any) -> int | None:
        """The rank of a key; None where no number is left for it."""
        later, numbers = self._later
        at = bisect_left(later, key)
        if at < len(later) and not key < later[at]:
            return numbers[at]
        low, high, rank = self._around(key)
        if rank is None:
            low = max((one for one in (low, numbers[at - 1] if at else None) if one is not None), default=None)
            above = (high, numbers[at] if at < len(numbers) else None)
            rank = _number_between(low, min((one for one in above if one is not None), default=None))
        if rank is not None:  # also one that rows have: those may change, and others keep it
            later.insert(at, key)
            numbers.insert(at, rank)
        return rank

    def _around(self, key: Any) -> tuple[int | None, int | None, int | None]:
        """The ranks right below and above a key among the rows that stand where they were sorted, and its own."""
        block, below = self._block_below(key), None
        while block > 0 and not self._begins_below(block, key):
            block -= 1
        for first in range(block * _BLOCK, len(self._order), _BLOCK):
            rows = self._placed(first, first + _BLOCK)
            at = bisect_left(rows, key, key=self._key) if first == block * _BLOCK else 0  # no later one begins below
            below = self._rank(rows[at - 1]) if at else below
            if at < len(rows):
                above = self._rank(rows[at])
                return (below, above, None) if key < self._key(rows[at]) else (None, None, above)
        return below, None, None

    def _begins_below(self, block: int, key: Any) -> bool:
        """Whether a row that stands there comes before the key; the kept keys may be cut, and those rows changed."""
        rows = self._placed(block * _BLOCK, (block + 1) * _BLOCK)[:1]
        return bool(rows) and self._key(rows[0]) < key

    def _key(self, slot: int) -> Any:
        known = self._near.get(slot)
        return self._keys(self._read((slot,)))[0] if known is None else known

    def _placed(self, first: int, end: int) -> list[int]:
        """The rows there that have not changed and whose text is not empty."""
        rows = self._order[first:end].tolist()
        return [row for row in rows if row not in self._changed and row not in self._empty]

    def _rank(self, slot: int) -> int:
        return MISSING if self._ranks is None else int(self._ranks[slot])


def _are_bytes(keys: Sequence[object]) -> bool:
    return bool(keys) and isinstance(keys[0], bytes)


_Sorted = tuple[Slots, Mask, list[Any]]
"""The places of keys in their order; which of these differ from the one before; and the key that begins each block, of
which only the first bytes are kept."""


def _sorted_bytes(parts: Sequence[Any], known: Slots) -> _Sorted:
    """`known`: the order of the first of them, among which the others are put: that takes a third of sorting all."""
    lengths = np.concatenate([np.zeros(0, np.int64), *(np.char.str_len(part) for part in parts)])
    begins = np.concatenate([np.zeros(0, "S1"), *(part.astype(f"S{min(part.itemsize, _WIDEST)}") for part in parts)])
    order = np.concatenate((known, np.arange(len(known), len(lengths), dtype=np.int32)))
    keys = begins[order]
    places = np.argsort(keys, kind="stable")  # which sees what is in order already; and other threads go on
    order, keys = order[places], keys[places]
    new = np.concatenate((np.ones(min(1, len(keys)), np.bool_), keys[1:] != keys[:-1]))
    start = _WIDEST
    while len(places := _undecided(new, lengths[order] > start)):  # the next bytes of those that begin alike
        rows = order[places]
        inner, differs = _sorted_words(parts, rows, start, np.cumsum(new, dtype=np.int64)[places])
        order[places], new[places] = rows[inner], differs
        start += _WIDEST
    return order, new, begins[order[::_BLOCK]].tolist()


def _undecided(new: Mask, goes_on: Mask) -> Slots:
    """The places whose keys have begun as those of their neighbours, one of which goes on."""
    groups = np.cumsum(new) - 1
    tells = (np.bincount(groups) > 1) & (np.bincount(groups, goes_on) > 0) if len(new) else np.zeros(0, np.bool_)
    return np.flatnonzero(tells[groups])


def _sorted_words(parts: Sequence[Any], rows: Slots, start: int, groups: Values) -> tuple[Slots, Mask]:
    """In which order these rows follow each other by the bytes of their keys from `start` on, each within its group,
    and which differ there from the one before. Eight bytes are compared at a time, as one number, and meanwhile other
    threads go on."""
    words = np.column_stack((groups.astype(np.uint64), _words(parts, rows, start)))
    order = np.arange(len(rows), dtype=np.int32)
    for place in reversed(range(words.shape[1])):
        order = order[np.argsort(words[order, place], kind="stable")]
    words = words[order]
    return order, np.concatenate((np.ones(min(1, len(rows)), np.bool_), (words[1:] != words[:-1]).any(axis=1)))


def _words(parts: Sequence[Any], rows: Slots, start: int) -> Any:
    """The next _WIDEST bytes of the keys of some rows, eight in each number."""
    width = max((min(part.itemsize - start, _WIDEST) for part in parts), default=0)
    found = np.zeros((len(rows), max(1, -(-width // 8)) * 8), np.uint8)
    begin = 0
    for part in parts:
        within = np.flatnonzero((rows >= begin) & (rows < begin + len(part))) if part.itemsize > start else ()
        if len(within):
            letters = part.view(np.uint8).reshape(len(part), part.itemsize)[:, start : start + _WIDEST]
            found[within, : letters.shape[1]] = letters[rows[within] - begin]
        begin += len(part)
    return found.view(">u8").astype(np.uint64)


def _sorted_objects(parts: Sequence[Sequence[Any]], _: Slots) -> _Sorted:
    """The same of keys that are only compared with each other; a part at a time, so that other threads go on."""
    keys = [key for part in parts for key in part]
    some = (range(start, min(start + _MADE, len(keys))) for start in range(0, len(keys), _MADE))
    ordered = list(merge(*(sorted(part, key=keys.__getitem__) for part in some), key=keys.__getitem__))
    new = [True, *(keys[one] < keys[two] for one, two in pairwise(ordered))][: len(ordered)]
    firsts = [keys[place] for place in ordered[::_BLOCK]]
    return np.array(ordered, np.int32), np.array(new, np.bool_), firsts


def _number_between(low: int | None, high: int | None) -> int | None:
    if high is None:
        return 0 if low is None else low + _GAP
    if low is None:
        return high - _GAP
    return low + min((high - low) // 2, _STEP) if high - low > 1 else None
