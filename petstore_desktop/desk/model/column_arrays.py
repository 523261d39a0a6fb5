"""Columns of many rows in few bytes, with the manners of a list: numbers as numbers, few different words as codes.

A hundred thousand numbers take 800 kB instead of 3.6 MB, and as many words of a status 100 kB. What does not fit is
kept all the same, beside the others. Only `Plain` is a real list. And a column of keys is its own index, as far as they
rise.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain, filterfalse
from operator import lt
from typing import Final, Generic, SupportsIndex, TypeAlias, TypeVar, cast, overload

from petstore_desktop.domain.records import INT64_MAX, INT64_MIN, FieldKind, FieldValue, Key

V = TypeVar("V")

_NOT_HERE: Final = INT64_MIN
"""Stands where there is no number, or one that is kept elsewhere."""
_PART: Final = 4_096
_FEW: Final = 16
_MANY_GONE: Final = 1_024
"""How many keys of a run may be removed before it is dissolved, or half of the run if that is more."""
_MOST_WORDS: Final = 1_024
"""The most different words that are stored as codes; a column with more is a list."""


class Numbers(Sequence[V], Generic[V]):
    """A column of whole numbers and None: eight bytes each. Whatever else comes is in a dictionary beside them, also a
    number of more than 64 bits."""

    __slots__ = ("_has_gaps", "_numbers", "_others")

    def __init__(self, values: Iterable[V] = ()) -> None:
        self._numbers = array("q")
        self._others: dict[int, V] = {}
        self._has_gaps = False
        """Whether there ever was anything but a number."""
        self.extend(list(values))

    @property
    def numbers(self) -> array[int]:
        """All of them as they are kept: only to be read, and only right where `others` has nothing and None is not to
        be told from the least number of 64 bits."""
        return self._numbers

    @property
    def others(self) -> Mapping[int, V]:
        """The values that are neither a number nor None, by place."""
        return self._others

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, place: int) -> V: ...
    @overload
    def __getitem__(self, place: slice) -> list[V]: ...
    def __getitem__(self, place: int | slice) -> V | list[V]:
        if isinstance(place, slice):
            return self._read(self._numbers[place].tolist(), range(*place.indices(len(self._numbers))))
        number = self._numbers[place]
        return self._other(place) if number == _NOT_HERE else cast("V", number)

    def __iter__(self) -> Iterator[V]:
        for start in range(0, len(self._numbers), _PART):
            yield from self[start : start + _PART]

    def __setitem__(self, place: int, value: V) -> None:
        if place < 0:
            place += len(self._numbers)
        self._others.pop(place, None)
        if _fits(value):
            self._numbers[place] = cast("int", value)
            return
        self._numbers[place], self._has_gaps = _NOT_HERE, True
        if value is not None:
            self._others[place] = value

    def many(self, places: Sequence[int]) -> list[V]:
        """The values at many places."""
        if isinstance(places, range) and places.step == 1:
            return self[places.start : places.stop]
        numbers = self._numbers
        return self._read([numbers[place] for place in places], places)

    def append(self, value: V) -> None:
        """One more."""
        if _fits(value):
            self._numbers.append(cast("int", value))
            return
        self._has_gaps = True
        if value is not None:
            self._others[len(self._numbers)] = value
        self._numbers.append(_NOT_HERE)

    def extend(self, values: Sequence[V]) -> None:
        """Many more."""
        more = _all_numbers(values)
        if more is None:
            for value in values:
                self.append(value)
            return
        self._has_gaps = self._has_gaps or _NOT_HERE in more
        self._numbers += more

    def _other(self, place: int) -> V:
        return cast("V", self._others.get(place if place >= 0 else place + len(self._numbers)))

    def _read(self, numbers: list[int], places: Sequence[int]) -> list[V]:
        if not self._has_gaps:
            return cast("list[V]", numbers)
        if not self._others:
            return cast("list[V]", [None if number == _NOT_HERE else number for number in numbers])
        other = self._other
        return [
            other(place) if number == _NOT_HERE else cast("V", number)
            for number, place in zip(numbers, places, strict=True)
        ]


class WordCodes:
    """A column of few different words, yes, no and None: one byte each, two where there are more than 256. With many
    different ones, or anything else, it is a list inside."""

    __slots__ = ("_code_of", "_codes", "_plain", "_words")

    def __init__(self, values: Iterable[FieldValue] = ()) -> None:
        self._codes = array("B")
        self._words: list[FieldValue] = []
        self._code_of: dict[FieldValue, int] = {}
        self._plain: list[FieldValue] | None = None
        self.extend(list(values))

    def __len__(self) -> int:
        return len(self._codes if self._plain is None else self._plain)

    @overload
    def __getitem__(self, place: int) -> FieldValue: ...
    @overload
    def __getitem__(self, place: slice) -> list[FieldValue]: ...
    def __getitem__(self, place: int | slice) -> FieldValue | list[FieldValue]:
        if self._plain is not None:
            return self._plain[place]
        if isinstance(place, slice):
            return list(map(self._words.__getitem__, self._codes[place]))
        return self._words[self._codes[place]]

    def __iter__(self) -> Iterator[FieldValue]:
        return map(self._words.__getitem__, self._codes) if self._plain is None else iter(self._plain)

    def __setitem__(self, place: int, value: FieldValue) -> None:
        code = self._code(value)
        if self._plain is not None:
            self._plain[place] = value
        else:
            self._codes[place] = code

    def many(self, places: Sequence[int]) -> list[FieldValue]:
        """The values at many places."""
        if isinstance(places, range) and places.step == 1:
            return self[places.start : places.stop]
        if self._plain is not None:
            return list(map(self._plain.__getitem__, places))
        words, codes = self._words, self._codes
        return [words[codes[place]] for place in places]

    def different(self) -> set[FieldValue]:
        """Each value once; that takes microseconds, however long the column is."""
        if self._plain is not None:
            return set(self._plain)
        codes: Container[int] = self._codes.tobytes() if self._codes.typecode == "B" else set(self._codes)
        return {word for code, word in enumerate(self._words) if code in codes}

    def append(self, value: FieldValue) -> None:
        """One more."""
        code = self._code(value)
        if self._plain is not None:
            self._plain.append(value)
        else:
            self._codes.append(code)

    def extend(self, values: Sequence[FieldValue]) -> None:
        """Many more."""
        different: Iterable[FieldValue] = set(values)
        if (0 in different or 1 in different) and not _CODED.issuperset(map(type, values)):
            different = values  # a set does not tell 0 and 1 from False and True
        for value in different:
            self._code(value)
        if self._plain is not None:
            self._plain += values
        else:
            self._codes.extend(array(self._codes.typecode, map(self._code_of.__getitem__, values)))

    def _code(self, value: FieldValue) -> int:
        """What stands for a value; any number once this is a list."""
        code = self._code_of.get(value) if type(value) in _CODED else None
        if code is not None or self._plain is not None:
            return code or 0
        if type(value) not in _CODED or len(self._words) == _MOST_WORDS:
            self._plain = list(self)
            self._codes, self._words, self._code_of = array("B"), [], {}
            return 0
        code = self._code_of[value] = len(self._words)
        self._words.append(value)
        if code > 0xFF and self._codes.typecode == "B":
            self._codes = array("H", self._codes)
        return code


class Plain(list[V]):
    """A column as it is."""

    __slots__ = ()

    def many(self, places: Sequence[int]) -> list[V]:
        """The values at many places."""
        if isinstance(places, range) and places.step == 1:
            return self[places.start : places.stop]
        return list(map(self.__getitem__, cast("Sequence[SupportsIndex]", places)))


_CODED: Final = frozenset((str, bool, type(None)))
"""No two values of these are equal unless they are the same, as 1 and True are."""

Keys: TypeAlias = Numbers[Key]
Packed: TypeAlias = "Numbers[FieldValue] | WordCodes | Plain[FieldValue]"


def packed(kind: FieldKind) -> Packed:
    """An empty column for fields of a kind, as their values are kept in the fewest bytes."""
    if kind in (FieldKind.WORD, FieldKind.FLAG):
        return WordCodes()
    return Numbers["FieldValue"]() if kind.type is int else Plain["FieldValue"]()


def _fits(value: object) -> bool:
    return type(value) is int and _NOT_HERE < value <= INT64_MAX


def _all_numbers(values: Sequence[object]) -> array[int] | None:
    """Numbers and None as they are kept; None where there is anything else among them."""
    kinds = set(map(type, values))
    if not kinds <= {int, type(None)}:
        return None
    plain = values if kinds == {int} else [_NOT_HERE if value is None else value for value in values]
    try:
        found = array("q", cast("Sequence[int]", plain))
    except OverflowError:
        return None
    return None if found.count(_NOT_HERE) > values.count(None) else found


class KeyIndex:
    """Where the row of each key lives, over a column that has the key in each slot and that others fill: without a
    dictionary of all keys, which would be the largest part of a long list.

    What is kept on this computer comes by key, so most slots are one long run of rising keys, which is searched by
    halves in the column itself. Only what came otherwise is in a dictionary.
    """

    __slots__ = ("_begin", "_end", "_gone", "_keys", "_others", "free")

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
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
        if slot is None and isinstance(key, int):
            at = self._at(key)
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
        """Whether all of these keys are numbers above those that are here, as far as those rise."""
        if not self._others.keys().isdisjoint(keys) or set(map(type, keys)) != {int}:
            return False
        return self._begin == self._end or min(cast("Sequence[int]", keys)) > self._keys.numbers[self._end - 1]

    def _table(self, keys: Sequence[Key]) -> Mapping[Key, int] | None:
        """The part of the run in which all of these are, if it is not much larger, as a dictionary for a moment."""
        if set(map(type, keys)) != {int}:
            return None
        numbers, some = self._keys.numbers, cast("Sequence[int]", keys)
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

    def room(self, key: Key) -> int | None:
        """A slot that a row with this key may have; None where there is none, and one is to be added."""
        at = self._at(key) if self._gone and isinstance(key, int) else None
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
        numbers, end = self._keys.numbers, self._end
        at = bisect_left(numbers, key, self._begin, end)
        return at if at < end and numbers[at] == key else None

    def _goes_on(self, first: int, stop: int) -> bool:
        """Whether these slots are of the run now: they follow it, or are a longer one."""
        numbers = self._keys.numbers[first:stop]
        others = self._keys.others
        if others and any(slot in others for slot in range(first, stop)):
            return False
        if not all(map(lt, numbers, numbers[1:])):
            return False
        begin, end = self._begin, self._end
        if end == first and begin < end and self._keys.numbers[end - 1] < numbers[0]:
            self._end = stop
            return True
        if end - begin >= stop - first:
            return False
        self._dissolve()
        self._begin, self._end = first, stop
        return True

    def _dissolve(self) -> None:
        """No run any more: all that is left of it is in the dictionary."""
        run = range(self._begin, self._end)
        keys = self._keys[self._begin : self._end]
        self._others.update((key, slot) for key, slot in zip(keys, run, strict=True) if slot not in self._gone)
        self.free += self._gone
        self._gone = set()
        self._begin = self._end = 0
