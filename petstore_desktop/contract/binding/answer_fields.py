"""Where answers have the fields of records: as a person says, else as the document says, else as the first records
show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, cast

from msgspec.structs import replace

from petstore_desktop.contract.binding.bodies import category_in, texts_in
from petstore_desktop.contract.binding.kinds import is_said_of_pets, path_shape
from petstore_desktop.contract.binding.path_parameters import hole_of, is_another_id
from petstore_desktop.contract.fields.likeness import map_of, names_of, sure_words
from petstore_desktop.contract.fields.seen import SAMPLES, Seen, in_values
from petstore_desktop.contract.model import FROM_PROFILE, Contract, Operation
from petstore_desktop.contract.operations import (
    ATTRIBUTES,
    NOWHERE,
    OPS,
    SAME,
    VERBS,
    FieldMap,
    Op,
    Path,
    Verb,
    paths_by_hand,
)
from petstore_desktop.contract.stock_key import seen as seen_key
from petstore_desktop.domain.records import ALL_SPECS, FieldKind, FieldSpec, Resource, plain

_SHOWN = (Verb.LIST, Verb.READ)
"""Whose answers show records, the first of them most."""
_NUMBERS: Final = frozenset({"integer", "number"})
_AS_TEXTS: Final = frozenset({FieldKind.ID, FieldKind.NUMBER})
_ROOMS: Final = frozenset({ATTRIBUTES, "relationships", "data"})
"""Names on the way to a field that say nothing of it (JSON:API 1.1, 7.2)."""
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
        if resource is Resource.INVENTORY:
            contract = _with_stock_put_whole(contract, seen, answers.get(Op.STOCK_CHANGE, Seen()).shown())
        contract = _with_doubted_id(contract, resource, seen)
    return contract


def _with_stock_put_whole(contract: Contract, seen: Seen, answered: Seen) -> Contract:
    """The contract with a PUT of a stock entry that replaces it, where its body names the pet and has all that entries
    have: as the answer to the PUT shows them, else as the list does, where that answer is empty or no entry."""
    one = contract.operations.get(Op.STOCK_CHANGE)
    if one is None or one.method != "PUT" or one.replaces:
        return contract
    key, quantity, *_ = (one.writes.path(spec)[:1] for spec in ALL_SPECS[Resource.INVENTORY])
    shown = answered.fields if {*quantity} & answered.fields.keys() else seen.fields
    named = {name for name in one.body_types if "." not in name}
    if not shown or not named.issuperset({*key, *shown}):
        return contract
    return replace(contract, operations={**contract.operations, Op.STOCK_CHANGE: replace(one, replaces=True)})


def _with_doubted_name(contract: Contract, resource: Resource, seen: Seen) -> Contract:
    """The contract with the name of such records as a guess while no record shows one where it is looked for: nobody
    knows what a new one would be called."""
    fields = contract.map(resource)
    spec = next((spec for spec in ALL_SPECS[resource] if spec.name == "name"), None)
    if spec is None or f"{resource.value}.name" in contract.by_hand or contract.is_gathered(resource):
        return contract
    path = fields.path(spec)
    others = tuple(name for name in fields.guessed if name != spec.name)
    if not path or not _is_shown(seen, path):
        doubted = replace(fields, guessed=(*others, spec.name))
    elif path == (spec.wire,):  # where it is looked for, nothing else makes it a guess
        doubted = replace(fields, guessed=others)
    else:
        return contract
    return contract if doubted == fields else replace(contract, fields={**contract.fields, resource: doubted})


def _with_doubted_id(contract: Contract, resource: Resource, seen: Seen) -> Contract:
    """The contract with its records' id as a guess, where a path names them by another field, or where they are not
    those of pets, and a person has not said which one it is."""
    if resource is Resource.INVENTORY and seen_key(contract) is not None:
        return contract
    fields, spec, names = contract.map(resource), ALL_SPECS[resource][0], names_of(seen)
    said = f"{resource.value}.{spec.name}" in contract.by_hand
    if spec.name in fields.guessed:
        return contract
    if said and resource is Resource.INVENTORY and _is_another_pets(fields.path(spec), seen):
        return with_doubt(contract, resource)
    for op, one in contract.operations.items():
        own = resource is not Resource.INVENTORY or op in contract.by_hand
        if op.resource is not resource or (said and own) or path_shape(one.path).nested_stock:
            continue
        other = is_another_id(hole_of(one.path), fields.path(spec), names, resource)
        if other or (not said and _is_of_other_things(contract, resource, names)):
            return with_doubt(contract, resource)
    return contract


def _is_another_pets(path: Path, seen: Seen) -> bool:
    """Whether entries of stock name their pet elsewhere than a person says, by a value of the same type: what is there
    is then the entry's own key."""
    sure = sure_words(Resource.INVENTORY, "pet_id")
    if not path or not sure.isdisjoint(map(plain, path)):
        return False
    kind = seen.at(path).type
    return any(plain(name) in sure and node.type == kind for name, node in seen.fields.items())


