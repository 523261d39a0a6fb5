"""Which of the four resources a path or a schema speaks of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from itertools import islice
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from petstore_desktop.contract.document.reading import Document, Node, Shape
from petstore_desktop.contract.fields.likeness import is_opened, names_of, sure_words
from petstore_desktop.contract.fields.seen import DEPTH, Seen
from petstore_desktop.domain.records import ALL_SPECS, WIRE_FIELDS, FieldKind, Resource, plain

_VERSION = re.compile(r"v[0-9]+([._][0-9]+)*", re.ASCII)
_WORDS = re.compile(r"[^\W_]+?(?=[A-Z][a-z]|[\W_]|$)")
"""The words of a path segment: `sales-orders`, `sales_orders` and `salesOrders` have two."""

_NOUNS_OF: Mapping[Resource, tuple[str, ...]] = {
    Resource.PETS: ("pet", "pets", "animal", "animals"),
    Resource.CATEGORIES: ("category", "categories", "petcategories", "kind", "kinds", "pettype", "pettypes", "species"),
    Resource.ORDERS: ("order", "orders"),
    Resource.INVENTORY: (
        *("inventory", "inventories", "inventoryitems"),
        *("stock", "stocks", "stocklevel", "stocklevels"),
    ),
}
"""What services call each resource, as `plain` has it."""
_NOUNS = {word: resource for resource, words in _NOUNS_OF.items() for word in words}

MOST_WORDS = 20
"""Words of which a text may be one; where there are more, the first of them are known."""
_TELLING = frozenset({"petid", "categoryid"})
_ALL_FIELDS = frozenset(plain(name) for names in WIRE_FIELDS.values() for name in names)
_LIST_WORDS = frozenset({"data", "items", "results", "records", "content", "list", "value", "values"}) | frozenset(
    _NOUNS
)
_ONE_WORDS = frozenset({"data", "item", "result", "record", "value"}) | frozenset(_NOUNS)
_ENVELOPES = _ONE_WORDS | _LIST_WORDS | {"embedded"}
"""HAL has the records of a list so: `{"_embedded": {"pets": [...]}}`."""
_MOST_ENVELOPES = 5
"""Envelopes and lists in one another that are opened."""
_BARE = frozenset({"string", "integer", "number", "boolean"})


class Named(IntEnum):
    """How firmly a path names a resource."""

    NOT = 0
    EARLIER = 1
    """A word before the last one does: `/pets/findByStatus`."""
    PARTLY = 2
    """The last word of its last segment does: `/sales-orders`."""
    WHOLLY = 3
    """Its last segment does: `/orders`."""


Root: TypeAlias = tuple[str, ...]


class PathShape(Struct, frozen=True):
    """A path below the base URL: its literal segments, how it ends, and which resource it names, how firmly.

    `root` is the same for all paths of one resource's operations: the segments up to the noun, in the singular, and
    without versions (`/v1/pets` and `/v2/pet/{petId}`). `scope`: the segments before the noun, as written.
    """

    literals: tuple[str, ...]
    placeholders: int
    ends_in_placeholder: bool
    noun: Resource | None
    named: Named
    root: Root
    scope: tuple[str, ...]
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

    @property
    def is_within(self) -> bool:
        """What it names lies below one record of something else: `/shops/{shopId}/pets`."""
        holes = any(is_hole(segment) for segment in self.scope)
        return holes and self.noun is not None and not any(plain(segment) in _NOUNS for segment in self.scope)


def path_shape(path: str) -> PathShape:
    """Take a path apart. A segment counts as placeholder only as a whole (`{petId}`)."""
    segments = [segment for segment in path.split("/") if segment]
    places = [place for place, segment in enumerate(segments) if not is_hole(segment)]
    literals = tuple(segments[place] for place in places)
    if any("{" in literal for literal in literals):
        literals, places = (), []
    noun, named, place = _noun(segments, places)
    nested = (
        noun is Resource.INVENTORY
        and len(segments) - 1 == place >= 2
        and is_hole(segments[place - 1])
        and _NOUNS.get(plain(segments[place - 2])) is Resource.PETS
    )
    scope = tuple(segments[: place - 2 if nested else place])
    word = "" if nested or not places else singular(segments[place])
    root = (*(segment for segment in scope if _VERSION.fullmatch(segment) is None), word)
    holes = sum(map(is_hole, segments))
    return PathShape(literals, holes, bool(segments) and is_hole(segments[-1]), noun, named, root, scope, nested)


def is_hole(segment: str) -> bool:
    """Whether a segment of a path stands for a value: `{petId}`."""
    return segment.startswith("{") and segment.endswith("}")


def singular(segment: str) -> str:
    """A segment as `plain` has it, without the ending of the plural: `categories` is `category`."""
    word = plain(segment)
    return f"{word[:-3]}y" if word.endswith("ies") else word.removesuffix("s")


def noun_of(word: str) -> Resource | None:
    """The resource that a word names, in the singular or the plural."""
    return _SINGULARS.get(singular(word))


_SINGULARS = {singular(noun): resource for noun, resource in _NOUNS.items()}


def _noun(segments: Sequence[str], places: Sequence[int]) -> tuple[Resource | None, Named, int]:
    """The resource that a path names, how firmly, and at which place; else the place of its last literal."""
    if not places:
        return None, Named.NOT, 0
    last = places[-1]
    whole = _NOUNS.get(plain(segments[last]))
    if whole is not None:
        return whole, Named.WHOLLY, last
    words = _WORDS.findall(segments[last])
    partly = _NOUNS.get(plain(words[-1])) if words else None
    if partly is not None:
        return partly, Named.PARTLY, last
    before = last - 1
    if before in places and (noun := _NOUNS.get(plain(segments[before]))) is not None:
        return noun, Named.EARLIER, before
    return None, Named.NOT, last


class SchemaKind(Struct, frozen=True):
    """The resource that a schema describes, and whether it is a list. None: the schema does not tell."""

    resource: Resource | None = None
    is_list: bool | None = None
    strange: bool = False
    """The schema says plenty, and none of it belongs to any of the four."""
    sure: bool = False
    """Its fields name a resource (`petId`, `categoryId`), and are not just alike (`name`, `status`)."""
    fields: frozenset[str] = frozenset()
    """The names of a record's fields, as `plain` has them."""
    seen: Seen = field(default_factory=Seen)
    """What the schema says of a record."""

    def has_no_field_of(self, resource: Resource) -> bool:
        """Whether the schema says much of a record, and nothing but its id, or a status, belongs to the resource."""
        few = 1 if resource is Resource.INVENTORY else 2
        specs = (spec for spec in ALL_SPECS[resource] if spec.wire != "id" and spec.kind is not FieldKind.WORD)
        known = (sure_words(resource, spec.name) | {plain(spec.wire)} for spec in specs)
        return len(self.fields) > few and not any(self.fields & words for words in known)


