"""The service's four resources as the program sees them.

Field names are the specification's in snake case; ids and quantities are int64; dates stay the service's own text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from petstore_desktop.clock import unique

if TYPE_CHECKING:
    from petstore_desktop.domain.changes import FieldValue

INT64_MIN = -(2**63)
INT64_MAX = 2**63 - 1

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
Extra: TypeAlias = Mapping[str, "JsonValue"]
"""Fields of an answer that the program does not know: kept, and sent back where an operation replaces a whole
object."""

KNOWN_STATUSES = ("available", "pending", "sold")
"""PetStatus of the specification. A status outside this list is kept and shown as it is."""


class Resource(StrEnum):
    """The four kinds of records; the value is also the word used in paths, databases and commands."""

    PETS = "pets"
    CATEGORIES = "categories"
    ORDERS = "orders"
    INVENTORY = "inventory"


@dataclass(frozen=True, slots=True)
class LocalId:
    """Names a record that was created here and that the service has not numbered yet."""

    value: str

    @staticmethod
    def new() -> LocalId:
        """A fresh one."""
        return LocalId(unique())


@dataclass(frozen=True, slots=True)
class ContentId:
    """Names an order that came without an id, by a digest of its content; such a row is read-only."""

    value: str


Key: TypeAlias = int | LocalId | ContentId


@dataclass(frozen=True, slots=True)
class Ref:
    """One record: its resource and key. An inventory entry's key is its pet's."""

    resource: Resource
    key: Key


def key_to_text(key: Key) -> str:
    """A key as one string for databases and item roles: `12`, `local:<hex>` or `content:<hex>`."""
    if isinstance(key, LocalId):
        return f"local:{key.value}"
    if isinstance(key, ContentId):
        return f"content:{key.value}"
    return str(key)


def key_from_text(text: str) -> Key:
    """The inverse of `key_to_text`. Raises ValueError for anything else."""
    kind, colon, value = text.partition(":")
    if colon and kind == "local":
        return LocalId(value)
    if colon and kind == "content":
        return ContentId(value)
    number = int(text)
    if not INT64_MIN <= number <= INT64_MAX:
        raise ValueError(f"no id: {text[:40]!r}")
    return number


@dataclass(frozen=True, slots=True)
class Pet:
    """An animal. `category_id` and `status` may be missing in a real answer; the name may be empty."""

    id: int
    name: str
    category_id: int | None = None
    status: str | None = None
    extra: Extra = field(default_factory=dict[str, "JsonValue"])


@dataclass(frozen=True, slots=True)
class Category:
    """A kind of animal."""

    id: int
    name: str
    description: str | None = None
    extra: Extra = field(default_factory=dict[str, "JsonValue"])


@dataclass(frozen=True, slots=True)
class Order:
    """An order; the specification requires no field at all, so each may be None, the id too. `ship_date` is raw
    text."""

    id: int | None = None
    pet_id: int | None = None
    quantity: int | None = None
    ship_date: str | None = None
    complete: bool | None = None
    extra: Extra = field(default_factory=dict[str, "JsonValue"])


@dataclass(frozen=True, slots=True)
class InventoryItem:
    """The stock of one pet."""

    pet_id: int
    quantity: int
    status: str | None = None
    extra: Extra = field(default_factory=dict[str, "JsonValue"])


Record: TypeAlias = Pet | Category | Order | InventoryItem

RECORD_TYPES: Mapping[Resource, type[Record]] = {
    Resource.PETS: Pet,
    Resource.CATEGORIES: Category,
    Resource.ORDERS: Order,
    Resource.INVENTORY: InventoryItem,
}

FIELDS: Mapping[Resource, tuple[str, ...]] = {
    Resource.PETS: ("name", "category_id", "status"),
    Resource.CATEGORIES: ("name", "description"),
    Resource.ORDERS: ("pet_id", "quantity", "ship_date", "complete"),
    Resource.INVENTORY: ("quantity", "status"),
}
"""The fields of each resource that a change can name, without the key."""


@dataclass(frozen=True, slots=True)
class Row:
    """A record as the mirror keeps it: with its key, when the service said it (UTC epoch seconds), and its ETag if
    any."""

    key: Key
    record: Record
    seen_at: float
    etag: str | None = None


class Block:
    """Many rows of one resource as columns, each as long as `keys`: what a mirror is read in. No ETags.

    `columns`: by field (FIELDS), values as records have them; `seen`: when each was said (UTC epoch seconds); `extras`:
    by place, of the few rows that have any. Whoever takes it over may keep its lists.
    """

    __slots__ = ("columns", "extras", "keys", "resource", "seen")

    def __init__(
        self,
        resource: Resource,
        keys: list[Key],
        columns: Mapping[str, list[FieldValue]],
        seen: list[float],
        extras: Mapping[int, Extra],
    ) -> None:
        self.resource = resource
        self.keys = keys
        self.columns = columns
        self.seen = seen
        self.extras = extras

    def __len__(self) -> int:
        return len(self.keys)


def resource_of(record: Record) -> Resource:
    """Which resource a record belongs to."""
    return next(resource for resource, kind in RECORD_TYPES.items() if isinstance(record, kind))
