"""Where a service may be when it is not at the given address: a few places below the same origin."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import urljoin, urlsplit, urlunsplit

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
    """A copied address may be that of a list or of the document itself (`/v1/pets`)."""
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


def pointed(base: str, asked: str, target: str) -> dict[str, object]:
    """Where a redirect leads, as a base address: `target` without the path that was asked for below `base`; `circle`:
    it leads back to where it came from."""
    if not target:
        return {"target": "", "circle": False}
    try:
        there = urlsplit(target)
        below = urlsplit(asked).path.removeprefix(urlsplit(base).path.rstrip("/"))
    except ValueError:
        return {"target": target, "circle": False}
    if not below or not there.path.endswith(below):
        return {"target": target, "circle": target == asked}
    shown = urlunsplit((there.scheme, there.netloc, there.path.removesuffix(below), "", ""))
    return {"target": shown, "circle": shown == base.rstrip("/")}
