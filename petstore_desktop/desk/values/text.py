"""Text for searching and sorting: what a filter finds, what two spellings have in common, how numbers are written."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Literal, TypeAlias

from msgspec import Struct, field

NUL = "\0"
"""Stands between several ways to say one thing."""

# What people write between the digits of one number: # before an id, and every local group separator.
_DIGIT_DRESS = str.maketrans("", "", "#,.'’\u00a0\u202f\u2009\u066c_")


_ACCENTS = re.compile("[\u0300-\u08ff\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")
"""Where Unicode has combining marks that many leave out: accents, and the points of Hebrew and Arabic. Without those of
other scripts, such as Thai, Indic or Japanese ones (HA, BA, PA), a word is another word."""


MOST_SEARCHED, MOST_SORTED = 4_000, 400
"""So much of the beginning of a text is searched and sorted by. A name of a million letters takes up to four seconds of
the window's thread otherwise, and no person reads so far."""


def fold(text: str) -> str:
    """`text` without case and accents, with plain digits and apostrophes: what two spellings of one word share. Of a
    very long one its beginning, and signs that nobody types, which differ where the rest does."""
    if len(text) > MOST_SEARCHED:
        return _folded(text[:MOST_SEARCHED]) + _stands_for(text[MOST_SEARCHED:])
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(letter for letter in decomposed if not _is_accent(letter))
    # Decomposing can bring capitals back (fullwidth forms, ligatures), so the case is folded once more.
    return _plain_signs(bare.casefold())


def _is_accent(letter: str) -> bool:
    return unicodedata.combining(letter) > 0 and _ACCENTS.match(letter) is not None


