"""When the stock of a pet is low: at or below the least that a person wants of it, or else of its category. And how
many are to be ordered: up to the level that is wanted, or else up to the minimum. A pet that is surely sold is never
low, and nothing is ordered of it. This is the one rule; Today, the view and the filter, the list of what to order, the
report and the history all ask here.

The minimums are kept on this computer only; the service knows nothing of them. `desk/columns/column` marks a cell as
low, `ui/cells/cell_paint` paints the badge "low", `ui/text/cell` says the word to a screen reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias, cast

from msgspec import Struct, field

from petstore_desktop.domain.records import Key, Ref, Resource, ServiceId

_Levels: TypeAlias = Mapping[ServiceId, int]
_CategoryOf: TypeAlias = "Callable[[Key], Key | None]"


class PetFacts(Struct, frozen=True):
    """What else is asked of a pet: its category, and whether it is surely sold, by its own status or by that of its
    stock entry: services keep the two apart, and people set but one."""

    category_of: _CategoryOf
    is_sold: Callable[[Key], bool]


class StockLevel(Struct, frozen=True):
    """The minimum and the "order up to" of one pet, or of each pet in one category; None where it is not set."""

    minimum: int | None = None
    up_to: int | None = None


class Minimums(Struct, frozen=True):
    """By the ids of pets, and of categories for all their pets that have none of their own: the minimum, and up to
    which stock is ordered."""

    pets: _Levels = field(default_factory=dict[ServiceId, int])
    categories: _Levels = field(default_factory=dict[ServiceId, int])
    pets_up_to: _Levels = field(default_factory=dict[ServiceId, int])
    categories_up_to: _Levels = field(default_factory=dict[ServiceId, int])

    def __bool__(self) -> bool:
        return bool(self.pets or self.categories)

    @property
    def has_levels(self) -> bool:
        """Whether anything is set, a minimum or an "order up to"."""
        return bool(self or self.pets_up_to or self.categories_up_to)

    def of(self, pet: Key, category_of: _CategoryOf) -> int | None:
        """The minimum that holds for a pet; None for no minimum."""
        return _held(self.pets, self.categories, pet, category_of)

    def up_to(self, pet: Key, category_of: _CategoryOf) -> int | None:
        """Up to which stock a pet is ordered; None where that is not set."""
        return _held(self.pets_up_to, self.categories_up_to, pet, category_of)

    def to_order(self, pet: Key, quantity: int | None, facts: PetFacts) -> int | None:
        """How many are missing up to the wanted level, or else up to the minimum; None where neither is set, and where
        the stock is not known."""
        levels = (self.of(pet, facts.category_of), self.up_to(pet, facts.category_of))
        wanted = max((level for level in levels if level is not None), default=None)
        if wanted is None or quantity is None:
            return None
        return 0 if quantity >= wanted or facts.is_sold(pet) else wanted - quantity

    def is_low(self, pet: Key, quantity: int | None, facts: PetFacts) -> bool:
        """Whether this is no more than the least that is wanted of the pet."""
        least = self.of(pet, facts.category_of)
        return least is not None and quantity is not None and quantity <= least and not facts.is_sold(pet)

    def are_low(self, pets: Iterable[Key], quantities: Iterable[int | None], facts: PetFacts) -> list[bool]:
        """`is_low` of many pets, with their quantities."""
        pairs = zip(pets, quantities, strict=True)
        if self.categories:
            return [self.is_low(pet, quantity, facts) for pet, quantity in pairs]
        wanted = ((pet, self.pets.get(cast("ServiceId", pet)), quantity) for pet, quantity in pairs)
        return [
            least is not None and quantity is not None and quantity <= least and not facts.is_sold(pet)
            for pet, least, quantity in wanted
        ]

    def own(self, ref: Ref) -> StockLevel:
        """The levels set for this pet (or its stock) or category itself."""
        if not isinstance(ref.key, ServiceId):
            return StockLevel()
        if ref.resource is Resource.CATEGORIES:
            return StockLevel(self.categories.get(ref.key), self.categories_up_to.get(ref.key))
        return StockLevel(self.pets.get(ref.key), self.pets_up_to.get(ref.key))

    def with_all(self, levels: Mapping[Ref, StockLevel]) -> Minimums:
        """With these for pets (or their stock) and categories; None in a level takes that away."""
        pets, categories = dict(self.pets), dict(self.categories)
        pets_up_to, categories_up_to = dict(self.pets_up_to), dict(self.categories_up_to)
        for ref, level in levels.items():
            of_category = ref.resource is Resource.CATEGORIES
            if isinstance(ref.key, ServiceId):
                _put(categories if of_category else pets, ref.key, level.minimum)
                _put(categories_up_to if of_category else pets_up_to, ref.key, level.up_to)
        return Minimums(pets, categories, pets_up_to, categories_up_to)


def _held(pets: _Levels, categories: _Levels, pet: Key, category_of: _CategoryOf) -> int | None:
    level = pets.get(pet) if isinstance(pet, ServiceId) else None
    if level is None and categories:  # asked of each row of a filter: only what has one is looked up further
        category = category_of(pet)
        level = categories.get(category) if isinstance(category, ServiceId) else None
    return level


def _put(levels: dict[ServiceId, int], key: ServiceId, level: int | None) -> None:
    if level is None:
        levels.pop(key, None)
    else:
        levels[key] = level
