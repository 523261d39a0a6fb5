"""What records show of their fields, and when others show the same."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.contract.fields.seen import in_values, shape_of

OTHER = {True: False, 7: 9, 1.5: 2.5, "Koi": "Rex", None: None}
flat = st.sampled_from(list(OTHER))
names = st.sampled_from(["id", "name", "kind", "status"])
records = st.one_of(st.dictionaries(names, flat, max_size=3), st.none())


@given(st.lists(records, max_size=3), st.data())
def test_records_of_one_shape_show_the_same(found: list[Any], data: st.DataObject) -> None:
    others = [one and {name: OTHER[value] for name, value in one.items()} for one in found]
    others = data.draw(st.permutations(others + data.draw(st.lists(st.sampled_from(others))) if others else others))
    assert shape_of(found) == shape_of(others) is not None
    assert in_values(found) == in_values(others)


@given(st.lists(records, max_size=3), st.lists(records, max_size=3))
def test_where_they_show_something_else_the_shape_is_another(found: list[Any], others: list[Any]) -> None:
    assert in_values(found) == in_values(others) or shape_of(found) != shape_of(others)


def test_what_is_nested_or_may_be_told_by_its_type_has_no_shape() -> None:
    for value in ([], {}, {"id": 7}):
        assert shape_of([{"id": 7}, {"id": value}]) is None
    assert shape_of([{"type": "pets", "id": 7}]) is None
