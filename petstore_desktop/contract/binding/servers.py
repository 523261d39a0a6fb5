"""Where below its origin a service lies, by the `servers` of its document (OpenAPI 3, Server Object).

The address that a person typed for the connection decides the origin, always: the key goes there and nowhere else.
A document adds a path in one case only: the typed address has none (`https://host`), and a server of the document is
relative (`/v1`) or on that very origin (`https://host/v1`). The first such server counts. A typed path (`https://host/
v1`) is taken as it is. Servers on other origins are never used, whatever they say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urljoin, urlsplit

from petstore_desktop.contract.document.reading import Document, Node, as_list, as_map
from petstore_desktop.contract.model import Contract

MAX_SERVERS = 20
_VARIABLE = re.compile(r"\{([^{}]*)\}")
_DEFAULT_PORTS = {"http": 80, "https": 443}


def servers_of(document: Document) -> tuple[str, ...]:
    """The servers' addresses, absolute or relative, with the defaults of their variables filled in."""
    nodes = as_list(document.root.get("servers"))[:MAX_SERVERS]
    filled = [_filled(document, as_map(node)) for node in nodes]
    return tuple(dict.fromkeys(address for address in filled if address))


def _filled(document: Document, server: Node) -> str:
    address = server.get("url")
    if not isinstance(address, str):
        return ""
    variables = as_map(server.get("variables"))

    def value(found: re.Match[str]) -> str:
        # An unquoted port or version in YAML arrives as a number.
        said = as_map(variables.get(found[1])).get("default")
        return str(said) if isinstance(said, str | int | float) else found[0]

    filled = _VARIABLE.sub(value, address.strip())
    if "{" in filled or not filled.isprintable() or len(filled) > 2000:
        document.warn(f"a server's address cannot be used: {address}")
        return ""
    return filled


def root_of(contract: Contract, typed: str) -> str:
    """The base address of the contract's paths: the typed one without the part that the paths repeat."""
    root = typed.removesuffix(contract.within)
    return root + base_path(contract.servers, root)


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