def with_doubt(contract: Contract, resource: Resource) -> Contract:
    """The contract with such records' id as a guess: they are read, and not written."""
    fields, key = contract.map(resource), ALL_SPECS[resource][0].name
    doubted = replace(fields, guessed=tuple(dict.fromkeys((*fields.guessed, key))))
    return replace(contract, fields={**contract.fields, resource: doubted})


def _is_of_other_things(contract: Contract, resource: Resource, names: frozenset[str]) -> bool:
    """Whether these are orders or stock of something else, in a service that has no pets, and nobody chose them."""
    if resource not in (Resource.ORDERS, Resource.INVENTORY) or OPS[resource, Verb.LIST] in contract.by_hand:
        return False
    has_pets = any(op.resource is Resource.PETS for op in contract.operations)
    return bool(names) and not has_pets and not is_said_of_pets(names, resource)


def _together(answers: Mapping[Op, Seen], resource: Resource, verbs: Sequence[Verb]) -> Seen:
    """What the answers of these operations show of such a record."""
    own = [answers[op] for verb in verbs if (op := OPS.get((resource, verb))) and op in answers]
    return Seen("object", {name: node for one in reversed(own) for name, node in one.shown().fields.items()})


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
    that is nothing new. Of a profile, which has the places of all fields, only whether ids are texts there."""
    if not records:
        return None
    known, seen, new = contract.map(resource), in_values(records[:SAMPLES]), contract
    if contract.source == FROM_PROFILE:
        new = _with_values(contract, resource, seen, records)
        return None if new == contract else new
    if not known.told:
        found = map_of(resource, seen, told=False, before=known.paths)
        found = replace(found, guessed=tuple(dict.fromkeys((*known.guessed, *found.guessed))))
        by_hand = paths_by_hand(contract.by_hand).get(resource, {})
        new = _with_map(contract, resource, found, seen, by_hand)
    else:
        new = _with_opened(contract, resource, seen)
    new = _with_doubted_id(_with_doubted_name(new, resource, seen), resource, seen)
    new = _with_values(new, resource, seen, records)
    return None if new is contract or new == contract else new


def _with_opened(contract: Contract, resource: Resource, seen: Seen) -> Contract:
    """The contract with ids looked for in the objects that records have where its document leaves open whether they
    show an id or what it names."""
    known, shown = contract.map(resource), map_of(resource, seen, told=False)
    opened = {
        spec.name: shown.path(spec)
        for spec in ALL_SPECS[resource]
        if spec.kind is FieldKind.ID and seen.at(known.path(spec)).type == "object"
        if shown.path(spec)[:-1] == known.path(spec) and f"{resource.value}.{spec.name}" not in contract.by_hand
    }
    fields = replace(known, paths={**known.paths, **opened})
    return replace(contract, fields={**contract.fields, resource: fields}) if opened else contract


def _with_values(contract: Contract, resource: Resource, seen: Seen, records: Sequence[object]) -> Contract:
    """The contract with what the values of records show beside their places: which ids and numbers are texts, where the
    document does not say what they are, and of what type (JSON:API) a new record is."""
    fields, operations = contract.map(resource), dict(contract.operations)
    ids = [spec for spec in ALL_SPECS[resource] if spec.kind in _AS_TEXTS]
    for op, one in contract.operations.items():
        if op.resource is not resource or VERBS[op] not in (Verb.CREATE, Verb.CHANGE):
            continue
        ways = (one.writes.path(spec) for spec in ids if seen.at(fields.path(spec)).type == "string")
        names = (".".join(way) for way in ways if way)
        is_told = contract.source != "default"
        untold = (name for name in names if not (is_told and one.body_types.get(name)))
        texts = tuple(name for name in untold if name not in one.text_fields)
        types = _types_of(records) if one.is_json_api and "type" in one.fills else set[str]()
        fills = {**one.fills, "type": next(iter(types))} if len(types) == 1 else one.fills
        if texts or fills != one.fills:
            operations[op] = replace(one, text_fields=(*one.text_fields, *texts), fills=fills)
    return contract if operations == contract.operations else replace(contract, operations=operations)


def _types_of(records: Sequence[object]) -> set[str]:
    """What JSON:API records are called."""
    said = (cast("Mapping[str, object]", one).get("type") for one in records if isinstance(one, Mapping))
    return {kind for kind in said if isinstance(kind, str)}


def _with_map(
    contract: Contract, resource: Resource, fields: FieldMap, seen: Seen, by_hand: Mapping[str, Path]
) -> Contract:
    operations = dict(contract.operations)
    for op, one in contract.operations.items():
        if op.resource is not resource or VERBS[op] not in (Verb.CREATE, Verb.CHANGE):
            continue
        if contract.source == "default" or not one.body_fields:
            is_new = fields != SAME or texts_in(resource, seen, fields)
            operations[op] = _as_answered(one, fields, seen) if is_new else one
        else:
            own = {name: path for name, path in by_hand.items() if path and path[0] in one.body_fields}
            operations[op] = _with_writes(one, _compared(one, fields, seen, own))
    known = {} if fields == SAME and resource not in contract.fields else {resource: fields}
    return replace(contract, operations=operations, fields={**contract.fields, **known})


def _compared(operation: Operation, fields: FieldMap, seen: Seen, by_hand: Mapping[str, Path]) -> FieldMap:
    """Where the body has the fields that answers have. Where that is not certain, a field goes back as it came, and is
    not written before a person has said that it is this."""
    specs = ALL_SPECS[operation.op.resource]
    paths, guessed = {**operation.writes.paths, **by_hand}, [*operation.writes.guessed]
    for spec in specs if seen.fields else ():
        read, written = fields.path(spec), operation.writes.path(spec)
        if spec.name in by_hand or not written or written[0] not in operation.body_fields:
            continue
        if _is_same(operation, spec, seen, read):
            paths[spec.name] = read
        elif not _is_certain(operation, spec, seen, read) and not (spec is specs[0] and operation.names_in_body):
            paths[spec.name] = read if read and read[0] in operation.body_fields else NOWHERE
            guessed += () if spec is specs[0] else (spec.name,)
    told = tuple(name for name in dict.fromkeys(guessed) if name not in by_hand)
    paths = {spec.name: paths[spec.name] for spec in specs if paths.get(spec.name, (spec.wire,)) != (spec.wire,)}
    return FieldMap(paths, operation.writes.told, told)


def _with_writes(operation: Operation, writes: FieldMap) -> Operation:
    """The operation with its fields at these places, ids as texts where they are texts there."""
    ids = (writes.path(spec) for spec in ALL_SPECS[operation.op.resource] if spec.kind in _AS_TEXTS)
    texts = tuple(name for path in ids if operation.body_types.get(name := ".".join(path)) == "string")
    return replace(operation, writes=writes, text_fields=texts)


def _is_same(operation: Operation, spec: FieldSpec, seen: Seen, read: Path) -> bool:
    """Whether the body has a field where answers have it, and of their type. Numbers may be asked for as texts."""
    kind = operation.body_types.get(".".join(read))
    if kind is None:
        return False
    known = seen.at(read).type
    return _fits(known, kind) or (spec.kind in _AS_TEXTS and known in _NUMBERS and kind == "string")


def _is_certain(operation: Operation, spec: FieldSpec, seen: Seen, read: Path) -> bool:
    """Whether a field that the body has elsewhere than answers is the same one nevertheless."""
    written = operation.writes.path(spec)
    kind, known = operation.body_types.get(".".join(written), ""), seen.at(read).type
    is_an_id = kind == known == "integer" or (kind == known == "string" and read[-1:] == ("_id",))
    if is_an_id and read[:1] == written[:1]:
        return True  # an object that describes another record, or its id alone, as MongoDB and others have it
    if ".".join(read) in operation.body_types or _is_shown(seen, written) or not _fits(known, kind):
        return False
    sure = {*sure_words(operation.op.resource, spec.name), plain(spec.wire)}
    return _word(read) == _word(written) or not sure.isdisjoint(map(plain, written))


def _is_shown(seen: Seen, path: Path) -> bool:
    """Whether answers have something there, or on the way to it what is no object."""
    for name in path:
        if name not in seen.fields:
            return seen.type not in ("", "object")
        seen = seen.fields[name]
    return True


def _fits(known: str, kind: str) -> bool:
    return not known or not kind or known == kind or {known, kind} <= _NUMBERS


def _word(path: Path) -> str:
    """The name of a field however it is spelled: `species_id`, `speciesId` and `species.id` are one."""
    return "".join(plain(name) for name in path if plain(name) not in _ROOMS)


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
