"""The operations that the program knows how to use, whatever a service calls them, and where it keeps the fields of its
records. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, TypeAlias, cast

from msgspec import Struct, field

from petstore_desktop.domain.records import ALL_SPECS, WIRE_FIELDS, FieldKind, FieldSpec, JsonValue, Resource


class Op(StrEnum):
    """Every operation the program knows how to use; a service may offer any of them."""

    PETS_LIST = "pets.list"
    PET_READ = "pets.read"
    PET_CREATE = "pets.create"
    PET_CHANGE = "pets.change"
    PET_DELETE = "pets.delete"
    CATEGORIES_LIST = "categories.list"
    CATEGORY_READ = "categories.read"
    CATEGORY_CREATE = "categories.create"
    CATEGORY_CHANGE = "categories.change"
    CATEGORY_DELETE = "categories.delete"
    ORDERS_LIST = "orders.list"
    ORDER_READ = "orders.read"
    ORDER_CREATE = "orders.create"
    ORDER_CHANGE = "orders.change"
    ORDER_CANCEL = "orders.cancel"
    INVENTORY_LIST = "inventory.list"
    STOCK_READ = "inventory.read"
    STOCK_CHANGE = "inventory.change"

    def __init__(self, value: str) -> None:
        self.resource = Resource(value.partition(".")[0])
        """The resource it concerns."""


class Verb(StrEnum):
    """What an operation does, for looking it up by resource."""

    LIST = "list"
    READ = "read"
    CREATE = "create"
    CHANGE = "change"
    DELETE = "delete"


OPS: Mapping[tuple[Resource, Verb], Op] = {
    (op.resource, Verb("delete" if op is Op.ORDER_CANCEL else op.value.partition(".")[2])): op for op in Op
}


VERBS: Mapping[Op, Verb] = {op: verb for (_, verb), op in OPS.items()}


METHODS: Mapping[Verb, tuple[str, ...]] = {
    Verb.LIST: ("GET",),
    Verb.READ: ("GET",),
    Verb.CREATE: ("POST",),
    Verb.CHANGE: ("PATCH", "PUT"),
    Verb.DELETE: ("DELETE",),
}


FIELD_NAMES = tuple(f"{resource.value}.{spec.name}" for resource, specs in ALL_SPECS.items() for spec in specs)
"""What a person may say the place of: `pets.name`."""


PARAMETER = "parameters."
"""What the names of values begin with that a person gives for parameters: `parameters.shopId`."""
MOST_PARAMETERS = 50
MAIN_KEY = "keys.main"
"""Under which name it is kept which security scheme the main key is for, where a check or a person has decided it."""


def manual_bindings(bindings: Mapping[str, object]) -> dict[str, str]:
    """What a person bound by hand, `pets.list` to `GET /animals`, `pets.name` to `title.en` and `parameters.shopId` to
    `7`, as far as it speaks of operations and fields that there are."""
    values = [name for name in bindings if name.startswith(PARAMETER)][:MOST_PARAMETERS]
    names = (*(op.value for op in Op), *FIELD_NAMES, *values, MAIN_KEY)
    return {name: str(bindings[name]) for name in names if bindings.get(name)}


class Stability(StrEnum):
    """How firmly the service stands by an operation."""

    STABLE = "stable"
    BETA = "beta"
    EXPERIMENTAL = "experimental"


# ---------------------------------------------------------------- fields


Path: TypeAlias = tuple[str, ...]
"""The names that lead to a value in JSON, outermost first: `("category", "id")`."""
NOWHERE: Final[Path] = ()
"""The path of a field that the service does not have."""

ATTRIBUTES: Final = "attributes"
"""Where JSON:API (1.1, 7.2.2) keeps the fields of a record, beside its id and type."""


class FieldMap(Struct, frozen=True):
    """Where the fields of one resource's records lie in JSON.

    `paths`: by the field's name in records, those alone that lie elsewhere than the specification says; `told`: the
    document describes the records, so that their own names need not be looked at; `guessed`: the fields that were found
    by a name that may mean something else, which are shown, and not written before a person has said that they are.
    """

    paths: Mapping[str, Path] = field(default_factory=dict[str, Path])
    told: bool = False
    guessed: tuple[str, ...] = ()

    def path(self, spec: FieldSpec) -> Path:
        """Where a field lies."""
        return self.paths.get(spec.name, (spec.wire,))

    @property
    def mark(self) -> str:
        """What tells it from others, empty where all is as the specification says."""
        said = ";".join(f"{name}={'.'.join(path)}" for name, path in sorted(self.paths.items()))
        return f"&{said}" if said else ""

    def known(self, resource: Resource) -> frozenset[str]:
        """The names that hold a field itself: they are not among what the program does not know."""
        return frozenset(path[0] for spec in ALL_SPECS[resource] if len(path := self.path(spec)) == 1)

    def begins(self, resource: Resource) -> frozenset[str]:
        """The names at the top of a record at which its fields are, or lie deeper."""
        if not self.paths:
            return WIRE_FIELDS[resource]
        return frozenset(path[0] for spec in ALL_SPECS[resource] if (path := self.path(spec)))

    def references(self, resource: Resource) -> frozenset[str]:
        """The names at the top of a record under which another record stands, known by its id."""
        specs = (spec for spec in ALL_SPECS[resource][1:] if spec.kind is FieldKind.ID)
        return frozenset(path[0] for spec in specs if len(path := self.path(spec)) > 1)

    def rooms(self, resource: Resource) -> frozenset[str]:
        """The objects in which records have fields of their own."""
        paths = (self.path(spec) for spec in ALL_SPECS[resource] if spec.kind is not FieldKind.ID)
        return frozenset(path[0] for path in paths if len(path) > 1)


SAME = FieldMap()
"""All fields lie where the specification says."""


def paths_by_hand(said: Mapping[str, str]) -> dict[Resource, dict[str, Path]]:
    """What a person said of fields, `pets.name` to `title.en`, among what else was said."""
    found: dict[Resource, dict[str, Path]] = {}
    for resource, specs in ALL_SPECS.items():
        for spec in specs:
            path = tuple(said.get(f"{resource.value}.{spec.name}", "").split("."))
            if all(path):
                found.setdefault(resource, {})[spec.name] = path
    return found


def keys_by_hand(said: Mapping[str, str]) -> dict[Resource, Path]:
    """Where the ids of records lie, as a person said."""
    said_of = ((resource, ALL_SPECS[resource][0].name, paths) for resource, paths in paths_by_hand(said).items())
    return {resource: paths[name] for resource, name, paths in said_of if name in paths}


def value_at(value: object, path: Path) -> object:
    """What lies there; None where nothing does."""
    for name in path:
        value = cast("Mapping[str, object]", value).get(name) if isinstance(value, Mapping) else None
    return value


def put_at(body: dict[str, object], path: Path, value: object) -> None:
    """Put a value there. Objects on the way are copied, so that what they were taken from stays as it was."""
    for name in path[:-1]:
        inner = body.get(name)
        body[name] = body = dict(cast("Mapping[str, object]", inner)) if isinstance(inner, Mapping) else {}
    body[path[-1]] = value


def cut_at(body: dict[str, JsonValue], path: Path) -> None:
    """Take the value there out, if there is one: the inverse of `put_at`."""
    if value_at(body, path) is None:
        return
    for name in path[:-1]:
        body[name] = inner = dict(cast("dict[str, JsonValue]", body[name]))
        body = inner
    del body[path[-1]]
