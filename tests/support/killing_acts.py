"""What people do in a run, and the shop's books before and after it."""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, TypeAlias

from tests.support.shop import Shop

Act: TypeAlias = dict[str, Any]
"""`verb` (create, rename, book, delete), `resource`, `key` (an id, or how the name of what was made here begins)."""

PLACE = 8
"""Each booking of a record is another power of this: the sum tells how often each was done."""
PLACES_OF_THE_WINDOW = 10


@dataclass(frozen=True, slots=True)
class Books:
    """What the shop's own database holds: names by id, and how much is there of which pet."""

    names: dict[str, dict[int, str]]
    stock: dict[int, int]

    @staticmethod
    def of(shop: Shop) -> Books:
        """As they are now. An order has no name."""
        names = {table: dict(shop.rows(f"SELECT id, name FROM {table}")) for table in ("pets", "categories")}
        names["orders"] = dict(shop.rows("SELECT id, '' FROM orders WHERE id IS NOT NULL"))
        return Books(names, dict(shop.rows("SELECT pet_id, quantity FROM inventory WHERE pet_id IS NOT NULL")))


class _Acts:
    """Makes acts whose records do not get into each other's way."""

    def __init__(self, dice: random.Random, books: Books, mark: str, taken: Collection[int]) -> None:
        self._dice, self._mark = dice, mark
        self._books = books
        old = [pet for pet, name in books.names["pets"].items() if pet in books.stock and not name.startswith("k")]
        self._pets = dice.sample([pet for pet in old if pet not in taken], 6)
        self._places: dict[int | str, int] = {}
        self._count = 0

    def book(self, key: int | str) -> Act:
        place = self._places.get(key, PLACES_OF_THE_WINDOW)
        self._places[key] = place + 1
        return {"verb": "book", "resource": "inventory", "key": key, "text": f"+{PLACE**place}"}

    def take_back(self, key: int) -> list[Act]:
        """A booking and its opposite: together they are nothing."""
        act = self.book(key)
        return [act, {**act, "text": act["text"].replace("+", "-")}]

    def count(self, key: int) -> Act:
        return {"verb": "book", "resource": "inventory", "key": key, "text": f"={self._dice.randrange(10**6)}"}

    def rename(self, resource: str, key: int | str) -> Act:
        self._count += 1
        return {"verb": "rename", "resource": resource, "key": key, "name": self._named(key)}

    def create(self, resource: str, **more: Any) -> tuple[str, Act]:
        self._count += 1
        token = f"{self._mark}x{self._count}-"
        act = {"verb": "create", "resource": resource, "key": token, "fields": {"name": f"{token}new"}}
        return token, {**act, **more}

    def delete(self, resource: str, key: int | str) -> Act:
        return {"verb": "delete", "resource": resource, "key": key}

    def category(self) -> int:
        """Of the shop's own, which keep their names."""
        old = [key for key, name in self._books.names["categories"].items() if not name.startswith("k")]
        return self._dice.choice(old)

    def order(self) -> int:
        return self._dice.choice(list(self._books.names["orders"]))

    def pet(self) -> int:
        return self._pets.pop()

    def _named(self, key: int | str) -> str:
        return f"{key if isinstance(key, str) else ''}named {self._mark} {self._count}"


def acts_of(
    dice: random.Random, books: Books, mark: str, taken: Collection[int] = (), *, full: bool
) -> list[list[Act]]:
    """From six batches on: bookings, several on one record; counts; an order that is cancelled; creations, one that
    names another; and, where the service offers it all (`full`), names and deletions.

    They leave the pets alone that are `taken`. What rests on a record that is made here is in a later batch: nobody can
    do it before.
    """
    acts = _Acts(dice, books, mark, taken)
    one, two, three, four = (acts.pet() for _ in range(4))
    pet, new_pet = acts.create("pets")
    new_pet["fields"]["category_id"] = acts.category()
    batches = [
        [acts.book(one), acts.book(two), acts.book(one)],
        [new_pet, acts.book(one)],
        [acts.book(pet), acts.count(three), acts.book(two)],
        [acts.count(three), acts.book(pet)],
        [acts.delete("orders", acts.order()), acts.book(three)],
        [acts.book(two), *acts.take_back(four)],
    ]
    return _with_names(dice, acts, batches, pet) if full else batches


def _with_names(dice: random.Random, acts: _Acts, batches: list[list[Act]], pet: str) -> list[list[Act]]:
    category, new_category = acts.create("categories")
    _, named = acts.create("pets", category=category)
    short, short_lived = acts.create("categories")
    renamed, gone = acts.pet(), acts.pet()
    more = [
        [acts.rename("pets", renamed), new_category],
        [named, short_lived, acts.rename("pets", renamed)],
        [acts.rename("categories", category), acts.rename("pets", pet)],
        [acts.delete("categories", short), acts.delete("pets", gone), acts.rename("pets", renamed)],
    ]
    mixed = [batch for pair in zip(batches, more, strict=False) for batch in pair] + batches[len(more) :]
    return mixed if dice.random() < 0.7 else [*more[:2], *batches, *more[2:]]
