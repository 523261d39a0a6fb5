"""What a person types into the filter of a column, taken apart and asked of one value.

All columns share one grammar. Terms must all hold: in text they stand apart by spaces, elsewhere by the operator that
begins each (`>10 <20`). Within a term `a|b` is either, and a `!` before it turns all of it round: `!a|b` is neither.
Values are plain: folded text (spellings and `#id` apart by NUL, empty text for none), whole numbers, or days as the
ordinals of the calendar, None for none; NO_DAY is a date that cannot be read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.desk.values.cells import Family
from petstore_desktop.desk.values.text import NUL, UNSEEN, LocaleForms, as_typed, bare_digits, fold
from petstore_desktop.desk.values.typed_numbers import parse_whole
from petstore_desktop.desk.values.typed_values import days_said
from petstore_desktop.domain.errors import BadInput

Value: TypeAlias = "str | int | None"
_IN_WORDS = frozenset[Family](("text", "link", "word", "mark"))
NO_DAY = 0
_MINUS = "-\u2212\u2013\u30fc"
_PLAIN = str.maketrans("！＂＃＝＜＞≧≦｜．‥－，", '!"#=<>≥≤|.…-,') | dict.fromkeys(map(ord, UNSEEN))
"""The signs of the grammar as Japanese keyboards write them; marks that are not seen are no part of it."""
BIG = 10**40
"""Beyond every number that can be typed."""


def _never(_code: str) -> bool:
    return False


class Test(Struct, frozen=True):
    """One question. `has`: holds this text; `begins`: a word begins so; `is`: is exactly this; `span`: from low to
    high, both included, None for no bound; `empty`; `special`: a word of the column that is asked of the row."""

    kind: Literal["has", "begins", "is", "span", "empty", "special"]
    text: str = ""
    low: int | None = None
    high: int | None = None
    negated: bool = False

    def fits(self, value: Value, special: Callable[[str], bool] = _never) -> bool:
        """Whether a value fits; `special` answers for the words that are asked of the whole row."""
        return self.negated != (special(self.text) if self.kind == "special" else self._holds(value))

    def _holds(self, value: Value) -> bool:
        if self.kind == "span":
            return isinstance(value, int) and _within(value, self.low, self.high)
        if self.kind == "empty":
            return value is None or value == ""
        if not isinstance(value, str):
            return False
        if self.kind == "has":
            return self.text in value
        spellings = value.split(NUL)
        if self.kind == "is":
            return self.text in spellings
        return self.kind == "begins" and any(_word_begins(spelling, self.text) for spelling in spellings)


class Term(Struct, frozen=True):
    """Any of these, or with `negated` none of them."""

    tests: tuple[Test, ...]
    negated: bool = False


class Expression(Struct, frozen=True):
    """All of these; without any, everything fits."""

    terms: tuple[Term, ...] = ()

    def fits(self, value: Value, special: Callable[[str], bool] = _never) -> bool:
        """Whether a value fits; `special` answers for the words that are asked of the whole row."""
        return all(term.negated != any(test.fits(value, special) for test in term.tests) for term in self.terms)

    def meets_none(self, values: Sequence[Value]) -> str:
        """The first text that is asked for and that no such value begins with or is; empty where there is none."""
        words = (test for term in self.terms for test in term.tests if test.kind in ("begins", "is"))
        return next((test.text for test in words if not any(test.fits(value) for value in values)), "")

    @property
    def specials(self) -> frozenset[str]:
        """The special words in it."""
        return frozenset(test.text for term in self.terms for test in term.tests if test.kind == "special")


class Unreadable(Struct, frozen=True):
    """Why a filter cannot be read. Codes: filter-incomplete (an operator without anything after it), filter-number,
    filter-fraction, filter-date, filter-word (none of the words that this column knows), filter-status (no status
    begins so; `known` are those that there are)."""

    code: str
    text: str
    known: tuple[str, ...] = ()


class Vocabulary(Struct, frozen=True):
    """What a column's filter knows besides values: special words by every spelling (folded), as their codes."""

    specials: Mapping[str, str]
    today: date
    here: LocaleForms = LocaleForms()


class _Unread(Exception):
    def __init__(self, code: str, text: str) -> None:
        super().__init__(code)
        self.problem = Unreadable(code, text)


