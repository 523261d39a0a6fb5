"""The service's four resources as the program sees them.

Field names are the specification's in snake case; ids are int64 or texts, quantities are int64; dates stay the
service's own text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from enum import Enum, StrEnum
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias, get_args

from msgspec import Struct, field
from msgspec.structs import fields, replace

from petstore_desktop.clock import unique

INT64_MIN = -(2**63)
INT64_MAX = 2**63 - 1

if TYPE_CHECKING:
    JsonValue: TypeAlias = bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"] | None
else:
    JsonValue = Any  # what reads JSON by these types at run time knows none that names itself
Extra: TypeAlias = Mapping[str, JsonValue]
"""Fields of an answer that the program does not know: kept, and sent back where an operation replaces a whole
object."""

KNOWN_STATUSES = ("available", "pending", "sold")
"""PetStatus of the specification. A status outside this list is kept and shown as it is."""


@lru_cache(maxsize=4_096)
def plain(name: str) -> str:
    """A name without case, dashes, underscores and brackets: `page[size]`, `page_size` and `pageSize` are one."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())


_STATUS_WORDS: Final[Mapping[str, str]] = {
    "available": "available instock forsale onsale free adoptable foradoption unreserved",
    "pending": "pending reserved onhold hold requested adoptionpending pendingadoption inprogress processing waiting",
    "sold": "sold adopted soldout outofstock unavailable notavailable rehomed gone purchased",
}
"""What services call each of these, as `plain` has it, the surest word first."""
_NOT_WRITTEN: Final = frozenset({"unavailable", "notavailable", "outofstock", "gone"})
"""Words that a sold pet has, and others too: they are read, and not written for it."""
_STATUS_KINDS: Final = {word: kind for kind, words in _STATUS_WORDS.items() for word in words.split()}


def status_kind(word: str) -> str | None:
    """Which status of the specification a word means, None where that is not known."""
    return _STATUS_KINDS.get(plain(word))


def own_status(kind: str, words: Iterable[str]) -> str | None:
    """The one of a service's words that says most surely that a pet has this status of the specification, which itself
    comes before all; None where none does."""
    by_word = {plain(word): word for word in reversed(tuple(words))}
    sure = (word for word in (kind, *_STATUS_WORDS.get(kind, "").split()) if word not in _NOT_WRITTEN)
    return next((by_word[word] for word in sure if word in by_word), None)


def is_surely_sold(status: object) -> bool:
    """Whether a status surely means sold: words that other pets have too do not count."""
    return isinstance(status, str) and status_kind(status) == "sold" and plain(status) not in _NOT_WRITTEN


def status_choices(told: Iterable[str], met: frozenset[str]) -> tuple[str, ...]:
    """The statuses to choose from: those that the document names, else those of the specification unless others alone
    are in use; then all others in use."""
    known = tuple(told) or (() if met and met.isdisjoint(KNOWN_STATUSES) else KNOWN_STATUSES)
    return (*known, *sorted(met.difference(known)))


class Resource(StrEnum):
    """The four kinds of records; the value is also the word used in paths, databases and commands."""

    PETS = "pets"
    CATEGORIES = "categories"
    ORDERS = "orders"
    INVENTORY = "inventory"


class LocalId(Struct, frozen=True, rename={"value": "local"}):
    """Names a record that was created here and that the service has not numbered yet."""

    value: str

    @staticmethod
    def new() -> LocalId:
        """A fresh one."""
        return LocalId(unique())

    @staticmethod
    def of_row(mark: str) -> LocalId:
        """A fresh one for a record that a row of a file makes; `mark`: as `row_mark` says it."""
        return LocalId(f"{mark}{unique()}"[:32])

    @property
    def row_mark(self) -> str:
        """The mark of the row that made it; empty if no row of a file did."""
        return self.value[:_MARK] if self.value.startswith(_OF_ROW) else ""


