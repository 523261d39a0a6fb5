"""Searches one text of all rows, such as their names, without case and accents: in one block of bytes, with numpy; and
numbers by their digits, as if each were a text, without making any.

The texts lie by slot, so that a sort touches none of them. What changed since a block was made is beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np

from petstore_desktop.desk.search.arrays import MISSING, Mask, Slots, Values

_SIGNS: Final = re.compile("(-?)([0-9]{1,20})")
_PART: Final = 16_384
"""How many numbers are asked at a time; they stay near the processor. Each that is smaller is asked once at most."""


def has_digits(values: Values, word: str) -> Mask:
    """Which numbers have these signs in a row; MISSING has none."""
    if word == "-":
        return (values < 0) & (values != MISSING)
    signs = _SIGNS.fullmatch(word)
    if signs is None or int(signs[2]) >= 2**63:
        return np.zeros(len(values), np.bool_)
    return begins_with(values, word) if signs[1] else _in_parts(values, signs[2], _inside)


def begins_with(values: Values, word: str) -> Mask:
    """Which numbers begin with these signs."""
    signs = _SIGNS.fullmatch(word)
    if signs is None or int(signs[2]) >= 2**63 or (signs[2][0] == "0" and word != "0"):
        return np.zeros(len(values), np.bool_)
    found = _in_parts(values, signs[2], _at_beginning)
    return found & (values < 0 if signs[1] else values >= 0)


def _in_parts(values: Values, digits: str, ask: Callable[[Values, str], Mask]) -> Mask:
    """Ask few numbers at a time, in four bytes each where that is enough: that is ten times as fast."""
    found, small = [np.zeros(0, np.bool_)], _asked(np.arange(_PART, dtype=np.int32), digits, ask)
    for start in range(0, len(values), _PART):
        part = values[start : start + _PART]
        plain = np.abs(np.where(part == MISSING, 0, part))
        plain = plain.astype(np.int32) if plain.max() < 2**31 else plain
        found.append((small[plain] if plain.max() < _PART else _asked(plain, digits, ask)) & (part != MISSING))
    return np.concatenate(found)


def _asked(plain: Values, digits: str, ask: Callable[[Values, str], Mask]) -> Mask:
    return ask(plain, digits) | ((plain == 0) & (digits == "0"))


def _at_beginning(left: Values, digits: str) -> Mask:
    number, found = int(digits), np.zeros(len(left), np.bool_)
    while number and left.any():
        found |= left == number
        left = left // 10
    return found


def _inside(left: Values, digits: str) -> Mask:
    """Compare the end of each number, then of what is left without its last digit, and so on."""
    number, modulus, found = int(digits), 10 ** len(digits), np.zeros(len(left), np.bool_)
    is_whole = modulus > np.iinfo(left.dtype).max
    while left.any():
        whole = np.zeros_like(left) if is_whole else left // modulus
        fits = left == number if is_whole else left - whole * modulus == number
        found |= fits & (whole > 0) if digits[0] == "0" else fits  # no number begins with a zero
        left = left // 10
    return found


Read = Callable[[Sequence[int]], list[str]]
"""The texts of some rows, folded, by their slots."""

ROWS: Final = 4_096
"""Rows of one block."""
_MADE: Final = 512
"""Texts made between two looks at the clock; about half a millisecond."""
_BYTES: Final = 6
"""How many bytes of a word are searched in all texts; the rest of it only where that was found."""
_END: Final = b"\n"
"""Begins and ends each text. No word of a filter holds a line break, so none is found across it."""


def packed(text: str) -> bytes:
    """A text as it is searched. A part of a text is a part of it so packed, too."""
    return text.encode("utf-8", "surrogatepass")


class _Block:
    """The texts of some rows that follow each other."""

    def __init__(self, texts: bytes = _END) -> None:
        self.texts = texts
        self.starts = np.flatnonzero(np.frombuffer(texts, np.uint8) == _END[0]).astype(np.int32) + 1
        """Where each row begins, and where the next one would."""
        self.changed: dict[int, bytes] = {}
        """What stands instead, by row."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    def extended(self, lines: list[bytes]) -> _Block:
        """With more rows at the end."""
        block = _Block(self.texts + b"".join([line + _END for line in lines]))
        block.changed = self.changed
        return block

    def mended(self) -> _Block:
        """The same with what changed in its place."""
        lines = self.texts[1:].split(_END)
        for row, line in self.changed.items():
            lines[row] = line
        return _Block(_END + _END.join(lines))

    def line(self, row: int) -> bytes:
        """One text."""
        known = self.changed.get(row)
        return self.texts[self.starts[row] : self.starts[row + 1] - 1] if known is None else known

    def having(self, word: bytes) -> Mask:
        """Whether each row has a word; one that begins or ends with a line break is found there only."""
        found = _found(self.texts, self.starts, word)
        for row, line in tuple(self.changed.items()):
            found[row] = word in _END + line + _END
        return found


