"""Filters of columns as views and settings keep them, so that they mean the same in every language and country: days as
`2026-11-10` (without a year `--11-10`), numbers without group marks, words as their codes. Names stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date

from petstore_desktop.desk.columns.columns import COLUMNS_BY_ID, word_of
from petstore_desktop.desk.filters.column_filters import family_of, known_words, vocabulary_of
from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.desk.values.cells import Family
from petstore_desktop.desk.values.day_words import ENGLISH
from petstore_desktop.desk.values.expressions import Expression, number_said, parse, part_fits, with_parts
from petstore_desktop.desk.values.text import fold
from petstore_desktop.desk.values.typed_values import (
    NO_YEAR,
    days_said,
    has_year,
    is_neutral_day,
    numbers_of,
    one_day_said,
)
from petstore_desktop.domain.records import Resource

_A_DAY = "2026-11-10"


def kept(shop: ShopModel, resource: Resource, filters: Mapping[str, str]) -> dict[str, str]:
    """Filters as they were typed here, in the form that is kept. What cannot be read stays as it was typed."""
    return {name: _Column(shop, resource, name).kept(text) for name, text in filters.items()}


def typed(shop: ShopModel, resource: Resource, filters: Mapping[str, str]) -> dict[str, str]:
    """Kept filters as a person would type them here."""
    return {name: _Column(shop, resource, name).typed(text) for name, text in filters.items()}


def kept_text(shop: ShopModel, text: str) -> str:
    """A filter over all columns in the form that is kept: a day, or words with each status by its code."""
    if one_day_said(text, shop.today, shop.here) is not None:
        return _Column(shop, Resource.ORDERS, "ship_date").kept(text)
    shown = _shown_statuses(shop)
    return _other_words(text, {fold(word): code for code, word in shown.items() if fold(word) not in shown})


def typed_text(shop: ShopModel, text: str) -> str:
    """A kept filter over all columns as a person would type it here."""
    if one_day_said(text, shop.today, shop.here) is not None:
        return _Column(shop, Resource.ORDERS, "ship_date").typed(text)
    made = _other_words(text, _shown_statuses(shop))
    return made if kept_text(shop, made) == kept_text(shop, text) else text


def _shown_statuses(shop: ShopModel) -> dict[str, str]:
    """By their codes, the words on the screen for statuses, states and what is late."""
    codes = (*shop.status_choices(Resource.PETS, Resource.INVENTORY), *known_words(shop, Resource.ORDERS, "state"))
    late = shop.vocabulary.get("late", "late").split()
    return {**{fold(code): shop.vocabulary.get(code, code) for code in codes}, "late": late[0]}


def _other_words(text: str, others: Mapping[str, str]) -> str:
    """The text with other words for these (folded), each of which may be several."""
    words = text.split()
    for said in sorted(others, key=len, reverse=True):
        run = said.split()
        for at in range(len(words)):
            if run and [fold(word) for word in words[at : at + len(run)]] == run:
                words[at : at + len(run)] = [others[said]]
    return text if words == text.split() else " ".join(words)


class _Column:
    """Puts the filter texts of one column into the other form."""

    def __init__(self, shop: ShopModel, resource: Resource, column_id: str) -> None:
        self._shop = shop
        self._family: Family = family_of(shop, COLUMNS_BY_ID[resource][column_id])
        self._known = vocabulary_of(shop, resource, column_id)
        self._statuses = {code: word_of(shop, code) for code in known_words(shop, resource, column_id)}
        """Those in use, and every way to say each."""

    def kept(self, text: str) -> str:
        made = self._with(text, self._keep)
        if not self._statuses or self._asks(made) == self._asks(text) == self._asks(made, by_codes=True):
            return made
        exact = self._with(text, self._keep_exactly)
        return exact if self._asks(exact) == self._asks(text) else text

    def _asks(self, text: str, by_codes: bool = False) -> set[str]:
        """The statuses that a filter shows, by all their words or by their codes alone."""
        found = parse(text, self._family, self._known)
        if not isinstance(found, Expression):
            return set()
        return {code for code, said in self._statuses.items() if found.fits(fold(code) if by_codes else said)}

    def typed(self, text: str) -> str:
        made = self._with(text, self._type)
        return made if self.kept(made) == self.kept(text) else text  # a word here may say several things

    def _with(self, text: str, part: Callable[[str, bool], str]) -> str:
        is_readable = isinstance(parse(text, self._family, self._known), Expression)
        return with_parts(text, self._family, self._known, part) if is_readable else text

    def _keep(self, said: str, exact: bool) -> str:
        word = fold(" ".join(said.split()))
        if not exact and word in self._known.specials:
            return self._known.specials[word]
        if self._family == "date":
            return self._day_kept(said, word)
        if self._family in ("number", "count"):
            return str(number_said(said, self._known)[0])
        here = self._meant(fold(said), exact) if said.strip() else []
        return "|".join(map(_quoted, here)) or said

    def _keep_exactly(self, said: str, exact: bool) -> str:
        """The same, of each status just that one: another one begins like it."""
        here = self._meant(fold(said), exact) if said.strip() else []
        return ("" if exact else "=") + "|=".join(map(_quoted, here)) if here else said

    def _day_kept(self, said: str, word: str) -> str:
        here, parts = self._known.here, numbers_of(said)
        if word in here.day_words:
            return here.day_words[word]
        if is_neutral_day(said):
            return said
        first, last = days_said(said, self._known.today, here)
        if first.month != last.month:
            return f"{first:%Y}"
        if first != last:
            return f"{first:%Y-%m}" if len(parts) > 1 else ENGLISH.months[first.month - 1][0]
        return first.isoformat() if has_year([one for one in parts if one.isdigit()]) else f"{NO_YEAR}{first:%m-%d}"

    def _meant(self, word: str, exact: bool) -> list[str]:
        return [code for code, said in self._statuses.items() if part_fits(word, exact, said)]

    def _type(self, said: str, exact: bool) -> str:
        if self._family == "date" and said not in self._shop.filter_words:
            return self._day_typed(said)
        if not exact and said in self._shop.filter_words and self._family != "mark":
            return self._shop.filter_words[said]
        return _quoted(self._shop.vocabulary.get(said, said)) if said in self._statuses else said

    def _day_typed(self, said: str) -> str:
        if is_neutral_day(said) and len(said) == len(_A_DAY):
            return self._shop.here.write_day(date.fromisoformat(said), True)
        if is_neutral_day(said) and said.startswith(NO_YEAR):
            a_leap_year = "2024"
            return self._shop.here.write_day(date.fromisoformat(a_leap_year + said.removeprefix("-")), False)
        return said


def _quoted(word: str) -> str:
    is_plain = word and not set(word) & set('|"') and word[0] not in "!=" and not any(map(str.isspace, word))
    return word if is_plain else f'"{word.replace(chr(34), chr(34) * 2)}"'