_OF_ROW: Final = "f11e"
_MARK: Final = 20


def row_mark(*texts: str) -> str:
    """Names a row of a file by what it says, as the beginning of a LocalId."""
    return f"{_OF_ROW}{sha256(json.dumps(texts).encode()).hexdigest()}"[:_MARK]


class ContentId(Struct, frozen=True):
    """Names an order that came without an id, by a digest of its content; such a row is read-only."""

    value: str


ServiceId: TypeAlias = int | str
"""How a service names a record: an int64, or any other text as the service wrote it (a UUID, `ord_12`, `007`)."""

MOST_ID: Final = 200
"""Characters of an id."""
ID_PATTERN: Final = (
    r"(?:[^.\x00-\x1f\x7f-\x9f]|\.[^.\x00-\x1f\x7f-\x9f]|\.\.[^\x00-\x1f\x7f-\x9f])[^\x00-\x1f\x7f-\x9f]*"
)
"""The texts that can be ids: no control characters, and neither `.` nor `..`, which lead elsewhere in a path."""
_DIGITS: Final = re.compile(r"0|-?[1-9][0-9]{0,18}")
_ID: Final = re.compile(ID_PATTERN.replace(r"\x9f", r"\x9f\ud800-\udfff"))

Key: TypeAlias = int | str | LocalId | ContentId

FieldValue: TypeAlias = bool | int | str | LocalId | None
"""The value of a record's field. A LocalId stands for the id of a record that is not created yet."""


def is_int64(number: int) -> bool:
    """Whether a number can be sent and kept."""
    return INT64_MIN <= number <= INT64_MAX


_FIRST_MOMENT, _LAST_MOMENT = 0.0, 32_503_680_000.0
"""From 1970 to the year 3000 (UTC epoch seconds)."""


def calendar_moment(epoch_s: float) -> float:
    """The nearest moment that every system's calendar has: a stored time may be any number, or none at all."""
    return max(_FIRST_MOMENT, min(_LAST_MOMENT, epoch_s))  # in this order: what is no number becomes the last one


def id_of_text(text: str) -> ServiceId | None:
    """The id that a service writes so: a number if that is how this number is written, else the text itself; None for
    what can be no id."""
    number = int(text) if _DIGITS.fullmatch(text) else INT64_MAX + 1
    if is_int64(number):
        return number
    return text if len(text) <= MOST_ID and _ID.fullmatch(text) else None


class Ref(Struct, frozen=True):
    """One record: its resource and key. An inventory entry's key is its pet's."""

    resource: Resource
    key: Key


def key_to_text(key: Key) -> str:
    """A key as one string for databases and item roles: `12`, `text:<id>`, `local:<hex>` or `content:<hex>`."""
    if isinstance(key, str):
        return f"text:{key}"
    if isinstance(key, LocalId):
        return f"local:{key.value}"
    if isinstance(key, ContentId):
        return f"content:{key.value}"
    return str(key)


def key_from_text(text: str) -> Key:
    """The inverse of `key_to_text`. Raises ValueError for anything else."""
    kind, colon, value = text.partition(":")
    if colon and kind == "text":
        return value
    if colon and kind == "local":
        return LocalId(value)
    if colon and kind == "content":
        return ContentId(value)
    number = int(text)
    if not is_int64(number):
        raise ValueError(f"no id: {text[:40]!r}")
    return number


class FieldKind(Enum):
    """What the values of a field are, and their type."""

    ID = "id", int
    """The id of a record, of the own one or of another: mostly a number, or else a text."""
    TEXT = "text", str
    """What people type."""
    WORD = "word", str
    """One of few words, which the service may add to."""
    NUMBER = "number", int
    FLAG = "flag", bool
    MOMENT = "moment", str
    """A day or a moment, as the service wrote it."""

    @property
    def type(self) -> type[int | str]:
        """What values that are there are; bool for flags. An id may be a text too."""
        return self.value[1]

    @property
    def types(self) -> tuple[type[int | str], ...]:
        """All that they may be."""
        return (int, str) if self is FieldKind.ID else (self.type,)


