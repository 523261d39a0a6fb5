"""The text filter of one table: one folded text a row, made when first needed or in idle time."""

from __future__ import annotations

from collections.abc import Collection
from time import perf_counter

from petstore_desktop.desk.column import Column
from petstore_desktop.desk.rows import RowStore
from petstore_desktop.desk.shop import Shop
from petstore_desktop.desk.text import Filter, fold, parse_filter

_IDLE_ROWS = 32
"""So many rows are prepared between two looks at the clock; about 0.2 ms."""


class Finder:
    """Knows which slots fit the filter text."""

    def __init__(self, shop: Shop, store: RowStore, columns: tuple[Column, ...]) -> None:
        self.text = ""
        self._shop = shop
        self._store = store
        self._texts = tuple(column.text for column in columns if column.text is not None)
        self._filter = Filter()
        self._blobs: list[str | None] = []
        self._faded: list[int] = []

    @property
    def is_empty(self) -> bool:
        """Whether every row fits."""
        return self._filter.is_empty

    def look_for(self, text: str) -> None:
        """Another filter text."""
        self.text = text
        self._filter = parse_filter(text)

    def fade(self, slots: Collection[int]) -> None:
        """The texts of these rows are no longer right."""
        self._blobs += [None] * (self._store.capacity - len(self._blobs))
        for slot in slots:
            self._blobs[slot] = None
        self._faded += slots

    def fits(self, slot: int) -> bool:
        """Whether one row fits."""
        return self._filter.fits(self._blob(slot))

    def fitting(self, slots: list[int]) -> list[int]:
        """Those that fit, in the order given; always a list of its own."""
        if self._filter.is_empty:
            return list(slots)
        if self._filter.whole:
            return [slot for slot in slots if self.fits(slot)]
        blobs, blob = self._blobs, self._blob
        for forms in self._filter.words:
            if len(forms) == 1:
                word = forms[0]
                slots = [slot for slot in slots if word in (blobs[slot] or blob(slot))]
            else:
                slots = [slot for slot in slots if any(form in (blobs[slot] or blob(slot)) for form in forms)]
        return slots

    def idle(self, until: float) -> bool:
        """Prepare texts until this moment of `time.perf_counter`; whether there is more to do."""
        faded = self._faded
        while faded:
            for slot in faded[-_IDLE_ROWS:]:
                self._blob(slot)
            del faded[-_IDLE_ROWS:]
            if perf_counter() >= until:
                return bool(faded)
        return False

    def _blob(self, slot: int) -> str:
        blob = self._blobs[slot]
        if blob is None:
            shop = self._shop
            blob = self._blobs[slot] = fold("\n".join([text(shop, slot) for text in self._texts]))
        return blob