def parse(text: str, family: Family, known: Vocabulary) -> Expression | Unreadable:
    """Parse a filter text; empty text matches everything. Never raises."""
    text = text.translate(_PLAIN)
    reader = _Words(text, family, known) if family in _IN_WORDS else None
    try:
        return Expression(tuple(reader.terms() if reader is not None else _values(text, family, known)))
    except _Unread as unread:
        return unread.problem


def with_parts(text: str, family: Family, known: Vocabulary, part: Callable[[str, bool], str]) -> str:
    """A filter text that can be read, with other values, days and words in the place of its own. `part` gets each, and
    whether it is asked for exactly."""
    text = text.translate(_PLAIN)
    if family not in _IN_WORDS:
        found = _BETWEEN.split(text)
        return "".join(one if n % 2 or not one.strip() else _between_spaces(one, part) for n, one in enumerate(found))
    reader = _Words(text, family, known)
    reader.terms()
    for begin, end, said, exact in reversed(reader.places):
        made = part(said, exact)
        text = text if made == said else text[:begin] + made + text[end:]
    return text


def _between_spaces(text: str, part: Callable[[str, bool], str]) -> str:
    bare = text.strip()
    return text.replace(bare, part(bare, False))


def part_fits(word: str, exact: bool, value: Value) -> bool:
    """Whether a value of words is what this folded word asks for."""
    return Test("is" if exact else "begins", word).fits(value)


def exactly(text: str) -> str:
    """The filter text that matches exactly this text."""
    plain = " ".join(text.split())
    return f'="{text.replace(chr(34), chr(34) * 2)}"' if plain != text or set(text) & set('|"') else f"={text}"


# ---- words


class _Words:
    """Reads `koi "two words" !sold|pending =Exact name` from the left."""

    def __init__(self, text: str, family: Family, known: Vocabulary) -> None:
        self._text, self._at, self._family, self._known = text, 0, family, known
        self.places: list[tuple[int, int, str, bool]] = []
        """Where each word stands, its quotes with it, the word, and whether it is asked for exactly."""

    def terms(self) -> list[Term]:
        """Every term."""
        terms: list[Term] = []
        while self._skip("|"):
            negated = self._take("!")
            exact = self._take("=")
            tests = [self._test(exact)]
            while self._next_is_either():
                other = self._take("!") and not negated
                exact = self._take("=") or exact
                if exact or other or self._more():
                    tests.append(_turned(self._test(exact), other))
            if found := tuple(test for test in tests if test is not None):
                terms.append(Term(found, negated))
        return terms

    def _skip(self, others: str = "") -> bool:
        while self._at < len(self._text) and (self._text[self._at].isspace() or self._text[self._at] in others):
            self._at += 1
        return self._at < len(self._text)

    def _more(self) -> bool:
        return self._skip() and self._text[self._at] != "|"

    def _take(self, mark: str) -> bool:
        found = self._skip() and self._text[self._at] == mark
        self._at += found
        return found

    def _next_is_either(self) -> bool:
        found = self._take("|")
        while self._take("|"):
            pass
        return found

    def _test(self, exact: bool) -> Test | None:
        if not self._more():
            if exact:
                return Test("empty")
            raise _Unread("filter-incomplete", self._text.strip())
        begin = self._at
        said = self._quoted() if self._text[self._at] == '"' else self._bare(exact)
        self.places.append((begin, begin + len(self._text[begin : self._at].rstrip()), said, exact))
        return self._asked(fold(said), exact)

    def _quoted(self) -> str:
        """Text in quotes, a doubled one standing for itself; the end of the text closes it too."""
        parts: list[str] = []
        while self._at < len(self._text) and self._text[self._at] == '"':
            end = self._text.find('"', self._at + 1)
            end = len(self._text) if end < 0 else end
            parts.append(self._text[self._at + 1 : end])
            self._at = end + 1
        return '"'.join(parts)

    def _bare(self, exact: bool) -> str:
        begin = self._at
        while self._at < len(self._text) and self._text[self._at] != "|":
            if self._text[self._at].isspace() and not exact:
                break
            self._at += 1
        return self._text[begin : self._at].strip()

    def _asked(self, said: str, exact: bool) -> Test | None:
        if not said:
            return Test("empty") if exact else None
        code = "" if exact else self._known.specials.get(said, "")
        if code:
            return Test("special", code)
        if self._family == "mark":
            raise _Unread("filter-word", said)
        digits = bare_digits(said) if said.startswith("#") else ""
        if digits and self._family != "text":
            return Test("is", f"#{int(digits)}")
        if said.startswith("#") and len(said) > 1 and self._family == "link":
            return Test("is", said)
        return Test("is" if exact else "begins" if self._family == "word" else "has", said)


