"""Validators (RFC 9110, section 8.8): of single records, and of whole lists.

That of a list is kept together with the address that it is of. A service may count its versions from one, for each list
and each page size anew: a tag alone, sent to another address, could be answered with "not modified" about another list.
"""

from __future__ import annotations

import re

from petstore_desktop.api.address import below_origin

_STRONG = re.compile(r'"[\x21\x23-\x7e]{0,500}"')
"""An entity tag that can be sent back as it came; it holds no space."""
_TAG = re.compile(rf"(W/)?{_STRONG.pattern}")


def is_tag(value: object) -> bool:
    """Whether this is an entity tag, of whatever strength."""
    return isinstance(value, str) and _TAG.fullmatch(value) is not None


def strong(value: object) -> str | None:
    """An entity tag that can be sent as If-Match (13.1.1): in quotes, for to add them would be a guess; and not weak,
    for a weak one never matches."""
    return value if isinstance(value, str) and _STRONG.fullmatch(value) is not None else None


def bound(tag: str | None, url: str) -> str | None:
    """The tag with path and query of its list; None where there is no tag that could be sent back."""
    return f"{tag} {below_origin(url)}" if is_tag(tag) else None


def tag_for(kept: str | None, url: str) -> str | None:
    """What to send as If-None-Match to this address: the tag that `bound` kept of it, or None."""
    tag, _, place = (kept or "").partition(" ")
    return tag if tag and place == below_origin(url) else None
