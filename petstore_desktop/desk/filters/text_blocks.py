"""What the filter of the lists searches, packed: the texts of a thousand rows in one string, or a byte for each row."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from itertools import accumulate, repeat
from operator import contains
from string import ascii_lowercase, digits
from typing import Final, TypeAlias

from petstore_desktop.desk.values.text import fold

Steps: TypeAlias = Generator[None, None, None]

ROWS: Final = 1_024
"""The texts of this many rows are joined to one string."""
_PAUSE: Final = 8
"""Strings searched between two looks at the clock; at most a millisecond."""
_DENSE: Final = 10
"""If a word is in more than one row of this many, testing all rows is faster than searching for the next."""
DIGITS: Final = digits
LETTERS: Final = ascii_lowercase + digits
ELSEWHERE: Final = 255
"""Stands for a text that is not among the few."""
_AS_DIGITS: Final = bytes.maketrans(b"\0\1", b"01")
_AS_MARKS: Final = bytes.maketrans(b"01", b"\0\1")
_END: Final = b"\n"
"""Ends a text. No word of a filter holds white space, so none is found across it."""
_HIT: Final = b"\xff"
"""Is in no UTF-8."""
_OTHERS: Final = bytes(set(range(256)).difference(_END, _HIT))
_UNMARKED: Final = bytes.maketrans(_END, b"\0")


def packed(text: str) -> bytes:
    """A text as it is searched: its UTF-8, in which one sign of another script does not make the texts of a thousand
    rows twice as large. A part of a text is a part of it so packed, too."""
    return text.encode("utf-8", "surrogatepass")


class Lines:
    """A text for each row, by slot. Of each of `letters` it learns which rows have it: nearly all have some, and to ask
    them takes longest."""

    def __init__(self, letters: str = LETTERS) -> None:
        self._alphabet = letters
        self._texts: list[bytes] = []
        """Of a thousand rows each, packed; each row has an end."""
        self._starts: list[array[int]] = []
        """Where the rows of a text begin, and where the last one ends."""
        self._letters: list[list[int] | None] = []
        """The rows with each letter, a bit for a row; None until there was time."""

    def extend(self, lines: Sequence[str]) -> None:
        """The texts of the rows that come next."""
        done = 0
        if self._texts and (room := ROWS + 1 - len(self._starts[-1])):
            done = min(room, len(lines))
            self._put(len(self._texts) - 1, self._texts[-1] + _joined(lines[:done]))
        for first in range(done, len(lines), ROWS):
            self._texts.append(b"")
            self._starts.append(array("I"))
            self._letters.append(None)
            self._put(len(self._texts) - 1, _joined(lines[first : first + ROWS]))

    def replace(self, lines: Mapping[int, str]) -> None:
        """Other texts for some rows of the same thousand, by slot."""
        block = next(iter(lines)) // ROWS
        old = self._texts[block].split(_END)
        for slot, line in lines.items():
            old[slot % ROWS] = _joined((line,))[:-1]
        self._put(block, _END.join(old))

    def _put(self, block: int, text: bytes) -> None:
        sizes = [len(line) + 1 for line in text.split(_END)]
        sizes.pop()
        self._texts[block] = text
        self._starts[block] = array("H" if len(text) < 1 << 16 else "I", accumulate(sizes, initial=0))
        self._letters[block] = None

    def learn(self) -> Steps:
        """Find the rows of each letter, a thousand rows at a time."""
        for block, text in enumerate(self._texts):
            if self._letters[block] is None:
                lines = text.decode("latin-1").split("\n")[:-1]  # to ask a str is quicker
                self._letters[block] = [  # a bit for each row, the first row first
                    int(bytes(map(contains, lines, repeat(letter))).translate(_AS_DIGITS), 2)
                    for letter in self._alphabet
                ]
                yield

    @property
    def is_learned(self) -> bool:
        """Whether the rows of each letter are known."""
        return None not in self._letters

    def having(self, word: bytes) -> Callable[[int], bool]:
        """Tells by its slot whether a row has a word (packed)."""
        texts, starts = self._texts, self._starts

        def has(slot: int) -> bool:
            block, row = divmod(slot, ROWS)
            at = starts[block]
            return texts[block].find(word, at[row], at[row + 1]) >= 0

        return has

    def mark(self, word: bytes, marks: bytearray) -> Steps:
        """Mark the rows that have a word (packed)."""
        places = [place for place, letter in enumerate(self._alphabet) if ord(letter) in word]
        is_letter, dense = bool(places) and len(word) == 1, False
        for block, (text, starts, letters) in enumerate(
            list(zip(self._texts, self._starts, self._letters, strict=True))
        ):
            first = block * ROWS
            may = -1 if letters is None else _with_all(letters, places)
            if is_letter and letters is not None:
                _put_marks(marks, first, _spread(may, len(starts) - 1))
            elif dense:
                picks = _with_word(text, word)
                _put_marks(marks, first, picks)
                dense = picks.count(1) * _DENSE > len(picks)
            elif may:
                dense = _mark_found(text, starts, word, marks, first) * _DENSE > len(starts)
            if block % _PAUSE == 0:
                yield


class TextCodes(dict[str, int]):
    """Of a column in which few texts stand in many rows: the byte that stands for a text, and that of each row."""

    def __init__(self) -> None:
        super().__init__()
        self.codes = bytearray()
        """By slot."""
        self._folded: list[bytes] = []

    def __missing__(self, text: str) -> int:
        if len(self) >= ELSEWHERE:
            return ELSEWHERE
        code = self[text] = len(self)
        self._folded.append(packed(fold(text)))
        return code

    def having(self, word: bytes) -> bytes:
        """By byte, whether its text has a word (packed)."""
        return bytes(word in text for text in self._folded).ljust(256, b"\0")


def _joined(lines: Iterable[str]) -> bytes:
    return packed("".join([line.replace("\n", " ") + "\n" if "\n" in line else line + "\n" for line in lines]))


def _spread(bits: int, count: int) -> bytes:
    """A byte for each bit."""
    return f"{bits:0{count}b}".encode("ascii").translate(_AS_MARKS) if bits else b""


def _with_all(letters: list[int], places: Iterable[int]) -> int:
    """The rows that have all of these letters."""
    bits = -1
    for place in places:
        bits &= letters[place]
    return bits


def _with_word(text: bytes, word: bytes) -> bytes:
    """A byte for each row of one text: 1 where it has the word. Nothing but what is found and the ends of the rows is
    left, and then only what comes right before an end."""
    left = text.replace(word, _HIT.ljust(len(word))).translate(None, _OTHERS)
    return left.replace(_HIT + _END, b"\1").translate(_UNMARKED, _HIT)


def _mark_found(text: bytes, starts: array[int], word: bytes, marks: bytearray, first: int) -> int:
    """Mark the rows of one text that have a word, by finding it; how many these are."""
    find, count = text.find, 0
    place = find(word)
    while place >= 0:
        row = bisect_right(starts, place)
        marks[first + row - 1] = 1
        count += 1
        place = find(word, starts[row])
    return count


def _put_marks(marks: bytearray, first: int, picks: bytes) -> None:
    end = first + len(picks)
    marks[first:end] = either(marks[first:end], picks) if marks.find(1, first, end) >= 0 else picks


def either(one: bytes | bytearray, other: bytes | bytearray) -> bytes:
    """The union of two sets of marks."""
    marks = int.from_bytes(one, "little") | int.from_bytes(other, "little")
    return marks.to_bytes(max(len(one), len(other)), "little")


def both(one: bytes | bytearray, other: bytes | bytearray) -> bytes:
    """The intersection of two sets of marks."""
    marks = int.from_bytes(one, "little") & int.from_bytes(other, "little")
    return marks.to_bytes(max(len(one), len(other)), "little")
