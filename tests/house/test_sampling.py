"""Tests with very many cases play a part of them, each at least one, and together every kind; long cases plays all."""

from __future__ import annotations

import os
import re
import subprocess
import sys

from tests.house.trees import ROOT
from tests.support.sampling import WHOLE, chosen
from tests.support.services.named import SCENARIOS

CASES = """import pytest
pytestmark = pytest.mark.sampled(3)

@pytest.mark.parametrize("case", range(7))
def test_first(case: int) -> None: ...

@pytest.mark.parametrize("case", range(7))
def test_second(case: int) -> None: ...

def test_alone() -> None: ...
"""


def collected(*arguments: str, whole: bool = False) -> list[str]:
    """What pytest would play."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--collect-only", *arguments]
    env = {**os.environ, **({WHOLE: "1"} if whole else {})}
    env.pop("PYTEST_XDIST_WORKER", None)
    said = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT, env=env).stdout
    return [line for line in said.splitlines() if "::" in line]


def test_one_of_so_many_is_played_others_in_the_next_test_and_at_least_one() -> None:
    cases = {name: [(f"{name}{number}", 3) for number in range(7)] for name in "ab"}
    assert chosen({**cases, "c": [("c0", 3)]}) == ["a0", "a3", "a6", "b2", "b5", "c0"]
    assert chosen({"all": [(str(number), 1) for number in range(3)]}) == ["0", "1", "2"]


def test_what_is_asked_for_by_name_and_what_is_played_whole_is_not_sampled() -> None:
    made = ROOT / "tests" / "house" / "test_made_for_sampling.py"
    made.write_text(CASES, "utf-8")
    try:
        assert len(collected(str(made))) == 3 + 2 + 1
        assert len(collected(f"{made}::test_first")) == 7
        assert len(collected(str(made), whole=True)) == 15
    finally:
        made.unlink()


def test_every_service_that_is_known_is_played_in_some_test() -> None:
    played = " ".join(collected(str(ROOT / "tests" / "sync" / "test_services_played.py")))
    assert [name for name in SCENARIOS if not re.search(rf"[-[]{name}[-\]]", played)] == []
