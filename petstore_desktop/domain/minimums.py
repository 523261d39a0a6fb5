"""The least stock that a person wants of each pet. Kept on this computer only; the service knows nothing of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from petstore_desktop.domain.records import Key, Ref, Resource


@dataclass(frozen=True, slots=True)
class Minimums:
    """By the ids of pets, and of categories for all their pets that have none of their own."""

    pets: Mapping[int, int] = field(default_factory=dict[int, int])
    categories: Mapping[int, int] = field(default_factory=dict[int, int])

    def __bool__(self) -> bool:
        return bool(self.pets or self.categories)

    def of(self, pet: Key, category: Key | None) -> int | None:
        """What holds for a pet of this category; None for no minimum."""
        own = self.pets.get(pet) if isinstance(pet, int) else None
        if own is None and isinstance(category, int):
            return self.categories.get(category)
        return own

    def own(self, ref: Ref) -> int | None:
        """The minimum set for this pet (or its stock) or category itself."""
        kept = self.categories if ref.resource is Resource.CATEGORIES else self.pets
        return kept.get(ref.key) if isinstance(ref.key, int) else None

    def with_all(self, refs: Iterable[Ref], minimum: int | None) -> Minimums:
        """With this for each of these pets (or their stock) and categories; None takes it away."""
        pets, categories = dict(self.pets), dict(self.categories)
        for ref in refs:
            kept = categories if ref.resource is Resource.CATEGORIES else pets
            if not isinstance(ref.key, int):
                continue
            if minimum is None:
                kept.pop(ref.key, None)
            else:
                kept[ref.key] = minimum
        return replace(self, pets=pets, categories=categories)


NONE = Minimums()
"""Nobody set any."""
