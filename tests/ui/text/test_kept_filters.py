"""A filter that is kept means the same whatever the language in which it is shown: the typed forms are tried."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.filters.column_filters import vocabulary_of, word_of
from petstore_desktop.desk.filters.kept_filters import kept, kept_text, typed, typed_text
from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.desk.values.cells import Family
from petstore_desktop.desk.values.day_words import typed_days
from petstore_desktop.desk.values.expressions import Expression, parse
from petstore_desktop.desk.values.text import fold
from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.text.localize import day_in_numbers, day_names, localize
from petstore_desktop.ui.text.translate import (
    day_words_said,
    number,
    speak,
    special_words,
    status_word,
)
from tests.support.manual_clock import ManualClock

LANGUAGES = ("en", "en_IN", "de", "fr", "es", "pt_BR", "ar", "ja")
STATUSES = ("available", "pending", "sold")
ONE_SHOP = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)


class InLanguage(NamedTuple):
    """The shop as it is set up for people of a language, and how that says some words."""

    shop: ShopModel
    days: list[str]
    words: dict[str, str]
    thousand: str


class Shops(dict[str, InLanguage]):
    """By language, and what each kept form that was looked at means in every one of them."""

    def __init__(self) -> None:
        super().__init__()
        self._meant: dict[tuple[Resource, str, Family, str], list[tuple[str, Any, Any]]] = {}

    def meant(self, resource: Resource, column: str, family: Family, form: str) -> list[tuple[str, Any, Any]]:
        """How the form is shown in each language, what that means there, and what the form itself means there; kept
        again it is the same form."""
        asked = (resource, column, family, form)
        if asked not in self._meant:
            self._meant[asked] = []
            for shop, *_ in self.values():
                shown = typed(shop, resource, {column: form})[column]
                assert kept(shop, resource, {column: shown})[column] == form, (form, shown)
                both = (meaning(shop, resource, column, family, one) for one in (shown, form))
                self._meant[asked].append((shown, *both))
        return self._meant[asked]


@pytest.fixture(scope="module")
def shops(qapp: QApplication) -> Iterator[Shops]:
    """The ways to write and to read days stay when another language is spoken."""
    before, direction = QLocale(), qapp.layoutDirection()
    found = Shops()
    for language in LANGUAGES:
        speak(qapp, language)
        desk = Desk("Shop", ManualClock())
        localize(desk)
        forms = {day: (day_in_numbers(day), day_in_numbers(day, with_year=False)) for day in DAYS}
        here, names = desk.shop.here, day_names()
        desk.shop.here = replace(
            here,
            write_day=lambda day, with_year, forms=forms: forms[day][not with_year],
            read_days=lambda text, today, order=here.day_order, names=names: typed_days(text, today, order, names),
        )
        words = {status: status_word(status) for status in (*STATUSES, "open", "complete")}
        words |= {code: special_words(code).partition("  ")[0] for code in ("low", "overdue")}
        found[language] = InLanguage(desk.shop, day_words_said().split("   "), words, number(12345))
    yield found
    speak(qapp, "en")
    QLocale.setDefault(before)
    qapp.setLayoutDirection(direction)


DAYS = [date(year, month, day) for year in (2024, 2026) for month in range(1, 13) for day in (1, 3, 10, 13, 28)]
OPERATORS = ("", ">", "<=", "!", "=")


def meaning(shop: ShopModel, resource: Resource, column: str, family: Family, text: str) -> Any:
    """What a filter asks, apart from how it is written."""
    found = parse(text, family, vocabulary_of(shop, resource, column))
    assert isinstance(found, Expression), (text, found)
    if family != "word":
        return found
    known = STATUSES if column == "status" else ("open", "complete")
    return frozenset(one for one in known if found.fits(word_of(shop, one)))


def goes_round(shops: Shops, resource: Resource, column: str, family: Family, text: str, of: str) -> str:
    """The kept form of what somebody types; it means the same in every other language, as it is kept and as it is
    shown there."""
    meant = meaning(shops[of].shop, resource, column, family, text)
    form = kept(shops[of].shop, resource, {column: text})[column]
    begins = family == "date" and "week" in form  # it begins on another weekday there
    for shown, same, of_form in shops.meant(resource, column, family, form):
        assert begins or same == of_form == meant, (text, of, form, shown)
    return form


@ONE_SHOP
@given(of=st.sampled_from(LANGUAGES), day=st.sampled_from(DAYS), year=st.booleans(), mark=st.sampled_from(OPERATORS))
def test_days(shops: Shops, of: str, day: date, year: bool, mark: str) -> None:
    text = f"{mark}{shops[of].shop.here.write_day(day, year)}"
    form = goes_round(shops, Resource.ORDERS, "ship_date", "date", text, of)
    assert form == f"{mark}{day.isoformat() if year else f'--{day:%m-%d}'}"


def test_ranges_of_days_and_what_is_the_same_everywhere(shops: Shops) -> None:
    def form(text: str, of: str) -> str:
        return goes_round(shops, Resource.ORDERS, "ship_date", "date", text, of)

    assert form("1.11.26..10.11.2026 | 3.12.", "de") == "2026-11-01..2026-11-10 | --12-03"
    assert form("1/11/2026 .. 10/11/2026", "en") == "2026-11-01 .. 2026-11-10"
    assert form("2026年11月3日", "ja") == "2026-11-03"
    assert form("3 Nov 2026..10 November", "de") == "2026-11-03..--11-10"
    for same in ("2026-11-10", "2026-11", "2026", "=", "!=", "today", ">=next week", "--11-10"):
        assert form(same, "de") == same
    assert shown_in(shops["de"].shop, "2026-11-10..--12-03") == "10.11.2026..03.12."


def shown_in(shop: ShopModel, form: str) -> str:
    return typed(shop, Resource.ORDERS, {"ship_date": form})["ship_date"]


@pytest.mark.parametrize("of", LANGUAGES)
def test_words_for_days_and_rows(shops: Shops, of: str) -> None:
    said = shops[of].words
    for own, word in zip(shops[of].days, shops["en"].days, strict=True):
        assert goes_round(shops, Resource.ORDERS, "ship_date", "date", f">{own}", of) == f">{word}"
        assert shown_in(shops[of].shop, word) == own
    assert goes_round(shops, Resource.ORDERS, "ship_date", "date", f"!{said['overdue']}", of) == "!overdue"
    assert goes_round(shops, Resource.INVENTORY, "stock", "number", said["low"], of) == "low"
    assert typed(shops[of].shop, Resource.INVENTORY, {"stock": "low"}) == {"stock": said["low"]}
    assert goes_round(shops, Resource.INVENTORY, "stock", "number", f">{shops[of].thousand}|-3", of) == ">12345|-3"


@pytest.mark.parametrize("of", LANGUAGES)
def test_statuses_by_their_words_and_the_beginnings_of_them(shops: Shops, of: str) -> None:
    said = shops[of].words
    for status in STATUSES:
        for mark in ("", "=", "!"):
            form = goes_round(shops, Resource.PETS, "status", "word", f"{mark}{said[status]}", of)
            assert form == f"{mark}{status}"
        for end in range(1, len(said[status])):
            if said[status][end - 1] not in " -":
                goes_round(shops, Resource.PETS, "status", "word", said[status][:end].strip(), of)
    both = f"{said['sold']}|{said['pending']}"
    assert goes_round(shops, Resource.PETS, "status", "word", both, of) == "sold|pending"
    assert goes_round(shops, Resource.ORDERS, "state", "word", f"!{said['open']}", of) == "!open"
    assert typed(shops[of].shop, Resource.ORDERS, {"state": "open"}) == {"state": said["open"]}


@pytest.mark.parametrize("of", LANGUAGES)
def test_a_filter_over_all_columns(shops: Shops, of: str) -> None:
    """Its words for statuses and days are those of the other language; all others may be names, and stay."""
    own, day = shops[of], date(2026, 3, 13)
    forms = {f"koi {own.words[code]} Rot": f"koi {code} Rot" for code in (*STATUSES, "open", "complete")}
    forms |= dict(zip(own.days[:3], shops["en"].days[:3], strict=True))
    forms |= {own.shop.here.write_day(day, True): "2026-03-13", own.shop.here.write_day(day, False): "--03-13"}
    forms |= {text: text for text in ("koi  Rot", "#12", "12", "Verkaufter", "12 koi", "", " ", "31.31.", "pet:12")}
    for text, form in forms.items():
        assert kept_text(own.shop, text).split() == form.split()
        for shop, *_ in shops.values():
            assert kept_text(shop, typed_text(shop, form)) == form, (text, form, typed_text(shop, form))
        assert typed_text(own.shop, form).split() == text.split()


@pytest.mark.parametrize("of", LANGUAGES)
def test_months(shops: Shops, of: str) -> None:
    def form(text: str) -> str:
        return goes_round(shops, Resource.ORDERS, "ship_date", "date", text, of)

    speak_locale = QLocale(of)
    for month in range(1, 13):
        name = speak_locale.standaloneMonthName(month)
        english = QLocale("en").monthName(month).lower()
        assert form(f"{month:02}.2026") == form(f"{month}/2026") == f"2026-{month:02}"
        assert form(f">={english[:4]} 2025") == f">=2025-{month:02}"
        assert form(name) == form(f"{english} ").strip() == english
    for refused in ("fri", "koi", "x 2026", "november 26 2026 3", "13.2026", "november november"):
        found = parse(refused, "date", vocabulary_of(shops[of].shop, Resource.ORDERS, "ship_date"))
        assert not isinstance(found, Expression), refused


def test_what_cannot_be_read_and_what_is_a_name_stays_as_it_is(shops: Shops) -> None:
    for shop, *_ in shops.values():
        for column, text in (
            ("ship_date", "31.31.2026"),
            ("ship_date", ">"),
            ("state", '"zzz'),
            ("state", "zzz"),
            ("pet", '"10.11.2026" !today =Sold'),
            ("gutter", "changed"),
            ("quantity", "1.2.3"),
        ):
            assert kept(shop, Resource.ORDERS, {column: text}) == {column: text}
            assert typed(shop, Resource.ORDERS, {column: text}) == {column: text}


def test_statuses_of_a_service_that_are_words_of_a_language_or_strange(qapp: QApplication) -> None:
    speak(qapp, "de")
    desk = Desk("Shop", ManualClock())
    localize(desk)
    speak(qapp, "en")
    own = ("available", "pending", "sold", "reserviert", "verkauft jetzt", "!new", "=x", "on hold")
    desk.shop.told_statuses = own

    def kept_as(text: str) -> str:
        return kept(desk.shop, Resource.PETS, {"status": text})["status"]

    def asks(text: str) -> set[str]:
        found = parse(text, "word", vocabulary_of(desk.shop, Resource.PETS, "status"))
        assert isinstance(found, Expression), text
        return {code for code in own if found.fits(fold(code))}

    assert asks(kept_as("reserviert")) == {"pending", "reserviert"}
    assert asks(kept_as("!reserviert")) == {*own} - {"pending", "reserviert"}
    assert asks(kept_as("verkauft")) == {"sold", "verkauft jetzt"}
    assert asks(kept_as('"!new"')) == {"!new"} and asks(kept_as('"=x"')) == {"=x"}
    assert asks(kept_as('!"on hold"')) == {*own} - {"on hold"}
    assert kept_as('!"') == '!"', "a text that is still being typed"
