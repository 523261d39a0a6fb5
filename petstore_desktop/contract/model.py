"""What a service offers, as bound from its OpenAPI document. Plain data: it is cached, and it crosses threads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from petstore_desktop.contract.operations import OPS, Op, Stability, Verb
from petstore_desktop.contract.params import plain
from petstore_desktop.domain.records import Resource

if TYPE_CHECKING:
    from petstore_desktop.contract.survey import Survey


_KEYS = ("id", "petid")
"""What names a record is in its path."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One bound operation.

    `method` in upper case; `path` below the base URL with one `{placeholder}` or none; `query` the names of query
    parameters it takes; `page_limit` the largest `limit`; `conditional` whether it takes If-Match; `sunset` an ISO
    date or None; `removed`: the service has taken it away after that; `successor`: what an answer named in its place;
    `replaces` whether a change sends the whole object (PUT); `body_fields` the wire names its body may
    have; `scheme`: the names of the security schemes that it wants instead of the main one, "" where it wants that;
    `shows`: the names of the fields of a record in its answer, as `params.plain` has them, none where it is silent.
    """

    op: Op
    method: str
    path: str
    query: tuple[str, ...] = ()
    page_limit: int | None = None
    body_fields: tuple[str, ...] = ()
    required_fields: tuple[str, ...] = ()
    replaces: bool = False
    conditional: bool = False
    deprecated: bool = False
    sunset: str | None = None
    stability: Stability = Stability.STABLE
    note: str = ""
    closed: bool = False
    text_fields: tuple[str, ...] = ()
    read_only_fields: tuple[str, ...] = ()
    first_page: int = 1
    content_type: str = "application/json"
    removed: bool = False
    successor: str = ""
    scheme: str = ""
    shows: tuple[str, ...] = ()

    @property
    def takes_id(self) -> bool:
        """Whether a body has the record's id in it: of a creation, the client chooses it then."""
        return "id" in self.body_fields


class KeyPlace(StrEnum):
    """Where the key travels."""

    HEADER = "header"
    QUERY = "query"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class KeyPlacement:
    """How the key is sent: `name` of header or query parameter, `prefix` before the key (`Bearer `).

    `basic`: the key is `user:password`, or a user name alone, and travels in base64 (RFC 7617).
    """

    place: KeyPlace = KeyPlace.HEADER
    name: str = "Authorization"
    prefix: str = "Bearer "
    basic: bool = False


def key_can_be_sent(key: str) -> bool:
    """Whether a key is visible ASCII, which any header can carry (RFC 9110, 5.5)."""
    return bool(key) and all("!" <= letter <= "~" for letter in key)


@dataclass(frozen=True, slots=True)
class Contract:
    """What one service offers. `source`: "default", "published" or "chosen"; `digest` of the document's bytes;
    `warnings` in the reader's words; `servers` as the document names them (see `servers.base_path`); `by_hand`: what
    a person had bound by hand when it was bound (see `wishes`); `within`: the end of the service's address that is part
    of the paths too, such as `/shops/7`; `address`: of which service it was kept, empty until it is; `survey`: how all
    that was found, None where the contract comes from the cache."""

    operations: Mapping[Op, Operation]
    key: KeyPlacement = KeyPlacement()
    source: str = "default"
    title: str = ""
    version: str = ""
    digest: str = ""
    warnings: tuple[str, ...] = field(default_factory=tuple)
    servers: tuple[str, ...] = ()
    by_hand: Mapping[str, str] = field(default_factory=dict[str, str])
    within: str = ""
    address: str = ""
    survey: Survey | None = field(default=None, compare=False, repr=False)

    @property
    def schemes(self) -> Mapping[Op, str]:
        """The security schemes of the operations that want another than the main one."""
        return {op: operation.scheme for op, operation in self.operations.items() if operation.scheme}

    def find(self, resource: Resource, verb: Verb) -> Operation | None:
        """The operation that does `verb` to `resource`, or None where the service does not offer it."""
        op = OPS.get((resource, verb))
        return None if op is None else self.operations.get(op)

    def unlisted(self, resource: Resource) -> tuple[str, ...]:
        """The fields that a change puts in the place of the record's and that its list never shows, as far as the
        document tells: it would lose them."""
        change, listing = self.find(resource, Verb.CHANGE), self.find(resource, Verb.LIST)
        if change is None or listing is None or not change.replaces:
            return ()
        return tuple(name for name in change.body_fields if plain(name) not in (*listing.shows, *_KEYS))

    def read_alone(self, resource: Resource) -> frozenset[str]:
        """The fields, as `params.plain` has them, that a record's own operation shows and its list does not."""
        read, listing = self.find(resource, Verb.READ), self.find(resource, Verb.LIST)
        known = read is not None and listing is not None and listing.shows
        return frozenset(read.shows) - frozenset(listing.shows) if known and read and listing else frozenset()

    def scheme(self, resource: Resource, verb: Verb) -> str:
        """The security scheme by which that is done, "" for the main one."""
        operation = self.find(resource, verb)
        return "" if operation is None else operation.scheme

    def offers(self, resource: Resource, verb: Verb) -> bool:
        """Whether the service offers it."""
        return self.find(resource, verb) is not None
