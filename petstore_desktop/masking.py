"""Finds a secret in a text, however the text writes it: as it is, escaped any number of times, in base64 or as the
numbers of its bytes, with what is not seen, or ends of lines, between its signs.

A text is searched as it stands, then with one layer of its escapes undone, and so on until nothing is left to undo.
What is found is masked where it stands in the text as it was. `re` finds the first signs of a secret; the rest is
compared sign by sign, so that a long secret costs no more than its length. What is packed or enciphered is not found,
nor base64 of a text that writes the key in another way than as it is: base64 is found by the letters that stand for the
key alone.
"""

from __future__ import annotations

import base64
import html
import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

MASK: Final = "***"
_LAYERS: Final = 12
"""How many layers of different escapes are undone; a run of one kind (`%252525`, backslashes) counts once."""
_SHORTEST: Final = 6
"""Shorter secrets are looked for as they are and in their escapes only: too much else looks like their base64."""
_COMMON: Final = 12
"""Shorter ones of letters alone, or of digits alone, may be a word or a number of any text."""
_HEADER: Final = re.compile(r"authorization|(?:x[-_])?api[-_]?key|access[-_]?token", re.IGNORECASE)

Span: TypeAlias = tuple[int, int]

_ESCAPE: Final = re.compile(
    r"""
    [\\%&] (?:
      (?<=\\) \\* (?: (?: (?-i:U0000) | u ) (?P<u> [0-9a-f]{4} ) | u \{ (?P<brace> [0-9a-f]{1,8} ) \}  # JSON, languages
        | x (?P<x> [0-9a-f]{2} ) | (?P<octal> [0-3][0-7]{2} | [0-7]{2} ) | (?P<sign> . ) )?
      | (?<=%) (?:25)* (?: u00 )? (?P<percent> [2-7][0-9a-f] )                                        # RFC 3986, 2.1
      | (?<=&) (?: amp; )* (?: \# 0* (?P<decimal> [0-9]{1,7} ) | \# x 0* (?P<hex> [0-9a-f]{1,6} )     # HTML, 13.1.4
        | (?P<name> (?! amp; ) [a-z]{2,10} ) ) ;?
      | (?<=&) (?: amp; )+
    )
    """,
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
"""It begins with a set of signs: by that `re` finds the places where to try it at all."""
_SIGNS: Final = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "0": "\0"}
_BETWEEN: Final = "(?:[\\s\0\u00ad\u200b-\u200f\u2060-\u2064\ufeff]|=(?:\r?\n|\r))*"
"""Line ends, soft ones of mail too, and invisible characters."""
_GAP: Final = re.compile(_BETWEEN)
_NO_GAP: Final = re.compile("")
_HEX_GAP: Final = re.compile(r"[\s:,;_-]{0,40}(?:[0\\]x)?")
_DECIMAL_GAP: Final = re.compile(r"[\s,;]{1,40}")
_FIRST: Final = 8
"""So many signs of a form are looked for by `re`."""
_LOWER: Final = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
_BASE64: Final = {"+": "+-", "/": "/_", "-": "+-", "_": "/_"}
"""The two signs that base64 for addresses writes in another way (RFC 4648, 5)."""


def masked(text: str, secrets: Iterable[str]) -> str:
    """The text with each of the secrets masked; of a user name and a password the password alone, too."""
    pieces, done = list[str](), 0
    for begin, end in _united(_found(text, [form for secret in secrets for form in _forms(secret)])):
        pieces += text[done:begin], MASK
        done = end
    return "".join((*pieces, text[done:])) if pieces else text


def holds(text: str, secrets: Iterable[str]) -> bool:
    """Whether one of the secrets stands in the text; secrets that may be any word are not looked for."""
    telling = [form for secret in secrets if not is_common(secret) for form in _forms(secret)]
    return next(_found(text, telling), None) is not None


def is_common(secret: str) -> bool:
    """Whether a secret may as well be any word or number of a text, or the name of a header that keys are sent in: any
    document says that."""
    word = len(secret) < _COMMON and (secret.isalpha() or secret.isdigit())
    return word or _HEADER.fullmatch(secret) is not None


