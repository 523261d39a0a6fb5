"""Decides between rows that are equal in all that a list is sorted by: by their ids."""

from __future__ import annotations

from petstore_desktop.desk.values.text import fold
from petstore_desktop.domain.records import INT64_MAX, INT64_MIN, ContentId, Key, LocalId


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
