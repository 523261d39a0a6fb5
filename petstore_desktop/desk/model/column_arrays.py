"""Columns of many rows in few bytes, with the manners of a list: numbers as numbers, few different words as codes.

A hundred thousand numbers take 800 kB instead of 3.6 MB, and as many words of a status 100 kB. What does not fit is
kept all the same, beside the others. Only `Plain` is a real list. And a column of keys is its own index, as far as they
rise.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, repeat
from typing import ClassVar, Final, Generic, SupportsIndex, TypeAlias, TypeVar, cast, overload

from petstore_desktop.domain.records import INT64_MAX, INT64_MIN, FieldKind, FieldValue, Key

V = TypeVar("V")

_NOT_HERE: Final = INT64_MIN
"""Stands where there is no number, or one that is kept elsewhere."""
_PART: Final = 4_096
_MOST_WORDS: Final = 1_024
"""The most different words that are stored as codes; a column with more is a list."""
_WIDEST: Final = 64
"""The most bytes of a text that is stored beside the others in one block."""


class PackedTexts(Sequence["str | None"]):
    """Texts that are mostly of one length, as ids are, or None, in one block of bytes: a UUID takes 36 bytes there, and
    85 as a string. Each is as wide as the longest and filled with zero bytes; what is too long, or cannot be told from
    these, is in a dictionary."""

    __slots__ = ("_block", "_count", "_is_ascii", "_other", "_width")

    def __init__(self) -> None:
        self._block = bytearray()
        self._count = self._width = 0
        self._is_ascii = True
        self._other: dict[int, str] = {}

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> str | None: ...
    @overload
    def __getitem__(self, place: slice) -> list[str | None]: ...
    def __getitem__(self, place: int | slice) -> list[str | None] | str | None:
        width = self._width
        if isinstance(place, int):
            place = place if place >= 0 else place + self._count
            part = self._block[place * width : place * width + width].rstrip(b"\0")
            return part.decode(errors="surrogatepass") if part else self._other.get(place)
        start, stop, step = place.indices(self._count)
        if step != 1 or self._other or not self._is_ascii or not width:
            return [self[at] for at in range(start, stop, step)]
        part = self._block[start * width : stop * width].decode("ascii")
        return [part[at : at + width].rstrip("\0") or None for at in range(0, len(part), width)]

    def __setitem__(self, place: int, text: str | None) -> None:
        place = place if place >= 0 else place + self._count
        packed_, width = self._pack([text], place), self._width
        self._block[place * width : place * width + width] = packed_

    def extend(self, texts: Sequence[str | None]) -> None:
        """Add many."""
        more = self._pack(texts, self._count)
        self._block += more
        self._count += len(texts)

    def _pack(self, texts: Sequence[str | None], first: int) -> bytes:
        """The bytes of texts that are to stand from a place on; those before are made as wide first."""
        parts = [b"" if text is None else text.encode(errors="surrogatepass") for text in texts]
        for place in range(first, first + len(parts)) if self._other else ():
            self._other.pop(place, None)
        widest = max(map(len, parts), default=0)
        if widest > _WIDEST or "" in texts or any(part.endswith(b"\0") for part in parts):
            for at, (text, part) in enumerate(zip(texts, parts, strict=True)):
                if text is not None and (not part or len(part) > _WIDEST or part.endswith(b"\0")):
                    self._other[first + at], parts[at] = text, b""
            widest = max(map(len, parts), default=0)
        if widest > self._width:
            self._widen(widest)
        self._is_ascii = self._is_ascii and all(map(bytes.isascii, parts))
        return b"".join([part.ljust(self._width, b"\0") for part in parts])

    def _widen(self, width: int) -> None:
        old, block = self._width, self._block
        parts = (block[at : at + old] for at in range(0, len(block), old)) if old else repeat(b"", self._count)
        self._width, self._block = width, bytearray().join([part.ljust(width, b"\0") for part in parts])


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


class Texts(Sequence[FieldValue]):
    """A column of texts of any length, or None, in one block of UTF-8: a name takes its letters and four bytes, and 50
    more as a string. What was set later, and whatever is no text, is in a dictionary until much of it is there."""

    __slots__ = ("_block", "_ends", "_others")

    def __init__(self, values: Iterable[FieldValue] = ()) -> None:
        self._block = bytearray()
        self._ends = array("I", (0,))
        self._others: dict[int, FieldValue] = {}
        self.extend(list(values))

    def __len__(self) -> int:
        return len(self._ends) - 1

    @overload
    def __getitem__(self, place: int) -> FieldValue: ...
    @overload
    def __getitem__(self, place: slice) -> list[FieldValue]: ...
    def __getitem__(self, place: int | slice) -> FieldValue | list[FieldValue]:
        if isinstance(place, slice):
            return self.many(range(*place.indices(len(self))))
        at, ends = place if place >= 0 else self._at(place), self._ends
        part = bytes(self._block[ends[at] : ends[at + 1]])
        if self._others and at in self._others:
            return self._others[at]
        return None if part == _NO_TEXT else part.decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[FieldValue]:
        for start in range(0, len(self), _PART):
            yield from self[start : start + _PART]

    def __setitem__(self, place: int, value: FieldValue) -> None:
        self._others[self._at(place)] = value
        if len(self._others) > max(_PART, len(self) // 8):
            values, self._others = list(self), {}
            self._block, self._ends = bytearray(), array("I", (0,))
            self.extend(values)

    def many(self, places: Sequence[int]) -> list[FieldValue]:
        """The values at many places."""
        if not places:
            return []
        run = range(places[0], places[0] + len(places))
        if run[-1] != places[-1] or (places != run and list(run) != list(places)):
            return self._each(places)
        ends = self._ends[run.start : run.stop + 1]
        first = ends[0]
        block = self._block[first : ends[-1]]
        if not block.isascii():
            return self._each(run)
        text, others = block.decode("ascii"), self._others
        values: list[FieldValue] = [text[low - first : high - first] for low, high in pairwise(ends)]
        if others:
            few = others if len(others) < len(run) else [place for place in run if place in others]
            for place in few:
                if place in run:
                    values[place - run.start] = others[place]
        return values

    def _each(self, places: Sequence[int]) -> list[FieldValue]:
        block, ends, others = self._block, self._ends, self._others
        parts = [bytes(block[ends[place] : ends[place + 1]]) for place in places]
        values: list[FieldValue] = [
            None if part == _NO_TEXT else part.decode("utf-8", "surrogatepass") for part in parts
        ]
        return [others.get(at, value) for at, value in zip(places, values, strict=True)] if others else values

    def append(self, value: FieldValue) -> None:
        """One more."""
        self.extend((value,))

    def extend(self, values: Sequence[FieldValue]) -> None:
        """Many more."""
        block, ends, first = self._block, self._ends, len(self)
        for place, value in enumerate(values, first):
            if type(value) is str:
                block += value.encode(errors="surrogatepass")
            elif value is None:
                block += _NO_TEXT
            else:
                self._others[place] = value
            ends.append(len(block))

    def _at(self, place: int) -> int:
        at = place if place >= 0 else place + len(self)
        if not 0 <= at < len(self):
            raise IndexError(place)
        return at


class Plain(list[V]):
    """A column as it is."""

    __slots__ = ()

    def many(self, places: Sequence[int]) -> list[V]:
        """The values at many places."""
        if isinstance(places, range) and places.step == 1:
            return self[places.start : places.stop]
        return list(map(self.__getitem__, cast("Sequence[SupportsIndex]", places)))


_NO_TEXT: Final = b"\xff"
"""Stands for None: it is in no UTF-8."""
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
