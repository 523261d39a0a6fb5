"""The names under which services take page sizes, cursors, page numbers, offsets and statuses."""

from __future__ import annotations

from collections.abc import Iterable

from petstore_desktop.domain.records import plain

LIMITS = (
    *("limit", "pagesize", "perpage", "pagelimit", "itemsperpage", "resultsperpage"),
    *("paginationpagesize", "paginationlimit", "maxresults", "size", "take", "top", "first", "count"),
)
CURSORS = (
    "cursor",
    "nextcursor",
    "pagetoken",
    "nextpagetoken",
    "continuationtoken",
    "continuation",
    "startingafter",
    "after",
    "pagecursor",
    "pageafter",
    "skiptoken",
)
PAGES = ("page", "pagenumber", "pageno", "pageindex", "paginationpage")
STATUSES = ("status", "petstatus", "orderstatus", "state")
OFFSETS = ("offset", "pageoffset", "paginationstart", "skip", "startindex", "startat", "start")
PAGING = (*LIMITS, *CURSORS, *PAGES, *OFFSETS)


def pick(names: Iterable[str], known: tuple[str, ...]) -> str | None:
    """The name, as the service spells it, that is one of `known`; the earliest in `known` wins."""
    spelled = {plain(name): name for name in names}
    return next((spelled[word] for word in known if word in spelled), None)
