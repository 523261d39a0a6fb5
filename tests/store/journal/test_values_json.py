from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.domain.changes import AddStock, Create, Delete, SetFields, SetStock
from petstore_desktop.domain.records import (
    INT64_MAX,
    INT64_MIN,
    Category,
    InventoryItem,
    LocalId,
    Order,
    Pet,
    resource_of,
)
from petstore_desktop.store.journal.values_json import decode_fields, decode_intent, decode_record, encode

int64 = st.integers(INT64_MIN, INT64_MAX)
any_text = st.text(st.characters())  # surrogates too
values = st.none() | st.booleans() | int64 | any_text | st.builds(LocalId, any_text)
fields = st.dictionaries(any_text, values, max_size=4)
intents = (
    st.builds(Create, fields)
    | st.builds(SetFields, fields)
    | st.builds(AddStock, int64)
    | st.builds(SetStock, int64)
    | st.just(Delete())
)
json_values = st.recursive(
    st.none() | st.booleans() | int64 | st.floats(allow_nan=False, allow_infinity=False) | any_text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(any_text, inner, max_size=3),
    max_leaves=5,
)
extras = st.dictionaries(any_text, json_values, max_size=2)
records = (
    st.builds(Pet, int64, any_text, st.none() | int64, st.none() | any_text, extras)
    | st.builds(Category, int64, any_text, st.none() | any_text, extras)
    | st.builds(
        Order, *[st.none() | int64] * 3, st.none() | any_text, st.none() | st.booleans(), st.none() | any_text, extras
    )
    | st.builds(InventoryItem, int64, int64, st.none() | any_text, extras)
)


def same(one: object, other: object) -> bool:
    """Equal, and of equal types all the way down: True is not 1."""
    return repr(one) == repr(other)


@given(intents)
def test_every_intent_comes_back_as_it_was(intent):
    assert same(decode_intent(encode(intent)), intent)


@given(fields)
def test_all_fields_come_back_as_they_were(values):
    assert same(decode_fields(encode(values)), values)


@given(records)
def test_every_record_comes_back_as_it_was(record):
    assert same(decode_record(resource_of(record), encode(record)), record)


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{}",
        '{"kind":"paint"}',
        '{"kind":"add-stock"}',
        '{"kind":"add-stock","delta":1.0}',
        '{"kind":"set-stock","quantity":true}',
        '{"kind":"set","fields":{"name":1.5}}',
        '{"kind":"set","fields":{"name":["a"]}}',
        '{"kind":"create"}',
        '{"kind":',
    ],
)
def test_what_was_never_written_is_refused(text):
    with pytest.raises(ValueError, match=r"."):
        decode_intent(text)
