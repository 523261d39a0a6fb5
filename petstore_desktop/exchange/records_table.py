"""Records as a table of plain values: which columns each kind has, and what stands in them. The same for every
format, so that what one writes another can read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final, Literal, TypeAlias

from msgspec import Struct, field

from petstore_desktop.domain.deletions import extra_text
from petstore_desktop.domain.records import (
    ALL_SPECS,
    Category,
    Extra,
    FieldKind,
    FieldSpec,
    InventoryItem,
    Order,
    Pet,
    Record,
    Resource,
    Row,
    ServiceId,
    unknown_fields,
)

Cell: TypeAlias = int | str | bool | None
Kind: TypeAlias = Literal["id", "text", "number", "flag"]
"""An id is a code: it is never reckoned with, and may have 19 digits."""


class RecordNames(Struct, frozen=True):
    """Names of pets and of categories by id, for the columns that say what an id stands for."""

    pets: Mapping[ServiceId, str] = field(default_factory=dict[ServiceId, str])
    categories: Mapping[ServiceId, str] = field(default_factory=dict[ServiceId, str])


class RecordColumn(Struct, frozen=True):
    """One column: its name in the file, what its values are, and how one is taken from a record."""

    name: str
    kind: Kind
    value: Callable[[Record, RecordNames], Cell]


_KINDS: Final[Mapping[type, Kind]] = {int: "number", str: "text", bool: "flag"}


def _plain(spec: FieldSpec) -> RecordColumn:
    def value(record: Record, _: RecordNames) -> Cell:
        return getattr(record, spec.name)

    return RecordColumn(spec.name, "id" if spec.kind is FieldKind.ID else _KINDS[spec.kind.type], value)


def _category(record: Record, names: RecordNames) -> Cell:
    category = record.category_id if isinstance(record, Pet) else None
    return None if category is None else names.categories.get(category)


def _pet(record: Record, names: RecordNames) -> Cell:
    pet = record.pet_id if isinstance(record, Order | InventoryItem) else None
    return None if pet is None else names.pets.get(pet)


_BESIDE: Final[Mapping[str, RecordColumn]] = {
    "category_id": RecordColumn("category", "text", _category),
    "pet_id": RecordColumn("pet", "text", _pet),
}
"""By the field of an id: the name that it stands for."""


def _columns(specs: tuple[FieldSpec, ...]) -> Iterator[RecordColumn]:
    for spec in specs:
        yield _plain(spec)
        if spec.name in _BESIDE:
            yield _BESIDE[spec.name]


COLUMNS: Final[Mapping[Resource, tuple[RecordColumn, ...]]] = {
    resource: tuple(_columns(specs)) for resource, specs in ALL_SPECS.items()
}
"""The fields of the specification in snake case, and beside an id the name that it stands for. A ship date is the
service's own text."""

_WHOSE: Final = {"pet_id": Resource.PETS, "category_id": Resource.CATEGORIES}


def ids_of(resource: Resource, lists: Collection[Resource]) -> frozenset[str]:
    """The columns with ids of records of these lists."""
    return frozenset(
        column.name
        for column in COLUMNS[resource]
        if column.kind == "id" and _WHOSE.get(column.name, resource) in lists
    )


OTHERS: Final = "other_fields"
"""The last column, where a list has any: the fields that the program does not know, as one text of JSON."""


def others(resource: Resource, extra: Extra) -> Cell:
    """What stands in the last column."""
    shown = unknown_fields(resource, extra)
    return extra_text(shown) if shown else None


def cells(resource: Resource, row: Row, names: RecordNames, with_others: bool = False) -> tuple[Cell, ...]:
    """What stands in the columns of one row; a value that is missing is None."""
    own = tuple(column.value(row.record, names) for column in COLUMNS[resource])
    return (*own, others(resource, row.record.extra)) if with_others else own


def names_of(record: Record) -> tuple[ServiceId, str] | None:
    """The id and the name of a pet or a category, for `RecordNames`."""
    return (record.id, record.name) if isinstance(record, Pet | Category) else None
