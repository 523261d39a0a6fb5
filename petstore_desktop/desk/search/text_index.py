"""Searches one text of all rows, such as their names, without case and accents: in one block of bytes, with numpy.

The texts lie by slot, so that a sort touches none of them. What changed since a block was made is beside it. (Which
columns are searched so: `filters/cell_search`.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np

from petstore_desktop.desk.search.arrays import Mask, Slots

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
