"""When the stock of a pet is low: at or below the least that a person wants of it, or else of its category.

The minimums are kept on this computer only; the service knows nothing of them. `desk/columns/column` marks a cell as
low, `ui/cells/cell_paint` paints the badge "low", `ui/text/cell` says the word to a screen reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import cast

from petstore_desktop.domain.records import Key, Ref, Resource, ServiceId


@dataclass(frozen=True, slots=True)
class Minimums:
    """By the ids of pets, and of categories for all their pets that have none of their own."""

    pets: Mapping[ServiceId, int] = field(default_factory=dict[ServiceId, int])
    categories: Mapping[ServiceId, int] = field(default_factory=dict[ServiceId, int])

    def __bool__(self) -> bool:
        return bool(self.pets or self.categories)

    def of(self, pet: Key, category_of: Callable[[Key], Key | None]) -> int | None:
        """What holds for a pet; None for no minimum."""
        least = self.pets.get(pet) if isinstance(pet, ServiceId) else None
        if least is None and self.categories:  # asked of each row of a filter: only what has one is looked up further
            category = category_of(pet)
            least = self.categories.get(category) if isinstance(category, ServiceId) else None
        return least

    def is_low(self, pet: Key, quantity: int | None, category_of: Callable[[Key], Key | None]) -> bool:
        """Whether this is no more than the least that is wanted of the pet."""
        least = self.of(pet, category_of)
        return least is not None and quantity is not None and quantity <= least

    def are_low(
        self, pets: Iterable[Key], quantities: Iterable[int | None], category_of: Callable[[Key], Key | None]
    ) -> list[bool]:
        """`is_low` of many pets, with their quantities."""
        pairs = zip(pets, quantities, strict=True)
        if self.categories:
            return [self.is_low(pet, quantity, category_of) for pet, quantity in pairs]
        wanted = ((self.pets.get(cast("ServiceId", pet)), quantity) for pet, quantity in pairs)
        return [least is not None and quantity is not None and quantity <= least for least, quantity in wanted]

    def own(self, ref: Ref) -> int | None:
        """The minimum set for this pet (or its stock) or category itself."""
        kept = self.categories if ref.resource is Resource.CATEGORIES else self.pets
        return kept.get(ref.key) if isinstance(ref.key, ServiceId) else None

    def with_all(self, refs: Iterable[Ref], minimum: int | None) -> Minimums:
        """With this for each of these pets (or their stock) and categories; None takes it away."""
        pets, categories = dict(self.pets), dict(self.categories)
        for ref in refs:
            kept = categories if ref.resource is Resource.CATEGORIES else pets
            if not isinstance(ref.key, ServiceId):
                continue
            if minimum is None:
                kept.pop(ref.key, None)
            else:
                kept[ref.key] = minimum
        return replace(self, pets=pets, categories=categories)


NONE = Minimums()
"""No minimum is set."""