def repeats(text: str, secrets: Iterable[str]) -> bool:
    """Whether one of the secrets stands in the text as it is, or as JSON writes it; secrets that may be any word are
    not looked for. Quick: for what is read, and not shown."""
    small = text.lower()
    return any(form in small for secret in secrets if not is_common(secret) for form in _plain_forms(secret))


@lru_cache(maxsize=1024)
def _plain_forms(secret: str) -> tuple[str, ...]:
    password = secret.partition(":")[2]
    known = (secret, password) if len(password) >= _SHORTEST else (secret,)
    return tuple(dict.fromkeys(form for one in known for form in (one.lower(), json.dumps(one.lower())[1:-1])))


class _Form:
    """One way to write a secret: `units` with gaps between them, each in one of several ways."""

    def __init__(self, units: Sequence[tuple[str, ...]], gap: re.Pattern[str], before: int = 0, after: int = 0) -> None:
        self._rest, self._gap, self._before, self._after = units[_FIRST:], gap, before, after
        # What begins with one letter is found the fastest.
        first, *others = ["|".join(map(re.escape, unit)) for unit in units[:_FIRST]]
        rest = "".join(f"{gap.pattern}(?:{unit})" for unit in others)
        self._begin = [re.compile(f"(?:{way}){rest}") for way in (first.split("|") if rest else [first])]
        self._plain = "".join(unit[0] for unit in self._rest)

    def within(self, text: str) -> Iterator[Span]:
        """Where it stands in a text."""
        for pattern in self._begin:
            begin = pattern.search(text)
            while begin is not None:
                end = self._end(text, begin.end())
                if end is not None:
                    yield self._whole(text, begin.start(), end)
                begin = pattern.search(text, begin.start() + 1 if end is None else end)

    def _end(self, text: str, place: int) -> int | None:
        """Where the rest of it ends that begins here, if it does."""
        if text.startswith(self._plain, place):
            return place + len(self._plain)
        places = {place}
        for unit in self._rest:
            starts = {start for place in places for start in self._starts(text, place, unit)}
            places = {start + len(way) for start in starts for way in unit if text.startswith(way, start)}
            if not places:
                return None
        return max(places)

    def _starts(self, text: str, place: int, unit: tuple[str, ...]) -> Iterator[int]:
        """Where the next unit may begin: after the gap, or in it where it is made of the same sign."""
        gap = self._gap.match(text, place)
        end = place if gap is None else gap.end()
        yield end
        if end > place:
            yield from (at for at in range(place, end) if text[at] == unit[0])

    def _whole(self, text: str, begin: int, end: int) -> Span:
        if not self._before and not self._after:
            return begin, end
        end = min(end + self._after, len(text))
        return max(begin - self._before, 0), end


class _Forms:
    """What a secret looks like: in small letters as it is and with its own escapes undone, the numbers of its bytes,
    and the middle of its base64 at each of the three places where it can begin in a group."""

    def __init__(self, secret: str) -> None:
        data = secret.encode("utf-8", "surrogatepass")
        undone, layers = secret, 0
        while (step := _undo(undone)) is not None and layers < _LAYERS:
            undone, layers = step.text, layers + 1
        plain = {one.translate(_LOWER) for one in ({secret, undone} if len(undone) >= 4 else {secret})}
        self._words = [_as_word(one) for one in plain if is_common(one)]
        if len(data) < _SHORTEST:
            self._small = [_Form([(sign,) for sign in one], _NO_GAP) for one in plain if not is_common(one)]
            self._exact = [_of_base64(_whole(data + end)) for end in (b"", b":")]
        else:
            self._small = _numbers(data) + [_spaced(one) for one in plain if not is_common(one)]
            self._exact = [_middle(data, begin) for begin in range(3)]

    def within(self, text: str, small: str) -> Iterator[Span]:
        """Where it stands in a text; `small`: the same in small letters."""
        for word in self._words:
            for match in word.finditer(small):
                yield match.span()
        for form in self._small:
            yield from form.within(small)
        for form in self._exact:
            for begin, end in form.within(text):
                rest = text[end : end + 2]
                yield begin, end + len(rest) - len(rest.lstrip("="))


