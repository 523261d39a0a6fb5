"""Walking through a list that comes in pages, in every form that services have. Pure: answers in, next request out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from urllib.parse import quote, unquote

from msgspec import Struct, field
from msgspec.structs import replace

from petstore_desktop.api.address import below_origin, same_origin_target
from petstore_desktop.api.lists.content_range import ContentRange
from petstore_desktop.api.lists.envelope import Listing
from petstore_desktop.contract import params
from petstore_desktop.contract.model import Operation
from petstore_desktop.domain.records import KNOWN_STATUSES, plain

PAGE_SIZE = 100
"""Records asked for at once where the document names no bound."""
_FIRST_PAGES = (("page", 0), ("page", 1))
_BARE = "bare"
"""The token of the list without any parameter."""
_USUAL_SIZES = frozenset({10, 15, 20, 24, 25, 30, 40, 50, 60, 100, 200, 250, 500, 1_000})
"""Of so many records services make their pages by themselves: such a page may be a full one."""
MOST_EMPTY = 10
"""Pages without a record, one after the other, after which no more are asked for (they may come before
the end: AIP-158)."""
MAX_NEXT = 8_000
"""Bytes of what a service says to come next; it becomes part of an address."""
_BEYOND_THE_END = 416
"""There is nothing in the range that was asked for (RFC 9110, 15.5.17)."""


class PageRequest(Struct, frozen=True):
    """One request of a walk. `token` names it, so that a walk can be taken up there; `place` is set where the
    service named what follows by its address: path and query below its origin; `limit` is how many records it was asked
    for, None if that was not said."""

    token: str
    params: Mapping[str, str] = field(default_factory=dict[str, str])
    place: str | None = None
    limit: int | None = None

    @property
    def is_linked(self) -> bool:
        """Whether the service named it. Such a service names nothing at the end, however full the last page is."""
        return self.token.startswith(("url:", "cursor:"))

    @property
    def is_filtered(self) -> bool:
        """Whether it asks for the records of one status."""
        return self.token.startswith("status:")


class Arrived(Struct, frozen=True):
    """One answer of a walk. `url` is where it came from, `listing` what it says beside its `count` records; `fresh` of
    them are new to the walk, and `met` have been met with them in all. `link`: the target of its `Link: rel=next` (RFC
    8288); `total` of X-Total-Count or the body; `part`: which records these are, by Content-Range."""

    url: str
    listing: Listing
    count: int
    fresh: int
    met: int
    link: str | None = None
    total: int | None = None
    part: ContentRange | None = None


class ShortPages(Struct):
    """What a service's answers have shown of pages with fewer records than were asked for: `widest`, the most records
    of one answer; `go_on`, that more followed such a page (a smaller page of its own, or records that it leaves
    out)."""

    widest: int = 0
    go_on: bool = False

    def end(self, count: int) -> bool:
        """Whether a page of so few is the last one."""
        return not self.go_on and count < self.widest


class PageWalk:
    """The walk through one list, forward only. `cut_at` is set once it is known that records may be missing."""

    def __init__(
        self,
        operation: Operation,
        clean: Callable[[str], str] = str,
        *,
        assumed: bool = False,
        short_pages: ShortPages | None = None,
    ) -> None:
        """`clean` takes out of an address what must not be kept (the key). `assumed`: no document of the service says
        which parameters it has. `short_pages`: what the service's lists have shown so far."""
        self._short_pages = ShortPages() if short_pages is None else short_pages
        self._only_to_see = False
        """Whether a page is asked for though the one before was a short one: to see whether that was the last."""
        query = operation.query
        self._limit_name = params.pick(query, params.LIMITS)
        self._limit = None if self._limit_name is None else operation.page_limit or PAGE_SIZE
        self._firm_limit = operation.page_limit is not None
        self._cursor = params.pick(query, params.CURSORS)
        self._page = params.pick(query, params.PAGES)
        self._offset = params.pick(query, params.OFFSETS)
        self._status = params.pick(query, params.STATUSES if operation.statuses else ("status",))
        self.is_split = bool(operation.statuses)
        """Whether the list is read as one of each status, so that a total is that of one status."""
        self._statuses = operation.statuses or KNOWN_STATUSES
        self._first_page = operation.first_page
        # `after` is a cursor to some, and a date or the last id to others: that has to show in the answer.
        self._is_linked = self._cursor is not None and plain(self._cursor) != "after"
        self._clean = clean
        self._assumed = assumed
        self._asked: set[str] = set()
        self._met = self._empty = 0
        self._met_before = 0
        """How many records the lists of earlier statuses had."""
        self._resumed = False
        self.has_all = False
        """Whether all is there by the service's own count, so that what it names as next need not be there."""
        self.cut_at: int | None = None

    def first(self, start: str | None) -> PageRequest:
        """The first request; `start` is the token where an earlier walk stopped. An unusable one starts anew."""
        ask = self._taken_up(start or "")
        self._resumed = ask is not None
        return self._new(ask or (self._by_status(self._statuses[0]) if self.is_split else self._ask("")))

    def _taken_up(self, start: str) -> PageRequest | None:
        kind, _, value = start.partition(":")
        self._is_linked = self._is_linked or kind in ("url", "cursor")
        if kind == "url" and value.startswith("/"):
            place = below_origin(value)
            return PageRequest(f"url:{place}", place=place, limit=self._limit)
        if kind == "cursor" and value:
            return self._by_cursor(value)
        if kind in ("page", "offset") and value.isascii() and value.isdigit():
            return self._by_number(kind, int(value))
        if kind == "status" and unquote(value.partition(":")[0]) in self._statuses:
            self.cut_at = None if self.is_split else self._limit
            status, _, within = value.partition(":")
            inner = self._taken_up(within) if self.is_split else None
            return self._by_status(unquote(status), inner)
        return None

    def smallest(self, wanted: int = 1) -> PageRequest:
        """A request for so few records, or for as few of them as the service lets one ask for."""
        count = min(wanted, self._limit or wanted)
        limit = {} if self._limit_name is None else {self._limit_name: str(count)}
        status = {self._status: self._statuses[0]} if self.is_split and self._status is not None else {}
        return PageRequest("", {**limit, **status}, limit=count)

    def next(self, ask: PageRequest, arrived: Arrived) -> PageRequest | None:
        """What to ask after this answer; None at the end."""
        arrived = self._with_range(ask, arrived)
        self._met, self.has_all = arrived.met, False
        self._empty = 0 if arrived.count else self._empty + 1
        if not _within(ask).token and arrived.listing.place in _FIRST_PAGES:
            self._first_page = arrived.listing.place[1]
        self._short_pages.go_on |= self._only_to_see and arrived.fresh > 0
        self._only_to_see = False
        following = self._following(ask, arrived)
        self._short_pages.widest = max(self._short_pages.widest, arrived.count)
        if following is None:
            if not ask.is_filtered:
                self._close(self._met, arrived)
            return None
        if following.token in self._asked:
            self._cut_unless_all(arrived)  # round in a circle (a repeated cursor)
            return None
        return self._new(following)

    def ends_at(self, ask: PageRequest, status: int | None) -> bool:
        """Whether the list ends where the service refuses what was asked for: all is there by its own count, the page
        before had fewer records than it may have, or nobody but we said that it takes these numbers."""
        if self._only_to_see:
            return True
        tried = "offset" if self._offset is None else ""
        if self.has_all or not self._met or ask.token.partition(":")[0] != tried:
            return self.has_all
        if status != _BEYOND_THE_END:
            self._cut()
        return True

    def _with_range(self, ask: PageRequest, arrived: Arrived) -> Arrived:
        """The answer with what its Content-Range says of where it stands: where that names no total, whether more
        follows is not known before one has asked."""
        part, said = arrived.part, arrived.listing
        is_said = said.next is not None or arrived.link is not None or said.ends
        if part is None or part.first is None or is_said or ask.is_linked or self._is_linked:
            return arrived
        more = True if said.more is None and arrived.total is None else said.more
        by_place = said.place is None and (self._assumed or self._status is None)
        return replace(
            arrived, listing=replace(said, more=more, place=("offset", part.first) if by_place else said.place)
        )

    def _following(self, ask: PageRequest, arrived: Arrived) -> PageRequest | None:
        if self._assumed and not ask.token and ask.params and _is_bare_nothing(arrived):
            return PageRequest(_BARE)  # whether it is empty, or takes a parameter for a value that no record has
        if not ask.is_filtered:
            return self._following_page(ask, arrived, self._by_statuses)
        if not self.is_split:
            return self._next_status(ask)
        inner, own = _within(ask), replace(arrived, met=arrived.met - self._met_before)
        more = self._following_page(inner, own, self._end_of_status)
        if more is not None:
            return self._by_status(self._status_of(ask), more)
        self._close(own.met, own)
        self._met_before = arrived.met
        return self._next_status(ask)

    def _following_page(
        self,
        ask: PageRequest,
        arrived: Arrived,
        unpaged: Callable[[PageRequest, Arrived], PageRequest | None],
    ) -> PageRequest | None:
        """The next page of one list; `unpaged`: what to do where there are no pages."""
        if arrived.link is not None and arrived.listing.next is None and self._reaches_total(arrived):
            if arrived.met > arrived.count:
                return None  # a total that is told and reached outweighs a link
            self.has_all = True  # unless it is the length of this first page, as some services count: what follows says
        if arrived.listing.ends and arrived.link is None:
            counted = arrived.listing.count if arrived.total is None else arrived.total
            if counted == arrived.met and not self._resumed and not _may_be_full(ask, arrived.count):
                return None
            self.has_all = True  # unless nothing ever stands there: what follows says
        named = self._named(arrived)
        if named is not None:
            if arrived.fresh or (not arrived.count and self._empty <= MOST_EMPTY):
                self._is_linked = True
                return named
            self._cut_unless_all(arrived)  # the service says there is more, and sends nothing new
            return None
        if arrived.listing.more is False or ask.is_linked or self._has_all(ask, arrived):
            return None
        told = not self._is_linked and arrived.listing.place is not None and self._says_more(ask, arrived)
        if told or self._numbered(ask):
            return self._counted(ask, arrived)
        return None if self._is_linked else unpaged(ask, arrived)

    def _end_of_status(self, ask: PageRequest, arrived: Arrived) -> None:
        """The list of one status has no pages: note if some of it was held back."""
        full = ask.limit is not None and arrived.count >= ask.limit and not self._resumed
        if arrived.listing.more or (arrived.count < arrived.total if arrived.total is not None else full):
            self._cut()

    def _named(self, arrived: Arrived) -> PageRequest | None:
        """What the service itself names as next."""
        if arrived.link is not None:
            return self._by_url(arrived, arrived.link)
        listing = arrived.listing
        value = listing.next
        if value is None or listing.more is False:
            return None
        if not _can_be_asked(value):
            self._cut_unless_all(arrived)
            return None
        if isinstance(value, str) and not listing.opaque and ("://" in value or value.startswith(("/", "?"))):
            return self._by_url(arrived, value)
        if self._cursor is None and self._page is not None and str(value).isdigit():
            return self._by_number("page", int(value))
        return self._by_cursor(str(value))

    def _by_url(self, arrived: Arrived, target: str) -> PageRequest | None:
        url = same_origin_target(arrived.url, target)
        if url is None:
            self._cut_unless_all(arrived)  # never followed: the key goes to one origin only
            return None
        place = below_origin(self._clean(url))
        return PageRequest(f"url:{place}", place=place, limit=self._limit)

    def _by_cursor(self, value: str) -> PageRequest:
        return self._ask(f"cursor:{value}", {self._cursor or "cursor": value})

    def _by_number(self, kind: str, value: int) -> PageRequest:
        name = self._page if kind == "page" else self._offset
        return self._ask(f"{kind}:{value}", {name or kind: str(value)})

    def _by_status(self, status: str, page: PageRequest | None = None) -> PageRequest:
        """The list of a status, or a page of it."""
        own = self._ask(f"status:{quote(status, safe='')}", {self._status or "status": status})
        if page is None:
            return own
        params = page.params if page.place is not None else {**own.params, **page.params}
        return replace(page, token=f"{own.token}:{page.token}", params=params)

    @staticmethod
    def _status_of(ask: PageRequest) -> str:
        return unquote(ask.token.split(":", 2)[1])

    def _says_more(self, ask: PageRequest, arrived: Arrived) -> bool:
        """Whether the service says that more follows, in words or by its count of records or pages."""
        total = self._credible(ask, arrived)
        if arrived.listing.more is None and total is None and arrived.listing.pages is not None:
            return not self._is_last_page(ask, arrived)
        if arrived.listing.more is not None or total is None:
            return bool(arrived.listing.more)
        return not self._resumed and not self._has_all(ask, arrived)

    def _is_last_page(self, ask: PageRequest, arrived: Arrived) -> bool:
        """Whether this is the last one of the pages that the service counts. Where a walk that was taken up does not
        know the number of the first page, one more is asked for rather than one too few."""
        kind, _, value = ask.token.partition(":")
        first = 1 if self._resumed or self._first_page is None else self._first_page
        before = int(value) - first if kind == "page" and value else 0
        return arrived.listing.pages is not None and before + 1 >= arrived.listing.pages

    def _numbered(self, ask: PageRequest) -> str:
        """Whether the list comes in pages that we number (`page`) or by `offset`; empty where nothing says so."""
        kind = ask.token.partition(":")[0]
        if kind in ("page", "offset"):
            return kind
        return "page" if self._page is not None else "offset" if self._offset is not None else ""

    def _counted(self, ask: PageRequest, arrived: Arrived) -> PageRequest | None:
        """The next of such pages; where the document names no parameter, the answer does."""
        count = arrived.count
        if count and not arrived.fresh and not (self._first_page is None and ask.token == "page:1"):
            self._cut()  # the service does not heed the number
            return None
        # Only a bound that the document states makes a short page the last one, and where it has sent larger ones.
        firm = self._firm_limit and ask.limit is not None and not _may_be_full(ask, count)
        short = firm and not self._says_more(ask, arrived)
        if not count or (short and self._short_pages.end(count)):
            return None
        self._only_to_see = short
        said, _ = arrived.listing.place or ("page", 0)
        kind, (_, _, value) = self._numbered(ask) or said, ask.token.partition(":")
        if kind == "offset":
            return self._by_number("offset", (int(value) if value else 0) + count)
        # Where nothing says whether the first page is 0 or 1, page 1 follows it: it shows the same again, or the next.
        return self._by_number("page", (int(value) if value else self._first_page or 0) + 1)

    def _by_statuses(self, ask: PageRequest, arrived: Arrived) -> PageRequest | None:
        """Nothing but a limit: a list as long as its limit may be cut, so ask for each status as well."""
        more = self._says_more(ask, arrived)
        if not more and (ask.limit is None or arrived.count < ask.limit):
            return None
        self.cut_at = arrived.count if more or ask.limit is None else ask.limit
        return None if self._status is None else self._by_status(self._statuses[0])

    def _next_status(self, ask: PageRequest) -> PageRequest | None:
        place = self._statuses.index(self._status_of(ask)) + 1
        return self._by_status(self._statuses[place]) if place < len(self._statuses) else None

    def _has_all(self, ask: PageRequest, arrived: Arrived) -> bool:
        if arrived.listing.more:
            return False
        total = self._credible(ask, arrived)
        if total is None:
            return self._is_last_page(ask, arrived)
        kind, _, value = ask.token.partition(":")
        if kind == "offset":
            return int(value) + arrived.count >= total
        return not self._resumed and self._met >= total

    def _credible(self, ask: PageRequest, arrived: Arrived) -> int | None:
        """How many records there are in all, as the service says; None where that may be the length of a page."""
        total, first = arrived.total, arrived.met <= arrived.count
        if total is None or total < arrived.met or (arrived.met < total <= arrived.count):
            return None
        alone = first and total == arrived.count and self._numbered(ask) and _may_be_full(ask, arrived.count)
        return None if alone else total

    def _reaches_total(self, arrived: Arrived) -> bool:
        """Whether all records have been met that there are, as the service counts them; in words it says no more."""
        return not self._resumed and not arrived.listing.more and 0 < arrived.met == arrived.total

    def _cut_unless_all(self, arrived: Arrived) -> None:
        if not self._reaches_total(arrived):
            self._cut()

    def _close(self, met: int, arrived: Arrived) -> None:
        # A walk that was taken up in the middle has not seen what came before.
        missed = arrived.total is not None and not self._resumed and met < arrived.total
        if missed or arrived.listing.more:
            self._cut()

    def _cut(self) -> None:
        self.cut_at = self._met if self.cut_at is None else self.cut_at

    def _ask(self, token: str, extra: Mapping[str, str] | None = None) -> PageRequest:
        limit = {} if self._limit_name is None else {self._limit_name: str(self._limit)}
        return PageRequest(token, {**limit, **(extra or {})}, limit=self._limit)

    def _new(self, ask: PageRequest) -> PageRequest:
        self._asked.add(ask.token)
        return ask


def _within(ask: PageRequest) -> PageRequest:
    """The request as it would be if the list of its status were the only list."""
    return replace(ask, token=ask.token.partition(":")[2].partition(":")[2]) if ask.is_filtered else ask


def _is_bare_nothing(arrived: Arrived) -> bool:
    """Whether an answer has no records, and no word about how many there are or whether more follow."""
    said = arrived.listing
    return not arrived.count and arrived.total is None and not said.ends and said.more is None and said.next is None


def _may_be_full(ask: PageRequest, count: int) -> bool:
    """Whether a page of so many records may be one that others follow."""
    return count in _USUAL_SIZES or (ask.limit is not None and count >= ask.limit)


def _can_be_asked(value: str | int) -> bool:
    """Whether a service's word for what follows fits into an address: not too long, and of whole characters."""
    try:
        return len(str(value).encode()) <= MAX_NEXT
    except UnicodeEncodeError:
        return False
