from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.desk.values.typed_numbers import QuantityEntry, Separators, parse_id, parse_quantity
from petstore_desktop.domain.changes import AddStock, SetStock
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import INT64_MAX, INT64_MIN

GERMAN = Separators(group=".", decimal=",")
FRENCH = Separators(group="\u202f", decimal=",")


@pytest.mark.parametrize(
    ("text", "intent", "result"),
    [
        ("+12", AddStock(12), 36),
        (" + 12 ", AddStock(12), 36),
        ("-3", AddStock(-3), 21),
        ("\u22123", AddStock(-3), 21),
        ("40", SetStock(40), 40),
        ("=40", SetStock(40), 40),
        ("= 40", SetStock(40), 40),
        ("=-4", SetStock(-4), -4),
        ("1,240", SetStock(1240), 1240),
        ("1 240", SetStock(1240), 1240),
        ("+1,000,000", AddStock(1_000_000), 1_000_024),
        ("٤٠", SetStock(40), 40),
        ("0", SetStock(0), 0),
        ("5+12", SetStock(17), 17),
        ("= 5 + 12 + 1,000", SetStock(1017), 1017),
        ("+5+12", AddStock(17), 41),
    ],
)
def test_a_stock_entry_is_understood(text: str, intent: AddStock | SetStock, result: int) -> None:
    assert parse_quantity(text, 24) == QuantityEntry(intent, result, below_zero=result < 0)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "quantity-empty"),
        ("  ", "quantity-empty"),
        ("abc", "quantity-unreadable"),
        ("+", "quantity-unreadable"),
        ("=", "quantity-unreadable"),
        ("++3", "quantity-unreadable"),
        ("5++3", "quantity-unreadable"),
        ("5+", "quantity-unreadable"),
        ("5-7", "quantity-unreadable"),
        ("-5+12", "quantity-unreadable"),
        ("=-5+12", "quantity-unreadable"),
        ("2025-11-18", "quantity-unreadable"),
        ("5+1.5", "quantity-fraction"),
        (f"{INT64_MAX}+1", "quantity-too-large"),
        ("1,5", "quantity-unreadable"),
        ("1,2345", "quantity-unreadable"),
        ("1e3", "quantity-unreadable"),
        ("1_000", "quantity-unreadable"),
        ("²", "quantity-unreadable"),
        ("1.5", "quantity-fraction"),
        ("+.5", "quantity-fraction"),
        ("3.", "quantity-fraction"),
        (str(INT64_MAX + 1), "quantity-too-large"),
        (f"+{INT64_MAX}", "quantity-too-large"),
        ("9" * 5000, "quantity-unreadable"),
    ],
)
def test_what_is_no_whole_number_is_refused_by_name(text: str, code: str) -> None:
    entry = parse_quantity(text, 24)
    assert isinstance(entry, BadInput)
    assert entry.code == code


def test_separators_are_those_of_the_place() -> None:
    assert parse_quantity("1.240", 0, GERMAN) == QuantityEntry(SetStock(1240), 1240)
    assert isinstance(parse_quantity("1,5", 0, GERMAN), BadInput)
    assert parse_quantity("1\u202f240", 0, FRENCH) == QuantityEntry(SetStock(1240), 1240)
    indian = Separators(pairs=True)
    for text in ("1,00,000", "100,000", "100000"):
        assert parse_quantity(text, 0, indian) == QuantityEntry(SetStock(100_000), 100_000)
    for text in ("1,00", "1,00,00", "100,00,000", "1,5", "1,00,0000"):
        assert isinstance(parse_quantity(text, 0, indian), BadInput)
    assert isinstance(parse_quantity("1,00,000", 0), BadInput)
    arabic = Separators("\u066c", "\u066b")
    for text in ("1,240", "1\u066c240", "\u0661\u066c\u0662\u0664\u0660", "1240"):
        assert parse_quantity(text, 0, arabic) == QuantityEntry(SetStock(1240), 1240)
    for text in ("1,5", "0,500", "1,24", "1\u066b5"):
        assert isinstance(parse_quantity(text, 0, arabic), BadInput)


def test_what_begins_with_a_zero_has_no_groups() -> None:
    for text, here in (
        ("=0,500", Separators()),
        ("0.750", GERMAN),
        ("+000.005", GERMAN),
        ("٠٬٥٠٠", Separators("٬", "٫")),
    ):
        assert isinstance(parse_quantity(text, 0, here), BadInput), text
    assert parse_quantity("0500", 0) == QuantityEntry(SetStock(500), 500)


def test_below_zero_is_allowed_and_said() -> None:
    assert parse_quantity("-30", 28) == QuantityEntry(AddStock(-30), -2, below_zero=True)


def test_a_booking_without_an_entry_has_no_result() -> None:
    assert parse_quantity("+3", None) == QuantityEntry(AddStock(3), None)


@given(st.integers(INT64_MIN, INT64_MAX), st.integers(INT64_MIN, INT64_MAX))
def test_whatever_is_understood_stays_within_int64(base: int, delta: int) -> None:
    entry = parse_quantity(f"{delta:+d}", base)
    if INT64_MIN <= base + delta <= INT64_MAX:
        assert entry == QuantityEntry(AddStock(delta), base + delta, below_zero=base + delta < 0)
    else:
        assert isinstance(entry, BadInput)


@given(st.text(max_size=30), st.integers(0, 100))
def test_no_text_at_all_breaks_it(text: str, base: int) -> None:
    assert isinstance(parse_quantity(text, base), (QuantityEntry, BadInput))


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("1234", 1234),
        (" #1 234 ", 1234),
        ("-5", -5),
        ("\u22125", -5),
        ("9223372036854775807", 2**63 - 1),
        ("-9223372036854775808", -(2**63)),
        ("9223372036854775808", None),
        ("9" * 5000, None),
        ("", None),
        ("#", None),
        ("1.5", None),
        ("1,234", None),
        ("koi", None),
    ],
)
def test_an_id_is_read_as_people_type_and_paste_it(typed: str, number: int | None) -> None:
    assert parse_id(typed) == number