FIRST_MIRROR: Final = 9
"""The version of mirror.db that has all fields of the specification."""


class FieldSpec(Struct, frozen=True):
    """All that is said of one field; the wire, the mirror, the columns, filters, imports and exports follow it.

    `name`: in records, databases and exports; `wire`: in JSON; `optional`: a record may be without it; `editable`:
    people may change it where the service takes it; `needed`: a new record must have it; `mirrored_since`: the
    first version of mirror.db that has it, for a later field a version of its own.
    """

    kind: FieldKind
    wire: str = ""
    editable: bool = False
    needed: bool = False
    mirrored_since: int = FIRST_MIRROR
    name: str = ""
    optional: bool = False


class Pet(Struct, frozen=True, gc=False):
    """An animal. `category_id` and `status` may be missing in a real answer; the name may be empty."""

    id: Annotated[ServiceId, FieldSpec(FieldKind.ID)]
    name: Annotated[str, FieldSpec(FieldKind.TEXT, editable=True, needed=True)]
    category_id: Annotated[ServiceId | None, FieldSpec(FieldKind.ID, "categoryId", editable=True, needed=True)] = None
    status: Annotated[str | None, FieldSpec(FieldKind.WORD, editable=True)] = None
    extra: Extra = field(default_factory=dict[str, "JsonValue"])


class Category(Struct, frozen=True, gc=False):
    """A kind of animal."""

    id: Annotated[ServiceId, FieldSpec(FieldKind.ID)]
    name: Annotated[str, FieldSpec(FieldKind.TEXT, editable=True, needed=True)]
    description: Annotated[str | None, FieldSpec(FieldKind.TEXT, editable=True)] = None
    extra: Extra = field(default_factory=dict[str, "JsonValue"])


class Order(Struct, frozen=True, gc=False):
    """An order; the specification requires no field at all, so each may be None, the id too. `ship_date` is raw
    text; `status` is what some services say beside `complete`: placed, approved, delivered."""

    id: Annotated[ServiceId | None, FieldSpec(FieldKind.ID)] = None
    pet_id: Annotated[ServiceId | None, FieldSpec(FieldKind.ID, "petId", needed=True)] = None
    quantity: Annotated[int | None, FieldSpec(FieldKind.NUMBER, editable=True)] = None
    ship_date: Annotated[str | None, FieldSpec(FieldKind.MOMENT, "shipDate", editable=True)] = None
    complete: Annotated[bool | None, FieldSpec(FieldKind.FLAG, editable=True)] = None
    status: Annotated[str | None, FieldSpec(FieldKind.WORD, mirrored_since=10)] = None
    extra: Extra = field(default_factory=dict[str, "JsonValue"])


class InventoryItem(Struct, frozen=True, gc=False):
    """The stock of one pet."""

    pet_id: Annotated[ServiceId, FieldSpec(FieldKind.ID, "petId")]
    quantity: Annotated[int, FieldSpec(FieldKind.NUMBER, editable=True)]
    status: Annotated[str | None, FieldSpec(FieldKind.WORD)] = None
    extra: Extra = field(default_factory=dict[str, "JsonValue"])


Record: TypeAlias = Pet | Category | Order | InventoryItem

RECORD_TYPES: Mapping[Resource, type[Record]] = {
    Resource.PETS: Pet,
    Resource.CATEGORIES: Category,
    Resource.ORDERS: Order,
    Resource.INVENTORY: InventoryItem,
}


def _specs(kind: type[Record]) -> tuple[FieldSpec, ...]:
    said = ((one, get_args(one.type)[1]) for one in fields(kind) if one.name != "extra")
    return tuple(replace(s, name=one.name, wire=s.wire or one.name, optional=one.default is None) for one, s in said)


