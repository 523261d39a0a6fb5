"""Which of the four resources a path or a schema speaks of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from petstore_desktop.contract.document import MAX_DEPTH, Document, Node
from petstore_desktop.contract.params import plain
from petstore_desktop.domain.records import Resource

_NOUNS = {
    "pet": Resource.PETS,
    "pets": Resource.PETS,
    "animal": Resource.PETS,
    "animals": Resource.PETS,
    "category": Resource.CATEGORIES,
    "categories": Resource.CATEGORIES,
    "petcategories": Resource.CATEGORIES,
    "order": Resource.ORDERS,
    "orders": Resource.ORDERS,
    "inventory": Resource.INVENTORY,
    "inventories": Resource.INVENTORY,
    "inventoryitems": Resource.INVENTORY,
    "stock": Resource.INVENTORY,
    "stocks": Resource.INVENTORY,
}

WIRE_FIELDS = {
    Resource.PETS: frozenset({"id", "name", "categoryId", "status"}),
    Resource.CATEGORIES: frozenset({"id", "name", "description"}),
    Resource.ORDERS: frozenset({"id", "petId", "quantity", "shipDate", "complete"}),
    Resource.INVENTORY: frozenset({"petId", "quantity", "status"}),
}
"""The specification's field names of each resource (Resources and their fields)."""

_ALL_FIELDS = frozenset(name for names in WIRE_FIELDS.values() for name in names)
_LIST_WORDS = frozenset({"data", "items", "results", "records", "content", "list", "value", "values"}) | frozenset(
    _NOUNS
)
_ONE_WORDS = frozenset({"data", "item", "result", "record", "value"}) | frozenset(_NOUNS)


@dataclass(frozen=True, slots=True)
class PathShape:
    """A path below the base URL: its literal segments, the last of them before any placeholder, and how it ends."""

    literals: tuple[str, ...]
    placeholders: int
    ends_in_placeholder: bool
    noun: Resource | None
    nested_stock: bool
    """`/pets/{x}/stock`: the stock entry of one pet."""

    @property
    def is_collection(self) -> bool:
        """No placeholder: `/store/orders`."""
        return self.placeholders == 0 and bool(self.literals)

    @property
    def is_item(self) -> bool:
        """One record: `/store/orders/{x}`, or the stock of one pet."""
        return self.placeholders == 1 and bool(self.literals) and (self.ends_in_placeholder or self.nested_stock)


def path_shape(path: str) -> PathShape:
    """Take a path apart. A segment counts as placeholder only as a whole (`{petId}`)."""
    segments = [segment for segment in path.split("/") if segment]
    holes = [segment.startswith("{") and segment.endswith("}") for segment in segments]
    literals = tuple(segment for segment, hole in zip(segments, holes, strict=True) if not hole)
    if any("{" in literal for literal in literals):
        literals = ()
    noun = _NOUNS.get(plain(literals[-1])) if literals else None
    nested = (
        noun is Resource.INVENTORY
        and holes[-2:] == [True, False]
        and len(literals) > 1
        and _NOUNS.get(plain(literals[-2])) is Resource.PETS
    )
    return PathShape(literals, sum(holes), bool(holes) and holes[-1], noun, nested)


@dataclass(frozen=True, slots=True)
class Kind:
    """What a schema is: of which resource, and whether a list of it. None: the schema does not say."""

    resource: Resource | None = None
    is_list: bool | None = None
    strange: bool = False
    """The schema says plenty, and none of it belongs to any of the four."""


def resource_of_fields(names: Iterable[str]) -> Resource | None:
    """The resource that has these wire names, None where they fit several or none."""
    have = frozenset(names)
    if "petId" in have:
        return _of_pet_parts(have)
    if "shipDate" in have:
        return Resource.ORDERS
    if "name" not in have:
        return None
    if have & {"categoryId", "status"}:
        return Resource.PETS
    return Resource.CATEGORIES if "description" in have else None


def _of_pet_parts(have: frozenset[str]) -> Resource | None:
    if have & {"shipDate", "complete"}:
        return Resource.ORDERS
    if "quantity" not in have:
        return None
    return Resource.ORDERS if "id" in have and "status" not in have else Resource.INVENTORY


def kind_of(document: Document, schema: object, depth: int = 0) -> Kind:
    """Classify a schema by its fields, through the envelopes that lists come in."""
    if schema is None or depth > MAX_DEPTH:
        return Kind()
    shape = document.shape(schema)
    if shape.type == "array":
        return Kind(kind_of(document, shape.items, depth + 1).resource, True)
    if shape.type not in ("", "object"):
        return Kind(strange=True)
    if not shape.properties:
        return Kind(strange=shape.is_map)
    resource = resource_of_fields(shape.properties)
    if resource is not None:
        return Kind(resource, False)
    return _in_envelope(document, shape.properties, depth)


def _in_envelope(document: Document, fields: Mapping[str, Node], depth: int) -> Kind:
    for name, value in fields.items():
        if document.shape(value).type == "array":
            inner = kind_of(document, value, depth + 1)
            if inner.resource is not None or plain(name) in _LIST_WORDS:
                return Kind(inner.resource, True)
    for name, value in fields.items():
        if plain(name) in _ONE_WORDS:
            inner = kind_of(document, value, depth + 1)
            if inner.resource is not None:
                return inner
    return Kind(strange=not _ALL_FIELDS & fields.keys())
