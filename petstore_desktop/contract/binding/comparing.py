"""How a service's own document differs from the profile that a connection follows: said, never taken over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from petstore_desktop.contract.binding.load import load
from petstore_desktop.contract.binding.servers import root_of
from petstore_desktop.contract.model import Contract, KeyPlace, Operation
from petstore_desktop.contract.operations import VERBS, Op, Verb
from petstore_desktop.domain.errors import DocumentUnusable
from petstore_desktop.domain.records import ALL_SPECS, plain

MOST_SAID: Final = 30
"""Differences that are said."""
_HOLE: Final = re.compile(r"\{[^{}]*\}")
_WRITES: Final = (Verb.CREATE, Verb.CHANGE)


def compared(profile: Contract, data: bytes, address: str, place: str) -> Contract:
    """The profile's contract, with the differences of the document at `place` as its warnings. What differs in how it
    is written counts as not proven any more: its first use is looked at again."""
    try:
        document = load(data, source="published", address=address, place=place, refuse=False)
    except DocumentUnusable:
        return replace(profile, warnings=("the service's document cannot be read",))
    found = [*_of_keys(profile, document)]
    doubted = set[str]()
    for op, one in profile.operations.items():
        said = list(_of_operation(profile, one, document, address))
        found += (f"{op.value}: {words}" for words in said)
        if said:
            doubted.add(one.form)
    found += _unused(profile, document)
    proven = tuple(one for one in profile.proven if one.partition(":")[0] not in doubted)
    return replace(profile, warnings=tuple(found[:MOST_SAID]), proven=proven)


def _of_keys(profile: Contract, document: Contract) -> Iterator[str]:
    told = (document.key, *document.beside, *document.alternatives)
    sent = profile.key
    same = any((place.place, place.name.lower()) == (sent.place, sent.name.lower()) for place in told)
    if not same and document.key.place is KeyPlace.NONE:
        yield "the document wants no key"
    elif not same:
        yield f"the document wants the key in the {document.key.place.value} {document.key.name}"


def _of_operation(profile: Contract, one: Operation, document: Contract, address: str) -> Iterator[str]:
    if one.gathered:
        return
    call = _call(profile, one, address)
    theirs = next((each for each in document.asked if each.op is one.op), None)
    if theirs is None or _call(document, theirs, address) != call:
        others = {_call(document, each, address) for each in document.asked}
        if call not in others and call not in _endpoints(document, one.op, address):
            said = "" if theirs is None else f"; it has {theirs.method} {theirs.path}"
            yield f"the document has no {one.method} {one.path}{said}"
        return
    yield from _of_answer(profile, one, theirs)
    if VERBS[one.op] in _WRITES:
        yield from _of_body(one, theirs)


def _of_answer(profile: Contract, one: Operation, theirs: Operation) -> Iterator[str]:
    fields = profile.map(one.op.resource)
    for spec in ALL_SPECS[one.op.resource] if theirs.shows and VERBS[one.op] in (Verb.LIST, Verb.READ) else ():
        path = fields.path(spec)
        if path and not spec.optional and plain(path[0]) not in theirs.shows:
            yield f"answers have no {path[0]}"


def _of_body(one: Operation, theirs: Operation) -> Iterator[str]:
    if not theirs.body_fields:
        return
    if one.envelope != theirs.envelope:
        yield f"its body has the record under {theirs.envelope or 'no name'}, not under {one.envelope or 'no name'}"
    sent = {*one.body_fields, *one.fills}
    for name in theirs.required_fields:
        if name not in sent:
            yield f"its body must have {name}"
    known = {*theirs.body_fields, *theirs.read_only_fields}
    for name in one.body_fields:
        if name not in known:
            yield f"its body has no {name}"
    for name, kind in one.body_types.items():
        said = theirs.body_types.get(name)
        if kind and said and kind != said:
            yield f"{name} of its body is of type {said}, not {kind}"


def _unused(profile: Contract, document: Contract) -> Iterator[str]:
    for op, one in document.operations.items():
        if op not in profile.operations and not one.gathered:
            yield f"{op.value}: the document has {one.method} {one.path}, which the profile does not use"


def _call(contract: Contract, one: Operation, address: str) -> str:
    """A method and a whole path, whatever its hole is called."""
    return f"{one.method} {_HOLE.sub('{}', root_of(contract, address, one) + one.path)}"


def _endpoints(document: Contract, op: Op, address: str) -> set[str]:
    """What the document has that a person could choose for an operation."""
    choices = () if document.survey is None else document.survey.of(op).choices
    parts = (choice.endpoint.partition(" ") for choice in choices)
    return {f"{method} {_HOLE.sub('{}', root_of(document, address) + path)}" for method, _, path in parts}