ALL_SPECS: Mapping[Resource, tuple[FieldSpec, ...]] = {
    resource: _specs(kind) for resource, kind in RECORD_TYPES.items()
}
"""The table of fields; first of each resource stands the key by which the service knows a record."""

FIELD_SPECS: Mapping[Resource, tuple[FieldSpec, ...]] = {resource: specs[1:] for resource, specs in ALL_SPECS.items()}
"""Those that a change can name, without the key."""

FIELDS: Mapping[Resource, tuple[str, ...]] = {
    resource: tuple(spec.name for spec in specs) for resource, specs in FIELD_SPECS.items()
}
"""Their names alone."""

TYPED_FIELDS: frozenset[str] = frozenset(
    spec.name for specs in FIELD_SPECS.values() for spec in specs if spec.kind is FieldKind.TEXT
)
"""Those of all resources whose text people type; the others are chosen, or read as something."""


class ShownFields(Struct, frozen=True):
    """What the records of a list really show: `own`, the names of the program's fields that some of them have;
    `others`, the ways to further fields of which some of them say anything, null too."""

    own: frozenset[str]
    others: frozenset[tuple[str, ...]]


FREE_TEXTS: Mapping[Resource, tuple[str, ...]] = {
    resource: tuple(spec.name for spec in specs if spec.kind is FieldKind.TEXT and spec.optional)
    for resource, specs in FIELD_SPECS.items()
}
"""Those that may hold any text, also none: an empty one is a value too."""

WIRE_FIELDS: Mapping[Resource, frozenset[str]] = {
    resource: frozenset(spec.wire for spec in specs) for resource, specs in ALL_SPECS.items()
}
"""How JSON names all of them, the key too."""


def unknown_fields(resource: Resource, extra: Extra) -> Extra:
    """The fields that the program does not know, without those of its own that came as null."""
    known = WIRE_FIELDS[resource]
    return {name: value for name, value in extra.items() if value is not None or name not in known}


class Row(Struct, frozen=True, gc=False):
    """A record as the mirror keeps it: with its key, when the service said it (UTC epoch seconds), and its ETag if
    any."""

    key: Key
    record: Record
    seen_at: float
    etag: str | None = None


class RowBlock(Struct, eq=False):
    """Many rows of one resource as columns, each as long as `keys`: what a mirror is read in. No ETags.

    `columns`: by field (FIELDS), values as records have them; `seen`: when each was said (UTC epoch seconds); `extras`:
    by place, of the few rows that have any. The receiver may keep its lists.
    """

    resource: Resource
    keys: list[Key]
    columns: Mapping[str, list[FieldValue]]
    seen: list[float]
    extras: Mapping[int, Extra]

    def __len__(self) -> int:
        return len(self.keys)


class StatusCount(Struct, frozen=True):
    """How many pets of one status the service counted, and how many of them it had shown then."""

    status: str
    counted: int
    shown: int


class StatusCounts(Struct, frozen=True):
    """The service's own count of its pets, when it was asked for it (UTC epoch seconds)."""

    as_of: float
    counts: tuple[StatusCount, ...]

    @property
    def differing(self) -> tuple[StatusCount, ...]:
        """Those that are not what the lists showed."""
        return tuple(one for one in self.counts if one.counted != one.shown)


def resource_of(record: Record) -> Resource:
    """Which resource a record belongs to."""
    return next(resource for resource, kind in RECORD_TYPES.items() if isinstance(record, kind))


FOLLOWS: Final[Mapping[Resource, frozenset[str]]] = {
    Resource.PETS: frozenset(),
    Resource.CATEGORIES: frozenset(),
    Resource.ORDERS: frozenset({"status", "complete", "ship_date"}),
    Resource.INVENTORY: frozenset({"status"}),
}
"""Fields that a service may change by itself when another one is written: an order that is delivered is complete."""
