"""Which record of something else the resources lie below: of `/shops/{shopId}/pets` the shop is part of the address.

A person gives it there, `https://host/v1/shops/7`; the paths of the document are then taken with it filled in.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from urllib.parse import quote, urlsplit

from msgspec.structs import replace

from petstore_desktop.contract.binding.kinds import is_hole, path_shape
from petstore_desktop.contract.document.reading import Endpoint, Node
from petstore_desktop.contract.model import value_can_be_sent
from petstore_desktop.domain.records import Resource

Scope = tuple[str, ...]
_NO_VALUE = re.compile(r"v[0-9]+([._][0-9]+)*|api|rest", re.ASCII | re.IGNORECASE)
"""A segment of an address that says which interface is meant, not which shop."""
_EXAMPLE = "7"
OF_SPRING = "v3/api-docs"
_OF_ASPNET = "swagger/v1/swagger.json"
_FIRST, _YAML = "openapi.json", "openapi.yaml"
_OLD = "api-docs"
_BELOW = (_YAML, OF_SPRING, "swagger.json", _OF_ASPNET, _OLD)
"""What documents are called by the frameworks that publish them, besides."""
TOP_NAMES = (
    *("openapi/v1.json", "api/schema/", "docs/api.json", _OF_ASPNET, OF_SPRING),
    *("api-json", "q/openapi", "docs.json"),
)
"""What they are called by those that publish them at the top alone."""
_SHORT = 2
"""Folders of an address that names one at most: `/shop`. Below `/api/v2` nobody has `swagger/v1`, and what lies beside
that is seldom `api-docs`: Spring's document is at the top, or below."""
_FURTHER_UP = 3
"""Folders that are looked into, besides the topmost one."""
MOST_PLACES = 14
"""Requests for a document."""


def scopes_of(endpoints: Iterable[Endpoint]) -> dict[Scope, set[Resource]]:
    """What resources lie below, the places with most endpoints first."""
    count, named = Counter[Scope](), dict[Scope, set[Resource]]()
    for shape in (path_shape(endpoint.path) for endpoint in endpoints):
        if shape.is_within and shape.noun is not None:
            count[shape.scope] += 1
            named.setdefault(shape.scope, set()).add(shape.noun)
    return {scope: named[scope] for scope, _ in count.most_common()}


def within(scopes: Iterable[Scope], address: str) -> tuple[Scope, Scope]:
    """The first of these places that the end of an address is, and that end; empty for none. Where a folder follows
    the record (`/shops/{shopId}/store/orders`), the address need not have it."""
    given, all_ = _segments(address), list(scopes)
    for scope in dict.fromkeys((*all_, *map(_to_record, all_))):
        end = given[-len(scope) :]
        if len(end) == len(scope) and all(map(_fits, scope, end)):
            return scope, end
    return (), ()


def _to_record(scope: Scope) -> Scope:
    """A place up to the last record in it."""
    return scope[: max(place for place, segment in enumerate(scope) if is_hole(segment)) + 1]


def filled(endpoint: Endpoint, scope: Scope, values: Scope) -> Endpoint:
    """The endpoint with that place filled in, if it lies below it."""
    segments = _segments(endpoint.path)
    if not scope or segments[: len(scope)] != scope:
        return endpoint
    end = "/" if endpoint.path.endswith("/") else ""  # to some frameworks it is part of the path
    return replace(endpoint, path="/" + "/".join((*values, *segments[len(scope) :])) + end)


def given(endpoint: Endpoint, values: Mapping[str, str]) -> Endpoint:
    """The endpoint with the records filled in below which it lies, as far as a person has named them."""
    shape = path_shape(endpoint.path)
    if shape.is_within:
        endpoint = replace(endpoint, asked=tuple(_asked(endpoint, shape.scope)))
    usable = {name: value for name, value in values.items() if value_can_be_sent("path", value)}
    named = {f"{{{name}}}": quote(value, safe="") for name, value in usable.items()}
    scope = tuple(named.get(segment, segment) for segment in shape.scope)
    return filled(endpoint, shape.scope, scope) if scope != shape.scope else endpoint


def _asked(endpoint: Endpoint, scope: Scope) -> Iterator[Node]:
    """What the document says of the placeholders of a scope."""
    said = {f"{{{one.get('name')}}}": one for one in endpoint.parameters if one.get("in") == "path"}
    for segment in filter(is_hole, scope):
        yield said.get(segment, {"in": "path", "name": segment[1:-1]})


def example(scope: Scope, address: str) -> str:
    """An address as it should be given."""
    begun = next((n for n in range(len(scope), 0, -1) if _segments(address)[-n:] == scope[:n]), 0)
    return "/".join((address.rstrip("/"), *filling(scope)[begun:]))


def filling(scope: Scope) -> Scope:
    """The place with examples for what an address has to name."""
    return tuple("v1" if _is_version(segment) else _EXAMPLE if is_hole(segment) else segment for segment in scope)


def repeated(endpoints: Iterable[Endpoint], address: str, servers: Iterable[str]) -> Scope:
    """The end of an address that the paths of all resources repeat: of `/api/v1` and `/api/v1/pets` all of it. Empty
    for none, and where a server of the document has that very path: then both count."""
    given = _segments(address)
    scopes = {shape.scope for shape in (path_shape(one.path) for one in endpoints) if shape.noun is not None}
    if any(is_hole(segment) for scope in scopes for segment in scope):
        return ()  # which value is meant has to be told
    if not scopes or any(_segments(server) == given for server in servers):
        return ()
    ends = (given[-count:] for count in range(len(given), 0, -1))
    return next((end for end in ends if all(scope[: len(end)] == end for scope in scopes)), ())


def document_places(address: str) -> tuple[str, ...]:
    """Where a service at this address may publish its document, the likeliest place first: under the commonest name
    below the address, beside it, and up to the top; under the others below it and beside it, and, as far as there is
    room, at the top under the names of those that publish it there."""
    root = address.rstrip("/")
    folders = [root]
    for _ in _segments(address):
        folders.append(folders[-1].rpartition("/")[0])
    first = [f"{folder}/{_FIRST}" for folder in (*folders[:_FURTHER_UP], folders[-1])]
    names = [name for name in _BELOW if name != _OF_ASPNET or len(folders) <= _SHORT]
    below = [f"{root}/{name}" for name in names]
    seldom = (_YAML,) if len(folders) <= _SHORT else (_YAML, _OLD)
    beside = [f"{folder}/{name}" for folder in folders[1:2] for name in names if name not in seldom]
    places = dict.fromkeys((*first, *below, *beside, *(f"{folders[-1]}/{name}" for name in TOP_NAMES)))
    return tuple(places)[:MOST_PLACES]


def _fits(wanted: str, given: str) -> bool:
    if not is_hole(wanted):
        return wanted == given
    return _is_version(wanted) or _NO_VALUE.fullmatch(given) is None


def _is_version(hole: str) -> bool:
    return "version" in hole.lower()


def _segments(address: str) -> Scope:
    path = urlsplit(address).path
    return tuple(segment for segment in path.split("/") if segment)


def shown(scope: Sequence[str]) -> str:
    """`/shops/{shopId}`."""
    return "/" + "/".join(scope)
