"""Is the price of a batch what the program then sends? Batches drawn at random, priced and sent to the real shop.

Creations, changes, deletions, bookings and counts, several of one record too, at four services: with ETags, without,
with stock that only its list shows, and with writes that nobody has seen to do what they are meant to. Nobody else is
at work, so there are no conflicts. --full: 10,000 batches.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.long._running import Run, run_from, say
from tests.support.priced_shop import PETS_USED, SERVICES, Acting, tried, world

WHOLE = 10_000
IN_ONE_SHOP, MOST_ACTS = 25, 8
LEAST_EXACT = 0.9
PAUSES_S = (0.0, 0.0, 4.0, 30.0, 70.0)


def acts(chance: random.Random, deleted: Iterator[int]) -> list[tuple[str, int, Any]]:
    """What a batch does."""
    found: list[tuple[str, int, Any]] = []
    for _ in range(chance.randrange(1, MOST_ACTS + 1)):
        pet = chance.randrange(PETS_USED)
        match chance.choice(("book", "book", "count", "name", "status", "litter", "delete")):
            case "book":
                found.append(("book", pet, 3))
                if chance.random() < 0.5:
                    found.append(("book", pet, -1))  # out below nothing would be refused, and looked at
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
            acting = Acting(one, name)
            deleted = iter(range(PETS_USED, len(one.pets)))
            for _ in range(IN_ONE_SHOP):
                planned = acts(chance, deleted)
                found = tried(one, acting, planned)
                if not found.holds:
                    say(f"shop {shops}, {name}, {rpm} a minute, batch {of.total()}: {planned}")
                    say(f"said {found.price}, left {len(found.left)}")
                    return 1
                of[found.timed > 0] += 1
                exact[found.timed > 0] += not found.wrong
                one.loop.run_for(chance.choice(PAUSES_S))
                if not run.wants_more(of.total(), WHOLE):
                    break
    say(f"{of.total()} batches at {shops} shops: exact were {exact[False]} of the {of[False]} in which time played no")
    say(f"part, and {exact[True]} of the {of[True]} others.")
    return int(exact[True] < LEAST_EXACT * of[True])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
