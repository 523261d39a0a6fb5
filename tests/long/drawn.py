"""What the tests draw at random, drawn anew: `dev.py test` always plays the same examples, this plays others each time.

All tests with examples of Hypothesis, over and over, each time with another seed, until the time is up; --full: 20
times.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.long._running import Run, run_from, say

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 20


class _Drawing:
    """Keeps the tests that draw, in an order of chance, and ends a sampled run in time."""

    def __init__(self, run: Run, first: int) -> None:
        self._run, self._first = run, first
        self.played = 0

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        drawing = [item for item in items if getattr(getattr(item, "obj", None), "is_hypothesis_test", False)]
        start = self._first % max(1, len(drawing))
        items[:] = drawing[start:] + drawing[:start]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self) -> bool | None:
        """What comes too late is not played: for pytest it is done with. The first always is."""
        late = self.played > 0 and not self._run.goes_on()
        self.played += not late
        return True if late else None


def main(argv: list[str]) -> int:
    """Return 0 if everything that was drawn held."""
    run = run_from(argv, "drawn")
    played = 0
    for seed in range(run.seed, run.seed + ROUNDS):
        drawing = _Drawing(run, seed * 97)
        given = ["-q", "-p", "no:cacheprovider", "--hypothesis-profile=anew", f"--hypothesis-seed={seed}"]
        code = pytest.main([*given, str(ROOT / "tests")], plugins=[drawing])
        played += drawing.played
        if code or not run.goes_on():
            say(f"{played} tests drew anew; the last round with --seed {seed}")
            return int(code)
    say(f"{played} tests drew anew")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
