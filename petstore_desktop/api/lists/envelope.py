"""Under which names a list answer has its records, and what it says beside them: how many there are in all, and where
it goes on. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, cast
from urllib.parse import urlencode

from msgspec import Struct

from petstore_desktop.api.http.error_responses import tells_of_failure
from petstore_desktop.domain.errors import AnswerUnusable
from petstore_desktop.domain.records import Resource, plain

_ITEM_WORDS = (
    *("data", "items", "results", "records", "content", "list", "values", "value", "rows", "member", "docs", "objects"),
    *("entities", "elements", "response", "result", "payload", "body", "d"),
)


class _Words(NamedTuple):
    """What stands above a resource's records, above one of them, and what its id is called, as `plain` has it."""

    several: tuple[str, ...]
    one: tuple[str, ...]
    id: tuple[str, ...]


_WORDS: Mapping[Resource, _Words] = {
    Resource.PETS: _Words(("pets", "animals"), ("pet", "animal"), ("id", "petid")),
    Resource.CATEGORIES: _Words(("categories",), ("category",), ("id", "categoryid")),
    Resource.ORDERS: _Words(("orders",), ("order",), ("id", "orderid")),
    Resource.INVENTORY: _Words(
        ("inventory", "stock", "inventoryitems", "entries"),
        ("inventory", "inventoryitem", "stock", "entry"),
        ("petid",),
    ),
}
_NO_RECORDS = frozenset({"errors", "warnings", "messages", "links", "notices", "details", "sort", "columns", "fields"})
"""Lists that stand beside records, or instead of them."""
_PAGING_WORDS = frozenset(
    {"meta", "metadata", "pagination", "paging", "pager", "page", "pageinfo", "links", "view", "cursor", "cursors"}
)
_NEXT_WORDS = (
    "next",
    "nextcursor",
    "nextpagetoken",
    "nextpage",
    "nextlink",
    "nexturl",
    "odatanextlink",
    "endcursor",
    "continuationtoken",
    "cursor",
)
_MORE_WORDS = ("hasnextpage", "hasnext", "hasmore")
_PART_WORDS = ("partial", "truncated", "incomplete", "incompleteresults", "timedout")
"""Flags of an answer that has not all that was asked for."""
_LAST_WORDS = ("last", "islast", "lastpage", "islastpage")
_TOTAL_WORDS = (
    *("total", "totalcount", "totalitems", "totalelements", "totalresults", "totalrecords", "totalrows"),
    *("totalresourcecount", "odatacount", "totaldocs", "totalhits"),
)
_COUNT_WORDS = ("count", "recordcount")
"""Records in all in some services, those of this answer in others."""
_PAGES_WORDS = ("totalpages", "pagecount", "pages", "numpages", "lastpage")
_PLACE_WORDS = {
    **dict.fromkeys(("offset", "skip"), "offset"),
    **dict.fromkeys(("page", "pagenumber", "currentpage", "pageindex", "number"), "page"),
}
_FIRST_ERROR = 400
_DIGITS = 16
"""A number in text has fewer; what is longer is something else."""
_INSIDE = 3
"""Envelopes in envelopes are opened so deep."""


class Listing(Struct, frozen=True):
    """One list answer. `items` are records under an unknown name; others were cut off before. `more`: what the
    body says about there being more, None if nothing; `next`: the address, cursor or page number of what follows,
    `opaque` if it can only be a cursor; `total` records in all; `place`: `offset` or `page`, and the number that the
    body says this one has; `count`: records in all or in this answer, which of them is not said; `pages` in all;
    `ends`: it has a place for what follows, and nothing there."""

    items: list[object]
    next: str | int | None = None
    more: bool | None = None
    total: int | None = None
    opaque: bool = False
    place: tuple[str, int] | None = None
    count: int | None = None
    pages: int | None = None
    ends: bool = False


def leads_to_list(resource: Resource) -> Callable[[tuple[str, ...]], bool]:
    """Whether a list under these names, outermost first, is the one with the records; one under none of them is."""
    known = frozenset((*_WORDS[resource].several, *_ITEM_WORDS, "embedded"))
    return lambda names: len(names) <= _INSIDE + 1 and known.issuperset(names)


def read_listing(resource: Resource, value: object) -> Listing:
    """Open the envelope; a list that was cut off before stands in it empty. Raises AnswerUnusable (`not-a-list`) where
    there is no list in it, and (`error-inside`) where the answer says that it failed: then what is missing in it says
    nothing."""
    if tells_of_failure(_fields(value)) or _error_status(_fields(value)):
        raise AnswerUnusable("error-inside")
    items = _items(resource, value, 0)
    if items is None:
        raise AnswerUnusable("not-a-list")
    if not isinstance(value, dict):
        return Listing(items)
    said = tuple(_paging(resource, cast("dict[str, object]", value), 0))
    word, value = _next(said)
    opaque = word.endswith(("cursor", "token"))
    numbers = dict(reversed(list(_counts(said))))
    total, count, pages = (_first(numbers, words) for words in (_TOTAL_WORDS, _COUNT_WORDS, _PAGES_WORDS))
    ends = value is None and any(name in _NEXT_WORDS and there is None for name, there in said)
    return Listing(items, value, _more(said), total, opaque, _place(numbers), count, pages, ends)


