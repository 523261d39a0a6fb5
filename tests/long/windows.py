"""The program on Windows, as Wine plays it (`dev.py windows`): files of tests drawn by chance, while there is time;
with --full the first start, all tests, and the tour."""

from __future__ import annotations

import random
import sys

from tests.long._running import NOT_RUN, Run, run_from, say
from windows import __main__ as windows
from windows import suite
from windows.setting import setting

NO_TESTS = 5
"""pytest's exit code for a file of which nothing can be run."""


def drawn(run: Run) -> int:
    """Play files of tests until the time is over; 1 where one does not hold."""
    files = [str(file) for one in suite.WHOLE for file in suite.files(one)]
    random.Random(run.seed).shuffle(files)
    played = list[str]()
    with setting() as there:
        while files and (run.goes_on() or not played):
            played.append(files.pop())
            if suite.run(there, played[-1:]) not in (0, NO_TESTS):
                say(f"windows: {played[-1]} does not hold")
                return 1
    say(f"windows: {len(played)} files of tests hold")
    return 0


def main(argv: list[str]) -> int:
    """Return 0 where all holds, NOT_RUN where this machine cannot play Windows."""
    run: Run = run_from(argv, "windows")
    if not windows.can_play():
        say(windows.LACKING)
        return NOT_RUN
    if not run.full:
        return drawn(run)
    return int(any(windows.main([command]) for command in ("tests", "tour")))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
