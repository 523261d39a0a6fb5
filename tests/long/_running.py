"""What every long run takes and says: minutes, seed, whole or sampled, and its counts on stdout."""

from __future__ import annotations

import argparse
import random
import sys
import time
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Run:
    """How long a run may take, and where its chance comes from."""

    seed: int
    full: bool
    ends: float
    """Monotonic second at which a sampled run stops."""

    def goes_on(self) -> bool:
        """Whether there is time left; always, for a full run."""
        return self.full or time.monotonic() < self.ends


def run_from(argv: list[str], name: str) -> Run:
    """Read the command line, and say what is to be run. Exits with 2 where it cannot be read."""
    parser = argparse.ArgumentParser(prog=f"dev.py long {name}")
    parser.add_argument("--minutes", type=float, default=20.0, help="how long a sampled run takes (20)")
    parser.add_argument("--full", action="store_true", help="the whole count, however long it takes")
    parser.add_argument("--seed", type=int, default=None, help="repeat the run with this seed")
    options = parser.parse_args(argv)
    seed = random.SystemRandom().randrange(1_000_000) if options.seed is None else options.seed
    length = "the whole count" if options.full else f"{options.minutes:g} minutes"
    say(f"{name}: {length}, seed {seed}")
    return Run(seed, options.full, time.monotonic() + 60.0 * options.minutes)


def say(text: str) -> None:
    """Print one line at once, also into a pipe."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
