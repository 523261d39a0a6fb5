"""Writes what a run follows as a profile: a text in TOML that people read and change, and that `reading` reads back as
the same contract."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, cast

from msgspec.structs import replace

from petstore_desktop.contract.model import Contract, KeyPlacement, Operation
from petstore_desktop.contract.operations import OPS, VERBS, FieldMap, Op, Verb
from petstore_desktop.contract.profile.values import (
    BODY,
    GUARDED,
    OF_ALL,
    OF_LISTS,
    USUAL,
    WRITES,
    Table,
    Toml,
    said_key,
    said_of,
    said_places,
    said_service_key,
    without_marks,
)
from petstore_desktop.domain.records import Resource

FORMAT: Final = 1
_COLUMNS: Final = 116
_GUARDED: Final = (Verb.CHANGE, Verb.DELETE)
_BARE: Final = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_HEAD: Final = """\
# How this service speaks: `petstore-desktop connect NAME --url URL --profile FILE` follows it.
# What the lines mean is in the manual, under "Write a profile".
"""


def followed(contract: Contract) -> Contract:
    """What a run follows of a contract: without how it was found, what it is called, and what was only said."""
    operations = {op: _followed(one) for op, one in contract.operations.items()}
    resources = {op.resource for op in operations}
    maps = {one: replace(contract.map(one), told=True) for one in Resource if one in resources}
    several = len(contract.places) > 1 or len(contract.keys) > 1
    return Contract(
        operations,
        contract.key,
        title=contract.title,
        servers=contract.servers,
        within=contract.within,
        fields=maps,
        statuses={one: words for one, words in contract.statuses.items() if one in resources},
        beside=contract.beside,
        alternatives=contract.alternatives,
        keys=contract.keys if several else (),
        counts=None if contract.counts is None else _followed(contract.counts),
    )


def _followed(one: Operation) -> Operation:
    own = set(one.body_fields)
    required = [name for name in one.body_fields if name in one.required_fields]
    further = [name for name in one.required_fields if name not in own]
    writes = FieldMap(one.writes.paths, VERBS[one.op] in WRITES, one.writes.guessed)
    required_fields = (*required, *further)
    return replace(one, removed=False, successor="", required_fields=required_fields, writes=writes)


def text_of(contract: Contract) -> str:
    """The profile of a contract."""
    contract = followed(contract)
    said = {op: said_of(one, contract.map(op.resource)) for op, one in contract.operations.items()}
    lists = _common((one for op, one in said.items() if VERBS[op] is Verb.LIST and not one["from_pets"]), OF_LISTS)
    head: dict[str, Toml] = {
        "profile": FORMAT,
        "title": contract.title,
        "servers": list(contract.servers),
        "within": contract.within,
        "key": said_key(contract.key),
        "beside": list(map(said_key, contract.beside)),
        "alternatives": list(map(said_key, contract.alternatives)),
        "keys": list(map(said_service_key, contract.keys)),
        "lists": lists,
    }
    if contract.key == KeyPlacement():
        del head["key"]
    parts = [_HEAD, *_pairs({name: value for name, value in head.items() if value})]
    for resource in Resource:
        parts += _resource(contract, resource, said, lists)
    if contract.counts is not None:
        parts += _section("counts", _less(said_of(contract.counts), USUAL))
    return "\n".join(parts) + "\n"


def _resource(contract: Contract, resource: Resource, said: Mapping[Op, Table], lists: Table) -> list[str]:
    own = {VERBS[op]: said[op] for op in said if op.resource is resource}
    if not own:
        return []
    fields = contract.map(resource)
    shared = _shared(own)
    head: dict[str, Toml] = {
        "fields": said_places(resource, fields),
        "unsure": list(fields.guessed),
        "statuses": list(contract.statuses.get(resource, ())),
    }
    head = {name: value for name, value in head.items() if value} | shared
    sections: list[str] = []
    for verb, one in own.items():
        usual = defaults(verb, shared, lists, whole=one["whole"] is True)
        if one["from_pets"] and (pets := said.get(OPS[Resource.PETS, Verb.LIST])):
            usual = pets
        if verb is Verb.READ:
            usual = {**usual, "hole": hole_beside(one, own.get(Verb.CHANGE))}
        short = _less(one, usual)
        if short.keys() == {"call"}:
            head[verb.value] = short["call"]
        else:
            sections += _section(f"{resource.value}.{verb.value}", short)
    return [*(_section(resource.value, head) if head else ()), *sections]


def defaults(verb: Verb, shared: Table, lists: Table, *, whole: bool) -> dict[str, Toml]:
    """What an operation of this verb has where its own section says nothing. `shared`: what the section of its resource
    says; `whole`: its body replaces the record."""
    names = {*OF_ALL, *(BODY if verb in WRITES else ()), *(GUARDED if verb in _GUARDED else ())}
    names -= {"shows"} if verb is Verb.DELETE else set[str]()
    of_lists = lists if verb is Verb.LIST else dict[str, Toml]()
    said = {name: shared[name] for name in names if name in shared}
    if verb is Verb.CHANGE and not whole and "body" in said:
        said["body"] = without_marks(said["body"])
    return {**USUAL, **of_lists, **said}


def hole_beside(read: object, change: object) -> Toml:
    """What the path of a read means where that of a change is the same, and says by what it names an entry of stock:
    one place has one meaning. `read` and `change` as a profile has them."""
    first, other = _as_table(read), _as_table(change)
    paths = [str(one.get("call")).partition(" ")[2] for one in (first, other)]
    hole = other.get("hole")
    return hole if isinstance(hole, str) and paths[0] == paths[1] else ""


def _as_table(said: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", said) if isinstance(said, Mapping) else {"call": said}


def _shared(own: Mapping[Verb, Table]) -> dict[str, Toml]:
    """What the operations of a resource have in common."""
    writes = [one for verb, one in own.items() if verb in WRITES]
    records = [one for verb, one in own.items() if verb is not Verb.DELETE]
    names = tuple(name for name in OF_ALL if name != "shows")
    create, change = own.get(Verb.CREATE), own.get(Verb.CHANGE)
    body = dict[str, Toml]()
    if create and change and "body" in create and change.get("body") == without_marks(create["body"]):
        body = {"body": create["body"]}
    guarded = [one for verb, one in own.items() if verb in _GUARDED]
    return (
        _most(records, "shows")
        | body
        | _common(writes, BODY)
        | _common(own.values(), names)
        | _common(guarded, GUARDED)
    )


def _common(said: Iterable[Table], names: Iterable[str]) -> dict[str, Toml]:
    """The values that all of several say, but what is usual."""
    all_ = list(said)
    if len(all_) < 2:
        return {}
    first, *rest = all_
    return {
        name: first[name]
        for name in names
        if name in first and all(one.get(name) == first[name] for one in rest) and not _is_usual(name, first[name])
    }


def _most(said: Sequence[Table], name: str) -> dict[str, Toml]:
    """The value that most of them say, if it is that of several."""
    values = [json.dumps(one[name]) for one in said]
    found = max(values, key=values.count, default="[]")
    value = json.loads(found)
    return {name: value} if values.count(found) > 1 and not _is_usual(name, value) else {}


def _is_usual(name: str, value: Toml) -> bool:
    return name in USUAL and _same(value, USUAL[name])


def _same(one: Toml, other: Toml) -> bool:
    """False is no 0."""
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return list(one) == list(other)
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _less(said: Table, usual: Table) -> dict[str, Toml]:
    return {name: value for name, value in said.items() if name not in usual or not _same(value, usual[name])}


# ---------------------------------------------------------------- TOML


def _section(name: str, said: Table) -> list[str]:
    return ["", f"[{name}]", *_pairs(said)]


def _pairs(said: Table) -> list[str]:
    return [_pair(name, value) for name, value in said.items()]


def _pair(name: str, value: Toml) -> str:
    whole = f"{_name(name)} = {_value(value)}"
    if len(whole) <= _COLUMNS or not isinstance(value, list):
        return whole
    lines, last = [f"{_name(name)} = ["], "   "
    for part in (f" {_value(one)}," for one in value):
        if len(last) + len(part) > _COLUMNS:
            lines.append(last)
            last = "   "
        last += part
    return "\n".join((*lines, last, "]"))


def _value(value: Toml) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{_name(name)} = {_value(one)}" for name, one in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    return f"[{', '.join(map(_value, value))}]"


def _name(name: str) -> str:
    return name if _BARE.fullmatch(name) else _text(name)


def _text(text: str) -> str:
    if '"' in text and "'" not in text and text.isprintable():
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
