"""Labels of chosen pets: what stands on each, and how many of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import Final, overload

from msgspec import Struct

from petstore_desktop.desk.model.shop_model import ShopModel, id_text
from petstore_desktop.domain.codes import label_code
from petstore_desktop.domain.records import Key, Resource

MOST_LABELS: Final = 20_000
"""Labels of one job."""


class LabelText(Struct, frozen=True):
    """What one pet's label says. `code` is what its bars hold; empty where the service gave no id yet."""

    key: Key
    name: str
    id: str
    category: str
    code: str


class LabelTexts(Sequence[LabelText]):
    """Says what stands on the labels of these pets, each pet once. A label is made when it is first asked for: there
    may be many more than are ever looked at."""

    def __init__(self, shop: ShopModel, keys: Iterable[Key]) -> None:
        self._shop = shop
        self.keys = tuple(dict.fromkeys(keys))
        """Those of the pets, in the order of the labels."""
        self._made: dict[Key, LabelText] = {}

    def __len__(self) -> int:
        return len(self.keys)

    @overload
    def __getitem__(self, index: int) -> LabelText: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[LabelText]: ...

    def __getitem__(self, index: int | slice) -> LabelText | Sequence[LabelText]:
        if isinstance(index, slice):
            return [self._text(key) for key in self.keys[index]]
        return self._text(self.keys[index])

    def _text(self, key: Key) -> LabelText:
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = _text_of(self._shop, key)
        return made


def _text_of(shop: ShopModel, key: Key) -> LabelText:
    category = shop.category_of_pet(key)
    named = shop.name(Resource.CATEGORIES, category) if category is not None else None
    code = label_code(key) if isinstance(key, int | str) else ""
    return LabelText(key, shop.name(Resource.PETS, key) or "", id_text(key), named or "", code)


def spread(copies: Iterable[int]) -> Iterator[int]:
    """Yield the number of the pet for each label in order: as many of each as there are copies of it, up to the most of
    one job."""
    left = MOST_LABELS
    for number, count in enumerate(copies):
        taken = max(0, min(count, left))
        left -= taken
        if not left:
            yield from repeat(number, taken)
            return
        yield from repeat(number, taken)
