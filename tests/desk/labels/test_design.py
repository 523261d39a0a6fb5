"""Where the parts of a label stand: inside it, apart from each other, with the white that a code needs round it."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.desk.labels.design import (
    LEAST_MODULE_MM,
    MM_PER_INCH,
    Content,
    LabelDesign,
    design_of,
)
from petstore_desktop.desk.labels.patterns import CodeKind, CodePattern, pattern
from petstore_desktop.desk.labels.sheets import SHEETS, Area, LabelSheet

FINE = 1e-6
CONTENTS = [Content(*ticks) for ticks in product((True, False), repeat=4)]
SHORT, LONG = "1126T", "9223372036854775807T"


def apart(one: Area, two: Area) -> bool:
    return (
        one.right <= two.left + FINE
        or two.right <= one.left + FINE
        or one.bottom <= two.top + FINE
        or two.bottom <= one.top + FINE
    )


def judge(sheet: LabelSheet, code: CodePattern | None, design: LabelDesign, dpi: int) -> None:
    """Whether the parts of a label are inside it and apart."""
    areas = [text.area for text in design.texts.values()]
    if design.code is not None and code is not None:
        quiet, found = code.quiet * design.module_mm, design.code
        areas.append(Area(found.left - quiet, found.top, found.width + 2 * quiet, found.height))
        assert design.module_mm == pytest.approx(design.module * MM_PER_INCH / dpi)
        assert design.module_mm >= 0.249, "no thinner than two dots of a label printer"
        assert found.width == pytest.approx(code.width * design.module_mm)
        assert found.height >= 4 or code.kind == "qr"
    for area in areas:
        assert area.left >= -FINE and area.top >= -FINE
        assert area.right <= sheet.label_width + FINE and area.bottom <= sheet.label_height + FINE
        assert area.width > 0 and area.height > 0
    for one, two in combinations(areas, 2):
        assert apart(one, two), (one, two)


@pytest.mark.parametrize("kind", ["code128", "qr", "none"])
@pytest.mark.parametrize("name", SHEETS)
def test_parts_of_labels_are_inside_them_and_apart(name: str, kind: CodeKind) -> None:
    for content, text, dpi in product(CONTENTS, (SHORT, LONG, "a b-c_d ÄT", "x" * 100), (203, 300, 600)):
        code = pattern(kind, text)
        judge(SHEETS[name], code, design_of(SHEETS[name], content, code, len(text), dpi), dpi)


@given(
    st.floats(20, 200),
    st.floats(10, 150),
    st.sampled_from(CONTENTS),
    st.sampled_from([SHORT, LONG, "x" * 40]),
    st.sampled_from(["code128", "qr", "none"]),
    st.sampled_from([203, 300, 600, 1200]),
)
def test_parts_of_own_sizes_too(
    wide: float, high: float, content: Content, text: str, kind: CodeKind, dpi: int
) -> None:
    sheet = LabelSheet(wide, high, 1, 1, wide, high)
    code = pattern(kind, text)
    judge(sheet, code, design_of(sheet, content, code, len(text), dpi), dpi)


def test_the_usual_label_is_as_it_was_drawn() -> None:
    code = pattern("code128", SHORT)
    design = design_of(SHEETS["a4-3x8"], Content(), code, 5, 300)
    assert design.module == 6 and design.module_mm == pytest.approx(0.508)
    assert design.code is not None and design.code.height == 12
    assert design.texts["name"].size == pytest.approx(3.9)
    assert design.texts["id"].area.left > design.code.right, "beside the bars"


def test_bars_become_thinner_before_they_are_left_out() -> None:
    small = SHEETS["a4-5x13"]
    short = design_of(small, Content(), pattern("code128", SHORT), 5, 300)
    assert short.module_mm >= LEAST_MODULE_MM, "an id of four digits fits the smallest labels"
    middle = design_of(SHEETS["roll-57x32"], Content(), pattern("code128", LONG), 20, 300)
    assert 0.25 <= middle.module_mm < LEAST_MODULE_MM
    long = design_of(small, Content(), pattern("code128", LONG), 20, 300)
    assert long.code is None and long.module == 0
    assert design_of(small, Content(), pattern("qr", LONG), 20, 300).module_mm >= LEAST_MODULE_MM


def test_code_128_has_no_other_letters_than_those_of_ascii() -> None:
    assert pattern("code128", "Käfer-7T") is None
    assert pattern("code128", "") is None
    assert pattern("none", SHORT) is None
    assert pattern("qr", "Käfer-7T") is not None
    even = pattern("code128", "1126")
    assert even is not None and even.width == 57, "an even number of digits in pairs"
