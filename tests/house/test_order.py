"""Which tests begin first."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.order import LONG, spread

ROOT = Path(__file__).resolve().parents[2]
SHORT = [f"tests/ui/test_a.py::test_{number}" for number in range(20)]
TOUR, KILL, HUNT = "tests/program/test_tour.py::a", "tests/program/test_kills.py::b", "tests/sync/test_machine.py::c"


def test_each_process_begins_with_what_takes_long_the_longest_first() -> None:
    ordered = spread([*SHORT, HUNT, KILL, TOUR], str, 3)
    parts = [ordered[:7], ordered[7:15], ordered[15:]]  # as pytest-xdist cuts 23 in three
    assert [part[0] for part in parts] == [TOUR, KILL, HUNT]


@pytest.mark.parametrize("processes", [1, 2, 3, 4])
@pytest.mark.parametrize("long", [[], [KILL], [KILL, TOUR, HUNT] * 4])
def test_no_test_is_left_out_or_doubled_and_the_short_ones_keep_their_order(processes: int, long: list[str]) -> None:
    ordered = spread([*long, *SHORT], str, processes)
    assert sorted(ordered) == sorted([*long, *SHORT])
    assert [name for name in ordered if name in SHORT] == SHORT


def test_what_is_called_long_is_there() -> None:
    assert not [start for start in LONG if not (ROOT / start).exists()]
