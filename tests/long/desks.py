"""Two programs at one shop, 200 acts a round: with ETags the sum is exact; without, whatever a look could see was seen.
And two in virtual time at one without ETags, 500 edits a round of all fields, by PATCH and by PUT, with slow
connections and lists too: what a look could see of the other's is kept, or a conflict.

What is overwritten in the time that stays open without ETags is counted and printed.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.long._running import Run, run_from, say
from tests.support import field_desks
from tests.support.desks import Found, two_desks
from tests.support.field_desks import Way, two_desks_edit
from tests.support.virtual_time import VirtualTime

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
EDITS = 500
"""Of both desks."""
WAYS: dict[str, Way] = {
    "no ETags, PATCH": Way("PATCH"),
    "no ETags, PUT": Way("PUT"),
    "no ETags, PATCH, slow": Way("PATCH", slow=True),
    "no ETags, PUT, slow": Way("PUT", slow=True),
    "no ETags, stock by slow lists": Way(slow=True, service="default"),
}


def main(argv: list[str]) -> int:
    """Return 0 if nothing was lost that need not be, and nothing done twice."""
    run = run_from(argv, "desks")
    chance = random.Random(run.seed)
    sums = {kind: Found() for kind in KINDS}
    edited = {kind: field_desks.Found() for kind in WAYS}
    rounds = 0
    while rounds == 0 or (rounds < ROUNDS if run.full else run.goes_on()):
        rounds += 1
        for kind, found in edited.items():
            _edits(run, kind, chance.randrange(10**6), found)
        for kind, found in sums.items():
            _round(run, kind, chance.randrange(10**6), found)
    both: dict[str, Found | field_desks.Found] = {**edited, **sums}
    for kind, found in both.items():
        say(f"{kind}, {rounds} rounds: {found}")
    wrong = [f"{kind}: {one}" for kind, found in both.items() for one in found.wrong]
    say("\n".join(wrong) or "nothing found")
    return int(bool(wrong))


def _round(run: Run, kind: str, seed: int, sums: Found) -> None:
    with tempfile.TemporaryDirectory(prefix="petstore-desks-") as folder:
        found = two_desks(Path(folder), seed=seed, acts=ACTS, **KINDS[kind])
    if found.wrong:
        say(f"{kind}: repeat it with: --seed {run.seed} (this round's own is {seed})")
    sums.add(found)


def _edits(run: Run, kind: str, seed: int, sums: field_desks.Found) -> None:
    loop = VirtualTime()
    try:
        with tempfile.TemporaryDirectory(prefix="petstore-desks-") as folder:
            found = two_desks_edit(loop, Path(folder), WAYS[kind], seed=seed, acts=EDITS)
    finally:
        loop.close()
    if found.wrong:
        say(f"{kind}: repeat it with: --seed {run.seed} (this round's own is {seed})")
    sums.add(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
