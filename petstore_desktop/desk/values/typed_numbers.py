"""Whole numbers that a person types: into a stock cell, where `40` and `=40` are a count, `+12` and `-3` a booking and
`5+12` is 17; and as limits of requests."""

from __future__ import annotations

from msgspec import Struct

from petstore_desktop.desk.values.text import Separators, as_typed
from petstore_desktop.domain.changes import AddStock, SetStock
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import INT64_MAX, INT64_MIN

_SPACES = " \u00a0\u202f\u2009"
_MINUS = "-\u2212\u2013"
_GROUP, _PAIR = 3, 2
_GROUP_MARKS = " ’'\u066c"
"""What stands nowhere before a fraction: the last in Arabic."""
_ENGLISH = Separators()


class QuantityEntry(Struct, frozen=True):
    """A parsed quantity. `result`: the quantity after it, None if a booking has no entry to add to."""

    intent: AddStock | SetStock
    result: int | None
    below_zero: bool = False


def parse_quantity(text: str, base: int | None, separators: Separators = _ENGLISH) -> QuantityEntry | BadInput:
    """Understand a stock entry against `base`, the quantity that it is added to (None: there is no stock entry).

    Codes: quantity-empty, quantity-unreadable, quantity-fraction, quantity-too-large (beyond int64, the
    result included).
    """
    typed = as_typed(text)
    if not typed:
        return BadInput("quantity-empty")
    sign, digits = _split_sign(typed)
    number = parse_whole(digits, separators) if "-" in sign else _sum(digits, separators)
    if isinstance(number, BadInput):
        return number
    if sign in ("+", "-"):
        delta = -number if sign == "-" else number
        return _entry(AddStock(delta), delta, None if base is None else base + delta)
    number = -number if sign == "=-" else number
    return _entry(SetStock(number), number, number)


def _sum(typed: str, separators: Separators) -> int | BadInput:
    """One number, or several with + between them. What is taken away is booked by itself: `5-7` may be a range."""
    total = 0
    for part in typed.split("+"):
        number = parse_whole(part.strip(), separators)
        if isinstance(number, BadInput):
            return number
        total += number
    return total


def _split_sign(typed: str) -> tuple[str, str]:
    first, rest = typed[0], typed[1:].lstrip()
    if first == "+":
        return "+", rest
    if first in _MINUS:
        return "-", rest
    if first != "=":
        return "", typed
    if rest and rest[0] in _MINUS:
        return "=-", rest[1:].lstrip()
    return "=", rest


def _entry(intent: AddStock | SetStock, number: int, result: int | None) -> QuantityEntry | BadInput:
    if not INT64_MIN <= number <= INT64_MAX or (result is not None and not INT64_MIN <= result <= INT64_MAX):
        return BadInput("quantity-too-large")
    return QuantityEntry(intent, result, below_zero=result is not None and result < 0)


def parse_limit(text: str, separators: Separators = _ENGLISH) -> int | BadInput | None:
    """Understand a number of requests; None where nothing was typed.

    Codes: limit-unreadable, limit-fraction, limit-too-small (0, or below), limit-too-large (beyond int64).
    """
    typed = as_typed(text)
    if not typed:
        return None
    number = parse_whole(typed[1:].lstrip() if typed[0] in _MINUS else typed, separators)
    if isinstance(number, BadInput):
        return BadInput(number.code.replace("quantity", "limit"))
    if typed[0] in _MINUS or number == 0:
        return BadInput("limit-too-small")
    return BadInput("limit-too-large") if number > INT64_MAX else number


def parse_id(text: str) -> int | None:
    """Parse an id as typed or pasted: `1234`, `#1234`, `1 234`; None if it is not one (int64)."""
    bare = "".join(letter for letter in as_typed(text).removeprefix("#") if letter not in _SPACES)
    sign, digits = (-1, bare[1:]) if bare[:1] and bare[0] in _MINUS else (1, bare)
    if not _is_digits(digits) or len(digits) > len(str(INT64_MAX)):
        return None
    number = sign * int(digits)
    return number if INT64_MIN <= number <= INT64_MAX else None


def parse_whole(digits: str, separators: Separators = _ENGLISH) -> int | BadInput:
    """A whole number without sign, any decimal digits, grouped the local way or with spaces."""
    decimal = separators.decimal
    if decimal and decimal in digits:
        whole, _, fraction = digits.partition(decimal)
        readable = _ungroup(whole or "0", separators) is not None and _is_digits(fraction or "0")
        return BadInput("quantity-fraction" if readable else "quantity-unreadable")
    bare = _ungroup(digits, separators)
    return BadInput("quantity-unreadable") if bare is None else int(bare)


def _ungroup(digits: str, separators: Separators) -> str | None:
    """The bare digits, or None. A group mark must stand before a whole group, so that `1,5` is not read as 15."""
    text = digits
    for space in _SPACES:
        text = text.replace(space, " ")
    western = "," if separators.decimal == "\u066b" else ""  # stands before no fraction where Arabic marks are used
    for mark in dict.fromkeys((" " if separators.group in _SPACES else separators.group, *_GROUP_MARKS, western)):
        if mark and mark in text:
            head, *groups = text.split(mark)
            sizes, more = [*map(len, groups)], len(groups) - 1
            inner = _PAIR if separators.pairs and sizes != [_GROUP] * len(groups) else _GROUP
            if not 1 <= len(head) <= inner or _is_zero(head[0]) or sizes != [inner] * more + [_GROUP]:
                return None
            text = head + "".join(groups)
    # The bound keeps int() from a text of a million digits; int64 has 19.
    return text if _is_digits(text) and len(text) <= 2 * len(str(INT64_MAX)) else None


def _is_zero(sign: str) -> bool:
    """No number with group marks begins so: `0,500` is a fraction that somebody wrote in another country."""
    return sign.isdecimal() and int(sign) == 0


def _is_digits(text: str) -> bool:
    return bool(text) and all(letter.isdecimal() for letter in text)
