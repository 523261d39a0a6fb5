"""Whether the placeholder of a path stands for the id of the record that the path is about.

`DELETE /pets/{categoryId}` may delete all pets of a category: filled with the id of a pet it would delete others.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from enum import Enum, auto
from itertools import chain

from petstore_desktop.contract.binding.kinds import PathShape, is_hole, noun_of, path_shape, singular
from petstore_desktop.contract.document.reading import Document, Endpoint, as_list
from petstore_desktop.contract.model import FROM_PROFILE, Contract, Operation
from petstore_desktop.contract.operations import ATTRIBUTES, Op, Path
from petstore_desktop.contract.stock_key import StockKey, seen
from petstore_desktop.domain.records import ALL_SPECS, Extra, FieldKind, Resource, plain

_ID = re.compile(r"(uuid|guid|uid|id)$")
_LIKE_ID = re.compile(r"(key|number|nr|no|ref|code|slug)$")
_OF_ANYTHING = frozenset({"o", "record", "item", "object", "resource", "entity", "entry", "row"})
"""What may stand before `Id` of any record."""
_FIELDS = tuple(
    sorted({plain(spec.wire) for specs in ALL_SPECS.values() for spec in specs if spec.kind is not FieldKind.ID})
)
"""The fields that are no ids."""
_NO_IDS = frozenset({"array", "object", "boolean"})


class Meaning(Enum):
    """What a placeholder stands for."""

    OWN = auto()
    """The record's id."""
    OTHER = auto()
    """Something else: `categoryId`, `ownerId`, `status`."""
    UNKNOWN = auto()
    """A word that says neither: `sku`, `group`."""


def hole_of(path: str) -> str:
    """The name of a path's first placeholder, empty for none."""
    return next((segment[1:-1] for segment in path.split("/") if is_hole(segment)), "")


def is_another_id(name: str, key: Path, fields: Collection[str], resource: Resource) -> bool:
    """Whether what a placeholder is called is another field of the records than the one they are known by: records with
    `id` and `orderNumber` at `/orders/{orderNumber}`. `key`: where that lies; `fields`: their names, as `plain` has
    them. Of the stock of a pet, which is known by the pet's id, an id of its own is another one, also where it is
    called as that of the pet is within the pet."""
    inner = key[1:] if key[:1] == (ATTRIBUTES,) else key
    hole, known = plain(name), {plain("".join(inner)), *map(plain, inner if len(inner) == 1 else inner[:-1])}
    if not hole or hole in known:
        return False
    if hole in fields:
        return True
    own = resource is Resource.INVENTORY and noun_of(_ID.sub("", hole)) is not Resource.PETS
    return own and any(_is_of_entry(field) for field in fields if field not in known)


def _is_of_entry(field: str) -> bool:
    """Whether a field is called as the id of a stock entry."""
    noun = _ID.sub("", field)
    return noun != field and (not noun or noun in _OF_ANYTHING or noun_of(noun) is Resource.INVENTORY)


_UNLIKE = frozenset({("uuid", "integer"), ("integer", "string")})
"""What a placeholder takes, and the type of an id that is certainly another one. A number is often called a text."""


def is_unlike(taken: str, key: str) -> bool:
    """Whether an id of type `key` is not what a placeholder takes."""
    return (taken, key) in _UNLIKE


def knows_stock_key(contract: Contract) -> bool:
    """Whether it is said, or was seen, which id of an entry the path of a change of stock means (see `stock_key`). What
    the specification calls its placeholder says nothing of a service without a document."""
    change = contract.operations.get(Op.STOCK_CHANGE)
    if change is None or contract.source == FROM_PROFILE or seen(contract) in (StockKey.PET, StockKey.OWN):
        return True
    noun = _ID.sub("", plain(hole_of(change.path)))
    named = path_shape(change.path).nested_stock or (bool(noun) and noun_of(noun) is Resource.PETS)
    return named and contract.source != "default"


def own_key_of(operation: Operation, extra: Extra) -> Path:
    """Where an entry of stock has its own id: the field that is called as the path's placeholder, else `id`."""
    hole = plain(hole_of(operation.path))
    return operation.hole or next(((name,) for name in extra if plain(name) == hole), ("id",))


def is_choice(document: Document, endpoint: Endpoint, hole: str) -> bool:
    """Whether a placeholder takes one of a few values, or several at once: that is no id."""
    for parameter in endpoint.parameters:
        if parameter.get("in") == "path" and parameter.get("name") == hole:
            schema = document.follow(parameter.get("schema"))
            parts = (as_list(schema.get(word)) for word in ("allOf", "oneOf", "anyOf"))
            few = any("enum" in document.follow(part) for part in chain([schema], *parts))
            return few or document.shape(schema).type in _NO_IDS
    return False


def taken_type(document: Document, endpoint: Endpoint, hole: str) -> str:
    """The type of what a placeholder takes, `uuid` for texts of that format; empty where nothing tells."""
    for parameter in endpoint.parameters:
        if parameter.get("in") == "path" and parameter.get("name") == hole:
            schema = document.follow(parameter.get("schema"))
            return "uuid" if schema.get("format") == "uuid" else document.shape(schema).type
    return ""


def meaning(hole: str, shape: PathShape, resource: Resource) -> Meaning:
    """What a placeholder stands for by its name, in a path that is about this resource."""
    name = plain(hole)
    by_id = _ID.search(name) is not None
    noun = _ID.sub("", name) if by_id else _LIKE_ID.sub("", name)
    own = {Resource.INVENTORY, Resource.PETS} if resource is Resource.INVENTORY else {resource}
    named = noun_of(noun)
    if not noun or len(name) == 1 or singular(noun) == shape.root[-1]:
        return Meaning.OWN
    if named in own or (by_id and noun in _OF_ANYTHING):
        return Meaning.OWN
    return Meaning.OTHER if by_id or named is not None or noun.endswith(_FIELDS) else Meaning.UNKNOWN
