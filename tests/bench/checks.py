"""All data checks of a large shop, each for itself and together, and the shop's next event while lists are filtered by
them."""

from __future__ import annotations

import sys
from collections import defaultdict
from time import thread_time

from petstore_desktop.desk.data_checks import DATA_CHECKS, CheckedRows
from petstore_desktop.domain.records import InventoryItem, Order, Pet, Resource
from tests.bench._busy import busy_core
from tests.bench._report import Goal, Metric, Report, arguments, say
from tests.desk.data_checks.test_big_shop import big_shop
from tests.desk.shopkit import tell

RUNS = 20
PETS = 10_000
ALL, EVENT = "all checks", "an event while lists are filtered by checks"
GOALS = {ALL: 50.0, EVENT: 16.0}
"""In milliseconds of this thread's own time, whatever else runs on the machine."""


def measure(pets: int, runs: int) -> dict[str, list[float]]:
    """Milliseconds by what was measured."""
    taken: dict[str, list[float]] = defaultdict(list)
    desk = big_shop(pets)
    for _ in range(runs):
        rows, begun = CheckedRows(desk.shop), thread_time()
        for check in DATA_CHECKS:
            before = thread_time()
            rows.of(check.id)
            taken[check.id].append((thread_time() - before) * 1000)
        taken[ALL].append((thread_time() - begun) * 1000)
    for resource, check_id in ((Resource.PETS, "same-name"), (Resource.ORDERS, "more-than-stock")):
        desk.tables[resource].open()
        desk.tables[resource].set_filters("", {"gutter": check_id})
    for number in range(1, runs + 1):
        begun = thread_time()
        tell(desk, Resource.PETS, Pet(number, f"Told {number}", 3, "sold"))
        tell(desk, Resource.INVENTORY, InventoryItem(number, 2))
        tell(desk, Resource.ORDERS, Order(number, number, 3, None, False))
        taken[EVENT].append((thread_time() - begun) * 1000 / 3)
    return taken


def main(argv: list[str]) -> int:
    """Measure, and judge by the goals for the usual number of pets."""
    chosen = arguments(argv, "data checks", RUNS, PETS)
    say(f"{chosen.pets:,} pets, as many orders and stock entries")
    found = Report("checks", runs=chosen.runs)
    with busy_core(chosen.busy):
        measured = measure(chosen.pets, chosen.runs)
    for name, values in measured.items():
        found.metrics[name] = Metric("ms", values)
        if name in GOALS:
            found.goals[name] = Goal(GOALS[name] * chosen.pets / PETS, sorted(values)[len(values) // 2])
    return found.finish(one_line=chosen.json, busy=chosen.busy)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
