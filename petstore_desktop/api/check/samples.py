"""What the records that a check got tell: some of the pets, and which fields were not understood."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from petstore_desktop.api import wire
from petstore_desktop.api.withheld import without_secrets
from petstore_desktop.contract.binding.answer_fields import learned
from petstore_desktop.contract.model import FROM_PROFILE, Contract
from petstore_desktop.contract.operations import VERBS, FieldMap, Path, Verb, value_at
from petstore_desktop.domain.checks import Sample, Unbound
from petstore_desktop.domain.records import ALL_SPECS, FIELD_SPECS, Category, Pet, Record, Resource, ServiceId, plain

PETS = 5
"""Pets that are asked for, and shown."""
CATEGORIES = 50
"""Categories that are asked for, so that the pets' have names."""
_NAMES = 20
"""Unknown fields of one list that are named."""
_EITHER = {"complete": "status", "status": "complete"}
"""An order that has the one is no worse for having no other."""


def read_records(contract: Contract, resource: Resource, values: Sequence[object]) -> tuple[FieldMap, wire.Decoded]:
    """The records, without those that hold a key, and where they have their fields."""
    values = without_secrets(resource, values)
    fields = (learned(contract, resource, values) or contract).map(resource)
    return fields, wire.decode_many(resource, values, fields=fields)


def sample_of(contract: Contract, came: Mapping[Resource, Sequence[object]]) -> Sample:
    """What these lists tell, each as far as it came."""
    pets: tuple[Record, ...] = ()
    absent: dict[Resource, tuple[str, ...]] = {}
    unused: dict[Resource, tuple[str, ...]] = {}
    guessed: list[tuple[Resource, str, str]] = []
    names: dict[ServiceId, str] = {}
    for resource in (one for one in Resource if came.get(one)):
        fields, decoded = read_records(contract, resource, came[resource])
        if decoded.records:
            absent[resource] = _absent(contract, resource, fields, came[resource])
            specs = (spec for spec in ALL_SPECS[resource] if spec.name in fields.guessed)
            guessed += ((resource, spec.name, ".".join(fields.path(spec))) for spec in specs)
            unused[resource] = _unused(decoded.records, fields.begins(resource))
        if resource is Resource.PETS:
            pets = decoded.records[:PETS]
        names |= _names(contract, decoded.records)
    missing = tuple(value.name for value in contract.missing_values)
    stock = contract.find(Resource.INVENTORY, Verb.CHANGE)
    return Sample(
        pets,
        _told(absent),
        _told(unused),
        _unbound(contract),
        tuple(guessed),
        names,
        missing,
        apart=tuple(dict.fromkeys(_apart(contract))),
        own_key="" if stock is None else ".".join(stock.hole),
    )


def _apart(contract: Contract) -> Iterator[tuple[Resource, str, str, str]]:
    """The fields that are written elsewhere than they are read."""
    for op, one in contract.operations.items():
        fields = contract.map(op.resource)
        for spec in FIELD_SPECS[op.resource] if VERBS[op] in (Verb.CREATE, Verb.CHANGE) else ():
            read, written = fields.path(spec), one.writes.path(spec)
            if read and written and read != written and one.takes(spec.name) and not contract.doubt(one, spec.name):
                yield op.resource, spec.name, ".".join(read), ".".join(written)


def _names(contract: Contract, records: Sequence[Record]) -> dict[ServiceId, str]:
    """The names of categories that these records are, or that pets show of theirs."""
    listing = contract.find(Resource.CATEGORIES, Verb.LIST)
    way, place = () if listing is None else listing.gathered, contract.map(Resource.CATEGORIES)
    name = next(place.path(spec) for spec in ALL_SPECS[Resource.CATEGORIES] if spec.name == "name")
    found: dict[ServiceId, str] = {}
    for record in records:
        if isinstance(record, Category):
            found[record.id] = record.name
        elif way and isinstance(record, Pet) and record.category_id is not None:
            said = value_at(record.extra, (*way, *name))
            found |= {record.category_id: said} if isinstance(said, str) else {}
    return found


_ORDINARY: Final[Mapping[Resource, tuple[str, ...]]] = {  # house: whole-table - all fields of the others matter
    Resource.CATEGORIES: ("description",),
    Resource.INVENTORY: ("status",),
}
"""Fields that many services do not have, and that are not missed."""


def _told(names: Mapping[Resource, tuple[str, ...]]) -> dict[Resource, tuple[str, ...]]:
    return {resource: each for resource, each in names.items() if each}


def _absent(contract: Contract, resource: Resource, fields: FieldMap, values: Sequence[object]) -> tuple[str, ...]:
    listing = contract.find(resource, Verb.LIST)
    of_this = contract.source not in ("default", FROM_PROFILE)  # what those say may hold of other services
    shows = listing.shows if listing is not None and of_this else ()
    paths = {spec.name: fields.path(spec) for spec in ALL_SPECS[resource]}
    found = {
        name
        for name, path in paths.items()
        if path and (plain(path[0]) in shows or any(_has(value, path) for value in values))
    }
    missing = (name for name in paths if name not in found and _EITHER.get(name) not in found)
    return tuple(name for name in missing if name not in _ORDINARY.get(resource, ()))


def _has(value: object, path: Path) -> bool:
    """Whether there is something, be it null."""
    for name in path:
        if not isinstance(value, dict) or name not in value:
            return False
        value = value[name]  # pyright: ignore[reportUnknownVariableType] -- looked at, never used
    return True


def _unused(records: Sequence[Record], known: frozenset[str]) -> tuple[str, ...]:
    names = dict.fromkeys(name for record in records for name in record.extra)
    return tuple(name for name in names if name not in known)[:_NAMES]


def _unbound(contract: Contract) -> tuple[Unbound, ...]:
    findings = () if contract.survey is None else contract.survey.findings
    near = ((one.op.value, one.near[0]) for one in findings if not one.endpoint and one.near and not one.alike)
    return tuple(Unbound(op, choice.endpoint, choice.why, choice.what) for op, choice in near if choice.why)
