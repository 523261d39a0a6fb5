"""The names under which services take page sizes, cursors, page numbers, offsets and statuses, and those by which what
is done depends on a value."""

from __future__ import annotations

import re
from collections.abc import Iterable

from petstore_desktop.contract.scalars import scalar_text
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


OVERRIDES = re.compile(r"methodoverride|^(x?http)?method$")
"""What would make another method of a request than the one that is sent, as `plain` has it."""
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_DEEDS = frozenset(
    {
        *("dry", "dryrun", "validate", "validation", "validateonly", "preview", "simulate", "simulated", "simulation"),
        *("sandbox", "test", "testmode", "mock", "noop", "whatif", "pretend", "rehearsal", "staging"),
        *("force", "forced", "overwrite", "override", "replace", "upsert", "merge", "bypass", "ignore", "skip"),
        *("cascade", "purge", "delete", "remove", "erase", "clear", "wipe", "reset", "permanent", "permanently"),
        *("notify", "notification", "publish"),
    }
)
"""Words of what a request does, or keeps from doing."""
_WAYS = frozenset({"action", "operation", "mode", "command", "env", "environment", "all", "prefer", "confirm"})
"""Words that say the same of a parameter, and mean anything in a record."""
_REVISIONS = frozenset({"version", "revision", "rev", "etag"})
_OF_INTERFACE = frozenset({"api", "schema", "client", "app", "protocol"})
_OFF = frozenset({"false", "no", "none", "off"})


def words_in(name: str) -> tuple[str, ...]:
    """`X-Dry-Run` and `xDryRun`: x, dry, run."""
    return tuple(word.lower() for word in _WORD.findall(name))


def is_revision(name: str, value: object) -> bool:
    """Whether a value of this name says which state of a record is meant: a number, as `v1` and dates are none."""
    words = {*words_in(name)}
    return scalar_text(value).isdigit() and bool(words & _REVISIONS) and not words & _OF_INTERFACE


def steers(name: str, value: object, *, in_record: bool = False) -> bool:
    """Whether what a request does depends on this value: a rehearsal, a deletion of more than one record, messages to
    people. `in_record`: it stands among the fields of a record."""
    if value is False or scalar_text(value).lower() in _OFF:
        return False
    if value is True and not in_record:
        return True
    known = _DEEDS if in_record else _DEEDS | _WAYS
    said = words_in(value) if isinstance(value, str) else ()
    return not known.isdisjoint((*words_in(name), *said))


# ---------------------------------------------------------------- headers

SENT = frozenset({"accept", "acceptencoding", "useragent", "contenttype", "contentlength", "host", "authorization"})
"""Headers that every request has."""
_UNSAFE = frozenset(
    {
        *("connection", "transferencoding", "te", "upgrade", "trailer", "expect", "cookie"),
        *("range", "ifrange", "ifmatch", "ifnonematch", "ifmodifiedsince", "ifunmodifiedsince"),
    }
)
"""Headers that say how a request is made, or on what it depends: a document that set one would break it."""
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""RFC 9110, 5.6.2."""


def is_own_header(name: str) -> bool:
    """Whether a header of this name may be the service's own, and says nothing of how a request is made."""
    return _NAME.fullmatch(name) is not None and plain(name) not in _UNSAFE and not OVERRIDES.search(plain(name))


def is_free_header(name: str) -> bool:
    """Whether it is none of those either that every request has."""
    return is_own_header(name) and plain(name) not in SENT
