"""Where the key travels, from a document's security schemes (OpenAPI 3, Security Scheme Object)."""

from __future__ import annotations

import re

from petstore_desktop.contract.document.reading import Document, Endpoint, Node, as_list, as_map, as_text
from petstore_desktop.contract.model import KeyPlace, KeyPlacement
from petstore_desktop.domain.records import plain

_NOT_SIMPLE = frozenset({"digest", "negotiate", "hoba", "mutual", "dpop", "gnap", "vapid", "privatetoken", "oauth"})
"""Schemes of http that take more than a key (IANA's list of them); `scram-...` too."""
_NOT_FOR_KEYS = frozenset(
    {"host", "connection", "content-length", "content-type", "transfer-encoding", "te", "upgrade"}
)
"""Headers that say how a request is made: a document that puts the key there would break it."""
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""A header's name, or a scheme (RFC 9110, 5.6.2)."""
_PREFIX_KEYS = frozenset({"xprefix", "xkeyprefix", "xapikeyprefix", "xauthprefix", "xtokenprefix"})


def key_placement(document: Document) -> KeyPlacement:
    """How to send the key: as the document's own requirement says, else by its first usable scheme, else as bearer.

    A document that requires nothing and has no schemes (`security: []`) gets no key.
    """
    required = _required(document)
    if not _schemes(document):
        nothing = "security" in document.root and not required
        return KeyPlacement(KeyPlace.NONE, "", "") if nothing else KeyPlacement()
    main = _main(document, required)
    if main is None:
        document.warn("no security scheme of the document can be used; the key is sent as bearer")
        return KeyPlacement()
    return main[1]


def scheme_of(document: Document, endpoint: Endpoint) -> str:
    """The names of the schemes that an operation wants of its own, "" where the main one, by which the key is sent,
    will do. A key that is refused for these may be good for all others."""
    if "security" not in endpoint.node:
        return ""
    names = {str(name) for choice in as_list(endpoint.node.get("security")) for name in as_map(choice)}
    main = _main(document, _required(document))
    return "" if main is None or main[0] in names else ", ".join(sorted(names)) or "none"


def _schemes(document: Document) -> Node:
    return as_map(as_map(document.root.get("components")).get("securitySchemes"))


def _main(document: Document, required: list[str]) -> tuple[str, KeyPlacement] | None:
    """The first scheme that can be used, the required ones before the others."""
    schemes = _schemes(document)
    for name in [*required, *(str(name) for name in schemes)]:
        placement = _placement(document.follow(schemes.get(name)))
        if placement is not None:
            return name, placement
    return None


def _required(document: Document) -> list[str]:
    """Names of the required schemes: of the whole document, else of the first operations that name any."""
    names = [str(name) for choice in as_list(document.root.get("security")) for name in as_map(choice)]
    if not names:
        for endpoint in document.endpoints():
            names += [str(name) for choice in as_list(endpoint.node.get("security")) for name in as_map(choice)]
    return list(dict.fromkeys(names))


def _placement(scheme: Node) -> KeyPlacement | None:
    kind = as_text(scheme.get("type"))
    if kind == "apiKey":
        return _api_key(scheme)
    if kind == "http":
        return _http(as_text(scheme.get("scheme")))
    if kind in ("oauth2", "openIdConnect"):
        # A token that was obtained elsewhere is sent the way RFC 6750 says.
        return KeyPlacement()
    return None


def _http(scheme: str) -> KeyPlacement | None:
    if not _TOKEN.fullmatch(scheme) or plain(scheme) in _NOT_SIMPLE or scheme.lower().startswith("scram-"):
        return None
    if scheme.lower() == "basic":
        return KeyPlacement(prefix="Basic ", basic=True)
    return KeyPlacement() if scheme.lower() == "bearer" else KeyPlacement(prefix=f"{scheme} ")


def _api_key(scheme: Node) -> KeyPlacement | None:
    name, place = as_text(scheme.get("name")), as_text(scheme.get("in"))
    if not name:
        return None
    if place == "query":
        return KeyPlacement(KeyPlace.QUERY, name, "")
    if place == "cookie":
        return KeyPlacement(KeyPlace.HEADER, "Cookie", f"{name}=") if _TOKEN.fullmatch(name) else None
    if not _TOKEN.fullmatch(name) or name.lower() in _NOT_FOR_KEYS:
        return None
    prefix = next((as_text(value) for key, value in scheme.items() if plain(str(key)) in _PREFIX_KEYS), "")
    if not all(" " <= letter <= "~" for letter in prefix):
        return None
    return KeyPlacement(KeyPlace.HEADER, name, f"{prefix.strip()} " if prefix.strip() else "")
