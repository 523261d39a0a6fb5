"""Numbers that sort as texts do in the person's language.

Sorting a hundred thousand names by a collator's own keys takes a third of a second, and the keys of a million fill
the memory. So each different text is put in its place once, and has a number from then on; rows are sorted by numbers.
For most languages even that is done without a key of the collator for each text: `Collation` asks it how single
characters and pairs of them sort, and makes keys that are plain strings.
"""

from __future__ import annotations

import re
import string
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Generator, Sequence
from itertools import pairwise, repeat
from typing import Any, Final

from petstore_desktop.desk.values.text import fold

MISSING: Final = -(2**63)
"""What stands in a column of numbers where there is none; it sorts last both ways."""
_GAP, _STEP = 1 << 40, 1 << 20
"""How far apart numbers are at first, and those that are put between two."""
_BLOCK = 64
_KEPT = 16_384
_SLICE = 2048
_FEW = 512
_FIRST_WEIGHT = 0x20
_BEHIND = "\x7f"
"""Comes after every weight of an ASCII character."""
_DIGITS = re.compile("[0-9]+")
_LATIN = range(0xC0, 0x250)


def _sized(found: re.Match[str]) -> str:
    """Digits that sort as the number does: how many there are comes first."""
    digits = found[0].lstrip("0") or "0"
    size = len(digits)
    return f"{size}{digits}" if size < 9 else f"9{size:04}{digits}"


class _Weights(dict[int, "str | None"]):
    """What each character sorts as, worked out when it is first met; None: as if it were not there."""

    def __init__(self, sort_key: Callable[[str], Any]) -> None:
        super().__init__()
        self._sort_key = sort_key
        self._keys: list[Any] = []
        self._signs: list[str] = []
        self._latin: dict[str, int] = {}
        weight, last = _FIRST_WEIGHT, sort_key("")
        signs = [sign for sign in map(chr, range(128)) if not sign.isupper()]
        for key, sign in sorted(((sort_key(sign), sign) for sign in signs), key=lambda pair: pair[0]):
            if last < key:
                weight, last = weight + 1, key
            self[ord(sign)] = chr(weight) if weight > _FIRST_WEIGHT else None
            self._keys.append(key)
            self._signs.append(sign)
        dropped = [code for code in range(128) if self.get(code) is None]
        self._table = bytes(ord(self.get(code) or "\0") for code in range(128)) + bytes(128)
        self._dropped = bytes(code for code in dropped if not chr(code).isupper())

    def plain(self, low: str) -> str:
        """What an ASCII text in small letters sorts as."""
        return low.encode("ascii").translate(self._table, self._dropped).decode("ascii")

    def __missing__(self, code: int) -> str | None:
        sign = chr(code)
        weight = self[code] = None if unicodedata.combining(sign) else self._weigh(sign)
        return weight

    def _weigh(self, sign: str) -> str:
        place = bisect_right(self._keys, self._sort_key(sign)) - 1
        below = self._signs[place] if place >= 0 else ""
        for base in (unicodedata.normalize("NFD", sign)[0], below):
            if base.isascii() and base.isalpha() and self._sort_key(f"{sign}a") < self._sort_key(f"{base}b"):
                return self[ord(base)] or ""  # the same letter, but for its accent
        before = (self[ord(below)] or "") if below else ""
        return f"{before}{_BEHIND}{self._order_of(sign)}"

    def _order_of(self, sign: str) -> str:
        """Among those that have a place of their own after the same ASCII letter."""
        if ord(sign) not in _LATIN:
            return f"\uffff{sign}"
        if not self._latin:
            letters = sorted((chr(code) for code in _LATIN), key=self._sort_key)
            self._latin = {letter: number for number, letter in enumerate(letters)}
        return chr(0x100 + self._latin[sign])


