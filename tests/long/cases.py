"""Every case of the tests of which `dev.py test` plays a part: services of all kinds, faults, kills, repetitions."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import pytest

from tests.long._running import Run, run_from, say
from tests.support.sampling import WHOLE, place_of

ROOT = Path(__file__).resolve().parents[2]


class _Clock:
    """Ends a sampled run in time. The files come in an order of chance, so that each has its turn some day."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.played = self.left_out = 0

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if place_of(item) is not None]
        files = sorted({item.nodeid.partition("::")[0] for item in items})
        random.Random(self._run.seed).shuffle(files)
        items.sort(key=lambda item: files.index(item.nodeid.partition("::")[0]))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self) -> bool | None:
        """What comes too late is not played: for pytest it is done with. The first case always is."""
        late = self.played > 0 and not self._run.goes_on()
        self.played, self.left_out = self.played + (not late), self.left_out + late
        return True if late else None


def main(argv: list[str]) -> int:
    """Return 0 if every case that was played held."""
    run = run_from(argv, "cases")
    os.environ[WHOLE] = "1"
    clock = _Clock(run)
    code = pytest.main(["-q", "-p", "no:cacheprovider", str(ROOT / "tests")], plugins=[clock])
    say(f"{clock.played} cases were played, {clock.left_out} not reached in time")
    return int(code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
