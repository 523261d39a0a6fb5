"""Lists as the rest of the program sees them: an asynchronous row of pages, none longer than 500 rows, which come while
the answer that holds them is still being read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import aclosing, suppress
from typing import TypeAlias, cast

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.api import wire
from petstore_desktop.api.http.transport import Answer, BodyReader
from petstore_desktop.api.lists.content_range import ContentRange, content_range
from petstore_desktop.api.lists.duplicate_filter import DuplicateFilter, Item, OwnKeys, UnreadFilter
from petstore_desktop.api.lists.envelope import Listing, leads_to_list, read_listing
from petstore_desktop.api.lists.json_splitter import ROWS, Cut, Cutter
from petstore_desktop.api.lists.paging import Arrived, PageRequest, PageWalk
from petstore_desktop.api.record_ids import key_of
from petstore_desktop.api.withheld import without_secrets
from petstore_desktop.contract.model import Contract, Operation
from petstore_desktop.contract.operations import SAME, FieldMap, Verb, put_at, value_at
from petstore_desktop.domain.errors import AnswerUnusable, NotFound, Refused
from petstore_desktop.domain.records import ALL_SPECS, Extra, Key, Resource, Row

FieldsOf: TypeAlias = Callable[[Sequence[object]], FieldMap]
"""Where a service has the fields of its records, told with the first of them."""
MOST_ROWS = 2_000_000
"""Records of one list at most, in however many answers they come: one without an end would fill the disk, and
`[{},{},...]` would fit 85 million into what an answer may be long."""


class Part(Struct, frozen=True):
    """Some records in their order, and what could not be read among them, in words and as it came."""

    items: list[Item]
    set_aside: tuple[str, ...] = ()
    unread: tuple[object, ...] = ()


class ListReader(BodyReader):
    """One answer. `parts` holds what was read, None at its end; the reading goes on only after
    `task_done`, so that what has come never piles up. `count`: records so far, unreadable ones too; `bytes` so far;
    `head` as soon as it has come; `answer` after the end."""

    def __init__(self, resource: Resource, own: Collection[str], tagged: bool, fields: FieldsOf) -> None:
        """`own`: see `wire.decode_many`; `tagged`: whether the records' ETags are of use."""
        self.parts: asyncio.Queue[Part | None] = asyncio.Queue()
        self.count = 0
        self.bytes = 0
        self.answer: Answer
        self._resource = resource
        self._own = own
        self._tagged = tagged
        self._fields_of = fields
        self._fields = SAME
        self._cutter = Cutter(leads_to_list(resource))
        self._listing: Listing | None = None

    async def take(self, piece: bytes) -> None:
        self.bytes += len(piece)
        for cut in self._cutter.feed(piece):
            await self._hand_over(*_values(cut))

    async def end(self) -> None:
        for cut in self._cutter.finish():
            await self._hand_over(*_values(cut))
        listing = read_listing(self._resource, wire.parse_json(self._cutter.frame))
        if listing.items and self.count:
            raise AnswerUnusable("two-lists")
        for begin in range(0, len(listing.items), ROWS):  # a list whose name was recognised from the whole answer
            await self._hand_over(listing.items[begin : begin + ROWS])
        self._listing = listing

    def over(self) -> Listing:
        """What the answer says beside its records. Raises AnswerUnusable (`empty`) where it has no body."""
        if self._listing is None:
            raise AnswerUnusable("empty")
        return self._listing

    async def _hand_over(self, values: Sequence[object], text: str | None = None) -> None:
        values = without_secrets(self._resource, values, text)
        if not self.count:
            self._fields = self._fields_of(values)
        decoded = wire.decode_many(self._resource, values, self.count + 1, self._own, self._fields)
        self.count += len(values)
        if self.count > MOST_ROWS:
            raise AnswerUnusable("endless", met=self.count)
        pairs = zip(decoded.records, decoded.etags, strict=True)
        items = [(key_of(record), record, tag if self._tagged else None) for record, tag in pairs]
        self.parts.put_nowait(Part(items, decoded.set_aside, decoded.unread))
        await self.parts.join()


def _values(cut: Cut) -> tuple[Sequence[object], str]:
    return wire.parse_many(cut.text, cut.ends), cut.text.decode("utf-8", "replace")


