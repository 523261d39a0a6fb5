from __future__ import annotations

import json
import math
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.api import wire
from petstore_desktop.api.encoding import Known, encode
from petstore_desktop.api.record_ids import key_of
from petstore_desktop.contract.model import Operation
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.errors import AnswerUnusable
from petstore_desktop.domain.records import (
    INT64_MAX,
    INT64_MIN,
    MOST_ID,
    Category,
    ContentId,
    InventoryItem,
    LocalId,
    Order,
    Pet,
    Resource,
    id_of_text,
)

PETS, CATEGORIES, ORDERS, INVENTORY = Resource.PETS, Resource.CATEGORIES, Resource.ORDERS, Resource.INVENTORY


def read(resource: Resource, text: str) -> Any:
    """One record of JSON text."""
    return wire.decode_one(resource, wire.parse_json(text.encode()))


def test_each_resource_is_read_with_the_wires_names() -> None:
    pet = read(PETS, '{"id": 1, "name": "Rex", "categoryId": 2, "status": "sold"}')
    assert pet == Pet(1, "Rex", 2, "sold")
    assert read(CATEGORIES, '{"id": 1, "name": "Dogs", "description": "d"}') == Category(1, "Dogs", "d")
    order = '{"id": 1, "petId": 2, "quantity": 3, "shipDate": "2026-01-01T00:00:00Z", "complete": false}'
    assert read(ORDERS, order) == Order(1, 2, 3, "2026-01-01T00:00:00Z", False)
    assert read(INVENTORY, '{"petId": 2, "quantity": 0, "status": "pending"}') == InventoryItem(2, 0, "pending")


def test_missing_and_null_fields_are_tolerated_where_a_record_can_do_without() -> None:
    assert read(PETS, '{"id": 1}') == Pet(1, "")
    assert read(PETS, '{"id": 1, "name": null, "categoryId": null, "status": null}').name == ""
    assert read(ORDERS, "{}") == Order()
    nulls = read(ORDERS, '{"id": null, "petId": null, "quantity": null, "shipDate": null, "complete": null}')
    assert nulls == Order(extra={"petId": None, "quantity": None, "shipDate": None, "complete": None})


@pytest.mark.parametrize("number", [INT64_MIN, INT64_MAX, 0, 9007199254740993, 1234567890123456789])
def test_ids_keep_their_value_over_the_full_range_as_numbers_and_as_texts(number: int) -> None:
    assert read(PETS, f'{{"id": {number}}}').id == number
    assert read(PETS, f'{{"id": "{number}"}}').id == number


@pytest.mark.parametrize(
    "value",
    [
        "1.0",
        "9007199254740993.0",
        "1e3",
        "true",
        "NaN",
        "-Infinity",
        "9223372036854775808",
        "9" * 5_000,
        "-9223372036854775809",
        '"7\\n"',
        '""',
        '"."',
        '".."',
        '"a\\u0000b"',
        '"\\ud800"',
        f'"{"x" * (MOST_ID + 1)}"',
        "[]",
        "{}",
        "null",
    ],
)
def test_what_can_be_no_id_is_never_one_and_costs_only_its_own_record(value: str) -> None:
    body = f'[{{"id": 1, "name": "a"}}, {{"id": {value}, "name": "b"}}, {{"id": 3, "name": "c"}}]'
    decoded = wire.decode_many(PETS, wire.parse_json(body.encode()))
    assert [record.id for record in decoded.records] == [1, 3]
    assert len(decoded.set_aside) == 1


@pytest.mark.parametrize(
    "text",
    [
        *("9223372036854775808", "-9223372036854775809", "007", "+7", " 7", "٧", "-0", "x" * MOST_ID, "...", ".a"),
        *("local:12", "text:12", "content:1", "ord_12", "a/b?c#d", "5f0e3a9c-7d0b-4c7e-9a35-0c6b8f1c2d3e"),
    ],
)
def test_any_other_text_is_an_id_as_the_service_wrote_it(text: str) -> None:
    pet = read(PETS, json.dumps({"id": text, "categoryId": text}))
    assert (pet.id, getattr(pet, "category_id", None)) == (text, text)
    assert id_of_text(text) == text


@pytest.mark.parametrize(
    "value",
    ["1.5", "2.0", '"3.0"', '" 3"', '"03"', '"9223372036854775808"', "true", "null", "NaN", "9223372036854775808"],
)
def test_a_quantity_is_an_int64_and_nothing_else(value: str) -> None:
    with pytest.raises(wire.BadRecord, match="quantity"):
        read(INVENTORY, f'{{"petId": 1, "quantity": {value}, "status": "sold"}}')