class Collation:
    """The sort key of a text. `sort_key` is a collator's, whose keys need to know no more than `<`."""

    def __init__(self, sort_key: Callable[[str], Any] = fold) -> None:
        self._sort_key = sort_key
        self._weights: _Weights | None = None
        self._numeric = False
        self.key: Callable[[str], Any] = sort_key if sort_key is fold else self._first
        """The key of a text; all keys of one collation are of one kind."""

    def _first(self, text: str) -> Any:
        """Decides which keys there are; that is only done when the first is asked for."""
        if self.key == self._first:
            self.key = self._plain if self._is_plain() else self._sort_key
        return self.key(text)

    def _is_plain(self) -> bool:
        """Whether strings can stand for the collator's keys: it sorts letter by letter, as far as pairs of ASCII
        letters tell. Languages in which two letters are one (Czech ch, Hungarian cs) do not."""
        key = self._sort_key
        if key("a") < key("A") or key("A") < key("a") or not key("a") < key("b"):
            return False
        self._weights = _Weights(key)
        self._numeric = key("9") < key("10")
        letters = string.ascii_lowercase
        keys = [key(one + two) for one in letters for two in letters]
        return all(one < two for one, two in pairwise(keys))

    def _plain(self, text: str) -> str:
        weights = self._weights
        if weights is None:
            return fold(text)
        if text.isascii():
            low = text.lower()
            return weights.plain(_DIGITS.sub(_sized, low) if self._numeric else low)
        low = unicodedata.normalize("NFC", text.casefold())
        sized = _DIGITS.sub(_sized, low) if self._numeric else low
        return f"{sized.translate(weights)}\0{low}"  # what differs in accents only comes after what has none

    def keys(self, texts: list[str]) -> list[Any]:
        """The keys of many."""
        key = self.key
        return [key(text) for text in texts]


