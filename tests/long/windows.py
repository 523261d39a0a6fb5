"""The program on Windows, as Wine plays it, with --full alone: its first start, all tests, the tour, the installer."""

from __future__ import annotations

import sys

from tests.long._running import NOT_RUN, Run, run_from, say
from windows import __main__ as windows


def main(argv: list[str]) -> int:
    """Return 0 where all holds, NOT_RUN where this machine cannot play Windows."""
    run: Run = run_from(argv, "windows")
    if not run.full:  # it takes some minutes to set up
        return NOT_RUN
    if not windows.can_play():
        say(windows.LACKING)
        return NOT_RUN
    codes = {windows.main([name]) for name in ("tests", "tour", "installer")}
    return NOT_RUN if codes == {NOT_RUN} else int(codes != {0})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
