"""Sheets and rolls in millimetres: what is sold lies on its paper, and own sizes are judged."""

from __future__ import annotations

from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from petstore_desktop.desk.labels.labels import MOST_LABELS, spread
from petstore_desktop.desk.labels.sheets import SHEETS, LabelSheet, problems, sheet_json, sheet_of_json

A4 = SHEETS["a4-3x8"]


@pytest.mark.parametrize("name", SHEETS)
def test_every_sheet_that_is_sold_can_be_printed_and_lies_in_the_middle_of_its_paper(name: str) -> None:
    sheet = SHEETS[name]
    assert problems(sheet) == {}
    last = sheet.place(sheet.per_page - 1)
    assert last.right == pytest.approx(sheet.width - sheet.left, abs=0.2)
    assert last.bottom == pytest.approx(sheet.height - sheet.top, abs=0.2)


def test_labels_are_counted_along_the_rows() -> None:
    sheet = SHEETS["a4-2x7"]
    second, third = sheet.place(1), sheet.place(2)
    assert (second.left, second.top) == (pytest.approx(4.65 + 99.1 + 2.5), 15.15)
    assert (third.left, third.top) == (4.65, pytest.approx(15.15 + 38.1))


@given(st.sampled_from(sorted(SHEETS)), st.integers(0, 200), st.integers(0, 64))
def test_each_label_stands_once_and_none_on_a_used_place(name: str, labels: int, start: int) -> None:
    sheet = SHEETS[name]
    start %= sheet.per_page
    pages = sheet.pages(labels, start)
    found = [(page, *pair) for page in range(pages) for pair in sheet.on_page(page, labels, start)]
    assert [label for _, label, _ in found] == list(range(labels))
    assert all(page or place >= start for page, _, place in found)
    assert len({(page, place) for page, _, place in found}) == labels
    assert not labels or list(sheet.on_page(pages - 1, labels, start)), "no empty sheet at the end"


@pytest.mark.parametrize(
    ("sheet", "wrong"),
    [
        (replace(A4, label_width=70.1), {"label_width": "too-wide"}),
        (replace(A4, gap_y=0.1), {"label_height": "too-high"}),
        (replace(A4, columns=0), {"columns": "too-small"}),
        (replace(A4, rows=101), {"rows": "too-large"}),
        (replace(A4, left=nan), {"left": "no-number"}),
        (replace(A4, label_width=19.9, gap_x=-1), {"label_width": "too-small", "gap_x": "too-small"}),
    ],
)
def test_an_own_size_says_in_which_field_it_is_wrong(sheet: LabelSheet, wrong: dict[str, str]) -> None:
    assert problems(sheet) == wrong
    assert sheet_of_json(sheet_json(sheet)) is None, "and is not read back"


def test_an_own_size_is_kept_as_it_is() -> None:
    own = LabelSheet(150, 100, 2, 3, 70.5, 30, 4, 4, 1.5, 1)
    assert sheet_of_json(sheet_json(own)) == own


@pytest.mark.parametrize(
    "kept", [None, 3, {}, {"columns": "3"}, {**sheet_json(A4), "rows": 2.5}, {**sheet_json(A4), "width": 10**400}]
)
def test_what_is_damaged_is_no_size(kept: object) -> None:
    assert sheet_of_json(kept) is None


@given(st.lists(st.integers(-3, 9_000), max_size=6))
def test_each_pet_gets_its_copies_up_to_the_most_of_a_job(copies: list[int]) -> None:
    order = list(spread(copies))
    assert order == sorted(order)
    assert len(order) == min(MOST_LABELS, sum(max(0, count) for count in copies))
    if len(order) < MOST_LABELS:
        assert all(order.count(pet) == max(0, count) for pet, count in enumerate(copies))