@pytest.mark.parametrize("body", ['{"id": 1, "complete": 1}', '{"id": 1, "shipDate": 5}', '{"quantity": "5 kg"}'])
def test_wrong_types_in_an_order_set_it_aside(body: str) -> None:
    with pytest.raises(wire.BadRecord):
        read(ORDERS, body)


def test_what_is_set_aside_is_named_by_its_id_or_its_place() -> None:
    body = b'[{"id": 7, "name": 5}, {"name": "x"}, 3, {"id": "%s", "categoryId": 1.5}]' % (b"9" * 100)
    decoded = wire.decode_many(PETS, json.loads(body))
    assert decoded.records == ()
    assert decoded.set_aside[:3] == (
        "pets 7: name cannot be 5",
        "pets, number 2 of its list: id is missing",
        "pets, number 3 of its list: it is not an object",
    )
    assert decoded.set_aside[3].startswith("pets 9999")
    assert len(decoded.set_aside[3]) < 150


def test_an_unknown_status_and_every_script_come_through_as_they_are() -> None:
    name = "<b>bold</b> قطّة 🐈 日本"
    assert read(PETS, json.dumps({"id": 1, "name": name, "status": "Reserved?"})) == Pet(1, name, None, "Reserved?")


def test_unknown_fields_are_kept() -> None:
    pet = read(PETS, '{"id": 1, "name": "a", "tags": [{"x": [1, 2.5, null]}], "Name": "b", "extra": 3}')
    assert pet.extra == {"tags": [{"x": [1, 2.5, None]}], "Name": "b", "extra": 3}
    plain, other = wire.decode_many(PETS, json.loads('[{"id": 1}, {"id": 2, "a": 1}]')).records
    assert (plain.extra, other.extra) == ({}, {"a": 1})


TAG = '"a-1"'


@pytest.mark.parametrize("name", ["@odata.etag", "odata.etag", "_etag", "etag", "eTag", "ETag"])
def test_the_validator_in_a_record_is_told_beside_it_and_is_none_of_its_fields(name: str) -> None:
    decoded = wire.decode_many(PETS, [{"id": 1, name: TAG, "colour": "red"}, {"id": 2}, {"id": 3, name: 'W/"a"'}])
    assert decoded.records == (Pet(1, "", extra={"colour": "red"}), Pet(2, ""), Pet(3, ""))
    assert decoded.etags == (TAG, None, None)
    assert wire.decode_one(PETS, {"id": 1, name: TAG}) == Pet(1, "")


@pytest.mark.parametrize(
    "value",
    ["a-1", "'a-1'", '"a"b"', '"a\r\nX: 1"', '"ä"', '"a b"', 'w/"a"', f'"{"a" * 501}"', '"', "", 7, None, [TAG]],
)
def test_what_cannot_be_sent_as_if_match_is_no_validator_and_stays_a_field(value: object) -> None:
    """An animal's `etag` may be the number on its ear."""
    decoded = wire.decode_many(PETS, [{"id": 1, "etag": value}])
    assert (decoded.records, decoded.etags) == ((Pet(1, "", extra={"etag": value}),), (None,))
    assert wire.decode_one(PETS, {"id": 1, "@odata.etag": value}) == Pet(1, "")  # never a field, whatever it holds


def test_a_validator_that_the_document_gives_as_a_field_is_both() -> None:
    decoded = wire.decode_many(PETS, [{"id": 1, "etag": TAG}, {"id": 0.5}], own=("name", "etag"))
    assert (decoded.records, decoded.etags) == ((Pet(1, "", extra={"etag": TAG}),), (TAG,))
    operation = Operation(**{**fields_of(PUT), "body_fields": ("name", "etag")})
    assert json.loads(encode(operation, {"name": "Rex"}, Known(decoded.records[0]))) == {"name": "Rex", "etag": TAG}


@pytest.mark.parametrize("bad", ['"y": NaN', '"y": [{"z": Infinity}]', '"y": "\\ud800"', '"\\udc00": 1'])
def test_what_could_not_be_written_again_sets_its_record_aside_and_no_other(bad: str) -> None:
    body = f'[{{"id": 1, {bad}}}, {{"id": 2, "name": "\\ud83d"}}, {{"id": 3, "name": "ok"}}]'
    decoded = wire.decode_many(PETS, wire.parse_json(body.encode()))
    assert decoded.records == (Pet(3, "ok"),)
    assert len(decoded.set_aside) == 2


