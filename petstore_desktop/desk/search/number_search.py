"""Finds numbers by their digits, as if each were a text, without making any text."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from petstore_desktop.desk.search.arrays import MISSING, Mask, Values

_SIGNS: Final = re.compile("(-?)([0-9]{1,20})")


def has_digits(values: Values, word: str) -> Mask:
    """Which numbers have these signs in a row; MISSING has none."""
    if word == "-":
        return (values < 0) & (values != MISSING)
    if (signs := _SIGNS.fullmatch(word)) is None:
        return np.zeros(len(values), np.bool_)
    return begins_with(values, word) if signs[1] else _inside(values, signs[2])


def begins_with(values: Values, word: str) -> Mask:
    """Which numbers begin with these signs."""
    found = np.zeros(len(values), np.bool_)
    if (signs := _SIGNS.fullmatch(word)) is None or int(signs[2]) >= 2**63:
        return found
    number = int(signs[2])
    if number == 0:
        return (values == 0) & (signs[0] == "0")
    if signs[2][0] == "0":
        return found
    left = _plain(values)
    while left.any():
        found |= left == number
        left = left // 10
    return found & (values < 0 if signs[1] else values > 0)


def _inside(values: Values, digits: str) -> Mask:
    """Which numbers have these digits anywhere: what is left without the last ones is compared again and again."""
    found, left = np.zeros(len(values), np.bool_), _plain(values)
    number, modulus = int(digits), 10 ** len(digits)
    if number >= 2**63:
        return found
    if digits == "0":
        found |= values == 0
    while left.any():
        whole = left // modulus if modulus < 2**63 else np.zeros_like(left)
        fits = left - whole * (modulus if modulus < 2**63 else 0) == number
        found |= fits & (whole > 0) if digits[0] == "0" else fits  # no number begins with a zero
        left = left // 10
    return found & (values != MISSING)


def _plain(values: Values) -> Values:
    return np.abs(np.where(values == MISSING, 0, values))
