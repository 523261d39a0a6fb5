"""The gate before a service that bans, for a million steps, or for as long as there is time."""

from __future__ import annotations

import sys
import time
import traceback

from tests.api.gate_machine import EPISODE, drive
from tests.api.gate_machine_service import Violation
from tests.long._running import run_from, say

FULL = 1_000_000
MOST = 10**12
LEAST_IN_A_PAUSE = 0.05


def main(argv: list[str]) -> int:
    """Return 0 if nothing was found and at least 5 % of the steps met a pause."""
    run = run_from(argv, "gate")
    began = time.monotonic()
    try:
        found = drive(run.seed, FULL if run.full else MOST, run.goes_on)
    except Violation:
        traceback.print_exc()
        say(f"repeat it with: --seed {run.seed} (an episode is {EPISODE} steps)")
        return 1
    for line in found.lines():
        say(line)
    say(f"{time.monotonic() - began:.0f} s, nothing found")
    return int(found.in_pause < LEAST_IN_A_PAUSE * found.steps)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