def _stands_for(rest: str) -> str:
    """Sixteen signs of Unicode's private area, the same for the same text."""
    from hashlib import blake2b  # late: it loads a library of cryptography, and few texts are so long

    digest = blake2b(rest.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return "".join(chr(0xE000 + byte) for byte in digest)


def header_word(text: str) -> str:
    """What two spellings of a column's name have in common: `Category_ID`, `categoryId` and `category id`."""
    return "".join(letter for letter in fold(text) if letter.isalnum())


_HOLE = "\0"
"""Stands where a text goes that is folded with others."""


def fold_all(texts: Sequence[str]) -> list[str]:
    """Many texts folded, in a fraction of the time."""
    if max(map(len, texts), default=0) > MOST_SEARCHED:
        return list(map(fold, texts))
    joined = "\n".join(texts)
    if joined.count("\n") != len(texts) - 1 or _HOLE in joined:
        return list(map(fold, texts))
    if joined.isascii():
        return joined.lower().split("\n")
    others = iter(_folded("\n".join([text for text in texts if not text.isascii()])).split("\n"))
    plain = "\n".join([text if text.isascii() else _HOLE for text in texts]).lower().split("\n")
    return [next(others) if text == _HOLE else text for text in plain]


def _folded(text: str) -> str:
    """A long text folded: the marks to drop are looked up once for each."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    marks = "".join(filter(_is_accent, set(decomposed)))
    bare = re.sub(f"[{re.escape(marks)}]", "", decomposed) if marks else decomposed
    return _plain_signs(bare.casefold())


UNSEEN = "\u200e\u200f\u061c\u2066\u2067\u2068\u2069\u00ad\u200b"
"""Marks of direction, and where a word may be broken."""
_NOTHING = dict.fromkeys(f"\u0640{UNSEEN}", "")
_SAME = {"’": "'", "‘": "'", "ʼ": "'", "\u2212": "-", "ı": "i", "\u06cc": "\u064a", "\u06a9": "\u0643", **_NOTHING}
"""Signs that keyboards of two countries write differently in the same word: apostrophes, the minus, i without a dot
(Turkish), yeh and kaf (Persian and Arabic); and those that are not seen, or only stretch a word (Arabic)."""


def _plain_signs(text: str) -> str:
    """The text with one of each such sign, and the digits of all scripts (Unicode, category Nd) as those of ASCII."""
    for sign, plain in _SAME.items():
        text = text.replace(sign, plain)
    for digit in {letter for letter in set(text) if letter.isdecimal() and not letter.isascii()}:
        text = text.replace(digit, str(unicodedata.decimal(digit)))
    return text


_TYPED = str.maketrans("\uff1d\uff03\uff0b\uff0d\u30fc\uff0e\uff0c\u3000", "=#+--., ", UNSEEN)


def as_typed(text: str) -> str:
    """The text typed or pasted for a number, without marks of direction, signs of Japanese keyboards as plain ones."""
    return text.translate(_TYPED).strip()


def bare_digits(word: str) -> str:
    """The digits of a word that is a number or an id in any dress (`#1234`, `1,240`), else an empty string."""
    bare = word.translate(_DIGIT_DRESS)
    return bare if bare.isascii() and bare.isdigit() else ""


_LINKS = {"pet": "\x01", "category": "\x02"}
_LINK_END = "\x03"
# Signs that cannot be typed, so that a link is found by `pet:12` alone and never by a word or number in it: one for
# each that numbers, UUIDs and their like are made of, three for each other sign.
_ONE_SIGN = {ord(sign): chr(0x0E + place) for place, sign in enumerate("0123456789abcdef-")}
_LINK_SIGNS = {
    code: _ONE_SIGN.get(code) or f"\x1f{code:02x}".translate(_ONE_SIGN) for code in range(ord(" "), ord("~") + 1)
}


def link_text(kind: str, id_: str) -> str:
    """What makes a row findable by `pet:1234` or `category:3`: exactly the rows that name this record."""
    return f"{_LINKS[kind]}{fold(id_).translate(_LINK_SIGNS)}{_LINK_END}" if id_ else ""


_SIGN_OF: dict[str, str] = {str(sign): chr(code) for code, sign in _LINK_SIGNS.items()}
_LINK_PARTS: re.Pattern[str] = re.compile("\x1f..|[^\x1f]")


def linked_id(word: str) -> tuple[str, str] | None:
    """The kind and the id (folded) that a word made by `link_text` names; None for any other word."""
    kind = next((kind for kind, sign in _LINKS.items() if word.startswith(sign) and word.endswith(_LINK_END)), None)
    signs: list[str] = _LINK_PARTS.findall(word[1:-1])
    return None if kind is None else (kind, "".join([_SIGN_OF.get(sign, sign) for sign in signs]))


def _link_form(word: str) -> str:
    kind, colon, said = word.partition(":")
    return link_text(kind, bare_digits(said) or said.removeprefix("#")) if colon and kind in _LINKS else ""


class Separators(Struct, frozen=True):
    """How numbers are written here."""

    group: str = ","
    decimal: str = "."
    pairs: bool = False
    """Whether groups are of two digits but for the last, as in India: 1,00,000."""


DayOrder: TypeAlias = Literal["dmy", "mdy", "ymd"]
"""In which order day, month and year are written somewhere. A year of four digits in front is always read first."""


def _no_day(text: str, _today: date) -> tuple[date, date]:
    raise ValueError(text)


class LocaleForms(Struct, frozen=True):
    """How numbers and days are written here.

    `first_weekday`: as `date.weekday` counts (0: Monday); `day_words`: words for days (folded) and the English ones;
    `write_day`: a day in numbers, with its year or without; `read_days`: a day with
    a name in it, or a month by its name, by today, as the first and the last day (raises ValueError).
    """

    separators: Separators = Separators()
    day_order: DayOrder = "dmy"
    first_weekday: int = 0
    day_words: Mapping[str, str] = field(default_factory=dict[str, str])
    write_day: Callable[[date, bool], str] = lambda day, _with_year: day.isoformat()
    read_days: Callable[[str, date], tuple[date, date]] = _no_day


class Filter(Struct, frozen=True):
    """A filter text, taken apart. Each word is found in any of its forms; or the whole, if it is a number or a day."""

    words: tuple[tuple[str, ...], ...] = ()
    wholes: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether every row fits."""
        return not self.words

    def fits(self, blob: str) -> bool:
        """Whether a folded text of all columns holds all words, in any order."""
        for forms in self.words:
            if not any(form in blob for form in forms):
                return any(whole in blob for whole in self.wholes)
        return True


def parse_filter(text: str) -> Filter:
    """Take a filter text apart: words at white space, case and accents ignored, `#12 34` also taken as one id.

    `pet:1234` and `category:3` are the rows that name this record, and no others.
    """
    words = fold(text).split()
    forms: list[tuple[str, ...]] = []
    for word in words:
        digits = bare_digits(word)
        if word == "#":
            continue
        if link := _link_form(word):
            forms.append((link,))
        elif digits and word.startswith("#"):
            forms.append((digits,))
        elif digits and digits != word:
            forms.append((word, digits))
        else:
            forms.append((word,))
    whole = bare_digits("".join(words)) if len(forms) > 1 else ""
    if all(any(form in whole for form in one) for one in forms):
        whole = ""  # what holds the whole holds all words
    return Filter(tuple(forms), (whole,) if whole else ())


def visible(text: str) -> str:
    """`text` on one line with control and format characters (bidi overrides, zero width) shown as `<U+202E>`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(f"<U+{ord(letter):04X}>" if _is_hidden(letter) else letter for letter in text)


def _is_hidden(letter: str) -> bool:
    if letter in "\u200c\u200d":
        return False  # the joiners belong to the spelling of Persian, Hindi and emoji
    return unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp")
