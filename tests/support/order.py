"""The order in which tests begin where several processes share them: what takes long begins first, and in each process.

pytest-xdist hands each process an unbroken part of what was collected, and whoever is done takes over the end of
another one's part. Without this, what takes longest may begin when all else is done, and nothing is left to run beside
it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")

LONG = (
    "tests/program/test_tour.py",
    "tests/program/test_clicks.py",
    "tests/program/test_offline.py",
    "tests/program/test_pauses.py",
    "tests/program/test_secrets.py",
    "tests/program/test_hard_batch.py",
    "tests/program/test_connections.py",
    "tests/program/test_kills.py",
    "tests/house/test_bench_shape.py",
    "tests/program/",
    "tests/sync/test_machine.py",
    "tests/sync/test_hostile_session.py",
    "tests/sync/test_session_gate.py",
    "tests/sync/test_session_keys.py",
    "tests/house/test_house_rules.py",
    "tests/demo/",
)
"""Where the tests are that take longest, those that wait most first."""


def place(name: str) -> int:
    """Where a test by its id stands among the long ones; behind them where it is none."""
    return next((number for number, start in enumerate(LONG) if name.startswith(start)), len(LONG))


def spread(tests: Sequence[T], name: Callable[[T], str], processes: int) -> list[T]:
    """The same tests, in as many parts as there are processes, with long ones at the beginning of each."""
    long = sorted((test for test in tests if place(name(test)) < len(LONG)), key=lambda test: place(name(test)))
    rest = [test for test in tests if place(name(test)) == len(LONG)]
    found: list[T] = []
    for process in range(processes):
        own = long[process::processes]
        size = (len(tests) - len(found)) // (processes - process)
        found += [*own, *rest[: max(0, size - len(own))]]
        del rest[: max(0, size - len(own))]
    return [*found, *rest]
