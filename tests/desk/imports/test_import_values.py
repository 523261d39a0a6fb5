"""Numbers of files as this program and others write them: a mark that stands before no fraction needs no question."""

from __future__ import annotations

from datetime import datetime

import pytest

from petstore_desktop.desk.imports.import_values import STYLES, number_style, read_date, read_whole
from petstore_desktop.domain.errors import BadInput


@pytest.mark.parametrize("text", ["١٬٢٣٤", "1'234", "1’234", "1 234", "1\u202f234"])
def test_marks_of_groups_alone_are_read_in_every_style(text: str) -> None:
    for style in STYLES:
        assert read_whole(text, style) == 1234
    assert not number_style([text], None)[1]


def test_groups_of_india_and_fractions_of_arabic() -> None:
    style, is_open = number_style(["1,00,000", "12,34,567"], None)
    assert (read_whole("1,00,000", style), read_whole("12,34,567", style), is_open) == (100_000, 1_234_567, False)
    for text in ("1٫5", "1,00,00", "1,0,000"):
        assert all(isinstance(read_whole(text, style), BadInput) for style in STYLES), text


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("\u061c-٥", -5), ("\u200f٥", 5), ("٥\u200f", 5), ("\u200e-5", -5), ("－５", -5), ("ー５", -5),
        ("１２．００", 12), ("１，２３４", 1234), ("1\u3000234", 1234), ("١٢٫٠٠", 12), ("١٬٢٣٤٫٠٠", 1234),
    ],
)  # fmt: skip
def test_numbers_are_read_as_arabic_and_japanese_programs_write_them(written: str, number: int) -> None:
    style, _ = number_style([written], None)
    assert read_whole(written, style) == number


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("２０２６／１１／２７", (2026, 11, 27)), ("2026年11月27日(金)", (2026, 11, 27)),
        ("２０２６年１１月２７日（金）", (2026, 11, 27)), ("2026年11月27日(月)", None),
        ("2026年11月27日金曜日", (2026, 11, 27)), ("2026年2月30日", None),
        ("2026/11/27 午後3:05", (2026, 11, 27, 15, 5)), ("2026年11月27日 午前9:30", (2026, 11, 27, 9, 30)),
        ("2026/11/27 下午12:05", (2026, 11, 27, 12, 5)), ("٢٧/١١/٢٠٢٦ ٣:٠٥ م", (2026, 11, 27, 15, 5)),
        ("٢٧\u200f/١١\u200f/٢٠٢٦، ٩:٠٥ ص", (2026, 11, 27, 9, 5)),
    ],
)  # fmt: skip
def test_days_are_read_as_arabic_and_japanese_programs_write_them(written: str, said: tuple[int, ...] | None) -> None:
    assert read_date(written, "dmy") == (said and datetime(said[0], *said[1:]))