MOST_BYTES = 512 * 1024 * 1024
"""Bytes of the answers of one list."""
BEYOND_TOTAL = 10_000
"""How many rows beyond twice the announced total are still read: some services announce the size of a page, and lists
grow."""
NOT_MODIFIED, PARTIAL = 304, 206
"""206: the answer has not all that was asked for (RFC 9110, 15.3.7)."""
FEW, FEW_ASKED = 2, 1_000
"""After this many answers with fewer new rows than this on average, the list counts as endless."""
MOST_TOLD = 1_000
"""Records that could not be read, of one walk, are named up to here; a hostile list may hold millions."""
_TOTAL_HEADERS = ("x-total-count", "x-total", "total-count")

Send: TypeAlias = Callable[[PageRequest, BodyReader], Awaitable[Answer]]
"""Sends one request of a walk; the body of its answer goes to the reader."""


class Page(Struct, frozen=True):
    """Some rows of a walk.

    `set_aside`: how many records cannot be shown, and `reasons` of the first of them; `total`: rows in all, where the
    service says so; `cursor`: where an interrupted walk can be taken up after this page, None at the end; `ends`: these
    are the last rows of their answer; `last`: the walk has come to its end, and then `cut_at` says after how many
    records the service cuts the list; `etag` of a list that came whole in one answer, in a form for `Client.pages`
    alone; `not_modified`: nothing has changed since that ETag, and no rows follow.

    Of a list of several pages no ETags are kept: each page would still be a request of its own, and the rows of those
    that come are compared on this computer anyway.
    """

    resource: Resource
    rows: tuple[Row, ...] = ()
    set_aside: int = 0
    reasons: tuple[str, ...] = ()
    total: int | None = None
    cut_at: int | None = None
    ends: bool = True
    last: bool = False
    cursor: str | None = None
    etag: str | None = None
    not_modified: bool = False


class PageReader:
    """Turns the answers of one walk into pages. `change`: what the records' ETags are of use to, if anything."""

    def __init__(
        self,
        resource: Resource,
        walk: PageWalk,
        wall: Callable[[], float],
        change: Operation | None,
        fields: FieldsOf = lambda _: SAME,
        own_keys: OwnKeys | None = None,
    ) -> None:
        """`own_keys` looks at records that are known by the id of another one: the stock of a pet."""
        self._resource = resource
        self._walk = walk
        self._wall = wall
        self._own = () if change is None else change.body_fields
        self._tagged = change is not None and change.conditional
        self._fields = fields
        self._duplicates = DuplicateFilter()
        self._own_keys = own_keys
        self._unread = UnreadFilter()
        """Records that could not be read: news too, though nothing to show."""
        self._told = 0
        self._total: int | None = None
        self._asked = 0
        self._bytes = 0

    async def pages(self, send: Send, start: str | None) -> AsyncGenerator[Page]:
        """Every page from `start` on. Raises AnswerUnusable, and whatever `send` raises; what came before in the same
        answer has been handed on by then, but for its last page."""
        ask: PageRequest | None = self._walk.first(start)
        first = True
        while ask is not None:
            reading = ListReader(self._resource, self._own, self._tagged, self._fields)
            self._asked += 1
            held: Page | None = None
            self._duplicates.begin()
            self._unread.begin()
            try:
                async with aclosing(_parts(send, ask, reading)) as parts:
                    async for part in parts:
                        if held is not None:
                            yield held
                        held = self._page(ask, part, reading)
                        self._bound(self._bytes + reading.bytes)
            except (NotFound, Refused) as refusal:
                if not self._walk.ends_at(ask, refusal.status):
                    raise
                yield Page(self._resource, total=self._total, cut_at=self._walk.cut_at, last=True)
                return
            self._bytes += reading.bytes
            answer = reading.answer
            if answer.status == NOT_MODIFIED:
                yield Page(self._resource, last=True, not_modified=True)
                return
            following = self._following(ask, answer, reading.over(), reading.count)
            yield self._last(held, answer, following, first=first)
            ask, first = following, False

    def _bound(self, bytes_: int) -> None:
        """Raises AnswerUnusable (`endless`, with `met` rows and the `total` that was told) where the list can be
        taken to have no end."""
        met, total = self._duplicates.met, self._total
        few = self._asked > FEW_ASKED and met < FEW * self._asked
        too_many = total is not None and met > 2 * total + BEYOND_TOTAL
        if few or too_many or met > MOST_ROWS or bytes_ > MOST_BYTES:
            raise AnswerUnusable("endless", met=met, total=total)

    def _page(self, ask: PageRequest, part: Part, reading: ListReader) -> Page:
        """Some rows in the midst of an answer: from here the walk would be taken up at that answer again."""
        further = () if self._own_keys is None else self._own_keys.look_at(part.items)
        rows = self._duplicates.new_rows(part.items, self._wall())
        if reading.head is not None and not self._walk.is_split:
            self._total = _total(reading.head) or self._total
        set_aside, reasons = self._bad(zip((*part.set_aside, *further), (*part.unread, *further), strict=True))
        return Page(self._resource, rows, set_aside, reasons, self._total, ends=False, cursor=ask.token)

    def _last(self, held: Page | None, answer: Answer, following: PageRequest | None, *, first: bool) -> Page:
        last = following is None
        held = Page(self._resource) if held is None else held
        return Page(
            self._resource,
            held.rows,
            held.set_aside,
            held.reasons,
            self._total,
            cut_at=self._walk.cut_at if last else None,
            last=last,
            cursor=None if following is None else following.token,
            etag=answer.headers.get("etag") if first and last else None,
        )

    def _following(self, ask: PageRequest, answer: Answer, listing: Listing, count: int) -> PageRequest | None:
        part = content_range(answer.headers.get("content-range", ""))
        if answer.status == PARTIAL and listing.more is None:
            listing = replace(listing, more=not _comes_to_its_end(part))
        total = _total(answer) if listing.total is None else listing.total
        if total is None and listing.count is not None and listing.count > count:
            total = listing.count
        self._total = None if self._walk.is_split else total
        fresh, met = self._duplicates.fresh + self._unread.fresh, self._duplicates.met + self._unread.met
        arrived = Arrived(answer.url, listing, count, fresh, met, answer.links.get("next"), total, part)
        return self._walk.next(ask, arrived)

    def _bad(self, said: Iterable[tuple[str, object]]) -> tuple[int, tuple[str, ...]]:
        """Of these records that cannot be shown, each with what is said of it, how many are new in this walk, and what
        is said of the first: lists that are united hold some twice, and so do pages that come again."""
        new = [words for words, value in said if self._unread.is_new(value)]
        named = new[: max(0, MOST_TOLD - self._told)]
        self._told += len(named)
        return len(new), tuple(named)


