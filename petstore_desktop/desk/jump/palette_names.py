"""The names and ids of one list for the palette, searched part by part. A caller reads the record itself again before
it shows a result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from petstore_desktop.desk.values.text import fold

if TYPE_CHECKING:
    from petstore_desktop.desk.model.shop_model import ShopModel
    from petstore_desktop.domain.records import Resource

_LONGEST = 300
"""How many characters of a name are compared; folding a million of them takes a third of a second."""
_PART = 65_536
"""Ids looked at between two pauses."""


def having(shop: ShopModel, resource: Resource, *wanted: str) -> Iterator[int | None]:
    """The slots whose name holds all of this, each once, and None after some thousands of rows, to pause at. A line
    break in front of a word stands for the beginning of the name."""
    import numpy as np  # late, as what loads it

    from petstore_desktop.desk.model.text_index import ROWS, packed

    index = shop.texts.index(resource, "name")
    for _ in index.steps():
        yield None
    words = [index.parts(packed(word)) for word in wanted]
    for place, masks in enumerate(zip(*words, strict=True)):
        for slot in np.flatnonzero(np.logical_and.reduce(masks)).tolist():
            yield slot + place * ROWS
        yield None


def beginning_with(shop: ShopModel, resource: Resource, digits: str) -> Iterator[int | None]:
    """The slots whose id begins so, each once, and None to pause at."""
    from petstore_desktop.desk.filters.number_search import begins_with  # late: they load numpy
    from petstore_desktop.desk.model.arrays import numbers_of
    from petstore_desktop.desk.model.shown_texts import ID
    from petstore_desktop.desk.model.text_index import packed

    store = shop.stores[resource]
    if store.keys.texts is not None:
        yield from shop.texts.index(resource, ID).ready().having(packed(f"\n{fold(digits)}")).nonzero()[0].tolist()
        return
    for start in range(0, store.capacity, _PART):
        numbers = numbers_of(store.keys, slice(start, start + _PART))
        for place in begins_with(numbers, digits).nonzero()[0].tolist():
            yield start + place
        yield None


def one_line(name: str) -> str:
    """A name folded, on one line; of a very long one the beginning."""
    return fold(name[:_LONGEST]).replace("\n", " ")
