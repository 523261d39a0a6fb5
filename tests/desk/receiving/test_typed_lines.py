"""A typed number of pieces is told from an id."""

from __future__ import annotations

import pytest

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.receiving import pasted_lines, typed_count
from petstore_desktop.desk.values.text import LocaleForms, Separators
from tests.support.manual_clock import ManualClock


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("6", (6, False)),
        ("0", (0, False)),
        ("+6", (6, True)),
        ("\u22122", (-2, True)),
        ("=12", (12, False)),
        ("120", (120, False)),
        ("1126", None),
        ("=1126", (1126, False)),
        ("1,126", (1126, False)),
        ("1 126", (1126, False)),
        ("+1126", (1126, True)),
        ("\u0661\u0661\u0662\u0667", None),
        ("#6", None),
        ("=999999", (999_999, False)),
        ("4006381", None),
        ("koi", None),
        ("6 koi", None),
        ("\u200f\u0665", (5, False)),
        ("＋５", (5, True)),
        ("１，１２６", (1126, False)),
        ("\u200f١١٢٧", None),
        ("", None),
    ],
)
def test_a_number_is_pieces_unless_it_is_as_long_as_an_id(text: str, said: tuple[int, bool] | None) -> None:
    assert typed_count(text, Separators()) == said


def test_pieces_are_written_as_numbers_are_here() -> None:
    german = Separators(".", ",")
    assert typed_count("1.250", german) == (1250, False)
    assert typed_count("+1.250", german) == (1250, True)
    for text in ("1,500", "+1,5", "0.750"):
        assert typed_count(text, german) is None
    desk = Desk("Shop", ManualClock())
    desk.shop.here = LocaleForms(german)
    pasted = pasted_lines(desk, "1014\t1.500\n1015\t1,500", 1_000_000)
    assert [(said, count) for said, _, count in pasted.lines] == [("1014", 1500)]
    assert pasted.left_out == ["1015\t1,500"]


def test_pasted_lines_are_read_as_arabic_and_japanese_programs_write_them() -> None:
    desk = Desk("Shop", ManualClock())
    pasted = pasted_lines(desk, "1014\t\u200f\u0665\n1015\t＋５\n1016\t１，２００", 1_000_000)
    assert [(said, count) for said, _, count in pasted.lines] == [("1014", 5), ("1015", 5), ("1016", 1200)]
    assert pasted.left_out == []
