"""How a service of a test speaks: its addresses, its records' shapes, its lists, its keys, its limits. Plain data.

`Service(scenario)` answers so (service.py), `document_of(scenario)` describes it (document.py), `named.SCENARIOS` has
the ones that people know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias
from uuid import UUID

from petstore_desktop.contract.operations import Path, Verb
from petstore_desktop.domain.records import ALL_SPECS, KNOWN_STATUSES, FieldSpec, JsonValue, Resource

Paging: TypeAlias = Literal[
    "none",
    "limit",
    "offset",
    "more",
    "page",
    "rails",
    "cursor",
    "stripe",
    "hal",
    "jsonapi",
    "spring",
    "odata",
    "count",
    "link",
    "feathers",
    "json-server",
    "directus",
    "strapi",
]
PAGING: Mapping[Paging, tuple[str, str, int]] = {
    "none": ("", "", 0),
    "limit": ("limit", "", 0),
    "offset": ("limit", "offset", 0),
    "more": ("limit", "offset", 0),
    "page": ("size", "page", 1),
    "rails": ("per_page", "page", 1),
    "cursor": ("limit", "cursor", 0),
    "stripe": ("limit", "starting_after", 0),
    "hal": ("size", "page", 0),
    "jsonapi": ("page[size]", "page[number]", 1),
    "spring": ("size", "page", 0),
    "odata": ("$top", "$skip", 0),
    "count": ("page_size", "page", 1),
    "link": ("per_page", "page", 1),
    "feathers": ("$limit", "$skip", 0),
    "json-server": ("_limit", "_page", 1),
    "directus": ("limit", "page", 1),
    "strapi": ("pagination[pageSize]", "pagination[page]", 1),
}
"""The parameters of each way of paging: the size of a page, its place, and the number of the first page."""

WORDS: Mapping[Resource, tuple[str, str]] = {
    Resource.PETS: ("pet", "pets"),
    Resource.CATEGORIES: ("category", "categories"),
    Resource.ORDERS: ("order", "orders"),
    Resource.INVENTORY: ("stock", "stocks"),
}
"""What stands above one record, and above several, where a scenario's envelope is `{}`."""
CATEGORY_NAME = "category_name"
"""Where a pet has the name of its category, beside its id: a place for it among a kind's `fields`."""


@dataclass(frozen=True, slots=True)
class Kind:
    """How a service has the records of one resource.

    `path` of all of them, `item` of one (`{path}/{id}` if empty), `lists` and `makes` where these are at another;
    `fields`: the way to each of the program's fields in the service's own record; `more`: the way to what it has
    besides, with a value for each; `own`: the names at its top that the service alone sets; `required` of a creation,
    names at its top; `by_status`: the list wants a status, and shows that one's; `client_ids`: who makes a record
    chooses its id; `hidden`: the names of `more` of which the document says nothing; `writes`: where a body has a field
    that lies elsewhere in the record, which is only read there; `own_key`: entries of stock have a key of their own,
    under this name, by which paths name them.
    """

    path: str
    fields: Mapping[str, Path]
    verbs: tuple[Verb, ...] = tuple(Verb)
    item: str = ""
    lists: str = ""
    makes: str = ""
    more: Mapping[Path, JsonValue] = field(default_factory=dict[Path, "JsonValue"])
    own: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    by_status: bool = False
    client_ids: bool = False
    hidden: tuple[str, ...] = ()
    writes: Mapping[str, Path] = field(default_factory=dict[str, Path])
    own_key: str = ""


@dataclass(frozen=True, slots=True)
class Demand:
    """A parameter or a header without which no request is answered; `told`: the document has its value."""

    place: Literal["query", "header"]
    name: str
    value: str
    told: bool = True


