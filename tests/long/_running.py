"""What every long run takes and says: minutes, seed, whole or sampled, and its counts on stdout."""

from __future__ import annotations

import argparse
import math
import os
import random
import sys
import time
from dataclasses import dataclass, field

NOT_RUN = 77
"""The exit code of a run for which this machine lacks something: neither passed nor failed. `dev.py` knows it too."""
TELL_EVERY_S = 60.0


@dataclass(slots=True)
class Run:
    """How long a run may take, and where its chance comes from."""

    seed: int
    full: bool
    ends: float
    """Monotonic second at which a sampled run stops."""

    _told: float = field(default_factory=time.monotonic)
    """When it was last said how far the run is."""

    def goes_on(self) -> bool:
        """Whether there is time left; always, for a full run."""
        return self.full or time.monotonic() < self.ends

    def wants_more(self, done: int, whole: int) -> bool:
        """Whether `done` is not enough: less than `whole` for a full run, else nothing, or while there is time.

        Says once a minute how far it is.
        """
        now = time.monotonic()
        if now - self._told >= TELL_EVERY_S:
            self._told = now
            say(f"{done} of {whole} so far")
        return done < whole if self.full else not done or self.goes_on()


def run_from(argv: list[str], name: str) -> Run:
    """Read the command line, and say what is to be run. Exits with 2 where it cannot be read."""
    parser = argparse.ArgumentParser(prog=f"dev.py long {name}")
    parser.add_argument("--minutes", type=float, default=20.0, help="how long a sampled run takes (20)")
    parser.add_argument("--full", action="store_true", help="the whole count, however long it takes")
    parser.add_argument("--seed", type=int, default=None, help="repeat the run with this seed")
    options = parser.parse_args(argv)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # who needs a screen begins one, and says so
    seed = random.SystemRandom().randrange(1_000_000) if options.seed is None else options.seed
    length = "the whole count" if options.full else f"{options.minutes:g} minutes"
    say(f"{name}: {length}, seed {seed}")
    return Run(seed, options.full, time.monotonic() + 60.0 * options.minutes)


def most_likely(good: int, judged: int, doubt: float = 0.01) -> float:
    """The largest share of all that may be good, if `good` of a sample were: with a larger one, so few would be seen
    in fewer than `doubt` of all samples (the exact binomial bound of Clopper and Pearson, one-sided).
    """
    least, most = 0.0, 1.0
    bad = judged - good
    while bad and most - least > 1e-9:
        share = (least + most) / 2.0
        chance = 1.0 - sum(_chance(count, judged, share) for count in range(bad))
        least, most = (share, most) if chance < doubt else (least, share)
    return 1.0 - least


def _chance(count: int, judged: int, share: float) -> float:
    return math.exp(
        math.log(math.comb(judged, count)) + count * math.log(share) + (judged - count) * math.log1p(-share)
    )


def say(text: str) -> None:
    """Print one line at once, also into a pipe."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
