"""Words for a coming day: what each means, and that any other text is refused, never guessed."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.desk.values.day_words import ENGLISH, DayNames, typed_day
from petstore_desktop.desk.values.text import DayOrder

MONDAY = date(2026, 11, 23)
GERMAN = DayNames(
    (
        ("montag", "mo"),
        ("dienstag", "di"),
        ("mittwoch", "mi"),
        ("donnerstag", "do"),
        ("freitag", "fr"),
        ("samstag", "sa"),
        ("sonntag", "so"),
    ),
    (
        *(("januar",), ("februar",), ("marz",), ("april",), ("mai",), ("juni",)),
        *(("juli",), ("august",), ("september",), ("oktober",), ("november",), ("dezember",)),
    ),
    {"heute": 0, "morgen": 1, "ubermorgen": 2, "gestern": -1},
)
_ORDERS: st.SearchStrategy[DayOrder] = st.sampled_from(["dmy", "mdy", "ymd"])
_DAYS = st.dates(date(1990, 1, 1), date(2199, 12, 31))


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("fri", date(2026, 11, 27)),
        ("f", date(2026, 11, 27)),
        ("Friday", date(2026, 11, 27)),
        ("mon", date(2026, 11, 30)),
        ("+3", date(2026, 11, 26)),
        ("+ 3", date(2026, 11, 26)),
        ("+2w", date(2026, 12, 7)),
        ("+0", MONDAY),
        ("-1", date(2026, 11, 22)),
        ("\u22121", date(2026, 11, 22)),
        ("tomorrow", date(2026, 11, 24)),
        ("tom", date(2026, 11, 24)),
        ("27.11.", date(2026, 11, 27)),
        ("27/11", date(2026, 11, 27)),
        ("27.11.2027", date(2027, 11, 27)),
        ("27.11.27", date(2027, 11, 27)),
        ("2026-12-01", date(2026, 12, 1)),
        ("27", date(2026, 11, 27)),
        ("27.", date(2026, 11, 27)),
        ("23", MONDAY),
        ("5", date(2026, 12, 5)),
        ("31", date(2026, 12, 31)),
        ("27 nov", date(2026, 11, 27)),
        ("nov 27", date(2026, 11, 27)),
        ("Fri 27 Nov 2026", date(2026, 11, 27)),
        ("1 sep", date(2026, 9, 1)),
        ("1.3.", date(2027, 3, 1)),
        ("1.9.", date(2026, 9, 1)),
    ],
)
def test_a_day_in_words(said: str, day: date) -> None:
    assert typed_day(said, MONDAY, "dmy") == day


def test_the_order_of_day_and_month_is_that_of_the_country() -> None:
    assert typed_day("11/27", MONDAY, "mdy") == typed_day("11-27", MONDAY, "ymd") == date(2026, 11, 27)
    assert typed_day("12/1", MONDAY, "mdy") == date(2026, 12, 1)


@pytest.mark.parametrize(
    "said",
    ["", "   ", "t", "s", "to", "never", "32", "0", "32.11.", "2026", "2026-11", "31.2.2027", "+99999", "12.13.14.15"],
)
def test_what_is_no_day_or_may_be_several_is_refused(said: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        typed_day(said, MONDAY, "dmy")


@pytest.mark.parametrize(
    ("said", "ahead"),
    [
        *(("fr", 4), ("Fr.", 4), ("do", 3), ("so", 6), ("morgen", 1), ("mor", 1), ("übermorgen", 2), ("heute", 0)),
        *(("fri", 4), ("sunday", 6), ("tomorrow", 1)),
    ],
)
def test_the_own_language_comes_first_and_english_is_known_too(said: str, ahead: int) -> None:
    assert typed_day(said, MONDAY, "dmy", GERMAN) == MONDAY + timedelta(ahead)


def test_the_name_of_a_month_in_both_languages() -> None:
    assert typed_day("3. Dez.", MONDAY, "dmy", GERMAN) == typed_day("3 dec", MONDAY, "dmy", GERMAN) == date(2026, 12, 3)
    assert typed_day("1. März 2027", MONDAY, "dmy", GERMAN) == date(2027, 3, 1)


@given(_DAYS, st.integers(0, 6), st.integers(2, 9))
def test_a_weekday_is_the_next_one_however_much_of_it_is_typed(today: date, weekday: int, letters: int) -> None:
    (name,) = ENGLISH.weekdays[weekday]
    day = typed_day(name[:letters], today, "dmy")
    assert day.weekday() == weekday
    assert 1 <= (day - today).days <= 7


@given(_DAYS, _DAYS, _ORDERS)
def test_a_whole_date_is_itself_in_every_order(today: date, day: date, order: DayOrder) -> None:
    parts = {"d": f"{day.day}", "m": f"{day.month:02}", "y": f"{day.year}"}
    for mark in (".", "/", "-", " "):
        assert typed_day(mark.join(parts[part] for part in order), today, order) == day
    assert typed_day(day.isoformat(), today, order) == day
    assert typed_day(f"{day:%d %B %Y}", today, order) == day


@given(_DAYS, st.integers(-400, 400))
def test_steps_add_up(today: date, days: int) -> None:
    assert typed_day(f"{days:+d}", today, "dmy") == today + timedelta(days)


@given(_DAYS, st.integers(0, 180), _ORDERS)
def test_a_coming_day_without_its_year_is_that_day(today: date, ahead: int, order: DayOrder) -> None:
    day = today + timedelta(ahead)
    parts = {"d": f"{day.day}", "m": f"{day.month}"}
    assert typed_day(".".join(parts[part] for part in order if part != "y"), today, order) == day


@given(_DAYS, st.integers(1, 31))
def test_the_number_of_a_day_is_the_next_such_day(today: date, number: int) -> None:
    day = typed_day(str(number), today, "dmy")
    assert day.day == number
    assert 0 <= (day - today).days <= 62


@given(st.text(max_size=80), _DAYS, _ORDERS)
def test_any_text_is_a_day_or_refused(said: str, today: date, order: DayOrder) -> None:
    try:
        assert isinstance(typed_day(said, today, order, GERMAN), date)
    except ValueError:
        return
