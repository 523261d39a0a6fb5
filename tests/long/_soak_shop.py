"""The shop of the soak, as plain dictionaries: what readings told and what people changed, and the order of its pets as
a plain sort and filter give it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from PySide6.QtCore import QCollator, QLocale, Qt

from petstore_desktop.desk.values.text import fold
from petstore_desktop.domain.changes import AddStock, Change, SetFields
from petstore_desktop.domain.records import InventoryItem, Order, Pet, Record, Resource
from tests.bench._grid_rows import CATEGORIES, COAT, FIRST, KIND, STATUSES, shop

READER = QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom)
FREE = 0.05
"""So large a share of the pets has no category."""


class Seen(NamedTuple):
    """A pet as its row shows it."""

    id: int
    name: str
    category: str | None
    status: str
    stock: int | None
    orders: int | None

    def text(self) -> str:
        """All that the filter text is looked for in."""
        return "\n".join("" if value is None else fold(str(value)) for value in self)


@dataclass(frozen=True)
class ColumnFilter:
    """What is typed for a column, and what it lets through, said in the plainest way."""

    column: str
    text: str
    fits: Callable[[Seen], bool]


FILTERS = (
    ColumnFilter("id", "<90,000", lambda pet: pet.id < 90_000),
    ColumnFilter("name", "koi|tabby", lambda pet: any(word in fold(pet.name) for word in ("koi", "tabby"))),
    ColumnFilter("category", "=fish", lambda pet: pet.category == "Fish"),
    ColumnFilter("category", "!fish", lambda pet: pet.category != "Fish"),
    ColumnFilter("status", "!sold", lambda pet: pet.status != "sold"),
    ColumnFilter("status", "pend|sold", lambda pet: pet.status in ("pending", "sold")),
    ColumnFilter("stock", ">20", lambda pet: pet.stock is not None and pet.stock > 20),
    ColumnFilter("stock", "=", lambda pet: pet.stock is None),
    ColumnFilter("orders", "!=", lambda pet: bool(pet.orders)),
)
TEXTS = ("golden koi 12", "élan red sold", "1234", "queenie xyz", "pending", "abyssinian")
SORTS = ("name", "id", "category", "status", "stock", "orders")


class PlainShop:
    """What the service has; `chance` makes what it tells next."""

    def __init__(self, count: int, chance: random.Random) -> None:
        self._chance = chance
        self.pets: dict[int, Pet] = {}
        self.stock: dict[int, int] = {}
        self.orders = Counter[int]()
        for resource, record in shop(count):
            if isinstance(record, Order):
                self.orders[record.pet_id] += 1
            elif resource is not Resource.CATEGORIES:
                self.put(record)
        self._latest = max(self.pets)
        self._collator = QCollator(READER)
        self._collator.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._collator.setNumericMode(True)

    def put(self, record: Record) -> Record:
        """The service has this from now on."""
        if isinstance(record, Pet):
            self.pets[record.id] = record
        elif isinstance(record, InventoryItem):
            self.stock[record.pet_id] = record.quantity
        return record

    # -- what comes next

    def some(self, count: int) -> list[int]:
        """Any pets, each once."""
        return self._chance.sample(list(self.pets), min(count, len(self.pets)))

    def changed(self, key: int) -> Pet:
        """A pet as another reading shows it: with another name, status or category, or with all of them."""
        chance, old = self._chance, self.pets[key]
        name = self._name() if chance.random() < 0.4 else old.name
        status = chance.choice(STATUSES) if chance.random() < 0.4 else old.status
        category = self._category() if chance.random() < 0.2 else old.category_id
        return Pet(key, name, category, status)

    def new(self) -> Pet:
        """A pet that nobody has heard of."""
        self._latest += self._chance.choice((1, 1, 2, 5))
        return Pet(self._latest, self._name(), self._category(), self._chance.choice(STATUSES))

    def counted(self, key: int) -> InventoryItem:
        """Its stock as another reading shows it."""
        return InventoryItem(key, self._chance.randrange(400), "available")

    def forget(self, keys: Iterable[int]) -> None:
        """The service no longer has these pets, nor their stock."""
        for key in keys:
            self.pets.pop(key, None)
            self.stock.pop(key, None)

    def _name(self) -> str:
        chance = self._chance
        name = f"{chance.choice(FIRST)} {chance.choice(COAT)} {chance.choice(KIND)}"
        return f"{name} {chance.randrange(1, 4000)}" if chance.random() < 0.6 else name

    def _category(self) -> int | None:
        return None if self._chance.random() < FREE else self._chance.randrange(1, len(CATEGORIES) + 1)

    # -- what is shown of it

    def seen(self, changes: Iterable[Change]) -> list[Seen]:
        """Every pet, with these changes laid over it, by id."""
        pets, stock = dict(self.pets), dict(self.stock)
        for change in changes:
            key = change.ref.key
            if isinstance(change.intent, AddStock) and key in stock:
                stock[key] += change.intent.delta
            elif isinstance(change.intent, SetFields) and key in pets:
                pets[key] = _with(pets[key], change.intent.fields)
        return [
            Seen(
                key,
                pet.name,
                None if pet.category_id is None else CATEGORIES[pet.category_id - 1],
                pet.status,
                stock.get(key),
                self.orders.get(key),
            )
            for key, pet in sorted(pets.items())
        ]

    def in_order(
        self, pets: list[Seen], sorts: list[tuple[str, bool]], text: str, filters: Iterable[ColumnFilter]
    ) -> list[int]:
        """The ids of those that fit, by the first of the sorts, equal ones by the next, and in the end by id."""
        words, fits = fold(text).split(), [one.fits for one in filters]
        for column, descending in reversed(sorts):
            there = [pet for pet in pets if getattr(pet, column) not in (None, "")]
            missing = [pet for pet in pets if getattr(pet, column) in (None, "")]
            ranks = self._ranks(column, {getattr(pet, column) for pet in there})
            pets = sorted(there, key=lambda pet: ranks[getattr(pet, column)], reverse=descending) + missing
        pets = [pet for pet in pets if all(fit(pet) for fit in fits)]
        return [pet.id for pet in pets if not words or all(word in pet.text() for word in words)]

    def _ranks(self, column: str, values: set[Any]) -> Mapping[Any, Any]:
        """Places of the values of a column; texts that are alike to a reader have the same one."""
        if column not in ("name", "category", "status"):
            return {value: value for value in values}
        keys = {text: self._collator.sortKey(text) for text in values}
        texts = sorted(values, key=keys.__getitem__)
        ranks = dict.fromkeys(texts[:1], 0)
        for one, text in pairwise(texts):
            ranks[text] = ranks[one] + (keys[one] < keys[text])
        return ranks


def _with(pet: Pet, fields: Mapping[str, Any]) -> Pet:
    has = {"name": pet.name, "category_id": pet.category_id, "status": pet.status}
    return Pet(pet.id, **{**has, **fields})
