"""The shop's goods, made from a seed: the same number of pets on the same day is the same shop.

Odd records (ten-digit and nineteen-digit ids, names in other scripts, missing fields, dates without an offset, entries
without a pet) stay under two in a hundred of each table, and out of the first screen: none is among the first
`FIRST_SCREEN` records by id, nor among the first by name.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from itertools import count, islice
from typing import Any

from petstore_desktop.demo.books.vocabulary import EVERY_KIND, FOREIGN, ORIGINS, CategoryTemplate

Record = dict[str, Any]

FIRST_SCREEN = 40
ODD_SHARE = 0.0199
ORDERS_PER_PET = 388 / 1904
FEWEST_ORDERS = 52  # with a hundred pets or more: one odd order is then still under two in a hundred
LARGE = {number for number, kind in enumerate(EVERY_KIND, 1) if kind.name in ("Dogs", "Cats", "Horses and ponies")}
STATUSES = ("available", "pending", "sold")


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The records of a new shop, as the service shows them, in the order of their making."""

    categories: list[Record]
    pets: list[Record]
    orders: list[Record]
    inventory: list[Record]


def make_catalogue(pets: int, today: date) -> Catalogue:
    """A shop of `pets` pets whose orders are spread around `today` (UTC)."""
    draw = random.Random(f"petstore {pets}")
    categories: list[Record] = [
        {"id": number, "name": kind.name, "description": kind.description} for number, kind in enumerate(EVERY_KIND, 1)
    ]
    if categories:
        del categories[-2]["description"]
    animals = _pets(draw, pets)
    return Catalogue(categories, animals, _orders(draw, animals, today), _inventory(draw, animals))


def _pets(draw: random.Random, number: int) -> list[Record]:
    taken: set[str] = set()
    shares = [kind.share for kind in EVERY_KIND]
    chosen = draw.choices(range(len(EVERY_KIND)), shares, k=number)
    statuses = draw.choices(STATUSES, (70, 14, 16), k=number)
    widest = 3 if number <= 4_000 else 1
    new_id = 1_000
    pets: list[Record] = []
    for place, status in zip(chosen, statuses, strict=True):
        new_id += draw.randint(1, widest)
        name = _name(draw, EVERY_KIND[place], taken)
        pets.append({"id": new_id, "name": name, "categoryId": place + 1, "status": status})
    return _with_odd_pets(draw, pets, taken)


def _name(draw: random.Random, kind: CategoryTemplate, taken: set[str]) -> str:
    """A name that was not given yet; the longer, the more there are already."""
    species = draw.choice(tuple(kind.species))
    named = f"{species}, {draw.choice(kind.species[species])}"
    tries = [species] if draw.random() < 0.25 else []
    if draw.random() < 0.75:
        tries.append(named)
    tries.append(f"{named}, {draw.choice(kind.remarks)}")
    for name in tries:
        if name not in taken:
            taken.add(name)
            return name
    return _long_name(draw, kind, named, taken)


def _long_name(draw: random.Random, kind: CategoryTemplate, stem: str, taken: set[str]) -> str:
    """A name with a remark and an origin, and with a batch where even those are taken."""
    for number in count(1):
        batch = "" if number < 6 else f", batch {number - 4}"
        name = f"{stem}, {draw.choice(kind.remarks)}, {draw.choice(ORIGINS)}{batch}"
        if name not in taken:
            taken.add(name)
            return name
    raise AssertionError("count() does not end")


def _with_odd_pets(draw: random.Random, pets: list[Record], taken: set[str]) -> list[Record]:
    """Make some pets odd, and move those with long ids to the end."""
    by_name = sorted(range(len(pets)), key=lambda place: pets[place]["name"].casefold())
    # Twice the first screen: what leaves its place in the list lets the next ones move up.
    shown = set(range(2 * FIRST_SCREEN)) | set(by_name[: 2 * FIRST_SCREEN])
    free = [place for place in range(len(pets)) if place not in shown]
    chosen = draw.sample(free, min(len(free), int(len(pets) * ODD_SHARE)))
    foreign = _foreign_names(taken)
    for turn, place in enumerate(chosen):
        _make_odd(draw, pets[place], turn, foreign)
    return sorted(pets, key=lambda pet: pet["id"])


def _make_odd(draw: random.Random, pet: Record, turn: int, foreign: Iterator[tuple[int, str]]) -> None:
    match turn % 5:
        case 0:
            pet["id"] = draw.randrange(10**18, 2**63)
            pet["categoryId"], pet["name"] = next(foreign)
        case 1:
            pet["id"] = draw.randrange(4_000_000_000, 10**10)
        case 2:
            pet["categoryId"], pet["name"] = next(foreign)
        case 3:
            del pet["status"]
        case _:
            pet["id"] = draw.randrange(10**18, 2**63)


