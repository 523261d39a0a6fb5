from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.desk.values.cells import Family
from petstore_desktop.desk.values.expressions import (
    NO_DAY,
    Expression,
    Unreadable,
    Value,
    Vocabulary,
    exactly,
    parse,
    with_parts,
)
from petstore_desktop.desk.values.text import NUL, LocaleForms, Separators, fold
from petstore_desktop.desk.values.typed_values import DAY_WORDS, days_said

SATURDAY = date(2026, 11, 7)
KNOWN = Vocabulary({"low": "low"}, SATURDAY)
MDY = LocaleForms(day_order="mdy")
GERMAN = Vocabulary({}, SATURDAY, LocaleForms(Separators(".", ",")))
BIG = 9_223_372_036_854_775_807


def found(text: str, family: Family, *values: Value, known: Vocabulary = KNOWN) -> list[Value]:
    expression = parse(text, family, known)
    assert isinstance(expression, Expression), expression
    folded = [fold(value) if isinstance(value, str) else value for value in values]
    return [value for value, plain in zip(values, folded, strict=True) if expression.fits(plain)]


NAMES = ("Koi", "Koi, red", "Red fish", "Frédéric", "a|b", "")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", NAMES),
        ("koi", ("Koi", "Koi, red")),
        ("red koi", ("Koi, red",)),
        ('"koi, red"', ("Koi, red",)),
        ('"koi, red', ("Koi, red",)),
        ("FREDERIC", ("Frédéric",)),
        ("=koi", ("Koi",)),
        ("= Koi, red ", ("Koi, red",)),
        ("=koi|red fish", ("Koi", "Red fish")),
        ("koi|fish", ("Koi", "Koi, red", "Red fish")),
        ("red koi | fish", ("Koi, red", "Red fish")),
        ("!koi", ("Red fish", "Frédéric", "a|b", "")),
        ("!koi|fish !=", ("Frédéric", "a|b")),
        ("!koi | !fish !=", ("Frédéric", "a|b")),
        ("fred|!red", ("Koi", "Frédéric", "a|b", "")),
        ("!=koi", ("Koi, red", "Red fish", "Frédéric", "a|b", "")),
        ("=", ("",)),
        ("!=", NAMES[:-1]),
        ("=|koi", ("Koi", "")),
        ('="a|b"', ("a|b",)),
        ("koi !red", ("Koi",)),
    ],
)
def test_text_is_found_by_words_quotes_either_not_and_exactly(text: str, names: tuple[str, ...]) -> None:
    assert tuple(found(text, "text", *NAMES)) == names


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        (">10", (12, 1000, BIG)),
        (">= 10", (10, 12, 1000, BIG)),
        ("≥10", (10, 12, 1000, BIG)),
        ("<5", (-3, 0)),
        ("<=5", (-3, 0, 5)),
        ("10..12", (10, 12)),
        ("12 .. 10", (10, 12)),
        ("..5", (-3, 0, 5)),
        ("1,000..", (1000, BIG)),
        ("=5", (5,)),
        ("5", (5,)),
        ("#5", (5,)),
        ("\u22123", (-3,)),
        ("-3..0", (-3, 0)),
        ("!5", (-3, 0, 10, 12, 1000, BIG, None)),
        ("!5|10|12", (-3, 0, 1000, BIG, None)),
        ("10|12", (10, 12)),
        (">0 <12", (5, 10)),
        (">0 !5 <= 12", (10, 12)),
        ("=", (None,)),
        ("!=", (-3, 0, 5, 10, 12, 1000, BIG)),
        ("1 000", (1000,)),
        (f"={BIG}", (BIG,)),
        (f">{BIG - 1}", (BIG,)),
        (f">{BIG}", ()),
        ("9,223,372,036,854,775,807", (BIG,)),
    ],
)
def test_numbers_are_compared_exactly_up_to_19_digits(text: str, numbers: tuple[int | None, ...]) -> None:
    assert tuple(found(text, "number", -3, 0, 5, 10, 12, 1000, BIG, None)) == numbers


def test_numbers_are_read_with_the_separators_of_the_place() -> None:
    assert found("1.000..2.000", "number", 1, 1500, known=GERMAN) == [1500]
    assert parse("1,5", "number", GERMAN) == Unreadable("filter-fraction", "1,5")


@pytest.mark.parametrize(
    ("text", "family", "code"),
    [(">>10", "number", "filter-number"), ("< =5", "count", "filter-number"), (">>today", "date", "filter-date")],
)
def test_two_operators_in_a_row_are_refused_with_all_that_was_typed(text: str, family: Family, code: str) -> None:
    assert parse(text, family, KNOWN) == Unreadable(code, text)


