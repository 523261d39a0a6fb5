"""Which record of something else the resources lie below: of `/shops/{shopId}/pets` the shop is part of the address.

A person gives it there, `https://host/v1/shops/7`; the paths of the document are then taken with it filled in.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from petstore_desktop.contract.binding.kinds import is_hole, path_shape
from petstore_desktop.contract.document.reading import Endpoint
from petstore_desktop.domain.records import Resource

Scope = tuple[str, ...]
_NO_VALUE = re.compile(r"v[0-9]+([._][0-9]+)*|api|rest", re.ASCII | re.IGNORECASE)
"""A segment of an address that says which interface is meant, not which shop."""
_EXAMPLE = "7"


def scopes_of(endpoints: Iterable[Endpoint]) -> dict[Scope, set[Resource]]:
    """What resources lie below, the places with most endpoints first."""
    count, named = Counter[Scope](), dict[Scope, set[Resource]]()
    for shape in (path_shape(endpoint.path) for endpoint in endpoints):
        if shape.is_within and shape.noun is not None:
            count[shape.scope] += 1
            named.setdefault(shape.scope, set()).add(shape.noun)
    return {scope: named[scope] for scope, _ in count.most_common()}


def within(scopes: Iterable[Scope], address: str) -> tuple[Scope, Scope]:
    """The first of these places that the end of an address is, and that end; empty for none."""
    given = _segments(address)
    for scope in scopes:
        end = given[-len(scope) :]
        if len(end) == len(scope) and all(map(_fits, scope, end)):
            return scope, end
    return (), ()


def filled(endpoint: Endpoint, scope: Scope, values: Scope) -> Endpoint:
    """The endpoint with that place filled in, if it lies below it."""
    segments = _segments(endpoint.path)
    if not scope or segments[: len(scope)] != scope:
        return endpoint
    return replace(endpoint, path="/" + "/".join((*values, *segments[len(scope) :])))


def example(scope: Scope, address: str) -> str:
    """An address as it should be given."""
    begun = next((n for n in range(len(scope), 0, -1) if _segments(address)[-n:] == scope[:n]), 0)
    values = ("v1" if _is_version(segment) else _EXAMPLE if is_hole(segment) else segment for segment in scope)
    rest = list(values)[begun:]
    return "/".join((address.rstrip("/"), *rest))


def above(address: str) -> str:
    """Where the document of a service may lie whose address ends in the place of one shop, such as `/shops/7`; empty
    where the address has no such end."""
    given = _segments(address)
    if len(given) < 2 or _NO_VALUE.fullmatch(given[-1]) is not None:
        return ""
    return address.rstrip("/").removesuffix("/" + "/".join(given[-2:]))


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
