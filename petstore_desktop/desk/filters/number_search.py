"""Finds numbers by their digits, as if each were a text, without making any text."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from petstore_desktop.desk.model.arrays import MISSING, Mask, Values

_DIGITS: Final = re.compile(r"-?[0-9]+")


def has_digits(values: Values, word: str) -> Mask:
    """Which numbers have these signs in a row; MISSING has none."""
    if word == "-":
        return (values < 0) & (values != MISSING)
    if not _DIGITS.fullmatch(word) or len(word) > 20:
        return np.zeros(len(values), np.bool_)
    return _matches(values, word, anywhere=True)


def begins_with(values: Values, word: str) -> Mask:
    """Which numbers begin with these signs."""
    if not _DIGITS.fullmatch(word) or len(word) > 20:
        return np.zeros(len(values), np.bool_)
    return _matches(values, word, anywhere=False)


def _matches(values: Values, word: str, *, anywhere: bool) -> Mask:
    is_negative, digits = word.startswith("-"), word.removeprefix("-")
    number, found = int(digits), np.zeros(len(values), np.bool_)
    left = np.abs(np.where(values == MISSING, 0, values))
    modulus = 10 ** len(digits)
    if number >= 2**63:
        return found
    while True:
        if is_negative or not anywhere:  # all the digits that are left
            found |= (left == number) & (number > 0)
        elif modulus >= 2**63:
            found |= left == number
        else:
            whole = left // modulus
            fits = left - whole * modulus == number
            if digits[0] == "0":  # there has to be another one before
                fits &= whole > 0
            found |= fits
        left = left // 10
        if not left.any():
            break
    if digits == "0" and not is_negative:
        found |= values == 0
    elif digits[0] == "0" and (is_negative or not anywhere):
        return np.zeros(len(values), np.bool_)
    signed = values < 0 if is_negative else values >= 0 if not anywhere else values != MISSING
    return found & signed & (values != MISSING)