_PLAIN: Mapping[tuple[Resource, str], frozenset[str]] = {
    (resource, spec.name): frozenset({plain(spec.wire)}) for resource, specs in ALL_SPECS.items() for spec in specs
}
"""The specification's own words, however they are spelled."""


_NAMES = sure_words(Resource.PETS, "name") | sure_words(Resource.CATEGORIES, "name")
"""What has a name and such an id, and no other, is the thing itself, where its path says so."""


_BY_COUNT = frozenset({Resource.ORDERS, Resource.INVENTORY})
"""What has a pet and how many there are of it."""
_OF_AN_ORDER = sure_words(Resource.ORDERS, "ship_date") | sure_words(Resource.ORDERS, "complete")


def resource_of_fields(names: Iterable[str], noun: Resource | None = None) -> Resource | None:
    """The resource that has these names, None where they fit several or none. Where the path names one (`noun`), words
    that are alike will do."""
    have = frozenset(map(plain, names))
    own = f"{singular(noun)}id" if noun is not None else ""
    if own in have and not have.isdisjoint(_NAMES) and "id" not in have:
        have = have - {own} | {"id"}
    found = _resource_of(have, lambda resource, name: bool(have & _PLAIN[resource, name]))
    if found in _BY_COUNT and noun in _BY_COUNT and not have.isdisjoint(("id", own)):
        # An order without a date has the fields of a stock entry with an id.
        return noun if have.isdisjoint(_OF_AN_ORDER) else Resource.ORDERS
    if found is not None or noun is None:
        return found
    alike = _resource_of(have, lambda resource, name: resource is noun and bool(have & sure_words(resource, name)))
    return alike if alike is noun else None


def _resource_of(have: frozenset[str], has: Callable[[Resource, str], bool]) -> Resource | None:
    pets, categories, orders, stock = Resource
    if has(orders, "pet_id") or has(stock, "pet_id"):
        if has(orders, "ship_date") or has(orders, "complete"):
            return orders
        if not (has(orders, "quantity") or has(stock, "quantity")):
            return None
        return orders if "id" in have and not has(stock, "status") and has(orders, "quantity") else stock
    if has(orders, "ship_date"):
        return orders
    if has(pets, "name") and (has(pets, "category_id") or has(pets, "status")):
        return pets
    return categories if has(categories, "name") and has(categories, "description") else None


