"""The answers to lists, in every way of paging that a scenario can have."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any, cast
from urllib.parse import urlencode

from tests.support.services.scenario import PAGING, Scenario

_CURSOR = "after:"


class BadQuery(ValueError):
    """A parameter has a value that no page has."""


def page_of(
    scenario: Scenario, words: tuple[str, str], rows: Sequence[object], query: Mapping[str, str], address: str
) -> tuple[Any, dict[str, str]]:
    """One page of some records, and its headers. `address`: that of the list. Raises BadQuery."""
    size_name, at_name, first = PAGING[scenario.paging]
    size = _number(query.get(size_name, str(scenario.page))) if size_name else max(len(rows), 1)
    if size_name and not 1 <= size <= scenario.page:
        raise BadQuery(f"a page has 1 to {scenario.page} records")
    at, begin = _place(scenario, query.get(at_name, ""), size, first)
    end = begin + size
    part, more = list(rows[begin:end]), end < len(rows)
    following = _following(scenario, at, end)
    link = f"{address}?{urlencode({**query, size_name: size, at_name: following})}" if more and at_name else ""
    body = _enveloped(scenario, words, part)
    said = _said(scenario, at, size, len(rows), begin, following, link)
    links_on = link and scenario.paging in ("link", "json-server")
    headers = {"Link": f'<{link}>; rel="next"'} if links_on else {}
    if isinstance(body, dict):
        body = {**scenario.around, **cast("dict[str, Any]", body), **said}
    elif scenario.paging in ("offset", "page", "json-server"):
        headers["X-Total-Count"] = str(len(rows))
    return body, headers


def goes_on(scenario: Scenario, body: Any, words: tuple[str, str], rows: Sequence[object]) -> bool:
    """Whether an answer holds some of the records, and the last one is not among them."""
    for name in scenario.many:
        body = body[name.replace("{}", words[1])]
    return bool(body) and rows[-1] != body[-1]


def _place(scenario: Scenario, said: str, size: int, first: int) -> tuple[int, int]:
    """The number of a page, and of the first record on it."""
    if scenario.paging in ("cursor", "stripe"):
        begin = _of_cursor(said) if said else 0
        return begin // size, begin
    if scenario.paging in ("offset", "more", "odata", "feathers"):
        begin = _number(said or "0")
        return begin // size, begin
    at = _number(said or str(first))
    return at, (at - first) * size


def _following(scenario: Scenario, at: int, end: int) -> int | str:
    if scenario.paging in ("cursor", "stripe"):
        return base64.urlsafe_b64encode(f"{_CURSOR}{end}".encode()).decode()
    return end if scenario.paging in ("offset", "more", "odata", "feathers") else at + 1


def _enveloped(scenario: Scenario, words: tuple[str, str], part: list[object]) -> Any:
    body: Any = part
    for name in reversed(scenario.many):
        body = {name.replace("{}", words[1]): body}
    return body


def _said(
    scenario: Scenario, at: int, size: int, total: int, begin: int, following: int | str, link: str
) -> dict[str, Any]:
    """What stands beside the records."""
    pages, first = ceil(total / size), PAGING[scenario.paging][2]
    spring = {"totalPages": pages, "totalElements": total, "size": size, "number": at}
    links = {"next": {"href": link}} if link else {}
    return {
        "offset": {"total": total},
        "more": {"hasMore": begin + size < total},
        "page": {"page": at, "totalPages": pages},
        "rails": {"meta": {"current_page": at, "total_pages": pages, "total_count": total}},
        "cursor": {"nextCursor": following if link else None},
        "stripe": {"object": "list", "has_more": bool(link), "next_cursor": following if link else None},
        "hal": {"_links": {"self": {"href": "/here"}, **links}, "page": spring},
        "jsonapi": {"links": {"next": link or None}, "meta": {"total": total}},
        "spring": {
            **spring,
            "first": at == first,
            "last": not link,
            "pageable": {"pageNumber": at, "pageSize": size, "offset": begin, "sort": {"sorted": False}},
        },
        "odata": {"@odata.count": total, **({"@odata.nextLink": link} if link else {})},
        "feathers": {"total": total, "limit": size, "skip": begin},
        "strapi": {"meta": {"pagination": {"page": at, "pageSize": size, "pageCount": pages, "total": total}}},
        "count": {"count": total, "next": link or None, "previous": None},
    }.get(scenario.paging, {})


def _of_cursor(said: str) -> int:
    try:
        return _number(base64.urlsafe_b64decode(said.encode()).decode().removeprefix(_CURSOR))
    except ValueError:
        raise BadQuery(f"no cursor: {said}") from None


def _number(said: str) -> int:
    if not (said.isascii() and said.isdigit()):
        raise BadQuery(f"no number: {said}")
    return int(said)


def named(envelope: str, words: tuple[str, str]) -> str:
    """The name above one record."""
    return envelope.replace("{}", words[0])


def above(scenario: Scenario, words: tuple[str, str], record: object) -> object:
    """One record as an answer has it."""
    for name in reversed(scenario.one.split(".") if scenario.one else ()):
        record = {named(name, words): record}
    return {**scenario.around, **cast("dict[str, object]", record)} if scenario.one else record
