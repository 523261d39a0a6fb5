"""Where below its origin a service lies, by the `servers` of its document (OpenAPI 3, Server Object).

The address that a person typed for the connection decides the origin, always: the key goes there and nowhere else.
A document adds a path in one case only: the typed address has none (`https://host`), and a server of the document is
relative (`/v1`) or on that very origin (`https://host/v1`). The first such server counts. A typed path (`https://host/
v1`) is taken as it is. Servers on other origins are never used, whatever they say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from urllib.parse import urljoin, urlsplit

from msgspec.structs import replace

from petstore_desktop.contract.document.reading import Document, Endpoint, Node, as_list, as_map
from petstore_desktop.contract.model import Contract, Operation
from petstore_desktop.contract.scalars import scalar_text

MAX_SERVERS = 20
_NOWHERE = "https://here.invalid"
"""Stands for the typed address where there is none yet."""
_VARIABLE = re.compile(r"\{([^{}]*)\}")
_DEFAULT_PORTS = {"http": 80, "https": 443}


def servers_of(document: Document, node: Node, place: str = "") -> tuple[str, ...]:
    """The addresses of the servers that a document, a path or an operation names, absolute or relative to the origin,
    with the defaults of their variables filled in. `place`: the address of the document, from which those count that
    are relative to it (OpenAPI 3, Server Object)."""
    filled = [_filled(document, as_map(one)) for one in as_list(node.get("servers"))[:MAX_SERVERS]]
    return tuple(dict.fromkeys(_from(place, address) for address in filled if address))


def _from(place: str, address: str) -> str:
    with suppress(ValueError):
        if place and not urlsplit(address).netloc and not address.startswith("/"):
            return urlsplit(urljoin(place, address)).path
    return address


def placed(document: Document, endpoint: Endpoint, typed: str, place: str = "") -> Endpoint:
    """The endpoint with where it lies, if its own servers, or its path's, say so.

    A server on the origin of the document's own servers stands for one on the typed origin: that may be a copy."""
    said = servers_of(document, endpoint.node, place) or servers_of(document, endpoint.path_node, place)
    if not said:
        return endpoint
    shared = [address for address in servers_of(document, document.root, place) if urlsplit(address).netloc]
    for here in (typed or _NOWHERE, *shared):
        for server in said:
            with suppress(ValueError):
                resolved = urljoin(f"{here.rstrip('/')}/", server)
                if _origin(resolved) == _origin(here):
                    return replace(endpoint, server=urlsplit(resolved).path.rstrip("/"))
    return replace(endpoint, elsewhere=said[0])


def _filled(document: Document, server: Node) -> str:
    address = server.get("url")
    if not isinstance(address, str):
        return ""
    variables = as_map(server.get("variables"))

    def value(found: re.Match[str]) -> str:
        # An unquoted port or version in YAML arrives as a number.
        said = as_map(variables.get(found[1])).get("default")
        return scalar_text(said) or found[0]

    filled = _VARIABLE.sub(value, address.strip())
    if "{" in filled or not filled.isprintable() or len(filled) > 2000:
        document.warn(f"a server's address cannot be used: {address}")
        return ""
    return filled


def root_of(contract: Contract, typed: str, operation: Operation | None = None) -> str:
    """The base address of the contract's paths: the typed one without the part that the paths repeat. `operation`: that
    of an operation, which may lie at a server of its own on the same origin."""
    if operation is not None and operation.server is not None:
        return typed[: len(typed) - len(urlsplit(typed).path)] + operation.server
    root = typed.removesuffix(contract.within)
    return root + base_path(contract.servers, root)


def is_server(servers: Iterable[str], typed: str) -> bool:
    """Whether one of these is at this very address, on whichever origin it names."""
    path = urlsplit(typed).path.rstrip("/")
    return any(urlsplit(server).path.rstrip("/") == path for server in servers)


def base_path(servers: Iterable[str], typed: str) -> str:
    """What comes between the typed address and a path of the document: empty, or `/v1`."""
    if urlsplit(typed).path.strip("/"):
        return ""
    for server in servers:
        try:
            resolved = urljoin(f"{typed.rstrip('/')}/", server)
            if _origin(resolved) == _origin(typed):
                return urlsplit(resolved).path.rstrip("/")
        except ValueError:
            continue
    return ""


def _origin(address: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(address)
    return parts.scheme, parts.hostname, parts.port or _DEFAULT_PORTS.get(parts.scheme)
