"""Where answers have the fields of records: as a person says, else as the document says, else as the first records
show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from petstore_desktop.contract.binding.bodies import category_in, texts_in
from petstore_desktop.contract.fields.likeness import map_of
from petstore_desktop.contract.fields.seen import SAMPLES, Seen, in_values
from petstore_desktop.contract.model import Contract, Operation
from petstore_desktop.contract.operations import OPS, SAME, VERBS, FieldMap, Op, Path, Verb, paths_by_hand
from petstore_desktop.domain.records import ALL_SPECS, Resource

_SHOWN = (Verb.LIST, Verb.READ)
"""Whose answers show records, the first of them most."""
_DONE = (Verb.CHANGE, Verb.CREATE)
"""Whose answers may have records too, or only say what was done: `{"id": 7}` beside records with a `pet_id`."""


def with_fields(contract: Contract, answers: Mapping[Op, Seen]) -> Contract:
    """The contract with the maps that the schemas of its answers make, and with what a person says. The default
    document is no one's own: what it says of fields is looked at again in what comes."""
    by_hand = paths_by_hand(contract.by_hand)
    for resource in Resource:
        if contract.is_gathered(resource):
            continue
        seen = _together(answers, resource, _SHOWN)
        seen = seen if seen.fields else _together(answers, resource, _DONE)
        hand = by_hand.get(resource, {})
        fields = map_of(resource, seen, told=contract.source != "default", before=hand)
        contract = _with_statuses(_with_map(contract, resource, fields, seen, hand), resource, seen)
        if resource is Resource.PETS:
            contract = _with_categories(contract, seen)
    return contract


def _together(answers: Mapping[Op, Seen], resource: Resource, verbs: Sequence[Verb]) -> Seen:
    """What the answers of these operations show of such a record."""
    own = [answers[op] for verb in verbs if (op := OPS.get((resource, verb))) and op in answers]
    return Seen("object", {name: node for one in reversed(own) for name, node in one.fields.items()})


def _with_statuses(contract: Contract, resource: Resource, seen: Seen) -> Contract:
    """The contract with the words for the status of such records, where its own document names them."""
    paths = (contract.map(resource).path(spec) for spec in ALL_SPECS[resource] if spec.name == "status")
    found = next((words for path in paths if path and (words := seen.at(path).words)), ())
    if not found or contract.source == "default":
        return contract
    return replace(contract, statuses={**contract.statuses, resource: found})


def _with_categories(contract: Contract, seen: Seen) -> Contract:
    """The contract with a list of categories that its pets describe, where it has none of its own."""
    listing = contract.find(Resource.PETS, Verb.LIST)
    spec = next(spec for spec in ALL_SPECS[Resource.PETS] if spec.name == "category_id")
    path = contract.map(Resource.PETS).path(spec)
    fields = category_in(seen, path)
    if listing is None or fields is None or contract.offers(Resource.CATEGORIES, Verb.LIST):
        return contract
    found = {**contract.operations, Op.CATEGORIES_LIST: replace(listing, op=Op.CATEGORIES_LIST, gathered=path[:-1])}
    operations = {op: found[op] for op in Op if op in found}
    return replace(contract, operations=operations, fields={**contract.fields, Resource.CATEGORIES: fields})


def learned(contract: Contract, resource: Resource, records: Sequence[object]) -> Contract | None:
    """The contract with what the first records of a list show of fields of which the document says nothing; None where
    that is nothing new."""
    known = contract.map(resource)
    if known.told or not records:
        return None
    seen = in_values(records[:SAMPLES])
    found = map_of(resource, seen, told=False, before=known.paths)
    found = replace(found, guessed=tuple(dict.fromkeys((*known.guessed, *found.guessed))))
    made = _with_map(contract, resource, found, seen, {})
    return None if made == contract else made


def _with_map(
    contract: Contract, resource: Resource, fields: FieldMap, seen: Seen, by_hand: Mapping[str, Path]
) -> Contract:
    if fields == SAME and not texts_in(resource, seen, fields):
        return contract
    operations = dict(contract.operations)
    for op, one in contract.operations.items():
        if op.resource is not resource or VERBS[op] not in (Verb.CREATE, Verb.CHANGE):
            continue
        if contract.source == "default" or not one.body_fields:
            operations[op] = _as_answered(one, fields, seen)
        else:
            own = {name: path for name, path in by_hand.items() if path and path[0] in one.body_fields}
            guessed = tuple(name for name in one.writes.guessed if name not in own)
            operations[op] = replace(one, writes=FieldMap({**one.writes.paths, **own}, one.writes.told, guessed))
    own = {} if fields == SAME and resource not in contract.fields else {resource: fields}
    return replace(contract, operations=operations, fields={**contract.fields, **own})


def _as_answered(operation: Operation, fields: FieldMap, seen: Seen) -> Operation:
    """The operation with a body that has the fields where its answers have them."""
    resource = operation.op.resource
    spelled = {spec.wire: path[0] for spec in ALL_SPECS[resource] if (path := fields.path(spec))}
    return replace(
        operation,
        writes=FieldMap(fields.paths),
        text_fields=texts_in(resource, seen, fields) or operation.text_fields,
        body_fields=tuple(spelled.get(name, name) for name in operation.body_fields),
        required_fields=tuple(spelled.get(name, name) for name in operation.required_fields),
    )