def _foreign_names(taken: set[str]) -> Iterator[tuple[int, str]]:
    """Category ids with names outside ASCII, each name once."""
    categories = {kind.name: number for number, kind in enumerate(EVERY_KIND, 1)}
    endings = ["", *(f", {origin}" for origin in ORIGINS)]
    for batch in count(1):
        for ending in endings:
            for kind, stem in FOREIGN:
                name = f"{stem}{ending}{f', batch {batch}' if batch > 1 else ''}"
                if name not in taken:
                    taken.add(name)
                    yield categories[kind], name


def _orders(draw: random.Random, pets: list[Record], today: date) -> list[Record]:
    """Orders in the order of their making, so that their ship dates rise roughly with their ids."""
    wanted = round(len(pets) * ORDERS_PER_PET)
    number = max(FEWEST_ORDERS, wanted) if len(pets) >= 100 else wanted
    midnight = datetime(today.year, today.month, today.day, tzinfo=UTC)
    past, ahead = min(365, max(24, number // 4)), 16
    orders: list[Record] = []
    new_id = 1_000
    for place in range(number):
        new_id += draw.randint(1, 3) if number <= 4_000 else 1
        day = round(-past + (past + ahead) * place / number + draw.uniform(-3, 3))
        moment = midnight + timedelta(days=day, hours=draw.randint(8, 17), minutes=15 * draw.randint(0, 3))
        pet = pets[int(len(pets) * draw.random() ** 1.5)]
        pieces = draw.choice((1, 1, 1, 1, 1, 2, 2, 3, 4, 6, 12, 24))
        orders.append(
            {
                "id": new_id,
                "petId": pet["id"],
                "quantity": 1 if pet["categoryId"] in LARGE else pieces,
                "shipDate": _written(draw, moment, plain=place < FIRST_SCREEN),
                "complete": _complete(draw, day),
            }
        )
    _make_orders_odd(draw, orders, pets)
    return orders


def _complete(draw: random.Random, day: int) -> bool:
    """Whether an order that ships in `day` days from today is fulfilled: of the late ones, few are forgotten."""
    if day > 0:
        return draw.random() < 0.05
    if day == 0:
        return draw.random() < 0.4
    return draw.random() < (0.8 if day > -12 else 0.98)


def _written(draw: random.Random, moment: datetime, plain: bool) -> str:
    """The moment as services write it: mostly with Z, some with an offset, microseconds, or nothing (ISO 8601)."""
    turn = draw.random()
    if turn < 0.12:
        zone = timezone(timedelta(hours=draw.choice((-5, 1, 2, 9))))
        return moment.astimezone(zone).isoformat()
    text = moment.strftime("%Y-%m-%dT%H:%M:%S")
    if plain or turn < 0.93:
        return f"{text}Z"
    return f"{text}.{draw.randrange(1, 10**6):06}Z" if turn < 0.99 else text


def _make_orders_odd(draw: random.Random, orders: list[Record], pets: list[Record]) -> None:
    later = orders[FIRST_SCREEN:]
    known = {pet["id"] for pet in pets}
    vanished = next(number for number in count(1_777) if number not in known)
    for turn, order in enumerate(draw.sample(later, min(len(later), int(len(orders) * ODD_SHARE)))):
        match turn % 5:
            case 0:
                del order["shipDate"]
            case 1:
                del order["petId"]
            case 2:
                order["petId"] = vanished
            case 3:
                del order["quantity"], order["complete"]
            case _:
                del order["id"]


def _inventory(draw: random.Random, pets: list[Record]) -> list[Record]:
    entries: list[Record] = []
    for pet in pets:
        if draw.random() < 0.94:
            status = pet.get("status", "available")
            entries.append({"petId": pet["id"], "quantity": _quantity(draw, pet), "status": status})
    known = {pet["id"] for pet in pets}
    strays = (number for number in count(1_777) if number not in known)
    without_pet = min(12, len(pets) // 100)
    entries += [
        {"petId": stray, "quantity": draw.randint(1, 5), "status": "available"} for stray in islice(strays, without_pet)
    ]
    return entries


def _quantity(draw: random.Random, pet: Record) -> int:
    turn = draw.random()
    if turn < 0.06 or (pet.get("status") == "sold" and turn < 0.8):
        return 0
    if pet["categoryId"] in LARGE:
        return draw.randint(1, 6)
    if turn < 0.45:
        return draw.randint(1, 8)
    return draw.randint(9, 48) if turn < 0.96 else draw.randint(60, 400)
