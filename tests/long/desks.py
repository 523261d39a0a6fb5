"""Two programs at one shop, 200 acts a round: with ETags the sum is exact; without, whatever a look could see was seen.

What is overwritten in the time that stays open without ETags is counted and printed.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.long._running import Run, run_from, say
from tests.support.desks import Found, two_desks

ACTS = 100
"""Of each desk."""
ROUNDS = 20
KINDS: dict[str, dict[str, Any]] = {
    "with ETags": {},
    "with ETags, answers lost": {"faults": True},
    "without": {"etags": False},
    "without, answers lost, 5 s in 1": {"etags": False, "faults": True, "faster": 5.0},
    "without, looked at by lists": {"etags": False, "service": "default"},
}


def main(argv: list[str]) -> int:
    """Return 0 if nothing was lost that need not be, and nothing done twice."""
    run = run_from(argv, "desks")
    chance = random.Random(run.seed)
    sums = {kind: Found() for kind in KINDS}
    rounds = 0
    while rounds == 0 or (rounds < ROUNDS if run.full else run.goes_on()):
        rounds += 1
        for kind, found in sums.items():
            _round(run, kind, chance.randrange(10**6), found)
    for kind, found in sums.items():
        say(f"{kind}, {rounds} rounds: {found}")
    wrong = [f"{kind}: {one}" for kind, found in sums.items() for one in found.wrong]
    say("\n".join(wrong) or "nothing found")
    return int(bool(wrong))


def _round(run: Run, kind: str, seed: int, sums: Found) -> None:
    with tempfile.TemporaryDirectory(prefix="petstore-desks-") as folder:
        found = two_desks(Path(folder), seed=seed, acts=ACTS, **KINDS[kind])
    if found.wrong:
        say(f"{kind}: repeat it with: --seed {run.seed} (this round's own is {seed})")
    sums.add(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
