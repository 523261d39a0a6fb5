"""Labels of chosen pets: what stands on each, and how many of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Final

from petstore_desktop.desk.model.shop_model import ShopModel, id_text
from petstore_desktop.domain.codes import label_code
from petstore_desktop.domain.records import Key, Ref, Resource

MOST_LABELS: Final = 20_000
"""Labels of one job."""


@dataclass(frozen=True, slots=True)
class LabelText:
    """What one pet's label says. `code` is what its bars hold; empty where the service gave no id yet."""

    key: Key
    name: str
    id: str
    category: str
    code: str


def texts_of(shop: ShopModel, refs: Sequence[Ref]) -> list[LabelText]:
    """What the labels of these pets, or of the pets of these stock entries, say; each pet once."""
    return [_text_of(shop, key) for key in dict.fromkeys(ref.key for ref in refs)]


def _text_of(shop: ShopModel, key: Key) -> LabelText:
    category = shop.category_of_pet(key)
    named = shop.name(Resource.CATEGORIES, category) if category is not None else None
    code = label_code(key) if isinstance(key, int | str) else ""
    return LabelText(key, shop.name(Resource.PETS, key) or "", id_text(key), named or "", code)


def spread(copies: Sequence[int]) -> Iterator[int]:
    """Yield the number of the pet for each label in order: as many of each as there are copies of it, up to the most of
    one job."""
    left = MOST_LABELS
    for number, count in enumerate(copies):
        taken = max(0, min(count, left))
        left -= taken
        yield from repeat(number, taken)
