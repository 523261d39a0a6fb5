"""Two programs at one shop, 200 acts a round: with ETags the sum is exact; without, whatever a look could see was seen.
And two in virtual time at one without ETags, 500 edits a round of all fields, by PATCH and by PUT, with slow
connections and lists too: what a look could see of the other's is kept, or a conflict. And two that create alike pets,
delete and undo, 150 acts a round, beside a colleague: nothing goes that a look could show and nobody was shown, and
each rule of that, taken out, is noticed. And two that make 30 pets each at the same moment, where the client chooses
the ids: what is called done is there. And one that books +1 and -1 while answers are lost and a colleague books the
opposite, 200 acts a round: all that is acknowledged adds up to what there is.

What is overwritten in the time that stays open without ETags is counted and printed.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.long._running import Run, run_from, say
from tests.support import comings, field_desks, opposite_acts, same_moment
from tests.support.comings import RULES, two_desks_come_and_go
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
COMINGS = 150
IDS: dict[str, dict[str, Any]] = {
    "the service chooses ids": {"client_ids": False},
    "the client chooses ids": {"client_ids": True},
    "the client chooses ids, taken ones are refused": {"client_ids": True, "taken": "refused"},
    "the client chooses ids, taken ones are kept": {"client_ids": True, "taken": "kept"},
}
AT_ONCE = {f"created at the same moment, taken ids {one}": one for one in ("replaced", "refused", "kept")}
NEW = 30
"""Of each desk."""
ONES = 200
VERSIONS = {"by ones, with ETags": True, "by ones, without": False}
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
    came = {kind: comings.Found() for kind in IDS}
    at_once = {kind: same_moment.Found() for kind in AT_ONCE}
    added = {kind: opposite_acts.Found() for kind in VERSIONS}
    blind = _blind_rules(run)
    rounds = 0
    while run.wants_more(rounds, ROUNDS):
        rounds += 1
        for kind, found in edited.items():
            _edits(run, kind, chance.randrange(10**6), found)
        for kind, found in came.items():
            found.add(_comings(IDS[kind], chance.randrange(10**6)))
        for kind, found in at_once.items():
            found.add(_at_once(AT_ONCE[kind], chance.randrange(10**6)))
        for kind, found in added.items():
            found.add(_by_ones(VERSIONS[kind], chance.randrange(10**6)))
        for kind, found in sums.items():
            _round(run, kind, chance.randrange(10**6), found)
    both: dict[str, Found | field_desks.Found | comings.Found | same_moment.Found | opposite_acts.Found] = {
        **edited,
        **came,
        **at_once,
        **added,
        **sums,
    }
    for kind, found in both.items():
        say(f"{kind}, {rounds} rounds: {found}")
    wrong = [f"{kind}: {one}" for kind, found in both.items() for one in found.wrong] + blind
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


def _comings(ids: dict[str, Any], seed: int) -> comings.Found:
    loop = VirtualTime()
    try:
        with tempfile.TemporaryDirectory(prefix="petstore-desks-") as folder:
            return two_desks_come_and_go(loop, Path(folder), seed=seed, acts=COMINGS, **ids)
    finally:
        loop.close()


def _at_once(taken: str, seed: int) -> same_moment.Found:
    loop, chance = VirtualTime(), random.Random(seed)
    latencies = (0.04, chance.choice((0.04, 0.04, 0.05, 0.2)))
    try:
        with tempfile.TemporaryDirectory(prefix="petstore-desks-") as folder:
            return same_moment.two_desks_create_at_once(
                loop, Path(folder), seed=seed, each=NEW, taken=taken, latencies=latencies
            )
    finally:
        loop.close()


def _by_ones(etags: bool, seed: int) -> opposite_acts.Found:
    loop = VirtualTime()
    try:
        with tempfile.TemporaryDirectory(prefix="petstore-desks-") as folder:
            found = opposite_acts.books_by_ones(loop, Path(folder), seed=seed, acts=ONES, etags=etags)
    finally:
        loop.close()
    if found.wrong:
        say(f"this round's own seed is {seed}")
    return found


def _blind_rules(run: Run) -> list[str]:
    """Take each rule out; those whose absence nothing notices."""
    blind: list[str] = []
    for name, (owner, attribute, without) in RULES.items():
        kept = getattr(owner, attribute)
        setattr(owner, attribute, without(kept))
        try:
            found = [_comings(ids, run.seed + number) for number in range(4) for ids in tuple(IDS.values())[:2]]
        finally:
            setattr(owner, attribute, kept)
        breaches = sum(len(one.wrong) for one in found)
        say(f"without the rule that {name}: {breaches} unseen")
        blind += [] if breaches else [f"nothing notices that no longer {name}"]
    return blind


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