def categories_of(contract: Contract, pets: Iterable[tuple[Key, Extra]], now: float) -> Page:
    """All categories of a service that has no list of them. `pets`: the id of each, and what a pet of it holds."""
    listing, fields = contract.find(Resource.CATEGORIES, Verb.LIST), contract.map(Resource.CATEGORIES)
    rows = list[Row]()
    for key, extra in pets if listing is not None else ():
        said = value_at(extra, () if listing is None else listing.gathered)
        if isinstance(said, dict):
            value = {**cast("dict[str, object]", said)}
            put_at(value, fields.path(ALL_SPECS[Resource.CATEGORIES][0]), key)
            with suppress(wire.BadRecord):
                rows.append(Row(key, wire.decode_one(Resource.CATEGORIES, value, (), fields), now))
    return Page(Resource.CATEGORIES, tuple(rows), total=len(rows), last=True)


async def _parts(send: Send, ask: PageRequest, reading: ListReader) -> AsyncGenerator[Part]:
    """What an answer holds, part by part, while its request goes on in a task of its own; then `reading.answer`."""
    task = asyncio.get_running_loop().create_task(_request(send, ask, reading))  # house: thread - awaited below
    try:
        while (part := await reading.parts.get()) is not None:
            yield part
            reading.parts.task_done()
        await task
    finally:
        task.cancel()
        await asyncio.wait([task])
        _ = task.cancelled() or task.exception()  # looked at, since no one else waits for it


async def _request(send: Send, ask: PageRequest, reading: ListReader) -> None:
    try:
        reading.answer = await send(ask, reading)
    finally:
        reading.parts.put_nowait(None)


def _total(answer: Answer) -> int | None:
    """The count in X-Total-Count and its like, or at the end of Content-Range."""
    for name in _TOTAL_HEADERS:
        said = answer.headers.get(name, "").strip()
        if said.isascii() and said.isdigit() and len(said) < 19:
            return int(said)
    part = content_range(answer.headers.get("content-range", ""))
    return None if part is None else part.total


def _comes_to_its_end(part: ContentRange | None) -> bool:
    """Whether the last of these records is the last of the list."""
    return part is not None and part.last is not None and part.total is not None and part.last + 1 >= part.total
