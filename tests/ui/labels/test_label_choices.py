"""Choices of labels are kept as they are; what is damaged is as at first."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.desk.labels.design import Content
from petstore_desktop.desk.labels.sheets import LabelSheet
from petstore_desktop.ui.labels.label_choices import LabelChoices, choices_json, choices_of_json

OWN = LabelSheet(150, 100, 2, 3, 70.5, 30, 4, 4, 1.5, 1)
CHOSEN = LabelChoices(
    "own-1", {"own-1": 5, "a4-3x8": 2}, "stock", 12, Content(id=False, own_line=True), "Riverside",
    {"number": "qr", "text": "none"}, {"own-1": OWN},
)  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


def test_what_was_chosen_is_read_back() -> None:
    assert choices_of_json(json.loads(json.dumps(choices_json(CHOSEN)))) == CHOSEN
    assert choices_of_json({}) == LabelChoices()


@pytest.mark.parametrize("sheet", ["own-7", "", 3])
def test_a_sheet_that_is_not_there_is_the_first_one(sheet: object) -> None:
    assert choices_of_json({**choices_json(CHOSEN), "sheet": sheet}).label_sheet.paper == "A4"


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(choices_json(CHOSEN), JSON)))
def test_what_is_damaged_can_be_worked_with(kept: Mapping[str, object]) -> None:
    choices = choices_of_json(kept)
    assert 0 <= choices.start < choices.label_sheet.per_page
    assert choices.count >= 1
    assert choices_of_json(choices_json(choices)) == choices
