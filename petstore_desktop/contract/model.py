"""What a service offers, as bound from its OpenAPI document. Plain data: it is cached, and it crosses threads."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum

from msgspec import Struct, field
from msgspec.structs import replace

from petstore_desktop.contract.operations import ATTRIBUTES, OPS, PARAMETER, SAME, FieldMap, Op, Path, Stability, Verb
from petstore_desktop.contract.survey import Survey
from petstore_desktop.domain.commands import ServiceKey, ServiceValue
from petstore_desktop.domain.comparing import without
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.records import ALL_SPECS, JsonValue, Resource, ShownFields, plain

_KEYS = ("id", "petid")
"""What names a record is in its path."""


_UNTRUE = "!"
"""Stands among the proofs for the opposite."""
_STILL = "still-versions"
"""Stands among them for records whose ETag stays as it is when they change."""
_FORM = (
    *("op", "method", "path", "body_fields", "required_fields", "replaces", "content_type", "always_query", "envelope"),
    *("fills", "text_fields", "writes", "category_name", "body_types", "types", "day_fields", "hole"),
)


class Operation(Struct, frozen=True):
    """One bound operation: how it is asked, and what its answer shows. Ways into a body are names joined by dots, names
    of fields as the wire has them."""

    op: Op
    method: str
    """In upper case."""
    path: str
    """Below the base URL, with one `{placeholder}` or none."""
    query: tuple[str, ...] = ()
    """The names of the parameters that it takes in its query."""
    page_limit: int | None = None
    """The largest `limit`."""
    body_fields: tuple[str, ...] = ()
    """What its body may have."""
    required_fields: tuple[str, ...] = ()
    """What its body must have."""
    replaces: bool = False
    """Whether a change sends the whole record (PUT)."""
    conditional: bool = False
    """Whether it takes If-Match."""
    deprecated: bool = False
    sunset: str | None = None
    """The ISO date after which it may be gone."""
    stability: Stability = Stability.STABLE
    closed: bool = False
    """Whether its body takes no field that the document does not name."""
    text_fields: tuple[str, ...] = ()
    """The ids and numbers that it wants as texts, by the ways to them."""
    read_only_fields: tuple[str, ...] = ()
    """The fields of its body that the service alone sets."""
    first_page: int | None = 1
    """The number of a list's first page; None where the document does not say it."""
    content_type: str = "application/json"
    removed: bool = False
    """Whether the service has taken it away."""
    successor: str = ""
    """What an answer named in its place."""
    scheme: str = ""
    """The names of the security schemes that it wants instead of the main one, "" where it wants that."""
    key: tuple[KeyPlacement, ...] | None = None
    """The keys that are sent for these, () for none at all, None where the main one is."""
    server: str | None = None
    """The path below the origin at which it lies, None where that is as for all others."""
    always_query: Mapping[str, str] = field(default_factory=dict[str, str])
    """What every request to it has in its query."""
    always_headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """What every request to it has among its headers."""
    shows: tuple[str, ...] = ()
    """The fields of a record in its answer, as `params.plain` has them; () where the document is silent, or where a
    write may be answered without the record."""
    writes: FieldMap = SAME
    """Where a record's fields lie in its body."""
    envelope: str = ""
    """Below what the record stands in its body, "" for at its top."""
    fills: Mapping[str, JsonValue] = field(default_factory=dict[str, "JsonValue"])
    """What its body must have beside the record's fields: the names at its top with a value for each."""
    statuses: tuple[str, ...] = ()
    """Of a list that shows the records of one status at a time: each status."""
    gathered: Path = ()
    """Of a list of categories that is none of its own: the way to them in the pets that the same operation lists."""
    category_name: Path = ()
    """Where the name of a pet's category lies in its body."""
    body_types: Mapping[str, str] = field(default_factory=dict[str, str])
    """The types of the body's fields as JSON Schema has them, by the ways to them."""
    types: Mapping[str, str] = field(default_factory=dict[str, str])
    """What stands beside the id of another record, by the field that has it (JSON:API)."""
    day_fields: tuple[str, ...] = ()
    """The fields whose moments it wants as days without a time."""
    hole: Path = ()
    """The way to what its path names a record by, where that is none of the program's fields: a stock entry's own
    key."""

    @property
    def form(self) -> str:
        """A short mark of how it is asked and what its body has where: two with the same mark are asked alike."""
        return hashlib.sha256(repr([getattr(self, name) for name in _FORM]).encode()).hexdigest()[:16]

    @property
    def takes_id(self) -> bool:
        """Whether a body has the record's id in it: what is made again may have its old one. A text only where it has
        to: services that name records by texts mostly have one schema for what comes and what goes."""
        path = self.writes.path(ALL_SPECS[self.op.resource][0])
        wanted = self.required_fields if ".".join(path) in self.text_fields else self.body_fields
        return bool(path) and path[0] in wanted

    @property
    def promises_record(self) -> bool:
        """Whether its document says that each answer shows the record."""
        return bool(self.shows)

    @property
    def is_json_api(self) -> bool:
        """Whether its body names the record beside its attributes (JSON:API 1.1, 7.2)."""
        told = self.envelope == "data" or "type" in self.body_fields
        return told and any(path[:1] == (ATTRIBUTES,) for path in self.writes.paths.values())

    @property
    def names_in_body(self) -> bool:
        """Whether its path is that of all records, so that its body has to name the one that is meant: `PUT /pet`."""
        return "{" not in self.path

    def takes(self, name: str) -> bool:
        """Whether its body has a place for a field of records, as far as the document tells."""
        return not self.body_fields or self._has(self.body_fields, name)

    def requires(self, name: str) -> bool:
        """Whether its body must have a field of records."""
        return self._has(self.required_fields, name)

    def _has(self, names: tuple[str, ...], name: str) -> bool:
        spec = next((spec for spec in ALL_SPECS[self.op.resource] if spec.name == name), None)
        path = (name,) if spec is None else self.writes.path(spec)
        return bool(path) and plain(path[0]) in map(plain, names)