def _found(texts: bytes, starts: Slots, word: bytes) -> Mask:
    all_bytes, count = np.frombuffer(texts, np.uint8), len(starts) - 1
    last = len(texts) - len(word) + 1
    found = np.zeros(count, np.bool_)
    if last <= 0 or not count:
        return found
    here = all_bytes[:last] == word[0]
    for place in range(1, min(_BYTES, len(word))):
        here &= all_bytes[place : place + last] == word[place]
    if len(word) == 1:  # nearly all rows have some letters
        return np.logical_or.reduceat(here, starts[:-1])
    hits = np.flatnonzero(here)
    for place in range(_BYTES, len(word)):
        hits = hits[all_bytes[hits + place] == word[place]]
    rows = np.searchsorted(starts, hits + (word[:1] == _END), "right") - 1
    found[rows[rows < count]] = True
    return found


class TextIndex:
    """One folded text of each row, by slot; made in steps, or at a search."""

    def __init__(self, read: Read, size: Callable[[], int]) -> None:
        """`size`: how many slots there are."""
        self._read, self._size = read, size
        self._blocks: list[_Block] = []
        self._made = 0
        self._stale: set[int] = set()

    @property
    def is_ready(self) -> bool:
        """Whether there is nothing left to make."""
        return self._made >= self._size() and not self._stale

    def invalidate(self, slots: Sequence[int]) -> None:
        """The texts of these rows are no longer right."""
        made = self._made
        self._stale.update(slot for slot in slots if slot < made)

    def steps(self) -> Iterator[None]:
        """Make what is missing, some milliseconds in each step."""
        while self._made < self._size():
            if not self._blocks or len(self._blocks[-1]) >= ROWS:
                self._blocks.append(_Block())
            end = min(self._made + _MADE, self._size(), len(self._blocks) * ROWS)
            self._blocks[-1] = self._blocks[-1].extended(self._lines(range(self._made, end)))
            self._made = end
            yield
        while self._stale:
            some = [self._stale.pop() for _ in range(min(_MADE, len(self._stale)))]
            for slot, line in zip(some, self._lines(some), strict=True):
                self._blocks[slot // ROWS].changed[slot % ROWS] = line
            yield
        for place, block in enumerate(self._blocks):
            if len(block.changed) * 16 > len(block):
                self._blocks[place] = block.mended()
                yield

    def _lines(self, slots: Sequence[int]) -> list[bytes]:
        return [packed(text).replace(_END, b" ") for text in self._read(slots)]

    def ready(self) -> TextIndex:
        """With everything made."""
        for _ in self.steps():
            pass
        return self

    def line(self, slot: int) -> bytes:
        """The text of one row."""
        return self._blocks[slot // ROWS].line(slot % ROWS)

    def parts(self, word: bytes) -> Iterator[Mask]:
        """Whether each row has a word (packed, not empty), a block of rows at a time. Everything has to be made."""
        for block in tuple(self._blocks):
            yield block.having(word)

    def having(self, word: bytes) -> Mask:
        """Whether each row has a word."""
        return np.concatenate([np.zeros(0, np.bool_), *self.parts(word)])
