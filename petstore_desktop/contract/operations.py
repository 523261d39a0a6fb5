"""The operations that the program knows how to use, whatever a service calls them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from petstore_desktop.domain.records import ALL_SPECS, Resource


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

    @property
    def resource(self) -> Resource:
        """The resource it concerns."""
        return Resource(self.value.partition(".")[0])


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


FIELD_NAMES = tuple(f"{resource.value}.{spec.name}" for resource, specs in ALL_SPECS.items() for spec in specs)
"""What a person may say the place of: `pets.name`."""


PARAMETER = "parameters."
"""What the names of values begin with that a person gives for parameters: `parameters.shopId`."""
MOST_PARAMETERS = 50


def manual_bindings(bindings: Mapping[str, object]) -> dict[str, str]:
    """What a person bound by hand, `pets.list` to `GET /animals`, `pets.name` to `title.en` and `parameters.shopId` to
    `7`, as far as it speaks of operations and fields that there are."""
    values = [name for name in bindings if name.startswith(PARAMETER)][:MOST_PARAMETERS]
    names = (*(op.value for op in Op), *FIELD_NAMES, *values)
    return {name: str(bindings[name]) for name in names if bindings.get(name)}


class Stability(StrEnum):
    """How firmly the service stands by an operation."""

    STABLE = "stable"
    BETA = "beta"
    EXPERIMENTAL = "experimental"