class KeyPlace(StrEnum):
    """Where the key travels."""

    HEADER = "header"
    QUERY = "query"
    NONE = "none"


class KeyPlacement(Struct, frozen=True):
    """How the key is sent: `name` of header or query parameter, `prefix` before the key (`Bearer `).

    `basic`: the key is `user:password`, or a user name alone, and travels in base64 (RFC 7617); `scheme`: the security
    scheme whose key it is, "" for the main one.
    """

    place: KeyPlace = KeyPlace.HEADER
    name: str = "Authorization"
    prefix: str = "Bearer "
    basic: bool = False
    scheme: str = ""


API_KEY = KeyPlacement(KeyPlace.HEADER, "X-API-Key", "", scheme="X-API-Key")
"""Where many services want it that do not say so, if not as a bearer's."""

LONGEST_KEY = 16_384
"""Letters. More no server takes in the head of a request."""


_WORD_BEFORE = re.compile(r"((?:Bearer|Token) )\s*", re.IGNORECASE)


def word_before(key: str) -> tuple[str, str]:
    """What stands before a key where it was copied out of a header (`Bearer k-1`), empty for nothing, and the key."""
    found = _WORD_BEFORE.match(key)
    return ("", key) if found is None else (found[1], key[found.end() :])


def key_fault(key: str) -> str:
    """Why a key cannot be sent: it is too long, or not of visible ASCII, which any header can carry (RFC 9110, 5.5);
    empty where it can. The word before it (`Bearer`) is no part of it."""
    key = word_before(key)[1]
    if len(key) > LONGEST_KEY:
        return "key-too-long"
    return "" if key and all("!" <= letter <= "~" for letter in key) else "key-unusable"


