"""Columns of many rows in few bytes, with the manners of a list: numbers as numbers, few different words as codes.

A hundred thousand numbers take 800 kB instead of 3.6 MB, and as many words of a status 100 kB. What does not fit is
kept all the same, beside the others. Only `Plain` is a real list. And a column of keys is its own index, as far as they
rise.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import ClassVar, Final, Generic, SupportsIndex, TypeAlias, TypeVar, cast, overload

from petstore_desktop.desk.model.text_columns import PackedTexts, Texts
from petstore_desktop.domain.records import INT64_MAX, INT64_MIN, FieldKind, FieldValue, Key

V = TypeVar("V")

_NOT_HERE: Final = INT64_MIN
"""Stands where there is no number, or one that is kept elsewhere."""
_PART: Final = 4_096
_MOST_WORDS: Final = 1_024
"""The most different words that are stored as codes; a column with more is a list."""


class Numbers(Sequence[V], Generic[V]):
    """A column of whole numbers and None: eight bytes each. Ids that are texts are beside them, each text once for all
    columns; whatever else comes is in a dictionary, also a number of more than 64 bits."""

    __slots__ = ("_has_gaps", "_numbers", "_others", "_texts")

    _is_packed: ClassVar[bool] = False

    def __init__(self, values: Iterable[V] = ()) -> None:
        self._numbers = array("q")
        self._others: dict[int, V] = {}
        self._texts: PackedTexts | Plain[str | None] | None = None
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
        """The values that are neither a number nor a text nor None, by place."""
        return self._others

    @property
    def texts(self) -> PackedTexts | Plain[str | None] | None:
        """The texts by place; None as long as there is none at all."""
        return self._texts

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, place: int) -> V: ...
    @overload
    def __getitem__(self, place: slice) -> list[V]: ...
    def __getitem__(self, place: int | slice) -> V | list[V]:
        if isinstance(place, slice):
            return self._read(self._numbers[place].tolist(), place, range(*place.indices(len(self._numbers))))
        number = self._numbers[place]
        return self._other(place) if number == _NOT_HERE else cast("V", number)

    def __iter__(self) -> Iterator[V]:
        for start in range(0, len(self._numbers), _PART):
            yield from self[start : start + _PART]

    def __setitem__(self, place: int, value: V) -> None:
        if place < 0:
            place += len(self._numbers)
        self._others.pop(place, None)
        if self._texts is not None:
            self._texts[place] = None
        if _fits(value):
            self._numbers[place] = cast("int", value)
            return
        self._numbers[place], self._has_gaps = _NOT_HERE, True
        if type(value) is str:
            self._beside()[place] = value if self._is_packed else sys.intern(value)
        elif value is not None:
            self._others[place] = value

    def many(self, places: Sequence[int]) -> list[V]:
        """The values at many places."""
        if isinstance(places, range) and places.step == 1:
            return self[places.start : places.stop]
        numbers = self._numbers
        return self._read([numbers[place] for place in places], None, places)

    def append(self, value: V) -> None:
        """One more."""
        fits = _fits(value)
        self._numbers.append(cast("int", value) if fits else _NOT_HERE)
        if self._texts is not None:
            self._texts.extend([None])
        if not fits:
            self[-1] = value

    def extend(self, values: Sequence[V]) -> None:
        """Many more."""
        if str in (kinds := set(map(type, values))) and kinds <= {str, type(None)}:
            texts = cast("Sequence[str | None]", values)
            shared = texts if self._is_packed else [None if text is None else sys.intern(text) for text in texts]
            self._beside().extend(shared)
            self._numbers.extend(repeat(_NOT_HERE, len(values)))
            self._has_gaps = True
            return
        more = _all_numbers(values)
        if more is None:
            for value in values:
                self.append(value)
            return
        self._has_gaps = self._has_gaps or _NOT_HERE in more
        self._numbers += more
        if self._texts is not None:
            self._texts.extend([None] * len(more))

    def _beside(self) -> PackedTexts | Plain[str | None]:
        if self._texts is None:
            self._texts = PackedTexts() if self._is_packed else Plain[str | None]()
            self._texts.extend([None] * len(self._numbers))
        return self._texts

    def _other(self, place: int) -> V:
        text = None if self._texts is None else self._texts[place]
        return cast(
            "V", self._others.get(place if place >= 0 else place + len(self._numbers)) if text is None else text
        )

    def _read(self, numbers: list[int], part: slice | None, places: Sequence[int]) -> list[V]:
        """The values of these numbers, which stand at these places; `part`: the same where they are in a row."""
        if not self._has_gaps:
            return cast("list[V]", numbers)
        if not self._others:
            texts = self._texts
            if texts is None:
                return cast("list[V]", [None if number == _NOT_HERE else number for number in numbers])
            beside = [texts[place] for place in places] if part is None else texts[part]
            pairs = zip(numbers, beside, strict=True)
            return cast("list[V]", [text if number == _NOT_HERE else number for number, text in pairs])
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

    def codes(self) -> tuple[array[int], Sequence[FieldValue]] | None:
        """What stands in the column, only to be read, and the words that this stands for; None where it is a list."""
        return None if self._plain is not None else (self._codes, self._words)

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


class Keys(Numbers[Key]):
    """A column of keys, of which no two are equal."""

    __slots__ = ()
    _is_packed = True


Packed: TypeAlias = "Numbers[FieldValue] | WordCodes | Texts"


def packed(kind: FieldKind) -> Packed:
    """An empty column for fields of a kind, as their values are kept in the fewest bytes."""
    if kind in (FieldKind.WORD, FieldKind.FLAG):
        return WordCodes()
    return Numbers["FieldValue"]() if kind.type is int else Texts()


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
