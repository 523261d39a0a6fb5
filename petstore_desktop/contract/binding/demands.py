"""What an operation demands besides the record: parameters and headers that go along with every request.

A value comes from the person, who says it once for the connection (`parameters.NAME` among the bindings), else from the
document: the default of the parameter, or the one value that it may have.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from petstore_desktop.contract import params
from petstore_desktop.contract.binding.operation import statuses_of
from petstore_desktop.contract.document.reading import Document, Endpoint, Node, as_list, as_text
from petstore_desktop.contract.model import KeyPlace, KeyPlacement
from petstore_desktop.domain.records import plain

_SENT = frozenset({"accept", "acceptencoding", "useragent", "contenttype", "contentlength", "host", "authorization"})
"""Headers that every request has."""
_UNSAFE = frozenset({"connection", "transferencoding", "te", "upgrade", "trailer", "expect", "cookie"})
"""Headers that say how a request is made: a document that set one would break it."""
_OVERRIDES = re.compile(r"methodoverride|^(x?http)?method$")
"""What would make another method of a request than the one that is sent."""
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""RFC 9110, 5.6.2."""
MOST_LETTERS = 1_000


def with_demands(
    document: Document, endpoint: Endpoint, keys: Sequence[KeyPlacement], given: Mapping[str, str]
) -> Endpoint:
    """The endpoint with what is always sent to it, and the first of its demands that nobody can meet."""
    always: dict[str, dict[str, str]] = {"query": {}, "header": {}}
    missing = ("", "")
    for parameter in endpoint.parameters:
        place, name = as_text(parameter.get("in")), as_text(parameter.get("name"))
        if place not in ("query", "header", "cookie") or _is_ours(document, endpoint, place, name, keys):
            continue
        value = _usable(place, name, given[name]) if name in given else _said(document, place, name, parameter)
        if name not in given and parameter.get("required") is not True:
            continue
        if value is not None:
            always[place][name] = value
        elif not missing[0] or (missing[0] != "query" and place == "query"):
            missing = (place, name)
    return replace(endpoint, always_query=always["query"], always_headers=always["header"], missing=missing)


def _is_ours(document: Document, endpoint: Endpoint, place: str, name: str, keys: Sequence[KeyPlacement]) -> bool:
    """Whether the program sends it anyway, where it is of use."""
    word = plain(name)
    if place == "query":
        own = params.STATUSES if statuses_of(document, endpoint) else ()
        return params.pick([name], (*params.LIMITS, *params.PAGES, *params.OFFSETS, *own)) is not None
    if word in _SENT or (word == "ifmatch" and endpoint.method in ("PUT", "PATCH", "DELETE")):
        return True
    return any(key.place is KeyPlace.HEADER and key.name.lower() == name.lower() for key in keys)


def _said(document: Document, place: str, name: str, parameter: Node) -> str | None:
    """The value that the document itself gives."""
    if _OVERRIDES.search(plain(name)):
        return None
    schema = document.follow(parameter.get("schema"))
    choices = as_list(schema.get("enum"))
    found = schema.get("default", schema.get("const", choices[0] if len(choices) == 1 else None))
    if isinstance(found, bool):
        found = str(found).lower()
    return _usable(place, name, str(found)) if isinstance(found, str | int | float) else None


def _usable(place: str, name: str, value: str) -> str | None:
    """The value if it can be sent there."""
    if not value or len(value) > MOST_LETTERS or not value.isprintable():
        return None
    if place == "query":
        return value
    safe = place == "header" and value.isascii() and _NAME.fullmatch(name) and plain(name) not in _UNSAFE
    return value if safe else None
