"""Finds numbers by their digits, as if each were a text, without making any text."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import numpy as np

from petstore_desktop.desk.search.arrays import MISSING, Mask, Values

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
