"""10,000 sequences of scans, typing, held keys, clicks, pastes and input methods at the keys of one window: each scan
is told once, everything else arrives whole and in order, and nothing else is taken for a scan.
"""

from __future__ import annotations

import os
import random
import sys

from tests.long._running import run_from, say

SEQUENCES = 10_000


def main(argv: list[str]) -> int:
    """Return 0 if no sequence came out otherwise than it was played."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from tests.support.scan_fuzz import play, stage

    run = run_from(argv, "scans")
    app = QApplication.instance() or QApplication([])
    keys, receiver, found = stage()
    done = wrong = scans = 0
    while done < SEQUENCES and run.goes_on():
        seed = run.seed + done
        said = play(keys, receiver, random.Random(seed), found)
        done, scans = done + 1, scans + len(found)
        if said:
            wrong += 1
            say(f"sequence {seed}: {said}")
    say(f"{done:,} sequences, {scans:,} scans, {wrong} wrong")
    receiver.close()
    del app
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
