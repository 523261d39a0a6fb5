"""Single values of a document, whatever else stands in their place. Pure.

A value of YAML may hold itself many million times over, in a few hundred bytes. So nothing but texts, numbers and dates
is ever made into a text, and what is kept as it is, is counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Final, cast

from petstore_desktop.domain.records import JsonValue

MOST_TEXT: Final = 1_000
"""Letters of a text among what is kept."""
_MOST_BITS: Final = 10_000
"""Of a number that is made into a text; Python writes none of more than 4,300 digits."""
MOST_KEPT: Final = 1_000
"""Values in one another that are kept as they are."""
_DEEPEST: Final = 20


def scalar_text(value: object) -> str:
    """The text of a text, a number or a date: unquoted versions of YAML are numbers or dates. Empty for anything
    else."""
    if isinstance(value, str):
        return value
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return ""
    return str(value) if isinstance(value, int | float | date) else ""


def kept_value(value: object) -> JsonValue:
    """The value as JSON has it, dates as their texts; None where it is larger than what is kept."""
    try:
        return _kept(value, iter(range(MOST_KEPT)), 0)
    except _TooLarge:
        return None


class _TooLarge(Exception):
    """More values, or longer texts, than are kept."""


def _kept(value: object, left: Iterator[int], depth: int) -> JsonValue:
    if next(left, None) is None or depth > _DEEPEST:
        raise _TooLarge
    if isinstance(value, Mapping):
        items = cast("Mapping[str, object]", value).items()
        return {scalar_text(name): _kept(item, left, depth + 1) for name, item in items}
    if isinstance(value, list):
        return [_kept(item, left, depth + 1) for item in cast("list[object]", value)]
    if value is None or isinstance(value, float):
        return value
    if isinstance(value, int):
        if value.bit_length() > _MOST_BITS:
            raise _TooLarge
        return value
    if isinstance(value, str) and len(value) > MOST_TEXT:
        raise _TooLarge
    return scalar_text(value)
