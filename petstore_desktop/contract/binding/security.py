"""Which keys travel where, from a document's security schemes (OpenAPI 3, Security Scheme and Requirement Object).

Of several requirements one is to be met (or); of the schemes in one, each has a key of its own, and all are sent (and).
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TypeAlias, cast

from msgspec.structs import replace

from petstore_desktop.contract import params
from petstore_desktop.contract.document.reading import MAX_MEMBERS, Document, Endpoint, Node, as_list, as_map, as_text
from petstore_desktop.contract.key_choice import with_main_key
from petstore_desktop.contract.model import API_KEY, Contract, KeyPlace, KeyPlacement
from petstore_desktop.contract.operations import MAIN_KEY
from petstore_desktop.domain.commands import ServiceKey
from petstore_desktop.domain.records import plain

Names: TypeAlias = tuple[str, ...]
"""The schemes of one requirement; none where it asks for no key."""

_NOT_SIMPLE = frozenset({"digest", "negotiate", "hoba", "mutual", "dpop", "gnap", "vapid", "privatetoken", "oauth"})
"""Schemes of http that take more than a key (IANA's list of them); `scram-...` too."""
_NOT_FOR_KEYS = frozenset(
    {
        *("host", "connection", "contentlength", "contenttype", "transferencoding", "te", "upgrade"),
        *("accept", "acceptencoding", "useragent", "trailer", "expect", "location", "origin", "referer"),
        *("range", "ifrange", "ifmatch", "ifnonematch", "ifmodifiedsince", "ifunmodifiedsince"),
    }
)
"""Headers that say how a request is made, or what is wanted: a document that puts the key there would break it."""
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""A header's name, or a scheme (RFC 9110, 5.6.2)."""
_TOLD_PREFIX = re.compile(r"""prefix ["'`]([A-Za-z][A-Za-z-]{1,20})["'`]""", re.IGNORECASE)
"""What a description says that stands before the key: drf-spectacular's `required prefix "Token"`."""
_MOST_TOLD = 1_000
_PREFIX_KEYS = frozenset({"xprefix", "xkeyprefix", "xapikeyprefix", "xauthprefix", "xtokenprefix"})
_ELSEWHERE = ("oauth2", "openIdConnect")
"""Types of schemes by which a service signs people in somewhere else."""
_LONGEST_NAME = 100
MOST_ALTERNATIVES = 2
NO_KEY = "none"
"""Stands for the scheme of an operation that wants no key."""


class Security:
    """What one document says of keys.

    `main`: the schemes whose keys are sent wherever an operation says nothing else, the main one first: of the
    requirements of the document that can be met, else of those of its operations, the one that most operations accept;
    else the first scheme that can be used.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._schemes = as_map(as_map(document.root.get("components")).get("securitySchemes"))
        required = _required(document)
        said = isinstance(document.root.get("security"), list) or not self._schemes
        self._none = not any(required) and (("security" in document.root and said) or _is_open(document))
        """It says that it requires nothing, and no operation says otherwise, or each of them says so."""
        single = [(name,) for names in required for name in names]
        listed = [] if self._none else [(name,) for name in self._schemes]
        self.main: Names = ()
        usable = (one for one in (*required, *single, *listed) if one and self._placed(one) is not None)
        self.main = next(usable, ())

    def keys(self) -> tuple[KeyPlacement, ...]:
        """The keys of `main`; where there is no scheme, one as bearer, or just one without a place where the document
        requires nothing."""
        if self._none:
            return (KeyPlacement(KeyPlace.NONE, "", ""),)
        if not self.main and self._schemes:
            self._document.warn("no security scheme of the document can be used; the key is sent as bearer")
        return self._placed(self.main) or (KeyPlacement(),)

    def of(self, endpoint: Endpoint) -> tuple[str, tuple[KeyPlacement, ...] | None]:
        """The names of the schemes that an operation wants instead of the main ones, and where their keys travel; ""
        and None where the main ones will do. Keys that are refused for these may be good for all others."""
        said = endpoint.node.get("security", self._document.root.get("security"))
        if self._none or not isinstance(said, list):
            return "", None
        choices = _choices(cast("list[object]", said)) or [()]
        if not self.main:
            return ("", None) if any(choices) else (NO_KEY, ())
        best = min((one for one in choices if self._placed(one) is not None), key=self._rank, default=None)
        if best is None:
            names = {name for one in choices for name in one}
            return "" if self.main[0] in names else ", ".join(sorted(names)), None
        if set(best) == set(self.main):
            return "", None
        return ", ".join(sorted(best)) or NO_KEY, self._placed(best)

    def sent(self, endpoint: Endpoint) -> tuple[KeyPlacement, ...]:
        """The keys that are sent to it."""
        own = self.of(endpoint)[1]
        return self.keys() if own is None else own

    def in_contract(self, contract: Contract) -> Contract:
        """The contract with the keys that its operations take, and the place of the main ones."""
        key, *beside = self.keys()
        contract = replace(contract, key=key, beside=tuple(beside), alternatives=self._alternatives())
        schemes = dict.fromkeys(place.scheme for place in contract.places if place.place is not KeyPlace.NONE)
        contract = replace(contract, keys=tuple(map(self._service_key, schemes)))
        return with_main_key(contract, contract.by_hand.get(MAIN_KEY, ""))

    def wanted(self) -> tuple[ServiceKey, ...]:
        """The keys that are sent wherever an operation says nothing else."""
        return self.in_contract(Contract({})).keys

    def _service_key(self, scheme: str) -> ServiceKey:
        name = scheme or "".join(self.main[:1])
        kind = as_text(self._document.follow(self._schemes.get(name)).get("type"))
        place = (self._placed((name,)) or (None,))[0]
        if place is None:
            return ServiceKey(scheme, name, kind in _ELSEWHERE)
        return ServiceKey(scheme, name, kind in _ELSEWHERE, place.place.value, place.name)

    def _alternatives(self) -> tuple[KeyPlacement, ...]:
        """Where else the document has a single key travel, if the main one is a single key too and a person may have
        either: one of the two is got by signing in elsewhere, or an operation takes the one or the other."""
        if not self._schemes:
            return (API_KEY,)
        if len(self.main) != 1:
            return ()
        main, found = self.main[0], dict[str, KeyPlacement]()
        own, either = self._placed(self.main), self._either(main)
        for name in map(str, self._schemes):
            placed = self._placed((name,))
            if placed is None or name == main or not (name in either or self._is_elsewhere(main, name)):
                continue
            if own is None or replace(placed[0], scheme="") != own[0]:
                found[name] = placed[0]
        return tuple(found.values())[:MOST_ALTERNATIVES]

    def _is_elsewhere(self, *names: str) -> bool:
        return any(as_text(self._document.follow(self._schemes.get(name)).get("type")) in _ELSEWHERE for name in names)

    def _either(self, main: str) -> set[str]:
        """The schemes one of which does instead of this one somewhere."""
        root = self._document.root.get("security")
        said = (_choices(endpoint.node.get("security", root)) for endpoint in self._document.endpoints())
        return {names[0] for choices in said if (main,) in choices for names in choices if len(names) == 1}

    def _rank(self, names: Names) -> int:
        """The keys that are sent anyway are best, then none at all, then those that are to be got first."""
        if names and set(names) <= set(self.main):
            return int(set(names) != set(self.main))
        return 3 if names else 2

    def _placed(self, names: Names) -> tuple[KeyPlacement, ...] | None:
        """Where the keys of these schemes travel; None where one cannot be used, or two would have one place."""
        found = list[KeyPlacement]()
        for name in names:
            placement = _placement(self._document.follow(self._schemes.get(name)))
            if placement is None or len(name) > _LONGEST_NAME or not name.isprintable():
                return None
            found.append(placement if name in self.main[:1] else replace(placement, scheme=name))
        places = {(one.place, one.name.lower(), one.prefix if one.name == "Cookie" else "") for one in found}
        return tuple(found) if len(places) == len(found) else None


def _required(document: Document) -> list[Names]:
    """The requirements of the whole document, else those of its operations; first what most operations accept."""
    of_all = _choices(document.root.get("security"))
    if any(of_all) and len(of_all) == 1:
        return of_all
    own = [_choices(endpoint.node.get("security", document.root.get("security"))) for endpoint in document.endpoints()]
    found = of_all if any(of_all) else [names for choices in own for names in choices]
    accepted = Counter(frozenset(names) for choices in own for names in choices)
    return sorted(dict.fromkeys(found), key=lambda names: -accepted[frozenset(names)])


def _is_open(document: Document) -> bool:
    """Whether every operation says itself that it requires no key."""
    return all(isinstance(endpoint.node.get("security"), list) for endpoint in document.endpoints())


def _choices(security: object) -> list[Names]:
    return [tuple(as_map(choice)) for choice in as_list(security)[:MAX_MEMBERS]]


def _placement(scheme: Node) -> KeyPlacement | None:
    kind = as_text(scheme.get("type"))
    if kind == "apiKey":
        return _api_key(scheme)
    if kind == "http":
        return _http(as_text(scheme.get("scheme")))
    if kind in _ELSEWHERE:
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
    if not _TOKEN.fullmatch(name) or plain(name) in _NOT_FOR_KEYS or params.OVERRIDES.search(plain(name)):
        return None
    prefix = next((as_text(value) for key, value in scheme.items() if plain(key) in _PREFIX_KEYS), "")
    told = _TOLD_PREFIX.search(as_text(scheme.get("description"))[:_MOST_TOLD])
    if not prefix and told is not None and plain(name) == "authorization":
        prefix = told[1]
    if not all(" " <= letter <= "~" for letter in prefix):
        return None
    return KeyPlacement(KeyPlace.HEADER, name, f"{prefix.strip()} " if prefix.strip() else "")
