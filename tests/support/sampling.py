"""Plays a part of the many cases of a test in `dev.py test`; `dev.py long cases` plays each of them.

    pytestmark = pytest.mark.sampled(6)      # about every sixth case of each test here; of two tests, other ones
    @pytest.mark.sampled                     # the test itself does less: see `many`

A case that is asked for by its name (`file.py::test[case]`) is always played.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

import pytest

WHOLE: Final = "PETSTORE_TESTS_WHOLE"
"""In the environment: every case is played."""
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
    """Leave only the chosen cases of the sampled tests, unless all are to be played."""
    if is_whole() or any("::" in one for one in config.args):
        return
    files: dict[str, dict[str, list[tuple[str, int]]]] = {}
    for item in items:
        marker = item.get_closest_marker("sampled")
        if marker is not None:
            file, test = item.nodeid.partition("::")[0], item.nodeid.partition("[")[0]
            case = (item.nodeid, marker.args[0] if marker.args else 1)
            files.setdefault(file, {}).setdefault(test, []).append(case)
    played = {case for cases in files.values() for case in chosen(cases)}
    known = {name for cases in files.values() for some in cases.values() for name, _ in some}
    left_out = [item for item in items if item.nodeid in known - played]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item.nodeid not in known - played]