KEY_FAULTS = ("key-unusable", "key-too-long")


MOST_LETTERS = 1_000
"""Of a value that is sent with requests."""


def value_can_be_sent(place: str, value: str) -> bool:
    """Whether a parameter in this place can have the value."""
    if not value or len(value) > MOST_LETTERS or not value.isprintable():
        return False
    if place == "path":
        return bool(value.strip("."))  # dots alone would lead to another path
    return place == "query" or value.isascii()


_HOW_FOUND = ("read_at", "survey", "refused")
"""The fields of a contract that say when and how it was found, and nothing of what it does."""
FROM_PROFILE = "profile"
"""The source of a contract that a person has written down or accepted: it is followed, and nothing is guessed."""


class Contract(Struct, frozen=True):
    """What one service offers.

    `source`: "default", "published", "chosen", or FROM_PROFILE; `digest` of the document's bytes, `place`: the address
    at which it lies, empty for a file; `warnings` in the reader's words; `servers` as the document names them (see
    `servers.base_path`); `by_hand`: what a person had bound by hand when it was bound, operations and fields;
    `within`: the end of the service's address that is part of the paths too, such as `/shops/7`; `address`: of which
    service it was kept, empty until it is; `fields`: where answers have the fields of records, where that is not as the
    specification has it; `beside`: further keys that are sent with the main one; `keys`: all that the service wants,
    the main one first; `values`: those that a person gives for it, whether they are known yet or not; `statuses`: the
    words that the document has for the status of a record; `counts`: what tells how many pets there are of each status,
    where there is no list of stock; `proven`: the forms of the writes that were seen to do what was meant;
    `read_at`: when the service was last asked for the document, UTC epoch seconds;
    `survey`: how all that was found, None where the contract
    comes from the cache; `refused`: why nothing of the document can be used, None where something can.
    """

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
    place: str = ""
    fields: Mapping[Resource, FieldMap] = field(default_factory=dict[Resource, FieldMap])
    statuses: Mapping[Resource, tuple[str, ...]] = field(default_factory=dict[Resource, tuple[str, ...]])
    beside: tuple[KeyPlacement, ...] = ()
    alternatives: tuple[KeyPlacement, ...] = ()
    """Other security schemes of the document that the main key may be for, if the service refuses it as it is sent."""
    keys: tuple[ServiceKey, ...] = ()
    values: tuple[ServiceValue, ...] = ()
    counts: Operation | None = None
    proven: tuple[str, ...] = ()
    read_at: float = 0.0
    survey: Survey | None = None
    refused: ShopError | None = None

    def __eq__(self, other: object) -> bool:
        """Whether both do the same; when and how they were found does not matter."""
        return isinstance(other, Contract) and without(self, *_HOW_FOUND) == without(other, *_HOW_FOUND)

    def __hash__(self) -> int:
        return hash((self.source, self.digest))

    @property
    def schemes(self) -> Mapping[Op, str]:
        """The security schemes of the operations that want another than the main one."""
        return {op: operation.scheme for op, operation in self.operations.items() if operation.scheme}

    @property
    def asked(self) -> tuple[Operation, ...]:
        """All operations that are ever sent."""
        return (*self.operations.values(), *(() if self.counts is None else (self.counts,)))

    def operation(self, op: Op | None) -> Operation | None:
        """Find what is sent as this operation: the counts by status, where there is no list of stock."""
        return next((operation for operation in self.asked if operation.op is op), None)

    def sent(self, op: Op | None) -> tuple[KeyPlacement, ...]:
        """The keys that are sent for this operation, or with a question that is none."""
        operation = self.operation(op)
        own = None if operation is None else operation.key
        return (self.key, *self.beside) if own is None else own

    @property
    def places(self) -> tuple[KeyPlacement, ...]:
        """Where keys travel, of all operations."""
        own = (place for operation in self.asked for place in operation.key or ())
        return tuple(dict.fromkeys((self.key, *self.beside, *own)))

    @property
    def missing_values(self) -> tuple[ServiceValue, ...]:
        """The values that nobody has given yet."""
        return tuple(value for value in self.values if not self.by_hand.get(PARAMETER + value.name))

    def named_keys(self, further: Mapping[str, str]) -> Mapping[str, str]:
        """These keys by their security schemes: a person may say the scheme's name or that of its header or parameter,
        in any case."""
        names = {key.parameter.lower(): key.name for key in reversed(self.keys) if key.parameter}
        names |= {key.name.lower(): key.name for key in reversed(self.keys)}
        exact = {key.name for key in self.keys}
        found = {names.get(said.lower(), said): key for said, key in further.items() if said not in exact}
        return {**found, **{said: key for said, key in further.items() if said in exact}}

    @property
    def further_keys(self) -> tuple[ServiceKey, ...]:
        """The keys that it wants beside the main one."""
        return tuple(key for key in self.keys if key.scheme)

    def find(self, resource: Resource, verb: Verb) -> Operation | None:
        """The operation that does `verb` to `resource`, or None where the service does not offer it."""
        op = OPS.get((resource, verb))
        return None if op is None else self.operations.get(op)

    def unproven(self, operation: Operation, fields: Mapping[str, object]) -> frozenset[str]:
        """What no write of the kind was seen to do as it was meant; see `proofs`. All, where one was said to be done
        and was not."""
        meant = proofs(operation, fields)
        if f"{operation.form}:{_UNTRUE}" in self.proven:
            return meant
        return frozenset() if self.is_known(operation) else meant.difference(self.proven)

    def is_known(self, operation: Operation) -> bool:
        """Whether all that such a write does is known: of the services of the specification, by their document."""
        return operation.form in self.proven

    def without_proof(self, operation: Operation) -> Contract:
        """The contract, and that such a write was said to be done and was not: each is looked at."""
        return replace(self, proven=tuple(sorted({*self.proven, f"{operation.form}:{_UNTRUE}"})))

    def with_proof(self, operation: Operation, fields: Mapping[str, object]) -> Contract:
        """The contract, and that such a write was seen to set these fields as it was meant."""
        return replace(self, proven=tuple(sorted({*self.proven, *proofs(operation, fields)})))

    def with_still_versions(self, resource: Resource) -> Contract:
        """The contract, and that a record of this list changed and kept its ETag."""
        return replace(self, proven=tuple(sorted({*self.proven, f"{resource.value}:{_STILL}"})))

    def versions_stand_still(self, resource: Resource) -> bool:
        """Whether the ETags of this list were seen to prove nothing."""
        return f"{resource.value}:{_STILL}" in self.proven

    def chooses_id(self, resource: Resource) -> bool:
        """Whether a new record gets its id here: the service insists on one, or is of the kind that names records in
        bodies alone (`PUT /pet`) and takes 0 for what has none. An id that may be left out is."""
        make = self.find(resource, Verb.CREATE)
        if make is None or not make.takes_id:
            return False
        changes = (self.find(one, Verb.CHANGE) for one in (resource, Resource.PETS))
        names_in_body = any(one.names_in_body for one in changes if one is not None)
        return names_in_body or make.writes.path(ALL_SPECS[resource][0])[0] in make.required_fields

    def map(self, resource: Resource) -> FieldMap:
        """Where answers have the fields of its records."""
        return self.fields.get(resource, SAME)

    def unlisted(
        self,
        resource: Resource,
        listed: Callable[[frozenset[str]], ShownFields | None] = lambda _: None,
        *,
        alone: bool = False,
    ) -> tuple[str, ...]:
        """The fields that a change puts in the place of the record's and that its list never shows: it would lose them.
        `listed`: what the list's records really show, by their rooms (see `FieldMap.rooms`); where no answer tells, the
        document does. `alone`: those that its own operation never shows, as far as the document tells."""
        change, listing = self.find(resource, Verb.CHANGE), self.find(resource, Verb.LIST)
        read = self.find(resource, Verb.READ) if alone else None
        listing = read or listing
        if change is None or listing is None or not change.replaces or (read is not None and not read.shows):
            return ()
        seen = listed(self.map(resource).rooms(resource)) if listing is not read else None
        names = frozenset(listing.shows if seen is None else self._seen(resource, seen))
        shown = {*names, *_KEYS}
        for spec in ALL_SPECS[resource]:
            read_at, written = self.map(resource).path(spec), change.writes.path(spec)
            is_shown = read_at and plain(read_at[0]) in names and (seen is None or _shows(seen, spec.name, read_at))
            if written and (spec is ALL_SPECS[resource][0] or is_shown):
                shown.add(plain(written[0]))
        return tuple(name for name in change.body_fields if plain(name) not in shown)

    def _seen(self, resource: Resource, seen: ShownFields) -> Iterator[str]:
        """The names of fields that records show, as `params.plain` has them."""
        ways = (self.map(resource).path(spec) for spec in ALL_SPECS[resource] if spec.name in seen.own)
        yield from (plain(path[0]) for path in ways if path)
        yield from (plain(path[-1]) for path in seen.others)

    def read_alone(self, resource: Resource) -> frozenset[str]:
        """The fields, as `params.plain` has them, that a record's own operation shows and its list does not, and those
        that describe another record: they follow from its id."""
        read, listing = self.find(resource, Verb.READ), self.find(resource, Verb.LIST)
        known = read is not None and listing is not None and listing.shows
        alone = frozenset(read.shows) - frozenset(listing.shows) if known and read and listing else frozenset[str]()
        return alone | frozenset(plain(name) for name in self.map(resource).references(resource))

    def doubt(self, operation: Operation, *names: str) -> str:
        """Why it is not written: "key-doubted" where its path may name another record than is meant, "field-guessed"
        where one of these fields was found by a name that may mean something else; empty for nothing."""
        resource = operation.op.resource
        if not operation.names_in_body and self.doubts_key(resource):
            return "key-doubted"
        guessed = (*self.map(resource).guessed, *operation.writes.guessed)
        return "" if {*names}.isdisjoint(guessed) else "field-guessed"

    def doubts_key(self, resource: Resource) -> bool:
        """Whether nobody can tell which record a path with this list's ids reaches."""
        return ALL_SPECS[resource][0].name in self.map(resource).guessed

    def is_gathered(self, resource: Resource) -> bool:
        """Whether its list is made of what the records of another one show, and takes no request."""
        listing = self.find(resource, Verb.LIST)
        return listing is not None and bool(listing.gathered)

    def asked_statuses(self, resource: Resource) -> tuple[str, ...]:
        """The statuses for which its list is asked one by one; empty where it shows records of all."""
        listing = self.find(resource, Verb.LIST)
        return () if listing is None or listing.gathered else listing.statuses

    def scheme(self, resource: Resource, verb: Verb) -> str:
        """The security scheme by which that is done, "" for the main one."""
        operation = self.find(resource, verb)
        return "" if operation is None else operation.scheme

    def offers(self, resource: Resource, verb: Verb) -> bool:
        """Whether the service offers it."""
        return self.find(resource, verb) is not None


def _shows(seen: ShownFields, name: str, path: Path) -> bool:
    """Whether some record has a field of the program's, or says that it is empty."""
    return name in seen.own or path in seen.others


def proofs(operation: Operation, fields: Mapping[str, object]) -> frozenset[str]:
    """What a write of these fields would prove, if it is seen to be done: each field, and each word for a status, since
    one that a service does not take may leave its default, which is another word."""
    marks = (f"{name}={value}" if name == "status" else name for name, value in fields.items())
    return frozenset(f"{operation.form}:{mark}" for mark in marks)
