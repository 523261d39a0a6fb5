"""Lists as the rest of the program sees them: an asynchronous row of pages, none longer than 500 rows."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from petstore_desktop.api import wire
from petstore_desktop.api.answers import json_of
from petstore_desktop.api.listing import read_listing
from petstore_desktop.api.paging import Arrived, Ask, Walk
from petstore_desktop.api.transport import Answer
from petstore_desktop.contract.model import Operation
from petstore_desktop.domain.records import Key, Record, Resource, Row

PAGE_ROWS = 500
"""Rows that are decoded, and handed on, without letting anyone else work in between."""

_Item: TypeAlias = tuple[Key, Record, str | None]
"""A record with its key and its ETag."""
_TOTAL_HEADERS = ("x-total-count", "x-total", "total-count")
_RANGE_END = re.compile(r"/([0-9]{1,18})\s*$")


@dataclass(frozen=True, slots=True)
class Page:
    """Some rows of a walk.

    `set_aside`: records that could not be read, in words; `total`: rows in all, where the service says so; `cursor`:
    where an interrupted walk can be taken up after this page, None at the end; `ends`: these are the last rows of their
    answer; `last`: the walk has come to its end, and then `cut_at` says whether the service shows only so many; `etag`
    of a list that came whole in one answer, in a form for `Client.pages` alone; `not_modified`: nothing has changed
    since that ETag, and no rows follow.

    Of a list of several pages no ETags are kept: each page would still be a request of its own, and the rows of those
    that come are compared on this computer anyway.
    """

    resource: Resource
    rows: tuple[Row, ...] = ()
    set_aside: tuple[str, ...] = ()
    total: int | None = None
    cut_at: int | None = None
    ends: bool = True
    last: bool = False
    cursor: str | None = None
    etag: str | None = None
    not_modified: bool = False


class PageReader:
    """Turns the answers of one walk into pages. `change`: what the records' ETags are of use to, if anything."""

    def __init__(self, resource: Resource, walk: Walk, wall: Callable[[], float], change: Operation | None) -> None:
        self._resource = resource
        self._walk = walk
        self._wall = wall
        self._own = () if change is None else change.body_fields
        self._tagged = change is not None and change.conditional
        self._copies: Counter[Key] = Counter()
        self._told: set[str] = set()

    async def pages(self, send: Callable[[Ask], Awaitable[Answer]], start: str | None) -> AsyncIterator[Page]:
        """Every page from `start` on. Raises AnswerUnusable, and whatever `send` raises."""
        ask: Ask | None = self._walk.first(start)
        first = True
        while ask is not None:
            answer = await send(ask)
            if answer.status == 304:
                yield Page(self._resource, last=True, not_modified=True)
                return
            following, parts, total = await self._take(ask, answer)
            for number, (rows, bad) in enumerate(parts, 1):
                at_end = number == len(parts)
                last = at_end and following is None
                yield Page(
                    self._resource,
                    rows,
                    bad,
                    total,
                    cut_at=self._walk.cut_at if last else None,
                    ends=at_end,
                    last=last,
                    # Within one answer the walk is taken up at that answer again.
                    cursor=ask.token if not at_end else None if following is None else following.token,
                    etag=answer.headers.get("etag") if first and last else None,
                )
            ask, first = following, False

    async def _take(
        self, ask: Ask, answer: Answer
    ) -> tuple[Ask | None, list[tuple[tuple[Row, ...], tuple[str, ...]]], int | None]:
        listing = read_listing(self._resource, json_of(answer))
        now = self._wall()
        parts: list[tuple[list[_Item], tuple[str, ...]]] = []
        for begin in range(0, max(len(listing.items), 1), PAGE_ROWS):
            decoded = wire.decode_many(self._resource, listing.items[begin : begin + PAGE_ROWS], begin + 1, self._own)
            # Lists that are united hold some records twice, bad ones too.
            bad = tuple(words for words in decoded.set_aside if not (ask.is_filtered and words in self._told))
            self._told.update(bad)
            parts.append((self._items(decoded), bad))
            await asyncio.sleep(0)
        keys = frozenset(key for items, _ in parts for key, _, _ in items)
        seen = frozenset(key for key in keys if not self._walk.is_new(key))
        # A page without a new id has been shown already; of others only what is new by id.
        repeated = bool(keys) and seen == keys
        total = _total(answer) if listing.total is None else listing.total
        arrived = Arrived(answer.url, listing, keys, answer.links.get("next"), total)
        following = self._walk.next(ask, arrived)
        return following, [(() if repeated else self._rows(items, seen, now), bad) for items, bad in parts], total

    def _items(self, decoded: wire.Decoded) -> list[_Item]:
        pairs = zip(decoded.records, decoded.etags, strict=True)
        return [(_plain_key(record), record, tag if self._tagged else None) for record, tag in pairs]

    def _rows(self, items: list[_Item], seen: frozenset[Key], now: float) -> tuple[Row, ...]:
        rows: list[Row] = []
        for key, record, tag in items:
            if isinstance(key, int):
                if key not in seen:
                    rows.append(Row(key, record, now, tag))
                continue
            copy = self._copies[key]
            self._copies[key] += 1
            rows.append(Row(wire.content_key(record, copy), record, now))
        return tuple(rows)


def _plain_key(record: Record) -> Key:
    key = wire.key_of(record)
    return wire.content_key(record) if key is None else key


def _total(answer: Answer) -> int | None:
    """The count in X-Total-Count and its like, or at the end of Content-Range."""
    for name in _TOTAL_HEADERS:
        said = answer.headers.get(name, "").strip()
        if said.isascii() and said.isdigit() and len(said) < 19:
            return int(said)
    found = _RANGE_END.search(answer.headers.get("content-range", ""))
    return int(found[1]) if found else None