def _turned(test: Test | None, negated: bool) -> Test | None:
    return test if test is None or not negated else replace(test, negated=True)


def _word_begins(spelling: str, text: str) -> bool:
    return spelling.startswith(text) or f" {text}" in spelling or f"-{text}" in spelling


# ---- numbers and days

_NEW_TERM = re.compile(r"\s+(?=[!<>=≤≥])(?<![!<>=≤≥|.…]\s)")
_OPERATOR = re.compile(r"(<=|>=|≤|≥|<|>|=)\s*")
_TO = r"\.\.+|…|(?<=[\d.日月)])\s*[–—～〜]\s*(?=\d)"
_RANGE = re.compile(_TO)
_BETWEEN = re.compile(rf"([!|<>=≤≥]+|{_TO})")
"""What stands between values."""


def _values(text: str, family: Family, known: Vocabulary) -> list[Term]:
    return [_value_term(part.strip(), family, known) for part in _NEW_TERM.split(text.strip()) if part.strip(" |")]


def _value_term(part: str, family: Family, known: Vocabulary) -> Term:
    negated = part.startswith("!")
    tests: list[Test] = []
    for each in filter(None, map(str.strip, part.split("|"))):
        turned = each.startswith("!")
        test = _value_test(each[turned:].strip(), family, known)
        tests.append(replace(test, negated=True) if turned and not negated else test)
    return Term(tuple(tests), negated)


def _value_test(asked: str, family: Family, known: Vocabulary) -> Test:
    operator = _OPERATOR.match(asked)
    said = asked[operator.end() :] if operator else asked
    mark = operator.group(1) if operator else ""
    if not said:
        return _nothing_said(asked, mark, family)
    if not mark and (code := known.specials.get(fold(" ".join(said.split())))):
        return Test("special", code)
    if _OPERATOR.match(said):
        raise _Unread("filter-date" if family == "date" else "filter-number", asked)
    low, high = _span(said, family, known)
    if mark in ("<", "<=", "≤"):
        return Test("span", low=_least(family), high=low - 1 if mark == "<" else high)
    if mark in (">", ">=", "≥"):
        return Test("span", low=high + 1 if mark == ">" else low, high=None)
    return Test("span", low=low if low > -BIG else None, high=high if high < BIG else None)


def _nothing_said(asked: str, mark: str, family: Family) -> Test:
    if mark != "=":
        raise _Unread("filter-incomplete", asked)
    return Test("span", low=0, high=0) if family == "count" else Test("empty")


def _least(family: Family) -> int | None:
    return NO_DAY + 1 if family == "date" else None


def _span(said: str, family: Family, known: Vocabulary) -> tuple[int, int]:
    """The least and the most that this text stands for: one number, a day, a week, or a range of such."""
    one = _day if family == "date" else number_said
    ends = [end.strip() for end in _RANGE.split(said, maxsplit=1)]
    if len(ends) == 1:
        return one(said, known)
    if not any(ends):
        raise _Unread("filter-incomplete", said)
    least = -BIG if family != "date" else NO_DAY + 1
    first = one(ends[0], known) if ends[0] else (least, least)
    last = one(ends[1], known) if ends[1] else (BIG, BIG)
    return min(first[0], last[0]), max(first[1], last[1])


def number_said(said: str, known: Vocabulary) -> tuple[int, int]:
    """The number of a text, as the least and the most that it stands for."""
    bare = as_typed(said).removeprefix("#").strip()
    sign, digits = (-1, bare[1:].strip()) if bare[:1] and bare[0] in _MINUS else (1, bare)
    found = parse_whole(digits, known.here.separators)
    if isinstance(found, BadInput):
        code = "filter-fraction" if found.code == "quantity-fraction" else "filter-number"
        raise _Unread(code if not known.specials or code == "filter-fraction" else _letters_or(code, digits), said)
    return sign * found, sign * found


def _day(said: str, known: Vocabulary) -> tuple[int, int]:
    try:
        first, last = days_said(said, known.today, known.here)
    except ValueError:
        raise _Unread(_letters_or("filter-date", said), said) from None
    return first.toordinal(), last.toordinal()


def _letters_or(code: str, said: str) -> str:
    return "filter-word" if said.replace(" ", "").isalpha() else code


def _within(value: int, low: int | None, high: int | None) -> bool:
    return (low is None or value >= low) and (high is None or value <= high)
