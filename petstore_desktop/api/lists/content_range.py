"""What `Content-Range` says of a list (RFC 9110, 14.4): which records came, and of how many. Pure."""

from __future__ import annotations

import re

from msgspec import Struct

_RANGE = re.compile(r"\s*(?:([A-Za-z][\w-]*)[ =:]\s*)?(?:([0-9]{1,18})-([0-9]{1,18})|\*)(?:/([0-9]{1,18}|\*))?\s*")


class ContentRange(Struct, frozen=True):
    """The records from `first` to `last`, both None where there are none; `total`: None where the service does not
    name it."""

    first: int | None = None
    last: int | None = None
    total: int | None = None


def content_range(said: str) -> ContentRange | None:
    """A range of records; None where it is none, or one of bytes, which says nothing of records."""
    found = _RANGE.fullmatch(said)
    if found is None or (found[1] or "").casefold() == "bytes":
        return None
    first, last, total = (int(text) if text and text != "*" else None for text in found.groups()[1:])
    return ContentRange(first, last, total)