def test_no_orders_at_all_is_both_nothing_and_none() -> None:
    assert found("=", "count", 0, 1) == found("<1", "count", 0, 1) == found("0", "count", 0, 1) == [0]


STATUSES = ("available", "pending", "sold", "small animals", "")


@pytest.mark.parametrize(
    ("text", "statuses"),
    [
        ("so", ("sold",)),
        ("!sold", ("available", "pending", "small animals", "")),
        ("pending|sold", ("pending", "sold")),
        ("!pend|sold", ("available", "small animals", "")),
        ("anim", ("small animals",)),
        ("small animals", ("small animals",)),
        ("nding", ()),
        ("=so", ()),
        ("=sold", ("sold",)),
        ("=", ("",)),
    ],
)
def test_a_status_is_found_by_the_beginning_of_its_words(text: str, statuses: tuple[str, ...]) -> None:
    assert tuple(found(text, "word", *STATUSES)) == statuses


def test_a_record_is_found_by_its_name_or_exactly_by_its_id() -> None:
    pets = (f"koi 2{NUL}#12", f"frog{NUL}#123", f"{NUL}#7", "")
    assert found("#12", "link", *pets) == [pets[0]]
    assert found("=koi 2", "link", *pets) == [pets[0]]
    assert found("fro", "link", *pets) == [pets[1]]
    assert found("=", "link", *pets) == [pets[3]]
    assert found("#7|#123", "word", *pets) == [pets[1], pets[2]]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("7.11.2026", (2026, 11, 7), (2026, 11, 7)),
        ("7.11.", (2026, 11, 7), (2026, 11, 7)),
        ("07/11/26", (2026, 11, 7), (2026, 11, 7)),
        ("2026-11-07", (2026, 11, 7), (2026, 11, 7)),
        ("2026-02", (2026, 2, 1), (2026, 2, 28)),
        ("2026", (2026, 1, 1), (2026, 12, 31)),
        ("today", (2026, 11, 7), (2026, 11, 7)),
        ("Yesterday", (2026, 11, 6), (2026, 11, 6)),
        ("this  week", (2026, 11, 2), (2026, 11, 8)),
        ("last month", (2026, 10, 1), (2026, 10, 31)),
    ],
)
def test_a_day_is_read_as_people_type_it(text: str, first: tuple[int, int, int], last: tuple[int, int, int]) -> None:
    assert days_said(text, SATURDAY, LocaleForms()) == (date(*first), date(*last))


def test_the_order_of_day_and_month_and_the_first_weekday_are_those_of_the_place() -> None:
    assert days_said("11/7", SATURDAY, MDY)[0] == SATURDAY
    assert days_said("this week", SATURDAY, LocaleForms(first_weekday=6)) == (date(2026, 11, 1), SATURDAY)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("today", (0,)),
        (">today", (1, 9)),
        ("<yesterday", (-9,)),
        (">=6.11.2026", (-1, 0, 1, 9)),
        ("2026-11-06..2026-11-07", (-1, 0)),
        ("..today", (-9, -1, 0)),
        ("this week", (-1, 0, 1)),
        (">this week", (9,)),
        ("!this week", (-9, 9, None, "rubbish")),
        ("=", (None,)),
    ],
)
def test_days_are_compared_and_a_date_that_nobody_can_read_is_on_no_day(
    text: str, days: tuple[int | str | None, ...]
) -> None:
    offsets = (-9, -1, 0, 1, 9, None, "rubbish")
    values = [NO_DAY if one == "rubbish" else one and SATURDAY.toordinal() + int(one) for one in offsets]
    values[2] = SATURDAY.toordinal()
    expression = parse(text, "date", KNOWN)
    assert isinstance(expression, Expression)
    assert tuple(one for one, value in zip(offsets, values, strict=True) if expression.fits(value)) == days


@pytest.mark.parametrize(
    ("text", "family", "code"),
    [
        (">", "number", "filter-incomplete"),
        ("!", "number", "filter-incomplete"),
        ("!", "text", "filter-incomplete"),
        ("..", "number", "filter-incomplete"),
        ("> >5", "number", "filter-number"),
        ("10 20", "number", "filter-number"),
        ("1.5", "number", "filter-fraction"),
        ("lwo", "number", "filter-word"),
        ("31.2.2026", "date", "filter-date"),
        ("soon", "date", "filter-word"),
        ("whatever", "mark", "filter-word"),
    ],
)
def test_what_cannot_be_read_says_why(text: str, family: Family, code: str) -> None:
    problem = parse(text, family, KNOWN)
    assert isinstance(problem, Unreadable) and problem.code == code


