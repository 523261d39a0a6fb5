"""History against a plain model: readings, edits of here and elsewhere, kills between commits, clocks, lost files, at
services of many kinds; what changed, who did it and what was there at each moment is as the model has it.
"""

from __future__ import annotations

import random
import sys

from tests.api.gate_machine.machine import Found, drive
from tests.api.gate_machine.service import Violation
from tests.long._running import run_from, say
from tests.sync.past.moves import EPISODE, GAME

FULL_STEPS = 60_000


def main(argv: list[str]) -> int:
    """Return 0 if the history was right in every episode."""
    run = run_from(argv, "history")
    chance = random.Random(run.seed)
    sums, wrong = Found(), 0
    while run.wants_more(sums.steps, FULL_STEPS):
        number = chance.randrange(10**6)
        try:
            found = drive(number, EPISODE, game=GAME)
        except Violation as violation:
            say(f"{violation}\n" + "\n".join(getattr(violation, "__notes__", ())))
            say(f'relive("{number}:0", GAME) of tests.sync.past.moves repeats it')
            wrong += 1
            sums.steps += EPISODE
            continue
        sums.steps += found.steps
        sums.seen.update(found.seen)
    say("\n".join([*sums.lines(), f"wrong: {wrong} episodes" if wrong else "nothing found"]))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
