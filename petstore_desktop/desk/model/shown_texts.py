"""The texts of all rows as they are shown, ready to be searched and sorted by: names, descriptions, and ids that are
texts. Loaded after the first paint; every list and the palette ask here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from petstore_desktop.desk.model.joins import KeyJoin, numbers_of
from petstore_desktop.desk.model.row_store import Merge
from petstore_desktop.desk.search.arrays import Values
from petstore_desktop.desk.search.name_ranks import NameRanks
from petstore_desktop.desk.search.text_index import ROWS, TextIndex, begins_with, packed
from petstore_desktop.desk.values.collation import tie_text
from petstore_desktop.desk.values.text import fold, fold_all
from petstore_desktop.domain.records import ContentId, Key, LocalId, Resource

if TYPE_CHECKING:
    from petstore_desktop.desk.model.shop_model import ShopModel

ID: Final = "id"
"""Stands for the records' own ids in the place of a field."""


class ShownTexts:
    """The indexes and ranks of one shop, each made at its first use."""

    def __init__(self, shop: ShopModel) -> None:
        self._shop = shop
        self._indexes: dict[tuple[Resource, str], TextIndex] = {}
        self._ranks: dict[tuple[Resource, str], NameRanks] = {}
        self.joins: Mapping[Resource, KeyJoin] = {kind: KeyJoin(store) for kind, store in shop.stores.items()}
        """Finds the rows of each list by their numbers."""

    def index(self, resource: Resource, field: str) -> TextIndex:
        """Searches a text field, or ids (ID)."""
        found = self._indexes.get((resource, field))
        if found is None:
            shown = self._reader(resource, field)
            made = TextIndex(lambda slots: fold_all(shown(slots)), self._size(resource))
            found = self._indexes[resource, field] = made
        return found

    def slots_named(self, resource: Resource, *wanted: str) -> Iterator[int | None]:
        """The rows whose name holds all of this, each once, and None after some thousands of rows, to pause at. A line
        break in front of a word stands for the beginning of the name."""
        index = self.index(resource, "name")
        for _ in index.steps():
            yield None
        parts = zip(*(index.parts(packed(word)) for word in wanted), strict=True)
        for place, masks in enumerate(parts):
            for slot in np.flatnonzero(np.logical_and.reduce(masks)).tolist():
                yield slot + place * ROWS
            yield None

    def slots_numbered(self, resource: Resource, digits: str) -> Iterator[int | None]:
        """The rows whose id begins so, each once, and None to pause at."""
        store = self._shop.stores[resource]
        if store.keys.texts is not None:
            yield from np.flatnonzero(self.index(resource, ID).ready().having(packed(f"\n{fold(digits)}"))).tolist()
            return
        for start in range(0, store.capacity, ROWS):
            numbers = numbers_of(store.keys, slice(start, start + ROWS))
            yield from (np.flatnonzero(begins_with(numbers, digits)) + start).tolist()
            yield None

    def ranks(self, resource: Resource, field: str) -> NameRanks:
        """What a text field, or ids that are no numbers (ID), sort by."""
        found = self._ranks.get((resource, field))
        if found is None:
            keys: Callable[[Sequence[str]], list[Any]] = _id_keys if field == ID else self._name_keys
            read = self._id_reader(resource) if field == ID else self._reader(resource, field)
            found = self._ranks[resource, field] = NameRanks(read, self._size(resource), keys)
        return found

    def _name_keys(self, texts: Sequence[str]) -> list[Any]:
        return self._shop.collation.keys(texts)

    def invalidate(self, resource: Resource, merge: Merge) -> None:
        """These rows came, went, or what they show has changed; of those that the service told, the field is known."""
        told = set[int]().union(*merge.fields.values())
        slots = [*merge.added, *merge.removed, *(slot for slot in merge.changed if slot not in told)]
        for (of, field), one in chain(self._indexes.items(), self._ranks.items()):
            if of is resource:
                one.invalidate([*slots, *merge.fields.get(field, ())])

    def all_ranks(self) -> dict[tuple[Resource, str], Values]:
        """The ranks of texts that are made already, as they are now."""
        return {name: ranks.snapshot() for name, ranks in self._ranks.items() if ranks.is_ready}

    def _size(self, resource: Resource) -> Callable[[], int]:
        store = self._shop.stores[resource]
        return lambda: store.capacity

    def _reader(self, resource: Resource, field: str) -> Callable[[Sequence[int]], list[str]]:
        """Reads a field of many rows: as the service has it, but where people changed it."""
        shop, store = self._shop, self._shop.stores[resource]
        if field == ID:
            return lambda slots: [key_text(key) for key in store.keys.many(slots)]

        def read(slots: Sequence[int]) -> list[str]:
            texts = [value if isinstance(value, str) else "" for value in store.columns[field].many(slots)]
            laid = shop.laid_over(resource, slots)
            for place, slot in enumerate(slots) if laid else ():
                if slot in laid:
                    texts[place] = shop.text_of(resource, slot, field)
            return texts

        return read

    def _id_reader(self, resource: Resource) -> Callable[[Sequence[int]], list[str]]:
        keys = self._shop.stores[resource].keys
        return lambda slots: [tie_text(key) for key in keys.many(slots)]


def key_text(key: Key) -> str:
    """An id as it is searched; empty for a record that has none (yet)."""
    return "" if isinstance(key, (LocalId, ContentId)) else str(key)


def _id_keys(texts: Sequence[str]) -> list[Any]:
    return [text.encode("utf-8", "surrogatepass") for text in texts]
