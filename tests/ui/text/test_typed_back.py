"""What the window shows can be typed back and means the same, in every language; people type digits of their own."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from petstore_desktop.desk.columns.columns import COLUMNS
from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.values.day_words import typed_day
from petstore_desktop.desk.values.expressions import Expression, Vocabulary, parse
from petstore_desktop.desk.values.text import LocaleForms, fold
from petstore_desktop.desk.values.typed_numbers import QuantityEntry, parse_id, parse_limit, parse_quantity
from petstore_desktop.desk.values.typed_values import DAY_WORDS, days_said
from petstore_desktop.domain.changes import AddStock, SetStock
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import INT64_MAX, INT64_MIN
from petstore_desktop.ui.text.filters import field_tip
from petstore_desktop.ui.text.localize import day_in_numbers, day_names, localize
from petstore_desktop.ui.text.times import date_text, full_day
from petstore_desktop.ui.text.times import day as in_list
from petstore_desktop.ui.text.translate import DAY_WORDS as SAID
from petstore_desktop.ui.text.translate import (
    column_title,
    day_words_said,
    locale,
    number,
    signed,
    speak,
)
from tests.support.manual_clock import ManualClock

LANGUAGES = ("en", "en_IN", "de", "fr", "es", "pt_BR", "ar", "ja")
TODAY = date(2026, 11, 26)
YMD = LocaleForms(day_order="ymd")
ONE_SHOP = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(params=LANGUAGES)
def shop(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[Any]:
    """The shop as it is set up for people of a language."""
    before, direction = QLocale(), qapp.layoutDirection()
    speak(qapp, request.param)
    desk = Desk("Shop", ManualClock())
    localize(desk)
    yield SimpleNamespace(language=request.param, shop=desk.shop, names=day_names())
    speak(qapp, "en")
    QLocale.setDefault(before)
    qapp.setLayoutDirection(direction)


def days_of(shop: Any, text: str) -> tuple[date, date]:
    return days_said(text, TODAY, shop.shop.here)


def filtered(shop: Any, text: str, family: Any) -> Expression:
    found = parse(text, family, Vocabulary({}, TODAY, shop.shop.here))
    assert isinstance(found, Expression), (shop.language, text, found)
    return found


def test_words_for_days_are_known_in_the_persons_language_and_in_english(shop: Any) -> None:
    words = day_words_said().split("   ")
    assert len(words) == len(SAID)
    assert len({fold(word) for word in words}) == len(words)
    for own, english in zip(words, SAID, strict=True):
        meant = DAY_WORDS[english](TODAY, shop.shop.here.first_weekday)
        for said in (own, own.upper(), f"  {own} ", english):
            assert days_of(shop, said) == meant
        inside = filtered(shop, own, "date")
        assert inside.fits(meant[0].toordinal(), lambda _: False)
        assert not inside.fits(meant[1].toordinal() + 1, lambda _: False)
        assert own in field_tip("ship_date")
    since = filtered(shop, f">={words[3]}", "date")
    assert since.fits((TODAY + timedelta(400)).toordinal(), lambda _: False)


def test_the_week_begins_where_it_does_here(shop: Any) -> None:
    begins = {"en_IN": 6, "pt_BR": 6, "ja": 6, "ar": 5}.get(
        shop.language, 0
    )  # CLDR: en is Britain where no place is set, ar Egypt
    assert shop.shop.here.first_weekday == begins == locale().firstDayOfWeek().value - 1
    assert days_of(shop, "this week")[0].weekday() == begins


@ONE_SHOP
@given(day=st.dates(date(2000, 1, 1), date(2099, 12, 31)))
def test_a_day_is_typed_in_the_order_in_which_it_is_shown(shop: Any, day: date) -> None:
    shown, short = day_in_numbers(day), day_in_numbers(day, with_year=False)
    assert days_of(shop, shown) == (day, day)
    if (day.month, day.day) != (2, 29):
        this_year = day.replace(year=TODAY.year)
        assert days_of(shop, short) == (this_year, this_year)
        assert typed_day(short, this_year, shop.shop.here.day_order, shop.names) == this_year
    assert typed_day(shown, TODAY, shop.shop.here.day_order, shop.names) == day
    assert days_of(shop, shown.translate(str.maketrans("0123456789", "０１２３４５６７８９"))) == (day, day)
    assert days_of(shop, f"\u200f{shown}\u200e") == (day, day)


@ONE_SHOP
@given(ahead=st.integers(-150, 150))
def test_a_day_by_name_is_typed_as_it_is_shown(shop: Any, ahead: int) -> None:
    day = TODAY + timedelta(ahead)
    for shown in (full_day(day), date_text(day, "ddd MMM yyyy"), date_text(day, "MMMM yyyy")):
        assert typed_day(shown, TODAY, shop.shop.here.day_order, shop.names) == day, shown
        assert days_of(shop, shown) == (day, day), shown
    if day.year == TODAY.year:
        shown = in_list(day, TODAY)
        assert typed_day(shown, TODAY, shop.shop.here.day_order, shop.names) == day, shown
        assert days_of(shop, shown) == (day, day), shown


def test_no_two_columns_of_a_list_have_one_title(shop: Any) -> None:
    for resource, columns in COLUMNS.items():
        titles = [column_title(resource, column.id) for column in columns]
        assert len(set(titles)) == len(titles), (shop.language, titles)


def test_days_of_east_asia() -> None:
    for said in ("2026年11月26日", "２０２６年１１月２６日", "2026/11/26", "2026-11-26"):
        assert days_said(said, TODAY, YMD) == (TODAY, TODAY)
    assert days_said("11月26日", TODAY, YMD) == days_said("11月26日(木)", TODAY, YMD) == (TODAY, TODAY)
    for order in ("dmy", "mdy"):
        here = LocaleForms(day_order=order)
        assert (
            days_said("11月7日", TODAY, here) == days_said("2026年11月7日(土)", TODAY, here) == (date(2026, 11, 7),) * 2
        )
        assert typed_day("11月7日", TODAY, order) == typed_day("2026年11月7日", TODAY, order) == date(2026, 11, 7)
        assert days_said("11月", TODAY, here) == (date(2026, 11, 1), date(2026, 11, 30))
        assert typed_day("28日", TODAY, order) == date(2026, 11, 28)
        for said in ("8年11月7日", "26年", "10年", "8年11月", "2026年11月7日(月)", "11月7日(月)"):
            with pytest.raises(ValueError):
                days_said(said, TODAY, here)
            with pytest.raises(ValueError):
                typed_day(said, TODAY, order)
    with pytest.raises(ValueError):
        typed_day("11月", TODAY, "ymd")
    assert days_said("2026年11月", TODAY, YMD) == (date(2026, 11, 1), date(2026, 11, 30))


@pytest.mark.parametrize(
    "said",
    ["3.-5.12.", "1.-3.11.", "11/3-5", "12/1-3", "26-11-03", "3.11.2", "1448/05/12", "27/11/2569", "5787-03-17", "0:1"],
)
@pytest.mark.parametrize("order", ["dmy", "mdy"])
def test_what_may_be_two_days_or_another_calendars_is_no_day(said: str, order: Any) -> None:
    with pytest.raises(ValueError):
        days_said(said, TODAY, LocaleForms(day_order=order))
    with pytest.raises(ValueError):
        typed_day(said, TODAY, order)


def test_the_last_month_of_the_calendar_has_an_end() -> None:
    assert days_said("9999-12", TODAY, LocaleForms()) == (date(9999, 12, 1), date(9999, 12, 31))


def short_name(weekday: int) -> str:
    return locale().dayName(weekday, QLocale.FormatType.ShortFormat)


def test_a_weekday_that_is_not_that_days_and_one_that_may_be_a_month_are_refused(shop: Any) -> None:
    order = shop.shop.here.day_order
    for said in (
        full_day(TODAY).replace(short_name(4), short_name(5)),
        "mar 1" if shop.language in ("fr", "es") else "Mon 26 Nov",
    ):
        with pytest.raises(ValueError):
            typed_day(said, TODAY, order, day_names())


@pytest.mark.parametrize(
    "said", ["26/11", "2026/13/01", "٣٢/١/٢٠٢٦", "1٫5", "月", "2026年", "十一月二十六日", "heut", "½", "7.11.202"]
)
def test_what_is_no_day_is_no_day(said: str) -> None:
    if said == "2026年":
        assert days_said(said, TODAY, YMD) == (date(2026, 1, 1), date(2026, 12, 31))
        return
    with pytest.raises(ValueError):
        days_said(said, TODAY, LocaleForms(day_order="mdy" if said == "26/11" else "dmy"))


@ONE_SHOP
@given(value=st.integers(INT64_MIN, INT64_MAX))
def test_a_number_is_typed_as_it_is_shown(shop: Any, value: int) -> None:
    separators = shop.shop.here.separators
    for shown in (number(value), f"\u200f{number(value)}", f"\u2068{number(value)}\u2069"):
        if value >= 0:
            assert parse_quantity(shown, 0, separators) == QuantityEntry(SetStock(value), value)
        counted = QuantityEntry(SetStock(value), value, below_zero=value < 0)
        assert parse_quantity(f"={number(value)}", 0, separators) == counted
        assert filtered(shop, shown, "number").fits(value, lambda _: False)
        assert not filtered(shop, shown, "number").fits(value - 1, lambda _: False)
    assert parse_quantity(signed(value), 0, separators) == QuantityEntry(AddStock(value), value, below_zero=value < 0)
    if value > 0:
        assert parse_limit(number(value), separators) == value


SCRIPTS = ("0123456789", "٠١٢٣٤٥٦٧٨٩", "۰۱۲۳۴۵۶۷۸۹", "०१२३४५६७८९", "０１２３４５６７８９")


@ONE_SHOP
@given(value=st.integers(0, 10**6), scripts=st.lists(st.sampled_from(SCRIPTS), min_size=7, max_size=7))
def test_digits_of_any_script_and_mixed_ones_are_one_number(shop: Any, value: int, scripts: list[str]) -> None:
    typed = "".join(script[int(digit)] for digit, script in zip(str(value), scripts, strict=False))
    separators = shop.shop.here.separators
    assert parse_quantity(typed, 0, separators) == QuantityEntry(SetStock(value), value)
    assert parse_quantity(f"＋{typed}", 1, separators) == QuantityEntry(AddStock(value), value + 1)
    assert parse_quantity(f"＝{typed}", 1, separators) == QuantityEntry(SetStock(value), value)
    assert parse_id(f"＃{typed}") == value
    assert fold(typed) == str(value)


def test_a_decimal_sign_is_never_taken_for_a_group(shop: Any) -> None:
    separators = shop.shop.here.separators
    for whole in ("1", "12", number(1234)):
        for rest in ("5", "50"):
            typed = f"{whole}{separators.decimal}{rest}"
            found = parse_quantity(typed, 0, separators)
            assert isinstance(found, BadInput) and found.code == "quantity-fraction", typed
            other = parse_quantity(f"{whole}{separators.group}{rest}", 0, separators)
            assert isinstance(other, BadInput), f"{whole}{separators.group}{rest}"
    assert cast("Any", separators).group != separators.decimal


COMING = {
    "en": "yesterday=-1 day_after_tomorrow=2 +3_days=3 +2_weeks=14",
    "de": "gestern=-1 Übermorgen=2 +3_Tage=3 +2_Wochen=14 Mo=4 mo.=4 montag=4 morg=1",
    "fr": "hier=-1 après-demain=2 +3_jours=3 +1_semaine=7",
    "es": "ayer=-1 pasado_mañana=2 +3_días=3 +2_semanas=14",
    "pt_BR": "ontem=-1 depois_de_amanhã=2 +3_dias=3 +2_semanas=14",
    "ar": "أمس=-1 بعد_غد=2 +٣_أيام=3 +٢_أسبوعين=14",
    "ja": "昨日=-1 明後日=2 +3日=3 ＋２週間=14 ー1=-1",
}
"""What is typed for a ship date (a line for a space), and in how many days that is, on a Thursday."""


def test_days_near_to_today_are_known_in_the_persons_words(shop: Any) -> None:
    for case in COMING.get(shop.language, COMING["en"]).split():
        typed, _, ahead = case.replace("_", " ").partition("=")
        day = typed_day(typed, TODAY, shop.shop.here.day_order, shop.names)
        assert day == TODAY + timedelta(int(ahead)), typed


@pytest.mark.usefixtures("app")
def test_months_of_two_words() -> None:
    QLocale.setDefault(QLocale("ar_IQ"))
    names = day_names()
    for month in range(1, 13):
        day = date(2026, month, 4)
        for parts in ("MMM yyyy", "ddd MMM yyyy"):
            assert typed_day(date_text(day, parts), TODAY, "dmy", names) == day
