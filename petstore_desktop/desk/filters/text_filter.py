"""The text filter of one table: which rows fit what was typed, by slot; and the search of one column as it is kept:
names in one block of bytes, numbers by their digits, and of a column of few different values each of these once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date
from typing import Any, Final

import numpy as np
from msgspec.structs import replace

from petstore_desktop.desk.columns.column import Column, digits
from petstore_desktop.desk.columns.column_values import PET_AT, ColumnValues
from petstore_desktop.desk.columns.columns import UNREADABLE
from petstore_desktop.desk.model.row_store import RowStore
from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.desk.model.shown_texts import ID
from petstore_desktop.desk.search.arrays import MISSING, NOWHERE, Mask, Values
from petstore_desktop.desk.search.text_index import TextIndex, begins_with, has_digits, packed
from petstore_desktop.desk.values.text import Filter, fold, linked_id, parse_filter
from petstore_desktop.domain.records import LocalId, Resource

_PETS: Final = Resource.PETS


class CellSearch:
    """The columns of one table. Every answer is a mask by slot, and says anything of free slots."""

    def __init__(self, shop: ShopModel, store: RowStore, values: ColumnValues) -> None:
        self.shop, self.store, self.values = shop, store, values

    def having(self, column: Column, word: str) -> Mask:
        """The rows whose text in a column, as the filter of the list searches it, has a word."""
        if column.id == "id":
            return self.ids(word)
        if column.family == "text":
            return self.field(column.id, word)
        if column.family == "link":
            return self.pets(word)
        if column.family == "date":
            return self.dates(word)
        words, shop = column.words, self.shop
        if column.family == "word" and words is not None:
            return self.coded(column.id, lambda value: word in fold(words(shop, value)))
        if words is not None and words is not digits:
            return self.numbers(self.values.of(column.id), word, lambda number: words(shop, number))
        return has_digits(self.values.of(column.id), word)

    def steps(self, column: Column) -> Iterator[None]:
        """Read what this needs of a column, some milliseconds in each step."""
        for index in self._indexes(column):
            yield from index.steps()
        yield from self.values.steps(column.id)

    def _indexes(self, column: Column) -> Iterator[TextIndex]:
        texts, of = self.shop.texts, _PETS if column.family == "link" else self.store.resource
        if column.family == "text":
            yield texts.index(of, column.id)
        if column.family == "link":
            yield texts.index(of, "name")
        if (column.family == "link" or column.id == "id") and self.shop.stores[of].keys.texts is not None:
            yield texts.index(of, ID)

    # ---- kinds of columns

    def field(self, column: str, text: str, *, whole: bool = False) -> Mask:
        """By a text field; `whole`: it is exactly this, which may be nothing."""
        return self._in_index(self.store.resource, column, text, whole)

    def _in_index(self, resource: Resource, field: str, text: str, whole: bool = False) -> Mask:
        word, index = packed(f"\n{text}\n" if whole else text), self.shop.texts.index(resource, field)
        if not self.values.is_frozen:
            return index.ready().having(word)
        found = index.having(word)[: self.shop.stores[resource].capacity]
        return found if resource is not self.store.resource else _sized(found, self.values.size)

    def text(self, column: str, text: str, *, whole: bool = False) -> Mask:
        """By a text field, or by ids that are texts."""
        if column != "id":
            return self.field(column, text, whole=whole)
        return self._in_index(self.store.resource, ID, text, whole)

    def ids(self, text: str) -> Mask:
        """By the id of the row itself."""
        if self.store.keys.texts is not None:
            return self._in_index(self.store.resource, ID, text)
        found = has_digits(self.values.of("id"), text)
        for slot, key in self.store.keys.others.items():
            found[slot] = isinstance(key, int) and text in str(key)
        return found

    def coded(self, column: str, fits: Callable[[Any], bool]) -> Mask:
        """By a column of few different values: those whose value fits."""
        codes, values = self.values.coded(column)
        return np.array([*map(fits, values), False], np.bool_)[codes]

    def pets(self, text: str) -> Mask:
        """By the name, the id or a link of the pet that a row names."""
        if (link := linked_id(text)) is not None:
            return self.pet_is(link[1]) if link[0] == "pet" else np.zeros(self.values.size, np.bool_)
        return self.pet_names(text) | self.pet_ids(text)

    def pet_names(self, text: str, *, whole: bool = False) -> Mask:
        """By the name of the pet; without a pet there is none."""
        return self._by_pet(self._in_index(_PETS, "name", text, whole))

    def _by_pet(self, of_pets: Mask) -> Mask:
        pets = self.values.of(PET_AT)
        return np.append(_sized(of_pets, max(len(of_pets), int(pets.max(initial=0)) + 1)), False)[pets]

    def pet_ids(self, digits: str, *, beginning: bool = False) -> Mask:
        """By signs in the id of the pet, or at its beginning."""
        find = begins_with if beginning else has_digits
        found = find(self.values.of("pet"), digits)
        if self.shop.stores[_PETS].keys.texts is not None:
            found |= self._by_pet(self._in_index(_PETS, ID, f"\n{digits}" if beginning else digits))
        for slot, id_ in self._lost():
            found[slot] = id_.startswith(digits) if beginning else digits in id_
        return found

    def no_pet(self) -> Mask:
        """Those that name no pet."""
        lost = (self.values.of(PET_AT) == NOWHERE) & (self.values.of("pet") == MISSING)
        for slot in np.flatnonzero(lost).tolist():
            lost[slot] = not isinstance(self._key(slot), (int, str, LocalId))
        return lost

    def no_id(self) -> Mask:
        """Those whose pet has no id, or that name none."""
        none = self.values.of("pet") == MISSING
        for slot in np.flatnonzero(none).tolist():
            none[slot] = not isinstance(self._key(slot), (int, str))
        return none

    def _key(self, slot: int) -> object:
        shop, resource = self.shop, self.store.resource
        return shop.linked(resource, slot) if resource is Resource.ORDERS else self.store.keys[slot]

    def pet_is(self, id_: str) -> Mask:
        """By the whole id of the pet, folded."""
        number = int(id_) if id_.removeprefix("-").isascii() and id_.removeprefix("-").isdigit() else None
        is_number = number is not None and str(number) == id_ and abs(number) < 2**63
        found = self.values.of("pet") == number if is_number else np.zeros(self.values.size, np.bool_)
        if self.shop.stores[_PETS].keys.texts is not None:
            found |= self._by_pet(self._in_index(_PETS, ID, id_, whole=True))
        for slot, lost in self._lost():
            found[slot] = lost == id_
        return found

    def _lost(self) -> Iterator[tuple[int, str]]:
        """The rows that name a pet that is not here by something other than a number, and what."""
        lost = (self.values.of(PET_AT) == NOWHERE) & (self.values.of("pet") == MISSING)
        for slot in np.flatnonzero(lost).tolist():
            if isinstance(key := self._key(slot), (str, int)):
                yield slot, fold(str(key))

    def numbers(self, numbers: Values, word: str, say: Callable[[int], str]) -> Mask:
        """By what is said of a number; MISSING has nothing."""
        different, which = np.unique(numbers, return_inverse=True)
        fits = [one != MISSING and word in fold(say(one)) for one in different.tolist()]
        return np.array(fits, np.bool_)[which]

    def dates(self, word: str) -> Mask:
        """By a day as the calendar says it, or by the text of one that cannot be read."""
        days = self.values.days()
        found = self.numbers(days, word, lambda day: "" if day == UNREADABLE else date.fromordinal(day).isoformat())
        for slot in np.flatnonzero(days == UNREADABLE).tolist():
            found[slot] = word in fold(self.shop.text_of(self.store.resource, slot, "ship_date"))
        return found


def _sized(mask: Mask, size: int) -> Mask:
    return mask[:size] if len(mask) >= size else np.append(mask, np.zeros(size - len(mask), np.bool_))


_KEPT: Final = 4
"""How many words' rows are cached: of several words one changes with each key."""


