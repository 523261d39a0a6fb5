"""Which stock is low: at or below the least that a person wants, for the pet, else for its category."""

from __future__ import annotations

from collections.abc import Mapping

from petstore_desktop.desk.shop import Shop
from petstore_desktop.domain.minimums import Minimums
from petstore_desktop.domain.records import Key, Resource


def concerned(shop: Shop, before: Minimums | None, after: Minimums) -> set[Key]:
    """The pets for which another minimum holds now."""
    old = before or Minimums()
    pets: set[Key] = set(_differing(old.pets, after.pets))
    links, keys = shop.links[Resource.PETS], shop.stores[Resource.PETS].keys
    for category in _differing(old.categories, after.categories):
        pets.update(keys[slot] for slot in links.sources(category))
    return pets


def _differing(old: Mapping[int, int], new: Mapping[int, int]) -> set[int]:
    return {key for key, _ in old.items() ^ new.items()}
