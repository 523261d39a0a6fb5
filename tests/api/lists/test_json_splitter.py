"""A list answer is cut at its records wherever the pieces of it end, and nothing is cut out of what is no JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.api.lists.envelope import leads_to_list
from petstore_desktop.api.lists.json_splitter import RECORD, ROWS, TEXT, Cutter
from petstore_desktop.domain.errors import AnswerUnusable
from petstore_desktop.domain.records import Resource

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.sampled_from('ab"\\[]{},: é\n')),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


def cut(body: bytes, size: int = 1) -> tuple[list[Any], Any]:
    """The records, and what stands around them."""
    cutter = Cutter(leads_to_list(Resource.PETS))
    pieces = [body[start : start + size] for start in range(0, len(body), size)]
    cuts = [one for piece in pieces for one in cutter.feed(piece)] + list(cutter.finish())
    for one in cuts:
        assert len(one.ends) <= ROWS
        assert one.ends[-1] == len(one.text)
    records = [record for one in cuts for record in json.loads(b"[%b]" % one.text)]
    assert cutter.count == len(records) == sum(len(one.ends) for one in cuts)
    return records, json.loads(cutter.frame)


@given(st.lists(JSON, max_size=6), st.integers(1, 50), st.booleans(), st.sampled_from([None, 1]))
def test_the_records_of_a_bare_list_are_the_same_in_whatever_pieces_it_comes(
    values: list[Any], size: int, ascii_: bool, indent: int | None
) -> None:
    body = json.dumps(values, ensure_ascii=ascii_, indent=indent).encode()
    assert cut(body, size) == (values, [])


@given(st.lists(JSON, max_size=4), st.dictionaries(st.text("xyz", max_size=3), JSON, max_size=3), st.integers(1, 50))
def test_what_stands_around_the_list_is_kept_with_an_empty_list_in_its_place(
    values: list[Any], around: dict[str, Any], size: int
) -> None:
    for body in ({**around, "data": values}, {"pets": values, **around}, {"data": {"items": values}, **around}):
        empty = {**around, "data": []} if "items" not in str(body) and "pets" not in body else None
        records, frame = cut(json.dumps(body).encode(), size)
        assert records == values
        assert empty is None or frame == empty


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"<html>", "not-json"),
        (b"[1}", "not-json"),
        (b'{"a" 1, "data": [{"id": 1}]}', "not-json"),
        (b'{"\xff": 1, "data": [{"id": 1}]}', "bad-text"),
        (b'[{"id": 1}', "cut-short"),
        (b'[{"id": 1}, "half', "cut-short"),
        (b'{"x":' * 300 + b"1", "too-deep"),
        (b"[" + b" " * (RECORD + 1), "too-large"),
        (b'["' + b"x" * (RECORD + 1), "too-large"),
        (b'{"x": "' + b"x" * (RECORD + 1), "too-large"),
    ],
)
def test_what_cannot_be_cut_is_one_clear_error(body: bytes, code: str) -> None:
    with pytest.raises(AnswerUnusable) as caught:
        cut(body, 2**16)
    assert caught.value.code == code


def test_long_records_are_handed_on_one_by_one() -> None:
    cutter = Cutter(leads_to_list(Resource.PETS))
    body = json.dumps([{"id": number, "name": "x" * TEXT} for number in range(9)]).encode()
    cuts = [one for start in range(0, len(body), 2**16) for one in cutter.feed(body[start : start + 2**16])]
    assert [len(one.ends) for one in [*cuts, *cutter.finish()]] == [1] * 9
