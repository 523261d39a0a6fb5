"""The text filter of one table: which rows fit what was typed, by slot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
from msgspec.structs import replace

from petstore_desktop.desk.columns.column import Column
from petstore_desktop.desk.filters.cell_search import CellSearch
from petstore_desktop.desk.search.arrays import Mask
from petstore_desktop.desk.values.text import Filter, fold, parse_filter

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