class TextFilter:
    """Knows which rows fit the filter text."""

    def __init__(self, search: CellSearch, columns: Iterable[Column]) -> None:
        self.text = ""
        self._search = search
        self._columns = tuple(column for column in columns if column.text is not None)
        self._filter, self._today = Filter(), search.shop.today
        self._marked: dict[str, Mask] = {}
        """The rows that have a word, of the last few words."""
        self._age = 0
        """How often what was cached was outdated."""

    @property
    def is_empty(self) -> bool:
        """Whether every row fits."""
        return self._filter.is_empty

    def look_for(self, text: str) -> None:
        """Another filter text."""
        self.text, self._filter, self._today = text, parse_filter(text), self._search.shop.today
        shop = self._search.shop
        if any(map(str.isdigit, text)) or fold(text.strip()) in shop.here.day_words:
            from petstore_desktop.desk.values.typed_values import one_day_said  # late: few filters say a day

            if day := one_day_said(text, shop.today, shop.here):
                self._filter = replace(self._filter, wholes=(*self._filter.wholes, day.isoformat()))

    def invalidate(self) -> None:
        """What rows show is another now."""
        if self._today != self._search.shop.today:
            self.look_for(self.text)
        self._marked.clear()
        self._age += 1

    def follow(self, other: TextFilter) -> None:
        """Look for the same as another one, and know what it knows."""
        self.text, self._filter, self._age = other.text, other._filter, other._age
        self._marked = dict(other._marked)

    def learn(self, other: TextFilter) -> None:
        """Know what another one found that has followed this one, unless rows have changed since."""
        if other._age == self._age:
            self._marked = other._marked

    def fits(self, slot: int) -> bool:
        """Whether one row fits."""
        if self._filter.is_empty:
            return True
        texts = [column.text(self._search.shop, slot) for column in self._columns if column.text is not None]
        return self._filter.fits(fold("\n".join(texts)))

    def steps(self) -> Iterator[None]:
        """Make ready for the next search; it may be left off at any pause."""
        for column in self._columns:
            yield from self._search.steps(column)

    def mask(self) -> Mask:
        """Which rows fit, by slot; anything of free slots."""
        wanted, size = self._filter, self._search.values.size
        found = np.ones(size, np.bool_)
        for forms in wanted.words:
            found &= self._any(forms)
        return found | self._any(wanted.wholes) if wanted.wholes else found

    def _any(self, forms: Iterable[str]) -> Mask:
        found = np.zeros(self._search.values.size, np.bool_)
        for form in forms:
            found |= self._having(form)
        return found

    def _having(self, word: str) -> Mask:
        known = self._marked.pop(word, None)
        if known is None or len(known) != self._search.values.size:
            known = np.zeros(self._search.values.size, np.bool_)
            for column in self._columns:
                known |= self._search.having(column, word)
        self._marked[word] = known  # the last asked for is the last to go
        for old in list(self._marked)[:-_KEPT]:
            del self._marked[old]
        return known
