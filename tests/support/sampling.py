"""Plays a part of the tests in `dev.py test`; `dev.py long cases` plays each of them.

    pytestmark = pytest.mark.sampled(6)      # about every sixth case of each test here; of two tests, other ones
    @pytest.mark.sampled                     # the test itself does less: see `many`
    @pytest.mark.sampled(1)                  # each case is played, also among tests that are slow by what they are
    @pytest.mark.slow                        # takes over a second: of those in a folder, every tenth is played

Tests that start a program, a session or a window are slow by what they are: see `PARTS`. What is asked for by its name,
a test, a file or a folder, is played whole.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, TypeVar

import pytest

WHOLE: Final = "PETSTORE_TESTS_WHOLE"
"""In the environment: every case is played."""
SLOW: Final = 10
"""Of the slow tests of a folder, one of so many is played."""
PARTS: Final[tuple[tuple[str, str, int], ...]] = (
    ("tests/program/", "", 20),
    ("tests/commands/", "", 20),
    ("tests/sync/", "tmp_path", 8),
    ("tests/ui/", "open_window", 6),
    ("tests/ui/", "qtbot", 6),
)
"""Where tests are that take long, what those of them use (a fixture), and of how many in one file one is played."""
T = TypeVar("T")


def is_whole() -> bool:
    """Whether every case is to be played."""
    return bool(os.environ.get(WHOLE))


def many(whole: int, sampled: int) -> int:
    """How often a test does something: `whole` times in `dev.py long cases`, else `sampled` times."""
    return whole if is_whole() else sampled


def chosen(cases: Mapping[str, Sequence[tuple[T, int]]]) -> list[T]:
    """Return the cases of one file to play. `cases`: those of each test by its name, with one of how many is played."""
    found: list[T] = []
    for shift, some in enumerate(cases.values()):
        kept = [case for number, (case, of) in enumerate(some) if (number + shift) % of == 0]
        found += kept or [some[shift % len(some)][0]]
    return found


def sample(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave only the chosen ones of the sampled tests, unless all are to be played, or some were asked for."""
    if is_whole() or not _is_asked_for_all(config):
        return
    groups: dict[str, dict[str, list[tuple[str, int]]]] = {}
    for item in items:
        place = place_of(item)
        if place is not None:
            around, group, of = place
            groups.setdefault(around, {}).setdefault(group, []).append((item.nodeid, of))
    played = {case for cases in groups.values() for case in chosen(cases)}
    known = {name for cases in groups.values() for some in cases.values() for name, _ in some}
    left_out = [item for item in items if item.nodeid in known - played]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item.nodeid not in known - played]


def place_of(item: pytest.Item) -> tuple[str, str, int] | None:
    """Among which tests one is chosen: of which part, in which group, and of how many; None where it always is."""
    file = item.nodeid.partition("::")[0]
    if item.get_closest_marker("slow") is not None:
        return "slow", "/".join(file.split("/")[:-1][:2]), SLOW
    marker = item.get_closest_marker("sampled")
    if marker is not None:
        return file, item.nodeid.partition("[")[0], marker.args[0] if marker.args else 1
    used = ("", *getattr(item, "fixturenames", ()))
    part = next((one for one in PARTS if item.nodeid.startswith(one[0]) and one[1] in used), None)
    return None if part is None else (part[0], file, part[2])


def _is_asked_for_all(config: pytest.Config) -> bool:
    root = config.rootpath
    return {Path(root, one) for one in config.args} == {root / one for one in config.getini("testpaths")}
