"""Columns of texts in one block of bytes, with the manners of a list: names of any length, and ids of one length."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, repeat
from typing import Final, TypeGuard, overload

from petstore_desktop.domain.records import FieldValue

_FIRST: Final = 16
_PART: Final = 4_096
_WIDEST: Final = 64
"""The most bytes of an id that is stored beside the others in one block."""
_NO_TEXT: Final = b"\xff"
"""Stands for None: it is in no UTF-8."""


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


class Texts(Sequence[FieldValue]):
    """A column of texts of any length, or None, in one block of UTF-8: a name takes its letters and four bytes, and 50
    more as a string. What was set later, and whatever is no text, is in a dictionary until much of it is there."""

    __slots__ = ("_block", "_ends", "_others", "_stay")

    def __init__(self, values: Iterable[FieldValue] = ()) -> None:
        self._block = bytearray()
        self._ends = array("I", (0,))
        self._others: dict[int, FieldValue] = {}
        self._stay = 0
        """How many of these were no texts when those that are went into the block."""
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
        start, size = 0, _FIRST  # who only looks whether there is any value is not kept waiting
        while start < len(self):
            yield from self[start : start + size]
            start, size = start + size, min(4 * size, _PART)

    def __setitem__(self, place: int, value: FieldValue) -> None:
        self._others[self._at(place)] = value
        if len(self._others) > max(_PART, len(self) // 8) + 2 * self._stay:
            self._move_in()

    def _move_in(self) -> None:
        """Put the texts that were set into the block. What lies between two of them is copied as it is: to read and
        write every text anew would take 150 ms with 100,000 rows."""
        import numpy as np  # late: not worth its time before the first paint

        block, ends, parts = self._block, self._ends, list[bytes | bytearray]()
        moved = {place: _bytes(value) for place, value in sorted(self._others.items()) if _is_text(value)}
        lengths = np.diff(np.array(ends, np.int64))
        lengths[list(moved)] = list(map(len, moved.values()))
        copied = 0
        for place, part in moved.items():
            parts += (block[copied : ends[place]], part)
            copied = ends[place + 1]
        parts.append(block[copied:])
        self._block, self._ends = bytearray().join(parts), array("I", (0,))
        self._ends.frombytes(np.cumsum(lengths).astype(np.uint32).tobytes())
        self._others = {place: value for place, value in self._others.items() if not _is_text(value)}
        self._stay = len(self._others)

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


def _is_text(value: FieldValue) -> TypeGuard[str | None]:
    return type(value) is str or value is None


def _bytes(text: str | None) -> bytes:
    return _NO_TEXT if text is None else text.encode(errors="surrogatepass")