class Ranks:
    """The numbers of all texts met so far. Texts that sort as equal have the same number; an empty one has MISSING."""

    def __init__(self, collation: Collation | None = None) -> None:
        self._collation = collation or Collation()
        self._texts: list[list[str]] = []
        self._numbers: list[array[int]] = []
        self._firsts: list[Any] = []
        """The key of the first text of each block."""
        self._kept: dict[str, int] = {"": MISSING}
        self._changes = 0
        """How often texts were put in: numbers that are worked out in steps must fit to those given out meanwhile."""

    def of(self, text: str) -> int:
        """The number of one text."""
        number = self._kept.get(text)
        if number is None:
            if len(self._kept) >= _KEPT:
                self._kept = {"": MISSING}
            number = self._kept[text] = self._find(text)
        return number

    def many(self, texts: Sequence[str]) -> Generator[None, None, array[int]]:
        """The numbers of many texts, worked out in short steps."""
        if len(texts) <= _FEW:
            return array("q", map(self.of, texts))
        table: dict[str, int] = {"": MISSING}
        yield from self._learn(texts, table)
        found = array("q")
        for start in range(0, len(texts), _SLICE):
            found.extend(map(table.__getitem__, texts[start : start + _SLICE]))
            yield
        return found

    def _learn(self, texts: Sequence[str], table: dict[str, int]) -> Generator[None, None, None]:
        """Fill the table with the numbers of these texts, and of others."""
        for number, (block, numbers) in enumerate(zip(self._texts, self._numbers, strict=True)):
            table.update(zip(block, numbers, strict=True))
            if number % 128 == 0:
                yield
        fresh: set[str] = set()
        for start in range(0, len(texts), _SLICE):
            fresh.update(text for text in texts[start : start + _SLICE] if text not in table)
            yield
        new = list(fresh)
        del fresh
        if len(new) > _FEW and len(new) > len(table) // 8:
            yield from self._merge(new, table)
            return
        for number, text in enumerate(new):
            table[text] = self.of(text)
            if number % 64 == 0:
                yield

    # ---- one

    def _find(self, text: str) -> int:
        key = self._collation.key(text)
        if not self._firsts:
            self._put(0, 0, text, key, 0)
            return 0
        block = max(0, bisect_right(self._firsts, key) - 1)
        texts, numbers = self._texts[block], self._numbers[block]
        at = bisect_left(texts, key, key=self._collation.key)
        if at < len(texts) and not key < self._collation.key(texts[at]):
            return numbers[at]
        before = numbers[:at] or (self._numbers[block - 1] if block else None)
        after = numbers[at : at + 1] or (self._numbers[block + 1] if block + 1 < len(self._texts) else None)
        number = _between(before[-1] if before else None, after[0] if after else None)
        self._put(block, at, text, key, number)
        return number

    def _put(self, block: int, at: int, text: str, key: Any, number: int) -> None:
        self._changes += 1
        if not self._texts:
            self._texts, self._numbers, self._firsts = [[text]], [array("q", (number,))], [key]
            return
        texts, numbers = self._texts[block], self._numbers[block]
        texts.insert(at, text)
        numbers.insert(at, number)
        if at == 0:
            self._firsts[block] = key
        if len(texts) > 2 * _BLOCK:
            self._texts[block : block + 1] = [texts[:_BLOCK], texts[_BLOCK:]]
            self._numbers[block : block + 1] = [numbers[:_BLOCK], numbers[_BLOCK:]]
            self._firsts.insert(block + 1, self._collation.key(texts[_BLOCK]))

    # ---- many

    def _merge(self, fresh: list[str], table: dict[str, int]) -> Generator[None, None, None]:
        """Put many between those that are here; anew where others were put there meanwhile."""
        keys, texts = yield from self._sorted(fresh)
        while not (yield from self._put_between(keys, texts, table)):
            pass

    def _put_between(self, keys: list[Any], texts: list[str], table: dict[str, int]) -> Generator[None, None, bool]:
        """Put these sorted texts between those that are here; False, and none is put, where others came meanwhile."""
        changes = self._changes
        known: list[tuple[Any, str, int]] = []
        for block, numbers in zip(self._texts, self._numbers, strict=True):
            known += zip(self._collation.keys(block), block, numbers, strict=True)
            yield
        merged, ranks = list[str](), array("q")
        start, low = 0, None
        for key, text, number in [*known, (None, "", None)]:
            end = len(keys) if number is None else bisect_left(keys, key, start)
            for part, found in _spread(low, number, keys, start, end):
                merged += texts[part : part + len(found)]
                ranks.extend(found)
                yield
            if number is not None:
                same = bisect_right(keys, key, end)  # other spellings of what sorts as equal
                merged += [text, *texts[end:same]]
                ranks.extend(repeat(number, same - end + 1))
                end = same
            start, low = end, number
        for begin in range(0, len(merged), _SLICE):
            table.update(zip(merged[begin : begin + _SLICE], ranks[begin : begin + _SLICE], strict=True))
            yield
        return (yield from self._lay_out(merged, ranks, changes))

    def _lay_out(self, merged: list[str], ranks: array[int], changes: int) -> Generator[None, None, bool]:
        texts: list[list[str]] = []
        numbers: list[array[int]] = []
        firsts: list[Any] = []
        for number, begin in enumerate(range(0, len(merged), _BLOCK)):
            texts.append(merged[begin : begin + _BLOCK])
            numbers.append(ranks[begin : begin + _BLOCK])
            firsts.append(self._collation.key(merged[begin]))
            if number % 64 == 0:
                yield
        if self._changes != changes:
            return False
        self._texts, self._numbers, self._firsts = texts, numbers, firsts
        self._changes += 1
        return True

    def _sorted(self, texts: list[str]) -> Generator[None, None, tuple[list[Any], list[str]]]:
        sample = sorted(self._collation.keys(texts[:: max(1, len(texts) // 1024)]))
        yield
        pivots = sample[:: max(1, len(sample) * _SLICE // len(texts))]
        # Keys and texts lie apart: pairs of them would take most of the memory that is needed meanwhile.
        buckets: list[tuple[list[Any], list[str]]] = [([], []) for _ in range(len(pivots) + 1)]
        for start in range(0, len(texts), _SLICE):
            part = texts[start : start + _SLICE]
            for key, text in zip(self._collation.keys(part), part, strict=True):
                some_keys, some = buckets[bisect_right(pivots, key)]
                some_keys.append(key)
                some.append(text)
            yield
        keys: list[Any] = []
        ordered: list[str] = []
        for number, (some_keys, some) in enumerate(buckets):
            places = sorted(range(len(some)), key=some_keys.__getitem__)
            keys += map(some_keys.__getitem__, places)
            ordered += map(some.__getitem__, places)
            buckets[number] = ([], [])
            yield
        return keys, ordered


def _between(low: int | None, high: int | None) -> int:
    """A number for what comes between two; where there is no room left, it is as high as the lower one."""
    if high is None:
        return 0 if low is None else low + _GAP
    if low is None:
        return high - _GAP
    return low + min((high - low) // 2, _STEP)


def _spread(
    low: int | None, high: int | None, keys: list[Any], start: int, end: int
) -> Generator[tuple[int, array[int]], None, None]:
    """Numbers for the sorted keys from `start` to before `end` between two, a part at a time and where it begins;
    equal keys have the same."""
    count = end - start
    if low is None:
        base, step = (-(count // 2) * _GAP if high is None else high - (count + 1) * _GAP), _GAP
    else:
        base, step = low, _GAP if high is None else min(_GAP, (high - low) // (count + 1))
    number, last = base, None
    for begin in range(start, end, _SLICE):
        found = array("q")
        for place, key in enumerate(keys[begin : min(begin + _SLICE, end)], begin - start + 1):
            if place == 1 or last < key:
                number, last = base + place * step, key
            found.append(number)
        yield begin, found
