from __future__ import annotations

import json

import msgspec
import pytest

from petstore_desktop import resources
from petstore_desktop.contract.binding.load import default, load
from petstore_desktop.contract.cache import from_json, to_json
from petstore_desktop.contract.model import KeyPlace, KeyPlacement
from petstore_desktop.domain.errors import DocumentUnusable


def test_a_contract_comes_back_as_it_was() -> None:
    full = load(resources.path("openapi", "full.json").read_bytes(), source="published")
    odd = msgspec.structs.replace(
        default(), key=KeyPlacement(KeyPlace.QUERY, "k", "", basic=True), warnings=("<b>one</b>", "zwei — ‘2’")
    )
    for contract in (full, odd):
        assert from_json(to_json(contract)) == contract


@pytest.mark.parametrize("text", ["", "null", "[]", "{}", "{", '{"format": 0}', "[" * 100_000])
def test_a_cache_that_cannot_be_read_is_refused_so_that_the_document_is_bound_anew(text: str) -> None:
    with pytest.raises(DocumentUnusable):
        from_json(text)


def test_a_cache_of_another_format_or_with_unknown_operations_is_refused() -> None:
    data = json.loads(to_json(default()))
    for change in ({"format": 999}, {"operations": {"pets.fly": {}}}, {"operations": {"pets.list": {}}}):
        with pytest.raises(DocumentUnusable):
            from_json(json.dumps({**data, **change}))