def test_a_byte_order_mark_is_no_part_of_the_json() -> None:
    assert wire.parse_json(b"\xef\xbb\xbf[1]") == [1]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"<html>", "not-json"),
        (b'[{"id": 1}', "cut-short"),
        (b'"\xff"', "bad-text"),
        (b"[" * 100_000, "too-deep"),
        (b"[%b x]" % (b"9" * 5_000), "not-json"),
        (b"[1]]", "not-json"),
        (b'"' + b"\\ud800" + b"[" * 9, "cut-short"),
        (b'["\\ud800" 1]', "not-json"),
    ],
)
def test_what_is_no_json_is_one_clear_error(body: bytes, code: str) -> None:
    with pytest.raises(AnswerUnusable) as caught:
        wire.parse_json(body)
    assert caught.value.code == code


PATCH = Operation(Op.PET_CHANGE, "PATCH", "/pets/{id}")
PUT = Operation(
    Op.PET_CHANGE, "PUT", "/pets/{id}", body_fields=("id", "name", "categoryId", "status", "note"), replaces=True
)


def test_a_patch_sends_the_changed_fields_alone() -> None:
    assert json.loads(encode(PATCH, {"category_id": 5, "status": None})) == {"categoryId": 5, "status": None}


def test_a_put_sends_everything_back_unharmed_but_what_only_the_service_sets() -> None:
    whole = Pet(1, "Rex", None, "sold", {"note": {"a": [1]}, "other": 1, "seen": 2})
    operation = Operation(**{**fields_of(PUT), "read_only_fields": ("seen",)})
    body = json.loads(encode(operation, {"name": "Max"}, Known(whole)))
    assert body == {"id": 1, "name": "Max", "status": "sold", "note": {"a": [1]}, "other": 1}
    closed = Operation(**{**fields_of(PUT), "closed": True, "body_fields": ("name", "categoryId", "note")})
    assert json.loads(encode(closed, {"name": "Max"}, Known(whole))) == {"name": "Max", "note": {"a": [1]}}


def fields_of(operation: Operation) -> dict[str, Any]:
    """An operation's fields, to make another from."""
    return {name: getattr(operation, name) for name in Operation.__struct_fields__}


def test_ids_are_sent_as_texts_where_the_document_wants_them_so() -> None:
    operation = Operation(**{**fields_of(PATCH), "text_fields": ("categoryId",)})
    body = encode(operation, {"category_id": 1234567890123456789})
    assert json.loads(body) == {"categoryId": "1234567890123456789"}


def test_a_record_that_is_not_created_yet_never_reaches_the_wire() -> None:
    with pytest.raises(ValueError, match="not created yet"):
        encode(PATCH, {"category_id": LocalId("abc")})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.sampled_from(
    ["id", "petId", "categoryId", "name", "status", "quantity", "shipDate", "complete", "etag", "x"]
)


def is_id(value: object) -> bool:
    """What may stand for an id, said once more and independently of wire.py."""
    if isinstance(value, str):
        is_plain = not any(unicodedata.category(letter) in ("Cc", "Cs") for letter in value)
        return 0 < len(value) <= 200 and value not in (".", "..") and is_plain
    return type(value) is int and -(2**63) <= value < 2**63


def is_optional_text(value: object) -> bool:
    return value is None or isinstance(value, str)


@given(st.lists(st.dictionaries(FIELDS, JSON, max_size=5) | JSON, max_size=6), st.sampled_from(list(Resource)))
def test_nothing_crashes_and_no_wrong_record_is_accepted(values: list[Any], resource: Resource) -> None:
    decoded = wire.decode_many(resource, values)
    assert len(decoded.records) + len(decoded.set_aside) == len(values)
    assert len(decoded.etags) == len(decoded.records)
    for record in decoded.records:
        assert isinstance(key := key_of(record), ContentId) or is_id(key)
        assert is_optional_text(getattr(record, "status", None))
        assert type(getattr(record, "quantity", 0)) in (int, type(None))
        assert not any(isinstance(value, float) and math.isnan(value) for value in record.extra.values())
        json.dumps(dict(record.extra), allow_nan=False).encode()
    if resource is PETS:
        good = [v for v in values if isinstance(v, dict) and is_id(v.get("id"))]
        assert len(decoded.records) <= len(good)


@pytest.mark.parametrize(
    ("text", "ends"), [(b"", [0]), (b" ", [1]), (b"1,", [1, 2]), (b"1 2", [3]), (b"1,,2", [1, 2, 4])]
)
def test_a_comma_that_stands_alone_is_no_json_wherever_a_list_was_cut(text: bytes, ends: list[int]) -> None:
    with pytest.raises(AnswerUnusable) as caught:
        wire.parse_many(text, ends)
    assert caught.value.code == "not-json"


def test_a_field_without_a_name_is_kept_as_any_other() -> None:
    record = wire.decode_many(Resource.INVENTORY, [{"": "007", "petId": 6, "quantity": 0}], 1).records[0]
    assert record.extra == {"": "007"}
