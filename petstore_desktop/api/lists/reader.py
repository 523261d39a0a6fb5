"""Reads one list answer while it comes: bytes in, parts of at most 500 records out."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from petstore_desktop.api import wire
from petstore_desktop.api.http.transport import Answer
from petstore_desktop.api.lists.duplicate_filter import Item
from petstore_desktop.api.lists.envelope import Listing, leads_to_list, read_listing
from petstore_desktop.api.lists.json_splitter import ROWS, Cut, Cutter
from petstore_desktop.api.withheld import without_secrets
from petstore_desktop.domain.errors import AnswerUnusable
from petstore_desktop.domain.records import Key, Record, Resource

MOST_RECORDS = 4_000_000
"""Records of one answer at most: `[{},{},...]` would fit 85 million into what a list may be long."""


@dataclass(frozen=True, slots=True)
class Part:
    """Some records in their order, and what could not be read among them, in words."""

    items: list[Item]
    set_aside: tuple[str, ...] = ()


class ListReader:
    """One answer, as a `transport.Taker`. `parts` holds what was read, None at its end; the reading goes on only after
    `task_done`, so that what has come never piles up. `count`: records so far, unreadable ones too; `bytes` so far;
    `head` as soon as it has come; `answer` after the end."""

    def __init__(self, resource: Resource, own: Collection[str], tagged: bool) -> None:
        """`own`: see `wire.decode_many`; `tagged`: whether the records' ETags are of use."""
        self.parts: asyncio.Queue[Part | None] = asyncio.Queue()
        self.count = 0
        self.bytes = 0
        self.head: Answer | None = None
        self.answer: Answer
        self._resource = resource
        self._own = own
        self._tagged = tagged
        self._cutter = Cutter(leads_to_list(resource))
        self._listing: Listing | None = None

    def begin(self, head: Answer) -> None:
        self.head = head

    async def take(self, piece: bytes) -> None:
        self.bytes += len(piece)
        for cut in self._cutter.feed(piece):
            await self._hand_over(self._read(*_values(cut)))

    async def end(self) -> None:
        for cut in self._cutter.finish():
            await self._hand_over(self._read(*_values(cut)))
        listing = read_listing(self._resource, wire.parse_json(self._cutter.frame))
        if listing.items and self.count:
            raise AnswerUnusable("two-lists")
        for part in self._held_back(listing):
            await self._hand_over(part)
        self._listing = listing

    def over(self) -> Listing:
        """What the answer says beside its records. Raises AnswerUnusable (`empty`) where it has no body."""
        if self._listing is None:
            raise AnswerUnusable("empty")
        return self._listing

    def _held_back(self, listing: Listing) -> Iterator[Part]:
        """A list whose name was recognised only from the whole answer."""
        for begin in range(0, len(listing.items), ROWS):
            yield self._read(listing.items[begin : begin + ROWS])

    def _read(self, values: Sequence[object], text: str | None = None) -> Part:
        values = without_secrets(self._resource, values, text)
        decoded = wire.decode_many(self._resource, values, self.count + 1, self._own)
        self.count += len(values)
        if self.count > MOST_RECORDS:
            raise AnswerUnusable("too-many", most=MOST_RECORDS)
        pairs = zip(decoded.records, decoded.etags, strict=True)
        items = [(_key(record), record, tag if self._tagged else None) for record, tag in pairs]
        return Part(items, decoded.set_aside)

    async def _hand_over(self, part: Part) -> None:
        self.parts.put_nowait(part)
        await self.parts.join()


def _values(cut: Cut) -> tuple[Sequence[object], str]:
    return wire.parse_many(cut.text, cut.ends), cut.text.decode("utf-8", "replace")


def _key(record: Record) -> Key:
    key = wire.key_of(record)
    return wire.content_key(record) if key is None else key
