"""Stocktakes on the real session in virtual time, against a plain model.

A second desk sells meanwhile, the stock is read at odd times, pets are counted again, codes are unknown, the program is
killed; what the shop has in the end is what was counted and what was sold after that, or a person decides.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.long._running import run_from, say
from tests.support.stocktaking import play

FULL_GAMES, STEPS = 2_000, 80
MEMORY = Path("/dev/shm")


def main(argv: list[str]) -> int:
    """Return 0 if the stock was right in every game."""
    run = run_from(argv, "stocktake")
    chance, seen, games, wrong = random.Random(run.seed), Counter[str](), 0, 0
    while run.wants_more(games, FULL_GAMES):
        games += 1
        with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
            try:
                seen.update(play(chance.randrange(10**6), STEPS, Path(folder)))
            except AssertionError as error:
                wrong += 1
                say(f"{error}\n" + "\n".join(getattr(error, "__notes__", ())))
    say(f"{games} games; " + ", ".join(f"{name} {count}" for name, count in sorted(seen.items())))
    say(f"wrong: {wrong} games" if wrong else "nothing found")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
