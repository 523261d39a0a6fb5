"""Is the price of a batch what the program then sends? Batches drawn at random, priced and sent to the real shop.

Creations, changes, deletions, bookings and counts, several of one record too, at four services: with ETags, without,
with stock that only its list shows, and with writes that nobody has seen to do what they are meant to. Nobody else is
at work, so there are no conflicts. --full: 10,000 batches.

A price is exact where time plays no part: the batch leaves in one go, each write with its own look or none. What rests
on a look that serves several (a list, what goes with a deletion) may find it a moment too old, or be parted from it by
the end of the minute: a few looks are made again then, or are saved.
"""

from __future__ import annotations

import itertools
import random
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.long._running import Run, run_from, say
from tests.support.priced_shop import PETS_USED, Acting, World, world

WHOLE = 10_000
IN_ONE_SHOP, MOST_ACTS = 25, 8
PUT = {"bindings": {"pets.change": "PUT /pets/{petId}"}}
SERVICES: dict[str, dict[str, Any]] = {
    "with ETags": {"service": "full"},
    "without ETags": {"service": "full", "etags": False},
    "stock by list": {"service": "default"},
    "unproven writes": {"service": "full", "etags": False, "profile": PUT},
}
BY_LIST = ("stock by list", "unproven writes")
LEAST_EXACT = 0.9
PAUSES_S = (0.0, 0.0, 4.0, 30.0, 70.0)


def acts(chance: random.Random, deleted: Iterator[int]) -> list[tuple[str, int, Any]]:
    """What a batch does."""
    found: list[tuple[str, int, Any]] = []
    for _ in range(chance.randrange(1, MOST_ACTS + 1)):
        pet = chance.randrange(PETS_USED)
        match chance.choice(("book", "book", "count", "name", "status", "litter", "delete")):
            case "book":
                found += [("book", pet, 3), ("book", pet, -1)][
                    : chance.randrange(1, 3)
                ]  # never below none: that is refused
            case "count":
                found.append(("count", pet, chance.randrange(50)))
            case "name":
                found.append(("name", pet, chance.choice(("Ada", "Bob"))))
            case "status":
                found.append(("status", pet, chance.choice(("sold", "pending"))))
            case "litter":
                found.append(("litter", chance.randrange(6), None))
            case _:
                found.append(("delete", next(deleted), None))
    return found


PAUSE_S, LOOKS = 5.0, 6
"""After so long without a request something was waited for; the looks that serve several writes of a batch."""


def tried(one: World, acting: Acting, chance: random.Random, deleted: Iterator[int]) -> tuple[int, int, str]:
    """Price and send a batch: by how many requests its price was wrong, in how many ways time played a part, and what
    it was."""
    planned = acts(chance, deleted)
    changes = acting.changes(planned)
    price = one.price(*changes)
    left = one.send(*changes)
    one.loop.run_for(chance.choice(PAUSES_S))
    timed = sum(after - before > PAUSE_S for before, after in itertools.pairwise([0.0, *left]))
    timed += acting.by_list or any(what == "delete" for what, _, _ in planned)
    said = price.requests + price.ahead
    return abs(len(left) - said), timed, f"{planned}: {said} requests were said, and {len(left)} left"


def main(argv: list[str]) -> int:
    """Return 0 if every price was right."""
    run: Run = run_from(argv, "prices")
    chance, shops = random.Random(run.seed), 0
    exact, of = Counter[bool](), Counter[bool]()
    while run.wants_more(of.total(), WHOLE):
        name = list(SERVICES)[shops % len(SERVICES)]
        shops += 1
        rpm = chance.choice((20, 60, 300, 1_000))
        with world(pets=PETS_USED + IN_ONE_SHOP * MOST_ACTS, rpm=rpm, rpd=1_000_000, **SERVICES[name]) as one:
            acting = Acting(one, changeable=name != "stock by list", by_list=name in BY_LIST)
            deleted = iter(range(PETS_USED, len(one.pets)))
            for _ in range(IN_ONE_SHOP):
                wrong, timed, said = tried(one, acting, chance, deleted)
                if wrong > timed * LOOKS:
                    say(f"shop {shops}, {name}, {rpm} a minute, batch {of.total()}: {said}")
                    return 1
                of[timed > 0] += 1
                exact[timed > 0] += not wrong
                if not run.wants_more(of.total(), WHOLE):
                    break
    say(f"{of.total()} batches at {shops} shops: exact were {exact[False]} of the {of[False]} in which time played no")
    say(f"part, and {exact[True]} of the {of[True]} others.")
    return int(exact[True] < LEAST_EXACT * of[True])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