def is_said_of_pets(names: frozenset[str], resource: Resource) -> bool:
    """Whether these are fields of a pet's order or of the stock of a pet, and not those of other goods."""
    if names.isdisjoint(sure_words(resource, "pet_id")):
        return False
    return resource is Resource.INVENTORY or not names.isdisjoint(_OF_AN_ORDER)


def in_schema(document: Document, shape: Shape, depth: int = DEPTH) -> Seen:
    """What a schema says. Only fields that may hold one of the program's are looked into."""
    return document.once(lambda: _in_schema(document, shape, depth), shape, "seen", depth)


def _in_schema(document: Document, shape: Shape, depth: int) -> Seen:
    fields = {
        name: replace(
            in_schema(document, document.shape(node), depth - 1),
            words=words_of(document, node),
            day=document.follow(node).get("format") == "date",
        )
        if depth and is_opened(name)
        else Seen()
        for name, node in shape.properties.items()
    }
    for name, node in shape.properties.items():
        said = document.follow(node)
        hidden, given = said.get("writeOnly") is True, said.get("readOnly") is True
        if hidden or given:
            fields[name] = replace(fields[name], hidden=hidden, given=given)
    return Seen(shape.type, fields)


def words_of(document: Document, schema: object) -> tuple[str, ...]:
    """The words of which a text is one, empty for any."""
    words = (word for word in document.choices(schema) if isinstance(word, str) and word)
    return tuple(islice(dict.fromkeys(words), MOST_WORDS))


def is_count_by_word(document: Document, schema: object) -> bool:
    """Whether a schema describes numbers by words that it does not name: `{"available": 12, "sold": 3}`."""
    shape = document.shape(schema)
    extra = document.follow(schema).get("additionalProperties")
    return shape.is_map and not shape.properties and document.shape(extra).type == "integer"


def holds_one(name: str, resource: Resource) -> bool:
    """Whether a record of this kind may stand under the name."""
    return _opens(plain(name), resource, _ONE_WORDS)


def schema_kind(document: Document, schema: object, noun: Resource | None = None, depth: int = 0) -> SchemaKind:
    """Classify a schema by its fields, through the envelopes that lists come in. `noun`: what its path names."""
    if schema is None or depth > _MOST_ENVELOPES:
        return SchemaKind()
    return document.once(lambda: _classify(document, schema, noun, depth), schema, "kind", noun, depth)


def _classify(document: Document, schema: object, noun: Resource | None, depth: int) -> SchemaKind:
    shape = document.shape(schema)
    if shape.type == "array":
        is_bare = document.shape(shape.items).type in _BARE
        return replace(schema_kind(document, shape.items, noun, depth + 1), is_list=True, strange=is_bare)
    if shape.type not in ("", "object"):
        return SchemaKind(strange=True)
    if not shape.properties:
        return SchemaKind(strange=shape.is_map)
    seen = in_schema(document, shape)
    names = names_of(seen)
    resource = resource_of_fields(names, noun)
    if resource is not None:
        return SchemaKind(resource, False, sure=bool(_TELLING & names), fields=names, seen=seen)
    return _in_envelope(document, shape.properties, noun, depth, SchemaKind(fields=names, seen=seen))


def _opens(word: str, noun: Resource | None, words: frozenset[str]) -> bool:
    """Whether a record may stand under this word, where the path names its resource: another one's is a part of it."""
    return word in words and (noun is None or _NOUNS.get(word) in (None, noun))


def _in_envelope(
    document: Document, fields: Mapping[str, Node], noun: Resource | None, depth: int, bare: SchemaKind
) -> SchemaKind:
    is_one = noun is not None and "id" in bare.fields
    for name, value in fields.items():
        if document.shape(value).type == "array":
            inner = schema_kind(document, value, noun, depth + 1)
            if inner.resource is not None or (plain(name) in _LIST_WORDS and not inner.strange and not is_one):
                return replace(inner, is_list=True)
    held: SchemaKind | None = None
    for name, value in fields.items():
        word = plain(name)
        if _opens(word, noun, _ENVELOPES):
            inner = schema_kind(document, value, noun, depth + 1)
            if inner.resource is not None or (inner.is_list and not is_one):
                return inner
            held = inner if held is None and inner.fields and not inner.strange else held
    if not _ALL_FIELDS.isdisjoint(bare.fields):
        return replace(bare, is_list=False if is_one else None)
    return held or replace(bare, strange=True)