def _as_word(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")


def _spaced(text: str) -> _Form:
    """Signs with something between them, each as it is or as mail escapes it (RFC 2045, 6.7). That is undone with no
    other escape: many a key stands after a `=`."""
    return _Form([(sign, f"={ord(sign):02x}") if sign.isascii() else (sign,) for sign in text], _GAP)


def _numbers(data: bytes) -> list[_Form]:
    """The bytes by their numbers, as a dump or a list writes them: to the base of 16, and of 10."""
    hexes = _Form([(f"{byte:02x}",) for byte in data], _HEX_GAP)
    return [hexes, _Form([(str(byte),) for byte in data], _DECIMAL_GAP)]


def _whole(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii").rstrip("=")


def _of_base64(letters: str, before: int = 0, after: int = 0) -> _Form:
    return _Form([(letter, *_BASE64.get(letter, "").replace(letter, "")) for letter in letters], _GAP, before, after)


def _middle(data: bytes, begin: int) -> _Form:
    """The letters of base64 that hold nothing but these bytes, where they come after `begin` others; and how many
    before and after them hold some bits."""
    first, end = begin * 8, (begin + len(data)) * 8
    whole = _whole(b"\0" * begin + data)
    return _of_base64(whole[-(-first // 6) : end // 6], bool(first % 6), bool(end % 6))


@lru_cache(maxsize=1024)
def _forms(secret: str) -> tuple[_Forms, ...]:
    password = secret.partition(":")[2]
    return (_Forms(secret), _Forms(password)) if len(password) >= _SHORTEST else (_Forms(secret),)


def _found(text: str, forms: Sequence[_Forms], layers: int = _LAYERS) -> Iterator[Span]:
    small = text.lower() if text.isascii() else text.translate(_LOWER)
    for form in forms:
        yield from form.within(text, small)
    step = _undo(text) if layers and forms else None
    if step is not None:
        yield from (step.span(*span) for span in _found(step.text, forms, layers - 1))


def _united(spans: Iterable[Span]) -> list[Span]:
    """Spans in order, those that touch as one."""
    united = list[Span]()
    for begin, end in sorted(spans):
        if united and begin <= united[-1][1]:
            united[-1] = united[-1][0], max(end, united[-1][1])
        else:
            united.append((begin, end))
    return united


class _Undone:
    """A text with some pieces replaced, and where each sign of it came from."""

    def __init__(self) -> None:
        self.text = ""
        self._at = [0]
        """Where in the new text a piece begins that was replaced, or the one after it; in the old one: `_was`."""
        self._was = [0]
        self._pieces = list[str]()
        self._length = 0

    def add(self, as_it_was: str, instead: str, begin: int, end: int) -> None:
        """A piece without any escape, and what stands now for the old text from `begin` to `end`."""
        self._pieces += as_it_was, instead
        self._length += len(as_it_was)
        self._mark(begin)
        self._length += len(instead)
        self._mark(end)

    def _mark(self, was: int) -> None:
        self._at.append(self._length)
        self._was.append(was)

    def finish(self, rest: str) -> _Undone:
        self.text = "".join((*self._pieces, rest))
        return self

    def span(self, begin: int, end: int) -> Span:
        """What these signs were before."""
        return self._before(begin, up=False), self._before(end - 1, up=True)

    def _before(self, place: int, *, up: bool) -> int:
        """Where the sign at `place` began, or ended, in the old text."""
        mark = bisect_right(self._at, place) - 1
        if mark % 2:  # in a piece that was replaced: all of it
            return self._was[mark + up]
        return self._was[mark] + place - self._at[mark] + up


def _undo(text: str) -> _Undone | None:
    """The text with each escape replaced by what it means; None where nothing changes."""
    undone, done, changed = _Undone(), 0, False
    for match in _ESCAPE.finditer(text):
        instead = _meant(match)
        if instead != match[0]:
            undone.add(text[done : match.start()], instead, match.start(), match.end())
            done, changed = match.end(), True
    return undone.finish(text[done:]) if changed else None


def _meant(match: re.Match[str]) -> str:
    kind = match.lastgroup
    if kind is None:
        return match[0][:1]  # backslashes or ampersands alone
    value = match[kind]
    if kind == "sign":
        return _SIGNS.get(value, value)
    if kind == "name":
        sign = html.unescape(f"&{value};")
        return sign if len(sign) == 1 else match[0]
    number = int(value, _BASES.get(kind, 16))
    return chr(number) if number < 0x110000 else match[0]


_BASES: Final = {"decimal": 10, "octal": 8}
