"""A large document is read to its end, and part by part, so that the window goes on meanwhile."""

from __future__ import annotations

import json

import pytest

from petstore_desktop.contract.binding.load import load
from petstore_desktop.contract.document import parse as parsing
from petstore_desktop.contract.document import reading
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.errors import DocumentUnusable
from tests.bench.document import made

PATHS = 150


def test_each_schema_is_folded_once_however_often_it_is_referred_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_FOLDED", 20 * PATHS)
    contract = load(made(0, PATHS), source="chosen")
    assert contract.warnings == ()
    assert contract.operations[Op.PET_CREATE].body_fields == ("id", "name", "categoryId", "status")


GOOD = [
    '{"openapi": "3.0.3", "a": {"b": {"c": {"d": [1, {"e": "é"}]}}}}',
    ' {\n"a" : {} , "b":\t{"c":{}}}\r\n',
    "{}",
    '{"a": 1}',
]
BAD = ['{"a": 1', '{"a" 1}', '{"a": 1,}', '{"a": {"b": 1]}}', "{1: 2}", '{"a": 1} x', '{"a": {"b": {"c": }}}', "{,}"]


@pytest.mark.parametrize("text", GOOD)
def test_what_is_read_in_parts_is_what_is_read_at_once(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "LARGE", 0)
    assert parsing.parse(text.encode()) == json.loads(text)


@pytest.mark.parametrize("text", BAD)
def test_what_is_no_json_is_none_in_parts_either(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: str) -> object:
        raise DocumentUnusable("document-unreadable")

    monkeypatch.setattr(parsing, "LARGE", 0)
    monkeypatch.setattr(parsing, "_parse_yaml", refused)
    with pytest.raises(DocumentUnusable):
        parsing.parse(text.encode())
    with pytest.raises(json.JSONDecodeError):
        json.loads(text)


def test_a_text_that_is_large_is_read_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(json, "loads")
    assert parsing.parse(made(1, 5))["openapi"] == "3.0.3"
