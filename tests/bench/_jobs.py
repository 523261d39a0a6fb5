"""What somebody does in a shop, job by job: with the pauses that hands and eyes take, on records that chance picks.

A day has 35 of them. Its 100 changes: 36 bookings, 14 counts, 28 states of pets, 10 orders, 6 names, 3 new pets, 1 new
category, 2 deletions.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from petstore_desktop.domain.records import Key, Resource
from tests.bench.gate import NEXT
from tests.support.clerk import Clerk

PETS, CATEGORIES, ORDERS, INVENTORY = Resource
Job = Callable[[Clerk, random.Random], None]


def the_day() -> list[Job]:
    """The jobs of a day, in no order."""
    return [
        *(partial(answer_a_question, live=number < 10) for number in range(12)),
        *(partial(receive_goods, count=6) for _ in range(6)),
        *(partial(count_a_view_list, count=7) for _ in range(2)),
        *(partial(change_states, at_once=number % 2 == 0) for number in range(7)),
        *(partial(look_after_orders, cancel=number < 2) for number in range(5)),
        *(partial(keep_the_catalogue, category=number == 0) for number in range(3)),
    ]


def some(clerk: Clerk, chance: random.Random, resource: Resource, count: int) -> list[Key]:
    """So many records that can be changed, in no order."""
    store = clerk.desk.shop.stores[resource]
    return chance.sample([key for key in map(store.keys.__getitem__, store.slots()) if isinstance(key, int)], count)


def answer_a_question(clerk: Clerk, chance: random.Random, live: bool) -> None:
    """A filter, and what three of its pets are; one of them perhaps as it is this moment."""
    clerk.open(PETS)
    found = clerk.look_up(chance.choice(("available", "pending", "sold", "fish")))
    for key in found[:3]:
        clerk.wait(chance.uniform(10, 40))
        clerk.details(key)
    if live:
        clerk.check_live(found[0])
    clerk.wait(chance.uniform(5, 20))
    clerk.look_up("")


def receive_goods(clerk: Clerk, chance: random.Random, count: int) -> None:
    """So many deliveries, each booked on its entry."""
    _at_the_stock(clerk, chance, count, lambda: f"+{chance.randint(1, 48)}")


def count_a_view_list(clerk: Clerk, chance: random.Random, count: int) -> None:
    """So many entries get the number that was counted."""
    _at_the_stock(clerk, chance, count, lambda: f"={chance.randint(1_000, 2_000)}")


def _at_the_stock(clerk: Clerk, chance: random.Random, count: int, text: Callable[[], str]) -> None:
    clerk.open(INVENTORY)
    for pet in some(clerk, chance, INVENTORY, count):
        clerk.wait(chance.uniform(8, 60))
        clerk.look_up(f"#{pet}")
        clerk.details(pet)
        clerk.book(pet, text())
    clerk.look_up("")


def change_states(clerk: Clerk, chance: random.Random, at_once: bool) -> None:
    """Four pets of one status get the next: as one batch, or each by itself."""
    clerk.open(PETS)
    status = {key: clerk.table.cell_of(key, "status").text for key in some(clerk, chance, PETS, 60)}
    before = chance.choice(sorted(NEXT))
    chosen = [key for key, one in status.items() if one == before][:4]
    for group in [chosen] if at_once else [[key] for key in chosen]:
        clerk.wait(chance.uniform(5, 40))
        clerk.details(group[0])
        clerk.change(tuple(group), status=NEXT[before])


def look_after_orders(clerk: Clerk, chance: random.Random, cancel: bool) -> None:
    """Four orders are looked up; two that are open are done with."""
    clerk.open(ORDERS)
    for key in some(clerk, chance, ORDERS, 4):
        clerk.wait(chance.uniform(10, 40))
        clerk.look_up(f"#{key}")
        clerk.details(key)
    still_open = [key for key in clerk.look_up("open") if isinstance(key, int)]
    first, second = chance.sample(still_open, 2)
    clerk.wait(chance.uniform(5, 30))
    clerk.change((first,), complete=True)
    clerk.wait(chance.uniform(5, 30))
    if cancel:
        clerk.delete(second)
    else:
        clerk.change((second,), complete=True)
    clerk.look_up("")


def keep_the_catalogue(clerk: Clerk, chance: random.Random, category: bool) -> None:
    """Two better names, a new pet, and a new category, or a pet less."""
    clerk.open(PETS)
    for key in some(clerk, chance, PETS, 2):
        clerk.wait(chance.uniform(10, 40))
        clerk.change((key,), name=f"{clerk.details(key).title} II")
    (kind,) = some(clerk, chance, CATEGORIES, 1)
    clerk.wait(chance.uniform(20, 60))
    clerk.create(name=f"Newcomer {chance.randint(1, 999)}", category_id=kind, status="available")
    clerk.wait(chance.uniform(20, 60))
    if category:
        clerk.open(CATEGORIES)
        clerk.create(name="Axolotls", description="gilled")
    else:
        free = [key for key in some(clerk, chance, PETS, 60) if not clerk.desk.shop.order_count(key)]
        clerk.delete(free[0])


def the_shift(clerk: Clerk, chance: random.Random, pace_s: float) -> None:
    """3 filters, 5 details, 20 changes of status, 10 orders looked up, 30 stock edits and a reload, in this order; an
    act every `pace_s` seconds."""
    clerk.open(PETS)
    for text in ("koi", "available", "fish"):
        clerk.wait(pace_s)
        clerk.look_up(text)
    clerk.look_up("")
    for key in some(clerk, chance, PETS, 5):
        clerk.wait(pace_s)
        clerk.details(key)
    for key in some(clerk, chance, PETS, 20):
        clerk.wait(pace_s)
        clerk.change((key,), status=NEXT.get(clerk.table.cell_of(key, "status").text, "available"))
    clerk.open(ORDERS)
    for key in some(clerk, chance, ORDERS, 10):
        clerk.wait(pace_s)
        clerk.look_up(f"#{key}")
        clerk.details(key)
    clerk.look_up("")
    clerk.open(INVENTORY)
    for number, pet in enumerate(some(clerk, chance, INVENTORY, 30)):
        clerk.wait(pace_s)
        clerk.book(pet, f"+{chance.randint(1, 48)}" if number % 3 else f"={chance.randint(1_000, 2_000)}")
    clerk.wait(pace_s)
    clerk.refresh()
