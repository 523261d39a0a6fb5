"""Which stock is low: at or below the least that a person wants, for the pet, else for its category."""

from __future__ import annotations

from collections.abc import Mapping

from petstore_desktop.desk.model.shop_model import Shop
from petstore_desktop.domain.minimums import Minimums
from petstore_desktop.domain.records import Key, Resource


def use_minimums(shop: Shop, minimums: Minimums) -> tuple[set[Key], set[Key]]:
    """These are the minimums from now on. The pets for which another one holds; and those whose stock is low, or no
    longer low, by it."""
    before = shop.minimums or Minimums()
    pets = _concerned(shop, before, minimums)
    was = _low(shop, pets)
    shop.minimums = minimums
    return pets, was ^ _low(shop, pets)


def _low(shop: Shop, pets: set[Key]) -> set[Key]:
    if not shop.minimums:
        return set()
    stocks = ((pet, shop.stock(pet)) for pet in pets)
    return {pet for pet, stock in stocks if stock is not None and shop.is_low(pet, stock.result)}


def _concerned(shop: Shop, before: Minimums, after: Minimums) -> set[Key]:
    """The pets for which another minimum holds."""
    pets: set[Key] = set(_differing(before.pets, after.pets))
    links, keys = shop.links[Resource.PETS], shop.stores[Resource.PETS].keys
    for category in _differing(before.categories, after.categories):
        pets.update(keys[slot] for slot in links.sources(category))
    return pets


def _differing(old: Mapping[int, int], new: Mapping[int, int]) -> set[int]:
    return {key for key, _ in old.items() ^ new.items()}
