"""Batches of 500 rows on bad days: each row is done once or listed with its reason, and never early."""

from __future__ import annotations

import random
import sys
import tempfile
import traceback
from collections import Counter
from pathlib import Path

from tests.long._running import run_from, say
from tests.support.hard_batch import hard_batch

BATCHES, TIMES = 30, 4
"""So many batches, each trouble so many times in each."""


def main(argv: list[str]) -> int:
    """Return 0 if every row of every batch came to its right end."""
    run = run_from(argv, "batch")
    chance = random.Random(run.seed)
    sums = Counter[str]()
    batches = 0
    while run.wants_more(batches, BATCHES):
        batches += 1
        seed = chance.randrange(10**6)
        try:
            with tempfile.TemporaryDirectory(prefix="petstore-batch-") as folder:
                sums += hard_batch(Path(folder), seed, TIMES)
        except AssertionError:
            traceback.print_exc()
            say(f"batch {batches}: repeat it with: --seed {run.seed} (its own is {seed})")
            return 1
    counts = ", ".join(f"{count} {what}" for what, count in sorted(sums.items()))
    say(f"{batches} batches: rows at first, and answers: {counts}; nothing found")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
