"""The beginning of a list that is too long to be read only to see whether it is one."""

from __future__ import annotations

import re
from itertools import takewhile

from petstore_desktop.api.http.error_responses import json_of
from petstore_desktop.api.http.transport import Answer
from petstore_desktop.api.lists.envelope import Listing, read_listing
from petstore_desktop.domain.errors import AnswerUnusable
from petstore_desktop.domain.records import Resource

_SIGN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|([{}\[\],])|(")', re.DOTALL)
"""A whole text; what gives structure; a text that has not come to its end."""
_ENDS = {b"{": b"}", b"[": b"]"}


class Beginning:
    """A Taker that keeps the first `most` bytes, and then stops the reading (AnswerUnusable `too-large`)."""

    def __init__(self, most: int) -> None:
        self.head: Answer | None = None
        self.body = bytearray()
        self._most = most

    def begin(self, head: Answer) -> None:
        """The head has come."""
        self.head = head

    async def take(self, piece: bytes) -> None:
        """The next decoded bytes."""
        self.body += piece[: self._most - len(self.body) + 1]
        if len(self.body) > self._most:
            raise AnswerUnusable("too-large", cap=self._most)

    async def end(self) -> None:
        """All has come."""


def read_beginning(resource: Resource, cut: Answer) -> Listing:
    """The list as far as it came. Raises AnswerUnusable where that is no JSON, no list, or one without an object."""
    whole = Answer(cut.status, cut.headers, cut.url, closed(cut.body), cut.links)
    listing = read_listing(resource, json_of(whole))
    if not listing.items or not isinstance(listing.items[0], dict):
        raise AnswerUnusable("not-a-list")
    return listing


def closed(text: bytes) -> bytes:
    """Complete a JSON text that breaks off: cut it after its last whole part and close what is open. Text that is not
    JSON stays invalid."""
    signs = list(takewhile(lambda found: found[2] is None, _SIGN.finditer(text)))
    while signs and signs[-1][1] is None:
        signs.pop()
    open_: list[bytes] = []
    for sign in (found[1] for found in signs if found[1] is not None):
        if sign in _ENDS:
            open_.append(_ENDS[sign])
        elif sign != b",":
            if len(open_) < 2:  # what follows the end of it all must be nothing
                return text
            open_.pop()
    if not open_:
        return text
    end = signs[-1].start() if signs[-1][1] == b"," else signs[-1].end()
    return text[:end] + b"".join(reversed(open_))
