"""The filters of single columns: which rows match the text typed for each, by slot.

What a column of few different values is asked is decided once for each of these, not once for each row. Loaded with the
first filter that is set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from typing import Any, Final

import numpy as np

from petstore_desktop.desk.columns.column import Column
from petstore_desktop.desk.columns.columns import UNREADABLE
from petstore_desktop.desk.filters.column_filters import (
    SPECIALS,
    Code,
    SpecialWord,
    code_of,
    family_of,
    mistyped,
    value_of,
    vocabulary_of,
)
from petstore_desktop.desk.filters.text_filter import CellSearch
from petstore_desktop.desk.model.joins import used_slots
from petstore_desktop.desk.search.arrays import MISSING, Mask
from petstore_desktop.desk.values.cells import Family
from petstore_desktop.desk.values.expressions import NO_DAY, Expression, Test, Unreadable, parse
from petstore_desktop.domain.records import INT64_MAX, INT64_MIN

_NUMBERS: Final = frozenset[Family](("number", "count", "date"))


class ColumnFilter:
    """The filter of one column."""

    def __init__(self, search: CellSearch, column: Column) -> None:
        self.text = ""
        self.problem: Unreadable | None = None
        self._search, self._column = search, column
        self._shop, self._store = search.shop, search.store
        self._family: Family = family_of(search.shop, column)
        self._expression = Expression()
        self._specials: Mapping[str, SpecialWord] = {}
        self._mask: Mask | None = None
        """Which rows fit, as long as nothing has changed since they were asked for."""
        self._today, self._words = search.shop.today, search.shop.filter_words

    @property
    def is_empty(self) -> bool:
        """Whether every row fits: also where the text cannot be read."""
        return not self._expression.terms

    def look_for(self, text: str) -> None:
        """Another text."""
        shop = self._shop
        self._family = family_of(shop, self._column)  # ids that are texts may have come
        found = parse(text, self._family, vocabulary_of(shop, self._store.resource, self._column.id))
        if isinstance(found, Expression) and len(self._store):  # without any row the statuses are not known
            found = mistyped(shop, self._store.resource, self._column.id, found) or found
        self.text, self._today, self._words = text, shop.today, shop.filter_words
        self.problem = found if isinstance(found, Unreadable) else None
        self._expression = Expression() if isinstance(found, Unreadable) else found
        named = SPECIALS.get(self._column.id, {})
        self._specials = {code: named[code] for code in self._expression.specials}
        for word in self._specials.values():
            word.watch(shop, self)
        self._mask = None

    def ask(self, search: CellSearch) -> None:
        """Ask the same of other arrays."""
        self._search, self._mask = search, None

    def invalidate(self) -> bool:
        """What rows show is another now; whether the filter asks something else for that."""
        is_other = self._today != self._shop.today or self._words is not self._shop.filter_words
        is_other = is_other or self._family != family_of(self._shop, self._column)
        if is_other:
            self.look_for(self.text)
        self._mask = None
        return is_other

    def fits(self, slot: int) -> bool:
        """Whether one row fits."""
        shop, resource = self._shop, self._store.resource
        code = code_of(shop, self._column, slot)

        def special(word: str) -> bool:
            return self._specials[word].fits(shop, resource, slot, code)

        return self._expression.fits(value_of(shop, self._column, code), special)

    def steps(self) -> Iterator[None]:
        """Read the column, some milliseconds in each step."""
        if self._column.kind != "gutter":
            yield from self._search.steps(self._column)

    def mask(self) -> Mask:
        """Which rows fit, by slot; anything of free slots."""
        if self._mask is None or len(self._mask) != self._search.values.size:
            found = np.ones(self._search.values.size, np.bool_)
            for term in self._expression.terms:
                either = np.zeros(self._search.values.size, np.bool_)
                for test in term.tests:
                    either |= ~self._holds(test) if test.negated else self._holds(test)
                found &= ~either if term.negated else either
            self._mask = found
        return self._mask

    def _holds(self, test: Test) -> Mask:
        """The rows that a test holds for, as if it were not negated."""
        if test.kind == "special":
            return self._special(self._specials[test.text])
        if self._family in _NUMBERS:
            return self._number(test)
        if self._family == "word":
            shop, column, plain = self._shop, self._column, _plain(test)
            return self._search.coded(column.id, lambda code: plain.fits(value_of(shop, column, code)))
        ask = None if "\n" in test.text else _ASKED.get((self._family, test.kind))
        return self._one_by_one(test) if ask is None else ask(self._search, self._column.id, test.text)

    def _number(self, test: Test) -> Mask:
        values = self._values()
        if test.kind == "empty":
            return values == MISSING
        if test.kind != "span":
            return np.zeros(len(values), np.bool_)
        low = INT64_MIN + 1 if test.low is None else max(test.low, INT64_MIN + 1)
        high = INT64_MAX if test.high is None else min(test.high, INT64_MAX)
        if low > INT64_MAX or high < INT64_MIN:
            found = np.zeros(len(values), np.bool_)
        else:
            found = (values >= low) & (values <= high)
        for slot in np.flatnonzero((values == INT64_MIN + 1) | (values == INT64_MAX)).tolist():
            # It may stand for a number of more than 64 bits.
            found[slot] = self._store.is_used(slot) and self._plainly(test, slot)
        return found

    def _values(self) -> Any:
        """The numbers that are tested: days as the calendar counts them."""
        values = self._search.values
        if self._family == "date":
            days = values.days()
            return np.where(days == UNREADABLE, NO_DAY, days)
        numbers = values.of(self._column.id)
        return np.where(numbers == MISSING, 0, numbers) if self._family == "count" else numbers

    def _special(self, word: SpecialWord) -> Mask:
        found = np.zeros(self._search.values.size, np.bool_)
        slots = used_slots(self._store)
        slots = slots[slots < len(found)]
        found[slots] = word.many(self._shop, self._store.resource, slots.tolist(), self._codes(slots.tolist()))
        return found

    def _codes(self, slots: list[int]) -> list[Code]:
        """The codes of the cells in these rows, as `column_filters` reads them."""
        if self._family in _NUMBERS:
            return [None if one == MISSING else one for one in self._values()[slots].tolist()]
        shop, column, laid = self._shop, self._column, self._shop.laid_over(self._store.resource)
        return [code_of(shop, column, slot) if slot in laid else None for slot in slots]

    def _one_by_one(self, test: Test) -> Mask:
        """Ask every row itself; of marks only the few that people changed have any."""
        plain, is_mark = _plain(test), self._family == "mark"
        slots = self._shop.laid_over(self._store.resource) if is_mark else used_slots(self._store).tolist()
        found = np.full(self._search.values.size, is_mark and plain.fits(None))
        for slot in slots:
            if slot < len(found):
                found[slot] = self._plainly(test, slot)
        return found

    def _plainly(self, test: Test, slot: int) -> bool:
        """What one row itself says to a test, as if that were not negated."""
        code = code_of(self._shop, self._column, slot)
        return _plain(test).fits(value_of(self._shop, self._column, code))


def _plain(test: Test) -> Test:
    """The test as if it were not negated."""
    return Test(test.kind, test.text, test.low, test.high)


def _has_pet(search: CellSearch, _column: str, text: str) -> Mask:
    number = text.removeprefix("#")
    if number != text and not number:
        return ~search.no_id()
    ids = search.pet_ids(number, beginning=number != text)
    return ids | search.pet_names(text)


def _is_pet(search: CellSearch, _column: str, text: str) -> Mask:
    names = search.pet_names(text, whole=True)
    return names | search.pet_is(text[1:]) if text.startswith("#") else names


_ASKED: Final[Mapping[tuple[Family, str], Callable[[CellSearch, str, str], Mask]]] = {
    ("text", "has"): lambda search, column, text: search.text(column, text),
    ("text", "is"): lambda search, column, text: search.text(column, text, whole=True),
    ("text", "empty"): lambda search, column, _text: search.text(column, "", whole=True),
    ("link", "has"): _has_pet,
    ("link", "is"): _is_pet,
    ("link", "empty"): lambda search, _column, _text: search.no_pet(),
}
"""The questions that are asked of all rows at once, by the family of the column and the kind of the test."""


# ---- all of a table


class ColumnFilters:
    """The filters of one table's columns."""

    def __init__(self, search: CellSearch, columns: tuple[Column, ...]) -> None:
        self._search = search
        self._columns = {column.id: column for column in columns}
        self._filters: dict[str, ColumnFilter] = {}
        self._next: ColumnFilter | None = None
        """The filter of the field that has the focus, which may be typed in soon."""

    @property
    def is_empty(self) -> bool:
        """Whether every row fits."""
        return all(one.is_empty for one in self._filters.values())

    @property
    def texts(self) -> dict[str, str]:
        """The filter texts by column; none is empty."""
        return {name: one.text for name, one in self._filters.items()}

    @property
    def problems(self) -> dict[str, Unreadable]:
        """What cannot be read, and so filters nothing, by column."""
        return {name: one.problem for name, one in self._filters.items() if one.problem is not None}

    def use(self, texts: Mapping[str, str]) -> None:
        """These filters and no others, white space being none; what did not change keeps what it knows. KeyError for an
        unknown column."""
        wanted = {name: text for name, text in texts.items() if text.strip()}
        for name in self._filters.keys() - wanted.keys():
            del self._filters[name]
        for name, text in wanted.items():
            if name not in self._filters:
                self._filters[name] = ColumnFilter(self._search, self._columns[name])
            if text != self._filters[name].text:
                self._filters[name].look_for(text)

    def follow(self, others: ColumnFilters) -> None:
        """Ask what these others ask, as they have read it."""
        self._filters = {name: copy(one) for name, one in others._filters.items()}
        for one in self._filters.values():
            one.ask(self._search)

    def prepare(self, column_id: str) -> None:
        """Read this column in idle time, for it may be filtered soon; empty: none."""
        self._next = ColumnFilter(self._search, self._columns[column_id]) if column_id else None

    @property
    def is_awaited(self) -> bool:
        """Whether a person stands in the filter of a column."""
        return self._next is not None

    def steps(self) -> Iterator[None]:
        """Make ready for the next search; it may be left off at any pause."""
        for one in (*self._filters.values(), *(() if self._next is None else (self._next,))):
            yield from one.steps()

    def invalidate(self) -> bool:
        """What rows show is another now; whether the filters ask something else for that."""
        others = [one.invalidate() for one in self._filters.values()]
        return any(others)

    def fits(self, slot: int) -> bool:
        """Whether one row fits all."""
        return all(one.is_empty or one.fits(slot) for one in self._filters.values())

    def mask(self, without: str = "") -> Mask:
        """Which rows fit all, by slot, anything of free slots; `without` the filter of this column."""
        found = np.ones(self._search.values.size, np.bool_)
        for name, one in self._filters.items():
            if not one.is_empty and name != without:
                found &= one.mask()
        return found