def test_special_words_are_asked_of_the_row() -> None:
    expression = parse("!low", "number", KNOWN)
    assert isinstance(expression, Expression) and expression.specials == {"low"}
    assert expression.fits(5, lambda word: word != "low") and not expression.fits(5, lambda word: word == "low")


values = st.text("aB é|\"!=#1 '", max_size=8)
anything = st.text('aBé |"!=#1.<>,0-', max_size=12)


@given(value=values, other=values)
def test_exactly_a_value_finds_it_and_nothing_else(value: str, other: str) -> None:
    expression = parse(exactly(value), "text", KNOWN)
    assert isinstance(expression, Expression)
    assert expression.fits(fold(value))
    assert expression.fits(fold(other)) == (fold(other) == fold(value))


@given(text=anything, family=st.sampled_from(("text", "link", "word", "number", "count", "date", "mark")))
def test_whatever_is_typed_is_read_or_refused_and_never_fails(text: str, family: Family) -> None:
    expression = parse(text, family, KNOWN)
    if isinstance(expression, Expression):
        for value in ("", "a", None, 0, BIG):
            assert expression.fits(value) in (True, False)


bounds = st.integers(-20, 20)
plain = st.one_of(
    st.tuples(st.sampled_from((">", ">=", "<", "<=", "=", "")), bounds),
    st.tuples(st.just(".."), st.tuples(bounds, bounds)),
)
either = st.tuples(st.booleans(), st.lists(plain, min_size=1, max_size=3))


def holds(value: int, operator: str, bound: object) -> bool:
    """One comparison, said in the plainest way."""
    if isinstance(bound, tuple):
        low, high = sorted(bound)
        return low <= value <= high
    assert isinstance(bound, int)
    return {
        ">": value > bound,
        ">=": value >= bound,
        "<": value < bound,
        "<=": value <= bound,
    }.get(operator, value == bound)


def typed(operator: str, bound: object) -> str:
    return f"{bound[0]}..{bound[1]}" if isinstance(bound, tuple) else f"{operator}{bound}"


@given(terms=st.lists(either, min_size=1, max_size=3), numbers=st.lists(st.integers(-25, 25), max_size=20))
def test_numbers_fit_as_a_plain_reference_says(
    terms: list[tuple[bool, list[tuple[str, object]]]], numbers: list[int]
) -> None:
    said = [("!" if negated else "") + "|".join(typed(*one) for one in ones) for negated, ones in terms]
    # A number on its own begins no term: it would be read with the one before it.
    text = " ".join(one if one[0] in "!<>=" else f"={one}" for one in said)
    expected = [
        number
        for number in numbers
        if all(negated != any(holds(number, *one) for one in ones) for negated, ones in terms)
    ]
    if not any("..." in one for one in said):
        assert found(text, "number", *numbers) == expected


def test_every_word_for_days_is_a_span() -> None:
    for days in DAY_WORDS.values():
        first, last = days(SATURDAY, 0)
        assert timedelta(0) <= last - first < timedelta(31)


def test_the_signs_of_a_japanese_keyboard_are_those_of_the_grammar() -> None:
    assert found("koi｜fish", "text", *NAMES) == ["Koi", "Koi, red", "Red fish"]
    assert found("！koi", "text", *NAMES) == found("!koi", "text", *NAMES)
    assert found("＝Koi", "text", *NAMES) == ["Koi"]
    assert found("＝", "text", *NAMES) == [""]
    assert found("＞１０", "number", 9, 10, 11) == [11]
    assert found("≧１０", "number", 9, 10, 11) == found("\u200f>=١٠", "number", 9, 10, 11) == [10, 11]
    assert found("１０‥１１", "number", 9, 10, 11, 12) == [10, 11]
    assert found("≦１，２００", "number", 1200, 1201) == [1200]
    assert found("＜＝１０", "number", 9, 10, 11) == [9, 10]
    assert found("１０．．１１", "number", 9, 10, 11) == [10, 11]
    assert found("ー３", "number", -3, 3) == [-3]


@pytest.mark.parametrize("sign", ["–", " – ", "—", "～", "〜", "…"])
def test_a_range_may_be_written_with_a_dash(sign: str) -> None:
    assert found(f"10{sign}20", "number", 9, 10, 20, 21) == [10, 20]
    assert found(f"5.11.{sign}7.11.", "date", *days(4, 5, 7, 8)) == days(5, 7)
    assert found("–3", "number", -3, 3) == [-3], "a number below zero is none"
    assert with_parts(f"10{sign}20", "number", KNOWN, lambda part, _: f"<{part}>") == f"<10>{sign}<20>"


def days(*numbers: int) -> list[Value]:
    return [date(2026, 11, number).toordinal() for number in numbers]
