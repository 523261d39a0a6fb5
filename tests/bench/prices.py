"""How long the price of many changes takes: the whole way from the question to the answer, in the real program.

The clock of the shop is virtual, the work is not. Each case is priced again and again on one connection; its goal is
about the median, in milliseconds of computing for 10,000 changes.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

from petstore_desktop.domain.changes import AddStock, Create, NewChange, SetFields
from petstore_desktop.domain.records import LocalId, Pet, Ref, Resource
from tests.bench._busy import busy_core
from tests.bench._report import Goal, Metric, Report, arguments, say
from tests.support.priced_shop import World, book, sell, world

CHANGES, RUNS = 10_000, 5
PETS, STOCK = Resource.PETS, Resource.INVENTORY
Cases = Mapping[str, Callable[[World], list[NewChange]]]


def seen(one: World) -> list[NewChange]:
    """Pets are sold, as people do it: each change says what was there."""
    pets = [row for row in one.desk.rows[PETS].values() if isinstance(row, Pet)]
    sold = SetFields({"status": "sold"})
    return [NewChange(Ref(PETS, pet.id), sold, {"status": pet.status}) for pet in pets]


def renamed(one: World) -> list[NewChange]:
    """Each gets a name of its own."""
    pets = [row for row in one.desk.rows[PETS].values() if isinstance(row, Pet)]
    return [NewChange(Ref(PETS, p.id), SetFields({"name": f"Z {p.id}"}), {"name": p.name}) for p in pets]


def imported(_one: World) -> list[NewChange]:
    """Half of them are new pets, the other half their stock."""
    found: list[NewChange] = []
    for number in range(CHANGES // 2):
        local = LocalId.new()
        found.append(NewChange(Ref(PETS, local), Create({"name": f"New {number}", "category_id": 1})))
        found.append(NewChange(Ref(STOCK, local), AddStock(5)))
    return found


def sold(one: World) -> list[NewChange]:
    """Pets are sold, by a script that does not say what was there."""
    return [sell(pet) for pet in one.pets]


def booked(one: World) -> list[NewChange]:
    """One of each is booked in."""
    return [book(pet) for pet in one.pets]


FULL: Cases = {"sold": sold, "sold as seen": seen, "renamed": renamed, "booked": booked, "imported": imported}
PLACES: dict[str, tuple[dict[str, Any], Cases]] = {
    "": ({}, FULL),
    "at 60 a minute": ({"rpm": 60, "rpd": 1_000_000}, {"booked": booked}),
    "without ETags": ({"etags": False}, {"sold": sold, "booked": booked}),
    "by list": ({"service": "default"}, {"booked": booked}),
}
BOUND_MS = 20.0


def ms(one: World, *changes: NewChange) -> float:
    """How many milliseconds of computing the answer takes."""
    began = time.process_time()
    one.price(*changes)
    return (time.process_time() - began) * 1_000.0


def measured(runs: int) -> dict[str, list[float]]:
    """Each case so often, in milliseconds for 10,000 changes."""
    found: dict[str, list[float]] = {}
    for place, (shop, cases) in PLACES.items():
        slow = shop.get("rpm") == 60
        with world(pets=CHANGES // 10 if slow else CHANGES, **{"rpm": 10_000, "rpd": 1_000_000, **shop}) as one:
            for case, make in cases.items():
                changes = make(one)
                name = " ".join(filter(None, (case, place)))
                found[name] = [ms(one, *changes) * CHANGES / len(changes) for _ in range(runs)]
                say(f"{name}: {', '.join(f'{value:.0f}' for value in found[name])} ms")
            if not place:
                one.desk.network.cut = True
                one.desk.apply(*booked(one))
                found["one more, behind 10,000 that wait"] = [ms(one, sell(one.pets[0])) for _ in range(runs)]
                say(f"one more: {found['one more, behind 10,000 that wait']}")
    return found


def main(argv: list[str]) -> int:
    """Measure, print, and return the exit code."""
    args = arguments(argv, f"The price of {CHANGES:,} changes, in milliseconds.", RUNS)
    report = Report("prices", runs=args.runs)
    with busy_core(args.busy):
        for name, values in measured(args.runs).items():
            report.metrics[name] = Metric("ms", values)
            report.goals[name] = Goal(BOUND_MS, sorted(values)[len(values) // 2])
    return report.finish(one_line=args.json, busy=args.busy)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
