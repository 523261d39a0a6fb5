"""A made-up shop of any size for the grid's bench: names of several words, some not ASCII, the same in each run."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from operator import attrgetter

from petstore_desktop.domain.records import (
    FIELDS,
    Category,
    InventoryItem,
    Key,
    Order,
    Pet,
    Record,
    Resource,
    Row,
    RowBlock,
)


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


FIRST = _words(
    "Amber Apricot Barnaby Biscuit Blue Bramble Captain Caramel Charlie Clover Copper Daisy Duchess Élan Ember Freya "
    "Ginger Hazel Indigo Jasper Juno Koi Lady Maple Marmalade Müsli Nala Nimbus Olive Pepper Pumpkin Queenie Rosie "
    "Saffron Señor Smudge Teasel Ursa Velvet Willow Xerxes Ylva Zephyr Żubr Ångström 錦鯉"
)
KIND = _words(
    "Abyssinian Axolotl Beagle Betta Budgerigar Canary Chameleon Chinchilla Cockatiel Collie Corydoras Ferret Finch "
    "Gecko Goldfish Greyhound Guppy Hamster Iguana Kitten Lovebird Macaw Mouse Parrot Poodle Rabbit Ragdoll Retriever "
    "Siamese Snake Spaniel Tabby Terrier Tetra Tortoise Turtle Whippet"
)
COAT = [
    "brindle",
    "cream",
    "dappled",
    "golden",
    "long-haired",
    "piebald",
    "red",
    "short-haired",
    "silver",
    "smoky",
    "spotted",
    "striped",
    "tawny",
    "white",
]
CATEGORIES = _words(
    "Birds Cats Dogs Fish Reptiles Rodents Rabbits Amphibians Insects Ponies Tortoises Snakes Aquatic Exotic"
)
STATUSES = ("available", "pending", "sold")
SEEN_AT = 1_763_731_320.0


def pets(count: int) -> Iterator[Pet]:
    """So many pets, by id; the ids have gaps."""
    chance = random.Random(6)
    key = 0
    for _ in range(count):
        key += chance.choice((1, 1, 1, 2, 5))
        name = f"{chance.choice(FIRST)} {chance.choice(COAT)} {chance.choice(KIND)}"
        if chance.random() < 0.6:
            name = f"{name} {chance.randrange(1, 4000)}"
        category = chance.randrange(1, len(CATEGORIES) + 1) if chance.random() < 0.97 else None
        yield Pet(key, name, category, chance.choice(STATUSES))


def shop(count: int) -> Iterator[tuple[Resource, Record]]:
    """All records of a shop with so many pets: most have stock, every tenth is ordered."""
    chance = random.Random(9)
    for number, name in enumerate(CATEGORIES, 1):
        yield Resource.CATEGORIES, Category(number, name)
    keys: list[int] = []
    for pet in pets(count):
        keys.append(pet.id)
        yield Resource.PETS, pet
    for key in keys:
        if chance.random() < 0.95:
            yield Resource.INVENTORY, InventoryItem(key, min(chance.randrange(400), chance.randrange(400)), "available")
    for number in range(1, count // 10 + 1):
        day = f"2025-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02}T09:00:00Z"
        yield Resource.ORDERS, Order(number, chance.choice(keys), chance.randrange(1, 9), day, chance.random() < 0.5)


def blocks(count: int, resource: Resource, size: int) -> Iterator[RowBlock]:
    """The rows of one resource of the shop as columns, so many at a time."""
    others = (record for of, record in shop(count) if of is resource)
    rows: Iterator[Record] = pets(count) if resource is Resource.PETS else others
    while part := list(islice(rows, size)):
        keys: list[Key] = [one.pet_id if isinstance(one, InventoryItem) else one.id for one in part]
        columns = {name: list(map(attrgetter(name), part)) for name in FIELDS[resource]}
        yield RowBlock(resource, keys, columns, [SEEN_AT] * len(part), {})


def refreshed(count: int, share: float, size: int) -> Iterator[tuple[Row, ...]]:
    """Pages of the pets that a later reading shows changed: of each three one by name, one by status, one by both."""
    chance = random.Random(12)
    page: list[Row] = []
    for number, pet in enumerate(pets(count)):
        if chance.random() >= share:
            continue
        name = f"{chance.choice(FIRST)} {chance.choice(COAT)} {chance.choice(KIND)}" if number % 3 else pet.name
        status = chance.choice([one for one in STATUSES if one != pet.status]) if number % 3 != 1 else pet.status
        page.append(Row(pet.id, Pet(pet.id, name, pet.category_id, status), SEEN_AT + 60))
        if len(page) == size:
            yield tuple(page)
            page = []
    if page:
        yield tuple(page)
