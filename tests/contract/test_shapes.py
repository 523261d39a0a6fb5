"""Services as they are found in public, written down as small documents of our own: what is offered of each, where its
fields lie, and what is not taken for a pet shop."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from petstore_desktop.commands.sentences import sentence
from petstore_desktop.contract import params
from petstore_desktop.contract.binding.load import load
from petstore_desktop.contract.model import Contract, Operation
from petstore_desktop.contract.operations import VERBS, FieldMap, Verb
from petstore_desktop.domain.errors import DocumentUnusable
from petstore_desktop.domain.records import ALL_SPECS, Resource
from tests.contract.shapes.writing import Written, read

SHOPS = read("pet_shops")
OTHERS = {**read("products"), **read("others")}
_WAYS = {
    "cursor": params.CURSORS,
    "page": params.PAGES,
    "offset": params.OFFSETS,
    "limit": params.LIMITS,
}


def bound(written: Written) -> Contract:
    return load(json.dumps(written.document).encode(), source="chosen", address=written.address)


def offered(contract: Contract) -> dict[str, str]:
    return {str(op): f"{one.method} {one.path}" for op, one in contract.operations.items() if not one.gathered}


def said(contract: Contract) -> list[str]:
    """What else a contract holds, a line for each thing that is not as the specification of pet stores has it."""
    return [line for part in (_fields(contract), _lists(contract), _bodies(contract)) for line in part]


def _fields(contract: Contract) -> Iterator[str]:
    for resource in Resource:
        paths = _paths(resource, contract.map(resource))
        if paths:
            yield f"fields {resource}: {paths}"
        if resource in contract.statuses:
            yield f"statuses {resource}: {' '.join(contract.statuses[resource])}"


def _paths(resource: Resource, fields: FieldMap) -> str:
    own = {spec.name: fields.path(spec) for spec in ALL_SPECS[resource]}
    wire = {spec.name: (spec.wire,) for spec in ALL_SPECS[resource]}
    return " ".join(f"{name}={'.'.join(path) or '-'}" for name, path in own.items() if path != wire[name])


def _lists(contract: Contract) -> Iterator[str]:
    for op, one in contract.operations.items():
        if VERBS[op] is Verb.LIST:
            ways = {way: params.pick(one.query, known) for way, known in _WAYS.items()}
            pages = [f"{way}={name}" for way, name in ways.items() if name]
            whole = "gathered" if one.gathered else "one by one" if one.statuses else " ".join(pages) or "in one"
            yield f"{op}: {whole}"


def _bodies(contract: Contract) -> Iterator[str]:
    for op, one in contract.operations.items():
        parts = list(_body(contract, one)) if VERBS[op] in (Verb.CREATE, Verb.CHANGE) else []
        if parts:
            yield f"{op}: {', '.join(parts)}"


def _body(contract: Contract, one: Operation) -> Iterator[str]:
    if one.envelope:
        yield f"in {one.envelope}"
    if one.writes.paths != contract.map(one.op.resource).paths:
        yield _paths(one.op.resource, one.writes)
    if one.fills:
        yield f"fills {json.dumps(one.fills)}"
    if one.replaces:
        lost = contract.unlisted(one.op.resource)
        yield f"whole, without {' '.join(lost)}" if lost else "whole"


@pytest.mark.parametrize("title", SHOPS)
def test_a_pet_shop_is_offered_as_it_is_meant(title: str) -> None:
    written = SHOPS[title]
    contract = bound(written)
    assert offered(contract) == written.ops
    assert said(contract) == written.says


@pytest.mark.parametrize("title", OTHERS)
def test_another_service_is_not_taken_for_a_pet_shop(title: str) -> None:
    """At most a person may say which of its lists are pets; what is refused says what else it is."""
    written = OTHERS[title]
    try:
        contract = bound(written)
    except DocumentUnusable as error:
        assert (error.code, written.says) == ("document-empty", [])
        assert f"another service: {title}" in sentence(error)
    else:
        assert contract.operations == {}
        assert contract.survey is not None
        assert [f"alike {one.op}: {one.alike}" for one in contract.survey.alike] == written.says


def test_there_are_forty() -> None:
    assert len({*SHOPS, *OTHERS}) >= 40
