"""Cells go through a clipboard and back without a letter lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.desk.edit.clipboard import (
    HTML_HEAD,
    HTML_TAIL,
    cells_of_html,
    cells_of_text,
    fitted,
    html_cell,
    html_row,
    is_figure,
    tsv_line,
)

hostile = st.text(st.sampled_from('ab7=+-\t\n\r" <&>é\u202e'), max_size=6)
grids = st.integers(1, 4).flatmap(lambda width: st.lists(st.lists(hostile, min_size=width, max_size=width), min_size=1))


@given(grids)
def test_what_is_copied_as_lines_is_pasted_letter_by_letter(grid: list[list[str]]) -> None:
    text = "\n".join(map(tsv_line, grid))
    # A line break at the end is the last line's own, so one empty last field of a lone column needs it.
    assert cells_of_text(text + "\n") == grid
    if text and not text.endswith("\n"):
        assert cells_of_text(text) == grid


@pytest.mark.parametrize("text", ['"a', ' "a', '  "', ' "\u2028b'])
def test_a_text_that_begins_with_a_quote_is_quoted_spaces_before_it_or_not(text: str) -> None:
    assert tsv_line([text, "1"]) == '"' + text.replace('"', '""') + '"\t1'
    assert cells_of_text(tsv_line([text, "1"])) == [[text, "1"]]


@given(st.text(max_size=60))
def test_any_text_can_be_read_as_cells(text: str) -> None:
    assert cells_of_text(text)
    cells_of_html(text)


@given(st.lists(st.lists(st.text(st.sampled_from('ab7=+-\n" <&>é'), max_size=6), min_size=2, max_size=2), min_size=1))
def test_what_is_copied_as_html_is_pasted_as_it_was(grid: list[list[str]]) -> None:
    rows = [[text.strip("\n") for text in row] for row in grid]
    markup = HTML_HEAD + "".join(html_row(html_cell(text, True) for text in row) for row in rows) + HTML_TAIL
    assert [[_spaced(text) for text in row] for row in cells_of_html(markup)] == [
        [_spaced(text) for text in row] for row in rows
    ]


def _spaced(text: str) -> list[str]:
    """The lines; HTML keeps no spaces beside a line break."""
    return [line.strip() for line in text.split("\n")]


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("Koi\t3\r\nBetta\t5\r\n", [["Koi", "3"], ["Betta", "5"]]),
        ('"a ""b""\nc"\td', [['a "b"\nc', "d"]]),
        ('"Koi" the fish\tx', [['"Koi" the fish', "x"]]),
        ('"never closed\nx', [['"never closed'], ["x"]]),
        ('5" pot', [['5" pot']]),
        ("a\t\tb\n\nc", [["a", "", "b"], [""], ["c"]]),
        ("old\rMac", [["old"], ["Mac"]]),
        ("", [[""]]),
    ],
)
def test_lines_of_other_programs_are_read(text: str, cells: list[list[str]]) -> None:
    assert cells_of_text(text) == cells


@given(st.text(st.sampled_from("ab=\t\n\r \u2028é"), max_size=12))
def test_a_text_without_quotes_is_read_as_it_is_with_one_in_its_last_cell(text: str) -> None:
    cells = cells_of_text(text + '"')
    assert cells[-1][-1].endswith('"')
    cells[-1][-1] = cells[-1][-1].removesuffix('"')
    if text.endswith(("\n", "\r")):
        assert cells.pop() == [""]
    assert cells_of_text(text) == cells


def test_a_table_of_libreoffice_or_a_web_page_is_read() -> None:
    markup = """<html><style>td {color: red}</style><body>before<table><colgroup><col></colgroup>
    <tr><th>Name<th>Stock</tr>
    <tr><td sdnum="1033;0;@" sdval="7">007</td><td align=right sdval="1240" sdnum="1033;0;#,##0">1,240</td></tr>
    <tr><td colspan=2>Koi,<br>  red &amp;&nbsp; white</td></tr></table>
    <table><tr><td>another</td></tr></table></body></html>"""
    assert cells_of_html(markup) == [["Name", "Stock"], ["007", "1240"], ["Koi,\nred &  white", ""]]
    assert cells_of_html("<p>no table</p>") == []


def test_ids_of_nineteen_digits_and_what_looks_like_a_formula_are_marked_as_texts() -> None:
    assert html_cell("1234", True) == "<td>1234</td>"
    for text in ("9223372036854775807", "007", "=1+1", "1e5", "+12", "-"):
        assert 'sdnum="1033;0;@"' in html_cell(text, True)
        assert not is_figure(text)
    assert 'sdnum="1033;0;@"' in html_cell("1234", False)
    assert html_cell("<b>&", False).endswith(">&lt;b&gt;&amp;</td>")
    assert is_figure("-5")
    assert is_figure("0")


def test_one_text_fills_and_a_block_repeats_where_it_goes_in_without_a_rest() -> None:
    assert fitted([["x"]], 2, 3) == [["x"] * 3] * 2
    assert fitted([["a", "b"]], 2, 4) == [["a", "b", "a", "b"]] * 2
    assert fitted([["a"], ["b"]], 4, 1) == [["a"], ["b"], ["a"], ["b"]]
    assert fitted([["a"], ["b"]], 3, 1) == [["a"], ["b"]]
    assert fitted([["a", "b"], ["c"]], 2, 4) == [["a", "b", "a", "b"], ["c", "", "c", ""]]
    assert fitted([["a", "b"]], 1, 1) == [["a", "b"]]