def _fields(value: object) -> Mapping[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _error_status(body: Mapping[str, object]) -> bool:
    """Whether it is the specification's Error object, or names the status of one, beside a list."""
    status = next((body[name] for name in ("status", "statusCode", "status_code") if name in body), None)
    return isinstance(status, int) and not isinstance(status, bool) and status >= _FIRST_ERROR


def _items(resource: Resource, value: object, depth: int) -> list[object] | None:
    if isinstance(value, list):
        return cast("list[object]", value)
    if not isinstance(value, dict) or depth > _INSIDE:
        return None
    fields = {_word(name): item for name, item in cast("dict[str, object]", value).items()}
    words = [word for word in (*_WORDS[resource].several, *_ITEM_WORDS, "embedded") if word in fields]
    for word in words:
        inner = _items(resource, fields[word], depth + 1)
        if inner is not None:
            return inner
    if any(fields[word] is None for word in words):
        return []  # some services write null for an empty list
    other = [item for word, item in fields.items() if word not in _NO_RECORDS]
    lists = [cast("list[object]", item) for item in other if isinstance(item, list)]
    return lists[0] if len(lists) == 1 else None


def _word(name: str) -> str:
    """A name as `plain` has it, without the prefix that Hydra gives its own (`hydra:member`)."""
    return plain(name.removeprefix("hydra:"))


def _paging(resource: Resource, envelope: Mapping[str, object], depth: int) -> Iterator[tuple[str, object]]:
    """Find the list's metadata beside the list, in whatever envelopes it comes, and in the usual places."""
    inside = {*_PAGING_WORDS, *_WORDS[resource].several, *_ITEM_WORDS, "embedded"}
    for name, value in envelope.items():
        word = _word(name)
        if isinstance(value, dict) and word in inside and depth < _INSIDE:
            yield from _paging(resource, cast("dict[str, object]", value), depth + 1)
        elif isinstance(value, dict) and word == "next":
            yield from _next_inside(cast("dict[str, object]", value))
        else:
            yield word, value


def _next_inside(following: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """What follows where an object names it: the link in it, or the parameters of its address (`{"page": 2, "limit":
    25}`). One that says neither says that there is more."""
    if "href" in following:
        yield "next", following["href"]
    elif following and all(isinstance(value, str | int) for value in following.values()):
        yield "next", f"?{urlencode({name: _written(value) for name, value in following.items()})}"
    elif following:
        yield "hasmore", True
    else:
        yield "next", None


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _next(said: tuple[tuple[str, object], ...]) -> tuple[str, str | int | None]:
    for word in _NEXT_WORDS:
        for name, value in said:
            if name == word and isinstance(value, str | int) and not isinstance(value, bool) and value != "":
                return word, value
    return "", None


def _more(said: tuple[tuple[str, object], ...]) -> bool | None:
    flags = {name: flag for name, value in reversed(said) if (flag := _flag(value)) is not None}
    if any(flags.get(word) for word in _PART_WORDS):
        return True
    more = next((flags[word] for word in _MORE_WORDS if word in flags), None)
    last = next((flags[word] for word in _LAST_WORDS if word in flags), None)
    return more if more is not None or last is None else not last


def _flag(value: object) -> bool | None:
    """A yes or no, also in words."""
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value)
    return value if isinstance(value, bool) else None


def _first(numbers: Mapping[str, int], words: tuple[str, ...]) -> int | None:
    return next((numbers[word] for word in words if word in numbers), None)


def _place(numbers: Mapping[str, int]) -> tuple[str, int] | None:
    return next(
        ((kind, numbers[word]) for word, kind in _PLACE_WORDS.items() if numbers.get(word, 2**53) < 2**53), None
    )


def _counts(said: tuple[tuple[str, object], ...]) -> Iterator[tuple[str, int]]:
    for name, value in said:
        number = _number(value)
        if number is not None:
            yield name, number


def _number(value: object) -> int | None:
    """A count; also one that is written as text, or as 35.0."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < _DIGITS:
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0 or value != value // 1:
        return None
    return int(value)


def unwrap_one(resource: Resource, value: object, known: frozenset[str]) -> object:
    """One record, out of its envelopes if it is in any: of the objects in one another the first that has most of the
    `known` names. An envelope may have one of them too (`"status": "success"`)."""
    found = list(_envelopes(resource, value, 0))
    best = max(found, key=lambda one: len(known & one.keys()), default=None)
    if best is None or known & best.keys():
        return value if best is None else best
    return next((one for one in found[1:] if len(one) > 1), found[-1])


def _envelopes(resource: Resource, value: object, depth: int) -> Iterator[Mapping[str, object]]:
    """An object, and what stands in it where one record may stand."""
    if not isinstance(value, dict) or depth > _INSIDE:
        return
    fields = cast("dict[str, object]", value)
    yield fields
    by_word = {plain(name): item for name, item in fields.items()}
    words = (*_WORDS[resource].one, "data", "item", "result", "record", "value")
    alone = list(fields.values()) if len(fields) == 1 else []  # whatever it is called: `{"stock_item": {...}}`
    inner = next((by_word[word] for word in words if isinstance(by_word.get(word), dict)), *alone or (None,))
    yield from _envelopes(resource, inner, depth + 1)


def bare_id(resource: Resource, value: object) -> object:
    """The id in an answer to a creation that may hold nothing else: the value itself, or an object's telling field. The
    id of another resource (an order's `petId`) is none."""
    if not isinstance(value, dict):
        return value
    fields = {plain(name): item for name, item in cast("dict[str, object]", value).items()}
    words = (*_WORDS[resource].id, "createdid", "insertedid")
    found = next((fields[word] for word in words if word in fields), None)
    return bare_id(resource, fields["data"]) if found is None and "data" in fields else found
