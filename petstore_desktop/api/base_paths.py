"""Where a service may be when it is not where somebody said: a few places below the same origin."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import urljoin, urlsplit

from petstore_desktop.api.address import origin_text

USUAL = ("/v1", "/api", "/api/v1")


def candidates(path: str, servers: Iterable[str], origin: str) -> tuple[str, ...]:
    """Paths to try instead of `path`, the likeliest first: what the document names as its servers, the usual ones below
    the given path and below the origin, then what lies above it. Servers of another `origin` do not count."""
    given = path.rstrip("/")
    found = [*_of_servers(servers, origin), *_usual(given), *_above(given)]
    return tuple(one for one in dict.fromkeys(found) if one != given)


def _of_servers(servers: Iterable[str], origin: str) -> Iterator[str]:
    for server in servers:
        try:
            resolved = urljoin(f"{origin}/", server)
        except ValueError:
            continue
        if origin_text(resolved) == origin:
            yield urlsplit(resolved).path.rstrip("/")


def _usual(given: str) -> Iterator[str]:
    """An address that somebody copied may be that of a list or of the document itself (`/v1/pets`)."""
    parent, _, last = given.rpartition("/")
    if last in ("pets", "orders", "categories", "inventory", "docs", "openapi.json", "openapi.yaml"):
        yield parent.removesuffix("/store")
    if re.fullmatch(r"v\d+", last) is None:
        yield f"{given}/v1"
    yield from USUAL


def _above(given: str) -> Iterator[str]:
    while given:
        given = given.rpartition("/")[0]
        yield given
