"""How texts sort in the person's language, and what decides between rows that are equal in all else: their ids.

Sorting a hundred thousand names by a collator's own keys takes a third of a second. So for most languages `Collation`
asks the collator once how single characters and pairs of them sort, and makes keys that are plain bytes.
"""

from __future__ import annotations

import re
import string
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Generator, Sequence
from itertools import pairwise
from typing import Any

from petstore_desktop.desk.values.text import MOST_SORTED, fold
from petstore_desktop.domain.records import INT64_MAX, INT64_MIN, ContentId, Key, LocalId

_SLICE = 512
_FIRST_WEIGHT = ord("\n") + 1
"""Those of all 102 ASCII characters but the capitals come behind it and before _BEHIND, even where a collator ignores
none and takes no two for equal."""
_BEHIND = "\x7f"
"""Comes after every weight of an ASCII character."""
_DIGITS = re.compile("[0-9]+")
_LATIN = range(0xC0, 0x250)
_END = ord("\n")


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
            counts = weight > _FIRST_WEIGHT and not self._is_passed_over(sign)
            self[ord(sign)] = chr(weight) if counts else None
            self._keys.append(key)
            self._signs.append(sign)
        dropped = [code for code in range(128) if self.get(code) is None]
        self._table = bytes(ord(self.get(code) or "\0") for code in range(128)) + bytes(128)
        self._dropped = bytes(code for code in dropped if not chr(code).isupper())
        self._lines = self._table[:_END] + bytes((_END,)) + self._table[_END + 1 :]
        self._between = self._dropped.replace(bytes((_END,)), b"")

    def _is_passed_over(self, sign: str) -> bool:
        """Whether words sort as if this sign in them were not there, as Windows does with hyphens: "co-op" after
        "cook"."""
        key = self._sort_key
        return not sign.isalnum() and key("aa") < key(f"a{sign}b") < key("az")

    def plain(self, low: str) -> str:
        """What an ASCII text in small letters sorts as."""
        return low.encode("ascii").translate(self._table, self._dropped).decode("ascii")

    def plain_lines(self, low: str) -> list[bytes]:
        """The same of each line of an ASCII text."""
        return low.encode("ascii").translate(self._lines, self._between).split(b"\n")

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
        self._key: Callable[[str], Any] = sort_key if sort_key is fold else self._first

    def key(self, text: str) -> Any:
        """The key of a text, by its beginning; all keys of one collation are of one kind."""
        return self._key(text[:MOST_SORTED])

    def _first(self, text: str) -> Any:
        """Decides which keys there are; that is only done when the first is asked for."""
        if self._key == self._first:
            self._key = self._plain if self._is_plain() else self._sort_key
        return self._key(text)

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

    def keys(self, texts: Sequence[str]) -> list[bytes] | list[Any]:
        """The keys of many texts: bytes that sort as the keys do, for most languages; else the keys themselves."""
        if max(map(len, texts), default=0) > MOST_SORTED:
            texts = [text[:MOST_SORTED] for text in texts]
        if not isinstance(self.key(""), str):
            return list(map(self.key, texts))
        plain = [text for text in texts if text.isascii() and "\n" not in text]
        low = "\n".join(plain).lower()
        if self._weights is None or not plain:
            return [self.key(text).encode("utf-8", "surrogatepass") for text in texts]
        lines = self._weights.plain_lines(_DIGITS.sub(_sized, low) if self._numeric else low)
        if len(plain) == len(texts):
            return lines
        keys = dict(zip(plain, lines, strict=True))
        return [keys.get(text) or self.key(text).encode("utf-8", "surrogatepass") for text in texts]


def collated(collation: Collation, texts: Sequence[str], missing: int) -> list[int]:
    """The places of a few texts in their order: equal ones have the same, and an empty one has `missing`."""
    keys = [collation.key(text) for text in texts]
    ordered = sorted(range(len(texts)), key=keys.__getitem__)
    places, place, before = [missing] * len(texts), 0, -1
    for one in ordered:
        place += before >= 0 and keys[before] < keys[one]
        places[one], before = place if texts[one] else missing, one
    return places


def sort_keys(collation: Collation, texts: Sequence[str]) -> Generator[None, None, dict[str, Any]]:
    """The keys of many texts, by these; a millisecond in each step."""
    keys: dict[str, Any] = {}
    for start in range(0, len(texts), _SLICE):
        keys.update((text, collation.key(text)) for text in texts[start : start + _SLICE])
        yield
    return keys


def tie_text(key: Key) -> str:
    """What decides between rows whose ids are no numbers: larger numbers first, then texts, then what has no id; empty
    for a number of 64 bits, which comes before all of them."""
    if isinstance(key, LocalId):
        return f"3{key.value}"
    if isinstance(key, ContentId):
        return f"2{key.value}"
    if isinstance(key, str):
        return f"1{fold(key)}\0{key}"
    return "" if INT64_MIN < key <= INT64_MAX else f"0{len(str(key)):05}{key}"


def tie(key: Key) -> tuple[str, int]:
    """What one row sorts by in the end."""
    text = tie_text(key)
    return text, key if isinstance(key, int) and not text else 0