@dataclass(frozen=True, slots=True)
class Scenario:
    """One way to speak.

    `ids`: numbers, UUIDs, 24 hexadecimal digits, a word with a prefix, digits as a text, or what paths cannot have;
    `statuses`: its words for available, pending and sold, `told` by its document; `many`: the way to the records of a
    list, `one` and `body`: the names above a single one in an answer, joined by dots, and the one in a request, `{}`
    for the resource's own word; `around`: what stands beside these names; `page`: records of one; `patch_media`: the
    media type of changes, if that is another; `shared`: one schema for what comes and what goes, of which the service
    ignores what it sets; `narrow`: a body has a schema of its own, and takes nothing beside it; `changed`: what a
    change is answered; `change`: how a change is made, `in_body`: its path has no id; `names_itself`: its body has the
    id of its path too; `deleted`: what a deletion is answered, None for nothing; `created`: what the answer to a
    creation holds; `etags`: single records, and answers to writes, have an ETag, which lists never show: a count, or a
    hash of the content, which comes back with that (`hashed`); `accepts`: a change or a deletion is answered 202,
    before it is done; `puts_part`: a PUT holds what changes, as a PATCH does; `scope`: which record of something else
    all lies below (`/shops/{shopId}`), `below` with its value; `place`: the path of its document; `security`: which
    keys are wanted; `limits`: what answers say of them.
    """

    name: str
    kinds: Mapping[Resource, Kind]
    ids: Literal["int", "uuid", "hex", "prefixed", "digits", "odd"] = "int"
    statuses: tuple[str, str, str] = KNOWN_STATUSES
    order_words: tuple[str, ...] = ()
    told: bool = True
    many: Path = ()
    one: str = ""
    body: str = ""
    around: Mapping[str, JsonValue] = field(default_factory=dict[str, "JsonValue"])
    media: str = "application/json"
    patch_media: str = ""
    shared: bool = False
    narrow: bool = False
    changed: Literal["whole", "nothing"] = "whole"
    paging: Paging = "none"
    page: int = 3
    change: Literal["PATCH", "PUT", "POST"] = "PATCH"
    puts_part: bool = False
    in_body: bool = False
    names_itself: bool = False
    deleted: JsonValue = None
    created: Literal["whole", "id", "location", "nothing"] = "whole"
    etags: bool = False
    hashed: bool = False
    accepts: bool = False
    security: Literal["none", "bearer", "token", "header", "api_key", "query", "two", "apart"] = "bearer"
    demands: tuple[Demand, ...] = ()
    limits: Literal["none", "x", "standard"] = "x"
    base: str = "/v1"
    scope: str = ""
    below: str = ""
    document: Literal["openapi", "swagger", "none"] = "openapi"
    place: str = ""

    def __str__(self) -> str:
        return self.name

    @property
    def root(self) -> str:
        """The path of the address that a person types."""
        return self.base + (self.below or self.scope)

    @property
    def document_path(self) -> str:
        """Where its document lies."""
        return self.place or f"{self.base}/{'swagger' if self.document == 'swagger' else 'openapi'}.json"

    def spelled(self, resource: Resource, number: int) -> int | str:
        """The id that it gives to its nth record of a resource."""
        named = Resource.PETS if resource is Resource.INVENTORY else resource
        match self.ids:
            case "int":
                return number
            case "digits":
                return str(number)
            case "uuid":
                return str(UUID(int=(list(Resource).index(named) << 64) + (4 << 76) + (2 << 62) + number))
            case "hex":
                return f"65f0{list(Resource).index(named):02x}aa{number:016x}"
            case "odd":
                return f"a b/{number}%2é"
            case _:
                return f"{WORDS[named][0][:3]}_{number:06d}"


@dataclass(frozen=True, slots=True)
class Route:
    """One operation of a service: its method and path, `{id}` where the id of a record stands."""

    method: str
    path: str
    resource: Resource
    verb: Verb


def routes(scenario: Scenario) -> list[Route]:
    """Every operation of a service, below its base and its scope."""
    found: list[Route] = []
    for resource, kind in scenario.kinds.items():
        item = kind.item or f"{kind.path}/{{id}}"
        changed = kind.path if scenario.in_body else item
        all_ = {
            Verb.LIST: ("GET", kind.lists or kind.path),
            Verb.READ: ("GET", item),
            Verb.CREATE: ("POST", kind.makes or kind.path),
            Verb.CHANGE: (scenario.change, changed),
            Verb.DELETE: ("DELETE", item),
        }
        found += [Route(*all_[verb], resource, verb) for verb in Verb if verb in kind.verbs]
    return found


def specs_of(resource: Resource, kind: Kind) -> dict[Path, FieldSpec]:
    """The program's fields that a kind has, by the way to each."""
    return {kind.fields[spec.name]: spec for spec in ALL_SPECS[resource] if spec.name in kind.fields}


def standard(resource: Resource, *without: str) -> dict[str, Path]:
    """The fields of the specification where it has them."""
    gone = {*without, *(("status",) if resource is Resource.ORDERS else ())}
    return {spec.name: (spec.wire,) for spec in ALL_SPECS[resource] if spec.name not in gone}
