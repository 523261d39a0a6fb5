"""Tests with very many cases play a part of them, each at least one, and together every kind; long cases plays all."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree

import pytest

from tests.house.trees import ROOT
from tests.support.sampling import WHOLE, chosen
from tests.support.services.named import SCENARIOS

MADE = ROOT / "tests" / "commands" / "made"
CASES = """import pytest

@pytest.mark.parametrize("case", range(40))
def test_of_programs(case: int) -> None: ...

@pytest.mark.sampled(3)
@pytest.mark.parametrize("case", range(7))
def test_first(case: int) -> None: ...

@pytest.mark.sampled(3)
@pytest.mark.parametrize("case", range(7))
def test_second(case: int) -> None: ...

@pytest.mark.sampled
def test_alone() -> None: ...
"""


def collected(*arguments: str, whole: bool = False) -> list[str]:
    """What pytest would play."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--collect-only", *arguments]
    env = {name: value for name, value in os.environ.items() if name != WHOLE} | ({WHOLE: "1"} if whole else {})
    env.pop("PYTEST_XDIST_WORKER", None)
    said = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT, env=env).stdout
    return [line for line in said.splitlines() if "::" in line]


def test_one_of_so_many_is_played_others_in_the_next_test_and_at_least_one() -> None:
    cases = {name: [(f"{name}{number}", 3) for number in range(7)] for name in "ab"}
    assert chosen({**cases, "c": [("c0", 3)]}) == ["a0", "a3", "a6", "b2", "b5", "c0"]
    assert chosen({"all": [(str(number), 1) for number in range(3)]}) == ["0", "1", "2"]


@pytest.fixture
def made() -> Iterator[Path]:
    """A file of tests among those that start programs."""
    MADE.mkdir()
    file = MADE / "test_made_for_sampling.py"
    file.write_text(CASES, "utf-8")
    yield file
    rmtree(MADE)


@pytest.mark.slow
def test_what_is_asked_for_by_name_and_what_is_played_whole_is_not_sampled(made: Path) -> None:
    for asked, whole, count in (((), False, 2 + 3 + 2 + 1), ((), True, 55), (("tests",), False, 2 + 3 + 2 + 1)):
        assert sum(made.name in one for one in collected(*asked, whole=whole)) == count
    assert [len(collected(asked)) for asked in (str(made), str(made.parent), f"{made}::test_first")] == [55, 55, 7]


@pytest.mark.slow
def test_every_service_that_is_known_is_played_in_some_test() -> None:
    played = " ".join(one for one in collected() if "test_services_played" in one)
    assert [name for name in SCENARIOS if not re.search(rf"[-[]{name}[-\]]", played)] == []
