"""Services drawn at random: all that is offered works, and undoes itself; all else is refused in words."""

from __future__ import annotations

import random
import sys
import tempfile
import traceback
from collections import Counter
from pathlib import Path

from tests.long._running import run_from, say
from tests.support.services.drawn import drawn
from tests.support.services.play import play

SERVICES = 2_000


def main(argv: list[str]) -> int:
    """Return 0 if every service was used as it offers itself."""
    run = run_from(argv, "services")
    chance = random.Random(run.seed)
    sums, wrong = Counter[str](), list[int]()
    while run.wants_more(sums["services"] + len(wrong), SERVICES):
        number = chance.randrange(10**6)
        try:
            with tempfile.TemporaryDirectory(prefix="petstore-services-") as folder:
                sums += play(drawn(number), Path(folder) / "desk")
        except AssertionError:
            traceback.print_exc()
            say(f"service {number} is not used as it offers itself: play(drawn({number}), folder) repeats it")
            wrong.append(number)
    counts = ", ".join(f"{count:,} {what}" for what, count in sorted(sums.items()))
    say(f"{counts}; " + (f"wrong: {wrong}" if wrong else "nothing found"))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
